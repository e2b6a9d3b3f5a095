"""An attacker who knows all records but one, and what a noisy answer tells about that one."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.candidates import Candidates, check_size
from dpwidgets.inputs.domain import Domain, DomainError, FloatArray, one_of, silent

KNOWN = Domain("a list of finite numbers")
UNIVERSE = Domain("a list of at least two finite numbers")
_MOST = 50_000_000  # records in all possible databases, of which each counts for 1,000 more


class Attack(Candidates):
    """An attacker who knows all records but one, and every value that this one may have.

    Each value of the universe is a candidate for the missing record, and all are equally likely. It
    makes a possible database with an answer of its own. The noisy answer then tells the candidates
    apart as well as it can.

    Parameters
    ----------
    known : array_like of shape (k,)
        The records that the attacker knows. They may repeat, and there may be none.
    universe : array_like of shape (m,)
        The values that the missing record may have: at least two, each of them once. The largest
        absolute value of these and the known ones is from 1e-12 to 1e12, and m(k + 1000) is at most
        50,000,000.
    query : {"mean", "median", "sum", "count", "min", "max", "variance"}
        What is asked about all k + 1 records, once for each candidate. "count" is how many values
        are not zero; "variance" is that of a population, divided by the number of records.

    Attributes
    ----------
    known : array of shape (k,)
        The known records.
    universe : array of shape (m,)
        The candidates.
    query : str
        The query.
    answers : array of shape (m,)
        The answer if the missing record has each of these values, in the order of the universe.
    sensitivity : float
        Δf, the distance between the largest and the smallest of these answers. For mean and sum it
        is the same whatever is known; otherwise it fits this attacker's knowledge alone.
    spread : float
        The same, as `Worlds` has both.

    Raises
    ------
    TypeError
        If a value is not a real number.
    ValueError
        If `known` or `universe` is no list of finite numbers, the universe has fewer than two
        values or one of them twice, there are too many or too large or too small ones, the query
        is unknown, or, as an `AlikeError`, all candidates give the same answer.

    Notes
    -----
    Secs. 2.2 and 2.3. The example has ε = 5 and λ = 1.1258 for Δf = 9/4, which cannot both be:
    ε = 2 and λ = 1.125, as in its source (Lee and Clifton 2012, Sec. 3.5), or ε = 5 and λ = 0.45. R
    is 5.401 here and 5.041 there, which changes nothing: beyond all answers the posterior no longer
    depends on the answer.

    Examples
    --------
    >>> attack = Attack(known=[1, 2, 3], universe=[1, 2, 3, 5, 10])
    >>> attack.answers, attack.sensitivity
    (array([1.75, 2.  , 2.25, 2.75, 4.  ]), 2.25)
    >>> attack.posterior(answer=5.041, epsilon=2).round(3)
    array([0.073, 0.092, 0.114, 0.178, 0.542])
    >>> from dpwidgets.calculators import breach
    >>> round(attack.risk(epsilon=2), 3), round(breach.posterior(prior=1 / 5, epsilon=2), 3)
    (0.542, 0.649)
    """

    _argument = "universe"
    _must = "must hold values that differ"
    _secret = "which value the missing record has"

    @silent
    def __init__(self, known: ArrayLike, universe: ArrayLike, query: str = "mean") -> None:
        self.known = _list("known", known, KNOWN, at_least=0)
        self.universe = _list("universe", universe, UNIVERSE, at_least=2)
        self.query = query
        distinct, times = np.unique(self.universe, return_counts=True)
        if distinct.size < self.universe.size:
            got = f"got {distinct[times > 1][0]:.12g} more than once"
            raise DomainError("universe", f"universe must hold each value once; {got}")
        check_size("universe", "known and universe", np.append(self.known, self.universe))
        k, m = self.known.size, self.universe.size
        if m * (k + 1000) > _MOST:
            most = f"have m(k + 1000) of at most {_MOST:,}; got m = {m:,} and k = {k:,}"
            raise DomainError("universe", f"universe must {most}")
        ordered = np.sort(self.known)
        places = np.searchsorted(ordered, self.universe)
        asked = _QUERIES[one_of("query", query, _QUERIES)]
        databases = (np.insert(ordered, *one) for one in zip(places, self.universe, strict=True))
        answers = [float(asked(records)) for records in databases]
        super().__init__(np.array(answers), max(answers) - min(answers))


def _list(argument: str, values: ArrayLike, domain: Domain, at_least: int) -> FloatArray:
    array = domain.check(argument, values)
    if array.ndim != 1 or array.size < at_least:
        raise DomainError(
            argument, f"{argument} must be {domain.allowed}; got an array of shape {array.shape}"
        )
    return array


_QUERIES: dict[str, Callable[[FloatArray], float | np.floating]] = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "count": np.count_nonzero,
    "min": np.min,
    "max": np.max,
    "variance": np.var,
}
