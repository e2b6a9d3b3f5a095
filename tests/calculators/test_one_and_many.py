"""Sentences with a number in them hold for one and for many: no “1 people”, “1 releases”."""

import html
import itertools
import re

import pytest

from decided import recorded
from dpwidgets.decisions import meanings, plan
from dpwidgets.decisions.case import MECHANISMS, Case
from dpwidgets.decisions.goals import AT_ONCE

#: Goals of each kind.
GOALS = {
    "half_width": 1.0, "interval_cells": AT_ONCE, "error": 1, "posterior": 0.5, "success": 0.5,
    "total": 1, "rho": 1e-3,
}  # fmt: skip
#: One of something, and a word that is a plural.
WRONG = re.compile(r"(?<![\d.,−])1 (people|(?!is|has|was)\w*[^\Ws]s)\b")


def cases(few):
    """Yield cases in which every number is this one, or nothing."""
    bounds = [{}, {"contributions": 1}]
    tables = (*bounds, {"contributions": few})
    kinds = [
        *({"published": "count"} | bound for bound in bounds),
        *(
            {"published": "sum", "low": 0, "high": 1} | bound
            for bound in bounds
        ),
        *({"published": "table", "cells": few} | bound for bound in tables),
    ]
    for mechanism, n, releases in itertools.product(
        MECHANISMS, (None, few), {1, few}
    ):
        common = {
            "unit": "patients",
            "delta": 1e-3,
            "prior": 0.2,
            "reference": 1,
            "confidence": 0.8,
            "mechanism": mechanism,
            "n": n,
            "releases": releases,
            "household": few,
        }
        for kind, neighbours in itertools.product(
            kinds, ("add/remove", "replace")
        ):
            yield Case(**common, **kind, neighbours=neighbours)
        if n and n > 1:
            yield Case(published="mean", low=0, high=n, **common)


def said_of(case, scale):
    """Yield all that is said of a case with this noise."""
    yield from (case.sentence, case.cut, *case.warnings)
    made = recorded(case, case.epsilon(scale), **GOALS)
    yield from (goal.sentence(case) for goal in made.goals)
    yield made.code()
    most = (
        case.mechanism == "Laplace" and case.neighbours == "replace" and case.n
    )
    if most and case.releases == case.household:  # all others would take long
        yield from (
            meaning.sentence(scale) for meaning in meanings.meanings(case)
        )
        yield html.unescape(made.markdown())


@pytest.mark.slow
@pytest.mark.parametrize("few", [1, 2])
def test_what_is_said_of_a_case_holds_for_so_many(few):
    seen = 0
    for case in cases(few):
        for said in said_of(case, 1.0):
            seen += 1
            assert not WRONG.search(said), said
    assert seen > 500


@pytest.mark.parametrize("few", [1, 2])
def test_what_is_said_of_a_plan_holds_for_so_many(few):
    lines = (
        f"a: published=table, cells={few}, contributions={few}, error=1, releases={few}, n={few}, "
        "unit=patients, neighbours=replace",
        f"b: published=count, n={few}, error=1, releases={few}, neighbours=replace",
    )
    for count, total in itertools.product((1, few), (0.01, 9)):
        made = plan.decide(
            "\n".join(lines[:count]),
            household=few,
            total=total,
            delta=0.1,
            prior=0.2,
        )
        said = [made.sentence, *made.meanings, *itertools.chain(*made.rows)]
        record = made.record()
        said += [html.unescape(record.markdown()), record.code(), record.title]
        for one in said:
            assert not WRONG.search(one), one


def test_the_best_guess_of_one_person_is_said():
    every = meanings.meanings(Case(published="count", n=1, reference=0.5))
    assert any(
        "who expects 0.5 of 1 person to have" in one.sentence(3)
        for one in every
    )


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("patients", "1 patient"), ("people", "1 person"), ("women", "1 woman"), ("days", "1 day"),
        ("patients with diabetes", "1 patient with diabetes"), ("US dollars", "1 US dollar"),
        ("days of absence in two years", "1 day of absence in two years"),
        ("young people", "1 young person"), ("cases", "1 case"), ("ICUs", "1 ICU"),
        ("buses", "1 buses"), ("series", "1 series"), ("km/s", "1 km/s"), ("kbps", "1 kbps"),
        ("人", "1 人"), ("patiënts", "1 patiënt"),
    ],
)  # fmt: skip
def test_a_unit_has_its_singular_where_that_is_sure(unit, one):
    case = Case(published="count", unit=unit)
    assert case.measured(1) == case.measured(1.0000000001, up=True) == one
    assert case.measured(2) == f"2 {unit}"
