"""The law of one release's privacy loss: Gaussian, or atoms, with Laplace's density between them.

Every law knows its `mean`, its mass at infinity, the `centre` and `variance`
of the finite losses, the `ends` beyond which next to none of them lie, the
`highest`, the `rho` of zCDP and the `mu` of Gaussian privacy; `tail` and
`delta`, both without loss of digits; and what a grid asks of it: `cells`, the
masses between edges under P and, times e^(lower edge), under Q, and `scatter`,
E[(L − a)(b − L)] for the grid's nodes a and b beside L, the nodes being laid
from the high end down. That product is the variance that L gains when its mass
is split onto a and b.

An exponential may underflow to 0 anywhere here, and that is meant. Callers
allow for it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Self, TypeAlias

import numpy as np
from scipy.special import erfcinv, erfcx, erfinv, gammainc, ndtr, ndtri_exp

from dpwidgets.inputs.domain import FloatArray

ROUNDING = 1e-12  # what a closed form may be off, relatively
SAME = 1e-14  # losses this close, relative to the largest, are equal
CUT = 1e-20  # the share of the mass that may lie below the low end
FEW = 8  # more atoms than that lie about a grid's nodes like a density
LISTED = 16  # how many bits may number the outcomes that are listed one by one
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True)
class Gaussian:
    """The Gaussian law with mean μ²/2 and standard deviation μ."""

    mu: float

    infinite = 0.0
    highest = math.inf

    @property
    def mean(self) -> float:
        return self.mu * self.mu / 2

    centre = rho = mean

    @property
    def variance(self) -> float:
        return self.mu * self.mu

    @property
    def ends(self) -> tuple[float, float]:
        # Below lies less than CUT, and above less than any float: the largest
        # losses matter most.
        return self.mean - 9.3 * self.mu, self.mean + 38.6 * self.mu

    def _standard(self, loss: FloatArray) -> FloatArray:
        # Beyond, every mass is 0 or 1.
        return np.clip(loss / self.mu - self.mu / 2, -1e3, 1e3)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return np.asarray(ndtr(-self._standard(epsilon)))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        # δ = Φ(−x) − e^ε Φ(−x−μ), where e^ε φ(x+μ) = φ(x): φ(x) times the fall
        # of Mills' ratio m from x to x + μ. For a small μ that is taken as the
        # integral of −m' = 1 − x m, since a difference would lose its digits.
        mu, size = self.mu, np.abs(epsilon)
        x = self._standard(size)
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        if mu < 4:
            points = x[..., np.newaxis] + mu * (1 + NODES) / 2
            delta = (
                density * ((1 - points * _mills(points)) @ WEIGHTS) * mu / 2
            )
        else:
            delta = ndtr(-x) - density * _mills(x + mu)
        # Below 0 P and Q change places.
        return np.where(
            epsilon < 0, np.exp(-size) * delta - np.expm1(-size), delta
        )

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        tail, x = self.tail(edges), self._standard(edges)
        # Under Q, e^edge times the mass above the edge, Φ(−x−μ); and e^edge
        # φ(x+μ) = φ(x).
        high = (
            np.exp(-x * x / 2)
            / math.sqrt(2 * math.pi)
            * _mills(np.maximum(x + self.mu, 0))
        )
        low = np.exp(np.minimum(edges, 0)) * ndtr(-x - self.mu)
        beyond = np.where(x + self.mu > 0, high, low)
        return tail[:-1] - tail[1:], beyond[:-1] - np.exp(
            edges[:-1] - edges[1:]
        ) * beyond[1:]

    def scatter(self, steps: FloatArray) -> FloatArray:
        return steps**2 / 6  # that of a density


@dataclass(frozen=True)
class Atoms:
    """Finitely many losses in rising order and their masses, and a mass at infinity."""

    losses: FloatArray = field(compare=False, repr=False)
    masses: FloatArray = field(compare=False, repr=False)
    infinite: float
    mean: float
    # The arrays once more, to compare and to hash.
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
        return cls(
            places, sums, infinite, mean, places.tobytes() + sums.tobytes()
        )

    @property
    def highest(self) -> float:
        return float(self.losses[-1]) if self.losses.size else 0.0

    @property
    def centre(self) -> float:
        if math.isfinite(self.mean) or not self.masses.size:
            return self.mean
        return float(np.average(self.losses, weights=self.masses))

    @property
    def variance(self) -> float:
        return float(self.masses @ (self.losses - self.centre) ** 2)

    @property
    def ends(self) -> tuple[float, float]:
        masses, cut = self.masses, CUT * self.masses.sum()
        inside = self.losses[np.cumsum(masses) > cut]
        return (
            (float(inside[0]), float(inside[-1]))
            if inside.size
            else (0.0, 0.0)
        )

    # No mechanism whose losses are at most ε has a larger ρ or μ than
    # randomized response.
    @property
    def rho(self) -> float:
        largest = np.abs(self.losses).max(initial=0.0)
        return (
            math.inf
            if self.infinite
            else float(largest * np.tanh(largest / 2))
        )

    @property
    def mu(self) -> float:
        largest = np.abs(self.losses).max(initial=0.0)
        return (
            math.inf
            if self.infinite
            else -2 * float(ndtri_exp(-np.logaddexp(0, largest)))
        )

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
        gaps, width = np.diff(self.losses), 1
        gains = np.append(-np.expm1(-gaps) * self._above[1:-1], [0.0, 0.0])
        decays = np.append(np.exp(-gaps), 0.0)
        while decays.any():
            gains[: decays.size] += decays * gains[width:]
            decays, width = decays[:-width] * decays[width:], 2 * width
        return gains

    def tail(self, epsilon: FloatArray) -> FloatArray:
        same = SAME * np.abs(self.losses).max(initial=0.0)
        above = self._above[
            np.searchsorted(self.losses, epsilon + same, side="right")
        ]
        return np.asarray(np.minimum(self.infinite + above, 1.0))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        first = np.searchsorted(self.losses, epsilon, side="right")
        # To ε from the next atom above it.
        fall = np.append(self.losses, np.inf)[first] - epsilon
        gain = (
            -np.expm1(-fall) * self._above[first]
            + np.exp(-fall) * self._gains[first]
        )
        return np.asarray(np.clip(self.infinite + gain, 0.0, 1.0))

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        cell = np.searchsorted(edges, self.losses, side="right")
        q = self.masses * np.exp(np.minimum(edges[cell - 1] - self.losses, 0))
        in_p = np.bincount(cell, self.masses, edges.size + 1).astype(float)
        in_q = np.bincount(cell, q, edges.size + 1).astype(float)
        return in_p[1:-1], in_q[1:-1]

    def scatter(self, steps: FloatArray) -> FloatArray:
        if self.losses.size > FEW:
            # About that of a density.
            return (1 - self.infinite) * steps**2 / 6
        places = (self.ends[1] - self.losses) / steps[:, np.newaxis] % 1
        return np.asarray((places * (1 - places)) @ self.masses * steps**2)


class Laplace(Atoms):
    """Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them."""

    @classmethod
    def with_epsilon(cls, epsilon: float) -> Self:
        losses, masses = (
            np.array([-epsilon, epsilon]),
            np.array([math.exp(-epsilon) / 2, 0.5]),
        )
        return cls(
            losses, masses, 0.0, float(excess(losses[1])), losses.tobytes()
        )

    @property
    def variance(self) -> float:
        # ε − L is 0 or, with probability 1/2, twice an exponential variable
        # that is cut off at ε.
        return float(
            4 * gammainc(2, self.highest) - np.expm1(-self.highest) ** 2
        )

    @property
    def rho(self) -> float:
        # Harrison and Manurangsi 2025: D_α/α is largest for α → 1.
        return self.mean

    @property
    def mu(self) -> float:
        # Between α = e^(−ε)/2 and 1/2 the trade-off function is f =
        # e^(−ε)/(4α), and beyond it is straight. There −Φ⁻¹(α) − Φ⁻¹(f) is
        # largest for α = f, since −Φ⁻¹(e^x) is concave in x.
        if self.highest < 1:
            return float(math.sqrt(8) * erfinv(-math.expm1(-self.highest / 2)))
        return float(math.sqrt(8) * erfcinv(math.exp(-self.highest / 2)))

    @property
    def ends(self) -> tuple[float, float]:
        return max(
            -self.highest, self.highest + 2 * math.log(CUT)
        ), self.highest

    def tail(self, epsilon: FloatArray) -> FloatArray:
        between = (
            1
            - np.exp((np.minimum(epsilon, self.highest) - self.highest) / 2)
            / 2
        )
        low, high = self.losses
        return np.where(
            epsilon < low, 1.0, np.where(epsilon < high, between, 0.0)
        )

    def delta(self, epsilon: FloatArray) -> FloatArray:
        low, high = self.losses
        above = (np.minimum(epsilon, high) - high) / 2
        return np.asarray(
            0.0
            - np.expm1(
                np.where(epsilon < low, np.minimum(epsilon, low), above)
            )
        )

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        p, q = super().cells(edges)
        low, high = self.losses
        start, stop = (
            np.clip(edges[:-1], low, high),
            np.clip(edges[1:], low, high),
        )
        p += np.exp((start - high) / 2) * np.expm1((stop - start) / 2) / 2
        # Above 0 only in empty cells.
        exponent = np.minimum(edges[:-1] - (start + high) / 2, 0)
        q -= np.exp(exponent) * np.expm1((start - stop) / 2) / 2
        return p, q

    def scatter(self, steps: FloatArray) -> FloatArray:
        between = -math.expm1(-self.highest) / 2  # the mass of the density
        return super().scatter(steps) + between * steps**2 / 6


Law: TypeAlias = Gaussian | Atoms
# What is composed, and how often.
Parts: TypeAlias = tuple[tuple[Law, int], ...]


def bounds(law: Law, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Allow for rounding, of a law's δ and of the losses themselves."""
    delta = law.delta(epsilon)
    slack = ROUNDING * (delta + max(map(abs, law.ends)) * law.tail(epsilon))
    return np.maximum(delta - slack, 0.0), np.minimum(delta + slack, 1.0)


