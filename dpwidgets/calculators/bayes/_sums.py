"""The sums over counts that posteriors of one noisy count are made of, and errors made of them.

For an answer y the posterior's weights are::

    prior(k) · e^(−ε(y − k))    for counts k ≤ y
    prior(k) · e^(−ε(k − y))    for counts k > y

Between two whole numbers only the factors e^(−εy) and e^(εy) change with y:
they move both sums, of the counts below and of those above, as a whole. So all
posteriors follow from one table, `Sums`, which holds both sums as they are
seen from each whole number. It holds logarithms, because the sums themselves
leave the range of floats; and as they are seen from nearby, so that a large ε
makes none of these logarithms large.

Two kinds of places index arrays here:

- a *position* i, from 0 to N in a table of N counts: how many of them are ≤ y.
  It lies between the counts low + i − 1 and low + i, and the four arrays of
  `Sums` have an element for each. A threshold m between the counts ≤ m and
  those above has a position too, that of the answer m.
- a *gap* j, from 0 to n − 1 in a table of the counts 0 … n: the whole number
  below y, so that y lies between j and j + 1, at the position j + 1. Arrays
  that are cut by `_GAPS` have an element for each.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, logit

from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import FloatArray


def log_prior(counts: FloatArray, n: int, p: float) -> FloatArray:
    """Return the logarithms of the prior's masses of consecutive counts, as shares of their sum.

    The prior is binomial. The logarithms are summed from the ratios of
    neighbours: differences of log-gammas of 10⁶ would lose nine digits. The
    sum starts at the mode, where the logarithms shall be small.

    Parameters
    ----------
    counts : array of shape (k,)
        Consecutive counts from 0 to n.
    n : int
        The number of records.
    p : float
        The probability that a record has the property, from 0 to 1.

    Returns
    -------
    array of shape (k,)
        The logarithms; the sum of their exponentials is 1.

    Examples
    --------
    >>> np.exp(log_prior(np.arange(4.0), n=3, p=0.5))
    array([0.125, 0.375, 0.375, 0.125])
    """
    if p in (0, 1):
        return log_certain(counts, n * p)
    ratios = (n - counts[:-1]) / counts[1:]
    steps = np.log(ratios) + logit(p)
    # They fall from left to right.
    mode = np.count_nonzero(steps > 0)
    left = -np.cumsum(steps[:mode][::-1])[::-1]
    right = np.cumsum(steps[mode:])
    return np.asarray(log_softmax(np.concatenate([left, [0.0], right])))


def log_certain(counts: FloatArray, count: float) -> FloatArray:
    """Return the logarithms of the masses of counts, of any shape, of which one is certain."""
    return np.where(counts == count, 0.0, -np.inf)


class Sums:
    """The sums over the counts below and above each position, as seen from beside it.

    Parameters
    ----------
    counts : array of shape (N,)
        Consecutive counts; the first is low.
    log_prior : array of shape (N,)
        The logarithms of their masses.
    epsilon : float
        The privacy parameter.

    Attributes
    ----------
    prior : array of shape (N,)
        The masses of the counts.
    below, above : array of shape (N + 1,)
        At position i the logarithm of the sum over the counts k before it of
        prior(k) · e^(−ε(low + i − 1 − k)), and of the sum over those after it
        of prior(k) · e^(−ε(k − low − i)).
    mean_below, mean_above : array of shape (N + 1,)
        The means of the counts with these weights; at either end, where no
        counts are, the end itself.
    """

    def __init__(
        self, counts: FloatArray, log_prior: FloatArray, epsilon: float
    ) -> None:
        self.counts = counts
        self.epsilon = epsilon
        self.prior = np.exp(log_prior)
        low, high = counts[0], counts[-1]
        # Means are counted from the first count, which keeps more digits and
        # itself adds nothing.
        with np.errstate(divide="ignore"):
            log_weighted = log_prior + np.log(counts - low)
        below, means = _side(log_prior, log_weighted, epsilon)
        above, means_above = _side(
            log_prior[::-1], log_weighted[::-1], epsilon
        )
        self.below = np.append(-np.inf, below)
        self.above = np.append(above[::-1], -np.inf)
        # A mean cannot lie beyond the counts that it is of, whatever rounding
        # says.
        means = np.clip(low + means, low, counts)
        means_above = np.clip(low + means_above[::-1], counts, high)
        self.mean_below = np.append(low, means)
        self.mean_above = np.append(means_above, high)

    def position(self, y: FloatArray) -> NDArray[np.intp]:
        """Return the position of each y from the first count to the last: how many are ≤ y."""
        return np.asarray(np.floor(y) - self.counts[0] + 1, np.intp)

    def sides(
        self, y: FloatArray
    ) -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
        """Return the positions of answers y, and the logarithms of both sums as seen from y.

        All are arrays of the shape of y.
        """
        i = self.position(y)
        past = y - self.counts[i - 1]  # the last count that is ≤ y
        left = self.below[i] - self.epsilon * past
        return i, left, self.above[i] - self.epsilon * (1 - past)

    def mean(self, y: FloatArray) -> FloatArray:
        """Return the posterior mean at answers y of any shape, eq. (11)."""
        nearest = np.clip(y, self.counts[0], self.counts[-1])
        i, left, right = self.sides(nearest)
        low, high = self.mean_below[i], self.mean_above[i]
        return np.asarray(low + (high - low) * expit(right - left))

    def median_at_most(
        self, m: FloatArray, y: FloatArray
    ) -> NDArray[np.bool_]:
        """Tell whether P[count ≤ m | y] ≥ 1/2, for counts m and answers y of one shape."""
        # Beyond, all counts gain or lose alike.
        y = np.clip(y, self.counts[0], self.counts[-1])
        i, left, right = self.sides(y)
        half = np.logaddexp(left, right) - math.log(2)
        at_m = self.position(m)
        up_to_m = self.below[at_m] - self.epsilon * (y - m)
        beyond_m = self.above[at_m] - self.epsilon * (m + 1 - y)
        return np.where(at_m <= i, up_to_m >= half, beyond_m <= half)

    def answers(self, gap: NDArray[np.intp], share: FloatArray) -> FloatArray:
        """Return the answers of these gaps after which the counts above have such a share.

        The share is the logistic function of above − below + ε(2(y − j) − 1).
        """
        gained = self.above[_GAPS][gap] - self.below[_GAPS][gap]
        into = (logit(share) - gained) / (2 * self.epsilon) + 0.5
        return np.asarray(gap + np.clip(into, 0, 1))

    def error(
        self,
        y: FloatArray,
        m: FloatArray,
        weight: FloatArray | float,
        ends: tuple[float, float],
    ) -> float:
        """Sum over thresholds how likely count and answer fall on different sides.

        The sides are count ≤ m with answer > y, and count > m with answer ≤ y.
        What is added is by how much counts lie beyond the ends.

        Parameters
        ----------
        y, m : array of one shape
            The thresholds of the answer, and those of the count, whole
            numbers.
        weight : array of that shape, or float
            The weight of each.
        ends : (float, float)
            The lowest and the highest estimate.
        """
        i, at_m = self.position(y), self.position(m)
        low, high = np.minimum(i, at_m), np.maximum(i, at_m)
        cumulative = np.concatenate([[0.0], np.cumsum(self.prior)])
        # The answer lies beyond y, on the other side of y than the count k,
        # with probability e^(−ε|y − k|)/2. The tables hold the sums as seen
        # from low and high; move them to i.
        from_low = np.exp(self.below[low] - self.epsilon * (i - low))
        from_high = np.exp(self.above[high] - self.epsilon * (high - i))
        lower = from_low - np.exp(self.below[i]) / 2
        upper = from_high - np.exp(self.above[i]) / 2
        past = y - self.counts[i - 1]  # the whole number below
        apart = np.abs(cumulative[at_m] - cumulative[i])
        apart += np.exp(-self.epsilon * past) * lower
        apart += np.exp(-self.epsilon * (1 - past)) * upper
        lowest, highest = ends
        below = np.maximum(lowest - self.counts, 0)
        above = np.maximum(self.counts - highest, 0)
        beyond = float(self.prior @ (below + above))
        # Rounding may leave less.
        return max(float(np.sum(weight * apart)) + beyond, 0.0)


# Places between 0 and 1, and the weights of an integral over them.
_STEPS = np.arange(-20.0, 21.0)[:, np.newaxis]
_NODES = expit(_STEPS)
_WEIGHTS = _NODES * (1 - _NODES) / np.sum(_NODES * (1 - _NODES))
#: Cuts an array of positions to one of gaps, in a table of the counts 0 … n.
_GAPS = slice(1, -1)


def _side(
    logs: FloatArray, weighted: FloatArray, epsilon: float
) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of the sums of one side, as seen from each count, and the means.

    Parameters
    ----------
    logs, weighted : array of shape (N,)
        The logarithms of the masses, and of the masses times what they are of.
    """
    sums = _seen_from_each(logs, epsilon)
    products = _seen_from_each(weighted, epsilon)
    with np.errstate(invalid="ignore"):  # nothing by nothing is 0
        return sums, np.nan_to_num(np.exp(products - sums))


