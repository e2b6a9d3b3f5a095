"""The privacy loss as a random variable: its law, its mean, and its composition (Rothblum 2013).

Two databases differ in one person. P and Q are the laws of the answer s with and without that person, and the loss of
an answer is ln P(s)/Q(s). Draw s from P, and the loss is a random variable L. Each constructor below gives its law for
one mechanism; `LossDistribution` then answers what the law says about privacy::

    δ(ε) = E[(1 − e^(ε−L))₊] = the largest P(S) − e^ε · Q(S) of any event S

A mechanism is (ε, δ)-private when δ(ε) ≤ δ for P against Q and for Q against P, which is `reversed`. The text says
instead that |L| exceeds ε with probability at most δ. In both orders that is sufficient, and not necessary; but the
text draws s from P alone, and a bound in one order says nothing about the answers that only Q gives.

Losses of independent releases add up, so the law of a composition is a convolution. It is exact for Gaussian noise, and
where the outcomes are few enough to list. Elsewhere the losses go into cells of one width, the cells are convolved by
FFT, and two bounds come out. For the upper one each cell's mass is split onto the cell's two ends in such proportion
that the mass under Q is kept too; that can only help an attacker. For the lower one each cell is merged into one
outcome, and the attacker sees the sum of the cells' numbers alone; that can only hinder him. What the window of the FFT
leaves out, and what rounding may add, is inside the bounds.

Right for ε from 1e-8 to 50, and without overflow beyond. Up to 1000 compositions the bounds are at most 1e-6 apart,
except for some laws of four or more unevenly spaced losses: there a grid of 2²¹ cells can leave them 1e-5 apart.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import binom, erfcx, expit, gammainc, ndtr

from dpwidgets.calculators.domain import POSITIVE, PROBABILITY, REAL, Domain, DomainError, FloatArray, plain

EPSILON = POSITIVE
MU = POSITIVE
LOSS = REAL  # the ε of δ(ε) may be negative too
DELTA = PROBABILITY
COUNT = Domain("a whole number from 1 to 10⁹", low=1, high=1e9, includes_low=True, includes_high=True, whole=True)
MASS = Domain("a list of masses, finite numbers of which none is negative", low=0.0, includes_low=True)

UNIT = 2.0**-53  # the relative error of one rounding
ROUNDING = 1e-12  # what a closed form may be off, relatively
SAME = 1e-14  # losses this close, relative to the largest, are equal
SNAP = 1e-6  # and so are losses this close, relative to a grid's step
TAIL = 1e-16  # the mass that may lie on either side of the FFT's window
REACH = 9.0  # the standard deviations of a Gaussian law beyond which less than that mass lies
AIM, WIDTH = 4e-7, 9e-7  # the width that the first grid aims at, and the width at which a grid is fine enough
LISTED = 2**19  # the most outcomes of a composition that are listed one by one
LARGEST = 2**21  # the most cells of a grid
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def laplace(epsilon: float) -> LossDistribution:
    """Build the law of the loss of Laplace noise of scale sensitivity/ε.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    LossDistribution
        Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them. The same in both orders.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not a finite number above 0.

    Notes
    -----
    From the text's definition of the loss for an outcome, with densities for probabilities: an answer s at a distance
    x = s/sensitivity from the count with the person has the loss ε(|x − 1| − |x|).

    Examples
    --------
    >>> round(laplace(0.1).delta(0.05), 6)
    0.02469
    """
    return _symmetric(_Laplace(_number("epsilon", epsilon, EPSILON)))


def randomized_response(epsilon: float) -> LossDistribution:
    """Build the law of the loss of randomized response: the truth with probability e^ε/(1 + e^ε), else a lie.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    LossDistribution
        Two atoms, at ε and −ε. The same in both orders. No ε-private mechanism has a larger expected loss.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not a finite number above 0.

    Examples
    --------
    >>> round(randomized_response(1).mean(), 4)
    0.4621
    """
    epsilon = _number("epsilon", epsilon, EPSILON)
    losses, p = np.array([-epsilon, epsilon]), expit([-epsilon, epsilon])
    return _symmetric(_Atoms.of(losses, p, _mean(losses, p, p[::-1])))


def geometric(epsilon: float) -> LossDistribution:
    """Build the law of the loss of two-sided geometric noise of scale 1/ε on a count of sensitivity 1.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε > 0.

    Returns
    -------
    LossDistribution
        The law of `randomized_response`: the loss is ε for every answer up to the smaller count and −ε for the others,
        and nothing else about the answer matters. The law of `laplace` is another one: between the two counts its
        answers have losses between −ε and ε.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not a finite number above 0.

    Examples
    --------
    >>> geometric(1).cdf([-1.5, -1, 0, 1]).round(4)
    array([0.    , 0.2689, 0.2689, 1.    ])
    """
    return randomized_response(epsilon)


def gaussian(mu: float) -> LossDistribution:
    """Build the law of the loss of Gaussian noise: it is Gaussian, with mean μ²/2 and standard deviation μ.

    Parameters
    ----------
    mu : float
        The sensitivity over the noise's standard deviation, μ > 0.

    Returns
    -------
    LossDistribution
        The law. The same in both orders, and Gaussian after any composition with Gaussian laws.

    Raises
    ------
    TypeError, ValueError
        If mu is not a finite number above 0.

    Examples
    --------
    >>> round(gaussian(0.5).delta(1), 6), round(gaussian(0.5).tail(1), 6)
    (0.00683, 0.040059)
    """
    return _symmetric(_Gaussian(_number("mu", mu, MU)))


def binomial(trials: int) -> LossDistribution:
    """Build the law of the loss of Binomial(trials, ½) noise on a count of sensitivity 1.

    Parameters
    ----------
    trials : int
        How many fair coins make the noise, from 1 to 10⁹.

    Returns
    -------
    LossDistribution
        The loss of noise z is ln((z+1)/(trials−z)). It is infinite for z = trials, an answer that the smaller count
        cannot give, and so is the expected loss. The same in both orders: turn every coin over.

    Raises
    ------
    TypeError, ValueError
        If trials is not such a whole number.

    Notes
    -----
    The mechanism of Dinur and Nissim for which, the text recalls, the expected loss was first bounded. That bound must
    leave out the one answer of infinite loss. Outcomes of mass below 1e-300 are left out here.

    Examples
    --------
    >>> round(binomial(10).infinite(), 6), round(binomial(1000).epsilon(1e-6), 6)
    (0.000977, 0.244143)
    """
    trials = int(_number("trials", trials, COUNT))
    first, p = _binomial(trials, 0.5, 0.5)
    noise = first + np.arange(p.size)
    with np.errstate(divide="ignore"):
        losses = 2 * np.arctanh((2 * noise + 1 - trials) / (trials + 1))  # ln((z+1)/(trials−z))
    return _symmetric(_Atoms.of(losses, p, math.inf))


def finite(p: ArrayLike, q: ArrayLike) -> LossDistribution:
    """Build the law of the loss of a mechanism with finitely many outcomes.

    Parameters
    ----------
    p, q : array_like of shape (m,)
        The outcomes' masses with and without the person, none below 0, each list with the sum 1. A sum that is off by
        at most 1e-9 is taken for rounding and divided out.

    Returns
    -------
    LossDistribution
        The law under p. An outcome with p > 0 = q has an infinite loss, one with p = 0 < q appears in the reversed law.

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
    p, q = _mass_function("p", p), _mass_function("q", q)
    if p.size != q.size:
        raise ValueError(f"p and q must have the same length; got {p.size} and {q.size} masses")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        losses = np.log(p / q)
        losses = np.where(np.abs(losses) < 0.5, np.log1p((p - q) / q), losses)
        losses = np.where((p > 0) & (q > 0) & np.isinf(losses), np.log(p) - np.log(q), losses)
    there, back = (_Atoms.of(x[m > 0], m[m > 0], _mean(x, m, n)) for x, m, n in ((losses, p, q), (-losses, q, p)))
    return LossDistribution(((there, 1),), ((back, 1),))


