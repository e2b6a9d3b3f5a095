"""Three attributes of the Adult data set: how often each value occurs, and what follows from that.

The breach text (Ouyang et al. 2018, Table 3) experiments with them. The counts come with the
package, in data/, with a card that says where they are from.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from dpwidgets.inputs.domain import FloatArray, one_of

#: The attributes, in the order of Table 3.
ATTRIBUTES = ("age", "education-num", "hours-per-week")


@dataclass(frozen=True, eq=False)
class Marginal:
    """How often each value of one attribute occurs. `attribute` looks one up.

    Attributes
    ----------
    name : str
        The attribute's name.
    values : array of shape (k,)
        The values that occur, ascending, in the attribute's unit: years, levels of schooling or
        hours.
    counts : array of shape (k,)
        How many records have each of them.

    Examples
    --------
    >>> age = attribute("age")
    >>> age.n, age.min, age.max, age.range
    (48842, 17.0, 90.0, 73.0)
    >>> round(age.mean, 4), f"{age.sensitivity:.6f}"
    (38.6436, '0.001495')
    >>> age.universe.size, round(1 / age.universe.size, 4)
    (74, 0.0135)
    """

    name: str
    values: FloatArray
    counts: FloatArray

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.counts.sum())

    @property
    def min(self) -> float:
        """The smallest value."""
        return float(self.values[0])

    @property
    def max(self) -> float:
        """The largest value."""
        return float(self.values[-1])

    @property
    def range(self) -> float:
        """The distance between the ends, which Table 3 calls the sensitivity."""
        return self.max - self.min

    @property
    def mean(self) -> float:
        """The mean of all records."""
        return float(self.values @ self.counts) / self.n

    @property
    def sensitivity(self) -> float:
        """How far the mean moves at most when another value replaces one record's: range/n."""
        return self.range / self.n

    @property
    def universe(self) -> FloatArray:
        """All whole numbers from the smallest value to the largest, whether they occur or not.

        There is one more of them than the range. A blind guess is right with one over their number:
        Table 3 has 1/16 and 1/99, and by mistake 1/73 instead of 1/74 for the age.
        """
        return np.arange(self.min, self.max + 1)


def attribute(name: str) -> Marginal:
    """Look up an attribute.

    Parameters
    ----------
    name : {"age", "education-num", "hours-per-week"}
        The attribute's name.

    Returns
    -------
    Marginal
        Its values and how often each occurs.

    Raises
    ------
    ValueError
        If there is no such attribute.

    Notes
    -----
    Becker and Kohavi (1996), *Adult*, UCI Machine Learning Repository, CC BY 4.0; all 48,842
    records.

    Examples
    --------
    >>> hours = attribute("hours-per-week")
    >>> int(hours.counts[hours.values == 40].item())
    22803
    """
    name = one_of("name", name, ATTRIBUTES)
    values, counts = np.array([row[1:] for row in _table() if row[0] == name], dtype=float).T
    values.flags.writeable = counts.flags.writeable = False
    return Marginal(name, values, counts)


@cache
def _table() -> list[list[str]]:
    table = resources.files("dpwidgets") / "data" / "adult_marginals.csv"
    return list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
