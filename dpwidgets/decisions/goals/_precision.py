"""Goals of precision: the noise must be small enough."""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpwidgets.calculators import interval
from dpwidgets.calculators.noise import DIGITS, SCALE
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals._goals import Feasible, Goal, Options, given
from dpwidgets.inputs.notation import down, every, percent, rounded, show, up

#: Whether each cell of a table lies close to the truth, or all of them do
#: together.
EACH, AT_ONCE = CELLS = ("each", "all at once")


class Precision(Goal[Case]):
    """A goal that bounds how far off what is published is: the noise must be small enough."""

    def _range(self, case: Case) -> Feasible:
        if not self.met(case, case.smallest_scale):
            return self._none(case, case.smallest_scale, "noise of ε = 1,000")
        return Feasible(
            high=rounded(self.largest_scale(case), DIGITS, up=False)
        )

    def largest_scale(self, case: Case) -> float:
        """Compute the largest scale that meets the goal; its number grows with the scale."""
        end = self.limit / self.reached(case, 1.0)
        # What every noise of the domain meets, any noise meets.
        return end if end < SCALE.high else math.inf


@dataclass(frozen=True)
class IntervalGoal(Precision):
    """What is published shall lie this close to the truth, as often as the case's confidence says.

    Parameters
    ----------
    half_width : float
        Half the interval's width as a share of the case's reference, above 0.
        Noise does not depend on the truth: with the least count as the
        reference, every count from it up lies within this share of itself.
    cells : {"each", "all at once"}
        Of a table, or of groups, whether each number lies so close so often,
        or all of them do together: of 40 counts that each keep 95%, two are
        farther off on average.

    Examples
    --------
    >>> case = Case(published="count", unit="patients", reference=400, confidence=0.95)
    >>> print(IntervalGoal(0.05).sentence(case))
    The count shall lie within ±20 patients of the truth (5% of 400) with a probability of 95%.
    """

    half_width: float
    cells: str = "each"

    kind = "interval"
    limits = "half_width"
    domain = interval.HALF_WIDTH
    gives = "within ±{} ({})"
    options: ClassVar[Options] = {"cells": CELLS}

    def sentence(self, case: Case) -> str:
        sure = "the confidence that is missing"
        if case.confidence:
            sure = down(case.confidence, percent)
        distance, share = self.written(case)
        width = f"±{share} of the truth (as a share of a reference that is missing)"
        if case.reference:
            width = (
                f"±{distance} of the truth ({share} of {show(case.reference)})"
            )
        shall = f"{_each(case)} shall lie"
        if case.numbers > 1 and self.cells == AT_ONCE:
            shall = f"{_all(case)} shall at once lie"
        return f"{shall} within {width} with a probability of {sure}."

    def reached(self, case: Case, scale: float) -> float:
        cells = 1
        if self.cells == AT_ONCE:
            cells = case.numbers
        reference = given(case, "reference")
        confidence = given(case, "confidence")
        return case.within(scale, confidence, cells) / reference

    def _in_units(
        self, case: Case, number: float, *digits: int
    ) -> tuple[str, ...]:
        distance = up(number * (case.reference or 0.0), case.measured, *digits)
        return distance, up(number, percent, *digits)


@dataclass(frozen=True)
class ErrorGoal(Precision):
    """What is published shall be off by no more than this on average.

    Parameters
    ----------
    error : float
        The mean absolute error, in the case's unit, from 1e-12 to 1e12.

    Examples
    --------
    >>> case = Case(published="count", unit="patients")
    >>> print(ErrorGoal(5).scales(case).sentence(case))
    a scale of at most 5 patients, which is ε of at least 0.2 for Δf = 1
    """

    error: float

    kind = limits = "error"
    domain = interval.HALF_WIDTH
    gives = "off by {} on average"

    def sentence(self, case: Case) -> str:
        (most,) = self.written(case)
        return f"{_each(case)} shall be off the truth by at most {most} on average."

    def reached(self, case: Case, scale: float) -> float:
        return case.error(scale)

    def _in_units(
        self, case: Case, number: float, *digits: int
    ) -> tuple[str, ...]:
        return (up(number, case.measured, *digits),)


def _each(case: Case) -> str:
    if case.cells:
        return "Each count of the table"
    each = " of each group" if case.groups else ""
    return f"The {case.published}{each}"


def _all(case: Case) -> str:
    one, of = case.published, "groups"
    if case.cells:
        one, of = "count", "the table"
    return f"{every(case.numbers, one)} of {of}".capitalize()
