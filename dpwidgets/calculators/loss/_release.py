"""A count released several times, and what that loses in all (Rothblum 2013).

A count is released, with you in the database or without you. Answers are given
relative to the count without you, so that the truth is 1 with you and 0
without. A mechanism may also be two lists of probabilities, and then its
answers are the places in the lists, from 1.

`release` names a mechanism, and a `Release` says what the loss of each answer
is, and what the law of the loss is after several such releases.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpwidgets.calculators.loss import _constructors as laws
from dpwidgets.calculators.loss._composition import COUNT, MU
from dpwidgets.calculators.loss._distribution import DELTA, LossDistribution
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    Domain,
    FloatArray,
    one_of,
    silent,
)
from dpwidgets.inputs.door import Floats, door, takes
from dpwidgets.inputs.notation import rounded


@dataclass(frozen=True)
class Release(ABC):
    """A mechanism, and how often it is used. `release` makes one.

    Attributes
    ----------
    mechanism : str
        One of `MECHANISMS`.
    parameter : float
        The mechanism's ε, μ, number of trials, or number of masses in each
        list.
    compositions : int
        How often the mechanism answers, with independent noise.
    delta : float
        The δ at which ε is read.
    swapped : bool
        Whether the answers come from the database without you.
    p, q : tuple of float
        The masses of the answers 1, 2, … with you and without; empty for the
        other mechanisms.
    """

    mechanism: str
    parameter: float
    compositions: int
    delta: float
    swapped: bool
    p: tuple[float, ...] = ()
    q: tuple[float, ...] = ()

    parameters: ClassVar[tuple[str, ...]] = ("epsilon",)  # their names
    domain: ClassVar[Domain] = EPSILON

    @abstractmethod
    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        """Draw answers of the database in which the count is `truth`."""

    def _loss(self, answer: FloatArray) -> FloatArray:
        """Return the loss of answers of the database with you."""
        # This is ε(|x| − |x − 1|).
        return np.asarray(self.parameter * (2 * np.clip(answer, 0, 1) - 1))

    @door(answer=NUMBER)
    def loss_of(self, answer: float) -> Floats:
        """Compute the loss of answers.

        It is the logarithm of how much likelier they are in the database they
        come from: infinite for an answer that only this one gives, minus
        infinite for one that only the other gives. Of coins and lists an
        answer that neither gives has none.
        """
        lost = self._loss(np.asarray(answer))
        return -lost if self.swapped else lost

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return (
            self.mechanism,
            self.parameter,
            self.compositions,
            self.swapped,
            self.p,
            self.q,
        )

    def draw_truth(self, rng: np.random.Generator) -> int:
        """Return what the noise is added to: 1 with you in the database, 0 without."""
        return int(not self.swapped)

    @silent
    def draw(
        self, truth: int, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw so many releases of `compositions` answers each.

        Returns
        -------
        array of shape (size, 2)
            The first answer of each, and the sum of the losses of all its
            answers.
        """
        drawn = np.empty((size, 2))
        at_once = max(1, 1_000_000 // self.compositions)
        for block in np.split(drawn, range(at_once, size, at_once)):
            answers = self._draw(truth, rng, (len(block), self.compositions))
            block[:, 0] = answers[:, 0]
            block[:, 1] = self.loss_of(answers).sum(axis=1)
        return drawn

    @cached_property
    def law(self) -> LossDistribution:
        """The law of the loss of all releases together."""
        # Its constructor has the mechanism's name.
        build = getattr(laws, self.mechanism)
        arguments = (self.p, self.q) if self.p else (self.parameter,)
        single: LossDistribution = build(*arguments)
        if self.swapped:
            single = single.reversed()
        return single.compose(self.compositions)

    @cached_property
    def other(self) -> Self:
        """The same in the other order: the answers come from the other database."""
        return replace(self, swapped=not self.swapped)

    @property
    def symmetric(self) -> bool:
        """Whether the loss has the same law in both orders."""
        return self.law.reversed() == self.law

    @property
    def guarantee(self) -> float:
        """An ε at which the releases together are (ε, δ)-private: the larger of both orders."""
        if self.symmetric:
            return self.epsilon
        return max(self.epsilon, self.other.epsilon)

    @cached_property
    def epsilon(self) -> float:
        """An ε that keeps the δ of the releases together in this order; `guarantee` has both.

        The smallest, rounded up to 3 digits but for a billionth of it;
        infinite where an infinite loss is likelier than δ.
        """
        return rounded(self.law.epsilon(self.delta), up=True)

    @property
    def share(self) -> float:
        """The share of the outcomes whose loss exceeds `epsilon`, infinite ones among them."""
        if math.isinf(self.epsilon):
            return self.law.infinite()
        return self.law.tail(self.epsilon)

    @property
    @silent
    def reach(self) -> float:
        """A loss that few outcomes exceed in either direction, infinite ones aside."""
        return max(_reach(self.law), _reach(self.law.reversed())) or 1.0


def _reach(law: LossDistribution) -> float:
    ((single, count),) = law.parts
    deviation = math.sqrt(count * single.variance)
    usual = count * abs(single.centre) + 6 * deviation
    return min(usual, count * max(map(abs, single.ends)))


class RandomizedResponseRelease(Release):
    """The truth with probability e^ε/(1 + e^ε), else a lie: one answer instead of the other."""

    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        is_true = rng.random(shape) < expit(self.parameter)
        return np.where(is_true, truth, 1.0 - truth)


class LaplaceRelease(Release):
    """The count, and Laplace noise of scale 1/ε."""

    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        return rng.laplace(truth, 1 / self.parameter, shape)


class GaussianRelease(Release):
    """The count, and Gaussian noise of standard deviation 1/μ."""

    parameters = ("mu",)
    domain = MU

    def _loss(self, answer: FloatArray) -> FloatArray:
        return np.asarray(self.parameter**2 * (answer - 0.5))

    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        return rng.normal(truth, 1 / self.parameter, shape)


class BinomialRelease(Release):
    """The count, and the heads among fair coins, less half the number of coins."""

    parameters = ("trials",)
    domain = laws.TRIALS

    def _loss(self, answer: FloatArray) -> FloatArray:
        # Without you; with you it takes one less. An answer that neither gives
        # has no loss.
        coins = self.parameter
        heads = answer + coins / 2
        given = (heads >= 0) & (heads <= coins + 1) & (heads % 1 == 0)
        heads = np.where(given, heads, np.nan)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(heads) - np.log(coins + 1 - heads))

    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        heads = rng.binomial(int(self.parameter), 0.5, shape)
        return np.asarray(truth + heads - self.parameter / 2, float)


