"""One release seen from two neighbouring databases: its answers and their loss (Rothblum 2013).

A count is released, with you in the database or without you. Answers are given relative to the
count without you, so that the truth is 1 with you and 0 without. A mechanism may also be two lists
of probabilities, and then its answers are the places in the lists, from 1. `release` names a
mechanism, and a `Release` says how likely each answer is in both cases, what its loss is, and what
the law of the loss is after several such releases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln

from dpwidgets.calculators.loss._distribution import (
    COUNT,
    DELTA,
    MU,
    TRIALS,
    LossDistribution,
    binomial,
    finite,
    gaussian,
    geometric,
    laplace,
    losses_of,
    randomized_response,
    two_lists,
)
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    Domain,
    FloatArray,
    Floats,
    check_numbers,
    door,
    one_of,
    silent,
)

#: The mechanisms, each with the names of its parameters.
MECHANISMS = {
    "laplace": ("epsilon",),
    "geometric": ("epsilon",),
    "randomized_response": ("epsilon",),
    "gaussian": ("mu",),
    "binomial": ("trials",),
    "finite": ("p", "q"),
}
OUTCOME = NUMBER
_DOMAINS: dict[str, Domain] = {"epsilon": EPSILON, "mu": MU, "trials": TRIALS}
_LAWS: dict[str, Callable[[float], LossDistribution]] = {
    "laplace": laplace,
    "geometric": geometric,
    "randomized_response": randomized_response,
    "gaussian": gaussian,
    "binomial": lambda trials: binomial(int(trials)),
}


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

    @silent
    def nearest(self, outcome: ArrayLike) -> FloatArray:
        """Return the mechanism's possible answer that is nearest to each number."""
        outcome = OUTCOME.check("outcome", outcome)
        if self.mechanism == "binomial":
            half = self.parameter / 2
            return np.clip(np.floor(outcome + half + 0.5) - half, -half, half + 1)
        if self.mechanism == "randomized_response":
            return np.where(outcome < 0.5, 0.0, 1.0)
        if self.mechanism == "finite":
            possible = np.flatnonzero(np.add(self.p, self.q)).astype(float) + 1
            return possible[np.searchsorted((possible[1:] + possible[:-1]) / 2, outcome)]
        return np.floor(outcome + 0.5) if self.mechanism == "geometric" else outcome

    @silent
    def weight(self, answer: ArrayLike, *, you: bool) -> FloatArray:
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
        answer = OUTCOME.check("answer", answer)
        if self.mechanism == "finite":
            return self._listed(self.p if you else self.q, answer, 0.0)
        return np.exp(self._logarithm(answer - bool(you)))

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
        answers, parameter = np.asarray(answer), self.parameter
        if self.mechanism == "binomial":
            # Without you; with you it takes one less. An answer that neither gives has no loss.
            heads = answers + parameter / 2
            heads = np.where((heads >= 0) & (heads <= parameter + 1), heads, np.nan)
            with np.errstate(divide="ignore"):
                lost = np.log(heads) - np.log(parameter + 1 - heads)
        elif self.mechanism == "gaussian":
            lost = parameter**2 * (answers - 0.5)
        elif self.mechanism == "finite":
            lost = self._listed(losses_of(np.array(self.p), np.array(self.q)), answers, np.nan)
        else:
            lost = parameter * (2 * np.clip(answers, 0, 1) - 1)  # ε(|x| − |x − 1|)
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
            answers = self._noisy(truth, rng, (len(block), many))
            block[:, 0], block[:, 1] = answers[:, 0], self.loss_of(answers).sum(axis=1)
        return drawn

    def _noisy(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        """Draw answers of the database in which the count is `truth`."""
        parameter = self.parameter
        if self.mechanism == "finite":
            answers = 1.0 + np.arange(len(self.p))
            return rng.choice(answers, shape, p=self.p if truth else self.q)
        if self.mechanism == "randomized_response":
            return np.where(rng.random(shape) < expit(parameter), truth, 1.0 - truth)
        if self.mechanism == "laplace":
            noise = rng.laplace(0, 1 / parameter, shape)
        elif self.mechanism == "gaussian":
            noise = rng.normal(0, 1 / parameter, shape)
        elif self.mechanism == "geometric":
            stop = -math.expm1(-parameter)
            there, back = (rng.geometric(stop, shape).astype(float) for _ in range(2))
            noise = there - back
        else:
            noise = rng.binomial(int(parameter), 0.5, shape).astype(float) - parameter / 2
        return truth + noise

    def belief(self, loss: float) -> float:
        """Return what a belief of one half in the database drawn from becomes after this loss."""
        return float(expit(loss))

    @property
    def answer(self) -> float:
        """The possible answer that is nearest to the outcome asked about."""
        return float(self.nearest(self.outcome))

    @property
    def discrete(self) -> bool:
        """Whether the answers are separate numbers with masses, not a continuum with a density."""
        return self.mechanism not in ("laplace", "gaussian")

    @cached_property
    def law(self) -> LossDistribution:
        """The law of the loss of all releases together."""
        lists = self.mechanism == "finite"
        one = finite(self.p, self.q) if lists else _LAWS[self.mechanism](self.parameter)
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
        largest = self.compositions * self.parameter
        if self.mechanism == "laplace" and self.epsilon >= largest * (1 - 1e-14):
            return 0.0  # a grid has a little more, which is only rounding
        return self.law.tail(self.epsilon) if math.isfinite(self.epsilon) else 0.0

    @property
    def spread(self) -> float:
        """How far answers usually lie from the truth: a few standard deviations."""
        kinds = {
            "gaussian": 4 / self.parameter,
            "binomial": 2 * math.sqrt(self.parameter),
            "randomized_response": 1.0,
            "finite": self.parameter,
        }
        return kinds.get(self.mechanism, 5 / self.parameter)

    @property
    @silent
    def reach(self) -> float:
        """A loss that few outcomes exceed in either direction, infinite ones aside."""
        if self.mechanism == "finite":
            return (
                max(
                    _reach(self.p, self.q, self.compositions),
                    _reach(self.q, self.p, self.compositions),
                )
                or 1.0
            )
        worst, mean = math.inf, self.law.mean()
        if self.mechanism == "binomial":
            mean = self.compositions * 2 / self.parameter  # of the Gaussian law that it resembles
        elif self.mechanism != "gaussian":
            worst = self.compositions * self.parameter
        return min(worst, mean + 6 * math.sqrt(2 * mean))  # a small loss has twice the variance

    def _listed(self, values: ArrayLike, answer: FloatArray, elsewhere: float) -> FloatArray:
        """Return the values at the answers' places in a list, and another one elsewhere."""
        listed = np.isin(answer, 1.0 + np.arange(len(self.p)))
        places = np.where(listed, answer, 1).astype(int) - 1
        return np.where(listed, np.asarray(values)[places], elsewhere)

    def _logarithm(self, noise: FloatArray) -> FloatArray:
        """Return the logarithm of the noise's mass or density."""
        parameter, distance = self.parameter, np.abs(noise)
        if self.mechanism == "laplace":
            return np.asarray(math.log(parameter / 2) - parameter * distance)
        if self.mechanism == "geometric":
            return np.asarray(math.log(math.tanh(parameter / 2)) - parameter * distance)
        if self.mechanism == "randomized_response":
            # The noise is a lie: one answer instead of the other.
            return np.asarray(-parameter * distance - math.log1p(math.exp(-parameter)))
        if self.mechanism == "gaussian":
            height = math.log(parameter / math.sqrt(2 * math.pi))
            return np.asarray(height - (parameter * noise) ** 2 / 2)
        heads = noise + parameter / 2
        possible = (heads >= 0) & (heads <= parameter)
        heads = np.where(possible, heads, 0)
        ways = gammaln(parameter + 1) - gammaln(heads + 1) - gammaln(parameter - heads + 1)
        return np.where(possible, ways - parameter * math.log(2), -np.inf)


def _reach(p: tuple[float, ...], q: tuple[float, ...], count: int) -> float:
    """Return how far the summed finite losses of answers drawn from p usually lie from 0."""
    losses, masses = losses_of(np.array(p), np.array(q)), np.array(p)
    finite = np.isfinite(losses) & (masses > 0)
    if not finite.any():
        return 0.0
    losses, masses = losses[finite], masses[finite] / masses[finite].sum()
    mean = float(masses @ losses)
    deviation = math.sqrt(float(masses @ (losses - mean) ** 2))
    usual = count * abs(mean) + 6 * math.sqrt(count) * deviation
    return min(count * float(np.abs(losses).max()), usual)


def release(
    mechanism: str = "laplace",
    *,
    epsilon: float | None = None,
    mu: float | None = None,
    trials: int | None = None,
    p: ArrayLike | None = None,
    q: ArrayLike | None = None,
    compositions: int = 1,
    outcome: float = 0.0,
    delta: float = 1e-6,
    swapped: bool = False,
) -> Release:
    """Describe a release of a count of sensitivity 1.

    Parameters
    ----------
    mechanism : {"laplace", "geometric", "randomized_response", "gaussian", "binomial", "finite"}
        How the answer is made.
    epsilon, mu, trials : float, float, int
        The mechanism's parameter, and no other: ε for the first three, μ (one over the standard
        deviation) for Gaussian noise, the number of coins for binomial noise (the heads among them,
        less half their number).
    p, q : array_like of shape (m,)
        For a finite mechanism: how probable the answers 1, 2, …, m are with you, and without you;
        see `finite`.
    compositions : int
        How often it answers, from 1 to 10⁵.
    outcome : float
        The answer asked about, relative to the count without you, from −1e100 to 1e100. The nearest
        possible answer is meant.
    delta : float
        The δ at which ε is read, above 0 and below 1.
    swapped : bool
        Whether the answers come from the database without you, rather than from the one with you.

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
    own: dict[str, float | None] = {"epsilon": epsilon, "mu": mu, "trials": trials}
    wanted, given = MECHANISMS[mechanism], own | {"p": p, "q": q}
    if {name for name, value in given.items() if value is not None} != set(wanted):
        raise TypeError(
            f"release({mechanism!r}) needs {' and '.join(wanted)} and no other of epsilon, mu, "
            "trials, p and q"
        )
    count, outcome, delta = check_numbers(
        compositions=(compositions, COUNT), outcome=(outcome, OUTCOME), delta=(delta, DELTA)
    )
    swapped = one_of("swapped", swapped, (False, True))
    if p is not None and q is not None:
        lists = [tuple(one.tolist()) for one in two_lists(p, q)]
        size = float(len(lists[0]))
        return Release(mechanism, size, int(count), outcome, delta, swapped, *lists)
    (name,) = wanted
    parameter = _DOMAINS[name].check_one(name, own[name])
    return Release(mechanism, parameter, int(count), outcome, delta, swapped)
