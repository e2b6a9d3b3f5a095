"""The law of the privacy loss: its composition, and what it says of privacy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.loss._composition import Composition
from dpwidgets.calculators.loss._grid import Grid
from dpwidgets.calculators.loss._laws import bounds
from dpwidgets.calculators.loss._tradeoff import mu, success
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import PROBABILITY, silent, within
from dpwidgets.inputs.door import Floats, door, plain

#: The ε of δ(ε) is a loss too, and may be negative.
LOSS = within(-1e15, 1e15, why="No loss is larger")
DELTA = within(1e-300, 0.999999, why="A δ closer to 1 promises nothing")
DELTA_OR_NONE = replace(DELTA, allowed=f"0 or {DELTA.allowed}", includes_zero=True)


@dataclass(frozen=True)
class LossDistribution(Composition):
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

    @door(baseline=PROBABILITY)
    def success(self, baseline: float) -> Floats:
        """Compute how often the best attack is right, which without an answer is so often right.

        Parameters
        ----------
        baseline : array_like
            How often the attacker's best guess is right without any answer, between 0 and 1.

        Returns
        -------
        float or array
            One minus the trade-off function at the baseline, in the worse of both orders: at most
            so often is the attacker right, on average over the answers. On a grid its upper bound.

        Notes
        -----
        Not in the text: Kulynych and others (2025) show it of any attack that guesses something
        about a person.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(0.2).compose(12).success(0.2), 3)
        0.432
        """
        orders = {one.parts: one for one in (self, self.reversed())}.values()
        found = [success(one._law, one.parts, np.asarray(baseline)) for one in orders]
        return np.max(found, axis=0)

    @silent
    def mu(self) -> float:
        """Compute a μ with which the releases are μ-Gaussian private (Dong, Roth and Su 2022).

        Then no test tells the databases apart better than one draw tells apart two normal laws of
        which the means lie μ standard deviations apart.

        Returns
        -------
        float
            The smallest such μ of a single release and of what has few outcomes; on a grid, for
            composed Laplace, geometric and Gaussian noise, at most some percent more. Infinite
            where an infinite loss is possible.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).mu(), 4), round(loss.gaussian(0.3).compose(4).mu(), 4)
        (1.0301, 0.6)
        """
        return max(mu(self._law, self.parts), mu(self.reversed()._law, self.mirrored))
