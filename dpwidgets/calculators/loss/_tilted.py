"""The law of a sum of independent losses on a grid, tilted so that rounding spares its far end.

A law tilted at a rate r has its masses times e^(r · loss), scaled to the sum
1. To tilt the parts and to tilt their sum is the same, and an FFT of the
tilted parts is right to some 1e-13 of *their* masses: where the tilted law
lies, however small the masses are that it was made of. Each law knows the next
one, which lies farther out.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.loss._laws import suffix_sums
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
    """One part on the grid: how often it is composed, its nodes, rising, and their masses."""

    count: int
    nodes: FloatArray
    masses: FloatArray
    # Left · right / (left + right) for what each cell gives its two nodes.
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


@dataclass(frozen=True, eq=False)
class Tilted:
    """The sum of the parts' losses, each moved to the nodes of a grid, tilted at a rate r ≥ 0."""

    parts: tuple[Cells, ...]
    step: float
    # How many deviations the next law lies farther out, about.
    apart: float = 6.0
    rate: float = 0.0

    def _tilt(self, nodes: FloatArray) -> FloatArray:
        return np.asarray(np.exp(self.rate * (nodes - nodes[-1])))

    @cached_property
    def _weights(self) -> list[FloatArray]:
        """The tilted masses of each part, over e^(r · its last node)."""
        return [one.masses * self._tilt(one.nodes) for one in self.parts]

    @cached_property
    def _shares(self) -> list[FloatArray]:
        """The same with the sum 1."""
        shares = [weights / weights.sum() for weights in self._weights]
        return [np.where(one > NOTHING, one, 0.0) for one in shares]

    @cached_property
    def log_moment(self) -> float:
        """The logarithm of E[e^(rL)]."""
        pairs = zip(self.parts, self._weights, strict=True)
        return sum(
            one.count
            * (math.log(weights.sum()) + self.rate * float(one.nodes[-1]))
            for one, weights in pairs
        )

    @cached_property
    def _mean(self) -> float:
        pairs = zip(self.parts, self._shares, strict=True)
        return sum(
            one.count * float(shares @ one.nodes) for one, shares in pairs
        )

    @cached_property
    def _spread(self) -> float:
        variance = 0.0
        for one, shares in zip(self.parts, self._shares, strict=True):
            variance += one.count * float(
                shares @ (one.nodes - shares @ one.nodes) ** 2
            )
        return math.sqrt(variance)

    @cached_property
    def _log_most(self) -> float:
        """The logarithm of the largest e^(−rx) · (1 − e^(−x)) for any x ≥ 0."""
        return (
            -math.log1p(self.rate) - self.rate * math.log1p(1 / self.rate)
            if self.rate
            else 0.0
        )

    @cached_property
    def rounding(self) -> float:
        """What rounding of the losses and masses may do to the sums of the masses."""
        moved = sum(
            one.count * (one.laws + float(np.abs(one.nodes).max()))
            for one in self.parts
        )
        # To join parts takes as many sums as they have cells.
        sums = sum(
            one.nodes.size * (one.count if one.laws > 1 else 1)
            for one in self.parts
        )
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
        more = (
            self.next.log_moment
            + self.next._log_most
            - self.log_moment
            - self._log_most
        )
        return float(more / (self.next.rate - self.rate))

    @property
    def log_end(self) -> float:
        """The logarithm of Chernoff's bound of the probability that a loss is above the end."""
        return self.log_moment - self.rate * self.end

    @cached_property
    def _law(self) -> tuple[float, FloatArray, float]:
        """The first node, the tilted masses of it and those after it, and the error of any sum."""
        counts = [one.count for one in self.parts]
        low, high = window(self._shares, counts, self._spread / self.step)
        masses, slack = convolution(self._shares, counts, low, high)
        first = (
            sum(one.count * float(one.nodes[0]) for one in self.parts)
            + self.step * low
        )
        return first, masses, slack + 2 * TAIL + self.rounding

    @cached_property
    def _above(self) -> FloatArray:
        """Sum m · e^(r(x−y)) over the nodes y from each node x upwards; 0 after the last."""
        return np.append(
            suffix_sums(self._law[1], math.exp(-self.rate * self.step)), 0.0
        )

    @cached_property
    def _gains(self) -> FloatArray:
        """Sum m · e^(r(x−y)) · (1 − e^(x−y)) so, without a difference of large sums."""
        fall = math.exp(-self.rate * self.step)
        more = -math.expm1(-self.step) * fall * self._above[1:]
        return np.append(
            suffix_sums(more, math.exp(-(1 + self.rate) * self.step)), 0.0
        )

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
        gain = (
            -np.expm1(-gap) * self._above[node]
            + np.exp(-gap) * self._gains[node]
        )
        error = _product(self._back(epsilon), math.exp(self._log_most) * slack)
        return _product(back, gain) + error

    def tail(self, loss: FloatArray) -> FloatArray:
        """Return the probability of a larger loss, right to a step or to a few."""
        # A loss that is a node, but for rounding, does not exceed it.
        node, back = self._node(
            np.floor((loss - self._law[0]) / self.step + 1e-6) + 1
        )
        return _product(back, self._above[node])

    @cached_property
    def moved(self) -> float:
        """How far the nodes of a sum lie below its losses, but for a share `MISSED` of the law.

        Each of a loss's two nodes has such a probability that the expected
        node is no smaller than the loss. So Bernstein's inequality holds for
        how far their sum falls short, with the tilted variance of the node
        within a cell, which is largest where the cell has one loss.
        """
        pairs = zip(self.parts, self._weights, strict=True)
        variance = sum(
            one.count
            * float(one.split @ self._tilt(one.nodes)[1:])
            / float(weights.sum())
            for one, weights in pairs
        )
        seldom = -math.log(MISSED)
        short = math.sqrt(2 * variance * seldom) + seldom / 3
        most = sum(one.count * one.laws for one in self.parts)
        return self.step * min(short, most)

    def beyond(self, loss: FloatArray) -> FloatArray:
        """Bound the probability of a larger loss from above."""
        first, _, slack = self._law
        node, back = self._node(
            np.floor((loss - self.moved - first) / self.step) + 1
        )
        return np.asarray(
            back * (self._above[node] + slack) + self._back(loss) * MISSED
        )


