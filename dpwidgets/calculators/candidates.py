"""What two attackers share: candidates for a secret, each with an answer, and one noisy answer.

An attacker who knows all records but a little is left with a few candidates
for the rest. In `worlds` they are the records that may be missing, in `breach`
the values that the missing record may have. Each candidate makes a possible
world in which the query has an answer f_i. All are equally likely before. The
published answer has Laplace noise of scale Δf/ε, and Bayes' rule says how
likely each candidate is after.

A candidate's posterior is largest where the noisy answer is the candidate's
own: as the noisy answer moves away, this candidate's density falls, and no
other's falls faster. So the risk, the largest posterior of all, is::

    risk(ε) = 1 / min over i of Σ_k e^(−|f_i − f_k| ε/Δf)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators import noise
from dpwidgets.inputs.domain import (
    ALMOST_ONE,
    COUNTED,
    EPSILON,
    NUMBER,
    Domain,
    DomainError,
    FloatArray,
    must_be,
)
from dpwidgets.inputs.door import Floats, door, each
from dpwidgets.inputs.notation import ordinal

ANSWER = NUMBER
#: Where no noise at all is a case too: an infinite ε.
EPSILON_OR_NONE = replace(
    EPSILON, allowed=f"{EPSILON.allowed} or infinite", also=(np.inf,)
)
#: What may be asked about records, each by its definition; of a count they are
#: 0 and 1.
QUERIES: dict[str, Callable[[FloatArray], float | np.floating]] = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "count": np.count_nonzero,
    "min": np.min,
    "max": np.max,
}


class AlikeError(DomainError):
    """All worlds answer alike, so that even without noise no candidate stands out.

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
    """Candidates for a secret, equally likely before a noisy answer is seen.

    `Worlds` and `Attack` build on it.

    Parameters
    ----------
    answers : array of shape (m,)
        What the query answers in the world of each candidate.
    sensitivity : float
        Δf, which sets the scale Δf/ε of the noise.

    Attributes
    ----------
    answers : array of shape (m,)
        The answer of each candidate's world, in the order of the candidates. It
        cannot be changed: a copy can.
    sensitivity : float
        Δf.
    spread : float
        Δv, the largest distance between two answers.

    Raises
    ------
    AlikeError
        If all worlds answer alike.
    """

    # That an error names: where the candidates come from.
    _argument = "answers"

    def __init__(self, answers: FloatArray, sensitivity: float) -> None:
        ordered = np.sort(answers)
        spread = float(ordered[-1] - ordered[0])
        # Answers that are apart by no more than rounding are alike, or by next
        # to nothing.
        rounding = max(4 * np.spacing(np.abs(ordered).max()), 1e-60)
        if spread <= rounding or sensitivity <= 0:
            raise AlikeError(
                self._argument,
                f"{self._argument} must differ in what they do to the query; "
                f"got {ordered[0]:.12g} from every world",
                float(ordered[0]),
            )
        answers.flags.writeable = False  # it is kept for all who ask
        self.answers = answers
        self.sensitivity = sensitivity
        self.spread = spread
        # Worlds whose answers differ by rounding alone share one place. Places
        # are measured in Δf.
        steps = np.diff(ordered, prepend=-np.inf)
        first = np.flatnonzero(steps > 1e-13 * spread)
        self._places = (ordered[first] - ordered[0]) / sensitivity
        self._multiplicities = np.diff(first, append=answers.size)

    def posterior(self, answer: ArrayLike, epsilon: float) -> FloatArray:
        """Compute how probable each candidate is, given the noisy answer.

        Parameters
        ----------
        answer : array_like
            The noisy answer, a number from −1e100 to 1e100; an array of any
            shape gives that many posteriors.
        epsilon : float
            The privacy parameter ε, from 1e-8 to 1000.

        Returns
        -------
        array of shape answer.shape + (m,)
            The posterior of each of the m candidates, in their order; each row
            sums to 1.

        Notes
        -----
        Lee and Clifton (2011), Def. 3; Ouyang et al. (2018), Sec. 2.2. The
        former's Sec. 4.4 prints 0.3602 for the largest density of its example,
        below; it is 0.3062, and the quotient is right.

        Examples
        --------
        >>> from dpwidgets.calculators import worlds
        >>> worlds.Worlds([1, 2, 3, 10]).posterior(answer=2.2013, epsilon=2).round(4)
        array([0.0988, 0.125 , 0.1582, 0.618 ])
        """
        scale = self.sensitivity / EPSILON.check_one("epsilon", epsilon)
        return noise.posterior(answer, self.answers, scale)

    @door(epsilon=EPSILON_OR_NONE)
    def risk(self, epsilon: float) -> Floats:
        """Compute the largest posterior that any candidate has after any noisy answer.

        Parameters
        ----------
        epsilon : array_like
            The privacy parameter ε, from 1e-8 to 1000, or infinite: without
            noise.

        Returns
        -------
        float or array
            The risk, from 1/m up. What is closer to 1 than floats can tell is
            the largest float below 1.

        Notes
        -----
        Lee and Clifton (2011), Def. 5 at its worst over the answers, eqs. (3)
        and (19). O(m) for each ε; BENCHMARKS.md has how long a million
        candidates take.

        Examples
        --------
        >>> from dpwidgets.calculators import worlds
        >>> worlds.Worlds([1, 2, 3, 4]).risk([0.5, 2]).round(4)
        array([0.3292, 0.5741])
        """
        least = each(lambda one: float(self._sums(one).min()), epsilon)
        return np.minimum(1 / least, ALMOST_ONE)

    def _sums(self, epsilon: float) -> FloatArray:
        """Return for each place the sum over all worlds of e^(−distance · ε)."""
        here = self._multiplicities.astype(float)
        kept = np.exp(-epsilon * np.diff(self._places))
        from_below = _decayed(here, kept)
        from_above = _decayed(here[::-1], kept[::-1])[::-1]
        return np.asarray(from_below + from_above - here)


