"""Several statistics about the same people, and what they tell together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, cast

from dpwidgets.calculators.case import ALL, ONE, Case, Limits, Told
from dpwidgets.calculators.choice import Feasible, Promise, RiskGoal
from dpwidgets.calculators.plan._statistic import Statistic
from dpwidgets.inputs.domain import EPSILON, DomainError
from dpwidgets.inputs.notation import ROUNDING
from dpwidgets.inputs.outside import described

MOST = 20


@dataclass(frozen=True, kw_only=True)
class Plan(Limits):
    """What is going to be published about the same people, and what is promised to them.

    One number moves it. Each statistic has the largest noise that its goals allow, times a common
    factor: at 1 all are as private as their goals allow, and with a smaller factor all are more
    precise. Where a case has a scale, the methods of a plan take that factor.

    Parameters
    ----------
    statistics : sequence of Statistic
        What is published, at most 20 of them, with the same neighbours.
    promises : sequence of Promise
        What is promised of all of them together; each for all releases.
    delta, used, used_delta, household, prior
        As in `Case`, for all statistics. They are read at `delta` together.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the statistics do not go together.

    Examples
    --------
    >>> from dpwidgets.calculators import choice
    >>> plan = Plan(
    ...     statistics=[
    ...         Statistic.read("visits: published=table, cells=40, error=5, neighbours=replace"),
    ...         Statistic.read("stay: published=mean, n=900, low=0, high=30, error=0.1"),
    ...     ],
    ...     promises=[choice.BudgetGoal(2)],
    ... )
    >>> round(plan.total(1), 4), round(plan.factors.low, 4)
    (0.7333, 0.3667)
    """

    statistics: tuple[Statistic, ...]
    promises: tuple[Promise, ...] = ()
    neighbours: str | None = field(default=None, init=False)

    unit: ClassVar[str] = "times"
    precision: ClassVar[float] = 1e-5

    def __post_init__(self) -> None:
        kinds: dict[str, type] = {"statistics": Statistic, "promises": Promise}
        for name, kind in kinds.items():
            object.__setattr__(self, name, tuple(getattr(self, name)))
            for one in getattr(self, name):
                # A risk about a column belongs to one statistic.
                if not isinstance(one, kind) or isinstance(one, RiskGoal):
                    raise TypeError(
                        f"{name} must be made of {kind.__name__}s; got {described(one)}"
                    )
        if not 1 <= len(self.statistics) <= MOST:
            raise DomainError(
                "statistics", f"statistics must be 1 to {MOST}; got {len(self.statistics)}"
            )
        names = [one.name for one in self.statistics]
        if len(set(names)) < len(names):
            raise DomainError("statistics", f"statistics must have names of their own; got {names}")
        neighbours = {one.case.neighbours for one in self.statistics}
        if len(neighbours) > 1:
            raise DomainError(
                "neighbours",
                "neighbours must be the same in all statistics, or no promise is about one change; "
                "a mean has 'replace': say neighbours=replace of the others",
            )
        object.__setattr__(self, "neighbours", neighbours.pop())
        for promise in self.promises:
            if promise.reach == ONE:
                raise DomainError(
                    "reach", "reach must be 'all releases' or wider for the promises of a plan"
                )
        self._check_numbers()
        if self.delta == 0 and any(one.mechanism == "Gaussian" for one in self.cases):
            raise DomainError("delta", "delta must be above 0 for Gaussian noise; got 0")

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The case of each statistic, with the plan's household."""
        return tuple(replace(one.case, household=self.household) for one in self.statistics)

    def scales(self, factor: float) -> tuple[float, ...]:
        """Return the scale of each statistic's noise; a fixed one stays."""
        least_weight = min(one.weight for one in self.statistics)
        return tuple(
            one.scale or one.largest_scale * factor * least_weight / one.weight
            for one in self.statistics
        )

    def counted(self, reach: str) -> tuple[int, int]:
        """Return how many releases and how many people a reach takes in."""
        people = self.people(reach)
        return sum(case.counted(reach)[0] for case in self.cases), people

    def delta_of(self, reach: str) -> float:
        several = len(self.cases) > 1
        return self.delta if several else replace(self.cases[0], delta=self.delta).delta_of(reach)

    def told(self, scale: float, reach: str, *, fact: bool = False) -> Told:
        own = [case.told(own, reach, fact=fact) for case, own in self._noisy(scale)]
        return Told(tuple(part for one in own for part in one.parts), self.delta_of(reach))

    def _noisy(self, factor: float) -> Iterable[tuple[Case, float]]:
        """Return each case with the scale of its noise."""
        return zip(self.cases, self.scales(factor), strict=True)

    @property
    def smallest_scale(self) -> float:
        return self.told(1.0, ALL).shift / EPSILON.high

    @cached_property
    def as_case(self) -> Case:
        """The plan for a promise, which asks of a case only what a plan answers, too."""
        return cast(Case, self)

    @cached_property
    def factors(self) -> Feasible:
        """The factors that keep all promises, up to 1, which keeps all goals of precision."""
        allowed = [promise.scales(self.as_case) for promise in self.promises]
        reason = next((one.reason for one in allowed if one.empty), "")
        return Feasible(max((one.low for one in allowed), default=0.0), 1.0, reason)

    def keeps(self, factor: float) -> bool:
        """Tell whether this factor keeps all promises: quicker than the range of all factors."""
        try:
            return all(
                promise.reached(self.as_case, factor) <= promise.limit * (1 + ROUNDING)
                for promise in self.promises
            )
        except DomainError:
            return False

    def shares(self, factor: float) -> tuple[float, ...]:
        """Return which share of ρ each statistic has: ρ adds up, for every noise alike."""
        rho = [case.told(own, ALL).rho() for case, own in self._noisy(factor)]
        return tuple(one / sum(rho) for one in rho)

    def without(self, name: str) -> Plan:
        """Return the plan without one of its statistics."""
        return replace(self, statistics=tuple(one for one in self.statistics if one.name != name))

    def with_releases(self, releases: int) -> Plan:
        """Return the plan with so many releases of each statistic."""
        return replace(
            self,
            statistics=tuple(
                replace(one, case=replace(one.case, releases=releases)) for one in self.statistics
            ),
        )
