"""Exact values and independent ways that several tests of the privacy loss share."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

# δ by ε after k releases of Laplace noise with ε = 0.1, from 20-digit sums of
# residues.
LAPLACE = {
    1: {0: 0.04877057549928599, 0.04: 0.029554466451491823, 0.096: 0.0019980013326669332},
    10: {
        0: 0.12213073714742974, 0.08: 0.09337971654538681, 0.4: 0.015882266954019598,
        0.72: 0.0012366010148657235, 0.96: 0.00004223700370140120,
    },
    100: {
        0: 0.37748863278821805, 0.45: 0.24547095612688063, 1.35: 0.06898196486619406,
        2.7: 0.0029700261103128476, 4.5: 2.6447844813819600e-6, 5.4: 1.8536020048940998e-8,
    },
}  # fmt: skip

masses = st.lists(st.floats(1e-3, 1), min_size=4, max_size=4).map(
    lambda x: np.array(x) / sum(x)
)


def product(p, times):
    """Return the masses of all sequences of outcomes."""
    return [
        math.prod(sequence) for sequence in itertools.product(p, repeat=times)
    ]


def laplace_moments(s, epsilon, high=0.0):
    """Return E[e^(s(L − high))] for Laplace noise."""
    above = np.exp(s * (epsilon - high))
    below = np.exp(-(s + 1) * epsilon - s * high)
    return above / 2 + below / 2 + (above - below) / (s + 0.5) / 4


def transformed(moments, epsilon, rate, reach):
    """Sum δ(ε) = 1/(2πi) ∫ E[e^(sL)] e^(−sε) / (s(s+1)) ds along the real part `rate`."""
    t = np.linspace(-reach, reach, 20_001)
    s = rate + 1j * t
    return float(
        (moments(s) * np.exp(-s * epsilon) / (s * (s + 1))).real.sum()
        * (t[1] - t[0])
        / (2 * np.pi)
    )


def gaussian_delta(mu, epsilon):
    """Return δ(ε) of Gaussian noise from the normal law."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(
        epsilon
    ) * stats.norm.cdf(-mu / 2 - epsilon / mu)


def most_powerful(p, q, baseline):
    """Return the success of Neyman and Pearson's randomized test: take outcomes by p/q."""
    p, q = np.asarray(p), np.asarray(q)
    order = np.argsort(-p / q)
    alarms, found = (
        np.append(0, np.cumsum(masses[order])) for masses in (q, p)
    )
    return np.interp(baseline, alarms, found)


def likelier(p, q, prior):
    """Return how often the likelier of two databases is the true one, after each outcome."""
    return np.maximum(prior * np.asarray(p), (1 - prior) * np.asarray(q)).sum()


def together(arrays, counts):
    """Convolve each array as often as its count says, without a transform: no digit is lost."""
    many = np.ones(1)
    for one, count in zip(arrays, counts, strict=True):
        for bit in bin(count)[:1:-1]:
            many = np.convolve(many, one) if bit == "1" else many
            one = np.convolve(one, one)
    return many


def masses_between(kind, size, edges):
    """Return the masses of one release's loss between edges, under P and under Q.

    From the noise itself: laplace(ε), randomized_response(ε) or gaussian(μ), as
    a word and a number.
    """
    if kind == "randomized_response":
        losses = size * np.array([1.0, -1.0])
        where = np.searchsorted(edges, losses, side="right") - 1
        return [
            np.bincount(where, expit(side * losses), edges.size - 1)
            for side in (1, -1)
        ]
    found = []
    for side in (1, -1):
        if kind == "gaussian":
            below, above = (
                tail(edges, side * size**2 / 2, size)
                for tail in (stats.norm.cdf, stats.norm.sf)
            )
        else:  # the loss exceeds one inside (−ε, ε) for answers above the middle by half of it
            below, above = (
                tail(edges, side * size, 2)
                for tail in (stats.laplace.cdf, stats.laplace.sf)
            )
            below = np.where(
                edges >= size, 1, np.where(edges < -size, 0, below)
            )
            above = np.where(
                edges >= size, 0, np.where(edges < -size, 1, above)
            )
        # A difference of what is small, not of what is near to 1.
        found.append(
            np.where(below[:-1] < 0.5, np.diff(below), -np.diff(above))
        )
    return found


def at_least(laws, step):
    """Return a bound of δ(ε) from below: of an attacker who sees the sum of cells of this width.

    The cells of each law have their middles `step` apart, the highest one at
    its highest loss.
    """
    merged = []
    for kind, size, _ in laws:
        low, high = -size, size
        if kind == "gaussian":
            low, high = size**2 / 2 + size * np.array([-10, 38])
        cells = math.ceil((high - low) / step) + 1
        edges = high + step / 2 - step * np.arange(cells + 1.0)[::-1]
        merged.append(masses_between(kind, size, edges))
    counts = [count for *_, count in laws]
    p, q = (together(masses, counts) for masses in zip(*merged, strict=True))
    safely = 1 - 1e-14  # but for rounding
    return lambda epsilon: float(
        np.maximum(safely * p - np.exp(epsilon) * q, 0).sum()
    )