class FiniteRelease(Release):
    """Two lists of probabilities of the answers 1, 2, …: with you, and without."""

    parameters = ("p", "q")

    def _loss(self, answer: FloatArray) -> FloatArray:
        losses = laws.losses_of(np.array(self.p), np.array(self.q))
        listed = np.isin(answer, 1.0 + np.arange(losses.size))
        places = np.where(listed, answer, 1).astype(int) - 1
        return np.where(listed, losses[places], np.nan)

    def _draw(
        self, truth: int, rng: np.random.Generator, shape: tuple[int, int]
    ) -> FloatArray:
        masses = self.p if truth else self.q
        return rng.choice(1.0 + np.arange(len(self.p)), shape, p=masses)


_KINDS: dict[str, type[Release]] = {
    "laplace": LaplaceRelease,
    "randomized_response": RandomizedResponseRelease,
    "gaussian": GaussianRelease,
    "binomial": BinomialRelease,
    "finite": FiniteRelease,
}
#: The mechanisms, each with the names of its parameters.
MECHANISMS = {name: kind.parameters for name, kind in _KINDS.items()}


@takes(compositions=COUNT, delta=DELTA)
def release(
    mechanism: str = "laplace",
    *,
    compositions: int = 1,
    delta: float = 1e-6,
    swapped: bool = False,
    **parameters: ArrayLike | None,
) -> Release:
    """Describe a release of a count of sensitivity 1.

    Parameters
    ----------
    mechanism : {"laplace", "randomized_response", "gaussian", "binomial", "finite"}
        How the answer is made.
    compositions : int
        How often it answers, from 1 to 10⁵.
    delta : float
        The δ at which ε is read, above 0 and below 1.
    swapped : bool
        Whether the answers come from the database without you, rather than
        from the one with you.
    **parameters : float or array_like
        The mechanism's own, and no other: `epsilon` for the first three; for
        Gaussian noise `mu`, one over the standard deviation; for binomial
        noise `trials`, the number of coins (the noise is the heads among them,
        less half their number). For a finite mechanism `p` and `q`: how
        probable the answers 1, 2, …, m are with you, and without you; see
        `finite`.

    Returns
    -------
    Release
        The loss of each answer, the law of the loss, and its ε.

    Raises
    ------
    TypeError
        If not exactly the mechanism's own parameters are given, or an argument
        is no number.
    ValueError
        If the mechanism is unknown, a number lies outside its domain, or p and
        q are no masses of the same answers.

    Examples
    --------
    >>> count = release("laplace", epsilon=0.5)
    >>> count.loss_of(3), round(count.law.mean(), 4)
    (0.5, 0.1065)

    With you the answer is always the first; without you a coin chooses between
    two. Drawn with you the loss is bounded, and drawn without you it is not:

    >>> coin = release("finite", p=[1, 0], q=[0.5, 0.5])
    >>> coin.epsilon, coin.other.epsilon, coin.guarantee
    (0.694, inf, inf)
    """
    kind = _KINDS[one_of("mechanism", mechanism, _KINDS)]
    given = {
        name: value for name, value in parameters.items() if value is not None
    }
    if given.keys() != set(kind.parameters):
        raise TypeError(
            f"release({mechanism!r}) needs {' and '.join(kind.parameters)}, "
            "and of other parameters none"
        )
    rest = compositions, delta, swapped
    if kind is FiniteRelease:
        p, q = laws.two_lists(given["p"], given["q"])
        masses = tuple(p.tolist()), tuple(q.tolist())
        return kind(mechanism, float(p.size), *rest, *masses)
    (name,) = kind.parameters
    return kind(mechanism, kind.domain.check_one(name, given[name]), *rest)
