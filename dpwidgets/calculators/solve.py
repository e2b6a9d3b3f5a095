"""Where a condition begins to hold: the searches of all calculators, each right on a known side.

`least` is for functions that are quick and take arrays, `largest` for one that
takes long. `completed` searches nothing: it asks the one function that gives
what is missing.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpwidgets.inputs.domain import FloatArray


def least(
    enough: Callable[[FloatArray], NDArray[np.bool_]],
    low: ArrayLike,
    high: ArrayLike,
    pieces: int = 2,
) -> FloatArray:
    """Find the least numbers from `low` to `high` that are enough.

    Parameters
    ----------
    enough : callable
        Tells for an array of numbers which are enough. What is more than
        enough is so too.
    low, high : array_like
        Between which numbers each one lies; their shapes broadcast to that of
        the result.
    pieces : int
        Into how many pieces a range is cut at each step. More than two are
        quicker for one number; then `enough` is asked for arrays with one axis
        more in front.

    Returns
    -------
    array
        The least distance from `low`, to the last digit, at which the number
        is enough, plus `low`; where no smaller number is enough, `high`.

    Examples
    --------
    >>> least(lambda x: x * x >= [4, 9], 0, [10, 10])
    array([2., 3.])
    """
    low = np.asarray(low, float)
    width = np.subtract(high, low, dtype=float)
    # From 0 up floats have the order of their bits, so that 63 halvings find
    # the last one.
    below = np.full(width.shape, -1)
    above = width.view(np.int64)
    for _ in range(math.ceil(63 / math.log2(pieces))):
        if pieces == 2:  # the usual case, and half the time
            middle = below + (above - below + 1) // 2
            holds = enough(low + middle.view(float))
            below = np.where(holds, below, middle)
            above = np.where(holds, middle, above)
            continue
        cuts = np.arange(1, pieces).reshape(-1, *[1] * width.ndim)
        whole, rest = np.divmod(above - below, pieces)
        middle = below + whole * cuts + (rest * cuts + pieces - 1) // pieces
        holds = enough(low + middle.view(float))
        places = np.concatenate([below[np.newaxis], middle, above[np.newaxis]])
        first = np.where(holds.any(0), holds.argmax(0), pieces - 1)[np.newaxis]
        below = np.take_along_axis(places, first, 0)[0]
        above = np.take_along_axis(places, first + 1, 0)[0]
    return np.asarray(low + above.view(float))


def largest(
    excess: Callable[[float], float],
    low: float,
    high: float,
    precision: float = 1e-12,
    first: float | None = None,
) -> float:
    """Find the largest number from `low` to `high`, above 0, at which nothing is in excess.

    Parameters
    ----------
    excess : callable
        By how much a number is too large: a function that rises, and is at
        most 0 at `low`.
    low, high : float
        Between which numbers it lies.
    precision : float
        How far below the true one it may be, relatively. It is never above it.
    first : float, optional
        The first number to try, and after it twice that, and so on: where
        larger ones take longer. By default `high`.

    Returns
    -------
    float
        The number. Some ten evaluations are enough where the excess is nearly
        a straight line.

    Examples
    --------
    >>> round(largest(lambda x: x * x - 2, 1e-8, 1000), 10)
    1.4142135624
    """
    from scipy.optimize import root_scalar

    excess = cache(excess)
    end = min(first or high, high)
    while excess(end) <= 0:
        if end == high:
            return high
        low = end
        end = min(2 * end, high)
    precise = {"xtol": 1e-300, "rtol": precision, "maxiter": 500}
    found = float(root_scalar(excess, bracket=(low, end), **precise).root)
    # The root is mostly far more precise than it must be.
    step = max(precision / 1000, 1e-16)
    while found > low and excess(found) > 0:
        found = max(found * (1 - step), low)
        step *= 4
    return found


def most(fits: Callable[[int], bool], high: int) -> int:
    """Find the largest whole number from 1 to `high` that fits, or 0 if none does.

    Parameters
    ----------
    fits : callable
        Tells whether a number fits. What is less than one that fits does so
        too.
    high : int
        The largest number to try.

    Returns
    -------
    int
        The number. `fits` is asked some 2 log₂ of it times.

    Examples
    --------
    >>> most(lambda x: x * x <= 50, 100)
    7
    """
    low = 0
    beyond = high + 1
    while beyond - low > 1:  # doubled at first: large numbers may take longest
        middle = min(2 * low + 1, (low + beyond) // 2)
        if fits(middle):
            low = middle
        else:
            beyond = middle
    return low


def completed(
    solvers: Mapping[str, Any], numbers: Iterable[float | None], **more: float
) -> dict[str, float]:
    """Complete a statement of which all numbers but one are given.

    Parameters
    ----------
    solvers : mapping of callable
        Under each number's name the function that computes it from the others.
    numbers : iterable of float or None
        The numbers in this order, None for the missing one.
    **more : float
        What each function takes besides.

    Returns
    -------
    dict of float
        Under their names all numbers, the given ones as given.

    Raises
    ------
    TypeError
        If not exactly one is missing.

    Examples
    --------
    >>> product = {"all": lambda each, many: each * many, "each": lambda all, many: all / many}
    >>> completed(product, (6, None), many=3)
    {'all': 6, 'each': 2.0}
    """
    pairs = zip(solvers, numbers, strict=True)
    given = {name: number for name, number in pairs if number is not None}
    if len(given) != len(solvers) - 1:
        raise TypeError(
            f"a statement needs all but one of {', '.join(solvers)}; "
            f"got {', '.join(given) or 'none of them'}"
        )
    (missing,) = solvers.keys() - given.keys()
    return given | {missing: solvers[missing](**given, **more)}
