"""The ε that several releases leave to each of them.

And what ε follows from a ρ of zero-concentrated differential privacy (zCDP).
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from dpwidgets.calculators.loss._composition import COUNT, MU
from dpwidgets.calculators.loss._constructors import (
    gaussian,
    laplace,
    randomized_response,
)
from dpwidgets.calculators.loss._distribution import (
    DELTA,
    DELTA_OR_NONE,
    LossDistribution,
)
from dpwidgets.calculators.loss._laws import GaussianLoss
from dpwidgets.calculators.loss._numerics import lowest
from dpwidgets.calculators.solve import largest
from dpwidgets.inputs.domain import (
    EPSILON,
    FloatArray,
    must_be,
    within,
)
from dpwidgets.inputs.door import Floats, door, takes

#: The ε of all releases together.
TOTAL = within(
    1e-8, 1e9, why="No releases within the other domains have more together"
)
_PRECISION = 5e-10  # of `epsilon`, relatively
# No float below 1 has so large a normal quantile.
_ABOVE_ALL = 9.0


@takes(total=TOTAL, delta=DELTA_OR_NONE, compositions=COUNT)
def epsilon(total: float, delta: float, compositions: int) -> float:
    """Compute the largest ε of one release at which several together are (total, δ)-private.

    Parameters
    ----------
    total : float
        The ε of all releases together, from 1e-8 to 1e9.
    delta : float
        Their δ, 0 or from 1e-12 and below 1.
    compositions : int
        How many releases, from 1 to 10⁵, with independent Laplace noise and
        the same ε each.

    Returns
    -------
    float
        The ε of one release, never above the true one, and mostly to 1e-5 of
        it. At most 1000, where every ε would do.

    Raises
    ------
    TypeError, ValueError
        If the releases are so many that each would have an ε below 1e-8.

    Notes
    -----
    Not in the text. No ε-private mechanism loses more by composition than
    randomized response (Kairouz, Oh and Viswanath 2015): what it may have, all
    may, and its law takes no grid.

    Examples
    --------
    >>> round(epsilon(total=1, delta=1e-6, compositions=100), 4)
    0.0241
    >>> epsilon(total=1, delta=0, compositions=100)
    0.01
    """
    found = total / compositions
    if delta > 0:
        for mechanism in (randomized_response, laplace):
            found = _largest(mechanism, total, delta, compositions, found)
    if found < EPSILON.low:
        raise must_be(
            "compositions",
            "fewer here, or total or delta larger: it takes ε below 1e-8",
        )
    return min(found, EPSILON.high)


def _largest(
    mechanism: Callable[[float], LossDistribution],
    total: float,
    delta: float,
    count: int,
    known: float,
) -> float:
    """Return the largest ε of one release that keeps (total, δ), or one that is known to do so."""

    def excess(epsilon: float) -> float:
        together = mechanism(epsilon).compose(count)
        return _excess(together.delta(total), delta)

    low = min(max(known, EPSILON.low), EPSILON.high)
    if excess(low) > 0:
        return known
    return largest(excess, low, EPSILON.high, _PRECISION, 1.3 * low)


@takes(epsilon=TOTAL, delta=DELTA)
def deviations(epsilon: float, delta: float) -> float:
    """Compute how many deviations apart two normal laws may be that are (ε, δ)-private.

    Parameters
    ----------
    epsilon : float
        ε, from 1e-8 to 1e9.
    delta : float
        δ, above 0 and below 1.

    Returns
    -------
    float
        The largest μ at which Gaussian noise has this ε and δ, where that is at
        least 1e-8: to 1e-11 relatively, and above it by rounding alone.

    Notes
    -----
    Not in the text. Balle and Wang, "Improving the Gaussian Mechanism for
    Differential Privacy", 2018, Theorem 8, solved for Δ/σ.

    Examples
    --------
    >>> mu = deviations(1, 1e-6)
    >>> round(mu, 6), round(gaussian(mu).delta(1), 9)
    (0.236704, 1e-06)
    """

    def excess(mu: float) -> float:
        return _excess(float(GaussianLoss(mu).delta(np.array(epsilon))), delta)

    if excess(MU.low) > 0:  # below, ε falls faster than μ
        return MU.low * epsilon / gaussian(MU.low).epsilon(delta)
    high = MU.high * math.sqrt(COUNT.high)
    first = max(min(epsilon, high), 2 * delta)
    return largest(excess, MU.low, high, 1e-11, first)


def _excess(reached: float, delta: float) -> float:
    """Return how far a δ exceeds another: above 0 if it does.

    They are compared by their normal quantiles, which along ε or μ are nearly
    a straight line.
    """
    quantile = float(ndtri(max(reached, 1e-5 * DELTA.low)))
    over = min(quantile, _ABOVE_ALL) - float(ndtri(delta))
    # Two that differ in their last digit may have one quantile.
    return max(over, 1e-300) if reached > delta else min(over, 0.0)


@door(rho=within(0, 1e300), delta=DELTA)
def epsilon_of_rho(rho: float, delta: float) -> Floats:
    """Compute an ε at which whatever is ρ-zCDP is (ε, δ)-private.

    ρ-zCDP says that no Rényi divergence D_α exceeds ρα. Each order α > 1 then
    gives an ε, and the least of them counts. A single Gaussian release has
    less: see `LossDistribution.epsilon`.

    Parameters
    ----------
    rho : array_like
        ρ, from 0 to 1e300.
    delta : array_like
        δ, above 0 and below 1.

    Returns
    -------
    float or ndarray
        ε, as small as orders α of six digits make it, and at least 0.

    Notes
    -----
    Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
    Privacy", 2020, Prop. 12.

    Examples
    --------
    Of its files of 2020 the Census gave ε = 17.14 for ρ = 2.56 (which was
    rounded), and ε = 26.34 for ρ = 4.96, which is not the least:

    >>> epsilon_of_rho([2.56, 4.96], 1e-10).round(2)
    array([17.16, 25.41])
    """

    def epsilon(logarithm: FloatArray) -> FloatArray:
        above = np.exp(logarithm)  # α − 1
        order = 1 + above
        # ln(1 − 1/α) = −ln(1 + 1/(α − 1))
        rest = np.log(delta * order) / above
        return np.asarray(rho * order - np.log1p(1 / above) - rest)

    shape = np.broadcast_shapes(np.shape(rho), np.shape(delta))
    low = np.full(shape, -15.0)
    return np.maximum(lowest(epsilon, low, -low), 0.0)
