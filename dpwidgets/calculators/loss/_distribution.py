"""The law of the privacy loss: a constructor for each mechanism, and what it says of privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpwidgets.calculators.loss._grid import Grid, grid
from dpwidgets.calculators.loss._laws import (
    Atoms,
    Gaussian,
    Laplace,
    Law,
    Parts,
    binomial_masses,
    bounds,
    listed,
    mean_loss,
)
from dpwidgets.inputs.domain import (
    EPSILON,
    Domain,
    DomainError,
    FloatArray,
    Floats,
    door,
    plain,
    silent,
    whole,
    within,
)

MU = within(1e-8, 1000, why="A smaller μ hides nearly everything and a larger one next to nothing")
#: The ε of δ(ε) is a loss too, and may be negative.
LOSS = within(-1e15, 1e15, why="No loss is larger")
DELTA = within(1e-300, 0.999999, why="A δ closer to 1 promises nothing")
DELTA_OR_NONE = replace(DELTA, allowed=f"0 or {DELTA.allowed}", includes_zero=True)
COUNT = replace(
    whole(1, 100_000), why="Of more releases no grid tells much: its bounds on δ are too wide"
)
TRIALS = replace(
    whole(1, 10_000_000), why="The noise of more coins is Gaussian to all the digits that count"
)
MASS = Domain(
    "a list of masses, each 0 or a number from 1e-300 to 1",
    low=1e-300,
    high=1.0 + 1e-9,
    includes_low=True,
    includes_high=True,
    includes_zero=True,
)


@silent
def laplace(epsilon: float) -> LossDistribution:
    """Build the law of the loss of Laplace noise of scale sensitivity/ε.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    LossDistribution
        Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them. The
        same in both orders.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number.

    Notes
    -----
    From the text's definition of the loss for an outcome, with densities for probabilities: an
    answer that lies x sensitivities above the count with the person, the larger one, has the loss
    ε(|x + 1| − |x|).

    Examples
    --------
    >>> round(laplace(0.1).delta(0.05), 6)
    0.02469
    """
    return _symmetric(Laplace.with_epsilon(EPSILON.check_one("epsilon", epsilon)))


@silent
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
        Two atoms, at ε and −ε. The same in both orders. No ε-private mechanism has a larger
        expected loss.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number.

    Examples
    --------
    >>> round(randomized_response(1).mean(), 4)
    0.4621
    """
    epsilon = EPSILON.check_one("epsilon", epsilon)
    losses, p = np.array([-epsilon, epsilon]), expit([-epsilon, epsilon])
    return _symmetric(Atoms.of(losses, p, mean_loss(losses, p, p[::-1])))


def geometric(epsilon: float) -> LossDistribution:
    """Build the law of the loss of two-sided geometric noise of scale 1/ε on a count.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    LossDistribution
        The law of `randomized_response`: the loss is ε for every answer from the larger count up,
        which is that with the person, and −ε for the others; nothing else about the answer matters.
        The law of `laplace` is another one: between the two counts its answers have losses between
        −ε and ε.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number.

    Examples
    --------
    >>> geometric(1).cdf([-1.5, -1, 0, 1]).round(4)
    array([0.    , 0.2689, 0.2689, 1.    ])
    """
    return randomized_response(epsilon)


def gaussian(mu: float) -> LossDistribution:
    """Build the law of the loss of Gaussian noise: Gaussian, with mean μ²/2 and deviation μ.

    Parameters
    ----------
    mu : float
        The sensitivity over the noise's standard deviation, μ, from 1e-8 to 1000.

    Returns
    -------
    LossDistribution
        The law. The same in both orders, and Gaussian after any composition with Gaussian laws.

    Raises
    ------
    TypeError, ValueError
        If mu is not such a number.

    Examples
    --------
    >>> round(gaussian(0.5).delta(1), 6), round(gaussian(0.5).tail(1), 6)
    (0.00683, 0.040059)
    """
    return _symmetric(Gaussian(MU.check_one("mu", mu)))


