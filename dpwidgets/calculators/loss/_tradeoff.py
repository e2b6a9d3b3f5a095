"""What the best attack achieves: the trade-off function of a law, and the Gaussian law beside it.

Of all tests whose false alarms are at most α, the best one misses f(α): that is the trade-off
function. Every ε, also one below 0, bounds it by a line, f(α) ≥ 1 − δ(ε) − e^ε · α, and f is their
envelope. So what is computed from any of these lines is on the safe side.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpwidgets.calculators.loss._grid import Grid
from dpwidgets.calculators.loss._laws import Atoms, Gaussian, Laplace, Law, Parts
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import FloatArray

#: How many lines bound a trade-off function, and below which false alarms floats lose digits.
_LINES = 2000
_LEAST = 1e-290
#: The orders at which the Rényi divergence bounds δ far out.
_ORDERS = 1 + np.geomspace(1e-3, 1e4, 400)


def success(law: Law | Grid, parts: Parts, baseline: FloatArray) -> FloatArray:
    """Return 1 − f(baseline), the least δ(ε) + e^ε · baseline of any ε."""
    if isinstance(law, Gaussian):
        return np.asarray(ndtr(ndtri(baseline) + law.mu))
    low, high = (sum(count * one.ends[side] for one, count in parts) for side in (0, 1))

    def passed(epsilon: FloatArray) -> NDArray[np.bool_]:
        # What is left of the mass under Q where the best line touches: that of losses above ε.
        above = (law.tail(epsilon) - law.delta(epsilon)) * np.exp(np.minimum(-epsilon, 700))
        return np.asarray(above <= baseline)

    best = least(passed, low, np.full(baseline.shape, high))
    return np.clip(law.delta(best) + np.exp(np.minimum(best, 700)) * baseline, baseline, 1.0)


def mu(law: Law | Grid, parts: Parts) -> float:
    """Return a μ whose trade-off function of Gaussian laws lies nowhere above this one.

    Between its corners the envelope is a line, and the Gaussian function is convex: it is enough to
    compare them at the corners.
    """
    if isinstance(law, Gaussian):
        return law.mu
    if isinstance(law, Laplace):
        # The curves touch where false alarms and misses are equally many, e^(−ε/2)/2.
        return -2 * float(ndtri(math.exp(-law.highest / 2) / 2))
    if isinstance(law, Atoms):
        # The other half of the corners are those of the databases in the other order.
        lines = law.losses[max(np.searchsorted(law.losses, 0) - 1, 0) :]
        lines = lines[np.diff(lines, prepend=-np.inf) > 1e-9]  # sums may differ by rounding alone
        return math.inf if law.infinite else _mu_of(lines, law.delta(lines))
    of_parts = sum(count * mu(one, ((one, 1),)) ** 2 for one, count in parts)
    if math.isinf(of_parts):
        return math.inf
    return min(math.sqrt(of_parts), _mu_on_grid(law, parts))


def _mu_on_grid(law: Grid, parts: Parts) -> float:
    """Take evenly spaced lines, and far out, where no grid has digits, a bound of δ(ε) by ρ.

    The law is one of noise whose ρ is its mean, as that of Laplace, geometric and Gaussian noise.
    """
    mean = sum(count * one.mean for one, count in parts)
    spread = math.sqrt(sum(count * one.variance for one, count in parts))
    highest = sum(count * one.highest for one, count in parts)
    lines = np.linspace(0, min(mean + 40 * spread, highest), _LINES)
    delta = law.delta(lines)
    delta = np.where(delta > 100 * law.upper.slack, delta, _by_rho(lines, mean))
    return _mu_of(lines, np.minimum.accumulate(delta))


def _by_rho(epsilon: FloatArray, rho: float) -> FloatArray:
    """Bound δ(ε) of what is ρ-zCDP (Canonne, Kamath and Steinke 2020)."""
    order = _ORDERS[:, np.newaxis]
    power = (order - 1) * (order * rho - epsilon) - np.log(order - 1)
    return np.asarray(np.exp(np.minimum(power + order * np.log1p(-1 / order), 0).min(axis=0)))


def _mu_of(lines: FloatArray, delta: FloatArray) -> float:
    """Return the μ that the corners between lines with these ε and δ(ε) ask for."""
    fall = -np.diff(delta) / np.expm1(np.diff(lines))
    alarms, right = fall * np.exp(-lines[:-1]), delta[:-1] + fall
    kept = (alarms > _LEAST) & (right < 1)
    return float((ndtri(right[kept]) - ndtri(alarms[kept])).max(initial=0.0))
