"""The explorer of goals for a case and of the ε that meets them."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from dpwidgets.calculators import breach, loss
from dpwidgets.decisions import choice
from dpwidgets.decisions.choice import (
    KINDS,
    REACHES,
    Case,
    ErrorGoal,
    Record,
    RhoGoal,
)
from dpwidgets.explorers.breach import BreachExplorer
from dpwidgets.explorers.brought import Brought
from dpwidgets.explorers.case import CaseExplorer, controls_of, of_case
from dpwidgets.explorers.interval import IntervalExplorer
from dpwidgets.explorers.worlds import WorldsExplorer
from dpwidgets.inputs import column
from dpwidgets.inputs.domain import PROBABILITY, DomainError, FloatArray
from dpwidgets.inputs.notation import show
from dpwidgets.page.explorer import Seen, Values
from dpwidgets.page.page import About, Shown
from dpwidgets.page.parameters import (
    Choice,
    Epsilon,
    Limit,
    Number,
    Numbers,
    Views,
    log_grid,
)
from dpwidgets.plots import choice as plots

_REACHES = dict(
    zip(
        REACHES,
        ("one release", "all releases", "all, and a household"),
        strict=True,
    )
)
_TOTALS = {reach: _REACHES[reach] for reach in REACHES[1:]}
_ERROR = ErrorGoal.domain
#: True and False of a column that is counted are 1 and 0, and shown as these.
_records = partial(column.records, domain=column.EITHER)
_SUCCESSES = np.concatenate([log_grid(-4, -1), np.arange(11, 100) / 100])


def _use(goal: str, used: bool) -> Choice[bool]:
    counts = {True: "counts", False: "is left out"}
    return Choice(
        used, counts, f"Goal: {goal}", argument=False, control="switch"
    )


def _reach(options: Mapping[str, str]) -> Choice[str]:
    return Choice(next(iter(options)), options, "It holds for")


def _stressed(row: choice.Stress, goals: Sequence[choice.Goal]) -> str:
    """Say what becomes of the goals where something turns out otherwise."""
    said = []
    for goal, one in zip(goals, row.outcomes, strict=True):
        if one.said:
            said.append(
                f"{goal.kind} {one.said}{'' if one.kept else ' (not met)'}"
            )
    return f"{row.name}: {'; '.join(said)}"


def _keywords(kind: type[choice.Goal]) -> tuple[str, ...]:
    """Return the parameters of a kind of goal: its limit, its column, and what it holds for."""
    limit, *others = kind.keywords().values()
    return (limit, "values", *others) if kind.from_data else (limit, *others)


class ChoiceExplorer(Brought):
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

    about: Choice[str] = controls_of(goals="the goals")
    """Which controls are shown."""
    releases: Number = CaseExplorer.releases.starting(4)
    """How many such releases there are about the same people."""
    epsilon: Number = Epsilon(None, follows="suggestion")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    use_interval: Choice[bool] = _use("interval", True)
    """Whether the interval goal counts."""
    half_width: Number = IntervalExplorer.half_width.starting(0.05)
    """Half the width of the interval, as a share of the count: 0.2 is ±20%."""
    interval_cells: Choice[str] = _reach(
        {choice.EACH: "each cell", choice.AT_ONCE: "all at once"}
    )
    """Of a table, whether each count lies so close, or all of them do together."""
    use_error: Choice[bool] = _use("error", False)
    """Whether the error goal counts."""
    error: Number = Number(
        10.0,
        _ERROR,
        log_grid(-2, 3),
        "Error on average",
        "in the unit of what is published",
    ).between("more accuracy", "more privacy")
    """How far off the published number may be on average."""
    use_belief: Choice[bool] = _use("belief", True)
    """Whether the belief goal counts."""
    posterior: Number = BreachExplorer.posterior.starting(0.25)
    """What somebody may believe about you after the answer."""
    belief_reach: Choice[str] = _reach(_REACHES)
    """For what the promise holds."""
    use_advantage: Choice[bool] = _use("advantage", False)
    """Whether the advantage goal counts."""
    advantage: Number = Limit(
        0.1, PROBABILITY, log_grid(-3, 0)[:-1], "Advantage", "of a test"
    )
    """How often a test may say “you are in” if you are, less how often if you are not."""
    advantage_reach: Choice[str] = _reach(_REACHES)
    """For what the promise holds."""
    use_success: Choice[bool] = _use("success", False)
    """Whether the success goal counts."""
    success: Number = Limit(
        0.3, breach.POSTERIOR, _SUCCESSES, "Success", "of an attack"
    )
    """How often an attacker may be right who is right as often as the prior without it."""
    success_reach: Choice[str] = _reach(_REACHES)
    """For what the promise holds."""
    use_risk: Choice[bool] = _use("risk", False)
    """Whether the risk goal counts."""
    risk: Number = WorldsExplorer.risk.starting(1 / 3)
    """How probable any guess may become."""
    values: Numbers = Numbers(
        (1,) * 400 + (0,) * 1600, _records, "Values", "records"
    )
    """One number for each record, 0 or 1 for a count; a name and a colon may stand before."""
    risk_reach: Choice[str] = _reach(_REACHES)
    """For what the promise holds."""
    use_budget: Choice[bool] = _use("budget", True)
    """Whether the budget goal counts."""
    total: Number = Limit(
        1.0,
        loss.TOTAL,
        log_grid(0, 2),
        "ε of all",
        "of all releases, with others'",
    )
    """The ε that all releases about these people may have together."""
    budget_reach: Choice[str] = _reach(_TOTALS)
    """For what the promise holds."""
    use_rho: Choice[bool] = _use("rho", False)
    """Whether the rho goal counts."""
    rho: Number = Limit(
        0.1,
        RhoGoal.domain,
        log_grid(-4, 1),
        "ρ of all",
        "of all releases, with others'",
    )
    """The ρ (zCDP) that all releases about these people may have together."""
    rho_reach: Choice[str] = _reach(_TOTALS)
    """For what the promise holds."""
    view: Views = Views(
        goals=("Goals", plots.Goals), stress=("Stress", plots.Stress)
    )
    """Which picture is shown."""
    calculator = choice.decide
    kind = Record
    goals: ClassVar[Mapping[str, tuple[str, ...]]] = {
        name: _keywords(kind) for name, kind in KINDS.items()
    }

    def unused(self, now: Values) -> set[str]:
        cells = set() if now["published"] == "table" else {"interval_cells"}
        return super().unused(now) | cells

    def hidden(self, now: Values) -> set[str]:
        goals = {
            name
            for goal, names in self.goals.items()
            for name in (f"use_{goal}", *names)
        }
        return super().hidden(now) | (
            set() if self.unfolds("goals", now) else goals
        )

    def grids(
        self, result: choice.Decision, now: Values
    ) -> dict[str, FloatArray]:
        # A column that counts says how many people there are.
        people = (
            {"n": np.array([float(len(now["values"]))])}
            if now["use_risk"]
            else {}
        )
        return super().grids(result, now) | people

    def say(self, result: choice.Decision, now: Values) -> str:
        return result.sentence

    def notes(self, result: choice.Decision, now: Values) -> list[str]:
        if now["view"] == "stress":
            return []
        every = zip(result.met, self.rows_of(result, now), strict=True)
        broken = (
            [said for met, (_, said) in every if not met] if result.met else []
        )
        warning = [f"⚠ {result.warning}"] if result.warning else []
        return [*warning, *broken, *result.case.public_n]

    def rows_of(
        self, result: choice.Decision, now: Values
    ) -> list[tuple[str, str]]:
        if now["view"] == "stress":
            return [
                (row.name, _stressed(row, result.goals))
                for row in result.stress
            ]
        said = []
        for goal, met in zip(
            result.goals, result.met or repeat(None), strict=False
        ):
            fate = (
                ""
                if met is None
                else f"; the chosen one {'meets' if met else 'breaks'} it"
            )
            allowed = result.choice.range_beside(result.epsilon, goal)
            words = (
                f"{goal.sentence(result.case)} That allows {allowed}{fate}."
            )
            said.append((goal.kind, words))
        return said

    def slow(self, now: Values) -> set[str]:
        return set(now) if len(now["values"]) > column.MANY else set()

    def below(self) -> list[About]:
        options = {
            "kind": "presses",
            "name": "options",
            "label": "Choose inside the range",
        }
        return [options, *super().below()]

    def beside(self, seen: Seen) -> Shown:
        allowed = seen.result.choice
        shown = (
            (one, allowed.written(one.epsilon)[0]) for one in allowed.options
        )
        options = [
            [f"{one.name}: ε = {epsilon}", one.buys] for one, epsilon in shown
        ]
        return {**super().beside(seen), "options": {"options": options}}

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        if name == "options":
            option = self.result.choice.options[int(event["place"])]
            self._go(self._moved(self.state, "epsilon", option.epsilon))
        else:
            super().asked(name, event)

    def shows(self, record: Record) -> tuple[dict[str, Any], str]:
        goals: dict[str, Any] = {f"use_{kind}": False for kind in self.goals}
        for goal in record.goals:
            if goals[f"use_{goal.kind}"]:
                raise ValueError(
                    f"this record has two goals about {goal.kind}; one has room here"
                )
            keywords = goal.keywords().items()
            goals |= {f"use_{goal.kind}": True}
            goals |= {
                keyword: getattr(goal, field) for field, keyword in keywords
            }
        if not record.goals:
            raise ValueError("this record has no goals")
        if record.epsilon is None:
            raise ValueError(
                "this record has no ε: it is a public version, or a refusal"
            )
        fits = self._may_be_of(record.case)
        goals["use_risk"] = goals["use_risk"] and fits
        values = of_case(record.case) | goals | {"epsilon": record.epsilon}
        needs = (
            "; it holds no data, so bring the column again"
            if record.from_data
            else ""
        )
        needs += (
            ", and then let its goal count"
            if record.from_data and not fits
            else ""
        )
        return (
            values,
            f"The record of ε = {show(record.epsilon, 6)} is back{needs}.",
        )

    def _may_be_of(self, case: Case) -> bool:
        """Tell whether the column here may be that of a record, which holds none."""
        try:
            choice.risk_goal(case, self.values, risk=0.5)
        except DomainError:
            return False
        return True
