"""An attacker who knows all records but one, and what a noisy answer tells about that one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.candidates import Candidates, Query, ask, unknown
from dpwidgets.calculators.domain import (
    REAL,
    Domain,
    DomainError,
    FloatArray,
)

ANSWER = REAL
KNOWN = Domain("a list of finite numbers")
UNIVERSE = Domain("a list of at least two finite numbers")


class Attack(Candidates):
    """An attacker who knows all records but one, and every value that this one may have.

    Each value of the universe is a candidate for the missing record, and all are equally likely. It
    makes a possible database with an answer of its own. The noisy answer then tells the candidates
    apart as well as it can.

    Parameters
    ----------
    known : array_like of shape (k,)
        The records that the attacker knows, finite numbers. They may repeat, and there may be none.
    universe : array_like of shape (m,)
        The values that the missing record may have: at least two finite numbers, each of them once.
    query : {"mean", "median", "sum", "count", "min", "max", "variance"} or callable
        What is asked about all k + 1 records. "count" is how many values are not zero; "variance"
        is that of a population, divided by the number of records. A callable gets the records in
        ascending order, as an array, and returns a number. Every query is asked once for each
        candidate.

    Attributes
    ----------
    known : array of shape (k,)
        The known records.
    universe : array of shape (m,)
        The candidates.
    query : str or callable
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
        If a value, or what the query returns, is not a real number.
    ValueError
        If `known` or `universe` is no list of finite numbers, the universe has fewer than two
        values or one of them twice, the query is unknown or returns no finite number, or all
        candidates give the same answer.

    Notes
    -----
    Secs. 2.2 and 2.3. The example has ε = 5 and λ = 1.1258 for Δf = 9/4, which cannot both be: ε = 2 and λ = 1.125, as
    in its source (Lee and Clifton 2012, Sec. 3.5), or ε = 5 and λ = 0.45. R is 5.401 here and 5.041 there, which
    changes nothing: beyond all answers the posterior no longer depends on the answer.

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
    _records = "known and universe"
    _must = "must hold values that differ"
    _secret = "which value the missing record has"

    def __init__(self, known: ArrayLike, universe: ArrayLike, query: str | Query = "mean") -> None:
        known = _list("known", known, KNOWN, at_least=0)
        universe = _list("universe", universe, UNIVERSE, at_least=2)
        distinct, times = np.unique(universe, return_counts=True)
        if distinct.size < universe.size:
            twice = distinct[times > 1][0]
            raise DomainError(
                "universe", f"universe must hold each value once; got {twice:.12g} more than once"
            )
        self.known, self.universe, self.query = known, universe, query
        ordered = np.sort(known)
        databases = (
            np.insert(ordered, np.searchsorted(ordered, value), value) for value in universe
        )
        with np.errstate(over="ignore", invalid="ignore"):  # the base class reports an overflow
            if callable(query):
                answers = np.array([ask(query, records) for records in databases])
            elif query in tuple(_QUERIES):
                answers = np.array([_QUERIES[query](records) for records in databases], dtype=float)
            else:
                raise unknown(query, _QUERIES)
            sensitivity = float(np.ptp(answers))
        super().__init__(answers, sensitivity, np.abs(np.append(known, universe)).max())


def _list(argument: str, values: ArrayLike, domain: Domain, at_least: int) -> FloatArray:
    values = domain.check(argument, values)
    if values.ndim != 1 or values.size < at_least:
        raise DomainError(
            argument, f"{argument} must be {domain.allowed}; got an array of shape {values.shape}"
        )
    return values


_QUERIES = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "count": np.count_nonzero,
    "min": np.min,
    "max": np.max,
    "variance": np.var,
}
