"""What earlier records publish about the same people: it counts beside the present releases."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case._loss import Numbers
from dpwidgets.decisions.case._noise import Noise
from dpwidgets.inputs.domain import DomainError, must_be
from dpwidgets.inputs.outside import checked_text, quoted


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What one earlier record publishes. `Sheet.earlier` makes it.

    Two with the same fields are the same record, and count once.

    Parameters
    ----------
    about, date : str
        What its people said of it: what is published, and when they decided.
        A record without a date could not be told from another one.
    published : tuple of (Case, float)
        The case of each statistic, without its people and what others used up,
        and the scale of its noise.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.
    """

    about: str
    date: str
    published: tuple[tuple[Any, float], ...]

    def __post_init__(self) -> None:
        checked_text("about", self.about)
        if not checked_text("date", self.date).strip():
            raise must_be(
                "date",
                "said by a record that counts before: by it the same one counts once",
            )
        for case, scale in self.published:
            SCALE.check_one("scale", scale)
            if case != case.by_itself():
                raise must_be(
                    "published", "cases without people and without others"
                )

    @property
    def name(self) -> str:
        """How a message calls it."""
        return quoted(f"{self.about}, {self.date}".removeprefix(", "))


@lru_cache(maxsize=64)
def told(
    before: tuple[Earlier, ...],
    neighbours: str | None,
    people: int,
    attribute: bool,
) -> tuple[Numbers, ...]:
    """Return the numbers that earlier records published, for so many people."""
    counts: dict[tuple[Noise, float], int] = {}
    for earlier in before:
        for case, scale in earlier.published:
            try:
                same = replace(case, neighbours=neighbours, household=people)
            except DomainError as error:
                raise must_be(
                    "before",
                    f"records that count here; {earlier.name} does not: {error}",
                ) from None
            for part in same.parts(
                scale, "all releases and a household", attribute=attribute
            ):
                kind = part.noise, part.shift
                counts[kind] = counts.get(kind, 0) + part.count
    return tuple(Numbers(*kind, count) for kind, count in counts.items())
