"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeGuard

from dpwidgets.calculators import loss
from dpwidgets.decisions.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.decisions.choice._goals import Goal, IntervalGoal
from dpwidgets.decisions.choice._protection import BeliefGoal, Promise
from dpwidgets.inputs.domain import DomainError

MEMBERS = 4
# Nothing for a goal that it does not concern.
_Turned: TypeAlias = tuple[Goal, Case] | None


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
        return self.share is None or self.share <= 1 + 1e-9


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
    case: Case, goals: tuple[Goal, ...], scale: float
) -> tuple[Stress, ...]:
    """Try a case out: other priors, a reference that is off, more releases, a household.

    The noise stays as it is.

    Parameters
    ----------
    case : Case
        The case as it is supposed to be.
    goals : tuple of Goal
        The goals.
    scale : float
        The scale of the noise.

    Returns
    -------
    tuple of Stress
        First the case as it is supposed to be, then every change that concerns
        one of the goals.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2, releases=4)
    >>> for row in stress(case, (BeliefGoal(0.25),), scale=5):
    ...     print(f"{row.name}: {row.outcomes[0].said}")
    as supposed: from 20% to at most 23.4%
    all 4 releases, not one: from 20% to at most 35.8%
    a prior of 10%: from 10% to at most 12%
    a prior of 50%: from 50% to at most 55%
    a prior of 90%: from 90% to at most 91.7%
    4 people with dependent records: from 20% to at most 35.8%
    """
    supposed = [(goal, case) for goal in goals]
    rows = [Stress("as supposed", _outcomes(supposed, scale))]
    for name, turned in _turns(case, goals):
        changed = [
            one if one != same else None
            for one, same in zip(turned, supposed, strict=True)
        ]
        if any(changed):
            rows.append(Stress(name, _outcomes(changed, scale)))
    return tuple(rows)


def _turns(
    case: Case, goals: tuple[Goal, ...]
) -> Iterator[tuple[str, list[_Turned]]]:
    """Yield what may turn out otherwise, and what it makes of each goal and of the case."""

    def concerning(kind: type, changed: Case) -> list[_Turned]:
        return [
            (goal, changed) if isinstance(goal, kind) else None
            for goal in goals
        ]

    if case.releases > 1:
        name = f"all {case.releases:,} releases, not one"
        yield (
            name,
            [
                (replace(goal, reach=ALL), case) if _once(goal) else None
                for goal in goals
            ],
        )
    for prior in (0.1, 0.5, 0.9):
        yield (
            f"a prior of {prior:.0%}",
            concerning(BeliefGoal, replace(case, prior=prior)),
        )
    if case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            nearer = replace(
                case, reference=max(share * case.reference, 1e-12)
            )
            name = f"the truth {off} below the reference"
            yield name, concerning(IntervalGoal, nearer)
    if 2 * case.releases <= loss.COUNT.high:  # the same again next year
        doubled = concerning(
            Promise, replace(case, releases=2 * case.releases)
        )
        yield (
            "twice as many releases",
            [None if one and _once(one[0]) else one for one in doubled],
        )
    members = max(MEMBERS, case.household)
    if case.least_n is None or case.least_n >= members:
        name = f"{members:,} people with dependent records"
        yield name, [_in_household(goal, case, members) for goal in goals]


def _once(goal: Goal) -> TypeGuard[Promise]:
    """Tell whether it is a promise about one release."""
    return isinstance(goal, Promise) and goal.reach == ONE


def _in_household(goal: Goal, case: Case, members: int) -> _Turned:
    """Return a promise that shall hold for so many people with dependent records, too."""
    if not isinstance(goal, Promise):
        return None
    if _once(goal):
        case = replace(
            case, releases=1, used=0.0, used_delta=0.0, used_rho=0.0
        )
    try:
        return replace(goal, reach=HOUSEHOLD), replace(case, household=members)
    except DomainError:  # others' δ may promise so many people nothing
        return None


def _outcomes(turned: Iterable[_Turned], scale: float) -> tuple[Outcome, ...]:
    return tuple(_outcome(one, scale) for one in turned)


def _outcome(what: _Turned, scale: float) -> Outcome:
    if what is not None:
        goal, case = what
        with suppress(DomainError):  # what a record does not hold
            said, share = (
                goal.achieved(case, scale),
                goal.reached(case, scale) / goal.limit,
            )
            above = (
                isinstance(goal, BeliefGoal)
                and (case.prior or 0) >= goal.limit
            )
            return Outcome(
                said, None if above or not math.isfinite(share) else share
            )
    return Outcome("", None)
