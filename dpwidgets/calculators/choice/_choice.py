"""Several goals together: the ε that all allow, or which of them contradict each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dpwidgets.calculators.choice._goals import Feasible, Goal


@dataclass(frozen=True)
class Conflict:
    """Two goals that no ε meets together, and how each would have to give way.

    Parameters
    ----------
    large : Goal
        The goal that needs an ε so large.
    small : Goal
        The goal that needs one so small.
    large_fit, small_fit : Goal or None
        Each goal with the number that would fit if the other stands; None if no number does.
    """

    large: Goal
    small: Goal
    large_fit: Goal | None
    small_fit: Goal | None

    @property
    def sentence(self) -> str:
        """The conflict in words."""
        ways = [f"“{fit.sentence}”" for fit in (self.large_fit, self.small_fit) if fit]
        needs = " ".join(
            f"“{goal.sentence}” needs an {goal.interval()}." for goal in (self.large, self.small)
        )
        return f"{needs} " + (
            f"It would do to say: {' Or: '.join(ways)}" if ways else "Neither can give way."
        )


@dataclass(frozen=True)
class Choice:
    """What several goals together allow. `choose` makes one.

    Parameters
    ----------
    goals : tuple of Goal
        The goals.
    feasible : Feasible
        The ε that all of them allow.
    impossible : tuple of (Goal, str)
        The goals that no ε meets, each with the reason.
    conflicts : tuple of Conflict
        The pairs that contradict each other.
    """

    goals: tuple[Goal, ...]
    feasible: Feasible
    impossible: tuple[tuple[Goal, str], ...]
    conflicts: tuple[Conflict, ...]

    @property
    def from_data(self) -> bool:
        """Whether the ε depends on secret data, and is not for publishing."""
        return any(goal.from_data for goal in self.goals)

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        if self.feasible.empty:
            return " ".join(
                [f"No ε meets “{goal.sentence}”: {reason}." for goal, reason in self.impossible]
                + [conflict.sentence for conflict in self.conflicts]
            )
        whom = "the goal" if len(self.goals) == 1 else f"all {len(self.goals)} goals"
        return f"Any {str(self.feasible).removeprefix('any ')} meets {whom}."


def choose(goals: Iterable[Goal]) -> Choice:
    """Intersect the ε that each goal allows, or say which goals contradict each other.

    Parameters
    ----------
    goals : iterable of Goal
        At least one goal.

    Returns
    -------
    Choice
        The ε that all allow, the goals that none meets, and the pairs that contradict each other.

    Raises
    ------
    TypeError, ValueError
        If one of them is no goal, or there is none.

    Examples
    --------
    >>> from dpwidgets.calculators import choice
    >>> count = choice.CountGoal(100, half_width=0.2, confidence=0.8)
    >>> goals = [count, choice.BreachGoal(prior=0.1, posterior=0.2)]
    >>> print(choose(goals).sentence)
    Any ε from 0.0805 to 0.81 meets all 2 goals.
    >>> (conflict,) = choose([choice.CountGoal(10, 0.1, 0.9), goals[1]]).conflicts
    >>> for goal in (conflict.large_fit, conflict.small_fit):
    ...     print(goal.sentence)
    A count of 10 shall lie within ±28.4% with a probability of 90%.
    A belief of 10% about anybody shall not become one above 52.7%.
    """
    if not isinstance(goals, Iterable):
        raise TypeError(f"goals must be goals; got one of type {type(goals).__name__}")
    goals = tuple(goals)
    if not goals:
        raise ValueError("goals must hold at least one goal; got none")
    for goal in goals:
        if not isinstance(goal, Goal):
            raise TypeError(f"goals must be goals; got one of type {type(goal).__name__}")
    allowed = [goal.interval() for goal in goals]
    impossible = tuple(
        (goal, one.reason or "not even the smallest ε does")
        for goal, one in zip(goals, allowed, strict=True)
        if one.empty
    )
    possible = [(goal, one) for goal, one in zip(goals, allowed, strict=True) if not one.empty]
    conflicts = tuple(
        Conflict(large, small, large.fitting(most.high), small.fitting(least.low))
        for large, least in possible
        for small, most in possible
        if least.low > most.high
    )
    feasible = Feasible(max(one.low for one in allowed), min(one.high for one in allowed))
    return Choice(goals, feasible, impossible, conflicts)