def listed(parts: Parts, mean: float, infinite: float) -> Atoms | None:
    """List the sums of the losses one by one, if there are few or each time one of two."""
    if infinite == 1:
        return Atoms.of(np.array([np.inf]), np.ones(1), mean)
    # And not a Laplace.
    laws = [(law, count) for law, count in parts if type(law) is Atoms]
    if len(laws) < len(parts):
        return None
    (law, count), *others = laws
    if law.losses.size == 1 and not others:
        losses, masses = count * law.losses, np.array([1 - infinite])
    elif law.losses.size == 2 and not others:
        first, shares = binomial_masses(
            count, float(law.masses[1]), float(law.masses[0])
        )
        highs, masses = first + np.arange(shares.size), shares * (1 - infinite)
        losses = highs * law.losses[1] + (count - highs) * law.losses[0]
    elif (
        sum(count * math.log2(1 + law.losses.size) for law, count in laws)
        <= LISTED
    ):
        each_time = [law for law, count in laws for _ in range(count)]
        losses = reduce(
            np.add.outer, [law.losses for law in each_time]
        ).ravel()
        masses = reduce(
            np.multiply.outer, [law.masses for law in each_time]
        ).ravel()
    else:
        return None
    return Atoms.of(
        np.append(losses, np.inf), np.append(masses, infinite), mean
    )


