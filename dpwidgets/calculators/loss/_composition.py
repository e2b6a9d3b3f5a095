"""The composition of laws: which are composed, how often, and what of their sum needs no δ."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Self

from dpwidgets.calculators.loss._grid import Grid, step_for
from dpwidgets.calculators.loss._laws import (
    GaussianLoss,
    Law,
    Parts,
    listed,
    total,
)
from dpwidgets.inputs.domain import must_be, silent, whole, within
from dpwidgets.inputs.door import takes

MU = within(
    1e-8,
    1000,
    why="A smaller μ hides nearly everything and a larger one next to nothing",
)
COUNT = replace(whole(1, 100_000), why="Of more releases no grid tells much")


@dataclass(frozen=True)
class Composition:
    """Laws of one release each, and how often each is composed.

    Attributes
    ----------
    parts, mirrored : tuple of (Law, int)
        The laws with P against Q, each with how often it is composed; and
        those with Q against P.
    """

    parts: Parts
    mirrored: Parts

    @classmethod
    def of(cls, law: Law, mirrored: Law | None = None) -> Self:
        """Return one release; without a law for the other order, that is the same."""
        return cls(((law, 1),), ((mirrored or law, 1),))

    @takes(compositions=COUNT)
    def compose(self, compositions: int) -> Self:
        """Build the law of the summed loss of several independent releases of this one.

        Parameters
        ----------
        compositions : int
            How many releases, from 1 to 10⁵; and no law more than 10⁵ times in
            all.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.gaussian(0.1).compose(100).delta(1), 6)
        0.126937
        """
        return type(self)(
            _collected(self.parts, compositions),
            _collected(self.mirrored, compositions),
        )

    def compose_with(self, *others: Self) -> Self:
        """Build the law of the summed loss of this release and others, all independent.

        Parameters
        ----------
        *others : LossDistribution
            The laws of the other releases' losses. No law may be composed more
            than 10⁵ times.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> both = loss.laplace(0.1).compose_with(loss.gaussian(0.1))
        >>> round(both.mean(), 6)
        0.009837
        """
        every = (self, *others)
        return type(self)(
            _collected(tuple(chain(*(one.parts for one in every)))),
            _collected(tuple(chain(*(one.mirrored for one in every)))),
        )

    def reversed(self) -> Self:
        """Build the law of ln Q(s)/P(s) for s drawn from Q: the databases in the other order.

        Examples
        --------
        The loss is ln 2 whatever happens, and yet no ε bounds what the
        databases may differ by:

        >>> from dpwidgets.calculators import loss
        >>> law = loss.finite([1, 0], [0.5, 0.5])
        >>> round(law.epsilon(1e-9), 4), law.reversed().epsilon(0.1)
        (0.6931, inf)
        """
        if self.parts == self.mirrored:
            return self
        return replace(self, parts=self.mirrored, mirrored=self.parts)

    @cached_property
    def _law(self) -> Law | Grid:
        """The law of the sum: in closed form, as a list of outcomes, or on a grid."""
        if len(self.parts) == 1 and self.parts[0][1] == 1:
            return self.parts[0][0]
        beyond = self.infinite()
        exact = listed(self.parts, self.mean(), beyond)
        return exact or Grid(self.parts, beyond, step_for(self.parts))

    def mean(self) -> float:
        """Compute the expected loss, the Kullback-Leibler divergence of P from Q.

        It is exact after composition too, since expectations add up; infinite
        where an infinite loss is possible.

        Notes
        -----
        The text bounds it by 2ε² for an ε-private mechanism and small ε. That
        holds for every ε, and the sharp bound is ε·tanh(ε/2) ≤ ε²/2, which
        randomized response attains.

        Examples
        --------
        >>> from dpwidgets.calculators import loss
        >>> round(loss.laplace(1).mean(), 6), round(loss.laplace(1).compose(10).mean(), 6)
        (0.367879, 3.678794)
        """
        return total(self.parts, lambda law: law.mean)

    @silent
    def infinite(self) -> float:
        """Compute the probability of an infinite loss: an answer impossible without the person.

        It is exact after composition too. No ε has a smaller δ.

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
        log_finite = total(self.parts, lambda law: math.log1p(-law.infinite))
        return 0.0 - math.expm1(log_finite)


def _collected(parts: Parts, count: int = 1) -> Parts:
    """Take each part `count` times, and equal laws together; Gaussian laws make a single one."""
    mu = 0.0
    counts: dict[Law, int] = {}
    for law, times in parts:
        if isinstance(law, GaussianLoss):
            mu = math.hypot(mu, law.mu * math.sqrt(times * count))
        else:
            counts[law] = counts.get(law, 0) + times * count
    most = MU.high * math.sqrt(COUNT.high)
    if max(counts.values(), default=0) > COUNT.high or mu > most:
        raise must_be(
            "compositions",
            f"at most {COUNT.high:,} in all, or of a μ of {most:,.0f}",
        )
    collected = tuple(counts.items())
    return (*collected, (GaussianLoss(mu), 1)) if mu else collected
