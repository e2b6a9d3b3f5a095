"""The law of one release's privacy loss: Gaussian, or atoms, with Laplace's density between them.

What composes laws asks each of them for the same things:

- `infinite`, the mass at infinity; `mean`, infinite where there is one; the
  `centre` of the finite losses, and their `variance`, the sum of mass · (L −
  centre)²;
- `ends`, two losses beyond which next to none of the finite ones lie, and
  `highest`, the largest: infinite where they have no end;
- a ρ of zero-concentrated privacy and a μ of Gaussian privacy;
- `tail`, P[L > ε], and `delta`, E[(1 − e^(ε−L))₊], for ε of any shape; no
  digits are lost;
- `cells`: for k + 1 edges the masses of the k cells between them, under P, and
  under Q times e^(the cell's lower edge);
- `scatter`: for each step of a grid, which is laid from the high end down,
  E[(L − a)(b − L)] for the nodes a and b beside L. By so much the variance
  grows when the mass at L is split onto a and b.

An exponential may underflow to 0 anywhere here, and that is meant. Callers
allow for it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Self, TypeAlias

import numpy as np
from scipy.special import erfcinv, erfinv, gammainc, ndtr, ndtri_exp

from dpwidgets.calculators.loss._numerics import (
    binomial_masses,
    excess,
    mills,
    suffix_sums,
)
from dpwidgets.inputs.domain import FloatArray

SAME = 1e-14  # losses this close, relative to the largest, are equal
CUT = 1e-20  # the share of the mass that may lie below the low end
FEW = 8  # more atoms than that lie about a grid's nodes like a density
LISTED = 16  # how many bits may number the outcomes that are listed one by one
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True)
class GaussianLoss:
    """The Gaussian law with mean μ²/2 and standard deviation μ."""

    mu: float

    infinite = 0.0
    highest = math.inf

    @property
    def mean(self) -> float:
        """The mean, μ²/2."""
        return self.mu * self.mu / 2

    centre = mean
    rho = mean

    @property
    def variance(self) -> float:
        """The variance, μ²."""
        return self.mu * self.mu

    @property
    def ends(self) -> tuple[float, float]:
        """Below them lies less than CUT, above less than any float: large losses matter most."""
        return self.mean - 9.3 * self.mu, self.mean + 38.6 * self.mu

    def _standard(self, loss: FloatArray) -> FloatArray:
        # Beyond, every mass is 0 or 1.
        return np.clip(loss / self.mu - self.mu / 2, -1e3, 1e3)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        """Compute Φ(−x) with x = ε/μ − μ/2."""
        return np.asarray(ndtr(-self._standard(epsilon)))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Compute Φ(−x) − e^ε Φ(−x−μ), where e^ε φ(x+μ) = φ(x).

        That is φ(x) times the fall of Mills' ratio m from x to x + μ. For a
        small μ it is taken as the integral of −m' = 1 − x m, since a
        difference would lose its digits.
        """
        mu = self.mu
        size = np.abs(epsilon)
        x = self._standard(size)
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        if mu < 4:
            points = x[..., np.newaxis] + mu * (1 + NODES) / 2
            falls = (1 - points * mills(points)) @ WEIGHTS
            delta = density * falls * mu / 2
        else:
            delta = ndtr(-x) - density * mills(x + mu)
        # Below 0 P and Q change places.
        mirrored = np.exp(-size) * delta - np.expm1(-size)
        return np.where(epsilon < 0, mirrored, delta)

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Subtract what lies above each cell from what lies above its lower edge."""
        tail = self.tail(edges)
        x = self._standard(edges)
        # Under Q, e^edge times the mass above the edge, Φ(−x−μ); and e^edge
        # φ(x+μ) = φ(x).
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        high = density * mills(np.maximum(x + self.mu, 0))
        low = np.exp(np.minimum(edges, 0)) * ndtr(-x - self.mu)
        beyond = np.where(x + self.mu > 0, high, low)
        fall = np.exp(edges[:-1] - edges[1:])
        return tail[:-1] - tail[1:], beyond[:-1] - fall * beyond[1:]

    def scatter(self, steps: FloatArray) -> FloatArray:
        """Compute that of a density."""
        return steps**2 / 6


@dataclass(frozen=True)
class Atoms:
    """Finitely many losses in rising order and their masses, and a mass at infinity.

    Attributes
    ----------
    losses, masses : array of shape (m,)
        The finite losses, each once, and their masses, all above 0.
    infinite : float
        The mass at infinity.
    mean : float
        The expected loss.
    content : bytes
        The arrays once more, to compare and to hash.
    """

    losses: FloatArray = field(compare=False, repr=False)
    masses: FloatArray = field(compare=False, repr=False)
    infinite: float
    mean: float
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, losses: FloatArray, masses: FloatArray, mean: float) -> Self:
        """Sort the losses, merge equal ones, and leave out those of mass 0."""
        kept = (masses > 0) & (losses < np.inf)
        # Where no loss is finite the mass at infinity is 1, whatever the
        # rounding of its sum.
        infinite = float(masses[losses == np.inf].sum()) if kept.any() else 1.0
        places, which = np.unique(losses[kept], return_inverse=True)
        sums = np.bincount(which, masses[kept]).astype(float)
        content = places.tobytes() + sums.tobytes()
        return cls(places, sums, infinite, mean, content)

    @property
    def highest(self) -> float:
        """The last atom; 0 where there is none."""
        return float(self.losses[-1]) if self.losses.size else 0.0

    @property
    def centre(self) -> float:
        """The mean of the atoms."""
        if math.isfinite(self.mean) or not self.masses.size:
            return self.mean
        return float(np.average(self.losses, weights=self.masses))

    @property
    def variance(self) -> float:
        """The sum over the atoms."""
        return float(self.masses @ (self.losses - self.centre) ** 2)

    @property
    def ends(self) -> tuple[float, float]:
        """The first atom up to which more than a share of CUT lies, and the last; 0 without any."""
        cut = CUT * self.masses.sum()
        inside = self.losses[np.cumsum(self.masses) > cut]
        if not inside.size:
            return 0.0, 0.0
        return float(inside[0]), float(inside[-1])

    @property
    def rho(self) -> float:
        """That of randomized response: no mechanism whose losses are at most ε has a larger one."""
        worst = self._worst()
        return float(worst * np.tanh(worst / 2))

    @property
    def mu(self) -> float:
        """That of randomized response, as for `rho`."""
        return -2 * float(ndtri_exp(-np.logaddexp(0, self._worst())))

    def _worst(self) -> float:
        """Return the largest size of a loss."""
        return math.inf if self.infinite else self._largest()

    def _largest(self) -> float:
        """Return the largest size of a finite loss."""
        return float(np.abs(self.losses).max(initial=0.0))

    @cached_property
    def _above(self) -> FloatArray:
        """The mass from each atom upwards, and 0 after the last."""
        sums = suffix_sums(self.masses, 1.0)
        # Rounding may forget it.
        longer_is_larger = np.maximum.accumulate(sums[::-1])[::-1]
        return np.append(longer_is_larger, 0.0)

    @cached_property
    def _gains(self) -> FloatArray:
        """δ at each atom's own loss, without the mass at infinity, and 0 after the last.

        From one atom to the next lower one δ grows by the mass above, times
        what the gap between the two gains: δ(i) = (1 − e^(−gap)) · above(i+1)
        + e^(−gap) · δ(i+1). No term is negative, so no digits are lost. Sums
        over one step are joined to sums over two, then four.
        """
        gaps = np.diff(self.losses)
        gains = np.append(-np.expm1(-gaps) * self._above[1:-1], [0.0, 0.0])
        decays = np.append(np.exp(-gaps), 0.0)
        width = 1
        while decays.any():
            gains[: decays.size] += decays * gains[width:]
            decays = decays[:-width] * decays[width:]
            width *= 2
        return gains

    def tail(self, epsilon: FloatArray) -> FloatArray:
        """Look up the mass above; an atom that is as good as ε is not above it."""
        same = SAME * self._largest()
        after = np.searchsorted(self.losses, epsilon + same, side="right")
        return np.asarray(np.minimum(self.infinite + self._above[after], 1.0))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Compute δ from that of the next atom above ε."""
        first = np.searchsorted(self.losses, epsilon, side="right")
        fall = np.append(self.losses, np.inf)[first] - epsilon
        near = -np.expm1(-fall) * self._above[first]
        far = np.exp(-fall) * self._gains[first]
        return np.asarray(np.clip(self.infinite + (near + far), 0.0, 1.0))

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Add up the atoms of each cell; one on an edge is in the cell above."""
        cell = np.searchsorted(edges, self.losses, side="right")
        q = self.masses * np.exp(np.minimum(edges[cell - 1] - self.losses, 0))
        in_p = np.bincount(cell, self.masses, edges.size + 1).astype(float)
        in_q = np.bincount(cell, q, edges.size + 1).astype(float)
        return in_p[1:-1], in_q[1:-1]

    def scatter(self, steps: FloatArray) -> FloatArray:
        """Add up that of the atoms, if they are few; of many it is about that of a density."""
        if self.losses.size > FEW:
            return (1 - self.infinite) * steps**2 / 6
        places = (self.ends[1] - self.losses) / steps[:, np.newaxis] % 1
        return np.asarray((places * (1 - places)) @ self.masses * steps**2)


class LaplaceLoss(Atoms):
    """Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them."""

    @classmethod
    def with_epsilon(cls, epsilon: float) -> Self:
        """Return the law of Laplace noise of scale sensitivity/ε."""
        losses = np.array([-epsilon, epsilon])
        masses = np.array([math.exp(-epsilon) / 2, 0.5])
        mean = float(excess(losses[1]))
        return cls(losses, masses, 0.0, mean, losses.tobytes())

    @property
    def variance(self) -> float:
        """That of ε − L, which is 0 or, as often, twice an exponential variable cut off at ε."""
        squares = 4 * gammainc(2, self.highest)
        return float(squares - np.expm1(-self.highest) ** 2)

    @property
    def rho(self) -> float:
        """The mean: D_α/α is largest for α → 1 (Harrison and Manurangsi 2025)."""
        return self.mean

    @property
    def mu(self) -> float:
        """Minus twice Φ⁻¹(α), where the trade-off function f has f(α) = α: at α = e^(−ε/2)/2.

        Between α = e^(−ε)/2 and 1/2 it is f = e^(−ε)/(4α), and beyond it is
        straight. There −Φ⁻¹(α) − Φ⁻¹(f) is largest for α = f, since −Φ⁻¹(e^x)
        is concave in x.
        """
        if self.highest < 1:
            return float(math.sqrt(8) * erfinv(-math.expm1(-self.highest / 2)))
        return float(math.sqrt(8) * erfcinv(math.exp(-self.highest / 2)))

    @property
    def ends(self) -> tuple[float, float]:
        """−ε, or the loss below which the density leaves about CUT; and ε."""
        low = max(-self.highest, self.highest + 2 * math.log(CUT))
        return low, self.highest

    def tail(self, epsilon: FloatArray) -> FloatArray:
        """Compute 1 − e^((x−ε)/2)/2 at x between the atoms; what is as good as one is not above."""
        low, high = self.losses
        half = (np.minimum(epsilon, self.highest) - self.highest) / 2
        between = 1 - np.exp(half) / 2
        same = epsilon + SAME * high
        below_high = np.where(same < high, between, 0.0)
        return np.where(same < low, 1.0, below_high)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        """Compute 1 − e^((x−ε)/2) at x between the atoms, and 1 − e^x below both."""
        low, high = self.losses
        between = (np.minimum(epsilon, high) - high) / 2
        below = np.minimum(epsilon, low)
        logarithm = np.where(epsilon < low, below, between)
        return np.asarray(0.0 - np.expm1(logarithm))

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Add what the density between the atoms gives each cell."""
        p, q = super().cells(edges)
        low, high = self.losses
        start = np.clip(edges[:-1], low, high)
        stop = np.clip(edges[1:], low, high)
        p += np.exp((start - high) / 2) * np.expm1((stop - start) / 2) / 2
        # Above 0 only in empty cells.
        exponent = np.minimum(edges[:-1] - (start + high) / 2, 0)
        q -= np.exp(exponent) * np.expm1((start - stop) / 2) / 2
        return p, q

    def scatter(self, steps: FloatArray) -> FloatArray:
        """Add that of the density between the atoms."""
        between = -math.expm1(-self.highest) / 2  # the mass of the density
        return super().scatter(steps) + between * steps**2 / 6


