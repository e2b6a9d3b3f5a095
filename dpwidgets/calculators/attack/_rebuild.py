"""A table of people, rebuilt from sums over groups of them."""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.attack._game import NOISES, law, noise
from dpwidgets.inputs.domain import EPSILON, FloatArray, one_of, whole
from dpwidgets.inputs.door import takes

#: Invented people, one in each cell: by name the places of their sex, age
#: group and house.
_NAMES = (
    "Ada Bea Cleo Dora Edda Fay Gerda Hanna Ines Judy Kira Lena "
    "Abel Ben Carl Dan Emil Finn Gus Hugo Ivo Jon Kurt Leo"
)
_CELLS = product(range(2), range(3), range(4))  # sex, age group, house
TABLE = dict(zip(_NAMES.split(), _CELLS, strict=True))
SMALLEST = whole(1, len(TABLE))
SEED = whole(0, 2**32)
_EPSILONS = np.geomspace(0.02, 10, 25)
_TABLES = 400  # to simulate for each ε of a curve


@lru_cache
def groups(smallest: int = 1) -> FloatArray:
    """Return who is in each group that the office sums over: of any houses, sexes and ages.

    Parameters
    ----------
    smallest : int
        How many people a group has at least.

    Returns
    -------
    array of shape (groups, 24)
        1 for who is in it, else 0. By symmetry all are in equally many.

    Examples
    --------
    >>> groups(6).shape, set(groups(6).sum(axis=0).tolist())
    ((115, 24), {41.0})
    """
    size = SMALLEST.check_one("smallest", smallest)
    sex, age, house = np.transpose(list(TABLE.values()))
    found: list[FloatArray] = []
    # A bit for each sex, age and house.
    for sexes, ages, houses in product(range(1, 4), range(1, 8), range(1, 16)):
        who = (sexes >> sex) & (ages >> age) & (houses >> house) & 1
        if who.sum() >= size:
            found.append(np.asarray(who, float))
    return np.array(found)


def least_squares(sums: ArrayLike, smallest: int = 1) -> FloatArray:
    """Guess everybody's value, 0 or 1, by the least squares of what the sums are off.

    Parameters
    ----------
    sums : array of shape (groups,) or (groups, n)
        The published sums of `groups`, in each column those of another table.
    smallest : int
        How many people a group has at least.

    Returns
    -------
    array of shape (24,) or (24, n)
        Numbers near 0 or 1; where the sums leave several, those nearest to ½.

    Examples
    --------
    >>> truth = np.arange(24) % 2
    >>> guess = least_squares(groups(6) @ truth, 6)
    >>> bool(np.allclose(guess, truth))
    True
    """
    who = groups(smallest)
    half = who.sum(axis=1) / 2
    over_half = (np.asarray(sums).T - half).T
    return np.asarray(0.5 + np.linalg.pinv(who) @ over_half)


def linear_program(sums: ArrayLike, smallest: int = 1) -> FloatArray:
    """Guess everybody's value between 0 and 1 by the least total error of the sums.

    Parameters
    ----------
    sums : array of shape (groups,)
        The published sums of `groups`.
    smallest : int
        How many people a group has at least.

    Returns
    -------
    array of shape (24,)
        Numbers from 0 to 1.

    Notes
    -----
    Dinur and Nissim (2003) ask a linear program for values with which no sum
    is off by more than the noise may be. Dwork, McSherry and Talwar (2007) let
    it minimise the total of all errors instead, which needs no such bound;
    this one does so.

    Examples
    --------
    >>> truth = np.arange(24) % 2
    >>> guess = linear_program(groups(6) @ truth, 6)
    >>> bool(np.allclose(guess, truth))
    True
    """
    # Takes as long to import as all the rest.
    from scipy.optimize import linprog

    who = groups(smallest)
    published = np.asarray(sums, float)
    many, people = who.shape
    # The unknowns are everybody's value and the error of each sum.
    errors = np.eye(many)
    found = linprog(
        np.append(np.zeros(people), np.ones(many)),
        A_ub=np.block([[who, -errors], [-who, -errors]]),
        b_ub=np.append(published, -published),
        bounds=[(0, 1)] * people + [(0, None)] * many,
        method="highs",
    )
    return np.asarray(found.x[:people])


def _right(guess: FloatArray, truth: Any) -> FloatArray:
    return np.asarray((guess > 0.5) == (truth > 0.5), float)


