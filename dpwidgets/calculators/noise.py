"""The noise that the texts add, and what one noisy answer says about the truth.

Both laws are given by their scale: sensitivity/ε makes a release ε-private. (The interval text's λ
is the rate, one over the scale.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    REAL,
    Domain,
    FloatArray,
    check,
    plain,
)

SCALE = POSITIVE
WHOLE = Domain("a whole number", whole=True)


@dataclass(frozen=True)
class Laplace:
    """Laplace noise, the law on the real line with density e^(−|x|/scale) / (2·scale).

    Parameters
    ----------
    scale : float
        The scale, a finite number above 0. The standard deviation is √2 times as large.

    Raises
    ------
    TypeError, ValueError
        If the scale is not a finite number above 0.

    Notes
    -----
    Naldi and D'Acquisto (2015), eq. (1), with λ = 1/scale.

    Examples
    --------
    >>> Laplace(scale=10).density(0)
    0.05
    >>> round(Laplace(scale=10).cdf(10), 4)
    0.8161
    >>> Laplace(scale=10).sample(np.random.default_rng(1), size=2).round(3)
    array([ 0.239, 23.119])
    """

    scale: float

    def __post_init__(self) -> None:
        SCALE.check("scale", self.scale)

    def density(self, x: ArrayLike) -> float | FloatArray:
        """Compute the density at `x`, any finite number or an array of them."""
        (x,) = check(x=(x, REAL))
        return plain(np.exp(-np.abs(x) / self.scale) / (2 * self.scale))

    def cdf(self, x: ArrayLike) -> float | FloatArray:
        """Compute the probability of noise up to `x`, any finite number or an array of them."""
        (x,) = check(x=(x, REAL))
        tail = np.exp(-np.abs(x) / self.scale) / 2
        return plain(np.where(x < 0, tail, 1 - tail))

    def quantile(self, probability: ArrayLike) -> float | FloatArray:
        """Compute the x up to which the noise has this probability, between 0 and 1."""
        (p,) = check(probability=(probability, PROBABILITY))
        return plain(np.where(p < 0.5, 1.0, -1.0) * self.scale * np.log(2 * np.minimum(p, 1 - p)))

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> float | FloatArray:
        """Draw one number, or an array of the given size."""
        return rng.laplace(scale=self.scale, size=size)


@dataclass(frozen=True)
class TwoSidedGeometric:
    """Two-sided geometric noise, the law on the whole numbers with mass proportional to e^(−|k|/scale).

    Parameters
    ----------
    scale : float
        The scale, a finite number above 0.

    Raises
    ------
    TypeError, ValueError
        If the scale is not a finite number above 0.

    Examples
    --------
    >>> round(TwoSidedGeometric(scale=1).mass(0), 4)
    0.4621
    >>> TwoSidedGeometric(scale=1).quantile(0.9)
    1.0
    """

    scale: float

    def __post_init__(self) -> None:
        SCALE.check("scale", self.scale)

    def mass(self, k: ArrayLike) -> float | FloatArray:
        """Compute the probability of noise equal to `k`, a whole number or an array of them."""
        (k,) = check(k=(k, WHOLE))
        return plain(np.tanh(0.5 / self.scale) * np.exp(-np.abs(k) / self.scale))

    def cdf(self, k: ArrayLike) -> float | FloatArray:
        """Compute the probability of noise up to `k`, any finite number or an array of them."""
        (k,) = check(k=(k, REAL))
        k = np.floor(k)
        tail = np.exp(-np.where(k < 0, -k, k + 1) / self.scale) / (1 + np.exp(-1 / self.scale))
        return plain(np.where(k < 0, tail, 1 - tail))

    def quantile(self, probability: ArrayLike) -> float | FloatArray:
        """Compute the smallest k up to which the noise has at least this probability, between 0 and 1."""
        (p,) = check(probability=(probability, PROBABILITY))
        norm = 1 + np.exp(-1 / self.scale)
        left = self.scale * np.log(p * norm)  # cdf(k) = e^(k/scale)/norm for k < 0
        right = (
            -self.scale * np.log((1 - p) * norm) - 1
        )  # 1 − cdf(k) = e^(−(k+1)/scale)/norm for k ≥ −1
        k = np.ceil(np.where(p * norm < 1, left, right))
        k -= (
            self.cdf(k - 1) >= p
        )  # the logarithm may have been rounded across a whole number, either way
        return plain(k + (self.cdf(k) < p))

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> float | FloatArray:
        """Draw one number, or an array of the given size: the difference of two geometric draws."""
        stop = -np.expm1(-1 / self.scale)
        return plain(np.subtract(rng.geometric(stop, size), rng.geometric(stop, size), dtype=float))


def posterior(answer: ArrayLike, candidates: ArrayLike, scale: float) -> FloatArray:
    """Compute how probable each candidate is, given one answer with Laplace noise, all being equally likely before.

    Parameters
    ----------
    answer : array_like
        The noisy answer, any finite number; an array of any shape gives that many posteriors.
    candidates : array_like of shape (m,)
        The answers that the truth may have. Candidates may coincide.
    scale : float
        The scale of the noise, above 0.

    Returns
    -------
    array of shape answer.shape + (m,)
        The posterior probabilities; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the candidates are not one list.

    Notes
    -----
    Bayes' rule with equal priors, as in Lee and Clifton (2011), Def. 3. Beyond the outermost candidates the posterior
    no longer changes with the answer, so the answer is first moved to the nearest of them: without that, a far answer
    would lose the candidates' differences to rounding.

    Examples
    --------
    >>> posterior(answer=12, candidates=[10, 11], scale=100).round(4)
    array([0.4975, 0.5025])
    """
    answer, scale = REAL.check("answer", answer), SCALE.check("scale", scale)
    candidates = REAL.check("candidates", candidates)
    if candidates.ndim != 1 or candidates.size == 0:
        raise ValueError(
            f"candidates must be one list of numbers; got an array of shape {candidates.shape}"
        )
    nearest = np.clip(answer, candidates.min(), candidates.max())
    logits = -np.abs(nearest[..., np.newaxis] - candidates) / scale
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
