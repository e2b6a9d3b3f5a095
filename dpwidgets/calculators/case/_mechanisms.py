"""What one kind of noise does: each meaning of a shift, and the shift that a meaning allows.

A shift is how far the truth moves between two databases, in units of the noise's scale: Δf/b for
Laplace and geometric noise, Δf/σ for Gaussian noise. Several numbers, be they releases or cells of
a table, have the same shift and independent noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfinv, ndtr, ndtri

from dpwidgets.calculators import loss
from dpwidgets.calculators.solve import largest, least
from dpwidgets.inputs.domain import EPSILON, FloatArray, silent

#: 1 − e^(−this) is 1 in floats.
_CERTAIN = 40.0
#: No float below 1 has such a normal quantile.
_ABOVE_ALL = 9.0
#: A smaller probability of the tail no grid can tell from rounding.
_LEAST_TAIL = 1e-14
#: A smaller δ no grid can tell from 0. Randomized response has no grid, and is the worst of any.
_LEAST_ON_GRID = 1e-11
#: Below such a shift no law is searched: floats near the least have no digits.
_TINY = 1e-300


class Laplace:
    """Laplace noise: one number has the loss of its shift at most, several their sum."""

    def law(self, shift: float) -> loss.LossDistribution:
        """Return the law of the loss of one number."""
        return loss.laplace(shift)

    def error(self, scale: float) -> float:
        """Return how far from the truth it is on average."""
        return scale

    def deviation(self, scale: float) -> float:
        """Return its standard deviation."""
        return math.sqrt(2) * scale

    def scale_of_error(self, error: float) -> float:
        """Return the scale at which it is so far from the truth on average."""
        return error

    def within(self, scale: float, confidence: float) -> float:
        """Return the distance from the truth that it keeps so often."""
        return scale * -math.log1p(-confidence)

    def scale_of_within(self, distance: float, confidence: float) -> float:
        """Return the largest scale at which it keeps this distance so often."""
        return distance / self.within(1.0, confidence)

    def change_within(self, scale: float, confidence: float) -> float:
        """Return the distance from 0 that the difference of two such noises keeps so often."""
        # The difference is farther than t from 0 with a probability of (1 + t/2)·e^(−t).
        outside = math.log1p(-confidence)
        return scale * float(least(lambda t: np.log1p(t / 2) - t <= outside, 0.0, 1 - 3 * outside))

    def epsilon(self, shift: float, count: int, delta: float) -> float:
        """Return the ε of so many numbers at `delta`."""
        if not self._composes(shift, count, delta):
            return count * shift
        law = self.law(shift) if delta >= _LEAST_ON_GRID else loss.randomized_response(shift)
        return min(count * shift, float(law.compose(count).epsilon(delta)))

    def shift_of_epsilon(self, epsilon: float, count: int, delta: float) -> float:
        """Return the largest shift with at most this ε."""
        each = epsilon / count
        if not self._composes(each, count, delta):
            return each
        if delta < _LEAST_ON_GRID:
            return loss.epsilon(epsilon, delta, count, "any")
        return max(each, self.shift_of_delta(delta, count, epsilon))

    def slip(self, count: int, delta: float) -> float:
        """Return with which probability the loss may exceed `exceeded`: δ, or 0 for never."""
        # The largest loss has a probability of 2^−count at least: more than δ cannot be left out.
        # Of a smaller δ the tail on a grid says nothing.
        return 0.0 if count == 1 or max(0.5**count, _LEAST_TAIL) > delta else delta

    def exceeded(self, shift: float, count: int, delta: float) -> float:
        """Return the loss that so many numbers exceed with a probability of at most `delta`."""
        summed = count * shift
        if not self.slip(count, delta) or not self._composes(shift, count, delta):
            return summed
        law = self.law(shift).compose(count)
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
        """Return the δ(ε) of so many numbers."""
        if count == 1:
            return self._one_delta(shift, epsilon)
        if epsilon >= count * shift:
            return 0.0
        # 1 − δ(ε) is less than e^(ε/2) times the product of the overlaps ∫√(pq), which for Laplace
        # noise are (1 + s/2)·e^(−s/2) and for geometric noise less: where that is less than floats
        # can tell from 0, a composition would only take long.
        if count * (shift / 2 - math.log1p(shift / 2)) - epsilon / 2 > _CERTAIN:
            return 1.0
        law = self.law(max(shift, EPSILON.low)).compose(count)
        # Numbers tell no more together than the sum of what each tells.
        return min(float(law.delta(epsilon)), count * self._one_delta(shift, 0.0))

    def shift_of_delta(self, delta: float, count: int, epsilon: float) -> float:
        """Return the largest shift with at most this δ(ε)."""
        if count == 1:
            return self._one_shift(delta, epsilon)
        enough = max(epsilon / count, self._one_shift(delta / count, 0.0))
        if enough < _TINY:
            return enough
        delta = min(delta, 1 - 1e-9)  # nearer to 1 no law has digits: on the safe side
        aim = float(ndtri(delta))  # along the shift, normal quantiles are nearly a straight line

        def excess(shift: float) -> float:
            reached = max(self.delta(shift, count, epsilon), _TINY)
            return min(float(ndtri(reached)), _ABOVE_ALL) - aim

        # So near to 1 the digits of δ(ε) that are left say no more of the shift.
        precision = 1e-11 if delta < 1 - 1e-6 else 1e-4
        return largest(excess, enough / 2, EPSILON.high, precision, first=enough)

    def rho(self, shift: float) -> float:
        """Return the ρ of one number (zero-concentrated differential privacy, zCDP).

        The Rényi divergence of order α, over α, is largest where α falls to 1: there it is the
        expected loss (Harrison and Manurangsi 2025).
        """
        return self.law(_clipped(shift)).mean() if shift <= EPSILON.high else shift

    def shift_of_rho(self, rho: float) -> float:
        """Return the largest shift with at most this ρ."""
        # No noise has a larger one than s²/2 for its largest loss s.
        surely = math.sqrt(2 * rho)
        return largest(lambda shift: self.rho(shift) - rho, surely, 1e300, first=surely)

    def _one_delta(self, shift: float, epsilon: float) -> float:
        """Return the δ(ε) of one number."""
        return -math.expm1(min((epsilon - shift) / 2, 0.0))

    def _one_shift(self, delta: float, epsilon: float) -> float:
        """Return the shift of one number that has this δ(ε)."""
        return epsilon - 2 * math.log1p(-delta)

    @staticmethod
    def _composes(shift: float, count: int, delta: float) -> bool:
        """Tell whether the law of the composed loss may say less than the sum of the losses."""
        return count > 1 and delta > 0 and EPSILON.low <= shift <= EPSILON.high


@dataclass(frozen=True)
class Geometric(Laplace):
    """Two-sided geometric noise: whole numbers, P[z] ∝ e^(−|z|/b), added to whole numbers.

    The loss of one number is at most its shift, as for Laplace noise, but it has fewer values. One
    step apart, it is that of randomized response.

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

    def deviation(self, scale: float) -> float:
        return math.sqrt(2) * math.exp(-1 / scale / 2) / -math.expm1(-1 / scale)

    def scale_of_error(self, error: float) -> float:
        return 1 / math.asinh(1 / error)

    def within(self, scale: float, confidence: float) -> float:
        return math.ceil(self._reach(scale, confidence)) - 1.0

    def scale_of_within(self, distance: float, confidence: float) -> float:
        whole = math.floor(distance * (1 + 1e-12)) + 1  # rounding may have made it a little less
        surely = whole / (math.log(2) - math.log1p(-confidence))
        return largest(
            lambda scale: self._reach(scale, confidence) - whole, surely, 1e300, first=surely
        )

    def change_within(self, scale: float, confidence: float) -> float:
        ratio, outside = math.exp(-1 / scale), math.log1p(-confidence)

        def enough(distance: FloatArray) -> NDArray[np.bool_]:
            # The difference is farther than t from 0 with a probability of
            # 2·a^(t+1)·((1 − a)(t + 1) + (1 + a + 2a²)/(1 + a))/(1 + a)², with a = e^(−1/b).
            rest = -math.expm1(-1 / scale) * (distance + 1)
            rest += (1 + ratio + 2 * ratio**2) / (1 + ratio)
            return np.log(2 * rest) - (distance + 1) / scale - 2 * math.log1p(ratio) <= outside

        return math.ceil(float(least(enough, 0.0, 4 * (scale + 1) * (1 - outside))))

    def _reach(self, scale: float, confidence: float) -> float:
        """Return the number below which the noise lies so often, whole or not."""
        # P[|z| ≥ t] = 2·a^t/(1 + a), with a = e^(−1/b)
        return scale * (math.log(2) - math.log1p(-confidence) - math.log1p(math.exp(-1 / scale)))

    def _one_delta(self, shift: float, epsilon: float) -> float:
        if epsilon >= shift:
            return 0.0
        # The event of every answer whose loss is above ε, from the likeliest down.
        last = math.floor((1 - epsilon / shift) * self.steps / 2)
        step = shift / self.steps
        ratio = math.exp(-step)
        gained = -math.expm1(-(last + 1) * step)
        gained -= ratio * math.expm1(epsilon - (self.steps - last - 1) * step)
        return max(gained / (1 + ratio), 0.0)

    def _one_shift(self, delta: float, epsilon: float) -> float:
        # That of randomized response, which is the worst.
        surely = epsilon + math.log1p(delta * math.exp(-epsilon)) - math.log1p(-delta)
        if self.steps == 1:
            return surely
        surely *= 1 - 1e-12
        return largest(
            lambda shift: self._one_delta(shift, epsilon) - delta, surely, 1e300, first=surely
        )


