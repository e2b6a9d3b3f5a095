"""Goals, and the noise that each of them allows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar

from scipy.special import expit, logit

from dpwidgets.calculators import breach, interval, loss, worlds
from dpwidgets.calculators.case import ALL, ONE, REACHES, Case, slip
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.worlds import RISK
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, Domain, DomainError, one_of
from dpwidgets.inputs.notation import ROUNDING, percent, rounded, show
from dpwidgets.inputs.outside import described

KEPT = Domain("a finite number from 0 up, or 'inf'", low=0.0, includes_low=True)
ERROR = interval.HALF_WIDTH


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
        return bool(self.reason) or self.low > self.high * (1 + ROUNDING)

    def allows(self, scale: float) -> bool:
        """Tell whether this scale is one of them, but for rounding."""
        return not self.empty and self.low * (1 - ROUNDING) <= scale <= self.high * (1 + ROUNDING)

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        0 and infinity stand for open ends, and 1e-8 for noise so large that ε would be smaller.
        """
        low = 0.0 if math.isinf(self.high) else case.epsilon(self.high)
        return low, case.epsilon(self.low) if self.low else math.inf

    def rounded(self, case: Case, digits: int = 3) -> tuple[tuple[float, float], ...]:
        """Round the ends so that the range grows no wider: those of the scale, and those of ε."""
        return tuple(
            (
                rounded(low * (1 - ROUNDING), digits, up=True),
                rounded(high * (1 + ROUNDING), digits, up=False),
            )
            for low, high in ((self.low, self.high), self.epsilons(case))
        )

    def sentence(self, case: Case, *, delta: bool = True, digits: int = 3) -> str:
        """Say which scales they are, which ε, and for which δ if the noise needs one."""
        if self.empty:
            return "no noise"
        if not self.low and math.isinf(self.high):
            return "any noise"
        scales, epsilons = ends = self.rounded(case, digits)
        while digits < 16 and any(low > high for low, high in ends):  # rounded past each other
            digits += 1
            scales, epsilons = ends = self.rounded(case, digits)
        small, large = (case.measured(scale, digits) for scale in scales)
        least, most = (show(epsilon, digits) for epsilon in epsilons)
        # Noise may be larger than that of the smallest ε: Gaussian noise then has ε = 0 at its δ.
        below, widest = f"below {show(EPSILON.low)}", case.scale(EPSILON.low)
        tiny, wide = (end * (1 - ROUNDING) > widest for end in (self.low, self.high))
        if math.isinf(self.high):
            words = f"a scale of at least {small}, which is ε "
            words += below if tiny else f"of at most {most}"
        elif not self.low:
            words = f"a scale of at most {large}, which "
            words += f"allows even ε {below}" if wide else f"is ε of at least {least}"
        else:
            least = below if wide else least
            words = f"a scale from {small.split()[0]} to {large}, which is ε "
            words += below if tiny else f"from {least} to {most}"
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
    domain: ClassVar[Domain]  # of the limit
    promise: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._check(self.limits, self.domain)

    @abstractmethod
    def sentence(self, case: Case) -> str:
        """Return the goal in words."""

    @abstractmethod
    def reached(self, case: Case, scale: float) -> float:
        """Compute the number that is limited, at this scale of the noise."""

    @abstractmethod
    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what noise of this scale makes of the goal's number: at most this."""

    def _reached(self, case: Case, scale: float, *writes: Callable[..., str]) -> str:
        """Write the number that is reached, rounded up, on the same side of the limit as it is.

        The limit is read as the goal's sentence writes it. Where that does not tell on which side
        the number is, more digits of both are written.
        """
        number, met = self.reached(case, scale), self.met(case, scale)
        plain = [write(self.limit) for write in writes]
        words, limits = "", plain
        for digits in range(3, 11):
            said = [write(number, digits, up=True) for write in writes]
            words = said[0] + "".join(f" ({one})" for one in said[1:])
            for limits in (plain, [write(self.limit, digits) for write in writes]):
                if all(
                    (_number(one) <= _number(limit)) == met
                    for one, limit in zip(said, limits, strict=True)
                ):
                    named = f" (the limit is {' or '.join(limits)})" if limits != plain else ""
                    return words + named
        return f"{words} (the limit is {' or '.join(limits)})"

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
            slacks = (1 - ROUNDING, 1, 1 + ROUNDING)
            limits = [rounded(needed * slack, up=True, digits=digits) for slack in slacks]
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
    smallest = case.scale(EPSILON.high)
    if end > SCALE.high if goal.promise else end < smallest * (1 - ROUNDING):
        return Feasible(math.inf, 0.0, nothing)
    # What every noise of the domain meets, any noise meets.
    if goal.promise:
        return Feasible(0.0 if end <= smallest else end, math.inf)
    return Feasible(0.0, math.inf if end >= SCALE.high else end)


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

    kind = "interval"
    limits = "half_width"
    domain = interval.HALF_WIDTH

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        sure = percent(case.confidence) if case.confidence else "the confidence that is missing"
        width = f"±{percent(self.half_width)} of the truth"
        if case.reference:
            width = f"±{case.measured(self.half_width * case.reference)} of the truth "
            width += f"({percent(self.half_width)} of {show(case.reference)})"
        else:
            width += " (as a share of a reference that is missing)"
        return f"The {case.published} shall lie within {width} with a probability of {sure}."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the half-width, as a share of the reference."""
        sure = _given(case, "confidence", "how often shall it lie in the interval?")
        near = _given(case, "reference", "of which public number is the half-width a share?")
        return case.within(scale, sure) / near

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how far off it is."""

        def near(share: float, digits: int = 3, *, up: bool | None = None) -> str:
            return case.measured(share * float(case.reference or 0), digits, up=up)

        return f"within ±{self._reached(case, scale, near, percent)}"

    def _end(self, case: Case) -> float:
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
    domain = ERROR

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
        return f"off by {self._reached(case, scale, case.measured)} on average"

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
    reaches: ClassVar[tuple[str, ...]] = REACHES

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("reach", self.reach, self.reaches)

    def _after(self, case: Case) -> str:
        """Return the beginning of the sentence, which says the reach."""
        if self.reach == ONE:
            return "After one release,"
        count, people = case.counted(self.reach)
        after = f"After all {count:,} releases," if count > 1 else "After the only release,"
        if people > 1:
            after += f" even if the records of {people:,} people depend on each other,"
        return after + case.besides(self.reach)


