"""What one noisy count still tells (Naldi and D'Acquisto 2014).

Each of n records has a property with probability p, so the true count is binomial. The count is released once with
Laplace noise of scale 1/ε. Whoever knows n and p applies Bayes' rule to the answer ĉ. The text compares two estimators,
the naive ĉ and the Bayes estimator E[count | ĉ], by 100,000 simulated runs. Here their errors are exact sums.

A single answer may come with n up to 10⁶, an average over all answers with n up to 2000. Relative errors stay below
1e-9 for ε from 1e-4 to 10. Whoever assumes p = 0 or p = 1 is certain of the count, and no answer changes that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators import bayes_sums
from dpwidgets.calculators.bayes_sums import Sums, bisect, log_binomial, log_certain, near_mode, reach, window
from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    REAL,
    Domain,
    FloatArray,
    check,
    check_numbers,
    each,
    plain,
    whole,
)
from dpwidgets.calculators.meaning import Meaning, both_ways
from dpwidgets.calculators.noise import Laplace
from dpwidgets.notation import percent

#: The estimators of the count that `mean_error` knows.
ESTIMATORS = ("naive", "rounded", "clamped", "prior", "posterior mean", "posterior median")


ANSWER = REAL
N = whole(1, 1_000_000)
N_ALL_ANSWERS = whole(1, 2000)
P = Domain("a number from 0 to 1", low=0.0, high=1.0, includes_low=True, includes_high=True)
EPSILON = POSITIVE
LEVEL = PROBABILITY
RUNS = whole(1, 1_000_000_000)

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
        The probability that a record has the property, from 0 to 1.
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
    answer, n, p, epsilon = check_numbers(answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    low, masses = window(answer, int(n), p, epsilon)
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
        The probability that a record has the property, from 0 to 1.
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
    n, p, epsilon = check_numbers(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    distance = reach(n)
    width = distance // 2
    bands = near_mode(answers, n, p, epsilon) // width
    means = np.empty_like(answers)
    for band in np.unique(bands):  # one table serves all answers whose posteriors have their modes in one band
        low, high = max(int(band) * width - distance, 0), min(int(band + 1) * width + distance, int(n))
        here = bands == band
        # An answer beyond the table lies beyond the posterior too, which then does not depend on how far beyond.
        counts = np.arange(low, high + 1.0)
        means[here] = Sums(counts, log_binomial(counts, n, p), epsilon).mean(np.clip(answers[here], low, high))
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
        The probability that a record has the property, from 0 to 1.
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
    answer, n, p, epsilon = check_numbers(answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    low, masses = window(answer, int(n), p, epsilon)
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
        The probability that a record has the property, from 0 to 1.
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
    answer, n, p, epsilon, level = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON), level=(level, LEVEL)
    )
    low, masses = window(answer, int(n), p, epsilon)
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
    (n,) = check_numbers(n=(n, N))
    count, epsilon = check(count=(count, whole(0, int(n))), epsilon=(epsilon, EPSILON))
    return plain((np.exp(-epsilon * count) + np.exp(-epsilon * (n - count))) / 2)  # eq. (2)


def out_of_range_marginal(n: ArrayLike, p: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the probability that the noisy answer falls below 0 or above n, averaged over the true count.

    Parameters
    ----------
    n : array_like
        The number of records, from 1 to 1,000,000.
    p : array_like
        The probability that a record has the property, from 0 to 1.
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
    below, above = _transforms(n, p, epsilon)
    return plain((np.exp(below) + np.exp(above)) / 2)


def _transforms(n: ArrayLike, p: ArrayLike, epsilon: ArrayLike) -> list[FloatArray]:
    """Return the logarithms of the means of e^(−ε·count) and of e^(−ε(n − count))."""
    return [n * np.log1p(share * np.expm1(-epsilon)) for share in (p, 1 - p)]


# ------------------------------------------------------------------------------------- averages over all answers


def mean_error(
    n: int,
    p: float,
    epsilon: float,
    estimator: str = "posterior mean",
    true_p: float | None = None,
    *,
    true_count: int | None = None,
) -> float:
    """Compute an estimator's mean absolute error over all answers, and over all counts or for one.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε > 0.
    estimator : str
        How the count is estimated from the answer ĉ: "naive" (ĉ itself), "rounded" (the nearest whole number, even
        outside 0 … n), "clamped" (the nearest number in [0, n], not rounded), "prior" (n·p whatever the answer),
        "posterior mean" (the text's Bayes estimator) or "posterior median".
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is right: p.
    true_count : int, optional
        The count, from 0 to n, if the error at this count alone is asked for.

    Returns
    -------
    float
        The mean of |count − estimate|.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the estimator is unknown, or both `true_p` and `true_count` are given.

    Notes
    -----
    Eq. (12), for the naive estimator eq. (14). The text simulates it; this is exact up to rounding. An estimate that
    grows with the answer exceeds x exactly when the answer exceeds a threshold y(x). The error is then the integral
    over x of the probability that x separates count and estimate, `Sums.separated`. For the posterior mean
    y(x) is a logit on each piece, and the integral has a closed form.

    Examples
    --------
    >>> round(mean_error(n=100, p=0.3, epsilon=0.1), 4)
    3.3973
    >>> round(mean_error(n=100, p=0.3, epsilon=1, estimator="rounded"), 4)
    0.9595
    >>> round(mean_error(n=100, p=0.3, epsilon=0.1, true_count=60), 4)
    27.9841
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(map(repr, ESTIMATORS))}; got {estimator!r}")
    if true_p is not None and true_count is not None:
        raise ValueError(f"true_p and true_count cannot both be given; got {true_p!r} and {true_count!r}")
    n, p, epsilon, true_p = _numbers_of_averages(n, p, epsilon, true_p)
    if true_count is not None:
        true_count = whole(0, n).check_one("true_count", true_count)
    if estimator == "naive":
        return 1 / epsilon  # eq. (14)
    if estimator == "rounded":
        return math.exp(-epsilon / 2) / -math.expm1(-epsilon)  # the mean of |noise rounded|, 1/(2 sinh(ε/2))
    if estimator == "clamped":  # the naive error, but with no noise left to undo beyond 0 and n: (1 − P*)/ε
        known = true_count is not None
        ends = [-epsilon * true_count, -epsilon * (n - true_count)] if known else _transforms(n, true_p, epsilon)
        return float(-np.expm1(ends).mean() / epsilon)
    counts = np.arange(n + 1.0)
    log_true = log_binomial(counts, n, true_p) if true_count is None else log_certain(counts, true_count)
    true = Sums(counts, log_true, epsilon)
    if estimator == "prior" or p in (0, 1):
        return float(true.prior @ np.abs(counts - n * p))
    error_between = bayes_sums.mean_error if estimator == "posterior mean" else bayes_sums.median_error
    lowest, highest, error = error_between(Sums(counts, log_binomial(counts, n, p), epsilon), true)
    outside = np.maximum(lowest - counts, 0) + np.maximum(counts - highest, 0)
    return float(error + true.prior @ outside)


