"""Goals, and the ε that each of them allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import lru_cache
from typing import Any, ClassVar

from dpwidgets.calculators import breach, interval, loss, worlds
from dpwidgets.calculators.domain import EPSILON, Domain, DomainError, one_of
from dpwidgets.notation import percent, show

KEPT = Domain("a finite number from 0 up, or 'inf'", low=0.0, includes_low=True)


@dataclass(frozen=True)
class Feasible:
    """The ε that a goal allows, or several goals together.

    Parameters
    ----------
    low, high : float
        The smallest and the largest ε, both allowed. A `low` of 0 allows every small ε and an
        infinite `high` every large one; a `high` of 0 allows none.
    reason : str
        Why there is no such ε, if there is none.

    Examples
    --------
    >>> Feasible(0.1, 2).allows(1), Feasible(2, 0.1).empty
    (True, True)
    """

    low: float
    high: float
    reason: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is no such ε."""
        return self.low > self.high or self.high == 0

    def allows(self, epsilon: float) -> bool:
        """Tell whether this ε is one of them."""
        return epsilon > 0 and self.low <= epsilon <= self.high

    def __str__(self) -> str:
        if self.empty:
            return "no ε"
        low, high = show(rounded(self.low, up=True)), show(rounded(self.high, up=False))
        if self.high == math.inf:
            return f"ε of at least {low}" if self.low else "any ε"
        return f"ε from {low} to {high}" if self.low else f"ε of at most {high}"


