"""What the noise of a case means to its readers: how precisely the published number is known."""

import math
from collections.abc import Iterator
from functools import partial

from dpwidgets.calculators.bayes import N_ALL_ANSWERS, mean_error
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.meanings._interpretation import READER, Meaning
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import down, every, percent, show, up

#: How close, as a share of the truth, a count that is called readable lies.
READABLE = 0.2


def errors(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in the interval text: how precisely the published number is known.

    Parameters
    ----------
    case : Case
        The case. Intervals need its confidence.

    Yields
    ------
    Meaning
        The error on average, the interval around the truth, for all cells of a
        table at once too, the smallest cell that is still readable, and the
        interval around the change from one release to the next. For counts,
        what becomes of nobody where negative numbers are set to 0; for a mean,
        by how much a sample is off anyway.

    Examples
    --------
    >>> hospital = Case(published="count", unit="patients", releases=4, reference=400,
    ...                 confidence=0.95)
    >>> for meaning in errors(hospital):
    ...     print(meaning.sentence(scale=5))
    The published count is off by 5 patients on average.
    It lies within ±15 patients (3.75% of 400) of the truth, with a probability of 95%.
    The difference of two such counts lies within ±20.6 patients of the true change, with a
    probability of 95%.
    Where negative numbers are set to 0, a count of nobody is published as 2.5 patients on average:
    as if somebody were there.
    """
    measured = partial(up, write=case.measured)
    meaning = partial(Meaning, gets=READER, shown=measured)
    what = f"The published {case.published}"
    if case.cells:
        what = "Each published count"
    elif case.groups:
        what += " of each group"
    yield meaning(
        name="Error on average",
        says=f"{what} is off by {{value}} on average.",
        computes=case.error,
    )
    if case.confidence is not None:
        yield from _intervals(case, case.confidence)
    if case.counts:  # half of the error
        yield meaning(
            name="Nobody, with negative numbers set to 0",
            says="Where negative numbers are set to 0, a count of nobody is published as {value} "
            "on average: as if somebody were there.",
            computes=lambda scale: case.error(scale) / 2,
            first=False,
        )
    n = case.n
    if case.published == "mean" and n:
        yield _beside_sampling(case, n)


def _beside_sampling(case: Case, n: int) -> Meaning:
    """Say how large the noise of a mean of so many is beside the error of a sample."""
    low, high = case.ends
    # Popoviciu: at most half the range.
    most = up((high - low) / 2 / math.sqrt(n), case.measured)
    per_scale = math.sqrt(2)
    if case.mechanism == "Gaussian":
        per_scale = 1.0
    return Meaning(
        gets=READER,
        shown=partial(up, write=case.measured),
        name="Noise beside the sampling error",
        says="The standard deviation of the noise is {value}; if the values are a random "
        f"sample of a larger population, their own mean has one of up to {most} around "
        "the population’s.",
        computes=lambda scale: scale * per_scale,
        first=False,
    )


def _intervals(case: Case, sure: float) -> Iterator[Meaning]:
    near, cells = case.reference, case.cells
    one, each = case.published, "groups"
    if cells:
        one, each = "count", "cells"
    sureness = down(sure, percent)
    often = f"with a probability of {sureness}"

    def wide(distance: float) -> str:
        return f"±{up(distance, case.measured)}"

    def wide_of(distance: float) -> str:
        if not near:
            return wide(distance)
        share = up(distance / near, percent)
        return f"{wide(distance)} ({share} of {show(near)})"

    meaning = partial(Meaning, gets=READER, shown=wide_of)
    yield meaning(
        name=f"Interval around the truth, {sureness}",
        says=f"It lies within {{value}} of the truth, {often}.",
        computes=lambda scale: case.within(scale, sure),  # eq. (10)
    )
    if case.numbers > 1:
        yield meaning(
            name=f"Interval for all {each} at once, {sureness}",
            says=f"{every(case.numbers, one).capitalize()} lie within {{value}} of the truth at "
            f"once, {often}.",
            computes=lambda scale: case.within(scale, sure, case.numbers),
        )
    if cells:
        yield meaning(
            name=f"Smallest cell readable to ±{READABLE:.0%}",
            says=f"A count lies within ±{READABLE:.0%} of the truth, {often}, if the truth is "
            "at least {value}.",
            computes=lambda scale: case.within(scale, sure) / READABLE,
            shown=partial(up, write=case.measured),
        )
    if case.releases > 1:
        several = "a cell’s two counts" if cells else f"two such {one}s"
        yield meaning(
            name=f"Change between two releases, {sureness}",
            says=f"The difference of {several} lies within {{value}} of the true change, {often}.",
            computes=lambda scale: case.change_within(scale, sure),
            shown=wide,
            first=not cells,
        )


def guesses(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in the Bayes text: how far off the best guess of a count still is.

    Parameters
    ----------
    case : Case
        The case. Without a count with Laplace noise, a public n of at most
        2000 and a reference below it there is nothing to say.

    Yields
    ------
    Meaning
        The mean absolute error of the posterior median, which no estimate
        betters.

    Examples
    --------
    >>> case = Case(published="count", n=2000, reference=400, unit="patients")
    >>> print(next(guesses(case)).sentence(scale=5))
    After one release, the best guess of someone who expects 400 of 2,000 people to have the
    property, independently of each other, is off by 4.78 patients on average.
    """
    n, near = case.n, case.reference
    counted = case.published == "count" and case.mechanism == "Laplace"
    if not counted or n is None or near is None or n > N_ALL_ANSWERS.high:
        return
    if not 1e-6 <= near / n <= 1 - 1e-6:
        return

    def computes(scale: float) -> float:
        epsilon = min(max(1 / scale, EPSILON.low), EPSILON.high)
        return mean_error(n, near / n, epsilon, "posterior median")

    yield Meaning(
        name="Error of the best guess",
        says="After one release, the best guess of someone who expects "
        f"{show(near)} of {case.everybody} to have the property, independently of each other, is "
        "off by {value} on average.",
        computes=computes,
        shown=partial(up, write=case.measured),
        gets=READER,
        first=False,
    )
