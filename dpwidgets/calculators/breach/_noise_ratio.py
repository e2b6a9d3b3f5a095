"""The noise of many answers to a mean, on the text's own scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpwidgets.calculators.noise import Laplace
from dpwidgets.inputs.domain import EPSILON, FloatArray, whole
from dpwidgets.inputs.door import takes

N = whole(1, 10**12)
RUNS = whole(1, 10_000_000)


@dataclass(frozen=True, eq=False)
class Box:
    """The exact box of the noise of a mean, as a share of the range of the values.

    Attributes
    ----------
    epsilon : float
        The privacy parameter ε.
    n : int
        The number of records that the mean is taken of.

    Examples
    --------
    >>> box = Box(epsilon=2, n=1000)
    >>> box.scale, [round(quartile, 6) for quartile in box.quartiles]
    (0.0005, [-0.000347, 0.0, 0.000347])
    """

    epsilon: float
    n: int

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
        """Tukey's fences, one and a half times the box's length beyond it: ±4s·ln 2.

        One draw in 16 lies outside.
        """
        return 4 * self.quartiles[0], 4 * self.quartiles[2]


@dataclass(frozen=True, eq=False)
class NoiseRatio(Box):
    """The noise of many answers to a mean, as a share of the range of the values.

    `noise_ratio` makes one.

    Attributes
    ----------
    epsilon, n
        As in `Box`.
    values : array of shape (runs,)
        The drawn noise ratios.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=2, n=1000, runs=5, rng=np.random.default_rng(1))
    >>> drawn.scale, drawn.values.shape
    (0.0005, (5,))
    """

    values: FloatArray


@takes(epsilon=EPSILON, n=N, runs=RUNS)
def noise_ratio(epsilon: float, n: int, runs: int, rng: np.random.Generator) -> NoiseRatio:
    """Draw the noise ratio of a mean: noisy answer less true one, over the range of the values.

    The sensitivity of the mean is that range over n. So the range cancels, and the law is the same
    for every attribute.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    n : int
        The number of records, from 1 to 1e12.
    runs : int
        How many answers to draw, from 1 to 10,000,000.
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
    Sec. 3, corrected. The text prints NR = range(R)/(Umax − Umin), which is one number for all
    answers together and has no quartiles. Lee and Clifton (2012) have (R − f(D))/(Umax − Umin),
    with its sign.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=1, n=48842, runs=1000, rng=np.random.default_rng(1))
    >>> [f"{quartile:.2e}" for quartile in drawn.quartiles]
    ['-1.42e-05', '0.00e+00', '1.42e-05']
    """
    return NoiseRatio(epsilon, n, Laplace(1 / (n * epsilon)).sample(rng, runs))
