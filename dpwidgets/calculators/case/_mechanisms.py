"""What one kind of noise does: each meaning of a shift, and the shift that a meaning allows.

A shift is how far the truth moves between two databases, in units of the noise's scale: Δf/b for
Laplace noise, Δf/σ for Gaussian noise. Several releases have the same shift and independent noise.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import erfinv, ndtr, ndtri

from dpwidgets.calculators import loss
from dpwidgets.calculators.solve import largest, least
from dpwidgets.inputs.domain import EPSILON, silent

#: 1 − e^(−this) is 1 in floats.
_CERTAIN = 40.0
#: No float below 1 has such a normal quantile.
_ABOVE_ALL = 9.0
#: A smaller probability of the tail no grid can tell from rounding.
_LEAST_TAIL = 1e-14
#: Below such a shift no law is searched: floats near the least have no digits.
_TINY = 1e-300


class Laplace:
    """Laplace noise: one release has the loss of its shift at most, several their sum.

    Its numbers are for a scale of 1.
    """

    #: How far from the truth it is on average.
    error = 1.0

    def within(self, confidence: float) -> float:
        """Return the distance from the truth that it keeps so often."""
        return -math.log1p(-confidence)

    def change_within(self, confidence: float) -> float:
        """Return the distance from 0 that the difference of two such noises keeps so often."""
        # The difference is farther than t from 0 with a probability of (1 + t/2)·e^(−t).
        outside = math.log1p(-confidence)
        return float(least(lambda t: np.log1p(t / 2) - t <= outside, 0.0, 1 - 3 * outside))

    def epsilon(self, shift: float, count: int, delta: float) -> float:
        """Return the ε of so many releases at `delta`."""
        if not self._composes(shift, count, delta):
            return count * shift
        return min(count * shift, float(loss.laplace(shift).compose(count).epsilon(delta)))

    def shift_of_epsilon(self, epsilon: float, count: int, delta: float) -> float:
        """Return the largest shift with at most this ε."""
        each = epsilon / count
        if count > 1 and delta and each >= EPSILON.low:
            return loss.epsilon(epsilon, delta, count, "laplace")
        return each

    def slip(self, count: int, delta: float) -> float:
        """Return with which probability the loss may exceed `exceeded`: δ, or 0 for never."""
        # The largest loss has a probability of 2^−count: more than δ cannot be left out.
        # Of a smaller δ the tail on a grid says nothing.
        return 0.0 if count == 1 or max(0.5**count, _LEAST_TAIL) > delta else delta

    def exceeded(self, shift: float, count: int, delta: float) -> float:
        """Return the loss that so many releases exceed with a probability of at most `delta`."""
        summed = count * shift
        if not self.slip(count, delta) or not self._composes(shift, count, delta):
            return summed
        law = loss.laplace(shift).compose(count)
        found = float(least(lambda moved: law.tail(moved) <= delta, 0.0, summed))
        return min(summed, found + law.grid_step)

    def shift_of_exceeded(self, loss: float, count: int, delta: float) -> float:
        """Return the largest shift whose loss is so seldom larger."""
        each = loss / count
        if not self.slip(count, delta) or each >= EPSILON.high:
            return each

        def excess(shift: float) -> float:
            return self.exceeded(shift, count, delta) - loss

        return largest(excess, each / 2, EPSILON.high, 1e-11, first=each)

    def delta(self, shift: float, count: int, epsilon: float) -> float:
        """Return the δ(ε) of so many releases."""
        if count == 1:
            return -math.expm1(min((epsilon - shift) / 2, 0.0))
        # Tests err less often than the product of the overlaps ∫√(pq) = (1 + s/2)·e^(−s/2): where
        # that is less than floats can tell from 0, a composition would only take long.
        if count * (shift / 2 - math.log1p(shift / 2)) > _CERTAIN:
            return 1.0
        law = loss.laplace(max(shift, EPSILON.low)).compose(count)
        # Releases tell no more together than the sum of what each tells.
        return min(float(law.delta(epsilon)), count * -math.expm1(-shift / 2))

    def shift_of_delta(self, delta: float, count: int, epsilon: float) -> float:
        """Return the largest shift with at most this δ(ε)."""
        if count == 1:
            return epsilon - 2 * math.log1p(-delta)
        enough = max(epsilon / count, -2 * math.log1p(-delta / count))
        if enough < _TINY:
            return enough
        delta = min(delta, 1 - 1e-9)  # nearer to 1 no law has digits: on the safe side
        aim = float(ndtri(delta))  # along the shift, normal quantiles are nearly a straight line

        def excess(shift: float) -> float:
            return min(float(ndtri(self.delta(shift, count, epsilon))), _ABOVE_ALL) - aim

        # So near to 1 the digits of δ(ε) that are left say no more of the shift.
        precision = 1e-11 if delta < 1 - 1e-6 else 1e-4
        return largest(excess, enough / 2, EPSILON.high, precision, first=enough)

    @staticmethod
    def _composes(shift: float, count: int, delta: float) -> bool:
        """Tell whether the law of the composed loss may say less than the sum of the losses."""
        return count > 1 and delta > 0 and EPSILON.low <= shift <= EPSILON.high


class Gaussian:
    """Gaussian noise: the loss of all releases is normal, with mean μ²/2 and variance μ².

    Its functions are those of `Laplace`.
    """

    error = math.sqrt(2 / math.pi)

    def within(self, confidence: float) -> float:
        return math.sqrt(2) * float(erfinv(confidence))

    def change_within(self, confidence: float) -> float:
        return math.sqrt(2) * self.within(confidence)

    def epsilon(self, shift: float, count: int, delta: float) -> float:
        return float(loss.gaussian(_clipped(shift)).compose(count).epsilon(delta))

    def shift_of_epsilon(self, epsilon: float, count: int, delta: float) -> float:
        return gaussian_mu(epsilon, delta) / math.sqrt(count)

    def slip(self, count: int, delta: float) -> float:
        return delta

    def exceeded(self, shift: float, count: int, delta: float) -> float:
        mean = loss.gaussian(_clipped(shift)).compose(count).mean()
        return mean + math.sqrt(2 * mean) * -float(ndtri(delta))

    def shift_of_exceeded(self, loss: float, count: int, delta: float) -> float:
        z = -float(ndtri(delta))  # μ²/2 + μz is the loss that is exceeded so seldom
        return 2 * loss / (z + math.sqrt(z * z + 2 * loss)) / math.sqrt(count)

    def delta(self, shift: float, count: int, epsilon: float) -> float:
        mu = shift * math.sqrt(count)
        apart = float(2 * ndtr(mu / 2) - 1)  # δ(0), of which no δ(ε) is more
        return min(loss.gaussian(_clipped(mu)).delta(epsilon), apart) if epsilon else apart

    def shift_of_delta(self, delta: float, count: int, epsilon: float) -> float:
        return gaussian_mu(epsilon, delta) / math.sqrt(count)


KINDS: dict[str, Laplace | Gaussian] = {"Laplace": Laplace(), "Gaussian": Gaussian()}


def _clipped(shift: float) -> float:
    return min(max(shift, EPSILON.low), EPSILON.high)


@lru_cache(maxsize=256)
@silent
def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return a μ, Δf/σ, at which Gaussian noise is (ε, δ)-private: the largest up to 1000.

    Balle and Wang (2018): δ(ε) rises with μ.

    Examples
    --------
    >>> round(gaussian_mu(1, 1e-6), 4), round(loss.gaussian(0.2366).epsilon(1e-6), 3)
    (0.2367, 1.0)
    """

    def excess(mu: float) -> float:
        return math.log(max(loss.gaussian(mu).delta(epsilon), 1e-320)) - math.log(delta)

    enough = delta * math.sqrt(2 * math.pi)  # δ(ε) is at most δ(0), which is at most μ/√(2π)
    low = max(enough, loss.MU.low)
    if excess(low) >= 0:
        return enough
    return largest(excess, low, loss.MU.high, 1e-13, first=2 * low)
