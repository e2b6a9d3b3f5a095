"""Pictures of goals: what each allows, what is chosen, stress, and a plan's statistics."""

import itertools

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.choice import Decision, Feasible, Goal
from dpwidgets.inputs.notation import down, percent, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_LOW, _HIGH = 1e-3, 30.0
_ROWS = 8
_NAME = 16.5  # the room left of the bars, in heights of the letters
# ε at which the noise is written, or over what a factor stands.
_TICKS = (0.01, 0.1, 1, 10)
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

    frame = style.look(
        x="ε of one release", at=(0.34, 0.14, 0.63, 0.66), writes="x"
    )
    frame |= style.look(xscale="log", xlim=(_LOW, _HIGH), yticks=[])

    def draw(self, axes: Panel, result: Decision) -> None:
        case, goals = result.case, result.goals[:_ROWS]
        feasible = result.choice.feasible
        axes.set_ylim(max(len(goals), 1), 0)
        unit = style.plain(case.unit, 14)
        said = ["no noise meets all goals", "no ε is suggested"]
        if not feasible.empty:
            color = style.CURVES[0]["color"]
            low, high = np.clip(feasible.epsilons(case), _LOW, _HIGH)
            axes.band(low, high, **style.area(color, 0.22))
            # Above the axes it can be seen even where it is narrower than the
            # line of the chosen ε.
            look = style.look(
                linewidth=6, solid_capstyle="projecting", clip_on=False
            )
            axes.line([low, high], [0, 0], color=color, **look)
            # No room for δ; the explorer says it.
            said[0] = result.choice.range_beside(result.epsilon, delta=False)
        if result.epsilon is not None:
            # Thin: what all goals allow may be hardly wider.
            axes.upright(result.epsilon, color=style.ACCENT, linewidth=1.2)
            axes.point(result.epsilon, max(len(goals), 1))
            axes.handle("epsilon", result.epsilon, max(len(goals), 1))
            epsilon, scale = result.choice.written(result.epsilon)
            said[1] = f"chosen: ε = {epsilon}, noise of scale {scale}"
        line, bar = (46, 0.55) if self.narrow else (40, 0.3)
        for row, goal in enumerate(goals):
            name = [
                style.plain(words, _NAME)
                for words in _aim(goal, case).splitlines()
            ]
            self.name_row(axes, row, name)
            self._bar(axes, row + bar, goal.scales(case), case)
        said = [words.replace(case.unit, unit) for words in said]
        above = self._write_above(axes, line, case, said)
        self.lay_rows(axes, len(goals), (above, line, 58))

    def _bar(
        self, axes: Panel, top: float, allowed: Feasible, case: Case
    ) -> None:
        """Draw which ε a goal allows, as a bar below this height."""
        middle = top + 0.2
        if allowed.empty:
            axes.beside(0.5, middle, "no noise does that", ha="center")
            return
        ends = allowed.epsilons(case)
        left, right = np.clip(ends, _LOW, _HIGH)
        axes.box(left, top, right - left, 0.4, **style.area(style.MAIN, 0.7))
        if left == right:  # the bar lies beyond the frame
            look = style.look(
                marker="|", markersize=9, linestyle="none", color=style.MAIN
            )
            axes.points(ends, middle, **look, clip_on=False)

    def _write_above(
        self, axes: Panel, line: int, case: Case, said: list[str]
    ) -> int:
        """Write above rows of this height the noise at some ε, and words; return the pixels."""
        for tick in _TICKS:
            axes.words(
                tick,
                -12 / line,
                show(case.scale(tick)),
                ha="center",
                va="center",
            )
        noise, first = f"noise, {style.plain(case.unit, 14)}:", 31
        if self.narrow:
            said = [*style.lines(said[0], 23), *style.lines(said[1], 23)]
            axes.beside(0, -30 / line, noise, ha="left")
            first = 44
        else:
            axes.beside(-0.03, -12 / line, noise)
        for height, words in enumerate(reversed(said)):
            axes.beside(1, -(first + 20 * height) / line, words, va="bottom")
        return first + 20 * len(said) + 6


_MOST = 9  # rows of stress
_FAR = 30.0  # times its limit, and the same below


class Stress(Plot):
    """How far each goal's number is from its limit when something turns out otherwise."""

    frame = style.look(
        x="the number over its limit: right of 1 the goal is not met",
        writes="x",
    )
    frame |= style.look(at=(0.42, 0.13, 0.55, 0.75), yticks=[])
    frame |= style.look(xscale="log", xlim=(1 / _FAR, _FAR))

    def draw(self, axes: Panel, result: Decision) -> None:
        rows, goals = result.stress[:_MOST], result.goals[:_ROWS]
        axes.set_ylim(max(len(rows), 1), 0)
        for row, one in enumerate(rows):
            self.name_row(axes, row, [one.name])
        axes.upright(1, color=style.INK, linewidth=1.2)
        colors = (
            style.MAIN,
            *(curve["color"] for curve in style.CURVES),
            style.MUTED,
        )
        looks = zip("osD^vPX*", itertools.cycle(colors), strict=False)
        middle = 0.7 if self.narrow else 0.5
        for column, (goal, (marker, color)) in enumerate(
            zip(goals, looks, strict=False)
        ):
            shares = [one.outcomes[column].share for one in rows]
            spread = middle + 0.12 * (column - (len(goals) - 1) / 2)
            found = {
                row + spread: share
                for row, share in enumerate(shares)
                if share
            }
            look = style.look(
                linestyle="none", markersize=8, marker=marker, color=color
            )
            # Of its own, since the marks may be arrowheads.
            axes.line([], [], goal.kind, **look)
            axes.points([*found.values()], [*found], **look, clip_on=False)
        place = style.look(
            bbox_to_anchor=(1.02, 1.0), ncols=_ROWS, columnspacing=0.9
        )
        axes.key("lower right", handletextpad=0.1, **place)
        self.lay_rows(
            axes, len(rows), (14, 46, 66) if self.narrow else (48, 34, 52)
        )


