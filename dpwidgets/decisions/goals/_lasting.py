"""How long promises last: how many more times the same may be published, and what they become."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import Limits
from dpwidgets.decisions.goals._goals import Goal
from dpwidgets.decisions.goals._protection import Promise
from dpwidgets.decisions.goals._table import Row
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import at_most

#: After how many times of the same it is said what promises have become.
TIMES = (2, 3, 5)
#: Of more times nothing is said.
MOST = 100


class Lasting(NamedTuple):
    """How long one promise lasts.

    Attributes
    ----------
    goal : Promise
        The promise.
    more : int
        How many more times the same may be published until it is not kept, at
        most `MOST`; -1 where it is not kept now.
    at_least : bool
        Whether it may be published more often than that, which nobody can tell.
    becomes : tuple of str
        What becomes of its number after each of `TIMES`, in words.
    """

    goal: Promise[Any]
    more: int
    becomes: tuple[str, ...]
    at_least: bool = False

    @property
    def said(self) -> str:
        """How many more times the same fits, in words."""
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
    """Tell of each promise how long it lasts, if the same is published again and again.

    What is precise stays so, with noise of its own each time.

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
        One for each promise of which that can be told: not where the column is
        not in the record, or more releases are to be counted than any law does.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.goals import BeliefGoal
    >>> year = Case(published="count", releases=4, prior=0.2)
    >>> goal = BeliefGoal(0.5)
    >>> (of_belief,) = lasting(year, [goal], 20)
    >>> of_belief.more, of_belief.becomes[0]
    (5, 'from 20% to at most 27.2%')
    """
    told = []
    for goal in goals:
        if isinstance(goal, Promise):
            with suppress(DomainError):  # it cannot be told
                told.append(_of_one(whole, goal, noise))
    return tuple(told)


def _of_one(whole: Limits, goal: Promise[Any], noise: float) -> Lasting:
    goal.reached(whole, noise)
    becomes = tuple(
        goal.achieved(whole.repeated(times), noise) for times in TIMES
    )
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