@dataclass(frozen=True)
class LossDistribution:
    """The law of the privacy loss L = ln P(s)/Q(s) for an answer s drawn from P.

    The constructors of this module make one: `laplace`, `geometric`, `randomized_response`, `gaussian`, `binomial` and
    `finite`. It does not change; `compose`, `compose_with` and `reversed` give new ones.

    Every method takes a number or an array, of any shape, and gives a float for a number. The ε of `delta`,
    `delta_bounds` and `tail` and the loss of `cdf` may be any finite number: a negative ε asks how far P stays below Q
    as well. All raise `TypeError` or `ValueError` for anything else.

    A single release, Gaussian laws, and compositions with at most 2¹⁹ different outcomes are exact to rounding. So is
    any composition of one law with two finite losses. Other compositions lie on a grid of the loss: there `delta`
    and `epsilon` are on the safe side, and `tail` and `cdf` are right to one grid step, or to a few where laws of
    unevenly spaced losses are composed.

    Parameters
    ----------
    parts, mirrored : tuple of (law, int)
        What is composed, and how often, with P against Q and with Q against P. For the constructors' use.

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
            E[L] ≥ 0, exact after composition too: expectations add up. Infinite where an infinite loss is possible.

        Notes
        -----
        The text bounds it by 2ε² for an ε-private mechanism and small ε. That holds for every ε, and the sharp bound is
        ε·tanh(ε/2) ≤ ε²/2, which randomized response attains.

        Examples
        --------
        >>> round(laplace(1).mean(), 6), round(laplace(1).compose(10).mean(), 6)
        (0.367879, 3.678794)
        """
        return float(sum(count * law.mean for law, count in self.parts))

    def infinite(self) -> float:
        """Compute the probability of an infinite loss: of an answer that is impossible without the person.

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

    def cdf(self, loss: ArrayLike) -> float | FloatArray:
        """Compute the probability of a loss up to `loss`.

        Parameters
        ----------
        loss : array_like
            Any finite number. One within 1e-14 of a possible loss, relative to the largest one, counts as that loss.

        Returns
        -------
        float or array
            P[L ≤ loss], on a grid right to one grid step (see the class).

        Raises
        ------
        TypeError, ValueError
            If loss is not a finite number.

        Examples
        --------
        >>> round(gaussian(0.5).tail(1) + gaussian(0.5).cdf(-1), 4)
        0.0523
        """
        return plain(self._law.cdf(LOSS.check("loss", loss)))

    def tail(self, epsilon: ArrayLike) -> float | FloatArray:
        """Compute the probability of a loss above ε, infinite losses included. One-sided: losses below −ε do not count.

        Parameters
        ----------
        epsilon : array_like
            Any finite number. One within 1e-14 of a possible loss, relative to the largest one, counts as that loss.

        Returns
        -------
        float or array
            P[L > ε], on a grid right to one grid step (see the class).

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a finite number.

        Examples
        --------
        >>> round(gaussian(0.5).tail(1), 4)
        0.0401
        """
        return plain(self._law.tail(LOSS.check("epsilon", epsilon)))

    def delta(self, epsilon: ArrayLike) -> float | FloatArray:
        """Compute the smallest δ with P(S) ≤ e^ε · Q(S) + δ for every event S.

        Parameters
        ----------
        epsilon : array_like
            Any finite number. A negative one is as meaningful: then δ is at least 1 − e^ε.

        Returns
        -------
        float or array
            δ(ε) = E[(1 − e^(ε−L))₊], on a grid its upper bound. The guarantee needs the reversed law's too.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a finite number.

        Examples
        --------
        >>> round(laplace(0.1).compose(100).delta(4.05), 8)
        2.15e-05
        """
        return plain(self._law.delta(LOSS.check("epsilon", epsilon)))

    def delta_bounds(self, epsilon: ArrayLike) -> tuple[float, float] | tuple[FloatArray, FloatArray]:
        """Compute two numbers between which δ(ε) lies for certain.

        Parameters
        ----------
        epsilon : array_like
            Any finite number.

        Returns
        -------
        lower, upper : float or array
            At most 1e-6 apart for up to 1000 compositions, unless that takes a grid of more than 2²¹ cells: see the
            module. For an exact law they differ by a relative 1e-12, for rounding.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a finite number.

        Examples
        --------
        >>> lower, upper = laplace(0.1).compose(10).delta_bounds(0.4)
        >>> lower <= 0.01588226695401959792 <= upper <= lower + 1e-6
        True
        """
        lower, upper = self._law.bounds(LOSS.check("epsilon", epsilon))
        return plain(lower), plain(upper)

    def epsilon(self, delta: ArrayLike) -> float | FloatArray:
        """Compute the smallest ε ≥ 0 whose δ(ε) is at most `delta`.

        Parameters
        ----------
        delta : array_like
            The δ, between 0 and 1, both excluded.

        Returns
        -------
        float or array
            ε, to 1e-15 relatively; on a grid never below the true one. Infinite where an infinite loss is likelier than
            `delta`. The guarantee needs the reversed law's too.

        Raises
        ------
        TypeError, ValueError
            If delta is not such a number.

        Examples
        --------
        >>> round(gaussian(0.1).compose(100).epsilon(1e-6), 6), finite([0.5, 0.5], [1, 0]).epsilon(0.1)
        (4.886554, inf)
        """
        delta = DELTA.check("delta", delta)
        possible = delta >= self.infinite()
        low, high = np.zeros_like(delta), np.ones_like(delta)
        while (short := possible & (self._law.delta(high) > delta)).any():
            high = np.where(short, 2 * high, high)
        high = np.where(self._law.delta(low) <= delta, 0.0, high)
        while (high - low > 4 * UNIT * high).any():
            middle = (low + high) / 2
            enough = self._law.delta(middle) <= delta
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return plain(np.where(possible, high, np.inf))

    def compose(self, compositions: int) -> LossDistribution:
        """Build the law of the summed loss of several independent releases of this one.

        Parameters
        ----------
        compositions : int
            How many releases, from 1 to 10⁹.

        Returns
        -------
        LossDistribution
            The law of the sum.

        Raises
        ------
        TypeError, ValueError
            If compositions is not such a whole number, or a law would be composed more than 10⁹ times.

        Examples
        --------
        >>> round(gaussian(0.1).compose(100).delta(1), 6)
        0.126937
        """
        count = int(_number("compositions", compositions, COUNT))
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
            If a law would be composed more than 10⁹ times.

        Examples
        --------
        >>> both = laplace(0.1).compose_with(gaussian(0.1))
        >>> round(both.mean(), 6)
        0.009837
        """
        if not isinstance(other, LossDistribution):
            raise TypeError(f"other must be a LossDistribution; got {other!r}")
        return LossDistribution(_collected(self.parts + other.parts), _collected(self.mirrored + other.mirrored))

    def reversed(self) -> LossDistribution:
        """Build the law of ln Q(s)/P(s) for s drawn from Q: the same two databases in the other order.

        Returns
        -------
        LossDistribution
            The law of the loss with the roles of P and Q exchanged. Reversed twice it is the same law again.

        Examples
        --------
        The loss is ln 2 whatever happens, and yet no ε bounds what the databases may differ by:

        >>> law = finite([1, 0], [0.5, 0.5])
        >>> round(law.epsilon(1e-9), 4), law.reversed().epsilon(0.1)
        (0.6931, inf)
        """
        return self if self.parts == self.mirrored else LossDistribution(self.mirrored, self.parts)

    @cached_property
    def _law(self) -> _Law | _Grid:
        """The law of the sum: in closed form, as a list of outcomes, or on a grid."""
        if len(self.parts) == 1 and self.parts[0][1] == 1:
            return self.parts[0][0]
        return _listed(self.parts, self.mean(), self.infinite()) or _gridded(self.parts, self.infinite())


