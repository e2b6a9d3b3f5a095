"""What is published, about whom, how often, and what others know; all of it checked."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.calculators.case._mechanisms import KINDS
from dpwidgets.inputs.domain import PROBABILITY, DomainError, one_of, whole, within
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import checked_text

PUBLISHED = ("count", "sum", "mean")
MECHANISMS = tuple(KINDS)
NEIGHBOURS = ("add/remove", "replace")
#: For what a promise holds: one release, all releases of the case, or all of them and all people of
#: a household, whose records are taken to change together.
ONE, ALL, HOUSEHOLD = "one release", "all releases", "all releases and a household"
REACHES: tuple[str, ...] = (ONE, ALL, HOUSEHOLD)
N = whole(1, 10**12)
MEMBERS = whole(1, 10**6)
USED = within(0, 1e9)
#: The ends of the range to which values are clipped, and how far apart they are at least.
END = within(-1e12, 1e12)
NARROWEST = 1e-12
_LONGEST_UNIT = 40
_DOMAINS = {
    "n": N,
    "low": END,
    "high": END,
    "delta": loss.DELTA_OR_NONE,
    "releases": loss.COUNT,
    "used": USED,
    "used_delta": loss.DELTA_OR_NONE,
    "household": MEMBERS,
    "prior": breach.PRIOR,
    "reference": interval.COUNT,
    "confidence": PROBABILITY,
}
_NEEDED = ("delta", "releases", "used", "used_delta", "household")


@dataclass(frozen=True, kw_only=True)
class Data:
    """The fields of a case, which `Case` describes, and what follows from them without noise."""

    published: str
    n: int | None = None
    low: float | None = None
    high: float | None = None
    unit: str = "people"
    neighbours: str | None = None
    mechanism: str = "Laplace"
    delta: float = 0.0
    releases: int = 1
    used: float = 0.0
    used_delta: float = 0.0
    household: int = 1
    prior: float | None = None
    reference: float | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        one_of("published", self.published, PUBLISHED)
        one_of("mechanism", self.mechanism, MECHANISMS)
        if self.neighbours is None:
            usual = "replace" if self.published == "mean" else "add/remove"
            object.__setattr__(self, "neighbours", usual)
        one_of("neighbours", self.neighbours, NEIGHBOURS)
        if not checked_text("unit", self.unit, _LONGEST_UNIT).strip():
            raise DomainError("unit", "unit must be a word, such as patients or days; it is empty")
        for name, domain in _DOMAINS.items():
            value = getattr(self, name)
            if value is not None or name in _NEEDED:
                number = domain.check_one(name, value)
                object.__setattr__(self, name, int(number) if domain.whole else number)
        self._check_range()
        self._check_people()
        if self.mechanism == "Gaussian" and self.delta == 0:
            raise DomainError(
                "delta", "delta must be above 0 for Gaussian noise: it has no ε without a δ; got 0"
            )

    def _check_range(self) -> None:
        if self.published == "count":
            for name in ("low", "high"):
                if getattr(self, name) is not None:
                    raise DomainError(
                        name, f"{name} belongs to a sum or a mean; a count has no range"
                    )
            return
        for name in ("low", "high"):
            if getattr(self, name) is None:
                raise DomainError(
                    name,
                    f"{name} must be given for a {self.published}: values must be clipped to a "
                    "public range, or one person may move it without limit",
                )
        low, high = self.ends
        if high - low < NARROWEST:
            got = f"got {low:.12g} and {high:.12g}"
            raise DomainError("low", f"low must be below high, by at least {NARROWEST:g}; {got}")

    def _check_people(self) -> None:
        if self.published == "mean":
            if self.n is None:
                raise DomainError(
                    "n",
                    "n must be public for a mean. The mean over a secret number of people is no "
                    "single release with noise: publish a noisy sum and a noisy count",
                )
            if self.n < 2:
                raise DomainError("n", f"n must be at least 2 for a mean; got {self.n}")
            if self.neighbours == "add/remove":
                raise DomainError(
                    "neighbours",
                    "neighbours must be 'replace' for a mean over a public number of people: "
                    "adding or removing one would change that number",
                )
        if self.n is not None and self.household > self.n:
            raise DomainError(
                "household",
                f"household must be at most n, all {self.n:,} people; got {self.household:,}",
            )
        if self.used_delta and self.delta + 2 * self.others(HOUSEHOLD)[1] >= 1:
            among = f", or household: for {self.household:,} people it grows"
            raise DomainError(
                "used_delta",
                f"used_delta must be smaller{among if self.household > 1 else ''}; got "
                f"{show(self.used_delta)}, with which nothing at all could be promised",
            )
        if self.published == "count" and (self.reference or 0) > (self.n or math.inf):
            raise DomainError(
                "reference",
                f"reference must be at most n, all {self.n:,} people, for a count of them; got "
                f"{show(self.reference or 0)}",
            )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to say of a δ that is too large for so many people: more than a hundredth of 1/n.

        A mechanism that publishes one person's whole record with a probability of δ has this δ.
        """
        own = self.delta if self.mechanism == "Gaussian" or self.releases > 1 else 0.0
        return tuple(
            f"{whose} = {show(delta)} is more than 0.01/n = {show(0.01 / self.n)}: δ alone would "
            f"allow to publish the records of {show(self.n * delta)} of {self.n:,} people on "
            "average, whatever ε is."
            for whose, delta in (("δ", own), ("The δ of others", self.used_delta))
            if self.n is not None and delta * self.n > 0.01 * (1 + 1e-9)
        )

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the range to which values are clipped; for a count both are 0."""
        return self.low or 0.0, self.high or 0.0

    @property
    def sensitivity(self) -> float:
        """How far the truth may lie apart for two neighbours, Δf, in the case's unit."""
        if self.published == "count":
            return 1.0
        low, high = self.ends
        if self.neighbours == "add/remove":
            return max(abs(low), abs(high))
        return (high - low) / (self.n or 1 if self.published == "mean" else 1)

    @property
    def fact_sensitivity(self) -> float:
        """How far the truth may move with anything that is said of one person, in the case's unit.

        It is Δf, or more where persons are added or removed and values lie on both sides of 0:
        what is believed of a *value* compares two values.
        """
        if self.published == "count" or self.neighbours == "replace":
            return self.sensitivity
        low, high = self.ends
        return max(self.sensitivity, high - low)

    def counted(self, reach: str) -> tuple[int, int]:
        """Return how many releases and how many people a reach takes in."""
        one_of("reach", reach, REACHES)
        return (
            1 if reach == ONE else self.releases,
            self.household if reach == HOUSEHOLD else 1,
        )

    def others(self, reach: str, steps: int = 1) -> tuple[float, float]:
        """Compute the ε and the δ that others have used up, for as many people as a reach takes in.

        Parameters
        ----------
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in. One release leaves others out: 0 and 0.
        steps : int
            How many neighbours lie between two databases that differ in one person's record.

        Returns
        -------
        (float, float)
            ε and δ; a δ of 1, which promises nothing, is the largest.

        Notes
        -----
        (ε, δ) for neighbours is (mε, δ·(1 + e^ε + … + e^((m−1)ε))) for databases m steps apart, by
        induction: P[S] ≤ e^ε·P′[S] + δ at each step (group privacy, as in Vadhan 2017).

        Examples
        --------
        >>> from dpwidgets.calculators.case import HOUSEHOLD, Case
        >>> case = Case(published="count", used=1, used_delta=1e-6, household=4)
        >>> epsilon, delta = case.others(HOUSEHOLD)
        >>> epsilon, round(delta, 8)
        (4.0, 3.119e-05)
        """
        _, people = self.counted(reach)
        if reach == ONE:
            return 0.0, 0.0
        steps *= people
        epsilon = steps * self.used
        if not self.used_delta:
            return epsilon, 0.0
        grown = math.log(self.used_delta * steps)
        if self.used:
            ratio = math.expm1(-epsilon) / math.expm1(-self.used)
            grown = math.log(self.used_delta) + epsilon - self.used + math.log(ratio)
        return epsilon, math.exp(min(grown, 0.0))

    def to_dict(self) -> dict[str, Any]:
        """Return all that it says, ready for JSON."""
        return asdict(self)
