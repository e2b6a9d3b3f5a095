"""Whether somebody is among the people of whom only counts are published."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtr

from dpwidgets.calculators.attack._game import law
from dpwidgets.calculators.attack._line import Line
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray, whole
from dpwidgets.inputs.door import Floats, plain, takes

PEOPLE = whole(2, 10_000)
MARKERS = whole(1, 1000)


@dataclass(frozen=True)
class Membership(Line):
    """How well a score tells who is in the data. Made by `member`.

    Attributes
    ----------
    epsilon, people, markers, threshold
        As in `member`; the threshold is a number.
    who : str
        Who is in half of the worlds, as pictures and sentences say it.
    """

    epsilon: float
    people: int
    markers: int
    threshold: float
    who: str = "you"
    seed = 32

    @property
    def halfway(self) -> float:
        return self.markers / 4

    @property
    def deviations(self) -> tuple[float, float]:
        """The standard deviations of the score of those out and in."""
        noise_of_each = 2 / self.epsilon**2
        out = self.people / 4 + noise_of_each
        inside = (self.people - 1) / 4 + noise_of_each
        return math.sqrt(self.markers * out), math.sqrt(self.markers * inside)

    @property
    def spread(self) -> float:
        return self.halfway + 3 * self.deviations[0]

    def above(self, line: float | FloatArray) -> tuple[Floats, Floats]:
        line = np.asarray(line, dtype=float)
        out, inside = self.deviations
        misses = ndtr((line - self.markers / 2) / inside)
        return plain(1 - misses), plain(ndtr(-line / out))

    @property
    def best(self) -> float:
        """How often any guess about such a person is right at most."""
        return float(law(self.epsilon, self.markers).yes_or_no(0.5))

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What the scores follow from."""
        return self.epsilon, self.people, self.markers

    def rows_of(
        self, rng: np.random.Generator, inside: FloatArray
    ) -> FloatArray:
        shape = inside.size, self.markers
        is_in = inside.astype(int)[:, np.newaxis]
        # Of each marker how many are as she is, herself among them.
        alike = rng.binomial(self.people - is_in, 0.5, shape) + is_in
        added = rng.laplace(0, 1 / self.epsilon, shape)
        scores = (alike - self.people / 2 + added).sum(axis=1)
        return np.column_stack([scores, inside])

    def games(
        self, rng: np.random.Generator, size: int
    ) -> Iterator[tuple[tuple[Any, FloatArray, int], bool]]:
        """Yield games: her markers, the noisy counts, how many people; and whether she is in."""
        for _ in range(size):
            data = rng.integers(0, 2, (self.people, self.markers))
            inside = bool(rng.integers(0, 2))
            her = data[0] if inside else rng.integers(0, 2, self.markers)
            added = rng.laplace(0, 1 / self.epsilon, self.markers)
            yield (her, data.sum(axis=0) + added, self.people), inside


@takes(epsilon=EPSILON, people=PEOPLE, markers=MARKERS, threshold=NUMBER)
def member(
    epsilon: float,
    people: int = 50,
    markers: int = 200,
    threshold: float | None = None,
) -> Membership:
    """Say how well somebody's markers tell whether they are in the data of a clinic.

    For each of several markers the clinic publishes how many of its people
    have it. Each marker is had by half of the population, and no marker says
    anything about another.

    Parameters
    ----------
    epsilon : float
        The ε of each count, from 1e-8 to 1000: its Laplace noise has the scale
        1/ε.
    people : int
        How many people there are in the data, from 2 to 10,000; they are known
        to be so many.
    markers : int
        How many markers are counted, from 1 to 1,000.
    threshold : float, optional
        The score above which the guess is "in"; by default halfway between the
        two mean scores.

    Returns
    -------
    Membership
        The errors of the score at the threshold and elsewhere, and how often
        any attack is right at most.

    Notes
    -----
    The score adds up, over the markers, how far the count lies above half of
    the people, or below it where she lacks the marker: the inner product of
    Dwork, Smith, Steinke, Ullman and Vadhan (2015), after Homer and others
    (2008). Its mean is 0 for somebody out, and half the number of markers for
    somebody in. Its errors are those of the normal laws with its means and
    variances. A person who is replaced moves each count by at most 1, so no
    attack is right more often than the best one on as many noisy counts,
    whatever else the attacker knows of the others.

    Examples
    --------
    >>> found = member(epsilon=1)
    >>> round(found.right, 3), round(member(epsilon=0.05).right, 3)
    (0.824, 0.549)
    """
    found = Membership(epsilon, people, markers, threshold=0.0)
    if threshold is None:
        threshold = found.halfway
    return replace(found, threshold=threshold)
