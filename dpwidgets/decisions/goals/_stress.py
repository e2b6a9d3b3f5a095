"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case, Limits
from dpwidgets.decisions.goals._goals import Goal
from dpwidgets.decisions.goals._protection import BeliefGoal
from dpwidgets.decisions.goals._table import Row, Table
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import at_most, several

MEMBERS = 4


class Outcome(NamedTuple):
    """What becomes of one goal.

    Attributes
    ----------
    said : str
        The number that the noise gives, in words; nothing where the change
        does not concern it.
    share : float or None
        The number over its limit, so that above 1 the goal is not met. None
        where the limit says nothing: a belief that is above it from the start,
        or a change that does not concern the goal.
    """

    said: str
    share: float | None

    @property
    def kept(self) -> bool:
        """Whether the goal is met, as far as its limit says something."""
        return self.share is None or at_most(self.share, 1.0)


#: Of a goal that a change does not concern.
_NOTHING = Outcome("", None)
#: Of a goal of which nobody can tell.
UNTOLD = Outcome("untold", None)


class Stress(NamedTuple):
    """One thing that turns out otherwise, and what becomes of each goal.

    Attributes
    ----------
    name : str
        What turns out otherwise.
    outcomes : tuple of Outcome
        What becomes of each goal, in their order.
    """

    name: str
    outcomes: tuple[Outcome, ...]


def stress(
    whole: Limits, goals: Sequence[Goal[Any]], scale: float
) -> tuple[Stress, ...]:
    """Try a case or a plan out: other priors, and a household; a case also at other numbers.

    Those are a reference that is off, and more releases. The noise stays as it
    is.

    Parameters
    ----------
    whole : Case or Plan
        The case as it is supposed to be, or the plan.
    goals : sequence of Goal
        The goals.
    scale : float
        The scale of the noise; of a plan its factor.

    Returns
    -------
    tuple of Stress
        First all as it is supposed to be, then every change that concerns
        one of the goals.

    Raises
    ------
    TypeError, ValueError
        If the scale lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2)
    >>> for row in stress(case, (BeliefGoal(0.25),), scale=5):
    ...     print(f"{row.name}: {row.outcomes[0].said}")
    as supposed: from 20% to at most 23.4%
    a prior of 10%: from 10% to at most 12%
    a prior of 50%: from 50% to at most 55%
    a prior of 90%: from 90% to at most 91.7%
    twice as many releases: from 20% to at most 27.2%
    4 people with dependent records: from 20% to at most 35.8%
    """
    scale = SCALE.check_one("scale", scale)
    supposed = tuple(_outcome(goal, whole, scale) for goal in goals)
    rows = [Stress("as supposed", supposed)]
    for name, changed in _turns(whole):
        outcomes = []
        for goal, before in zip(goals, supposed, strict=True):
            outcome = _outcome(goal, changed, scale)
            outcomes.append(_NOTHING if outcome == before else outcome)
        if any(outcome.said for outcome in outcomes):
            rows.append(Stress(name, tuple(outcomes)))
    return tuple(rows)


def broken(tried: Sequence[Stress]) -> str:
    """Say how many of the other assumptions break a goal, or nothing without any.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2)
    >>> broken(stress(case, (BeliefGoal(0.25),), scale=5))
    '2 of 5 other assumptions break a goal.'
    """
    others = tried[1:]
    if not others:
        return ""
    breaking = 0
    for row in others:
        breaking += any(not outcome.kept for outcome in row.outcomes)
    breaks = "breaks" if breaking == 1 else "break"
    many = several(len(others), "other assumption")
    return f"{breaking} of {many} {breaks} a goal."


def otherwise(tried: Sequence[Stress], goals: Sequence[Goal[Any]]) -> Table:
    """Return the table that says it in a record."""
    rows: list[Row] = []
    for name, outcomes in tried[1:]:
        cells = [name]
        for outcome in outcomes:
            mark = "" if outcome.kept else "✗ "
            cells.append(f"{mark}{outcome.said or '–'}")
        rows.append(tuple(cells))
    title = "If it turns out otherwise, with the same noise (✗: the goal is not met)"
    return Table(title, ("", *(goal.kind for goal in goals)), rows)


def _turns(whole: Limits) -> Iterator[tuple[str, Any]]:
    """Yield what may turn out otherwise, and the case or the plan as it then is."""
    case = whole if isinstance(whole, Case) else None
    for prior in (0.1, 0.5, 0.9):
        yield f"a prior of {prior:.0%}", replace(whole, prior=prior)
    if case and case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            reference = max(share * case.reference, 1e-12)
            changed = replace(case, reference=reference)
            yield f"the truth {off} below the reference", changed
    if case:
        with suppress(DomainError):  # more than any law counts
            yield "twice as many releases", case.repeated(2)
    members = max(MEMBERS, whole.household)
    with suppress(DomainError):  # so many there may not be
        larger = replace(whole, household=members)
        yield f"{members:,} people with dependent records", larger


def _outcome(goal: Goal[Any], whole: Limits, scale: float) -> Outcome:
    try:
        number = goal.reached(whole, scale)
    except DomainError:  # what a record does not hold
        return _NOTHING
    said, share = goal.in_words(whole, number), number / goal.limit
    believed = (
        isinstance(goal, BeliefGoal) and (whole.prior or 0) >= goal.limit
    )
    if believed or not math.isfinite(share):
        return Outcome(said, None)
    return Outcome(said, share)
