"""Goals of several kinds, the ε that all of them allow, and the one that is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from numpy.typing import ArrayLike

from dpwidgets.calculators import worlds
from dpwidgets.calculators.candidates import AlikeError
from dpwidgets.calculators.choice._choice import Choice, choose
from dpwidgets.calculators.choice._goals import (
    BreachGoal,
    BudgetGoal,
    CountGoal,
    Goal,
    RiskGoal,
    rounded,
)
from dpwidgets.calculators.choice._record import NOT_FOR_PUBLISHING, Record, record
from dpwidgets.calculators.column import names_and_numbers
from dpwidgets.calculators.domain import EPSILON
from dpwidgets.notation import show


@dataclass(frozen=True)
class Decision:
    """Goals, what they allow together, and the ε that is chosen. Made by `decide`.

    Attributes
    ----------
    choice : Choice
        The goals and what they allow.
    epsilon : float
        The chosen ε.
    """

    choice: Choice
    epsilon: float

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals."""
        return self.choice.goals

    @property
    def suggestion(self) -> float:
        """The ε that `suggested` gives for these goals."""
        return suggested(self.choice)

    @property
    def met(self) -> tuple[bool, ...]:
        """Whether the chosen ε meets each goal."""
        return tuple(goal.interval().allows(self.epsilon) for goal in self.goals)

    @property
    def warning(self) -> str:
        """What to say where the goals depend on secret data."""
        return f"This ε {NOT_FOR_PUBLISHING}." if self.choice.from_data else ""

    @property
    def sentence(self) -> str:
        """What the goals allow, and how the chosen ε fares."""
        met, goals = sum(self.met), len(self.goals)
        fares = "meets the goal" if met == goals == 1 else f"meets {met} of {goals}"
        return f"{self.choice.sentence} ε = {show(self.epsilon)} {fares}."

    def record(self, about: str = "", names: str = "", date: str = "") -> Record:
        """Record the decision, without any data.

        Parameters
        ----------
        about, names, date : str
            What is released, who decided, and when.

        Returns
        -------
        Record
            The record.
        """
        rejected = [
            (
                f"“{goal.sentence}”",
                f"ε = {show(self.epsilon)} does not meet it: it needs an {goal.interval()}",
            )
            for goal, met in zip(self.goals, self.met, strict=True)
            if not met
        ]
        return record(
            self.epsilon,
            self.goals,
            assumptions=self._assumptions(),
            rejected=rejected,
            about=about,
            names=names,
            date=date,
        )

    def _assumptions(self) -> dict[str, float]:
        """Return what the goals assume that a meaning of ε needs too.

        All else is as in the texts' examples.
        """
        assumed: dict[str, float] = {}
        for goal in self.goals:
            if isinstance(goal, CountGoal):
                assumed |= {"confidence": goal.confidence}
                assumed |= {} if goal.count is None else {"count": goal.count}
            elif isinstance(goal, BreachGoal):
                assumed |= {"prior": goal.prior}
            elif isinstance(goal, BudgetGoal):
                assumed |= {"compositions": goal.releases} | (
                    {"delta": goal.delta} if goal.delta else {}
                )
        return assumed


def suggested(chosen: Choice) -> float:
    """Return the ε that an explorer starts from: the most private one that meets every goal.

    Where the goals only ask for a small ε it is the largest allowed. Where they contradict each
    other it is the largest that keeps all promises about people, as a count can be published later
    and a promise cannot be taken back.

    Examples
    --------
    >>> suggested(choose([CountGoal(100, half_width=0.2, confidence=0.8)]))
    0.0805
    >>> suggested(choose([BreachGoal(prior=0.1, posterior=0.2)]))
    0.81
    """
    feasible = chosen.feasible
    if feasible.low and not feasible.empty:
        for digits in range(3, 17):  # more than three where so few would leave the interval
            epsilon = rounded(feasible.low, up=True, digits=digits)
            if feasible.allows(epsilon):
                return epsilon
        return feasible.low
    if 0 < feasible.high < math.inf:
        return rounded(feasible.high, up=False)
    return 1.0


def decide(
    *,
    count: float | None = None,
    half_width: float = 0.2,
    confidence: float = 0.8,
    values: ArrayLike | Mapping[str, float] | None = None,
    query: str = "mean",
    risk: float = 1 / 3,
    prior: float | None = None,
    posterior: float = 0.2,
    releases: int | None = None,
    total: float = 1.0,
    delta: float = 1e-6,
    mechanism: str = "laplace",
    epsilon: float | None = None,
) -> Decision:
    """Choose an ε for goals of up to four kinds; a kind is left out where its first argument is.

    Parameters
    ----------
    count, half_width, confidence : float
        A count shall be known this precisely, as in `choice.CountGoal`.
    values, query, risk : array_like or mapping, str, float
        Nobody shall recognise the record that is missing from this column, as in `choice.RiskGoal`.
    prior, posterior : float
        A belief shall not rise above another, as in `choice.BreachGoal`.
    releases, total, delta, mechanism : int, float, float, str
        Several releases shall stay within a budget, as in `choice.BudgetGoal`.
    epsilon : float, optional
        The chosen ε, from 1e-8 to 1000. By default a suggestion.

    Returns
    -------
    Decision
        What the goals allow together, or how they contradict each other, and the chosen ε.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or there is no goal.

    Examples
    --------
    >>> decided = decide(count=100, prior=0.1)
    >>> print(decided.sentence)
    Any ε from 0.0805 to 0.81 meets all 2 goals. ε = 0.0805 meets 2 of 2.
    """
    goals: list[Goal] = []
    if count is not None:
        goals.append(CountGoal(count, half_width, confidence))
    if values is not None:
        _, numbers = names_and_numbers(values)
        make = _worlds if isinstance(query, str) else worlds.Worlds  # which tells what is wrong
        try:
            goals.append(RiskGoal(make(numbers, query), risk))
        except AlikeError:  # nobody learns anything, whatever ε is
            goals.append(RiskGoal(None, risk, kept="inf"))
    if prior is not None:
        goals.append(BreachGoal(prior, posterior))
    if releases is not None:
        goals.append(BudgetGoal(releases, total, delta, mechanism))
    chosen = choose(goals)
    return Decision(
        chosen, suggested(chosen) if epsilon is None else EPSILON.check_one("epsilon", epsilon)
    )


@lru_cache(maxsize=4)
def _worlds(values: tuple[float, ...], query: str) -> worlds.Worlds:
    return worlds.Worlds(values, query)
