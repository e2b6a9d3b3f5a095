"""The sums over counts that every posterior of one noisy count is made of, and the errors that follow from them.

For an answer y the posterior's weights are::

    prior(k) · e^(εk) · e^(−εy)  for counts k ≤ y,      prior(k) · e^(−εk) · e^(εy)  for counts k > y

The sums over k on both sides do not depend on y between two whole numbers, so all posteriors follow
from one table, `Sums`. It holds logarithms, because the sums themselves leave the range of floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, logsumexp

from dpwidgets.calculators.domain import FloatArray


def log_binomial(counts: FloatArray, n: int, p: float) -> FloatArray:
    """Return the logarithms of the binomial masses of consecutive counts, as shares of their sum.

    They are summed from the ratios of neighbours: differences of log-gammas of 10⁶ would lose nine
    digits.
    """
    if p in (0, 1):
        return log_certain(counts, n * p)
    steps = np.log((n - counts[:-1]) / counts[1:]) + logit(p)
    logarithms = np.concatenate([[0.0], np.cumsum(steps)])
    return logarithms - logsumexp(logarithms)


def log_certain(counts: FloatArray, count: float) -> FloatArray:
    """Return the logarithms of the masses of a count that is known."""
    return np.where(counts == count, 0.0, -np.inf)


def near_mode(answers: FloatArray, n: float, p: float, epsilon: float) -> FloatArray:
    """Return counts within 1 of the posterior's mode: the answer, between the modes for answers below 0 and above n."""
    lowest, highest = np.floor((n + 1) * expit(logit(p) + np.array([-epsilon, epsilon])))
    return np.clip(np.floor(answers), lowest, min(highest, n))


def reach(n: float) -> int:
    """Return how far from the mode counts matter.

    The second differences of the log-binomial are at most −4/n, and the noise adds none above 0. So
    d counts from the mode a posterior has fallen by e^(−2d²/n), whatever p and ε.
    """
    return math.ceil(4.5 * math.sqrt(n)) + 2  # e⁻⁴⁰


def window(answer: float, n: int, p: float, epsilon: float) -> tuple[int, FloatArray]:
    """Return a posterior's masses where they matter, and the count at which they start."""
    mode, distance = int(near_mode(np.asarray(answer), n, p, epsilon)), reach(n)
    counts = np.arange(max(mode - distance, 0), min(mode + distance, n) + 1.0)
    nearest = np.clip(answer, counts[0], counts[-1])  # beyond, all counts gain or lose alike
    logarithms = log_binomial(counts, n, p) - epsilon * np.abs(nearest - counts)
    masses = np.exp(logarithms - logarithms.max())
    return int(counts[0]), masses / masses.sum()


