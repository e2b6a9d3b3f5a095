"""Sums, masses and means that keep their digits, for the laws of losses."""

import math
from collections.abc import Callable

import numpy as np
from scipy.special import erfcx, gammainc

from dpwidgets.inputs.domain import FloatArray


def binomial_masses(
    trials: int, success: float, failure: float
) -> tuple[int, FloatArray]:
    """Compute the masses of a binomial law around its mode, in proportion from there outwards.

    Each is the one beside it times the ratio of the two.

    Parameters
    ----------
    trials : int
        How many trials, from 1.
    success, failure : float
        In which proportion they succeed and fail; both above 0.

    Returns
    -------
    first : int
        The smallest number of successes whose mass is among the masses.
    masses : array of shape (k,)
        The masses of `first`, `first` + 1, …, with the sum 1. What is left out
        on either side is less than e^(−800), by Hoeffding's inequality.

    Examples
    --------
    >>> binomial_masses(2, 0.5, 0.5)
    (0, array([0.25, 0.5 , 0.25]))
    """
    mode = min(trials, int((trials + 1) * success / (success + failure)))
    reach = int(20 * math.sqrt(trials)) + 1
    ups = np.arange(mode, min(trials, mode + reach))
    downs = np.arange(mode, max(0, mode - reach), -1)
    up = np.cumprod((trials - ups) / (ups + 1) * (success / failure))
    down = np.cumprod(downs / (trials - downs + 1) * (failure / success))
    masses = np.concatenate([down[::-1], [1.0], up])
    return mode - downs.size, masses / masses.sum()


def excess(x: FloatArray) -> FloatArray:
    """Compute e^(−x) − 1 + x for x ≥ 0 of any shape, right for small x too.

    Examples
    --------
    >>> excess(np.array([1e-9, 1.0]))
    array([5.00000000e-19, 3.67879441e-01])
    """
    return np.asarray(-x * np.expm1(-x) - gammainc(2, x))


def mean_loss(losses: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Sum p·L, as p·L + q − p: these terms are positive, and have the same sum.

    Each is p·(e^(−L) − 1 + L), or in other words q·(1 − e^L (1 − L)).

    Parameters
    ----------
    losses, p, q : array of shape (m,)
        The loss L = ln p/q of each outcome, and its masses.

    Returns
    -------
    float
        The mean under p; infinite where an infinite loss is possible.

    Examples
    --------
    >>> p, q = np.array([0.75, 0.25]), np.array([0.25, 0.75])
    >>> round(mean_loss(np.log(p / q), p, q), 6)
    0.549306
    """
    if np.any((losses == np.inf) & (p > 0)):
        return math.inf
    up, down = losses > 0, losses <= 0
    gained = p[up] @ excess(losses[up])
    return float(gained + q[down] @ gammainc(2, -losses[down]))


def mills(x: FloatArray) -> FloatArray:
    """Compute Mills' ratio of the normal law, its tail over its density, for x of any shape.

    Examples
    --------
    >>> mills(np.array([0.0, 100.0])).round(6)
    array([1.253314, 0.009999])
    """
    return np.asarray(math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2)))


def suffix_sums(masses: FloatArray, decay: float) -> FloatArray:
    """Sum masses[j] · decay^(j−i) over j ≥ i, for every i.

    First pairs are summed, then fours, so that rounding hardly grows.

    Parameters
    ----------
    masses : array of shape (k,)
        What is summed, at least 0 each.
    decay : float
        The factor of one step, from 0 to 1.

    Returns
    -------
    array of shape (k,)
        The sums.

    Examples
    --------
    >>> suffix_sums(np.array([1.0, 2.0, 4.0]), 0.5)
    array([3., 4., 4.])
    """
    sums = masses.copy()
    width = 1
    while width < sums.size and decay > 1e-32:
        sums[:-width] += decay * sums[width:]
        width *= 2
        decay *= decay
    return sums


def lowest(
    function: Callable[[FloatArray], FloatArray],
    low: FloatArray,
    high: FloatArray,
) -> FloatArray:
    """Find the least values of a function that falls and then rises, each between two places.

    Parameters
    ----------
    function : callable
        Takes an array of places with one axis more in front, and returns its
        values there.
    low, high : array
        Between which places each least value lies.

    Returns
    -------
    array of the shape of `low`
        The least values, not the places.

    Examples
    --------
    >>> lowest(lambda x: (x - 1) ** 2 + 3, np.array([-15.0]), np.array([15.0])).round(9)
    array([3.])
    """
    found = np.full(np.shape(low), np.inf)
    for _ in range(10):  # each time a sixteenth of the range is left
        places = np.linspace(low, high, 33)
        values = function(places)
        found = np.minimum(found, values.min(0))
        best = values.argmin(0)[np.newaxis]
        middle = np.take_along_axis(places, best, 0)[0]
        gap = (high - low) / 32
        low, high = middle - gap, middle + gap
    return found