@dataclass(frozen=True)
class Goal(ABC):
    """What a goal has: the ε that it allows, a sentence, and its way into a record and back.

    Examples
    --------
    >>> goal = Goal.from_dict({"goal": "breach", "prior": 0.1, "posterior": 0.2})
    >>> print(goal.interval())
    ε of at most 0.81
    >>> goal.sentence
    'A belief of 10% about anybody shall not become one above 20%.'
    """

    kind: ClassVar[str]
    gives_way: ClassVar[str]  # the argument that changes when another goal stands

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The goal in words."""

    @abstractmethod
    def _ends(self) -> tuple[float, float]:
        """Compute the smallest and the largest ε that meet the goal."""

    @abstractmethod
    def _needed(self, epsilon: float) -> float:
        """Compute what the argument that gives way would have to be for this ε."""

    @property
    def from_data(self) -> bool:
        """Whether the ε that it allows depends on secret data."""
        return False

    def interval(self) -> Feasible:
        """Compute the ε that the goal allows, and why there is none if there is none."""
        return _allowed(self)

    def fitting(self, epsilon: float) -> Goal | None:
        """Return the goal with a small change after which it allows this ε, or None.

        The change is as small as three digits can say.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a number from 1e-8 to 1000.
        """
        epsilon = EPSILON.check_one("epsilon", epsilon)
        try:
            needed = self._needed(epsilon)
        except DomainError:
            return None
        for digits in range(3, 17):  # more where three would round it up to 1
            for slack in (1, 1 + 1e-12):  # the way there and back may cost the last digit
                number = rounded(needed * slack, up=True, digits=digits)
                try:
                    goal = replace(self, **{self.gives_way: number})
                except DomainError:
                    continue
                if goal.interval().allows(epsilon):
                    return goal
        return None

    def without_data(self) -> Goal:
        """Return the goal as a record keeps it, without anything that only its data say."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return what a record keeps, ready for JSON: none of the data."""
        return {"goal": self.kind} | asdict(self.without_data())

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Goal:
        """Make the goal that `to_dict` kept.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        kinds: dict[str, type[Goal]] = {
            goal.kind: goal for goal in (CountGoal, RiskGoal, BreachGoal, BudgetGoal)
        }
        kind = one_of("goal", data.get("goal") if isinstance(data, dict) else None, kinds)
        given = {name: value for name, value in data.items() if name != "goal"}
        names = {field.name for field in fields(kinds[kind])}
        if given.keys() != names:
            got = ", ".join(sorted(map(str, given))) or "nothing"
            raise ValueError(f"a {kind} goal has {', '.join(sorted(names))}; got {got}")
        return kinds[kind](**given)

    def _check(self, **domains: Domain) -> None:
        """Check the fields, and store each as a float."""
        for name, domain in domains.items():
            object.__setattr__(self, name, domain.check_one(name, getattr(self, name)))

    def _check_kept(self, data: object, kept: object) -> None:
        """Check that a limit is kept where the data are not, and only there."""
        if data is None and kept != "inf":
            self._check(kept=KEPT)
        elif data is not None and kept is not None:
            raise DomainError("kept", "kept stands in place of the data; got both")


@lru_cache(maxsize=32)  # a search for some goals, and asked for again and again
def _allowed(goal: Goal) -> Feasible:
    try:
        low, high = goal._ends()
    except DomainError as error:
        return Feasible(0.0, 0.0, str(error))
    if low > EPSILON.high:
        return Feasible(0.0, 0.0, "not even the largest ε does")
    if high < EPSILON.low:
        return Feasible(0.0, 0.0, "not even the smallest ε does")
    # What every ε of the domain meets, any ε meets.
    return Feasible(low if low > EPSILON.low else 0.0, high if high < EPSILON.high else math.inf)


@dataclass(frozen=True)
class CountGoal(Goal):
    """A count shall be known this precisely: ε must be large enough.

    Parameters
    ----------
    count : float or None
        The count, above 0. Take a public reference count if you can: see `interval.epsilon`.
    half_width : float
        Half the interval's width as a share of the count, above 0.
    confidence : float
        The probability that the noisy count lies in the interval, between 0 and 1.
    secret : bool
        Whether the count is a secret one, from your data. A record then does not hold it.
    kept : float or "inf", optional
        The smallest ε, which a record keeps in place of a secret count; "inf" if there is none.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> print(CountGoal(count=100, half_width=0.2, confidence=0.8).interval())
    ε of at least 0.0805
    """

    count: float | None
    half_width: float
    confidence: float
    secret: bool = False
    kept: float | str | None = None

    kind = "count"
    gives_way = "half_width"

    def __post_init__(self) -> None:
        self._check(half_width=interval.HALF_WIDTH, confidence=interval.CONFIDENCE)
        one_of("secret", self.secret, (False, True))
        self._check_kept(self.count, self.kept)
        if self.count is not None:
            self._check(count=interval.COUNT)

    @property
    def from_data(self) -> bool:
        """Whether the count is secret."""
        return self.secret

    @property
    def sentence(self) -> str:
        """The goal in words."""
        count = "A count" if self.count is None or self.secret else f"A count of {show(self.count)}"
        return (
            f"{count} shall lie within ±{percent(self.half_width)} with a probability of "
            f"{percent(self.confidence)}."
        )

    def without_data(self) -> CountGoal:
        """Return the goal with the smallest ε in place of a secret count."""
        if not self.secret or self.count is None:
            return self
        allowed = self.interval()
        return replace(self, count=None, kept="inf" if allowed.empty else allowed.low)

    def _ends(self) -> tuple[float, float]:
        if self.count is None:
            return _number(self.kept), math.inf
        if interval.confidence(EPSILON.low, self.half_width, self.count) >= self.confidence:
            return 0.0, math.inf
        return interval.epsilon(self.half_width, self.confidence, self.count), math.inf

    def _needed(self, epsilon: float) -> float:
        if self.count is None:
            raise DomainError("count", "count must be known to say how precisely it can be known")
        return interval.half_width(epsilon, self.confidence, self.count)


@dataclass(frozen=True)
class RiskGoal(Goal):
    """Nobody shall be this sure which record is missing: ε must be small enough.

    Parameters
    ----------
    worlds : Worlds or None
        The possible worlds of the column.
    risk : float
        The tolerated risk, between 0 and 1.
    kept : float or "inf", optional
        The largest ε, which a record keeps in place of the worlds; 0 if there is none.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> goal = RiskGoal(worlds.Worlds([1, 2, 3, 10]), risk=1 / 3)
    >>> print(goal.interval())
    ε of at most 0.431
    >>> RiskGoal(goal.worlds, risk=0.25).interval().reason
    'risk must be a number above 1/4, which a blind guess reaches, and below 1; got 0.25. Close
    above it, ε would have to be smaller than 1e-8'
    """

    worlds: worlds.Worlds | None
    risk: float
    kept: float | str | None = None

    kind = "risk"
    gives_way = "risk"

    def __post_init__(self) -> None:
        self._check(risk=worlds.RISK)
        if not isinstance(self.worlds, worlds.Worlds | None):
            raise TypeError(f"worlds must be a Worlds; got {type(self.worlds).__name__}")
        self._check_kept(self.worlds, self.kept)

    @property
    def from_data(self) -> bool:
        """Always: the risk depends on the column."""
        return True

    @property
    def sentence(self) -> str:
        """The goal in words."""
        return (
            f"Nobody who knows all records shall be more than {percent(self.risk)} sure which one "
            "is missing."
        )

    def without_data(self) -> RiskGoal:
        """Return the goal with the largest ε in place of the worlds."""
        high = self.interval().high
        return replace(self, worlds=None, kept=high if math.isfinite(high) else "inf")

    def _ends(self) -> tuple[float, float]:
        if self.worlds is None:
            return 0.0, _number(self.kept)
        return 0.0, self.worlds.epsilon(self.risk)

    def _needed(self, epsilon: float) -> float:
        if self.worlds is None:
            raise DomainError("worlds", "worlds must be known to say what the risk is")
        return self.worlds.risk(epsilon)


@dataclass(frozen=True)
class BreachGoal(Goal):
    """A belief shall not rise above another: ε must be small enough.

    Parameters
    ----------
    prior : float
        The belief before the answer, between 0 and 1.
    posterior : float
        The tolerated belief after it, between 0 and 1. No ε promises one up to the prior.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> print(BreachGoal(prior=0.1, posterior=0.2).interval())
    ε of at most 0.81
    """

    prior: float
    posterior: float

    kind = "breach"
    gives_way = "posterior"

    def __post_init__(self) -> None:
        self._check(prior=breach.PRIOR, posterior=breach.POSTERIOR)

    @property
    def sentence(self) -> str:
        """The goal in words."""
        return (
            f"A belief of {percent(self.prior)} about anybody shall not become one above "
            f"{percent(self.posterior)}."
        )

    def _ends(self) -> tuple[float, float]:
        return 0.0, breach.epsilon(self.prior, self.posterior)

    def _needed(self, epsilon: float) -> float:
        return breach.posterior(self.prior, epsilon)


@dataclass(frozen=True)
class BudgetGoal(Goal):
    """Several releases shall together stay within a budget: the ε of each must be small enough.

    Parameters
    ----------
    releases : int
        How many releases there will be, from 1 to 10⁵.
    epsilon, delta : float
        The budget of all of them, as in `loss.epsilon`: ε from 1e-8 to 1e9, δ from 0 up and below
        1.
    mechanism : {"any", "laplace", "gaussian"}
        How each release is made, as in `loss.epsilon`.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> print(BudgetGoal(releases=100, epsilon=1, delta=1e-6, mechanism="laplace").interval())
    ε of at most 0.0241
    """

    releases: int
    epsilon: float
    delta: float
    mechanism: str = "laplace"

    kind = "budget"
    gives_way = "releases"

    def __post_init__(self) -> None:
        self._check(releases=loss.COUNT, epsilon=loss.TOTAL, delta=loss.DELTA_OR_NONE)
        object.__setattr__(self, "releases", int(self.releases))
        one_of("mechanism", self.mechanism, loss.COMPOSED)

    @property
    def sentence(self) -> str:
        """The goal in words."""
        how = {"any": "any mechanism", "laplace": "Laplace noise", "gaussian": "Gaussian noise"}[
            self.mechanism
        ]
        many = f"{self.releases:,} releases" if self.releases > 1 else "One release"
        return (
            f"{many} with {how} shall stay within ε = {show(self.epsilon)} and "
            f"δ = {show(self.delta)} in all."
        )

    def _ends(self) -> tuple[float, float]:
        return 0.0, loss.epsilon(self.epsilon, self.delta, self.releases, self.mechanism)

    def _needed(self, epsilon: float) -> float:
        return loss.compositions(epsilon, self.epsilon, self.delta, self.mechanism)

    def fitting(self, epsilon: float) -> BudgetGoal | None:
        """Return the budget with as many releases of this ε as it has room for.

        None if not even one fits.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a number from 1e-8 to 1000.
        """
        epsilon = EPSILON.check_one("epsilon", epsilon)
        try:
            most = int(self._needed(epsilon))
        except DomainError:
            return None
        for releases in (most, most - 1):  # the way there and back may cost one
            if releases >= 1:
                goal = replace(self, releases=releases)
                if goal.interval().allows(epsilon):
                    return goal
        return None


def _number(kept: float | str | None) -> float:
    """Return a limit that a record keeps, where "inf" stands for infinity: JSON has none."""
    return math.inf if kept is None else float(kept)


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
