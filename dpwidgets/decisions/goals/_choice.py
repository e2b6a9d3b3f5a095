"""Several goals together: the noise that all allow, or which contradict each other."""

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals._goals import Feasible, Goal, checked
from dpwidgets.decisions.goals._precision import Precision
from dpwidgets.decisions.goals._protection import Promise
from dpwidgets.inputs.domain import EPSILON, DomainError
from dpwidgets.inputs.notation import every, rounded, several

_SAID = 2  # conflicts in a sentence; a record has all of them


@dataclass(frozen=True)
class Conflict:
    """A goal and a promise that no noise meets together, and how each would have to give way.

    Parameters
    ----------
    case : Case
        The case.
    precise : Precision
        The goal that needs noise so small.
    promise : Promise
        The promise that needs noise so large.
    """

    case: Case
    precise: Precision
    promise: Promise[Case]

    @property
    def smallest(self) -> float:
        """The smallest scale that the promise allows."""
        return self.promise.scales(self.case).low

    @property
    def largest(self) -> float:
        """The largest scale that the goal allows."""
        return self.precise.scales(self.case).high

    @cached_property
    def precise_fit(self) -> Precision | None:
        """The goal with the number that would fit if the promise stands; None if none does."""
        return self.precise.fitting(self.case, self.smallest)

    @cached_property
    def promise_fit(self) -> Promise[Case] | None:
        """The promise with the number that would fit if the goal stands; None if none does."""
        return self.promise.fitting(self.case, self.largest)

    @cached_property
    def releases(self) -> int:
        """How many releases would fit if both stand.

        0 if not even one does, or where what it needs is not in the record.
        """
        largest = self.largest

        def fits(releases: int) -> bool:
            fewer = self.case.with_releases(releases)
            return self.promise.met(fewer, largest)

        return most(fits, self.case.releases - 1)

    @property
    def apart(self) -> float:
        """How many times as large the smallest is as the largest."""
        return self.smallest / self.largest

    @property
    def sentence(self) -> str:
        """The conflict in words."""
        case = self.case
        needs = []
        for goal in (self.precise, self.promise):
            allowed = goal.scales(case).sentence(case)
            needs.append(f"“{goal.sentence(case)}” needs {allowed}.")
        fits = filter(None, (self.precise_fit, self.promise_fit))
        ways = [f"“{fit.sentence(case)}”" for fit in fits]
        if self.releases:
            ways.append(f"at most {several(self.releases, 'release')}.")
        if not ways:
            end = "Neither can give way."
        else:
            which = "any of these changes" if len(ways) > 1 else "this change"
            enough = f"For these two, {which} is enough"
            end = f"{enough}: {' Or: '.join(ways)}"
        return " ".join([*needs, end])


class Option(NamedTuple):
    """One ε out of the range that all goals allow, and what it buys.

    Attributes
    ----------
    name : str
        "most private", "middle" or "most precise".
    epsilon : float
        The ε of one release.
    buys : str
        What the number of each goal becomes.
    """

    name: str
    epsilon: float
    buys: str


