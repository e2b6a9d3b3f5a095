"""An ε or a ρ for a quotient, divided between its two numbers."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpwidgets.calculators import interval
from dpwidgets.decisions.case import END, Case
from dpwidgets.decisions.plan import Statistic
from dpwidgets.decisions.rates._within import denominator_of, lost, within
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, must_be
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import down, percent, rounded, show, up


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
    below = denominator_of(case, *near)
    over, under = _best_scales(case, below, budget, near, confidence)
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


def _best_scales(
    case: Case,
    below: Case,
    budget: float,
    near: tuple[float, float],
    confidence: float,
) -> tuple[float, float]:
    """Search for the scales of both numbers with which their quotient is most precise."""
    _, denominator = near
    outside = 1 - confidence
    moved = np.array([case.sensitivity, below.sensitivity])
    # The scales with the whole budget, and how they grow with its share. For
    # geometric noise they are searched for as if it were Laplace noise.
    if case.mechanism == "Gaussian":
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
    return scales(float(best.x))
