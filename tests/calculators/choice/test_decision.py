"""A decision puts a case and goals together, suggests an ε, and tries it out."""

import math
import re
from dataclasses import replace

import pytest

from dpwidgets.calculators import choice
from dpwidgets.calculators.choice import (
    ALL,
    HOUSEHOLD,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    choose,
    decide,
    stress,
)
from known import HOSPITAL
from losses import gaussian_delta

CASE = HOSPITAL.to_dict()
GOALS = {"half_width": 0.05, "posterior": 0.25, "total": 1}
ABSENT = {"Chris": 1, "Kelly": 0, "Pat": 0, "Terry": 0}


def test_a_goal_is_left_out_where_its_number_is():
    assert [goal.kind for goal in decide(error=3).goals] == ["error"]
    few = CASE | {"n": 5, "reference": 4}
    every = decide(**few, **GOALS, error=9, advantage=0.3, values=[1, 0, 0, 1, 0])
    kinds = [goal.kind for goal in every.goals]
    assert kinds == ["interval", "error", "risk", "belief", "advantage", "budget"]
    with pytest.raises(ValueError, match="at least one goal"):
        decide()
    for name in ("interval_reach", "reach", "halfwidth"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            decide(error=3, **{name: ALL})


def test_the_suggestion_meets_every_goal_that_can_be_met():
    assert decide(**CASE, **GOALS).epsilon == 0.15
    assert decide(**CASE, posterior=0.25).epsilon == 0.287
    torn = decide(**CASE | {"releases": 12}, **GOALS)
    assert torn.epsilon == pytest.approx(0.0836, abs=1e-4)  # keeps the promises
    assert torn.met == (False, True, True)
    assert "any of these changes is enough" in torn.sentence
    assert "Or: at most 6 releases." in torn.sentence
    assert torn.choice.options == ()
    assert decide(**CASE, error=1e6).epsilon == pytest.approx(1e-6)
    own = decide(**CASE, **GOALS, epsilon=5)
    assert (own.epsilon, own.met) == (5, (True, False, False))
    assert own.sentence.endswith("ε = 5, which is noise of scale 0.2 patients, meets 1 of 3.")
    private, middle, precise = own.choice.options
    assert [private.name, middle.name, precise.name] == ["most private", "middle", "most precise"]
    assert [private.epsilon, middle.epsilon, precise.epsilon] == [0.15, 0.193, 0.25]
    assert private.buys == "within ±20 patients (5%); from 20% to at most 22.6%; ε = 0.6 in all"
    (only,) = decide(**CASE, posterior=0.25).choice.options
    assert only.name == "most precise"


def test_stress_by_cases_of_their_own():
    """Each row is what the changed case gives at the same noise."""
    made = decide(**CASE, **GOALS, epsilon=0.2)
    rows = {row.name: row.outcomes for row in made.stress}
    assert rows["all 4 releases, not one"][1].said == "from 20% to at most 35.8%"
    assert not rows["all 4 releases, not one"][1].kept
    assert rows["4 people with dependent records"][1].said == "from 20% to at most 35.8%"
    assert rows["a prior of 50%"][1].said == "from 50% to at most 55%"
    assert rows["a prior of 50%"][1].share is None  # the limit, 25%, is below it from the start
    assert rows["the truth a quarter below the reference"][0].said == "within ±15 patients (5%)"
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
    assert decide(values=ABSENT).goals[0].limit == 1 / 3
    assert decide(error=3, risk=0.5).goals == (ErrorGoal(3),)  # of no column


def test_bad_input():
    with pytest.raises(ValueError, match=r"n must be the number of values, 4, or .* got 2,000"):
        decide(published="count", n=2000, values=ABSENT)
    with pytest.raises(ValueError, match=r"reference must be at most n, all 5 people, .* got 400"):
        decide(published="count", n=5, reference=400, error=1)


def test_a_risk_beyond_the_largest_epsilon_is_no_dash():
    """Of 18 releases and 4 people together ε is 1080: it is all but certain who is missing."""
    case = Case(published="sum", low=8, high=11, neighbours="replace", releases=18)
    goal = choice.risk_goal(case, [8, 9, 11, 11], 0.5, choice.ALL)
    rows = {row.name: row.outcomes[0] for row in stress(case, (goal,), 0.2)}
    assert rows["4 people with dependent records"].said.startswith("at most 99.99")
    assert not rows["4 people with dependent records"].kept


WIDE = {"mechanism": "Gaussian", "delta": 0.01, "releases": 52}


def test_a_noise_larger_than_that_of_the_smallest_epsilon_is_found():
    """Of the review: "not even the largest noise" was said where σ = 68.8 does."""
    asked = decide(**WIDE, total=0.1)
    assert gaussian_delta(math.sqrt(52) / 68.807, 0.1) == pytest.approx(0.01, rel=1e-4)
    assert asked.choice.feasible.low == pytest.approx(68.807, rel=1e-4)
    assert asked.epsilon is None  # every ε has less noise
    assert asked.sentence == (
        "A scale of at least 68.9 people, which is ε below 1e-8 for Δf = 1 and δ = 0.01, meets the "
        "goal. So no ε is suggested."
    )


def test_a_range_of_noise_says_where_its_epsilon_is_below_the_smallest():
    case = Case(published="count", **WIDE)
    for goals, words in (
        ([ErrorGoal(100)], "a scale of at most 125 people, which allows even ε below 1e-8 for"),
        ([ErrorGoal(100), BudgetGoal(5)], "people, which is ε from below 1e-8 to 0."),
        ([ErrorGoal(100), BudgetGoal(0.1)], "from 68.9 to 125 people, which is ε below 1e-8 for"),
    ):
        assert words in choose(case, goals).feasible.sentence(case)
    assert case.total(125, choice.ONE) == 0
    assert decide(**WIDE, error=100).met == (True,)


def test_without_a_suggestion_a_refusal_is_recorded_with_its_conflicts():
    asked = decide(**WIDE, total=0.1, error=4)
    assert asked.epsilon is None
    assert (asked.scale, asked.met, asked.stress) == (None, (), ())
    assert asked.sentence.endswith(" So no ε is suggested.")
    (conflict,) = asked.choice.conflicts
    page = asked.record().markdown()
    assert page.startswith("# Decision record: nothing is published")
    assert f"| what stands against it | {conflict.sentence} |" in page


def test_a_risk_below_the_blind_guess_is_impossible_where_all_answer_alike():
    for column in ([1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 0, 0]):
        for mine in (choice.ONE, ALL):
            asked = decide(values=column, risk=0.2, risk_reach=mine)
            ((_, reason),) = asked.choice.impossible
            assert "1/4, which a blind guess reaches, and below 1; got 0.2" in reason
            assert asked.epsilon is None
    assert decide(values=[1, 1, 1, 1], risk=0.26).choice.feasible.allows(1e-6)


def test_a_conflict_with_a_risk_of_all_releases_says_how_many_fit():
    given = {"published": "count", "releases": 12, "reference": 100, "confidence": 0.9}
    column = [1, 1, 0, 0, 0, 0]
    asked = decide(**given, half_width=0.2, values=column, risk=0.25, risk_reach=ALL)
    (conflict,) = asked.choice.conflicts
    fits = [
        not decide(
            **given | {"releases": count}, half_width=0.2, values=column, risk=0.25, risk_reach=ALL
        ).choice.feasible.empty
        for count in range(1, 13)
    ]
    assert conflict.releases == sum(fits) > 0
    assert fits == sorted(fits, reverse=True)
    assert f"at most {conflict.releases} release" in conflict.sentence


def test_stress_never_supposes_a_smaller_household_and_says_nothing_twice():
    case = Case(published="count", prior=0.2, releases=3, household=6, used=0.1)
    goals = (BeliefGoal(0.9), BeliefGoal(0.9, reach=HOUSEHOLD))
    rows = stress(case, goals, 10)
    (dependent,) = [row for row in rows if "dependent" in row.name]
    assert dependent.name == "6 people with dependent records"
    one = replace(case, releases=1, used=0.0)
    assert dependent.outcomes[0].share == pytest.approx(goals[1].reached(one, 10) / 0.9)
    assert dependent.outcomes[1].said == ""  # as supposed
    said = [row.outcomes for row in rows]
    assert len(said) == len(set(said))
    alone = stress(replace(case, releases=1), goals[1:], 10)
    assert not [row for row in alone if "dependent" in row.name or "all" in row.name]


def test_one_of_them_is_singular():
    case = Case(published="count", unit="patients", releases=2, n=1)
    assert case.measured(1) == "1 patient"
    assert case.measured(1.0000001) == "1 patient"
    assert Case(published="count").measured(1) == "1 person"
    assert Case(published="sum", low=0, high=1, unit="buses").measured(1) == "1 buses"
    assert "of 1 person have" in case.what
    (conflict,) = choose(case, [ErrorGoal(2), BudgetGoal(0.5)]).conflicts
    assert "Or: at most 1 release." in conflict.sentence
    page = decide(total=1, epsilon=0.5).record().markdown()
    assert "| in all | 1 release about the same people: ε = 0.5 |" in page
    assert not re.search(r"\b1 (releases|people)\b", page)
