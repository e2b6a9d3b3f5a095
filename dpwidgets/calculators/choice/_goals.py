"""Goals, and the noise that each of them allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import lru_cache
from typing import Any, ClassVar

from dpwidgets.calculators import breach, interval, loss, worlds
from dpwidgets.calculators.case import ALL, ONE, REACHES, Case
from dpwidgets.calculators.domain import EPSILON, PROBABILITY, Domain, DomainError, one_of
from dpwidgets.notation import percent, show

KEPT = Domain("a finite number from 0 up, or 'inf'", low=0.0, includes_low=True)
ERROR = interval.HALF_WIDTH
#: What two ways of computing the same scale may differ by.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Feasible:
    """The scales of the noise that a goal allows, or several goals together.

    Parameters
    ----------
    low, high : float
        The smallest and the largest scale, both allowed. A `low` of 0 allows noise as small as you
        like and an infinite `high` any large one.
    reason : str
        Why there is no such scale, if there is none.

    Examples
    --------
    >>> Feasible(4, 6.67).allows(5), Feasible(4, 3).empty
    (True, True)
    >>> print(Feasible(4, 6.67).sentence(Case(published="count", unit="patients")))
    a scale from 4 to 6.67 patients, which is ε from 0.15 to 0.25 for Δf = 1
    """

    low: float
    high: float
    reason: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is no such scale."""
        return bool(self.reason) or self.low > self.high * (1 + _ROUNDING)

    def allows(self, scale: float) -> bool:
        """Tell whether this scale is one of them, but for rounding."""
        return not self.empty and self.low * (1 - _ROUNDING) <= scale <= self.high * (1 + _ROUNDING)

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        0 and infinity stand for open ends.
        """
        low = 0.0 if math.isinf(self.high) else case.epsilon(self.high)
        return low, case.epsilon(self.low) if self.low else math.inf

    def sentence(self, case: Case, *, delta: bool = True) -> str:
        """Say which scales they are, which ε, and for which δ if the noise needs one."""
        if self.empty:
            return "no noise"
        if not self.low and math.isinf(self.high):
            return "any noise"
        ranges, digits = ((self.low, self.high), self.epsilons(case)), 3
        scales, epsilons = ends = [_inside(*both, digits) for both in ranges]
        while digits < 16 and any(low > high for low, high in ends):  # rounded past each other
            digits += 1
            scales, epsilons = ends = [_inside(*both, digits) for both in ranges]
        small, large = (case.measured(scale, digits) for scale in scales)
        least, most = (show(epsilon, digits) for epsilon in epsilons)
        if math.isinf(self.high):
            words = f"a scale of at least {small}, which is ε of at most {most}"
        elif not self.low:
            words = f"a scale of at most {large}, which is ε of at least {least}"
        else:
            words = f"a scale from {small.split()[0]} to {large}, which is ε "
            words += f"from {least} to {most}"
        named = f" and δ = {show(case.delta)}" if delta and case.mechanism == "Gaussian" else ""
        return f"{words} for Δf = {show(case.sensitivity)}{named}"


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
    promise: ClassVar[bool] = False

    @abstractmethod
    def sentence(self, case: Case) -> str:
        """Return the goal in words."""

    @abstractmethod
    def reached(self, case: Case, scale: float) -> float:
        """Compute the number that is limited, at this scale of the noise."""

    @abstractmethod
    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what noise of this scale makes of the goal's number."""

    @abstractmethod
    def _end(self, case: Case) -> float:
        """Compute the scale at which the number meets its limit."""

    @property
    def limit(self) -> float:
        """The limit."""
        return float(getattr(self, self.limits))

    @property
    def from_data(self) -> bool:
        """Whether what it allows depends on secret data."""
        return False

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
            for slack in (1 - _ROUNDING, 1, 1 + _ROUNDING):
                number = rounded(needed * slack, up=True, digits=digits)
                try:
                    goal = replace(self, **{self.limits: number})
                except DomainError:
                    continue
                if goal.met(case, scale):
                    return goal
        return None

    def without_data(self, case: Case) -> Goal:
        """Return the goal as a record keeps it, without anything that only its data say."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return what a record keeps, ready for JSON.

        Raises
        ------
        ValueError
            If it still has its data: see `without_data`.
        """
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
            got = ", ".join(sorted(map(str, given))) or "nothing"
            raise ValueError(f"a {kind} goal has {', '.join(sorted(names))}; got {got}")
        return KINDS[kind](**given)

    def _check(self, **domains: Domain) -> None:
        """Check the fields, and store each as a float."""
        for name, domain in domains.items():
            object.__setattr__(self, name, domain.check_one(name, getattr(self, name)))


