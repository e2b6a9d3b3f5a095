"""How long promises last: how many more times the same may be published, and what they become."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import ALL, ONE, Limits
from dpwidgets.decisions.choice._goals import Goal
from dpwidgets.decisions.choice._page import Row
from dpwidgets.decisions.choice._protection import Promise
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import at_most

#: After how many times of the same it is said what promises have become.
TIMES = (2, 3, 5)
#: Of more times nothing is said.
MOST = 100
EACH = "each has noise of its own, and is as precise"


class Lasting(NamedTuple):
    """How long one goal lasts.

    Attributes
    ----------
    goal : Goal
        The goal.
    more : int or None
        How many more times the same may be published until the goal is not
        met, at most `MOST`; -1 where it is not met now. None where repeating
        does nothing to the goal, or nobody can tell.
    at_least : bool
        Whether it may be published more often than that, which nobody can tell.
    becomes : tuple of str
        What becomes of the goal's number after each of `TIMES`, in words; of a
        promise about one release, for all together.
    """

    goal: Goal[Any]
    more: int | None
    becomes: tuple[str, ...]
    at_least: bool = False

    @property
    def said(self) -> str:
        """How many more times the same fits, in words."""
        if not isinstance(self.goal, Promise):
            return EACH
        if not any(self.becomes):
            return "it cannot be told here"
        if self.more is None:
            return "any number, each by itself; together they are:"
        if self.more < 0:
            return "it is not kept now"
        if self.more == 0:
            return "no more"
        at_least = "at least " if self.at_least else ""
        return f"{at_least}{self.more:,} more"

    @property
    def row(self) -> Row:
        """The row of a record that says it."""
        return (self.goal.kind, self.said, *self.becomes)


def lasting(
    whole: Limits, goals: Iterable[Goal[Any]], noise: float
) -> tuple[Lasting, ...]:
    """Tell of each goal how long it lasts, if the same is published again and again.

    Parameters
    ----------
    whole : Case or Plan
        What is published.
    goals : iterable of Goal
        The goals for it.
    noise : float
        What sets its noise, as `Limits` takes it: a scale, or a factor.

    Returns
    -------
    tuple of Lasting
        One for each goal.

    Examples
    --------
    >>> from dpwidgets.decisions import choice
    >>> year = choice.Case(published="count", releases=4, prior=0.2)
    >>> goal = choice.BeliefGoal(0.5, reach="all releases")
    >>> (of_belief,) = lasting(year, [goal], 20)
    >>> of_belief.more, of_belief.becomes[0]
    (5, 'from 20% to at most 27.2%')
    """
    return tuple(_of_one(whole, goal, noise) for goal in goals)


def _of_one(whole: Limits, goal: Goal[Any], noise: float) -> Lasting:
    unknown = Lasting(goal, None, ("",) * len(TIMES))
    if not isinstance(goal, Promise):
        return unknown
    together = replace(goal, reach=ALL) if goal.reach == ONE else goal
    try:
        together.reached(whole, noise)
        becomes = tuple(
            together.achieved(whole.repeated(times), noise) for times in TIMES
        )
    except DomainError:  # no column, or more releases than any law counts
        return unknown
    if goal.reach == ONE:
        return Lasting(goal, None, becomes)
    untold = MOST + 2  # the fewest times of which nothing can be told

    def fits(times: int) -> bool:
        nonlocal untold
        try:
            number = goal.reached(whole.repeated(times), noise)
        except DomainError:  # as above
            untold = times
            return False
        return at_most(number, goal.limit)

    longest = most(fits, MOST + 1)
    return Lasting(goal, longest - 1, becomes, longest + 1 == untold)
