"""Two hundred worlds, half of them with somebody in the data, and a line that says which."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dpwidgets.calculators.attack._game import Rule
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.door import Floats

#: How many worlds there are of each kind.
WORLDS = 100


class Line(ABC):
    """What a line makes of worlds: the guess is "in the data" where a number lies right of it.

    Attributes
    ----------
    threshold : float
        Where the line stands.
    rule : callable, optional
        What is guessed in place of what the line says.
    seed : int
        What the two hundred follow from: such that about as many lie right of
        a line as are to be expected, whatever the settings.
    """

    threshold: float
    rule: Rule | None = None
    seed: ClassVar[int]

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
