"""Pictures of goals on one axis of ε: what each allows, what is left, and what is chosen."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dpwidgets.calculators.choice import (
    BreachGoal,
    BudgetGoal,
    CountGoal,
    Decision,
    Goal,
    RiskGoal,
)
from dpwidgets.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot

_LOW, _HIGH = 1e-3, 30.0
_ROWS = 4


def _aim(goal: Goal) -> str:
    """Return the goal's name, and under it the goal in a few words."""
    match goal:
        case CountGoal():
            return (
                f"precision of a count\n±{percent(goal.half_width)} with {percent(goal.confidence)}"
            )
        case RiskGoal():
            return f"risk of being identified\nat most {percent(goal.risk)}"
        case BreachGoal():
            return f"beliefs\n{percent(goal.prior)} to at most {percent(goal.posterior)}"
        case BudgetGoal():
            return f"budget\n{goal.releases:,} within ε = {show(goal.epsilon)}"
    raise TypeError(f"a goal of four kinds is needed; got {type(goal).__name__}")


class Goals(Plot):
    """One bar for each goal, the ε that all allow behind them, and the chosen ε."""

    def build(self, figure: Figure) -> None:
        self.axes = figure.add_axes((0.3, 0.15, 0.66, 0.75))
        style.frame(self.axes, x="privacy parameter ε", y="")
        self.axes.set(xscale="log", xlim=(_LOW, _HIGH), ylim=(_ROWS, 0))
        style.numbers(self.axes, "x")
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        self.common = self.axes.axvspan(1, 1, **style.area(style.CURVES[0]["color"], 0.22))
        # Above the axes it can be seen even where it is narrower than the line of the chosen ε.
        (self.ends,) = self.axes.plot(
            [],
            [],
            color=style.CURVES[0]["color"],
            linewidth=6,
            solid_capstyle="projecting",
            clip_on=False,
        )
        self.bars = [
            Rectangle((1, row + 0.3), 0, 0.4, **style.area(style.MAIN, 0.7)) for row in range(_ROWS)
        ]
        for bar in self.bars:
            self.axes.add_patch(bar)
        text: style.Look = {"fontsize": style.SMALL, "color": style.INK, "va": "center"}
        beside = self.axes.get_yaxis_transform()
        self.names = [
            self.axes.text(
                -0.03, row + 0.5, "", transform=beside, ha="right", linespacing=1.3, **text
            )
            for row in range(_ROWS)
        ]
        self.nothing = [
            self.axes.text(0.5, row + 0.5, "", transform=beside, ha="center", **text)
            for row in range(_ROWS)
        ]
        # Thin: what all goals allow may be hardly wider.
        self.chosen = self.axes.axvline(1, color=style.ACCENT, linewidth=1.2)
        self.point = style.point(self.axes)
        above: style.Look = {**text, "va": "bottom", "transform": self.axes.transAxes}
        self.heading = self.axes.text(1, 1.03, "", ha="right", **above)

    def update(self, result: Decision) -> None:
        for bar, name, nothing in zip(self.bars, self.names, self.nothing, strict=True):
            bar.set_visible(False)
            name.set_text("")
            nothing.set_text("")
        for row, goal in enumerate(result.goals):
            allowed = goal.interval()
            self.names[row].set_text(_aim(goal))
            if allowed.empty:
                self.nothing[row].set_text("no ε does that")
                continue
            left, right = np.clip([allowed.low, allowed.high], _LOW, _HIGH)
            self.bars[row].set(visible=True, x=left, width=right - left)
        feasible = result.choice.feasible
        left, right = (
            (1, 1) if feasible.empty else np.clip([feasible.low, feasible.high], _LOW, _HIGH)
        )
        self.common.set_bounds(left, 0, right - left, 1)
        self.common.set_visible(not feasible.empty)
        self.ends.set_data([left, right], [0, 0])
        self.ends.set_visible(not feasible.empty)
        self.chosen.set_xdata([result.epsilon, result.epsilon])
        style.place(self.point, result.epsilon, _ROWS)
        together = "no ε meets all goals" if feasible.empty else f"all goals: {feasible}"
        self.heading.set_text(f"{together} · chosen: ε = {show(result.epsilon)}")