def binomial_masses(
    trials: int, success: float, failure: float
) -> tuple[int, FloatArray]:
    """Compute the first number of successes whose mass reaches 1e-300, and the masses from there.

    From the mode outwards each is the last one times the ratio of the two.
    """
    mode = min(trials, int((trials + 1) * success / (success + failure)))
    # Hoeffding: beyond, less than e^(−800).
    reach = int(20 * math.sqrt(trials)) + 1
    ups = np.arange(mode, min(trials, mode + reach))
    downs = np.arange(mode, max(0, mode - reach), -1)
    up = np.cumprod((trials - ups) / (ups + 1) * (success / failure))
    down = np.cumprod(downs / (trials - downs + 1) * (failure / success))
    masses = np.concatenate([down[::-1], [1.0], up])
    return mode - downs.size, masses / masses.sum()


def excess(x: FloatArray) -> FloatArray:
    """e^(−x) − 1 + x for x ≥ 0, right for small x too."""
    return np.asarray(-x * np.expm1(-x) - gammainc(2, x))


def mean_loss(losses: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Sum p·L, as p·L + q − p: these terms are positive, and have the same sum.

    Each is p·(e^(−L) − 1 + L), or in other words q·(1 − e^L (1 − L)).
    """
    if np.any((losses == np.inf) & (p > 0)):
        return math.inf
    up, down = losses > 0, losses <= 0
    return float(
        p[up] @ excess(losses[up]) + q[down] @ gammainc(2, -losses[down])
    )


def _mills(x: FloatArray) -> FloatArray:
    """Mills' ratio of the normal law, its tail over its density."""
    return np.asarray(math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2)))


def suffix_sums(masses: FloatArray, decay: float) -> FloatArray:
    """Sum masses[j] · decay^(j−i) over j ≥ i, for every i.

    First pairs are summed, then fours, so that rounding hardly grows.
    """
    sums, width = masses.copy(), 1
    while width < sums.size and decay > 1e-32:
        sums[:-width] += decay * sums[width:]
        width, decay = 2 * width, decay * decay
    return sums


def lowest(
    function: Callable[[FloatArray], FloatArray],
    low: FloatArray,
    high: FloatArray,
) -> FloatArray:
    """Return the least values of a function, each between two places, that falls and then rises."""
    found = np.full(np.shape(low), np.inf)
    for _ in range(10):  # each time a sixteenth of the range is left
        places = np.linspace(low, high, 33)
        values = function(places)
        found = np.minimum(found, values.min(0))
        middle = np.take_along_axis(places, values.argmin(0)[np.newaxis], 0)[0]
        gap = (high - low) / 32
        low, high = middle - gap, middle + gap
    return found
