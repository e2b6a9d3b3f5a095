"""The law of a sum of independent losses on a grid of the loss, with two bounds of its δ.

The losses of each part go into cells of one width, and the cells are convolved
by FFT. For the upper bound each cell's mass is split onto the cell's two ends,
its nodes, in such proportion that the mass under Q is kept too; that can only
help an attacker. For the lower one each cell is merged into one outcome, and
the attacker sees the sum of the cells' numbers alone; that can only hinder
him. What the window of the FFT leaves out, and what rounding may add, is the
slack of each bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.loss._laws import (
    ROUNDING,
    Gaussian,
    Laplace,
    Law,
    Parts,
    total,
)
from dpwidgets.calculators.loss._numerics import suffix_sums
from dpwidgets.calculators.loss._tilted import (
    TAIL,
    UNIT,
    Cells,
    Tilted,
    convolution,
    joined,
    window,
)
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import FloatArray

AIM = 4e-7  # how far apart the bounds shall be
TRIED = 2**15  # how many pieces are tried one by one
SHARE = 1e-5  # by which share of it the variance may grow
# All three for a rough grid.
ROUGH_AIM = 2e-5
ROUGH_TRIED = 256
ROUGH_SHARE = 2e-5
SMALLEST = -703.0  # no law is laid for what is less likely than e to this
FINE = 0.005  # no step is wider than this share of the spread, if that can be
LARGEST = 2**20  # how many cells a window may have, roughly


def _spread(parts: Parts) -> float:
    """Return the standard deviation of the sum."""
    return math.sqrt(total(parts, lambda law: law.variance))


def _scatter(parts: Parts, steps: FloatArray) -> FloatArray:
    """Return the scatter of all parts together, for each of these steps."""
    added = [count * law.scatter(steps) for law, count in parts]
    return np.asarray(np.sum(added, axis=0))


def _width(law: Law) -> float:
    low, high = law.ends
    return high - low


def _step(
    parts: Parts,
    kinks: float,
    aim: float = AIM,
    most: int = TRIED,
    share: float = SHARE,
) -> float:
    """Find the widest step that cuts the widest part evenly and leaves the bounds `aim` apart.

    Splitting the cells adds the scatter to the variance and merging takes half
    of that away, while δ bends by at most 0.4/spread: together they change δ
    by 0.3 · scatter/spread. And scatter/step shall be at most `kinks`.

    Parameters
    ----------
    parts : tuple of (Law, int)
        What is composed, and how often.
    kinks : float
        How large scatter/step may be; infinite for no such limit.
    aim : float
        How far apart the two bounds of δ may be.
    most : int
        How many pieces are tried one by one.
    share : float
        By which share of it the variance may grow.
    """
    spread = _spread(parts)
    releases = sum(count for _, count in parts)
    farthest = max(max(map(abs, law.ends)) for law, _ in parts)
    if spread <= 1e-12 * farthest:  # one loss, as far as floats can tell
        return 1.0
    # Its ends shall be nodes.
    widest, _ = max(parts, key=lambda part: part[1] * part[0].variance)
    unit = _width(widest) or spread
    allowed = min(aim * spread / 0.3, share * spread**2)
    # No scatter exceeds step²/4.
    fine = min(math.sqrt(4 * allowed / releases), 4 * kinks / releases)
    # The window holds nine deviations on either side, and each part's cells
    # fit into it.
    room = 18 * spread + 6 * max(_width(law) for law, _ in parts)
    least = room / LARGEST
    # Another part may be far wider, though it hardly varies.
    unit = max(unit, least)
    pieces = math.ceil(unit / max(fine, least))
    # Into how many pieces the range is cut: every small number, since a step
    # that happens to meet the atoms scatters nothing, and of the large ones a
    # few.
    small = np.arange(1, min(pieces, most))
    large = np.ceil(np.geomspace(1, pieces, 64))
    steps = unit / np.union1d(small, large)
    excess = _scatter(parts, steps) / np.minimum(allowed, kinks * steps)
    excess = np.maximum(excess, steps / (FINE * spread))
    if excess.min() <= 1:
        return float(steps[np.argmax(excess <= 1)])  # the first that fits
    return float(steps[np.argmin(excess)])


#: A bound that falls along the loss, by one of the tilted laws.
Bound: TypeAlias = Callable[[Tilted, FloatArray], FloatArray]


@dataclass(frozen=True)
class Curve:
    """What the events "the loss is at least this node" gain an attacker, up to a slack.

    Node i lies at first + i · step. The event has the mass p under P and
    e^(−node) · q under Q, so that it gains p − e^(ε − node) · q.

    Attributes
    ----------
    first, step : float
        The lowest node, and the distance of two.
    p, q : array of shape (nodes,)
        The masses of the events, as above.
    slack : float
        By how much a gain may be too large.
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

    def _nodes(self, law: Law) -> FloatArray:
        """Return a law's nodes, rising, laid from its high end down.

        The largest loss is often the likeliest, and so stays where it is. One
        more node on either side catches what rounding moves across an end.
        """
        low, high = law.ends
        last = math.ceil((high - low) / self.step) + 1.0
        return np.asarray(high - self.step * np.arange(last, -2.0, -1.0))

    @cached_property
    def upper(self) -> Tilted:
        """The law of the split masses, which keep their sums under P and under Q."""
        parts: list[Cells] = []
        for law, count in self.parts:
            nodes = self._nodes(law)
            p, q = law.cells(nodes)
            # Of a cell's mass p the part x goes to its right node, where Q
            # counts e^(−step) of it: p − x + e^(−step) · x = q.
            right = np.clip((p - q) / -math.expm1(-self.step), 0.0, p)
            left = p - right
            masses = np.append(left, 0.0) + np.append(0.0, right)
            split = left * right / np.maximum(p, np.finfo(float).tiny)
            last = int(np.flatnonzero(masses)[-1])
            some = slice(last + 1)
            parts.append(Cells(count, nodes[some], masses[some], split[:last]))
        return Tilted(joined(parts, self.step), self.step)

    @cached_property
    def lower(self) -> Curve:
        """The curve of the merged cells around the nodes.

        A cell's mass under Q is kept as e^(centre) times itself. What is
        missing to the sum of the masses under P is a factor, and moves all
        nodes together.
        """
        half = self.step / 2
        under_p: list[FloatArray] = []
        under_q: list[FloatArray] = []
        first = 0.0
        for law, count in self.parts:
            nodes = self._nodes(law)
            p, q = law.cells(np.append(nodes - half, nodes[-1] + half))
            ratio = float(p.sum() / q.sum())
            under_p.append(p)
            under_q.append(q * ratio)
            first += count * (float(nodes[0]) + math.log(ratio) - half)
        # The masses are composed under P and, times e^node, under Q, and then
        # summed from above.
        counts = [count for _, count in self.parts]
        low, high = window(under_p, counts, _spread(self.parts) / self.step)
        p, slack = convolution(under_p, counts, low, high)
        q, more = convolution(under_q, counts, low, high)
        in_p = np.append(suffix_sums(p, 1.0), 0.0)
        in_q = np.append(suffix_sums(q, math.exp(-self.step)), 0.0)
        slack += more + 2 * TAIL + self.upper.rounding
        return Curve(first + self.step * low, self.step, in_p, in_q, slack)

    @cached_property
    def width(self) -> float:
        """How far apart the two bounds are at most: where the lower one has its kinks."""
        nodes = np.arange(float(self.lower.p.size))
        kinks = self.lower.first + self.step * nodes
        return float(np.max(self.upper.delta(kinks) - self.lower.delta(kinks)))

    @cached_property
    def _noise(self) -> Gaussian | None:
        """The Gaussian law among the parts, of which there is at most one."""
        for law, _ in self.parts:
            if isinstance(law, Gaussian):
                return law
        return None

    def _delta(self, law: Tilted, epsilon: FloatArray) -> FloatArray:
        # Where rounding would be all there is: only Gaussian noise lifts the
        # loss above the others' highest.
        others = [part for part in self.parts if part[0] is not self._noise]
        highest = [count * part.highest for part, count in others]
        excess = epsilon - sum(loss + 8 * UNIT * abs(loss) for loss in highest)
        if self._noise:
            far = self._noise.delta(excess)
        else:
            far = 0.0 - np.expm1(np.minimum(excess, 0))
        finite = np.minimum(law.delta(epsilon), far)
        return np.minimum(self.infinite + finite, 1)

    def _tail(self, law: Tilted, loss: FloatArray) -> FloatArray:
        return np.minimum(self.infinite + law.tail(loss), 1)

    def _beyond(self, law: Tilted, loss: FloatArray) -> FloatArray:
        return np.minimum(self.infinite + law.beyond(loss), 1)

    def _each(self, falls: Bound, loss: FloatArray) -> FloatArray:
        """Evaluate what falls along the loss, at each by the law that is tilted to there."""
        law = self.upper
        low = -math.inf
        most = np.max(loss, initial=-math.inf)
        found = np.empty(np.shape(loss))
        while law.next and law.end < most and law.log_end > SMALLEST:
            here = (loss > low) & (loss <= law.end)
            if here.any():
                found[here] = falls(law, loss[here])
            low = law.end
            law = law.next
        here = loss > low
        found[here] = falls(law, loss[here])
        return found

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Bound δ(ε) from above, for ε of any shape."""
        return self._each(self._delta, epsilon)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        """Compute P[L > ε], right to a step or to a few, for ε of any shape."""
        return self._each(self._tail, epsilon)

    def epsilon(self, delta: float) -> float:
        """Return the least ε ≥ 0 whose δ(ε) is at most so large; it is at least `infinite`."""
        return self._least(self.upper, self._delta, delta)

    def exceeded(self, probability: float) -> float:
        """Return a loss ≥ 0 that is exceeded with at most this probability, or `infinite`."""
        # With more tilted laws: one that lies far from a loss says less of
        # what lies beyond it.
        closer = replace(self.upper, apart=3.0)
        return self._least(closer, self._beyond, probability)

    def _least(self, law: Tilted, falls: Bound, limit: float) -> float:
        """Return the least loss ≥ 0 at which what falls is at most the limit."""
        passed: list[Tilted] = []
        rest = math.log(max(limit - self.infinite, 1e-320))
        while law.next and law.log_end > rest:
            passed.append(law)
            law = law.next
        # So far by Chernoff's bound alone. Perhaps the end of the last law is
        # enough.
        while passed and falls(law, np.array(passed[-1].end)) <= limit:
            law = passed.pop()
        # Chernoff's bound may be met below 0, where nobody looks.
        low = max(passed[-1].end, 0.0) if passed else 0.0
        high = max(min(law.end, 1e15), low)
        return float(
            least(lambda loss: falls(law, loss) <= limit, low, high, 16)
        )

    def bounds(self, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute two numbers between which δ(ε) lies for certain, for ε of any shape."""
        lower = np.maximum(self.lower.delta(epsilon) - self.lower.slack, 0)
        upper = self.delta(epsilon) + ROUNDING * self.infinite
        return lower + (1 - ROUNDING) * self.infinite, np.minimum(upper, 1)


def grid(parts: Parts, infinite: float, rough: bool = False) -> Grid:
    """Lay a grid so fine that the bounds are close, if that does not take too many cells.

    A rough one aims at bounds less close and does not look whether they are.

    Parameters
    ----------
    parts : tuple of (Law, int)
        What is composed, and how often.
    infinite : float
        The mass at infinity of all together.
    rough : bool
        Whether it is a rough one.
    """
    if rough:
        step = _step(parts, math.inf, ROUGH_AIM, ROUGH_TRIED, ROUGH_SHARE)
        return Grid(parts, infinite, step)
    coarse = Grid(parts, infinite, _step(parts, math.inf))
    if len(parts) == 1 and isinstance(parts[0][0], Laplace):
        return coarse
    if coarse.width <= 2 * AIM:
        return coarse
    # Where few outcomes carry the mass δ has kinks, and there the bounds'
    # distance goes with scatter/step. The coarse grid says by how much that
    # must fall.
    scatter = _scatter(parts, np.array([coarse.step]))[0]
    kinks = float(scatter / coarse.step * AIM / coarse.width)
    step = _step(parts, kinks)
    if step == coarse.step:
        return coarse
    fine = Grid(parts, infinite, step)
    return fine if fine.width < coarse.width else coarse
