"""The possible worlds of a database of which one record is missing, and how surely it is found."""

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import permutations
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.candidates import (
    EPSILON_OR_NONE,
    QUERIES,
    AlikeError,
    Candidates,
    checked_records,
)
from dpwidgets.calculators.solve import largest
from dpwidgets.inputs.domain import (
    ALMOST_ONE,
    EPSILON,
    Domain,
    FloatArray,
    one_of,
    silent,
)
from dpwidgets.inputs.door import Floats, door, each, takes


class Worlds(Candidates):
    """The possible worlds of a database of which one record is missing.

    Parameters
    ----------
    values : array_like of shape (n,)
        The n ≥ 3 records. The largest absolute value among them is from 1e-12
        to 1e12, or 0. (With two records, a world of one has no smaller
        neighbour, and Δf has no meaning.)
    query : {"mean", "median", "sum", "count", "min", "max"}
        What is asked about the records that are left. "count" is how many are
        1, where each is 0 or 1, or True or False. They take O(n log n) steps
        once.

    Attributes
    ----------
    values : array of shape (n,)
        The records.
    query : str
        The query.
    answers : array of shape (n,)
        The answer of each world, in the order of the values: world i lacks
        record i.
    sensitivity : float
        Δf, the largest change of the answer when one more record leaves a
        world.
    spread : float
        Δv, the largest distance between the answers of two worlds. At most
        2Δf.

    Raises
    ------
    TypeError
        If a value is not a real number.
    ValueError
        If there are fewer than three values, they are not finite, too large or
        too small, or of a count neither 0 nor 1, the query is unknown, or, as
        an `AlikeError`, all worlds answer alike.

    Notes
    -----
    Secs. 4.1 and 4.3; Δf is the largest local sensitivity of the worlds, as in
    Sec. 6 and Table 4.

    Examples
    --------
    >>> absence = Worlds([1, 2, 3, 10])
    >>> absence.answers.round(2), round(absence.sensitivity, 2), absence.spread
    (array([5.  , 4.67, 4.33, 2.  ]), 2.83, 3.0)
    >>> round(absence.risk(epsilon=2), 4), round(absence.epsilon(risk=1 / 3), 4)
    (0.6825, 0.4317)
    """

    alike: ClassVar[Literal[False]] = False
    _argument = "values"

    @silent
    def __init__(self, values: ArrayLike, query: str = "mean") -> None:
        self.query = one_of("query", query, QUERIES)
        self.values = checked_records("values", values, 3, self.query)
        answer_all = _FAST.get(query, partial(_of_few, query))
        super().__init__(*answer_all(self.values))

    @door(epsilon=EPSILON_OR_NONE)
    def risk_bound(self, epsilon: float) -> Floats:
        """Compute the text's upper bound on the risk.

        It is the risk if all other worlds were as far away as the farthest.

        Parameters
        ----------
        epsilon : array_like
            The privacy parameter ε, from 1e-8 to 1000, or infinite: without
            noise.

        Returns
        -------
        float or array
            The bound, at least `risk`.

        Notes
        -----
        Eq. (5). The text says that an outlier makes it tight; at ε = 2 its
        example has 0.6825 under a bound of 0.7348.

        Examples
        --------
        >>> round(Worlds([1, 2, 3, 10]).risk_bound(2), 4)
        0.7348
        """
        distance = self.spread / self.sensitivity
        others = (self.values.size - 1) * np.exp(-epsilon * distance)
        return np.minimum(1 / (1 + others), ALMOST_ONE)  # eq. (5)

    @door()
    def epsilon(self, risk: float) -> Floats:
        """Compute the largest ε at which no world's posterior ever exceeds the tolerated risk.

        Parameters
        ----------
        risk : array_like
            The tolerated risk, above 1/n and below 1.

        Returns
        -------
        float or array
            The largest ε up to 1000, where its domain ends. Infinite where so
            many worlds share each answer that even without noise none is
            recognised with more than this probability.

        Raises
        ------
        TypeError, ValueError
            If risk is not a number between 1/n and 1. A blind guess already
            reaches 1/n, and close above it ε would have to be smaller than
            1e-8.

        Notes
        -----
        Sec. 5.2. The text searches between 0 and `epsilon_bound`, where it can
        find only that bound: the bound errs on the safe side, so the largest ε
        lies above it. For the median of its example the text prints 4 ln 2 as
        2.776; it is 2.7726. What rounding leaves open is decided for privacy:
        `risk` at the ε returned is at most the tolerated one.

        Examples
        --------
        >>> round(Worlds([1, 2, 3, 10], "median").epsilon(1 / 3), 4)
        2.7726
        """
        risks = self.tolerated().check("risk", risk)
        return each(self._largest_epsilon, risks)

    @door()
    def epsilon_bound(self, risk: float) -> Floats:
        """Compute an ε at which the text's bound, and so the risk, stays within the tolerated risk.

        Parameters
        ----------
        risk : array_like
            As in `epsilon`, with the same errors.

        Returns
        -------
        float or array
            The ε, at most `epsilon` up to rounding, and at most 1000, where
            its domain ends.

        Notes
        -----
        Eq. (7). The text calls it "significantly greater than the actual
        value" where there are no outliers; it is smaller: 0.3379 instead of
        0.5251 for the school year.

        Examples
        --------
        >>> round(Worlds([1, 2, 3, 10]).epsilon_bound(1 / 3), 4)
        0.3829
        """
        risks = self.tolerated(bound=True).check("risk", risk)
        n = self.values.size
        # (n − 1)ρ/(1 − ρ) − 1
        above = n * (risks - 1 / n) / (1 - risks)
        epsilons = self.sensitivity / self.spread * np.log1p(above)  # eq. (7)
        return np.clip(epsilons, EPSILON.low, EPSILON.high)

    @door(epsilon=EPSILON_OR_NONE)
    def guess_rate(self, epsilon: float) -> Floats:
        """Compute how often the best guess is right, on average over the worlds and the noise.

        Parameters
        ----------
        epsilon : array_like
            The privacy parameter ε, from 1e-8 to 1000, or infinite: without
            noise.

        Returns
        -------
        float or array
            The probability of a right guess, at least 1/n and at most `risk`.

        Notes
        -----
        Not in the text. It is 1/n times the area under the upper envelope of
        the worlds' densities: half a unit on either side of all answers, and 1
        − e^(−dε/2Δf) between two neighbouring answers at distance d.

        Examples
        --------
        >>> round(Worlds([1, 2, 3, 10]).guess_rate(2), 4)
        0.4458
        """
        halves = np.diff(self._places) / 2
        gained = each(
            lambda one: float(-np.expm1(-one * halves).sum()), epsilon
        )
        return (1 + gained) / self.values.size

    @takes(epsilon=EPSILON_OR_NONE)
    def worst(self, epsilon: float) -> int:
        """Find the world whose posterior reaches the risk, when the noisy answer is its own answer.

        Parameters
        ----------
        epsilon : float
            The privacy parameter ε, from 1e-8 to 1000, or infinite: without
            noise.

        Returns
        -------
        int
            Its place in the order of the values; the first, where several are
            as bad.

        Examples
        --------
        >>> Worlds([1, 2, 3, 10]).worst(2), Worlds([0, 0, 0, 5, 10, 10, 10]).worst(9)
        (3, 3)
        """
        sums = self._sums(epsilon)
        place = self._places[np.argmax(sums <= sums.min() * (1 + 1e-12))]
        places = (self.answers - self.answers.min()) / self.sensitivity
        return int(np.argmin(np.abs(places - place)))

    def tolerated(self, *, bound: bool = False) -> Domain:
        """Return the domain of the tolerated risk: from that at ε = 1e-8 to 1.

        Parameters
        ----------
        bound : bool
            Whether the text's bound is to keep it.
        """
        risk = self.risk_bound if bound else self.risk
        blind = f"1/{self.values.size}, which a blind guess reaches"
        return Domain(
            f"a number above {blind}, and below 1",
            low=risk(EPSILON.low),
            high=1.0,
            includes_low=True,
            why="Close above it, ε would have to be smaller than 1e-8",
        )

    def _largest_epsilon(self, risk: float) -> float:
        if risk >= 1 / self._multiplicities.min():
            return np.inf
        return largest(
            lambda epsilon: self.risk(epsilon) - risk,
            EPSILON.low,
            EPSILON.high,
            1e-15,
        )


