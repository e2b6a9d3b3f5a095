"""What the noise of a case means for how precisely a published number is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import READER, Meaning
from dpwidgets.inputs.notation import percent, show

#: How close, as a share of the truth, a count that is called readable lies.
READABLE = 0.2
_meaning = partial(Meaning, text="interval", gets=READER)


def meanings(case: Case) -> tuple[Meaning, ...]:
    """Say what the noise means in this text: how precisely the published number is known.

    Parameters
    ----------
    case : Case
        The case. Intervals need its confidence.

    Returns
    -------
    tuple of Meaning
        The error on average, the interval around the truth, for all cells of a table at once too,
        the smallest cell that is still readable, and the interval around the change from one
        release to the next. For counts, what becomes of nobody where negative numbers are set to 0;
        for a mean, by how much a sample is off anyway.

    Examples
    --------
    >>> hospital = Case(published="count", unit="patients", releases=4, reference=400,
    ...                 confidence=0.95)
    >>> for meaning in meanings(hospital):
    ...     print(meaning.sentence(scale=5))
    The published count is off by 5 patients on average.
    It lies within ±15 patients (3.75% of 400) of the truth, with a probability of 95%.
    The difference of two such counts lies within ±20.6 patients of the true change, with a
    probability of 95%.
    Where negative numbers are set to 0, a count of nobody is published as 2.5 patients on average:
    as if somebody were there.
    """
    published = case.published if case.published != "table" else "count"
    every = "Each" if case.published == "table" else "The"
    error = _meaning(
        name="Error on average",
        equation="the mean of the noise without its sign",
        says=f"{every} published {published} is off by {{value}} on average.",
        computes=case.error,
        shown=partial(case.measured, up=True),
    )
    return (error, *_intervals(case), *_beside(case))


def _intervals(case: Case) -> Iterator[Meaning]:
    near, sure = case.reference, case.confidence
    if sure is None:
        return
    often = f"with a probability of {percent(sure)}."

    def wide(distance: float) -> str:
        return f"±{case.measured(distance, up=True)}"

    def wide_of(distance: float) -> str:
        return wide(distance) + (
            f" ({percent(distance / near, up=True)} of {show(near)})" if near is not None else ""
        )

    yield _meaning(
        name=f"Interval around the truth, {percent(sure)}",
        equation="eq. (10)",
        says=f"It lies within {{value}} of the truth, {often}",
        computes=lambda scale: case.within(scale, sure),
        shown=wide_of,
    )
    if case.published == "table":
        yield from _of_table(case, sure, often, wide_of)
    if case.releases > 1:
        several = "two such counts" if case.counts else f"two such {case.published}s"
        if case.published == "table":
            several = "a cell’s two counts"
        yield _meaning(
            name=f"Change between two releases, {percent(sure)}",
            equation="not in the text: two noises",
            says=f"The difference of {several} lies within {{value}} of the true change, {often}",
            computes=lambda scale: case.change_within(scale, sure),
            shown=wide,
            first=case.published != "table",
        )


def _of_table(
    case: Case, sure: float, often: str, wide: Callable[[float], str]
) -> Iterator[Meaning]:
    yield _meaning(
        name=f"Interval for all cells at once, {percent(sure)}",
        equation="not in the text: cells with noise of their own",
        says=f"All {case.cells:,} counts lie within {{value}} of the truth at once, {often}",
        computes=lambda scale: case.within(scale, sure, case.cells or 1),
        shown=wide,
    )
    yield _meaning(
        name=f"Smallest cell readable to ±{READABLE:.0%}",
        equation="eq. (10)",
        says=f"A count lies within ±{READABLE:.0%} of the truth, {often[:-1]}, if the truth is "
        "at least {value}.",
        computes=lambda scale: case.within(scale, sure) / READABLE,
        shown=partial(case.measured, up=True),
    )


def _beside(case: Case) -> Iterator[Meaning]:
    """Say what stands beside the noise: what setting to 0 does, and what a sample is off."""
    if case.counts:
        yield _meaning(
            name="Nobody, with negative numbers set to 0",
            equation="half of the error on average",
            says="Where negative numbers are set to 0, a count of nobody is published as {value} "
            "on average: as if somebody were there.",
            computes=lambda scale: case.error(scale) / 2,
            shown=partial(case.measured, up=True),
            first=False,
        )
    if case.published == "mean" and case.contributions == 1:
        assert case.n is not None
        low, high = case.ends
        most = case.measured((high - low) / 2 / math.sqrt(case.n), up=True)
        yield _meaning(
            name="Noise beside the sampling error",
            equation="Popoviciu: a deviation is at most half the range",
            says="The standard deviation of the noise is {value}; if the values are a random "
            f"sample of a larger population, their own mean has one of up to {most} around "
            "the population’s.",
            computes=lambda scale: scale * (1.0 if case.mechanism == "Gaussian" else math.sqrt(2)),
            shown=partial(case.measured, up=True),
            first=False,
        )