@lru_cache(maxsize=128)  # a search for some goals, and asked for again and again
def _allowed(goal: Goal, case: Case) -> Feasible:
    nothing = "not even the largest noise does" if goal.promise else "not even the smallest does"
    try:
        end = goal._end(case)
    except DomainError as error:
        return Feasible(math.inf, 0.0, str(error))
    smallest, largest = case.scale(EPSILON.high), case.scale(EPSILON.low)
    if end > largest * (1 + _ROUNDING) if goal.promise else end < smallest * (1 - _ROUNDING):
        return Feasible(math.inf, 0.0, nothing)
    # What every noise of the domain meets, any noise meets.
    if goal.promise:
        return Feasible(0.0 if end <= smallest else end, math.inf)
    return Feasible(0.0, math.inf if end >= largest else end)


def _least_scale(case: Case, number: Callable[[float], float], limit: float) -> float:
    """Return the least scale at which a number that falls with the scale is within its limit."""
    from scipy.optimize import root_scalar

    low, high = math.log(case.scale(EPSILON.high)), math.log(case.scale(EPSILON.low))

    def excess(log: float) -> float:
        return math.log(max(number(math.exp(log)), 1e-300)) - math.log(limit)

    if excess(low) <= 0:
        return 0.0
    if excess(high) > 0:
        return math.inf
    found = math.exp(float(root_scalar(excess, bracket=(low, high), xtol=1e-13).root))
    while number(found) > limit:  # on the safe side
        found *= 1 + 1e-12
    return found


def _given(case: Case, name: str, what: str) -> float:
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

    Raises
    ------
    TypeError, ValueError
        If it lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", unit="patients", reference=400, confidence=0.95)
    >>> print(IntervalGoal(0.05).sentence(case))
    The count shall lie within ±20 patients of the truth (5% of 400) with a probability of 95%.
    """

    half_width: float
    kept: float | str | None = field(default=None, kw_only=True)

    kind = "interval"
    limits = "half_width"

    def __post_init__(self) -> None:
        self._check(half_width=interval.HALF_WIDTH)
        _check_kept(self)

    @property
    def from_data(self) -> bool:
        """Whether it was about a secret count, in a record of an earlier version."""
        return self.kept is not None

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        sure = percent(case.confidence) if case.confidence else "the confidence that is missing"
        width = f"±{percent(self.half_width)} of the truth"
        if case.reference and not self.from_data:
            width = f"±{case.measured(self.half_width * case.reference)} of the truth "
            width += f"({percent(self.half_width)} of {show(case.reference)})"
        elif not self.from_data:
            width += " (as a share of a reference that is missing)"
        return f"The {case.published} shall lie within {width} with a probability of {sure}."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the half-width, as a share of the reference."""
        if self.kept is not None:
            raise DomainError("reference", "the reference is secret, and not in the record")
        sure = _given(case, "confidence", "how often shall it lie in the interval?")
        near = _given(case, "reference", "of which public number is the half-width a share?")
        return case.within(scale, sure) / near

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how far off it is."""
        width = self.reached(case, scale)
        near = case.measured(width * float(case.reference or 0))
        return f"within ±{near} ({percent(width)})"

    def _end(self, case: Case) -> float:
        if self.kept is not None:
            return _limit(self.kept)
        width = self.reached(case, 1.0)
        return self.limit / width if width else math.inf


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

    def __post_init__(self) -> None:
        self._check(error=ERROR)

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        return (
            f"The {case.published} shall be off by at most {case.measured(self.error)} on average."
        )

    def reached(self, case: Case, scale: float) -> float:
        """Compute the mean absolute error."""
        return case.error(scale)

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how far off it is."""
        return f"off by {case.measured(case.error(scale))} on average"

    def _end(self, case: Case) -> float:
        return self.error / case.error(1.0)


@dataclass(frozen=True)
class Promise(Goal):
    """A goal that bounds what others learn of people: the noise must be large enough.

    Parameters
    ----------
    reach : {"one release", "all releases", "all releases and a household"}
        For what it holds.
    """

    reach: str = field(default=ONE, kw_only=True)

    promise = True

    def __post_init__(self) -> None:
        one_of("reach", self.reach, REACHES)

    def _after(self, case: Case) -> str:
        """Return the beginning of the sentence, which says the reach."""
        if self.reach == ONE:
            return "After one release,"
        count, people = case.counted(self.reach)
        after = f"After all {count:,} releases," if count > 1 else "After the only release,"
        if people > 1:
            after += f" even if the records of {people:,} people depend on each other,"
        return after


