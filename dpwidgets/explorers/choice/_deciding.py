"""The explorer of goals and of the ε that meets them."""

from __future__ import annotations

from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpwidgets.calculators import choice, loss
from dpwidgets.calculators.choice import BudgetGoal, CountGoal, Goal, Record
from dpwidgets.calculators.column import MANY
from dpwidgets.explorers.breach import BreachExplorer
from dpwidgets.explorers.choice._boxes import ColumnUpload, RecordBox
from dpwidgets.explorers.interval import IntervalExplorer
from dpwidgets.explorers.loss import LossExplorer
from dpwidgets.explorers.worlds import WorldsExplorer
from dpwidgets.plots import choice as plots
from dpwidgets.widgets.base import Explorer
from dpwidgets.widgets.boxes import VBox
from dpwidgets.widgets.parameters import Choice, Epsilon, Number, Numbers, Views, log_grid

_GOALS = {
    "count": ("count", "half_width", "confidence"),
    "risk": ("values", "query", "risk"),
    "breach": ("prior", "posterior"),
    "budget": ("releases", "total", "delta", "mechanism"),
}


def _use(goal: str, used: bool) -> Choice[bool]:
    return Choice(
        used,
        {True: "counts", False: "is left out"},
        label="This goal",
        help=f"Whether the {goal} goal counts.",
        argument=False,
    )


class ChoiceExplorer(Explorer):
    """Goals of four kinds, the ε that each allows, and the one that you choose.

    Examples
    --------
    >>> explorer = ChoiceExplorer(use_risk=False)
    >>> explorer.result.choice.feasible.allows(0.5)
    True
    >>> explorer.half_width = 0.001
    >>> len(explorer.result.choice.conflicts)
    1
    """

    goal: Choice[str] = Choice(
        "count",
        {
            "count": "a count",
            "risk": "identification",
            "breach": "beliefs",
            "budget": "several releases",
        },
        label="Goal about",
        help="Which goal's controls are shown.",
        argument=False,
    )
    """Which goal's controls are shown."""
    use_count: Choice[bool] = _use("count", True)
    """Whether the count goal counts."""
    use_risk: Choice[bool] = _use("risk", True)
    """Whether the risk goal counts."""
    use_breach: Choice[bool] = _use("breach", True)
    """Whether the breach goal counts."""
    use_budget: Choice[bool] = _use("budget", False)
    """Whether the budget goal counts."""
    count: Number = copy(IntervalExplorer.count)
    """The count that the interval surrounds: a public reference, never the secret itself."""
    half_width: Number = copy(IntervalExplorer.half_width)
    """Half the width of the interval, as a share of the count: 0.2 is ±20%."""
    confidence: Number = copy(IntervalExplorer.confidence)
    """How often the noisy answer lies in the interval."""
    values: Numbers = copy(WorldsExplorer.values)
    """One number for each record; a name and a colon may stand before it."""
    query: Choice[str] = copy(WorldsExplorer.query)
    """What is asked about the records that are left."""
    risk: Number = copy(WorldsExplorer.risk)
    """How probable any guess may become."""
    prior: Number = copy(BreachExplorer.prior)
    """What somebody may believe about you before the answer."""
    posterior: Number = copy(BreachExplorer.posterior)
    """What somebody may believe about you after it."""
    releases: Number = Number(
        12,
        domain=loss.COUNT,
        grid=np.unique(log_grid(0, 3).round()),
        label="Releases (k)",
        unit="with independent noise",
        help="How many releases there will be.",
    )
    """How many releases there will be."""
    total: Number = Number(
        1.0,
        domain=loss.TOTAL,
        grid=log_grid(-2, 1),
        label="ε of all",
        unit="of all releases together",
        help="The budget that all releases share.",
    )
    """The budget that all releases share."""
    delta: Number = copy(LossExplorer.delta)
    """The δ at which the ε of all releases together is read."""
    mechanism: Choice[str] = Choice(
        "laplace",
        {"any": "any", "laplace": "Laplace", "gaussian": "Gaussian"},
        label="Mechanism",
        help="How each release is made.",
    )
    """How each release is made."""
    epsilon: Number = Epsilon(None, follows="suggestion")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    view: Views = Views(goals=("Goals", plots.Goals))
    """Which picture is shown."""
    calculator = choice.decide

    def unused(self) -> set[str]:
        return {
            name
            for goal, names in _GOALS.items()
            if not getattr(self, f"use_{goal}")
            for name in names
        }

    def hidden(self) -> set[str]:
        others = [(f"use_{goal}", *names) for goal, names in _GOALS.items() if goal != self.goal]
        return super().hidden() | {name for names in others for name in names}

    def say(self, result: choice.Decision) -> str:
        return result.sentence

    def notes(self, result: choice.Decision) -> list[str]:
        fares = zip(result.goals, ("meets" if met else "breaks" for met in result.met), strict=True)
        said = [
            f"{goal.sentence} That allows {goal.interval()}; the chosen one {fate} it."
            for goal, fate in fares
        ]
        return said + ([f"⚠ {result.warning}"] if result.warning else [])

    def slow(self) -> set[str]:
        return set(self.controls) if len(self.values) > MANY else set()

    def below(self) -> list[VBox]:
        self.column_upload = ColumnUpload(partial(self._assign, "values"))
        self.record_box = RecordBox(self.record, self._bring)
        self.observe(lambda _: self.record_box.clear(), "result")
        return [self.column_upload, self.record_box]

    def record(self, about: str = "", names: str = "", date: str = "") -> Record:
        """Return the record of the present decision.

        Parameters
        ----------
        about, names, date : str
            What is released, who decided, and when. Nothing is filled in.

        Returns
        -------
        Record
            The record; it holds none of the column's values.
        """
        made: Record = self.result.record(about=about, names=names, date=date)
        return made

    def save(self, path: str | Path) -> None:
        """Write the record, with its fields, to a file in .md or .json; to another, the picture."""
        if Path(path).suffix in (".md", ".json"):
            self.record(**self.record_box.words).save(path)
        else:
            super().save(path)

    def load(self, source: str | bytes | Path) -> None:
        """Take goals and ε from a record, as `choice.Record.load` reads it.

        Raises
        ------
        ValueError
            If it is no record, or one that this explorer cannot show; the explorer stays as it is.
        """
        self._bring(Record.load(source))

    def _bring(self, record: Record) -> str:
        state: dict[str, Any] = {f"use_{kind}": False for kind in _GOALS}
        for goal in record.goals:
            if isinstance(goal, CountGoal) and goal.count is None:
                raise ValueError("this record keeps a count secret; the explorer needs it")
            if state[f"use_{goal.kind}"]:
                raise ValueError(
                    f"this record has two goals about {goal.kind}; here is room for one"
                )
            state |= {f"use_{goal.kind}": True, **_settings_of(goal)}
        if not record.goals:
            raise ValueError("this record has no goals")
        self._restore({**state, "epsilon": record.epsilon})
        for name, field in self.record_box.fields.items():
            field.value = getattr(record, name)
        needs = "; it holds no data, so bring the column again" if record.from_data else ""
        return f"The record of ε = {record.epsilon:g} is back{needs}."


def _settings_of(goal: Goal) -> dict[str, Any]:
    """Return a goal as the explorer's parameters; a column is not in a record."""
    if isinstance(goal, BudgetGoal):
        kept = {"releases": goal.releases, "total": goal.epsilon, "delta": goal.delta}
        return kept | {"mechanism": goal.mechanism}
    return {name: getattr(goal, name) for name in _GOALS[goal.kind] if hasattr(goal, name)}
