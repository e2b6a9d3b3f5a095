"""Whether somebody is among the people of whom only counts are published."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from dpwidgets.calculators.attack._game import NOISES, law, noise
from dpwidgets.calculators.loss import LossDistribution
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray, one_of, whole
from dpwidgets.inputs.door import Floats, plain, takes

PEOPLE = whole(2, 10_000)
MARKERS = whole(1, 1000)
_SIDE = np.append(np.geomspace(1e-9, 0.01, 40), np.linspace(0.015, 0.5, 98))
_ALARMS = np.concatenate([[0.0], _SIDE, 1 - _SIDE[-2::-1], [1.0]])


@dataclass(frozen=True)
class Membership:
    """How well a score tells who is in the data. Made by `member`.

    Attributes
    ----------
    epsilon, mechanism, people, markers, threshold
        As in `member`; the threshold is a number.
    """

    epsilon: float
    mechanism: str
    people: int
    markers: int
    threshold: float

    @property
    def halfway(self) -> float:
        """The threshold halfway between the mean scores of those out and in."""
        return self.markers / 4

    @property
    def deviations(self) -> tuple[float, float]:
        """The standard deviations of the score of those out and in."""
        noise_of_each = 2 / self.epsilon**2
        if self.mechanism == "geometric":
            decay = math.exp(-self.epsilon)
            noise_of_each = 2 * decay / math.expm1(-self.epsilon) ** 2
        out = self.people / 4 + noise_of_each
        inside = (self.people - 1) / 4 + noise_of_each
        return math.sqrt(self.markers * out), math.sqrt(self.markers * inside)

    def false_alarms(self, threshold: float | FloatArray) -> Floats:
        """Compute how often somebody who is out has a score above a threshold, of any shape."""
        out, _ = self.deviations
        return plain(ndtr(-np.asarray(threshold) / out))

    def misses(self, threshold: float | FloatArray) -> Floats:
        """Compute how often somebody who is in has a score up to a threshold, of any shape."""
        _, inside = self.deviations
        above_mean = np.asarray(threshold) - self.markers / 2
        return plain(ndtr(above_mean / inside))

    @property
    def right(self) -> float:
        """How often the guess is right about somebody who is in as likely as not."""
        false_alarms = self.false_alarms(self.threshold)
        misses = self.misses(self.threshold)
        return 1 - float(false_alarms + misses) / 2

    @cached_property
    def _law(self) -> LossDistribution:
        return law(self.mechanism, self.epsilon, self.markers)

    @property
    def best(self) -> float:
        """How often any guess about such a person is right at most."""
        return float(self._law.yes_or_no(0.5))

    @cached_property
    def fewest(self) -> tuple[FloatArray, FloatArray]:
        """Shares of false alarms, and the fewest misses that any attack has at each: two arrays."""
        inside = self._law.power(_ALARMS[1:-1])
        return _ALARMS, np.concatenate([[1.0], 1 - inside, [0.0]])

    @property
    def reached(self) -> tuple[FloatArray, FloatArray]:
        """The false alarms and misses of the score at 401 thresholds: two arrays."""
        out, _ = self.deviations
        reach = 5 * out
        places = np.linspace(-reach, self.markers / 2 + reach, 401)
        false_alarms = np.asarray(self.false_alarms(places))
        return false_alarms, np.asarray(self.misses(places))

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What the scores follow from."""
        return self.epsilon, self.mechanism, self.people, self.markers

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Return nothing: each row is about another person and other data."""
        return 0.0

    def draw(
        self, truth: float, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw rows of a score, and of 1 where it is that of somebody who is in, else 0.

        Returns
        -------
        array of shape (size, 2)
            The rows.
        """
        shape = size, self.markers
        inside = rng.integers(0, 2, (size, 1))
        # Of each marker how many are as she is, herself among them.
        alike = rng.binomial(self.people - inside, 0.5, shape) + inside
        added = noise(self.mechanism, self.epsilon, rng, shape)
        scores = (alike - self.people / 2 + added).sum(axis=1)
        return np.column_stack([scores, inside])

    def scores(self, draws: FloatArray) -> FloatArray:
        """Return 1 for each row of `draw` that the threshold tells right, else 0."""
        return np.asarray((draws[:, 0] > self.threshold) == draws[:, 1], float)

    def games(
        self, rng: np.random.Generator, size: int
    ) -> Iterator[tuple[tuple[Any, FloatArray, int], bool]]:
        """Yield games: her markers, the noisy counts, how many people; and whether she is in."""
        for _ in range(size):
            data = rng.integers(0, 2, (self.people, self.markers))
            inside = bool(rng.integers(0, 2))
            her = data[0] if inside else rng.integers(0, 2, self.markers)
            added = noise(self.mechanism, self.epsilon, rng, (self.markers,))
            yield (her, data.sum(axis=0) + added, self.people), inside


@takes(epsilon=EPSILON, people=PEOPLE, markers=MARKERS, threshold=NUMBER)
def member(
    epsilon: float,
    mechanism: str = "laplace",
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
        The ε of each count, from 1e-8 to 1000: its noise has the scale 1/ε.
    mechanism : {"laplace", "geometric"}
        The noise.
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
        The errors of the score at the threshold and elsewhere, and the fewest
        that any attack has.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    The score adds up, over the markers, how far the count lies above half of
    the people, or below it where she lacks the marker: the inner product of
    Dwork, Smith, Steinke, Ullman and Vadhan (2015), after Homer and others
    (2008). Its mean is 0 for somebody out, and half the number of markers for
    somebody in. Its errors are those of the normal laws with its means and
    variances. A person who is replaced moves each count by at most 1, so
    `fewest` is the trade-off curve of as many noisy counts. No attack comes
    below it, whatever else the attacker knows of the others.

    Examples
    --------
    >>> found = member(epsilon=1)
    >>> round(found.right, 3), round(member(epsilon=0.05).right, 3)
    (0.824, 0.549)
    """
    one_of("mechanism", mechanism, NOISES)
    found = Membership(epsilon, mechanism, people, markers, threshold=0.0)
    if threshold is None:
        threshold = found.halfway
    return replace(found, threshold=threshold)
