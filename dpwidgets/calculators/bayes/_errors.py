"""How far off each estimate of the count is, averaged over all answers.

Exact sums where the text simulates, the text's simulation beside them, and all
estimators side by side at one ε and along a curve.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from dpwidgets.calculators.bayes._estimate import N, P
from dpwidgets.calculators.bayes._posterior import posterior_mean
from dpwidgets.calculators.bayes._sums import (
    Sums,
    error_of_mean,
    error_of_median,
    fixed_points,
    log_certain,
    log_prior,
)
from dpwidgets.calculators.noise import Laplace
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import EPSILON, FloatArray, one_of, whole
from dpwidgets.inputs.door import takes

#: The records of which averages are taken over all answers.
N_ALL_ANSWERS = whole(1, 2000)
#: The estimators of the count that `mean_error` knows.
ESTIMATORS = (
    "naive",
    "rounded",
    "clamped",
    "prior",
    "posterior mean",
    "posterior median",
)
#: What the curves of a `Comparison` may be drawn against.
AXES = ("epsilon", "noise", "p")

# Above this ε at most two counts are in doubt: the others' odds are below e^−50.
_TWO_IN_DOUBT = 50
_EPSILONS = np.geomspace(0.05, 10, 40)  # the text's range and as much again
_BELOW = np.concatenate(
    [[0.001, 0.003, 0.006, 0.01, 0.015], np.linspace(0.025, 0.5, 20)]
)
_PROBABILITIES = np.concatenate([_BELOW, 1 - _BELOW[-2::-1]])


@takes(n=N_ALL_ANSWERS, p=P, epsilon=EPSILON, true_p=P)
def mean_error(
    n: int,
    p: float,
    epsilon: float,
    estimator: str = "posterior mean",
    true_p: float | None = None,
    *,
    true_count: int | None = None,
) -> float:
    """Compute an estimator's mean absolute error over all answers, and over all counts or for one.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000.
    p : float
        The probability that the analyst assumes for a record to have the
        property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    estimator : str
        How the count is estimated from the answer ĉ: "naive" (ĉ itself),
        "rounded" (the nearest whole number, even outside 0 … n), "clamped"
        (the nearest number in [0, n], not rounded), "prior" (n·p whatever the
        answer), "posterior mean" (the text's Bayes estimator) or "posterior
        median".
    true_p : float, optional
        The probability with which the counts arise. By default the analyst is
        right: p.
    true_count : int, optional
        The count, from 0 to n, if the error at this count alone is asked for.

    Returns
    -------
    float
        The mean of |count − estimate|, over noise and, unless `true_count` is
        given, over counts that are binomial with n and `true_p`.

    Raises
    ------
    TypeError, ValueError
        If the estimator is unknown, or both `true_p` and `true_count` are
        given.

    Notes
    -----
    Eq. (12), for the naive estimator eq. (14). The text simulates it; this is
    exact, for the posterior mean to 1e-6 up to an ε of 10 and to 1e-4 above.
    Beyond an ε of 50 an answer leaves two neighbouring counts in doubt, if any;
    there the posterior mean errs π/2 times as far as the median: of the odds e^t
    between them, the integrals of 1/cosh(t/2) and of e^(−|t|/2) are 2π and 4.
    An estimate that grows with the answer exceeds x exactly when the answer
    exceeds a threshold y(x). The error is then the integral over x of the
    probability that x separates count and estimate.

    Examples
    --------
    >>> round(mean_error(n=100, p=0.3, epsilon=0.1), 4)
    3.3973
    >>> round(mean_error(n=100, p=0.3, epsilon=1, estimator="rounded"), 4)
    0.9595
    >>> round(mean_error(n=100, p=0.3, epsilon=0.1, true_count=60), 4)
    27.9841
    """
    estimator = one_of("estimator", estimator, ESTIMATORS)
    if true_p is not None and true_count is not None:
        raise ValueError("true_p and true_count cannot both be given")
    count: float | None = true_count
    if count is not None:
        count = whole(0, n).check_one("true_count", count)
    if estimator == "naive":
        return 1 / epsilon  # eq. (14)
    if estimator == "rounded":  # the mean of |noise rounded|, 1/(2 sinh(ε/2))
        return math.exp(-epsilon / 2) / -math.expm1(-epsilon)
    true = _table(n, p if true_p is None else true_p, epsilon, count)
    if estimator == "clamped":
        # the naive error, but with no noise left to undo beyond 0 and n: (1 −
        # P*)/ε
        below_0 = np.expm1(-epsilon * true.counts)
        above_n = np.expm1(-epsilon * true.counts[::-1])
        error = float(true.prior @ -(below_0 + above_n)) / (2 * epsilon)
    elif estimator == "prior" or p in (0, 1):
        error = float(true.prior @ np.abs(true.counts - n * p))
    elif estimator == "posterior mean" and epsilon <= _TWO_IN_DOUBT:
        error = error_of_mean(_table(n, p, epsilon), true)
    else:
        error = error_of_median(_table(n, p, epsilon), true)
        if estimator == "posterior mean":
            error *= math.pi / 2
    return min(error, float(n))  # rounding may leave it


# One for the analyst, one for the truth: every estimator asks for both.
@lru_cache(maxsize=2)
def _table(
    n: int, p: float, epsilon: float, count: float | None = None
) -> Sums:
    """Return the table of the counts 0 … n: binomial, or all of one count that is known."""
    counts = np.arange(n + 1.0)
    if count is None:
        return Sums(counts, log_prior(counts, n, p), epsilon)
    return Sums(counts, log_certain(counts, count), epsilon)


@takes(n=N_ALL_ANSWERS, p=P, epsilon=EPSILON, true_p=P)
def chance_closer(
    n: int, p: float, epsilon: float, true_p: float | None = None
) -> float:
    """Compute how often the Bayes estimator is closer to the count than the noisy answer itself.

    Parameters
    ----------
    n, p, epsilon, true_p : int, float, float, float or None
        As in `mean_error`.

    Returns
    -------
    float
        The probability that |count − posterior mean| < |count − ĉ|, for counts
        that are binomial with n and `true_p`.

    Notes
    -----
    Eq. (13). Let g(y) be the posterior mean. The Bayes estimator is closer if
    the count lies on g's side of the middle between y and g(y). That middle
    grows with y and passes the count k at y = s(k); the side changes at the
    roots z of g(z) = z. For a single root the Bayes estimator is farther
    exactly for the answers between z and s(k). With several roots such
    stretches are added and taken away in turn.

    Examples
    --------
    >>> round(chance_closer(n=100, p=0.3, epsilon=0.1), 4)
    0.7609
    """
    every = np.arange(n + 1.0)
    log_true = log_prior(every, n, p if true_p is None else true_p)
    likely = log_true > -57  # a share of 1e-25
    counts = every[likely]
    prior = np.exp(log_true[likely])
    assumed = _table(n, p, epsilon)
    noise = Laplace(1 / epsilon)
    middles = least(
        lambda y: assumed.mean(y) + y >= 2 * counts, 2 * counts - n, 2 * counts
    )
    roots = fixed_points(assumed)[:, np.newaxis]
    between = np.abs(noise.cdf(roots - counts) - noise.cdf(middles - counts))
    between[1::2] *= -1
    # Rounding may leave it.
    return min(max(1 - float(prior @ between.sum(axis=0)), 0.0), 1.0)


class Simulation(NamedTuple):
    """The text's Monte Carlo comparison of the naive and the Bayes estimator.

    Attributes
    ----------
    bayes : float
        The mean absolute error of the Bayes estimator; the naive one has 1/ε.
    closer : float
        The share of the runs in which the Bayes estimator is closer to the
        count.
    bayes_standard_error, closer_standard_error : float
        The standard errors of both.
    """

    bayes: float
    closer: float
    bayes_standard_error: float
    closer_standard_error: float


@takes(n=N, p=P, epsilon=EPSILON, runs=whole(1, 10**7))
def simulate(
    n: int, p: float, epsilon: float, runs: int, rng: np.random.Generator
) -> Simulation:
    """Compare the naive and the Bayes estimator as the text does, by simulation.

    Parameters
    ----------
    n, p, epsilon : int, float, float
        As in `estimate`.
    runs : int
        How many counts and answers to draw, from 1 to 10⁷. The text draws
        100,000, which take a fraction of a second for up to 2,000 records and
        a second or two for 1,000,000.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Simulation
        The mean error, how often the Bayes estimator is closer, and the
        standard errors.

    Notes
    -----
    Sec. 4.2.

    Examples
    --------
    >>> simulation = simulate(n=100, p=0.3, epsilon=0.1, runs=100_000, rng=np.random.default_rng(1))
    >>> round(simulation.bayes, 2), round(simulation.bayes_standard_error, 2)
    (3.4, 0.01)
    """
    counts = rng.binomial(n, p, runs)
    answers = rng.laplace(counts, 1 / epsilon)
    off = np.abs(posterior_mean(answers, n, p, epsilon) - counts)
    scores = np.stack([off, off < np.abs(answers - counts)])
    standard_errors = scores.std(axis=1) / math.sqrt(runs)
    return Simulation(*scores.mean(axis=1).tolist(), *standard_errors.tolist())


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
        What the curves run along: ε, the noise's standard deviation √2/ε, or
        the probability with which the counts arise. Along the last one the
        analyst is right everywhere, or, where `true_p` is given, assumes p
        everywhere.
    """

    n: int
    p: float
    epsilon: float
    true_p: float | None
    against: str

    @property
    def x(self) -> FloatArray:
        """Where the curves are computed."""
        return np.array([point.present for point in self._points()])

    @property
    def present(self) -> float:
        """Where on the curves the present values are."""
        if self.against == "epsilon":
            return self.epsilon
        if self.against == "noise":
            return math.sqrt(2) / self.epsilon
        return self.p if self.true_p is None else self.true_p

    @property
    def error_curves(self) -> dict[str, FloatArray]:
        """The mean absolute error of every estimator along `x`."""
        rows = [list(point.errors.values()) for point in self._points()]
        return dict(zip(ESTIMATORS, np.transpose(rows), strict=True))

    @property
    def errors(self) -> dict[str, float]:
        """The mean absolute error of every estimator at the present values."""
        case = self.n, self.p, self.epsilon
        return {name: _error(*case, name, self.true_p) for name in ESTIMATORS}

    def _points(self) -> list[Self]:
        """Return the comparison at each point of the curves."""
        varied = "epsilon"
        values = _EPSILONS
        if self.against == "p":
            varied = "p" if self.true_p is None else "true_p"
            values = _PROBABILITIES
        return [replace(self, **{varied: value}) for value in values.tolist()]


# A curve does not change while its reader moves along it, so all its points
# are kept.
_error = lru_cache(maxsize=2**15)(mean_error)


@takes(n=N_ALL_ANSWERS, p=P, epsilon=EPSILON, true_p=P)
def compare(
    n: int,
    p: float,
    epsilon: float,
    true_p: float | None = None,
    against: str = "epsilon",
) -> Comparison:
    """Put the estimators side by side, at one ε and along a curve.

    Parameters
    ----------
    n, p, epsilon, true_p : int, float, float, float or None
        As in `mean_error`. Errors and shares are averages over counts that are
        binomial with n and `true_p`.
    against : {"epsilon", "noise", "p"}
        What the curves run along; see `Comparison`.

    Returns
    -------
    Comparison
        The errors at these values, and the curves; they are computed when they
        are first asked for.

    Raises
    ------
    TypeError, ValueError
        If `against` is none of the three.

    Notes
    -----
    Figs. 1–8.

    Examples
    --------
    >>> both = compare(n=100, p=0.3, epsilon=0.1)
    >>> round(both.errors["naive"], 4), round(both.errors["posterior mean"], 4)
    (10.0, 3.3973)
    """
    against = one_of("against", against, AXES)
    return Comparison(n, p, epsilon, true_p, against)
