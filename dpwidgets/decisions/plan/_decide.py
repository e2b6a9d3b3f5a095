"""A plan of lines of text and limits, the factor of its noise that is chosen, and its record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self, TypedDict, Unpack

from dpwidgets.calculators.loss import DELTA_OR_NONE
from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import ALL, HOUSEHOLD, MEMBERS
from dpwidgets.decisions.choice import (
    KINDS,
    WORDS,
    BeliefGoal,
    Goal,
    Promise,
    Row,
    Sheet,
    Table,
    adding_up,
    by_size,
)
from dpwidgets.decisions.plan._plan import OF_PEOPLE, Plan, Statistic
from dpwidgets.inputs.domain import Domain, DomainError, within
from dpwidgets.inputs.notation import down, fewest, percent, rounded, show, up
from dpwidgets.inputs.outside import (
    check_keywords,
    described,
    fields_of,
    list_of,
)

FACTOR: Domain = within(1e-6, 1e6)


@dataclass(frozen=True)
class Decision:
    """A plan, and the factor of its noise that is chosen. `decide` makes it.

    Attributes
    ----------
    plan : Plan
        The plan.
    factor : float or None
        The factor of every statistic's largest noise; None where none keeps
        the promises.
    """

    plan: Plan
    factor: float | None

    @property
    def suggestion(self) -> float | None:
        """The factor that `decide` takes where none is given; None where no factor is so large."""
        factors = self.plan.factors
        needed = max(1.0, factors.low)
        return None if factors.reason or needed > FACTOR.high else needed

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
        if self.factor is None:
            return ()
        return tuple(
            one.met(self.plan.as_case, self.factor)
            for one in self.plan.promises
        )

    @cached_property
    def written(self) -> tuple[str, str]:
        """The least factor that keeps all promises, and the chosen one, as texts, rounded up.

        They have as many digits as it takes: what is written keeps what the
        factor keeps, and breaks what it breaks.
        """
        plan, factor = self.plan, 1.0 if self.factor is None else self.factor
        least = plan.factors.low if plan.factors.low > FACTOR.low else 0.0

        def kept(factor: float) -> list[bool]:
            return [
                factor <= 1,
                *(one.met(plan.as_case, factor) for one in plan.promises),
            ]

        digits = fewest(
            lambda digits: (
                kept(rounded(factor, digits, up=True)) == kept(factor)
            )
        )
        return up(least, show, digits), up(factor, show, digits)

    @property
    def whole(self) -> str:
        """The ε of everything together and its δ, in words; nothing without a factor."""
        if self.factor is None:
            return ""
        total = up(self.plan.total(self.factor, self.reach))
        return f"ε = {total}{self.plan.delta_clause(self.reach)}"

    @property
    def sentence(self) -> str:
        """Which factors keep everything, what the chosen one gives, and what can be done."""
        plan, (least, factor) = self.plan, self.written
        which = f"Factors of the noise from {least} to 1 keep"
        which = (
            "Every factor of the noise up to 1 keeps"
            if least == "0"
            else which
        )
        said = f"{which} all promises and all goals."
        if plan.factors.empty:
            said = self.ways_out
        if self.factor is None:
            return said
        people = plan.people(self.reach)
        whom = (
            f", for {people:,} people with dependent records,"
            if people > 1
            else ""
        )
        return f"{said} With the factor {factor}, everything together{whom} has {self.whole}."

    @property
    def meanings(self) -> tuple[str, ...]:
        """What all noise together means for a person, in sentences; nothing without a factor.

        With a household it is for its people, as the promises are.
        """
        if self.factor is None:
            return ()
        plan, factor, reach = self.plan, self.factor, self.reach
        count, people = plan.counted(reach)
        every = (
            f"{plan.releases_clause(reach)} {'have' if count > 1 else 'has'}"
        )
        said = [f"{every} {self.whole}."]
        if not plan.used_delta:
            said.append(f"{every} ρ = {up(plan.rho(factor, reach))} (zCDP).")
        if plan.prior is not None:
            before, after = (
                down(plan.prior, percent),
                "all of them" if count > 1 else "the release",
            )
            whom = (
                f", for one of {people:,} with dependent records"
                if people > 1
                else ""
            )
            right = up(plan.success(factor, plan.prior, reach), percent)
            belief = up(
                BeliefGoal(0.5, reach=reach).reached(plan.as_case, factor),
                percent,
            )
            said += [
                f"An attacker who is right about a person in {before} of cases is right in at most "
                f"{right} after {after}{whom}.",
                f"A belief of {before} rises to at most {belief}{whom}"
                f"{plan.failure_clause(reach)}.",
            ]
        return tuple(said)

    @cached_property
    def ways_out(self) -> str:
        """What would make room where no factor keeps all promises and all goals."""
        plan, factors = self.plan, self.plan.factors
        if factors.reason:
            return f"No noise keeps all promises: {factors.reason}."
        ways, none = [], "No noise keeps all promises and all goals."
        if factors.low <= FACTOR.high:
            ways.append(
                f"{self.written[0]} times as much noise as the goals allow"
            )
        if len(plan.statistics) > 1:
            left = [
                one.name
                for one in plan.statistics
                if plan.without(one.name).keeps(1.0)
            ]
            if left:
                ways.append(f"leaving out {' or '.join(left)}")
        counts = {case.releases for case in plan.cases}
        largest = max(counts) - 1 if len(counts) == 1 else 0
        fits = most(
            lambda releases: plan.with_releases(releases).keeps(1.0), largest
        )
        if fits:
            each = " of each" if len(plan.statistics) > 1 else ""
            ways.append(f"{fits:,} release{'s' if fits > 1 else ''}{each}")
        if factors.low > FACTOR.high:
            none += f" The promises need {up(factors.low)} times as much noise as the goals allow, "
            none += f"and a factor is {show(FACTOR.high)} at most."
        if not ways:
            return none
        which = "Any of these makes" if len(ways) > 1 else "This makes"
        return f"{none} {which} room for the promises: {', or '.join(ways)}."

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """What becomes of each statistic: its name, and its precision and share in words."""
        if self.factor is None:
            return ()
        rows, shares = [], self.plan.shares(self.factor)
        for one, scale, share in zip(
            self.plan.statistics, self.scales, shares, strict=True
        ):
            noise = (
                f"noise of scale {one.written(scale)}: {one.achieved(scale)}"
            )
            rows.append(
                (one.name, f"{noise}; {percent(share)} of what all use up (ρ)")
            )
        return tuple(rows)

    def record(self, **words: str) -> Record:
        """Return the record of this decision, with what people say: see `choice.Sheet`."""
        check_keywords("record", words, (*WORDS, "version"))
        return Record(plan=self.plan, factor=self.factor, **words)


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Sheet, Decision):
    """A decision about a plan, to take away. `Decision.record` makes one, `Record.load` reads one.

    Parameters
    ----------
    plan : Plan
        What is published, and what is promised.
    factor : float or None
        The chosen factor of the noise; None where nothing is published.
    about, use, whom, …, version : str
        What people say, and which version of dpwidgets made it: see `Sheet`.

    Raises
    ------
    TypeError, ValueError
        If a field is not what it must be.

    Examples
    --------
    >>> from dpwidgets.decisions import plan
    >>> decision = plan.decide("beds: published=count, error=5", total=1, delta=1e-6)
    >>> made = decision.record(names="Ann")
    >>> made.title
    'a plan of 1 statistic with ε = 0.2'
    >>> Record.load(made.json()) == made
    True
    """

    program: ClassVar[str] = "dpwidgets record of a plan"
    computed: ClassVar[str] = "nothing in it was computed from secret data"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor is not None:
            object.__setattr__(
                self, "factor", FACTOR.check_one("factor", self.factor)
            )

    @property
    def title(self) -> str:
        many = len(self.plan.statistics)
        plan = f"a plan of {many} statistic{'s' if many > 1 else ''}"
        if self.factor is None:
            return f"{plan}, of which nothing is published"
        people = self.plan.people(self.reach)
        whom = (
            f" for {people:,} people with dependent records"
            if people > 1
            else ""
        )
        return f"{plan} with {self.whole}{whom}"

    @property
    def together(self) -> tuple[Plan, float | None]:
        return self.plan, self.factor

    @property
    def tables(self) -> list[Table]:
        plan, cases = self.plan, self.plan.cases
        statistics = []
        for one, case in zip(plan.statistics, cases, strict=True):
            goals = [goal.sentence(case) for goal in one.goals]
            statistics.append((one.name, " ".join([case.sentence, *goals])))
        promises = [
            (one.kind, one.sentence(plan.as_case)) for one in plan.promises
        ]
        promises = promises or [("", "nothing")]
        gets = ("", "what, and how precise", "what it gets")
        header = ("", "promise", "what all noise gives", "met")
        said = [(one,) for one in self.meanings]
        warnings = dict.fromkeys(
            one for case in cases for one in case.warnings
        )
        facts: list[Row] = [("a warning", one) for one in warnings]
        gives: list[Row] = []
        if self.factor is not None:
            facts += by_size(plan.named(self.factor))
            facts += adding_up(plan.named(self.factor))
            for promise, met in zip(plan.promises, self.met, strict=True):
                achieved = promise.achieved(plan.as_case, self.factor)
                gives.append((achieved, "yes" if met else "NO"))
        return [
            self._published(facts, []),
            self._judged(
                "The statistics",
                gets,
                statistics,
                [row[1:] for row in self.rows],
            ),
            self._judged(
                "What is promised to people", header, promises, gives
            ),
            Table("What everything together means for a person", (), said),
            self._why([("the goals allow", self.sentence)]),
            self._unpromised(cases),
        ]

    def content(self) -> dict[str, Any]:
        plan = {name: getattr(self.plan, name) for name in OF_PEOPLE} | {
            "statistics": [one.line() for one in self.plan.statistics],
            "promises": [one.to_dict() for one in self.plan.promises],
        }
        return super().content() | {"plan": plan}

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> Self:
        plan = content["plan"]
        if isinstance(plan, dict):
            # Which a record of an earlier version lacks.
            plan = {"used_rho": 0.0} | plan
        plan = fields_of(
            "a plan", (*OF_PEOPLE, "statistics", "promises"), plan
        )
        lines, promises = (
            list_of(name, plan[name]) for name in ("statistics", "promises")
        )
        plan["statistics"] = [Statistic.read(line) for line in lines]
        plan["promises"] = [Goal.from_dict(one) for one in promises]
        content["plan"] = Plan(**plan)
        return cls(**content)


class Given(TypedDict, total=False):
    """What `decide` takes besides the statistics, a factor and a δ: promises, and the people."""

    posterior: float | None
    advantage: float | None
    success: float | None
    total: float | None
    rho: float | None
    used: float
    used_delta: float
    used_rho: float
    household: int
    prior: float | None


def decide(
    statistics: str | Iterable[Statistic],
    *,
    factor: float | None = None,
    delta: float = 0.0,
    **given: Unpack[Given],
) -> Decision:
    r"""Choose a factor of the noise for a plan.

    Parameters
    ----------
    statistics : str or sequence of Statistic
        The statistics: a line for each, as `Statistic.read` reads it.
    factor : float, optional
        The factor of every statistic's largest noise, from 1e-6 to 1e6. By
        default 1, the most private that all goals of precision allow; where
        that keeps not all promises, the least that does.
    delta : float
        The δ at which everything is read, and each statistic with Gaussian
        noise where its line says no other.
    posterior : float, optional
        What may be believed of a person, as in `BeliefGoal`. Each of these
        promises is for all releases, and for a household of more than one
        person.
    advantage : float, optional
        The advantage that a test may have, as in `AdvantageGoal`.
    success : float, optional
        How often an attacker may be right, as in `SuccessGoal`.
    total : float, optional
        The ε of all releases, as in `BudgetGoal`.
    rho : float, optional
        The ρ of all releases, as in `RhoGoal`.
    used, used_delta, used_rho : float
        The ε that other releases about these people have used up, the δ at
        which it holds, and their ρ, as in `Case`.
    household : int
        How many people's records may depend on each other, as in `Case`.
    prior : float, optional
        What an attacker believes of a person before the first release, as in
        `Case`.
    **given
        These.

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
    No noise keeps all promises and all goals. Any of these makes room for the promises: 2.78 times
    as much noise as the goals allow, or leaving out visits. With the factor 2.78, everything
    together has ε = 1.5 and δ = 1e-6.
    """
    check_keywords(
        "decide",
        given,
        ("statistics", "factor", "delta", *Given.__annotations__),
    )
    delta = DELTA_OR_NONE.check_one("delta", delta)
    if isinstance(statistics, str):
        statistics = _read(statistics, delta)
    elif not isinstance(statistics, Iterable):
        raise TypeError(
            f"statistics must be lines or Statistics; got {described(statistics)}"
        )
    people: dict[str, Any] = dict(given)
    household = MEMBERS.check_one("household", people.pop("household", 1))
    reach = HOUSEHOLD if household > 1 else ALL
    promises: list[Promise] = []
    for kind in KINDS.values():
        # What data show belongs to one statistic.
        if issubclass(kind, Promise) and not kind.from_data:
            limit = people.pop(kind.limits, None)
            if limit is not None:
                promises.append(kind(**{kind.limits: limit, "reach": reach}))
    plan = Plan(
        statistics=tuple(statistics),
        promises=tuple(promises),
        delta=delta,
        household=int(household),
        **people,
    )
    made = Decision(_kept(plan), None)
    chosen = (
        made.suggestion
        if factor is None
        else FACTOR.check_one("factor", factor)
    )
    return replace(made, factor=chosen)


@lru_cache(maxsize=4)
def _kept(plan: Plan) -> Plan:
    """Return the same plan as before: while only the factor moves, it promises what it did."""
    return plan


# While only the factor moves, the lines stay.
@lru_cache(maxsize=4)
def _read(text: str, delta: float) -> tuple[Statistic, ...]:
    """Read a line for each statistic, and say which line is none."""
    read = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                read.append(Statistic.read(line, delta=delta))
        except (TypeError, ValueError) as error:
            raise DomainError(
                "statistics", f"line {number}: {error}"
            ) from None
    return tuple(read)