def chance_closer(n: int, p: float, epsilon: float, true_p: float | None = None) -> float:
    """Compute how often the Bayes estimator is closer to the count than the noisy answer itself.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, from 0 to 1.
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
    every = np.arange(n + 1.0)
    log_prior = log_binomial(every, n, true_p)
    likely = log_prior > -57  # a share of 1e-25
    counts, prior = every[likely], np.exp(log_prior[likely])
    if p in (0, 1):  # the estimate never moves: it is closer if the answer is farther away
        return float(prior @ np.exp(-epsilon * np.abs(counts - n * p)))
    assumed = Sums(every, log_binomial(every, n, p), epsilon)
    noise = Laplace(1 / epsilon)
    middles = bisect(lambda y: assumed.mean(y) + y < 2 * counts, 2 * counts - n, 2 * counts)
    roots = bayes_sums.fixed_points(assumed)[:, np.newaxis]
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
        The probability that a record has the property, from 0 to 1.
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
    n, p, epsilon, runs = check_numbers(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON), runs=(runs, RUNS))
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


_TIE = 1e-12  # a symmetric posterior has exactly 1/2 on each side; rounding must not decide


def _first_reaching(probability: float, masses: FloatArray) -> int:
    return int(np.argmax(np.cumsum(masses) >= probability * (1 - _TIE)))


def _numbers_of_averages(n: int, p: float, epsilon: float, true_p: float | None) -> tuple[int, float, float, float]:
    n, p, epsilon, true_p = check_numbers(
        n=(n, N_ALL_ANSWERS), p=(p, P), epsilon=(epsilon, EPSILON), true_p=(p if true_p is None else true_p, P)
    )
    return int(n), p, epsilon, true_p


# ------------------------------------------------------------------------------------------------ what ε means


def meanings(n: int = 100, p: float = 0.3) -> tuple[Meaning, ...]:
    """Say what ε means in this text: how far off an analyst's estimate of the count still is.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000. By default that of the text's example.
    p : float
        The probability that a record has the property, above 0 and below 1. By default that of the example.

    Returns
    -------
    tuple of Meaning
        The mean absolute errors of the posterior median and of the posterior mean. The median's never rises with ε. The
        mean's may where ε is small, so the way back from it is the median's: no estimate does better than the median.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> median, mean = meanings()
    >>> round(median.epsilon(3), 4), round(mean.epsilon(3), 4), round(mean.value(0.1836), 4)
    (0.1836, 0.1836, 3.0152)
    """
    n, p = check_numbers(n=(n, N_ALL_ANSWERS), p=(p, PROBABILITY))
    best = both_ways(lambda epsilon: mean_error(n, p, epsilon, "posterior median"))
    shared = {
        "text": "bayes",
        "unit": "people",
        "mechanism": "Laplace",
        "knows": f"that each of {n:.0f} records has the property with a probability of {percent(p)}",
    }
    says = f"At ε = {{epsilon}}, the {{}} misses the count of {n:.0f} records by {{value}} on average."
    return (
        Meaning(
            name="Error of the posterior median",
            equation="not in the text",
            says=says.replace("{}", "best estimate"),
            **best,
            **shared,
        ),
        Meaning(
            name="Error of the posterior mean",
            equation="eq. (12)",
            says=says.replace("{}", "posterior mean"),
            note="It may rise with ε, so its inverse is that of the posterior median, which no estimate betters.",
            **best | {"computes": lambda epsilons: each(lambda one: mean_error(n, p, one), epsilons)},
            **shared,
        ),
    )
