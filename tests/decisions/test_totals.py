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


@pytest.mark.parametrize("cells", [1, 7, 10**6])
def test_a_gaussian_sum_is_wider_noise_and_many_laplace_noises_are_nearly_one(
    cells,
):
    """That of one cell is as large."""
    wider = GAUSS.error(5 * math.sqrt(cells))
    assert totals.error(GAUSS, 5, cells) == pytest.approx(wider)
    share = totals.error(LAPLACE, 5, cells) / wider
    assert math.sqrt(2) * (1 - 0.2 / cells) < share < math.sqrt(2)
