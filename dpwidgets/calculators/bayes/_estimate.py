"""All that one noisy answer tells about a count, where it matters: about the posterior's mode."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.special import expit, logit, softmax

from dpwidgets.calculators.bayes._sums import log_prior
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    FloatArray,
    silent,
    whole,
    within,
)
from dpwidgets.inputs.door import takes

ANSWER = NUMBER
N = whole(1, 1_000_000)
P = within(0, 1)
# Of these worlds those on a line have about the mean that is to be expected.
_WORLDS, _SEED = 200, 217
# A symmetric posterior has exactly 1/2 on each side; rounding must not decide.
_TIE = 1e-12


def near_mode(
    answers: FloatArray, n: int, p: float, epsilon: float
) -> FloatArray:
    """Return counts within 1 of the posterior's mode, for answers of any shape.

    It is the answer, between the modes for answers below 0 and above n.
    """
    logits = logit(p) + np.array([-epsilon, epsilon])
    lowest, highest = np.minimum(np.floor((n + 1) * expit(logits)), n)
    return np.clip(np.floor(answers), lowest, highest)


def reach(n: int) -> int:
    """Return how far from the mode counts matter.

    The second differences of the log-binomial are at most −4/n, and the noise
    adds none above 0. So d counts from the mode a posterior has fallen by
    e^(−2d²/n), whatever p and ε.
    """
    return math.ceil(4.5 * math.sqrt(n)) + 2  # e⁻⁴⁰


@dataclass(frozen=True)
class Estimate:
    """All that one noisy answer tells about the count. Made by `estimate`.

    Attributes
    ----------
    low : int
        The first count of the posterior where it matters.
    masses : array of shape (k,)
        The probabilities of the counts from there on.
    answer : float
        The noisy answer ĉ.
    n : int
        The number of records.
    p : float
        The probability that a record has the property.
    epsilon : float
        The privacy parameter ε.
    """

    low: int = field(compare=False)
    masses: FloatArray = field(compare=False, repr=False)
    answer: float
    n: int
    p: float
    epsilon: float

    @property
    def mean(self) -> float:
        """The posterior mean, the text's Bayes estimator."""
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

    @property
    def expected(self) -> float:
        """The count to expect before the answer is known, n·p."""
        return self.n * self.p

    @property
    def deviation(self) -> float:
        """The standard deviation of the count before the answer is known, √(np(1 − p))."""
        return math.sqrt(self.n * self.p * (1 - self.p))

    @cached_property
    def counts(self) -> FloatArray:
        """The counts that matter before the answer is known or after."""
        far = reach(self.n)
        last = self.low + self.masses.size - 1
        low = min(self.low, math.floor(self.expected) - far)
        high = max(last, math.ceil(self.expected) + far)
        return np.arange(max(0, low), min(self.n, high) + 1.0)

    @cached_property
    @silent
    def prior(self) -> FloatArray:
        """The probabilities of `counts` before the answer is known."""
        return np.asarray(np.exp(log_prior(self.counts, self.n, self.p)))

    @cached_property
    def posterior(self) -> FloatArray:
        """The probabilities of `counts` after the answer is known."""
        return self.among(self.counts)

    @cached_property
    def worlds(self) -> FloatArray:
        """Two hundred worlds, a row each: how many count, and what is published.

        As many count as is believed before the answer is known.
        """
        rng = np.random.default_rng(_SEED)
        counts = rng.choice(self.counts, _WORLDS, p=self.prior)
        noise = rng.laplace(scale=1 / self.epsilon, size=_WORLDS)
        return np.column_stack([counts, counts + noise])

    def among(self, counts: FloatArray) -> FloatArray:
        """Return the probabilities of consecutive counts, among which are these."""
        start = self.low - int(counts[0])
        rest = counts.size - start - self.masses.size
        return np.pad(self.masses, (start, rest))

    def _first_reaching(self, probability: float) -> int:
        reached = np.cumsum(self.masses) >= probability * (1 - _TIE)
        return int(np.argmax(reached))


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON)
def estimate(answer: float, n: int, p: float, epsilon: float) -> Estimate:
    """Describe all that one noisy answer tells about the count.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, a number from −1e100 to 1e100.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    Estimate
        The count's law before and after the answer, and what to say about it.

    Examples
    --------
    >>> after = estimate(answer=40, n=100, p=0.3, epsilon=0.1)
    >>> after.expected, round(after.mean, 2), after.median, after.interval
    (30.0, 31.98, 32, (23, 41))
    """
    mode = int(near_mode(np.asarray(answer), n, p, epsilon))
    far = reach(n)
    counts = np.arange(max(mode - far, 0), min(mode + far, n) + 1.0)
    # Beyond, all counts gain or lose alike.
    nearest = np.clip(answer, counts[0], counts[-1])
    distances = np.abs(nearest - counts)
    masses = softmax(log_prior(counts, n, p) - epsilon * distances)
    return Estimate(int(counts[0]), np.asarray(masses), answer, n, p, epsilon)