_LIMITS = {"budget": "ε", "rho": "ρ"}


class Used(Plot):
    """A bar for each limit of all releases: how much of it others and this plan fill."""

    frame = style.look(
        x="share of what all may have together",
        xlim=(0, 1.5),
        bare="y",
        yticks=[],
    )
    frame |= style.look(at=(0.1, 0.3, 0.87, 0.5))
    frame |= style.look(xticks=(0, 0.5, 1), xticklabels=("0%", "50%", "100%"))

    def draw(self, axes: Panel, result: plan.Decision) -> None:
        whole, (epsilon, rho) = result.plan, result.plan.before(result.reach)
        limits = [one for one in whole.promises if one.kind in _LIMITS]
        line = 64 if self.narrow else 52
        self.lay_rows(axes, len(limits), (40, line, 58))
        axes.upright(1, color=style.INK, linewidth=1.2)
        heading = (
            "grey: used before; blue: with this plan"
            if limits
            else "no ε or ρ is a limit"
        )
        axes.beside(1, -8 / line, heading, va="bottom")
        for row, one in enumerate(limits):
            self.name_row(axes, row, [_LIMITS[one.kind]])
            before = epsilon if one.kind == "budget" else rho
            now = (
                before
                if result.factor is None
                else one.reached(whole.as_case, result.factor)
            )
            left, right = (
                np.minimum([before, max(before, now)], 1.5 * one.limit)
                / one.limit
            )
            axes.box(0, row + 0.45, left, 0.35, **style.area(style.MUTED, 0.8))
            axes.box(
                left,
                row + 0.45,
                right - left,
                0.35,
                **style.area(style.MAIN, 0.8),
            )
            filled = f"{up(now)} of {show(one.limit)}"
            axes.beside(
                1,
                row + 0.28,
                filled,
                bbox=style.look(facecolor=style.PAPER, edgecolor="none"),
            )


_LINE = 34  # the height of a statistic in CSS pixels
_FACTORS = (0.01, 10.0)
_FREE = style.look(
    linestyle="none",
    markersize=8,
    marker="o",
    color=style.ACCENT,
    clip_on=False,
)
_FIXED = _FREE | style.look(marker="s", color=style.MUTED)


class Statistics(Plot):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have."""

    # Words beside the bars.
    frame = style.look(x="share of what all use up (ρ)", xlim=(0, 1.3))
    frame |= style.look(
        xticks=(0, 0.5, 1),
        xticklabels=("0%", "50%", "100%"),
        bare="y",
        yticks=[],
    )
    frame |= style.look(at=(0.2, 0.1, 0.33, 0.8))

    def build(self, figure: Figure) -> None:
        super().build(figure)
        scale = style.look(
            xscale="log", xlim=_FACTORS, yticks=[], at=(0.58, 0.1, 0.38, 0.8)
        )
        scale |= style.look(xticks=_TICKS, xticklabels=[*map(str, _TICKS)])
        self.noise = Panel(figure, x="noise over its largest", **scale)

    def draw(self, axes: Panel, result: plan.Decision) -> None:
        noise, statistics = self.noise, result.plan.statistics
        line, middle = (50, 0.7) if self.narrow else (_LINE, 0.5)
        heights = (40, line, 82 if self.narrow else 62)
        self.lay_rows(noise, len(statistics), heights, (0.55, 0.39))
        self.lay_rows(axes, len(statistics), heights, (0.05, 0.42))
        rows = np.arange(len(statistics)) + middle
        for row, one in enumerate(statistics):
            self.name_row(axes, row, [style.plain(one.name, 11.0)])
        shares = (
            result.plan.shares(result.factor)
            if result.factor is not None
            else ()
        )
        bars = [
            [(0, row), (share, row)]
            for row, share in zip(rows, shares, strict=False)
        ]
        axes.segments(bars, colors=style.MAIN, linewidth=12)
        for row, share in zip(rows, shares, strict=False):
            axes.words(share + 0.03, row, percent(share), va="center")
        factors, heading = result.plan.factors, "no factor keeps everything"
        if not factors.empty:
            least = max(factors.low, _FACTORS[0])
            noise.band(least, 1, **style.area(style.CURVES[0]["color"], 0.22))
            heading = f"factors from {result.written[0]} to 1 keep everything"
        noise.beside(1, -8 / line, heading, va="bottom")
        noise.upright(1, color=style.INK, linewidth=1.2)
        if not result.scales:
            return
        largest = [one.largest_scale for one in statistics]
        at = np.divide(result.scales, largest)
        free = np.array([one.scale is None for one in statistics])
        for some, look in ((free, _FREE), (~free, _FIXED)):
            if some.any():
                noise.points(at[some], rows[some], **look)
        for one, place, row in zip(statistics, at, rows, strict=True):
            if one.scale is None:
                noise.handle("factor", place, row, words=one.name)
