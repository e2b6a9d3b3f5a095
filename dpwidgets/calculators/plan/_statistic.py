"""One statistic of a plan: what is published, how precise it must be, and how a line says so."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import AT_ONCE, EACH, ErrorGoal, Goal, IntervalGoal
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import DomainError, within
from dpwidgets.inputs.outside import checked_text, described, quoted

WEIGHT = within(0.01, 100)
_LONGEST_NAME = 30
#: What a case says of people, and a plan of all its statistics together.
_OF_THE_PLAN = {"used": 0.0, "used_delta": 0.0, "household": 1, "prior": None}
_CASE = {field.name for field in fields(Case)}
_OTHERS = ("half_width", "at_once", "error", "weight", "scale")


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """One statistic of a plan.

    Parameters
    ----------
    name : str
        What it is called, in at most 30 characters.
    case : Case
        What is published and how often. What concerns people is said by the plan.
    goals : tuple of Goal
        How precise it must be: goals that bound its noise from above.
    scale : float, optional
        The scale of its noise, where that is fixed; then it needs no goal.
    weight : float
        How much more precise it shall be than its goals ask for, beside the others, from 0.01 to
        100: twice the weight, half the noise.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or nothing bounds the noise.

    Examples
    --------
    >>> visits = Statistic.read("visits: published=table, cells=40, error=5")
    >>> visits.largest_scale
    5.0
    """

    name: str
    case: Case
    goals: tuple[Goal, ...] = ()
    scale: float | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not checked_text("name", self.name, _LONGEST_NAME).strip():
            raise DomainError("name", "name must be a word or a few; it is empty")
        if re.search(r"[:\n\r]", self.name):
            raise DomainError(
                "name", f"name must be without colons and line breaks; got {quoted(self.name)}"
            )
        if re.search(r"[,\n\r]", self.case.unit):
            raise DomainError(
                "unit",
                f"unit must be without commas and line breaks; got {quoted(self.case.unit)}",
            )
        for field, plain in _OF_THE_PLAN.items():
            if getattr(self.case, field) != plain:
                raise DomainError(field, f"{field} must be said of the plan, not of {self.name}")
        for goal in self.goals:
            if not isinstance(goal, Goal) or goal.promise:
                raise TypeError(f"goals must be goals of precision; got {described(goal)}")
        if self.scale is not None:
            object.__setattr__(self, "scale", SCALE.check_one("scale", self.scale))
        object.__setattr__(self, "weight", WEIGHT.check_one("weight", self.weight))
        if not math.isfinite(self.largest_scale):
            raise DomainError(
                "goals",
                f"goals must bound the noise of {self.name}: say how far off it may be, as error "
                "or half_width, or fix its scale",
            )

    @property
    def largest_scale(self) -> float:
        """The largest scale of the noise that its goals allow, or the one that is fixed."""
        if self.scale is not None:
            return self.scale
        allowed = [goal.scales(self.case) for goal in self.goals]
        for goal, one in zip(self.goals, allowed, strict=True):
            if one.empty:
                raise DomainError(
                    "goals", f"no noise meets the goal {goal.kind} of {self.name}: {one.reason}"
                )
        return min((one.high for one in allowed), default=math.inf)

    def achieved(self, scale: float) -> str:
        """Say what noise of this scale makes of its goals, or how far off it is without any."""
        said = [goal.achieved(self.case, scale) for goal in self.goals]
        return "; ".join(said) or f"off by {self.case.measured(self.case.error(scale))} on average"

    @classmethod
    def read(cls, line: str, **common: Any) -> Statistic:
        """Read a line such as ``visits: published=table, cells=40, error=5``.

        Parameters
        ----------
        line : str
            A name and a colon, and then, between commas, the fields of `Case`; `half_width` and
            `at_once=yes` as in `IntervalGoal`; `error` as in `ErrorGoal`; `weight`; `scale`.
        **common
            What a case takes that the line does not say.

        Returns
        -------
        Statistic
            The statistic.

        Raises
        ------
        TypeError, ValueError
            If a word is none of these, or its value is not what it must be.
        """
        name, colon, rest = checked_text("line", line).partition(":")
        if not colon:
            raise ValueError(
                f"a statistic is a name, a colon and what is published; got {quoted(line)}"
            )
        given = dict(common)
        for part in filter(None, map(str.strip, rest.split(","))):
            word, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or word not in _CASE | set(_OTHERS):
                raise ValueError(f"{quoted(part)} must be a word of a case, = and a value")
            given[word] = _value(value)
        goals: list[Goal] = []
        own = {word: given.pop(word) for word in _OTHERS if word in given}
        if "half_width" in own:
            at_once = own.pop("at_once", "no") in ("yes", True)
            goals.append(IntervalGoal(own.pop("half_width"), AT_ONCE if at_once else EACH))
        if "error" in own:
            goals.append(ErrorGoal(own.pop("error")))
        return cls(name=name.strip(), case=Case(**given), goals=tuple(goals), **own)

    def line(self) -> str:
        """Write the line that `read` reads."""
        said: dict[str, Any] = {}
        for field in fields(Case):
            value = getattr(self.case, field.name)
            if value not in (None, field.default):
                said[field.name] = value
        for goal in self.goals:
            said[goal.limits] = goal.limit
            if isinstance(goal, IntervalGoal) and goal.cells == AT_ONCE:
                said["at_once"] = "yes"
        said |= {} if self.weight == 1 else {"weight": self.weight}
        said |= {} if self.scale is None else {"scale": self.scale}
        return f"{self.name}: " + ", ".join(f"{one}={_written(two)}" for one, two in said.items())


def _value(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _written(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
