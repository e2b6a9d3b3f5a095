"""What an analyst makes of one noisy count: the estimate, and how good it is on average.

The results of `bayes`, put together as an explorer shows them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dpwidgets.calculators.bayes import _sums
from dpwidgets.calculators.bayes._errors import (
    ESTIMATORS,
    N_ALL_ANSWERS,
    chance_closer,
    mean_error,
)
from dpwidgets.calculators.bayes._posterior import ANSWER, DOUBT, N, P
from dpwidgets.calculators.noise import Laplace, posterior_after
from dpwidgets.inputs.domain import EPSILON, FloatArray, one_of, silent
from dpwidgets.inputs.door import takes

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
    doubt : float
        How unsure the analyst is of p.
    """

    answer: float
    n: int
    p: float
    epsilon: float
    doubt: float = 0.0

    @property
    def expected(self) -> float:
        """The count to expect before the answer is known, n·p."""
        return self.n * self.p

    @property
    def deviation(self) -> float:
        """The standard deviation of the count before the answer is known.

        √(np(1 − p)), and with a doubt d as many times more as √(1 + (n − 1)d) says.
        """
        return math.sqrt(self.n * self.p * (1 - self.p) * (1 + (self.n - 1) * self.doubt))

    @cached_property
    @silent
    def _likely(self) -> _sums.Window:
        """The posterior where it matters; all that is said after the answer comes from it."""
        return _sums.window(self.answer, self.n, self.p, self.epsilon, self.doubt)

    @cached_property
    def counts(self) -> FloatArray:
        """The counts that matter before the answer is known or after."""
        reach, after = _sums.reach(self.n), self._likely.low + self._likely.masses.size - 1
        low = min(self._likely.low, math.floor(self.expected) - reach)
        high = max(after, math.ceil(self.expected) + reach)
        return np.arange(max(0, low), min(self.n, high) + 1.0)

    @cached_property
    @silent
    def prior(self) -> FloatArray:
        """The probabilities of `counts` before the answer is known."""
        return np.asarray(np.exp(_sums.log_prior(self.counts, self.n, self.p, self.doubt)))

    @property
    def likelihood(self) -> FloatArray:
        """The density of the answer under each of `counts`."""
        return Laplace(1 / self.epsilon).density(self.answer - self.counts)

    @cached_property
    def posterior(self) -> FloatArray:
        """The probabilities of `counts` after the answer is known."""
        masses, start = np.zeros(self.counts.size), self._likely.low - int(self.counts[0])
        masses[start : start + self._likely.masses.size] = self._likely.masses
        return masses

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return self.n, self.p, self.epsilon, self.doubt

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Draw a true count, as probable as it is before any answer is known."""
        return float(rng.choice(self.counts, p=self.prior))

    def draw(self, truth: float, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw noisy answers about a true count."""
        return rng.laplace(truth, 1 / self.epsilon, size)

    @silent
    def after(self, answers: FloatArray) -> _sums.Window:
        """Return the posterior of `counts` after these answers about the same records."""
        before = _sums.log_prior(self.counts, self.n, self.p, self.doubt)
        masses = posterior_after(answers, self.counts, 1 / self.epsilon, before)
        return _sums.Window(int(self.counts[0]), masses)

    @property
    def usual_error(self) -> float:
        """How far half of the noisy answers lie from the true count at most."""
        return math.log(2) / self.epsilon

    @property
    def mean(self) -> float:
        """The posterior mean, the text's Bayes estimator."""
        return self._likely.mean

    @cached_property
    def median(self) -> int:
        """The posterior median."""
        return self._likely.median

    @cached_property
    def interval(self) -> tuple[int, int]:
        """The equal-tailed interval that holds the count with a probability of at least 95%."""
        return self._likely.interval(0.95)


