"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

from dpwidgets.calculators import loss
from dpwidgets.calculators.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.calculators.choice._choice import Choice
from dpwidgets.calculators.choice._goals import Goal, IntervalGoal
from dpwidgets.calculators.choice._protection import BeliefGoal, Promise
from dpwidgets.inputs.domain import DomainError

PRIORS = (0.1, 0.5, 0.9)
MEMBERS = 4
_Turned: TypeAlias = tuple[Goal, Case] | None  # nothing for a goal that it does not concern


@dataclass(frozen=True)
class Outcome:
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


@dataclass(frozen=True)
class Stress:
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


@dataclass(frozen=True)
class Chosen:
    """An ε that is chosen for a case and its goals, and what becomes of them.

    Attributes
    ----------
    choice : Choice
        The case, its goals and what they allow.
    epsilon : float or None
        The chosen ε of one release, or none.
    """

    choice: Choice
    epsilon: float | None

    @property
    def case(self) -> Case:
        """The case."""
        return self.choice.case

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals."""
        return self.choice.goals

    @property
    def scale(self) -> float | None:
        """The scale of the noise; None without an ε."""
        return None if self.epsilon is None else self.case.scale(self.epsilon)

    @property
    def met(self) -> tuple[bool, ...]:
        """Whether the chosen ε meets each goal; nothing without one."""
        scale = self.scale
        return () if scale is None else tuple(goal.met(self.case, scale) for goal in self.goals)

    @cached_property
    def stress(self) -> tuple[Stress, ...]:
        """What becomes of each goal when what was supposed turns out otherwise."""
        return () if self.scale is None else stress(self.case, self.goals, self.scale)


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
    for name, turned in _turns(case):
        # What is supposed anyway is said once.
        what = [one if (one := turned(goal)) != (goal, case) else None for goal in goals]
        if any(what):
            rows.append(Stress(name, tuple(_outcome(one, scale) for one in what)))
    return tuple(rows)


def _turns(case: Case) -> Iterator[tuple[str, Callable[[Goal], _Turned]]]:
    """Yield what may turn out otherwise, and what it makes of a goal and its case."""

    def only(kind: type[Goal], changed: Case) -> Callable[[Goal], _Turned]:
        return lambda goal: (goal, changed) if isinstance(goal, kind) else None

    if case.releases > 1:
        yield f"all {case.releases:,} releases, not one", partial(_after_all, case)
    for prior in PRIORS:
        yield f"a prior of {prior:.0%}", only(BeliefGoal, replace(case, prior=prior))
    if case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            nearer = replace(case, reference=max(share * case.reference, 1e-12))
            yield f"the truth {off} below the reference", only(IntervalGoal, nearer)
    if 2 * case.releases <= loss.COUNT.high:
        doubled = replace(case, releases=2 * case.releases)  # such as the same again next year
        yield "twice as many releases", partial(_lasting, doubled)
    members = max(MEMBERS, case.household)
    if case.n is None or case.n >= members:
        yield f"{members:,} people with dependent records", partial(_in_household, case, members)


def _after_all(case: Case, goal: Goal) -> _Turned:
    """Return a promise for one release as one for all of them."""
    if isinstance(goal, Promise) and goal.reach == ONE:
        return replace(goal, reach=ALL), case
    return None


def _lasting(case: Case, goal: Goal) -> _Turned:
    """Return a goal with a case of more releases, if it holds for all of them."""
    return (goal, case) if isinstance(goal, Promise) and goal.reach != ONE else None


def _in_household(case: Case, members: int, goal: Goal) -> _Turned:
    """Return a promise, made for as many releases as it is, but for a household."""
    if not isinstance(goal, Promise):
        return None
    if goal.reach == ONE:
        case = replace(case, releases=1, used=0.0, used_delta=0.0)
    try:
        return replace(goal, reach=HOUSEHOLD), replace(case, household=members)
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
