"""A plan with a factor of noise that is chosen, and ways out where no factor keeps all promises."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dpwidgets.calculators.case import ALL, HOUSEHOLD
from dpwidgets.calculators.choice import BeliefGoal
from dpwidgets.calculators.plan._plan import Plan
from dpwidgets.calculators.solve import most
from dpwidgets.inputs.domain import within
from dpwidgets.inputs.notation import percent, show

FACTOR = within(1e-6, 1e6)


@dataclass(frozen=True)
class Chosen:
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

    @property
    def meanings(self) -> tuple[str, ...]:
        """What all noise together means for a person, in sentences; nothing without a factor."""
        if self.factor is None:
            return ()
        plan, factor = self.plan, self.factor
        releases, _ = plan.counted(ALL)
        every = f"All {releases:,} releases together" if releases > 1 else "The release"
        besides = plan.besides(ALL)
        every += f",{besides}" if besides else ""
        said = [f"{every} have ε = {show(plan.total(factor), up=True)}{plan.at(ALL)}."]
        if not plan.used_delta:
            said.append(f"{every} have ρ = {show(plan.rho(factor), up=True)} (zCDP).")
        if plan.prior is not None:
            before, right = percent(plan.prior), plan.success(factor, plan.prior)
            belief = BeliefGoal(0.5, reach=ALL).reached(plan.as_case, factor)
            said += [
                f"An attacker who is right about a person in {before} of cases is right in at most "
                f"{percent(right, up=True)} after all of them.",
                f"A belief of {before} rises to at most {percent(belief, up=True)}"
                f"{plan.slip(ALL)}.",
            ]
        return tuple(said)

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
