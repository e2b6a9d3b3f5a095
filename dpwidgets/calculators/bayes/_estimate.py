"""What an analyst makes of one noisy count: the estimate, and how good it is on average.

The results of `bayes`, put together as an explorer shows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpwidgets.calculators.bayes import _sums
from dpwidgets.calculators.bayes._errors import ESTIMATORS, N_ALL_ANSWERS, chance_closer, mean_error
from dpwidgets.calculators.bayes._posterior import (
    ANSWER,
    EPSILON,
    N,
    P,
    credible_interval,
    posterior,
    posterior_mean,
    posterior_median,
)
from dpwidgets.calculators.domain import FloatArray, check_numbers
from dpwidgets.calculators.noise import Laplace

#: What the curves of a `Comparison` may be drawn against.
AXES = ("epsilon", "noise", "p")

_EPSILONS = np.geomspace(0.05, 10, 40)  # the text's range and as much again
_PROBABILITIES = np.concatenate([[0.001, 0.003, 0.006, 0.01, 0.015], np.linspace(0.025, 0.5, 20)])
_PROBABILITIES = np.concatenate([_PROBABILITIES, 1 - _PROBABILITIES[-2::-1]])


@dataclass(frozen=True)
class Estimate:
    """All that one noisy answer tells about the count. Made by `estimate`.

    Attributes
    ----------
    answer : float
        The noisy answer ĉ.
    n : int
        The number of records.
    p : float
        The probability that a record has the property.
    epsilon : float
        The privacy parameter ε.
    """

    answer: float
    n: int
    p: float
    epsilon: float

    @property
    def expected(self) -> float:
        """The count to expect before the answer is known, n·p."""
        return self.n * self.p

    @property
    def deviation(self) -> float:
        """The standard deviation of the count before the answer is known, √(np(1 − p))."""
        return math.sqrt(self.n * self.p * (1 - self.p))

    @cached_property
    def counts(self) -> FloatArray:
        """The counts that matter before the answer is known or after."""
        low, masses = _sums.window(self.answer, self.n, self.p, self.epsilon)
        reach = _sums.reach(self.n)
        return np.arange(
            max(0, min(low, math.floor(self.expected) - reach)),
            min(self.n, max(low + masses.size, math.ceil(self.expected) + reach)) + 1.0,
        )

    @property
    def prior(self) -> FloatArray:
        """The probabilities of `counts` before the answer is known."""
        return np.exp(_sums.log_binomial(self.counts, self.n, self.p))

    @property
    def likelihood(self) -> FloatArray:
        """The density of the answer under each of `counts`."""
        return Laplace(1 / self.epsilon).density(self.answer - self.counts)

    @property
    def posterior(self) -> FloatArray:
        """The probabilities of `counts` after the answer is known."""
        return posterior(self.answer, self.n, self.p, self.epsilon)[self.counts.astype(int)]

    @cached_property
    def mean(self) -> float:
        """The posterior mean, the text's Bayes estimator."""
        return posterior_mean(self.answer, self.n, self.p, self.epsilon)

    @cached_property
    def median(self) -> int:
        """The posterior median."""
        return posterior_median(self.answer, self.n, self.p, self.epsilon)

    @cached_property
    def interval(self) -> tuple[int, int]:
        """The equal-tailed interval that holds the count with a probability of at least 95%."""
        return credible_interval(self.answer, self.n, self.p, self.epsilon, level=0.95)


def estimate(answer: float, n: int, p: float, epsilon: float) -> Estimate:
    """Describe all that one noisy answer tells about the count.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, any finite number.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    Estimate
        The count's law before and after the answer, and what to say about it.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> after = estimate(answer=40, n=100, p=0.3, epsilon=0.1)
    >>> after.expected, round(after.mean, 2), after.median, after.interval
    (30.0, 31.98, 32, (23, 41))
    """
    answer, n, p, epsilon = check_numbers(
        answer=(answer, ANSWER), n=(n, N), p=(p, P), epsilon=(epsilon, EPSILON)
    )
    return Estimate(answer, int(n), p, epsilon)