@dataclass(frozen=True)
class Alike:
    """The worlds of a column whose records do all the same to the query, in place of `Worlds`.

    No answer tells one of its worlds from another, with or without noise.

    Parameters
    ----------
    people : int
        How many records the column has.
    """

    people: int
    sensitivity: ClassVar[float] = 0.0

    def risk(self, epsilon: float) -> float:
        """Return how often a blind guess is right, whatever ε is."""
        return 1 / self.people

    def epsilon(self, risk: float) -> float:
        """Return that no noise is needed, or raise an error where a blind guess is too good."""
        blind = f"a number of at least 1/{self.people}, which a blind guess reaches, and below 1"
        Domain(blind, 1 / self.people, 1.0, includes_low=True).check_one("risk", risk)
        return math.inf


@dataclass(frozen=True)
class RiskGoal(Promise):
    """Nobody shall be this sure which record of a column is missing.

    Parameters
    ----------
    worlds : Worlds, Alike or None
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

    Notes
    -----
    Two worlds, each without a record of its own, are two neighbours apart where persons are added
    or removed, and one where records are replaced. Whatever the case's own answers are, all other
    worlds together are one mixture of worlds, and others' releases move the odds between it and
    this one by e^ε at most, with their ε for so many neighbours. With a δ they move them by more
    than 2e^ε with a probability of at most 2δ where this record is the missing one. Whom the
    answers point at with a posterior above ρ is the missing one more often than ρ, so that it
    happens with a probability of at most 2δ/ρ in all.

    Examples
    --------
    >>> case = Case(published="mean", n=4, low=0, high=10, unit="years")
    >>> goal = RiskGoal(worlds.Worlds([1, 2, 3, 10]), risk=1 / 3)
    >>> print(goal.scales(case).sentence(case))
    a scale of at least 6.57 years, which is ε of at most 0.38 for Δf = 2.5
    """

    worlds: worlds.Worlds | Alike | None
    risk: float
    kept: float | str | None = field(default=None, kw_only=True)

    kind = "risk"
    limits = "risk"
    domain = RISK

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.worlds, worlds.Worlds | Alike | None):
            raise TypeError(f"worlds must be a Worlds; got {type(self.worlds).__name__}")
        if self.worlds is None and self.kept is None:
            raise DomainError("kept", f"kept must be {KEPT.allowed} where there are no worlds")
        if self.worlds is not None and self.kept is not None:
            raise DomainError("kept", "kept stands in place of the data; got both")
        if self.kept is not None and self.kept != "inf":
            self._check("kept", KEPT)

    @property
    def from_data(self) -> bool:
        """Always: the risk depends on the column."""
        return True

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        return (
            f"{self._after(case)} nobody who knows all records of the column, each equally likely "
            f"to be missing, shall be more than {percent(self.risk)} sure which one is"
            f"{slip(self._slip(case))}."
        )

    def reached(self, case: Case, scale: float) -> float:
        """Compute the risk."""
        if self.worlds is None:
            raise DomainError("worlds", "the column is not in the record")
        epsilon = self._moved(case) / scale
        # Below the smallest ε the risk is hardly more than that of a blind guess.
        own = self.worlds.risk(max(epsilon, EPSILON.low) if epsilon <= EPSILON.high else math.inf)
        others = self._by_others(case)
        return float(expit(logit(own) + others)) if others else own

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words how sure somebody can be."""
        if self.worlds is None:
            side = "at most" if self.met(case, scale) else "perhaps more than"
            return f"{side} {percent(self.risk)} sure"
        return f"at most {self._reached(case, scale, percent)} sure"

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

    def _steps(self, case: Case) -> int:
        return 2 if case.neighbours == "add/remove" else 1

    def _slip(self, case: Case) -> float:
        """Return the probability with which others' releases tell more than the goal allows."""
        return 2 * case.others(self.reach, self._steps(case))[1] / self.risk

    def _by_others(self, case: Case) -> float:
        """Return how far others' releases may move the logarithm of the odds of a world."""
        if self._slip(case) >= 1:
            raise DomainError(
                "used_delta",
                f"used_delta must be smaller here; got {show(case.used_delta)}, with which nothing "
                "is promised about so small a risk",
            )
        return case.moved_by_others(self.reach, self._steps(case))

    def _end(self, case: Case) -> float:
        if self.kept is not None:
            return float(self.kept)
        assert self.worlds is not None
        moved, others = self._moved(case), self._by_others(case)
        if not others:
            return moved / self.worlds.epsilon(self.risk)
        left = float(expit(logit(self.risk) - others))
        try:
            return moved / self.worlds.epsilon(left)
        except DomainError:
            raise case.by_others(
                f"a blind guess may become one of more than {percent(self.risk)}"
            ) from None


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
    'from 20% to at most 35.8%'
    """

    posterior: float

    kind = "belief"
    limits = "posterior"
    domain = breach.POSTERIOR

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
        after = self._reached(case, scale, percent)
        return f"from {percent(self._prior(case))} to at most {after}"

    def _prior(self, case: Case) -> float:
        return _given(case, "prior", "what does an attacker believe before?")

    def _end(self, case: Case) -> float:
        allowed = breach.epsilon(self._prior(case), self.posterior)
        return case.scale_of_log_odds(allowed, self.reach)


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
    domain = PROBABILITY

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
        return f"an advantage of at most {self._reached(case, scale, percent)}"

    def _end(self, case: Case) -> float:
        return case.scale_of_advantage(self.advantage, self.reach)


@dataclass(frozen=True)
class BudgetGoal(Promise):
    """All releases about the same people shall stay within an ε, at the case's δ and others'.

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
    domain = loss.TOTAL
    reaches = REACHES[1:]

    def sentence(self, case: Case) -> str:
        """Return the goal in words."""
        count, people = case.counted(self.reach)
        which = f"All {count:,} releases together" if count > 1 else "The release"
        if people > 1:
            which += f", for {people:,} people whose records depend on each other"
        others = case.besides(self.reach)
        which += f",{others}" if people > 1 or others else ""
        return f"{which} shall have ε = {show(self.total)}{case.at(self.reach)} at most."

    def reached(self, case: Case, scale: float) -> float:
        """Compute the ε of all releases, with what others have used up."""
        return case.total(scale, self.reach)

    def achieved(self, case: Case, scale: float) -> str:
        """Return in words what ε they have together."""
        return f"ε = {self._reached(case, scale, show)} in all"

    def _end(self, case: Case) -> float:
        return case.scale_of_total(self.total, self.reach)


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


#: Under each kind's name its class.
KINDS: dict[str, type[Goal]] = {
    goal.kind: goal
    for goal in (IntervalGoal, ErrorGoal, RiskGoal, BeliefGoal, AdvantageGoal, BudgetGoal)
}


def _number(words: str) -> float:
    """Return the number that words begin with."""
    return float(words.split()[0].rstrip("%").replace(",", "").replace("∞", "inf"))
