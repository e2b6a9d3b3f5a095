"""The case: what is published, about whom, with which noise, how often, and what others know.

Goals, meanings and the record of a decision all follow from it. The noise is given by its scale, in
the unit of what is published: Laplace noise by its b, Gaussian noise by its standard deviation σ.
ε is read from the scale, with the sensitivity Δf of the case beside it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from scipy.special import erfinv, expit, ndtr, ndtri

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.domain import (
    EPSILON,
    PROBABILITY,
    DomainError,
    one_of,
    silent,
    whole,
    within,
)
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import checked_text, described

PUBLISHED = ("count", "sum", "mean")
MECHANISMS = ("Laplace", "Gaussian")
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
#: Plurals of which it is sure that they only lose their s; not so of series, buses, ms and km/s.
_PLURAL = re.compile(r".*[^\W\d_]{2}([^\W\d_aeiusxz]|[^\W\d_hiosvxz]e)s")
#: 1 − e^(−this) is 1 in floats.
_CERTAIN = 40.0
#: No float below 1 has such a normal quantile.
_ABOVE_ALL = 9.0


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is going to be published, with all that its ε depends on.

    Parameters
    ----------
    published : {"count", "sum", "mean"}
        What is published: how many people have a property, or the sum or the mean of one value of
        each person, clipped to a public range.
    n : int, optional
        How many people the data are about, from 1 to 10¹², if that is public. A mean needs it.
    low, high : float, optional
        The public range to which values are clipped, from −1e12 to 1e12 and at least 1e-12 wide;
        not for a count.
    unit : str
        In which unit it is published, as a plural: "patients" for a count of them, "days".
    neighbours : {"add/remove", "replace"}, optional
        How two databases differ that must look alike: one person is added or removed, or one
        person's record is replaced. By default replaced for a mean, else added or removed.
    mechanism : {"Laplace", "Gaussian"}
        The noise, the same in each release and independent.
    delta : float
        The δ at which ε is read, 0 or from 1e-300 and below 1. Gaussian noise needs one above 0.
        One release with Laplace noise is read at δ = 0 whatever it is.
    releases : int
        How many such releases there are about the same people, from 1 to 10⁵.
    used : float
        The ε that other releases about these people have used up, from 0 to 1e9, for the same
        neighbours. It counts in whatever is promised of all releases. Where persons are added or
        removed and a belief is about a value, two values of one person must have this ε: twice
        that of a person who is added.
    used_delta : float
        The δ at which others' ε holds, 0 or from 1e-300 and below 1.
    household : int
        How many people's records may depend on each other, from 1 to 10⁶ and no more than n.
    prior : float, optional
        What an attacker believes of a person before the first release, above 0 and below 1.
    reference : float, optional
        A public number near to which the truth is supposed to lie, such as last year's, above 0.
        Never the secret itself: see `interval.neighbour_loss`.
    confidence : float, optional
        How often the published number shall lie in an interval around the truth, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or two do not go together.

    Examples
    --------
    >>> case = Case(published="mean", n=12, low=0, high=10, unit="days", releases=2)
    >>> round(case.sensitivity, 4), round(case.scale(1.4), 4), round(case.epsilon(2), 4)
    (0.8333, 0.5952, 0.4167)
    >>> print(case.sentence)
    2 means of one value of each of 12 people, clipped to 0 to 10 days, each with its own Laplace
    noise. If one person’s record is replaced, the truth changes by at most Δf = 0.833 days.
    >>> Case.from_dict(case.to_dict()) == case
    True
    """

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

    def measured(self, value: float, digits: int = 3, *, up: bool | None = None) -> str:
        """Write a number with the case's unit, such as 1 patient or 5 patients.

        Where the singular is not sure, the plural stays: 1 buses.
        """
        number, unit = show(value, digits, up=up), self.unit
        if number == "1" and (unit == "people" or _PLURAL.fullmatch(unit)):
            unit = "person" if unit == "people" else unit[:-1]
        return f"{number} {unit}"

    @property
    def sentence(self) -> str:
        """The case in words."""
        return f"{self.what} {self.step}"

    @property
    def what(self) -> str:
        """What is published, in words."""
        whom = "people" if self.n is None else f"{self.n:,} {'people' if self.n > 1 else 'person'}"
        if self.published == "count":
            what = f"how many {'' if self.n is None else 'of '}{whom} have a property"
            each = f"{self.releases:,} counts of" if self.releases > 1 else "A count of"
        else:
            each_of = "each person" if self.n is None else f"each of {whom}"
            low, high = map(show, self.ends)
            what = f"one value of {each_of}, clipped to {low} to {high} {self.unit}"
            one = f"A {self.published} of"
            each = f"{self.releases:,} {self.published}s of" if self.releases > 1 else one
        apiece = "each with its own" if self.releases > 1 else "with"
        return f"{each} {what}, {apiece} {self.mechanism} noise."

    @property
    def step(self) -> str:
        """What neighbours are, and how far the truth lies apart for them, in words."""
        step = {
            "add/remove": "one person is added or removed",
            "replace": "one person’s record is replaced",
        }[str(self.neighbours)]
        moved = self.measured(self.sensitivity)
        return f"If {step}, the truth changes by at most Δf = {moved}."

    @property
    def tested(self) -> str:
        """What the test of an advantage is about, in words: neighbours are told apart."""
        return {
            "add/remove": "whether a person is in the data",
            "replace": "which of two records belongs to a person",
        }[str(self.neighbours)]

    def slip(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability.

        With a δ of others that is twice as much more: see `log_odds`.
        """
        return slip(self._own_slip(reach) + 2 * self.others(reach)[1])

    def _own_slip(self, reach: str) -> float:
        count, _ = self.counted(reach)
        pure = not self.delta or count == 1 or 0.5**count > self.delta
        return 0.0 if self.mechanism == "Laplace" and pure else self.delta

    def besides(self, reach: str) -> str:
        """Return what a sentence says of others, between commas, or nothing where none count."""
        if reach == ONE or not (self.used or self.used_delta):
            return ""
        delta = f" and δ = {show(self.used_delta)}" if self.used_delta else ""
        _, people = self.counted(reach)
        each = " for each of them" if people > 1 else ""
        return f" with ε = {show(self.used)}{delta} used up by others{each},"

    def at(self, reach: str) -> str:
        """Return at which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta + self.others(reach)[1]
        return f" and δ = {show(delta, up=True)}" if delta else ""

    # The noise, and what it does.

    @silent
    def scale(self, epsilon: float) -> float:
        """Compute the scale of the noise at which one release has this ε.

        Parameters
        ----------
        epsilon : float
            The privacy parameter ε of one release, from 1e-8 to 1000.

        Returns
        -------
        float
            Δf/ε for Laplace noise. For Gaussian noise the standard deviation at which it is
            (ε, `delta`)-private.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.
        """
        epsilon = EPSILON.check_one("epsilon", epsilon)
        if self.mechanism == "Laplace":
            return self.sensitivity / epsilon
        return self.sensitivity / gaussian_mu(epsilon, self.delta)

    def epsilon(self, scale: float) -> float:
        """Compute the ε of one release with noise of this scale, the way back of `scale`.

        Raises
        ------
        TypeError, ValueError
            If the scale is no number from 1e-90 to 1e90.
        """
        return min(max(self.total(scale, ONE), EPSILON.low), EPSILON.high)

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

    def total(self, scale: float, reach: str = ALL) -> float:
        """Compute the ε of everything that a reach takes in, with what others have used up.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in; with one release, others are not.

        Returns
        -------
        float
            Others' ε for each of the people, and for the case's own releases: for Laplace noise
            Δf/b times releases times people, or the ε of the composed law at `delta` where that is
            smaller; for Gaussian noise the ε at `delta`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        It holds at the sum of `delta` and others' δ for so many people, as `at` says it: ε and δ
        add up.
        """
        own = self._bound(scale, reach, self.sensitivity, lambda law: law.epsilon(self.delta))
        return own + self.others(reach)[0]

    def log_odds(self, scale: float, reach: str = ONE) -> float:
        """Compute by how much the logarithm of the odds of a belief about a person may change.

        Parameters
        ----------
        scale, reach
            As in `total`.

        Returns
        -------
        float
            Never more for Laplace noise without a `delta`; else but for a probability of `delta`,
            with which the privacy loss is larger, and of twice others' δ: `slip` says it.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        The tail of the loss, and not δ(ε) = E[(1 − e^(ε−L))₊], says how often a belief moves by
        more. What is believed must depend on this person alone, or on the people of the household.
        Of others only ε and δ are known. Where δ is 0 their loss is at most ε. Else, with t =
        ε + ln 2, δ ≥ P[L > t]·(1 − e^(ε−t)) = P[L > t]/2: their loss is above t with a probability
        of at most 2δ.
        """
        bound = self._bound(scale, reach, self.fact_sensitivity, self._least_exceeded)
        return bound + self.moved_by_others(reach)

    def moved_by_others(self, reach: str, steps: int = 1) -> float:
        """Return how far others' releases move the logarithm of odds; see `log_odds`."""
        used, delta = self.others(reach, steps)
        return used + math.log(2) if delta else used

    @silent
    def advantage(self, scale: float, reach: str = ONE) -> float:
        """Compute the largest advantage of a test that says whether a person is in the data.

        It is how often it says "with" of those who are, less how often of those who are not.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        Whatever is (ε, δ)-private tells no more than a mechanism that betrays everything with a
        probability of δ, and else is randomized response of ε (Kairouz, Oh and Viswanath 2015).
        Beside it the case's own releases have the advantage tanh(ε/2) + 2·δ(ε)/(1 + e^ε) where
        nothing is betrayed, with δ(ε) of their own loss, whose law is the same in both orders.
        """
        used, delta = self.others(reach)
        own = 2 * expit(-used) * self._delta(scale, reach, min(used, loss.LOSS.high))
        return float(min(delta + (1 - delta) * (math.tanh(used / 2) + own), 1.0))

    def _delta(self, scale: float, reach: str, epsilon: float) -> float:
        """Return the δ(ε) of the case's own releases."""
        count, people = self.counted(reach)
        shift = people * self.sensitivity / SCALE.check_one("scale", scale)
        if self.mechanism == "Gaussian":
            mu = shift * math.sqrt(count)
            apart = float(2 * ndtr(mu / 2) - 1)  # δ(0), of which no δ(ε) is more
            return min(loss.gaussian(_clipped(mu)).delta(epsilon), apart) if epsilon else apart
        if count == 1:
            return -math.expm1(min((epsilon - shift) / 2, 0.0))
        # Tests err less often than the product of the overlaps ∫√(pq) = (1 + s/2)·e^(−s/2): where
        # that is less than floats can tell from 0, a composition would only take long.
        if count * (shift / 2 - math.log1p(shift / 2)) > _CERTAIN:
            return 1.0
        law = loss.laplace(max(shift, EPSILON.low)).compose(count)
        # Releases tell no more together than the sum of what each tells.
        return min(float(law.delta(epsilon)), count * -math.expm1(-shift / 2))

    @silent
    def _bound(self, scale: float, reach: str, moved: float, composed: Any) -> float:
        """Return the sum of the losses, or what the law of the composed loss says if it is less."""
        count, people = self.counted(reach)
        shift = people * moved / SCALE.check_one("scale", scale)
        if self.mechanism == "Gaussian":
            return float(composed(loss.gaussian(_clipped(shift)).compose(count)))
        summed = count * shift
        # The largest loss has a probability of 2^−count: more than δ cannot be left out.
        if count == 1 or self.delta == 0 or shift > EPSILON.high or shift < EPSILON.low:
            return summed
        return min(summed, float(composed(loss.laplace(shift).compose(count))))

    def _least_exceeded(self, law: loss.LossDistribution) -> float:
        """Return the loss that is exceeded with a probability of at most δ."""
        if self.mechanism == "Gaussian":
            mean = law.mean()
            return mean + math.sqrt(2 * mean) * -float(ndtri(self.delta))
        count = law.parts[0][1]
        if 0.5**count > self.delta:  # so probable are `count` losses of ε each
            return math.inf
        high = 1.0
        while law.tail(high) > self.delta:
            high *= 2
        low = 0.0
        while high - low > 1e-9 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if law.tail(middle) > self.delta else (low, middle)
        return high + law.grid_step

    def scale_of_total(self, total: float, reach: str = ALL) -> float:
        """Compute the smallest scale at which `total` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others have used up as much.
        """
        count, people = self.counted(reach)
        used, _ = self.others(reach)
        if used >= total:
            whose = f" shared by {people:,} people" if people > 1 else ""
            raise DomainError(
                "used",
                f"used must be below {show(total / people)}, the budget{whose}; others have "
                f"used up ε = {show(self.used)}, and nothing is left",
            )
        left = total - used
        if self.mechanism == "Gaussian":
            return people * self.sensitivity * math.sqrt(count) / gaussian_mu(left, self.delta)
        each = left / count
        if count > 1 and self.delta and each >= EPSILON.low:
            each = loss.epsilon(left, self.delta, count, "laplace")
        return people * self.sensitivity / each

    def scale_of_log_odds(self, moved: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `log_odds` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since what others have used up alone moves them so far.
        """
        count, people = self.counted(reach)
        left = moved - self.moved_by_others(reach)
        if left <= 0:
            raise self.by_others("a belief may rise farther than that")
        far = people * self.fact_sensitivity
        if self.mechanism == "Gaussian":  # μ²/2 + μz is the loss that is exceeded so seldom
            z = -float(ndtri(self.delta))
            mu = 2 * left / (z + math.sqrt(z * z + 2 * left))
            return far * math.sqrt(count) / mu
        if not self._own_slip(reach):
            return count * far / left

        def excess(scale: float) -> float:
            return math.log(self.log_odds(scale, reach) / moved)

        return self._least(excess, count * far / left)

    def scale_of_advantage(self, advantage: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `advantage` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others' releases alone allow such a test.
        """
        count, people = self.counted(reach)
        used, delta = self.others(reach)
        room = (advantage - delta) - (1 - delta) * math.tanh(used / 2)
        if room <= 0:
            raise self.by_others("a test may have a larger advantage")
        room /= (1 - delta) * 2 * float(expit(-used))  # for the δ(ε) of the case's own releases
        far = people * self.sensitivity
        if room >= 1:
            return 0.0
        if self.mechanism == "Gaussian":
            return far * math.sqrt(count) / gaussian_mu(used, room)
        if count == 1:
            return far / max(used - 2 * math.log1p(-room), 1e-300)
        enough = far / max(used / count, -2 * math.log1p(-room / count), 1e-300)
        room = min(room, 1 - 1e-9)  # nearer to 1 no law has digits: on the safe side
        aim = float(ndtri(room))  # along the scale, normal quantiles are nearly a straight line

        def excess(scale: float) -> float:
            return min(float(ndtri(self._delta(scale, reach, used))), _ABOVE_ALL) - aim

        # So near to 1 the digits of δ(ε) that are left say no more of the scale.
        return self._least(excess, enough, 1e-11 if room < 1 - 1e-6 else 1e-4)

    def by_others(self, more: str) -> DomainError:
        """Return the error that says what others' releases alone allow, so that no noise helps."""
        name = "used" if self.used else "used_delta"
        return DomainError(
            name, f"{name} must be smaller here: with what others have used up alone {more}"
        )

    def _least(
        self, excess: Callable[[float], float], enough: float, precision: float = 1e-11
    ) -> float:
        """Return the least scale at which an excess that falls with the scale is not above 0.

        At the scale `enough` it is not, but for rounding. The search goes down from there: the laws
        of little noise take longest.
        """
        from scipy.optimize import root_scalar

        if enough > SCALE.high:
            return enough
        high = math.log(enough)
        while excess(math.exp(high)) > 0:
            high += 1e-6
        low, smallest = high, math.log(self.scale(EPSILON.high))
        while excess(math.exp(low)) <= 0:
            if low < smallest:
                return 0.0
            high, low = low, low - math.log(2)
        ends = low, high
        root = root_scalar(lambda log: excess(math.exp(log)), bracket=ends, xtol=precision).root
        found, step = math.exp(float(root)), precision / 10
        while excess(found) > 0:  # on the safe side
            found, step = found * (1 + step), 2 * step
        return found

    def within(self, scale: float, confidence: float) -> float:
        """Compute the distance from the truth that noise of this scale keeps so often."""
        confidence = PROBABILITY.check_one("confidence", confidence)
        scale = SCALE.check_one("scale", scale)
        if self.mechanism == "Gaussian":
            return scale * math.sqrt(2) * float(erfinv(confidence))
        return -scale * math.log1p(-confidence)

    def change_within(self, scale: float, confidence: float) -> float:
        """Compute the same for the difference of two releases: two noises, so it is wider.

        Notes
        -----
        The difference of two independent Laplace noises of scale b is farther than t·b from 0 with
        a probability of (1 + t/2)·e^(−t).

        Examples
        --------
        >>> case = Case(published="count")
        >>> round(case.within(5, 0.95), 2), round(case.change_within(5, 0.95), 2)
        (14.98, 20.57)
        """
        one = self.within(scale, confidence)
        if self.mechanism == "Gaussian":
            return math.sqrt(2) * one
        from scipy.optimize import root_scalar

        outside = math.log1p(-confidence)

        def excess(t: float) -> float:
            return math.log1p(t / 2) - t - outside

        found = root_scalar(excess, bracket=(0, 3 * one / scale + 1), xtol=1e-15)
        return scale * float(found.root)

    def error(self, scale: float) -> float:
        """Compute how far off the published number is on average."""
        scale = SCALE.check_one("scale", scale)
        return scale * (math.sqrt(2 / math.pi) if self.mechanism == "Gaussian" else 1.0)

    # There and back.

    def to_dict(self) -> dict[str, Any]:
        """Return all that it says, ready for JSON."""
        return asdict(self)

    @staticmethod
    def from_dict(data: object) -> Case:
        """Make the case that `to_dict` wrote, and check it whole.

        Raises
        ------
        TypeError, ValueError
            If it is none.
        """
        names = {field.name for field in fields(Case)}
        if not isinstance(data, dict) or data.keys() != names:
            raise ValueError(f"a case has {', '.join(sorted(names))}; got {described(data)}")
        return Case(**data)


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


def slip(chance: float) -> str:
    """Return what a sentence adds that fails with at most this probability."""
    return f", except with a probability of {show(min(chance, 1.0), up=True)}" if chance else ""


def _clipped(shift: float) -> float:
    return min(max(shift, EPSILON.low), EPSILON.high)


@lru_cache(maxsize=256)
@silent
def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return a μ, Δf/σ, at which Gaussian noise is (ε, δ)-private: the largest up to 1000.

    Balle and Wang (2018): δ(ε) rises with μ. It is solved for by the logarithm of μ.

    Examples
    --------
    >>> round(gaussian_mu(1, 1e-6), 4), round(loss.gaussian(0.2366).epsilon(1e-6), 3)
    (0.2367, 1.0)
    """
    from scipy.optimize import root_scalar

    def excess(log: float) -> float:
        reached = loss.gaussian(_clipped(math.exp(log))).delta(epsilon)
        return math.log(max(reached, 1e-320)) - math.log(delta)

    low, high = math.log(loss.MU.low), math.log(loss.MU.high)
    if excess(low) >= 0:  # δ(ε) is at most δ(0), which is at most this share of μ
        return delta * math.sqrt(2 * math.pi)
    if excess(high) <= 0:
        return loss.MU.high
    found = math.exp(float(root_scalar(excess, bracket=(low, high), xtol=1e-13).root))
    while excess(math.log(found)) > 0:  # on the safe side
        found *= 1 - 1e-12
    return found