@dataclass(frozen=True)
class RiskGoal(Promise):
    """Nobody shall be this sure which record of a column is missing.

    Parameters
    ----------
    worlds : Worlds or None
        The possible worlds of the column, asked for what the case publishes. Their own Δf gives
        their own ε; what counts is the noise.
    risk : float
        The tolerated risk, between 0 and 1.
    reach : str
        As in `REACHES`. The answers of several releases are bounded by their worst, and so are
        people whose records depend on each other: as if all answers were so many times as far
        apart. One record is missing all the same: a household that is missing as a whole makes
        other worlds, which this does not bound.
    kept : float or "inf", optional
        The smallest scale, which a record keeps in place of the worlds; "inf" if there is none.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="mean", n=4, low=0, high=10, unit="years")
    >>> goal = RiskGoal(worlds.Worlds([1, 2, 3, 10]), risk=1 / 3)
    >>> print(goal.scales(case).sentence(case))
    a scale of at least 6.57 years, which is ε of at most 0.38 for Δf = 2.5
    """

    worlds: worlds.Worlds | None
    risk: float
    kept: float | str | None = field(default=None, kw_only=True)

    kind = "risk"
    limits = "risk"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(risk=worlds.RISK)
        if not isinstance(self.worlds, worlds.Worlds | None):
            raise TypeError(f"worlds must be a Worlds; got {type(self.worlds).__name__}")
        if self.worlds is None and self.kept is None:
            raise DomainError("kept", f"kept must be {KEPT.allowed} where there are no worlds")
        if self.worlds is not None and self.kept is not None:
            raise DomainError("kept", "kept stands in place of the data; got both")
        _check_kept(self)

    @property
    def from_data(self) -> bool:
        """Always: the risk depends on the column."""
        return True

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        return (
            f"{self._after(case)} nobody who knows all records of the column, each equally likely "
            f"to be missing, shall be more than {percent(self.risk)} sure which one is."
        )

    def reached(self, case: Case, scale: float) -> float:
        """Compute the risk."""
        if self.worlds is None:
            raise DomainError("worlds", "the column is not in the record")
        epsilon = self._moved(case) / scale
        if epsilon < EPSILON.low:
            return self._blind()
        return self.worlds.risk(epsilon if epsilon <= EPSILON.high else math.inf)

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how sure somebody can be."""
        return f"at most {percent(self.reached(case, scale))} sure"

    def without_data(self, case: Case) -> RiskGoal:
        """Return the goal with the smallest scale in place of the worlds."""
        if self.worlds is None:
            return self
        low = self.scales(case).low
        return replace(self, worlds=None, kept=low if math.isfinite(low) else "inf")

    def to_dict(self) -> dict[str, Any]:
        """Return what a record keeps, ready for JSON."""
        if self.worlds is not None:
            raise ValueError("a record holds no column: take the goal's without_data(case)")
        return super().to_dict()

    def _moved(self, case: Case) -> float:
        """Return how far apart neighbours of the column are, over all that the reach takes in."""
        assert self.worlds is not None
        if case.mechanism != "Laplace":
            raise DomainError("mechanism", "mechanism must be 'Laplace' to bound this risk")
        return self.worlds.sensitivity * math.prod(case.counted(self.reach))

    def _blind(self) -> float:
        assert self.worlds is not None
        return 1 / self.worlds.values.size

    def _end(self, case: Case) -> float:
        if self.kept is not None:
            return _limit(self.kept)
        assert self.worlds is not None
        return self._moved(case) / self.worlds.epsilon(self.risk)


@dataclass(frozen=True)
class BeliefGoal(Promise):
    """What an attacker believes of a person shall not rise above this.

    Parameters
    ----------
    posterior : float
        The tolerated belief, between 0 and 1. The case has the one before, its prior.
    reach : str
        As in `REACHES`.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", prior=0.2, releases=4)
    >>> BeliefGoal(0.25, reach="all releases").achieved(case, scale=5)
    'from 20% to at most 35.7%'
    """

    posterior: float

    kind = "belief"
    limits = "posterior"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(posterior=breach.POSTERIOR)

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        before = percent(case.prior) if case.prior else "a probability that is missing"
        return (
            f"{self._after(case)} nobody who believed something about a person at {before} shall "
            f"believe it at more than {percent(self.posterior)}{case.slip(self.reach)}."
        )

    def reached(self, case: Case, scale: float) -> float:
        """Compute the largest posterior."""
        moved = case.log_odds(scale, self.reach)
        return breach.posterior(self._prior(case), min(max(moved, EPSILON.low), EPSILON.high))

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how far a belief can rise."""
        after = percent(self.reached(case, scale))
        return f"from {percent(self._prior(case))} to at most {after}"

    def _prior(self, case: Case) -> float:
        return _given(case, "prior", "what does an attacker believe before?")

    def _end(self, case: Case) -> float:
        allowed = breach.epsilon(self._prior(case), self.posterior)
        exact = case.scale_of_log_odds(allowed, self.reach)
        if exact is not None:
            return exact
        return _least_scale(case, lambda scale: case.log_odds(scale, self.reach), allowed)


