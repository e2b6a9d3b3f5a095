"""Pictures of goals on one axis: what each allows, what is left, what is chosen, and stress."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Transform

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import (
    AT_ONCE,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    Decision,
    ErrorGoal,
    Goal,
    IntervalGoal,
    Promise,
    RhoGoal,
    RiskGoal,
    SuccessGoal,
)
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot

_LOW, _HIGH = 1e-3, 30.0
_ROWS = 8
_NAME = 16.5  # the room left of the bars, in heights of the letters
_TICKS = (0.01, 0.1, 1, 10)  # ε at which the noise is written


def _aim(goal: Goal, case: Case) -> str:
    """Return the goal's name, and under it the goal in a few words."""
    match goal:
        case IntervalGoal():
            where = ", all cells" if goal.cells == AT_ONCE else ""
            return f"interval\nwithin ±{percent(goal.half_width)}{where}"
        case ErrorGoal():
            return f"error on average\nat most {case.measured(goal.error)}"
        case RiskGoal():
            return f"risk of being identified\nat most {percent(goal.risk)}{_reach(goal, case)}"
        case BeliefGoal():
            before = "?" if case.prior is None else percent(case.prior)
            after = percent(goal.posterior)
            return f"belief\n{before} to {after}{_reach(goal, case)}"
        case AdvantageGoal():
            return f"advantage of a test\nat most {percent(goal.advantage)}{_reach(goal, case)}"
        case SuccessGoal():
            before = "?" if case.prior is None else percent(case.prior)
            return f"success\n{before} to {percent(goal.success)}{_reach(goal, case)}"
        case BudgetGoal():
            return f"budget\nε = {show(goal.total)}{_reach(goal, case)}"
        case RhoGoal():
            return f"budget\nρ = {show(goal.rho)}{_reach(goal, case)}"
    raise TypeError(f"a goal of one of eight kinds is needed; got {type(goal).__name__}")


def _reach(goal: Promise, case: Case) -> str:
    """Return for what a promise holds, in a few words."""
    count, people = case.counted(goal.reach)
    return f", {count:,} release{'s' if count > 1 else ''}" + (
        f", {people:,} people" if people > 1 else ""
    )


class Goals(Plot):
    """One bar for each goal, the noise that all allow behind them, and the chosen ε."""

    size = (640, 470)

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="ε of one release", y="", at=(0.34, 0.14, 0.63, 0.66))
        self.axes.set(xscale="log", xlim=(_LOW, _HIGH), ylim=(_ROWS, 0))
        style.numbers(self.axes, "x")
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        color = style.CURVES[0]["color"]
        self.common = self.axes.axvspan(1, 1, **style.area(color, 0.22))
        # Above the axes it can be seen even where it is narrower than the line of the chosen ε.
        self.ends = style.line(
            self.axes, color=color, linewidth=6, solid_capstyle="projecting", clip_on=False
        )
        rows = np.arange(_ROWS) + 0.5
        self.bars = self.axes.barh(rows, 0, 0.4, left=1, **style.area(style.MAIN, 0.7))
        # Thin: what all goals allow may be hardly wider.
        self.chosen = self.axes.axvline(1, color=style.ACCENT, linewidth=1.2)
        self.point = style.point(self.axes)
        beside = self.axes.get_yaxis_transform()
        self.names = [self._write(-0.03, y, beside, linespacing=1.3) for y in rows]
        self.nothing = [self._write(0.5, y, beside, ha="center") for y in rows]
        above = self.axes.get_xaxis_transform()
        self.noise = [self._write(x, 1.04, above, ha="center") for x in _TICKS]
        whole = self.axes.transAxes
        self.unit = self._write(-0.03, 1.04, whole)
        self.heading = self._write(1, 1.17, whole, va="bottom")
        self.second = self._write(1, 1.1, whole, va="bottom")

    def _write(self, x: float, y: float, transform: Transform, **look: Any) -> Text:
        place: style.Look = {"ha": "right", "va": "center"}
        return self.axes.text(x, y, "", transform=transform, **place | look)

    def update(self, result: Decision) -> None:
        case = result.case
        for bar, name, nothing in zip(self.bars, self.names, self.nothing, strict=True):
            bar.set_visible(False)
            name.set_text("")
            nothing.set_text("")
        for row, goal in enumerate(result.goals[:_ROWS]):
            allowed = goal.scales(case)
            lines = _aim(goal, case).splitlines()
            self.names[row].set_text("\n".join(style.plain(line, _NAME) for line in lines))
            if allowed.empty:
                self.nothing[row].set_text("no noise does that")
                continue
            left, right = np.clip(allowed.epsilons(case), _LOW, _HIGH)
            self.bars[row].set(visible=True, x=left, width=right - left)
        for epsilon, words in zip(_TICKS, self.noise, strict=True):
            words.set_text(show(case.scale(epsilon)))
        unit = style.plain(case.unit, 14)
        self.unit.set_text(f"noise, {unit}:")
        feasible = result.choice.feasible
        low, high = (1, 1) if feasible.empty else np.clip(feasible.epsilons(case), _LOW, _HIGH)
        self.common.set_bounds(low, 0, high - low, 1)
        self.common.set_visible(not feasible.empty)
        self.ends.set_data([low, high], [0, 0])
        self.ends.set_visible(not feasible.empty)
        for mark in (self.chosen, self.point):
            mark.set_visible(result.epsilon is not None)
        together = "no noise meets all goals"
        if not feasible.empty:
            together = feasible.sentence(case, delta=False)  # no room for it; the explorer says it
        self.heading.set_text(together.replace(case.unit, unit))
        second = "no ε is suggested"
        if result.epsilon is not None and result.scale is not None:
            noise = case.measured(result.scale).replace(case.unit, unit)
            second = f"chosen: ε = {show(result.epsilon)}, noise of scale {noise}"
            self.chosen.set_xdata([result.epsilon, result.epsilon])
            style.place(self.point, result.epsilon, _ROWS)
        self.second.set_text(second)


