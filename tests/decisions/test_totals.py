"""Sums of noisy cells against other ways to compute them, and what is said of them."""

import math

import mpmath
import pytest

from dpwidgets.decisions import totals
from dpwidgets.decisions.case import Case

LAPLACE = Case(published="table", cells=9)
GAUSS = Case(published="table", cells=9, mechanism="Gaussian", delta=1e-6)


@pytest.mark.parametrize("cells", [1, 7, 40])
def test_a_laplace_sum_is_off_by_the_mean_of_its_characteristic_function(
    cells,
):
    """E|S| is 2/π times the integral of (1 − φ(u))/u², with φ = (1 + u²)^−m: by mpmath."""

    def left(u):
        return (1 - (1 + u * u) ** -cells) / u**2

    exact = 2 / mpmath.pi * mpmath.quad(left, [0, 0.1, 1, 10, mpmath.inf])
    assert totals.error(LAPLACE, 5, cells) == pytest.approx(
        5 * float(exact), rel=1e-9
    )


def test_one_cell_is_a_cell_and_many_are_nearly_normal():
    for case, deviation in (
        (LAPLACE, math.sqrt(2) * 50),
        (GAUSS, 50),
    ):
        for scale in (5, 5000):
            assert totals.error(case, scale, 1) == pytest.approx(
                case.error(scale), rel=1e-6
            )
        for cells in (10**4, 10**6):
            normal = deviation * math.sqrt(cells * 2 / math.pi)
            assert totals.error(case, 50, cells) == pytest.approx(
                normal, rel=1e-4
            )
