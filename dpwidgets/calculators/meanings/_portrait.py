"""One ε in every meaning at once, as an explorer shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dpwidgets.calculators.domain import EPSILON, one_of
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES, Meaning
from dpwidgets.calculators.meanings._collection import meanings

ENDS = (0.01, 10.0)  # the ε at both ends of every row's own scale


class Row(NamedTuple):
    """One meaning of one ε, and where its number lies on a scale of its own.

    Attributes
    ----------
    meaning : Meaning
        The meaning.
    value : float
        Its number at this ε.
    place : float
        Where the number lies between those at ε = 0.01 (0) and at ε = 10 (1); beyond these ε,
        outside 0 to 1, and infinitely far where the number is 0 or infinite.
    """

    meaning: Meaning
    value: float
    place: float


@dataclass(frozen=True)
class Portrait:
    """One ε in every meaning that holds under some assumptions. Made by `portrait`.

    Attributes
    ----------
    epsilon : float
        The privacy parameter ε.
    mechanism : {"any", "Laplace"}
        "any" leaves out what holds for Laplace noise alone.
    neighbours : {"add/remove", "replace"}
        What holds for the other kind of neighbours alone is left out.
    releases : {"one", "many"}
        "one" leaves out what is about several releases together.
    """

    epsilon: float
    mechanism: str
    neighbours: str
    releases: str

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """The meanings that hold."""
        return _meanings(self.mechanism, self.neighbours, self.releases)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Each meaning with its number at this ε."""
        return tuple(
            Row(meaning, value, _place(meaning, value))
            for meaning in self.meanings
            for value in [meaning.value(self.epsilon)]
        )

    @property
    def sentences(self) -> list[str]:
        """What this ε means, a sentence for each row."""
        return [row.meaning.sentence_with(self.epsilon, row.value) for row in self.rows]


@lru_cache
def _meanings(mechanism: str, neighbours: str, releases: str) -> tuple[Meaning, ...]:
    return meanings(mechanism, neighbours, "one" if releases == "one" else None)


@lru_cache
def _values_at_ends(meaning: Meaning) -> tuple[float, float]:
    return meaning.value(ENDS[0]), meaning.value(ENDS[1])


def _place(meaning: Meaning, value: float) -> float:
    """Return where a number lies on its scale: evenly for probabilities, else by its logarithm."""
    places = np.array([value, *_values_at_ends(meaning)])
    if meaning.unit != "probability":
        with np.errstate(divide="ignore"):
            places = np.log(places)
    place, first, last = places
    return float((place - first) / (last - first))


def portrait(
    epsilon: float,
    *,
    mechanism: str = "Laplace",
    neighbours: str = "add/remove",
    releases: str = "one",
) -> Portrait:
    """Put all meanings of one ε side by side.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    mechanism : {"any", "Laplace"}
        "any" leaves out what holds for Laplace noise alone.
    neighbours : {"add/remove", "replace"}
        What holds for the other kind of neighbours alone is left out.
    releases : {"one", "many"}
        "one" leaves out what is about several releases together.

    Returns
    -------
    Portrait
        The meanings, with the numbers of the texts' own examples for all else that they need.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number, or another argument none of its words.

    Examples
    --------
    >>> whole = portrait(0.5, mechanism="any")
    >>> whole.rows[2].meaning.name, round(whole.rows[2].value, 4)
    ('Largest posterior', 0.1548)
    """
    return Portrait(
        epsilon=EPSILON.check_one("epsilon", epsilon),
        mechanism=one_of("mechanism", mechanism, MECHANISMS),
        neighbours=one_of("neighbours", neighbours, NEIGHBOURS[1:]),
        releases=one_of("releases", releases, RELEASES),
    )
