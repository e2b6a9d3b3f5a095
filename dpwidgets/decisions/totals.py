"""Noisy cells that are added up.

A total can be published with noise of its own, or be the sum of noisy cells.
The noise of a sum of m cells grows with √m, and its law is known exactly:
`error` computes with it. Noisy cells do not add up to a noisy total.
"""

import math
from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from dpwidgets.calculators.noise import SCALE
from dpwidgets.decisions.case import CELLS, Case
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import up

#: What may be said where noisy numbers do not add up.
PRESS = (
    "Some numbers here do not add up to their total. A random number was added to each, to protect "
    "the people counted; the differences are this noise, and no mistake."
)
_WIDEST = 2**22  # how many whole numbers the law of a sum may have
_DEVIATIONS = 45  # to either side


@takes(scale=SCALE, cells=CELLS)
def error(case: Case, scale: float, cells: int) -> float:
    """Compute how far the sum of so many noisy cells is off on average.

    Parameters
    ----------
    case : Case
        What is published, with its mechanism.
    scale : float
        The scale of the noise of each cell.
    cells : int
        How many are added up, from 1 to 10⁶.

    Returns
    -------
    float
        The mean absolute error, in the case's unit.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Laplace noise is the difference of two exponential times, and the sum of m
    of them that of the times at which two Poisson processes have their m-th
    event. When the second one has it, the first one has had k < m events with
    probability C(m−1+k, k)/2^(m+k), and waits for m − k more, an Erlang time.
    The law of geometric noise is summed from its characteristic function
    ((1−a)²/(1 − 2a·cos θ + a²))^m, with a = e^(−1/b).

    Examples
    --------
    >>> case = Case(published="table", cells=20)
    >>> round(error(case, 5, 1), 6), round(error(case, 5, 20), 2)
    (5.0, 25.07)
    """
    if case.mechanism == "Gaussian":
        return case.error(scale) * math.sqrt(cells)
    if _is_whole(case, scale, cells):
        return 2 * float(math.fsum(_above(scale, cells)))
    shapes, chances = _erlang(cells)
    return 2 * scale * float(shapes @ chances)


def _erlang(cells: int) -> tuple[FloatArray, FloatArray]:
    """Return for how many more events the first process waits, and how likely that is.

    Of many cells only those numbers that have a probability in floats.
    """
    shapes = np.arange(1.0, min(cells, 60 * math.isqrt(cells) + 60) + 1)
    had = cells - shapes
    logarithms = gammaln(cells + had) - gammaln(had + 1) - gammaln(cells)
    return shapes, np.exp(logarithms - (cells + had) * math.log(2))


def _wide(scale: float, cells: int) -> float:
    """Return among how many whole numbers the sum of geometric noise lies."""
    deviation = 0.0
    if scale > 0.01:
        deviation = math.sqrt(cells / 2) / math.sinh(1 / (2 * scale))
    return 2 * (_DEVIATIONS * deviation + 50)


def _is_whole(case: Case, scale: float, cells: int) -> bool:
    """Tell whether the law of the sum is that of geometric noise.

    Among very many numbers it is that of Laplace noise, which is wider, by
    less than 1e-4: there the scale is above 30 whole numbers, of which
    geometric noise rounds exponential times down.
    """
    return case.mechanism == "geometric" and _wide(scale, cells) <= _WIDEST


@lru_cache(maxsize=8)
def _above(scale: float, cells: int) -> FloatArray:
    """Return the probability that a sum of geometric noise exceeds 0, 1, 2 and so on."""
    size = 2 ** math.ceil(math.log2(_wide(scale, cells)))
    angles = 2 * np.pi * np.arange(size // 2 + 1) / size
    ratio = math.exp(-1 / scale)
    # 1 − 2a·cos θ + a² = (1 − a)² + 4a·sin²(θ/2)
    far = 4 * ratio * np.sin(angles / 2) ** 2 / math.expm1(-1 / scale) ** 2
    masses = np.fft.irfft(np.exp(-cells * np.log1p(far)), size)[: size // 2]
    return np.asarray(np.cumsum(np.maximum(masses, 0)[::-1])[::-1][1:])


def added_up(case: Case, scale: float) -> str:
    """Say what all cells of a table, or all sums of groups, added up are off by, or nothing.

    Parameters
    ----------
    case : Case
        What is published.
    scale : float
        The scale of the noise of each number.

    Returns
    -------
    str
        A sentence, or nothing for a single number and for means, which nobody
        adds up.

    Raises
    ------
    TypeError, ValueError
        If the scale lies outside its domain, and something is to be said.

    Examples
    --------
    >>> print(added_up(Case(published="table", cells=20), 5))
    All 20 counts added up have a mean error of 25.1 people; a total with such noise of its own
    would have one of 5 people, and they need not add up to it.
    """
    if case.numbers < 2 or case.published == "mean":
        return ""
    off = up(error(case, scale, case.numbers), case.measured)
    numbers = "counts" if case.cells else "sums"
    every = f"All {case.numbers:,} {numbers} added up"
    own = up(case.error(scale), case.measured)
    return (
        f"{every} have a mean error of {off}; a total with such noise of its own would have one of "
        f"{own}, and they need not add up to it."
    )
