"""The ε that several releases leave to each of them, and how many releases an ε leaves room for."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from scipy.special import ndtri

from dpwidgets.calculators.loss._distribution import (
    COUNT,
    DELTA,
    DELTA_OR_NONE,
    gaussian,
    laplace,
    randomized_response,
)
from dpwidgets.inputs.domain import EPSILON, DomainError, check_numbers, one_of, silent, within

#: The ε of all releases together.
TOTAL = within(1e-8, 1e9, why="No releases within the other domains have more together")
_PRECISION = 5e-10  # of `epsilon`, relatively
_ROUNDING = 1e-9  # of an ε, relatively; that of what `choice` decides
_LEAST_ON_GRID = 1e-11  # a smaller δ no grid can tell from 0
_ABOVE_ALL = 9.0  # no float below 1 has such a normal quantile
#: The mechanisms whose composition `epsilon` knows; randomized response is the worst of any.
COMPOSED = {"any": randomized_response, "laplace": laplace, "gaussian": gaussian}


@silent
def epsilon(total: float, delta: float, compositions: int, mechanism: str = "laplace") -> float:
    """Compute the largest ε of one release at which several together are (total, δ)-private.

    Parameters
    ----------
    total : float
        The ε of all releases together, from 1e-8 to 1e9.
    delta : float
        Their δ, from 0 up and below 1. Gaussian noise needs one above 0.
    compositions : int
        How many releases, from 1 to 10⁵, with independent noise and the same ε each.
    mechanism : {"any", "laplace", "gaussian"}
        How each of them is made. "any" holds for every ε-private mechanism.

    Returns
    -------
    float
        The ε of one release, never above the true one: to 1e-9 relatively, for Laplace noise as
        near as a grid allows. At most 1000, where every ε would do. For Gaussian noise, which has
        no ε of its own, it is read at δ/compositions, each release's share.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the mechanism is none of the three, or the releases
        are so many that each would have an ε below 1e-8.

    Notes
    -----
    Not in the text. No ε-private mechanism loses more by composition than randomized response
    (Kairouz, Oh and Viswanath 2015).

    Examples
    --------
    >>> round(epsilon(total=1, delta=1e-6, compositions=100), 4)
    0.0241
    >>> epsilon(total=1, delta=0, compositions=100)
    0.01
    """
    total, delta, releases = check_numbers(
        total=(total, TOTAL), delta=(delta, DELTA_OR_NONE), compositions=(compositions, COUNT)
    )
    mechanism, count = one_of("mechanism", mechanism, COMPOSED), int(releases)
    one = _one_epsilon(total, delta, count, mechanism)
    if one < EPSILON.low:
        raise DomainError(
            "compositions",
            "compositions must be fewer here, or total or delta larger: it would take an ε below "
            f"1e-8, and ε is {EPSILON.allowed}",
        )
    return min(one, EPSILON.high)


@silent
def compositions(epsilon: float, total: float, delta: float, mechanism: str = "laplace") -> int:
    """Compute how many releases of the same ε are together (total, δ)-private.

    Parameters
    ----------
    epsilon : float
        The ε of each release, from 1e-8 to 1000; for Gaussian noise as the function `epsilon` reads
        it.
    total, delta, mechanism : float, float, str
        As in the function `epsilon`.

    Returns
    -------
    int
        The number of releases, at most 10⁵; 0 if not even one of them is. An ε that is more by
        rounding alone, at most 1e-9 of it, counts as the smaller one: 3 · 0.1 is 0.3.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the mechanism is none of the three.

    Notes
    -----
    Not in the text: the function `epsilon` solved for the number of releases. For Gaussian noise it
    is so where the total is some ten times δ or more. Below that, several releases, each read at a
    smaller share of δ, may have an ε that one release may not: then this is 0 all the same.

    Examples
    --------
    >>> [compositions(epsilon=0.01, total=1, delta=delta) for delta in (0, 1e-6)]
    [100, 564]
    >>> compositions(epsilon=0.1, total=0.3, delta=0)
    3
    """
    one, total, delta = check_numbers(
        epsilon=(epsilon, EPSILON), total=(total, TOTAL), delta=(delta, DELTA_OR_NONE)
    )
    mechanism = one_of("mechanism", mechanism, COMPOSED)
    one = max(one * (1 - _ROUNDING), EPSILON.low)
    if delta == 0:
        _check_delta(delta, mechanism)
        return _most(lambda count: one - total / count)
    if mechanism == "gaussian":
        _check_delta(delta / COUNT.high, mechanism)
        return _most(lambda count: one - _one_epsilon(total, delta, count, mechanism))
    return _most(lambda count: _excess(total, delta, count, mechanism, one))


def _one_epsilon(total: float, delta: float, count: int, mechanism: str) -> float:
    """Return the ε of one release, or 0 if it would be below 1e-8."""
    if mechanism == "gaussian":
        _check_delta(delta / count, mechanism)
    if delta == 0 or (mechanism == "gaussian" and count == 1):
        return total / count
    parameter = _largest_parameter(total, delta, count, mechanism)
    if mechanism == "gaussian" and parameter > 0:
        return gaussian(parameter).epsilon(delta / count)
    return parameter


def _largest_parameter(total: float, delta: float, count: int, mechanism: str) -> float:
    """Return the largest ε or μ of one release, from 1e-8 to 1000, that keeps (total, δ), or 0."""
    low, high = EPSILON.low, EPSILON.high
    if mechanism == "laplace":
        # Any mechanism may have the ε that the worst may: from there on, a grid too coarse for so
        # small a δ does no harm.
        low = _largest_parameter(total, delta, count, "any")
        if delta < _LEAST_ON_GRID and count > 1:
            return low
        high = min(1.3 * low, high)

    @cache
    def excess(parameter: float) -> float:
        return _excess(total, delta, count, mechanism, parameter)

    if low == 0 or excess(low) > 0:
        return low if mechanism == "laplace" else 0.0
    while excess(high) <= 0:
        if high == EPSILON.high:
            return high
        low, high = high, min(2 * high, EPSILON.high)
    found = _root(excess, low, high, _PRECISION)
    # On the safe side: two δ that differ in their last digit may have the same quantile.
    while found > low and _together(found, count, mechanism, total) > delta:
        found *= 1 - _PRECISION
    return max(found, low)


def _most(excess: Callable[[int], float]) -> int:
    """Return the largest number of releases whose excess is at most 0, or 0."""
    excess, most = cache(excess), int(COUNT.high)
    if excess(1) > 0:
        return 0
    if excess(most) <= 0:
        return most
    # Between two whole numbers the function is constant, so a root is as good as a step.
    root = _root(lambda log: excess(round(math.exp(log))), 0.0, math.log(most), 1e-8)
    near = round(math.exp(root))
    return near if excess(near) <= 0 else near - 1


def _excess(total: float, delta: float, count: int, mechanism: str, parameter: float) -> float:
    """Return how far so many releases exceed (total, δ).

    δ is compared by its normal quantile, which along the parameter is nearly a straight line.
    """
    reached = _together(parameter, count, mechanism, total)
    quantile = float(ndtri(max(reached, 1e-5 * DELTA.low)))
    return min(quantile, _ABOVE_ALL) - float(ndtri(delta))


def _together(parameter: float, count: int, mechanism: str, total: float) -> float:
    """Return the δ of so many releases at the ε `total`."""
    return COMPOSED[mechanism](parameter).compose(count).delta(total)


def _root(function: Callable[[float], float], low: float, high: float, precision: float) -> float:
    from scipy.optimize import root_scalar

    found = root_scalar(function, bracket=(low, high), xtol=1e-20, rtol=precision)
    return float(found.root)


def _check_delta(delta: float, mechanism: str) -> None:
    if mechanism == "gaussian" and delta < DELTA.low:
        raise DomainError(
            "delta",
            "delta must be above 0 for Gaussian noise, at least 1e-300 for each release: for no ε "
            "is it private without a δ",
        )
