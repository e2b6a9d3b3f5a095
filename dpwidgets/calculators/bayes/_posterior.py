"""What one noisy answer to a binomial count tells: its posterior, and estimates made of it."""

import numpy as np

from dpwidgets.calculators.bayes._estimate import (
    ANSWER,
    N,
    P,
    estimate,
    near_mode,
    reach,
)
from dpwidgets.calculators.bayes._sums import Sums, log_prior
from dpwidgets.inputs.domain import EPSILON, FloatArray, check, whole
from dpwidgets.inputs.door import Floats, door, takes


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

    Examples
    --------
    >>> prior(n=3, p=0.5)
    array([0.125, 0.375, 0.375, 0.125])
    """
    return np.asarray(np.exp(log_prior(np.arange(n + 1.0), n, p)))


@door(epsilon=EPSILON)
@takes(n=N)
def out_of_range(count: float, n: int, epsilon: float) -> Floats:
    """Compute the probability that the noisy answer falls below 0 or above n.

    Parameters
    ----------
    count : array_like
        The true count, a whole number from 0 to n.
    n : int
        The number of records, from 1 to 1,000,000.
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    float or array
        The probability P*.

    Notes
    -----
    Eq. (2). It is largest at the counts 0 and n (Theorem 2.1). It is smallest
    at n/2, or at the two whole numbers beside n/2 if n is odd; the text says
    (n − 1)/2, and for even n its eq. (6) is too large by a factor cosh(ε/2).

    Examples
    --------
    >>> round(out_of_range(count=5, n=100, epsilon=0.1), 4)
    0.3033
    """
    counts, epsilons = check(
        count=(count, whole(0, n)), epsilon=(epsilon, EPSILON)
    )
    below = np.exp(-epsilons * counts)
    above = np.exp(-epsilons * (n - counts))
    return (below + above) / 2  # eq. (2)


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON)
def posterior(answer: float, n: int, p: float, epsilon: float) -> FloatArray:
    """Compute how probable each count is, given one noisy answer.

    Parameters
    ----------
    answer, n, p, epsilon : float, int, float, float
        As in `estimate`.

    Returns
    -------
    array of shape (n + 1,)
        The probabilities of the counts 0 … n. Counts that are less than e⁻⁴⁰
        times as probable as the most probable one may get 0.

    Notes
    -----
    The law whose mean is eq. (11).

    Examples
    --------
    >>> posterior(answer=4, n=3, p=0.5, epsilon=1).round(4)
    array([0.0195, 0.1586, 0.4312, 0.3907])
    """
    return estimate(answer, n, p, epsilon).among(np.arange(n + 1.0))


@door(answer=ANSWER)
@takes(n=N, p=P, epsilon=EPSILON)
def posterior_mean(answer: float, n: int, p: float, epsilon: float) -> Floats:
    """Compute the text's Bayes estimator: the mean of the count, given a noisy answer.

    Parameters
    ----------
    answer : array_like
        The noisy answer ĉ, a number from −1e100 to 1e100, or an array of them.
    n, p, epsilon : int, float, float
        As in `estimate`.

    Returns
    -------
    float or array
        The posterior mean for each answer. It is constant for answers below 0
        and for answers above n.

    Notes
    -----
    Eq. (11).

    Examples
    --------
    >>> round(posterior_mean(answer=40, n=100, p=0.3, epsilon=0.1), 4)
    31.9828
    """
    answers = np.asarray(answer)
    means = np.empty_like(answers)
    distance = reach(n)
    # One table serves all answers whose posteriors have their modes in one
    # band.
    width = distance // 2
    bands = near_mode(answers, n, p, epsilon) // width
    for band in np.unique(bands):
        low = max(band * width - distance, 0)
        high = min((band + 1) * width + distance, n)
        # An answer beyond the table lies beyond the posterior too, which then
        # does not depend on how far beyond: the table takes it for its own
        # end.
        counts = np.arange(low, high + 1)
        table = Sums(counts, log_prior(counts, n, p), epsilon)
        here = bands == band
        means[here] = table.mean(answers[here])
    return means


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON)
def posterior_median(answer: float, n: int, p: float, epsilon: float) -> int:
    """Compute the median of the count, given a noisy answer.

    It is the estimate with the smallest mean absolute error, for counts that
    are binomial with n and p.

    Parameters
    ----------
    answer, n, p, epsilon : float, int, float, float
        As in `estimate`.

    Returns
    -------
    int
        The smallest count m with P[count ≤ m | ĉ] ≥ 1/2.

    Notes
    -----
    Not in the text, which scores the posterior mean by its absolute error
    (Sec. 4.1). The mean is best for the squared error, the median for the
    absolute one.

    Examples
    --------
    >>> posterior_median(answer=40, n=100, p=0.3, epsilon=0.1)
    32
    """
    return estimate(answer, n, p, epsilon).median
