"""Sums of noisy cells against other ways to compute them."""

import html
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from dpwidgets.decisions import choice, plan, totals
from dpwidgets.decisions.case import Case
from dpwidgets.inputs.notation import up

LAPLACE = Case(published="table", cells=9)
GAUSS = Case(published="table", cells=9, mechanism="Gaussian", delta=1e-6)
GEOMETRIC = Case(published="table", cells=9, mechanism="geometric")


@given(st.integers(1, 300), st.floats(0.3, 20))
@settings(max_examples=40, deadline=None)
def test_geometric_sums_are_differences_of_negative_binomials(cells, scale):
    law = stats.nbinom(cells, -math.expm1(-1 / scale))
    n = np.arange(int(law.mean() + 20 * law.std()) + 60)
    masses = law.pmf(n)
    differences = np.arange(1 - n.size, n.size)
    off = np.abs(differences) @ np.convolve(masses, masses[::-1])
    assert totals.error(GEOMETRIC, scale, cells) == pytest.approx(
        off, rel=1e-9
    )


@given(
    st.sampled_from([LAPLACE, GAUSS, GEOMETRIC]),
    st.integers(1, 400),
    st.floats(1, 50),
)
@settings(max_examples=40, deadline=None)
def test_a_sum_is_off_as_simulated(case, cells, scale):
    rng = np.random.default_rng(cells)
    if case is GAUSS:
        noise = rng.normal(0, scale * math.sqrt(cells), 40_000)
    elif case is LAPLACE:
        noise = rng.gamma(cells, scale, 40_000) - rng.gamma(
            cells, scale, 40_000
        )
    else:
        share = -math.expm1(-1 / scale)
        draw = (rng.negative_binomial(cells, share, 40_000) for _ in range(2))
        noise = next(draw) - next(draw)
    off = totals.error(case, scale, cells)
    assert off == pytest.approx(np.abs(noise).mean(), rel=0.03)


def test_one_cell_is_a_cell_and_many_are_nearly_normal():
    for case in (LAPLACE, GAUSS, GEOMETRIC):
        assert totals.error(case, 5, 1) == pytest.approx(case.error(5))
    for case, variance in (
        (LAPLACE, 2 * 50**2),
        (GEOMETRIC, 0.5 / math.sinh(0.01) ** 2),
    ):
        for cells in (10**4, 10**6):
            normal = stats.norm(0, math.sqrt(cells * variance))
            assert totals.error(case, 50, cells) == pytest.approx(
                normal.std() * math.sqrt(2 / math.pi), rel=1e-3
            )
    assert totals.error(GEOMETRIC, 1e-3, 5) == 0


def test_a_record_says_that_cells_do_not_add_up_and_what_to_tell_the_press():
    made = plan.decide(
        "a: published=table, cells=40, error=5\nb: published=count, error=5"
    )
    one = choice.decide(published="sum", groups=40, low=0, high=5, error=5)
    off = up(totals.error(Case(published="count"), 5, 40))
    for page in (
        html.unescape(made.record().markdown()),
        html.unescape(one.record().markdown()),
    ):
        assert (
            page.count(
                "40 counts added up"
                if "a: added up" in page
                else "40 sums added up"
            )
            == 1
        )
        assert page.count(totals.PRESS) == 1
        assert (
            f"have a mean error of {off} people; a total with such noise of its own"
            in page
        )
    for kind in (
        {"published": "count"},
        {"published": "mean", "n": 9, "low": 0, "high": 5},
    ):
        assert (
            "for the press"
            not in choice.decide(error=5, **kind).record().markdown()
        )
