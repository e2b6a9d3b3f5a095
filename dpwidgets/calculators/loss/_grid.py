"""The law of a sum of independent losses on a grid of the loss, with two bounds of its δ.

The losses of each part go into cells of one width, and the cells are convolved by FFT. For the
upper bound each cell's mass is split onto the cell's two ends, its nodes, in such proportion that
the mass under Q is kept too; that can only help an attacker. For the lower one each cell is merged
into one outcome, and the attacker sees the sum of the cells' numbers alone; that can only hinder
him. What the window of the FFT leaves out, and what rounding may add, is the slack of each bound.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.loss._laws import ROUNDING, Gaussian, Laplace, Law, Parts, suffix_sums
from dpwidgets.inputs.domain import FloatArray

UNIT = 2.0**-53  # the relative error of one rounding
TAIL = 1e-16  # the mass that may lie on either side of the FFT's window
AIM = 4e-7  # how far apart the bounds shall be
TRIED = 2**15  # how many pieces are tried one by one
ROUGH_AIM, ROUGH_TRIED = 2e-5, 256  # both for a rough grid
LARGEST = 2**20  # how many cells a window may have, roughly


def _variance(parts: Parts) -> float:
    return sum(count * law.variance for law, count in parts)


def _scatter(parts: Parts, steps: FloatArray) -> FloatArray:
    return np.asarray(np.sum([count * law.scatter(steps) for law, count in parts], axis=0))


def _step(parts: Parts, kinks: float, aim: float = AIM, most: int = TRIED) -> float:
    """Find the widest step that cuts the widest part evenly and leaves the bounds `aim` apart.

    Splitting the cells adds the scatter to the variance and merging takes half of that away, while
    δ bends by at most 0.4/spread: together they change δ by 0.3 · scatter/spread. And scatter/step
    shall be at most `kinks`.
    """
    spread, total = math.sqrt(_variance(parts)), sum(count for _, count in parts)
    farthest = max(abs(end) for law, _ in parts for end in law.ends)
    if spread <= 1e-12 * farthest:  # one loss, as far as floats can tell
        return 1.0
    law, _ = max(parts, key=lambda part: part[1] * part[0].variance)  # its ends shall be nodes
    unit = law.ends[1] - law.ends[0] or spread
    allowed = aim * spread / 0.3
    fine = min(math.sqrt(4 * allowed / total), 4 * kinks / total)  # no scatter exceeds step²/4
    # The window holds nine deviations on either side, and each part's cells fit into it.
    least = (18 * spread + 6 * max(other.ends[1] - other.ends[0] for other, _ in parts)) / LARGEST
    unit = max(unit, least)  # another part may be far wider, though it hardly varies
    pieces = math.ceil(unit / max(fine, least))
    # Into how many pieces the range is cut: every small number, since a step that happens to meet
    # the atoms scatters nothing, and of the large ones a few.
    tried = np.union1d(np.arange(1, min(pieces, most)), np.ceil(np.geomspace(1, pieces, 64)))
    steps = unit / tried
    excess = _scatter(parts, steps) / np.minimum(allowed, kinks * steps)
    return float(steps[np.argmax(excess <= 1) if excess.min() <= 1 else np.argmin(excess)])


@dataclass(frozen=True)
class Curve:
    """What the events "the loss is at least this node" gain an attacker, up to a slack.

    Node i lies at first + i · step. The event has the mass p under P and e^(−node) · q under Q, so
    that it gains p − e^(ε − node) · q.
    """

    first: float
    step: float
    p: FloatArray
    q: FloatArray
    slack: float

    def node(self, places: FloatArray) -> NDArray[np.intp]:
        """Return the nodes at these places, in steps from the first; beyond an end, the end's."""
        return np.clip(places, 0, self.p.size - 1).astype(np.intp)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Evaluate the event that the loss lies above ε."""
        node = self.node(np.ceil((epsilon - self.first) / self.step))
        above = np.minimum(epsilon - self.first - self.step * node, 0)
        return np.asarray(self.p[node] - self.q[node] * np.exp(above))


@dataclass(frozen=True)
class Grid:
    """The law of a composition on a grid of this step."""

    parts: Parts
    infinite: float
    step: float

    def _nodes(self, law: Law) -> FloatArray:
        """Return a law's nodes, rising, laid from its high end down.

        The largest loss is often the likeliest, and so stays where it is. One more node on either
        side catches what rounding moves across an end.
        """
        low, high = law.ends
        steps = np.arange(math.ceil((high - low) / self.step) + 1.0, -2.0, -1.0)
        return np.asarray(high - self.step * steps)

    @cached_property
    def upper(self) -> Curve:
        """The curve of the split masses, which keep their sums under P and under Q."""
        split: list[FloatArray] = []
        for law, _ in self.parts:
            p, q = law.cells(self._nodes(law))
            # Of a cell's mass p the part x goes to its right node, where Q counts e^(−step) of it:
            # p − x + e^(−step) · x = q.
            right = np.clip((p - q) / -math.expm1(-self.step), 0.0, p)
            split.append(np.append(p - right, 0.0) + np.append(0.0, right))
        # On a node the mass under Q is e^(−node) times that under P, so one array says both.
        return self._curve(split, split, 0.0)

    @cached_property
    def lower(self) -> Curve:
        """The curve of the merged cells around the nodes.

        A cell's mass under Q is kept as e^(centre) times itself. What is missing to the sum of the
        masses under P is a factor, and moves all nodes together.
        """
        near, far, shift = list[FloatArray](), list[FloatArray](), 0.0
        for law, count in self.parts:
            nodes = self._nodes(law)
            p, q = law.cells(np.append(nodes - self.step / 2, nodes[-1] + self.step / 2))
            ratio = float(p.sum() / q.sum())
            near.append(p)
            far.append(q * ratio)
            shift += count * (math.log(ratio) - self.step / 2)
        return self._curve(near, far, shift)

    def _curve(self, p: list[FloatArray], q: list[FloatArray], shift: float) -> Curve:
        """Compose the parts' masses, P's as p and Q's, times e^node, as q; sum them from above."""
        counts = [count for _, count in self.parts]
        low, high = self._window(p)
        near, slack = _convolution(p, counts, low, high)
        far, more = (near, 0.0) if q is p else _convolution(q, counts, low, high)
        # What rounding of the losses and masses may do to their sums, and so at most to δ. The ends
        # cut off less.
        laid = [(count, self._nodes(law)) for law, count in self.parts]
        rounding = sum(n * (1 + float(np.abs(x).max())) + x.size for n, x in laid)
        start = sum(count * float(nodes[0]) for count, nodes in laid)
        slack += more + 2 * TAIL + 16 * UNIT * rounding
        in_p = np.append(suffix_sums(near, 1.0), 0.0)
        in_q = np.append(suffix_sums(far, math.exp(-self.step)), 0.0)
        return Curve(start + shift + self.step * low, self.step, in_p, in_q, slack)

    def _window(self, masses: list[FloatArray]) -> tuple[int, int]:
        """Find where the sum of the cells' numbers lies, but for a mass of TAIL on either side.

        By Chernoff's bound: for every rate r > 0, P[sum ≥ x] ≤ E[e^(r · sum)] · e^(−r · x), and so
        below. The best rate of a Gaussian law and seven smaller ones are tried.
        """
        spread = math.sqrt(_variance(self.parts)) / self.step
        best = math.sqrt(-2 * math.log(TAIL)) / spread if spread else math.inf
        # No rate so large that e^(rate · cell) overflows.
        rates = min(best, 300 / max(one.size for one in masses)) * 2.0 ** -np.arange(8)
        last, up, down = 0, np.full(8, -math.log(TAIL)), np.full(8, -math.log(TAIL))
        for (_, count), one in zip(self.parts, masses, strict=True):
            places = np.arange(one.size)
            up += count * np.log([one @ np.exp(rate * places) for rate in rates])
            down += count * np.log([one @ np.exp(-rate * places) for rate in rates])
            last += count * (one.size - 1)
        low = max(0, math.floor(np.max(-down / rates)))
        return low, min(last, math.ceil(np.min(up / rates)))

    @cached_property
    def width(self) -> float:
        """How far apart the two bounds are at most: where the lower one has its kinks."""
        kinks = self.lower.first + self.step * np.arange(float(self.lower.p.size))
        return float(np.max(self.upper.delta(kinks) - self.lower.delta(kinks)))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        # Far out, where rounding would be all there is: only Gaussian noise lifts the loss above
        # the others' highest.
        noise = [law for law, _ in self.parts if isinstance(law, Gaussian)]
        highest = [count * law.highest for law, count in self.parts if law not in noise]
        excess = epsilon - sum(one + 8 * UNIT * abs(one) for one in highest)
        far = noise[0].delta(excess) if noise else 0.0 - np.expm1(np.minimum(excess, 0))
        finite = np.minimum(self.upper.delta(epsilon) + self.upper.slack, far)
        return np.asarray(np.minimum(self.infinite + finite, 1))

    def bounds(self, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        lower = np.maximum(self.lower.delta(epsilon) - self.lower.slack, 0)
        upper = self.delta(epsilon) + ROUNDING * self.infinite
        return lower + (1 - ROUNDING) * self.infinite, np.minimum(upper, 1)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        places = (epsilon - self.upper.first) / self.step
        # A loss that is a node, but for rounding, does not exceed it.
        node = self.upper.node(np.floor(places + 1e-6) + 1)
        return np.asarray(np.minimum(self.infinite + self.upper.p[node], 1))


def grid(parts: Parts, infinite: float, rough: bool = False) -> Grid:
    """Lay a grid so fine that the bounds are close, if that does not take too many cells.

    A rough one aims at bounds less close and does not look whether they are.
    """
    if rough:
        return Grid(parts, infinite, _step(parts, math.inf, ROUGH_AIM, ROUGH_TRIED))
    coarse = Grid(parts, infinite, _step(parts, math.inf))
    if (len(parts) == 1 and isinstance(parts[0][0], Laplace)) or coarse.width <= 2 * AIM:
        return coarse
    # Where few outcomes carry the mass δ has kinks, and there the bounds' distance goes with
    # scatter/step. The coarse grid says by how much that must fall.
    kinks = float(_scatter(parts, np.array([coarse.step]))[0] / coarse.step * AIM / coarse.width)
    fine = _step(parts, kinks)
    if fine == coarse.step:
        return coarse
    return min(coarse, Grid(parts, infinite, fine), key=lambda one: one.width)


def _convolution(
    masses: list[FloatArray], counts: list[int], low: int, high: int
) -> tuple[FloatArray, float]:
    """Convolve, each array as often as its count says, and bound the error of any sum of results.

    An entry of a spectrum is off by at most a few roundings per stage of the FFT, since the masses
    sum to at most 1. What that makes of the product is computed beside it, and by Cauchy-Schwarz
    its norm bounds the error of every sum.
    """
    # At most eight blocks of a power of two: no prime factor above 7, and little longer than the
    # window.
    block = 1 << max((high - low).bit_length() - 3, 1)
    size = ((high - low) // block + 1) * block
    rounding = UNIT * (4 * math.log2(size) + 8)
    # The transform is periodic: what lies outside the window is folded into it, and `_window` says
    # how little that is.
    spectra = [np.fft.rfft(np.bincount(np.arange(one.size) % size, one, size)) for one in masses]
    pairs = list(zip(spectra, counts, strict=True))
    logarithm = np.sum([count * np.log(np.abs(one) + rounding) for one, count in pairs], axis=0)
    kept = logarithm > -100  # of a smooth law few frequencies are left
    bound, product = np.exp(logarithm[kept]), np.zeros(kept.size, complex)
    product[kept] = np.prod([one[kept] ** count for one, count in pairs], axis=0)
    error = float(np.linalg.norm(bound * (1 + rounding) - np.abs(product[kept])))
    slack = math.sqrt(2) * (error + math.exp(-100) * kept.size)
    sums = np.roll(np.fft.irfft(product, size), -low % size)[: high - low + 1]
    return np.maximum(sums, 0), slack
