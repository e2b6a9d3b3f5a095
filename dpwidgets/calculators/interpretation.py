"""What one meaning of ε is: a number that ε stands for, the way back, and all that it assumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.domain import EPSILON, Domain, FloatArray, Floats, each, silent
from dpwidgets.notation import show

#: What `Meaning.mechanism`, `.neighbours` and `.releases` may be.
MECHANISMS = ("any", "Laplace")
NEIGHBOURS = ("either", "add/remove", "replace")
RELEASES = ("one", "many")


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """One thing that ε means.

    The calculator of each text ends with its own, `meanings` collects them all.

    Parameters
    ----------
    name : str
        What the number is, in a few words.
    says : str
        The sentence about it, with ``{epsilon}`` and ``{value}`` where the numbers go.
    computes : callable
        The number at an ε or at an array of them.
    solves : callable, optional
        The ε for a number: the largest at which nobody learns more, or the smallest at which a
        count is this precise.
    domain : Domain
        The numbers that some ε gives.
    text : str
        The word of the text that it comes from, or nothing.
    equation : str
        Where it stands there, or in which paper.
    unit : str
        The unit of the number.
    shown : callable
        How the number is written.
    mechanism : {"any", "Laplace"}
        For which mechanisms it holds: every ε-private one, or Laplace noise alone.
    neighbours : {"either", "add/remove", "replace"}
        How two neighbouring databases differ.
    knows : str
        What the adversary knows before the answer; nothing where there is no adversary.
    releases : {"one", "many"}
        Whether ε is that of the only release, or of one among many.
    note : str
        What else to know, such as whose inverse `solves` is if it is not this meaning's own.

    Examples
    --------
    >>> from dpwidgets.calculators import breach
    >>> meaning = breach.meanings(prior=0.1)[0]
    >>> round(meaning.value(1), 4), round(meaning.epsilon(0.2), 4)
    (0.232, 0.8109)
    >>> meaning.sentence(1)
    'At ε = 1, no answer lifts a belief of 10% about you above 23.2%.'
    """

    name: str
    says: str
    computes: Callable[[FloatArray], Floats]
    domain: Domain
    solves: Callable[[FloatArray], Floats] | None = None
    text: str = ""
    equation: str = ""
    unit: str = ""
    shown: Callable[[float], str] = show
    mechanism: str = "any"
    neighbours: str = "either"
    knows: str = "anything"
    releases: str = "one"
    note: str = ""

    @overload
    def value(self, epsilon: float) -> float: ...
    @overload
    def value(self, epsilon: ArrayLike) -> Floats: ...
    @np.errstate(over="ignore", divide="ignore", under="ignore")
    def value(self, epsilon: ArrayLike) -> Floats:
        """Compute the number that ε stands for; an array for an array of ε.

        It is infinite where no float is as large, and the way back takes that too.

        Raises
        ------
        TypeError, DomainError
            If epsilon is not a number from 1e-8 to 1000.
        """
        return self.computes(EPSILON.check("epsilon", epsilon))

    @overload
    def epsilon(self, value: float) -> float: ...
    @overload
    def epsilon(self, value: ArrayLike) -> Floats: ...
    @silent
    def epsilon(self, value: ArrayLike) -> Floats:
        """Compute the ε for a number; an array for an array of numbers.

        Raises
        ------
        TypeError, DomainError
            If no ε gives this number.
        ValueError
            If the meaning has no inverse.
        """
        if self.solves is None:
            raise ValueError(f"“{self.name}” has no inverse: {self.note}")
        return self.solves(self.domain.check("value", value))

    def sentence(self, epsilon: float) -> str:
        """Say in plain words what this ε means."""
        epsilon = EPSILON.check_one("epsilon", epsilon)
        return self.sentence_with(epsilon, self.value(epsilon))

    def sentence_with(self, epsilon: float, value: float) -> str:
        """Say the same where the number that this ε stands for is known."""
        return self.says.format(epsilon=show(epsilon), value=self.shown(value))


def monotone(function: Callable[[float], float]) -> dict[str, Any]:
    """Make what a `Meaning` needs of a number that only ever rises or only ever falls with ε.

    Parameters
    ----------
    function : callable
        The number at one ε.

    Returns
    -------
    dict
        `computes`, `solves` and `domain`: the numbers from that at ε = 1e-8 to that at ε = 1000.
        Where the number stays the same along ε, `solves` may give any ε of these.

    Examples
    --------
    >>> square = Meaning(name="", says="", **monotone(lambda epsilon: epsilon**2))
    >>> square.value([1, 2]), round(square.epsilon(9), 12)
    (array([1., 4.]), 3.0)
    """
    function = silent(function)
    numbers = attained(function)

    def at(share: float) -> float:
        """Return the ε at this share of the way from the smallest to the largest, by logarithm."""
        return min(EPSILON.low * float((EPSILON.high / EPSILON.low) ** share), EPSILON.high)

    def solve(value: float) -> float:
        from scipy.optimize import root_scalar

        number = min(max(value, numbers.low), numbers.high)

        def excess(share: float) -> float:
            return function(at(share)) - number

        return at(float(root_scalar(excess, bracket=(0, 1), xtol=1e-17, rtol=1e-15).root))

    return {
        "computes": lambda epsilons: each(function, epsilons),
        "solves": lambda values: each(solve, values),
        # Next to an end, rounding may put a number just beyond it.
        "domain": replace(numbers, low=numbers.low * (1 - 1e-12), high=numbers.high * (1 + 1e-12)),
    }


def attained(function: Callable[[float], float]) -> Domain:
    """Return the domain of the numbers that a monotone function takes at some ε.

    Examples
    --------
    >>> attained(lambda epsilon: 2 * epsilon).allowed
    'a number from 2e-08 to 2000'
    """
    low, high = sorted([float(function(EPSILON.low)), float(function(EPSILON.high))])
    return Domain(
        f"a number from {low:.6g} to {high:.6g}",
        low=low,
        high=high,
        includes_low=True,
        includes_high=True,
    )
