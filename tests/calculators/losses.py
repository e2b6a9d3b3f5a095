"""Exact values and independent ways that several tests of the privacy loss share."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st
from scipy import stats

# δ by ε after k releases of Laplace noise with ε = 0.1, from 20-digit sums of residues.
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

masses = st.lists(st.floats(1e-3, 1), min_size=4, max_size=4).map(lambda x: np.array(x) / sum(x))


def product(p, times):
    """Return the masses of all sequences of outcomes."""
    return [math.prod(sequence) for sequence in itertools.product(p, repeat=times)]


def laplace_moments(s, epsilon):
    """Return E[e^(sL)] for Laplace noise."""
    between = np.exp(-epsilon / 2) * np.sinh((s + 0.5) * epsilon) / (s + 0.5) / 2
    return np.exp(s * epsilon) / 2 + np.exp(-(s + 1) * epsilon) / 2 + between


def transformed(moments, epsilon, rate, reach):
    """Sum δ(ε) = 1/(2πi) ∫ E[e^(sL)] e^(−sε) / (s(s+1)) ds along the real part `rate`."""
    t = np.linspace(-reach, reach, 20_001)
    s = rate + 1j * t
    return float(
        (moments(s) * np.exp(-s * epsilon) / (s * (s + 1))).real.sum() * (t[1] - t[0]) / (2 * np.pi)
    )


def gaussian_delta(mu, epsilon):
    """Return δ(ε) of Gaussian noise from the normal law."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
        -mu / 2 - epsilon / mu
    )


def geometric_masses(scale, places):
    """Return the masses of whole numbers that are so many places away from the truth."""
    ratio = math.exp(-1 / scale)
    return (1 - ratio) / (1 + ratio) * ratio ** np.abs(places)


def most_powerful(p, q, baseline):
    """Return the success of Neyman and Pearson's randomized test: take outcomes by p/q."""
    p, q = np.asarray(p), np.asarray(q)
    order = np.argsort(-p / q)
    alarms, found = (np.append(0, np.cumsum(masses[order])) for masses in (q, p))
    return np.interp(baseline, alarms, found)
