"""What one noisy answer tells about a binomial count: its posterior, and the estimates made of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.bayes._sums import (
    Sums,
    log_binomial,
    near_mode,
    reach,
    window,
)
from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    REAL,
    Domain,
    FloatArray,
    check_numbers,
    plain,
    whole,
)

ANSWER = REAL
N = whole(1, 1_000_000)
P = Domain("a number from 0 to 1", low=0.0, high=1.0, includes_low=True, includes_high=True)
EPSILON = POSITIVE
LEVEL = PROBABILITY


def prior(n: int, p: float) -> FloatArray:
    """Compute how probable each count is before any answer: the binomial law.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.

    Returns
    -------
    array of shape (n + 1,)
        The probabilities of the counts 0 … n.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> prior(n=3, p=0.5)
    array([0.125, 0.375, 0.375, 0.125])
    """
    n, p = check_numbers(n=(n, N), p=(p, P))
    return np.exp(log_binomial(np.arange(n + 1), n, p))


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
        The probabilities of the counts 0 … n. Counts that are less than e⁻⁴⁰ times as probable as
        the most probable one may get 0.

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
    answer, n, p, epsilon = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON)
    )
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
        The posterior mean for each answer. It is constant for answers below 0 and for answers above
        n.

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
    for band in np.unique(
        bands
    ):  # one table serves all answers whose posteriors have their modes in one band
        low, high = (
            max(int(band) * width - distance, 0),
            min(int(band + 1) * width + distance, int(n)),
        )
        here = bands == band
        # An answer beyond the table lies beyond the posterior too, which then does not depend on
        # how far beyond.
        counts = np.arange(low, high + 1.0)
        means[here] = Sums(counts, log_binomial(counts, n, p), epsilon).mean(
            np.clip(answers[here], low, high)
        )
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
    answer, n, p, epsilon = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON)
    )
    low, masses = window(answer, int(n), p, epsilon)
    return low + _first_reaching(0.5, masses)


def credible_interval(
    answer: float, n: int, p: float, epsilon: float, level: float
) -> tuple[int, int]:
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
        The lowest and the highest count of the interval, both inside. With tail = (1 − level)/2
        they are the smallest m with P[count ≤ m | ĉ] ≥ tail and the smallest m with P[count > m |
        ĉ] ≤ tail.

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
        answer=(answer, ANSWER),
        n=(n, N),
        p=(p, P),
        epsilon=(epsilon, EPSILON),
        level=(level, LEVEL),
    )
    low, masses = window(answer, int(n), p, epsilon)
    tail = (1 - level) / 2
    beyond = np.append(
        np.cumsum(masses[:0:-1])[::-1], 0.0
    )  # P[count > m], summed from its small end
    highest = np.argmax(beyond <= tail * (1 + _TIE))
    return low + _first_reaching(tail, masses), low + int(highest)


_TIE = 1e-12  # a symmetric posterior has exactly 1/2 on each side; rounding must not decide


def _first_reaching(probability: float, masses: FloatArray) -> int:
    return int(np.argmax(np.cumsum(masses) >= probability * (1 - _TIE)))
