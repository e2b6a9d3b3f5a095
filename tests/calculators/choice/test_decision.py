"""A decision puts a case and goals together, suggests an ε, and tries it out."""

import pytest

from dpwidgets.calculators import choice
from dpwidgets.calculators.choice import BeliefGoal, Case, decide, stress

CASE = {
    "published": "count",
    "n": 2000,
    "unit": "patients",
    "releases": 4,
    "delta": 1e-6,
    "prior": 0.2,
    "reference": 400,
    "confidence": 0.95,
}
GOALS = {"half_width": 0.05, "posterior": 0.25, "total": 1}
ABSENT = {"Chris": 1, "Kelly": 0, "Pat": 0, "Terry": 0}


def test_a_goal_is_left_out_where_its_number_is():
    assert [goal.kind for goal in decide(error=3).goals] == ["error"]
    every = decide(**CASE, **GOALS, error=9, advantage=0.3, values=[1, 0, 0, 1, 0])
    kinds = [goal.kind for goal in every.goals]
    assert kinds == ["interval", "error", "risk", "belief", "advantage", "budget"]
    with pytest.raises(ValueError, match="at least one goal"):
        decide()


def test_the_suggestion_meets_every_goal_that_can_be_met():
    assert decide(**CASE, **GOALS).epsilon == 0.15
    assert decide(**CASE, posterior=0.25).epsilon == 0.287
    torn = decide(**CASE | {"releases": 12}, **GOALS)
    assert torn.epsilon == pytest.approx(0.0836, abs=1e-4)  # keeps the promises
    assert torn.met == (False, True, True)
    assert "any of these changes is enough" in torn.sentence
    assert "Or: at most 6 releases." in torn.sentence
    assert decide(**CASE, error=1e6).epsilon == pytest.approx(1e-6)


def test_an_epsilon_of_ones_own_is_kept_and_judged():
    own = decide(**CASE, **GOALS, epsilon=5)
    assert (own.epsilon, own.met) == (5, (True, False, False))
    assert own.sentence.endswith("ε = 5, which is noise of scale 0.2 patients, meets 1 of 3.")


def test_options_say_what_they_buy():
    options = decide(**CASE, **GOALS).choice.options
    assert [(one.name, one.epsilon) for one in options] == [
        ("most private", 0.15),
        ("middle", 0.193),
        ("most precise", 0.25),
    ]
    assert (
        options[0].buys == "within ±20 patients (4.99%); from 20% to at most 22.5%; ε = 0.6 in all"
    )
    only = decide(**CASE, posterior=0.25).choice.options
    assert [one.name for one in only] == ["most precise"]
    assert decide(**CASE | {"releases": 12}, **GOALS).choice.options == ()


def test_stress_by_cases_of_their_own():
    """Each row is what the changed case gives at the same noise."""
    made = decide(**CASE, **GOALS, epsilon=0.2)
    rows = {row.name: row.outcomes for row in made.stress}
    assert rows["all 4 releases, not one"][1].said == "from 20% to at most 35.7%"
    assert not rows["all 4 releases, not one"][1].kept
    assert rows["4 people with dependent records"][1].said == "from 20% to at most 35.7%"
    assert rows["a prior of 50%"][1].said == "from 50% to at most 55%"
    assert rows["a prior of 50%"][1].share is None  # the limit, 25%, is below it from the start
    assert rows["the truth a quarter below the reference"][0].said == "within ±15 patients (4.99%)"
    assert not rows["the truth half below the reference"][0].kept
    twice = decide(**CASE | {"releases": 8}, **GOALS, epsilon=0.2)
    assert rows["twice as many releases"][2].said == twice.goals[2].achieved(twice.case, 5)
    assert rows["twice as many releases"][2].share == pytest.approx(1.6, rel=1e-3)
    assert "twice as many releases" not in {
        row.name for row in decide(releases=60_000, total=100).stress
    }
    assert [one.said for one in rows["as supposed"]] == [
        goal.achieved(made.case, made.scale) for goal in made.goals
    ]


def test_stress_leaves_out_what_concerns_no_goal():
    small = Case(published="count", n=3, prior=0.2)
    names = [row.name for row in stress(small, (BeliefGoal(0.3),), 5)]
    assert names == ["as supposed", "a prior of 10%", "a prior of 50%", "a prior of 90%"]


def test_a_column_is_clipped_and_is_not_for_publishing():
    school = {"published": "mean", "n": 4, "low": 0, "high": 10, "unit": "days"}
    one, other = (decide(**school, values=[1, 2, 3, last]) for last in (10, 300))
    assert one == other
    assert "not for publishing" in one.warning
    assert decide(error=3).warning == ""
    assert decide(published="count", values=ABSENT, risk=0.5).met == (True,)


def test_the_same_arguments_make_equal_decisions():
    assert decide(**CASE, values=ABSENT, **GOALS) == decide(**CASE, values=ABSENT, **GOALS)
    assert decide(**CASE, **GOALS) != decide(**CASE, **GOALS, epsilon=0.3)


def test_bad_input():
    with pytest.raises(ValueError, match=r"^epsilon must be a number from 1e-8 to 1000; got -1"):
        decide(error=3, epsilon=-1)
    with pytest.raises(ValueError, match="half_width must be"):
        decide(**CASE, half_width=0)
    with pytest.raises(ValueError, match="used must be below 1, the budget"):
        decide(**CASE, total=1, used=2)
    assert choice.ONE == "one release"


def test_a_risk_beyond_the_largest_epsilon_is_no_dash():
    """Of 18 releases and 4 people together ε is 1080: it is all but certain who is missing."""
    case = Case(published="sum", low=8, high=11, neighbours="replace", releases=18)
    goal = choice.risk_goal(case, [8, 9, 11, 11], 0.5, choice.ALL)
    rows = {row.name: row.outcomes[0] for row in stress(case, (goal,), 0.2)}
    assert rows["4 people with dependent records"].said.startswith("at most 99.99")
    assert not rows["4 people with dependent records"].kept
