"""Goals and what they allow together, against brute force over ε."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.calculators.choice import (
    BreachGoal,
    BudgetGoal,
    Choice,
    CountGoal,
    Feasible,
    Goal,
    RiskGoal,
    choose,
    rounded,
)
from dpwidgets.calculators.domain import DomainError
from dpwidgets.calculators.worlds import Worlds

STUDENTS = Worlds([1, 2, 3, 10])
COUNT = CountGoal(count=100, half_width=0.2, confidence=0.8)
RISK = RiskGoal(STUDENTS, risk=1 / 3)
BREACH = BreachGoal(prior=0.1, posterior=0.2)
BUDGET = BudgetGoal(releases=20, epsilon=1, delta=1e-6, mechanism="laplace")
GOALS = (COUNT, RISK, BREACH, BUDGET)
TIGHT = {  # each contradicts a count of 3
    "risk": RiskGoal(STUDENTS, risk=0.26),
    "breach": BreachGoal(prior=0.1, posterior=0.11),
    "budget": BudgetGoal(releases=1000, epsilon=4, delta=1e-6, mechanism="any"),
    "gaussian": BudgetGoal(releases=1000, epsilon=4, delta=1e-6, mechanism="gaussian"),
}


def meets(goal, epsilon):
    """Whether the goal holds at this ε: the other way round than `interval` computes."""
    if isinstance(goal, CountGoal):
        return interval.confidence(epsilon, goal.half_width, goal.count) >= goal.confidence
    if isinstance(goal, RiskGoal):
        return goal.worlds.risk(epsilon) <= goal.risk
    if isinstance(goal, BreachGoal):
        return breach.posterior(goal.prior, epsilon) <= goal.posterior
    return (
        loss.COMPOSED[goal.mechanism](epsilon).compose(goal.releases).delta(goal.epsilon)
        <= goal.delta
    )


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.kind)
def test_a_goal_allows_what_meets_it(goal):
    allowed = goal.interval()
    for epsilon in np.geomspace(1e-3, 20, 60):
        assert allowed.allows(epsilon) == meets(goal, epsilon)


counts = st.builds(CountGoal, st.floats(1, 1e4), st.floats(0.01, 2), st.floats(0.05, 0.99))
risks = st.builds(RiskGoal, st.just(STUDENTS), st.floats(0.251, 0.99))
breaches = st.builds(BreachGoal, st.floats(0.001, 0.5), st.floats(0.501, 0.999))
budgets = st.builds(
    BudgetGoal,
    st.integers(1, 30),
    st.floats(0.1, 5),
    st.just(1e-5),
    st.sampled_from(["any", "laplace"]),
)


@settings(max_examples=40)
@given(st.lists(st.one_of(counts, risks, breaches, budgets), min_size=1, max_size=4))
def test_the_intersection_is_right_by_brute_force(goals):
    choice = choose(goals)
    good = [one for one in np.geomspace(1e-3, 20, 30) if all(meets(goal, one) for goal in goals)]
    assert all(choice.feasible.allows(one) for one in good)
    assert choice.feasible.empty == bool(choice.conflicts or choice.impossible)
    if not choice.feasible.empty:
        middle = choice.feasible.low + 0.5 * (
            min(choice.feasible.high, 50 + choice.feasible.low) - choice.feasible.low
        )
        assert all(meets(goal, middle) for goal in goals)
    for conflict in choice.conflicts:
        assert choose([conflict.large_fit, conflict.small]).feasible.empty is False
        assert (
            conflict.small_fit is None
            or choose([conflict.large, conflict.small_fit]).feasible.empty is False
        )


@pytest.mark.parametrize("kind", TIGHT)
def test_each_goal_of_a_conflict_learns_what_would_fit(kind):
    large, small = CountGoal(3, 0.2, 0.5), TIGHT[kind]
    (conflict,) = choose([small, large]).conflicts
    assert (conflict.large, conflict.small) == (large, small)
    wider = conflict.large_fit
    assert (wider.count, wider.confidence) == (large.count, large.confidence)
    needed = interval.half_width(small.interval().high, 0.5, 3)
    assert needed <= wider.half_width <= needed * 1.01
    assert choose([wider, small]).feasible.empty is False
    if kind in ("budget", "gaussian"):
        fewer = conflict.small_fit
        if fewer is not None:
            more = BudgetGoal(fewer.releases + 1, 4, 1e-6, small.mechanism)
            assert fewer.interval().high >= large.interval().low > more.interval().high
    else:
        assert choose([large, conflict.small_fit]).feasible.empty is False
        nearly = {"risk": STUDENTS.risk, "breach": lambda one: breach.posterior(0.1, one)}[kind](
            large.interval().low
        )
        assert nearly <= getattr(conflict.small_fit, conflict.small_fit.gives_way) <= nearly * 1.01
    for fit in (conflict.large_fit, conflict.small_fit):
        assert fit is None or fit.sentence in choose([small, large]).sentence


def test_how_many_releases_a_budget_has_room_for():
    budget = BudgetGoal(releases=500, epsilon=1, delta=0, mechanism="laplace")
    assert budget.fitting(0.1).releases == 10
    assert budget.fitting(2) is None
    assert BudgetGoal(1, 1, 1e-6).fitting(0.1).releases == max(
        k for k in range(1, 60) if loss.laplace(0.1).compose(k).delta(1) <= 1e-6
    )


def test_a_fit_near_one_keeps_more_digits_and_none_is_none():
    fit = BreachGoal(prior=0.5, posterior=0.6).fitting(12)
    assert fit.posterior < 1
    assert fit.interval().allows(12)
    assert BreachGoal(prior=0.5, posterior=0.6).fitting(700) is None
    (conflict,) = choose([CountGoal(1, 0.003, 0.9), BREACH]).conflicts
    assert conflict.small_fit is None
    assert "It would do to say" in conflict.sentence


def test_a_goal_that_no_epsilon_meets_says_why():
    guess, back = RiskGoal(STUDENTS, 0.2), BreachGoal(0.3, 0.2)
    bare = BudgetGoal(10, 1, 0, "gaussian")
    for goal, why in (
        (guess, "which a blind guess reaches"),
        (back, "above the prior"),
        (bare, "for no ε is it private"),
    ):
        assert goal.interval().empty
        assert not goal.interval().allows(1e-9)
        assert why in goal.interval().reason
    choice = choose([COUNT, guess, back])
    assert choice.feasible.empty
    assert [goal for goal, _ in choice.impossible] == [guess, back]
    assert not choice.conflicts
    assert choice.sentence.count("No ε meets") == 2
    assert choose([guess.without_data()]).impossible[0][1] == "not even the smallest ε does"


def test_every_epsilon_may_keep_a_risk():
    alike = RiskGoal(Worlds([1, 1, 2, 2]), risk=0.5)
    assert alike.interval() == Feasible(0.0, math.inf)
    assert choose([alike]).sentence == "Any ε meets the goal."
    assert alike.without_data().interval().high == math.inf


@pytest.mark.parametrize(
    "goal", [*GOALS, *TIGHT.values(), RiskGoal(Worlds([1, 1, 2, 2]), risk=0.5)]
)
def test_goals_come_back_from_json(goal):
    back = Goal.from_dict(json.loads(json.dumps(goal.to_dict(), allow_nan=False)))
    assert back == goal.without_data()
    assert back.interval() == goal.interval()
    assert back.sentence == goal.sentence
    assert back.from_data == goal.from_data


def test_a_record_of_secret_data_holds_none_of_it():
    column = [51234.5, 47001.25, 60099.75, 990001.5]
    written = json.dumps(RiskGoal(Worlds(column), risk=0.4).to_dict())
    assert not any(str(value) in written for value in column)
    secret = CountGoal(4177, 0.1, 0.9, secret=True)
    assert "4177" not in json.dumps(secret.to_dict()) + secret.sentence
    assert "4,177" not in secret.sentence
    back = Goal.from_dict(secret.to_dict())
    assert (back.interval(), back.from_data) == (secret.interval(), True)
    assert back.fitting(0.001) is None
    assert RISK.without_data().fitting(5) is None
    assert choose([COUNT, BREACH]).from_data is False
    assert choose([COUNT, RISK]).from_data is True


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountGoal(0, 0.2, 0.8), "count must be a number from 1e-12 to 1e12; got 0"),
        (lambda: CountGoal(100, 0.2, 1), "confidence must be a number between 0 and 1"),
        (lambda: CountGoal(None, 0.2, 0.5), "kept must be a finite number from 0 up"),
        (lambda: RiskGoal(STUDENTS, 1.5), "risk must be a number between 0 and 1"),
        (lambda: RiskGoal([1, 2, 3], 0.5), "worlds must be a Worlds; got list"),
        (lambda: RiskGoal(None, 0.5), "kept must be a finite number from 0 up"),
        (lambda: BreachGoal(0, 0.5), "prior must be a number from 1e-300 to 1, 1 excluded"),
        (lambda: BudgetGoal(0, 1, 0.1), "releases must be|compositions must be"),
        (lambda: BudgetGoal(1, 1, 1), "delta must be 0 or a number from 1e-300 to 0.999999"),
        (
            lambda: BudgetGoal(1, 1, 0.1, "binomial"),
            "mechanism must be one of 'any', 'laplace', 'gaussian'",
        ),
        (lambda: choose([]), "goals must hold at least one goal"),
        (lambda: choose([0.1]), "goals must be goals; got one of type float"),
        (
            lambda: Goal.from_dict({"goal": "cost"}),
            "goal must be one of 'count', 'risk', 'breach', 'budget'; got 'cost'",
        ),
        (lambda: Goal.from_dict([1]), "goal must be one of"),
        (lambda: Goal.from_dict({"goal": ["risk"]}), "goal must be one of"),
        (
            lambda: Goal.from_dict({"goal": "breach", "prior": 0.1}),
            "a breach goal has posterior, prior; got prior",
        ),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_numbers_are_rounded_so_that_the_promise_holds():
    assert (rounded(0.080472, up=True), rounded(0.080472, up=False)) == (0.0805, 0.0804)
    assert (rounded(math.inf, up=False), rounded(0.0, up=True), rounded(12345.6, up=True)) == (
        math.inf,
        0.0,
        12400.0,
    )
    assert str(COUNT.interval()) == "ε of at least 0.0805"
    assert str(choose(GOALS[:3]).feasible) == "ε from 0.0805 to 0.431"
    assert str(Feasible(2, 1)) == "no ε"
    assert isinstance(choose(GOALS), Choice)
    with pytest.raises(DomainError):
        CountGoal([1, 2], 0.2, 0.8)