def _decayed(weights: FloatArray, kept: FloatArray) -> FloatArray:
    """Return running sums of the weights, of which each step to the next place keeps a share.

    Each sum less what is kept of the one before is the weight: a linear system
    of two diagonals.

    Parameters
    ----------
    weights : array of shape (k,)
        What is added at each place.
    kept : array of shape (k − 1,)
        The share that is kept on the way to the next place.
    """
    from scipy.linalg.blas import dtbsv

    diagonals = np.array([np.ones(weights.size), np.append(-kept, 0.0)])
    return np.asarray(dtbsv(1, diagonals, weights, lower=1, diag=1))


class Attacked(ABC):
    """Candidates of which one is the true one, and noisy answers that are drawn from it.

    `Disclosure` and `Promise` are such: a reader draws answers, and sees what
    they tell.
    """

    @property
    @abstractmethod
    def answer_law(self) -> tuple[FloatArray, float]:
        """The answer of each candidate, and the scale of the noise; 0 where all answer alike."""

    def draw_truth(self, rng: np.random.Generator) -> int:
        """Draw the candidate that is the true one: each is as likely as any other."""
        return int(rng.integers(self.answer_law[0].size))

    def draw(
        self, truth: int, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw noisy answers, if one candidate is the true one."""
        answers, scale = self.answer_law
        return rng.laplace(answers[truth], scale, size)

    def after(self, answers: FloatArray) -> FloatArray:
        """Return how probable each candidate is after these answers."""
        candidates, scale = self.answer_law
        if not scale:  # all answer alike
            return noise.posterior_after([], candidates, 1.0)
        return noise.posterior_after(answers, candidates, scale)

    def guessed(self, answers: FloatArray, truth: int) -> float:
        """Compute the share of answers after which, each taken alone, the truth is guessed.

        With Laplace noise and equal priors the guess is the candidate nearest
        to the answer, and any of those that answer alike.
        """
        candidates, _ = self.answer_law
        true = candidates[truth]
        ordered = np.sort(candidates)
        above = np.searchsorted(ordered, answers)
        above = np.clip(above, 1, ordered.size - 1)
        beside = np.abs(answers - ordered[[above - 1, above]])
        right = np.abs(answers - true) <= beside.min(axis=0)
        return float(right.mean() / (candidates == true).sum())


def checked_records(
    argument: str, values: ArrayLike, at_least: int, query: str = "mean"
) -> FloatArray:
    """Check that values are one list of records, so many of them, of a size that keeps its digits.

    Parameters
    ----------
    argument : str
        The argument that the error blames.
    values : array_like
        What was given.
    at_least : int
        How many records it must have.
    query : str
        What is asked about them: of a count each record is 0 or 1, or True or
        False.

    Returns
    -------
    array of shape (n,)
        The records.

    Raises
    ------
    TypeError, ValueError
        If it is no such list, a record of a count is another number (a code,
        perhaps), or the largest of the absolute values, unless it is 0, is so
        small or so large that squares and sums would lose digits.

    Examples
    --------
    >>> checked_records("values", [1, 2, 3], at_least=3)
    array([1., 2., 3.])
    """
    of = f"at least {at_least} finite" if at_least else "finite"
    allowed = f"a list of {of} numbers"
    finite = Domain(allowed, includes_truth=query == "count")
    found = finite.check(argument, values)
    if found.ndim != 1 or found.size < at_least:
        raise must_be(
            argument, f"{allowed}; got an array of shape {found.shape}"
        )
    if query == "count":
        for place in np.flatnonzero(~COUNTED.contains(found)):
            whose = f"the {ordinal(int(place) + 1)} record"
            raise COUNTED.wrong(argument, f"{found[place]:.12g} for {whose}")
    largest = float(np.abs(found).max(initial=0.0))
    if largest and not 1e-12 <= largest <= 1e12:
        raise must_be(
            argument,
            "numbers of which the largest is from 1e-12 to 1e12, or 0; "
            f"got {largest:.12g}. Choose another unit: nothing else changes",
        )
    return found
