"""Every meaning of a case's noise, and one ε of a case in all of them, as an explorer shows it."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Unpack

import numpy as np

from dpwidgets.decisions.case import Case, CaseFields, after
from dpwidgets.decisions.meanings import _attacker, _reader
from dpwidgets.decisions.meanings._interpretation import GETS, Meaning
from dpwidgets.inputs.domain import EPSILON, one_of
from dpwidgets.inputs.outside import check_keywords

_FIRST = 8  # meanings that are shown at once
# The ε at both ends of every row's own scale; the first is the private end.
ENDS = (0.01, 10.0)


# The same ones each time, so that their numbers are found again.
@lru_cache(maxsize=8)
def meanings(case: Case) -> tuple[Meaning, ...]:
    """Collect what the noise of a case means: to its readers, then to attackers.

    Only what is about the case has a meaning: what needs a number that the
    case lacks is left out.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    tuple of Meaning
        The meanings, of each group those first that are shown at once: at most
        eight of all.

    Examples
    --------
    >>> for meaning in meanings(Case(published="count", prior=0.2)):
    ...     if meaning.first:
    ...         print(meaning.name)
    Error on average
    Odds out of 100, one release
    Success at yes or no (20%) after the release
    Largest belief after one release
    ε of everything
    """
    # In the order in which an explorer shows them: what is about all releases
    # comes last.
    makers = (
        _attacker.tests,
        _attacker.beliefs,
        _reader.guesses,
        _attacker.losses,
        _reader.errors,
    )
    found: list[Meaning] = []
    for maker in makers:
        found += maker(case)
    found.sort(
        key=lambda meaning: (GETS.index(meaning.gets), not meaning.first)
    )
    return tuple(found)


class Row(NamedTuple):
    """One meaning at one ε, and where its number lies on a scale of its own.

    Attributes
    ----------
    meaning : Meaning
        The meaning.
    value : float
        Its number at this ε.
    ends : (float, float)
        Its numbers at ε = 0.01, the private end, and at ε = 10.
    place : float
        Where the number lies between these (0 and 1); beyond these ε, outside
        0 to 1.
    """

    meaning: Meaning
    value: float
    ends: tuple[float, float]
    place: float


@dataclass(frozen=True)
class Portrait:
    """One ε of a case in all its meanings. Made by `portrait`.

    Attributes
    ----------
    case : Case
        The case.
    epsilon : float
        The ε of one release.
    meanings : tuple of Meaning
        The meanings that are kept.
    """

    case: Case
    epsilon: float
    meanings: tuple[Meaning, ...]

    @cached_property
    def scale(self) -> float:
        """The scale of the noise."""
        return self.case.scale(self.epsilon)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Each meaning with its number at this ε."""
        private, precise = (self.case.scale(end) for end in ENDS)
        rows = []
        for meaning in self.meanings:
            ends = _value(meaning, private), _value(meaning, precise)
            rows.append(_row(meaning, meaning.value(self.scale), ends))
        return tuple(rows)

    def place(self, row: Row, epsilon: float) -> float:
        """Return where the number of one of the rows would lie on its scale at another ε."""
        value = _value(row.meaning, self.case.scale(epsilon))
        return _row(row.meaning, value, row.ends).place

    @property
    def sentences(self) -> list[str]:
        """What this ε means, a sentence for each row."""
        return [
            row.meaning.sentence_with(row.value, self.scale)
            for row in self.rows
        ]


@lru_cache(maxsize=2048)  # all stops of a slider, on the scales of all rows
def _value(meaning: Meaning, scale: float) -> float:
    return float(meaning.value(scale))


def _row(meaning: Meaning, value: float, ends: tuple[float, float]) -> Row:
    """Place a number on its scale: evenly for probabilities, else by its logarithm."""
    places = np.array([value, *ends])
    with np.errstate(divide="ignore", invalid="ignore"):
        place, first, last = places if meaning.even else np.log(places)
        share = float((place - first) / (last - first))
    # Both ends may be so small, or so large, that floats cannot tell them
    # apart.
    if not math.isfinite(share):
        share = 0.5
    return Row(meaning, value, ends, share)


def portrait(
    epsilon: float, *, rows: str = "first", **case: Unpack[CaseFields]
) -> Portrait:
    """Put the meanings of one ε of a case side by side.

    Parameters
    ----------
    epsilon : float
        The ε of one release, from 1e-8 to 1000.
    rows : {"first", "all"}
        Whether only those meanings are kept that are shown at once, at most
        eight.
    **case
        The case, as in `Case`.

    Returns
    -------
    Portrait
        The meanings.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number, the case is none, or rows is no such
        word.

    Examples
    --------
    >>> whole = portrait(0.2, published="count", releases=4, prior=0.2)
    >>> for row in whole.rows:
    ...     print(row.meaning.name, row.meaning.shown(row.value))
    Error on average 5 people
    Odds out of 100, one release 54.8 against 45.2
    Success at yes or no (20%) after all 4 releases 80%
    Largest belief after one release 23.4%
    Largest belief after all 4 releases 35.8%
    ε of everything 0.8
    """
    allowed = ("epsilon", "rows", *CaseFields.__annotations__)
    check_keywords("portrait", case, allowed)
    rest: dict[str, Any] = dict(case)
    before = rest.pop("before", ())
    given = after(Case(**rest), before)
    epsilon = EPSILON.check_one("epsilon", epsilon)
    kept = meanings(given)
    if one_of("rows", rows, ("first", "all")) == "first":
        kept = tuple(meaning for meaning in kept if meaning.first)[:_FIRST]
    return Portrait(given, epsilon, kept)
