"""The kinds of noise: the law of the loss of one number, and how far off the noise is.

A shift is how far the truth moves between two databases, in units of the
noise's scale: Δf/b for Laplace and geometric noise, Δf/σ for Gaussian noise.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcinv, erfinv

from dpwidgets.calculators import loss
from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import largest, least
from dpwidgets.inputs.domain import FloatArray


@dataclass(frozen=True)
class Noise(ABC):
    """A kind of noise: the law of its loss, and how far from the truth it is at a scale.

    A scale and a distance are in the unit of what is published; `log_outside`
    is the logarithm of a probability, below 0.
    """

    @abstractmethod
    def law(self, shift: float) -> loss.LossDistribution:
        """Return the law of the loss of one number."""

    @abstractmethod
    def error(self, scale: float) -> float:
        """Return how far from the truth it is on average."""

    @abstractmethod
    def within(self, scale: float, log_outside: float) -> float:
        """Return the distance beyond which it lies with the probability e^`log_outside`."""

    @abstractmethod
    def change_within(self, scale: float, log_outside: float) -> float:
        """Return the same for the difference of two such noises."""

    def largest_scale(
        self, number: Callable[[float], float], limit: float
    ) -> float:
        """Return the largest scale at which a number, which grows with it, is at most a limit.

        Here the number is in proportion to the scale.
        """
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

        def enough(distance: FloatArray) -> NDArray[np.bool_]:
            return np.log1p(distance / 2) - distance <= log_outside

        return scale * float(least(enough, 0.0, high))


class Gaussian(Noise):
    """Gaussian noise: the loss is normal, with mean μ²/2 and variance μ² for a shift of μ."""

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.gaussian(shift)

    def error(self, scale: float) -> float:
        return scale * math.sqrt(2 / math.pi)

    def within(self, scale: float, log_outside: float) -> float:
        # Each way has digits where the other has none.
        if log_outside < -1:
            size = erfcinv(math.exp(log_outside))
        else:
            size = erfinv(-math.expm1(log_outside))
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

        def excess(scale: float) -> float:
            return number(scale) - limit

        return largest(excess, 1e-3, SCALE.high, first=1.0)

    def change_within(self, scale: float, log_outside: float) -> float:
        ratio = math.exp(-1 / scale)

        def enough(distance: FloatArray) -> NDArray[np.bool_]:
            # The difference is farther than t from 0 with a probability of
            # 2·a^(t+1)·((1 − a)(t + 1) + (1 + a + 2a²)/(1 + a))/(1 + a)², with
            # a = e^(−1/b).
            rest = -math.expm1(-1 / scale) * (distance + 1)
            rest += (1 + ratio + 2 * ratio**2) / (1 + ratio)
            log_beyond = np.log(2 * rest) - (distance + 1) / scale
            log_beyond -= 2 * math.log1p(ratio)
            return log_beyond <= log_outside

        high = 4 * (scale + 1) * (1 - log_outside)
        return math.ceil(float(least(enough, 0.0, high)))


MECHANISMS = ("Laplace", "Gaussian", "geometric")


def noise(kind: str, moved: float) -> Noise:
    """Return the noise of this kind for a truth that moves so far; only geometric noise asks."""
    if kind == "geometric":
        return Geometric(round(moved))
    if kind == "Gaussian":
        return Gaussian()
    return Laplace()
