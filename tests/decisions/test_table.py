"""Tables and contributions, each against every database of a small world."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from decided import decided
from dpwidgets.calculators import loss
from dpwidgets.decisions.case import Case
from known import others_used

TABLE = Case(
    published="table",
    cells=40,
    n=2000,
    unit="patients",
    reference=50,
    confidence=0.95,
)


def rows(case):
    """Yield what one person may be in all published numbers: the value in each, 0 for absent."""
    low, high = (0.0, 1.0) if case.counts else case.ends
    values = {0.0, low, high}
    for row in itertools.product(values, repeat=case.places):
        releases = np.array(row).reshape(case.releases, case.numbers)
        there = np.count_nonzero(releases)
        each = np.count_nonzero(releases, axis=1)
        once = each.max() <= 1
        if low > 0 and case.neighbours == "replace":  # of whoever has a value
            once = once and each.min() == 1
        if there <= case.contributions if case.contributions else once:
            yield np.array(row)


def moves(case, attribute=False):
    """Yield by how much the numbers of two databases differ that are neighbours."""
    pairs = itertools.product(rows(case), repeat=2)
    if case.published == "mean":  # by another record of the same groups
        yield from (
            (one - other) / case.n
            for one, other in pairs
            if np.array_equal(one != 0, other != 0)
        )
    elif case.neighbours == "replace" or attribute:
        yield from (one - other for one, other in pairs)
    if case.neighbours == "add/remove":
        yield from rows(case)


SERIES = [
    *({"published": "count", "releases": many} for many in (1, 2, 4)),
    *({"published": "table", "cells": n} for n in (1, 2, 3)),
    {"published": "table", "cells": 2, "releases": 2},
    {"published": "sum", "low": -1, "high": 2, "releases": 3},
    {"published": "sum", "low": 0, "high": 2, "releases": 3},
    {"published": "sum", "low": 1, "high": 2, "releases": 2},
    *(
        {"published": "sum", "low": low, "high": high, "groups": 2}
        for low, high in ((0, 2), (-1, 3), (-2, 2), (-3, -1))
    ),
    {"published": "sum", "low": -1, "high": 2, "groups": 3},
    {"published": "sum", "low": 1, "high": 2, "groups": 1},
    {"published": "mean", "n": 5, "low": 1, "high": 3, "releases": 2},
    {"published": "mean", "n": 5, "low": 1, "high": 3, "groups": 2},
]
SMALL = [
    Case(**series, contributions=most, neighbours=neighbours)
    for series, most in itertools.product(SERIES, (None, 1, 2, 3))
    for neighbours in ("add/remove", "replace")
    if (most or 1)
    <= series.get("releases", 1) * series.get("cells", series.get("groups", 1))
    if neighbours == "replace" or series["published"] != "mean"
]
LOSSES = np.linspace(0, 9, 19)


def law_of(move, scale, mechanism):
    """Return the law of all numbers that one move changes."""
    law = loss.gaussian if mechanism == "Gaussian" else loss.laplace
    first, *rest = (law(abs(step) / scale) for step in move if step)
    return first.compose_with(*rest) if rest else first


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
@pytest.mark.parametrize("case", SMALL)
def test_no_person_moves_more_than_is_said_and_one_moves_that(case, mechanism):
    """Of all rows that a person may have in a small series of releases, and of all others."""
    norm = 2 if mechanism == "Gaussian" else 1
    case = replace(case, mechanism=mechanism, delta=1e-3)
    for attribute in (False, True):
        far = {
            tuple(sorted(np.abs(one[one != 0])))
            for one in moves(case, attribute)
        }
        moved, count = case.moved(attribute=attribute)
        said = moved * count ** (1 / norm)
        most = max(np.linalg.norm(one, norm) for one in far if one)
        two_signs = case.ends[0] < 0 < case.ends[1]
        assert most <= said * (1 + 1e-12)
        if not attribute:
            in_one = max(
                np.linalg.norm(one[: case.numbers], norm)
                for one in moves(case)
            )
            assert in_one <= case.sensitivity * (1 + 1e-12)
        assert two_signs or said == pytest.approx(most)
        ours = case.privacy_loss(0.8, attribute=attribute).law()
        told = np.max(
            [
                law_of(one, 0.8, mechanism).delta(LOSSES)
                for one in filter(None, far)
            ],
            axis=0,
        )
        assert np.all(told <= ours.delta(LOSSES) + 1e-9)
        # Elsewhere one change stands for two.
        if not two_signs or mechanism == "Gaussian":
            assert ours.delta(LOSSES) == pytest.approx(
                told, rel=1e-6, abs=1e-9
            )


def test_the_patient_of_three_weeks_moves_three_counts_of_a_year():
    """A hospital that was told to add 3.12 times the noise."""
    weeks = Case(published="count", releases=52, contributions=3)
    assert weeks.privacy_loss(10).law() == loss.laplace(0.1).compose(3)
    assert weeks.with_releases(2).contributions == 2
    assert weeks.repeated(2).contributions == 6


PROMISES = {
    "total": st.floats(0.3, 90),
    "rho": st.floats(0.05, 1),
    "posterior": st.floats(0.25, 0.99),
    "success": st.floats(0.55, 0.99),
}
ONE_OF_5 = st.fixed_dictionaries(
    {"success": st.floats(0.25, 0.99), "alternatives": st.just(5)}
)
PROMISE = st.one_of(
    ONE_OF_5,
    *(
        st.fixed_dictionaries({name: limits})
        for name, limits in PROMISES.items()
    ),
)


@settings(max_examples=max(1, settings().max_examples // 2))
@given(
    PROMISE, st.sampled_from(["Laplace", "Gaussian"]), st.sampled_from([1, 2, 30]),
    st.sampled_from([1e-9, 1e-4]), st.floats(0, 3),
)  # fmt: skip
def test_the_least_noise_of_each_promise_is_the_least(
    promise, mechanism, releases, delta, used
):
    """Alone and beside others, to three digits of ε."""
    case = replace(
        TABLE, contributions=2, mechanism=mechanism, delta=delta, releases=releases,
        household=2, prior=0.2,
    )  # fmt: skip
    made = decided(case.to_dict(), promise, before=others_used(used))
    if made.epsilon:
        assert made.met == (True,)
        assert not any(made.chosen(made.epsilon * 1.0102).met)
    else:
        assert made.sentence.startswith("No noise meets")
        assert made.chosen(1e-8).met == (False,)
