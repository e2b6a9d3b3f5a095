"""A decision puts a case and goals together, suggests an ε, and tries it out."""

import re
from dataclasses import fields
from decimal import Decimal

import numpy as np
import pytest

from decided import row, rows
from dpwidgets.decisions.case import CaseFields
from dpwidgets.decisions.choice import Case, decide
from dpwidgets.decisions.choice._decide import Given
from dpwidgets.decisions.goals import KINDS
from known import HOSPITAL, others_used

CASE = HOSPITAL.to_dict()
GOALS = {"half_width": 0.05, "posterior": 0.4, "total": 1}
ABSENT = {"Chris": 1, "Kelly": 0, "Pat": 0, "Terry": 0}


def test_a_keyword_is_a_field_of_a_case_or_a_word_of_a_goal():
    names = [
        name for kind in KINDS.values() for name in kind.keywords().values()
    ]
    assert {*Given.__annotations__} == {
        *names,
        *(one.name for one in fields(Case)),
    }
    assert {*CaseFields.__annotations__} == {one.name for one in fields(Case)}


def test_a_code_is_no_property_however_it_is_coded():
    """3 smokers of 200: coded 1 and 2, they were "everybody", and any noise met the goal."""
    smokers = np.arange(200) < 3
    for coded in (smokers.astype(int), smokers.tolist()):
        right = decide(values=coded, risk=0.02, epsilon=5)
        assert right.met == (False,)
        assert "A scale of at least 0.698 people" in right.sentence
    says = "^values of a count must be 0 or 1: .*; got 2 for the 4th record"
    with pytest.raises(ValueError, match=says):
        decide(values=2 - smokers, risk=0.02)
    table = decide(published="table", cells=4, values=2 - smokers, risk=0.02)
    assert "a single count, sum or mean to bound" in table.sentence


WIDE = {"mechanism": "Gaussian", "delta": 0.01, "releases": 52}
#: As a database has them.
EXACT = {
    "posterior": Decimal("0.4"),
    "total": Decimal(1),
    "epsilon": Decimal("0.15"),
}
#: What is asked, and the ε that is suggested, which goals it meets, and what is said.
SUGGESTED = (
    (CASE | GOALS, 0.15, (True, True, True), "is one of these."),
    (CASE | GOALS | EXACT, 0.15, (True, True, True), "is one of these."),
    (CASE | {"error": 1e6}, 1e-6, (True,), "is one of these."),
    (
        CASE | {"error": 1, "epsilon": 0.2},
        0.2,
        (False,),
        ", does not meet the goal.",
    ),
    # It keeps the promises.
    (
        CASE | GOALS | {"releases": 12},
        0.0817,
        (False, True, True),
        "any of these changes is enough",
    ),
    (
        CASE | GOALS | {"releases": 12},
        0.0817,
        (False, True, True),
        "Or: at most 6 releases.",
    ),
    (
        CASE | GOALS | {"epsilon": 5},
        5,
        (True, False, False),
        "ε = 5, which is noise of scale 0.2 patients, meets 1 of 3.",
    ),
)


@pytest.mark.parametrize(("given", "epsilon", "met", "words"), SUGGESTED)
def test_the_suggestion_meets_every_goal_that_can_be_met(
    given, epsilon, met, words
):
    made = decide(**given)
    assert made.epsilon == pytest.approx(epsilon, rel=1e-3)
    assert made.met == met
    assert words in made.sentence


def test_where_no_epsilon_is_suggested_none_is_tried():
    none = decide(**WIDE, total=0.1)
    assert none.sentence.endswith("meets the goal. So no ε is suggested.")
    found = none.epsilon, none.noise, none.met, none.stress
    assert found == (None, None, (), ())
    assert decide(**WIDE, error=100).met == (True,)
    assert decide(**CASE | {"releases": 12}, **GOALS).choice.options == ()
    (only,) = decide(**CASE, posterior=0.25).choice.options
    assert (only.name, only.epsilon) == ("most precise", 0.0719)


#: What turns out otherwise, and the case that it is then.
TURNS = (
    ("a prior of 10%", {"prior": 0.1}),
    ("a prior of 90%", {"prior": 0.9}),
    ("the truth a quarter below", {"reference": 300}),
    ("the truth half below", {"reference": 200}),
    ("twice as many releases (next year)", {"releases": 8}),
    ("3 times as many releases (in two", {"releases": 12}),
    ("6 times as many releases (in five", {"releases": 24}),
    ("4 people with dependent records", {"household": 4}),
)


@pytest.mark.parametrize(("name", "changes"), TURNS)
def test_a_row_of_stress_says_what_a_decision_about_the_changed_case_does(
    name, changes
):
    """At the same noise: of a goal that it concerns, and a mark where that is not met."""
    goals = GOALS | {"posterior": 0.95, "epsilon": 0.2}
    stress = row(decide(**CASE, **goals).record(), name, "turns out")
    changed = decide(**CASE | changes, **goals).record()
    given = rows(changed, "pr", "What shall be true")
    for said, (sentence, gives, met) in zip(stress, given, strict=True):
        mark = "" if met == "yes" else "✗ "
        # What a decision says in the goal's sentence, a row says with the number.
        exception = re.search(r", except .*(?=\.)|$", sentence)[0]
        assert said in ("–", f"{mark}{gives}{exception}")
    assert {*stress} != {"–"}


def test_a_belief_that_is_above_its_limit_from_the_start_breaks_nothing():
    made = decide(**CASE, **GOALS, epsilon=0.2)
    (_, belief, _) = row(made.record(), "a prior of 50%", "turns out")
    assert belief == "from 50% to at most 69%"
    many = decide(releases=60_000, total=100).record().markdown()
    assert " as many" not in many


def test_stress_says_nothing_of_what_concerns_no_goal_and_nothing_twice():
    small = decide(n=3, prior=0.2, posterior=0.3, epsilon=0.2)
    assert [row.name for row in small.stress] == [
        "as supposed",
        "a prior of 10%",
        "a prior of 50%",
        "a prior of 90%",
        "twice as many releases (next year)",
        "3 times as many releases (in two years)",
        "6 times as many releases (in five years)",
        "3 people with dependent records",
    ]
    rows = decide(
        prior=0.2, releases=3, household=6, before=others_used(0.1), posterior=0.9, epsilon=0.1,
    ).stress  # fmt: skip
    # No smaller household than the case has, and nothing that is as supposed.
    assert not [row.name for row in rows if "dependent" in row.name]
    assert len(rows) == len({row.outcomes for row in rows})


def test_a_risk_beyond_the_largest_epsilon_is_no_dash():
    """Of 18 releases and 4 people together ε is 1080: it is all but certain who is missing."""
    made = decide(
        published="sum", low=8, high=11, neighbours="replace", releases=18, values=[8, 9, 11, 11],
        risk=0.5, epsilon=15, household=4,
    )  # fmt: skip
    assert made.choice.buys(15).startswith("at most 100%")
    assert made.met == (False,)


def test_a_column_is_clipped_and_is_not_for_publishing():
    school = {
        "published": "mean",
        "n": 4,
        "low": 0,
        "high": 10,
        "unit": "days",
    }
    one, other = (
        decide(**school, values=[1, 2, 3, last]) for last in (10, 300)
    )
    assert one == other
    assert "not for publishing" in one.warning
    assert decide(error=3).warning == ""
    assert decide(values=ABSENT, risk=0.5).met == (True,)
    assert decide(values=ABSENT).goals[0].limit == 1 / 3
