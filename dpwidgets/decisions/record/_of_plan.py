"""The factor of a plan's noise that is chosen, and the record of it."""

from __future__ import annotations

from dataclasses import dataclass

from dpwidgets.decisions.case import in_title
from dpwidgets.decisions.goals import RECORDS, Row, Table
from dpwidgets.decisions.plan import Plan, PlanDecision
from dpwidgets.decisions.record._record import Record
from dpwidgets.inputs.notation import (
    several,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PlanRecord(Record, PlanDecision):
    """A decision about a plan, to take away. `PlanDecision.record` makes one, `load` reads one.

    Examples
    --------
    >>> from dpwidgets.decisions import plan
    >>> decision = plan.decide("beds: published=count, error=5", total=1, delta=1e-6)
    >>> made = decision.record(names="Ann")
    >>> made.title
    'A plan of 1 statistic with ε = 0.2 for 1 release'
    >>> PlanRecord.load(made.json()) == made
    True
    """

    @property
    def title(self) -> str:
        plan = f"A plan of {several(len(self.plan.statistics), 'statistic')}"
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
            Table("What everything together means for a person", (), meanings),
            self._why([("the goals allow", self.sentence)]),
        ]

    def _scales(self, digits: int) -> tuple[float, ...]:
        return self.plan.scales(self.factor or 1.0, digits)

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


RECORDS[Plan] = PlanRecord
