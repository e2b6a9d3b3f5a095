"""A promise about beliefs, and what it takes to keep it: ε, and noise for a mean of Adult.

The results of `breach`, put together as an explorer shows them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from dpwidgets.calculators.breach import _adult, _beliefs
from dpwidgets.calculators.breach._attack import Attack
from dpwidgets.calculators.candidates import ANSWER
from dpwidgets.calculators.noise import guessed, posterior_after
from dpwidgets.inputs.domain import EPSILON, Domain, FloatArray, one_of
from dpwidgets.inputs.door import Floats, takes

#: The beliefs that a promise may be about.
BELIEF = Domain(
    "a number from 1e-12 up and below 1",
    low=1e-12,
    high=1.0,
    includes_low=True,
    why="One in a million million is as good as certain, either way",
)
#: How many answers the text draws for each box of Figs. 2 to 5.
RUNS = 1000


@dataclass(frozen=True)
class Promise:
    """A belief of at most `prior` never becomes one above `posterior`: that takes `epsilon`.

    Made by `promise`.

    Attributes
    ----------
    prior : float
        What an attacker may believe before the answer, ρ1.
    posterior : float
        What he may believe after it, ρ2.
    epsilon : float
        The privacy parameter ε.
    attribute : str
        The attribute of Adult whose mean is published.
    answer : float
        The noisy answer in the attack of Sec. 2.3.
    """

    prior: float
    posterior: float
    epsilon: float
    attribute: str
    answer: float

    attack: ClassVar = Attack(known=[1, 2, 3], universe=[1, 2, 3, 5, 10])  # the one of Sec. 2.3

    @property
    def marginal(self) -> _adult.Marginal:
        """The attribute: its values, their range, the sensitivity of their mean."""
        return _adult.attribute(self.attribute)

    @property
    def scale(self) -> float:
        """The scale of the noise on the attribute's mean, Δf/ε."""
        return self.marginal.sensitivity / self.epsilon

    def scales(self, prior: Floats, posterior: Floats) -> dict[str, Floats]:
        """Compute for each attribute the scale that keeps the priors within the posteriors."""
        return {
            name: _beliefs.scale(prior, posterior, _adult.attribute(name).sensitivity)
            for name in _adult.ATTRIBUTES
        }

    def noise(self, epsilon: float, seed: int = 2018) -> _adult.NoiseRatio:
        """Draw 1,000 noisy means of the attribute, as shares of its range from the true mean."""
        return _adult.noise_ratio(epsilon, self.marginal.n, RUNS, np.random.default_rng(seed))

    @cached_property
    def beliefs(self) -> FloatArray:
        """What the attacker of Sec. 2.3 believes of each candidate after the answer."""
        return self.attack.posterior(self.answer, self.epsilon)

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return (self.epsilon,)

    def draw_truth(self, rng: np.random.Generator) -> int:
        """Draw which candidate of the attack is the true one: each is as likely as any other."""
        return int(rng.integers(self.attack.universe.size))

    def draw(self, truth: int, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw noisy answers to the attacker's query, if one candidate is the true one."""
        return rng.laplace(self.attack.answers[truth], self.attack_scale, size)

    def after(self, answers: FloatArray) -> FloatArray:
        """Return what the attacker believes of each candidate after these answers."""
        return posterior_after(answers, self.attack.answers, self.attack_scale)

    def guessed(self, answers: FloatArray, truth: int) -> float:
        """Compute the share of answers after which, taken alone, the true candidate is guessed."""
        return guessed(answers, self.attack.answers, truth)

    @property
    def attack_scale(self) -> float:
        """The scale of the noise in the attack of Sec. 2.3."""
        return self.attack.sensitivity / self.epsilon

    @property
    def limit(self) -> float:
        """The most that any answer can make him believe of a candidate, at this ε."""
        return _beliefs.posterior(1 / self.attack.universe.size, self.epsilon)


@takes(prior=BELIEF, posterior=BELIEF, epsilon=EPSILON, answer=ANSWER)
def promise(
    *,
    prior: float | None = None,
    posterior: float | None = None,
    epsilon: float | None = None,
    attribute: str = "age",
    answer: float = 5.041,
) -> Promise:
    """Complete a promise from two of its three numbers.

    Parameters
    ----------
    prior : float, optional
        What an attacker may believe before the answer, ρ1, from 1e-300 up and below 1.
    posterior : float, optional
        What he may believe after it, ρ2, above the prior and below 1.
    epsilon : float, optional
        The privacy parameter ε, from 1e-8 to 1000.
    attribute : {"age", "education-num", "hours-per-week"}
        The attribute of Adult whose mean is published.
    answer : float
        The noisy answer in the attack of Sec. 2.3, a number from −1e100 to 1e100.

    Returns
    -------
    Promise
        All three numbers, the given ones as given.

    Raises
    ------
    TypeError
        If not exactly two of the three are given, or an argument is no number.
    ValueError
        If a number lies outside its domain, the posterior does not exceed the prior, or there is no
        such attribute.

    Examples
    --------
    >>> kept = promise(prior=1 / 74, posterior=0.2)
    >>> round(kept.epsilon, 4), round(kept.scale, 6)
    (2.9042, 0.000515)
    >>> round(promise(prior=0.1, epsilon=kept.epsilon).posterior, 4)
    0.6697
    """
    attribute = one_of("attribute", attribute, _adult.ATTRIBUTES)
    if prior is not None and posterior is not None and epsilon is None:
        epsilon = _beliefs.epsilon(prior, posterior)
    elif prior is not None and epsilon is not None and posterior is None:
        posterior = _beliefs.posterior(prior, epsilon)
    elif posterior is not None and epsilon is not None and prior is None:
        prior = _beliefs.prior(posterior, epsilon)
    else:
        raise TypeError("promise() needs two of prior, posterior and epsilon, and not all three")
    return Promise(prior, posterior, epsilon, attribute, answer)
