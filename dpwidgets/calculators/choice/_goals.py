"""Goals, and the noise that each of them allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, ClassVar

from dpwidgets.calculators import interval
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice._feasible import Feasible
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import Domain, DomainError, one_of
from dpwidgets.inputs.notation import ROUNDING, percent, rounded, show
from dpwidgets.inputs.outside import described

ERROR = interval.HALF_WIDTH
#: Whether each cell of a table lies close to the truth, or all of them do together.
EACH, AT_ONCE = CELLS = ("each", "all at once")
#: Under each kind's name its class.
KINDS: dict[str, type[Goal]] = {}


@dataclass(frozen=True)
class Goal(ABC):
    """What a goal is: a limit for a number that the noise sets, and the noise that keeps it.

    A goal about precision bounds the scale from above; a promise to people bounds it from below,
    and says for what it holds: its `reach`.

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
    limits: ClassVar[str]  # the argument that is the limit, and changes when another goal stands
    domain: ClassVar[Domain]  # of the limit
    gives: ClassVar[str]  # what noise makes of the number, which goes where {} stands
    promise: ClassVar[bool] = False
    from_data: ClassVar[bool] = False  # whether what it allows depends on secret data

    def __init_subclass__(cls) -> None:
        """Let records find each kind of goal by its name."""
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls

    def __post_init__(self) -> None:
        self._check(self.limits, self.domain)

    @abstractmethod
    def sentence(self, case: Case) -> str:
        """Return the goal in words."""

    @abstractmethod
    def reached(self, case: Case, scale: float) -> float:
        """Compute the number that is limited, at this scale of the noise."""

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what noise of this scale makes of the goal's number: at most this.

        It is rounded up, on the same side of the limit as it is. The limit is read as the goal's
        sentence writes it. Where that does not tell on which side the number is, more digits of
        both are written.
        """
        number, met, writers = self.reached(case, scale), self.met(case, scale), self._writers(case)
        plain = limits = [write(self.limit) for write in writers]
        words = ""
        for digits in range(3, 11):
            said = [write(number, digits, up=True) for write in writers]
            words = self.gives.format(
                said[0] + "".join(f" ({one})" for one in said[1:]), prior=percent(case.prior or 0)
            )
            if _tells(said, plain, met):
                return words
            limits = [write(self.limit, digits) for write in writers]
            if _tells(said, limits, met):
                break
        return f"{words} (the limit is {' or '.join(limits)})"

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        """Return how the number is written, in each of its units."""
        return (percent,)

    @abstractmethod
    def _end(self, case: Case) -> float:
        """Compute the scale at which the number meets its limit."""

    @property
    def limit(self) -> float:
        """The limit."""
        return float(getattr(self, self.limits))

    def scales(self, case: Case) -> Feasible:
        """Compute the scales that the goal allows, and why there is none if there is none."""
        return _allowed(self, case)

    def met(self, case: Case, scale: float) -> bool:
        """Tell whether noise of this scale meets the goal."""
        return self.scales(case).allows(scale)

    def fitting(self, case: Case, scale: float) -> Goal | None:
        """Return the goal with the least change of its limit that allows this scale, or None.

        The change is as small as three digits can say.
        """
        try:
            needed = self.reached(case, scale)
        except DomainError:
            return None
        for digits in range(3, 17):  # more where three would round it up to 1
            slacks = (1 - ROUNDING, 1, 1 + ROUNDING)
            limits = [rounded(needed * slack, digits, up=True) for slack in slacks]
            try:
                # Usually these are one number, and to ask whether it fits may take a search.
                fits = [replace(self, **{self.limits: limit}) for limit in dict.fromkeys(limits)]
            except DomainError:
                continue
            return next((goal for goal in fits if goal.met(case, scale)), None)
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
        kind = one_of("goal", data.get("goal") if isinstance(data, dict) else None, KINDS)
        given = {name: value for name, value in data.items() if name != "goal"}
        names = {field.name for field in fields(KINDS[kind])}
        if given.keys() != names:
            listed = ", ".join(sorted(names))
            raise ValueError(f"a {kind} goal has {listed}; got {described(given)}")
        return KINDS[kind](**given)

    def _check(self, name: str, domain: Domain) -> None:
        """Check a field, and store it as a float."""
        object.__setattr__(self, name, domain.check_one(name, getattr(self, name)))


@lru_cache(maxsize=128)  # a search for some goals, and asked for again and again
def _allowed(goal: Goal, case: Case) -> Feasible:
    nothing = "not even the largest noise does" if goal.promise else "not even the smallest does"
    try:
        end = goal._end(case)
    except DomainError as error:
        return Feasible(math.inf, 0.0, str(error))
    smallest = case.smallest_scale
    if end > SCALE.high if goal.promise else end < smallest * (1 - ROUNDING):
        return Feasible(math.inf, 0.0, nothing)
    # What every noise of the domain meets, any noise meets.
    if goal.promise:
        return Feasible(0.0 if end <= smallest else end, math.inf)
    return Feasible(0.0, math.inf if end >= SCALE.high else end)


def given(case: Case, name: str, what: str) -> float:
    """Return a number of the case that a goal needs."""
    value = getattr(case, name)
    if value is None:
        raise DomainError(name, f"{name} must be given in the case: {what}")
    return float(value)


@dataclass(frozen=True)
class IntervalGoal(Goal):
    """What is published shall lie this close to the truth, as often as the case's confidence says.

    Parameters
    ----------
    half_width : float
        Half the interval's width as a share of the case's reference, above 0.
    cells : {"each", "all at once"}
        Of a table, whether each count lies so close so often, or all of them do together: of 40
        counts that each keep 95%, two are farther off on average.

    Raises
    ------
    TypeError, ValueError
        If one lies outside its domain.

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

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("cells", self.cells, CELLS)

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        sure = percent(case.confidence) if case.confidence else "the confidence that is missing"
        width = f"±{percent(self.half_width)} of the truth"
        if case.reference:
            width = f"±{case.measured(self.half_width * case.reference)} of the truth "
            width += f"({percent(self.half_width)} of {show(case.reference)})"
        else:
            width += " (as a share of a reference that is missing)"
        what, shall = f"The {case.published}", "shall lie"
        if case.published == "table":
            what = "Each count of the table"
            if self.cells == AT_ONCE:
                what, shall = f"All {case.cells:,} counts of the table", "shall at once lie"
        return f"{what} {shall} within {width} with a probability of {sure}."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the half-width, as a share of the reference."""
        sure, near, cells = self._given(case)
        return case.within(scale, sure, cells) / near

    def _given(self, case: Case) -> tuple[float, float, int]:
        sure = given(case, "confidence", "how often shall it lie in the interval?")
        near = given(case, "reference", "of which public number is the half-width a share?")
        return sure, near, case.cells or 1 if self.cells == AT_ONCE else 1

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        reference = case.reference or 0.0
        return (lambda share, *more, **up: case.measured(share * reference, *more, **up), percent)

    def _end(self, case: Case) -> float:
        sure, near, cells = self._given(case)
        return case.scale_of_within(self.limit * near, sure, cells)


@dataclass(frozen=True)
class ErrorGoal(Goal):
    """What is published shall be off by no more than this on average.

    Parameters
    ----------
    error : float
        The mean absolute error, in the case's unit, from 1e-12 to 1e12.

    Raises
    ------
    TypeError, ValueError
        If it lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", unit="patients")
    >>> print(ErrorGoal(5).scales(case).sentence(case))
    a scale of at most 5 patients, which is ε of at least 0.2 for Δf = 1
    """

    error: float

    kind = "error"
    limits = "error"
    domain = ERROR
    gives = "off by {} on average"

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        what = "Each count of the table" if case.published == "table" else f"The {case.published}"
        return f"{what} shall be off by at most {case.measured(self.error)} on average."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the mean absolute error."""
        return case.error(scale)

    def _writers(self, case: Case) -> tuple[Callable[..., str], ...]:
        return (case.measured,)

    def _end(self, case: Case) -> float:
        return case.scale_of_error(self.error)


def checked(case: Case, goals: Iterable[Goal]) -> tuple[Goal, ...]:
    """Return goals that are goals, for a case that is one, or raise an error that says what not."""
    if not isinstance(case, Case):
        raise TypeError(f"case must be a Case; got {described(case)}")
    if not isinstance(goals, Iterable):
        raise TypeError(f"goals must be made of goals; got {described(goals)}")
    made = tuple(goals)
    for goal in made:
        if not isinstance(goal, Goal):
            raise TypeError(f"goals must be made of goals; got {described(goal)}")
    return made


def _number(words: str) -> float:
    """Return the number that words begin with."""
    return float(words.split()[0].rstrip("%").replace(",", "").replace("∞", "inf"))


def _tells(said: list[str], limits: list[str], met: bool) -> bool:
    """Tell whether all that is said is on the side of the limits on which the number is."""
    pairs = zip(said, limits, strict=True)
    return all((_number(one) <= _number(limit)) == met for one, limit in pairs)
