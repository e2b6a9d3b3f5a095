"""One ε in every meaning at once, as an explorer shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dpwidgets.calculators.domain import FloatArray, check_numbers
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES, Meaning
from dpwidgets.calculators.meanings._collection import meanings
from dpwidgets.calculators.meanings._tests import EPSILON

ENDS = (0.01, 10.0)  # the ε at both ends of every row's own scale
_STEPS = np.geomspace(*ENDS, 13)


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
        outside 0 to 1.
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
            for meaning, value in (
                (meaning, float(meaning.value(self.epsilon))) for meaning in self.meanings
            )
        )


@lru_cache
def _meanings(mechanism: str, neighbours: str, releases: str) -> tuple[Meaning, ...]:
    return meanings(mechanism, neighbours, "one" if releases == "one" else None)


@lru_cache
def _steps(meaning: Meaning) -> FloatArray:
    return np.array([float(meaning.value(epsilon)) for epsilon in _STEPS])


def _place(meaning: Meaning, value: float) -> float:
    """Return where a number lies on its scale: probabilities evenly, all other numbers by their logarithm."""
    write = np.asarray if meaning.unit == "probability" else np.log
    first, last = write(_steps(meaning)[[0, -1]])
    return float((write(value) - first) / (last - first))


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
        The privacy parameter ε > 0.
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
        If epsilon is not a finite number above 0, or another argument none of its words.

    Examples
    --------
    >>> whole = portrait(0.5, mechanism="any")
    >>> len(whole.rows), whole.rows[2].meaning.name, round(whole.rows[2].value, 4)
    (8, 'Largest posterior', 0.1548)
    """
    (epsilon,) = check_numbers(epsilon=(epsilon, EPSILON))
    words = (
        ("mechanism", mechanism, MECHANISMS),
        ("neighbours", neighbours, NEIGHBOURS[1:]),
        ("releases", releases, RELEASES),
    )
    for name, word, allowed in words:
        if word not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {word!r}")
    return Portrait(epsilon, mechanism, neighbours, releases)
