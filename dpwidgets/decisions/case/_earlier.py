"""What earlier records say about the same people: it counts beside the present releases."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case._loss import Numbers
from dpwidgets.decisions.case._noise import Noise
from dpwidgets.decisions.case._used import NOTHING, Used
from dpwidgets.inputs.domain import DomainError, must_be, one_of
from dpwidgets.inputs.outside import checked_text, quoted

NEIGHBOURS = ("add/remove", "replace")
_LONGEST_ID = 40


def checked_id(found: object) -> str:
    """Return the id of a record, or raise an error that says what it must be."""
    text = checked_text("id", found, _LONGEST_ID)
    if not text.strip():
        raise must_be("id", "what tells one record from another; it is empty")
    return text


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What one earlier record publishes, and what it says of others. `Record.earlier` makes it.

    Parameters
    ----------
    id : str
        Which record it is: whatever has this id is the same one.
    about, period, date : str
        What its people said of it: what is published, for which period, and
        when they decided.
    published : tuple of (Case, float)
        The case of each statistic, without its people and what others used up,
        and the scale of its noise.
    used : Used
        What it says that others used up who left no record.
    neighbours : {"add/remove", "replace"}, optional
        For which neighbours that is.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    id: str
    about: str = ""
    period: str = ""
    date: str = ""
    published: tuple[tuple[Any, float], ...] = ()
    used: Used = NOTHING
    neighbours: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "used", self.used.checked())
        if self.used.anything:
            one_of("neighbours", self.neighbours, NEIGHBOURS)
        checked_id(self.id)
        for name in ("about", "period", "date"):
            checked_text(name, getattr(self, name))
        for case, scale in self.published:
            SCALE.check_one("scale", scale)
            if case != case.by_itself():
                raise must_be(
                    "published", "cases without people and without others"
                )

    def counts_as(self, other: "Earlier") -> bool:
        """Tell whether it counts for the same; scales are computed, and may differ in a digit."""
        if len(self.published) != len(other.published):
            return False
        for (case, scale), (theirs, of_theirs) in zip(
            self.published, other.published, strict=True
        ):
            if case != theirs or not math.isclose(scale, of_theirs):
                return False
        return (self.used, self.neighbours) == (other.used, other.neighbours)

    @property
    def name(self) -> str:
        """How a message calls it."""
        said = filter(None, (self.about, self.period, self.date))
        return quoted(", ".join(said) or "a record without words")

    def used_for(self, neighbours: str | None) -> Used:
        """Return what others used up, for these neighbours."""
        if not self.used.anything or neighbours == self.neighbours:
            return self.used
        if neighbours == "add/remove":
            raise must_be(
                "neighbours",
                f"'replace', for which {self.name} says what others used up",
            )
        # Who is replaced is removed, and added: two steps, and ρ grows with
        # their square.
        used = self.used
        return replace(used, epsilon=2 * used.epsilon, rho=4 * used.rho)


@lru_cache(maxsize=64)
def told(
    before: tuple[Earlier, ...],
    neighbours: str | None,
    people: int,
    attribute: bool,
) -> tuple[Numbers, ...]:
    """Return the numbers that earlier records published, for so many people.

    Of a household no more are in an earlier record than that has people. Where
    there are means of groups, its n is the size of the smallest alone.
    """
    counts: dict[tuple[Noise, float], int] = {}
    for earlier in before:
        for case, scale in earlier.published:
            members = people
            if case.n and not case.groups_with_means:
                members = min(people, case.n)
            try:
                same = replace(case, neighbours=neighbours, household=members)
            except DomainError as error:
                raise must_be(
                    "before",
                    f"records that count here; {earlier.name} does not: {error}",
                ) from None
            for part in same.parts(scale, attribute=attribute):
                kind = part.noise, part.shift
                counts[kind] = counts.get(kind, 0) + part.count
    return tuple(Numbers(*kind, count) for kind, count in counts.items())
