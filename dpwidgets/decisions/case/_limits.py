"""What noise tells of people, with what others have used up, and the noise that keeps a limit."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from scipy.special import expit

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest
from dpwidgets.decisions.case._told import Told, epsilon_of
from dpwidgets.inputs.domain import (
    EPSILON,
    PROBABILITY,
    Domain,
    must_be,
    one_of,
    whole,
    within,
)
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import show, up

NEIGHBOURS = ("add/remove", "replace")
#: For what a promise holds: one release, all releases, or all of them and all
#: people of a household, whose records are taken to change together.
ONE, ALL, HOUSEHOLD = (
    "one release",
    "all releases",
    "all releases and a household",
)
REACHES: tuple[str, ...] = (ONE, ALL, HOUSEHOLD)
MEMBERS = whole(1, 10**6)
USED = within(0, 1e9)
#: A scale so large that no larger one is looked for.
FAR = SCALE.high / 10


def number(
    domain: Domain, default: float | None = None, of: tuple[str, ...] = ()
) -> Any:
    """Declare a field that is a number of this domain, and of what, if not of all, it is one."""
    return field(default=default, metadata={"domain": domain, "of": of})


@dataclass(frozen=True, kw_only=True)
class People(ABC):
    """What a case and a plan have in common: the fields that are about people, as in `Case`."""

    neighbours: str | None = None
    delta: float = number(loss.DELTA_OR_NONE, 0.0)
    used: float = number(USED, 0.0)
    used_delta: float = number(loss.DELTA_OR_NONE, 0.0)
    used_rho: float = number(loss.RHO_OR_NONE, 0.0)
    household: int = number(MEMBERS, 1)
    prior: float | None = number(breach.PRIOR)

    @abstractmethod
    def told(self, scale: float, reach: str, *, fact: bool = False) -> Told:
        """Return what its own releases tell, with noise of this scale.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in.
        fact : bool
            Whether two databases are compared that differ in anything that is
            said of the person, and not only two neighbours.
        """

    @abstractmethod
    def named(self, scale: float) -> Sequence[tuple[str, Any, float]]:
        """Return each statistic: its name, if any, its case, and the scale of its noise."""

    @abstractmethod
    def delta_of(self, reach: str) -> float:
        """Return the δ at which the ε of its own releases is read, for so many of them."""

    @abstractmethod
    def counted(self, reach: str) -> tuple[int, int]:
        """Return how many releases and how many people a reach takes in."""

    def _check_numbers(self) -> None:
        """Check the fields that are numbers, and store them; None stays where it may stand."""
        for one in (one for one in fields(self) if "domain" in one.metadata):
            name, value = one.name, getattr(self, one.name)
            if value is not None or one.default is not None:
                object.__setattr__(
                    self, name, one.metadata["domain"].check_one(name, value)
                )
        # At least the case's own δ and twice others' are left out of what is
        # promised.
        if self.used_delta and self.delta + 2 * self.others(HOUSEHOLD)[1] >= 1:
            among = ", or household" if self.household > 1 else ""
            got = f"got {show(self.used_delta)}, with which nothing at all could be promised"
            raise must_be("used_delta", f"smaller{among}; {got}")
        if self.used_rho and not self.delta:
            raise must_be(
                "delta",
                "above 0 beside used_rho, from which no ε follows at 0; got 0",
            )

    def people(self, reach: str) -> int:
        """Return how many people a reach takes in."""
        return (
            self.household
            if one_of("reach", reach, REACHES) == HOUSEHOLD
            else 1
        )

    def others(self, reach: str, steps: int = 1) -> tuple[float, float]:
        """Compute the ε and the δ that others have used up, for as many people as a reach takes in.

        Parameters
        ----------
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in. One release leaves others out: 0 and 0.
        steps : int
            How many neighbours lie between two databases that differ in one
            person's record.

        Returns
        -------
        (float, float)
            ε and δ; a δ of 1, which promises nothing, is the largest.

        Notes
        -----
        (ε, δ) for neighbours is (mε, δ·(1 + e^ε + … + e^((m−1)ε))) for
        databases m steps apart, by induction: P[S] ≤ e^ε·P′[S] + δ at each
        step (group privacy, as in Vadhan 2017).

        Examples
        --------
        >>> from dpwidgets.decisions.case import HOUSEHOLD, Case
        >>> case = Case(published="count", used=1, used_delta=1e-6, household=4)
        >>> epsilon, delta = case.others(HOUSEHOLD)
        >>> epsilon, round(delta, 8)
        (4.0, 3.119e-05)
        """
        steps *= self.people(reach)
        if reach == ONE:
            return 0.0, 0.0
        epsilon = steps * self.used
        if not self.used_delta:
            return epsilon, 0.0
        grown = math.log(self.used_delta * steps)
        if self.used:
            ratio = math.expm1(-epsilon) / math.expm1(-self.used)
            grown = (
                math.log(self.used_delta)
                + epsilon
                - self.used
                + math.log(ratio)
            )
        return epsilon, math.exp(min(grown, 0.0))

    def rho_of_others(self, reach: str, steps: int = 1) -> float:
        """Compute others' ρ: by the square of the people (Bun and Steinke 2016, Prop. 1.9)."""
        steps *= self.people(reach)
        return 0.0 if reach == ONE else steps * steps * self.used_rho

    def told_by_others(self, reach: str, *, fact: bool) -> float:
        """Compute the same for `told`: what is said of a person may differ by two neighbours."""
        return self.rho_of_others(
            reach, 2 if fact and self.neighbours == "add/remove" else 1
        )

    def moved_by_others(self, reach: str, steps: int = 1) -> float:
        """Return how far others' releases move the logarithm of odds; see `Limits.log_odds`."""
        used, delta = self.others(reach, steps)
        return used + math.log(2) if delta else used

    @property
    def tested(self) -> str:
        """What the test of an advantage is about, in words: neighbours are told apart."""
        if self.neighbours == "replace":
            return "which of two records belongs to a person"
        return "whether a person is in the data"

    def besides(self, reach: str) -> str:
        """Return what a sentence says of others, between commas, or nothing where none count."""
        if reach == ONE or not self.used_up:
            return ""
        each = " for each of them" if self.people(reach) > 1 else ""
        return f" with {self.used_up} used up by others{each},"

    @property
    def used_up(self) -> str:
        """What others have used up, in words, or nothing."""
        parts = (
            [f"ε = {show(self.used)}"] if self.used or self.used_delta else []
        )
        parts += [f"δ = {show(self.used_delta)}"] if self.used_delta else []
        parts += [f"ρ = {show(self.used_rho)}"] if self.used_rho else []
        return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

    def together(self, reach: str) -> str:
        """Return the beginning of a sentence about all releases that a reach takes in."""
        count, people = self.counted(reach)
        which = (
            f"All {count:,} releases together" if count > 1 else "The release"
        )
        if people > 1:
            which += (
                f", for {people:,} people whose records depend on each other"
            )
        others = self.besides(reach)
        return which + (f",{others}" if people > 1 or others else "")

    def at(self, reach: str) -> str:
        """Return at which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta_of(reach) + self.others(reach)[1]
        return f" and δ = {up(delta)}" if delta else ""

    def slip(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability.

        With a δ of others that is twice as much more: see `Limits.log_odds`.
        """
        return slip(
            self.told(1.0, reach, fact=True).slip + 2 * self.others(reach)[1]
        )


