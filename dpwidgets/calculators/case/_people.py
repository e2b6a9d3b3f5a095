"""Whom a release is about, what others have used up of theirs, and what an attacker knows."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpwidgets.calculators import breach, loss
from dpwidgets.calculators.case._told import Told
from dpwidgets.inputs.domain import Domain, must_be, one_of, whole, within
from dpwidgets.inputs.notation import show

NEIGHBOURS = ("add/remove", "replace")
#: For what a promise holds: one release, all releases, or all of them and all people of a
#: household, whose records are taken to change together.
ONE, ALL, HOUSEHOLD = "one release", "all releases", "all releases and a household"
REACHES: tuple[str, ...] = (ONE, ALL, HOUSEHOLD)
MEMBERS = whole(1, 10**6)
USED = within(0, 1e9)


@dataclass(frozen=True, kw_only=True)
class People(ABC):
    """What a case and a plan have in common: the fields that are about people, as in `Case`."""

    neighbours: str | None = None
    delta: float = 0.0
    used: float = 0.0
    used_delta: float = 0.0
    household: int = 1
    prior: float | None = None

    numbers: ClassVar[Mapping[str, Domain]] = {
        "delta": loss.DELTA_OR_NONE,
        "used": USED,
        "used_delta": loss.DELTA_OR_NONE,
        "household": MEMBERS,
        "prior": breach.PRIOR,
    }

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
            Whether two databases are compared that differ in anything that is said of the person,
            and not only two neighbours.
        """

    @abstractmethod
    def delta_of(self, reach: str) -> float:
        """Return the δ at which the ε of its own releases is read, for so many of them."""

    def _check_numbers(self) -> None:
        """Check the fields that are numbers, and store them; None stays where it may stand."""
        for name, domain in self.numbers.items():
            value = getattr(self, name)
            if value is not None or getattr(type(self), name) is not None:
                object.__setattr__(self, name, domain.check_one(name, value))
        # At least the case's own δ and twice others' are left out of what is promised.
        if self.used_delta and self.delta + 2 * self.others(HOUSEHOLD)[1] >= 1:
            among = ", or household" if self.household > 1 else ""
            got = f"got {show(self.used_delta)}, with which nothing at all could be promised"
            raise must_be("used_delta", f"smaller{among}; {got}")

    def people(self, reach: str) -> int:
        """Return how many people a reach takes in."""
        return self.household if one_of("reach", reach, REACHES) == HOUSEHOLD else 1

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
        steps *= self.people(reach)
        if reach == ONE:
            return 0.0, 0.0
        epsilon = steps * self.used
        if not self.used_delta:
            return epsilon, 0.0
        grown = math.log(self.used_delta * steps)
        if self.used:
            ratio = math.expm1(-epsilon) / math.expm1(-self.used)
            grown = math.log(self.used_delta) + epsilon - self.used + math.log(ratio)
        return epsilon, math.exp(min(grown, 0.0))

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
        if reach == ONE or not (self.used or self.used_delta):
            return ""
        delta = f" and δ = {show(self.used_delta)}" if self.used_delta else ""
        each = " for each of them" if self.people(reach) > 1 else ""
        return f" with ε = {show(self.used)}{delta} used up by others{each},"

    def at(self, reach: str) -> str:
        """Return at which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta_of(reach) + self.others(reach)[1]
        return f" and δ = {show(delta, up=True)}" if delta else ""

    def slip(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability.

        With a δ of others that is twice as much more: see `Limits.log_odds`.
        """
        return slip(self.told(1.0, reach, fact=True).slip + 2 * self.others(reach)[1])


def slip(chance: float) -> str:
    """Return what a sentence adds that fails with at most this probability."""
    return f", except with a probability of {show(min(chance, 1.0), up=True)}" if chance else ""