class _Law:
    """What the laws in closed form have in common; `_Laplace`, `_Gaussian` and `_Atoms` fill in the rest.

    Besides `cdf`, `tail` and `delta` each has its `mean` and `variance`, the `scale` of its losses and the mass of the
    infinite one, the `ends` between which the other losses lie, and `cells`: the masses between edges, under P and,
    times e^(lower edge), under Q. The mass `loose` lies off the nodes of a grid that cuts the range between the ends
    into a multiple of `lattice` pieces.
    """

    mean: float
    variance: float
    scale: float
    ends: tuple[float, float]
    infinite = 0.0
    loose = 1.0
    lattice = 1

    @property
    def highest(self) -> float:
        return self.ends[1]

    def bounds(self, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        delta = self.delta(epsilon)
        slack = ROUNDING * (delta + self.scale * self.tail(epsilon))  # the losses themselves are rounded too
        return np.maximum(delta - slack, 0.0), np.minimum(delta + slack, 1.0)


Parts: TypeAlias = tuple[tuple[_Law, int], ...]


@dataclass(frozen=True)
class _Laplace(_Law):
    """Atoms of mass 1/2 at ε and e^(−ε)/2 at −ε, and the density e^((L−ε)/2)/4 between them."""

    scale: float

    @property
    def ends(self) -> tuple[float, float]:
        return -self.scale, self.scale

    @property
    def mean(self) -> float:
        return float(_excess(self.scale))

    @property
    def variance(self) -> float:
        # ε − L is 0 or, with probability 1/2, twice an exponential variable that is cut off at ε.
        return float(4 * gammainc(2, self.scale) - np.expm1(-self.scale) ** 2)

    @property
    def loose(self) -> float:
        return -math.expm1(-self.scale) / 2

    def cdf(self, loss: FloatArray) -> FloatArray:
        low, high = self.ends
        between = np.exp((np.minimum(loss, high) - high) / 2) / 2
        return np.where(loss < low, 0.0, np.where(loss < high, between, 1.0))

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return 1 - self.cdf(epsilon)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        low, high = self.ends
        exponent = np.where(epsilon < low, np.minimum(epsilon, low), (np.minimum(epsilon, high) - high) / 2)
        return 0.0 - np.expm1(exponent)

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        low, high = self.ends
        start, stop = np.clip(edges[:-1], low, high), np.clip(edges[1:], low, high)
        p = np.exp((start - high) / 2) * np.expm1((stop - start) / 2) / 2
        q = -np.exp(edges[:-1] - (start + high) / 2) * np.expm1((start - stop) / 2) / 2
        atoms = _cells(edges, np.array(self.ends), np.array([math.exp(low) / 2, 0.5]))
        return p + atoms[0], q + atoms[1]


@dataclass(frozen=True)
class _Gaussian(_Law):
    """The Gaussian law with mean μ²/2 and standard deviation μ."""

    scale: float

    highest: ClassVar[float] = math.inf

    @property
    def ends(self) -> tuple[float, float]:
        return self.mean - REACH * self.scale, self.mean + REACH * self.scale

    @property
    def mean(self) -> float:
        return self.scale * self.scale / 2

    @property
    def variance(self) -> float:
        return self.scale * self.scale

    def _standard(self, loss: FloatArray) -> FloatArray:
        return np.clip(loss / self.scale - self.scale / 2, -1e3, 1e3)  # beyond, every mass is 0 or 1

    def cdf(self, loss: FloatArray) -> FloatArray:
        return ndtr(self._standard(loss))

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return ndtr(-self._standard(epsilon))

    def delta(self, epsilon: FloatArray) -> FloatArray:
        # δ = Φ(−x) − e^ε Φ(−x−μ), where e^ε φ(x+μ) = φ(x): φ(x) times the fall of Mills' ratio m from x to x + μ. For a
        # small μ that is taken as the integral of −m' = 1 − x m, since a difference would lose its digits.
        mu, size = self.scale, np.abs(epsilon)
        x = self._standard(size)
        if mu < 4:
            points = x[..., np.newaxis] + mu * (1 + NODES) / 2
            delta = _normal(x) * ((1 - points * _mills(points)) @ WEIGHTS) * mu / 2
        else:
            delta = ndtr(-x) - _normal(x) * _mills(x + mu)
        return np.where(epsilon < 0, np.exp(-size) * delta - np.expm1(-size), delta)  # P and Q change places

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        x, mu = self._standard(edges), self.scale
        # Under Q, e^edge times the mass above the edge, where again e^edge φ(x+μ) = φ(x).
        near, far = _normal(x) * _mills(np.maximum(x + mu, 0)), np.exp(np.minimum(edges, 0)) * ndtr(-x - mu)
        p, q = ndtr(-x), np.where(x + mu > 0, near, far)
        return p[:-1] - p[1:], q[:-1] - np.exp(edges[:-1] - edges[1:]) * q[1:]


@dataclass(frozen=True, eq=False)
class _Atoms(_Law):
    """Finitely many losses in rising order, the last perhaps infinite, and their masses."""

    losses: FloatArray
    masses: FloatArray
    mean: float

    @classmethod
    def of(cls, losses: FloatArray, masses: FloatArray, mean: float) -> _Atoms:
        """Sort the losses, merge equal ones, and leave out those of mass 0."""
        losses, which = np.unique(losses[masses > 0], return_inverse=True)
        masses = np.bincount(which, masses[masses > 0])
        if losses[0] == np.inf:
            masses[:] = 1.0  # whatever the rounding of a sum
        losses.setflags(write=False)
        masses.setflags(write=False)
        return cls(losses, masses, mean)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Atoms)
            and np.array_equal(self.losses, other.losses)
            and np.array_equal(self.masses, other.masses)
        )

    def __hash__(self) -> int:
        return hash((self.losses.tobytes(), self.masses.tobytes()))

    @cached_property
    def finite(self) -> tuple[FloatArray, FloatArray]:
        """The finite losses and their masses."""
        count = np.searchsorted(self.losses, np.inf)
        return self.losses[:count], self.masses[:count]

    @cached_property
    def infinite(self) -> float:
        return float(self.masses[-1]) if np.isinf(self.losses[-1]) else 0.0

    @cached_property
    def ends(self) -> tuple[float, float]:
        return float(self.finite[0][0]), float(self.finite[0][-1])

    @cached_property
    def scale(self) -> float:
        return float(np.abs(self.finite[0]).max(initial=0.0))

    @cached_property
    def lattice(self) -> int:
        """Into how few pieces the losses cut their range if they lie evenly, else 0."""
        low, high = self.ends
        for pieces in range(max(1, self.finite[0].size - 1), 65):
            places = pieces * (self.finite[0] - low) / max(high - low, UNIT)
            if np.abs(places - np.round(places)).max() < 1e-12:
                return pieces
        return 0

    @property
    def loose(self) -> float:
        return float(self.lattice == 0)

    @cached_property
    def variance(self) -> float:
        losses, masses = self.finite
        return float(masses @ (losses - masses @ losses / masses.sum()) ** 2)

    @cached_property
    def _above(self) -> FloatArray:
        return np.append(np.cumsum(self.masses[::-1])[::-1], 0.0)

    @cached_property
    def _below(self) -> FloatArray:
        return np.append(0.0, np.cumsum(self.masses))

    def _first_above(self, loss: FloatArray) -> FloatArray:
        return np.searchsorted(self.losses, loss + SAME * self.scale, side="right")

    def cdf(self, loss: FloatArray) -> FloatArray:
        return np.minimum(self._below[self._first_above(loss)], 1.0)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        return np.minimum(self._above[self._first_above(epsilon)], 1.0)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        firsts = np.searchsorted(self.losses, epsilon, side="right")
        sums = [
            -self.masses[first:] @ np.expm1(one - self.losses[first:])
            for one, first in zip(epsilon.flat, firsts.flat, strict=True)
        ]
        return np.clip(np.reshape(sums, epsilon.shape), 0.0, 1.0)

    def cells(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        return _cells(edges, *self.finite)

    def sums(self, count: int) -> tuple[FloatArray, FloatArray]:
        """List the finite losses of `count` releases, and their masses."""
        losses, masses = self.finite
        if losses.size == 2:
            first, both = _binomial(count, float(masses[1]), float(masses[0]))
            highs = first + np.arange(both.size)
            return highs * losses[1] + (count - highs) * losses[0], both * (1 - self.infinite) ** count
        left, sums, products = np.array([count]), np.zeros(1), np.ones(1)
        for loss, mass in zip(losses[:-1], masses[:-1], strict=True):  # how many of the rest have this loss
            row = np.repeat(np.arange(left.size), left + 1)
            times = np.arange(row.size) - np.searchsorted(row, row)
            products = products[row] * (binom(left[row], times) * mass**times)  # no factor overflows
            sums, left = sums[row] + times * loss, left[row] - times
        return sums + left * losses[-1], products * masses[-1] ** left


@dataclass(frozen=True)
class _Grid:
    """The law of a composition on a grid of this step."""

    parts: Parts
    infinite: float
    step: float

    @cached_property
    def _counts(self) -> list[int]:
        return [count for _, count in self.parts]

    @cached_property
    def _nodes(self) -> list[FloatArray]:
        """Each part's nodes, laid from its high end down: the largest loss is the likeliest, and stays where it is."""
        ends = [law.ends for law, _ in self.parts]
        return [high - self.step * np.arange(max(1, _ceil((high - low) / self.step)), -1, -1) for low, high in ends]

    @cached_property
    def _split(self) -> list[FloatArray]:
        """Each part's masses on its nodes: those between two nodes are split onto both, and keep their mass under Q."""
        split = []
        for (law, _), nodes in zip(self.parts, self._nodes, strict=True):
            p, q = law.cells(nodes)
            right = np.clip((p - q) / -math.expm1(-self.step), 0.0, p)
            split.append(np.append(p - right, 0.0) + np.append(0.0, right))
        return split

    @cached_property
    def _merged(self) -> tuple[list[FloatArray], list[FloatArray], list[float]]:
        """Each part's masses around its nodes under P and, times e^loss, under Q, and by how much the loss is off."""
        p, q, offsets = [], [], []
        for (law, _), nodes in zip(self.parts, self._nodes, strict=True):
            near, far = law.cells(np.append(nodes - self.step / 2, nodes[-1] + self.step / 2))
            ratio = float(near.sum() / far.sum())
            p, q, offsets = [*p, near], [*q, far * ratio], [*offsets, math.log(ratio) - self.step / 2]
        return p, q, offsets

    @cached_property
    def _window(self) -> tuple[int, int]:
        return _window(self._split, self._counts)

    @property
    def size(self) -> int:
        """How many nodes the window has."""
        return self._window[1] - self._window[0] + 1

    @cached_property
    def _base(self) -> float:
        return sum(count * float(nodes[0]) for nodes, count in zip(self._nodes, self._counts, strict=True))

    @cached_property
    def _shift(self) -> float:
        """What rounding may do to the sum of the losses, and so at most to δ."""
        largest = [float(np.abs(nodes[[0, -1]]).max()) for nodes in self._nodes]
        return 8 * UNIT * sum(count * loss for count, loss in zip(self._counts, largest, strict=True))

    @cached_property
    def _upper(self) -> tuple[float, FloatArray, FloatArray, float]:
        """The first node, the mass from each node upwards, δ at each node, and the slack."""
        masses, slack = _convolution(self._split, self._counts, self._window)
        above = _suffix_sums(np.maximum(masses, 0.0), 1.0)
        # Σ P (1 − e^(node−L)) over the losses above a node, summed by parts: no difference loses digits.
        deltas = -math.expm1(-self.step) * np.append(_suffix_sums(above, math.exp(-self.step))[1:], 0.0)
        return self._base + self.step * self._window[0], above, deltas, slack + TAIL

    @cached_property
    def _lower(self) -> tuple[float, FloatArray, FloatArray, float]:
        """The first loss, the mass from each loss upwards under P and, times e^loss, under Q, and the slack."""
        *merged, offsets = self._merged
        window = _window(merged[0], self._counts)
        (p, p_slack), (q, q_slack) = (_convolution(masses, self._counts, window) for masses in merged)
        first = self._base + sum(map(operator.mul, self._counts, offsets)) + self.step * window[0]
        above = np.append(_suffix_sums(p, 1.0), 0.0), np.append(_suffix_sums(q, math.exp(-self.step)), 0.0)
        return first, *above, p_slack + q_slack + 2 * TAIL

    def _split_delta(self, epsilon: FloatArray) -> FloatArray:
        """δ of the split masses: linear in e^ε from node to node."""
        first, above, deltas, _ = self._upper
        node = np.clip(np.ceil((epsilon - first) / self.step), 0, above.size - 1).astype(int)
        return deltas[node] - (above[node] - deltas[node]) * np.expm1(np.minimum(epsilon - first - self.step * node, 0))

    def _merged_delta(self, epsilon: FloatArray) -> FloatArray:
        """P(S) − e^ε Q(S) for the event S that the sum of the merged cells' nodes lies above ε."""
        first, p, q, _ = self._lower
        node = np.clip(np.ceil((epsilon - first) / self.step), 0, p.size - 1).astype(int)
        return p[node] - q[node] * np.exp(np.minimum(epsilon - first - self.step * node, 0))

    @cached_property
    def width(self) -> float:
        """How far apart the two bounds are at most."""
        nodes = self._upper[0] + self.step * np.arange(self.size)
        return float(np.max(self._split_delta(nodes) - self._merged_delta(nodes)))

    @cached_property
    def _moments(self) -> tuple[FloatArray, FloatArray]:
        """Rates t, and the logarithm of E[e^(tL)] t^t/(1+t)^(1+t) for the split masses."""
        rates = _rates(self._split)
        t = rates / self.step
        moments, base = _cumulants(self._split, self._counts, rates), t * self._base
        rounding = 16 * UNIT * (np.abs(moments) + np.abs(base))
        return t, moments + base + rounding - t * np.log1p(1 / t) - np.log1p(t)

    def delta(self, epsilon: FloatArray) -> FloatArray:
        highest = sum(count * law.highest for law, count in self.parts)
        slack = self._upper[-1] * -np.expm1(np.minimum(epsilon - highest, 0)) + self._shift
        # Far out, where rounding would be all there is: 1 − e^(−x) ≤ e^(tx) t^t/(1+t)^(1+t) for all x and t > 0.
        rates, moments = self._moments
        far = np.exp(np.minimum(np.min(moments - rates * epsilon[..., np.newaxis], axis=-1), 0))
        finite = np.where(epsilon < highest, np.minimum(self._split_delta(epsilon) + slack, far), 0)
        return np.minimum(self.infinite + finite, 1)

    def bounds(self, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
        lower = np.maximum(self._merged_delta(epsilon) - self._lower[-1] - self._shift, 0)
        return self.infinite * (1 - ROUNDING) + lower, self.delta(epsilon)

    def tail(self, epsilon: FloatArray) -> FloatArray:
        first, above, _, _ = self._upper
        node = np.clip(np.floor((epsilon - first) / self.step + SNAP) + 1, 0, above.size).astype(int)
        return np.minimum(self.infinite + np.append(above, 0)[node], 1)

    def cdf(self, loss: FloatArray) -> FloatArray:
        return 1 - self.tail(loss)


def _listed(parts: Parts, mean: float, infinite: float) -> _Atoms | None:
    """List the outcomes of a composition one by one, if they are few enough."""
    if infinite == 1:
        return _Atoms.of(np.array([np.inf]), np.array([1.0]), mean)
    if not all(isinstance(law, _Atoms) for law, _ in parts):
        return None
    kinds = [law.finite[0].size for law, _ in parts]
    outcomes = math.prod(float(binom(n + count - 1, n - 1)) for n, (_, count) in zip(kinds, parts, strict=True))
    if outcomes > LISTED and not (len(parts) == 1 and kinds[0] <= 2):
        return None
    losses, masses = reduce(_product, [law.sums(count) for law, count in parts])
    return _Atoms.of(np.append(losses, np.inf), np.append(masses, infinite), mean)


def _gridded(parts: Parts, infinite: float) -> _Grid:
    """Choose the grid: so fine that the bounds are close, if that does not take too many cells."""
    law, _ = max(parts, key=lambda part: part[1] * math.isfinite(part[0].highest))  # its ends shall be nodes
    unit, lattice = law.ends[1] - law.ends[0], max(law.lattice, 1)
    spread = math.sqrt(sum(count * other.variance for other, count in parts))
    loose = sum(count * (law.loose if other is law else 1.0) for other, count in parts)
    # Splitting adds step²/6 to the variance of a loose loss, merging takes step²/12, and δ bends by at most 0.4/spread:
    # the bounds lie about 0.05·loose·step²/spread apart.
    step = math.sqrt(20 * AIM * spread / loose) if loose * spread > 0 else unit or 1.0
    least = max(high - low for low, high in (other.ends for other, _ in parts)) / LARGEST
    for _ in range(8):
        pieces = lattice * _ceil(unit / (lattice * step))
        grid = _Grid(parts, infinite, unit / pieces if pieces and unit / pieces > least else max(step, least))
        if grid.size > LARGEST:
            step = least = grid.step * 2 * grid.size / LARGEST
        elif len(parts) == 1 and law.loose < 1:
            break  # the atoms are nodes, and the estimate holds
        elif grid.width > WIDTH and grid.step > least and 2 * grid.size <= LARGEST:
            step = grid.step / min(max(1.2 * math.sqrt(grid.width / AIM), 2), 8, LARGEST / grid.size)
        else:
            break
    return grid


def _convolution(masses: list[FloatArray], counts: list[int], window: tuple[int, int]) -> tuple[FloatArray, float]:
    """Convolve, each array as often as its count says, and bound the error of a sum of any of the results.

    An entry of a spectrum is off by at most a few roundings per stage of the FFT, since the masses sum to at most 1.
    What that makes of the product is computed beside it, and by Cauchy-Schwarz its norm bounds the error of every sum.
    """
    low, high = window
    block = 1 << max((high - low).bit_length() - 3, 1)
    size = ((high - low) // block + 1) * block  # no prime factor above 7, and little longer than the window
    rounding = UNIT * (4 * math.log2(size) + 8)
    spectra = [np.fft.rfft(np.bincount(np.arange(one.size) % size, one, size)) for one in masses]
    logarithm = sum(count * np.log(np.abs(one) + rounding) for one, count in zip(spectra, counts, strict=True))
    bound, product = np.exp(logarithm), np.zeros(logarithm.size, complex)
    kept = logarithm > -100  # of a smooth law few frequencies are left
    product[kept] = math.prod(_power(one[kept], count) for one, count in zip(spectra, counts, strict=True))
    slack = math.sqrt(2) * np.linalg.norm(bound * (1 + rounding) - np.abs(product))
    return np.roll(np.fft.irfft(product, size), -low % size)[: high - low + 1], float(slack)


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """Raise to a power by squaring, several times faster than numpy's own for complex numbers."""
    result = np.ones_like(base)
    while exponent:
        if exponent % 2:
            result = result * base
        base, exponent = base * base, exponent // 2
    return result


def _suffix_sums(masses: FloatArray, decay: float) -> FloatArray:
    """Sum masses[j] · decay^(j−i) over j ≥ i, for every i: first pairs, then fours, so that rounding hardly grows."""
    sums, width = masses.copy(), 1
    while width < sums.size and decay > UNIT**2:
        sums[:-width] += decay * sums[width:]
        width, decay = 2 * width, decay * decay
    return sums


def _rates(masses: list[FloatArray]) -> FloatArray:
    """Rates per cell at which exponential moments are taken; neighbours are so close that the best is hardly missed."""
    return np.geomspace(1e-5, 1e3, 64) / max(one.size for one in masses)


def _cumulants(masses: list[FloatArray], counts: list[int], rates: FloatArray) -> FloatArray:
    """Bound from above the logarithm of E[e^(rate · cell number)] for the sum of the cells' numbers."""
    total = np.zeros_like(rates)
    for one, count in zip(masses, counts, strict=True):
        stride = one.size // 4096 + 1  # cells taken together count as the outermost of them
        starts = np.arange(0, one.size, stride)
        blocks = np.add.reduceat(one, starts)
        starts, blocks = starts[blocks > 0], blocks[blocks > 0]
        exponents = rates[:, np.newaxis] * starts + np.maximum(rates, 0)[:, np.newaxis] * (stride - 1)
        highest = exponents.max(axis=1, keepdims=True)
        total += count * (highest[:, 0] + np.log(np.exp(exponents - highest) @ blocks))
    return total


def _window(masses: list[FloatArray], counts: list[int]) -> tuple[int, int]:
    """Find where the sum of the cells' numbers lies but for a mass of TAIL on either side, by Chernoff's bound."""
    rates = _rates(masses)
    last = sum(count * (one.size - 1) for one, count in zip(masses, counts, strict=True))
    high = np.min((_cumulants(masses, counts, rates) - math.log(TAIL)) / rates)
    low = np.max((math.log(TAIL) - _cumulants(masses, counts, -rates)) / rates)
    return max(0, math.floor(low)), min(last, math.ceil(high))


def _cells(edges: FloatArray, losses: FloatArray, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum in each cell the masses under P and, times e^(lower edge), under Q."""
    cell = np.clip(np.searchsorted(edges, losses, side="right") - 1, 0, edges.size - 2)
    p = np.bincount(cell, masses, edges.size - 1)
    return p, np.bincount(cell, masses * np.exp(edges[cell] - losses), edges.size - 1)


def _ceil(x: float) -> int:
    """Round up, but not for what may be a rounding error."""
    return math.ceil(x * (1 - 8 * UNIT))


def _product(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """List the sums of two lists of losses, and their masses."""
    return np.add.outer(one[0], other[0]).ravel(), np.multiply.outer(one[1], other[1]).ravel()


def _binomial(trials: int, success: float, failure: float) -> tuple[int, FloatArray]:
    """Compute binomial masses from the mode outwards, as far as they reach 1e-300, and the first's number."""
    mode = min(trials, int((trials + 1) * success / (success + failure)))
    reach = int(20 * math.sqrt(trials)) + 1  # Hoeffding: beyond, less than e^(−800)
    ups, downs = np.arange(mode, min(trials, mode + reach)), np.arange(mode, max(0, mode - reach), -1)
    up = np.cumprod((trials - ups) / (ups + 1) * (success / failure))
    down = np.cumprod(downs / (trials - downs + 1) * (failure / success))
    masses = np.concatenate([down[::-1], [1.0], up])
    return mode - downs.size, masses / masses.sum()


def _excess(x: FloatArray) -> FloatArray:
    """e^(−x) − 1 + x for x ≥ 0, right for small x too."""
    return -x * np.expm1(-x) - gammainc(2, x)


def _mean(losses: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Σ p·L = Σ (p·L + q − p), whose terms are positive: p·(e^(−L) − 1 + L), or q·(1 − e^L (1 − L)) in other words."""
    if np.any((losses == np.inf) & (p > 0)):
        return math.inf
    up, down = losses > 0, losses <= 0
    return float(p[up] @ _excess(losses[up]) + q[down] @ gammainc(2, -losses[down]))


def _normal(x: FloatArray) -> FloatArray:
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _mills(x: FloatArray) -> FloatArray:
    """Mills' ratio of the normal law, its tail over its density."""
    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))


def _number(argument: str, value: float, domain: Domain) -> float:
    array = domain.check(argument, value)
    if array.ndim:
        raise DomainError(argument, f"{argument} must be {domain.allowed}; got an array of shape {array.shape}")
    return float(array)


def _mass_function(argument: str, value: ArrayLike) -> FloatArray:
    masses = MASS.check(argument, value)
    if masses.ndim != 1 or masses.size == 0:
        raise DomainError(argument, f"{argument} must be {MASS.allowed}; got an array of shape {masses.shape}")
    total = math.fsum(masses)
    if abs(total - 1) > 1e-9:
        raise DomainError(argument, f"{argument} must have the sum 1; its {masses.size} masses sum to {total:.12g}")
    return masses / total


def _symmetric(law: _Law) -> LossDistribution:
    return LossDistribution(((law, 1),), ((law, 1),))


def _collected(parts: Parts, count: int = 1) -> Parts:
    """Take each part `count` times, and equal laws together; Gaussian laws make one Gaussian law."""
    mu, counts = 0.0, {}
    for law, times in parts:
        if isinstance(law, _Gaussian):
            mu = math.hypot(mu, law.scale * math.sqrt(times * count))
        else:
            counts[law] = counts.get(law, 0) + times * count
    if max(counts.values(), default=0) > COUNT.high:
        raise DomainError("compositions", f"compositions must add up to at most 10⁹; got {max(counts.values())}")
    return (*counts.items(), *([(_Gaussian(mu), 1)] if mu else []))
