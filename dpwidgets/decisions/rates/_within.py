"""How far off a quotient of two noisy numbers is, by the law of both."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from dpwidgets.calculators import interval
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest, least
from dpwidgets.decisions.case import END, Case
from dpwidgets.inputs.domain import PROBABILITY, FloatArray, must_be
from dpwidgets.inputs.door import takes

#: The largest scale of geometric noise of a denominator: its law is summed.
LARGEST = 1000.0
# What is left out of a law is less than a billionth of what lies outside: e to
# minus this.
_REST = 21.0
# How much wider or narrower than the noise an interval may be.
_NARROW = 1e-12
_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


@takes(
    scale=SCALE,
    scale_below=SCALE,
    numerator=END,
    denominator=interval.COUNT,
    confidence=PROBABILITY,
)
def within(
    case: Case,
    scale: float,
    scale_below: float,
    numerator: float,
    denominator: float,
    confidence: float,
) -> float:
    """Compute how close to the truth a quotient of two noisy numbers lies with this probability.

    Parameters
    ----------
    case : Case
        The numerator: a sum, whose quotient is a mean, or a count or table,
        whose quotients are rates. Its n is left open.
    scale, scale_below : float
        The scales of the numerator's noise and of the denominator's, which are
        independent and of the case's mechanism.
    numerator, denominator : float
        What the two numbers are supposed to be without noise; whole numbers
        for geometric noise.
    confidence : float
        How often, between 0 and 1. Where the noisy denominator is 0 or less
        there is no quotient, and that counts as outside.

    Returns
    -------
    float
        The half-width h: with at least this probability the noisy denominator
        is above 0 and the quotient of the noisy numbers lies within ±h of that
        of the true ones. It is the least, but for rounding; infinite where the
        denominator is lost too often.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the case is none of these.

    Notes
    -----
    A quotient (s + X)/(n + Y) of n + Y > 0 lies within ±h of q = s/n where |X
    − qY| ≤ h(n + Y): its law is that of a sum, as in Fieller (1954). The
    probability of the contrary is integrated over Y, piece by piece between
    the kinks, and for geometric noise summed; it is no normal approximation.

    For Laplace and Gaussian noise h falls as n grows with the same q, and
    rises with |q| for the same n. So the least count and the largest quotient
    that are possible give an h that holds for all others. With the published
    numbers in place of the true ones it is an estimate.

    Examples
    --------
    The mean stay of about 400 patients, of values from 0 to 30 days:

    >>> stays = Case(published="sum", low=0, high=30, unit="days")
    >>> round(within(stays, 75, 10, 1600, 400, 0.95), 3)
    0.624
    """
    denominator_of(case, numerator, denominator)
    above = abs(numerator)
    if case.mechanism == "geometric":
        whole = {"numerator": above, "denominator": denominator}
        for name, number in whole.items():
            if number % 1:
                got = f"got {number:.12g}"
                raise must_be(name, f"whole for geometric noise; {got}")
        if scale_below > LARGEST:
            raise must_be(
                "scale_below", f"at most {LARGEST:,.0f} for geometric noise"
            )
        return _whole_width(
            (scale, scale_below), (above, denominator), 1 - confidence
        )
    steeper = scale_below / scale
    width = _width(
        case.mechanism == "Gaussian",
        above / denominator * steeper,
        denominator / scale_below,
        1 - confidence,
    )
    return width / steeper


@takes(scale_below=SCALE, denominator=interval.COUNT)
def lost(case: Case, scale_below: float, denominator: float) -> float:
    """Compute how often a noisy denominator is 0 or less, so that there is no quotient.

    Parameters
    ----------
    case : Case
        The numerator, as in `within`: its mechanism is the denominator's.
    scale_below : float
        The scale of the denominator's noise.
    denominator : float
        What the denominator is supposed to be without noise.

    Returns
    -------
    float
        The probability.

    Raises
    ------
    TypeError, ValueError
        If a number lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count")
    >>> lost(case, 10, 400) < 1e-17, round(lost(case, 10, 5), 3)
    (True, 0.303)
    """
    if case.mechanism == "geometric":
        return float(_whole_above(scale_below, math.ceil(denominator) - 1.0))
    far = np.array(denominator / scale_below)
    return float(_above(case.mechanism == "Gaussian", far))


def denominator_of(case: Case, numerator: float, denominator: float) -> Case:
    """Return the case of a quotient's denominator, or raise an error where there is none."""
    if case.published == "mean" or case.n is not None:
        raise must_be(
            "n",
            "left open, for a sum, a count or a table: it is private here; "
            "where it is public, publish a mean",
        )
    low, high = case.ends
    quotient = numerator / denominator
    got = f"got {numerator:.12g}"
    if case.counts:
        if numerator < 0:
            raise must_be("numerator", f"at least 0 for a count; {got}")
        return replace(case, reference=None)  # which is the numerator's
    # A person who is replaced may leave those that are counted.
    if case.neighbours == "replace" and not low <= 0 <= high:
        raise must_be(
            "low",
            "at most 0, and high at least 0, with 'replace': whoever is not counted "
            f"adds 0; got {low:.12g} and {high:.12g}",
        )
    if not low * (1 - 1e-9) <= quotient <= high * (1 + 1e-9):
        raise must_be("numerator", f"a mean from low to high; {got}")
    below = replace(
        case,
        low=None,
        high=None,
        reference=None,
        groups=None,
        published="count",
        unit="people" if case.contributions == 1 else "records",
    )
    if not case.groups:
        return below
    return replace(
        below,
        published="table",
        cells=case.groups,
        records=case.contributions,
        contributions=1,
    )