class Gaussian:
    """Gaussian noise: the loss of all releases is normal, with mean μ²/2 and variance μ².

    Its functions are those of `Laplace`.
    """

    def law(self, shift: float) -> loss.LossDistribution:
        return loss.gaussian(_clipped(shift))

    def error(self, scale: float) -> float:
        return scale * math.sqrt(2 / math.pi)

    def deviation(self, scale: float) -> float:
        return scale

    def scale_of_error(self, error: float) -> float:
        return error / math.sqrt(2 / math.pi)

    def within(self, scale: float, confidence: float) -> float:
        return scale * math.sqrt(2) * float(erfinv(confidence))

    def scale_of_within(self, distance: float, confidence: float) -> float:
        return distance / self.within(1.0, confidence)

    def change_within(self, scale: float, confidence: float) -> float:
        return math.sqrt(2) * self.within(scale, confidence)

    def epsilon(self, shift: float, count: int, delta: float) -> float:
        return float(self.law(shift).compose(count).epsilon(delta))

    def shift_of_epsilon(self, epsilon: float, count: int, delta: float) -> float:
        return gaussian_mu(epsilon, delta) / math.sqrt(count)

    def slip(self, count: int, delta: float) -> float:
        return delta

    def exceeded(self, shift: float, count: int, delta: float) -> float:
        mean = self.law(shift).compose(count).mean()
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

    def rho(self, shift: float) -> float:
        return shift * shift / 2

    def shift_of_rho(self, rho: float) -> float:
        return math.sqrt(2 * rho)


KINDS = ("Laplace", "Gaussian", "geometric")


def noise(kind: str, moved: float) -> Laplace | Gaussian:
    """Return the noise of this kind for a truth that moves so far; only geometric noise asks."""
    if kind == "geometric":
        return Geometric(round(moved))
    return Laplace() if kind == "Laplace" else Gaussian()


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
