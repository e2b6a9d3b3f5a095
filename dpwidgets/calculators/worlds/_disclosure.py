"""One noisy answer about a database that lacks a record, and all that it tells.

The results of `worlds`, put together as an explorer shows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.candidates import (
    ANSWER,
    QUERIES,
    Attacked,
)
from dpwidgets.calculators.noise import most_likely
from dpwidgets.calculators.worlds._worlds import Alike, Worlds, possible
from dpwidgets.inputs.column import VALUES, names_and_numbers
from dpwidgets.inputs.domain import (
    COUNTED,
    EPSILON,
    PROBABILITY,
    FloatArray,
    one_of,
)
from dpwidgets.inputs.door import takes

RISK = PROBABILITY
_FEW = 10  # worlds that a picture can hold


@dataclass(frozen=True)
class Disclosure(Attacked):
    """What one noisy answer tells about who is missing, and which ε keeps a promise.

    `disclosure` makes one.

    Attributes
    ----------
    values : tuple of float
        The records.
    names : tuple of str
        Their names, or nothing.
    query : str
        The query.
    epsilon : float
        The privacy parameter of the release.
    answer : float
        The noisy answer.
    risk : float
        The tolerated risk.
    worlds : Worlds or Alike
        The possible worlds.
    """

    values: tuple[float, ...]
    names: tuple[str, ...]
    query: str
    epsilon: float
    answer: float
    risk: float
    worlds: Worlds | Alike = field(compare=False, repr=False)

    @property
    def answers(self) -> FloatArray:
        """The answer of each world without noise, shape (n,); world i lacks record i."""
        return self.worlds.answers

    @cached_property
    def posterior(self) -> FloatArray:
        """How probable each world is after the answer, in the order of the values."""
        return self.worlds.posterior(self.answer, self.epsilon)

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return self.values, self.names, self.query, self.epsilon

    @property
    def answer_law(self) -> tuple[FloatArray, float]:
        """The answer of each world, and the scale of the noise."""
        return self.answers, self.scale

    @cached_property
    def guesses(self) -> tuple[int, ...]:
        """The worlds that the adversary would guess: the most probable, or several that tie."""
        return most_likely(self.posterior)

    @property
    def answer_without_noise(self) -> float:
        """The answer without noise, if the last record is the missing one."""
        return float(self.answers[-1])

    @cached_property
    def exact_risk(self) -> float:
        """The largest posterior that any answer gives any world at this ε (Def. 5)."""
        return self.worlds.risk(self.epsilon)

    @cached_property
    def largest_epsilon(self) -> float:
        """The largest ε that keeps the tolerated risk, up to 1000.

        Infinite where every ε does, since so many worlds answer alike, and 0
        where none does: a blind guess already reaches 1/n.
        """
        if self.worlds.alike:
            return np.inf if self.risk >= self.exact_risk else 0.0
        return _largest_epsilon(self.worlds, self.risk)

    @property
    def epsilon_bound(self) -> float:
        """The ε that the text's bound allows for the tolerated risk, eq. (7).

        At most `largest_epsilon`; 0 where the bound allows none.
        """
        if self.worlds.alike:
            return self.largest_epsilon
        if self.risk < self.worlds.tolerated(bound=True).low:
            return 0.0
        return min(self.worlds.epsilon_bound(self.risk), self.largest_epsilon)

    @property
    def scale(self) -> float:
        """The scale of the noise, Δf/ε; 0 where all worlds answer alike."""
        return self.worlds.sensitivity / self.epsilon

    @property
    def frame(self) -> tuple[float, float]:
        """The noisy answers worth looking at, whatever ε is: those of all worlds, ± 2Δf."""
        low, high = float(self.answers.min()), float(self.answers.max())
        around = abs(low) or 1.0
        room = 2 * self.worlds.sensitivity or around
        return low - room, high + room

    @property
    def beyond(self) -> float:
        """Which share of the noisy answers, on average over all worlds, lies outside the frame."""
        if not self.scale:
            return 0.0
        low, high = self.frame
        below = np.exp((low - self.answers) / self.scale) / 2
        above = np.exp((self.answers - high) / self.scale) / 2
        return float((below + above).mean())

    @cached_property
    def drawn(self) -> tuple[int, ...]:
        """The worlds that a picture shows, in the order of their answers.

        All of them up to 10. Of more, those with the extreme answers and the
        quartiles of the answers, the one whose posterior can become largest,
        and the best guess.
        """
        order = np.argsort(self.answers, kind="stable")
        if order.size <= _FEW:
            return tuple(order.tolist())
        quartiles = order[(order.size - 1) * np.arange(5) // 4]
        some = {self.guesses[0], *quartiles.tolist()}
        if not self.worlds.alike:
            some.add(self.worlds.worst(self.epsilon))
        return tuple(
            sorted(some, key=lambda world: (self.answers[world], world))
        )


@takes(epsilon=EPSILON, risk=RISK, answer=ANSWER)
def disclosure(
    values: ArrayLike | Mapping[str, float],
    query: str = "mean",
    *,
    epsilon: float,
    risk: float,
    answer: float | None = None,
) -> Disclosure:
    """Tell what one noisy answer says about who is missing, and which ε keeps the tolerated risk.

    Parameters
    ----------
    values : array_like of shape (n,), or mapping
        At least three records, finite numbers, or under each record's name its
        number; for a count each of them 0 or 1. See `inputs.column.records`.
    query : str
        As in `Worlds`.
    epsilon : float
        The privacy parameter ε of the release, from 1e-8 to 1000.
    risk : float
        The tolerated risk, between 0 and 1. Up to 1/n no ε keeps it, unless
        all worlds answer alike: a blind guess has 1/n, and the worst answer
        gives more.
    answer : float, optional
        The noisy answer. Without it, the answer of the world that lacks the
        last record, without noise.

    Returns
    -------
    Disclosure
        The posterior of each world, the guess, the risk and the two ε. Unlike
        in `Worlds`, all worlds may answer alike.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain; the message names a record that
        is no number, or of a count neither 0 nor 1.

    Examples
    --------
    >>> students = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
    >>> found = disclosure(students, epsilon=2, risk=1 / 3, answer=2.2013)
    >>> [found.names[world] for world in found.guesses], found.posterior[3].round(4).item()
    (['Terry'], 0.618)
    >>> round(found.epsilon_bound, 4), round(found.largest_epsilon, 4)
    (0.3829, 0.4317)
    """
    is_count = one_of("query", query, QUERIES) == "count"
    names, numbers = names_and_numbers(values, COUNTED if is_count else VALUES)
    worlds = possible(numbers, query)
    if answer is None:
        answer = float(worlds.answers[-1])
    return Disclosure(numbers, names, query, epsilon, answer, risk, worlds)


# While only ε or the answer move, it stays as it is.
@lru_cache(maxsize=8)
def _largest_epsilon(worlds: Worlds, risk: float) -> float:
    return worlds.epsilon(risk) if risk >= worlds.tolerated().low else 0.0
