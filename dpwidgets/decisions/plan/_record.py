"""The factor of a plan's noise that is chosen, and the record of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import (
    ONE,
    Limits,
    always_clause,
    guesses,
    in_all,
    in_title,
)
from dpwidgets.decisions.choice import (
    BeliefGoal,
    Decision,
    Feasible,
    Promise,
    Row,
    Sheet,
    Table,
    otherwise,
)
from dpwidgets.decisions.plan._plan import Plan
from dpwidgets.inputs.domain import Domain, must_be, within
from dpwidgets.inputs.notation import (
    down,
    percent,
    rounded,
    several,
    show,
    up,
)
from dpwidgets.inputs.outside import described

FACTOR: Domain = within(1e-6, 1e6)


@dataclass(frozen=True)
class PlanDecision(Decision[Plan, Promise[Limits]]):
    """A decision about a plan: its number is the factor of all noise. `decide` makes it.

    Its goals are promises of all statistics together, each for all releases.
    """

    called = "factor"
    domain = FACTOR

    def __post_init__(self) -> None:
        for promise in self.goals:
            # A risk about a column belongs to one statistic.
            if not isinstance(promise, Promise) or promise.from_data:
                raise TypeError(
                    f"goals of a plan must be made of Promises; got {described(promise)}"
                )
            if promise.reach == ONE:
                wider = "'all releases' or wider for the promises of a plan"
                raise must_be("reach", wider)
        super().__post_init__()

    @property
    def plan(self) -> Plan:
        """What is published."""
        return self.whole

    @property
    def factor(self) -> float | None:
        """The factor of every statistic's largest noise; None where none keeps the promises."""
        return self.number

    @property
    def factors(self) -> Feasible:
        """The factors that keep all promises, up to 1, which keeps all goals of precision."""
        return self.choice.feasible

    @property
    def suggestion(self) -> float | None:
        """The factor that `decide` takes where none is given; None where no factor is so large."""
        needed = max(1.0, self.factors.low)
        if self.factors.reason or needed > FACTOR.high:
            return None
        return rounded(needed, up=True)

    @property
    def scales(self) -> tuple[float, ...]:
        """The scale of each statistic's noise; nothing without a factor."""
        return () if self.factor is None else self.plan.scales(self.factor)

    @property
    def every_met(self) -> tuple[bool, ...]:
        met = [*self.met]
        if self.factor is not None:
            for statistic, scale in zip(
                self.plan.statistics, self.scales, strict=True
            ):
                met += statistic.met(scale)
        return tuple(met)

    @property
    def written(self) -> tuple[str, str]:
        """The least factor that keeps all promises, rounded up, and the chosen one, as texts."""
        factor = rounded(self.factor or max(1.0, self.factors.low), 10)
        least = rounded(self.factors.low, up=True)
        if all(self.met):
            least = min(least, factor)
        if least <= FACTOR.low:
            least = 0.0
        return show(least, 15), show(factor, 15)

    @property
    def in_all(self) -> str:
        """The ε of everything together and its δ, in words; nothing without a factor."""
        if self.factor is None:
            return ""
        return in_all(self.plan, self.factor, self.plan.widest)

    @property
    def sentence(self) -> str:
        """Which factors keep everything, what the chosen one gives, and what can be done."""
        plan = self.plan
        least, factor = self.written
        if self.factors.empty:
            sentence = self.ways_out
        elif least == "0":
            sentence = "Every factor of the noise up to 1 keeps all promises and all goals."
        elif least == "1":
            sentence = "Only the factor 1 of the noise keeps all promises and all goals."
        else:
            which = f"Factors of the noise from {least} to 1"
            sentence = f"{which} keep all promises and all goals."
        if self.factor is None:
            return sentence
        whom = ""
        people = plan.people(self.plan.widest)
        if people > 1:
            whom = f", for {people:,} people with dependent records,"
        has = f"everything together{whom} has {self.in_all}"
        return f"{sentence} With the factor {factor}, {has}."

    @property
    def meanings(self) -> tuple[str, ...]:
        """What all noise together means for a person, in sentences; nothing without a factor.

        With a household it is for its people, as the promises are.
        """
        if self.factor is None:
            return ()
        plan, factor, reach = self.plan, self.factor, self.plan.widest
        count, people = plan.counted(reach)
        have = "have" if count > 1 else "has"
        every = f"{plan.releases_clause(reach)} {have}"
        sentences = [f"{every} {self.in_all}."]
        rho = plan.rho(factor, reach)
        sentences.append(f"{every} ρ = {up(rho)} (zCDP).")
        whom = ""
        if people > 1:
            whom = f", for one of {people:,} with dependent records"
        for guess in guesses(plan):
            often = up(guess.right(factor, reach), percent)
            sentences.append(
                guess.sentence(often, f"after {plan.every_release}{whom}")
            )
        if plan.prior is not None:
            before = down(plan.prior, percent)
            # The number that such a promise bounds, whatever its limit is.
            believed = BeliefGoal(0.5, reach=reach).reached(plan, factor)
            always = always_clause(plan, factor, plan.prior, reach)
            sentences.append(
                f"A belief of {before} rises to at most {up(believed, percent)}{whom}"
                f"{plan.failure_clause(reach)}{always}."
            )
        return tuple(sentences)

    @cached_property
    def ways_out(self) -> str:
        """What would make room where no factor keeps all promises and all goals."""
        plan = self.plan
        least = self.factors.low
        sentence = "No noise keeps all promises and all goals."
        fixed = [one.name for one in plan.statistics if one.scale is not None]
        if self.factors.reason:
            which = "No noise keeps all promises"
            if fixed:
                which = (
                    "No factor of the noise keeps all promises while the scale of "
                    f"{' and '.join(fixed)} is fixed"
                )
            sentence = f"{which}: {self.factors.reason}."
        elif least > FACTOR.high:
            sentence += (
                f" The promises need {up(least)} times as much noise as the goals allow, "
                f"and a factor is {show(FACTOR.high)} at most."
            )
        ways = []
        if least <= FACTOR.high:
            factor, _ = self.written
            ways.append(f"{factor} times as much noise as the goals allow")
        one_less = self._one_less
        if one_less:
            ways.append(f"leaving out {' or '.join(one_less)}")
        fewer = self._fewer_releases
        if fewer:
            each = " of each" if len(plan.statistics) > 1 else ""
            ways.append(f"{several(fewer, 'release')}{each}")
        if not ways:
            return sentence
        which = "Any of these makes" if len(ways) > 1 else "This makes"
        return (
            f"{sentence} {which} room for the promises: {', or '.join(ways)}."
        )

    def keeps(self, factor: float, plan: Plan | None = None) -> bool:
        """Tell whether this factor of the plan, or of another one, keeps all promises."""
        whole = plan or self.plan
        return all(promise.met(whole, factor) for promise in self.goals)

    @property
    def _one_less(self) -> list[str]:
        """The statistics without any one of which the rest keeps all promises."""
        plan = self.plan
        if len(plan.statistics) == 1:
            return []
        names = []
        for statistic in plan.statistics:
            if self.keeps(1.0, plan.without(statistic.name)):
                names.append(statistic.name)
        return names

    @property
    def _fewer_releases(self) -> int:
        """How many releases keep all promises, where all statistics have as many; 0 if none do."""
        counts = {case.releases for case in self.plan.cases}
        if len(counts) > 1:
            return 0

        def fits(releases: int) -> bool:
            return self.keeps(1.0, self.plan.with_releases(releases))

        return most(fits, max(counts) - 1)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """What becomes of each statistic: its name, and its precision and share in words."""
        if self.factor is None:
            return ()
        rows = []
        shares = self.plan.shares(self.factor)
        for statistic, scale, share in zip(
            self.plan.statistics, self.scales, shares, strict=True
        ):
            noise = f"noise of scale {up(scale, statistic.case.measured, 6)}"
            precision = statistic.achieved(scale)
            used = f"{percent(share)} of what all use up (ρ)"
            rows.append((statistic.name, f"{noise}: {precision}; {used}"))
        return tuple(rows)


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Sheet, PlanDecision):
    """A decision about a plan, to take away. `PlanDecision.record` makes one, `load` reads one.

    Examples
    --------
    >>> from dpwidgets.decisions import plan
    >>> decision = plan.decide("beds: published=count, error=5", total=1, delta=1e-6)
    >>> made = decision.record(names="Ann")
    >>> made.title
    'a plan of 1 statistic with ε = 0.2 for 1 release'
    >>> Record.load(made.json()) == made
    True
    """

    about_what = Plan

    @property
    def title(self) -> str:
        plan = f"a plan of {several(len(self.plan.statistics), 'statistic')}"
        if self.factor is None:
            return f"{plan}, of which nothing is published"
        return f"{plan} with {in_title(self.plan, self.factor)}"

    @property
    def tables(self) -> list[Table]:
        meanings = [(sentence,) for sentence in self.meanings]
        return [
            self._statistics,
            self._published(),
            self._goals,
            self._again,
            Table("What everything together means for a person", (), meanings),
            self._why([("the goals allow", self.sentence)]),
            otherwise(self.stress, self.goals),
        ]

    @property
    def _statistics(self) -> Table:
        """What each statistic is, how precise it must be, and what it gets."""
        gets = dict(self.rows)
        rows: list[Row] = []
        for statistic, case in zip(
            self.plan.statistics, self.plan.cases, strict=True
        ):
            name = statistic.name
            goals = [goal.sentence(case) for goal in statistic.goals]
            row: Row = (name, " ".join([case.sentence, *goals]))
            if gets:
                row += (f"It gets {gets[name]}.",)
            rows.append(row)
        return Table("The statistics", (), rows)
