"""A posterior where it matters: the counts about its mode, and what they weigh."""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, logit, softmax

from dpwidgets.calculators.bayes._sums import log_prior
from dpwidgets.inputs.domain import FloatArray


def near_mode(
    answers: FloatArray, n: int, p: float, epsilon: float
) -> FloatArray:
    """Return counts within 1 of the posterior's mode, for answers of any shape.

    It is the answer, between the modes for answers below 0 and above n.
    """
    if p in (0, 1):
        return np.full_like(answers, n * p)
    logits = logit(p) + np.array([-epsilon, epsilon])
    lowest, highest = np.floor((n + 1) * expit(logits))
    return np.clip(np.floor(answers), lowest, min(highest, n))


def reach(n: int) -> int:
    """Return how far from the mode counts matter.

    The second differences of the log-binomial are at most −4/n, and the noise
    adds none above 0. So d counts from the mode a posterior has fallen by
    e^(−2d²/n), whatever p and ε.
    """
    return math.ceil(4.5 * math.sqrt(n)) + 2  # e⁻⁴⁰


@dataclass(frozen=True, eq=False)
class Window:
    """A posterior where it matters.

    Attributes
    ----------
    low : int
        The count at which they start.
    masses : array of shape (k,)
        The probabilities of the counts from there on.
    """

    low: int = field(compare=False)
    masses: FloatArray = field(compare=False, repr=False)

    @property
    def mean(self) -> float:
        """The posterior mean."""
        return self.low + float(self.masses @ np.arange(self.masses.size))

    @property
    def median(self) -> int:
        """The smallest count m with P[count ≤ m] ≥ 1/2."""
        return self.low + self._first_reaching(0.5)

    @property
    def interval(self) -> tuple[int, int]:
        """The equal-tailed interval that holds the count with a probability of at least 95%."""
        # P[count > m], summed from its small end
        beyond = np.append(np.cumsum(self.masses[:0:-1])[::-1], 0.0)
        lowest = self._first_reaching(0.025)
        highest = int(np.argmax(beyond <= 0.025 * (1 + _TIE)))
        return self.low + lowest, self.low + highest

    def among(self, counts: FloatArray) -> FloatArray:
        """Return the probabilities of consecutive counts, among which are these."""
        start = self.low - int(counts[0])
        rest = counts.size - start - self.masses.size
        return np.pad(self.masses, (start, rest))

    def _first_reaching(self, probability: float) -> int:
        reached = np.cumsum(self.masses) >= probability * (1 - _TIE)
        return int(np.argmax(reached))


# A symmetric posterior has exactly 1/2 on each side; rounding must not decide.
_TIE = 1e-12


def window(
    answer: float, n: int, p: float, epsilon: float, doubt: float = 0.0
) -> Window:
    """Return a posterior where it matters: `reach` counts on either side of its mode.

    With a doubt every count matters.

    Parameters
    ----------
    answer, n, p, epsilon, doubt : float, int, float, float, float
        As in `estimate`.

    Examples
    --------
    >>> likely = window(answer=4, n=3, p=0.5, epsilon=1)
    >>> likely.low, likely.masses.round(4)
    (0, array([0.0195, 0.1586, 0.4312, 0.3907]))
    """
    mode = int(near_mode(np.asarray(answer), n, p, epsilon))
    distance = n if doubt else reach(n)
    counts = np.arange(max(mode - distance, 0), min(mode + distance, n) + 1.0)
    # Beyond, all counts gain or lose alike.
    nearest = np.clip(answer, counts[0], counts[-1])
    distances = np.abs(nearest - counts)
    logarithms = log_prior(counts, n, p, doubt) - epsilon * distances
    return Window(int(counts[0]), np.asarray(softmax(logarithms)))
