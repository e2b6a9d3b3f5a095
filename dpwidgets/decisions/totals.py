"""Noisy cells that are added up, and tables of several levels: leaves, regions, a nation.

A total can be published with noise of its own, or be the sum of noisy cells.
The noise of a sum of m cells grows with √m, and its law is known exactly:
`error` and `within` compute with it. Noisy cells do not add up to a noisy
total. `hierarchy` divides what all levels may lose so that a stated use is
served best, and says what least squares gain, which make all levels add up
afterwards.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, gammaln, ndtri

from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import least
from dpwidgets.decisions.case import CELLS, NEIGHBOURS, Case
from dpwidgets.inputs.domain import (
    PROBABILITY,
    Domain,
    FloatArray,
    must_be,
    one_of,
    within as inside,
)
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.notation import up

#: What may be said where noisy numbers do not add up.
PRESS = (
    "Some numbers here do not add up to their total. A random number was added to each, to protect "
    "the people counted; the differences are this noise, and no mistake."
)
WEIGHT: Domain = inside(
    1e-9, 1e9, why="It is how much more one level matters than another"
)
_WIDEST = 2**22  # how many whole numbers the law of a sum may have
_DEVIATIONS = 45  # to either side
# The probabilities of a sum of geometric noise have an error that is far
# smaller.
_ROUNDING = 4e-13


@takes(scale=SCALE, cells=CELLS)
def error(case: Case, scale: float, cells: int) -> float:
    """Compute how far the sum of so many noisy cells is off on average, by the law of `within`.

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


@takes(scale=SCALE, cells=CELLS, confidence=PROBABILITY)
def within(case: Case, scale: float, cells: int, confidence: float) -> float:
    """Compute how close to the truth the sum of so many noisy cells lies with this probability.

    Parameters
    ----------
    case : Case
        What is published, with its mechanism.
    scale : float
        The scale of the noise of each cell.
    cells : int
        How many are added up, from 1 to 10⁶.
    confidence : float
        How often, between 0 and 1; for geometric noise at most 1 − 1e-12.

    Returns
    -------
    float
        The distance, in the case's unit: exact, for Laplace and geometric
        noise by the law of the sum, which is not normal.

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
    >>> round(within(case, 5, 1, 0.95), 2), round(within(case, 5, 20, 0.95), 1)
    (14.98, 62.3)
    """
    outside = (1 - confidence) / 2
    if case.mechanism == "Gaussian":
        return scale * math.sqrt(cells) * -float(ndtri(outside))
    if case.mechanism == "geometric" and outside < _ROUNDING:
        raise must_be(
            "confidence", "at most 1 − 1e-12 for a sum of geometric noise"
        )
    if _is_whole(case, scale, cells):
        return float(np.argmax(_above(scale, cells) <= outside))
    shapes, chances = _erlang(cells)

    def rare(distance: FloatArray) -> NDArray[np.bool_]:
        return np.asarray(chances @ gammaincc(shapes, distance) <= outside)

    return scale * float(least(rare, 0.0, 3 * cells - 3 * math.log(outside)))


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


class Level(NamedTuple):
    """One level of a hierarchy: how many cells it has, the scale of their noise, and three errors.

    They are standard deviations: of a cell as it is published (`own`), if it
    were the sum of the leaves below it (`summed`), and after least squares
    over all levels (`consistent`).
    """

    cells: int
    scale: float
    own: float
    summed: float
    consistent: float


@dataclass(frozen=True)
class Hierarchy:
    """Tables of several levels from the top down, and the case of the lowest. See `hierarchy`."""

    levels: tuple[Level, ...]
    case: Case

    @property
    def lines(self) -> str:
        """The lines of a plan that publishes them."""
        kept = (
            f"mechanism={self.case.mechanism}, "
            f"neighbours={self.case.neighbours}"
        )
        lines = []
        for place, level in enumerate(self.levels, 1):
            table = f"published=table, cells={level.cells}"
            lines.append(
                f"level {place}: {table}, {kept}, scale={level.scale!r}"
            )
        return "\n".join(lines)


