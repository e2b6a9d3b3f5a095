"""What one noisy answer tells about a binomial count: its posterior, and estimates made of it."""

from __future__ import annotations

import numpy as np

from dpwidgets.calculators.bayes._sums import Sums, log_prior, near_mode, reach, window
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    PROBABILITY,
    FloatArray,
    Floats,
    check_numbers,
    door,
    silent,
    whole,
    within,
)

ANSWER = NUMBER
N = whole(1, 1_000_000)
P = within(0, 1)
LEVEL = PROBABILITY
DOUBT = within(0, 0.5)


@silent
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
    records, p = check_numbers(n=(n, N), p=(p, P))
    masses: FloatArray = np.exp(log_prior(np.arange(records + 1), int(records), p))
    return masses


@silent
def posterior(answer: float, n: int, p: float, epsilon: float) -> FloatArray:
    """Compute how probable each count is, given one noisy answer.

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
    answer, records, p, epsilon = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON)
    )
    likely = window(answer, int(records), p, epsilon)
    result = np.zeros(int(records) + 1)
    result[likely.low : likely.low + likely.masses.size] = likely.masses
    return result


@door(answer=ANSWER)
def posterior_mean(answer: float, n: int, p: float, epsilon: float) -> Floats:
    """Compute the text's Bayes estimator: the mean of the count, given a noisy answer.

    Parameters
    ----------
    answer : array_like
        The noisy answer ĉ, a number from −1e100 to 1e100, or an array of them.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

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
    answers = np.asarray(answer)
    records, p, epsilon = check_numbers(n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON))
    n, distance = int(records), reach(int(records))
    # One table serves all answers whose posteriors have their modes in one band.
    width = distance // 2
    bands = near_mode(answers, n, p, epsilon) // width
    means = np.empty_like(answers)
    for band in np.unique(bands).astype(int).tolist():
        low = max(band * width - distance, 0)
        high = min((band + 1) * width + distance, n)
        here = bands == band
        # An answer beyond the table lies beyond the posterior too, which then does not depend on
        # how far beyond: the table takes it for its own end.
        counts = np.arange(low, high + 1.0)
        means[here] = Sums(counts, log_prior(counts, n, p), epsilon).mean(answers[here])
    return means


@silent
def posterior_median(answer: float, n: int, p: float, epsilon: float) -> int:
    """Compute the median of the count, given a noisy answer.

    It is the estimate with the smallest mean absolute error, for counts that are binomial with n
    and p.

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
    int
        The smallest count m with P[count ≤ m | ĉ] ≥ 1/2.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Not in the text, which scores the posterior mean by its absolute error (Sec. 4.1). The mean is
    best for the squared error, the median for the absolute one.

    Examples
    --------
    >>> posterior_median(answer=40, n=100, p=0.3, epsilon=0.1)
    32
    """
    answer, records, p, epsilon = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON)
    )
    return window(answer, int(records), p, epsilon).median


@silent
def credible_interval(
    answer: float, n: int, p: float, epsilon: float, level: float
) -> tuple[int, int]:
    """Compute the equal-tailed interval that holds the count with at least this probability.

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
    answer, records, p, epsilon, level = check_numbers(
        answer=(answer, ANSWER),
        n=(n, N),
        p=(p, P),
        epsilon=(epsilon, EPSILON),
        level=(level, LEVEL),
    )
    return window(answer, int(records), p, epsilon).interval(level)
