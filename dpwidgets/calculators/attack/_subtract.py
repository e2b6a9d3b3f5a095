"""Two counts, before and after somebody joins, and what their difference says about that person."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpwidgets.calculators.attack._game import (
    NOISES,
    Rule,
    law,
    noise,
    play,
)
from dpwidgets.inputs.domain import EPSILON, FloatArray, must_be, one_of, whole
from dpwidgets.inputs.door import takes

RELEASES = whole(1, 1000)
#: Whether the count before is known exactly, or is as noisy as the one after.
BEFORE = ("exact", "noisy")
_EPSILONS = np.geomspace(0.02, 10, 33)


def _says_yes(before: float, after: ArrayLike) -> bool:
    """Guess by what each difference says: beyond 0 and 1 a farther one says nothing more."""
    differences = np.asarray(after) - before
    return float(np.clip(differences, 0, 1).mean()) > 0.5


@lru_cache(maxsize=4096)
def _best(epsilon: float, mechanism: str, before: str, releases: int) -> float:
    if before == "exact":
        return float(law(mechanism, epsilon, releases).yes_or_no(0.5))
    # Half of 1 plus the probability that the noises of both counts differ by
    # at most ½.
    decay = np.exp(-epsilon)
    if mechanism == "laplace":
        return float(1 - np.exp(-epsilon / 2) * (1 + epsilon / 4) / 2)
    same = np.tanh(epsilon / 2) ** 2 * (1 + decay**2) / -np.expm1(-2 * epsilon)
    return float((1 + same) / 2)


@dataclass(frozen=True)
class Subtraction:
    """What two counts tell about somebody who has joined. Made by `subtract`.

    Attributes
    ----------
    epsilon, mechanism, before, releases
        As in `subtract`.
    rule : callable
        What is guessed from the count before and those after.
    """

    epsilon: float
    mechanism: str
    before: str
    releases: int
    rule: Rule = field(default=_says_yes, compare=False, repr=False)

    @property
    def best(self) -> float:
        """How often the best guess is right."""
        return _best(self.epsilon, self.mechanism, self.before, self.releases)

    @property
    def limit(self) -> float:
        """How often any guess is right at most, whatever noise keeps this ε."""
        return float(expit(self.releases * self.epsilon))

    @cached_property
    def curves(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """How often the best guess, and any at this ε, is right, each along ε."""
        rest = self.mechanism, self.before, self.releases
        found = [_best(epsilon, *rest) for epsilon in _EPSILONS.tolist()]
        any_noise = expit(self.releases * _EPSILONS)
        return {
            "whatever the noise": (_EPSILONS, any_noise),
            "the best rule": (_EPSILONS, np.array(found)),
        }

    @property
    def points(self) -> dict[str, float]:
        """What stands at the present ε."""
        return {"now": self.best}

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What the games follow from."""
        return self.epsilon, self.mechanism, self.before, self.releases

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Draw how many get free meals before: between 80 and 159."""
        return float(rng.integers(80, 160))

    def draw(
        self, truth: float, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw games, a row for each: whether the pupil counts, the count before, those after.

        Returns
        -------
        array of shape (size, 2 + releases)
            The rows.
        """
        is_counted = rng.integers(0, 2, size)
        shape = size, 1 + self.releases
        counts = noise(self.mechanism, self.epsilon, rng, shape)
        if self.before == "exact":
            counts[:, 0] = 0
        counts += truth
        counts[:, 1:] += is_counted[:, np.newaxis]
        return np.column_stack([is_counted, counts])

    def games(
        self, rng: np.random.Generator, size: int
    ) -> Iterator[tuple[tuple[float, float | FloatArray], bool]]:
        """Yield games: the count before and after, and whether the new pupil gets free meals.

        Of several counts after, there is an array.
        """
        return self._games(self.draw(self.draw_truth(rng), rng, size))

    def _games(
        self, rows: FloatArray
    ) -> Iterator[tuple[tuple[float, float | FloatArray], bool]]:
        for is_counted, before, *after in rows.tolist():
            seen = after[0] if self.releases == 1 else np.array(after)
            yield (before, seen), bool(is_counted)

    def scores(self, draws: FloatArray) -> FloatArray:
        """Return 1 for each game that the rule guesses right, else 0."""
        return play(self.rule, self._games(draws))


@takes(epsilon=EPSILON, releases=RELEASES)
def subtract(
    epsilon: float,
    mechanism: str = "laplace",
    before: str = "exact",
    releases: int = 1,
) -> Subtraction:
    """Say what somebody learns about a new pupil from the counts before and after.

    Beforehand it is as likely as not that the pupil gets free meals and is
    counted.

    Parameters
    ----------
    epsilon : float
        The ε of each noisy count, from 1e-8 to 1000.
    mechanism : {"laplace", "geometric"}
        The noise of each, of scale 1/ε.
    before : {"exact", "noisy"}
        Whether the count before is exact, as for an attacker who knows all
        other pupils, or as noisy as the one after. Then `best` is that of all
        rules that look at the difference alone, which for whole numbers are
        all there are to one who knows nothing of the count.
    releases : int
        How often the count after is published, each time with fresh noise:
        from 1 to 1,000. It is 1 where the count before is noisy.

    Returns
    -------
    Subtraction
        How often the best guess is right, its curve along ε, and games to
        play.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    The best guess is the likelier one, and it is right in half of 1 plus the
    total variation of the two laws: for one count 1 − e^(−ε/2)/2 with Laplace
    noise, and e^ε/(1 + e^ε) with geometric noise, which is the most that any
    ε-private count allows (Kairouz, Oh and Viswanath 2015).

    Examples
    --------
    >>> round(subtract(epsilon=1).best, 4), round(subtract(1, "geometric").best, 4)
    (0.6967, 0.7311)
    >>> round(subtract(1, before="noisy").best, 4), round(subtract(1, releases=12).best, 4)
    (0.6209, 0.9352)
    """
    one_of("mechanism", mechanism, NOISES)
    if one_of("before", before, BEFORE) == "noisy" and releases > 1:
        raise must_be(
            "releases", f"1 where the count before is noisy; got {releases}"
        )
    return Subtraction(epsilon, mechanism, before, releases)
