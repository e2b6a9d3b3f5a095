"""The kinds of noise: the law of the loss of a number, and how far from the truth it is.

A shift is how far the truth moves between two databases, in units of the
noise's scale: Δf/b for Laplace noise, Δf/σ for Gaussian noise.
"""

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcinv, erfinv

from dpwidgets.calculators import loss
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import FloatArray


class Noise(ABC):
    """A kind of noise: the law of its loss, and how far from the truth it is at a scale.

    A scale and a distance are in the unit of what is published; `log_outside`
    is the logarithm of a probability, below 0.
    """

    @abstractmethod
    def law(self, shift: float) -> loss.LossDistribution:
        """Return the law of the loss of one number."""

    @abstractmethod
    def worst_case(self, shift: float) -> float:
        """Return the loss that one number never exceeds: infinite where nothing limits it."""

    @abstractmethod
    def shift(self, epsilon: float, delta: float) -> float:
        """Return the shift at which one number is (ε, δ)-private."""

    @abstractmethod
    def error(self, scale: float) -> float:
        """Return how far from the truth it is on average."""

    @abstractmethod
    def within(self, scale: float, log_outside: float) -> float:
        """Return the distance beyond which it lies with the probability e^`log_outside`."""

    @abstractmethod
    def change_within(self, scale: float, log_outside: float) -> float:
        """Return the same for the difference of two such noises."""


class LaplaceNoise(Noise):
    """Laplace noise: the loss of one number is at most its shift."""

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.laplace(shift)

    def worst_case(self, shift: float) -> float:
        return shift

    def shift(self, epsilon: float, delta: float) -> float:
        return epsilon

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


class GaussianNoise(Noise):
    """Gaussian noise: the loss is normal, with mean μ²/2 and variance μ² for a shift of μ."""

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.gaussian(shift)

    def worst_case(self, shift: float) -> float:
        return math.inf

    def shift(self, epsilon: float, delta: float) -> float:
        return loss.deviations(epsilon, delta)

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


#: Under the name of each mechanism its noise.
NOISES: dict[str, Noise] = {
    "Laplace": LaplaceNoise(),
    "Gaussian": GaussianNoise(),
}
MECHANISMS = tuple(NOISES)
