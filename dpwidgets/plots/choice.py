"""Pictures of goals: what each allows, what is chosen, stress, and a plan's statistics."""

import itertools
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators import choice, plan
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.choice import Decision, Goal
from dpwidgets.inputs.notation import down, percent, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_LOW, _HIGH = 1e-3, 30.0
_ROWS = 8
_NAME = 16.5  # the room left of the bars, in heights of the letters
_TICKS = (0.01, 0.1, 1, 10)  # ε at which the noise is written, or over what a factor stands
_TITLES = {
    "error": "error on average",
    "risk": "risk of being identified",
    "advantage": "advantage of a test",
    "rho": "budget",
}


def _aim(goal: Goal, case: Case) -> str:
    """Return the goal's name, and under it the goal in a few words."""
    limit = goal.written(case)[-1]
    match goal.kind:
        case "interval":
            at_once = getattr(goal, "cells", "") == choice.AT_ONCE
            aim = f"within ±{limit}{', all cells' if at_once else ''}"
        case "belief" | "success":
            before = "?" if case.prior is None else down(case.prior, percent)
            aim = f"{before} to {limit}"
        case "budget" | "rho":
            aim = f"{'ε' if goal.kind == 'budget' else 'ρ'} = {limit}"
        case _:
            aim = f"at most {limit}"
    if isinstance(goal, choice.Promise):
        count, people = case.counted(goal.reach)
        aim += f", {count:,} release{'s' if count > 1 else ''}"
        aim += f", {people:,} people" if people > 1 else ""
    return f"{_TITLES.get(goal.kind, goal.kind)}\n{aim}"


class Goals(Plot):
    """One bar for each goal, the noise that all allow behind them, and the chosen ε."""

    size = (640, 470)
    frame = style.look(x="ε of one release", at=(0.34, 0.14, 0.63, 0.66), writes="x")
    frame |= style.look(xscale="log", xlim=(_LOW, _HIGH), ylim=(_ROWS, 0), yticks=[])

    def draw(self, axes: Panel, result: Decision) -> None:
        case, feasible = result.case, result.choice.feasible
        unit = style.plain(case.unit, 14)
        together, second = "no noise meets all goals", "no ε is suggested"
        if not feasible.empty:
            color = style.CURVES[0]["color"]
            low, high = np.clip(feasible.epsilons(case), _LOW, _HIGH)
            axes.band(low, high, **style.area(color, 0.22))
            # Above the axes it can be seen even where it is narrower than the line of the chosen ε.
            look = style.look(linewidth=6, solid_capstyle="projecting", clip_on=False)
            axes.line([low, high], [0, 0], color=color, **look)
            # No room for δ; the explorer says it.
            together = result.choice.range_beside(result.epsilon, delta=False)
        if result.epsilon is not None:
            # Thin: what all goals allow may be hardly wider.
            axes.upright(result.epsilon, color=style.ACCENT, linewidth=1.2)
            axes.point(result.epsilon, _ROWS)
            epsilon, scale = result.choice.written(result.epsilon)
            second = f"chosen: ε = {epsilon}, noise of scale {scale}"
        beside, above = axes.get_yaxis_transform(), axes.get_xaxis_transform()
        for row, goal in enumerate(result.goals[:_ROWS]):
            name = [style.plain(words, _NAME) for words in _aim(goal, case).splitlines()]
            _write(axes, -0.03, row + 0.5, "\n".join(name), transform=beside, linespacing=1.3)
            allowed = goal.scales(case)
            if allowed.empty:
                _write(axes, 0.5, row + 0.5, "no noise does that", transform=beside, ha="center")
                continue
            ends = allowed.epsilons(case)
            left, right = np.clip(ends, _LOW, _HIGH)
            axes.box(left, row + 0.3, right - left, 0.4, **style.area(style.MAIN, 0.7))
            if left == right:  # the bar lies beyond the frame
                look = style.look(marker="|", markersize=9, linestyle="none", color=style.MAIN)
                axes.points(ends, row + 0.5, **look, clip_on=False)
        for tick in _TICKS:
            _write(axes, tick, 1.04, show(case.scale(tick)), transform=above, ha="center")
        _write(axes, -0.03, 1.04, f"noise, {unit}:")
        _write(axes, 1, 1.17, together.replace(case.unit, unit), va="bottom")
        _write(axes, 1, 1.1, second.replace(case.unit, unit), va="bottom")


def _write(axes: Panel, x: float, y: float, words: str, **look: Any) -> None:
    axes.words(x, y, words, **style.look(transform=axes.transAxes, ha="right", va="center") | look)


_MOST = 9  # rows of stress
_FAR = 30.0  # times its limit, and the same below


