"""What every goal is, and the noise that a goal allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from dpwidgets.decisions.case import Case, Limits
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

_SLACKS = (0.0, ROUNDING, 2 * ROUNDING)  # `rounded` may be one of them below
Options: TypeAlias = Mapping[str, tuple[str, ...]]
#: Under each kind's name its class.
KINDS: dict[str, type[Goal[Any]]] = {}
#: What a goal is asked about: a case, or, for most promises, a plan as well.
Whole = TypeVar("Whole", bound=Limits, contravariant=True)


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
        low = self.low * (1 - ROUNDING)
        high = self.high * (1 + ROUNDING)
        return not self.empty and low <= scale <= high

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        0 and infinity stand for open ends, and 1e-8 for noise so large that ε
        would be smaller.
        """
        low, high = 0.0, math.inf
        if not math.isinf(self.high):
            low = case.epsilon(self.high)
        if self.low:
            high = case.epsilon(self.low)
        return low, high

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
        scale, epsilon = None, None
        if beside and self.allows(beside[0]):
            scale, epsilon = beside

        def held(digits: int) -> bool:
            holds_scale = _hold(self.low, self.high, scale, digits)
            return holds_scale and _hold(least, most, epsilon, digits)

        digits = fewest(held)
        small = up(self.low, case.measured, digits)
        large = down(self.high, case.measured, digits)
        above = up(least, show, digits)
        at_most = down(most, show, digits)
        # Gaussian noise that is larger has ε = 0 at its δ.
        if least <= EPSILON.low:
            above = "0"
        if math.isinf(self.high):
            words = f"of at least {small}, which is ε of at most {at_most}"
        elif not self.low:
            words = f"of at most {large}, which is ε of at least {above}"
        else:
            both = f"ε from {above} to {at_most}"
            words = f"from {small.split()[0]} to {large}, which is {both}"
        sensitivity = up(case.sensitivity, show, 6)
        sentence = f"a scale {words} for Δf = {sensitivity}"
        if case.sizes:
            sentence += " in the smallest group"
        if delta and case.mechanism == "Gaussian":
            sentence += f" and δ = {up(case.delta)}"
        return sentence


def _hold(low: float, high: float, held: float | None, digits: int) -> bool:
    """Tell whether a range, rounded so that it does not become wider, holds a number, or any."""
    least = rounded(low, digits, up=True)
    most = rounded(high, digits, up=False)
    if held is None:
        return least <= most
    return least <= held <= most


@dataclass(frozen=True)
class Goal(ABC, Generic[Whole]):
    """What a goal is: a limit for a number that the noise sets, and the noise that keeps it.

    A goal about precision bounds the scale from above; a promise to people
    bounds it from below, and says for what it holds: its `reach`. What it is
    asked about is called `case`, and for most promises may be a plan too,
    which then is asked with its factor in place of a scale.

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
        return self._in_words(
            case, self.reached(case, scale), met=self.met(case, scale)
        )

    def _in_words(self, case: Whole, number: float, *, met: bool) -> str:
        """Write the number, rounded up, and on the same side of the limit as it is.

        Where the limit as the goal's sentence writes it does not tell on
        which, that is written with more digits, too.
        """
        writers = self._writers(case)

        def reached(digits: int) -> list[str]:
            return [up(number, write, digits) for write in writers]

        def tells(digits: int) -> bool:
            limits = self.written(case, digits)
            pairs = zip(reached(digits), limits, strict=True)
            return all(
                (_number(text) <= _number(limit)) == met
                for text, limit in pairs
            )

        digits = fewest(tells)
        text, *others = reached(digits)
        for other in others:
            text += f" ({other})"
        prior = down(case.prior or 0.0, percent)
        words = self.gives.format(text, prior=prior)
        limits = self.written(case, digits)
        if limits != self.written(case):
            words += f" (the limit is {' or '.join(limits)})"
        return words

    def written(self, case: Whole, digits: int = 6) -> list[str]:
        """Write the limit in each of its units: as it was given, in six digits or a few more."""
        digits = max(digits, 6)
        writers = self._writers(case)
        return [up(self.limit, write, digits) for write in writers]

    def _writers(self, case: Whole) -> tuple[Callable[..., str], ...]:
        """Return how the number is written, in each of its units."""
        return (percent,)

    @classmethod
    def keywords(cls) -> dict[str, str]:
        """Return under each field that `decide` sets the keyword that sets it, the limit first."""
        keywords = {cls.limits: cls.limits}
        for name in cls.options:
            keywords[name] = f"{cls.kind}_{name}"
        return keywords

    @property
    def limit(self) -> float:
        """The limit."""
        return float(getattr(self, self.limits))

    def scales(self, case: Whole) -> Feasible:
        """Compute the scales that the goal allows, and why there is none if there is none."""
        return _allowed(self, case)

    @abstractmethod
    def _range(self, case: Whole) -> Feasible:
        """Compute the scales, or raise an error where the case lacks what the goal needs."""

    def _none(self, case: Whole, scale: float, extreme: str) -> Feasible:
        number = self.reached(case, scale)
        words = self._in_words(case, number, met=number <= self.limit)
        return Feasible(
            math.inf, 0.0, f"not even the {extreme} noise does ({words})"
        )

    def met(self, case: Whole, scale: float) -> bool:
        """Tell whether noise of this scale meets the goal."""
        return self.scales(case).allows(scale)

    def keeps(self, case: Whole, scale: float) -> bool:
        """Tell the same by the number alone, which is quicker; False where there is none."""
        try:
            return self.reached(case, scale) <= self.limit * (1 + ROUNDING)
        except DomainError:
            return False

    def fitting(self, case: Whole, scale: float) -> Self | None:
        """Return the goal with the least change of its limit that allows this scale, or None.

        The change is as small as three digits can say, or more where three
        would make it 1.
        """
        with suppress(DomainError):
            needed = self.reached(case, scale)
            for digits in range(3, 17):
                with suppress(DomainError):  # rounded to 1
                    return self._fitting(case, scale, needed, digits)
        return None

    def _fitting(
        self, case: Whole, scale: float, needed: float, digits: int
    ) -> Self | None:
        """Return the first goal with a limit of so many digits that allows this scale, or None."""
        fits = []
        for slack in _SLACKS:
            limit = rounded(needed * (1 + slack), digits, up=True)
            fits.append(replace(self, **{self.limits: limit}))
        for goal in fits:
            if goal.met(case, scale):
                return goal
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
        names = [field.name for field in fields(kind)]
        return kind(**fields_of(f"a {name} goal", names, given))


# A search for some goals, and asked for again and again.
@lru_cache(maxsize=128)
def _allowed(goal: Goal[Whole], case: Whole) -> Feasible:
    try:
        return goal._range(case)
    except DomainError as error:
        return Feasible(math.inf, 0.0, str(error))


def _number(words: str) -> float:
    """Return the number that words begin with."""
    first = words.split()[0].rstrip("%")
    return float(first.replace(",", "").replace("∞", "inf"))


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
