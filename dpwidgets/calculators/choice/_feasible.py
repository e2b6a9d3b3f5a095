"""The noise that a goal allows, or several goals together: a range of scales."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwidgets.calculators.case import Case
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import ROUNDING, rounded, show


@dataclass(frozen=True)
class Feasible:
    """The scales of the noise that a goal allows, or several goals together.

    Parameters
    ----------
    low, high : float
        The smallest and the largest scale, both allowed. A `low` of 0 allows noise as small as you
        like and an infinite `high` any large one.
    reason : str
        Why there is no such scale, if there is none.

    Examples
    --------
    >>> Feasible(4, 6.67).allows(5), Feasible(4, 3).empty
    (True, True)
    >>> print(Feasible(4, 6.67).sentence(Case(published="count", unit="patients")))
    a scale from 4 to 6.67 patients, which is ε from 0.15 to 0.25 for Δf = 1
    """

    low: float
    high: float
    reason: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is no such scale."""
        return bool(self.reason) or self.low > self.high * (1 + ROUNDING)

    def allows(self, scale: float) -> bool:
        """Tell whether this scale is one of them, but for rounding."""
        return not self.empty and self.low * (1 - ROUNDING) <= scale <= self.high * (1 + ROUNDING)

    def epsilons(self, case: Case) -> tuple[float, float]:
        """Return the smallest and the largest ε that they are for one release of this case.

        0 and infinity stand for open ends, and 1e-8 for noise so large that ε would be smaller.
        """
        low = 0.0 if math.isinf(self.high) else case.epsilon(self.high)
        return low, case.epsilon(self.low) if self.low else math.inf

    def rounded(self, case: Case, digits: int = 3) -> tuple[tuple[float, float], ...]:
        """Round the ends so that the range grows no wider: those of the scale, and those of ε."""
        return tuple(
            (
                rounded(low * (1 - ROUNDING), digits, up=True),
                rounded(high * (1 + ROUNDING), digits, up=False),
            )
            for low, high in ((self.low, self.high), self.epsilons(case))
        )

    def sentence(self, case: Case, *, delta: bool = True, digits: int = 3) -> str:
        """Say which scales they are, which ε, and for which δ if the noise needs one."""
        if self.empty:
            return "no noise"
        if not self.low and math.isinf(self.high):
            return "any noise"
        scales, epsilons = ends = self.rounded(case, digits)
        while digits < 16 and any(low > high for low, high in ends):  # rounded past each other
            digits += 1
            scales, epsilons = ends = self.rounded(case, digits)
        small, large = (case.measured(scale, digits) for scale in scales)
        least, most = (show(epsilon, digits) for epsilon in epsilons)
        # Noise may be larger than that of the smallest ε: Gaussian noise then has ε = 0 at its δ.
        below, widest = f"below {show(EPSILON.low)}", case.scale(EPSILON.low)
        tiny, wide = (end * (1 - ROUNDING) > widest for end in (self.low, self.high))
        if math.isinf(self.high):
            words = f"a scale of at least {small}, which is ε "
            words += below if tiny else f"of at most {most}"
        elif not self.low:
            words = f"a scale of at most {large}, which "
            words += f"allows even ε {below}" if wide else f"is ε of at least {least}"
        else:
            least = below if wide else least
            words = f"a scale from {small.split()[0]} to {large}, which is ε "
            words += below if tiny else f"from {least} to {most}"
        named = f" and δ = {show(case.delta)}" if delta and case.mechanism == "Gaussian" else ""
        return f"{words} for Δf = {show(case.sensitivity)}{named}"
