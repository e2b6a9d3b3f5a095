"""The text's own way to compare two estimators: many simulated runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpwidgets.calculators.bayes._posterior import N, P, posterior_mean
from dpwidgets.calculators.noise import Laplace
from dpwidgets.inputs.domain import EPSILON, whole
from dpwidgets.inputs.door import takes

RUNS = whole(1, 1_000_000_000)
_BATCH = 10_000  # runs between two reports of progress


@dataclass(frozen=True)
class Simulation:
    """The text's Monte Carlo comparison of the naive and the Bayes estimator.

    Attributes
    ----------
    runs : int
        The number of simulated answers.
    naive, bayes : float
        The mean absolute errors of both estimators.
    closer : float
        The share of the runs in which the Bayes estimator is closer to the count.
    naive_standard_error, bayes_standard_error, closer_standard_error : float
        The standard errors of the three.
    """

    runs: int
    naive: float
    bayes: float
    closer: float
    naive_standard_error: float
    bayes_standard_error: float
    closer_standard_error: float


@takes(n=N, p=P, epsilon=EPSILON, runs=RUNS)
def simulate(
    n: int,
    p: float,
    epsilon: float,
    runs: int,
    rng: np.random.Generator,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Compare the naive and the Bayes estimator as the text does, by simulation.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 1,000,000.
    p : float
        The probability that a record has the property, from 0 to 1.
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.
    runs : int
        How many counts and answers to draw, at least 1. The text draws 100,000, which take
        a fraction of a second for up to 2,000 records and a second or two for 1,000,000.
    rng : numpy.random.Generator
        The source of randomness.
    progress : callable, optional
        Called now and then with the number of runs done so far.

    Returns
    -------
    Simulation
        The mean errors, how often the Bayes estimator is closer, and the standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Sec. 4.2.

    Examples
    --------
    >>> simulation = simulate(n=100, p=0.3, epsilon=0.1, runs=100_000, rng=np.random.default_rng(1))
    >>> round(simulation.bayes, 2), round(simulation.bayes_standard_error, 2)
    (3.41, 0.01)
    """
    done, noise = 0, Laplace(1 / epsilon)
    totals, squares = np.zeros(3), np.zeros(3)
    while done < runs:
        size = min(_BATCH, runs - done)
        counts = rng.binomial(n, p, size)
        answers = counts + noise.sample(rng, size)
        naive = np.abs(answers - counts)
        bayes = np.abs(posterior_mean(answers, n, p, epsilon) - counts)
        scores = np.stack([naive, bayes, bayes < naive])
        totals += scores.sum(axis=1)
        squares += (scores**2).sum(axis=1)
        done += size
        if progress is not None:
            progress(done)
    means = totals / runs
    standard_errors = np.sqrt(np.maximum(squares / runs - means**2, 0) / runs)
    return Simulation(runs, *means.tolist(), *standard_errors.tolist())
