"""One release seen from two neighbouring databases: its answers and their loss (Rothblum 2013).

`release` names a mechanism, and a `Release` says how likely each answer is in both databases, what
its loss is, and what the law of the loss is after several such releases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpwidgets.calculators.loss._composition import COUNT
from dpwidgets.calculators.loss._constructors import two_lists
from dpwidgets.calculators.loss._distribution import DELTA, LossDistribution
from dpwidgets.calculators.loss._mechanisms import WAYS, Finite, Noise
from dpwidgets.inputs.domain import NUMBER, FloatArray, one_of, silent
from dpwidgets.inputs.door import Floats, door, takes

#: The mechanisms, each with the names of its parameters.
MECHANISMS = {name: way.parameters for name, way in WAYS.items()}
OUTCOME = NUMBER


@dataclass(frozen=True)
class Release:
    """A mechanism, one of its answers, and how often it is used. `release` makes one.

    Attributes
    ----------
    mechanism : str
        One of `MECHANISMS`.
    parameter : float
        The mechanism's ε, μ, number of trials, or number of masses in each list.
    compositions : int
        How often the mechanism answers, with independent noise.
    outcome : float
        The answer asked about, relative to the count without you.
    delta : float
        The δ at which ε is read.
    swapped : bool
        Whether the answers come from the database without you.
    p, q : tuple of float
        The masses of the answers 1, 2, … with you and without; empty for the other mechanisms.
    """

    mechanism: str
    parameter: float
    compositions: int
    outcome: float
    delta: float
    swapped: bool
    p: tuple[float, ...] = ()
    q: tuple[float, ...] = ()

    @cached_property
    def _way(self) -> Noise | Finite:
        """How the mechanism answers."""
        way = WAYS[self.mechanism]
        return way(self.parameter) if issubclass(way, Noise) else way(self.p, self.q)

    @door(outcome=OUTCOME)
    def nearest(self, outcome: float) -> Floats:
        """Return the mechanism's possible answer that is nearest to each number."""
        return self._way.nearest(np.asarray(outcome))

    @door(answer=OUTCOME)
    def weight(self, answer: float, *, you: bool) -> Floats:
        """Compute the mass or density of possible answers, with you in the database or without.

        Parameters
        ----------
        answer : array_like
            Possible answers, as `nearest` gives them.
        you : bool
            Whether you are in the database.

        Raises
        ------
        TypeError, ValueError
            If an answer is not a number from −1e100 to 1e100.
        """
        return self._way.weight(np.asarray(answer), bool(you))

    @door(answer=OUTCOME)
    def loss_of(self, answer: float) -> Floats:
        """Compute the loss of possible answers.

        It is the logarithm of how much likelier they are in the database they come from: infinite
        for an answer that only this one gives, minus infinite for one that only the other gives.

        Parameters
        ----------
        answer : array_like
            Possible answers, as `nearest` gives them.

        Raises
        ------
        TypeError, ValueError
            If an answer is not a number from −1e100 to 1e100.
        """
        lost = self._way.loss(np.asarray(answer))
        return -lost if self.swapped else lost

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return self.mechanism, self.parameter, self.compositions, self.swapped, self.p, self.q

    def draw_truth(self, rng: np.random.Generator) -> int:
        """Return what the noise is added to: 1 with you in the database, 0 without."""
        return int(not self.swapped)

    @silent
    def draw(self, truth: int, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw so many releases of `compositions` answers each.

        Returns
        -------
        array of shape (size, 2)
            The first answer of each, and the sum of the losses of all its answers.
        """
        many = self.compositions
        at_once = max(1, 1_000_000 // many)
        drawn = np.empty((size, 2))
        for start in range(0, size, at_once):
            block = drawn[start : start + at_once]
            answers = self._way.draw(truth, rng, (len(block), many))
            block[:, 0], block[:, 1] = answers[:, 0], self.loss_of(answers).sum(axis=1)
        return drawn

    def belief(self, loss: float) -> float:
        """Return what a belief of one half in the database drawn from becomes after this loss."""
        return float(expit(loss))

    @property
    def answer(self) -> float:
        """The possible answer that is nearest to the outcome asked about."""
        return self.nearest(self.outcome)

    @property
    def discrete(self) -> bool:
        """Whether the answers are separate numbers with masses, not a continuum with a density."""
        return self._way.discrete

    @cached_property
    def law(self) -> LossDistribution:
        """The law of the loss of all releases together."""
        one = self._way.law
        return (one.reversed() if self.swapped else one).compose(self.compositions)

    @cached_property
    def other(self) -> Release:
        """The same in the other order: the answers come from the other database."""
        return replace(self, swapped=not self.swapped)

    @property
    def symmetric(self) -> bool:
        """Whether the loss has the same law in both orders."""
        return self.law.reversed() == self.law

    @property
    def guarantee(self) -> float:
        """An ε at which the releases together are (ε, δ)-private: the larger of both orders."""
        return self.epsilon if self.symmetric else max(self.epsilon, self.other.epsilon)

    @cached_property
    def epsilon(self) -> float:
        """An ε that keeps the δ of the releases together in this order; `guarantee` has both.

        It is the smallest, rounded up to 3 digits. Infinite where an infinite loss is likelier than
        δ.
        """
        epsilon = self.law.epsilon(self.delta)
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        digits = 2 - math.floor(math.log10(epsilon))
        rounded = round(epsilon, digits)
        return rounded if rounded >= epsilon else round(rounded + 10.0**-digits, digits)

    @property
    def share(self) -> float:
        """The share of the outcomes whose loss exceeds `epsilon`: none if no loss is larger."""
        if self.epsilon >= self.compositions * self._way.worst * (1 - 1e-14):
            return 0.0  # a grid has a little more, which is only rounding
        return self.law.tail(self.epsilon)

    @property
    def spread(self) -> float:
        """How far answers usually lie from the truth: a few standard deviations."""
        return self._way.spread

    @property
    @silent
    def reach(self) -> float:
        """A loss that few outcomes exceed in either direction, infinite ones aside."""
        return self._way.reach(self.compositions)


@takes(compositions=COUNT, outcome=OUTCOME, delta=DELTA)
def release(
    mechanism: str = "laplace",
    *,
    compositions: int = 1,
    outcome: float = 0.0,
    delta: float = 1e-6,
    swapped: bool = False,
    **parameters: ArrayLike | None,
) -> Release:
    """Describe a release of a count of sensitivity 1.

    Parameters
    ----------
    mechanism : {"laplace", "geometric", "randomized_response", "gaussian", "binomial", "finite"}
        How the answer is made.
    compositions : int
        How often it answers, from 1 to 10⁵.
    outcome : float
        The answer asked about, relative to the count without you, from −1e100 to 1e100. The nearest
        possible answer is meant.
    delta : float
        The δ at which ε is read, above 0 and below 1.
    swapped : bool
        Whether the answers come from the database without you, rather than from the one with you.
    **parameters : float or array_like
        The mechanism's own, and no other: `epsilon` for the first three; for Gaussian noise `mu`,
        one over the standard deviation; for binomial noise `trials`, the number of coins (the noise
        is the heads among them, less half their number). For a finite mechanism `p` and `q`: how
        probable the answers 1, 2, …, m are with you, and without you; see `finite`.

    Returns
    -------
    Release
        The release.

    Raises
    ------
    TypeError
        If not exactly the mechanism's own parameters are given, or an argument is no number.
    ValueError
        If the mechanism is unknown, a number lies outside its domain, or p and q are no masses of
        the same answers.

    Examples
    --------
    >>> one = release("laplace", epsilon=0.5, outcome=3)
    >>> one.loss_of(one.answer), round(one.law.mean(), 4)
    (0.5, 0.1065)

    With you the answer is always the first; without you a coin chooses between two. Drawn with you
    the loss is bounded, and drawn without you it is not:

    >>> coin = release("finite", p=[1, 0], q=[0.5, 0.5])
    >>> coin.epsilon, coin.other.epsilon, coin.guarantee
    (0.694, inf, inf)
    """
    mechanism = one_of("mechanism", mechanism, MECHANISMS)
    swapped = one_of("swapped", swapped, (False, True))
    own = {name: value for name, value in parameters.items() if value is not None}
    if own.keys() != set(MECHANISMS[mechanism]):
        raise TypeError(
            f"release({mechanism!r}) needs {' and '.join(MECHANISMS[mechanism])} and no other of "
            "epsilon, mu, trials, p and q"
        )
    way = WAYS[mechanism]
    if issubclass(way, Noise):
        ((name, value),) = own.items()
        parameter = way.domain.check_one(name, value)
        return Release(mechanism, parameter, compositions, outcome, delta, swapped)
    p, q = (tuple(one.tolist()) for one in two_lists(own["p"], own["q"]))
    return Release(mechanism, float(len(p)), compositions, outcome, delta, swapped, p, q)
