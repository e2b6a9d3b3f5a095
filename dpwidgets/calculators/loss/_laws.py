"""The law of the privacy loss of one release: Gaussian, or finitely many atoms, with Laplace's density between them.

Every law knows its `mean` and `variance`, its mass at infinity, the `ends` beyond which next to no
other mass lies and the `highest` finite loss; `cdf`, `tail` and `delta`, all without loss of
digits; and what a grid asks of it: `cells`, the masses between edges under P and, times e^(lower
edge), under Q, and `scatter`, E[(L − a)(b − L)] for the grid's nodes a and b beside L, the nodes
being laid from the high end down. That product is the variance that L gains when its mass is split
onto a and b.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeAlias

import numpy as np
from scipy.special import erfcx, gammainc, ndtr

from dpwidgets.calculators.domain import FloatArray

ROUNDING = 1e-12  # what a closed form may be off, relatively
SAME = 1e-14  # losses this close, relative to the largest, are equal
CUT = 1e-20  # the share of the mass that may lie beyond either end
FEW = 8  # so many atoms can be looked at one by one; more of them lie about a grid's nodes like a density
LISTED = 16  # how many bits may number the outcomes that are listed one by one
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


class Law:
    """What the laws have in common; the module says what each adds."""

    def bounds(self, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Allow for rounding, of the closed form and of the losses themselves."""
        delta = self.delta(epsilon)
        slack = ROUNDING * (delta + max(map(abs, self.ends)) * self.tail(epsilon))
        return np.maximum(delta - slack, 0.0), np.minimum(delta + slack, 1.0)

    def scatter(self, steps: FloatArray) -> FloatArray:
        return (1 - self.infinite) * steps**2 / 6  # that of a density


Parts: TypeAlias = tuple[tuple[Law, int], ...]  # what is composed, and how often


@dataclass(frozen=True)
class Gaussian(Law):
    """The Gaussian law with mean μ²/2 and standard deviation μ."""

    mu: float

    infinite = 0.0
    highest = math.inf

    @property
    def mean(self) -> float:
        return self.mu * self.mu / 2

    @property
    def variance(self) -> float:
        return self.mu * self.mu

    @property
    def ends(self) -> tuple[float, float]:
        return self.mean - 9.3 * self.mu, self.mean + 9.3 * self.mu  # beyond, less than CUT

    def _standard(self, loss: FloatArray) -> FloatArray:
        return np.clip(loss / self.mu - self.mu / 2, -1e3, 1e3)  # beyond, every mass is 0 or 1

    def cdf(self, loss: FloatArray) -> FloatArray:
        return ndtr(self._standard(loss))

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return ndtr(-self._standard(epsilon))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        # δ = Φ(−x) − e^ε Φ(−x−μ), where e^ε φ(x+μ) = φ(x): φ(x) times the fall of Mills' ratio m
        # from x to x + μ. For a small μ that is taken as the integral of −m' = 1 − x m, since a
        # difference would lose its digits.
        mu, size = self.mu, np.abs(epsilon)
        x = self._standard(size)
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        if mu < 4:
            points = x[..., np.newaxis] + mu * (1 + NODES) / 2
            delta = density * ((1 - points * _mills(points)) @ WEIGHTS) * mu / 2
        else:
            delta = ndtr(-x) - density * _mills(x + mu)
        return np.where(
            epsilon < 0, np.exp(-size) * delta - np.expm1(-size), delta
        )  # P and Q change places

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        tail = self.tail(edges)
        beyond = tail - self.delta(edges)  # under Q, e^edge times the mass above the edge
        return tail[:-1] - tail[1:], beyond[:-1] - np.exp(edges[:-1] - edges[1:]) * beyond[1:]


@dataclass(frozen=True)
class Atoms(Law):
    """Finitely many losses in rising order and their masses, and a mass at infinity."""

    losses: FloatArray = field(compare=False)
    masses: FloatArray = field(compare=False)
    infinite: float
    mean: float
    content: bytes  # the arrays once more, to compare and to hash

    @classmethod
    def of(cls, losses: FloatArray, masses: FloatArray, mean: float) -> Atoms:
        """Sort the losses, merge equal ones, and leave out those of mass 0."""
        kept = (masses > 0) & (losses < np.inf)
        infinite = (
            float(masses[losses == np.inf].sum()) if kept.any() else 1.0
        )  # whatever the rounding of the sum
        losses, which = np.unique(losses[kept], return_inverse=True)
        masses = np.bincount(which, masses[kept])
        return cls(losses, masses, infinite, mean, losses.tobytes() + masses.tobytes())

    @property
    def highest(self) -> float:
        return float(self.losses[-1])

    @property
    def variance(self) -> float:
        return float(
            self.masses @ (self.losses - self.masses @ self.losses / self.masses.sum()) ** 2
        )

    @property
    def ends(self) -> tuple[float, float]:
        masses, cut = self.masses, CUT * self.masses.sum()
        inside = self.losses[(np.cumsum(masses) > cut) & (np.cumsum(masses[::-1])[::-1] > cut)]
        return (float(inside[0]), float(inside[-1])) if inside.size else (0.0, 0.0)

    def _first_above(self, loss: FloatArray) -> FloatArray:
        return np.searchsorted(
            self.losses, loss + SAME * np.abs(self.losses).max(initial=0.0), side="right"
        )

    def cdf(self, loss: FloatArray) -> FloatArray:
        return np.minimum(np.append(0.0, np.cumsum(self.masses))[self._first_above(loss)], 1.0)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        above = np.append(np.cumsum(self.masses[::-1])[::-1], 0.0)
        return np.minimum(self.infinite + above[self._first_above(epsilon)], 1.0)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        firsts = np.searchsorted(self.losses, epsilon, side="right")
        sums = [
            self.infinite - self.masses[first:] @ np.expm1(one - self.losses[first:])
            for one, first in zip(epsilon.flat, firsts.flat, strict=True)
        ]
        return np.clip(np.reshape(sums, epsilon.shape), 0.0, 1.0)

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        cell = np.searchsorted(edges, self.losses, side="right")
        q = self.masses * np.exp(np.minimum(edges[cell - 1] - self.losses, 0))
        return tuple(
            np.bincount(cell, weights, edges.size + 1)[1:-1] for weights in (self.masses, q)
        )

    def scatter(self, steps: FloatArray) -> FloatArray:
        if self.losses.size > FEW:
            return super().scatter(steps)
        places = (self.ends[1] - self.losses) / steps[:, np.newaxis] % 1
        return (places * (1 - places)) @ self.masses * steps**2


