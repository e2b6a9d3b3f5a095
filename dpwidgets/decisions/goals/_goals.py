"""What every goal is, and the noise that a goal allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from dpwidgets.calculators.noise import DIGITS
from dpwidgets.decisions.case import Case, Limits
from dpwidgets.inputs.domain import (
    EPSILON,
    Domain,
    DomainError,
    must_be,
    one_of,
)
from dpwidgets.inputs.notation import (
    at_most,
    down,
    percent,
    rounded,
    show,
    up,
)
from dpwidgets.inputs.outside import arguments_of, described

Options: TypeAlias = Mapping[str, tuple[str, ...]]
#: Under each kind's name its class.
KINDS: dict[str, type[Goal[Any]]] = {}
#: What a goal is asked about: a case, or, for most promises, a plan as well.
Whole = TypeVar("Whole", bound=Limits, contravariant=True)


@dataclass(frozen=True)
class Feasible:
    """The scales of the noise that a goal allows, or several goals together.

    Its ends are rounded where a goal makes it, so that they keep the goal, to
    as many digits as a scale has that is chosen. A sentence has three of them.

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
        return bool(self.reason) or not at_most(self.low, self.high)

    def allows(self, scale: float) -> bool:
        """Tell whether this scale is one of them, but for rounding."""
        above = at_most(self.low, scale)
        return not self.empty and above and at_most(scale, self.high)

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        They have three digits, and more only where the range is so narrow
        that none of three digits lies in it. 0 and infinity stand for open
        ends, and 1e-8 for noise so large that ε would be smaller.
        """
        low, high = 0.0, math.inf
        if not math.isinf(self.high):
            low = case.epsilon(self.high)
        if self.low:
            high = case.epsilon(self.low)
            # A hair above it lies what has the same scale: 0.7, whose 1.42858
            # is ε = 0.699999.
            near = rounded(high)
            if self.allows(case.scale(near)):
                high = near
        return _inward(low, high)

    def sentence(self, case: Case, chosen: float | None = None) -> str:
        """Say which scales they are, which ε, and for which δ if the noise needs one.

        Parameters
        ----------
        case : Case
            The case.
        chosen : float, optional
            An ε whose noise is allowed: the ranges hold it and its scale,
            also where it lies between an end and that of three digits.
        """
        if self.empty:
            return "no noise"
        if not self.low and math.isinf(self.high):
            return "any noise"
        sensitivity = f" for Δf = {up(case.sensitivity, show, 6)}"
        if case.mechanism == "Gaussian":
            sensitivity += f" and δ = {up(case.delta)}"
        low, high = _inward(self.low, self.high)
        least, most = self.epsilons(case)
        if chosen is not None:
            scale = case.scale(chosen)
            low, high = min(low, scale), max(high, scale)
            least, most = min(least, chosen), max(most, chosen)
        small, large = case.measured(low, 15), case.measured(high, 15)
        # Gaussian noise that is larger has ε = 0 at its δ.
        above = "0" if least <= EPSILON.low else show(least, 10)
        below = show(most, 10)
        if math.isinf(self.high):
            words = f"of at least {small}, which is ε of at most {below}"
        elif not self.low:
            words = f"of at most {large}, which is ε of at least {above}"
        else:
            words = f"{_from_to(small, large)}, which is ε {_from_to(above, below)}"
        return f"a scale {words}{sensitivity}"


def _from_to(low: str, high: str) -> str:
    """Return the ends of a range, the unit once, or the only number in it."""
    between = f"from {low.split()[0]} to {high}"
    return f"of {high} alone" if low == high else between


def _inward(low: float, high: float) -> tuple[float, float]:
    """Round a range's ends inward to three digits, or to six; not where that leaves nothing."""
    for digits in (3, DIGITS):
        least = rounded(low, digits, up=True)
        most = rounded(high, digits, up=False)
        if least <= most:
            return least, most
    return low, high


