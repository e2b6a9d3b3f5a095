"""A student's own numbers: drawn from the student's id, and shown one a line."""

import hashlib
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TypeVar

from dpwidgets.calculators.noise import Laplace

_Option = TypeVar("_Option")


class OwnNumbers(SimpleNamespace):
    """One student's numbers for a lab, each under its name, shown one a line."""

    def __repr__(self) -> str:
        return "\n".join(
            f"{name} = {value!r}" for name, value in vars(self).items()
        )


class Draw:
    """Random draws that are the same on every machine, and with every version of Python and NumPy.

    A grader's environment may be newer than a student's. So all draws are made
    from `random.Random.random`, the one sequence that Python promises to keep.

    Parameters
    ----------
    seed : str
        What the draws follow from.

    Examples
    --------
    >>> draw = Draw("lab 1: s123")
    >>> draw.hundredths(5, 30), draw.whole(40, 200)
    (0.11, 146)
    """

    def __init__(self, seed: str) -> None:
        digest = hashlib.sha256(seed.encode()).digest()
        self._share = random.Random(int.from_bytes(digest)).random

    def uniform(self, low: float, high: float) -> float:
        """Draw a number between two others."""
        return low + (high - low) * self._share()

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number from `low` up, below `high`."""
        return low + int((high - low) * self._share())

    def hundredths(self, low: int, high: int) -> float:
        """Draw a number of hundredths from `low` up, below `high`: one that can be copied whole."""
        return self.whole(low, high) / 100

    def some(self, options: Sequence[_Option], many: int) -> list[_Option]:
        """Draw so many of the options, none twice, in any order."""
        return sorted(options, key=lambda _: self._share())[:many]

    def one(self, options: Sequence[_Option]) -> _Option:
        """Draw one of the options."""
        return options[self.whole(0, len(options))]

    def laplace(self, scale: float) -> float:
        """Draw Laplace noise."""
        return float(Laplace(scale).quantile(self._share()))

    def binomial(self, n: int, p: float) -> int:
        """Draw how many of n are counted, each with probability p."""
        return sum(self._share() < p for _ in range(n))
