"""Several statistics about the same people, how a line says each, and what they tell together."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Unpack, cast

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import (
    ALL,
    ONE,
    Case,
    CaseFields,
    Limits,
    PrivacyLoss,
)
from dpwidgets.decisions.choice import Feasible, Goal, IntervalGoal, Promise
from dpwidgets.inputs.domain import EPSILON, DomainError, must_be, one_of
from dpwidgets.inputs.notation import fewest, rounded, up
from dpwidgets.inputs.outside import (
    check_keywords,
    checked_text,
    described,
    nearest,
    quoted,
)
from dpwidgets.inputs.typed import parse

MOST = 40
_LONGEST_NAME = 30
#: What a case says of people, and a plan of all its statistics together.
_OF_THE_PLAN = ("used", "used_delta", "used_rho", "household", "prior")
#: The fields of a plan that are about people.
OF_PEOPLE = ("delta", *_OF_THE_PLAN)
_CASE = fields(Case)
_WORDS = (
    "half_width",
    "at_once",
    "error",
    "scale",
    *(one.name for one in _CASE),
)
#: Those of which the value is a text.
_TEXTS = {
    "at_once",
    *(one.name for one in _CASE if "domain" not in one.metadata),
}
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
        for word, text, sign in (
            ("name", self.name, ":"),
            ("unit", self.case.unit, ","),
        ):
            # No line could say it.
            if sign in text or [text] != text.splitlines():
                raise must_be(
                    word, f"without {sign} and line breaks; got {quoted(text)}"
                )
        for word in _OF_THE_PLAN:
            if getattr(self.case, word) != getattr(Case, word):
                raise must_be(word, f"said of the plan, not of {self.name}")
        for goal in self.goals:
            if not isinstance(goal, Goal) or goal.promise:
                raise TypeError(
                    f"goals must be goals of precision; got {described(goal)}"
                )
            if isinstance(goal, IntervalGoal) and goal.cells == choice.AT_ONCE:
                _check_several(self.case)
            if why := goal.scales(self.case).reason:
                none = f"no noise meets the goal {goal.kind} of {self.name}"
                raise DomainError("goals", f"{none}: {why}")
        if self.scale is not None:
            object.__setattr__(
                self, "scale", SCALE.check_one("scale", self.scale)
            )
        if not math.isfinite(self.largest_scale):
            say = "say how far off it may be, as error or half_width, or fix its scale"
            raise DomainError(
                "goals", f"goals must bound the noise of {self.name}: {say}"
            )

    @property
    def largest_scale(self) -> float:
        """The largest scale of the noise that its goals allow, or the one that is fixed."""
        if self.scale is not None:
            return self.scale
        return min(
            (goal.scales(self.case).high for goal in self.goals),
            default=math.inf,
        )

    def written(self, scale: float) -> str:
        """Write a scale, rounded up, with as many digits as it takes to meet the same goals."""

        def met(scale: float) -> list[bool]:
            return [goal.met(self.case, scale) for goal in self.goals]

        digits = fewest(
            lambda digits: met(rounded(scale, digits, up=True)) == met(scale)
        )
        return up(scale, self.case.measured, digits)

    def achieved(self, scale: float) -> str:
        """Say what noise of this scale makes of its goals, or how far off it is without any."""
        said = [goal.achieved(self.case, scale) for goal in self.goals]
        off = up(self.case.error(scale), self.case.measured)
        return "; ".join(said) or f"off by {off} on average"

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
        """
        check_keywords("Statistic.read", common, CaseFields.__annotations__)
        name, colon, rest = checked_text("line", line).partition(":")
        if not colon:
            raise ValueError(
                f"{quoted(line)} must be a name, a colon and what is published"
            )
        said = _said(rest)
        scale, at_once = said.pop("scale", None), said.pop("at_once", "")
        goals: list[Goal] = []
        if "half_width" in said:
            cells = choice.AT_ONCE if at_once == "yes" else choice.EACH
            goals.append(IntervalGoal(said.pop("half_width"), cells))
        elif at_once:
            raise must_be(
                "at_once", "left out without a half_width, which it is about"
            )
        if "error" in said:
            goals.append(choice.ErrorGoal(said.pop("error")))
        case = Case(**{"published": None, **common, **said})
        if at_once:
            _check_several(case)
        return cls(
            name=name.strip(), case=case, goals=tuple(goals), scale=scale
        )

    def line(self) -> str:
        """Write the line that `read` reads."""
        words = (
            (one.name, getattr(self.case, one.name), one.default)
            for one in _CASE
        )
        said = {
            name: value
            for name, value, plain in words
            if value not in (None, plain)
        }
        for goal in self.goals:
            said[goal.limits] = goal.limit
            if isinstance(goal, IntervalGoal) and goal.cells == choice.AT_ONCE:
                said["at_once"] = "yes"
        if self.scale is not None:
            said["scale"] = self.scale
        parts = (
            f"{word}={str(value).removesuffix('.0')}"
            for word, value in said.items()
        )
        return f"{self.name}: {', '.join(parts)}"


