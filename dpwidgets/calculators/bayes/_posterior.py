"""What one noisy answer tells about a binomial count: its posterior, and estimates made of it."""

from __future__ import annotations

import numpy as np

from dpwidgets.calculators.bayes._sums import Sums, log_prior, near_mode, reach, window
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray, whole, within
from dpwidgets.inputs.door import Floats, door, takes

ANSWER = NUMBER
N = whole(1, 1_000_000)
P = within(0, 1)
DOUBT = within(0, 0.5)


@takes(n=N, p=P)
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
    return np.asarray(np.exp(log_prior(np.arange(n + 1.0), n, p)))


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON)
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
    likely = window(answer, n, p, epsilon)
    result = np.zeros(n + 1)
    result[likely.low : likely.low + likely.masses.size] = likely.masses
    return result


@door(answer=ANSWER)
@takes(n=N, p=P, epsilon=EPSILON)
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
    # One table serves all answers whose posteriors have their modes in one band.
    distance = reach(n)
    width = distance // 2
    bands = near_mode(answers, n, p, epsilon) // width
    means = np.empty_like(answers)
    for band in np.unique(bands):
        low, high = band * width - distance, (band + 1) * width + distance
        # An answer beyond the table lies beyond the posterior too, which then does not depend on
        # how far beyond: the table takes it for its own end.
        counts, here = np.arange(max(low, 0), min(high, n) + 1), bands == band
        means[here] = Sums(counts, log_prior(counts, n, p), epsilon).mean(answers[here])
    return means


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON)
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
    return window(answer, n, p, epsilon).median