@lru_cache(maxsize=64)
def _width(
    gaussian: bool, slope: float, count: float, outside: float
) -> float:
    """Return the least half-width for noises of scale 1, or infinity.

    `slope` is what the denominator's noise moves per scale, and `count` the
    denominator in its scales.
    """

    def excess(inverse: float) -> float:
        missed = _missed(gaussian, slope, count, 1 / inverse, outside)
        return math.log(missed / outside)

    first = count / (1 + slope)
    if excess(_NARROW * first) > 0:
        return math.inf
    return 1 / largest(excess, _NARROW * first, first / _NARROW, 1e-10, first)


def _missed(
    gaussian: bool, slope: float, count: float, width: float, outside: float
) -> float:
    """Return how often a quotient is farther than `width` from the truth, or lost."""
    rest = _REST - math.log(outside)
    reach = rest
    if gaussian:
        reach = math.sqrt(2 * rest)
    kinks = [-count, -width * count / (width + slope), 0.0]
    if slope > width:
        kinks.append(width * count / (slope - width))
    fine = min(1.0, 1 / (slope + width)) / 2
    steps = fine * 2.0 ** np.arange(math.ceil(-math.log2(fine)))
    near = np.concatenate([-steps, [0.0], steps])
    cuts = np.add.outer(kinks, near).ravel()
    cuts = np.append(cuts, np.arange(-reach, reach))
    cuts = np.unique(np.clip(cuts, max(-count, -reach), reach))
    middle = (cuts[1:] + cuts[:-1]) / 2
    half = np.diff(cuts) / 2
    y = (middle + np.multiply.outer(_PLACES, half)).ravel()
    weight = np.multiply.outer(_WEIGHTS, half).ravel()
    if gaussian:
        density = np.exp(-y * y / 2) / math.sqrt(2 * math.pi)
    else:
        density = np.exp(-np.abs(y)) / 2
    room = width * (count + y)
    outer = _above(gaussian, room - slope * y)
    outer += _above(gaussian, room + slope * y)
    ends = _above(gaussian, np.array([count, reach, reach]))
    return float(weight * density @ outer + ends.sum())


def _above(gaussian: bool, distance: FloatArray) -> FloatArray:
    """Return how often noise of scale 1 exceeds each distance."""
    if gaussian:
        return np.asarray(ndtr(-distance))
    tail = np.exp(-np.abs(distance)) / 2
    return np.where(distance < 0, 1 - tail, tail)


def _whole_above(scale: float, distance: float | FloatArray) -> FloatArray:
    """Return how often geometric noise of this scale exceeds each distance."""
    whole = np.floor(distance)
    more = np.maximum(whole + 1, -whole)
    tail = np.exp(-more / scale) / (1 + math.exp(-1 / scale))
    return np.asarray(np.where(whole < 0, 1 - tail, tail))


@lru_cache(maxsize=64)
def _whole_width(
    scales: tuple[float, float], numbers: tuple[float, float], outside: float
) -> float:
    """Return the least half-width for geometric noises, or infinity."""
    over, under = scales
    above, below = numbers
    rest = _REST - math.log(outside)
    quotient = above / below
    reach = math.ceil(under * rest)
    y = np.arange(max(-reach, 1 - below), reach + 1)
    share = -math.expm1(-1 / under) / (1 + math.exp(-1 / under))
    masses = share * np.exp(-np.abs(y) / under)
    moved = quotient * y
    beyond = _whole_above(under, np.array([below - 1, reach, reach])).sum()

    def enough(width: FloatArray) -> NDArray[np.bool_]:
        room = width * (below + y)
        outer = _whole_above(over, room - moved)
        outer += _whole_above(over, room + moved)
        return np.asarray(masses @ outer + beyond <= outside)

    widest = rest * over + quotient * reach + 1
    if not enough(np.array(widest)):
        return math.inf
    return float(least(enough, 0.0, widest))