class Sums:
    """The sums over the counts below and from each whole number on, tilted by e^(εk) and e^(−εk).

    Position i of `below` is the logarithm of the sum over the counts < low + i, of `above` over the
    counts ≥ low + i. `below_counts` and `above_counts` are the same with each weight multiplied by
    its count.

    Parameters
    ----------
    counts : array
        Consecutive counts; the first is `low`.
    log_prior : array
        The logarithms of their masses.
    epsilon : float
        The privacy parameter.
    """

    def __init__(self, counts: FloatArray, log_prior: FloatArray, epsilon: float) -> None:
        self.counts, self.epsilon, self.prior = counts, epsilon, np.exp(log_prior)
        self.origin = counts[
            log_prior.argmax()
        ]  # of the tilts: keeps the logarithms small where the prior is large
        tilt = epsilon * (counts - self.origin)
        with np.errstate(divide="ignore"):  # the count 0 adds nothing to a mean
            log_counts = np.log(counts)
        self.below, self.below_counts = (
            _running(log_prior + tilt),
            _running(log_prior + tilt + log_counts),
        )
        from_above = (log_prior - tilt)[::-1]
        self.above = _running(from_above)[::-1]
        self.above_counts = _running(from_above + log_counts[::-1])[::-1]

    def position(self, y: FloatArray) -> NDArray[np.intp]:
        """Return how many of the counts are ≤ y."""
        return np.clip(np.floor(y) - self.counts[0] + 1, 0, self.counts.size).astype(int)

    def tilt(self, y: FloatArray) -> FloatArray:
        """Return how much likelier, as a logarithm, the answer y makes the sums above it than those below it."""
        return 2 * self.epsilon * (np.clip(y, self.counts[0], self.counts[-1]) - self.origin)

    def mean(self, y: FloatArray) -> FloatArray:
        """Return the posterior mean at answers y, eq. (11)."""
        i, tilt = self.position(y), self.tilt(y)
        numerator = np.logaddexp(self.below_counts[i], tilt + self.above_counts[i])
        return np.exp(numerator - np.logaddexp(self.below[i], tilt + self.above[i]))

    def median_at_most(self, m: NDArray[np.intp], y: FloatArray) -> NDArray[np.bool_]:
        """Tell whether P[count ≤ m | y] ≥ 1/2, for tables that start at the count 0."""
        i, tilt = self.position(y), self.tilt(y)
        half = np.logaddexp(self.below[i], tilt + self.above[i]) - math.log(2)
        return np.where(m < i, self.below[m + 1] >= half, tilt + self.above[m + 1] <= half)

    def separated(
        self, y: FloatArray, m: NDArray[np.intp], weights: tuple[ArrayLike, ...]
    ) -> float:
        """Return the sum over thresholds y of the probability that count and answer fall on different sides.

        The sides are count ≤ m with answer > y, and count > m with answer ≤ y. The weights are
        those of 1, of e^(−ε(y − j)) and of e^(−ε(j + 1 − y)), where j is the whole number below y:
        for a sum over thresholds these terms themselves, for an integral over thresholds their
        integrals.
        """
        one, left, right = weights
        i, q = self.position(y), m + 1
        cumulative = np.concatenate([[0.0], np.cumsum(self.prior)])
        # The answer lies beyond y, on the other side of y than the count k, with probability
        # e^(−ε|y − k|)/2.
        to_j, to_next = self.epsilon * (i - 1 - self.origin), self.epsilon * (i - self.origin)
        lower = np.exp(self.below[np.minimum(i, q)] - to_j) - np.exp(self.below[i] - to_j) / 2
        upper = np.exp(self.above[np.maximum(i, q)] + to_next) - np.exp(self.above[i] + to_next) / 2
        return float(
            np.sum(one * np.abs(cumulative[q] - cumulative[i]) + left * lower + right * upper)
        )


def _running(logarithms: FloatArray) -> FloatArray:
    return np.concatenate([[-np.inf], np.logaddexp.accumulate(logarithms)])


def median_error(assumed: Sums, true: Sums) -> tuple[int, int, float]:
    """Return the posterior median's lowest and highest value, and its error between them."""
    n, m = assumed.counts[-1], np.arange(assumed.counts.size)
    lowest, highest = (
        int(np.argmax(assumed.median_at_most(m, np.full(m.size, y)))) for y in (0.0, n)
    )
    m = m[lowest:highest]  # for each of these some answer is the last with a median ≤ m
    y = bisect(lambda y: assumed.median_at_most(m, y), np.zeros(m.size), np.full(m.size, n))
    beyond = y - (true.position(y) - 1)
    weights = 1.0, np.exp(-assumed.epsilon * beyond), np.exp(-assumed.epsilon * (1 - beyond))
    return lowest, highest, true.separated(y, m, weights)