Law: TypeAlias = GaussianLoss | Atoms
#: What is composed, and how often.
Parts: TypeAlias = tuple[tuple[Law, int], ...]


def total(parts: Parts, of: Callable[[Law], float]) -> float:
    """Add up a number that each law has, as often as it is composed."""
    return sum(count * of(law) for law, count in parts)


def listed(parts: Parts, mean: float, infinite: float) -> Atoms | None:
    """List the sums of the losses one by one, if there are few or each time one of two.

    Parameters
    ----------
    parts : tuple of (Law, int)
        What is composed, and how often.
    mean, infinite : float
        The mean of the sum, and its mass at infinity.

    Returns
    -------
    Atoms or None
        The law of the sum; None where the sums are too many, or no list.
    """
    if infinite == 1:
        return Atoms.of(np.array([np.inf]), np.ones(1), mean)
    laws = [(law, count) for law, count in parts if type(law) is Atoms]
    if len(laws) < len(parts):  # one has a density too, or stands for more
        return None
    law, count = laws[0]
    alone = law.losses.size if len(laws) == 1 else 0
    bits = sum(count * math.log2(1 + law.losses.size) for law, count in laws)
    if alone == 1:
        losses = count * law.losses
        masses = np.array([1 - infinite])
    elif alone == 2:
        low, high = law.losses
        first, shares = binomial_masses(
            count, float(law.masses[1]), float(law.masses[0])
        )
        highs = first + np.arange(shares.size)
        losses = highs * high + (count - highs) * low
        masses = shares * (1 - infinite)
    elif bits <= LISTED:
        each_time = [law for law, count in laws for _ in range(count)]
        losses = reduce(np.add.outer, [law.losses for law in each_time])
        masses = reduce(np.multiply.outer, [law.masses for law in each_time])
    else:
        return None
    losses = np.append(losses, np.inf)
    return Atoms.of(losses, np.append(masses, infinite), mean)
