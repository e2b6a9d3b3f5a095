"""Three attributes of the Adult data set, and the noise of many answers to a mean of one.

The breach text (Ouyang et al. 2018, Table 3) experiments with them. The counts
come with the package, in data/, with a card that says where they are from.
"""

import csv
import math
from importlib import resources
from typing import NamedTuple

import numpy as np

from dpwidgets.inputs.domain import EPSILON, FloatArray, one_of, whole
from dpwidgets.inputs.door import takes

#: The attributes in the order of Table 3, and the unit of each.
UNITS = {"age": "years", "education-num": "levels", "hours-per-week": "hours"}
ATTRIBUTES = tuple(UNITS)


class Marginal(NamedTuple):
    """How often each value of one attribute occurs. `attribute` looks one up.

    Attributes
    ----------
    values : array of shape (k,)
        The values that occur, ascending, in the attribute's unit: years,
        levels of schooling or hours.
    counts : array of shape (k,)
        How many records have each of them.
    n : int
        The number of records.
    min, max, range : float
        The smallest value, the largest, and their distance, which Table 3
        calls the sensitivity.
    sensitivity : float
        How far the mean moves at most when another value replaces one
        record's: range/n.
    universe : array of shape (range + 1,)
        All whole numbers from the smallest value to the largest, whether they
        occur or not. A blind guess is right with one over their number: Table
        3 has 1/16 and 1/99, and by mistake 1/73 instead of 1/74 for the age.

    Examples
    --------
    >>> age = attribute("age")
    >>> age.n, age.min, age.max, age.range
    (48842, 17.0, 90.0, 73.0)
    >>> f"{age.sensitivity:.6f}"
    '0.001495'
    >>> age.universe.size, round(1 / age.universe.size, 4)
    (74, 0.0135)
    """

    values: FloatArray
    counts: FloatArray
    n: int
    min: float
    max: float
    range: float
    sensitivity: float
    universe: FloatArray


def attribute(name: str) -> Marginal:
    """Look up an attribute.

    Parameters
    ----------
    name : {"age", "education-num", "hours-per-week"}
        The attribute's name.

    Returns
    -------
    Marginal
        Its values and how often each occurs.

    Raises
    ------
    ValueError
        If there is no such attribute.

    Notes
    -----
    Becker and Kohavi (1996), *Adult*, UCI Machine Learning Repository, CC BY
    4.0; all 48,842 records.

    Examples
    --------
    >>> hours = attribute("hours-per-week")
    >>> int(hours.counts[hours.values == 40].item())
    22803
    """
    name = one_of("name", name, ATTRIBUTES)
    table = resources.files("dpwidgets") / "data" / "adult_marginals.csv"
    rows = csv.reader(table.read_text(encoding="utf-8").splitlines())
    pairs = [row[1:] for row in rows if row[0] == name]
    values, counts = np.array(pairs, dtype=float).T
    n = int(counts.sum())
    low, high = float(values[0]), float(values[-1])
    return Marginal(
        values,
        counts,
        n=n,
        min=low,
        max=high,
        range=high - low,
        sensitivity=(high - low) / n,
        universe=np.arange(low, high + 1),
    )


class NoiseRatio(NamedTuple):
    """The noise of many answers to a mean, as a share of the range of the values.

    `noise_ratio` makes one.

    Attributes
    ----------
    scale : float
        The scale s = 1/(nε) of the Laplace law that the ratios follow.
    values : array of shape (runs,)
        The drawn noise ratios.
    quartiles : tuple of float
        The exact quartiles of the law: −s·ln 2, 0 and s·ln 2.
    fences : tuple of float
        Tukey's fences, one and a half times the box's length beyond it: ±4s·ln
        2. One draw in 16 lies outside.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=2, n=1000, runs=5, rng=np.random.default_rng(1))
    >>> drawn.scale, drawn.values.shape, [round(quartile, 6) for quartile in drawn.quartiles]
    (0.0005, (5,), [-0.000347, 0.0, 0.000347])
    """

    scale: float
    values: FloatArray
    quartiles: tuple[float, float, float]
    fences: tuple[float, float]


@takes(epsilon=EPSILON, n=whole(1, 10**12), runs=whole(1, 10**7))
def noise_ratio(
    epsilon: float, n: int, runs: int, rng: np.random.Generator
) -> NoiseRatio:
    """Draw the noise ratio of a mean: noisy answer less true one, over the range of the values.

    The sensitivity of the mean is that range over n. So the range cancels, and
    the law is the same for every attribute.

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

    Notes
    -----
    Sec. 3, corrected. The text prints NR = range(R)/(Umax − Umin), which is
    one number for all answers together and has no quartiles. Lee and Clifton
    (2012) have (R − f(D))/(Umax − Umin), with its sign.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=1, n=48842, runs=1000, rng=np.random.default_rng(1))
    >>> [f"{quartile:.2e}" for quartile in drawn.quartiles]
    ['-1.42e-05', '0.00e+00', '1.42e-05']
    """
    scale = 1 / (n * epsilon)
    upper = scale * math.log(2)
    return NoiseRatio(
        scale,
        values=rng.laplace(scale=scale, size=runs),
        quartiles=(-upper, 0.0, upper),
        fences=(-4 * upper, 4 * upper),
    )
