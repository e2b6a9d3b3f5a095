"""Whatever a domain of the meanings accepts works: numbers at its ends, and odd things."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, case, loss, meanings
from dpwidgets.inputs.domain import EPSILON
from strategies import ODD, numbers, refusal

epsilons, mechanisms = numbers(EPSILON), st.sampled_from(meanings.MECHANISMS)
pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def every_floating_point_error_is_raised():
    with np.errstate(all="raise"):
        yield


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


CALLS = {
    "advantage": (
        lambda **given: meanings.advantage(**{"epsilon": 1} | given),
        ["epsilon", "mechanism"],
    ),
    "misses": (
        lambda **given: meanings.misses(**{"epsilon": 1, "false_alarms": 0.1} | given),
        ["epsilon", "false_alarms", "mechanism"],
    ),
    "certified": (
        lambda **given: meanings.certified(**{"trials": 9} | given),
        ["trials", "confidence"],
    ),
    "meanings": (meanings.meanings, ["case"]),
    "portrait": (
        lambda **given: meanings.portrait(
            **{"epsilon": 1, "published": "sum", "low": 0, "high": 1} | given
        ),
        [
            *("epsilon", "rows", "published", "n", "low", "high", "unit", "neighbours"),
            *("mechanism", "delta", "releases", "used", "household", "prior", "reference"),
            "confidence",
        ],
    ),
    "value": (meanings.meanings(case.Case(published="count"))[0].value, ["scale"]),
    "sentence": (meanings.meanings(case.Case(published="count"))[0].sentence, ["scale"]),
}


@pytest.mark.parametrize(
    ("call", "argument"),
    [(call, argument) for call, arguments in CALLS.values() for argument in arguments],
    ids=[f"{name}: {argument}" for name, (_, names) in CALLS.items() for argument in names],
)
def test_what_is_no_number_is_refused_by_name(call, argument):
    for value in ODD:
        said = refusal(call, **{argument: value})
        assert not said or argument in said
        assert len(said) < 400