def _seen_from_each(logarithms: FloatArray, epsilon: float) -> FloatArray:
    """Return for each place the logarithm of the sum, over those up to it, of weight · e^(−ε·way).

    Each pass doubles how many weights each sum holds, so that no factor but
    those between two places is ever needed.
    """
    sums = logarithms.copy()
    step = 1
    with np.errstate(invalid="ignore"):  # two weights of nothing
        while step < sums.size:
            farther = sums[:-step] - epsilon * step
            sums[step:] = np.logaddexp(sums[step:], farther)
            step *= 2
    return sums


def error_of_median(assumed: Sums, true: Sums) -> float:
    """Return the posterior median's mean absolute error, for counts that follow another law.

    Parameters
    ----------
    assumed, true : Sums
        The tables of the law that the analyst assumes and of the counts' own,
        both of the counts 0 … n and of one ε.

    Examples
    --------
    >>> counts = np.arange(101.0)
    >>> law = Sums(counts, log_prior(counts, n=100, p=0.3), epsilon=0.1)
    >>> round(error_of_median(law, law), 4), round(error_of_mean(law, law), 4)
    (3.3879, 3.3973)
    """
    every = assumed.counts
    n = every[-1]
    at_0 = assumed.median_at_most(every, np.full(every.size, 0.0))
    at_n = assumed.median_at_most(every, np.full(every.size, n))
    lowest, highest = int(np.argmax(at_0)), int(np.argmax(at_n))
    # For each of these some answer is the last with a median ≤ m.
    m = every[lowest:highest]
    y = least(lambda y: ~assumed.median_at_most(m, y), 0, np.full(m.size, n))
    return true.error(y, m, 1.0, (lowest, highest))


