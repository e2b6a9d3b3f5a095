"""What came before a decision about the same people: each thing, and what all tells by itself."""

import hashlib
import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from dpwidgets.calculators import loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case._loss import Numbers, PrivacyLoss
from dpwidgets.decisions.case._noise import Noise
from dpwidgets.inputs.domain import DomainError, must_be, one_of, within
from dpwidgets.inputs.notation import listed, several, up
from dpwidgets.inputs.outside import checked_text, quoted

NEIGHBOURS = ("add/remove", "replace")
USED = within(0, 1e9)
#: How many characters the name of others may have, and an id.
_LONGEST_NAME = 200
_LONGEST_ID = 40
#: How many others a sentence names.
_NAMED = 3


def checked_id(found: object) -> str:
    """Return the id of a record, or raise an error that says what it must be."""
    text = checked_text("id", found, _LONGEST_ID)
    if not text.strip():
        raise must_be("id", "what tells one record from another; it is empty")
    return text


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What came before. `Record.earlier` makes it of a record, and `others` of two numbers.

    Parameters
    ----------
    id : str
        Which one it is: whatever has this id is the same.
    about, period, date : str
        What its people said of it: what is published, for which period, and
        when they decided. Of others, `about` is their name.
    published : tuple of (Case, float)
        The case of each statistic, without its people and what came before,
        and the scale of its noise.
    epsilon, rho : float
        What others used up, who left no record.
    neighbours : {"add/remove", "replace"}, optional
        For which neighbours that is; by default for those of the decision.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be, or it says of nothing.
    """

    id: str
    about: str = ""
    period: str = ""
    date: str = ""
    published: tuple[tuple[Any, float], ...] = ()
    epsilon: float = 0.0
    rho: float = 0.0
    neighbours: str | None = None

    def __post_init__(self) -> None:
        checked_id(self.id)
        for name in ("about", "period", "date"):
            checked_text(name, getattr(self, name))
        for case, scale in self.published:
            SCALE.check_one("scale", scale)
            if case != case.by_itself():
                raise must_be(
                    "published", "cases without people and without others"
                )
        for name, domain in (("epsilon", USED), ("rho", loss.RHO_OR_NONE)):
            number = domain.check_one(name, getattr(self, name))
            object.__setattr__(self, name, number)
        if self.neighbours is not None:
            one_of("neighbours", self.neighbours, NEIGHBOURS)
        of_others = self.epsilon or self.rho
        if bool(self.published) == bool(of_others):
            says = "what a record published, or what others used up: ε or ρ above 0"
            raise must_be("before", f"{says}; {self.name} is not")

    def counts_as(self, other: "Earlier") -> bool:
        """Tell whether it counts for the same; scales are computed, and may differ in a digit."""
        if len(self.published) != len(other.published):
            return False
        for (case, scale), (theirs, of_theirs) in zip(
            self.published, other.published, strict=True
        ):
            if case != theirs or not math.isclose(scale, of_theirs):
                return False
        mine = self.epsilon, self.rho, self.neighbours
        return mine == (other.epsilon, other.rho, other.neighbours)

    @property
    def name(self) -> str:
        """How a message calls it."""
        said = filter(None, (self.about, self.period, self.date))
        return quoted(", ".join(said) or "a record without words")

    @property
    def numbers(self) -> str:
        """What others used up, in words."""
        said = []
        if self.epsilon:
            said.append(f"ε = {up(self.epsilon)}")
        if self.rho:
            said.append(f"ρ = {up(self.rho)}")
        return " and ".join(said)


def id_of(said: object) -> str:
    """Return an id for what has none, from what it says as JSON: each time the same."""
    text = json.dumps(said, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def others(
    name: str,
    *,
    epsilon: float = 0.0,
    rho: float = 0.0,
    neighbours: str | None = None,
) -> Earlier:
    """Say what others used up about the same people, who left no record of it.

    Parameters
    ----------
    name : str
        Who they are, in at most 200 characters. The same name with the same
        numbers counts once; with other numbers both count.
    epsilon : float
        The ε (at δ = 0) of their releases, from 0 to 1e9. It counts twice for
        what is twice as far apart: two people, or a value of somebody where
        persons are added or removed.
    rho : float
        The ρ (zCDP) of their releases beside that, 0 or from 1e-6 to 100: what
        was accounted with a δ. For what is twice as far apart it counts four
        times. It needs a `delta` above 0 of the decision.
    neighbours : {"add/remove", "replace"}, optional
        For which neighbours these are; by default for those of the decision.

    Returns
    -------
    Earlier
        An entry for `before`.

    Raises
    ------
    TypeError, ValueError
        If the name is empty, or an argument lies outside its domain.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> count = Case(published="count", before=[others("the census", epsilon=1)])
    >>> count.total(2), count.past.words
    (1.5, 'ε = 1 used up by the census')
    """
    if not checked_text("name", name, _LONGEST_NAME).strip():
        raise must_be("name", "who used it up; it is empty")
    made = Earlier(
        id="others",
        about=name,
        epsilon=epsilon,
        rho=rho,
        neighbours=neighbours,
    )
    said = [name, made.epsilon, made.rho, neighbours]
    return replace(made, id=id_of(said))


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
        whose = list(dict.fromkeys(one.about for one in of_others))
        if len(whose) > _NAMED:
            whose = [f"{len(whose):,} others"]
        if records:
            whose.append(several(records, "earlier record"))
        return f"what {listed(whose)} used up{each}"

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
    counts: Counter[tuple[Noise, float]] = Counter()
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
                    case.other_neighbours(past.neighbours), household=members
                )
            except DomainError as error:
                raise must_be(
                    "before",
                    f"records that count here; {entry.name} does not: {error}",
                ) from None
            for part in same.parts(scale, attribute=attribute):
                counts[part.noise, part.shift] += part.count
    return tuple(Numbers(*kind, count) for kind, count in counts.items())


def stated_of(own: PrivacyLoss, epsilon: float) -> tuple[float, float]:
    """Return the ε of a privacy loss beside others' ε, and its δ, as a page states them."""
    together = own.epsilon() + epsilon
    never_above = own.worst_case + epsilon
    if up(never_above) == up(together):
        return never_above, 0.0
    return together, own.delta


def in_words(epsilon: float, delta: float) -> str:
    """Return an ε, and its δ if there is one, in words."""
    at = f" and δ = {up(delta)}" if delta else ""
    return f"ε = {up(epsilon)}{at}"