class Stress(Plot):
    """How far each goal's number is from its limit when something turns out otherwise."""

    size = (640, 400)
    frame = style.look(x="the number over its limit: right of 1 the goal is not met", writes="x")
    frame |= style.look(at=(0.42, 0.13, 0.55, 0.75), yticks=[])
    frame |= style.look(xscale="log", xlim=(1 / _FAR, _FAR), ylim=(_MOST, 0))

    def draw(self, axes: Panel, result: Decision) -> None:
        rows, goals = result.stress[:_MOST], result.goals[:_ROWS]
        for row, one in enumerate(rows):
            _write(axes, -0.03, row + 0.5, one.name, transform=axes.get_yaxis_transform())
        axes.upright(1, color=style.INK, linewidth=1.2)
        colors = (style.MAIN, *(curve["color"] for curve in style.CURVES), style.MUTED)
        looks = zip("osD^vPX*", itertools.cycle(colors), strict=False)
        for column, (goal, (marker, color)) in enumerate(zip(goals, looks, strict=False)):
            shares = [one.outcomes[column].share for one in rows]
            spread = 0.5 + 0.12 * (column - (len(goals) - 1) / 2)
            found = {row + spread: share for row, share in enumerate(shares) if share}
            look = style.look(linestyle="none", markersize=8, marker=marker, color=color)
            axes.line([], [], goal.kind, **look)  # of its own, since the marks may be arrowheads
            axes.points([*found.values()], [*found], **look, clip_on=False)
        place = style.look(bbox_to_anchor=(1.02, 1.0), ncols=_ROWS, columnspacing=0.9)
        axes.key("lower right", handletextpad=0.1, **place)


_LIMITS = {"budget": "ε", "rho": "ρ"}


class Used(Plot):
    """A bar for each limit of all releases: how much of it others and this plan fill."""

    size = (640, 220)
    frame = style.look(x="share of what all may have together", xlim=(0, 1.5), bare="y")
    frame |= style.look(at=(0.1, 0.3, 0.87, 0.5), xticks=(0, 0.5, 1), ylim=(2, 0))
    frame |= style.look(xticklabels=("0%", "50%", "100%"))

    def draw(self, axes: Panel, result: plan.Decision) -> None:
        whole, (epsilon, rho) = result.plan, result.plan.before(result.reach)
        limits = [one for one in whole.promises if one.kind in _LIMITS]
        axes.ticks("y", np.arange(len(limits)) + 0.5, [_LIMITS[one.kind] for one in limits])
        axes.upright(1, color=style.INK, linewidth=1.2)
        heading = "grey: used before; blue: with this plan" if limits else "no ε or ρ is a limit"
        _write(axes, 1, 1.05, heading, va="bottom")
        for row, one in enumerate(limits):
            before = epsilon if one.kind == "budget" else rho
            now = before if result.factor is None else one.reached(whole.as_case, result.factor)
            left, right = np.minimum([before, max(before, now)], 1.5 * one.limit) / one.limit
            axes.box(0, row + 0.3, left, 0.4, **style.area(style.MUTED, 0.8))
            axes.box(left, row + 0.3, right - left, 0.4, **style.area(style.MAIN, 0.8))
            axes.words(0.02, row + 0.22, f"{up(now)} of {show(one.limit)}", va="bottom")


_LINE = 34  # the height of a statistic in CSS pixels
_AROUND = 116  # the height of what stands above and below
_FACTORS = (0.01, 10.0)
_FREE = style.look(linestyle="none", markersize=8, marker="o", color=style.ACCENT, clip_on=False)
_FIXED = _FREE | style.look(marker="s", color=style.MUTED)


class Statistics(Plot):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have.

    The picture is as high as its rows need.
    """

    frame = style.look(x="share of what all use up (ρ)", xlim=(0, 1.3))  # words beside the bars
    frame |= style.look(xticks=(0, 0.5, 1), xticklabels=("0%", "50%", "100%"), bare="y")

    def build(self, figure: Figure) -> None:
        super().build(figure)
        scale = style.look(xscale="log", xlim=_FACTORS, yticks=[])
        scale |= style.look(xticks=_TICKS, xticklabels=[*map(str, _TICKS)])
        self.noise = Panel(figure, x="noise over its largest", **scale)

    def draw(self, axes: Panel, result: plan.Decision) -> None:
        noise, statistics = self.noise, result.plan.statistics
        self.resize(_LINE * len(statistics) + _AROUND)
        bottom, height = 62 / self.size[1], 1 - 102 / self.size[1]
        for panel, left, width in ((axes, 0.2, 0.33), (noise, 0.58, 0.38)):
            panel.set_position((left, bottom, width, height))
            panel.set_ylim(len(statistics), 0)
        rows = np.arange(len(statistics)) + 0.5
        axes.ticks("y", rows, [style.plain(one.name, 11.0) for one in statistics])
        shares = result.plan.shares(result.factor) if result.factor is not None else ()
        bars = [[(0, row), (share, row)] for row, share in zip(rows, shares, strict=False)]
        axes.segments(bars, colors=style.MAIN, linewidth=12)
        for row, share in zip(rows, shares, strict=False):
            axes.words(share + 0.03, row, percent(share), va="center")
        factors, heading = result.plan.factors, "no factor keeps everything"
        if not factors.empty:
            least = max(factors.low, _FACTORS[0])
            noise.band(least, 1, **style.area(style.CURVES[0]["color"], 0.22))
            heading = f"factors from {result.written[0]} to 1 keep everything"
        place = style.look(transform=noise.transAxes, ha="center", va="bottom")
        noise.words(0.5, 1.03, heading, **place)
        noise.upright(1, color=style.INK, linewidth=1.2)
        for row, one, scale in zip(rows, statistics, result.scales, strict=False):
            look = _FREE if one.scale is None else _FIXED
            noise.points([scale / one.largest_scale], row, **look)
