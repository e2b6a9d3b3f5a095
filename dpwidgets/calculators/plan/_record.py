"""The record of a plan: each statistic a row, and the promises once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from dpwidgets.calculators.case import ALL, Case
from dpwidgets.calculators.choice import (
    Facts,
    Goal,
    Sheet,
    Table,
    answers,
    clipped,
    people_said,
    unpromised,
)
from dpwidgets.calculators.plan._chosen import FACTOR, Chosen
from dpwidgets.calculators.plan._plan import Plan
from dpwidgets.calculators.plan._statistic import Statistic
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import described

#: The fields of a plan that are about people.
OF_PEOPLE = ("delta", "used", "used_delta", "household", "prior")


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(Sheet):
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
    >>> from dpwidgets.calculators import plan
    >>> decision = plan.decide("beds: published=count, error=5", total=1, delta=1e-6)
    >>> made = decision.record(names="Ann")
    >>> made.title
    'a plan of 1 statistic with ε = 0.2'
    >>> Record.load(made.json()) == made
    True
    """

    plan: Plan
    factor: float | None

    program: ClassVar[str] = "dpwidgets record of a plan"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor is not None:
            object.__setattr__(self, "factor", FACTOR.check_one("factor", self.factor))

    @cached_property
    def chosen(self) -> Chosen:
        """The plan and the factor."""
        return Chosen(self.plan, self.factor)

    @property
    def title(self) -> str:
        many = len(self.plan.statistics)
        plan = f"a plan of {many} statistic{'s' if many > 1 else ''}"
        if self.factor is None:
            return f"{plan}, of which nothing is published"
        total = show(self.plan.total(self.factor), 4, up=True)
        return f"{plan} with ε = {total}{self.plan.at(ALL)}"

    @property
    def verdict(self) -> str:
        refused = "" if self.factor is not None else "Nothing is published. "
        return (
            f"{refused}This record may be published if all that people entered is public: nothing "
            "in it was computed from secret data."
        )

    @property
    def tables(self) -> list[Table]:
        plan, said = self.plan, self.said
        published = people_said(said, "about", "use", "whom", "region")
        published += [("a warning", one) for case in plan.cases for one in case.warnings]
        published += people_said(said, "unprotected", "processing", "attacker")
        why = people_said(said, "reasons")
        why += [("the goals allow", self.chosen.sentence), *people_said(said, "rejected")]
        meant = [(one,) for one in self.chosen.meanings]
        several = dict.fromkeys(one for case in plan.cases for one in clipped(case))
        unsaid = [(one,) for one in (*unpromised(plan), *several)]
        made = [
            Table("What is published", (), published),
            self._statistics,
            self._promises,
            Table("What everything together means for a person", (), meant),
            Table("Why", (), why),
            Table("What is not promised", (), unsaid),
            answers(said),
        ]
        return [table for table in made if table.rows]

    @property
    def _statistics(self) -> Table:
        rows = [
            (one.name, " ".join([case.sentence, *(goal.sentence(case) for goal in one.goals)]))
            for one, case in zip(self.plan.statistics, self.plan.cases, strict=True)
        ]
        if self.factor is None:
            return Table("The statistics", ("", "what, and how precise"), rows)
        gives = [said for _, said in self.chosen.rows]
        full = [(*row, one) for row, one in zip(rows, gives, strict=True)]
        return Table("The statistics", ("", "what, and how precise", "what it gets"), full)

    @property
    def _promises(self) -> Table:
        title, header = "What is promised to people", ("", "promise", "what all noise gives", "met")
        rows = []
        for place, promise in enumerate(self.plan.promises):
            row = [promise.kind, promise.sentence(self.plan.as_case)]
            if self.factor is not None:
                row.append(promise.achieved(self.plan.as_case, self.factor))
                row.append("yes" if self.chosen.met[place] else "NO")
            rows.append(tuple(row))
        rows = rows or [("", "nothing")]
        return Table(title, header[: len(rows[0])], rows)

    @property
    def facts(self) -> Facts:
        if self.factor is None:
            raise ValueError("an entry of the registry needs an ε; nothing is published")
        own = Plan(statistics=self.plan.statistics, delta=self.plan.delta)
        noise = [
            f"{name}: {case.mechanism} noise of scale {case.measured(scale, 6)} on each number."
            for name, case, scale in self.releases
        ]
        return Facts(
            what=" ".join(f"{name}: {case.what}" for name, case, _ in self.releases),
            epsilon=own.total(self.factor),
            delta=own.delta_of(ALL),
            rho=own.rho(self.factor),
            neighbours=" ".join(f"{name}: {case.step}" for name, case, _ in self.releases),
            releases=own.counted(ALL)[0],
            composition="The losses of all releases are added as independent variables.",
            noise=" ".join(noise),
        )

    @property
    def releases(self) -> list[tuple[str, Case, float]]:
        names, scales = [one.name for one in self.plan.statistics], self.chosen.scales
        return list(zip(names, self.plan.cases, scales, strict=True)) if scales else []

    def content(self) -> dict[str, Any]:
        plan = {name: getattr(self.plan, name) for name in OF_PEOPLE} | {
            "statistics": [one.line() for one in self.plan.statistics],
            "promises": [one.to_dict() for one in self.plan.promises],
        }
        return super().content() | {"plan": plan}

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> Self:
        plan = content["plan"]
        names = {*OF_PEOPLE, "statistics", "promises"}
        if not isinstance(plan, dict) or plan.keys() != names:
            raise ValueError(f"a plan has {', '.join(sorted(names))}; got {described(plan)}")
        for name in ("statistics", "promises"):
            if not isinstance(plan[name], list):
                raise TypeError(f"{name} must be a list; got {described(plan[name])}")
        read = {
            "statistics": [Statistic.read(line) for line in plan["statistics"]],
            "promises": [Goal.from_dict(one) for one in plan["promises"]],
        }
        content["plan"] = Plan(**plan | read)
        return cls(**content)
