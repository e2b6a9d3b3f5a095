"""The explorer of goals for a case and of the ε that meets them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dpwidgets.calculators import breach, loss
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import (
    ALTERNATIVES,
    AT_ONCE,
    EACH,
    KINDS,
    ErrorGoal,
    Goal,
    RhoGoal,
    Stress,
)
from dpwidgets.decisions.record import CaseRecord
from dpwidgets.explorers.breach import BreachExplorer
from dpwidgets.explorers.case import CaseExplorer, of_case
from dpwidgets.explorers.interval import IntervalExplorer
from dpwidgets.explorers.recorded import RecordedExplorer
from dpwidgets.explorers.worlds import WorldsExplorer
from dpwidgets.inputs import column
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import show
from dpwidgets.page.explorer import Seen, Values
from dpwidgets.page.page import About, Shown
from dpwidgets.page.parameters import (
    LEAKAGE,
    NOISE,
    Choice,
    Column,
    Epsilon,
    Number,
    Views,
    log_grid,
    whole_grid,
)
from dpwidgets.plots import choice as plots

_ERROR = ErrorGoal.domain
#: True and False of a column that is counted are 1 and 0, and shown as these.
_records = partial(column.records, domain=column.EITHER)
_SUCCESSES = np.concatenate([log_grid(-4, -1), np.arange(11, 100) / 100])


def _use(goal: str, used: bool) -> Choice[bool]:
    """Return the switch of a kind of goal."""
    return Choice(
        used,
        {True: "counts", False: "is left out"},
        f"Goal: {goal}",
        argument=False,
        control="switch",
    )


def _stressed(row: Stress, goals: Sequence[Goal[Case]]) -> str:
    """Say what becomes of the goals where something turns out otherwise."""
    fates = [
        f"{goal.kind} {outcome.said}{'' if outcome.kept else ' (not met)'}"
        for goal, outcome in zip(goals, row.outcomes, strict=True)
        if outcome.said
    ]
    return f"{row.name}: {'; '.join(fates)}"


def _of_goal(goal: Goal[Case], result: choice.CaseDecision) -> str:
    """Say what a goal asks, what it allows, how the chosen ε fares, and what it contradicts."""
    said = f"{goal.sentence(result.case)} That allows {result.allowed(goal)}"
    if result.met:
        met = result.met[result.goals.index(goal)]
        does = "meets" if met else "breaks"
        said += f"; the chosen one {does} it"
    pairs = [(one.precise, one.promise) for one in result.choice.conflicts]
    others = [
        other.kind
        for pair in pairs
        for other in pair
        if goal in pair and other != goal
    ]
    if others:
        said += f". It contradicts: {', '.join(others)}"
    return f"{said}."


def _parameters(kind: type[Goal[Any]]) -> tuple[str, ...]:
    """Return the parameters of a kind of goal: its limit, its column, and the others.

    They are named as the keywords of `choice.decide`, which the goal declares.
    """
    limit, *others = kind.keywords().values()
    if kind.from_data:
        return limit, "values", *others
    return limit, *others


class ChoiceExplorer(RecordedExplorer, CaseExplorer):
    """Goals for a case, the noise that each allows, and the ε that you choose.

    Examples
    --------
    >>> explorer = ChoiceExplorer(epsilon=0.2)
    >>> explorer.result.met
    (True, True, True)
    >>> explorer.half_width = 0.001
    >>> len(explorer.result.choice.conflicts)
    2
    """

    releases: Number = CaseExplorer.releases.starting(4)
    """How many such releases there are about the same people."""
    epsilon: Number = Epsilon(None, follows="suggestion")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    use_interval: Choice[bool] = _use("interval", True)
    """Whether the interval goal counts."""
    half_width: Number = IntervalExplorer.half_width.starting(0.05)
    """Half the width of the interval, as a share of the count: 0.2 is ±20%."""
    interval_cells: Choice[str] = Choice(
        EACH, {EACH: "each number", AT_ONCE: "all at once"}, "It holds for"
    )
    """Of a table or of groups, whether each number lies so close, or all do together."""
    use_error: Choice[bool] = _use("error", False)
    """Whether the error goal counts."""
    error: Number = Number(
        10.0,
        _ERROR,
        log_grid(-2, 3),
        "Error on average",
        "in the unit of what is published",
        ends=NOISE,
    )
    """How far off the published number may be on average."""
    use_belief: Choice[bool] = _use("belief", True)
    """Whether the belief goal counts."""
    posterior: Number = BreachExplorer.posterior.starting(0.4)
    """What somebody may believe about you after the answer."""
    use_success: Choice[bool] = _use("success", False)
    """Whether the success goal counts."""
    success: Number = Number(
        0.6,
        breach.POSTERIOR,
        _SUCCESSES,
        "Success",
        "of an attack",
        ends=LEAKAGE,
    )
    """How often an attacker may be right who guesses one of so many equally likely values."""
    alternatives: Number = Number(
        2,
        ALTERNATIVES,
        whole_grid(4)[1:],
        "Alternatives",
        "equally likely values that are guessed",
    )
    """Of how many equally likely values an attacker guesses one that is true of a person."""
    use_risk: Choice[bool] = _use("risk", False)
    """Whether the risk goal counts."""
    risk: Number = WorldsExplorer.risk.starting(1 / 3)
    """How probable any guess may become."""
    values: Column = Column(
        (1,) * 400 + (0,) * 1600, _records, "Values", "records"
    )
    """One number for each record, 0 or 1 for a count; a name and a colon may stand before."""
    use_budget: Choice[bool] = _use("budget", True)
    """Whether the budget goal counts."""
    total: Number = Number(
        1.0,
        loss.TOTAL,
        log_grid(0, 2),
        "ε of all",
        "of all releases, with others'",
        ends=LEAKAGE,
    )
    """The ε that all releases about these people may have together."""
    use_rho: Choice[bool] = _use("rho", False)
    """Whether the rho goal counts."""
    rho: Number = Number(
        0.1,
        RhoGoal.domain,
        log_grid(-4, 1),
        "ρ of all",
        "of all releases, with others'",
        ends=LEAKAGE,
    )
    """The ρ (zCDP) that all releases about these people may have together."""
    view: Views = Views(
        goals=("Goals", plots.Goals),
        stress=("Stress", plots.UnderStress),
    )
    """Which picture is shown."""
    calculator = choice.decide
    kind = CaseRecord
    goals: ClassVar[Mapping[str, tuple[str, ...]]] = {
        name: _parameters(kind) for name, kind in KINDS.items()
    }

    def unused(self, now: Values) -> set[str]:
        unused = super().unused(now)
        if "cells" in unused and ("groups" in unused or not now["groups"]):
            unused = unused | {"interval_cells"}
        return unused

    def grids(
        self, result: choice.CaseDecision, now: Values
    ) -> dict[str, FloatArray]:
        grids = super().grids(result, now)
        # A column that counts says how many people there are.
        if now["use_risk"]:
            grids["n"] = np.array([float(len(now["values"]))])
        return grids

    def notes(self, result: choice.CaseDecision, now: Values) -> list[str]:
        if now["view"] == "stress":
            return []
        warned = [f"⚠ {result.warning}"] if result.warning else []
        broken = [
            _of_goal(goal, result)
            for goal, met in zip(result.goals, result.met, strict=False)
            if not met
        ]
        return [*warned, *broken, *result.case.public_n]

    def rows_of(
        self, result: choice.CaseDecision, now: Values
    ) -> list[tuple[str, str]]:
        if now["view"] == "stress":
            return [
                (row.name, _stressed(row, result.goals))
                for row in result.stress
            ]
        return [(goal.kind, _of_goal(goal, result)) for goal in result.goals]

    def below(self) -> list[About]:
        options = {
            "kind": "presses",
            "name": "options",
            "label": "Choose inside the range",
        }
        return [options, *super().below()]

    def beside(self, seen: Seen) -> Shown:
        allowed = seen.result.choice
        labels = [
            [f"{one.name}: ε = {show(one.epsilon, 10)}", one.buys]
            for one in allowed.options
        ]
        return {**super().beside(seen), "options": {"options": labels}}

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name == "options":
            option = self.result.choice.options[int(event["place"])]
            self._go(self._moved(self.state, "epsilon", option.epsilon))
        else:
            super().asked(name, event)

    def shows(self, record: CaseRecord) -> tuple[dict[str, Any], str]:
        goals = self.goals_of(record)
        if not record.goals:
            raise ValueError("this record has no goals")
        sentence = (
            f"The record of ε = {show(record.epsilon or 0.0, 6)} is back"
        )
        if record.from_data:
            goals["use_risk"] = False
            sentence += "; it holds no data, so bring the column again and let its goal count"
        values = of_case(record.case) | goals
        values["epsilon"] = record.epsilon
        return values, f"{sentence}."
