"""What the noise of a case means for how precisely a published number is known."""

import math
from collections.abc import Iterator
from functools import partial

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import READER, Meaning
from dpwidgets.inputs.notation import percent, show

#: How close, as a share of the truth, a count that is called readable lies.
READABLE = 0.2
_meaning = partial(Meaning, gets=READER)


def meanings(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in this text: how precisely the published number is known.

    Parameters
    ----------
    case : Case
        The case. Intervals need its confidence.

    Yields
    ------
    Meaning
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
    table, sure, up = case.published == "table", case.confidence, partial(case.measured, up=True)
    yield _meaning(
        name="Error on average",
        says=f"{'Each' if table else 'The'} published {'count' if table else case.published} is "
        "off by {value} on average.",
        computes=case.error,
        shown=up,
    )
    if sure is not None:
        yield from _intervals(case, sure)
    if case.counts:  # half of the error
        yield _meaning(
            name="Nobody, with negative numbers set to 0",
            says="Where negative numbers are set to 0, a count of nobody is published as {value} "
            "on average: as if somebody were there.",
            computes=lambda scale: case.error(scale) / 2,
            shown=up,
            first=False,
        )
    if case.published == "mean" and case.n and case.contributions == 1:
        low, high = case.ends
        most = up((high - low) / 2 / math.sqrt(case.n))  # Popoviciu: at most half the range
        yield _meaning(
            name="Noise beside the sampling error",
            says="The standard deviation of the noise is {value}; if the values are a random "
            f"sample of a larger population, their own mean has one of up to {most} around "
            "the population’s.",
            computes=lambda scale: scale * (1.0 if case.mechanism == "Gaussian" else math.sqrt(2)),
            shown=up,
            first=False,
        )


def _intervals(case: Case, sure: float) -> Iterator[Meaning]:
    table, near, cells = case.published == "table", case.reference, case.cells or 1
    often = f"with a probability of {percent(sure)}."

    def wide(distance: float) -> str:
        return f"±{case.measured(distance, up=True)}"

    def wide_of(distance: float) -> str:
        share = f" ({percent(distance / near, up=True)} of {show(near)})" if near else ""
        return wide(distance) + share

    yield _meaning(
        name=f"Interval around the truth, {percent(sure)}",
        says=f"It lies within {{value}} of the truth, {often}",
        computes=lambda scale: case.within(scale, sure),  # eq. (10)
        shown=wide_of,
    )
    if table:
        yield _meaning(
            name=f"Interval for all cells at once, {percent(sure)}",
            says=f"All {cells:,} counts lie within {{value}} of the truth at once, {often}",
            computes=lambda scale: case.within(scale, sure, cells),
            shown=wide_of,
        )
        yield _meaning(
            name=f"Smallest cell readable to ±{READABLE:.0%}",
            says=f"A count lies within ±{READABLE:.0%} of the truth, {often[:-1]}, if the truth is "
            "at least {value}.",
            computes=lambda scale: case.within(scale, sure) / READABLE,
            shown=partial(case.measured, up=True),
        )
    if case.releases > 1:
        several = "a cell’s two counts" if table else f"two such {case.published}s"
        yield _meaning(
            name=f"Change between two releases, {percent(sure)}",
            says=f"The difference of {several} lies within {{value}} of the true change, {often}",
            computes=lambda scale: case.change_within(scale, sure),
            shown=wide,
            first=not table,
        )
