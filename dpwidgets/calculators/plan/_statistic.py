"""One statistic of a plan: what is published, how precise it must be, and how a line says so."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import AT_ONCE, EACH, ErrorGoal, Goal, IntervalGoal
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import DomainError, must_be
from dpwidgets.inputs.outside import checked_text, described, quoted

_LONGEST_NAME = 30
#: What a case says of people, and a plan of all its statistics together.
_OF_THE_PLAN = {"used": 0.0, "used_delta": 0.0, "household": 1, "prior": None}
_CASE = fields(Case)
_WORDS = {"half_width", "at_once", "error", "scale", *(field.name for field in _CASE)}


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

    def __post_init__(self) -> None:
        if not checked_text("name", self.name, _LONGEST_NAME).strip():
            raise must_be("name", "a word or a few; it is empty")
        if re.search(r"[:\n\r]", self.name):
            raise must_be("name", f"without colons and line breaks; got {quoted(self.name)}")
        unit = self.case.unit
        if re.search(r"[,\n\r]", unit):
            raise must_be("unit", f"without commas and line breaks; got {quoted(unit)}")
        for field, plain in _OF_THE_PLAN.items():
            if getattr(self.case, field) != plain:
                raise must_be(field, f"said of the plan, not of {self.name}")
        for goal in self.goals:
            if not isinstance(goal, Goal) or goal.promise:
                raise TypeError(f"goals must be goals of precision; got {described(goal)}")
        if self.scale is not None:
            object.__setattr__(self, "scale", SCALE.check_one("scale", self.scale))
        if not math.isfinite(self.largest_scale):
            say = "say how far off it may be, as error or half_width, or fix its scale"
            raise DomainError("goals", f"goals must bound the noise of {self.name}: {say}")

    @property
    def largest_scale(self) -> float:
        """The largest scale of the noise that its goals allow, or the one that is fixed."""
        if self.scale is not None:
            return self.scale
        allowed = [(goal, goal.scales(self.case)) for goal in self.goals]
        for goal, one in allowed:
            if one.empty:
                why = f"no noise meets the goal {goal.kind} of {self.name}: {one.reason}"
                raise DomainError("goals", why)
        return min((one.high for _, one in allowed), default=math.inf)

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
            `at_once=yes` as in `IntervalGoal`; `error` as in `ErrorGoal`; `scale`.
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
            what = "a statistic is a name, a colon and what is published"
            raise ValueError(f"{what}; got {quoted(line)}")
        given = dict(common)
        for part in filter(None, map(str.strip, rest.split(","))):
            word, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or word not in _WORDS:
                raise ValueError(f"{quoted(part)} must be a word of a case, = and a value")
            given[word] = _value(value)
        goals: list[Goal] = []
        scale = given.pop("scale", None)
        if "half_width" in given:
            at_once = given.pop("at_once", "no") in ("yes", True)
            goals.append(IntervalGoal(given.pop("half_width"), AT_ONCE if at_once else EACH))
        if "error" in given:
            goals.append(ErrorGoal(given.pop("error")))
        return cls(name=name.strip(), case=Case(**given), goals=tuple(goals), scale=scale)

    def line(self) -> str:
        """Write the line that `read` reads."""
        words = ((field.name, getattr(self.case, field.name), field.default) for field in _CASE)
        said = {name: value for name, value, plain in words if value not in (None, plain)}
        for goal in self.goals:
            said[goal.limits] = goal.limit
            if isinstance(goal, IntervalGoal) and goal.cells == AT_ONCE:
                said["at_once"] = "yes"
        said |= {} if self.scale is None else {"scale": self.scale}
        return f"{self.name}: " + ", ".join(f"{one}={_written(two)}" for one, two in said.items())


def _value(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _written(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