def error_of_mean(assumed: Sums, true: Sums) -> float:
    """Return the posterior mean's mean absolute error, for counts that follow another law.

    It is the integral over x of the probability that x lies between the count
    and the posterior mean. That is smooth between the whole numbers and the
    means at whole answers; near their ends it may change as √x does, or
    faster, which nodes of a logistic function follow.

    Parameters
    ----------
    assumed, true : Sums
        As in `error_of_median`.
    """
    whole = assumed.counts
    at_whole = assumed.mean(whole)
    lowest, highest = at_whole[[0, -1]]
    inside = whole[(whole > lowest) & (whole < highest)]
    cuts = np.union1d(at_whole, inside)
    x = cuts[:-1] + np.diff(cuts) * _NODES
    gap = np.searchsorted(at_whole, x, side="right") - 1
    gap = np.clip(gap, 0, whole.size - 2)
    below = assumed.mean_below[_GAPS][gap]
    above = assumed.mean_above[_GAPS][gap]
    share = np.clip((x - below) / (above - below), 0, 1)
    y = assumed.answers(gap, share)
    weight = np.diff(cuts) * _WEIGHTS
    return true.error(y, np.floor(x), weight, (lowest, highest))


def fixed_points(sums: Sums) -> FloatArray:
    """Return the answers that equal their own posterior mean, in order.

    Between the whole numbers and the points where the curve has slope 1, curve
    minus answer is monotone.

    Parameters
    ----------
    sums : Sums
        A table of the counts 0 … n.

    Returns
    -------
    array of shape (k,)
        The answers, in rising order; k is odd.
    """
    whole = sums.counts
    height = sums.mean_above[_GAPS] - sums.mean_below[_GAPS]
    # A logistic's slope is 2ε · height · share · (1 − share), at most at a
    # share of 1/2.
    steep = np.flatnonzero(2 * sums.epsilon * height > 4)
    root = np.sqrt(1 - 2 / (sums.epsilon * height[steep]))
    slope_one = sums.answers(steep, (1 + root * np.array([[-1], [1]])) / 2)
    cuts = np.sort(np.concatenate([whole, slope_one.ravel()]))
    over = sums.mean(cuts) > cuts
    # For certain; at a large ε rounding may say otherwise.
    over[0] = True
    over[-1] = False
    change = np.flatnonzero(over[:-1] != over[1:])
    return least(
        lambda y: (sums.mean(y) > y) != over[change],
        cuts[change],
        cuts[change + 1],
    )
