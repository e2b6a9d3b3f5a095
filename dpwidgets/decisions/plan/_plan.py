"""Several statistics about the same people, and what they tell together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from dpwidgets.decisions.case import (
    ALL,
    ONE,
    Case,
    Limits,
    Numbers,
    PrivacyLoss,
)
from dpwidgets.decisions.choice import Feasible, Promise, RiskGoal
from dpwidgets.decisions.plan._statistic import OF_THE_PLAN, Statistic
from dpwidgets.inputs.domain import EPSILON, must_be
from dpwidgets.inputs.outside import described

MOST = 40
#: The fields of a plan that are about people.
OF_PEOPLE = ("delta", *OF_THE_PLAN)


@dataclass(frozen=True, kw_only=True)
class Plan(Limits):
    """What is going to be published about the same people, and what is promised to them.

    One number moves it. Each statistic has the largest noise that its goals
    allow, times a common factor: at 1 all are as private as their goals allow,
    and with a smaller factor all are more precise. Where a case has a scale,
    the methods of a plan take that factor.

    Parameters
    ----------
    statistics : sequence of Statistic
        What is published, at most 40 of them, with the same neighbours.
    promises : sequence of Promise
        What is promised of all of them together; each for all releases.
    delta, used, used_delta, used_rho, household, prior
        As in `Case`, for all statistics. They are read at `delta` together.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the statistics do not go
        together.

    Examples
    --------
    >>> from dpwidgets.decisions import choice
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
    promises: tuple[Promise[Limits], ...] = ()
    neighbours: str | None = field(default=None, init=False)

    precision: ClassVar[float] = 1e-5

    def __post_init__(self) -> None:
        self._check_made_of("statistics", Statistic)
        self._check_made_of("promises", Promise)
        names = [statistic.name for statistic in self.statistics]
        if not 1 <= len(names) <= MOST:
            raise must_be("statistics", f"1 to {MOST}; got {len(names)}")
        if len(set(names)) < len(names):
            raise must_be("statistics", f"of names of their own; got {names}")
        neighbours, *others = {
            statistic.case.neighbours for statistic in self.statistics
        }
        if others:
            say = "a mean has 'replace': say neighbours=replace of the others"
            raise must_be("neighbours", f"the same in all statistics; {say}")
        object.__setattr__(self, "neighbours", neighbours)
        for promise in self.promises:
            if promise.reach == ONE:
                raise must_be(
                    "reach",
                    "'all releases' or wider for the promises of a plan",
                )
        self._check_numbers()
        for case in self.cases:  # none has fewer people than the household
            if case.mechanism == "Gaussian" and self.delta == 0:
                raise must_be("delta", "above 0 for Gaussian noise; got 0")

    def _check_made_of(self, name: str, kind: type) -> None:
        """Check that all of a field are of a kind, and store them as a tuple."""
        members = tuple(getattr(self, name))
        object.__setattr__(self, name, members)
        for member in members:
            # A risk about a column belongs to one statistic.
            if not isinstance(member, kind) or isinstance(member, RiskGoal):
                wanted = f"{name} must be made of {kind.__name__}s"
                raise TypeError(f"{wanted}; got {described(member)}")

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The case of each statistic, with the plan's household."""
        cases = []
        for statistic in self.statistics:
            case = statistic.case
            if self.household > 1:
                case = replace(case, household=self.household)
            cases.append(case)
        return tuple(cases)

    def scales(self, factor: float) -> tuple[float, ...]:
        """Return the scale of each statistic's noise; a fixed one stays."""
        scales = []
        for statistic in self.statistics:
            fixed = statistic.scale
            scales.append(fixed or statistic.largest_scale * factor)
        return tuple(scales)

    def counted(self, reach: str) -> tuple[int, int]:
        releases = 0
        for case in self.cases:
            of_case, _ = case.counted(reach)
            releases += of_case
        return releases, self.people(reach)

    def delta_of(self, reach: str) -> float:
        if len(self.cases) > 1 or self.rho_of_others(reach):
            return self.delta
        (case,) = self.cases
        return replace(case, delta=self.delta).delta_of(reach)

    def named(self, scale: float) -> list[tuple[str, Case, float]]:
        named = []
        for statistic, case, of_case in zip(
            self.statistics, self.cases, self.scales(scale), strict=True
        ):
            named.append((statistic.name, case, of_case))
        return named

    def privacy_loss(
        self, scale: float, reach: str, *, attribute: bool = False
    ) -> PrivacyLoss:
        parts: list[Numbers] = []
        for _, case, of_case in self.named(scale):
            parts += case.privacy_loss(
                of_case, reach, attribute=attribute
            ).parts
        return PrivacyLoss(
            tuple(parts),
            self.delta_of(reach),
            self.rho_of_others(reach, self.steps_between(attribute=attribute)),
        )

    @property
    def smallest_scale(self) -> float:
        return self.privacy_loss(1.0, ALL).shift / EPSILON.high

    @cached_property
    def factors(self) -> Feasible:
        """The factors that keep all promises, up to 1, which keeps all goals of precision."""
        least = 0.0
        reason = ""
        for promise in self.promises:
            allowed = promise.scales(self)
            least = max(least, allowed.low)
            if allowed.empty:
                reason = reason or allowed.reason
        return Feasible(least, 1.0, reason)

    def keeps(self, factor: float) -> bool:
        """Tell whether this factor keeps all promises: quicker than the range of all factors."""
        return all(promise.keeps(self, factor) for promise in self.promises)

    def shares(self, factor: float) -> tuple[float, ...]:
        """Return which share of ρ each statistic has: ρ adds up, for every noise alike."""
        rhos = []
        for _, case, scale in self.named(factor):
            rhos.append(case.privacy_loss(scale, ALL).rho())
        whole = sum(rhos)
        return tuple(rho / whole for rho in rhos)

    def without(self, name: str) -> Plan:
        """Return the plan without one of its statistics."""
        left = []
        for statistic in self.statistics:
            if statistic.name != name:
                left.append(statistic)
        return replace(self, statistics=tuple(left))

    def with_releases(self, count: int) -> Plan:
        """Return the plan with so many releases of each statistic."""
        statistics = []
        for statistic in self.statistics:
            case = replace(statistic.case, releases=count)
            statistics.append(replace(statistic, case=case))
        return replace(self, statistics=tuple(statistics))
