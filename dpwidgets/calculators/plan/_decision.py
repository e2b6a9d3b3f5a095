"""A plan with a factor of noise that is chosen, and ways out where no factor keeps all promises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from dpwidgets.calculators.case import ALL, HOUSEHOLD
from dpwidgets.calculators.choice import KINDS, Promise
from dpwidgets.calculators.plan._plan import Plan
from dpwidgets.calculators.plan._statistic import Statistic
from dpwidgets.calculators.solve import most
from dpwidgets.inputs.domain import DomainError, within
from dpwidgets.inputs.notation import percent, show

FACTOR = within(1e-6, 1e6)
_PROMISES = ("belief", "advantage", "success", "budget", "rho")


@dataclass(frozen=True)
class Decision:
    """A plan, and the factor of its noise that is chosen.

    Attributes
    ----------
    plan : Plan
        The plan.
    factor : float or None
        The factor of every statistic's largest noise; None where no noise keeps the promises.
    """

    plan: Plan
    factor: float | None

    @property
    def suggestion(self) -> float | None:
        """The factor that `decide` takes where none is given."""
        factors = self.plan.factors
        return None if factors.reason else max(1.0, factors.low)

    @property
    def reach(self) -> str:
        """For what the promises hold: all releases, or those and a household."""
        return HOUSEHOLD if self.plan.household > 1 else ALL

    @property
    def scales(self) -> tuple[float, ...]:
        """The scale of each statistic's noise; nothing without a factor."""
        return () if self.factor is None else self.plan.scales(self.factor)

    @property
    def met(self) -> tuple[bool, ...]:
        """Whether each promise is kept; nothing without a factor."""
        factor, plan = self.factor, self.plan
        if factor is None:
            return ()
        return tuple(promise.met(plan.as_case, factor) for promise in plan.promises)

    @property
    def sentence(self) -> str:
        """Which factors keep everything, what the chosen one gives, and what can be done."""
        factors = self.plan.factors
        said = []
        if not factors.empty and factors.low:
            low = show(factors.low, up=True)
            said.append(f"Factors of the noise from {low} to 1 keep all promises and all goals.")
        elif not factors.empty:
            said.append("Every factor of the noise up to 1 keeps all promises and all goals.")
        else:
            said.append(self.ways_out)
        if self.factor is not None:
            total = show(self.plan.total(self.factor, self.reach), up=True)
            at = self.plan.at(self.reach)
            people = self.plan.people(self.reach)
            whom = f", for {people:,} people with dependent records," if people > 1 else ""
            said.append(
                f"With the factor {show(self.factor, 4)}, everything together{whom} has "
                f"ε = {total}{at}."
            )
        return " ".join(said)

    @cached_property
    def ways_out(self) -> str:
        """What would make room where no factor keeps all promises and all goals."""
        plan, factors = self.plan, self.plan.factors
        if factors.reason:
            return f"No noise keeps all promises: {factors.reason}."
        ways = [f"{show(factors.low, up=True)} times as much noise as the goals allow"]
        if len(plan.statistics) > 1:
            left = [one.name for one in plan.statistics if plan.without(one.name).keeps(1.0)]
            ways += [f"leaving out {' or '.join(left)}"] if left else []
        fits = most(lambda releases: plan.with_releases(releases).keeps(1.0), self._releases - 1)
        ways += [f"{fits:,} release{'s' if fits > 1 else ''} of each"] if fits else []
        return (
            f"No noise keeps all promises and all goals. Any of these would: {', or '.join(ways)}."
        )

    @property
    def _releases(self) -> int:
        """How many releases each statistic has, if all have as many; else 1."""
        counts = {case.releases for case in self.plan.cases}
        return counts.pop() if len(counts) == 1 else 1

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """What becomes of each statistic: its name, and its precision and share in words."""
        if self.factor is None:
            return ()
        shares = self.plan.shares(self.factor)
        return tuple(
            (
                one.name,
                f"noise of scale {case.measured(scale)}: {one.achieved(scale)}; {percent(share)} "
                "of what all use up (ρ)",
            )
            for one, case, scale, share in zip(
                self.plan.statistics, self.plan.cases, self.scales, shares, strict=True
            )
        )


def decide(
    statistics: str | Iterable[Statistic],
    *,
    factor: float | None = None,
    delta: float = 0.0,
    **given: Any,
) -> Decision:
    r"""Choose a factor of the noise for a plan.

    Parameters
    ----------
    statistics : str or sequence of Statistic
        The statistics: a line for each, as `Statistic.read` reads it.
    factor : float, optional
        The factor of every statistic's largest noise, from 1e-6 to 1e6. By default 1, the most
        private that all goals of precision allow; where that keeps not all promises, the least that
        does.
    delta : float
        The δ at which everything is read, and each statistic with Gaussian noise where its line
        says no other.
    posterior, advantage, success, total, rho : float, optional
        The promises, as in `BeliefGoal`, `AdvantageGoal`, `SuccessGoal`, `BudgetGoal` and
        `RhoGoal`: each for all releases, and for a household of more than one person.
    **given
        These, and `used`, `used_delta`, `household` and `prior`, as in `Case`.

    Returns
    -------
    Decision
        The plan and the factor.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown or lies outside its domain.

    Examples
    --------
    >>> made = decide(
    ...     "visits: published=table, cells=40, neighbours=replace, error=5, releases=12\n"
    ...     "stay: published=mean, n=900, low=0, high=30, unit=days, error=0.1",
    ...     total=1.5, delta=1e-6,
    ... )
    >>> print(made.sentence)
    No noise keeps all promises and all goals. Any of these would: 2.78 times as much noise as the
    goals allow, or leaving out visits. With the factor 2.771, everything together has ε = 1.5 and
    δ = 1e-6.
    """
    if isinstance(statistics, str):
        statistics = _read(statistics, delta)
    promises = []
    reach = HOUSEHOLD if given.get("household", 1) != 1 else ALL
    for name in _PROMISES:
        kind = KINDS[name]
        limit = given.pop(kind.limits, None)
        if limit is not None:
            promises.append(kind(**{kind.limits: limit, "reach": reach}))
    plan = _planned(tuple(statistics), tuple(promises), tuple({"delta": delta, **given}.items()))
    if factor is None:
        return Decision(plan, Decision(plan, None).suggestion)
    return Decision(plan, FACTOR.check_one("factor", factor))


def _read(text: str, delta: float) -> tuple[Statistic, ...]:
    """Read a line for each statistic, and say which line is none."""
    read = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read += [Statistic.read(line, delta=delta)] if line.strip() else []
        except (TypeError, ValueError) as error:
            raise DomainError("statistics", f"line {number}: {error}") from None
    return tuple(read)


@lru_cache(maxsize=4)  # while only the factor moves, the promises allow what they did
def _planned(
    statistics: tuple[Statistic, ...], promises: tuple[Promise, ...], rest: tuple[Any, ...]
) -> Plan:
    return Plan(statistics=statistics, promises=promises, **dict(rest))
