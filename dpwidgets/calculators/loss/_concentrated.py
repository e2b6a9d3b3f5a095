"""The law of whatever is ρ-zCDP, of which no more is known than that."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dpwidgets.calculators.loss._distribution import LossDistribution
from dpwidgets.calculators.loss._laws import Atoms
from dpwidgets.calculators.loss._numerics import lowest, mean_loss
from dpwidgets.inputs.domain import Domain, FloatArray, within
from dpwidgets.inputs.door import takes

#: Up to here the losses that matter fit into floats, and beyond it hardly
#: anything is protected.
RHO: Domain = within(
    1e-6,
    100,
    why="A smaller ρ hides nearly everything and a larger one nothing",
)
RHO_OR_NONE: Domain = replace(RHO, allowed=f"0 or {RHO.allowed}", also=(0,))
_LEAST = 700.0  # no loss is laid for a δ that is less than e to minus this
# By how much the logarithm of δ falls from one loss to the next, at most.
_BEND = 0.2


@takes(rho=RHO)
def concentrated(rho: float) -> LossDistribution:
    """Build a law that tells as much as anything that is ρ-zCDP can, or a little more.

    ρ-zCDP says that no Rényi divergence D_α exceeds αρ, for neighbours in
    either order. What has a larger δ(ε) at every ε stays so beside all that is
    composed with it.

    Parameters
    ----------
    rho : float
        ρ, from 1e-6 to 100; else an error is raised.

    Returns
    -------
    LossDistribution
        The law. The same in both orders. Its `mean`, `mu` and `tail` are not those
        of what is ρ-zCDP: of that only δ(ε) is bounded, and what follows from
        δ(ε).

    Notes
    -----
    δ(ε) is at most e^((α−1)(αρ−ε))·(1−1/α)^α/(α−1) for each order α (Canonne,
    Kamath and Steinke 2020, Prop. 12), and δ(0), which is the total variation,
    at most √(ρ/2) (Pinsker), since D₁ ≤ ρ. Below 0 the databases change
    places. As a function of e^ε the δ of every mechanism is convex, so that
    the largest convex curve below these bounds is a bound, too; and it is the
    δ of a pair of laws (Zhu, Dong and Wang 2022), whose losses lie where its
    slope changes.

    Examples
    --------
    >>> from dpwidgets.calculators import loss
    >>> round(concentrated(0.1).epsilon(1e-6), 3), round(loss.epsilon_of_rho(0.1, 1e-6), 3)
    (2.142, 2.142)
    >>> round(concentrated(0.1).compose_with(loss.laplace(0.5)).epsilon(1e-6), 3)
    2.58
    """
    return LossDistribution.of(_law(rho))


@lru_cache(maxsize=16)
def _law(rho: float) -> Atoms:
    # ln δ ≈ −(ε − ρ)²/4ρ
    falls = np.arange(0.0, _LEAST, _BEND)
    near = np.linspace(0.0, rho + 2 * math.sqrt(rho), 400)
    above = np.union1d(near, rho + 2 * np.sqrt(rho * falls))
    bound = _bound(rho, above)
    mirrored = -above[:0:-1]
    below = -np.expm1(mirrored) + np.exp(mirrored) * bound[:0:-1]
    losses, delta = _corners(
        np.append(mirrored, above), np.append(below, bound)
    )
    # Where the slope along x = e^ε changes lies a loss, and x times the change
    # is its mass under P.
    gaps = np.minimum(np.diff(losses), _LEAST)
    falls = -np.diff(delta)
    right = np.append(falls / np.expm1(gaps), 0.0)[1:]
    masses = np.maximum(falls / -np.expm1(-gaps) - right, 0.0)
    losses = losses[1:]
    masses[-1] += delta[-1]
    # What lies below 0 mirrors what lies above: the same in both orders.
    high = (losses > 0) & (masses > 0)
    losses, masses = losses[high], masses[high]
    mirror = masses * np.exp(-losses)
    rest = max(1 - math.fsum(masses) - math.fsum(mirror), 0.0)
    every = np.concatenate([-losses[::-1], [0.0], losses])
    p = np.concatenate([mirror[::-1], [rest], masses])
    return Atoms.of(every, p, mean_loss(every, p, p[::-1]))


def _bound(rho: float, epsilon: FloatArray) -> FloatArray:
    """Return what δ is at most, at each ε from 0 up."""

    def logarithm(order: FloatArray) -> FloatArray:
        above = np.exp(order)  # α − 1
        tail = above * ((1 + above) * rho - epsilon)
        return np.asarray(
            tail - np.log(above) - (1 + above) * np.log1p(1 / above)
        )

    start = np.full(epsilon.shape, -15.0)
    pinsker = math.sqrt(rho / 2)
    return np.minimum(np.exp(lowest(logarithm, start, -start)), pinsker)


def _corners(
    losses: FloatArray, delta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the largest curve below these points that is convex along e^ε."""
    kept: list[int] = []
    x, y = losses.tolist(), delta.tolist()
    for at in range(len(x)):
        while len(kept) > 1:
            first, last = kept[-2:]
            before = (y[last] - y[first]) / -math.expm1(x[first] - x[last])
            step = math.expm1(min(x[at] - x[last], _LEAST))
            if before < (y[at] - y[last]) / step:
                break
            kept.pop()
        kept.append(at)
    return losses[kept], delta[kept]
