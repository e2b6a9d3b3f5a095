"""What one noisy count still tells (Naldi and D'Acquisto 2014).

Each of n records has a property with probability p, so the true count is binomial. The count is released once with
Laplace noise of scale 1/ε. Whoever knows n and p applies Bayes' rule to the answer ĉ. The text compares two estimators,
the naive ĉ and the Bayes estimator E[count | ĉ], by 100,000 simulated runs. Here their errors are exact sums.

One fact carries the module. For an answer y the posterior's weights are::

    prior(k) · e^(εk) · e^(−εy)  for counts k ≤ y,      prior(k) · e^(−εk) · e^(εy)  for counts k > y

The sums over k on both sides do not depend on y between two whole numbers, so all posteriors follow from one table
(`_Sums`). It holds logarithms, because the sums themselves leave the range of floats.

A single answer may come with n up to 10⁶, an average over all answers with n up to 2000. Relative errors stay below
1e-9 for ε from 1e-4 to 10.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, logsumexp

from dpwidgets.calculators.domain import POSITIVE, PROBABILITY, REAL, Domain, FloatArray, check, plain
from dpwidgets.calculators.noise import Laplace

#: The estimators of the count that `mean_error` knows.
ESTIMATORS = ("naive", "rounded", "clamped", "prior", "posterior mean", "posterior median")


def _whole(low: int, high: int) -> Domain:
    ends = {"low": low, "high": high, "includes_low": True, "includes_high": True}
    return Domain(f"a whole number from {low} to {high}", **ends, whole=True)


ANSWER = REAL
N = _whole(1, 1_000_000)
N_ALL_ANSWERS = _whole(1, 2000)
P = PROBABILITY
EPSILON = POSITIVE
LEVEL = PROBABILITY
RUNS = _whole(1, 1_000_000_000)

_BATCH = 10_000  # runs between two reports of progress


# ---------------------------------------------------------------------------------------------------- one answer


def posterior(answer: float, n: int, p: float, epsilon: float) -> FloatArray:
    """Compute how probable each count is, given one noisy answer.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, any finite number.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    array of shape (n + 1,)
        The probabilities of the counts 0 … n. Counts that are less than e⁻⁴⁰ times as probable as the most probable
        one may get 0.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    The law whose mean is eq. (11).

    Examples
    --------
    >>> posterior(answer=4, n=3, p=0.5, epsilon=1).round(4)
    array([0.0195, 0.1586, 0.4312, 0.3907])
    """
    answer, n, p, epsilon = _numbers(answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    low, masses = _window(answer, int(n), p, epsilon)
    result = np.zeros(int(n) + 1)
    result[low : low + masses.size] = masses
    return result


def posterior_mean(answer: ArrayLike, n: int, p: float, epsilon: float) -> float | FloatArray:
    """Compute the text's Bayes estimator: the mean of the count, given a noisy answer.

    Parameters
    ----------
    answer : array_like
        The noisy answer ĉ, any finite number, or an array of answers.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The posterior mean for each answer. It is constant for answers below 0 and for answers above n.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Eq. (11).

    Examples
    --------
    >>> round(posterior_mean(answer=40, n=100, p=0.3, epsilon=0.1), 4)
    31.9828
    """
    answers = ANSWER.check("answer", answer)
    n, p, epsilon = _numbers(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    reach, width = _reach(n), _reach(n) // 2
    bands = _near_mode(answers, n, p, epsilon) // width
    means = np.empty_like(answers)
    for band in np.unique(bands):  # one table serves all answers whose posteriors have their modes in one band
        low, high = max(int(band) * width - reach, 0), min(int(band + 1) * width + reach, int(n))
        here = bands == band
        # An answer beyond the table lies beyond the posterior too, which then does not depend on how far beyond.
        means[here] = _Sums(n, p, epsilon, low, high).mean(np.clip(answers[here], low, high))
    return plain(means)


def posterior_median(answer: float, n: int, p: float, epsilon: float) -> int:
    """Compute the median of the count, given a noisy answer: the estimate with the smallest mean absolute error.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, any finite number.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    int
        The smallest count m with P[count ≤ m | ĉ] ≥ 1/2.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Not in the text, which scores the posterior mean by its absolute error (Sec. 4.1). The mean is best for the squared
    error, the median for the absolute one.

    Examples
    --------
    >>> posterior_median(answer=40, n=100, p=0.3, epsilon=0.1)
    32
    """
    answer, n, p, epsilon = _numbers(answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    low, masses = _window(answer, int(n), p, epsilon)
    return low + _first_reaching(0.5, masses)


def credible_interval(answer: float, n: int, p: float, epsilon: float, level: float) -> tuple[int, int]:
    """Compute the equal-tailed interval that holds the count with at least this probability, given a noisy answer.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, any finite number.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.
    level : float
        The probability, between 0 and 1, both excluded.

    Returns
    -------
    (int, int)
        The lowest and the highest count of the interval, both inside. With tail = (1 − level)/2 they are the smallest
        m with P[count ≤ m | ĉ] ≥ tail and the smallest m with P[count > m | ĉ] ≤ tail.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Not in the text.

    Examples
    --------
    >>> credible_interval(answer=40, n=100, p=0.3, epsilon=0.1, level=0.95)
    (23, 41)
    """
    answer, n, p, epsilon, level = _numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON), level=(level, LEVEL)
    )
    low, masses = _window(answer, int(n), p, epsilon)
    tail = (1 - level) / 2
    beyond = np.append(np.cumsum(masses[:0:-1])[::-1], 0.0)  # P[count > m], summed from its small end
    highest = np.argmax(beyond <= tail * (1 + _TIE))
    return low + _first_reaching(tail, masses), low + int(highest)


# ---------------------------------------------------------------------------------------------- out of range


def out_of_range(count: ArrayLike, n: int, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the probability that the noisy answer falls below 0 or above n.

    Parameters
    ----------
    count : array_like
        The true count, a whole number from 0 to n.
    n : int
        The number of records, from 1 to 1,000,000.
    epsilon : array_like
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The probability P*.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the shapes do not broadcast.

    Notes
    -----
    Eq. (2). It is largest at the counts 0 and n (Theorem 2.1). It is smallest at n/2, or at the two whole numbers
    beside n/2 if n is odd; the text says (n − 1)/2, and for even n its eq. (6) is too large by a factor cosh(ε/2).

    Examples
    --------
    >>> round(out_of_range(count=5, n=100, epsilon=0.1), 4)
    0.3033
    """
    (n,) = _numbers(n=(n, N))
    count, epsilon = check(count=(count, _whole(0, int(n))), epsilon=(epsilon, EPSILON))
    return plain((np.exp(-epsilon * count) + np.exp(-epsilon * (n - count))) / 2)  # eq. (2)


