"""What the noise of a case means to an analyst: how far off an estimate of the count still is."""

from collections.abc import Iterator
from functools import partial

from dpwidgets.calculators.bayes import N_ALL_ANSWERS, mean_error
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import READER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import show


def meanings(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in this text: how far off the best guess of a count still is.

    Parameters
    ----------
    case : Case
        The case. Without a count with Laplace noise, a public n of at most 2000 and a reference
        below it there is nothing to say.

    Yields
    ------
    Meaning
        The mean absolute error of the posterior median, which no estimate betters.

    Examples
    --------
    >>> case = Case(published="count", n=2000, reference=400, unit="patients")
    >>> print(next(meanings(case)).sentence(scale=5))
    After one release, the best guess of someone who expects 400 of 2,000 people to have the
    property, independently of each other, is off by 4.78 patients on average.
    """
    n, near = case.n, case.reference
    counted = case.published == "count" and case.contributions == 1
    if not counted or case.mechanism != "Laplace" or n is None or near is None:
        return
    if n > N_ALL_ANSWERS.high or not 1e-6 <= near / n <= 1 - 1e-6:
        return

    def computes(scale: float) -> float:
        epsilon = min(max(1 / scale, EPSILON.low), EPSILON.high)
        return mean_error(n, near / n, epsilon, "posterior median")

    yield Meaning(
        name="Error of the best guess",
        says=f"After one release, the best guess of someone who expects {show(near)} of {n:,} "
        "people to have the property, independently of each other, is off by {value} on average.",
        computes=computes,
        shown=partial(case.measured, up=True),
        gets=READER,
        first=False,
    )