@dataclass(frozen=True)
class AdvantageGoal(Promise):
    """No test of whether a person is in the data shall have a larger advantage.

    Parameters
    ----------
    advantage : float
        How often it may say "with" of those who are, less how often of those who are not, between 0
        and 1.
    reach : str
        As in `REACHES`.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count")
    >>> print(AdvantageGoal(0.1).scales(case).sentence(case))
    a scale of at least 4.75 people, which is ε of at most 0.21 for Δf = 1
    """

    advantage: float

    kind = "advantage"
    limits = "advantage"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(advantage=PROBABILITY)

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        return (
            f"{self._after(case)} no test of {case.tested} shall have an advantage above "
            f"{percent(self.advantage)}."
        )

    def reached(self, case: Case, scale: float) -> float:
        """Compute the largest advantage."""
        return case.advantage(scale, self.reach)

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how large the advantage is."""
        return f"an advantage of at most {percent(self.reached(case, scale))}"

    def _end(self, case: Case) -> float:
        return _least_scale(case, lambda scale: self.reached(case, scale), self.advantage)


@dataclass(frozen=True)
class BudgetGoal(Promise):
    """All releases about the same people shall stay within an ε, at the case's δ.

    Parameters
    ----------
    total : float
        The ε of all of them, with what others have used up, from 1e-8 to 1e9.
    reach : {"all releases", "all releases and a household"}
        Whether it holds for one person or for a household, where what others have used up counts
        for each person.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> case = Case(published="count", releases=4, used=0.2)
    >>> print(BudgetGoal(1).scales(case).sentence(case))
    a scale of at least 5 people, which is ε of at most 0.2 for Δf = 1
    """

    total: float
    reach: str = field(default=ALL, kw_only=True)

    kind = "budget"
    limits = "total"

    def __post_init__(self) -> None:
        one_of("reach", self.reach, REACHES[1:])
        self._check(total=loss.TOTAL)

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        delta = f" and δ = {show(case.delta)}" if case.delta else ""
        count, people = case.counted(self.reach)
        which = f"All {count:,} releases together" if count > 1 else "The release"
        if people > 1:
            which += f", for {people:,} people whose records depend on each other"
        if case.used:
            each = " for each of them" if people > 1 else ""
            which += f", with ε = {show(case.used)} used up by others{each}"
        if people > 1 or case.used:
            which += ","
        return f"{which} shall have ε = {show(self.total)}{delta} at most."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the ε of all releases, with what others have used up."""
        return self._used(case) + case.total(scale, self.reach)

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what ε they have together."""
        return f"ε = {show(self.reached(case, scale))} in all"

    def check_used(self, case: Case) -> None:
        """Raise an error where others have left nothing."""
        _, people = case.counted(self.reach)
        if self._used(case) >= self.total:
            whose = f" shared by {people:,} people" if people > 1 else ""
            raise DomainError(
                "used",
                f"used must be below {show(self.total / people)}, the budget{whose}; others have "
                f"used up ε = {show(case.used)}, and nothing is left",
            )

    def _used(self, case: Case) -> float:
        _, people = case.counted(self.reach)
        return people * case.used

    def _end(self, case: Case) -> float:
        self.check_used(case)
        return case.scale_of_total(self.total - self._used(case), self.reach)


#: Under each kind's name its class.
KINDS: dict[str, type[Goal]] = {
    goal.kind: goal
    for goal in (IntervalGoal, ErrorGoal, RiskGoal, BeliefGoal, AdvantageGoal, BudgetGoal)
}


def _inside(low: float, high: float, digits: int) -> tuple[float, float]:
    """Round the ends of a range so that it grows no wider."""
    return (
        rounded(low * (1 - _ROUNDING), up=True, digits=digits),
        rounded(high * (1 + _ROUNDING), up=False, digits=digits),
    )


def _check_kept(goal: IntervalGoal | RiskGoal) -> None:
    if goal.kept is not None and not (isinstance(goal.kept, str) and goal.kept == "inf"):
        goal._check(kept=KEPT)


def _limit(kept: float | str) -> float:
    """Return a limit that a record keeps, where "inf" stands for infinity: JSON has none."""
    return float(kept)


def rounded(value: float, *, up: bool, digits: int = 3) -> float:
    """Round to so many significant digits, always up or always down, so that a promise still holds.

    Examples
    --------
    >>> rounded(0.08047, up=True), rounded(0.8109, up=False)
    (0.0805, 0.81)
    """
    if not math.isfinite(value):
        return value
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return float(Context(prec=digits, rounding=rounding).create_decimal_from_float(value))
