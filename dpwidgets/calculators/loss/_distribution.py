"""The law of the privacy loss, and what it says of privacy."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logit

from dpwidgets.calculators.loss._composition import Composition
from dpwidgets.calculators.loss._grid import Grid, least_delta
from dpwidgets.calculators.loss._laws import Parts, total
from dpwidgets.calculators.loss._numerics import lowest
from dpwidgets.calculators.solve import least
from dpwidgets.inputs.domain import PROBABILITY, FloatArray, within
from dpwidgets.inputs.door import Floats, door

#: The ε of δ(ε) is a loss too, and may be negative.
LOSS = within(-1e15, 1e15, why="No loss is larger")
DELTA = within(1e-300, 0.999999, why="A δ closer to 1 promises nothing")
_TOGETHER = within(
    least_delta(1),
    DELTA.high,
    why="Of a smaller δ several releases leave no digits, and one closer to 1 promises nothing",
)
#: The δ of several releases together.
DELTA_OR_NONE = replace(
    _TOGETHER, allowed=f"0 or {_TOGETHER.allowed}", also=(0,)
)


@dataclass(frozen=True)
class LossDistribution(Composition):
    """The law of the privacy loss L = ln P(s)/Q(s) for an answer s drawn from P.

    The constructors of this module make one: `laplace`,
    `randomized_response`, `gaussian`, `binomial` and `finite`. It does not
    change; `compose`, `compose_with` and `reversed` give new ones.

    Methods take a number or an array, of any shape, and give a float for a
    number. The ε of `delta` and `tail` and the loss of `cdf` may be any number
    from -1e15 to 1e15: a negative ε asks how far P stays below Q as well. All
    raise `TypeError` or `ValueError` for anything else.

    A single release, Gaussian laws, any composition of one law with two finite
    losses and those with few outcomes are exact to rounding. Other
    compositions lie on a grid of the loss: there `delta`, `epsilon` and
    `exceeded` are on the safe side, and `tail` and `cdf` are right to one grid
    step, or to a few where laws of unevenly spaced losses are composed. For
    the mechanisms with an ε or a μ, an ε is mostly right to 1e-5 relatively
    where δ is at least 1e-9, and to 0.5% down to 1e-12, the least δ that they
    take; of more than 1000 releases each adds 1e-15 to that. Where a finite
    mechanism has outcomes of less than 1e-10 far from all others, it may be
    far too large.

    Parameters
    ----------
    parts, mirrored : tuple of (law, int)
        What is composed, and how often, with P against Q and with Q against P.
        For the constructors' use.

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
        """Compute the probability of a loss up to `loss`, as 1 − `tail`.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.5).tail(1) + loss.gaussian(0.5).cdf(-1), 4)
        0.0523
        """
        return 1 - self._law.tail(np.asarray(loss))

    @door(epsilon=LOSS)
    def tail(self, epsilon: float) -> Floats:
        """Compute the probability of a loss above ε, infinite losses included.

        Losses below −ε do not count. An ε within 1e-14 of a possible loss,
        relative to the largest, counts as that loss. On a grid it is right to
        one grid step.

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

        Returns
        -------
        float or array
            δ(ε) = E[(1 − e^(ε−L))₊], on a grid its upper bound. The guarantee
            needs the reversed law's too. For a negative ε it is at least 1 −
            e^ε.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(0.1).compose(100).delta(4.05), 8)
        2.15e-05
        """
        return self._law.delta(np.asarray(epsilon))

    @door(delta=DELTA)
    def epsilon(self, delta: float) -> Floats:
        """Compute the smallest ε ≥ 0 whose δ(ε) is at most `delta`.

        Returns
        -------
        float or array
            ε, to its last digit; on a grid never below the true one. Infinite
            where an infinite loss is likelier than `delta`, which is from
            1e-300 to 0.999999, and on a grid from 1e-12 up; a smaller one is
            refused. The guarantee needs the reversed law's too.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.1).compose(100).epsilon(1e-6), 6)
        4.886554
        >>> loss.finite([0.5, 0.5], [1, 0]).epsilon(0.1)
        inf
        """
        return self._least("delta", np.asarray(delta), self._law.delta)

    @door(probability=DELTA)
    def exceeded(self, probability: float) -> Floats:
        """Compute a loss ≥ 0 that is exceeded with at most this probability.

        Returns
        -------
        float or array
            The smallest; on a grid never below the true one, and larger by 1%
            at most but for losses of several thousand. Infinite where an
            infinite loss is likelier. The probability is as `epsilon`'s δ.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.1).compose(100).exceeded(1e-6), 4)
        5.2534
        """
        chance = np.asarray(probability)
        law = self._law
        falls = law.tail_bound(chance) if isinstance(law, Grid) else law.tail
        return self._least("probability", chance, falls)

    def _least(
        self,
        argument: str,
        chance: FloatArray,
        falls: Callable[[FloatArray], FloatArray],
    ) -> Floats:
        """Return the least loss ≥ 0 at which what falls is at most so large, or infinity."""
        if isinstance(self._law, Grid):
            self._law.check_digits(argument, chance)
        highest = np.full(chance.shape, LOSS.high)
        pieces = 16 if chance.ndim else 128
        found = least(lambda loss: falls(loss) <= chance, 0, highest, pieces)
        return np.where(chance >= self.infinite(), found, np.inf)

    @door(alarms=PROBABILITY)
    def power(self, alarms: float) -> Floats:
        """Compute how often a test says "with" of those who are there, at most.

        Parameters
        ----------
        alarms : array_like
            How often it says "with" of those who are not there, between 0 and
            1.

        Returns
        -------
        float or array
            1 − f(alarms) for the trade-off function f that holds for the
            databases in either order; on a grid an upper bound.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> loss.laplace(0.2).compose(12).power([0.01, 0.2]).round(3)
        array([0.048, 0.432])
        """

        # No event is likelier than δ(ε) + e^ε · alarms, whichever the ε, and
        # the least of these is attained. An ε above −ln alarms is worse than
        # that one, and one below −40 tells no float from 1.
        def likeliest(epsilon: FloatArray) -> FloatArray:
            return self._delta_either_way(epsilon) + np.exp(epsilon) * alarms

        low = np.full(np.shape(alarms), -40.0)
        found = lowest(likeliest, low, -np.log(alarms))
        return np.minimum(found, 1.0)

    @door(baseline=PROBABILITY)
    def success(self, baseline: float) -> Floats:
        """Compute how often an attacker guesses a value of a person who sees the releases.

        Parameters
        ----------
        baseline : array_like
            How often the best guess without the releases is right, between 0
            and 1: 1/m for one of m equally likely values.

        Returns
        -------
        float or array
            How often a guess is right at most, on average over all answers; on
            a grid an upper bound. It holds if every two of the values are no
            easier to tell apart than the two databases of the law.

        Notes
        -----
        Ours, sharper than 1 − f(baseline) (Kulynych and others 2025), which
        compares with a database without the person. Let s be the success, p_i
        the prior of value i, and q_ij how often i is guessed where j is true.
        Then q_ii ≤ δ + e^ε·q_ij for every ε and j. On average over j other
        than i, by their priors, and over i by theirs, s ≤ δ + e^ε·(1 − s)·b/(1
        − b), since no prior is above the baseline b. So s ≤ δ + (1 − δ)·g,
        where g is what e^ε makes of a belief of b: the success is never above
        the largest belief of a law that never exceeds ε.

        Examples
        --------
        After twelve releases one of five equally likely values is guessed, and
        one of two:

        >>> from dpwidgets.calculators import loss
        >>> loss.laplace(0.2).compose(12).success([0.2, 0.5]).round(3)
        array([0.369, 0.631])
        """
        odds = baseline / (1 - np.asarray(baseline))

        def failing(epsilon: FloatArray) -> FloatArray:
            caught = 1 - self._delta_either_way(epsilon)
            return -caught / (1 + np.exp(epsilon) * odds)

        low = np.full(np.shape(baseline), -40.0) - np.log(odds)
        return 1 + np.minimum(lowest(failing, low, low + 80), 0.0)

    @door(prior=PROBABILITY)
    def yes_or_no(self, prior: float) -> Floats:
        """Compute how often the best guess is right which of the two databases it is.

        Parameters
        ----------
        prior : array_like
            How likely one of them is without the releases, between 0 and 1.

        Returns
        -------
        float or array
            How often the likelier one, after the answer, is the true one: no
            less than the larger prior, which is what always saying the same
            gets. On a grid an upper bound; of both orders the larger.

        Notes
        -----
        The test is Neyman and Pearson's. With the larger prior p it is right
        in p + (1 − p)·δ(ln p/(1 − p)) of cases.

        Examples
        --------
        Nobody is moved by four counts to bet against odds of 4 to 1:

        >>> from dpwidgets.calculators import loss
        >>> loss.laplace(0.2).compose(4).yes_or_no([0.2, 0.5]).round(3)
        array([0.8  , 0.574])
        """
        likelier = np.maximum(prior, 1 - np.asarray(prior))
        delta = self._delta_either_way(logit(likelier))
        return likelier + (1 - likelier) * delta

    def _delta_either_way(self, epsilon: FloatArray) -> FloatArray:
        """Return the larger δ(ε) of both orders of the databases."""
        there, back = self._law, self.reversed()._law
        return np.maximum(there.delta(epsilon), back.delta(epsilon))

    def rho(self) -> float:
        """Compute a ρ with which the releases are ρ-zCDP: every Rényi divergence D_α ≤ ρα.

        Returns
        -------
        float
            The ρ of each release, all added: exact for equal releases with
            Gaussian or Laplace noise and for randomized response, ε·tanh(ε/2)
            for any other whose losses are at most ε. It holds for the
            databases in either order; infinite where an infinite loss is
            possible.

        Notes
        -----
        Not in the text. Zero-concentrated differential privacy is of Bun and
        Steinke 2016; μ²/2 for Gaussian noise is theirs, ε + e^(−ε) − 1 for
        Laplace's and ε·tanh(ε/2) for any ε-private mechanism are of Harrison
        and Manurangsi 2025.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).rho(), 6), round(loss.gaussian(0.1).compose(100).rho(), 6)
        (0.367879, 0.5)
        """
        there = total(self.parts, lambda law: law.rho)
        back = total(self.mirrored, lambda law: law.rho)
        return max(there, back)

    def mu(self) -> float:
        """Compute a μ with which the releases are μ-Gaussian private.

        No test tells the two databases apart more easily than it tells N(μ, 1)
        from N(0, 1).

        Returns
        -------
        float
            The root of the sum of the squares of each release's μ: the
            smallest for Gaussian noise, for one release with Laplace noise and
            for one randomized response. Else it is an upper bound: for several
            of these a quarter larger, where each tells little. It holds for
            the databases in either order; infinite where an infinite loss is
            possible.

        Notes
        -----
        Not in the text. Gaussian differential privacy is of Dong, Roth and Su
        2022: δ(ε) must not exceed that of Gaussian noise at any ε, and the
        squares of μ add up. For Laplace noise it is −2Φ⁻¹(e^(−ε/2)/2), where
        the trade-off function meets its own inverse; for any mechanism whose
        losses are at most ε that of randomized response, −2Φ⁻¹(1/(1 + e^ε)).

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).mu(), 4), round(loss.gaussian(0.1).compose(100).mu(), 4)
        (1.0301, 1.0)
        """
        return max(_added_mu(self.parts), _added_mu(self.mirrored))


def _added_mu(parts: Parts) -> float:
    """Return the root of the sum of the squares of all μ."""
    return math.hypot(*(math.sqrt(count) * law.mu for law, count in parts))
