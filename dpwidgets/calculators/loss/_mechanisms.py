"""How each mechanism answers: which answers it has, how likely they are, what each one loses.

A count is released, with you in the database or without you. Answers are given relative to the
count without you, so that the truth is 1 with you and 0 without. A mechanism may also be two lists
of probabilities, and then its answers are the places in the lists, from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln

from dpwidgets.calculators.loss import _constructors as laws
from dpwidgets.calculators.loss._composition import MU
from dpwidgets.calculators.loss._distribution import LossDistribution
from dpwidgets.inputs.domain import EPSILON, Domain, FloatArray


@dataclass(frozen=True)
class Noise:
    """A mechanism that adds noise to the count; the losses are those of an ε-private one."""

    parameter: float

    parameters: ClassVar[tuple[str, ...]] = ("epsilon",)
    domain: ClassVar[Domain] = EPSILON
    constructor: ClassVar[Callable[..., LossDistribution]]
    discrete: ClassVar[bool] = False  # whether answers have masses, and not a density
    bounded: ClassVar[bool] = True  # whether there is a largest loss
    reciprocals: ClassVar[int] = 5  # of the parameter, within which answers usually lie

    @property
    def law(self) -> LossDistribution:
        """The law of the loss of one answer, drawn with you in the database."""
        return self.constructor(self.parameter)

    @property
    def worst(self) -> float:
        """The largest loss of one answer."""
        return self.parameter if self.bounded else math.inf

    @property
    def spread(self) -> float:
        """How far answers usually lie from the truth: a few standard deviations."""
        return self.reciprocals / self.parameter

    def reach(self, count: int) -> float:
        """Return a loss that few sums of so many exceed in either direction."""
        mean = count * self.law.mean()
        return min(count * self.worst, mean + 6 * math.sqrt(2 * mean))  # the variance is twice that

    def nearest(self, outcome: FloatArray) -> FloatArray:
        """Return the possible answer that is nearest to each number."""
        return outcome

    def weight(self, answer: FloatArray, you: bool) -> FloatArray:
        """Compute the mass or density of possible answers, with you in the database or without."""
        return np.asarray(np.exp(self.logarithm(answer - you)))

    def logarithm(self, noise: FloatArray) -> FloatArray:
        """Compute the logarithm of the noise's mass or density."""
        raise NotImplementedError

    def loss(self, answer: FloatArray) -> FloatArray:
        """Compute the loss of answers of the database with you."""
        return np.asarray(self.parameter * (2 * np.clip(answer, 0, 1) - 1))  # ε(|x| − |x − 1|)

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        """Draw answers of the database in which the count is `truth`."""
        raise NotImplementedError


class Laplace(Noise):
    """The count, and Laplace noise of scale 1/ε."""

    constructor = staticmethod(laws.laplace)

    def logarithm(self, noise: FloatArray) -> FloatArray:
        return np.asarray(math.log(self.parameter / 2) - self.parameter * np.abs(noise))

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return rng.laplace(truth, 1 / self.parameter, shape)


class Geometric(Noise):
    """The count, and two-sided geometric noise of scale 1/ε."""

    constructor = staticmethod(laws.geometric)
    discrete = True

    def nearest(self, outcome: FloatArray) -> FloatArray:
        return np.asarray(np.floor(outcome + 0.5))

    def logarithm(self, noise: FloatArray) -> FloatArray:
        return np.asarray(math.log(math.tanh(self.parameter / 2)) - self.parameter * np.abs(noise))

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        stop = -math.expm1(-self.parameter)
        there, back = (rng.geometric(stop, shape).astype(float) for _ in range(2))
        return np.asarray(truth + there - back)


class RandomizedResponse(Noise):
    """The truth with probability e^ε/(1 + e^ε), else a lie: one answer instead of the other."""

    constructor = staticmethod(laws.randomized_response)
    discrete = True

    @property
    def spread(self) -> float:
        return 1.0

    def nearest(self, outcome: FloatArray) -> FloatArray:
        return np.where(outcome < 0.5, 0.0, 1.0)

    def logarithm(self, noise: FloatArray) -> FloatArray:
        lie = math.log1p(math.exp(-self.parameter))
        return np.asarray(-self.parameter * np.abs(noise) - lie)

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return np.where(rng.random(shape) < expit(self.parameter), truth, 1.0 - truth)