@dataclass(frozen=True)
class Comparison:
    """The estimators side by side, at one ε and along a curve. Made by `compare`.

    Attributes
    ----------
    n : int
        The number of records.
    p : float
        The probability that the analyst assumes.
    epsilon : float
        The privacy parameter ε.
    true_p : float or None
        The probability with which the counts arise, if it is another one.
    against : {"epsilon", "noise", "p"}
        What the curves run along: ε, the noise's standard deviation √2/ε, or the probability with
        which the counts arise. Along the last one the analyst is right everywhere, or, where
        `true_p` is given, assumes p everywhere.
    """

    n: int
    p: float
    epsilon: float
    true_p: float | None = None
    against: str = "epsilon"

    @property
    def x(self) -> FloatArray:
        """Where the curves are computed."""
        return {"epsilon": _EPSILONS, "noise": math.sqrt(2) / _EPSILONS, "p": _PROBABILITIES}[
            self.against
        ]

    @property
    def present(self) -> float:
        """Where on the curves the present values are."""
        truth = self.p if self.true_p is None else self.true_p
        return {"epsilon": self.epsilon, "noise": math.sqrt(2) / self.epsilon, "p": truth}[
            self.against
        ]

    @property
    def error_curves(self) -> dict[str, FloatArray]:
        """The mean absolute error of every estimator along `x`."""
        return {estimator: self._curve(mean_error, estimator) for estimator in ESTIMATORS}

    @property
    def closer_curve(self) -> FloatArray:
        """How often the Bayes estimator is closer than the answer itself, along `x`."""
        return self._curve(chance_closer)

    @cached_property
    def errors(self) -> dict[str, float]:
        """The mean absolute error of every estimator at the present values."""
        return {
            name: mean_error(self.n, self.p, self.epsilon, name, self.true_p) for name in ESTIMATORS
        }

    @cached_property
    def closer(self) -> float:
        """How often the Bayes estimator is closer than the answer itself at the present values."""
        return chance_closer(self.n, self.p, self.epsilon, self.true_p)

    def _curve(self, function: Callable[..., float], *estimator: str) -> FloatArray:
        """Return the function's values along `x`; those along ε do not depend on the present one, so they are kept."""
        if self.against != "p":
            return _along_epsilon(function, self.n, self.p, self.true_p, *estimator)
        assumed = None if self.true_p is None else self.p
        return _along_p(function, self.n, assumed, self.epsilon, *estimator)


@lru_cache(maxsize=64)
def _along_epsilon(
    function: Callable[..., float], n: int, p: float, true_p: float | None, *estimator: str
) -> FloatArray:
    return np.array([function(n, p, epsilon, *estimator, true_p=true_p) for epsilon in _EPSILONS])


@lru_cache(maxsize=64)
def _along_p(
    function: Callable[..., float], n: int, assumed: float | None, epsilon: float, *estimator: str
) -> FloatArray:
    return np.array(
        [
            function(n, p if assumed is None else assumed, epsilon, *estimator, true_p=p)
            for p in _PROBABILITIES
        ]
    )


def compare(
    n: int, p: float, epsilon: float, true_p: float | None = None, against: str = "epsilon"
) -> Comparison:
    """Put the estimators side by side, at one ε and along a curve.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε > 0.
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is right: p.
    against : {"epsilon", "noise", "p"}
        What the curves run along; see `Comparison`.

    Returns
    -------
    Comparison
        The errors at these values, and the curves; they are computed when they are first asked for.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or `against` is none of the three.

    Notes
    -----
    Figs. 1–8.

    Examples
    --------
    >>> two = compare(n=100, p=0.3, epsilon=0.1)
    >>> round(two.errors["naive"], 4), round(two.errors["posterior mean"], 4), round(two.closer, 4)
    (10.0, 3.3973, 0.7609)
    """
    if against not in AXES:
        raise ValueError(f"against must be one of {', '.join(map(repr, AXES))}; got {against!r}")
    n, p, epsilon = check_numbers(n=(n, N_ALL_ANSWERS), p=(p, P), epsilon=(epsilon, EPSILON))
    if true_p is not None:
        true_p = P.check_one("true_p", true_p)
    return Comparison(int(n), p, epsilon, true_p, against)
