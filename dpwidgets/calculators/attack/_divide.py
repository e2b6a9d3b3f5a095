"""Noisy counts of two hundred worlds, half of them with you in the data, divided by a line."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit

from dpwidgets.calculators.attack._game import Rule, guess, law
from dpwidgets.calculators.attack._line import Line
from dpwidgets.calculators.loss import LossDistribution
from dpwidgets.calculators.noise import Laplace
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray, whole
from dpwidgets.inputs.door import Floats, plain, takes

RELEASES = whole(1, 1000)
_BEFORE = 117.0  # the count without you, where a rule is told it
_TIE = 5e-7  # means of several answers that are no farther apart are the same


@dataclass(frozen=True)
class Divided(Line):
    """What a line makes of noisy counts with you and without you. Made by `divide`.

    A world shows one number: its noisy answer, above the count without you. Of
    several answers that is their mean, each of them cut off at 0 and 1, for
    beyond these a farther one says nothing more.

    Attributes
    ----------
    epsilon, releases, threshold, bound
        As in `divide`.
    who : str
        Who is in half of the worlds, as pictures and sentences say it.
    rule : callable, optional
        What is guessed, in place of what the line says, from the count without
        you and from what a world shows, added to that count.
    """

    epsilon: float
    releases: int
    threshold: float
    bound: float | None
    who: str = "you"
    rule: Rule | None = field(default=None, compare=False, repr=False)
    seed = 115

    @property
    def halfway(self) -> float:
        return 0.5

    @property
    def spread(self) -> float:
        if self.releases > 1:
            return 0.5
        return max(5 / self.epsilon, 1.0)

    @property
    def spacing(self) -> float:
        if self.releases == 1:
            return 0.0
        # Where answers are cut off, whole numbers of them differ; half of the
        # others lie between.
        return 1 / (self.releases * 2 * math.ceil(12 / self.releases))

    def above(self, line: float | FloatArray) -> tuple[Floats, Floats]:
        line = np.asarray(line, dtype=float)
        if self.releases > 1:
            # The mean follows from the sum of the losses; without you, that
            # sum is as with you, turned round.
            mean = np.clip(line + _TIE, -1, 2)
            lost = self.releases * self.epsilon * (2 * mean - 1)
            with_you, below = self._law.tail(np.stack([lost, -lost]))
            # Of less a grid has no digits.
            with_you, without = np.round([with_you, 1 - below], 12)
            return plain(with_you), plain(without)
        noise = Laplace(1 / self.epsilon)
        return noise.cdf(1 - line), noise.cdf(-line)

    def loss_of(self, numbers: FloatArray) -> FloatArray:
        """Compute the privacy loss of what worlds show: of all their answers together."""
        mean = np.clip(numbers, 0, 1)
        return np.asarray(self.releases * self.epsilon * (2 * mean - 1))

    @property
    def loss(self) -> float:
        """The privacy loss of one answer at the line."""
        return float(self.loss_of(np.array(self.threshold)))

    def is_above(self, numbers: FloatArray) -> Any:
        """Return of numbers whether each lies above the line, or what the rule says of each."""
        if self.rule is not None:
            says = [guess(self.rule, seen) for seen in _seen(numbers)]
            return np.array(says, bool)
        return super().is_above(
            numbers - _TIE if self.releases > 1 else numbers
        )

    def rows_of(
        self, rng: np.random.Generator, inside: FloatArray
    ) -> FloatArray:
        # A release more leaves the noise of those before as it is.
        shape = self.releases, inside.size
        answers = inside + rng.laplace(0, 1 / self.epsilon, shape)
        if self.releases > 1:
            answers = np.clip(answers, 0, 1)
        return np.column_stack([answers.mean(axis=0), inside])

    def games(
        self, rng: np.random.Generator, size: int
    ) -> Iterator[tuple[tuple[float, float], bool]]:
        """Yield games: the counts before and after, and whether you are in the one after."""
        numbers, inside = self.draw(0.0, rng, size).T
        return zip(_seen(numbers), (inside == 1).tolist(), strict=True)

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What the worlds follow from."""
        return self.epsilon, self.releases

    @property
    def _law(self) -> LossDistribution:
        return law(self.epsilon, self.releases)

    @property
    def best(self) -> float:
        """How often any guess is right at most."""
        return float(self._law.yes_or_no(0.5))

    @property
    def limit(self) -> float:
        """How often any guess is right at most, whatever noise keeps this ε."""
        return float(expit(self.releases * self.epsilon))

    @property
    def delta(self) -> float:
        """δ(`bound`): what of the answers with you lies above e^bound times those without."""
        return (
            0.0 if self.bound is None else float(self._law.delta(self.bound))
        )


def _seen(numbers: FloatArray) -> list[tuple[float, float]]:
    """Return what a rule is told of worlds: the count without you, and the one they show."""
    return [(_BEFORE, _BEFORE + number) for number in numbers.tolist()]


@takes(epsilon=EPSILON, releases=RELEASES, threshold=NUMBER, bound=EPSILON)
def divide(
    epsilon: float,
    releases: int = 1,
    threshold: float = 0.5,
    bound: float | None = None,
) -> Divided:
    """Draw a hundred worlds with you and a hundred without, and divide them by a line.

    Right of the line the guess is "with you". In each world a count is
    published with noise. It is 1 higher with you, and known but for that.

    Parameters
    ----------
    epsilon : float
        The ε of each noisy count, from 1e-8 to 1000: its Laplace noise has
        the scale 1/ε.
    releases : int
        How often the count is published, each time with fresh noise: from 1 to
        1,000.
    threshold : float
        Where the line stands, above the count without you.
    bound : float, optional
        An ε of whose δ something is to be said: of what lies above e^ε times
        the other.

    Returns
    -------
    Divided
        The worlds, and how often the line is right about all there could be.

    Notes
    -----
    The mean of the answers, each cut off at 0 and 1, grows with the logarithm
    of the likelihood ratio of all of them together. So a line through it is a
    best test at its share of false alarms (Neyman and Pearson 1933). The best
    guess is the likelier one, and it is right in half of 1 plus the total
    variation of the two laws: for one count 1 − e^(−ε/2)/2. No ε-private count
    allows more than e^ε/(1 + e^ε) (Kairouz, Oh and Viswanath 2015).

    Examples
    --------
    >>> found = divide(epsilon=1)
    >>> [round(share, 4) for share in (*found.shares, found.right)]
    [0.6967, 0.3033, 0.6967]
    >>> found.right_of(found.worlds, True), found.right_of(found.worlds, False)
    ((69, 100), (30, 100))
    """
    return Divided(epsilon, releases, threshold, bound)