def mean_error(assumed: Sums, true: Sums) -> tuple[float, float, float]:
    """Return the posterior mean's lowest and highest value, and its error between them.

    Let E₀ and E₁ be the means of the counts below and above y. For answers between j and j + 1 the
    posterior mean is x = E₀ + (E₁ − E₀) sin²θ with tan θ = e^(a + ε(y − j)). Then dx = (E₁ − E₀) ·
    2 sin θ cos θ dθ, so that e^(ε(y − j)) dx has the integral (E₁ − E₀) e^(−a) (θ − sin θ cos θ).
    For e^(−ε(y − j)) dx, a becomes −a and θ becomes π/2 − θ.
    """
    epsilon, whole = assumed.epsilon, assumed.counts
    at_whole = assumed.mean(whole)
    inside = slice(1, -1)  # one element for each j from 0 to n − 1
    below = np.exp(assumed.below_counts[inside] - assumed.below[inside])  # E₀
    above = np.exp(assumed.above_counts[inside] - assumed.above[inside])  # E₁
    # Where |a| passes 300 the curve is flat to the last digit; the limits keep e^a a float.
    a = (assumed.above[inside] - assumed.below[inside] + assumed.tilt(whole[:-1])) / 2
    a = np.clip(a, -300 - epsilon, 300)

    # Cut where y is whole and where x is: between the cuts, the same counts lie below y and below
    # x.
    x = np.arange(math.ceil(at_whole[0]), math.floor(at_whole[-1]) + 1.0)
    j = np.clip(np.searchsorted(at_whole, x, side="right") - 1, 0, below.size - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        into = (np.log((x - below[j]) / (above[j] - x)) / 2 - a[j]) / epsilon
    cuts = np.sort(np.concatenate([whole, j + np.clip(np.nan_to_num(into), 0, 1)]))
    start, end = cuts[:-1], cuts[1:]
    y = (start + end) / 2
    j = np.minimum(np.floor(y), below.size - 1).astype(int)

    first, last = a[j] + epsilon * (start - j), a[j] + epsilon * (end - j)  # ln tan θ
    height = above[j] - below[j]
    left = height * np.exp(a[j]) * (_area(-first) - _area(-last))
    right = height * np.exp(-a[j] - epsilon) * (_area(last) - _area(first))
    weights = assumed.mean(end) - assumed.mean(start), left, right
    m = np.floor(assumed.mean(y)).astype(int)
    return at_whole[0], at_whole[-1], true.separated(y, m, weights)


def _area(log_tangent: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):  # an infinite tangent is a right angle
        theta = np.arctan(np.exp(log_tangent))
    return theta - np.sin(theta) * np.cos(theta)


def fixed_points(sums: Sums) -> FloatArray:
    """Return the answers that equal their own posterior mean, in order.

    Between the whole numbers and the points where the curve has slope 1, curve minus answer is
    monotone.
    """
    whole, inside = sums.counts, slice(1, -1)
    below, above = sums.below[inside], sums.above[inside]
    height = np.exp(sums.above_counts[inside] - above) - np.exp(sums.below_counts[inside] - below)
    steep = (
        2 * sums.epsilon * height > 4
    )  # a logistic's slope is 2ε · height · share · (1 − share), at most at 1/2
    share = (1 + np.sqrt(1 - 2 / (sums.epsilon * height[steep])) * np.array([[-1], [1]])) / 2
    slope_one = (logit(share) - (above - below + sums.tilt(whole[:-1]))[steep]) / (2 * sums.epsilon)
    cuts = np.sort(np.concatenate([whole, (whole[:-1][steep] + np.clip(slope_one, 0, 1)).ravel()]))
    over = sums.mean(cuts) > cuts
    over[[0, -1]] = True, False  # for certain; at a large ε rounding may say otherwise
    change = np.flatnonzero(over[:-1] != over[1:])
    return bisect(lambda y: (sums.mean(y) > y) == over[change], cuts[change], cuts[change + 1])


def bisect(
    before: Callable[[FloatArray], NDArray[np.bool_]], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return between low and high the points up to which `before` holds."""
    for _ in range(60):
        middle = (low + high) / 2
        still = before(middle)
        low, high = np.where(still, middle, low), np.where(still, high, middle)
    return (low + high) / 2