class Alike:
    """The worlds of a database whose records do all the same to the query, in place of `Worlds`.

    No answer tells one of its worlds from another, with or without noise.

    Parameters
    ----------
    worlds : int
        How many there are.
    answer : float
        What all of them answer.

    Attributes
    ----------
    answers : array of shape (n,)
        The answer of each world.
    sensitivity : float
        Δf, which is 0.
    alike : bool
        Whether they are `Alike`, which a `Worlds` is not.
    """

    alike: ClassVar[Literal[True]] = True
    sensitivity = 0.0

    def __init__(self, worlds: int, answer: float) -> None:
        # As those of other worlds, it cannot be written into.
        self.answers = np.broadcast_to(answer, worlds)

    def posterior(self, answer: ArrayLike, epsilon: float) -> FloatArray:
        """Return what a blind guess has, for each world and each answer."""
        each = self.risk(epsilon)
        return np.full((*np.shape(answer), self.answers.size), each)

    def risk(self, epsilon: float) -> float:
        """Return how often a blind guess is right, whatever ε is."""
        return 1 / self.answers.size


# While only ε, a risk or an answer move, the worlds stay as they are.
@lru_cache(maxsize=4)
def possible(values: tuple[float, ...], query: str) -> Worlds | Alike:
    """Return the possible worlds of a database, also where all of them answer alike.

    Parameters
    ----------
    values, query
        As in `Worlds`, with the same errors but an `AlikeError`.

    Examples
    --------
    >>> possible((2, 2, 2), "mean").risk(epsilon=1000)
    0.3333333333333333
    """
    try:
        return Worlds(values, query)
    except AlikeError as alike:
        return Alike(len(values), alike.answer)


