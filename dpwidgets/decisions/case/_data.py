"""What is published, about whom, how often, and what others know; all of it checked."""

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

from dpwidgets.calculators import interval, loss
from dpwidgets.decisions.case._limits import Limits
from dpwidgets.decisions.case._loss import Numbers
from dpwidgets.decisions.case._noise import MECHANISMS, NOISES, Noise
from dpwidgets.decisions.case._past import NEIGHBOURS
from dpwidgets.decisions.case._people import number_field
from dpwidgets.inputs.domain import (
    PROBABILITY,
    DomainError,
    must_be,
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
#: How many cells a table may have, and in how many numbers one person may be.
CELLS = whole(1, 10**6)
CONTRIBUTIONS = whole(1, 10**5)


@dataclass(frozen=True, kw_only=True)
class Data(Limits):
    """The fields of a case, which `Case` describes, and what follows from them without words."""

    published: str
    n: int | None = number_field(N)
    cells: int | None = number_field(CELLS, of=("table",))
    groups: int | None = number_field(CELLS, of=("sum", "mean"))
    contributions: int | None = number_field(CONTRIBUTIONS)
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
        self._check_fields()
        self._check_belongs()
        for is_wrong, name, says in self._wrong:
            if is_wrong:
                raise DomainError(name, f"{name} {says}")
        self._check_delta()

    def _check_belongs(self) -> None:
        """Refuse a field of something else that is published, and miss none of what is."""
        for declared in fields(self):
            kinds = declared.metadata.get("of")
            if not kinds:
                continue
            name, value = declared.name, getattr(self, declared.name)
            if self.published not in kinds and value != declared.default:
                belongs = f"{name} belongs to a {' or a '.join(kinds)}"
                raise DomainError(
                    name, f"{belongs}; this is a {self.published}"
                )
            free = name == "groups"
            if self.published in kinds and value is None and not free:
                raise must_be(name, f"given for a {self.published}")

    @property
    def _wrong(self) -> tuple[tuple[bool, str, str], ...]:
        """What may be wrong: whether it is, with which field, and what its message says."""
        low, high = self.ends
        is_mean = self.published == "mean"
        instead = "publish a sum and a count"
        at_most_n = f"must be at most n, all {self.everybody}"
        contributions, reference = self.contributions or 0, self.reference or 0
        return (
            (
                not self.counts and high - low < 1e-12,
                "low",
                f"must be below high, by at least 1e-12; got {low:.12g} and {high:.12g}",
            ),
            (
                contributions > self.places,
                "contributions",
                f"must be at most {several(self.places, 'published number')}; got "
                f"{contributions:,}",
            ),
            (
                not self.unit.strip(),
                "unit",
                "must be a word, such as patients or days; it is empty",
            ),
            (
                is_mean and (self.n or 0) < 2,
                "n",
                f"must be public for a mean, and at least 2; else {instead}",
            ),
            (
                is_mean and self.neighbours == "add/remove",
                "neighbours",
                "must be 'replace' for a mean: else n changes, which is public; where it does, "
                f"{instead}",
            ),
            (
                self.household > (self.least_n or math.inf),
                "household",
                f"{at_most_n}; got {self.household:,}",
            ),
            (
                self.counts and reference > (self.n or math.inf),
                "reference",
                f"{at_most_n}, for a count of them; got {show(reference)}",
            ),
        )

    @property
    def groups_with_means(self) -> int:
        """Of how many groups there is a mean, of which the sizes are public and stay; else 0."""
        return (self.groups or 0) if self.published == "mean" else 0

    @property
    def least_n(self) -> int | None:
        """How many people there are at least: with means, n in each group."""
        if self.n and self.groups_with_means:
            return self.n * self.groups_with_means
        return self.n

    @property
    def everybody(self) -> str:
        """What n counts, in words."""
        return several(self.least_n or 0, "person", "people")

    @property
    def numbers(self) -> int:
        """How many numbers one release has: those of the cells of a table, or of the groups."""
        return self.cells or self.groups or 1

    @property
    def places(self) -> int:
        """How many numbers all releases have."""
        return self.releases * self.numbers

    @property
    def in_one_release(self) -> int:
        """In how many numbers of one release one person is at most."""
        return min(self.contributions or 1, self.numbers)

    def with_releases(self, count: int) -> Self:
        """Return the same with so many releases; nobody is in more numbers than they have."""
        most = self.contributions and min(
            self.contributions, count * self.numbers
        )
        return replace(self, releases=count, contributions=most)

    def other_neighbours(self, neighbours: str | None) -> Self:
        """Return the same for these neighbours, at a δ only where one release needs one.

        They may differ in twice as many numbers, for which its δ may be too small.
        """
        delta = self.one_release.delta_of_all
        return replace(self, neighbours=neighbours, delta=delta)

    @cached_property
    def one_release(self) -> Self:
        """One release alone: of one person, without what came before."""
        return replace(self, household=1, before=()).with_releases(1)

    @property
    def counts(self) -> bool:
        """Whether people are counted: by a count, or by each cell of a table."""
        return self.published in ("count", "table")

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the range to which values are clipped; for a count both are 0."""
        return self.low or 0.0, self.high or 0.0

    def moved(self, *, attribute: bool = False) -> tuple[float, int]:
        """Return how far one person moves a published number at most, and how many of all.

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
            change, over all releases. Where fewer numbers may change by more
            instead, they tell no more together than that.

        Notes
        -----
        Without `contributions` one person is in one number of each release,
        and so is who stands in place of the person. With it, either is in so
        many at most, the one perhaps in others than the other: of a number
        that only one of them is in, the value changes by at most M, the
        largest absolute value, and where both are, by the width W of the
        range. Where all values have one sign W ≤ M, and two changes tell more.
        Else W may be up to 2M: for Gaussian noise the larger root of the
        summed squares counts, for other noise a single change of 2M, which is
        safe, and has up to twice the ρ that is needed. The sizes of means are
        public, and so a record stays where it is: it changes each by W/n at
        most, of groups with the n of the smallest.
        """
        replaced = attribute or self.neighbours == "replace"
        if self.contributions is None:
            change, count = self._moved(1, self.numbers, replaced=replaced)
            return change, self.releases * count
        return self._moved(self.contributions, self.places, replaced=replaced)

    def _moved(
        self, most: int, places: int, *, replaced: bool
    ) -> tuple[float, int]:
        """Return the same of somebody who is in so many of these places at most."""
        others = min(2 * most, places) if replaced else most
        if self.counts:
            return 1.0, others
        low, high = self.ends
        width, largest = high - low, max(abs(low), abs(high))
        if self.published == "mean":
            return width / (self.n or 1), most
        if places == 1 and replaced:
            stays = self.neighbours == "replace" and self.contributions is None
            return (width if stays else max(width, largest)), 1
        if not (replaced and low < 0 < high):
            return largest, others
        gaussian = self.mechanism == "Gaussian"
        moving = (2 * largest, most)
        if gaussian and width < math.sqrt(2) * largest:
            moving = (largest, 2 * most)
        elif gaussian:
            moving = (width, most)
        norm = 2 if gaussian else 1
        return min(
            moving, (width, places), key=lambda way: way[0] ** norm * way[1]
        )

    @property
    def noise(self) -> Noise:
        """The kind of noise, which says how far off it is."""
        return NOISES[self.mechanism]

    @property
    def sensitivity(self) -> float:
        """How far the truth of one release may lie apart for two neighbours, Δf, in its unit.

        Over the cells of a table, or the sums of groups, it is the sum of the
        changes, or for Gaussian noise the root of the sum of their squares.
        """
        moved, cells = self.one_release.moved()
        if self.mechanism == "Gaussian":
            return moved * math.sqrt(cells)
        return moved * cells

    def moves(self, *, attribute: bool = False) -> tuple[float, int]:
        """Return how far a number moves at most, and how many do, for everybody of the household.

        Each of these numbers has noise of its own. People of a household move
        the same numbers together: that tells most, for of two changes the
        larger one tells more than it loses where some of the other is given to
        it.
        """
        moved, count = self.moved(attribute=attribute)
        return self.household * moved, count

    def repeated(self, times: int) -> Self:
        most = self.contributions and times * self.contributions
        return replace(
            self, releases=times * self.releases, contributions=most
        )

    @property
    def cases(self) -> tuple[Self]:
        return (self,)

    def named(self, scale: float) -> list[tuple[str, Self, float]]:
        return [("", self, scale)]

    def parts(
        self, scale: float, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        moved, count = self.moves(attribute=attribute)
        return (Numbers(self.noise, moved / scale, count),)

    def to_dict(self) -> dict[str, Any]:
        """Return all that it says, but for earlier records, ready for JSON."""
        return {name: getattr(self, name) for name in named_in(self)}
