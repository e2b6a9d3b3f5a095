"""The noise of many answers to a mean, on the text's own scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpwidgets.calculators.breach._beliefs import EPSILON
from dpwidgets.calculators.domain import (
    FloatArray,
    whole,
)
from dpwidgets.calculators.noise import Laplace

N = whole(1)
RUNS = whole(1, 1_000_000_000)


@dataclass(frozen=True, eq=False)
class NoiseRatio:
    """The noise of many answers to a mean, as a share of the range of the values. `noise_ratio` makes one.

    Attributes
    ----------
    epsilon : float
        The privacy parameter ε.
    n : int
        The number of records that the mean is taken of.
    values : array of shape (runs,)
        The drawn noise ratios.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=2, n=1000, runs=5, rng=np.random.default_rng(1))
    >>> drawn.scale, drawn.values.shape
    (0.0005, (5,))
    """

    epsilon: float
    n: int
    values: FloatArray

    @property
    def scale(self) -> float:
        """The scale s = 1/(nε) of the Laplace law that the ratios follow."""
        return 1 / (self.n * self.epsilon)

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """The exact quartiles of that law: −s·ln 2, 0 and s·ln 2."""
        upper = self.scale * math.log(2)
        return -upper, 0.0, upper

    @property
    def fences(self) -> tuple[float, float]:
        """Tukey's fences, one and a half times the box's length beyond it: ±4s·ln 2. One draw in 16 lies outside."""
        return 4 * self.quartiles[0], 4 * self.quartiles[2]


def noise_ratio(epsilon: float, n: int, runs: int, rng: np.random.Generator) -> NoiseRatio:
    """Draw the noise ratio of a mean: the noisy answer less the true one, over the range of the values.

    The sensitivity of the mean is that range over n. So the range cancels, and the law is the same
    for every attribute.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε > 0.
    n : int
        The number of records, at least 1.
    runs : int
        How many answers to draw, from 1 to 1,000,000,000.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    NoiseRatio
        The draws, and the exact quartiles of their law.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Sec. 3, corrected. The text prints NR = range(R)/(Umax − Umin), which is one number for all answers together and has
    no quartiles. Lee and Clifton (2012) have (R − f(D))/(Umax − Umin), with its sign.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=1, n=48842, runs=1000, rng=np.random.default_rng(1))
    >>> [f"{quartile:.2e}" for quartile in drawn.quartiles]
    ['-1.42e-05', '0.00e+00', '1.42e-05']
    """
    epsilon, n = EPSILON.check_one("epsilon", epsilon), int(N.check_one("n", n))
    values = Laplace(1 / (n * epsilon)).sample(rng, int(RUNS.check_one("runs", runs)))
    return NoiseRatio(epsilon, n, values)
