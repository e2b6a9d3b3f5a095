"""A table of people, rebuilt from sums over groups of them."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.attack._game import Rule, called, law
from dpwidgets.inputs.domain import EPSILON, FloatArray, whole
from dpwidgets.inputs.door import takes
from dpwidgets.inputs.outside import described

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
        1 for who is in it, else 0. By symmetry all are in equally many. It
        cannot be changed: a copy can.

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
    table = np.array(found)
    table.flags.writeable = False  # it is kept for all who ask
    return table


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


@dataclass(frozen=True)
class Rebuilt:
    """A table that was rebuilt from its sums. Made by `rebuild`.

    Attributes
    ----------
    epsilon, smallest
        As in `rebuild`.
    truth : array of shape (24,)
        Who gets help: 1 or 0.
    sums : array of shape (groups,)
        The published sums.
    solve : callable, optional
        What makes a number of each person, in place of least squares: it takes
        `groups` and the sums.
    """

    epsilon: float
    smallest: int
    truth: FloatArray = field(compare=False, repr=False)
    sums: FloatArray = field(compare=False, repr=False)
    solve: Rule | None = field(default=None, compare=False, repr=False)

    @cached_property
    def guess(self) -> FloatArray:
        """What the attack says of everybody, shape (24,): who is above ½ counts as a yes."""
        if self.solve is None:
            return least_squares(self.sums, self.smallest)
        seen = groups(self.smallest), self.sums
        found = np.asarray(called("solve", self.solve, seen))
        if found.shape != self.truth.shape or found.dtype.kind not in "bif":
            raise ValueError(
                f"solve must return {self.truth.size} numbers; it returned {described(found)}"
            )
        return found.astype(float)

    @property
    def right(self) -> FloatArray:
        """1 for those of whom the attack says the truth, else 0: shape (24,)."""
        return np.asarray((self.guess > 0.5) == self.truth, float)

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
        return float(law(self.epsilon, self.each).yes_or_no(0.5))

    @property
    def together(self) -> float:
        """The ε of all sums, since each person is in so many."""
        return self.each * self.epsilon


@takes(epsilon=EPSILON, smallest=SMALLEST, seed=SEED)
def rebuild(
    epsilon: float,
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
        The ε of each sum, from 1e-8 to 1000: its Laplace noise has the scale
        1/ε.
    smallest : int
        How many people a group has at least, from 1 to 24.
    seed : int
        What the values of the people and the noise follow from, from 0 to 2³².

    Returns
    -------
    Rebuilt
        What least squares makes of the sums, and how often any attack is right
        at most.

    Notes
    -----
    Dinur and Nissim (2003): where the noise of each sum is of smaller order
    than √n and there are enough sums over random groups, nearly all n values
    can be rebuilt by a linear program. Dwork and Yekhanin (2008) show it for
    least squares. This says nothing of a certain n. The bound from above has
    other premises: each value is decided by a coin, and nothing else depends
    on it. A person is in d of the sums, so the loss about them is that of d
    noisy counts, and who knew all others could not be right more often.

    Examples
    --------
    >>> table = rebuild(epsilon=10)
    >>> int(table.right.sum()), table.together
    (24, 410.0)
    >>> int(rebuild(epsilon=0.1).right.sum()), round(rebuild(epsilon=0.1).best, 3)
    (14, 0.624)
    """
    who = groups(smallest)
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, who.shape[1]).astype(float)
    sums = who @ truth + rng.laplace(0, 1 / epsilon, len(who))
    return Rebuilt(epsilon, smallest, truth, sums)
