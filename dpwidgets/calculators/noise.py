"""The noise that the texts add, and what one noisy answer says about the truth.

The noise is given by its scale: sensitivity/ε makes a release ε-private. (The
interval text's λ is the rate, one over the scale.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from dpwidgets.inputs.domain import (
    NUMBER,
    PROBABILITY,
    FloatArray,
    must_be,
    silent,
    within,
)
from dpwidgets.inputs.door import Floats, door

SCALE = within(1e-90, 1e90)
#: How many significant digits a scale has that is chosen.
DIGITS = 6


@dataclass(frozen=True)
class Laplace:
    """Laplace noise, the law on the real line with density e^(−|x|/scale) / (2·scale).

    Parameters
    ----------
    scale : float
        The scale, from 1e-90 to 1e90. The standard deviation is √2 times as
        large.

    Notes
    -----
    Naldi and D'Acquisto (2015), eq. (1), with λ = 1/scale.

    Examples
    --------
    >>> Laplace(scale=10).density(0)
    0.05
    >>> round(Laplace(scale=10).cdf(10), 4)
    0.8161
    >>> Laplace(scale=10).sample(np.random.default_rng(1), size=2).round(3)
    array([ 0.239, 23.119])
    """

    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", SCALE.check_one("scale", self.scale))

    @door(x=NUMBER)
    def density(self, x: float) -> Floats:
        """Compute the density at `x`, a number from −1e100 to 1e100 or an array of them."""
        return np.exp(-np.abs(x) / self.scale) / (2 * self.scale)

    @door(x=NUMBER)
    def cdf(self, x: float) -> Floats:
        """Compute the probability of noise up to `x`, a number from −1e100 to 1e100 or an array."""
        tail = np.exp(-np.abs(x) / self.scale) / 2
        return np.where(x < 0, tail, 1 - tail)

    @door(probability=PROBABILITY)
    def quantile(self, probability: float) -> Floats:
        """Compute the x up to which the noise has this probability, between 0 and 1."""
        side = np.where(probability < 0.5, 1.0, -1.0)
        tail = np.minimum(probability, 1 - probability)
        return side * self.scale * np.log(2 * tail)

    def sample(
        self,
        rng: np.random.Generator,
        size: int | tuple[int, ...] | None = None,
    ) -> Floats:
        """Draw one number, or an array of the given size."""
        return rng.laplace(scale=self.scale, size=size)


@silent
def posterior(
    answer: ArrayLike, candidates: ArrayLike, scale: float
) -> FloatArray:
    """Compute how probable each candidate is, given one answer with Laplace noise.

    All candidates are equally likely before.

    Parameters
    ----------
    answer : array_like
        The noisy answer, a number from −1e100 to 1e100; an array of any shape
        gives that many posteriors.
    candidates : array_like of shape (m,)
        The answers that the truth may have, numbers from −1e100 to 1e100. They
        may coincide.
    scale : float
        The scale of the noise, from 1e-90 to 1e90.

    Returns
    -------
    array of shape answer.shape + (m,)
        The posterior probabilities; each row sums to 1.

    Raises
    ------
    TypeError, ValueError
        If the candidates are not one list.

    Notes
    -----
    Bayes' rule with equal priors, as in Lee and Clifton (2011), Def. 3. Beyond
    the outermost candidates the posterior no longer changes with the answer,
    so the answer is first moved to the nearest of them: without that, a far
    answer would lose the candidates' differences to rounding.

    Examples
    --------
    >>> posterior(answer=12, candidates=[10, 11], scale=100).round(4)
    array([0.4975, 0.5025])
    """
    answers = NUMBER.check("answer", answer)
    scale = SCALE.check_one("scale", scale)
    truths = NUMBER.check("candidates", candidates)
    if truths.ndim != 1 or truths.size == 0:
        raise must_be(
            "candidates",
            f"one list of numbers; got an array of shape {truths.shape}",
        )
    nearest = np.clip(answers, truths.min(), truths.max())
    distances = np.abs(nearest[..., np.newaxis] - truths)
    nearer = distances.min(axis=-1, keepdims=True) - distances
    return np.asarray(softmax(nearer / scale, axis=-1))


def most_likely(posterior: FloatArray) -> tuple[int, ...]:
    """Return the places of the candidates to guess: the most probable one, or several that tie.

    Parameters
    ----------
    posterior : array of shape (m,)
        How probable each candidate is. What is less than the most probable by
        no more than a billionth of it ties.

    Returns
    -------
    tuple of int
        The places, from 0, in rising order.

    Examples
    --------
    >>> most_likely(posterior(answer=12, candidates=[10, 14, 20], scale=5))
    (0, 1)
    """
    ties = posterior >= posterior.max() * (1 - 1e-9)
    return tuple(np.flatnonzero(ties).tolist())


@silent
def posterior_after(
    answers: ArrayLike,
    candidates: ArrayLike,
    scale: float,
    log_prior: ArrayLike = 0.0,
) -> FloatArray:
    """Compute how probable each candidate is after several answers with independent Laplace noise.

    Parameters
    ----------
    answers : array_like of shape (k,)
        The noisy answers about the same truth, numbers from −1e100 to 1e100;
        perhaps none.
    candidates : array_like of shape (m,)
        The answers that the truth may have, numbers from −1e100 to 1e100.
    scale : float
        The scale of the noise, from 1e-90 to 1e90.
    log_prior : array_like of shape (m,)
        The logarithms of the probabilities before the answers, up to a
        constant; a single number where all candidates are equally likely.

    Returns
    -------
    array of shape (m,)
        The posterior probabilities.

    Notes
    -----
    Bayes' rule: the densities of independent answers are multiplied.

    Examples
    --------
    Two answers move the odds from 1 : 1 twice:

    >>> posterior_after([12, 13], candidates=[10, 11], scale=1).round(4)
    array([0.1192, 0.8808])
    """
    heard = NUMBER.check("answers", answers)
    scale = SCALE.check_one("scale", scale)
    truths = NUMBER.check("candidates", candidates)
    distances = np.zeros(truths.size)
    # As in `posterior`.
    for nearest in np.clip(heard.ravel(), truths.min(), truths.max()):
        distances += np.abs(nearest - truths)
    return np.asarray(softmax(np.asarray(log_prior) - distances / scale))