@dataclass(frozen=True)
class Goal(ABC, Generic[Whole]):
    """What a goal is: a limit for a number that the noise sets, and the noise that keeps it.

    A goal about precision bounds the scale from above; a promise to people
    bounds it from below, and is about everything. What it is
    asked about is called `case`, and for most promises may be a plan too,
    which then is asked with its factor in place of a scale.

    Raises
    ------
    TypeError, ValueError
        If its limit, or another of its arguments, lies outside its domain.

    Examples
    --------
    >>> goal = Goal.from_dict({"goal": "belief", "posterior": 0.25})
    >>> case = Case(published="count", prior=0.2)
    >>> print(goal.sentence(case))
    After the release, nobody who believed something about a person at 20% shall believe it at more
    than 25%.
    >>> print(goal.scales(case).sentence(case))
    a scale of at least 3.48 people, which is ε of at most 0.287 for Δf = 1
    """

    kind: ClassVar[str]
    # The argument that is the limit, and changes when another goal stands.
    limits: ClassVar[str]
    domain: ClassVar[Domain]  # of the limit
    # What noise makes of the number, which goes where {} stands, in each unit.
    gives: ClassVar[str]
    options: ClassVar[Options] = {}  # what each argument that is a word may be
    # Other arguments that are numbers, under the same names for `decide`.
    numbers: ClassVar[Mapping[str, Domain]] = {}
    # Whether what it allows depends on secret data.
    from_data: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Let records find each kind of goal by its name."""
        super().__init_subclass__()
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls

    def __post_init__(self) -> None:
        limit = self.domain.check_one(self.limits, getattr(self, self.limits))
        object.__setattr__(self, self.limits, limit)
        for name, allowed in self.options.items():
            one_of(name, getattr(self, name), allowed)
        for name, of in self.numbers.items():
            number = of.check_one(name, getattr(self, name))
            object.__setattr__(self, name, number)

    @abstractmethod
    def sentence(self, case: Whole) -> str:
        """Return the goal in words."""

    @abstractmethod
    def reached(self, case: Whole, scale: float) -> float:
        """Compute the number that is limited, at this scale of the noise."""

    def excess(self, case: Whole, scale: float) -> float:
        """Compute by how much the number exceeds its limit."""
        return self.reached(case, scale) - self.limit

    def achieved(self, case: Whole, scale: float) -> str:
        """Return in words what noise of this scale makes of the goal's number: at most this."""
        return self.in_words(case, self.reached(case, scale))

    def condition(self, case: Whole) -> str:
        """Return how likely its number fails, or at which δ it holds, as a sentence adds it."""
        return ""

    def in_words(self, case: Whole, number: float) -> str:
        """Say the number, written as beside its limit."""
        prior = down(case.prior or 0.0, percent)
        return self.gives.format(*self.beside(case, number), prior=prior)

    def beside(self, case: Whole, number: float) -> tuple[str, ...]:
        """Write the number, rounded up, with six digits where three would break a kept limit."""
        above = rounded(number, up=True) > self.limit
        if above and at_most(number, self.limit):
            return self._in_units(case, min(number, self.limit), 6)
        return self._in_units(case, number)

    def written(self, case: Whole) -> tuple[str, ...]:
        """Write the limit in each of its units: as it was given, in six digits or less."""
        return self._in_units(case, self.limit, 6)

    def _in_units(
        self, case: Whole, number: float, *digits: int
    ) -> tuple[str, ...]:
        """Write a number of this kind in each of its units, rounded up."""
        return (up(number, percent, *digits),)

    @classmethod
    def keywords(cls) -> dict[str, str]:
        """Return under each field that `decide` sets the keyword that sets it, the limit first."""
        keywords = {cls.limits: cls.limits}
        for name in cls.options:
            keywords[name] = f"{cls.kind}_{name}"
        return keywords | {name: name for name in cls.numbers}

    @classmethod
    def arguments(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Take its arguments out of keywords, and return each under its field's name."""
        arguments = {}
        for name, keyword in cls.keywords().items():
            value = given.pop(keyword, None)
            if value is None:
                continue
            if name in cls.options:
                value = one_of(keyword, value, cls.options[name])
            arguments[name] = value
        if arguments and cls.limits not in arguments:
            (name, *_) = arguments
            needs = (
                f"needs {cls.limits}, the limit of the goal that it is about"
            )
            raise TypeError(f"{cls.keywords()[name]} {needs}")
        return arguments

    @property
    def limit(self) -> float:
        """The limit."""
        return float(getattr(self, self.limits))

    def scales(self, case: Whole) -> Feasible:
        """Compute the scales that the goal allows, and why there is none if there is none."""
        return _allowed(self, case)

    @abstractmethod
    def _range(self, case: Whole) -> Feasible:
        """Compute the scales, of `DIGITS`, or raise an error where the case lacks what it needs."""

    def _none(self, case: Whole, scale: float, extreme: str) -> Feasible:
        number = self.reached(case, scale)
        reason = f"not even {extreme} does"
        if at_most(number, self.limit):
            reason = "what this noise does not change has used it up"
        words = self.in_words(case, number)
        return Feasible(math.inf, 0.0, f"{reason} ({words})")

    def met(self, case: Whole, scale: float) -> bool:
        """Tell whether noise of this scale meets the goal, by its number; not if it has none."""
        try:
            return at_most(self.reached(case, scale), self.limit)
        except DomainError:
            return False

    def fitting(self, case: Whole, scale: float) -> Self | None:
        """Return the goal with the least change of its limit that allows this scale, or None.

        The change is as small as three digits can say, or six where three
        would make it 1: no sentence writes more.
        """
        with suppress(DomainError):
            needed = self.reached(case, scale)
            for digits in (3, 6):
                limit = rounded(needed, digits, up=True)
                with suppress(DomainError):  # rounded to 1
                    return replace(self, **{self.limits: limit})
        return None

    def without_data(self, case: Whole, scale: float | None) -> Self:
        """Return the goal as a record keeps it beside a scale, without what only its data say."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return what a record keeps, ready for JSON; without data, as `without_data` makes it."""
        return {"goal": self.kind} | asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Goal[Case]:
        """Make the goal that `to_dict` kept.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        given = dict(data) if isinstance(data, dict) else {}
        name = one_of("goal", given.pop("goal", None), KINDS)
        kind = KINDS[name]
        return kind(**arguments_of(f"a {name} goal", kind, given))


# A search for some goals, and asked for again and again.
@lru_cache(maxsize=128)
def _allowed(goal: Goal[Whole], case: Whole) -> Feasible:
    try:
        return goal._range(case)
    except DomainError as error:
        return Feasible(math.inf, 0.0, str(error))


def given(case: Limits, name: str) -> float:
    """Return a number of the case that a goal needs."""
    if getattr(case, name) is None:
        raise must_be(name, "given in the case")
    return float(getattr(case, name))


def checked(case: Case, goals: Iterable[Goal[Case]]) -> tuple[Goal[Case], ...]:
    """Return goals that are goals, for a case that is one, or raise an error that says what not."""
    if not isinstance(case, Case):
        raise TypeError(f"case must be a Case; got {described(case)}")
    if not isinstance(goals, Iterable):
        goals = (goals,)
    made = tuple(goals)
    for goal in made:
        if not isinstance(goal, Goal):
            raise TypeError(
                f"goals must be made of goals; got {described(goal)}"
            )
    return made
