"""All that came before a decision about the same people, and what it tells by itself."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from dpwidgets.decisions.case._earlier import Earlier
from dpwidgets.decisions.case._loss import Numbers, PrivacyLoss
from dpwidgets.decisions.case._noise import Noise
from dpwidgets.inputs.domain import DomainError, must_be
from dpwidgets.inputs.notation import several, up

#: How many others a sentence names.
_NAMED = 3


@dataclass(frozen=True)
class Past:
    """What came before, as it counts for these neighbours and so many people together.

    Parameters
    ----------
    entries : tuple of Earlier
        What came before, each with an id of its own.
    neighbours : {"add/remove", "replace"}
        Which two databases must look alike.
    people : int
        How many people's records depend on each other.

    Examples
    --------
    >>> from dpwidgets.decisions.case import others
    >>> past = Past((others("the census", epsilon=1, rho=0.01),), "add/remove", 2)
    >>> past.epsilon(), past.loss(1e-6).rho(), past.words
    (2.0, 0.04, 'ε = 1 and ρ = 0.01 used up by the census for each of them')
    """

    entries: tuple[Earlier, ...]
    neighbours: str | None
    people: int = 1

    def numbers(self, *, attribute: bool = False) -> tuple[Numbers, ...]:
        """Return the numbers that earlier records published.

        Parameters
        ----------
        attribute : bool
            Whether two values of each person are to be told apart, and not
            neighbours. Where persons are added or removed, two values are two
            steps apart.
        """
        return _numbers(self, attribute)

    def epsilon(self, *, attribute: bool = False) -> float:
        """Return the ε that others used up, for all these people; `attribute` as in `numbers`."""
        return math.fsum(
            entry.epsilon * self._steps(entry, attribute)
            for entry in self.entries
        )

    def loss(self, delta: float, *, attribute: bool = False) -> PrivacyLoss:
        """Return the loss of all but others' ε, at this δ; `attribute` as in `numbers`.

        Others' ρ grows with the square of the neighbours that lie between (Bun
        and Steinke 2016, Prop. 1.9).
        """
        rho = math.fsum(
            entry.rho * self._steps(entry, attribute) ** 2
            for entry in self.entries
        )
        return PrivacyLoss(self.numbers(attribute=attribute), delta, rho)

    @property
    def words(self) -> str:
        """Who used something up before, in words, or nothing."""
        of_others = [one for one in self.entries if not one.published]
        records = len(self.entries) - len(of_others)
        if not self.entries:
            return ""
        each = " for each of them" if self.people > 1 else ""
        if len(self.entries) == len(of_others) == 1:
            (one,) = of_others
            return f"{one.numbers} used up by {one.about}{each}"
        whose = [one.about for one in of_others]
        if len(whose) > _NAMED:
            whose = [f"{len(whose):,} others"]
        if records:
            whose.append(several(records, "earlier record"))
        return f"what {' and '.join(whose)} used up{each}"

    def rows(self, delta: float) -> list[str]:
        """Say of each entry what it tells by itself of one person, and what all tell together."""
        said = []
        for entry in self.entries:
            alone = replace(self, entries=(entry,), people=1)
            said.append(f"{entry.name}: {alone.stated(delta)} by itself")
        if len(said) > 1:
            said.append(f"together {replace(self, people=1).stated(delta)}")
        return said

    def stated(self, delta: float) -> str:
        """Return the ε of it all, and the δ at which that is read, in words."""
        return in_words(*stated_of(self.loss(delta), self.epsilon()))

    def _steps(self, entry: Earlier, attribute: bool) -> int:
        """Return how many neighbours lie between what others have seen."""
        steps = 2 if attribute and self.neighbours == "add/remove" else 1
        if entry.neighbours not in (None, self.neighbours):
            if self.neighbours == "add/remove":
                raise must_be(
                    "neighbours",
                    f"'replace', for which {entry.name} says what others used up",
                )
            # Who is replaced is removed, and added.
            steps = 2
        return steps * self.people


@lru_cache(maxsize=64)
def _numbers(past: Past, attribute: bool) -> tuple[Numbers, ...]:
    """Return what `Past.numbers` does.

    Of a household no more are in an earlier record than that has people. Where
    there are means of groups, its n is the size of the smallest alone.
    """
    counts: dict[tuple[Noise, float], int] = {}
    for entry in past.entries:
        for case, scale in entry.published:
            members = past.people
            if case.n and not case.groups_with_means:
                members = min(past.people, case.n)
            if case.published == "mean" and past.neighbours == "add/remove":
                raise must_be(
                    "neighbours",
                    f"'replace' after {entry.name}, which published a mean",
                )
            try:
                same = replace(
                    case, neighbours=past.neighbours, household=members
                )
            except DomainError as error:
                raise must_be(
                    "before",
                    f"records that count here; {entry.name} does not: {error}",
                ) from None
            for part in same.parts(scale, attribute=attribute):
                kind = part.noise, part.shift
                counts[kind] = counts.get(kind, 0) + part.count
    return tuple(Numbers(*kind, count) for kind, count in counts.items())


def stated_of(loss: PrivacyLoss, epsilon: float) -> tuple[float, float]:
    """Return the ε of a privacy loss beside others' ε, and its δ, as a page states them."""
    together = loss.epsilon() + epsilon
    never_above = loss.worst_case + epsilon
    if up(never_above) == up(together):
        return never_above, 0.0
    return together, loss.delta


def in_words(epsilon: float, delta: float) -> str:
    """Return an ε, and its δ if there is one, in words."""
    at = f" and δ = {up(delta)}" if delta else ""
    return f"ε = {up(epsilon)}{at}"
