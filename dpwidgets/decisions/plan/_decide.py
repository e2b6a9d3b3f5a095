"""From lines of text and limits to a plan, and the factor of its noise."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Unpack

from dpwidgets.calculators.loss import DELTA_OR_NONE
from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import (
    Limits,
    PeopleFields,
    after,
    always_clause,
    guesses,
    in_all,
)
from dpwidgets.decisions.goals import (
    KINDS,
    Decision,
    Feasible,
    Promise,
    Promised,
)
from dpwidgets.decisions.plan._plan import Plan
from dpwidgets.decisions.plan._statistic import Statistic
from dpwidgets.inputs.domain import Domain, DomainError, within
from dpwidgets.inputs.notation import (
    down,
    listed,
    percent,
    rounded,
    several,
    show,
    up,
)
from dpwidgets.inputs.outside import check_keywords, described

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
    def least(self) -> str:
        """The least factor that keeps all promises, rounded up but not above one that does."""
        least = rounded(self.factors.low, up=True)
        if self.factor and all(self.met):
            least = min(least, self.factor)
        return show(least if least > FACTOR.low else 0, 10)

    @property
    def in_all(self) -> str:
        """The ε of everything together and its δ, in words; nothing without a factor."""
        if self.factor is None:
            return ""
        return in_all(self.plan, self.factor)

    @property
    def sentence(self) -> str:
        """Which factors keep everything, what the chosen one gives, and what can be done."""
        if self.factors.empty:
            sentence = self.ways_out
        else:
            ends = {
                "0": "Every factor of the noise up to 1 keeps",
                "1": "Only the factor 1 of the noise keeps",
            }
            between = f"Factors of the noise from {self.least} to 1 keep"
            keep = ends.get(self.least, between)
            sentence = f"{keep} all promises and all goals."
        if self.factor is None:
            return sentence
        has = f"everything together has {self.in_all}{self.plan.dependent_clause}"
        return f"{sentence} With the factor {show(self.factor, 10)}, {has}."

    @property
    def meanings(self) -> tuple[str, ...]:
        """What all noise together means for a person, the ε first; nothing without a factor.

        With a household it is for its people, as the promises are.
        """
        if self.factor is None:
            return ()
        plan, factor = self.plan, self.factor
        every = plan.everything("has", "have")
        sentences = [
            f"{every} {self.in_all}.",
            f"{every} ρ = {up(plan.rho(factor))} (zCDP).",
        ]
        after = plan.after_everything
        for guess in guesses(plan):
            often = up(guess.right(factor), percent)
            sentences.append(guess.sentence(often, after))
        if plan.prior is not None:
            before = down(plan.prior, percent)
            believed = plan.belief(factor, plan.prior)
            always = always_clause(plan, factor, plan.prior)
            sentences.append(
                f"A{after[1:]}, a belief of {before} is at most {up(believed, percent)}"
                f"{plan.failure_clause}{always}."
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
                    f"{listed(fixed)} is fixed"
                )
            sentence = f"{which}: {self.factors.reason}."
        elif least > FACTOR.high:
            sentence += (
                f" The promises need {up(least)} times as much noise as the goals allow, "
                f"and a factor is {show(FACTOR.high)} at most."
            )
        ways = []
        if least <= FACTOR.high:
            ways.append(f"{self.least} times as much noise as the goals allow")
        one_less = self._one_less
        if one_less:
            ways.append(f"leaving out {listed(one_less, 'or')}")
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
        names = [statistic.name for statistic in plan.statistics]
        return [name for name in names if self.keeps(1.0, plan.without(name))]

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
            noise = f"noise of scale {statistic.case.measured(scale, 15)}"
            precision = statistic.achieved(scale)
            used = f"{percent(share)} of what all use up (ρ)"
            rows.append((statistic.name, f"{noise}: {precision}; {used}"))
        return tuple(rows)


class Given(Promised, PeopleFields, total=False):
    """What `decide` takes besides the statistics, a factor and a δ: promises, and the people."""


def decide(
    statistics: str | Iterable[Statistic],
    *,
    factor: float | None = None,
    delta: float = 0.0,
    **given: Unpack[Given],
) -> PlanDecision:
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
    before : sequence of Record
        Earlier records about the same people, as in `choice.decide`.
    posterior : float, optional
        What may be believed of a person, as in `BeliefGoal`.
    success : float, optional
        How often an attacker may be right, as in `SuccessGoal`.
    alternatives : int
        Of how many values that attacker guesses one.
    total : float, optional
        The ε of all releases, as in `BudgetGoal`.
    rho : float, optional
        The ρ of all releases, as in `RhoGoal`.
    household : int
        How many people's records may depend on each other, as in `Case`.
    prior : float, optional
        What an attacker believes of a person before the first release, as in
        `Case`.
    **given
        These.

    Returns
    -------
    PlanDecision
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
    promises: list[Promise[Limits]] = []
    for kind in KINDS.values():
        # What data show belongs to one statistic.
        if issubclass(kind, Promise) and not kind.from_data:
            arguments = kind.arguments(people)
            if arguments:
                promises.append(kind(**arguments))
    before = people.pop("before", ())
    plan = Plan(statistics=tuple(statistics), delta=delta, **people)
    return PlanDecision(after(plan, before), tuple(promises), None).chosen(
        factor
    )


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