def _check_several(case: Case) -> None:
    if not (case.cells or case.groups):
        raise must_be(
            "at_once",
            f"left out for a {case.published}: it is a single number",
        )


def _said(text: str) -> dict[str, Any]:
    """Read the words of a line: each with its value, a number or a text."""
    said: dict[str, Any] = {}
    for part in filter(None, map(str.strip, _BETWEEN.split(text))):
        word, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or word not in _WORDS:
            hint = (
                nearest(word, _WORDS)
                if equals
                else "; a decimal comma has no space: 0,5"
            )
            raise ValueError(
                f"{quoted(part)} must be a word of a case, = and a value{hint}"
            )
        if word in said:
            raise ValueError(
                f"{word} must stand in the line once; it stands there twice"
            )
        if word == "at_once":
            one_of(word, value, ("yes", "no"))
        said[word] = value
        if word not in _TEXTS:
            try:
                said[word] = parse(value)
            except ValueError as error:
                raise ValueError(f"{word}: {error}") from None
    return said


@dataclass(frozen=True, kw_only=True)
class Plan(Limits):
    """What is going to be published about the same people, and what is promised to them.

    One number moves it. Each statistic has the largest noise that its goals
    allow, times a common factor: at 1 all are as private as their goals allow,
    and with a smaller factor all are more precise. Where a case has a scale,
    the methods of a plan take that factor.

    Parameters
    ----------
    statistics : sequence of Statistic
        What is published, at most 40 of them, with the same neighbours.
    promises : sequence of Promise
        What is promised of all of them together; each for all releases.
    delta, used, used_delta, used_rho, household, prior
        As in `Case`, for all statistics. They are read at `delta` together.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the statistics do not go
        together.

    Examples
    --------
    >>> from dpwidgets.decisions import choice
    >>> plan = Plan(
    ...     statistics=[
    ...         Statistic.read("visits: published=table, cells=40, error=5, neighbours=replace"),
    ...         Statistic.read("stay: published=mean, n=900, low=0, high=30, error=0.1"),
    ...     ],
    ...     promises=[choice.BudgetGoal(2)],
    ... )
    >>> round(plan.total(1), 4), round(plan.factors.low, 4)
    (0.7333, 0.3667)
    """

    statistics: tuple[Statistic, ...]
    promises: tuple[Promise, ...] = ()
    neighbours: str | None = field(default=None, init=False)

    unit: ClassVar[str] = "times"
    precision: ClassVar[float] = 1e-5

    def __post_init__(self) -> None:
        for name, kind in {
            "statistics": Statistic,
            "promises": Promise,
        }.items():
            object.__setattr__(self, name, tuple(getattr(self, name)))
            for one in getattr(self, name):
                # A risk about a column belongs to one statistic.
                if not isinstance(one, kind) or isinstance(
                    one, choice.RiskGoal
                ):
                    wanted = f"{name} must be made of {kind.__name__}s"
                    raise TypeError(f"{wanted}; got {described(one)}")
        names = [one.name for one in self.statistics]
        if not 1 <= len(names) <= MOST:
            raise must_be("statistics", f"1 to {MOST}; got {len(names)}")
        if len(set(names)) < len(names):
            raise must_be("statistics", f"of names of their own; got {names}")
        neighbours, *others = {one.case.neighbours for one in self.statistics}
        if others:
            say = "a mean has 'replace': say neighbours=replace of the others"
            raise must_be("neighbours", f"the same in all statistics; {say}")
        object.__setattr__(self, "neighbours", neighbours)
        if any(promise.reach == ONE for promise in self.promises):
            raise must_be(
                "reach", "'all releases' or wider for the promises of a plan"
            )
        self._check_numbers()
        cases = self.cases  # none has fewer people than the household
        if self.delta == 0 and any(
            one.mechanism == "Gaussian" for one in cases
        ):
            raise must_be("delta", "above 0 for Gaussian noise; got 0")

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The case of each statistic, with the plan's household."""
        if self.household == 1:  # as a case has it
            return tuple(one.case for one in self.statistics)
        return tuple(
            replace(one.case, household=self.household)
            for one in self.statistics
        )

    def scales(self, factor: float) -> tuple[float, ...]:
        """Return the scale of each statistic's noise; a fixed one stays."""
        return tuple(
            one.scale or one.largest_scale * factor for one in self.statistics
        )

    def counted(self, reach: str) -> tuple[int, int]:
        return sum(case.counted(reach)[0] for case in self.cases), self.people(
            reach
        )

    def delta_of(self, reach: str) -> float:
        several = len(self.cases) > 1 or self.rho_of_others(reach)
        return (
            self.delta
            if several
            else replace(self.cases[0], delta=self.delta).delta_of(reach)
        )

    def named(self, scale: float) -> list[tuple[str, Case, float]]:
        names = (one.name for one in self.statistics)
        return list(zip(names, self.cases, self.scales(scale), strict=True))

    def privacy_loss(
        self, scale: float, reach: str, *, attribute: bool = False
    ) -> PrivacyLoss:
        own = [
            case.privacy_loss(own, reach, attribute=attribute)
            for _, case, own in self.named(scale)
        ]
        parts = tuple(part for one in own for part in one.parts)
        return PrivacyLoss(
            parts,
            self.delta_of(reach),
            self.rho_of_others(reach, self.steps_between(attribute=attribute)),
        )

    @property
    def smallest_scale(self) -> float:
        return self.privacy_loss(1.0, ALL).shift / EPSILON.high

    @cached_property
    def as_case(self) -> Case:
        """The plan for a promise, which asks of a case only what a plan answers, too."""
        return cast(Case, self)

    @cached_property
    def factors(self) -> Feasible:
        """The factors that keep all promises, up to 1, which keeps all goals of precision."""
        allowed = [promise.scales(self.as_case) for promise in self.promises]
        reason = next((one.reason for one in allowed if one.empty), "")
        return Feasible(
            max((one.low for one in allowed), default=0.0), 1.0, reason
        )

    def keeps(self, factor: float) -> bool:
        """Tell whether this factor keeps all promises: quicker than the range of all factors."""
        return all(
            promise.keeps(self.as_case, factor) for promise in self.promises
        )

    def shares(self, factor: float) -> tuple[float, ...]:
        """Return which share of ρ each statistic has: ρ adds up, for every noise alike."""
        rho = [
            case.privacy_loss(own, ALL).rho()
            for _, case, own in self.named(factor)
        ]
        return tuple(one / sum(rho) for one in rho)

    def without(self, name: str) -> Plan:
        """Return the plan without one of its statistics."""
        return replace(
            self,
            statistics=tuple(
                one for one in self.statistics if one.name != name
            ),
        )

    def with_releases(self, count: int) -> Plan:
        """Return the plan with so many releases of each statistic."""
        several = (
            replace(one, case=replace(one.case, releases=count))
            for one in self.statistics
        )
        return replace(self, statistics=tuple(several))