@dataclass(frozen=True, kw_only=True)
class Limits(People):
    """What a case, or a plan, tells together with what others have used up.

    `reach` is always one of "one release", "all releases" and "all releases
    and a household"; with one release, others are not taken in.
    """

    #: Of a scale that is searched for, relatively: it is larger by so much at
    #: most.
    precision: ClassVar[float] = 1e-11

    @property
    @abstractmethod
    def smallest_scale(self) -> float:
        """The scale of the least noise that is looked at."""

    @takes(scale=SCALE)
    def total(self, scale: float, reach: str = ALL) -> float:
        """Compute the ε of everything that a reach takes in, with what others have used up.

        Parameters
        ----------
        scale : float
            The scale of the noise in each release.
        reach : {"one release", "all releases", "all releases and a household"}
            What is taken in.

        Returns
        -------
        float
            Others' ε for each of the people, and for the case's own releases:
            for Laplace and geometric noise Δf/b times releases times people,
            or the ε of the composed law at `delta` where that is smaller; for
            Gaussian noise the ε at `delta`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        It holds at the sum of `delta_of` and others' δ for so many people, as
        `at` says it: ε and δ add up.
        """
        return self.told(scale, reach).epsilon() + self.others(reach)[0]

    def before(self, reach: str) -> tuple[float, float]:
        """Return the ε of what others have used up, at `delta` where they have a ρ, and its ρ."""
        used, rho = self.others(reach)[0], self.rho_of_others(reach)
        epsilon = used + (epsilon_of(rho, self.delta) if rho else 0.0)
        return epsilon, rho + used * math.tanh(used / 2)

    @takes(scale=SCALE)
    def log_odds(self, scale: float, reach: str = ONE) -> float:
        """Compute by how much the logarithm of the odds of a belief about a person may change.

        Never more for noise that is read without a `delta`; else but for a
        probability of `delta`, with which the privacy loss is larger, and of
        twice others' δ: `slip` says it.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        The tail of the loss, and not δ(ε) = E[(1 − e^(ε−L))₊], says how often
        a belief moves by more. What is believed must depend on this person
        alone, or on the people of the household. Of others only ε and δ are
        known. Where δ is 0 their loss is at most ε. Else, with t = ε + ln 2, δ
        ≥ P[L > t]·(1 − e^(ε−t)) = P[L > t]/2: their loss is above t with a
        probability of at most 2δ.
        """
        return self.told(
            scale, reach, fact=True
        ).exceeded() + self.moved_by_others(reach)

    @takes(scale=SCALE)
    def advantage(self, scale: float, reach: str = ONE) -> float:
        """Compute the largest advantage of a test that says whether a person is in the data.

        It is how often it says "with" of those who are, less how often of
        those who are not.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        Whatever is (ε, δ)-private tells no more than a mechanism that betrays
        everything with a probability of δ, and else is randomized response of
        ε (Kairouz, Oh and Viswanath 2015). Beside it the case's own releases
        have the advantage tanh(ε/2) + 2·δ(ε)/(1 + e^ε) where nothing is
        betrayed, with δ(ε) of their own loss, whose law is the same in both
        orders.
        """
        used, delta = self.others(reach)
        own = (
            2
            * expit(-used)
            * self.told(scale, reach).delta_at(min(used, loss.LOSS.high))
        )
        return float(
            min(delta + (1 - delta) * (math.tanh(used / 2) + own), 1.0)
        )

    @takes(scale=SCALE, baseline=PROBABILITY)
    def success(
        self, scale: float, baseline: float, reach: str = ALL
    ) -> float:
        """Compute how often an attacker is right, who is right so often without the releases.

        Parameters
        ----------
        scale, reach
            As in `total`.
        baseline : float
            How often the attacker's best guess about a person is right without
            them, between 0 and 1.

        Returns
        -------
        float
            How often it is right with them, at most: one minus the trade-off
            function at the baseline (Kulynych and others 2025), on average
            over what is published. A single answer may tell more: see
            `log_odds`.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        The guess compares the data with the person and the data without, or
        with another record of the person: whatever there is to guess, two
        neighbours. Others' (ε, δ) tells no more than randomized response that
        betrays everything with a probability of δ.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", releases=12)
        >>> round(case.success(5, 0.2), 3)
        0.432
        """
        _, delta = self.others(reach)
        guessed = baseline / (1 - delta) if delta < 1 else 1.0
        law = self._law_with_others(scale, reach)
        if law is None or guessed >= 1:
            return 1.0
        return min(delta + (1 - delta) * float(law.success(guessed)), 1.0)

    @takes(scale=SCALE)
    def rho(self, scale: float, reach: str = ALL) -> float:
        """Compute a ρ at which everything that a reach takes in is ρ-zCDP (Bun and Steinke 2016).

        Returns
        -------
        float
            ρ, the smallest for the case's own releases, with the worst that
            others' ε may be.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain, or others' ε holds at a δ
            above 0: from it no ρ follows.
        """
        used = self._others_without_delta("ρ", reach)
        return self.told(scale, reach).rho() + used * math.tanh(used / 2)

    @takes(scale=SCALE)
    def mu(self, scale: float, reach: str = ALL) -> float:
        """Compute a μ at which everything is no easier to tell than normal laws μ deviations apart.

        This is Gaussian privacy (Dong, Roth and Su 2022).

        Returns
        -------
        float
            μ, the smallest for Gaussian noise and for one number with Laplace
            noise; else an upper bound, up to 10 at most 1% larger: see
            `LossDistribution.mu`. Infinite where a number may lose more than
            1000.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain, or others' ε holds at a δ
            above 0.
        """
        self._others_without_delta("μ", reach)
        law = self._law_with_others(scale, reach)
        return math.inf if law is None else law.mu()

    def _others_without_delta(self, what: str, reach: str) -> float:
        used, delta = self.others(reach)
        if delta:
            none = f"0 for a {what} of all releases: from others’ ε at a δ no {what} follows"
            raise must_be("used_delta", f"{none}; got {show(self.used_delta)}")
        return used

    def _law_with_others(
        self, scale: float, reach: str
    ) -> loss.LossDistribution | None:
        """Return the law of everything but others' δ, or None where a loss is above 1000."""
        (used, _), told = self.others(reach), self.told(scale, reach)
        if used > EPSILON.high or not told.has_law:
            return None
        law = told.law()
        return (
            law.compose_with(loss.randomized_response(max(used, EPSILON.low)))
            if used
            else law
        )

    def least_scale(
        self, excess: Callable[[float], float], reach: str
    ) -> float:
        """Search for the smallest scale at which a number that falls with it is not in excess.

        Parameters
        ----------
        excess : callable
            By how much the number is too large at a scale; below 0 at `FAR`.
        reach : str
            What the number takes in.
        """
        # The search begins where all numbers together lose no more than what
        # is left.
        numbers = sum(
            part.count * part.shift for part in self.told(1.0, reach).parts
        )
        first = max(-excess(FAR), EPSILON.low) / numbers
        return 1 / largest(
            lambda inverse: excess(1 / inverse),
            1 / FAR,
            FAR,
            self.precision,
            first,
        )


def slip(chance: float) -> str:
    """Return what a sentence adds that fails with at most this probability."""
    return (
        f", except with a probability of {up(min(chance, 1.0))}"
        if chance
        else ""
    )
