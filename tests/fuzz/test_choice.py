"""Whatever a goal's domains accept works: goals at their ends, alone, together and on record."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwidgets.calculators import breach, choice, interval, loss, worlds
from dpwidgets.calculators.choice import (
    BreachGoal,
    BudgetGoal,
    CountGoal,
    Feasible,
    Goal,
    RiskGoal,
    choose,
)
from dpwidgets.calculators.domain import EPSILON
from dpwidgets.calculators.worlds import Worlds
from strategies import ODD, numbers, refusal

pytestmark = pytest.mark.filterwarnings("error")
COLUMNS = [Worlds([1, 2, 3, 10]), Worlds([1, 1, 2, 2]), Worlds([0, 1e-9, 5, 1e9], "sum")]


@pytest.fixture(autouse=True)
def every_floating_point_error_is_raised():
    with np.errstate(all="raise"):
        yield


counts = st.builds(
    CountGoal,
    numbers(interval.COUNT),
    numbers(interval.HALF_WIDTH),
    numbers(interval.CONFIDENCE),
    st.booleans(),
)
risks = st.builds(RiskGoal, st.sampled_from(COLUMNS), numbers(worlds.RISK))
breaches = st.builds(BreachGoal, numbers(breach.PRIOR), numbers(breach.POSTERIOR))
budgets = st.builds(
    BudgetGoal,
    numbers(loss.COUNT),
    numbers(loss.TOTAL),
    numbers(loss.DELTA_OR_NONE),
    st.sampled_from(["any", "gaussian"]),  # Laplace noise takes longer, and is tested for the loss
)
goals = st.one_of(counts, risks, breaches, budgets)


@given(goals)
def test_a_goal_allows_any_epsilon_some_or_none_and_says_so(goal):
    allowed = goal.interval()
    assert str(allowed)
    assert goal.sentence
    if allowed.empty:
        assert allowed.reason
    else:
        assert allowed.low == 0 or EPSILON.low <= allowed.low <= EPSILON.high
        assert allowed.high == np.inf or EPSILON.low <= allowed.high <= EPSILON.high


@given(goals)
def test_a_goal_comes_back_from_json(goal):
    back = Goal.from_dict(json.loads(json.dumps(goal.to_dict(), allow_nan=False)))
    assert back == goal.without_data()
    assert back.interval().empty == goal.interval().empty
    if not goal.interval().empty:
        assert back.interval() == goal.interval()


@given(goals, numbers(EPSILON))
def test_what_fits_allows_the_epsilon(goal, epsilon):
    fit = goal.fitting(epsilon)
    assert fit is None or fit.interval().allows(epsilon)


@given(st.lists(goals, min_size=1, max_size=3))
def test_goals_together_leave_a_suggestion(several):
    choice_ = choose(several)
    assert choice_.sentence
    suggested = choice.suggested(choice_)
    assert EPSILON.contains(np.array(suggested))
    if not choice_.feasible.empty:
        assert choice_.feasible.allows(suggested)
    else:
        assert choice_.impossible or choice_.conflicts


def test_any_epsilon_is_shown_kept_and_brought_back():
    goal = RiskGoal(Worlds([1, 1, 2, 2]), 0.6)
    assert goal.interval() == Feasible(0.0, np.inf)
    assert str(goal.interval()) == "any ε"
    assert Goal.from_dict(goal.to_dict()).interval() == goal.interval()
    decided = choice.decide(values=[1, 1, 2, 2], risk=0.6)
    assert choice.Record.load(decided.record().json()) == decided.record()


CALLS = {
    "count": (
        lambda **given: CountGoal(**{"count": 9, "half_width": 0.1, "confidence": 0.9} | given),
        ["count", "half_width", "confidence", "secret", "kept"],
    ),
    "risk": (
        lambda **given: RiskGoal(**{"worlds": COLUMNS[0], "risk": 0.5} | given),
        ["worlds", "risk", "kept"],
    ),
    "breach": (
        lambda **given: BreachGoal(**{"prior": 0.1, "posterior": 0.2} | given),
        ["prior", "posterior"],
    ),
    "budget": (
        lambda **given: BudgetGoal(**{"releases": 2, "epsilon": 1, "delta": 0.1} | given),
        ["releases", "epsilon", "delta", "mechanism"],
    ),
    "fitting": (BreachGoal(0.1, 0.2).fitting, ["epsilon"]),
    "choose": (choose, ["goals"]),
    "decide": (
        lambda **given: choice.decide(**{"count": 9, "prior": 0.1, "values": [1, 2, 3]} | given),
        ["count", "half_width", "confidence", "query", "risk", "prior", "posterior", "epsilon"],
    ),
}


@pytest.mark.parametrize(
    ("call", "argument"),
    [(call, argument) for call, arguments in CALLS.values() for argument in arguments],
    ids=[f"{name}: {argument}" for name, (_, names) in CALLS.items() for argument in names],
)
def test_what_is_no_number_is_refused_by_name(call, argument):
    for value in ODD:
        said = refusal(call, **{argument: value})
        assert not said or argument in said or "kept" in said
        assert len(said) < 400