_MOST = 9  # rows of stress
_FAR = 30.0  # times its limit, and the same below


class Stress(Plot):
    """How far each goal's number is from its limit when something turns out otherwise."""

    size = (640, 400)

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure,
            x="the number over its limit: right of 1 the goal is not met",
            y="",
            at=(0.42, 0.13, 0.55, 0.75),
        )
        self.axes.set(xscale="log", xlim=(1 / _FAR, _FAR), ylim=(_MOST, 0))
        style.numbers(self.axes, "x")
        self.axes.set_yticks([])
        self.limit = self.axes.axvline(1, color=style.INK, linewidth=1.2)
        looks = (style.MAIN, *(curve["color"] for curve in style.CURVES), style.MUTED)
        marks = [
            {"marker": one, "color": color}
            for one, color in zip("osD^vPX*", itertools.cycle(looks), strict=False)
        ]
        self.points = style.lines(self.axes, marks, linestyle="none", markersize=8)
        beside = self.axes.get_yaxis_transform()
        self.names = [
            self.axes.text(-0.03, row + 0.5, "", transform=beside, ha="right", va="center")
            for row in range(_MOST)
        ]
        self.legend = self.axes.legend(
            handles=self.points[:_ROWS],
            labels=["budget"] * _ROWS,
            loc="lower right",
            bbox_to_anchor=(1.02, 1.0),
            ncols=_ROWS,
            columnspacing=0.9,
            handletextpad=0.1,
        )

    def update(self, result: Decision) -> None:
        rows = result.stress[:_MOST]
        for row, name in enumerate(self.names):
            name.set_text(rows[row].name if row < len(rows) else "")
        kinds = [goal.kind for goal in result.goals[:_ROWS]]
        style.rename(self.legend, kinds + [""] * (_ROWS - len(kinds)))
        for column, handle in enumerate(self.legend.legend_handles):
            if handle is not None:
                handle.set_visible(column < len(kinds))
        for column, points in enumerate(self.points):
            shares = {
                row + 0.5: one.outcomes[column].share
                for row, one in enumerate(rows)
                if column < len(kinds)
            }
            found = {y: share for y, share in shares.items() if share}
            near = [min(max(share, 1 / _FAR), _FAR) for share in found.values()]
            spread = 0.12 * (column - (len(kinds) - 1) / 2)
            points.set_data(near, [y + spread for y in found])
