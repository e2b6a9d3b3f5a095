"""The estimators side by side, at one ε and along a curve, as an explorer shows them."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from dpwidgets.calculators.bayes._errors import ESTIMATORS, chance_closer, mean_error
from dpwidgets.calculators.bayes._posterior import DOUBT, N_ALL_ANSWERS, P
from dpwidgets.inputs.domain import EPSILON, FloatArray, one_of
from dpwidgets.inputs.door import takes

#: What the curves of a `Comparison` may be drawn against.
AXES = ("epsilon", "noise", "p")

_EPSILONS = np.geomspace(0.05, 10, 40)  # the text's range and as much again
_BELOW = np.concatenate([[0.001, 0.003, 0.006, 0.01, 0.015], np.linspace(0.025, 0.5, 20)])
_PROBABILITIES = np.concatenate([_BELOW, 1 - _BELOW[-2::-1]])
_Given: TypeAlias = tuple[int, float, float, float | None, float]


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
    true_p: float | None
    against: str
    doubt: float

    @property
    def x(self) -> FloatArray:
        """Where the curves are computed."""
        if self.against == "p":
            return _PROBABILITIES
        return _EPSILONS if self.against == "epsilon" else math.sqrt(2) / _EPSILONS

    @property
    def present(self) -> float:
        """Where on the curves the present values are."""
        if self.against == "p":
            return self.p if self.true_p is None else self.true_p
        return self.epsilon if self.against == "epsilon" else math.sqrt(2) / self.epsilon

    @property
    def error_curves(self) -> dict[str, FloatArray]:
        """The mean absolute error of every estimator along `x`."""
        errors = [_errors(*one) for one in self._along()]
        return {name: np.array([each[name] for each in errors]) for name in ESTIMATORS}

    @property
    def closer_curve(self) -> FloatArray:
        """How often the Bayes estimator is closer than the answer itself, along `x`."""
        return np.array([_closer(*one) for one in self._along()])

    @property
    def errors(self) -> dict[str, float]:
        """The mean absolute error of every estimator at the present values."""
        return _errors(self.n, self.p, self.epsilon, self.true_p, self.doubt)

    @property
    def closer(self) -> float:
        """How often the Bayes estimator is closer than the answer itself at the present values."""
        return _closer(self.n, self.p, self.epsilon, self.true_p, self.doubt)

    @property
    def error_at_each_count(self) -> FloatArray:
        """The posterior mean's error at each count from 0 to n, at the present values.

        It takes O(n²) steps: some seconds for 2000 records.
        """
        given = self.n, self.p, self.epsilon
        return np.array(
            [mean_error(*given, true_count=k, doubt=self.doubt) for k in range(self.n + 1)]
        )

    def _along(self) -> list[_Given]:
        """Return what the errors depend on at each of `x`."""
        n, p, epsilon, true_p, doubt = self.n, self.p, self.epsilon, self.true_p, self.doubt
        if self.against != "p":
            return [(n, p, one, true_p, doubt) for one in _EPSILONS.tolist()]
        if true_p is None:
            return [(n, one, epsilon, None, doubt) for one in _PROBABILITIES.tolist()]
        return [(n, p, epsilon, one, doubt) for one in _PROBABILITIES.tolist()]


# A curve does not change while its reader moves along it, so all its points are kept.
@lru_cache(maxsize=2**12)
def _errors(
    n: int, p: float, epsilon: float, true_p: float | None, doubt: float
) -> dict[str, float]:
    return {name: mean_error(n, p, epsilon, name, true_p, doubt=doubt) for name in ESTIMATORS}


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
    n, p, epsilon, true_p, doubt : int, float, float, float or None, float
        As in `mean_error`. Errors and shares are averages over counts that are binomial with n and
        `true_p`.
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
    return Comparison(n, p, epsilon, true_p, one_of("against", against, AXES), doubt)
