"""The privacy loss of noisy numbers: of one, and of all together.

The loss of several independent numbers is the sum of theirs. Where others'
releases have a ρ, a law that tells no less than they do is added.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from dpwidgets.calculators import loss
from dpwidgets.decisions.case._noise import Noise
from dpwidgets.inputs.domain import EPSILON


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
    def worst_case(self) -> float:
        """Their worst-case ε: the loss that they never exceed together."""
        return self.count * self.noise.worst_case(self.shift)

    @property
    def rho(self) -> float:
        """The ρ of one number (zero-concentrated differential privacy, zCDP).

        The Rényi divergence of order α, over α, is largest where α falls to 1:
        there it is the expected loss (Harrison and Manurangsi 2025), and no
        more than half the square of the shift, nor than the loss can be. Where
        the shift is above 1000 the law is not asked.
        """
        largest = self.noise.worst_case(self.shift)
        most = min(self.shift * self.shift / 2, largest)
        if self.shift > EPSILON.high:
            return most
        return min(self.law().mean(), most)


@dataclass(frozen=True)
class PrivacyLoss:
    """The privacy loss of noisy numbers together, beside what others have used up.

    A number whose shift is more than 1000 counts as published without noise,
    but for the loss that is never exceeded.

    Parameters
    ----------
    parts : tuple of Numbers
        The numbers.
    delta : float
        The δ at which their ε is read, 0 for the worst case.
    others : float
        The ρ of others' releases, of which no more is known; it needs a δ
        above 0.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> weeks = Case(published="count", releases=52, delta=1e-6)
    >>> loss = weeks.privacy_loss(100)
    >>> round(loss.worst_case, 4), round(loss.epsilon(), 4), round(loss.rho(), 5)
    (0.52, 0.2731, 0.00259)
    """

    parts: tuple[Numbers, ...]
    delta: float
    others: float = 0.0

    @property
    def shift(self) -> float:
        """The largest shift of a single number."""
        return max((part.shift for part in self.parts), default=0.0)

    @property
    def worst_case(self) -> float:
        """The worst-case ε, which the loss never exceeds: infinite for Gaussian noise."""
        if self.others:
            return math.inf
        return sum(part.worst_case for part in self.parts)

    @property
    def has_law(self) -> bool:
        """Whether the law of their loss is computed; where not, only bounds are."""
        return 0 < max(self.shift, 10 * self.others) <= EPSILON.high

    def law(self) -> loss.LossDistribution:
        """Return the law of their loss; beside others one that tells no less."""
        return _composed(self.parts, self.others)

    def epsilon(self) -> float:
        """Return their ε at δ."""
        if not self.delta or not self.shift + self.others:
            return self.worst_case
        bounds = [self.worst_case]
        if self.others or not self.has_law:
            of_rho = loss.epsilon_of_rho(self.rho(), self.delta)
            bounds.append(float(of_rho))
        if self.has_law:
            of_law = self.law().epsilon(self.delta)
            bounds.append(of_law * self._share_of_tiny)
        return min(bounds)

    def delta_at(self, epsilon: float) -> float:
        """Return their δ(ε), whose law is the same in both orders of the databases."""
        if epsilon < 0:
            return math.exp(epsilon) * self.delta_at(-epsilon) - math.expm1(
                epsilon
            )
        epsilon = min(epsilon, loss.LOSS.high)
        if epsilon >= self.worst_case:
            return 0.0
        if not self.has_law:
            return 1.0
        return float(self.law().delta(epsilon)) * self._share_of_tiny

    @property
    def failure_probability(self) -> float:
        """With which probability the loss may exceed `exceeded`: δ, or 0 for never.

        All of δ goes into it where others' ρ is given, whose loss has no
        largest value.
        """
        if self.others:
            return self.delta
        # The largest loss has a probability of 2^−count at least: more than δ
        # cannot be left out.
        rarest = 0.5 ** sum(part.count for part in self.parts)
        if self.worst_case == math.inf or rarest <= self.delta:
            return self.delta
        return 0.0

    def exceeded(self) -> float:
        """Return the loss that they exceed with at most the `failure_probability`.

        Whatever is ρ-zCDP has E[e^((α−1)L)] ≤ e^((α−1)αρ), and so L exceeds ρ
        + 2√(ρ·ln 1/δ) with a probability of δ at most (Bun and Steinke 2016).
        That bounds all together, and others alone with half of δ, beside which
        the own numbers have the other half.
        """
        if self.others:
            half = self.delta / 2
            own = replace(self, others=0.0, delta=half).exceeded()
            split = own + exceeded(self.others, half)
            return min(exceeded(self.rho(), self.delta), split)
        if not self.failure_probability or not self.has_law:
            return self.worst_case
        of_law = self.law().exceeded(self.delta) * self._share_of_tiny
        return min(self.worst_case, of_law)

    def rho(self) -> float:
        """Return their ρ."""
        return sum(part.count * part.rho for part in self.parts) + self.others

    @property
    def _share_of_tiny(self) -> float:
        """Which share is left of what a law says where a shift is below the smallest of laws.

        δ(0), the losses that are exceeded so seldom and the ε at a δ are
        nearly proportional there, or fall faster.
        """
        if self.others:
            return 1.0
        return min(self.shift / EPSILON.low * (1 + EPSILON.low), 1.0)


# Asked for the ρ of one number, and for the loss of all.
@lru_cache(maxsize=256)
def _law(noise: Noise, shift: float) -> loss.LossDistribution:
    return noise.law(shift)


@lru_cache(maxsize=16)
def _composed(
    parts: tuple[Numbers, ...], others: float
) -> loss.LossDistribution:
    laws = [part.law().compose(part.count) for part in parts]
    if others:
        laws.append(loss.concentrated(others))
    first, *more = laws
    if not more:
        return first
    return first.compose_with(*more)


def exceeded(rho: float, delta: float) -> float:
    """Compute a loss that whatever is ρ-zCDP exceeds with a probability of δ at most.

    It is ρ + 2√(ρ·ln 1/δ) (Bun and Steinke 2016).

    Parameters
    ----------
    rho : float
        ρ, from 0 up.
    delta : float
        δ, above 0 and at most 1.

    Returns
    -------
    float
        The loss.

    Examples
    --------
    >>> round(exceeded(0.1, 1e-6), 4)
    2.4508
    """
    return rho + 2 * math.sqrt(rho * -math.log(delta))
