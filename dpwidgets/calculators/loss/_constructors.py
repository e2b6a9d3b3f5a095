"""The law of the privacy loss of one release: a constructor for each mechanism."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpwidgets.calculators.loss._composition import MU
from dpwidgets.calculators.loss._distribution import LossDistribution
from dpwidgets.calculators.loss._laws import Atoms, GaussianLoss, LaplaceLoss
from dpwidgets.calculators.loss._numerics import binomial_masses, mean_loss
from dpwidgets.inputs.domain import (
    EPSILON,
    Domain,
    DomainError,
    FloatArray,
    must_be,
    silent,
    whole,
)
from dpwidgets.inputs.door import takes

TRIALS = replace(
    whole(1, 10_000_000), why="The noise of more coins is as good as Gaussian"
)
MASS = Domain(
    "a list of masses, each 0 or a number from 1e-300 to 1",
    1e-300,
    1.1,
    True,
    also=(0,),
)


@takes(epsilon=EPSILON)
def laplace(epsilon: float) -> LossDistribution:
    """Build the law of the loss of Laplace noise of scale sensitivity/ε.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    LossDistribution
        Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density
        e^((L−ε)/2)/4 between them. The same in both orders.

    Notes
    -----
    From the text's definition of the loss for an outcome, with densities for
    probabilities: an answer that lies x sensitivities above the count with the
    person, the larger one, has the loss ε(|x + 1| − |x|).

    Examples
    --------
    >>> round(laplace(0.1).delta(0.05), 6)
    0.02469
    """
    return LossDistribution.of(LaplaceLoss.with_epsilon(epsilon))


@takes(epsilon=EPSILON)
def randomized_response(epsilon: float) -> LossDistribution:
    """Build the law of the loss of randomized response.

    It answers with the truth with probability e^ε/(1 + e^ε), else with a lie.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    LossDistribution
        Two atoms, at ε and −ε. The same in both orders. No ε-private mechanism
        has a larger expected loss.

    Examples
    --------
    >>> round(randomized_response(1).mean(), 4)
    0.4621
    """
    losses = np.array([epsilon, -epsilon])
    p = expit(losses)
    return LossDistribution.of(
        Atoms.of(losses, p, mean_loss(losses, p, p[::-1]))
    )


@takes(mu=MU)
def gaussian(mu: float) -> LossDistribution:
    """Build the law of the loss of Gaussian noise: Gaussian, with mean μ²/2 and deviation μ.

    Parameters
    ----------
    mu : float
        The sensitivity over the noise's standard deviation, μ, from 1e-8 to
        1000.

    Returns
    -------
    LossDistribution
        The law. The same in both orders, and Gaussian after any composition
        with Gaussian laws.

    Examples
    --------
    >>> round(gaussian(0.5).delta(1), 6), round(gaussian(0.5).tail(1), 6)
    (0.00683, 0.040059)
    """
    return LossDistribution.of(GaussianLoss(mu))


@takes(trials=TRIALS)
def binomial(trials: int) -> LossDistribution:
    """Build the law of the loss of Binomial(trials, ½) noise on a count of sensitivity 1.

    Parameters
    ----------
    trials : int
        How many fair coins make the noise, from 1 to 10⁷.

    Returns
    -------
    LossDistribution
        The loss of noise z is ln((z+1)/(trials−z)). It is infinite for z =
        trials, an answer that the smaller count cannot give, and so is the
        expected loss. The same in both orders: turn every coin over.

    Notes
    -----
    The mechanism of Dinur and Nissim for which, the text recalls, the expected
    loss was first bounded. That bound must leave out the one answer of
    infinite loss. Outcomes of mass below 1e-300 are left out here.

    Examples
    --------
    >>> round(binomial(10).infinite(), 6), round(binomial(1000).epsilon(1e-6), 6)
    (0.000977, 0.244143)
    """
    first, p = binomial_masses(trials, 0.5, 0.5)
    noise = first + np.arange(p.size)
    with np.errstate(divide="ignore"):
        # This is ln((z+1)/(trials−z)).
        losses = 2 * np.arctanh((2 * noise + 1 - trials) / (trials + 1))
    return LossDistribution.of(Atoms.of(losses, p, math.inf))


@silent
def finite(p: ArrayLike, q: ArrayLike) -> LossDistribution:
    """Build the law of the loss of a mechanism with finitely many outcomes.

    Parameters
    ----------
    p, q : array_like of shape (m,)
        The outcomes' masses with and without the person, each 0 or at least
        1e-300, each list with the sum 1. A sum that is off by at most 1e-9 is
        taken for rounding and divided out.

    Returns
    -------
    LossDistribution
        The law under p. An outcome with p > 0 = q has an infinite loss, one
        with p = 0 < q appears in the reversed law.

    Raises
    ------
    TypeError, ValueError
        If the masses are not such lists of the same length.

    Notes
    -----
    The text's definition of the loss for an outcome, as it stands.

    Examples
    --------
    >>> law = finite([0.75, 0.25], [0.25, 0.75])
    >>> law.tail(np.log(2)), round(law.delta(np.log(2)), 12)
    (0.75, 0.25)
    """
    p, q = two_lists(p, q)
    losses = losses_of(p, q)
    return LossDistribution.of(_drawn(losses, p, q), _drawn(-losses, q, p))


def _drawn(losses: FloatArray, p: FloatArray, q: FloatArray) -> Atoms:
    """Return the law of these losses for outcomes that are drawn from p."""
    there = p > 0
    return Atoms.of(losses[there], p[there], mean_loss(losses, p, q))


def masses(argument: str, value: ArrayLike) -> FloatArray:
    """Check one list of masses, as `finite` takes two.

    Parameters
    ----------
    argument : str
        The argument's name.
    value : array_like of shape (m,)
        The outcomes' masses, each 0 or at least 1e-300, with the sum 1 up to
        1e-9.

    Returns
    -------
    array of shape (m,)
        The masses as they are.

    Raises
    ------
    TypeError, ValueError
        If it is no such list; the message names the argument.

    Examples
    --------
    >>> masses("p", [0.75, 0.25])
    array([0.75, 0.25])
    """
    found = MASS.check(argument, value)
    if found.ndim != 1 or found.size == 0:
        raise must_be(
            argument, f"{MASS.allowed}; got an array of shape {found.shape}"
        )
    total = math.fsum(found)
    if abs(total - 1) > 1e-9:
        raise DomainError(
            argument,
            f"{argument} must have the sum 1; its {found.size} masses sum to {total:.12g}",
        )
    return found


def two_lists(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check the masses of the same outcomes under two laws, and divide rounding out.

    Parameters
    ----------
    p, q : array_like of shape (m,)
        As in `finite`, with the same errors.

    Returns
    -------
    p, q : array of shape (m,)
        The masses, each list with the sum 1.
    """
    p, q = masses("p", p), masses("q", q)
    if p.size != q.size:
        raise DomainError(
            "q",
            f"q must have as many masses as p, which has {p.size:,}; got {q.size:,}",
        )
    return p / math.fsum(p), q / math.fsum(q)


def losses_of(p: FloatArray, q: FloatArray) -> FloatArray:
    """Compute ln p/q for each outcome: ±infinity where one mass is 0, NaN where both are.

    Parameters
    ----------
    p, q : array of shape (m,)
        The outcomes' masses with the person and without.

    Examples
    --------
    >>> losses_of(np.array([0.5, 0.5, 0]), np.array([0.25, 0, 0.75])).round(3)
    array([0.693,   inf,  -inf])
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Where p and q are close the difference of their logarithms would lose
        # digits.
        close = np.log1p((p - q) / q)
        apart = np.log(p) - np.log(q)
        return np.where(np.abs(p - q) < q / 2, close, apart)
