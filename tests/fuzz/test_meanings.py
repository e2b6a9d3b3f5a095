"""Whatever a domain of the meanings accepts works: numbers at its ends, and odd things."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwidgets.calculators import loss, meanings
from dpwidgets.calculators.domain import EPSILON
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES
from strategies import ODD, numbers, refusal

epsilons, mechanisms = numbers(EPSILON), st.sampled_from(MECHANISMS)
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


def check_round_trip(meaning, epsilon):
    """The number of an ε is taken back, if any ε but 0 gives it, and leads to the same number."""
    number = meaning.value(epsilon)
    assert number >= 0
    assert "undefined" not in meaning.sentence(epsilon)
    if meaning.solves is None or not meaning.domain.contains(np.array(number)):
        return meaning.name
    back = meaning.epsilon(number)
    assert EPSILON.contains(np.array(back))
    if "posterior mean" not in meaning.name:  # its way back is the median's
        assert meaning.value(back) == pytest.approx(number, rel=1e-6, abs=1e-12)
    return ""


# Without the last of the loss: several releases with Laplace noise take too long for a fuzz.
OWN = (*loss.meanings(compositions=4)[:-1], *meanings.beyond_texts())


@pytest.mark.parametrize("meaning", OWN, ids=[one.name for one in OWN])
@given(epsilon=epsilons)
def test_a_meanings_number_leads_back(meaning, epsilon):
    out = check_round_trip(meaning, epsilon)
    # Where δ alone covers a few releases of a tiny ε, their ε is 0, and no single ε gives it.
    assert not out or (out.startswith("ε of several releases") and meaning.value(epsilon) < 1e-8)


@given(
    epsilons,
    numbers(meanings.FALSE_ALARMS),
    numbers(meanings.CONFIDENCE),
)
def test_a_tests_numbers_lead_back_for_any_alarms(epsilon, alarms, confidence):
    for meaning in meanings.beyond_texts(alarms, confidence):
        assert not check_round_trip(meaning, epsilon)


@given(epsilons, numbers(loss.COUNT), numbers(loss.DELTA))
def test_a_losss_numbers_lead_back_for_any_budget(epsilon, compositions, delta):
    for meaning in loss.meanings(compositions, delta)[:3]:  # Laplace noise takes longer
        check_round_trip(meaning, epsilon)


ALL = meanings.meanings()


@pytest.mark.parametrize("meaning", ALL, ids=[one.name for one in ALL])
def test_every_meaning_stands_at_both_ends(meaning):
    for epsilon in (EPSILON.low, EPSILON.high):
        assert meaning.value(epsilon) >= 0
        assert "undefined" not in meaning.sentence(epsilon)


@given(epsilons, mechanisms, st.sampled_from(NEIGHBOURS[1:]), st.sampled_from(RELEASES))
def test_a_portrait_stands_at_every_epsilon(epsilon, mechanism, neighbours, releases):
    whole = meanings.portrait(
        epsilon, mechanism=mechanism, neighbours=neighbours, releases=releases
    )
    for row in whole.rows:
        assert row.value >= 0
        assert not math.isnan(row.place)


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
    "beyond_texts": (meanings.beyond_texts, ["false_alarms", "audit_confidence"]),
    "meanings": (meanings.meanings, ["mechanism", "neighbours", "releases"]),
    "portrait": (
        lambda **given: meanings.portrait(**{"epsilon": 1} | given),
        ["epsilon", "mechanism", "neighbours", "releases"],
    ),
    "value": (ALL[0].value, ["epsilon"]),
    "epsilon": (ALL[0].epsilon, ["value"]),
    "sentence": (ALL[0].sentence, ["epsilon"]),
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
