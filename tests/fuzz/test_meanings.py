"""Whatever a domain of the meanings accepts works: numbers at its ends, and odd things."""

import math

import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, case, loss, meanings
from dpwidgets.inputs.domain import EPSILON
from strategies import numbers

epsilons, mechanisms = numbers(EPSILON), st.sampled_from(meanings.MECHANISMS)
pytestmark = pytest.mark.usefixtures("raised")


@given(st.tuples(epsilons, epsilons).map(sorted), numbers(meanings.FALSE_ALARMS), mechanisms)
def test_a_test_gains_with_epsilon(both, alarms, mechanism):
    less, more = meanings.advantage(both, mechanism)
    assert 0 < less <= more <= 1
    more, less = meanings.misses(both, alarms, mechanism)
    assert 0 <= less <= more <= 1 - alarms


@given(
    st.lists(numbers(meanings.TRIALS), min_size=2, max_size=2).map(sorted),
    numbers(meanings.CONFIDENCE),
)
def test_more_trials_certify_more(trials, confidence):
    less, more = meanings.certified(trials, confidence)
    assert 0 <= less <= more


@given(epsilons, numbers(case.N), numbers(loss.COUNT), numbers(breach.PRIOR))
def test_a_portrait_stands_at_every_epsilon(epsilon, n, releases, prior):
    for mechanism in case.MECHANISMS:
        whole = meanings.portrait(
            epsilon,
            rows="all",
            published="count",
            n=int(n),
            releases=int(min(releases, 50)),
            prior=prior,
            mechanism=mechanism,
            delta=1e-6,
            reference=n / 2,
            confidence=0.5,
        )
        for row in whole.rows:
            assert row.value >= 0
            assert not math.isnan(row.place)
        assert not any("undefined" in one for one in whole.sentences)
