"""Several statistics about the same people, and what they tell together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from dpwidgets.calculators.noise import DIGITS
from dpwidgets.decisions.case import Case, Limits, Numbers
from dpwidgets.decisions.plan._statistic import OF_THE_PLAN, Statistic
from dpwidgets.inputs.domain import EPSILON, must_be
from dpwidgets.inputs.notation import rounded
from dpwidgets.inputs.outside import arguments_of, described, list_of

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
    delta, household, prior, before
        As in `Case`, for all statistics. They are read at `delta` together.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the statistics do not go
        together.

    Examples
    --------
    >>> plan = Plan(
    ...     statistics=[
    ...         Statistic.read("visits: published=table, cells=40, error=5, neighbours=replace"),
    ...         Statistic.read("stay: published=mean, n=900, low=0, high=30, error=0.1"),
    ...     ],
    ... )
    >>> round(plan.total(1), 4)
    0.7333
    """

    statistics: tuple[Statistic, ...]
    neighbours: str | None = field(default=None, init=False)

    precision: ClassVar[float] = 1e-5
    most: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistics", tuple(self.statistics))
        for statistic in self.statistics:
            if not isinstance(statistic, Statistic):
                raise TypeError(
                    f"statistics must be made of Statistics; got {described(statistic)}"
                )
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
        self._check_fields()
        self._check_delta()

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The case of each statistic, with the plan's household."""
        people = self.household
        return tuple(
            replace(one.case, household=people) for one in self.statistics
        )

    def scales(self, factor: float, digits: int = DIGITS) -> tuple[float, ...]:
        """Choose the scale of each statistic's noise, rounded down, once; a fixed one stays.

        What promises need is computed from the rounded scales, and goals of
        precision take what is less.
        """
        return tuple(
            one.scale or rounded(one.largest_scale * factor, digits, up=False)
            for one in self.statistics
        )

    def named(self, scale: float) -> list[tuple[str, Case, float]]:
        names = [one.name for one in self.statistics]
        return [*zip(names, self.cases, self.scales(scale), strict=True)]

    def parts(
        self, scale: float, *, attribute: bool = False
    ) -> tuple[Numbers, ...]:
        parts: tuple[Numbers, ...] = ()
        for _, case, of_case in self.named(scale):
            parts += case.parts(of_case, attribute=attribute)
        return parts

    @property
    def smallest_scale(self) -> float:
        shifts = [part.shift for part in self.parts(1.0)]
        return max(shifts) / EPSILON.high

    def shares(self, factor: float) -> tuple[float, ...]:
        """Return which share of ρ each statistic has: ρ adds up, for every noise alike."""
        rhos = [
            case.privacy_loss(scale).rho()
            for _, case, scale in self.named(factor)
        ]
        whole = sum(rhos)
        return tuple(rho / whole for rho in rhos)

    def without(self, name: str) -> Plan:
        """Return the plan without one of its statistics."""
        left = tuple(one for one in self.statistics if one.name != name)
        return replace(self, statistics=left)

    def repeated(self, times: int) -> Plan:
        return self._each(lambda case: case.repeated(times))

    def with_releases(self, count: int) -> Plan:
        """Return the plan with so many releases of each statistic."""
        return self._each(lambda case: case.with_releases(count))

    def _each(self, change: Callable[[Case], Case]) -> Plan:
        """Return the plan with the case of each statistic changed."""
        changed = (
            replace(one, case=change(one.case)) for one in self.statistics
        )
        return replace(self, statistics=tuple(changed))

    def to_dict(self) -> dict[str, Any]:
        """Return all that it says, but for earlier records, ready for JSON."""
        said: dict[str, Any] = {
            name: getattr(self, name) for name in OF_PEOPLE
        }
        said["statistics"] = [one.line() for one in self.statistics]
        return said

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Make the plan that `to_dict` wrote, and check it whole."""
        said = arguments_of("a plan", cls, data)
        lines = list_of("statistics", said["statistics"])
        return cls(**said | {"statistics": tuple(map(Statistic.read, lines))})