@silent
def binomial(trials: int) -> LossDistribution:
    """Build the law of the loss of Binomial(trials, ½) noise on a count of sensitivity 1.

    Parameters
    ----------
    trials : int
        How many fair coins make the noise, from 1 to 10⁷.

    Returns
    -------
    LossDistribution
        The loss of noise z is ln((z+1)/(trials−z)). It is infinite for z = trials, an answer that
        the smaller count cannot give, and so is the expected loss. The same in both orders: turn
        every coin over.

    Raises
    ------
    TypeError, ValueError
        If trials is not such a whole number.

    Notes
    -----
    The mechanism of Dinur and Nissim for which, the text recalls, the expected loss was first
    bounded. That bound must leave out the one answer of infinite loss. Outcomes of mass below
    1e-300 are left out here.

    Examples
    --------
    >>> round(binomial(10).infinite(), 6), round(binomial(1000).epsilon(1e-6), 6)
    (0.000977, 0.244143)
    """
    trials = int(TRIALS.check_one("trials", trials))
    first, p = binomial_masses(trials, 0.5, 0.5)
    noise = first + np.arange(p.size)
    with np.errstate(divide="ignore"):
        losses = 2 * np.arctanh((2 * noise + 1 - trials) / (trials + 1))  # ln((z+1)/(trials−z))
    return _symmetric(Atoms.of(losses, p, math.inf))


@silent
def finite(p: ArrayLike, q: ArrayLike) -> LossDistribution:
    """Build the law of the loss of a mechanism with finitely many outcomes.

    Parameters
    ----------
    p, q : array_like of shape (m,)
        The outcomes' masses with and without the person, each 0 or at least 1e-300, each list with
        the sum 1. A sum that is off by at most 1e-9 is taken for rounding and divided out.

    Returns
    -------
    LossDistribution
        The law under p. An outcome with p > 0 = q has an infinite loss, one with p = 0 < q appears
        in the reversed law.

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
    there, back = (
        Atoms.of(x[m > 0], m[m > 0], mean_loss(x, m, n))
        for x, m, n in ((losses, p, q), (-losses, q, p))
    )
    return LossDistribution(((there, 1),), ((back, 1),))


def masses(argument: str, value: ArrayLike) -> FloatArray:
    """Check one list of masses, as `finite` takes two.

    Parameters
    ----------
    argument : str
        The argument's name.
    value : array_like of shape (m,)
        The outcomes' masses, each 0 or at least 1e-300, with the sum 1 up to 1e-9.

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
        raise DomainError(
            argument, f"{argument} must be {MASS.allowed}; got an array of shape {found.shape}"
        )
    total = math.fsum(found)
    if abs(total - 1) > 1e-9:
        raise DomainError(
            argument, f"{argument} must have the sum 1; its {found.size} masses sum to {total:.12g}"
        )
    return found


