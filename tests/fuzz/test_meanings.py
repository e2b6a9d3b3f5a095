"""Whatever a domain of the meanings accepts works: numbers at its ends, and odd things."""

import math

import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, case, loss, meanings
from dpwidgets.inputs.domain import EPSILON, PROBABILITY
from strategies import numbers

pytestmark = pytest.mark.usefixtures("raised")


@given(st.tuples(*[st.floats(1, 1e12) | st.just(math.inf)] * 2).map(sorted), numbers(PROBABILITY))
def test_more_trials_certify_more(trials, confidence):
    less, more = meanings.certified(trials, confidence)
    assert 0 <= less <= more


@given(
    numbers(EPSILON), numbers(case.N), numbers(loss.COUNT), numbers(breach.PRIOR),
    st.sampled_from(case.MECHANISMS),
)  # fmt: skip
def test_a_portrait_stands_at_every_epsilon(epsilon, n, releases, prior, mechanism):
    whole = meanings.portrait(
        epsilon, rows="all", published="count", n=n, releases=min(releases, 50), prior=prior,
        mechanism=mechanism, delta=1e-6, reference=n / 2, confidence=0.5,
    )  # fmt: skip
    for row in whole.rows:
        assert row.value >= 0
        assert not math.isnan(row.place)
    assert not any("undefined" in one for one in whole.sentences)
