"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpwidgets.calculators import loss
from dpwidgets.calculators.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.calculators.choice._goals import BeliefGoal, Goal, IntervalGoal, Promise
from dpwidgets.calculators.domain import DomainError

PRIORS = (0.1, 0.5, 0.9)
MEMBERS = 4


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
    members = max(MEMBERS, case.household)
    supposed: list[tuple[Goal, Case] | None] = [(goal, case) for goal in goals]
    rows = [("as supposed", supposed)]
    if case.releases > 1:
        summed = [_after_all(goal, case) for goal in goals]
        rows.append((f"all {case.releases:,} releases, not one", summed))
    for prior in PRIORS:
        changed = replace(case, prior=prior)
        believed: list[tuple[Goal, Case] | None] = [
            (goal, changed) if isinstance(goal, BeliefGoal) else None for goal in goals
        ]
        rows.append((f"a prior of {prior:.0%}", believed))
    if case.reference:
        for share, off in ((0.75, "a quarter"), (0.5, "half")):
            changed = replace(case, reference=max(share * case.reference, 1e-12))
            rows.append(
                (
                    f"the truth {off} below the reference",
                    [(goal, changed) if isinstance(goal, IntervalGoal) else None for goal in goals],
                )
            )
    if 2 * case.releases <= loss.COUNT.high:
        doubled = replace(case, releases=2 * case.releases)  # such as the same again next year
        rows.append(("twice as many releases", [_lasting(goal, doubled) for goal in goals]))
    if case.n is None or case.n >= members:
        dependent = [_in_household(goal, case, members) for goal in goals]
        rows.append((f"{members:,} people with dependent records", dependent))
    # What is supposed anyway is said once.
    new = [
        (name, [one if one != was else None for one, was in zip(what, supposed, strict=True)])
        for name, what in rows[1:]
    ]
    return tuple(
        Stress(name, tuple(_outcome(one, scale) for one in what))
        for name, what in [rows[0], *new]
        if any(what)
    )


def _after_all(goal: Goal, case: Case) -> tuple[Goal, Case] | None:
    """Return a promise for one release as one for all of them."""
    if not isinstance(goal, Promise) or goal.reach != ONE:
        return None
    return replace(goal, reach=ALL), case


def _lasting(goal: Goal, case: Case) -> tuple[Goal, Case] | None:
    """Return a goal with a case of more releases, if it holds for all of them."""
    lasts = isinstance(goal, Promise) and goal.reach != ONE
    return (goal, case) if lasts else None


def _in_household(goal: Goal, case: Case, members: int) -> tuple[Goal, Case] | None:
    """Return a promise, made for as many releases as it is, but for a household."""
    if not isinstance(goal, Promise):
        return None
    if goal.reach == ONE:
        case = replace(case, releases=1, used=0.0, used_delta=0.0)
    try:
        return replace(goal, reach=HOUSEHOLD), replace(case, household=members)
    except DomainError:  # others' δ promises so many people nothing
        return None


def _outcome(what: tuple[Goal, Case] | None, scale: float) -> Outcome:
    if what is None:
        return Outcome("", None)
    goal, case = what
    try:
        said, share = goal.achieved(case, scale), goal.reached(case, scale) / goal.limit
    except DomainError:  # what a record does not hold
        return Outcome("", None)
    above = isinstance(goal, BeliefGoal) and (case.prior or 0) >= goal.limit
    return Outcome(said, None if above or not math.isfinite(share) else share)