def joined(parts: list[Cells], step: float) -> tuple[Cells, ...]:
    """Join small parts that are composed equally often, so that fewer are to be transformed."""
    if len(parts) <= MANY:
        return tuple(parts)
    kept: list[Cells] = []
    for one in sorted(parts, key=lambda one: (one.count, one.nodes.size)):
        last = kept[-1] if kept else None
        if (
            last
            and last.count == one.count
            and last.nodes.size + one.nodes.size <= JOINED
        ):
            kept[-1] = last.join(one, step)
        else:
            kept.append(one)
    return tuple(kept)


def window(
    masses: list[FloatArray], counts: list[int], spread: float
) -> tuple[int, int]:
    """Find where the sum of the cells' numbers lies, but for a mass of TAIL on either side.

    By Chernoff's bound: for every rate r > 0, P[sum ≥ x] ≤ E[e^(r · sum)] ·
    e^(−r · x), and so below. The best rate of a Gaussian law of this spread
    and seven smaller ones are tried.
    """
    best = math.sqrt(-2 * math.log(TAIL)) / spread if spread else math.inf
    # No rate so large that e^(rate · cell) overflows.
    rates = min(
        best, 300 / max(one.size for one in masses)
    ) * 2.0 ** -np.arange(8)
    last, up, down = (
        0,
        np.full(8, -math.log(TAIL)),
        np.full(8, -math.log(TAIL)),
    )
    for count, one in zip(counts, masses, strict=True):
        growth = np.exp(np.outer(rates, np.arange(one.size)))
        up += count * np.log(growth @ one)
        down += count * np.log((1 / growth) @ one)
        last += count * (one.size - 1)
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
    """
    # At most eight blocks of a power of two: no prime factor above 7, and
    # little longer than the window.
    block = 1 << max((high - low).bit_length() - 3, 1)
    size = ((high - low) // block + 1) * block
    rounding = UNIT * (4 * math.log2(size) + 8)
    # The transform is periodic: what lies outside the window is folded into
    # it, and `window` says how little that is.
    spectra = [
        np.fft.rfft(np.bincount(np.arange(one.size) % size, one, size))
        for one in masses
    ]
    pairs = list(zip(spectra, counts, strict=True))
    logarithm = np.sum(
        [count * np.log(np.abs(one) + rounding) for one, count in pairs],
        axis=0,
    )
    kept = logarithm > -100  # of a smooth law few frequencies are left
    bound, product = np.exp(logarithm[kept]), np.zeros(kept.size, complex)
    product[kept] = np.prod(
        [one[kept] ** count for one, count in pairs], axis=0
    )
    error = float(
        np.linalg.norm(bound * (1 + rounding) - np.abs(product[kept]))
    )
    slack = math.sqrt(2) * (error + math.exp(-100) * kept.size)
    sums = np.roll(np.fft.irfft(product, size), -low % size)[: high - low + 1]
    return np.maximum(sums, 0), slack


def _product(back: FloatArray, masses: FloatArray | float) -> FloatArray:
    """Take tilted masses back; what is infinite stays so, also times 0, so that it is a bound."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(back), np.inf, back * masses)
