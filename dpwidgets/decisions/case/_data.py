"""What is published, about whom, how often, and what others know; all of it checked."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, Self

from dpwidgets.calculators import interval, loss
from dpwidgets.decisions.case._earlier import NEIGHBOURS
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.decisions.case._loss import Numbers
from dpwidgets.decisions.case._noise import MECHANISMS, NOISES
from dpwidgets.decisions.case._people import number_field
from dpwidgets.inputs.domain import (
    PROBABILITY,
    DomainError,
    one_of,
    whole,
    within,
)
from dpwidgets.inputs.notation import several, show
from dpwidgets.inputs.outside import checked_text, named_in

PUBLISHED = ("count", "sum", "mean", "table")
N = whole(1, 10**12)
#: The ends of the range to which values are clipped, at least 1e-12 apart.
END = within(-1e12, 1e12)
#: How many cells a table may have, and how many records, or cells, may be one
#: person's.
CELLS = whole(1, 10**6)
CONTRIBUTIONS = whole(1, 10**4)


@dataclass(frozen=True, kw_only=True)
class Data(Limits):
    """The fields of a case, which `Case` describes, and what follows from them without words."""

    published: str
    n: int | None = number_field(N)
    cells: int | None = number_field(CELLS, of=("table",))
    groups: int | None = number_field(CELLS, of=("sum", "mean"))
    contributions: int = number_field(CONTRIBUTIONS, 1)
    per_cell: int = number_field(CONTRIBUTIONS, 1, of=("table",))
    records: int | None = number_field(CONTRIBUTIONS, of=("table",))
    low: float | None = number_field(END, of=("sum", "mean"))
    high: float | None = number_field(END, of=("sum", "mean"))
    unit: str = "people"
    mechanism: str = "Laplace"
    releases: int = number_field(loss.COUNT, 1)
    reference: float | None = number_field(interval.COUNT)
    confidence: float | None = number_field(PROBABILITY)

    def __post_init__(self) -> None:
        one_of("published", self.published, PUBLISHED)
        one_of("mechanism", self.mechanism, MECHANISMS)
        if self.neighbours is None:
            usual = "replace" if self.published == "mean" else "add/remove"
            object.__setattr__(self, "neighbours", usual)
        one_of("neighbours", self.neighbours, NEIGHBOURS)
        checked_text("unit", self.unit, 40)
        self._check_numbers()
        for name, says in chain(
            self._of_fields(), self._of_bounds(), self._of_people()
        ):
            raise DomainError(name, f"{name} {says}")
        self._check_delta()

    def _of_fields(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with what is published: the field, and what its message says."""
        for declared in fields(self):
            kinds = declared.metadata.get("of")
            if not kinds:
                continue
            name, value = declared.name, getattr(self, declared.name)
            if value != declared.default and self.published not in kinds:
                yield (
                    name,
                    f"belongs to a {' or a '.join(kinds)}; this is a {self.published}",
                )
            free = name in ("groups", "records")
            if value is None and self.published in kinds and not free:
                yield name, f"must be given for a {self.published}"
        low, high = self.ends
        got = f"got {low:.12g} and {high:.12g}"
        if not self.counts and high - low < 1e-12:
            yield "low", f"must be below high, by at least 1e-12; {got}"

    def _of_bounds(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the bounds on what one person brings."""
        for name in ("contributions", "per_cell"):
            if self.records and getattr(self, name) > 1:
                alone = "must be left out beside records, which bounds all that one person brings"
                yield name, f"{alone}; got {getattr(self, name):,}"
        most, which = self.n, "n"
        if self.published == "table":
            most, which = self.cells, "the number of cells"
        if most is not None and self.contributions > most:
            got = f"got {self.contributions:,}"
            yield "contributions", f"must be at most {which}, {most:,}; {got}"

    def _of_people(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the people, and with the unit in which they count."""
        if not self.unit.strip():
            yield (
                "unit",
                "must be a word, such as patients or days; it is empty",
            )
        instead = "publish a sum and a count"
        if self.published == "mean" and (self.n or 0) < 2:
            public = "must be public for a mean, and at least 2"
            yield "n", f"{public}; else {instead}"
        if self.published == "mean" and self.neighbours == "add/remove":
            replaced = (
                "must be 'replace' for a mean: else n changes, which is public"
            )
            yield "neighbours", f"{replaced}; where it does, {instead}"
        most = f"must be at most n, all {self.everybody}"
        if self.least_n is not None and self.household > self.least_n:
            yield "household", f"{most}; got {self.household:,}"
        times = self.records or self.per_cell  # one person counts in a cell
        reference = self.reference or 0
        people = self.n
        if people and self.counts and reference > people * times:
            got = f"got {show(reference)}"
            yield "reference", f"{most}, for a count of them; {got}"

    @property
    def n_counts_records(self) -> bool:
        """Whether n is the number of records, of which one person may have several."""
        return self.published != "table" and self.contributions > 1

    @property
    def groups_with_means(self) -> int:
        """Of how many groups there is a mean, of which the sizes are public and stay; else 0."""
        return self.groups or 0 if self.published == "mean" else 0

    @property
    def least_n(self) -> int | None:
        """How many people, or records, there are at least: with means, n in each group."""
        if self.n and self.groups_with_means:
            return self.n * self.groups_with_means
        return self.n

    @property
    def everybody(self) -> str:
        """What n counts, in words: so many people, or records."""
        count = self.least_n or 0
        if self.n_counts_records:
            return several(count, "record", "records")
        return several(count, "person", "people")

    @property
    def numbers(self) -> int:
        """How many numbers one release has: those of the cells of a table, or of the groups."""
        return self.cells or self.groups or 1

    @property
    def of_one(self) -> int:
        """How many records of one person count at most, wherever they fall."""
        return self.records or self.contributions * self.per_cell

    @property
    def counts(self) -> bool:
        """Whether people are counted: by a count, or by each cell of a table."""
        return self.published in ("count", "table")

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the range to which values are clipped; for a count both are 0."""
        return self.low or 0.0, self.high or 0.0

    def moved(self, *, attribute: bool = False) -> tuple[float, int]:
        """Return how far one person moves a published number at most, and how many of them.

        Parameters
        ----------
        attribute : bool
            Whether two databases are compared that differ in any attribute of
            the person, and not only two neighbours. Where persons are added or
            removed that may be more: a person in one cell and the same person
            in another are two neighbours apart.

        Returns
        -------
        (float, int)
            The change of one number in the case's unit, and how many numbers
            change: cells of a table, sums of groups, else 1. Where fewer
            numbers may change by more instead, they change together by no more
            than that.

        Notes
        -----
        A record that leaves one group for another changes two sums, each by at
        most M, the largest absolute value; one that stays changes one, by the
        width W of the range. Where all values have one sign W ≤ M, and two
        changes tell more. Else W may be up to 2M: for Gaussian noise the
        larger root of the summed squares counts, for other noise a single
        change of 2M, which is safe, and has up to twice the ρ that is needed.
        The sizes of groups are public where there are means of them, and so
        no record leaves its group: it changes one mean by W/n at most, with
        the n of the smallest.
        """
        replaced = attribute or self.neighbours == "replace"
        if self.published == "table":
            return self._moved_table(replaced=replaced)
        if self.published == "count":
            return float(self.contributions), 1
        low, high = self.ends
        width = high - low if replaced else 0.0
        change, sums = width, 1
        largest = max(abs(low), abs(high))
        if self.published == "mean":
            change /= self.n or 1
        elif replaced and self.numbers > 1:
            two_signs = low < 0 < high
            if two_signs and self.mechanism != "Gaussian":
                change = 2 * largest
            elif not two_signs or width < math.sqrt(2) * largest:
                change, sums = largest, 2
        elif self.neighbours == "add/remove":
            change = max(change, largest)
        return self.contributions * change, sums

    def _moved_table(self, *, replaced: bool) -> tuple[float, int]:
        """Return how far one person moves a cell of a table at most, and how many cells."""
        assert self.cells is not None
        times, cells = self.per_cell, self.contributions
        # Wherever they fall, one cell that holds them all tells most.
        if self.records:
            times, cells = self.records, 1
        if replaced:
            cells = min(2 * cells, self.cells)
        return float(times), cells

    @property
    def sensitivity(self) -> float:
        """How far the truth may lie apart for two neighbours, Δf, in the case's unit.

        Over the cells of a table, or the sums of groups, it is the sum of the
        changes, or for Gaussian noise the root of the sum of their squares.
        """
        moved, cells = self.moved()
        if self.mechanism == "Gaussian":
            return moved * math.sqrt(cells)
        return moved * cells

    def moves(
        self, reach: str, *, attribute: bool = False
    ) -> tuple[float, int]:
        """Return how far a number moves at most, and how many do, in all that a reach takes in.

        Each of these numbers has noise of its own. People of a household move
        each number together. Where each of them moves several cells, they may
        lie in cells of their own or in common ones; all changes in a single
        cell tell most of all, and are taken for Laplace noise.
        """
        releases, people = self.counted(reach)
        moved, cells = self.moved(attribute=attribute)
        if people > 1 and self.mechanism != "Gaussian":
            moved, cells = cells * moved, 1
        return people * moved, releases * cells

    def repeated(self, times: int) -> Self:
        return replace(self, releases=times * self.releases)

    @property
    def cases(self) -> tuple[Self]:
        return (self,)

    def named(self, scale: float) -> list[tuple[str, Self, float]]:
        return [("", self, scale)]

    def parts(
        self, scale: float, reach: str, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        moved, count = self.moves(reach, attribute=attribute)
        return (Numbers(NOISES[self.mechanism], moved / scale, count),)

    def to_dict(self) -> dict[str, Any]:
        """Return all that it says, but for earlier records, ready for JSON."""
        return {name: getattr(self, name) for name in named_in(self)}
