"""The explorer of goals and of the ε that meets them."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from dpwidgets.calculators import choice, loss
from dpwidgets.explorers.breach import BreachExplorer
from dpwidgets.explorers.choice._boxes import Deciding
from dpwidgets.explorers.interval import IntervalExplorer
from dpwidgets.explorers.loss import LossExplorer
from dpwidgets.explorers.worlds import WorldsExplorer
from dpwidgets.plots import choice as plots
from dpwidgets.widgets.controls import Choice, Epsilon, Number, log_grid
from dpwidgets.widgets.explorer import Explorer, Views

_GOALS = {
    "count": ("count", "half_width", "confidence"),
    "risk": ("values", "query", "risk"),
    "breach": ("prior", "posterior"),
    "budget": ("releases", "total", "delta", "mechanism"),
}


def _from(explorer: type[Explorer], name: str) -> Any:
    """Return a parameter like that of a text's explorer."""
    return copy(explorer.class_traits()[name])


def _use(goal: str, used: bool) -> Choice:
    return Choice(
        used,
        {True: "counts", False: "is left out"},
        label="This goal",
        help=f"Whether the {goal} goal counts.",
    )


class ChoiceExplorer(Deciding):
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

    goal = Choice(
        "count",
        {
            "count": "a count",
            "risk": "identification",
            "breach": "beliefs",
            "budget": "several releases",
        },
        label="Goal about",
        help="Which goal's controls are shown.",
    )
    use_count, use_risk = _use("count", True), _use("risk", True)
    use_breach, use_budget = _use("breach", True), _use("budget", False)
    count, half_width, confidence = (_from(IntervalExplorer, name) for name in _GOALS["count"])
    values, query, risk = (_from(WorldsExplorer, name) for name in _GOALS["risk"])
    prior, posterior = (_from(BreachExplorer, name) for name in _GOALS["breach"])
    releases = Number(
        12,
        domain=loss.COUNT,
        grid=np.unique(log_grid(0, 3).round()),
        label="Releases (k)",
        unit="with independent noise",
        help="How many releases there will be.",
    )
    total = Number(
        1.0,
        domain=loss.EPSILON,
        grid=log_grid(-2, 1),
        label="ε of all",
        unit="of all releases together",
        help="The budget that all releases share.",
    )
    delta = _from(LossExplorer, "delta")
    mechanism = Choice(
        "laplace",
        {"any": "any", "laplace": "Laplace", "gaussian": "Gaussian"},
        label="Mechanism",
        help="How each release is made.",
    )
    epsilon = Epsilon(None, follows="suggested")
    view = Views(goals=("Goals", plots.Goals))
    calculator = staticmethod(choice.decide)
    suggested = 1.0  # what ε follows until it is chosen

    def compute(self) -> choice.Decision:
        result = super().compute()
        self.suggested = choice.suggested(result.choice)
        return result

    def aside(self) -> set[str]:
        return super().aside() | {"goal"} | {f"use_{goal}" for goal in _GOALS}

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