class Laplace(Atoms):
    """Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them."""

    @classmethod
    def of(cls, epsilon: float) -> Laplace:
        losses, masses = np.array([-epsilon, epsilon]), np.array([math.exp(-epsilon) / 2, 0.5])
        return cls(losses, masses, 0.0, float(excess(epsilon)), losses.tobytes())

    @property
    def variance(self) -> float:
        # ε − L is 0 or, with probability 1/2, twice an exponential variable that is cut off at ε.
        return float(4 * gammainc(2, self.highest) - np.expm1(-self.highest) ** 2)

    @property
    def ends(self) -> tuple[float, float]:
        return max(-self.highest, self.highest + 2 * math.log(CUT)), self.highest

    def cdf(self, loss: FloatArray) -> FloatArray:
        between = np.exp((np.minimum(loss, self.highest) - self.highest) / 2) / 2
        return np.where(loss < -self.highest, 0.0, np.where(loss < self.highest, between, 1.0))

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return 1 - self.cdf(epsilon)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        low, high = self.losses
        exponent = np.where(
            epsilon < low, np.minimum(epsilon, low), (np.minimum(epsilon, high) - high) / 2
        )
        return 0.0 - np.expm1(exponent)

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        p, q = super().cells(edges)
        low, high = self.losses
        start, stop = np.clip(edges[:-1], low, high), np.clip(edges[1:], low, high)
        p += np.exp((start - high) / 2) * np.expm1((stop - start) / 2) / 2
        q -= np.exp(edges[:-1] - (start + high) / 2) * np.expm1((start - stop) / 2) / 2
        return p, q

    def scatter(self, steps: FloatArray) -> FloatArray:
        return super().scatter(steps) - np.expm1(-self.highest) / 2 * steps**2 / 6


def listed(parts: Parts, mean: float, infinite: float) -> Atoms | None:
    """List the summed losses of a composition one by one, if there are few, or if one of two occurs each time."""
    if infinite == 1:
        return Atoms.of(np.array([np.inf]), np.ones(1), mean)
    if not all(type(law) is Atoms for law, _ in parts):
        return None
    (law, count), *others = parts
    if law.losses.size == 2 and not others:
        first, masses = binomial_masses(count, float(law.masses[1]), float(law.masses[0]))
        highs, masses = first + np.arange(masses.size), masses * (1 - infinite)
        losses = highs * law.losses[1] + (count - highs) * law.losses[0]
    elif sum(count * math.log2(1 + law.losses.size) for law, count in parts) <= LISTED:
        laws = [law for law, count in parts for _ in range(count)]
        losses = reduce(np.add.outer, [law.losses for law in laws]).ravel()
        masses = reduce(np.multiply.outer, [law.masses for law in laws]).ravel()
    else:
        return None
    return Atoms.of(np.append(losses, np.inf), np.append(masses, infinite), mean)


def binomial_masses(trials: int, success: float, failure: float) -> tuple[int, FloatArray]:
    """Compute binomial masses from the mode outwards, as far as they reach 1e-300, and the first's number."""
    mode = min(trials, int((trials + 1) * success / (success + failure)))
    reach = int(20 * math.sqrt(trials)) + 1  # Hoeffding: beyond, less than e^(−800)
    ups, downs = (
        np.arange(mode, min(trials, mode + reach)),
        np.arange(mode, max(0, mode - reach), -1),
    )
    up = np.cumprod((trials - ups) / (ups + 1) * (success / failure))
    down = np.cumprod(downs / (trials - downs + 1) * (failure / success))
    masses = np.concatenate([down[::-1], [1.0], up])
    return mode - downs.size, masses / masses.sum()


def excess(x: FloatArray) -> FloatArray:
    """e^(−x) − 1 + x for x ≥ 0, right for small x too."""
    return -x * np.expm1(-x) - gammainc(2, x)


def mean_loss(losses: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Σ p·L = Σ (p·L + q − p), whose terms are positive: p·(e^(−L) − 1 + L), or q·(1 − e^L (1 − L)) in other words."""
    if np.any((losses == np.inf) & (p > 0)):
        return math.inf
    up, down = losses > 0, losses <= 0
    return float(p[up] @ excess(losses[up]) + q[down] @ gammainc(2, -losses[down]))


def _mills(x: FloatArray) -> FloatArray:
    """Mills' ratio of the normal law, its tail over its density."""
    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))