@dataclass(frozen=True)
class Choice:
    """What several goals together allow. `choose` makes one.

    Parameters
    ----------
    case : Case
        The case.
    goals : tuple of Goal
        The goals.
    """

    case: Case
    goals: tuple[Goal[Case], ...]

    @cached_property
    def feasible(self) -> Feasible:
        """The scales of the noise that all goals allow."""
        allowed = [goal.scales(self.case) for goal in self.goals]
        low = max((scales.low for scales in allowed), default=0.0)
        high = min(
            scales.high for scales in (*allowed, Feasible(high=self.case.most))
        )
        reasons = [scales.reason for scales in allowed if scales.reason]
        # A scale that is searched for is a little larger than it need be.
        if high < low and not reasons and self._all_met(high):
            low = high
        return Feasible(low, high, "".join(reasons[:1]))

    def _all_met(self, scale: float) -> bool:
        return all(goal.met(self.case, scale) for goal in self.goals)

    @property
    def promises(self) -> tuple[Promise[Case], ...]:
        """Those of the goals that are promises."""
        return tuple(goal for goal in self.goals if isinstance(goal, Promise))

    @property
    def impossible(self) -> list[Goal[Case]]:
        """The goals that no noise meets."""
        return [goal for goal in self.goals if goal.scales(self.case).empty]

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The pairs that contradict each other, the one that is furthest apart first."""
        precise = [goal for goal in self.goals if isinstance(goal, Precision)]
        conflicts = []
        for pair in product(precise, self.promises):
            together = Choice(self.case, pair)
            if together.feasible.empty and not together.impossible:
                conflicts.append(Conflict(self.case, *pair))
        conflicts.sort(key=lambda conflict: conflict.apart, reverse=True)
        return tuple(conflicts)

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Each goal that no noise meets and each pair that contradicts itself, in a sentence."""
        obstacles = []
        for goal in self.impossible:
            reason = goal.scales(self.case).reason
            sentence = goal.sentence(self.case)
            obstacles.append(f"No noise meets “{sentence}”: {reason}.")
        for conflict in self.conflicts:
            obstacles.append(conflict.sentence)
        return tuple(obstacles)

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return self.beside(None)

    def beside(self, epsilon: float | None) -> str:
        """Say the outcome so that it agrees with an ε that is chosen."""
        if self.feasible.empty:
            said = len(self.impossible) + _SAID
            more = len(self.obstacles[said:])
            end = (
                [f"And {several(more, 'more contradiction')}."] if more else []
            )
            return " ".join([*self.obstacles[:said], *end])
        goals = every(len(self.goals), "goal")
        noise = self.allowed(epsilon)
        noise = f"{noise[0].upper()}{noise[1:]}"
        return f"{noise}, meets {goals}.".replace("noise,", "noise")

    def allowed(self, epsilon: float | None = None) -> str:
        """Say which noise all goals allow; an ε that meets them all is seen to be allowed."""
        if epsilon and not self._all_met(self.case.scale(epsilon)):
            epsilon = None
        return self.feasible.sentence(self.case, epsilon)

    def buys(self, epsilon: float) -> str:
        """Say what the number of each goal becomes at this ε."""
        scale = self.case.scale(epsilon)
        numbers = []
        for goal in self.goals:
            # A number that a record does not hold, or the case lacks.
            with suppress(DomainError):
                numbers.append(goal.achieved(self.case, scale))
        return "; ".join(numbers)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The ε that stand to reason inside the range, none of them better than the others.

        The most private one that all goals allow, the most precise one, and
        the middle of the two by their ratio; only those ends that some goal
        sets.
        """
        if self.feasible.empty:
            return ()
        low, high = self.feasible.epsilons(self.case)
        middle = rounded(math.sqrt(low * high), up=False) if low else 0.0
        # Of a narrow range the middle, and even both ends, may be one ε.
        ends = {
            min(max(middle, low), high): "middle",
            high: "most precise",
            low: "most private",
        }
        options = []
        for epsilon, name in sorted(ends.items()):
            # Neither an open end, nor an ε that had to be smaller than any.
            is_one = EPSILON.low <= epsilon <= EPSILON.high
            if is_one and self.feasible.allows(self.case.scale(epsilon)):
                options.append(Option(name, epsilon, self.buys(epsilon)))
        return tuple(options)

    @property
    def suggested(self) -> float | None:
        """The ε that an explorer starts from: the most private one that meets every goal.

        Where the goals only ask for much noise it is the largest ε that they
        allow. Where they contradict each other it is the largest that keeps
        all promises: a number can be published later, and a promise cannot be
        taken back. None where a promise cannot be kept, no goal bounds the
        noise, or it must be larger than any ε stands for.
        """
        if not self.feasible.empty:
            return self.options[0].epsilon if self.options else None
        kept = Choice(self.case, self.promises)
        return None if kept.feasible.empty else kept.suggested


def choose(case: Case, goals: Iterable[Goal[Case]]) -> Choice:
    """Intersect the noise that each goal allows, or say which goals contradict each other.

    Parameters
    ----------
    case : Case
        What is published, and how.
    goals : iterable of Goal
        At least one goal.

    Returns
    -------
    Choice
        The scales of the noise that all allow, the goals that none meets, and
        the pairs that contradict each other.

    Raises
    ------
    TypeError, ValueError
        If one of them is no goal, or there is none.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> from dpwidgets.decisions.goals import BudgetGoal, IntervalGoal
    >>> case = Case(published="count", unit="patients", releases=12, delta=1e-6, reference=400,
    ...             confidence=0.95)
    >>> chosen = choose(case, [IntervalGoal(0.05), BudgetGoal(1)])
    >>> (conflict,) = chosen.conflicts
    >>> for goal in (conflict.precise_fit, conflict.promise_fit):
    ...     print(goal.sentence(case))
    The count shall lie within ±35.84 patients of the truth (8.96% of 400) with a probability of
    95%.
    All 12 releases together shall have ε = 1.8 and δ = 1e-6 at most.
    >>> conflict.releases
    6
    >>> from dataclasses import replace
    >>> print(choose(replace(case, releases=4), chosen.goals).sentence)
    A scale from 4 to 6.67 patients, which is ε from 0.15 to 0.25 for Δf = 1, meets both goals.
    """
    goals = checked(case, goals)
    if not goals:
        raise ValueError("goals must hold at least one goal; got none")
    return Choice(case, goals)
