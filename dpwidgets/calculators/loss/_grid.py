"""The law of a sum of independent losses, by FFT on a grid of the loss.

The losses of each part go into cells of one width. Each cell's mass is split
onto the cell's two ends, its nodes, in such proportion that the mass under Q
is kept too; that can only help an attacker, so that δ is never too small. What
an FFT rounds off is added to δ. It grows with the releases, and where a δ is
no larger than a few times that, no ε is looked for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.loss._laws import (
    SAME,
    Atoms,
    GaussianLoss,
    Law,
    Parts,
    total,
)
from dpwidgets.calculators.loss._numerics import suffix_sums
from dpwidgets.inputs.domain import FloatArray, must_be

# What rounding may take from a sum of masses, for each release: five times what
# it took at most from 140 random compositions of up to 50,000.
ROUNDED = 1e-16
SHARE = 2.5e-7  # by which share of it the variance may grow
FINE = 0.0025  # no step is wider than this share of the spread, if that can be
LARGEST = 2**20  # how many cells a window may have, roughly
TRIED = 2**12  # how many pieces are tried one by one
UNIT = 2.0**-53  # the relative error of one rounding
_NOTHING: Law = Atoms.of(np.zeros(1), np.ones(1), 0.0)  # no loss at all


def least_delta(releases: int) -> float:
    """Return the least δ at which the ε of so many releases together is asked for.

    Examples
    --------
    >>> least_delta(12), least_delta(20_000)
    (1e-12, 2e-11)
    """
    return max(releases, 1000) / 1e15


def _releases(parts: Parts) -> int:
    return sum(count for _, count in parts)


class Cells(NamedTuple):
    """One part on the grid: its nodes, rising, their masses, and how often it is composed.

    `split` is left · right / (left + right), summed over what each cell gives
    its two nodes: the variance of a node within its cell, in steps.
    """

    nodes: FloatArray
    masses: FloatArray
    split: float
    times: int


def _width(law: Law) -> float:
    low, high = law.ends
    return high - low


def step_for(parts: Parts) -> float:
    """Find the widest step that cuts the widest part evenly and adds little to the variance."""
    spread = math.sqrt(total(parts, lambda law: law.variance))
    farthest = max(max(map(abs, law.ends)) for law, _ in parts)
    if spread <= 1e-12 * farthest:  # one loss, as far as floats can tell
        return 1.0
    # Its ends shall be nodes.
    widest, _ = max(parts, key=lambda part: part[1] * part[0].variance)
    allowed = SHARE * spread**2
    # The window holds nine deviations on either side, and each part's cells
    # fit into it.
    room = 18 * spread + 6 * max(_width(law) for law, _ in parts)
    finest = room / LARGEST
    unit = max(_width(widest) or spread, finest)
    # No scatter exceeds step²/4.
    fine = max(math.sqrt(4 * allowed / _releases(parts)), finest)
    pieces = math.ceil(unit / fine)
    # Every small number of pieces, since a step that happens to meet the atoms
    # scatters nothing, and of the large ones a few.
    small = np.arange(1, min(pieces, TRIED))
    large = np.ceil(np.geomspace(1, pieces, 64))
    steps = unit / np.union1d(small, large)
    scatter = np.zeros(steps.size)
    for law, count in parts:
        scatter += count * law.scatter(steps)
    excess = np.maximum(scatter / allowed, steps / (FINE * spread))
    # The first that fits, or that which is nearest to it.
    return float(steps[np.argmax(excess <= max(excess.min(), 1))])


@dataclass(frozen=True)
class Grid:
    """The law of a composition on a grid.

    Attributes
    ----------
    parts : tuple of (Law, int)
        What is composed, and how often.
    infinite : float
        The mass at infinity of all together.
    step : float
        The step of the grid.
    """

    parts: Parts
    infinite: float
    step: float

    @property
    def _slack(self) -> float:
        """What rounding and the ends of the window may take from a sum of masses."""
        return ROUNDED * max(_releases(self.parts), 100)

    @cached_property
    def _cells(self) -> list[Cells]:
        """Each law on its nodes, which are laid from its high end down.

        The largest loss is often the likeliest, and so stays where it is. One
        more node on either side catches what rounding moves across an end.
        """
        cells = []
        for law, count in self.parts:
            last = math.ceil(_width(law) / self.step) + 1.0
            nodes = law.ends[1] - self.step * np.arange(last, -2.0, -1.0)
            p, q = law.cells(nodes)
            # Of a cell's mass p the part x goes to its right node, where Q
            # counts e^(−step) of it: p − x + e^(−step) · x = q.
            right = np.clip((p - q) / -math.expm1(-self.step), 0.0, p)
            left = p - right
            masses = np.append(left, 0.0) + np.append(0.0, right)
            split = left * right / np.maximum(p, np.finfo(float).tiny)
            cells.append(Cells(nodes, masses, float(split.sum()), count))
        return cells

    @cached_property
    def _first_and_masses(self) -> tuple[float, FloatArray]:
        """The first node of the sum, and the masses of it and those after it."""
        spread = math.sqrt(total(self.parts, lambda law: law.variance))
        low, high = window(self._cells, spread / self.step)
        first = sum(one.times * float(one.nodes[0]) for one in self._cells)
        return first + self.step * low, convolution(self._cells, low, high)

    @cached_property
    def _above(self) -> FloatArray:
        """The mass from each node upwards; 0 after the last."""
        _, masses = self._first_and_masses
        return np.append(suffix_sums(masses, 1.0), 0.0)

    @cached_property
    def _gains(self) -> FloatArray:
        """δ at each node's own loss, without a difference of large sums."""
        gains = -math.expm1(-self.step) * self._above[1:]
        return np.append(suffix_sums(gains, math.exp(-self.step)), 0.0)

    def _node(self, places: FloatArray) -> NDArray[np.intp]:
        """Return the nodes at these places, in steps from the first; beyond an end, the end's."""
        return np.clip(places, 0, self._above.size - 1).astype(np.intp)

    @property
    def _highest(self) -> tuple[float, Law]:
        """The highest loss but for rounding and for Gaussian noise, and the law of that noise."""
        highest, noise = 0.0, _NOTHING
        for law, count in self.parts:
            if isinstance(law, GaussianLoss):  # there is at most one
                noise = law
            else:
                loss = count * law.highest
                highest += loss + 8 * UNIT * abs(loss)
        return highest, noise

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Bound δ(ε) from above, for ε of any shape."""
        first, _ = self._first_and_masses
        node = self._node(np.ceil((epsilon - first) / self.step))
        gap = np.maximum(first + self.step * node - epsilon, 0)
        near = -np.expm1(-gap) * self._above[node]
        far = np.exp(-gap) * self._gains[node]
        # Where rounding would be all there is: only Gaussian noise lifts the
        # loss above the others' highest.
        highest, noise = self._highest
        most = noise.delta(epsilon - highest)
        finite = np.minimum(near + far + self._slack, most)
        return np.minimum(self.infinite + finite, 1)

    def tail(self, loss: FloatArray) -> FloatArray:
        """Compute P[L > loss], right to a step or to a few, for losses of any shape."""
        first, _ = self._first_and_masses
        # A loss that is a node, but for rounding, does not exceed it.
        places = np.floor((loss - first) / self.step + 1e-6) + 1
        above = self._above[self._node(places)]
        most = self._most(loss + SAME * np.abs(loss))
        return np.minimum(self.infinite + np.minimum(above, most), 1)

    def _most(self, loss: FloatArray) -> FloatArray:
        """Bound P[loss < L < ∞] where rounding would be all there is, as in `delta`."""
        highest, noise = self._highest
        return noise.tail(loss - highest)

    def tail_bound(
        self, probability: FloatArray
    ) -> Callable[[FloatArray], FloatArray]:
        """Return what bounds `tail` from above where that is about as large as the probability.

        Each loss goes to one of the two nodes beside it, so that the expected
        node is no smaller than the loss. By Bernstein's inequality the nodes
        of a sum then lie farther than `moved` below it in a thousandth of
        these cases.
        """
        missed = 1e-3 * probability
        seldom = -np.log(missed)
        variance = sum(one.times * one.split for one in self._cells)
        short = np.sqrt(2 * variance * seldom) + seldom / 3
        moved = self.step * (np.minimum(short, _releases(self.parts)) + 1)
        more = missed + self._slack

        def falls(loss: FloatArray) -> FloatArray:
            most = self.infinite + self._most(loss)
            return np.minimum(self.tail(loss - moved) + more, most)

        return falls

    def check_digits(self, argument: str, limit: FloatArray) -> None:
        """Refuse a δ or a probability for which rounding would be all there is."""
        # Where others' releases have a part of δ, half of it is left.
        smallest = self.infinite + least_delta(_releases(self.parts)) / 2
        if np.any((self.infinite <= limit) & (limit < smallest)):
            raise must_be(
                argument,
                f"at least {smallest:.3g} for these releases together: "
                "of less an FFT has no digits",
            )


def window(cells: list[Cells], spread: float) -> tuple[int, int]:
    """Find where the sum of the cells' numbers lies, but for a mass of 1e-17 on either side.

    By Chernoff's bound: for every rate r > 0, P[sum ≥ x] ≤ E[e^(r · sum)] ·
    e^(−r · x), and so below. The best rate of a Gaussian law of this spread
    and seven smaller ones are tried.
    """
    seldom = -math.log(1e-17)
    best = math.sqrt(2 * seldom) / spread if spread else math.inf
    # No rate so large that e^(rate · cell) overflows.
    most = 300 / max(one.masses.size for one in cells)
    rates = min(best, most) * 2.0 ** -np.arange(8)
    last = 0
    up = np.full(8, seldom)
    down = np.full(8, seldom)
    for _, masses, _, count in cells:
        growth = np.exp(np.outer(rates, np.arange(masses.size)))
        up += count * np.log(growth @ masses)
        down += count * np.log((1 / growth) @ masses)
        last += count * (masses.size - 1)
    low = max(0, math.floor(np.max(-down / rates)))
    return low, min(last, math.ceil(np.min(up / rates)))


def convolution(cells: list[Cells], low: int, high: int) -> FloatArray:
    """Return the masses of the sums from `low` to `high` of the numbers of all cells."""
    # At most eight blocks of a power of two: no prime factor above 7, and
    # little longer than the window.
    block = 1 << max((high - low).bit_length() - 3, 1)
    size = ((high - low) // block + 1) * block
    product = np.ones(size // 2 + 1, complex)
    # The transform is periodic: what lies outside the window is folded into
    # it, and `window` says how little that is.
    for _, masses, _, count in cells:
        folded = np.bincount(np.arange(masses.size) % size, masses, size)
        product *= np.fft.rfft(folded) ** count
    sums = np.roll(np.fft.irfft(product, size), -low % size)[: high - low + 1]
    return np.maximum(sums, 0)