#: The answer of each possible world, in the order of the values, and Δf.
_Answers = tuple[FloatArray, float]


def _mean(values: FloatArray) -> _Answers:
    others = values.size - 1
    ordered = np.sort(values)
    # The largest record leaves the world that lacks the second largest, or
    # likewise at the lower end.
    at_the_top = ordered[-1] - ordered[:-2].mean()
    at_the_bottom = ordered[2:].mean() - ordered[0]
    change = float(max(at_the_top, at_the_bottom))
    return (values.sum() - values) / others, change / others


def _sum(values: FloatArray) -> _Answers:
    return values.sum() - values, float(np.abs(values).max())


def _of_few(name: str, values: FloatArray) -> _Answers:
    """Answer a query that sees a few ranks, by its definition.

    To lose a record beyond them is to lose the nearest of them. Of the middle
    ranks an even number is seen where their number is even, so that as many
    are left on either side.
    """
    query = QUERIES[name]
    many = 5 + (values.size - 5) % 2
    start = max(0, round(_PLACES[name] * (values.size - many)))
    few = np.sort(values)[start : start + many]
    places = range(few.size)
    answers = np.array([query(np.delete(few, one)) for one in places], float)
    change = max(
        float(
            abs(query(np.delete(few, (lacking, leaving))) - answers[lacking])
        )
        for lacking, leaving in permutations(places, 2)
    )
    nearest = np.searchsorted(few, np.clip(values, few[0], few[-1]))
    return answers[nearest], change


_FAST: dict[str, Callable[[FloatArray], _Answers]]
_FAST = {"mean": _mean, "sum": _sum, "count": _sum}
#: Where among the ranks lie those that the other queries see.
_PLACES = {"min": 0.0, "median": 0.5, "max": 1.0}