def two_lists(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check the masses of the same outcomes under two laws, and divide rounding out."""
    p, q = masses("p", p), masses("q", q)
    if p.size != q.size:
        raise DomainError(
            "q", f"q must have as many masses as p, which has {p.size:,}; got {q.size:,}"
        )
    return p / math.fsum(p), q / math.fsum(q)


def losses_of(p: FloatArray, q: FloatArray) -> FloatArray:
    """Compute ln p/q for each outcome: ±infinity where one mass is 0, NaN where both are."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Where p and q are close the difference of their logarithms would lose digits.
        return np.where(np.abs(p - q) < q / 2, np.log1p((p - q) / q), np.log(p) - np.log(q))


@dataclass(frozen=True)
class LossDistribution:
    """The law of the privacy loss L = ln P(s)/Q(s) for an answer s drawn from P.

    The constructors of this module make one: `laplace`, `geometric`, `randomized_response`,
    `gaussian`, `binomial` and `finite`. It does not change; `compose`, `compose_with` and
    `reversed` give new ones.

    Every method takes a number or an array, of any shape, and gives a float for a number. The ε of
    `delta`, `delta_bounds` and `tail` and the loss of `cdf` may be any number from -1e15 to 1e15: a
    negative ε asks how far P stays below Q as well. All raise `TypeError` or `ValueError` for
    anything else.

    A single release, Gaussian laws, any composition of one law with two finite losses and those
    with few outcomes are exact to rounding. Other compositions lie on a grid of the loss: there
    `delta` and `epsilon` are on the safe side, and `tail` and `cdf` are right to one grid step, or
    to a few where laws of unevenly spaced losses are composed. The smallest δ that a grid can tell
    from 0 is about 1e-11, or 1e-9 for a very large grid.

    Parameters
    ----------
    parts, mirrored : tuple of (law, int)
        What is composed, and how often, with P against Q and with Q against P. For the
        constructors' use.

    Examples
    --------
    1000 answers with ε = 0.1 each are 100-private, and nearly 19-private:

    >>> law = laplace(0.1).compose(1000)
    >>> round(law.mean(), 3), round(law.epsilon(1e-6), 2)
    (4.837, 18.95)
    """

    parts: Parts
    mirrored: Parts

    def mean(self) -> float:
        """Compute the expected loss, the Kullback-Leibler divergence of P from Q.

        Returns
        -------
        float
            E[L] ≥ 0, exact after composition too: expectations add up. Infinite where an infinite
            loss is possible.

        Notes
        -----
        The text bounds it by 2ε² for an ε-private mechanism and small ε. That holds for every ε,
        and the sharp bound is ε·tanh(ε/2) ≤ ε²/2, which randomized response attains.

        Examples
        --------
        >>> round(laplace(1).mean(), 6), round(laplace(1).compose(10).mean(), 6)
        (0.367879, 3.678794)
        """
        return float(sum(count * law.mean for law, count in self.parts))

    @silent
    def infinite(self) -> float:
        """Compute the probability of an infinite loss: an answer impossible without the person.

        Returns
        -------
        float
            P[L = ∞], exact after composition too. No ε has a smaller δ.

        Examples
        --------
        >>> binomial(2).infinite(), round(binomial(2).compose(2).infinite(), 6)
        (0.25, 0.4375)
        """
        if len(self.parts) == 1 and self.parts[0][1] == 1:
            return self.parts[0][0].infinite
        if any(law.infinite == 1 for law, _ in self.parts):
            return 1.0
        return 0.0 - math.expm1(sum(count * math.log1p(-law.infinite) for law, count in self.parts))

    @door(loss=LOSS)
    def cdf(self, loss: float) -> Floats:
        """Compute the probability of a loss up to `loss`.

        Parameters
        ----------
        loss : array_like
            Any number from -1e15 to 1e15. One within 1e-14 of a possible loss, relative to the
            largest one, counts as that loss.

        Returns
        -------
        float or array
            P[L ≤ loss], on a grid right to one grid step (see the class).

        Raises
        ------
        TypeError, ValueError
            If loss is not such a number.

        Examples
        --------
        >>> round(gaussian(0.5).tail(1) + gaussian(0.5).cdf(-1), 4)
        0.0523
        """
        return self._law.cdf(np.asarray(loss))

    @door(epsilon=LOSS)
    def tail(self, epsilon: float) -> Floats:
        """Compute the probability of a loss above ε, infinite losses included.

        One-sided: losses below −ε do not count.

        Parameters
        ----------
        epsilon : array_like
            Any number from -1e15 to 1e15. One within 1e-14 of a possible loss, relative to the
            largest one, counts as that loss.

        Returns
        -------
        float or array
            P[L > ε], on a grid right to one grid step (see the class).

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.

        Examples
        --------
        >>> round(gaussian(0.5).tail(1), 4)
        0.0401
        """
        return self._law.tail(np.asarray(epsilon))

    @door(epsilon=LOSS)
    def delta(self, epsilon: float) -> Floats:
        """Compute the smallest δ with P(S) ≤ e^ε · Q(S) + δ for every event S.

        Parameters
        ----------
        epsilon : array_like
            Any number from -1e15 to 1e15. A negative one is as meaningful: then δ is at least
            1 − e^ε.

        Returns
        -------
        float or array
            δ(ε) = E[(1 − e^(ε−L))₊], on a grid its upper bound. The guarantee needs the reversed
            law's too.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.

        Examples
        --------
        >>> round(laplace(0.1).compose(100).delta(4.05), 8)
        2.15e-05
        """
        return self._law.delta(np.asarray(epsilon))

    @overload
    def delta_bounds(self, epsilon: float) -> tuple[float, float]: ...
    @overload
    def delta_bounds(self, epsilon: ArrayLike) -> tuple[Floats, Floats]: ...
    @silent
    def delta_bounds(self, epsilon: ArrayLike) -> tuple[Floats, Floats]:
        """Compute two numbers between which δ(ε) lies for certain.

        Parameters
        ----------
        epsilon : array_like
            Any number from -1e15 to 1e15.

        Returns
        -------
        lower, upper : float or array
            At most 1e-6 apart for up to 1000 compositions, with few exceptions: see the module. For
            an exact law they differ by a relative 1e-12, for rounding.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not such a number.

        Examples
        --------
        >>> lower, upper = laplace(0.1).compose(10).delta_bounds(0.4)
        >>> lower <= 0.01588226695401959792 <= upper <= lower + 1e-6
        True
        """
        law, epsilon = self._law, LOSS.check("epsilon", epsilon)
        lower, upper = law.bounds(epsilon) if isinstance(law, Grid) else bounds(law, epsilon)
        return plain(lower), plain(upper)

    @door(delta=DELTA)
    def epsilon(self, delta: float) -> Floats:
        """Compute the smallest ε ≥ 0 whose δ(ε) is at most `delta`.

        Parameters
        ----------
        delta : array_like
            The δ, from 1e-300 to 0.999999.

        Returns
        -------
        float or array
            ε, to 1e-15 relatively; on a grid never below the true one. Infinite where an infinite
            loss is likelier than `delta`. The guarantee needs the reversed law's too.

        Raises
        ------
        TypeError, ValueError
            If delta is not such a number.

        Examples
        --------
        >>> round(gaussian(0.1).compose(100).epsilon(1e-6), 6)
        4.886554
        >>> finite([0.5, 0.5], [1, 0]).epsilon(0.1)
        inf
        """
        deltas = np.asarray(delta)
        possible = deltas >= self.infinite()
        low, high = np.zeros_like(deltas), np.ones_like(deltas)
        while (short := possible & (self._law.delta(high) > deltas)).any():
            high = np.where(short, 2 * high, high)
        high = np.where(self._law.delta(low) <= deltas, 0.0, high)
        while (high - low > np.maximum(1e-15 * high, 1e-300)).any():
            middle = (low + high) / 2
            enough = self._law.delta(middle) <= deltas
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.where(possible, high, np.inf)

    def compose(self, compositions: int) -> LossDistribution:
        """Build the law of the summed loss of several independent releases of this one.

        Parameters
        ----------
        compositions : int
            How many releases, from 1 to 10⁵.

        Returns
        -------
        LossDistribution
            The law of the sum.

        Raises
        ------
        TypeError, ValueError
            If compositions is not such a whole number, or a law would be composed more than 10⁵
            times.

        Examples
        --------
        >>> round(gaussian(0.1).compose(100).delta(1), 6)
        0.126937
        """
        count = int(COUNT.check_one("compositions", compositions))
        return LossDistribution(*(_collected(part, count) for part in (self.parts, self.mirrored)))

    def compose_with(self, other: LossDistribution) -> LossDistribution:
        """Build the law of the summed loss of this release and another, independent one.

        Parameters
        ----------
        other : LossDistribution
            The law of the other release's loss.

        Returns
        -------
        LossDistribution
            The law of the sum.

        Raises
        ------
        TypeError
            If other is not a LossDistribution.
        ValueError
            If a law would be composed more than 10⁵ times.

        Examples
        --------
        >>> both = laplace(0.1).compose_with(gaussian(0.1))
        >>> round(both.mean(), 6)
        0.009837
        """
        if not isinstance(other, LossDistribution):
            raise TypeError(f"other must be a LossDistribution; got a {type(other).__name__}")
        return LossDistribution(
            _collected(self.parts + other.parts), _collected(self.mirrored + other.mirrored)
        )

    def reversed(self) -> LossDistribution:
        """Build the law of ln Q(s)/P(s) for s drawn from Q: the databases in the other order.

        Returns
        -------
        LossDistribution
            The law of the loss with the roles of P and Q exchanged. Reversed twice it is the same
            law again.

        Examples
        --------
        The loss is ln 2 whatever happens, and yet no ε bounds what the databases may differ by:

        >>> law = finite([1, 0], [0.5, 0.5])
        >>> round(law.epsilon(1e-9), 4), law.reversed().epsilon(0.1)
        (0.6931, inf)
        """
        return self if self.parts == self.mirrored else LossDistribution(self.mirrored, self.parts)

    @property
    @silent
    def grid_step(self) -> float:
        """The step of the grid on which the law lies, or 0 for one that is exact."""
        return self._law.step if isinstance(self._law, Grid) else 0.0

    @cached_property
    def _law(self) -> Law | Grid:
        """The law of the sum: in closed form, as a list of outcomes, or on a grid."""
        if len(self.parts) == 1 and self.parts[0][1] == 1:
            return self.parts[0][0]
        mean, infinite = self.mean(), self.infinite()
        return listed(self.parts, mean, infinite) or grid(self.parts, infinite)


def _symmetric(law: Law) -> LossDistribution:
    return LossDistribution(((law, 1),), ((law, 1),))


def _collected(parts: Parts, count: int = 1) -> Parts:
    """Take each part `count` times, and equal laws together; Gaussian laws make a single one."""
    mu, counts = 0.0, dict[Law, int]()
    for law, times in parts:
        if isinstance(law, Gaussian):
            mu = math.hypot(mu, law.mu * math.sqrt(times * count))
        else:
            counts[law] = counts.get(law, 0) + times * count
    if max(counts.values(), default=0) > COUNT.high or mu > MU.high * math.sqrt(COUNT.high):
        raise DomainError(
            "compositions",
            f"compositions must add up to at most {COUNT.high:,}, and Gaussian ones to a μ of at "
            f"most {MU.high * math.sqrt(COUNT.high):,.0f}",
        )
    return (*counts.items(), *([(Gaussian(mu), 1)] if mu else []))