@lru_cache(maxsize=32)
def _shares(
    mechanism: str, smallest: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return along ε what any attack reaches at most, least squares, and it at least.

    The second is simulated. The third is Chebyshev's inequality: whom least
    squares gets wrong, it is off by ½ or more. It holds where the sums leave
    no choice.
    """
    who = groups(smallest)
    many, people = who.shape
    each = int(who[:, 0].sum())
    rng = np.random.default_rng(2003)
    most: list[float] = []
    reached: list[float] = []
    for epsilon in _EPSILONS.tolist():
        most.append(float(law(mechanism, epsilon, each).yes_or_no(0.5)))
        truth = rng.integers(0, 2, (people, _TABLES))
        added = noise(mechanism, epsilon, rng, (many, _TABLES))
        guess = least_squares(who @ truth + added, smallest)
        reached.append(float(_right(guess, truth).mean()))
    # Times the variance of the noise, at most 2/ε².
    off = (np.linalg.pinv(who) ** 2).sum(axis=1).mean()
    no_choice = np.linalg.matrix_rank(who) == people
    least = np.maximum(0, no_choice - 8 * off / _EPSILONS**2)
    return np.array(most), np.array(reached), least


@dataclass(frozen=True)
class Rebuilt:
    """A table that was rebuilt from its sums. Made by `rebuild`.

    Attributes
    ----------
    epsilon, mechanism, smallest
        As in `rebuild`.
    truth : array of shape (24,)
        Who gets help: 1 or 0.
    sums : array of shape (groups,)
        The published sums.
    """

    epsilon: float
    mechanism: str
    smallest: int
    truth: FloatArray = field(compare=False, repr=False)
    sums: FloatArray = field(compare=False, repr=False)

    @cached_property
    def guess(self) -> FloatArray:
        """What least squares says of everybody, shape (24,): who is above ½ counts as a yes."""
        return least_squares(self.sums, self.smallest)

    @property
    def right(self) -> FloatArray:
        """1 for those of whom least squares says the truth, else 0: shape (24,)."""
        return _right(self.guess, self.truth)

    @cached_property
    def right_by_program(self) -> FloatArray:
        """The same for the linear program."""
        return _right(linear_program(self.sums, self.smallest), self.truth)

    @property
    def each(self) -> int:
        """In how many of the sums each person is counted."""
        return int(groups(self.smallest)[:, 0].sum())

    @property
    def best(self) -> float:
        """At most how often any attack is right about a person, who is a yes or a no by a coin.

        It is how often the best guess is right of somebody who knows all
        others.
        """
        all_sums = law(self.mechanism, self.epsilon, self.each)
        return float(all_sums.yes_or_no(0.5))

    @property
    def together(self) -> float:
        """The ε of all sums, since each person is in so many."""
        return self.each * self.epsilon

    @property
    def curves(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """How often attacks are right along ε, and where the noise is about √24 people."""
        most, reached, least = _shares(self.mechanism, self.smallest)
        people = self.truth.size
        root = np.full(2, math.sqrt(2 / people))
        return {
            "no attack does better": (_EPSILONS, most),
            "least squares": (_EPSILONS, reached),
            "… at least, as is proved": (_EPSILONS, least),
            f"noise of √{people} people": (root, np.array([0.0, 1.0])),
        }

    @property
    def points(self) -> dict[str, float]:
        """What the two attacks reach in this table."""
        return {
            "linear program": float(self.right_by_program.mean()),
            "now": float(self.right.mean()),
        }

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What other tables follow from."""
        return self.epsilon, self.mechanism, self.smallest

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Return nothing: each table that is drawn has people of its own."""
        return 0.0

    def draw(
        self, truth: float, rng: np.random.Generator, size: int
    ) -> FloatArray:
        """Draw tables and their sums, and return of how many people least squares is right."""
        who = groups(self.smallest)
        many, people = who.shape
        tables = rng.integers(0, 2, (people, size))
        added = noise(self.mechanism, self.epsilon, rng, (many, size))
        guess = least_squares(who @ tables + added, self.smallest)
        return np.asarray(_right(guess, tables).sum(axis=0))

    def scores(self, draws: FloatArray) -> FloatArray:
        """Return the share of people of each table about whom the attack is right."""
        return draws / self.truth.size


@takes(epsilon=EPSILON, smallest=SMALLEST, seed=SEED)
def rebuild(
    epsilon: float,
    mechanism: str = "laplace",
    smallest: int = 6,
    *,
    seed: int = 2006,
) -> Rebuilt:
    """Publish noisy sums of a small table, and rebuild the table from them.

    Of 24 invented people, in four houses, of two sexes and three age groups,
    somebody wants to know who gets help with the rent. The office sums it up
    over all groups of houses, sexes and ages that are not too small.

    Parameters
    ----------
    epsilon : float
        The ε of each sum, from 1e-8 to 1000: its noise has the scale 1/ε.
    mechanism : {"laplace", "geometric"}
        The noise.
    smallest : int
        How many people a group has at least, from 1 to 24.
    seed : int
        What the values of the people and the noise follow from, from 0 to 2³².

    Returns
    -------
    Rebuilt
        What least squares and a linear program make of the sums, and how often
        any attack is right at most.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Dinur and Nissim (2003): where the noise of each sum is of smaller order
    than √n and there are enough sums over random groups, nearly all n values
    can be rebuilt by a linear program. Dwork and Yekhanin (2008) show it for
    least squares. This says nothing of a certain n; `curves` have what is
    proved of these sums. The bound from above has other premises: each value
    is decided by a coin, and nothing else depends on it. A person is in d of
    the sums, so the loss about them is that of d noisy counts, and who knew
    all others could not be right more often.

    Examples
    --------
    >>> table = rebuild(epsilon=10)
    >>> int(table.right.sum()), table.together
    (24, 410.0)
    >>> int(rebuild(epsilon=0.1).right.sum()), round(rebuild(epsilon=0.1).best, 3)
    (14, 0.624)
    """
    one_of("mechanism", mechanism, NOISES)
    who = groups(smallest)
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, who.shape[1]).astype(float)
    sums = who @ truth + noise(mechanism, epsilon, rng, (len(who),))
    return Rebuilt(epsilon, mechanism, smallest, truth, sums)
