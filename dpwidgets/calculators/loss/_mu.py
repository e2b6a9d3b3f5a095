"""The μ of Gaussian privacy, from the δ(ε) of a law (Dong, Roth and Su 2022)."""

from collections.abc import Callable

import numpy as np

from dpwidgets.calculators.loss._laws import Gaussian
from dpwidgets.inputs.domain import FloatArray

# At how many ε two curves are compared: μ is larger by some thousandths.
POINTS = 1000
LARGE = 11.0  # of a larger μ, 1 − δ(0) has too few digits


def least_mu(
    delta: Callable[[FloatArray], FloatArray], end: float, high: float
) -> float:
    """Return a μ whose Gaussian δ is at least this one at every ε from 0 to an end, or `high`.

    Both curves fall. So between two places it is enough that the one at the
    right place is at least the other one at the left place.

    Parameters
    ----------
    delta : callable
        The δ(ε) of the law, for an array of ε.
    end : float
        The ε up to which it counts.
    high : float
        A μ that is large enough.
    """
    # Closest near 0, where the curves differ least.
    epsilons = high * np.expm1(np.linspace(0, np.log1p(end / high), POINTS))
    at = epsilons[1:]
    reached = delta(epsilons[:-1])
    low = 0.0
    for _ in range(16):
        middle = (low + high) / 2
        short = Gaussian(middle).delta(at) < reached
        if short.any():  # elsewhere every larger μ is enough
            low = middle
            at, reached = at[short], reached[short]
        else:
            high = middle
    return high
