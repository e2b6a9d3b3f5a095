"""What the noise of a case means for how precisely a published number is known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import READER, Meaning
from dpwidgets.inputs.notation import percent, show

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
        The error on average, the interval around the truth, and that around the change from one
        release to the next.

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
    """
    error = _meaning(
        name="Error on average",
        equation="the mean of the noise without its sign",
        says=f"The published {case.published} is off by {{value}} on average.",
        computes=case.error,
        shown=partial(case.measured, up=True),
    )
    return (error, *_intervals(case))


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
    if case.releases > 1:
        yield _meaning(
            name=f"Change between two releases, {percent(sure)}",
            equation="not in the text: two noises",
            says=f"The difference of two such {case.published}s lies within {{value}} of the true "
            f"change, {often}",
            computes=lambda scale: case.change_within(scale, sure),
            shown=wide,
        )
