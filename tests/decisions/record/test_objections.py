"""A hearing asks what follows from a record; its rows answer, or another decision does."""

from dataclasses import replace

import numpy as np
import pytest

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import BeliefGoal, BudgetGoal, SuccessGoal
from dpwidgets.decisions.record import PlanRecord, objections, of_case

REGIONS = (
    "stay: published=mean, groups=9, n=1000, low=0, high=30, unit=days, error=0.1\n"
    "falls: published=count, unit=patients, neighbours=replace, error=5"
)


def count(**given):
    """Return the record of four counts of 2,000 patients, each with ε = 0.1 if nothing else."""
    words = {"unprotected": given.pop("unprotected", "")}
    case = {"published": "count", "n": 2000, "releases": 4, "prior": 0.2}
    whole = case | {"delta": 1e-6, "epsilon": 0.1, "error": 1000} | given
    return choice.decide(**whole).record(**words)


def regions(**given):
    return plan.decide(REGIONS, delta=1e-6, **given).record()


def asked(record, words):
    """Return the objection with these words, or None where it is not raised."""
    return next(
        (one for one in objections(record) if words in one.asked), None
    )


#: Words of an objection, a record that answers it not, and one that answers it or is not asked.
MET = (
    ("Next year", count(posterior=0.4, epsilon=0.2),
     count(posterior=0.6, epsilon=0.2)),
    ("as likely as not", count(posterior=0.55), count(posterior=0.62)),
    ("live together", count(posterior=0.5), count(posterior=0.57)),
    ("live together", count(total=1, epsilon=0.2), count(total=2)),
    ("A partner", count(posterior=0.7, epsilon=0.05),
     count(posterior=0.7, epsilon=0.05, used_rho=0.01)),
    ("A partner", count(total=1, delta=0.0, epsilon=0.05), count(total=1, epsilon=0.05)),
    ("A partner", regions(posterior=0.6, prior=0.2), regions(success=0.7)),
    ("live together", regions(posterior=0.5, prior=0.2),
     regions(posterior=0.7, prior=0.2, household=4)),
    ("as likely as not", regions(posterior=0.6, prior=0.2), regions(posterior=0.7, prior=0.2)),
    ("without any noise", count(), count(unprotected="nothing else")),
    ("small probability", regions(posterior=0.7, prior=0.2, used_rho=0.01),
     regions(rho=0.1, used_rho=0.01)),
)  # fmt: skip


@pytest.mark.parametrize(("words", "unanswered", "answered"), MET)
def test_what_no_row_answers_is_met_by_another_decision_or_by_promising_less(
    words, unanswered, answered
):
    assert not asked(unanswered, words).answer
    again = asked(answered, words)
    assert again is None or again.answer
    struck = regions() if isinstance(unanswered, PlanRecord) else count()
    assert not [one for one in objections(struck) if "hold" in one.asked]


def test_each_answer_is_a_row_of_the_record_and_says_that_the_promise_holds():
    rng = np.random.default_rng(6)
    found = 0
    for _ in range(24):
        epsilon, posterior = rng.uniform(0.02, 0.6), rng.uniform(0.25, 0.9)
        given = {"posterior": posterior, "household": int(rng.integers(1, 6))}
        record = count(
            epsilon=epsilon,
            **given,
        )
        rows = {
            " · ".join(cell for cell in row if cell not in ("", "–"))
            for table in record.all_tables
            for row in table.rows
        }
        for one in objections(record):
            assert not one.row or one.row in rows
            assert "✗" not in one.answer.split(" · ε")[0]
            assert "no more" not in one.answer
            found += bool(one.answer)
    assert found > 5


def test_of_two_promises_of_a_kind_each_is_answered_by_its_own_row():
    case = Case(published="count", prior=0.2, releases=4)
    goals = [BeliefGoal(limit) for limit in (0.9, 0.4)]
    next_year = asked(of_case(case, goals, 0.2), "Next year")
    assert "40%" in next_year.asked
    assert "no more" in next_year.row


def test_what_was_cut_off_is_said_and_others_are_counted():
    record = regions(
        posterior=0.9, prior=0.2, used_rho=0.01, used_by="an insurer"
    )
    assert "clipped values" in asked(record, "cut off").answer
    assert "used up by an insurer" in asked(record, "Others publish").answer
    own = [count(error=5), regions(total=9)]
    after = regions(total=9, before=own)
    assert not asked(after, "Others publish")
    assert asked(after, "A partner").holds
    used = after.whole.total(after.noise)
    tight = regions(total=used + 0.01, before=own)
    assert not asked(tight, "A partner").holds
    theirs = regions(total=9, used=0.1)
    assert asked(regions(total=9, before=[theirs]), "Others publish").answer
    noise = regions(total=9, used=0.0)
    assert asked(noise, "small probability") is None  # it holds without a δ


