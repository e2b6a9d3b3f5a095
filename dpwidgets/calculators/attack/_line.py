"""Two hundred worlds, half of them with somebody in the data, and a line that says which."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.attack._game import Rule
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.door import Floats, plain

#: How many worlds there are of each kind.
WORLDS = 100


class Line(ABC):
    """What a line makes of worlds: the guess is "in the data" where a number lies right of it.

    Attributes
    ----------
    threshold : float
        Where the line stands.
    who : str
        Who is in half of the worlds, as pictures and sentences say it.
    rule : callable, optional
        What is guessed in place of what the line says.
    seed : int
        What the two hundred follow from: such that about as many lie right of
        a line as are to be expected, whatever the settings.
    """

    threshold: float
    who: str = "you"
    rule: Rule | None = None
    seed: ClassVar[int]

    @property
    def kinds(self) -> dict[bool, str]:
        """What the worlds are called, with somebody and without."""
        return {True: f"with {self.who}", False: f"without {self.who}"}

    @property
    @abstractmethod
    def halfway(self) -> float:
        """The middle between what is usual with and without."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """How far from there the numbers lie, but for a few."""

    @property
    def spacing(self) -> float:
        """How far apart numbers lie that several worlds may have; 0 of a continuum.

        One of them, or the middle of two, lies halfway.
        """
        return 0.0

    @property
    @abstractmethod
    def best(self) -> float:
        """How often any guess is right at most."""

    @abstractmethod
    def above(self, line: float | FloatArray) -> tuple[Floats, Floats]:
        """Compute how often a number lies above a line, of any shape: with, and without."""

    @abstractmethod
    def rows_of(
        self, rng: np.random.Generator, inside: FloatArray
    ) -> FloatArray:
        """Draw a row for each world: its number, and 1 with or 0 without."""

    @cached_property
    def worlds(self) -> FloatArray:
        """The two hundred rows of the seed: they move with ε, and are no others."""
        inside = np.repeat([1.0, 0.0], WORLDS)
        return self.rows_of(np.random.default_rng(self.seed), inside)

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Return nothing: each row is another world."""
        return 0.0

    def draw(
        self, truth: float, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw rows of a number, and of 1 where somebody is in the data, else 0.

        Returns
        -------
        array of shape (size, 2)
            The rows.
        """
        return self.rows_of(rng, rng.integers(0, 2, size).astype(float))

    def is_above(self, numbers: FloatArray) -> Any:
        """Return of numbers whether each lies above the line; those on it do not."""
        return numbers > self.threshold

    def scores(self, draws: FloatArray) -> FloatArray:
        """Return 1 for each row that the line tells right, else 0."""
        return np.asarray(self.is_above(draws[:, 0]) == draws[:, 1], float)

    def right_of(self, rows: FloatArray, inside: bool) -> tuple[int, int]:
        """Return of rows with, or without, how many lie right of the line, and how many are."""
        numbers = rows[rows[:, 1] == inside, 0]
        return int(self.is_above(numbers).sum()), numbers.size

    @cached_property
    def shares(self) -> tuple[float, float]:
        """How often a world with and one without lies right of the line."""
        hits, false_alarms = self.above(self.threshold)
        return float(hits), float(false_alarms)

    @property
    def right(self) -> float:
        """How often the line is right about a world that is with as likely as without."""
        hits, false_alarms = self.shares
        return (1 + hits - false_alarms) / 2


class Sample(Line):
    """Numbers that somebody has drawn, with and without, and the line at 0.

    Parameters
    ----------
    with_you, without_you : array_like of shape (n,)
        The numbers.
    who : str
        Who is in half of the worlds.

    Examples
    --------
    >>> Sample([3, 1, -1, 2], [-2, 1]).shares
    (0.75, 0.5)
    """

    threshold = 0.0
    halfway = 0.0
    seed = 1

    def __init__(
        self, with_you: ArrayLike, without_you: ArrayLike, who: str = "you"
    ) -> None:
        self.who = who
        self._drawn = np.array(with_you), np.array(without_you)

    @property
    def spread(self) -> float:
        largest = max(np.abs(drawn).max() for drawn in self._drawn)
        return 1.5 * float(largest) or 1.0

    @property
    def spacing(self) -> float:
        """Many may be alike, and nobody knows which."""
        return 1e-3 * self.spread

    @property
    def best(self) -> float:
        return self.right

    def above(self, line: float | FloatArray) -> tuple[Floats, Floats]:
        beyond = (np.less.outer(line, drawn) for drawn in self._drawn)
        with_you, without_you = (plain(one.mean(axis=-1)) for one in beyond)
        return with_you, without_you

    def rows_of(
        self, rng: np.random.Generator, inside: FloatArray
    ) -> FloatArray:
        """Return quantiles, so that few numbers lie as all of them do."""
        numbers = np.empty(inside.size)
        for you, drawn in zip((1, 0), self._drawn, strict=True):
            those = inside == you
            shares = (np.arange(those.sum()) + 0.5) / those.sum()
            numbers[those] = np.quantile(drawn, shares, method="nearest")
        return np.column_stack([numbers, inside])
