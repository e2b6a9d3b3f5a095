"""One statistic of a plan, and the line that says it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any, Unpack

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case, CaseFields
from dpwidgets.decisions.goals import (
    AT_ONCE,
    EACH,
    ErrorGoal,
    IntervalGoal,
    Precision,
)
from dpwidgets.inputs.domain import DomainError, must_be, one_of
from dpwidgets.inputs.notation import up
from dpwidgets.inputs.outside import (
    check_keywords,
    checked_text,
    described,
    nearest,
    quoted,
)
from dpwidgets.inputs.typed import parse

_LONGEST_NAME = 30
#: What a case says of people, and a plan of all its statistics together.
OF_THE_PLAN = ("household", "prior")
_FIELDS = fields(Case)
#: The words of a line that are no fields of a case.
_OF_GOALS = ("half_width", "at_once", "error", "scale")
_WORDS = (*_OF_GOALS, *(field.name for field in _FIELDS))
#: Those of which the value is a text.
_TEXTS = {"at_once"}
_TEXTS |= {field.name for field in _FIELDS if "domain" not in field.metadata}
#: What stands between two words of a line. A comma before a digit is a
#: number's: no word begins so.
_BETWEEN = re.compile(r",(?!\d)")


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """One statistic of a plan.

    Parameters
    ----------
    name : str
        What it is called, in at most 30 characters.
    case : Case
        What is published and how often. What concerns people is said by the
        plan.
    goals : tuple of Precision
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
    goals: tuple[Precision, ...] = ()
    scale: float | None = None

    def __post_init__(self) -> None:
        if not checked_text("name", self.name, _LONGEST_NAME).strip():
            raise must_be("name", "a word or a few; it is empty")
        if not isinstance(self.case, Case):
            raise TypeError(f"case must be a Case; got {described(self.case)}")
        _check_fits_in_a_line("name", self.name, ":")
        _check_fits_in_a_line("unit", self.case.unit, ",")
        for word in (*OF_THE_PLAN, "before"):
            if getattr(self.case, word) != getattr(Case, word):
                raise must_be(word, f"said of the plan, not of {self.name}")
        for goal in self.goals:
            self._check_goal(goal)
        kinds = [goal.kind for goal in self.goals]
        if len(set(kinds)) < len(kinds):
            raise must_be("goals", f"of kinds of their own; got {kinds}")
        if self.scale is not None:
            scale = SCALE.check_one("scale", self.scale)
            object.__setattr__(self, "scale", scale)
            if not all(self.met(scale)):
                raise must_be(
                    "scale", f"one that meets the goals of {self.name}"
                )
        if not math.isfinite(self.largest_scale):
            say = "say how far off it may be, as error or half_width, or fix its scale"
            raise DomainError(
                "goals", f"goals must bound the noise of {self.name}: {say}"
            )

    def _check_goal(self, goal: Precision) -> None:
        if not isinstance(goal, Precision):
            raise TypeError(
                f"goals must be goals of precision; got {described(goal)}"
            )
        reason = goal.scales(self.case).reason
        if reason:
            none = f"no noise meets the goal {goal.kind} of {self.name}"
            raise DomainError("goals", f"{none}: {reason}")

    @property
    def largest_scale(self) -> float:
        """The largest scale of the noise that its goals allow, or the one that is fixed."""
        if self.scale is not None:
            return self.scale
        largest = [goal.largest_scale(self.case) for goal in self.goals]
        return min(largest, default=math.inf)

    def met(self, scale: float) -> list[bool]:
        """Tell of each goal whether noise of this scale meets it."""
        return [goal.met(self.case, scale) for goal in self.goals]

    def achieved(self, scale: float) -> str:
        """Say what noise of this scale makes of its goals, or how far off it is without any."""
        if self.goals:
            numbers = []
            for goal, met in zip(self.goals, self.met(scale), strict=True):
                missed = "" if met else ", which misses its goal"
                numbers.append(f"{goal.achieved(self.case, scale)}{missed}")
            return "; ".join(numbers)
        off = up(self.case.error(scale), self.case.measured)
        return f"off by {off} on average"

    @classmethod
    def read(cls, line: str, **common: Unpack[CaseFields]) -> Statistic:
        """Read a line such as ``visits: published=table, cells=40, error=5``.

        Parameters
        ----------
        line : str
            A name and a colon, and then, between commas, words with their
            values, each word once: the fields of `Case`; `half_width` and, of
            a table, `at_once=yes` as in `IntervalGoal`; `error` as in
            `ErrorGoal`; `scale`. Numbers are written as `typed.parse` reads
            them. A comma before a digit is a decimal comma: ``error=0,5,
            low=−5``.
        **common
            What a case takes that the line does not say.

        Returns
        -------
        Statistic
            The statistic.

        Raises
        ------
        TypeError, ValueError
            If a word is none of these, stands twice or belongs to nothing, or
            its value is not what it must be.

        Examples
        --------
        >>> stay = Statistic.read("stay: published=mean, n=900, low=0, high=30, error=0,1")
        >>> stay.case.n, stay.goals
        (900, (ErrorGoal(error=0.1),))
        """
        check_keywords("Statistic.read", common, CaseFields.__annotations__)
        name, colon, rest = checked_text("line", line).partition(":")
        if not colon:
            raise ValueError(
                f"{quoted(line)} must be a name, a colon and what is published"
            )
        values = _values(rest)
        scale = values.pop("scale", None)
        at_once = values.pop("at_once", "")
        goals: list[Precision] = []
        if "half_width" in values:
            cells = AT_ONCE if at_once == "yes" else EACH
            goals.append(IntervalGoal(values.pop("half_width"), cells))
        elif at_once:
            raise must_be(
                "at_once", "left out without a half_width, which it is about"
            )
        if "error" in values:
            goals.append(ErrorGoal(values.pop("error")))
        case = Case(**{"published": None, **common, **values})
        return cls(
            name=name.strip(), case=case, goals=tuple(goals), scale=scale
        )

    def line(self) -> str:
        """Write the line that `read` reads."""
        values: dict[str, Any] = {}
        for field in _FIELDS:
            value = getattr(self.case, field.name)
            if value not in (None, field.default):
                values[field.name] = value
        for goal in self.goals:
            values[goal.limits] = goal.limit
            if isinstance(goal, IntervalGoal) and goal.cells == AT_ONCE:
                values["at_once"] = "yes"
        if self.scale is not None:
            values["scale"] = self.scale
        parts = []
        for word, value in values.items():
            text = str(value)
            if word not in _TEXTS:
                text = text.removesuffix(".0")
            parts.append(f"{word}={text}")
        return f"{self.name}: {', '.join(parts)}"


def _check_fits_in_a_line(word: str, text: str, sign: str) -> None:
    """Refuse a text that no line could say, since the sign that ends it stands in it."""
    if sign in text or [text] != text.splitlines():
        raise must_be(
            word, f"without {sign} and line breaks; got {quoted(text)}"
        )


def _values(text: str) -> dict[str, Any]:
    """Read the words of a line: each with its value, a number or a text."""
    values: dict[str, Any] = {}
    for part in map(str.strip, _BETWEEN.split(text)):
        if not part:
            continue
        word, equals, value = map(str.strip, part.partition("="))
        if not equals or word not in _WORDS:
            hint = "; a decimal comma has no space: 0,5"
            if equals:
                hint = nearest(word, _WORDS)
            raise ValueError(
                f"{quoted(part)} must be a word of a case, = and a value{hint}"
            )
        if word in values:
            raise ValueError(
                f"{word} must stand in the line once; it stands there twice"
            )
        if word == "at_once":
            one_of(word, value, ("yes", "no"))
        if word in _TEXTS:
            values[word] = value
            continue
        try:
            values[word] = parse(value)
        except ValueError as error:
            raise ValueError(f"{word}: {error}") from None
    return values