class Gaussian(Noise):
    """The count, and Gaussian noise of standard deviation 1/μ."""

    parameters = ("mu",)
    domain = MU
    constructor = staticmethod(laws.gaussian)
    bounded = False
    reciprocals = 4

    def logarithm(self, noise: FloatArray) -> FloatArray:
        height = math.log(self.parameter / math.sqrt(2 * math.pi))
        return np.asarray(height - (self.parameter * noise) ** 2 / 2)

    def loss(self, answer: FloatArray) -> FloatArray:
        return np.asarray(self.parameter**2 * (answer - 0.5))

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return rng.normal(truth, 1 / self.parameter, shape)


class Binomial(Noise):
    """The count, and the heads among fair coins, less half the number of coins."""

    parameters = ("trials",)
    domain = laws.TRIALS
    constructor = staticmethod(laws.binomial)
    discrete = True
    bounded = False

    @property
    def spread(self) -> float:
        return 2 * math.sqrt(self.parameter)

    def reach(self, count: int) -> float:
        return Gaussian(2 / math.sqrt(self.parameter)).reach(count)  # the law that it resembles

    def nearest(self, outcome: FloatArray) -> FloatArray:
        half = self.parameter / 2
        return np.clip(np.floor(outcome + half + 0.5) - half, -half, half + 1)

    def logarithm(self, noise: FloatArray) -> FloatArray:
        coins, heads = self.parameter, noise + self.parameter / 2
        possible = (heads >= 0) & (heads <= coins)
        heads = np.where(possible, heads, 0)
        ways = gammaln(coins + 1) - gammaln(heads + 1) - gammaln(coins - heads + 1)
        return np.where(possible, ways - coins * math.log(2), -np.inf)

    def loss(self, answer: FloatArray) -> FloatArray:
        # Without you; with you it takes one less. An answer that neither gives has no loss.
        coins, heads = self.parameter, answer + self.parameter / 2
        heads = np.where((heads >= 0) & (heads <= coins + 1), heads, np.nan)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(heads) - np.log(coins + 1 - heads))

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        heads = rng.binomial(int(self.parameter), 0.5, shape)
        return np.asarray(truth + heads - self.parameter / 2, float)


@dataclass(frozen=True)
class Finite:
    """Two lists of probabilities of the answers 1, 2, …: with you, and without."""

    p: tuple[float, ...]
    q: tuple[float, ...]

    parameters = ("p", "q")
    discrete = True
    worst = math.inf

    @property
    def law(self) -> LossDistribution:
        return laws.finite(self.p, self.q)

    @property
    def spread(self) -> float:
        return float(len(self.p))

    def reach(self, count: int) -> float:
        return max(_reach(self.p, self.q, count), _reach(self.q, self.p, count)) or 1.0

    def nearest(self, outcome: FloatArray) -> FloatArray:
        possible = np.flatnonzero(np.add(self.p, self.q)).astype(float) + 1
        return np.asarray(possible[np.searchsorted((possible[1:] + possible[:-1]) / 2, outcome)])

    def weight(self, answer: FloatArray, you: bool) -> FloatArray:
        return self._listed(self.p if you else self.q, answer, 0.0)

    def loss(self, answer: FloatArray) -> FloatArray:
        return self._listed(laws.losses_of(np.array(self.p), np.array(self.q)), answer, np.nan)

    def draw(self, truth: int, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return rng.choice(1.0 + np.arange(len(self.p)), shape, p=self.p if truth else self.q)

    def _listed(self, values: ArrayLike, answer: FloatArray, elsewhere: float) -> FloatArray:
        """Return the values at the answers' places in a list, and another one elsewhere."""
        listed = np.isin(answer, 1.0 + np.arange(len(self.p)))
        places = np.where(listed, answer, 1).astype(int) - 1
        return np.where(listed, np.asarray(values)[places], elsewhere)


def _reach(p: tuple[float, ...], q: tuple[float, ...], count: int) -> float:
    """Return how far the summed finite losses of answers drawn from p usually lie from 0."""
    losses, masses = laws.losses_of(np.array(p), np.array(q)), np.array(p)
    finite = np.isfinite(losses) & (masses > 0)
    if not finite.any():
        return 0.0
    losses, masses = losses[finite], masses[finite] / masses[finite].sum()
    mean = float(masses @ losses)
    deviation = math.sqrt(float(masses @ (losses - mean) ** 2))
    usual = count * abs(mean) + 6 * math.sqrt(count) * deviation
    return min(count * float(np.abs(losses).max()), usual)


WAYS: dict[str, type[Noise] | type[Finite]] = {
    "laplace": Laplace,
    "geometric": Geometric,
    "randomized_response": RandomizedResponse,
    "gaussian": Gaussian,
    "binomial": Binomial,
    "finite": Finite,
}
