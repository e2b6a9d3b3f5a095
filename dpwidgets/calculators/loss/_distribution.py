"""The law of the privacy loss: its composition, and what it says of privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, ndtri_exp

from dpwidgets.calculators.loss._composition import Composition
from dpwidgets.calculators.loss._grid import Grid
from dpwidgets.calculators.loss._laws import Gaussian, bounds
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
        """Compute how likely an attacker's guess is right who sees the releases.

        Parameters
        ----------
        baseline : array_like
            How likely the best guess without the releases is right, between 0 and 1.

        Returns
        -------
        float or array
            The largest probability of success of any attack, 1 − f(baseline) for the trade-off
            function f; on a grid an upper bound. It holds for the two databases in either order.

        Notes
        -----
        Not in the text. Kulynych et al. 2025 show that it bounds re-identification, attribute
        inference and reconstruction alike.

        Examples
        --------
        After twelve releases a guess is right in 5% of cases instead of 1%, or 43% instead of 20%:

        >>> from dpwidgets.calculators import loss
        >>> loss.laplace(0.2).compose(12).success([0.01, 0.2]).round(3)
        array([0.048, 0.432])
        """
        if isinstance(self._law, Gaussian):
            return ndtr(ndtri(baseline) + self._law.mu)
        # No event is likelier than δ(ε) + e^ε · baseline, whichever the ε; the least of these, a
        # convex function of e^ε, is attained. An ε above −ln baseline is worse than that one, and
        # one below −40 tells no float from 1.
        both = (self._law, self.reversed()._law)
        low, high = np.full(np.shape(baseline), -40.0), -np.log(baseline)
        found = np.ones(np.shape(baseline))
        for _ in range(10):
            epsilon = np.linspace(low, high, 33)
            delta = np.maximum(*(law.delta(epsilon) for law in both))
            bounds = delta + np.exp(epsilon) * baseline
            found = np.minimum(found, bounds.min(0))
            middle = np.take_along_axis(epsilon, bounds.argmin(0)[np.newaxis], 0)[0]
            gap = (high - low) / 32
            low, high = middle - gap, middle + gap
        return found

    @silent
    def rho(self) -> float:
        """Compute the ρ with which the releases are ρ-zCDP: every Rényi divergence D_α ≤ ρα.

        Returns
        -------
        float
            The smallest ρ of each release, all added: for several different ones a smaller ρ may
            do. Exact for Gaussian and Laplace noise, elsewhere less than 1e-4 above it, relatively,
            if the losses are at most 1000 different ones. The larger one of both orders; infinite
            where an infinite loss is possible.

        Notes
        -----
        Not in the text. Zero-concentrated differential privacy is of Bun and Steinke 2016; μ²/2 for
        Gaussian noise is theirs, ε + e^(−ε) − 1 for Laplace's of Harrison and Manurangsi 2025.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).rho(), 6), round(loss.gaussian(0.1).compose(100).rho(), 6)
        (0.367879, 0.5)
        """
        both = (self.parts, self.mirrored)
        return max(float(sum(count * law.rho for law, count in parts)) for parts in both)

    @silent
    def mu(self) -> float:
        """Compute the μ with which the releases are μ-Gaussian private.

        No test tells the two databases apart more easily than it tells N(μ, 1) from N(0, 1).

        Returns
        -------
        float
            The smallest μ of a law that is exact; on a grid an upper bound, mostly less than 5%
            above it. For the two databases in either order; infinite where an infinite loss is
            possible.

        Notes
        -----
        Not in the text. Gaussian differential privacy is of Dong, Roth and Su 2022. For Laplace
        noise it is −2Φ⁻¹(e^(−ε/2)/2), where the trade-off function meets its own inverse.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).mu(), 4), round(loss.gaussian(0.1).compose(100).mu(), 4)
        (1.0301, 1.0)
        """
        rho, own, highest = self.rho(), 0.0, 0.0
        if rho == math.inf:
            return math.inf
        for parts in (self.parts, self.mirrored):
            own = max(own, math.hypot(*(math.sqrt(count) * law.mu for law, count in parts)))
            highest = max(highest, sum(count * law.highest for law, count in parts))
        worst = -2 * float(ndtri_exp(-np.logaddexp(0, highest)))  # randomized response's
        both = (self._law, self.reversed()._law)
        found = [law.moved(rho) if isinstance(law, Grid) else law.mu for law in both]
        return min(own, worst, max(found))
