"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeGuard

from dpwidgets.calculators import loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.decisions.choice._goals import Goal
from dpwidgets.decisions.choice._precision import IntervalGoal
from dpwidgets.decisions.choice._protection import BeliefGoal, Promise
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import at_most, several

MEMBERS = 4
# A goal and a case as they are where something turns out otherwise; nothing
# for a goal that it does not concern.
_Turned: TypeAlias = tuple[Goal[Case], Case] | None


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
    case: Case, goals: tuple[Goal[Case], ...], scale: float
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

    Raises
    ------
    TypeError, ValueError
        If the scale lies outside its domain.

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
    scale = SCALE.check_one("scale", scale)
    supposed: list[_Turned] = [(goal, case) for goal in goals]
    rows = [Stress("as supposed", _outcomes(supposed, scale))]
    for name, turned in _turns(case, goals):
        for place, same in enumerate(supposed):
            if turned[place] == same:
                turned[place] = None
        if any(turned):
            rows.append(Stress(name, _outcomes(turned, scale)))
    return tuple(rows)


def broken(tried: Sequence[Stress]) -> str:
    """Say how many of the other assumptions break a goal, or nothing without any.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2, releases=4)
    >>> broken(stress(case, (BeliefGoal(0.25),), scale=5))
    '2 of 5 other assumptions break a goal. '
    """
    others = tried[1:]
    if not others:
        return ""
    breaking = 0
    for row in others:
        breaking += any(not outcome.kept for outcome in row.outcomes)
    breaks = "breaks" if breaking == 1 else "break"
    many = several(len(others), "other assumption")
    return f"{breaking} of {many} {breaks} a goal. "


def _turns(
    case: Case, goals: tuple[Goal[Case], ...]
) -> Iterator[tuple[str, list[_Turned]]]:
    """Yield what may turn out otherwise, and what it makes of each goal and of the case."""

    def concerning(kind: type, changed: Case) -> list[_Turned]:
        turned: list[_Turned] = [None] * len(goals)
        for place, goal in enumerate(goals):
            if isinstance(goal, kind):
                turned[place] = goal, changed
        return turned

    if case.releases > 1 or case.used_up:
        name = "the release"
        if case.releases > 1:
            name = f"all {case.releases:,} releases, not one"
        if case.used_up:
            name += f", with {case.used_up}"
        yield name, [_for_all_releases(goal, case) for goal in goals]
    for prior in (0.1, 0.5, 0.9):
        changed = replace(case, prior=prior)
        yield f"a prior of {prior:.0%}", concerning(BeliefGoal, changed)
    if case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            reference = max(share * case.reference, 1e-12)
            changed = replace(case, reference=reference)
            name = f"the truth {off} below the reference"
            yield name, concerning(IntervalGoal, changed)
    if 2 * case.releases <= loss.COUNT.high:  # the same again next year
        changed = replace(case, releases=2 * case.releases)
        turned = concerning(Promise, changed)
        for place, goal in enumerate(goals):
            if _once(goal):
                turned[place] = None
        yield "twice as many releases", turned
    members = max(MEMBERS, case.household)
    if case.least_n is None or case.least_n >= members:
        name = f"{members:,} people with dependent records"
        yield name, [_in_household(goal, case, members) for goal in goals]


def _once(goal: Goal[Case]) -> TypeGuard[Promise[Case]]:
    """Tell whether it is a promise about one release."""
    return isinstance(goal, Promise) and goal.reach == ONE


def _for_all_releases(goal: Goal[Case], case: Case) -> _Turned:
    """Return a promise about one release as one about all."""
    if not _once(goal):
        return None
    return replace(goal, reach=ALL), case


def _in_household(goal: Goal[Case], case: Case, members: int) -> _Turned:
    """Return a promise that shall hold for so many people with dependent records, too."""
    if not isinstance(goal, Promise):
        return None
    if _once(goal):
        case = replace(case.alone(), releases=1)
    try:
        return replace(goal, reach=HOUSEHOLD), replace(case, household=members)
    except DomainError:  # others' δ may promise so many people nothing
        return None


def _outcomes(turned: Iterable[_Turned], scale: float) -> tuple[Outcome, ...]:
    outcomes = []
    for asked in turned:
        outcome = Outcome("", None)
        if asked is not None:
            outcome = _outcome(*asked, scale)
        outcomes.append(outcome)
    return tuple(outcomes)


def _outcome(goal: Goal[Case], case: Case, scale: float) -> Outcome:
    try:
        number = goal.achieved(case, scale)
        share = goal.reached(case, scale) / goal.limit
    except DomainError:  # what a record does not hold
        return Outcome("", None)
    believed = isinstance(goal, BeliefGoal) and (case.prior or 0) >= goal.limit
    if believed or not math.isfinite(share):
        return Outcome(number, None)
    return Outcome(number, share)
