"""What two attackers share: candidates for a secret, each with an answer of its own, and one noisy answer.

An attacker who knows all records but a little is left with a few candidates for the rest. In
`worlds` they are the records that may be missing, in `breach` the values that the missing record
may have. Each candidate makes a possible world in which the query has an answer f_i. All are
equally likely before. The published answer has Laplace noise of scale Δf/ε, and Bayes' rule says
how likely each candidate is after.

A candidate's posterior is largest where the noisy answer is the candidate's own: as the noisy
answer moves away, this candidate's density falls, and no other's falls faster. So the risk, the
largest posterior of all, is::

    risk(ε) = 1 / min over i of Σ_k e^(−|f_i − f_k| ε/Δf)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators import noise
from dpwidgets.calculators.domain import POSITIVE, REAL, Domain, DomainError, FloatArray, each

EPSILON = POSITIVE
ANSWER = REAL
RESULT = Domain("a function that returns one finite number for every world")

Query = Callable[[FloatArray], float]


class AlikeError(DomainError):
    """All worlds answer alike, so that no noise is needed.

    Parameters
    ----------
    argument, message : str
        As for any `DomainError`.
    answer : float
        What they answer.
    """

    def __init__(self, argument: str, message: str, answer: float) -> None:
        super().__init__(argument, message)
        self.answer = answer


class Candidates:
    """Candidates for a secret, equally likely before a noisy answer is seen. `Worlds` and `Attack` build on it.

    Parameters
    ----------
    answers : array of shape (m,)
        What the query answers in the world of each candidate.
    sensitivity : float
        Δf, which sets the scale Δf/ε of the noise.
    largest : float
        The largest absolute value among the records, which an error tells.

    Attributes
    ----------
    answers : array of shape (m,)
        The answer of each candidate's world, in the order of the candidates.
    sensitivity : float
        Δf.
    spread : float
        Δv, the largest distance between two answers.

    Raises
    ------
    DomainError
        If an answer is not finite, or, as an `AlikeError`, if all worlds answer alike.
    """

    # What errors say: the argument that the candidates come from, all arguments that hold records,
    # what the candidates must do, and what nobody learns where they do not.
    _argument = "answers"
    _records = "answers"
    _must = "must differ"
    _secret = "which candidate is the true one"

    def __init__(self, answers: FloatArray, sensitivity: float, largest: float) -> None:
        ordered = np.sort(answers)
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported below
            spread = float(ordered[-1] - ordered[0])
        if not np.isfinite([spread, sensitivity]).all():
            raise DomainError(
                self._argument,
                f"{self._records} must be small enough for the query to stay finite; got {largest:.12g}",
            )
        if spread <= 4 * np.spacing(np.abs(ordered).max()):  # apart by no more than rounding
            raise AlikeError(
                self._argument,
                f"{self._argument} {self._must} in what they do to the query; got {ordered[0]:.12g} from every world. "
                f"The answer tells nobody {self._secret}, and no noise is needed",
                float(ordered[0]),
            )
        self.answers, self.sensitivity, self.spread = answers, sensitivity, spread
        # Worlds whose answers differ by rounding alone share one place. Places are measured in Δf.
        first = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > 1e-13 * spread)
        self._places = (ordered[first] - ordered[0]) / sensitivity
        self._multiplicities = np.diff(first, append=answers.size)

    def posterior(self, answer: ArrayLike, epsilon: float) -> FloatArray:
        """Compute how probable each candidate is, given the noisy answer.

        Parameters
        ----------
        answer : array_like
            The noisy answer, any finite number; an array of any shape gives that many posteriors.
        epsilon : float
            The privacy parameter ε > 0.

        Returns
        -------
        array of shape answer.shape + (m,)
            The posterior of each of the m candidates, in their order; each row sums to 1.

        Raises
        ------
        TypeError, ValueError
            If an argument lies outside its domain.

        Notes
        -----
        Lee and Clifton (2011), Def. 3; Ouyang et al. (2018), Sec. 2.2. The former's Sec. 4.4 prints 0.3602 for the
        largest density of its example, below; it is 0.3062, and the quotient is right.

        Examples
        --------
        >>> from dpwidgets.calculators.worlds import Worlds
        >>> Worlds([1, 2, 3, 10]).posterior(answer=2.2013, epsilon=2).round(4)
        array([0.0988, 0.125 , 0.1582, 0.618 ])
        """
        answer, epsilon = ANSWER.check("answer", answer), EPSILON.check_one("epsilon", epsilon)
        return noise.posterior(answer, self.answers, self.sensitivity / epsilon)

    def risk(self, epsilon: ArrayLike) -> float | FloatArray:
        """Compute the largest posterior that any candidate has after any noisy answer.

        Parameters
        ----------
        epsilon : array_like
            The privacy parameter ε > 0.

        Returns
        -------
        float or array
            The risk, from 1/m up.

        Raises
        ------
        TypeError, ValueError
            If epsilon is not a finite number above 0.

        Notes
        -----
        Lee and Clifton (2011), Def. 5 at its worst over the answers, eqs. (3) and (19). O(m) for each ε.

        Examples
        --------
        >>> from dpwidgets.calculators.worlds import Worlds
        >>> Worlds([1, 2, 3, 4]).risk([0.5, 2]).round(4)
        array([0.3292, 0.5741])
        """
        return each(lambda one: 1 / self._sums(one).min(), EPSILON.check("epsilon", epsilon))

    def _sums(self, epsilon: float) -> FloatArray:
        """Return for each place the sum over all worlds of e^(−distance · ε), from running sums of logarithms."""
        steps, logs = epsilon * self._places, np.log(self._multiplicities)
        below = np.logaddexp.accumulate(logs + steps)[:-1]
        above = np.logaddexp.accumulate((logs - steps)[::-1])[::-1][1:]
        sums = self._multiplicities.astype(float)
        sums[1:] += np.exp(below - steps[1:])
        sums[:-1] += np.exp(above + steps[:-1])
        return sums


def ask(query: Query, records: FloatArray) -> float:
    """Ask a query about the records of one world, and check that it returns one finite number."""
    return RESULT.check_one("query", query(records))


def unknown(query: object, names: Iterable[str]) -> DomainError:
    """Return the error for a query that is neither one of the names nor a function."""
    return DomainError(
        "query", f"query must be one of {', '.join(map(repr, names))}, or a function; got {query!r}"
    )
