"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

import math
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from dpwidgets.calculators import loss
from dpwidgets.calculators.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.calculators.choice._goals import Goal, IntervalGoal
from dpwidgets.calculators.choice._protection import BeliefGoal, Promise
from dpwidgets.inputs.domain import DomainError

PRIORS = (0.1, 0.5, 0.9)
MEMBERS = 4
_Turned: TypeAlias = tuple[Goal, Case] | None  # nothing for a goal that it does not concern


class Outcome(NamedTuple):
    """What becomes of one goal.

    Attributes
    ----------
    said : str
        The number that the noise gives, in words; nothing where the change does not concern it.
    share : float or None
        The number over its limit, so that above 1 the goal is not met. None where the limit
        says nothing: a belief that is above it from the start, or a change that does not concern
        the goal.
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


def stress(case: Case, goals: tuple[Goal, ...], scale: float) -> tuple[Stress, ...]:
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
        First the case as it is supposed to be, then every change that concerns one of the goals.

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
    rows = [Stress("as supposed", tuple(_outcome((goal, case), scale) for goal in goals))]
    turns = [_turns(goal, case) for goal in goals]
    for name in turns[0] if turns else ():
        what = [turn[name] for turn in turns]
        if any(what):
            rows.append(Stress(name, tuple(_outcome(one, scale) for one in what)))
    return tuple(rows)


def _turns(goal: Goal, case: Case) -> dict[str, _Turned]:
    """Return what may turn out otherwise, and what it makes of a goal and its case.

    The names are the same for all goals; what is supposed anyway changes nothing.
    """
    promise = goal if isinstance(goal, Promise) else None
    once = promise is not None and promise.reach == ONE
    turns: dict[str, _Turned] = {}
    if case.releases > 1:
        every = f"all {case.releases:,} releases, not one"
        turns[every] = (replace(promise, reach=ALL), case) if promise and once else None
    for prior in PRIORS:
        believed = (goal, replace(case, prior=prior))
        turns[f"a prior of {prior:.0%}"] = believed if isinstance(goal, BeliefGoal) else None
    if case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            nearer = goal, replace(case, reference=max(share * case.reference, 1e-12))
            name = f"the truth {off} below the reference"
            turns[name] = nearer if isinstance(goal, IntervalGoal) else None
    if 2 * case.releases <= loss.COUNT.high:
        doubled = goal, replace(case, releases=2 * case.releases)  # the same again next year
        turns["twice as many releases"] = doubled if promise and not once else None
    members = max(MEMBERS, case.household)
    if case.n is None or case.n >= members:
        dependent = f"{members:,} people with dependent records"
        turns[dependent] = _in_household(promise, case, members) if promise else None
    return {name: one if one != (goal, case) else None for name, one in turns.items()}


def _in_household(promise: Promise, case: Case, members: int) -> _Turned:
    """Return a promise, made for as many releases as it is, but for a household."""
    if promise.reach == ONE:
        case = replace(case, releases=1, used=0.0, used_delta=0.0)
    try:
        return replace(promise, reach=HOUSEHOLD), replace(case, household=members)
    except DomainError:  # others' δ promises so many people nothing
        return None


def _outcome(what: _Turned, scale: float) -> Outcome:
    if what is None:
        return Outcome("", None)
    goal, case = what
    try:
        said, share = goal.achieved(case, scale), goal.reached(case, scale) / goal.limit
    except DomainError:  # what a record does not hold
        return Outcome("", None)
    above = isinstance(goal, BeliefGoal) and (case.prior or 0) >= goal.limit
    return Outcome(said, None if above or not math.isfinite(share) else share)
