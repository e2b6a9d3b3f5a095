"""One release seen from two neighbouring databases: its answers and their loss (Rothblum 2013).

A count is released, with you in the database or without you. Answers are given relative to the
count without you, so that the truth is 1 with you and 0 without. `release` names a mechanism, and a
`Release` says how likely each answer is in both cases, what its loss is, and what the law of the
loss is after several such releases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from dpwidgets.calculators.domain import (
    EPSILON,
    NUMBER,
    Domain,
    FloatArray,
    Floats,
    check_numbers,
    one_of,
    plain,
    silent,
)
from dpwidgets.calculators.loss._distribution import (
    COUNT,
    DELTA,
    MU,
    TRIALS,
    LossDistribution,
    binomial,
    gaussian,
    geometric,
    laplace,
    randomized_response,
)

#: The mechanisms, each with the name of its parameter.
MECHANISMS = {
    "laplace": "epsilon",
    "geometric": "epsilon",
    "randomized_response": "epsilon",
    "gaussian": "mu",
    "binomial": "trials",
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
        The mechanism's ε, μ or number of trials.
    compositions : int
        How often the mechanism answers, with independent noise.
    outcome : float
        The answer asked about, relative to the count without you.
    delta : float
        The δ at which ε is read.
    swapped : bool
        Whether the answers come from the database without you.
    """

    mechanism: str
    parameter: float
    compositions: int
    outcome: float
    delta: float
    swapped: bool

    @silent
    def nearest(self, outcome: ArrayLike) -> FloatArray:
        """Return the mechanism's possible answer that is nearest to each number."""
        outcome = OUTCOME.check("outcome", outcome)
        if self.mechanism == "binomial":
            half = self.parameter / 2
            return np.clip(np.floor(outcome + half + 0.5) - half, -half, half + 1)
        if self.mechanism == "randomized_response":
            return np.where(outcome < 0.5, 0.0, 1.0)
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
        return np.exp(self._logarithm(OUTCOME.check("answer", answer) - bool(you)))

    @overload
    def loss_of(self, answer: float) -> float: ...
    @overload
    def loss_of(self, answer: ArrayLike) -> Floats: ...
    @silent
    def loss_of(self, answer: ArrayLike) -> Floats:
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
        answer, parameter = OUTCOME.check("answer", answer), self.parameter
        if self.mechanism == "binomial":
            # Without you; with you it takes one less. An answer that neither gives has no loss.
            heads = answer + parameter / 2
            heads = np.where((heads >= 0) & (heads <= parameter + 1), heads, np.nan)
            with np.errstate(divide="ignore"):
                lost = np.log(heads) - np.log(parameter + 1 - heads)
        elif self.mechanism == "gaussian":
            lost = parameter**2 * (answer - 0.5)
        else:
            lost = parameter * (2 * np.clip(answer, 0, 1) - 1)  # ε(|x| − |x − 1|)
        return plain(-lost if self.swapped else lost)

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
        one = _LAWS[self.mechanism](self.parameter)
        return (one.reversed() if self.swapped else one).compose(self.compositions)

    @cached_property
    def epsilon(self) -> float:
        """An ε at which the releases together are (ε, δ)-private in this order.

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
        """The share of the outcomes whose loss exceeds `epsilon`."""
        return self.law.tail(self.epsilon) if math.isfinite(self.epsilon) else 0.0

    @property
    def spread(self) -> float:
        """How far answers usually lie from the truth: a few standard deviations."""
        kinds = {
            "gaussian": 4 / self.parameter,
            "binomial": 2 * math.sqrt(self.parameter),
            "randomized_response": 1.0,
        }
        return kinds.get(self.mechanism, 5 / self.parameter)

    @property
    def reach(self) -> float:
        """A loss that few outcomes exceed in either direction, infinite ones aside."""
        worst, mean = math.inf, self.law.mean()
        if self.mechanism == "binomial":
            mean = self.compositions * 2 / self.parameter  # of the Gaussian law that it resembles
        elif self.mechanism != "gaussian":
            worst = self.compositions * self.parameter
        return min(worst, mean + 6 * math.sqrt(2 * mean))  # a small loss has twice the variance

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


def release(
    mechanism: str = "laplace",
    *,
    epsilon: float | None = None,
    mu: float | None = None,
    trials: int | None = None,
    compositions: int = 1,
    outcome: float = 0.0,
    delta: float = 1e-6,
    swapped: bool = False,
) -> Release:
    """Describe a release of a count of sensitivity 1.

    Parameters
    ----------
    mechanism : {"laplace", "geometric", "randomized_response", "gaussian", "binomial"}
        How the answer is made.
    epsilon, mu, trials : float, float, int
        The mechanism's parameter, and no other: ε for the first three, μ (one over the standard
        deviation) for Gaussian noise, the number of coins for binomial noise (the heads among them,
        less half their number).
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
        If not exactly the mechanism's own parameter is given, or an argument is no number.
    ValueError
        If the mechanism is unknown or a number lies outside its domain.

    Examples
    --------
    >>> one = release("laplace", epsilon=0.5, outcome=3)
    >>> one.loss_of(one.answer), round(one.law.mean(), 4)
    (0.5, 0.1065)
    """
    mechanism = one_of("mechanism", mechanism, MECHANISMS)
    given = {"epsilon": epsilon, "mu": mu, "trials": trials}
    wanted = MECHANISMS[mechanism]
    parameter = given[wanted]
    if parameter is None or sum(value is not None for value in given.values()) > 1:
        raise TypeError(
            f"release({mechanism!r}) needs {wanted} and no other of epsilon, mu and trials"
        )
    parameter, count, outcome, delta = check_numbers(
        **{wanted: (parameter, _DOMAINS[wanted])},
        compositions=(compositions, COUNT),
        outcome=(outcome, OUTCOME),
        delta=(delta, DELTA),
    )
    swapped = one_of("swapped", swapped, (False, True))
    return Release(mechanism, parameter, int(count), outcome, delta, swapped)
