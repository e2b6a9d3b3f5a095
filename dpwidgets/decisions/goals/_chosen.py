"""What every decision is: what is published, what is promised of it, and what sets its noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from dpwidgets.decisions.case import Limits
from dpwidgets.decisions.goals._choice import Choice
from dpwidgets.decisions.goals._goals import Goal
from dpwidgets.decisions.goals._stress import (
    Stress,
    broken,
    lasts,
    stress,
)
from dpwidgets.inputs.domain import Domain
from dpwidgets.inputs.notation import several

#: What a decision is about, and of which kind its goals are.
Of = TypeVar("Of", bound=Limits)
Kind = TypeVar("Kind", bound=Goal[Any])


#: What a record says of an ε that was chosen with secret data.
NOT_FOR_PUBLISHING = "depends on your data: not for publishing"
#: Under the class of what a decision is about its kind of record: the room
#: `record` above fills it.
RECORDS: dict[type, Any] = {}


@dataclass(frozen=True)
class Decision(ABC, Generic[Of, Kind]):
    """A case or a plan, the goals for it, and the number that is chosen for its noise.

    Parameters
    ----------
    whole : Case or Plan
        What is published, and how.
    goals : tuple of Goal
        What the number is chosen for.
    number : float or None
        The chosen number: of a case the ε of one release, of a plan the factor
        of all noise. None where none was given and the goals suggest none.
    """

    whole: Of
    goals: tuple[Kind, ...]
    number: float | None

    called: ClassVar[str]
    """How the number is called."""
    domain: ClassVar[Domain]
    """What it may be."""

    def __post_init__(self) -> None:
        if self.number is not None:
            number = self.domain.check_one(self.called, self.number)
            object.__setattr__(self, "number", number)

    @property
    def choice(self) -> Choice:
        """What the goals allow together."""
        return _choice(self.whole, self.goals)

    @property
    @abstractmethod
    def suggestion(self) -> float | None:
        """The number that is suggested for these goals, or None."""

    @property
    def noise(self) -> float | None:
        """What sets the noise, as `Limits` takes it: a scale or a factor; None without a number."""
        return self.number

    @property
    @abstractmethod
    def sentence(self) -> str:
        """What the goals allow, and how the chosen number fares."""

    def chosen(self, number: float | None) -> Self:
        """Return the same with this number, or with the one that is suggested."""
        if number is None:
            number = self.suggestion
        return replace(self, number=number)

    def record(self, **words: str) -> Any:
        """Record the decision, with what only people can say: the fields `WORDS` of `Record`."""
        return RECORDS[type(self.whole)].of(self, **words)

    @cached_property
    def met(self) -> tuple[bool, ...]:
        """Whether the chosen number meets each goal; nothing without one."""
        noise = self.noise
        if noise is None:
            return ()
        return tuple(goal.met(self.whole, noise) for goal in self.goals)

    @property
    def every_met(self) -> tuple[bool, ...]:
        """Whether each goal is met, with those that its parts have of their own."""
        return self.met

    @property
    def outcome(self) -> str:
        """Whether goals are met, in words, and if all were otherwise; nothing without a number."""
        every = self.every_met
        if not every:
            return ""
        met = sum(every)
        are = "is" if 1 in (met, len(every)) else "are"
        fare = f"{met} of {several(len(every), 'goal')} {are} met."
        return f"{fare} {broken(self.stress, self.met)}".strip()

    @cached_property
    def stress(self) -> tuple[Stress, ...]:
        """What becomes of each goal when what was supposed turns out otherwise."""
        if self.noise is None:
            return ()
        return stress(self.whole, self.goals, self.noise)

    @cached_property
    def lasting(self) -> tuple[str, ...]:
        """How many more times the same fits, for each goal; nothing without a number."""
        if self.noise is None:
            return ()
        scale = self.noise
        return tuple(lasts(goal, self.whole, scale) for goal in self.goals)

    @property
    def from_data(self) -> bool:
        """Whether a goal depends on secret data, so that the number is not for publishing."""
        return any(goal.from_data for goal in self.goals)


# While only the number moves, the goals allow what they did.
_choice = lru_cache(maxsize=4)(Choice)
