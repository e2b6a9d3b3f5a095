"""Tables and contributions, each against every database of a small world."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.decisions.case import HOUSEHOLD, ONE, REACHES, Case
from dpwidgets.decisions.goals import (
    AT_ONCE,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    IntervalGoal,
    RhoGoal,
    SuccessGoal,
)

TABLE = Case(
    published="table",
    cells=40,
    n=2000,
    unit="patients",
    reference=50,
    confidence=0.95,
)


def rows(case):
    """Yield what one person may add to a table, in each cell."""
    for row in itertools.product(
        range((case.records or case.per_cell) + 1), repeat=case.cells
    ):
        places = sum(row) if case.records else sum(value > 0 for value in row)
        if places <= (case.records or case.contributions):
            yield np.array(row)


def moves(case, attribute=False):
    """Yield by how much the cells of two databases differ that are neighbours."""
    if case.neighbours == "replace" or attribute:
        yield from (one - other for one in rows(case) for other in rows(case))
    if case.neighbours == "add/remove":
        yield from rows(case)


SMALL = [
    Case(
        published="table",
        cells=n,
        contributions=m,
        per_cell=times,
        neighbours=neighbours,
    )
    for n, m, times in itertools.product((1, 2, 3), (1, 2, 3), (1, 2))
    for neighbours in ("add/remove", "replace")
    if m <= n
]
#: Tables that bound all records of a person, wherever they fall.
ANYWHERE = [
    Case(published="table", cells=n, records=k, neighbours=neighbours)
    for n, k in itertools.product((1, 2, 3), (1, 2, 3))
    for neighbours in ("add/remove", "replace")
]


def test_the_sensitivity_is_that_of_the_farthest_neighbours():
    for case in SMALL + ANYWHERE:
        far = list(moves(case))
        assert case.sensitivity == max(np.abs(one).sum() for one in far)
        gauss = replace(case, mechanism="Gaussian", delta=1e-5)
        assert gauss.sensitivity == pytest.approx(
            max(np.linalg.norm(one) for one in far)
        )
        moved, count = case.moved(attribute=True)
        assert moved * count == max(
            np.abs(one).sum() for one in moves(case, attribute=True)
        )


def test_what_a_table_tells_is_what_its_worst_neighbours_tell():
    for case in SMALL:
        scale = 0.8
        worst = max(
            moves(case),
            key=lambda move: (np.abs(move).sum(), np.count_nonzero(move)),
        )
        law = loss.laplace(case.per_cell / scale)
        law = law.compose(int(np.count_nonzero(worst)))
        assert case.privacy_loss(scale, ONE).law() == law
        assert case.advantage(scale) == pytest.approx(law.delta(0), abs=1e-6)
        assert case.epsilon(scale) == pytest.approx(
            np.abs(worst).sum() / scale
        )


LOSSES = np.linspace(0, 9, 19)


def test_no_place_of_records_tells_more_than_a_single_cell():
    """At every ε, and so no household's either: its records are those of one with more."""
    for case, scale in itertools.product(ANYWHERE, (0.6, 4.0)):
        ours = case.privacy_loss(scale, ONE).law().delta(LOSSES)
        for move in {
            tuple(sorted(np.abs(move[move != 0]))) for move in moves(case)
        } - {()}:
            law, *rest = (loss.laplace(step / scale) for step in move)
            for other in rest:
                law = law.compose_with(other)
            assert np.all(law.delta(LOSSES) <= ours + 1e-6)


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
def test_records_of_a_household_count_as_many_of_one_person(mechanism):
    common = {
        "published": "table",
        "cells": 9,
        "mechanism": mechanism,
        "delta": 1e-6,
    }
    for neighbours in ("add/remove", "replace"):
        three = Case(**common, records=3, household=2, neighbours=neighbours)
        six = replace(three, records=6, household=1)
        losses = (
            three.privacy_loss(5, HOUSEHOLD),
            six.privacy_loss(5, HOUSEHOLD),
        )
        few, many = (one.law().delta(LOSSES / 3) for one in losses)
        assert np.all(few >= many - 1e-9)
        if mechanism == "Gaussian" or neighbours == "add/remove":
            assert few == pytest.approx(many)


REACH = st.sampled_from(REACHES)
PROMISES = st.one_of(
    st.builds(
        BudgetGoal,
        st.floats(0.3, 90),
        reach=st.sampled_from(REACHES[1:]),
    ),
    st.builds(RhoGoal, st.floats(0.05, 1), reach=st.sampled_from(REACHES[1:])),
    st.builds(BeliefGoal, st.floats(0.25, 0.99), reach=REACH),
    st.builds(SuccessGoal, st.floats(0.25, 0.99), reach=REACH),
    st.builds(AdvantageGoal, st.floats(0.05, 0.99), reach=REACH),
)


@settings(max_examples=max(1, settings().max_examples // 2))
@given(
    PROMISES, st.sampled_from(["Laplace", "Gaussian"]), st.sampled_from([1, 2, 30]),
    st.sampled_from([1e-9, 1e-4]), st.floats(0, 3),
)  # fmt: skip
def test_the_least_noise_of_each_promise_is_the_least(
    promise, mechanism, releases, delta, used
):
    """Alone and beside others."""
    case = replace(
        TABLE, contributions=2, mechanism=mechanism, delta=delta, releases=releases, used=used,
        household=2, prior=0.2,
    )  # fmt: skip
    allowed = promise.scales(case)
    if allowed.empty:
        assert promise.excess(case, 1e60) >= 0
    elif allowed.low:
        assert promise.reached(case, allowed.low) <= promise.limit
        assert promise.reached(case, 0.998 * allowed.low) > promise.limit


def test_all_cells_at_once_keep_a_wider_distance():
    wide = TABLE.within(3, 0.95, 40)
    assert (1 - math.exp(-wide / 3)) ** 40 == pytest.approx(0.95)
    goal = IntervalGoal(wide / TABLE.reference, AT_ONCE)
    assert goal.scales(TABLE).high == pytest.approx(3)


def test_others_epsilon_has_a_rho_and_counts_in_a_success():
    pure = replace(TABLE, used=0.1)
    assert pure.rho(5) == pytest.approx(
        1 / 5 + math.exp(-1 / 5) - 1 + 0.1 * math.tanh(0.05)
    )
    assert pure.success(5, 0.2) > replace(pure, used=0.0).success(5, 0.2)
