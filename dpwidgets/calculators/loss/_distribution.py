"""The law of the privacy loss: its composition, and what it says of privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.loss._grid import Grid, grid
from dpwidgets.calculators.loss._laws import Gaussian, Law, Parts, bounds, listed
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import DomainError, silent, whole, within
from dpwidgets.inputs.door import Floats, door, plain, takes

MU = within(1e-8, 1000, why="A smaller μ hides nearly everything and a larger one next to nothing")
#: The ε of δ(ε) is a loss too, and may be negative.
LOSS = within(-1e15, 1e15, why="No loss is larger")
DELTA = within(1e-300, 0.999999, why="A δ closer to 1 promises nothing")
DELTA_OR_NONE = replace(DELTA, allowed=f"0 or {DELTA.allowed}", includes_zero=True)
COUNT = replace(
    whole(1, 100_000), why="Of more releases no grid tells much: its bounds on δ are too wide"
)


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

    >>> from dpwidgets.calculators import loss
    >>> law = loss.laplace(0.1).compose(1000)
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
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).mean(), 6), round(loss.laplace(1).compose(10).mean(), 6)
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
        >>> from dpwidgets.calculators import loss
        >>> loss.binomial(2).infinite(), round(loss.binomial(2).compose(2).infinite(), 6)
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

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.5).tail(1) + loss.gaussian(0.5).cdf(-1), 4)
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
            As the loss in `cdf`.

        Returns
        -------
        float or array
            P[L > ε], on a grid right to one grid step (see the class).

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.5).tail(1), 4)
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

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(0.1).compose(100).delta(4.05), 8)
        2.15e-05
        """
        return self._law.delta(np.asarray(epsilon))

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

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> lower, upper = loss.laplace(0.1).compose(10).delta_bounds(0.4)
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
            ε, to its last digit; on a grid never below the true one. Infinite where an infinite
            loss is likelier than `delta`. The guarantee needs the reversed law's too.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.1).compose(100).epsilon(1e-6), 6)
        4.886554
        >>> loss.finite([0.5, 0.5], [1, 0]).epsilon(0.1)
        inf
        """
        deltas = np.asarray(delta)
        highest = np.full(deltas.shape, LOSS.high)
        found = least(lambda epsilon: self._law.delta(epsilon) <= deltas, 0, highest)
        return np.where(deltas >= self.infinite(), found, np.inf)

    @takes(compositions=COUNT)
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
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.1).compose(100).delta(1), 6)
        0.126937
        """
        both = (self.parts, self.mirrored)
        return LossDistribution(*(_collected(parts, compositions) for parts in both))

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
        >>> from dpwidgets.calculators import loss
        >>> both = loss.laplace(0.1).compose_with(loss.gaussian(0.1))
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

        >>> from dpwidgets.calculators import loss
        >>> law = loss.finite([1, 0], [0.5, 0.5])
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
