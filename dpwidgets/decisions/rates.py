"""Means and rates with a private n: a noisy sum or count, over a noisy count.

Where n itself is private, a mean is published as a quotient of two noisy
numbers, and so is a rate. How far off it is follows from the law of both.

What enters is the case of the numerator, and what the two numbers are supposed
to be. `within` integrates how close to the truth the quotient lies, and `lost`
says how often there is none. What leaves `split` is a `Quotient`: an ε or a ρ
divided between the two so that the quotient is as precise as it can be, with
their lines of a plan. Begin with `split`.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from dpwidgets.calculators import interval
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest, least
from dpwidgets.decisions.case import END, Case
from dpwidgets.decisions.plan import Statistic
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, FloatArray, must_be
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import down, percent, rounded, show, up

#: The largest scale of geometric noise of a denominator: its law is summed.
LARGEST = 1000.0
# What is left out of a law is less than a billionth of what lies outside: e to
# minus this.
_REST = 21.0
# How much wider or narrower than the noise an interval may be.
_NARROW = 1e-12
_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True)
class Quotient:
    """A quotient with a noisy numerator and a noisy denominator. `split` makes it.

    Attributes
    ----------
    numerator, denominator : Statistic
        What is published: a sum or a count, and the count below it, each with
        its scale. For groups, or the cells of a table, each has its quotient.
    half_width : float
        How close to the truth the quotient lies.
    lost : float
        How often the noisy count is 0 or less, so that there is no quotient.
    near : (float, float)
        What the two numbers are supposed to be.
    confidence : float
        How often the quotient lies so close.
    """

    numerator: Statistic
    denominator: Statistic
    half_width: float
    lost: float
    near: tuple[float, float]
    confidence: float

    @property
    def spent(self) -> tuple[float, float]:
        """What each of them loses in one release: ε, or ρ for Gaussian noise."""
        return _spent(self.numerator), _spent(self.denominator)

    @property
    def lines(self) -> str:
        """The two lines of a plan that publishes them."""
        return f"{self.numerator.line()}\n{self.denominator.line()}"

    @property
    def sentence(self) -> str:
        """How close to the truth the quotient lies, for which numbers, and when there is none."""
        case = self.numerator.case
        numerator, denominator = self.near
        above = show(numerator, 6)
        below = show(denominator, 6)
        if case.counts:
            what = "rate"
            numbers = f"the counts are {above} and {below}"
            width = up(self.half_width)
        else:
            what = "mean"
            numbers = f"the sum is {above} and the count {below}"
            width = up(self.half_width, case.measured)
        which = "each" if case.numbers > 1 else "the"
        # No float says less than that of some noise.
        none = up(max(self.lost, 1e-12), percent)
        return (
            f"Where {numbers}, {which} {what} lies within ±{width} of the truth with a probability "
            f"of {down(self.confidence, percent)}. With one of at most {none} the noisy count is 0 "
            f"or less and there is no {what}: that counts as outside."
        )


def _spent(statistic: Statistic) -> float:
    """Return what a number loses in one release."""
    shift = statistic.case.sensitivity / statistic.largest_scale
    if statistic.case.mechanism == "Gaussian":
        return shift * shift / 2
    return shift


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
    _counted(case, numerator, denominator)
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


@takes(
    budget=EPSILON,
    numerator=END,
    denominator=interval.COUNT,
    confidence=PROBABILITY,
)
def split(
    case: Case,
    budget: float,
    numerator: float,
    denominator: float,
    confidence: float = 0.95,
) -> Quotient:
    """Divide what a quotient may lose between its two numbers, so that it is as precise as can be.

    Parameters
    ----------
    case : Case
        The numerator, as in `within`: what is said of its people is true of
        the denominator's.
    budget : float
        What both may lose together in one release: ε, or ρ for Gaussian noise.
    numerator, denominator : float
        What the two numbers are supposed to be, such as last year's.
    confidence : float
        How often the quotient shall lie in its interval.

    Returns
    -------
    Quotient
        Both statistics, with scales of four digits, and how precise their
        quotient is. For geometric noise the split is that of Laplace noise.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the case is no numerator, or
        the denominator would be lost too often whatever the split.

    Notes
    -----
    Sequential composition: ε and ρ add up. To the first order the share of ε
    goes with ∛(Δf²) and ∛(q²), that of ρ with Δf and q; the half-width is
    searched for here as it is, since a count that is seldom above 0 is of no
    use even where q is 0.

    A mean of many is most precise if values are measured from a public c near
    to it, as low − c to high − c, and c is added to the quotient afterwards.
    Then q is nearly 0, and the count's noise hardly matters; to the first
    order no other c is better. Where q may be another one after all, `within`
    says how precise the mean is then.

    A rate q of a part in a whole may have a better way. Where persons are
    added or removed, a table of two cells, those with and those without, costs
    one ε for both. To the first order its variance is smaller by the factor (1
    + q^(2/3))³/(q² + (1 − q)²) for Laplace noise, and by (1 + q)²/(q² + (1 −
    q)²) for Gaussian noise.

    Examples
    --------
    >>> stays = Case(published="sum", low=0, high=30, unit="days")
    >>> made = split(stays, 0.5, numerator=1600, denominator=400)
    >>> [round(one, 3) for one in made.spent], round(made.half_width, 3)
    ([0.399, 0.101], 0.624)
    >>> print(made.lines)
    numerator: neighbours=add/remove, published=sum, low=0, high=30, unit=days, scale=75.28
    denominator: neighbours=add/remove, published=count, scale=9.857

    The same from 4 days:

    >>> stays = Case(published="sum", low=-4, high=26, unit="days")
    >>> made = split(stays, 0.5, numerator=0, denominator=400)
    >>> [round(one, 3) for one in made.spent], round(made.half_width, 3)
    ([0.472, 0.027], 0.423)
    """
    near = numerator, denominator
    below = _counted(case, *near)
    gaussian = case.mechanism == "Gaussian"
    outside = 1 - confidence
    moved = np.array([case.sensitivity, below.sensitivity])
    # The scales with the whole budget, and how they grow with its share. For
    # geometric noise it is searched for as if it were Laplace noise.
    if gaussian:
        whole = moved / math.sqrt(2 * budget)
        power = 0.5
        smooth = case
    else:
        whole = moved / budget
        power = 1.0
        smooth = replace(case, mechanism="Laplace")
    # With less the denominator would be lost too often, if half may not be.
    farthest = smooth.noise.within(1.0, min(math.log(2 * outside), -1e-9))
    needed = float(farthest * whole[1] / denominator) ** (1 / power)
    if needed >= 1:
        raise must_be(
            "denominator",
            "larger, or the budget, or the confidence smaller: the noise makes "
            f"it 0 or less more often than in {up(outside, percent)} of cases",
        )

    def scales(log_share: float) -> tuple[float, float]:
        shares = np.array([-math.expm1(log_share), math.exp(log_share)])
        over, under = (whole / shares**power).tolist()
        return over, under

    def wide(log_share: float) -> float:
        found = within(smooth, *scales(log_share), *near, confidence)
        return math.log(found)

    from scipy.optimize import minimize_scalar

    bounds = math.log(needed), 0.0
    best = minimize_scalar(wide, bounds=bounds, options={"xatol": 1e-6})
    over, under = scales(float(best.x))
    # In few digits, and rounded up, both lose no more than the budget.
    over = rounded(over, 4, up=True)
    under = rounded(under, 4, up=True)
    return Quotient(
        Statistic(name="numerator", case=case, scale=over),
        Statistic(name="denominator", case=below, scale=under),
        within(case, over, under, *near, confidence),
        lost(case, under, denominator),
        near,
        confidence,
    )


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


def _counted(case: Case, numerator: float, denominator: float) -> Case:
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