@pytest.mark.parametrize(
    ("words", "telling"),
    [
        ({"reasons": "Near the middle of the range."}, "why this ε"),
        (
            {"rejected": "The upper end of what all goals allow."},
            "what was rejected",
        ),
        ({"use": "for parents, with 1,4"}, "what it is for"),
        ({"attacker": "sees an epsilon of 7"}, "the attacker"),
        ({"names": "scale 0.6"}, "who decided"),
        (
            {
                "reasons": "It shall be usable.",
                "date": "1 May",
                "period": "2026",
            },
            "",
        ),
    ],
)
def test_words_that_tell_where_a_secret_epsilon_lies_are_found(words, telling):
    days = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 10]
    case = Case(published="mean", n=12, low=0, high=10, unit="days")
    goals = [choice.risk_goal(case, days, 1 / 4)]
    record = of_case(case, goals, 1.4, **words)
    objection = asked(record, "secret data")
    assert bool(objection.answer) is (not telling)
    assert telling in objection.way
    assert not objections(record.public())


@pytest.mark.parametrize(
    ("secret", "written"),
    [
        (0.5, ".5"), (0.5, ",5"), (0.5, "5e-1"), (0.5, "50%"), (1.4, "140 %"), (2.0, "2.,"),
        (800.0, "8E+2"), (1250.0, "1,250"), (1250.0, "1.250"), (1250.0, "1 250"),
        (1250.0, "1’250"), (1250.0, "1.250,3"), (12_500.0, "12,500.0"),
    ],
)  # fmt: skip
def test_a_secret_number_is_found_in_whatever_way_it_is_written(
    secret, written
):
    case = Case(published="sum", low=0, high=10, unit="days")
    goals = [choice.risk_goal(case, [0, 1, 2, 4, 8, 9], 1 / 2)]
    for epsilon in (secret, 10 / secret):  # that, or the scale of the noise
        if epsilon <= 1000:
            record = of_case(case, goals, epsilon, use=f"for {written}")
            assert not asked(record, "secret data").answer


def test_nothing_is_asked_where_nothing_is_published():
    assert not objections(of_case(Case(published="count"), [], None))


def held(goal, whole, noise):
    """Tell by its number alone whether a promise holds, as it stands there, for another case."""
    return bool(goal.reached(whole, noise) <= goal.limit)


@pytest.mark.slow
def test_what_is_said_to_hold_holds_for_whoever_is_asked_about():
    rng = np.random.default_rng(8)
    asked_for = {"as likely": 0, "live together": 0, "A partner": 0}
    for _ in range(60):
        case = Case(
            published="count",
            releases=int(rng.choice([1, 4, 40])),
            delta=float(rng.choice([0, 1e-6])),
            prior=float(rng.choice([0.05, 0.2, 0.4])),
            household=int(rng.choice([1, 3, 4, 9])),
            mechanism="Laplace",
        )
        goal = [
            BeliefGoal(float(rng.choice([0.3, 0.45, 0.7]))),
            SuccessGoal(float(rng.choice([0.55, 0.8]))),
            BudgetGoal(float(rng.choice([0.5, 4]))),
        ][rng.integers(3)]
        record = of_case(case, [goal], float(rng.choice([0.02, 0.2])))
        noise = record.noise
        half = asked(record, "as likely")
        if half:
            believed = goal.reached(replace(case, prior=0.5), noise)
            assert half.holds is bool(believed <= goal.limit)
        people = max(4, case.household)
        together = asked(record, "live together")
        if together:
            assert together.holds is held(
                goal, replace(case, household=people), noise
            )
        else:
            assert case.household == people
        partner = asked(record, "A partner")
        if partner and partner.holds:
            # Of Gaussian noise no ε holds without a δ, and beliefs have no end.
            assert goal.kind == "success" or case.delta
        for words in asked_for:
            asked_for[words] += asked(record, words) is not None
        but_for = asked(record, "small probability")
        said = goal.sentence(case)
        assert not but_for or "δ =" in said or "except with" in said
    assert min(asked_for.values()) > 5
