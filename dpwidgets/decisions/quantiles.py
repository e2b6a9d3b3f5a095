"""A median or another quantile, drawn from a public grid by the exponential mechanism.

A quantile has no useful noise to add: one person can move it across the whole
range. Instead a number of a public grid is drawn, the likelier the nearer its
rank is. The law of what is drawn is a list of as many probabilities as the grid
has numbers.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.decisions.case import NEIGHBOURS
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    PROBABILITY,
    FloatArray,
    must_be,
    one_of,
)

_LONGEST = 10**4


@dataclass(frozen=True, kw_only=True)
class Quantile:
    """A quantile that is drawn from a grid, with its ε.

    Parameters
    ----------
    grid : sequence of float
        The public numbers of which one is published, rising: 2 to 10⁴ of them.
        They must not depend on the data.
    epsilon : float
        The ε of the release, from 1e-8 to 1000.
    share : float
        Which quantile, between 0 and 1: this share of the values lies below
        it. By default the median.
    neighbours : {"add/remove", "replace"}
        As in `Case`. Each person has one value.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the grid does not rise.

    Notes
    -----
    The rank error of a number c is |(1 − share)·below − share·above|, with so
    many values below c and above it (Smith 2011). One person who is added
    changes it by at most max(share, 1 − share), and one who is replaced by 1:
    that is Δ. Drawn with probabilities in proportion to e^(−ε·error/(2Δ)) it is
    ε-private (McSherry and Talwar 2007), and ε²/8-zCDP (Cesar and Rogers 2021).

    Examples
    --------
    >>> ages = Quantile(grid=range(0, 101, 10), epsilon=0.5)
    >>> last_year = [23, 31, 38, 44, 45, 47, 52, 58, 64, 71, 80] * 2
    >>> ages.law(last_year).round(2).tolist()
    [0.0, 0.0, 0.0, 0.01, 0.1, 0.72, 0.1, 0.04, 0.01, 0.0, 0.0]
    >>> round(ages.mean_error(last_year), 1), round(ages.rank_error(0.95), 1)
    (6.5, 10.5)
    """

    grid: tuple[float, ...]
    epsilon: float
    share: float = 0.5
    neighbours: str = NEIGHBOURS[0]

    def __post_init__(self) -> None:
        grid = NUMBER.check("grid", list(self.grid))
        size = grid.size if grid.ndim == 1 else 0
        if not 2 <= size <= _LONGEST or (np.diff(grid) <= 0).any():
            raise must_be("grid", f"2 to {_LONGEST:,} numbers that rise")
        object.__setattr__(self, "grid", tuple(grid.tolist()))
        for name, domain in (("epsilon", EPSILON), ("share", PROBABILITY)):
            value = domain.check_one(name, getattr(self, name))
            object.__setattr__(self, name, value)
        one_of("neighbours", self.neighbours, NEIGHBOURS)

    @property
    def sensitivity(self) -> float:
        """By how much one person changes a rank error at most: Δ."""
        if self.neighbours == "replace":
            return 1.0
        return max(self.share, 1 - self.share)

    @property
    def rho(self) -> float:
        """The ρ of the release (zCDP)."""
        return self.epsilon**2 / 8

    def law(self, values: ArrayLike) -> FloatArray:
        """Compute the probability of each number of the grid, for values that are supposed.

        Parameters
        ----------
        values : array_like of float
            Last year's values, or what is thought of them: the law of the
            secret ones is a secret.

        Returns
        -------
        array of float
            As many probabilities as the grid has numbers.

        Raises
        ------
        TypeError, ValueError
            If a value is no finite number.
        """
        ranked = np.sort(NUMBER.check("values", values).ravel())
        below = np.searchsorted(ranked, self.grid)
        above = ranked.size - np.searchsorted(ranked, self.grid, "right")
        errors = np.abs((1 - self.share) * below - self.share * above)
        exponents = (errors - errors.min()) * self.epsilon
        weights = np.exp(-exponents / (2 * self.sensitivity))
        return np.asarray(weights / weights.sum())

    def mean_error(self, values: ArrayLike) -> float:
        """Compute how far what is drawn lies from the quantile of supposed values, on average.

        Parameters
        ----------
        values : array_like of float
            As in `law`, one at least.

        Returns
        -------
        float
            The mean distance, in the unit of the values.

        Raises
        ------
        TypeError, ValueError
            If a value is no finite number, or there is none.
        """
        supposed = NUMBER.check("values", values)
        if not supposed.size:
            raise must_be("values", "one number at least")
        truth = np.quantile(supposed, self.share, method="inverted_cdf")
        distances = np.abs(np.subtract(self.grid, truth))
        return float(self.law(supposed) @ distances)

    def rank_error(self, confidence: float) -> float:
        """Compute by how much more than the grid's least the rank error is, at most, so often.

        It holds for all data: all but one number of the grid may be that bad
        (McSherry and Talwar 2007).

        Parameters
        ----------
        confidence : float
            How often, between 0 and 1.

        Returns
        -------
        float
            The rank error, in people.

        Raises
        ------
        TypeError, ValueError
            If the confidence lies outside its domain.
        """
        kept = PROBABILITY.check_one("confidence", confidence)
        odds = (len(self.grid) - 1) * kept / (1 - kept)
        return 2 * self.sensitivity / self.epsilon * max(math.log(odds), 0.0)

    def code(self) -> str:
        """Write a program that draws it with OpenDP, tried with 0.16, and prints its ρ."""
        size, d_in = "", 1
        if self.neighbours == "replace":
            size, d_in = ", size=len(data)", 2
        atom = f"dp.atom_domain(T=float, nan=False){size}"
        return _PROGRAM.format(**vars(self), atom=atom, d_in=d_in)


_PROGRAM = """import opendp.prelude as dp

dp.enable_features("contrib")

grid = {grid}
data = [grid[0]] * 3  # put yours here: the value of each person, as a float
space = dp.vector_domain({atom}), dp.symmetric_distance()
scores = space >> dp.t.then_quantile_score_candidates(list(grid), {share!r})
noise = dp.zero_concentrated_divergence(), 2 * scores.map({d_in}) / {epsilon!r}
release = scores >> dp.m.then_noisy_max(*noise, negate=True)
print("published:", grid[release(data)])
print("ρ (zCDP):", release.map({d_in}))
"""
