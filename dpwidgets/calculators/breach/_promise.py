"""An attacker who knows all records but one, and a promise about what he and others may believe.

A promise takes an ε, and noise for a mean of Adult. The results of `breach`
are put together here as an explorer shows them.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.breach import _adult, _beliefs
from dpwidgets.calculators.candidates import (
    ANSWER,
    QUERIES,
    Attacked,
    Candidates,
    checked_records,
)
from dpwidgets.calculators.solve import completed
from dpwidgets.inputs.domain import (
    EPSILON,
    FloatArray,
    must_be,
    one_of,
    silent,
)
from dpwidgets.inputs.door import Floats, takes

#: The beliefs that a promise may be about.
BELIEF = replace(
    _beliefs.PRIOR, low=1e-12, allowed="a number from 1e-12 up and below 1"
)


class Attack(Candidates):
    """An attacker who knows all records but one, and every value that this one may have.

    Each value of the universe is a candidate for the unknown record, and all
    are equally likely. It makes a possible database with an answer of its own.
    The noisy answer then tells the candidates apart as well as it can.

    Parameters
    ----------
    known : array_like of shape (k,)
        The records that the attacker knows. They may repeat, and there may be
        none.
    universe : array_like of shape (m,)
        The values that the missing record may have: at least two, each of them
        once. The largest absolute value of these, as of the known ones, is
        from 1e-12 to 1e12.
    query : {"mean", "median", "sum", "count", "min", "max"}
        What is asked about all k + 1 records, once for each candidate. "count"
        is how many are 1, where each is 0 or 1, or True or False.

    Attributes
    ----------
    known : array of shape (k,)
        The known records.
    universe : array of shape (m,)
        The candidates.
    query : str
        The query.
    answers : array of shape (m,)
        The answer if the missing record has each of these values, in the order
        of the universe.
    sensitivity : float
        Δf, the distance between the largest and the smallest of these answers.
        For mean and sum it is the same whatever is known; otherwise it fits
        this attacker's knowledge alone.
    spread : float
        The same, as `Worlds` has both.

    Raises
    ------
    TypeError
        If a value is not a real number.
    ValueError
        If `known` or `universe` is no list of finite numbers, the universe has
        fewer than two values or one of them twice, there are too many or too
        large or too small ones, or of a count others than 0 and 1, the query
        is unknown, or, as an `AlikeError`, all candidates give the same
        answer.

    Notes
    -----
    Secs. 2.2 and 2.3. The example has ε = 5 and λ = 1.1258 for Δf = 9/4, which
    cannot both be: ε = 2 and λ = 1.125, as in its source (Lee and Clifton
    2012, Sec. 3.5), or ε = 5 and λ = 0.45. Beyond all answers of the
    candidates the posterior no longer depends on the noisy answer.

    Examples
    --------
    >>> attack = Attack(known=[1, 2, 3], universe=[1, 2, 3, 5, 10])
    >>> attack.answers, attack.sensitivity
    (array([1.75, 2.  , 2.25, 2.75, 4.  ]), 2.25)
    >>> attack.posterior(answer=5.401, epsilon=2).round(3)
    array([0.073, 0.092, 0.114, 0.178, 0.542])
    >>> from dpwidgets.calculators import breach
    >>> round(attack.risk(epsilon=2), 3), round(breach.posterior(prior=1 / 5, epsilon=2), 3)
    (0.542, 0.649)
    """

    _argument = "universe"

    @silent
    def __init__(
        self, known: ArrayLike, universe: ArrayLike, query: str = "mean"
    ) -> None:
        self.query = one_of("query", query, QUERIES)
        self.known = checked_records("known", known, 0, self.query)
        self.universe = checked_records("universe", universe, 2, self.query)
        distinct, times = np.unique(self.universe, return_counts=True)
        if distinct.size < self.universe.size:
            twice = distinct[times > 1][0]
            raise must_be(
                "universe",
                f"a list of each value once; got {twice:.12g} more than once",
            )
        answer_to = QUERIES[self.query]
        every = [np.append(self.known, value) for value in self.universe]
        answers = np.array([answer_to(data) for data in every], float)
        super().__init__(answers, float(answers.max() - answers.min()))


@dataclass(frozen=True)
class Promise(Attacked):
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

    # The one of Sec. 2.3.
    attack: ClassVar = Attack(known=[1, 2, 3], universe=[1, 2, 3, 5, 10])

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
            name: _beliefs.scale(
                prior, posterior, _adult.attribute(name).sensitivity
            )
            for name in _adult.ATTRIBUTES
        }

    def noise(self, epsilon: float, seed: int = 2018) -> _adult.NoiseRatio:
        """Draw 1,000 noisy means of the attribute, as shares of its range from the true mean."""
        return _adult.noise_ratio(
            epsilon, self.marginal.n, 1000, np.random.default_rng(seed)
        )

    @cached_property
    def beliefs(self) -> FloatArray:
        """What the attacker of Sec. 2.3 believes of each candidate after the answer."""
        return self.attack.posterior(self.answer, self.epsilon)

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return (self.epsilon,)

    @property
    def answer_law(self) -> tuple[FloatArray, float]:
        """The answers of the candidates of Sec. 2.3, and the scale of the noise of this attack."""
        return self.attack.answers, self.attack.sensitivity / self.epsilon

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
    answer: float = 5.401,
) -> Promise:
    """Complete a promise from two of its three numbers.

    Parameters
    ----------
    prior : float, optional
        What an attacker may believe before the answer, ρ1, from 1e-12 up and
        below 1.
    posterior : float, optional
        What he may believe after it, ρ2, above the prior, from 1e-12 up and
        below 1.
    epsilon : float, optional
        The privacy parameter ε, from 1e-8 to 1000.
    attribute : {"age", "education-num", "hours-per-week"}
        The attribute of Adult whose mean is published.
    answer : float
        The noisy answer in the attack of Sec. 2.3, a number from −1e100 to
        1e100.

    Returns
    -------
    Promise
        All three numbers, the given ones as given.

    Raises
    ------
    TypeError
        If not exactly two of the three are given, or an argument is no number.
    ValueError
        If a number lies outside its domain, the posterior does not exceed the
        prior, or there is no such attribute.

    Examples
    --------
    >>> kept = promise(prior=1 / 74, posterior=0.2)
    >>> round(kept.epsilon, 4), round(kept.scale, 6)
    (2.9042, 0.000515)
    >>> round(promise(prior=0.1, epsilon=kept.epsilon).posterior, 4)
    0.6697
    """
    attribute = one_of("attribute", attribute, _adult.ATTRIBUTES)
    numbers = completed(_SOLVERS, (prior, posterior, epsilon))
    return Promise(**numbers, attribute=attribute, answer=answer)


_SOLVERS = {
    "prior": _beliefs.prior,
    "posterior": _beliefs.posterior,
    "epsilon": _beliefs.epsilon,
}
