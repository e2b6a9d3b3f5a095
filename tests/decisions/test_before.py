"""What earlier records published counts before a decision: against one law of all, and once."""

import json
from dataclasses import replace

import pytest

from dpwidgets.calculators import loss
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import HOUSEHOLD, ONE, Case

COUNT = Case(published="count", releases=12, delta=1e-6)
LINES = (
    "stay: published=sum, groups=9, low=0, high=30, scale=300\n"
    "beds: published=count, scale=20, mechanism=geometric, releases=4"
)


def told():
    """Return two records: of a case, and of a plan."""
    return (
        choice.record(COUNT, [], 0.1, date="2024"),
        plan.decide(LINES, factor=1, delta=1e-6).record(date="2025"),
    )


@pytest.mark.parametrize("people", [1, 3])
def test_it_is_one_law_of_everything(people):
    law = loss.gaussian(people / 20)
    for one, often in (
        (loss.laplace(people * 0.1), 13),
        (loss.geometric(people * 0.05, people), 4),
    ):
        law = law.compose_with(one.compose(often))
    given = {"delta": 1e-6, "household": people, "before": told()}
    made = choice.decide(
        published="count", mechanism="Gaussian", prior=0.2, total=99, **given
    )
    line = "c: published=count, mechanism=Gaussian, scale=20"
    for whole, noise in (
        (made.whole, 20),
        (plan.decide(line, factor=1, **given).whole, 1),
    ):
        epsilon = whole.total(noise, HOUSEHOLD)
        assert 1 - 1e-5 <= epsilon / law.epsilon(1e-6) <= 1.003
        assert whole.rho(noise, HOUSEHOLD) == pytest.approx(law.mean())
    case = made.whole
    assert case.advantage(20, HOUSEHOLD) == pytest.approx(
        law.delta(0), rel=1e-3
    )
    assert case.total(20, ONE) == case.alone().total(20, ONE)
    assert "what 2 earlier records told" in case.releases_clause(HOUSEHOLD)


def test_each_counts_once_with_all_before_it():
    first, second = told()
    later = choice.record(
        replace(COUNT, before=first.earlier()), [], 0.1, date="2026"
    )
    later = choice.Record.load(later.json())
    given = {"published": "count", "delta": 1e-6, "total": 9}
    found = choice.decide(before=[later, first, second, second], **given)
    assert [one.date for one in found.case.before] == ["2024", "2026", "2025"]
    refused = choice.record(found.case, [], None)
    again = choice.decide(before=[refused], **given)
    assert again.case == found.case
    for made in (found.record(), refused):
        assert choice.Record.load(made.json()) == made
    planned = plan.decide(
        LINES, delta=1e-6, before=[found.record(date="2027")]
    )
    assert len(planned.whole.before) == 4
    assert plan.Record.load(planned.record().json()) == planned.record()


def hidden(**words):
    column = Case(published="count")
    goals = [choice.risk_goal(column, [0, 1, 1, 0], 0.9)]
    return choice.record(column, goals, 0.2, **words)


@pytest.mark.parametrize(
    ("record", "given", "says"),
    [
        (choice.record(COUNT, [], 0.1), {}, "date must be said"),
        (hidden(date="1"), {}, "depends on your data"),
        (hidden(date="1").public(), {}, "depends on your data"),
        (
            choice.record(replace(COUNT, used=3), [], 0.1, date="1"),
            {"used": 2},
            "used must be at least 3: a record says that others",
        ),
        (
            plan.decide(
                "m: published=mean, n=9, low=0, high=9, scale=5"
            ).record(date="1"),
            {},
            "“1” does not: neighbours must be 'replace' for a mean",
        ),
        (
            choice.record(
                replace(COUNT, mechanism="Gaussian"), [], 0.1, date="1"
            ),
            {},
            "delta must be above 0 beside earlier Gaussian noise",
        ),
        (
            choice.record(replace(COUNT, n=9), [], 0.1, date="1"),
            {"household": 10},
            "household must be at most n, all 9 people; got 10",
        ),
    ],
)
def test_what_cannot_count_is_refused(record, given, says):
    with pytest.raises(ValueError, match=says):
        choice.decide(published="count", total=9, before=[record], **given)


def test_a_damaged_one_is_refused():
    made = choice.record(replace(COUNT, before=told()[0].earlier()), [], 0.1)
    content = json.loads(made.json())
    for changes, says in (
        (3, "before must be a list"),
        ([3], "an earlier record"),
        (content["before"] * 2, "each counts once"),
        ([content["before"][0] | {"date": " "}], "date must be said"),
    ):
        with pytest.raises(ValueError, match=f"damaged: .*{says}"):
            choice.Record.load(json.dumps(content | {"before": changes}))