@takes(answer=ANSWER, n=N, p=P, epsilon=EPSILON, doubt=DOUBT)
def estimate(answer: float, n: int, p: float, epsilon: float, doubt: float = 0.0) -> Estimate:
    """Describe all that one noisy answer tells about the count.

    Parameters
    ----------
    answer : float
        The noisy answer ĉ, a number from −1e100 to 1e100.
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    doubt : float
        How unsure the analyst is of p, from 0 to 0.5: how much two records are correlated in his
        eyes. 0 is the text's analyst, who knows p. With a doubt d the prior is beta-binomial, with
        a beta distribution of mean p whose parameters add up to 1/d − 1: as sure of p as somebody
        who has counted so many other records. Then n may be at most 2000.

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

    An analyst who has counted 9 other records trusts the answer more:

    >>> round(estimate(answer=40, n=100, p=0.3, epsilon=0.1, doubt=0.1).mean, 2)
    36.03
    """
    if doubt:
        N_ALL_ANSWERS.check("n", n)
    return Estimate(answer, n, p, epsilon, doubt)


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
    doubt : float
        How unsure the analyst is of p. It changes the estimates, and not how the counts arise.
    """

    n: int
    p: float
    epsilon: float
    true_p: float | None = None
    against: str = "epsilon"
    doubt: float = 0.0

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
        return dict(zip(ESTIMATORS, self._curve(_every_error).T, strict=True))

    @property
    def closer_curve(self) -> FloatArray:
        """How often the Bayes estimator is closer than the answer itself, along `x`."""
        return self._curve(_closer)

    @cached_property
    def errors(self) -> dict[str, float]:
        """The mean absolute error of every estimator at the present values."""
        errors = _every_error(self.n, self.p, self.epsilon, self.true_p, self.doubt)
        return dict(zip(ESTIMATORS, errors, strict=True))

    @cached_property
    def closer(self) -> float:
        """How often the Bayes estimator is closer than the answer itself at the present values."""
        return _closer(self.n, self.p, self.epsilon, self.true_p, self.doubt)

    @cached_property
    def error_at_each_count(self) -> FloatArray:
        """The posterior mean's error at each count from 0 to n, at the present values.

        It takes O(n²) steps: some seconds for 2000 records.
        """
        given = self.n, self.p, self.epsilon
        return np.array(
            [mean_error(*given, true_count=k, doubt=self.doubt) for k in range(self.n + 1)]
        )

    def _curve(self, function: Callable[..., Any]) -> FloatArray:
        """Return the function's values along `x`."""
        p, epsilon, true_p = self.p, self.epsilon, self.true_p
        if self.against != "p":
            points = [(p, one, true_p) for one in _EPSILONS.tolist()]
        elif true_p is None:
            points = [(one, epsilon, None) for one in _PROBABILITIES.tolist()]
        else:
            points = [(p, epsilon, one) for one in _PROBABILITIES.tolist()]
        return np.array([function(self.n, *point, self.doubt) for point in points])


# A curve does not change while its reader moves along it, so all its points are kept.
@lru_cache(maxsize=2**12)
def _every_error(
    n: int, p: float, epsilon: float, true_p: float | None, doubt: float
) -> tuple[float, ...]:
    return tuple(mean_error(n, p, epsilon, name, true_p, doubt=doubt) for name in ESTIMATORS)


@lru_cache(maxsize=2**12)
def _closer(n: int, p: float, epsilon: float, true_p: float | None, doubt: float) -> float:
    return chance_closer(n, p, epsilon, true_p, doubt=doubt)


@takes(n=N_ALL_ANSWERS, p=P, epsilon=EPSILON, true_p=P, doubt=DOUBT)
def compare(
    n: int,
    p: float,
    epsilon: float,
    true_p: float | None = None,
    against: str = "epsilon",
    doubt: float = 0.0,
) -> Comparison:
    """Put the estimators side by side, at one ε and along a curve.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is right: p.
    against : {"epsilon", "noise", "p"}
        What the curves run along; see `Comparison`.
    doubt : float
        How unsure the analyst is of p, from 0 to 0.5; see `estimate`. It changes the estimates
        alone: errors and shares are averages over counts that are binomial with n and `true_p`.

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
    against = one_of("against", against, AXES)
    return Comparison(n, p, epsilon, true_p, against, doubt)
