"""Goals of precision, what every goal is, and the noise that a goal allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache, partial
from typing import Any, ClassVar, TypeAlias

from dpwidgets.calculators import interval
from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import Case
from dpwidgets.inputs.domain import (
    EPSILON,
    Domain,
    DomainError,
    must_be,
    one_of,
)
from dpwidgets.inputs.notation import (
    ROUNDING,
    down,
    fewest,
    percent,
    rounded,
    show,
    up,
)
from dpwidgets.inputs.outside import described, fields_of

#: Whether each cell of a table lies close to the truth, or all of them do
#: together.
EACH, AT_ONCE = CELLS = ("each", "all at once")
_SLACKS = (0.0, ROUNDING, 2 * ROUNDING)  # `rounded` may be one of them below
Options: TypeAlias = Mapping[str, tuple[str, ...]]
#: Under each kind's name its class.
KINDS: dict[str, type[Goal]] = {}


@dataclass(frozen=True)
class Feasible:
    """The scales of the noise that a goal allows, or several goals together.

    Parameters
    ----------
    low, high : float
        The smallest and the largest scale, both allowed. A `low` of 0 allows
        noise as small as you like and an infinite `high` any large one.
    reason : str
        Why there is no such scale, if there is none.

    Examples
    --------
    >>> Feasible(4, 6.67).allows(5), Feasible(4, 3).empty
    (True, True)
    >>> print(Feasible(4, 6.67).sentence(Case(published="count", unit="patients")))
    a scale from 4 to 6.67 patients, which is ε from 0.15 to 0.25 for Δf = 1
    """

    low: float = 0.0
    high: float = math.inf
    reason: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is no such scale."""
        return bool(self.reason) or self.low > self.high * (1 + ROUNDING)

    def allows(self, scale: float) -> bool:
        """Tell whether this scale is one of them, but for rounding."""
        return not self.empty and self.low * (
            1 - ROUNDING
        ) <= scale <= self.high * (1 + ROUNDING)

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        0 and infinity stand for open ends, and 1e-8 for noise so large that ε
        would be smaller.
        """
        low = 0.0 if math.isinf(self.high) else case.epsilon(self.high)
        return low, case.epsilon(self.low) if self.low else math.inf

    def sentence(
        self,
        case: Case,
        beside: tuple[float, float] | None = None,
        *,
        delta: bool = True,
    ) -> str:
        """Say which scales they are, which ε, and for which δ if the noise needs one.

        Parameters
        ----------
        case : Case
            The case.
        beside : (float, float), optional
            A scale and its ε that are written beside them. Where they are
            allowed they lie in the ranges as these are written, which takes
            more digits where they are near an end.
        delta : bool
            Whether to say δ.
        """
        if self.empty:
            return "no noise"
        if not self.low and math.isinf(self.high):
            return "any noise"
        least, most = self.epsilons(case)
        held = beside if beside and self.allows(beside[0]) else (None, None)
        ranges = list(
            zip(((self.low, self.high), (least, most)), held, strict=True)
        )
        digits = fewest(
            lambda digits: all(
                _hold(*ends, one, digits) for ends, one in ranges
            )
        )
        small = up(self.low, case.measured, digits)
        large = down(self.high, case.measured, digits)
        above, at_most = up(least, show, digits), down(most, show, digits)
        # Gaussian noise that is larger has ε = 0 at its δ.
        if least <= EPSILON.low:
            above = "0"
        if math.isinf(self.high):
            words = (
                f"a scale of at least {small}, which is ε of at most {at_most}"
            )
        elif not self.low:
            words = (
                f"a scale of at most {large}, which is ε of at least {above}"
            )
        else:
            both = f"ε from {above} to {at_most}"
            words = (
                f"a scale from {small.split()[0]} to {large}, which is {both}"
            )
        named = (
            f" and δ = {up(case.delta)}"
            if delta and case.mechanism == "Gaussian"
            else ""
        )
        return f"{words} for Δf = {up(case.sensitivity, show, 6)}{named}"


def _hold(low: float, high: float, one: float | None, digits: int) -> bool:
    """Tell whether a range, rounded so that it does not become wider, holds a number, or any."""
    least, most = (
        rounded(low, digits, up=True),
        rounded(high, digits, up=False),
    )
    return least <= most if one is None else least <= one <= most


@dataclass(frozen=True)
class Goal(ABC):
    """What a goal is: a limit for a number that the noise sets, and the noise that keeps it.

    A goal about precision bounds the scale from above; a promise to people
    bounds it from below, and says for what it holds: its `reach`.

    Raises
    ------
    TypeError, ValueError
        If its limit, or another of its arguments, lies outside its domain.

    Examples
    --------
    >>> goal = Goal.from_dict({"goal": "belief", "posterior": 0.25, "reach": "one release"})
    >>> case = Case(published="count", prior=0.2, releases=4)
    >>> print(goal.sentence(case))
    After one release, nobody who believed something about a person at 20% shall believe it at more
    than 25%.
    >>> print(goal.scales(case).sentence(case))
    a scale of at least 3.48 people, which is ε of at most 0.287 for Δf = 1
    """

    kind: ClassVar[str]
    # The argument that is the limit, and changes when another goal stands.
    limits: ClassVar[str]
    domain: ClassVar[Domain]  # of the limit
    # What noise makes of the number, which goes where {} stands.
    gives: ClassVar[str]
    options: ClassVar[Options] = {}  # what each argument that is a word may be
    promise: ClassVar[bool] = False
    # Whether what it allows depends on secret data.
    from_data: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Let records find each kind of goal by its name."""
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls

    def __post_init__(self) -> None:
        limit = self.domain.check_one(self.limits, getattr(self, self.limits))
        object.__setattr__(self, self.limits, limit)
        for name, allowed in self.options.items():
            one_of(name, getattr(self, name), allowed)

    @abstractmethod
    def sentence(self, case: Case) -> str:
        """Return the goal in words."""

    @abstractmethod
    def reached(self, case: Case, scale: float) -> float:
        """Compute the number that is limited, at this scale of the noise."""

    def excess(self, case: Case, scale: float) -> float:
        """Compute by how much the number exceeds its limit."""
        return self.reached(case, scale) - self.limit

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what noise of this scale makes of the goal's number: at most this."""
        return self._in_words(
            case, self.reached(case, scale), met=self.met(case, scale)
        )

    def _in_words(self, case: Case, number: float, *, met: bool) -> str:
        """Write the number, rounded up, and on the same side of the limit as it is.

        Where the limit as the goal's sentence writes it does not tell on
        which, that is written with more digits, too.
        """
        writers = self._writers(case)

        def said(digits: int) -> list[str]:
            return [up(number, write, digits) for write in writers]

        def tells(digits: int) -> bool:
            pairs = zip(said(digits), self.written(case, digits), strict=True)
            return all(
                (_number(one) <= _number(limit)) == met for one, limit in pairs
            )

        digits = fewest(tells)
        (one, *others), limits = said(digits), self.written(case, digits)
        both = one + "".join(f" ({other})" for other in others)
        words = self.gives.format(both, prior=down(case.prior or 0.0, percent))
        plain = limits == self.written(case)
        return (
            words if plain else f"{words} (the limit is {' or '.join(limits)})"
        )

    def written(self, case: Case, digits: int = 6) -> list[str]:
        """Write the limit in each of its units: as it was given, in six digits or a few more."""
        return [
            up(self.limit, write, max(digits, 6))
            for write in self._writers(case)
        ]

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        """Return how the number is written, in each of its units."""
        return (percent,)

    @classmethod
    def keywords(cls) -> dict[str, str]:
        """Return under each field that `decide` sets the keyword that sets it, the limit first."""
        return {cls.limits: cls.limits} | {
            name: f"{cls.kind}_{name}" for name in cls.options
        }

    @property
    def limit(self) -> float:
        """The limit."""
        return float(getattr(self, self.limits))

    def scales(self, case: Case) -> Feasible:
        """Compute the scales that the goal allows, and why there is none if there is none."""
        return _allowed(self, case)

    def _range(self, case: Case) -> Feasible:
        """Compute the scales, or raise an error where the case lacks what the goal needs."""
        if self.excess(case, case.smallest_scale) > 0:
            return self._none(case, case.smallest_scale, "smallest")
        end = case.noise.largest_scale(partial(self.reached, case), self.limit)
        # What every noise of the domain meets, any noise meets.
        return Feasible(high=end if end < SCALE.high else math.inf)

    def _none(self, case: Case, scale: float, extreme: str) -> Feasible:
        number = self.reached(case, scale)
        words = self._in_words(case, number, met=number <= self.limit)
        return Feasible(
            math.inf, 0.0, f"not even the {extreme} noise does ({words})"
        )

    def met(self, case: Case, scale: float) -> bool:
        """Tell whether noise of this scale meets the goal."""
        return self.scales(case).allows(scale)

    def keeps(self, case: Case, scale: float) -> bool:
        """Tell the same by the number alone, which is quicker; False where there is none."""
        try:
            return self.reached(case, scale) <= self.limit * (1 + ROUNDING)
        except DomainError:
            return False

    def fitting(self, case: Case, scale: float) -> Goal | None:
        """Return the goal with the least change of its limit that allows this scale, or None.

        The change is as small as three digits can say, or more where three
        would make it 1.
        """
        with suppress(DomainError):
            needed = self.reached(case, scale)
            for digits in range(3, 17):
                with suppress(DomainError):  # rounded to 1
                    limits = (
                        rounded(needed * (1 + r), digits, up=True)
                        for r in _SLACKS
                    )
                    fits = [
                        replace(self, **{self.limits: limit})
                        for limit in limits
                    ]
                    return next(
                        (goal for goal in fits if goal.met(case, scale)), None
                    )
        return None

    def without_data(self, case: Case) -> Goal:
        """Return the goal as a record keeps it, without anything that only its data say."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return what a record keeps, ready for JSON; without data, as `without_data` makes it."""
        return {"goal": self.kind} | asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Goal:
        """Make the goal that `to_dict` kept.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        kind = one_of(
            "goal", data.get("goal") if isinstance(data, dict) else None, KINDS
        )
        names = [field.name for field in fields(KINDS[kind])]
        given = {name: value for name, value in data.items() if name != "goal"}
        return KINDS[kind](**fields_of(f"a {kind} goal", names, given))


# A search for some goals, and asked for again and again.
@lru_cache(maxsize=128)
def _allowed(goal: Goal, case: Case) -> Feasible:
    try:
        return goal._range(case)
    except DomainError as error:
        return Feasible(math.inf, 0.0, str(error))


def _number(words: str) -> float:
    """Return the number that words begin with."""
    return float(
        words.split()[0].rstrip("%").replace(",", "").replace("∞", "inf")
    )


def given(case: Case, name: str) -> float:
    """Return a number of the case that a goal needs."""
    if getattr(case, name) is None:
        raise must_be(name, "given in the case")
    return float(getattr(case, name))


def checked(case: Case, goals: Iterable[Goal]) -> tuple[Goal, ...]:
    """Return goals that are goals, for a case that is one, or raise an error that says what not."""
    if not isinstance(case, Case):
        raise TypeError(f"case must be a Case; got {described(case)}")
    made = tuple(goals) if isinstance(goals, Iterable) else (goals,)
    for goal in made:
        if not isinstance(goal, Goal):
            raise TypeError(
                f"goals must be made of goals; got {described(goal)}"
            )
    return made


@dataclass(frozen=True)
class IntervalGoal(Goal):
    """What is published shall lie this close to the truth, as often as the case's confidence says.

    Parameters
    ----------
    half_width : float
        Half the interval's width as a share of the case's reference, above 0.
        Noise does not depend on the truth: with the least count as the
        reference, every count from it up lies within this share of itself.
    cells : {"each", "all at once"}
        Of a table, or of groups, whether each number lies so close so often,
        or all of them do together: of 40 counts that each keep 95%, two are
        farther off on average.

    Examples
    --------
    >>> case = Case(published="count", unit="patients", reference=400, confidence=0.95)
    >>> print(IntervalGoal(0.05).sentence(case))
    The count shall lie within ±20 patients of the truth (5% of 400) with a probability of 95%.
    """

    half_width: float
    cells: str = "each"

    kind = "interval"
    limits = "half_width"
    domain = interval.HALF_WIDTH
    gives = "within ±{}"
    options: ClassVar[Options] = {"cells": CELLS}

    def sentence(self, case: Case) -> str:
        sure = "the confidence that is missing"
        if case.confidence:
            sure = down(case.confidence, percent)
        distance, share = self.written(case)
        width = f"±{share} of the truth (as a share of a reference that is missing)"
        if case.reference:
            width = (
                f"±{distance} of the truth ({share} of {show(case.reference)})"
            )
        shall = f"{_each(case)} shall lie"
        if case.numbers > 1 and self.cells == AT_ONCE:
            shall = f"{_all(case)} shall at once lie"
        return f"{shall} within {width} with a probability of {sure}."

    def reached(self, case: Case, scale: float) -> float:
        cells = case.numbers if self.cells == AT_ONCE else 1
        near = given(case, "reference")
        return case.within(scale, given(case, "confidence"), cells) / near

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        reference = case.reference or 0.0
        return (
            lambda share, *more, **way: case.measured(
                share * reference, *more, **way
            ),
            percent,
        )


@dataclass(frozen=True)
class ErrorGoal(Goal):
    """What is published shall be off by no more than this on average.

    Parameters
    ----------
    error : float
        The mean absolute error, in the case's unit, from 1e-12 to 1e12.

    Examples
    --------
    >>> case = Case(published="count", unit="patients")
    >>> print(ErrorGoal(5).scales(case).sentence(case))
    a scale of at most 5 patients, which is ε of at least 0.2 for Δf = 1
    """

    error: float

    kind = limits = "error"
    domain = interval.HALF_WIDTH
    gives = "off by {} on average"

    def sentence(self, case: Case) -> str:
        (most,) = self.written(case)
        return f"{_each(case)} shall be off the truth by at most {most} on average."

    def reached(self, case: Case, scale: float) -> float:
        return case.error(scale)

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        return (case.measured,)


def _each(case: Case) -> str:
    if case.groups:
        return f"The {case.published} of each group"
    return "Each count of the table" if case.cells else f"The {case.published}"


def _all(case: Case) -> str:
    of = (
        "counts of the table" if case.cells else f"{case.published}s of groups"
    )
    return f"All {case.numbers:,} {of}"
