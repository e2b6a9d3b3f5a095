"""The kinds of noise, and what noisy numbers tell together of a person.

A shift is how far the truth moves between two databases, in units of the
noise's scale: Δf/b for Laplace and geometric noise, Δf/σ for Gaussian noise.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcinv, erfinv

from dpwidgets.calculators import loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest, least
from dpwidgets.inputs.domain import EPSILON, FloatArray

#: 1 − e^(−this) is 1 in floats.
_CERTAIN = 40.0


@dataclass(frozen=True)
class Noise(ABC):
    """A kind of noise: the law of its loss, and how far from the truth it is at a scale."""

    @abstractmethod
    def law(self, shift: float) -> loss.LossDistribution:
        """Return the law of the loss of one number."""

    @abstractmethod
    def error(self, scale: float) -> float:
        """Return how far from the truth it is on average."""

    @abstractmethod
    def within(self, scale: float, log_outside: float) -> float:
        """Return the distance beyond which it lies so often, of which the logarithm is given."""

    @abstractmethod
    def change_within(self, scale: float, log_outside: float) -> float:
        """Return the same for the difference of two such noises."""

    def largest_scale(
        self, number: Callable[[float], float], limit: float
    ) -> float:
        """Return the largest scale at which a number that grows with it is at most a limit."""
        return limit / number(1.0)


class Laplace(Noise):
    """Laplace noise: the loss of one number is at most its shift."""

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.laplace(shift)

    def error(self, scale: float) -> float:
        return scale

    def within(self, scale: float, log_outside: float) -> float:
        return scale * -log_outside

    def change_within(self, scale: float, log_outside: float) -> float:
        # The difference is farther than t from 0 with a probability of (1 +
        # t/2)·e^(−t).
        high = 1 - 3 * log_outside
        return scale * float(
            least(lambda t: np.log1p(t / 2) - t <= log_outside, 0.0, high)
        )


class Gaussian(Noise):
    """Gaussian noise: the loss is normal, with mean μ²/2 and variance μ² for a shift of μ."""

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.gaussian(shift)

    def error(self, scale: float) -> float:
        return scale * math.sqrt(2 / math.pi)

    def within(self, scale: float, log_outside: float) -> float:
        rare = log_outside < -1  # each way has digits where the other has none
        size = (
            erfcinv(math.exp(log_outside))
            if rare
            else erfinv(-math.expm1(log_outside))
        )
        return scale * math.sqrt(2) * float(size)

    def change_within(self, scale: float, log_outside: float) -> float:
        return math.sqrt(2) * self.within(scale, log_outside)


@dataclass(frozen=True)
class Geometric(Noise):
    """Two-sided geometric noise: whole numbers, P[z] ∝ e^(−|z|/b), added to whole numbers.

    The loss of one number is at most its shift, as for Laplace noise, but it
    has fewer values. One step apart, it is that of randomized response.

    Parameters
    ----------
    steps : int
        By how many whole numbers the truth moves.
    """

    steps: int

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.geometric(shift, self.steps)

    def error(self, scale: float) -> float:
        return 2 * math.exp(-1 / scale) / -math.expm1(-2 / scale)

    def within(self, scale: float, log_outside: float) -> float:
        # P[|z| ≥ t] = 2·a^t/(1 + a), with a = e^(−1/b)
        more = math.log(2) - math.log1p(math.exp(-1 / scale)) - log_outside
        return math.ceil(scale * more) - 1.0

    def largest_scale(
        self, number: Callable[[float], float], limit: float
    ) -> float:
        # Rounding may have made it a little less than a whole number.
        limit *= 1 + 1e-12
        return largest(
            lambda scale: number(scale) - limit, 1e-3, SCALE.high, first=1.0
        )

    def change_within(self, scale: float, log_outside: float) -> float:
        ratio = math.exp(-1 / scale)

        def enough(distance: FloatArray) -> NDArray[np.bool_]:
            # The difference is farther than t from 0 with a probability of
            # 2·a^(t+1)·((1 − a)(t + 1) + (1 + a + 2a²)/(1 + a))/(1 + a)², with
            # a = e^(−1/b).
            rest = -math.expm1(-1 / scale) * (distance + 1)
            rest += (1 + ratio + 2 * ratio**2) / (1 + ratio)
            return (
                np.log(2 * rest)
                - (distance + 1) / scale
                - 2 * math.log1p(ratio)
                <= log_outside
            )

        return math.ceil(
            float(least(enough, 0.0, 4 * (scale + 1) * (1 - log_outside)))
        )


MECHANISMS = ("Laplace", "Gaussian", "geometric")


def noise(kind: str, moved: float) -> Noise:
    """Return the noise of this kind for a truth that moves so far; only geometric noise asks."""
    if kind == "geometric":
        return Geometric(round(moved))
    return Gaussian() if kind == "Gaussian" else Laplace()


@dataclass(frozen=True)
class Numbers:
    """Some published numbers with the same shift, and independent noise.

    Parameters
    ----------
    noise : Noise
        The kind of noise.
    shift : float
        The shift of each.
    count : int
        How many they are: releases, or cells of a table.
    """

    noise: Noise
    shift: float
    count: int

    def law(self) -> loss.LossDistribution:
        """Return the law of the loss of one number."""
        return _law(self.noise, max(self.shift, EPSILON.low))

    @property
    def surely(self) -> float:
        """The loss that they never exceed together."""
        return (
            math.inf
            if isinstance(self.noise, Gaussian)
            else self.count * self.shift
        )

    @property
    def apart(self) -> float:
        """The δ(0) of one number."""
        return float(self.law().delta(0)) * _of_tiny(self.shift)

    @property
    def rho(self) -> float:
        """The ρ of one number (zero-concentrated differential privacy, zCDP).

        The Rényi divergence of order α, over α, is largest where α falls to 1:
        there it is the expected loss (Harrison and Manurangsi 2025), and no
        more than half the square of the shift.
        """
        return min(self.law().mean(), self.shift * self.shift / 2)


@dataclass(frozen=True)
class Told:
    """What noisy numbers tell together of a person.

    A shift of more than 1000 counts as if all were told, up to the loss that
    is never exceeded.

    Parameters
    ----------
    parts : tuple of Numbers
        The numbers.
    delta : float
        The δ at which their ε is read; 0 for that of a loss that is never
        exceeded.
    others : float
        The ρ of what others have told beside it, of which no more is known; it
        needs a δ above 0.
    """

    parts: tuple[Numbers, ...]
    delta: float
    others: float = 0.0

    @property
    def shift(self) -> float:
        """The largest shift of a single number."""
        return max(part.shift for part in self.parts)

    @property
    def surely(self) -> float:
        """The loss that is never exceeded: infinite for Gaussian noise."""
        return (
            math.inf
            if self.others
            else sum(part.surely for part in self.parts)
        )

    @property
    def has_law(self) -> bool:
        """Whether the law of their loss can be laid; where not, no more than bounds are known."""
        return max(self.shift, 10 * self.others) <= EPSILON.high

    def law(self) -> loss.LossDistribution:
        """Return the law of their loss; beside others one that tells no less."""
        return _composed(self.parts, self.others)

    def epsilon(self) -> float:
        """Return their ε at δ."""
        if self.others:
            found = epsilon_of(self.rho(), self.delta)
            return (
                min(found, self.law().epsilon(self.delta))
                if self.has_law
                else found
            )
        if not self.delta or not self.has_law:
            return self.surely
        return min(
            self.surely, self.law().epsilon(self.delta) * _of_tiny(self.shift)
        )

    def delta_at(self, epsilon: float) -> float:
        """Return their δ(ε)."""
        if epsilon >= self.surely:
            return 0.0
        # 1 − δ(ε) is less than e^(ε/2) times the product of the overlaps
        # ∫√(pq), which for Laplace noise are (1 + s/2)·e^(−s/2) and for
        # geometric noise less: where that is less than floats can tell from 0,
        # a composition would only take long.
        overlap = sum(
            part.count * (part.shift / 2 - math.log1p(part.shift / 2))
            for part in self.parts
            if part.surely < math.inf
        )
        if not self.has_law or overlap - epsilon / 2 > _CERTAIN:
            return 1.0
        # Numbers tell no more together than the sum of what each tells.
        summed = sum(part.count * part.apart for part in self.parts)
        summed += (
            float(loss.concentrated(self.others).delta(0))
            if self.others
            else 0.0
        )
        return min(float(self.law().delta(epsilon)), summed)

    @property
    def slip(self) -> float:
        """With which probability the loss may exceed `exceeded`: δ, or 0 for never.

        All of δ goes into it where others' ρ is given, whose loss has no
        largest value.
        """
        if self.others:
            return self.delta
        # The largest loss has a probability of 2^−count at least: more than δ
        # cannot be left out.
        rarest = 0.5 ** sum(part.count for part in self.parts)
        return (
            self.delta
            if self.surely == math.inf or rarest <= self.delta
            else 0.0
        )

    def exceeded(self) -> float:
        """Return the loss that they exceed with a probability of `slip` at most.

        Whatever is ρ-zCDP has E[e^((α−1)L)] ≤ e^((α−1)αρ), and so L exceeds ρ
        + 2√(ρ·ln 1/δ) with a probability of δ at most (Bun and Steinke 2016).
        That bounds all together, and others alone with half of δ, beside which
        the own numbers have the other half.
        """
        if self.others:
            half = self.delta / 2
            split = replace(
                self, others=0.0, delta=half
            ).exceeded() + exceeded(self.others, half)
            return min(exceeded(self.rho(), self.delta), split)
        if not self.slip or not self.has_law:
            return self.surely
        return min(
            self.surely, self.law().exceeded(self.delta) * _of_tiny(self.shift)
        )

    def rho(self) -> float:
        """Return their ρ."""
        if self.shift > EPSILON.high:
            return sum(part.surely for part in self.parts) + self.others
        return sum(part.count * part.rho for part in self.parts) + self.others


# Asked for its ρ, and for what it tells with all others.
@lru_cache(maxsize=256)
def _law(noise: Noise, shift: float) -> loss.LossDistribution:
    return noise.law(shift)


@lru_cache(maxsize=64)
def _composed(
    parts: tuple[Numbers, ...], others: float
) -> loss.LossDistribution:
    laws = [part.law().compose(part.count) for part in parts]
    laws += [loss.concentrated(others)] if others else []
    law, *more = laws
    return law.compose_with(*more).rough() if more else law


def exceeded(rho: float, delta: float) -> float:
    """Return a loss that whatever is ρ-zCDP exceeds with a probability of δ at most."""
    return rho + 2 * math.sqrt(rho * -math.log(delta))


def epsilon_of(rho: float, delta: float) -> float:
    """Return an ε at which whatever is ρ-zCDP is (ε, δ)-private."""
    known = 1e-6 <= rho <= 1e6
    return (
        float(loss.epsilon_of_rho(rho, delta))
        if known
        else exceeded(rho, delta)
    )


def _of_tiny(shift: float) -> float:
    """Return which share is left of what a law says where a shift is below the smallest of laws.

    δ(0), the losses that are exceeded so seldom and the ε at a δ are nearly
    proportional there, or fall faster.
    """
    return min(shift / EPSILON.low * (1 + EPSILON.low), 1.0)
