"""The law of a sum of independent losses on a grid, tilted so that rounding spares its far end.

A law tilted at a rate r has its masses times e^(r · loss), scaled to the sum
1. To tilt the parts and to tilt their sum is the same, and an FFT of the
tilted parts is right to some 1e-13 of *their* masses: where the tilted law
lies, however small the masses are that it was made of. Each law knows the next
one, which lies farther out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.loss._numerics import suffix_sums
from dpwidgets.inputs.domain import FloatArray

UNIT = 2.0**-53  # the relative error of one rounding
TAIL = 1e-16  # the mass that may lie on either side of the FFT's window
# A mass that is far below TAIL, and slows sums down where it has few digits.
NOTHING = 1e-40
# No law is tilted so much that rounding takes more than this share of it.
BLURRED = 1e-6
# Of more parts than that small ones are joined, up to so many cells.
MANY, JOINED = 8, 2048
# How often the nodes may lie farther below the losses than `Tilted.moved`.
MISSED = 1e-3


@dataclass(frozen=True, eq=False)
class Cells:
    """One part on the grid.

    Attributes
    ----------
    count : int
        How often it is composed.
    nodes, masses : array of shape (k,)
        Its nodes, rising, and their masses.
    split : array of shape (k − 1,)
        Left · right / (left + right) for what each cell gives its two nodes.
    """

    count: int
    nodes: FloatArray
    masses: FloatArray
    split: FloatArray
    laws: int = 1  # how many laws are joined in it

    def join(self, other: Self, step: float) -> Self:
        """Convolve it with another one, which is composed as often.

        No term is negative, so that no digits are lost however small a mass
        is. The variances of the nodes add up.
        """
        size = self.nodes.size + other.nodes.size - 1
        first = float(self.nodes[0] + other.nodes[0])
        return replace(
            self,
            nodes=np.asarray(first + step * np.arange(float(size))),
            masses=np.convolve(self.masses, other.masses),
            split=np.convolve(self.split, other.masses)
            + np.convolve(self.masses, other.split),
            laws=self.laws + other.laws,
        )

    @property
    def first(self) -> float:
        """The lowest node."""
        return float(self.nodes[0])

    @property
    def farthest(self) -> float:
        """The largest size of a node."""
        return float(np.abs(self.nodes).max())


@dataclass(frozen=True, eq=False)
class _TiltedCells:
    """One part, tilted at a rate r ≥ 0."""

    cells: Cells
    rate: float

    @property
    def _tilt(self) -> FloatArray:
        """The factors of the masses, over e^(r · the last node)."""
        nodes = self.cells.nodes
        return np.asarray(np.exp(self.rate * (nodes - nodes[-1])))

    @cached_property
    def _weights(self) -> FloatArray:
        """The tilted masses, over e^(r · the last node)."""
        return self.cells.masses * self._tilt

    @cached_property
    def total(self) -> float:
        """The sum of the tilted masses, over e^(r · the last node)."""
        return float(self._weights.sum())

    @cached_property
    def shares(self) -> FloatArray:
        """The tilted masses with the sum 1."""
        shares = self._weights / self.total
        return np.where(shares > NOTHING, shares, 0.0)

    @property
    def log_moment(self) -> float:
        """The logarithm of E[e^(rL)]."""
        return math.log(self.total) + self.rate * float(self.cells.nodes[-1])

    @property
    def mean(self) -> float:
        """The mean of the tilted law."""
        return float(self.shares @ self.cells.nodes)

    @property
    def variance(self) -> float:
        """Its variance."""
        nodes = self.cells.nodes
        return float(self.shares @ (nodes - self.shares @ nodes) ** 2)

    @property
    def split(self) -> float:
        """The tilted `Cells.split`, summed, over e^(r · the last node)."""
        return float(self.cells.split @ self._tilt[1:])


@dataclass(frozen=True, eq=False)
class Tilted:
    """The sum of the parts' losses, each moved to the nodes of a grid, tilted at a rate r ≥ 0.

    Attributes
    ----------
    parts : tuple of Cells
        What is summed.
    step : float
        The step of the grid.
    apart : float
        How many deviations the next law lies farther out, about.
    rate : float
        The rate r.
    """

    parts: tuple[Cells, ...]
    step: float
    apart: float = 6.0
    rate: float = 0.0

    @property
    def _counts(self) -> list[int]:
        return [part.count for part in self.parts]

    @cached_property
    def _tilted(self) -> list[_TiltedCells]:
        return [_TiltedCells(part, self.rate) for part in self.parts]

    def _total(self, of: Callable[[_TiltedCells], float]) -> float:
        """Add up what each part has, as often as it is composed."""
        return sum(part.cells.count * of(part) for part in self._tilted)

    @cached_property
    def log_moment(self) -> float:
        """The logarithm of E[e^(rL)]."""
        return self._total(lambda part: part.log_moment)

    @cached_property
    def _mean(self) -> float:
        return self._total(lambda part: part.mean)

    @cached_property
    def _spread(self) -> float:
        variance = 0.0
        for part in self._tilted:
            variance += part.cells.count * part.variance
        return math.sqrt(variance)

    @cached_property
    def _log_most(self) -> float:
        """The logarithm of the largest e^(−rx) · (1 − e^(−x)) for any x ≥ 0."""
        if not self.rate:
            return 0.0
        return -math.log1p(self.rate) - self.rate * math.log1p(1 / self.rate)

    @cached_property
    def rounding(self) -> float:
        """What rounding of the losses and masses may do to the sums of the masses."""
        moved = self._total(lambda part: part.cells.laws + part.cells.farthest)
        # To join parts takes as many sums as they have cells.
        sums = 0
        for part in self.parts:
            times = part.count if part.laws > 1 else 1
            sums += times * part.nodes.size
        return 16 * UNIT * (moved * (1 + self.rate) + sums)

    @cached_property
    def next(self) -> Self | None:
        """The law of a higher rate, farther out, or None if this reaches the end."""
        more = self.apart / self._spread if self._spread else math.inf
        while more < math.inf and self.rate + more > self.rate:
            law = replace(self, rate=self.rate + more)
            divergence = self.log_moment - law.log_moment + more * law._mean
            # Half of that where both are normal.
            if divergence <= self.apart**2:
                return law if law.rounding < BLURRED else None
            more /= 2
        return None

    @cached_property
    def end(self) -> float:
        """The loss above which the next law has the smaller Chernoff bound of δ."""
        if self.next is None:
            return math.inf
        beyond = self.next.log_moment + self.next._log_most
        more = beyond - self.log_moment - self._log_most
        return float(more / (self.next.rate - self.rate))

    @property
    def log_end(self) -> float:
        """The logarithm of Chernoff's bound of the probability that a loss is above the end."""
        return self.log_moment - self.rate * self.end

    @cached_property
    def _law(self) -> tuple[float, FloatArray, float]:
        """The first node, the tilted masses of it and those after it, and the error of any sum."""
        shares = [part.shares for part in self._tilted]
        counts = self._counts
        low, high = window(shares, counts, self._spread / self.step)
        masses, slack = convolution(shares, counts, low, high)
        first = self._total(lambda part: part.cells.first)
        slack = slack + 2 * TAIL + self.rounding
        return first + self.step * low, masses, slack

    @cached_property
    def _above(self) -> FloatArray:
        """Sum m · e^(r(x−y)) over the nodes y from each node x upwards; 0 after the last."""
        _, masses, _ = self._law
        fall = math.exp(-self.rate * self.step)
        return np.append(suffix_sums(masses, fall), 0.0)

    @cached_property
    def _gains(self) -> FloatArray:
        """Sum m · e^(r(x−y)) · (1 − e^(x−y)) so, without a difference of large sums."""
        fall = math.exp(-self.rate * self.step)
        more = -math.expm1(-self.step) * fall * self._above[1:]
        decay = math.exp(-(1 + self.rate) * self.step)
        return np.append(suffix_sums(more, decay), 0.0)

    def _node(self, places: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
        """Return the nodes at these places, in steps from the first, and e^(−r · loss) of each."""
        first, masses, _ = self._law
        node = np.minimum(np.maximum(places, 0), masses.size).astype(np.intp)
        return node, self._back(np.asarray(first + self.step * node))

    def _back(self, loss: FloatArray) -> FloatArray:
        """Return what takes a tilted mass at this loss back to the mass that it was.

        It is infinite far below the losses that this law is for, and a bound
        with it says nothing.
        """
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_moment - self.rate * loss))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Bound δ(ε) from above."""
        first, _, slack = self._law
        node, back = self._node(np.ceil((epsilon - first) / self.step))
        gap = np.maximum(first + self.step * node - epsilon, 0)
        near = -np.expm1(-gap) * self._above[node]
        far = np.exp(-gap) * self._gains[node]
        error = _product(self._back(epsilon), math.exp(self._log_most) * slack)
        return _product(back, near + far) + error

    def tail(self, loss: FloatArray) -> FloatArray:
        """Return the probability of a larger loss, right to a step or to a few."""
        first, _, _ = self._law
        # A loss that is a node, but for rounding, does not exceed it.
        places = np.floor((loss - first) / self.step + 1e-6) + 1
        node, back = self._node(places)
        return _product(back, self._above[node])

    @cached_property
    def moved(self) -> float:
        """How far the nodes of a sum lie below its losses, but for a share `MISSED` of the law.

        Each of a loss's two nodes has such a probability that the expected
        node is no smaller than the loss. So Bernstein's inequality holds for
        how far their sum falls short, with the tilted variance of the node
        within a cell, which is largest where the cell has one loss.
        """
        variance = sum(
            part.cells.count * part.split / part.total for part in self._tilted
        )
        seldom = -math.log(MISSED)
        short = math.sqrt(2 * variance * seldom) + seldom / 3
        most = sum(part.count * part.laws for part in self.parts)
        return self.step * min(short, most)

    def beyond(self, loss: FloatArray) -> FloatArray:
        """Bound the probability of a larger loss from above."""
        first, _, slack = self._law
        places = np.floor((loss - self.moved - first) / self.step) + 1
        node, back = self._node(places)
        above = back * (self._above[node] + slack)
        return np.asarray(above + self._back(loss) * MISSED)


def joined(parts: list[Cells], step: float) -> tuple[Cells, ...]:
    """Join small parts that are composed equally often, so that fewer are to be transformed."""
    if len(parts) <= MANY:
        return tuple(parts)
    kept: list[Cells] = []
    for part in sorted(parts, key=lambda part: (part.count, part.nodes.size)):
        if kept and _go_together(kept[-1], part):
            kept[-1] = kept[-1].join(part, step)
        else:
            kept.append(part)
    return tuple(kept)


def _go_together(one: Cells, other: Cells) -> bool:
    cells = one.nodes.size + other.nodes.size
    return one.count == other.count and cells <= JOINED


def window(
    masses: list[FloatArray], counts: list[int], spread: float
) -> tuple[int, int]:
    """Find where the sum of the cells' numbers lies, but for a mass of TAIL on either side.

    By Chernoff's bound: for every rate r > 0, P[sum ≥ x] ≤ E[e^(r · sum)] ·
    e^(−r · x), and so below. The best rate of a Gaussian law of this spread
    and seven smaller ones are tried.

    Parameters
    ----------
    masses : list of array
        The masses of each part's cells, which are numbered from 0.
    counts : list of int
        How often each part is composed.
    spread : float
        The standard deviation of the sum of the numbers.

    Returns
    -------
    low, high : int
        The first number and the last.
    """
    best = math.sqrt(-2 * math.log(TAIL)) / spread if spread else math.inf
    # No rate so large that e^(rate · cell) overflows.
    most = 300 / max(map(len, masses))
    rates = min(best, most) * 2.0 ** -np.arange(8)
    last = 0
    up = np.full(8, -math.log(TAIL))
    down = np.full(8, -math.log(TAIL))
    for count, part in zip(counts, masses, strict=True):
        growth = np.exp(np.outer(rates, np.arange(part.size)))
        up += count * np.log(growth @ part)
        down += count * np.log((1 / growth) @ part)
        last += count * (part.size - 1)
    low = max(0, math.floor(np.max(-down / rates)))
    return low, min(last, math.ceil(np.min(up / rates)))


def convolution(
    masses: list[FloatArray], counts: list[int], low: int, high: int
) -> tuple[FloatArray, float]:
    """Convolve, each array as often as its count says, and bound the error of any sum of results.

    An entry of a spectrum is off by at most a few roundings per stage of the
    FFT, since the masses sum to at most 1. What that makes of the product is
    computed beside it, and by Cauchy-Schwarz its norm bounds the error of
    every sum.

    Parameters
    ----------
    masses, counts : list of array, list of int
        As in `window`.
    low, high : int
        The first number and the last that is asked for.

    Returns
    -------
    sums : array of shape (high − low + 1,)
        The masses of these numbers.
    slack : float
        What any sum of them may be off.
    """
    # At most eight blocks of a power of two: no prime factor above 7, and
    # little longer than the window.
    block = 1 << max((high - low).bit_length() - 3, 1)
    size = ((high - low) // block + 1) * block
    rounding = UNIT * (4 * math.log2(size) + 8)
    # The transform is periodic: what lies outside the window is folded into
    # it, and `window` says how little that is.
    spectra: list[NDArray[np.complex128]] = []
    logarithms: list[FloatArray] = []
    for count, part in zip(counts, masses, strict=True):
        folded = np.bincount(np.arange(part.size) % size, part, size)
        spectrum = np.fft.rfft(folded)
        spectra.append(spectrum)
        logarithms.append(count * np.log(np.abs(spectrum) + rounding))
    logarithm = np.sum(logarithms, axis=0)
    kept = logarithm > -100  # of a smooth law few frequencies are left
    bound = np.exp(logarithm[kept])
    pairs = zip(spectra, counts, strict=True)
    powers = [spectrum[kept] ** count for spectrum, count in pairs]
    product = np.zeros(kept.size, complex)
    product[kept] = np.prod(powers, axis=0)
    off = bound * (1 + rounding) - np.abs(product[kept])
    error = float(np.linalg.norm(off))
    slack = math.sqrt(2) * (error + math.exp(-100) * kept.size)
    sums = np.roll(np.fft.irfft(product, size), -low % size)[: high - low + 1]
    return np.maximum(sums, 0), slack


def _product(back: FloatArray, masses: FloatArray | float) -> FloatArray:
    """Take tilted masses back; what is infinite stays so, also times 0, so that it is a bound."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(back), np.inf, back * masses)
