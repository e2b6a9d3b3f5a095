"""Every number of a decision, whatever came before it: the same on all that says it."""

import html
import random
import re
from itertools import product

import pytest

from dpwidgets import ChoiceExplorer
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import others
from dpwidgets.decisions.record import Record
from tools import shown, upload

KINDS = {
    "count": {},
    "table": {"cells": 40, "contributions": 2},
    "sum": {"low": 0, "high": 10, "groups": 4},
    "mean": {"low": 0, "high": 10, "n": 900},
}


def past(rng, pool):
    """Draw what came before: records made so far, others, or nothing."""
    before = rng.sample(pool, min(len(pool), rng.choice([0, 0, 1, 2])))
    if rng.random() < 0.4:
        rho = rng.choice([0, 0.01])
        before.append(others(rng.choice("abc"), epsilon=0.1, rho=rho))
    return before


def drawn(rng, pool, published, mechanism, releases):
    """Draw a decision about such a case, and what it is made of."""
    given = KINDS[published] | {
        "published": published,
        "neighbours": "replace",
        "mechanism": mechanism,
        "releases": releases,
        "household": rng.choice([1, 1, 3]),
        "delta": 1e-6,
        "prior": 0.2,
        "before": past(rng, pool),
        "epsilon": rng.choice([0.02, 0.1, 0.5]),
    }
    limits = {"total": 3, "posterior": 0.6, "success": 0.7, "rho": 0.1}
    given |= {name: limits[name] for name in rng.sample([*limits], 2)}
    return given, choice.decide(**given)


def rows(record):
    """Return the rows of a record under their names."""
    return {row[0]: row[1:] for table in record.tables for row in table.rows}


def cells(page, name):
    """Return what stands beside a name on a page of HTML."""
    (found,) = re.findall(
        f"<dt>{re.escape(name)}</dt>(.*?)</div>", page, re.DOTALL
    )
    return [html.unescape(one) for one in re.findall("<dd>(.*?)</dd>", found)]


def check(decision, record):
    """Check that what a decision computes is what its record, label and program say."""
    whole, noise = decision.whole, decision.noise
    said, label = rows(record), record.label()
    assert said["noise in each release"][0].startswith(
        cells(label, "Settings of the mechanism")[0]
    )
    scales = re.findall(r"scale=([\d.e+-]+)", record.code())
    assert {float(scale) for scale in scales} == {noise}
    before = whole.past.rows(whole.delta)
    if whole.before:
        assert whole.past.words in record.title
        assert cells(label, "Used up before, about each person") == before
    supposed = decision.stress[0].outcomes
    (goals,) = (
        table for table in record.tables if table.title == "What shall be true"
    )
    for goal, row, outcome, met in zip(
        decision.goals, goals.rows, supposed, decision.met, strict=True
    ):
        assert row[2] == outcome.said == goal.achieved(whole, noise)
        assert row[3] == ("yes" if met else "NO")
        assert outcome.kept or not met
    assert record.outcome == decision.outcome


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_every_number_is_the_same_wherever_it_stands(seed):
    """Of each kind, with each law and so many releases, in any order: each is in another's past."""
    rng = random.Random(seed)
    cases = [*product(KINDS, ("Laplace", "Gaussian"), (1, 4, 12))]
    rng.shuffle(cases)
    line = "a: published=count, neighbours=replace, error=9, releases=4"
    pool = [plan.decide(line, delta=1e-6).record(date="of a plan")]
    explorer = ChoiceExplorer()
    for number, case in enumerate(cases):
        given, decision = drawn(rng, pool, *case)
        record = decision.record(period=str(number))
        # Its file, and an explorer into which that is brought.
        back = Record.load(record.json())
        explorer.load(record.json())
        assert explorer.result == decision
        same = explorer.record(period=str(number))
        for one in (back, same):
            assert (one, one.id, one.title) == (
                record,
                record.id,
                record.title,
            )
        # One more, counted at the desk, as in Python.
        more = rng.choice(pool)
        upload(explorer, "count", more.json().encode())
        assert shown(explorer, "record wrong")["text"] == ""
        told = shown(explorer, "record said")["text"]
        given["before"] = [*given["before"], more]
        after = choice.decide(**given)
        assert explorer.result == after
        check(after, explorer.record())
        counted = "; ".join(after.whole.past.rows(1e-6))
        if told.startswith("Counted"):
            assert told == f"Counted before this decision: {counted}."
        else:
            assert after == decision
        pool.append(rng.choice([record, back]))