def hierarchy(
    cells: Sequence[int],
    *,
    weights: Sequence[float] | None = None,
    total: float | None = None,
    rho: float | None = None,
    neighbours: str = "add/remove",
) -> Hierarchy:
    """Divide what all levels of a hierarchy may lose together, so that a use is served best.

    Parameters
    ----------
    cells : sequence of int
        How many cells each level has, from the top down, such as 1, 9 and 180:
        each number divides the next, and the cells below each cell are equally
        many.
    weights : sequence of float, optional
        How much the squared error of a cell of each level matters for the use;
        by default all the same. A level that does not matter has a small
        weight, above 0.
    total, rho : float, optional
        What all may lose together, one of them: ε, and then the noise is
        Laplace, or ρ, and then it is Gaussian.
    neighbours : {"add/remove", "replace"}
        As in `Case`.

    Returns
    -------
    Hierarchy
        The scale of each level, at which the weighted sum of squared errors is
        least as published, and what least squares make of them.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or two do not go together.

    Notes
    -----
    Squared errors go with 1/ρ or 1/ε² of a level, so that with Lagrange's
    multiplier ρ goes with √w·Δf, and ε with ∛(w·Δf²). Least squares over a
    tree are solved in two passes (Hay, Rastogi, Miklau and Suciu 2010): up, a
    cell's own number is weighed against the sum below it by their inverse
    variances; down, what is missing to a cell is divided among those below it.
    They look at noisy numbers only, and so cost nothing.

    Examples
    --------
    >>> made = hierarchy((1, 9, 180), rho=0.1)
    >>> [round(level.scale, 2) for level in made.levels]
    [3.87, 3.87, 3.87]
    >>> [round(level.consistent, 2) for level in made.levels]
    [3.67, 3.59, 3.78]
    >>> made = hierarchy((1, 9, 180), weights=(16, 1, 1), rho=0.1)
    >>> [round(level.scale, 2) for level in made.levels]
    [2.74, 5.48, 5.48]
    """
    counts = [int(CELLS.check_one("cells", count)) for count in cells]
    pairs = list(pairwise(counts))
    if not counts or any(below % above for above, below in pairs):
        raise must_be(
            "cells",
            f"numbers of which each divides the next; got {list(cells)}",
        )
    wanted = np.array(_weights(weights, len(counts)))
    lowest, budget = _lowest(counts[-1], total, rho, neighbours)
    tables = [replace(lowest, cells=count) for count in counts]
    moved = np.array([table.sensitivity for table in tables])
    if rho is None:
        shares = np.cbrt(wanted * moved**2)
        scales = moved / (budget * shares / shares.sum())
        variances = 2 * scales**2
    else:
        shares = np.sqrt(wanted) * moved
        scales = moved / np.sqrt(2 * budget * shares / shares.sum())
        variances = scales**2
    fans = [below // above for above, below in pairs]
    after = _least_squares(variances.tolist(), fans)
    summed = variances[-1] * counts[-1] / np.array(counts)
    errors = np.sqrt([variances, summed, after])
    rows = zip(counts, scales.tolist(), *errors.tolist(), strict=True)
    return Hierarchy(tuple(Level(*row) for row in rows), lowest)


def _lowest(
    cells: int, total: float | None, rho: float | None, neighbours: str
) -> tuple[Case, float]:
    """Return the case of the lowest level, with the noise of its budget, and the checked budget."""
    if (total is None) == (rho is None):
        raise must_be("total", "given, or rho, and not both")
    if rho is None:
        budget = SCALE.check_one("total", total)
        mechanism, delta = "Laplace", 0.0
    else:
        budget = SCALE.check_one("rho", rho)
        mechanism, delta = "Gaussian", 1e-6
    one_of("neighbours", neighbours, NEIGHBOURS)
    lowest = Case(
        published="table",
        cells=cells,
        neighbours=neighbours,
        mechanism=mechanism,
        delta=delta,
    )
    return lowest, budget


def _weights(given: Sequence[float] | None, levels: int) -> list[float]:
    """Return a checked weight for each level; without any, all are 1."""
    if given is None:
        return [1.0] * levels
    if len(given) != levels:
        raise must_be(
            "weights",
            f"as many as there are levels, {levels}; got {len(given)}",
        )
    return [WEIGHT.check_one("weights", weight) for weight in given]


def _least_squares(variances: list[float], fans: list[int]) -> list[float]:
    """Return the variance of a cell of each level after least squares, from the top down."""
    below = [variances[-1]]  # the best estimate from a cell and all under it
    for variance, fan in zip(variances[-2::-1], fans[::-1], strict=True):
        below.insert(0, 1 / (1 / variance + 1 / (fan * below[0])))
    found = [below[0]]
    for variance, fan in zip(below[1:], fans, strict=True):
        # Given the sum above, each of its parts moves with an equal share of
        # it.
        found.append(variance - variance / fan + found[-1] / fan**2)
    return found


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
