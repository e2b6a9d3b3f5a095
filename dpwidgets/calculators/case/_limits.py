"""The noise that keeps a limit of what people can be told apart by: the ways back of `Measures`."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import expit, ndtri

from dpwidgets.calculators.case._measures import Measures
from dpwidgets.calculators.case._people import ALL, ONE
from dpwidgets.calculators.solve import largest
from dpwidgets.inputs.domain import EPSILON, DomainError
from dpwidgets.inputs.notation import show

#: Of a scale that is searched for, relatively: it is larger by so much at most.
PRECISION = 1e-5


@dataclass(frozen=True, kw_only=True)
class Limits(Measures):
    """What releases tell, and the smallest scale of their noise at which it is at most a limit.

    Searched for where a subclass knows no shorter way.
    """

    def scale_of_total(self, total: float, reach: str = ALL) -> float:
        """Compute the smallest scale at which `total` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others have used up as much.
        """
        people = self.people(reach)
        used, _ = self.others(reach)
        if used >= total:
            whose = f" shared by {people:,} people" if people > 1 else ""
            raise DomainError(
                "used",
                f"used must be below {show(total / people)}, the budget{whose}; others have "
                f"used up ε = {show(self.used)}, and nothing is left",
            )
        return self._scale_of_epsilon(total - used, reach)

    def scale_of_log_odds(self, odds: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `log_odds` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since what others have used up alone moves them so far.
        """
        left = odds - self.moved_by_others(reach)
        if left <= 0:
            raise self.by_others("a belief may rise farther than that")
        return self._scale_of_exceeded(left, reach)

    def scale_of_advantage(self, advantage: float, reach: str = ONE) -> float:
        """Compute the smallest scale at which `advantage` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others' releases alone allow such a test.
        """
        used, delta = self.others(reach)
        room = (advantage - delta) - (1 - delta) * math.tanh(used / 2)
        if room <= 0:
            raise self.by_others("a test may have a larger advantage")
        room /= (1 - delta) * 2 * float(expit(-used))  # for the δ(ε) of the case's own releases
        if room >= 1:
            return 0.0
        return self._scale_of_delta(room, reach, used)

    def scale_of_success(self, success: float, baseline: float, reach: str = ALL) -> float:
        """Compute the smallest scale at which `success` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others' releases alone allow such an attack.
        """
        goal = float(ndtri(success))

        def excess(scale: float) -> float:
            # Along the shift, normal quantiles are nearly a straight line.
            return float(ndtri(min(self.success(scale, baseline, reach), 1 - 1e-16))) - goal

        if excess(self._largest_shift(1.0, reach) / EPSILON.low) > 0:
            raise self.by_others("an attack may succeed more often")
        return self._smallest_scale(excess, reach)

    def scale_of_rho(self, rho: float, reach: str = ALL) -> float:
        """Compute the smallest scale at which `rho` is at most this.

        Raises
        ------
        ValueError
            If no noise is large enough, since others have used up as much, or used it at a δ.
        """
        used = self._others_without_delta("ρ", reach)
        left = rho - used * math.tanh(used / 2)
        if left <= 0:
            raise self.by_others("ρ is as large as that")
        return self._scale_of_rho(left, reach)

    def _scale_of_epsilon(self, epsilon: float, reach: str) -> float:
        return self._smallest_scale(lambda scale: self._epsilon(scale, reach) - epsilon, reach)

    def _scale_of_exceeded(self, odds: float, reach: str) -> float:
        return self._smallest_scale(lambda scale: self._exceeded(scale, reach) - odds, reach)

    def _scale_of_delta(self, delta: float, reach: str, epsilon: float) -> float:
        return self._smallest_scale(lambda scale: self._delta(scale, reach, epsilon) - delta, reach)

    def _scale_of_rho(self, rho: float, reach: str) -> float:
        return self._smallest_scale(lambda scale: self._rho(scale, reach) - rho, reach)

    @property
    @abstractmethod
    def smallest_scale(self) -> float:
        """The scale of the least noise that is looked at: one number loses 1000."""

    def _smallest_scale(self, excess: Callable[[float], float], reach: str) -> float:
        """Search for the smallest scale at which nothing is in excess, from the largest down."""
        unit = self._largest_shift(1.0, reach)

        def along(shift: float) -> float:
            return excess(unit / shift)

        return unit / largest(along, EPSILON.low, EPSILON.high, PRECISION, first=min(unit, 1.0))