def out_of_range_marginal(n: ArrayLike, p: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the probability that the noisy answer falls below 0 or above n, averaged over the true count.

    Parameters
    ----------
    n : array_like
        The number of records, from 1 to 1,000,000.
    p : array_like
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : array_like
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The mean of P* over the binomial count.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the shapes do not broadcast.

    Notes
    -----
    Not in the text: eq. (2) averaged with E[e^(−ε·count)] = (1 − p + p·e^(−ε))ⁿ.

    Examples
    --------
    >>> round(out_of_range_marginal(n=100, p=0.3, epsilon=0.1), 4)
    0.0281
    """
    n, p, epsilon = check(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    return plain(np.exp(_log_transforms(n, p, epsilon)).mean(axis=0))


def _log_transforms(n: ArrayLike, p: ArrayLike, epsilon: ArrayLike) -> FloatArray:
    """Return the logarithms of the means of e^(−ε·count) and of e^(−ε(n − count))."""
    return np.array([n * np.log1p(share * np.expm1(-epsilon)) for share in (p, 1 - p)])


# ------------------------------------------------------------------------------------- averages over all answers


def mean_error(
    n: int, p: float, epsilon: float, estimator: str = "posterior mean", true_p: float | None = None
) -> float:
    """Compute an estimator's mean absolute error over all counts and all answers.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.
    estimator : str
        How the count is estimated from the answer ĉ: "naive" (ĉ itself), "rounded" (the nearest whole number, even
        outside 0 … n), "clamped" (the nearest number in [0, n], not rounded), "prior" (n·p whatever the answer),
        "posterior mean" (the text's Bayes estimator) or "posterior median".
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is right: p.

    Returns
    -------
    float
        The mean of |count − estimate|.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain or the estimator is unknown.

    Notes
    -----
    Eq. (12), for the naive estimator eq. (14). The text simulates it; this is exact up to rounding. An estimate that
    grows with the answer exceeds x exactly when the answer exceeds a threshold y(x). The error is then the integral
    over x of the probability that x separates count and estimate, `_Sums.separated`. For the posterior mean
    y(x) is a logit on each piece, and the integral has a closed form.

    Examples
    --------
    >>> round(mean_error(n=100, p=0.3, epsilon=0.1), 4)
    3.3973
    >>> round(mean_error(n=100, p=0.3, epsilon=1, estimator="rounded"), 4)
    0.9595
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(map(repr, ESTIMATORS))}; got {estimator!r}")
    n, p, epsilon, true_p = _numbers_of_averages(n, p, epsilon, true_p)
    if estimator == "naive":
        return 1 / epsilon  # eq. (14)
    if estimator == "rounded":
        return math.exp(-epsilon / 2) / -math.expm1(-epsilon)  # the mean of |noise rounded|, 1/(2 sinh(ε/2))
    if estimator == "clamped":  # the naive error, but with no noise left to undo beyond 0 and n
        return float(-np.expm1(_log_transforms(n, true_p, epsilon)).mean() / epsilon)  # (1 − P*)/ε
    assumed, true = _Sums(n, p, epsilon, 0, n), _Sums(n, true_p, epsilon, 0, n)
    if estimator == "prior":
        return float(true.prior @ np.abs(true.counts - n * p))
    lowest, highest, error = (_curve_error if estimator == "posterior mean" else _steps_error)(assumed, true)
    outside = np.maximum(lowest - true.counts, 0) + np.maximum(true.counts - highest, 0)
    return float(error + true.prior @ outside)


def chance_closer(n: int, p: float, epsilon: float, true_p: float | None = None) -> float:
    """Compute how often the Bayes estimator is closer to the count than the noisy answer itself.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is right: p.

    Returns
    -------
    float
        The probability that |count − posterior mean| < |count − ĉ|.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Eq. (13). Let g(y) be the posterior mean. The Bayes estimator is closer if the count lies on g's side of the middle
    between y and g(y). That middle grows with y and passes the count k at y = s(k); the side changes at the roots z of
    g(z) = z. For a single root the Bayes estimator is farther exactly for the answers between z and s(k). With several
    roots such stretches are added and taken away in turn.

    Examples
    --------
    >>> round(chance_closer(n=100, p=0.3, epsilon=0.1), 4)
    0.7609
    """
    n, p, epsilon, true_p = _numbers_of_averages(n, p, epsilon, true_p)
    assumed, true = _Sums(n, p, epsilon, 0, n), _Sums(n, true_p, epsilon, 0, n)
    noise = Laplace(1 / epsilon)
    counts, prior = true.counts[true.prior > 1e-25], true.prior[true.prior > 1e-25]
    middles = _bisect(lambda y: assumed.mean(y) + y < 2 * counts, 2 * counts - n, 2 * counts)
    roots = _fixed_points(assumed)[:, np.newaxis]
    between = np.abs(noise.cdf(roots - counts) - noise.cdf(middles - counts))
    between[1::2] *= -1
    return float(1 - prior @ between.sum(axis=0))


@dataclass(frozen=True)
class Simulation:
    """The text's Monte Carlo comparison of the naive and the Bayes estimator.

    Attributes
    ----------
    runs : int
        The number of simulated answers.
    naive, bayes : float
        The mean absolute errors of both estimators.
    closer : float
        The share of the runs in which the Bayes estimator is closer to the count.
    naive_standard_error, bayes_standard_error, closer_standard_error : float
        The standard errors of the three.
    """

    runs: int
    naive: float
    bayes: float
    closer: float
    naive_standard_error: float
    bayes_standard_error: float
    closer_standard_error: float


def simulate(
    n: int,
    p: float,
    epsilon: float,
    runs: int,
    rng: np.random.Generator,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Compare the naive and the Bayes estimator as the text does, by simulation.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, between 0 and 1, both excluded.
    epsilon : float
        The privacy parameter ε > 0.
    runs : int
        How many counts and answers to draw, at least 1. The text draws 100,000.
    rng : numpy.random.Generator
        The source of randomness.
    progress : callable, optional
        Called now and then with the number of runs done so far.

    Returns
    -------
    Simulation
        The mean errors, how often the Bayes estimator is closer, and the standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Sec. 4.2.

    Examples
    --------
    >>> simulation = simulate(n=100, p=0.3, epsilon=0.1, runs=100_000, rng=np.random.default_rng(1))
    >>> round(simulation.bayes, 2), round(simulation.bayes_standard_error, 2)
    (3.41, 0.01)
    """
    n, p, epsilon, runs = _numbers(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON), runs=(runs, RUNS))
    noise, runs, done = Laplace(1 / epsilon), int(runs), 0
    totals, squares = np.zeros(3), np.zeros(3)
    while done < runs:
        size = min(_BATCH, runs - done)
        counts = rng.binomial(int(n), p, size)
        answers = counts + noise.sample(rng, size)
        naive, bayes = np.abs(answers - counts), np.abs(posterior_mean(answers, n, p, epsilon) - counts)
        scores = np.stack([naive, bayes, bayes < naive])
        totals += scores.sum(axis=1)
        squares += (scores**2).sum(axis=1)
        done += size
        if progress is not None:
            progress(done)
    means = totals / runs
    standard_errors = np.sqrt(np.maximum(squares / runs - means**2, 0) / runs)
    return Simulation(runs, *means.tolist(), *standard_errors.tolist())


# ------------------------------------------------------------------------------------------ the table of sums


class _Sums:
    """The sums over the counts below and from each whole number on, tilted by e^(εk) and e^(−εk).

    Position i of `below` is the logarithm of the sum over the counts < low + i, of `above` over the counts ≥ low + i.
    `below_counts` and `above_counts` are the same with each weight multiplied by its count.
    """

    def __init__(self, n: float, p: float, epsilon: float, low: int, high: int) -> None:
        self.epsilon, self.counts = epsilon, np.arange(low, high + 1.0)
        log_prior = _log_prior(self.counts, n, p)
        self.prior = np.exp(log_prior)
        self.origin = np.clip(n * p, low, high)  # of the tilts: keeps the logarithms small where the prior is large
        tilt = epsilon * (self.counts - self.origin)
        with np.errstate(divide="ignore"):  # the count 0 adds nothing to a mean
            log_counts = np.log(self.counts)
        self.below, self.below_counts = _running(log_prior + tilt), _running(log_prior + tilt + log_counts)
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

    def separated(self, y: FloatArray, m: NDArray[np.intp], weights: tuple[ArrayLike, ...]) -> float:
        """Return the sum over thresholds y of the probability that count and answer fall on different sides.

        The sides are count ≤ m with answer > y, and count > m with answer ≤ y. The weights are those of 1, of
        e^(−ε(y − j)) and of e^(−ε(j + 1 − y)), where j is the whole number below y: for a sum over thresholds these
        terms themselves, for an integral over thresholds their integrals.
        """
        one, left, right = weights
        i, q = self.position(y), m + 1
        cumulative = np.concatenate([[0.0], np.cumsum(self.prior)])
        # The answer lies beyond y, on the other side of y than the count k, with probability e^(−ε|y − k|)/2.
        to_j, to_next = self.epsilon * (i - 1 - self.origin), self.epsilon * (i - self.origin)
        lower = np.exp(self.below[np.minimum(i, q)] - to_j) - np.exp(self.below[i] - to_j) / 2
        upper = np.exp(self.above[np.maximum(i, q)] + to_next) - np.exp(self.above[i] + to_next) / 2
        return float(np.sum(one * np.abs(cumulative[q] - cumulative[i]) + left * lower + right * upper))


def _running(logarithms: FloatArray) -> FloatArray:
    return np.concatenate([[-np.inf], np.logaddexp.accumulate(logarithms)])


def _log_prior(counts: FloatArray, n: float, p: float) -> FloatArray:
    """Return the logarithms of the binomial masses of consecutive counts, as shares of their sum.

    They are summed from the ratios of neighbours: differences of log-gammas of 10⁶ would lose nine digits.
    """
    steps = np.log((n - counts[:-1]) / counts[1:]) + logit(p)
    logarithms = np.concatenate([[0.0], np.cumsum(steps)])
    return logarithms - logsumexp(logarithms)


def _near_mode(answers: FloatArray, n: float, p: float, epsilon: float) -> FloatArray:
    """Return counts within 1 of the posterior's mode: the answer, between the modes for answers below 0 and above n."""
    lowest, highest = np.floor((n + 1) * expit(logit(p) + np.array([-epsilon, epsilon])))
    return np.clip(np.floor(answers), lowest, min(highest, n))


def _reach(n: float) -> int:
    """Return how far from the mode counts matter.

    The second differences of the log-binomial are at most −4/n, and the noise adds none above 0. So d counts from the
    mode a posterior has fallen by e^(−2d²/n), whatever p and ε.
    """
    return math.ceil(4.5 * math.sqrt(n)) + 2  # e⁻⁴⁰


def _window(answer: float, n: int, p: float, epsilon: float) -> tuple[int, FloatArray]:
    """Return a posterior's masses where they matter, and the count at which they start."""
    mode, reach = int(_near_mode(np.asarray(answer), n, p, epsilon)), _reach(n)
    counts = np.arange(max(mode - reach, 0), min(mode + reach, n) + 1.0)
    nearest = np.clip(answer, counts[0], counts[-1])  # beyond, all counts gain or lose alike
    logarithms = _log_prior(counts, n, p) - epsilon * np.abs(nearest - counts)
    masses = np.exp(logarithms - logarithms.max())
    return int(counts[0]), masses / masses.sum()


_TIE = 1e-12  # a symmetric posterior has exactly 1/2 on each side; rounding must not decide


def _first_reaching(probability: float, masses: FloatArray) -> int:
    return int(np.argmax(np.cumsum(masses) >= probability * (1 - _TIE)))


# ---------------------------------------------------------------------------- errors, from thresholds of the answer


def _steps_error(assumed: _Sums, true: _Sums) -> tuple[int, int, float]:
    """Return the posterior median's lowest and highest value, and its error between them."""
    n, m = assumed.counts[-1], np.arange(assumed.counts.size)
    lowest, highest = (int(np.argmax(assumed.median_at_most(m, np.full(m.size, y)))) for y in (0.0, n))
    m = m[lowest:highest]  # for each of these some answer is the last with a median ≤ m
    y = _bisect(lambda y: assumed.median_at_most(m, y), np.zeros(m.size), np.full(m.size, n))
    beyond = y - (true.position(y) - 1)
    weights = 1.0, np.exp(-assumed.epsilon * beyond), np.exp(-assumed.epsilon * (1 - beyond))
    return lowest, highest, true.separated(y, m, weights)


def _curve_error(assumed: _Sums, true: _Sums) -> tuple[float, float, float]:
    """Return the posterior mean's lowest and highest value, and its error between them.

    Let E₀ and E₁ be the means of the counts below and above y. For answers between j and j + 1 the posterior mean is
    x = E₀ + (E₁ − E₀) sin²θ with tan θ = e^(a + ε(y − j)). Then dx = (E₁ − E₀) · 2 sin θ cos θ dθ, so that
    e^(ε(y − j)) dx has the integral (E₁ − E₀) e^(−a) (θ − sin θ cos θ). For e^(−ε(y − j)) dx, a becomes −a and θ
    becomes π/2 − θ.
    """
    epsilon, whole = assumed.epsilon, assumed.counts
    at_whole = assumed.mean(whole)
    inside = slice(1, -1)  # one element for each j from 0 to n − 1
    below = np.exp(assumed.below_counts[inside] - assumed.below[inside])  # E₀
    above = np.exp(assumed.above_counts[inside] - assumed.above[inside])  # E₁
    # Where |a| passes 300 the curve is flat to the last digit; the limits keep e^a a float.
    a = (assumed.above[inside] - assumed.below[inside] + assumed.tilt(whole[:-1])) / 2
    a = np.clip(a, -300 - epsilon, 300)

    # Cut where y is whole and where x is: between the cuts, the same counts lie below y and below x.
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


def _fixed_points(sums: _Sums) -> FloatArray:
    """Return the answers that equal their own posterior mean, in order.

    Between the whole numbers and the points where the curve has slope 1, curve minus answer is monotone.
    """
    whole, inside = sums.counts, slice(1, -1)
    below, above = sums.below[inside], sums.above[inside]
    height = np.exp(sums.above_counts[inside] - above) - np.exp(sums.below_counts[inside] - below)
    steep = 2 * sums.epsilon * height > 4  # a logistic's slope is 2ε · height · share · (1 − share), at most at 1/2
    share = (1 + np.sqrt(1 - 2 / (sums.epsilon * height[steep])) * np.array([[-1], [1]])) / 2
    slope_one = (logit(share) - (above - below + sums.tilt(whole[:-1]))[steep]) / (2 * sums.epsilon)
    cuts = np.sort(np.concatenate([whole, (whole[:-1][steep] + np.clip(slope_one, 0, 1)).ravel()]))
    over = sums.mean(cuts) > cuts
    over[[0, -1]] = True, False  # for certain; at a large ε rounding may say otherwise
    change = np.flatnonzero(over[:-1] != over[1:])
    return _bisect(lambda y: (sums.mean(y) > y) == over[change], cuts[change], cuts[change + 1])


def _bisect(before: Callable[[FloatArray], NDArray[np.bool_]], low: FloatArray, high: FloatArray) -> FloatArray:
    """Return between low and high the points up to which `before` holds."""
    for _ in range(60):
        middle = (low + high) / 2
        still = before(middle)
        low, high = np.where(still, middle, low), np.where(still, high, middle)
    return (low + high) / 2


# ------------------------------------------------------------------------------------------------ at the door


def _numbers(**arguments: tuple[ArrayLike, Domain]) -> list[float]:
    """Check arguments of which each must be one number."""
    arrays = check(**arguments)
    for name, array in zip(arguments, arrays, strict=True):
        if array.ndim:
            raise TypeError(f"{name} must be one number; got an array of shape {array.shape}")
    return [float(array) for array in arrays]


def _numbers_of_averages(n: int, p: float, epsilon: float, true_p: float | None) -> tuple[int, float, float, float]:
    n, p, epsilon, true_p = _numbers(
        n=(n, N_ALL_ANSWERS), p=(p, P), epsilon=(epsilon, EPSILON), true_p=(p if true_p is None else true_p, P)
    )
    return int(n), p, epsilon, true_p
