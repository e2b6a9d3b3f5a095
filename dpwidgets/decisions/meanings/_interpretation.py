"""What one meaning of the noise is: a number that it stands for, in a sentence, and who gets it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.noise import SCALE
from dpwidgets.inputs.door import each
from dpwidgets.inputs.notation import up

#: Who gets what a meaning is about.
READER, ATTACKER = GETS = ("what a reader gets", "what an attacker gets")


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """One thing that the noise of a case means.

    The calculator of each text makes its own from a case, `meanings` collects
    them all.

    Parameters
    ----------
    name : str
        What the number is, in a few words.
    says : str or callable
        The sentence about it, with ``{value}`` where the number goes; or what
        returns it for a scale of the noise.
    computes : callable
        The number at a scale of the noise.
    gets : {"what a reader gets", "what an attacker gets"}
        Who gets it.
    first : bool
        Whether it is shown at once, or only on demand.
    shown : callable
        How the number is written, with its unit; by default as what is at
        most: `up`.
    even : bool
        Whether its scale in a picture is even, or by the number's logarithm.

    Examples
    --------
    >>> from dpwidgets.decisions import meanings
    >>> from dpwidgets.decisions.case import Case
    >>> meaning = meanings.meanings(Case(published="count"))[0]
    >>> round(meaning.value(1), 4)
    1.0
    >>> meaning.sentence(1)
    'The published count is off by 1 person on average.'
    """

    name: str
    says: str | Callable[[float], str]
    computes: Callable[[float], float]
    gets: str
    first: bool = True
    shown: Callable[[float], str] = up
    even: bool = False

    @np.errstate(over="ignore", divide="ignore", under="ignore")
    def value(self, scale: ArrayLike) -> Any:
        """Compute the number at a scale of the noise; an array for an array of scales.

        Raises
        ------
        TypeError, DomainError
            If a scale is no number from 1e-90 to 1e90.
        """
        return each(self.computes, SCALE.check("scale", scale))

    def sentence(self, scale: float) -> str:
        """Say in plain words what noise of this scale means."""
        return self.sentence_with(self.value(scale), scale)

    def sentence_with(self, value: float, scale: float) -> str:
        """Say the same where the number is known."""
        says = self.says if isinstance(self.says, str) else self.says(scale)
        # What others are called may have braces of its own.
        return says.replace("{value}", self.shown(value))
