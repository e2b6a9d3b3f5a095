"""Pictures of goals: what each allows, what is chosen, stress, and a plan's statistics."""

import math
from functools import partial

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dpwidgets.decisions import plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.choice import CaseDecision
from dpwidgets.decisions.goals import (
    AT_ONCE,
    KINDS,
    Feasible,
    Goal,
    Promise,
    broken,
)
from dpwidgets.inputs.notation import down, percent, several, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel, Word

_LOW, _HIGH = 1e-3, 30.0
_ROWS = len(KINDS)
# ε at which the noise is written, or over what a factor stands.
_TICKS = (0.01, 0.1, 1, 10)
_TITLES = {
    "error": "error on average",
    "risk": "risk of being identified",
    "rho": "budget",
}
_LIMITS = {"budget": "ε", "rho": "ρ"}
_SEEN = 1.5  # of a limit, at most


def _aim(goal: Goal[Case], case: Case) -> str:
    """Return in a few words what a goal asks."""
    limit = goal.written(case)[-1]
    match goal.kind:
        case "interval":
            aim = f"within ±{limit}"
            if getattr(goal, "cells", "") == AT_ONCE:
                aim += ", all cells"
        case "belief" | "success":
            before = "?" if case.prior is None else down(case.prior, percent)
            aim = f"{before} to {limit}"
        case "budget" | "rho":
            aim = f"{_LIMITS[goal.kind]} = {limit}"
        case _:
            aim = f"at most {limit}"
    if isinstance(goal, Promise):
        aim += f", {several(case.releases, 'release')}"
        if case.household > 1:
            aim += f", {case.household:,} people"
    return aim


class Goals(Plot):
    """One bar for each goal, the noise that all allow behind them, and the chosen ε."""

    frame = style.look(
        x="ε of one release",
        writes="x",
        xscale="log",
        xlim=(_LOW, _HIGH),
        yticks=[],
    )

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        case = result.case
        goals = result.goals[:_ROWS]
        rows = max(len(goals), 1)
        axes.set_ylim(rows, 0)
        feasible = result.choice.feasible
        allowed = "no noise meets all goals"
        if not feasible.empty:
            self._draw_allowed(axes, feasible.epsilons(case), rows)
            # No room for δ; the explorer says it.
            allowed = result.allowed(delta=False)
        chosen = "no ε is suggested"
        if result.epsilon is not None:
            # Thin: what all goals allow may be hardly wider.
            self.cross(axes, result.epsilon, range(rows))
            axes.point(result.epsilon, rows)
            axes.handle("epsilon", result.epsilon, rows)
            epsilon, scale = result.choice.written(result.epsilon)
            chosen = f"chosen: ε = {epsilon}, noise of scale {scale}"
        line = 46
        unit = style.plain(case.unit, 14)
        words: list[Word] = []
        for tick in _TICKS:
            share = math.log(tick / _LOW, _HIGH / _LOW)
            scale = show(case.scale(tick))
            words.append(Word(share, -12 / line, scale, {"ha": "center"}))
        words.append(Word(0.0, -30 / line, f"noise, {unit}:", {"ha": "left"}))
        for row, goal in enumerate(goals):
            title = _TITLES.get(goal.kind, goal.kind)
            name = style.plain(f"{title}: {_aim(goal, case)}", self.room)
            words.append(self.row_name(row, name))
            self._bar(axes, row + 0.55, goal.scales(case), case)
        axes.stay(words)
        lines = []
        for sentence in (allowed, chosen):
            sentence = sentence.replace(case.unit, unit)
            lines += style.lines(sentence, self.room - 1)
        for height, sentence in enumerate(reversed(lines)):
            above = -(44 + 20 * height) / line
            axes.beside(1, above, sentence, va="bottom")
        self.lay_rows(axes, len(goals), (50 + 20 * len(lines), line, 58))

    def _draw_allowed(
        self, axes: Panel, ends: tuple[float, float], rows: int
    ) -> None:
        """Draw which ε all goals allow, in each row below its name."""
        color = style.CURVES[0]["color"]
        low, high = np.clip(ends, _LOW, _HIGH)
        look = style.area(color, 0.22)
        for row in range(rows):
            part = Rectangle((low, row + 0.5), high - low, 0.5, **look)
            axes.add_patch(part)
        # Above the axes it can be seen even where it is narrower than the
        # line of the chosen ε.
        cap = style.look(linewidth=6, solid_capstyle="projecting")
        axes.plot([low, high], [0, 0], color=color, clip_on=False, **cap)

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
        look = style.area(style.MAIN, 0.7)
        axes.add_patch(Rectangle((left, top), right - left, 0.4, **look))
        if left == right:  # the bar lies beyond the frame
            look = style.look(
                marker="|", markersize=9, linestyle="none", color=style.MAIN
            )
            axes.points(ends, middle, **look, clip_on=False)


# Half-widths that are written.
_MOST = 9  # rows of stress
_FAR = 30.0  # times its limit, and the same below
_MARKERS = "osD^vPX*"
_NOT_ASKED = "the belief begins above its limit"
_COLORS = (
    style.MAIN,
    *(curve["color"] for curve in style.CURVES),
    style.MUTED,
)


class UnderStress(Plot):
    """How far each goal's number is from its limit when something turns out otherwise."""

    frame = style.look(
        x="number over its limit; shaded: goal not met",
        writes="x",
        yticks=[],
        xscale="log",
        xlim=(1 / _FAR, _FAR),
    )

    @classmethod
    def says(cls, result: CaseDecision) -> str:
        none = "Nothing is known here that could turn out otherwise."
        return broken(result.stress) or none

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        rows = result.stress[:_MOST]
        goals = result.goals[:_ROWS]
        axes.set_ylim(max(len(rows), 1), 0)
        middle = 0.7
        words: list[Word] = []
        asked = []
        for row, stressed in enumerate(rows):
            words.append(self.row_name(row, stressed.name))
            if any(outcome.share is not None for outcome in stressed.outcomes):
                asked.append(row)
            else:
                words.append(
                    Word(0.03, row + middle, _NOT_ASKED, {"ha": "left"})
                )
        axes.stay(words)
        self.cross(axes, 1, asked)
        axes.axvspan(1, _FAR, **style.area(style.BAD, 0.1))
        for column, goal in enumerate(goals):
            spread = middle + 0.12 * (column - (len(goals) - 1) / 2)
            look = style.look(
                linestyle="none",
                markersize=8,
                marker=_MARKERS[column % len(_MARKERS)],
                color=_COLORS[column % len(_COLORS)],
                clip_on=False,
            )
            kept: list[tuple[float, float]] = []
            broken: list[tuple[float, float]] = []
            for row, stressed in enumerate(rows):
                outcome = stressed.outcomes[column]
                if outcome.share is not None:
                    places = kept if outcome.kept else broken
                    places.append((outcome.share, row + spread))
            look["name"] = goal.kind
            bad = look | style.look(color=style.BAD)
            for places, one in ((kept, look), (broken, bad)):
                if places:
                    axes.points(*np.transpose(places), **one)
        self.lay_rows(axes, len(rows), (14, 42, 62))


class UsedUp(Plot):
    """A bar for each limit of all releases: how much of it others and this plan fill."""

    frame = style.look(
        x="share of what all may have together",
        xlim=(0, _SEEN),
        bare="y",
        yticks=[],
        xticks=(0, 0.5, 1),
        xticklabels=("0%", "50%", "100%"),
    )

    @classmethod
    def says(cls, result: plan.PlanDecision) -> str:
        limits = [goal for goal in result.goals if goal.kind in _LIMITS]
        if not limits or result.factor is None:
            return ""
        most = max(
            goal.reached(result.plan, result.factor) / goal.limit
            for goal in limits
        )
        return f"Others and this plan use up {up(most, percent)} of a limit, at most."

    def draw(self, axes: Panel, result: plan.PlanDecision) -> None:
        whole = result.plan
        pair = whole.used_before()
        used_before = dict(zip(_LIMITS, pair, strict=True))
        limits = [goal for goal in result.goals if goal.kind in _LIMITS]
        line = 64
        self.lay_rows(axes, len(limits), (40, line, 58))
        self.cross(axes, 1, range(len(limits)))
        kinds = [_LIMITS[goal.kind] for goal in limits]
        axes.stay([*map(self.row_name, range(len(kinds)), kinds)])
        if not limits:
            axes.beside(1, -8 / line, "no ε or ρ is a limit", va="bottom")
        used = style.area(style.MUTED, 0.8) | {"label": "used before"}
        filled = style.area(style.MAIN, 0.8) | {"label": "this plan"}
        for row, goal in enumerate(limits):
            now = before = used_before[goal.kind]
            if result.factor is not None:
                now = goal.reached(whole, result.factor)
            ends = np.array([before, max(before, now)])
            left, right = np.minimum(ends / goal.limit, _SEEN)
            bars = ((0.0, left, used), (left, right, filled))
            for start, end, look in bars:
                if end > start:
                    corner = (start, row + 0.45)
                    bar = Rectangle(corner, end - start, 0.35, **look)
                    axes.add_patch(bar)
            words = f"{up(now)} of {show(goal.limit)}"
            axes.beside(1, row + 0.28, words)
            if result.factor is not None:
                along = partial(_share, goal, whole)
                look = style.look(words=_LIMITS[goal.kind])
                axes.handle("factor", right, row + 0.625, along, **look)


def _share(goal: Goal[plan.Plan], whole: plan.Plan, factor: float) -> float:
    """Return where the bar of a limit ends with this factor."""
    return min(goal.reached(whole, factor) / goal.limit, _SEEN)


_FACTORS = (0.01, 10.0)
_FREE = style.look(
    linestyle="none",
    markersize=8,
    marker="o",
    color=style.MAIN,
    clip_on=False,
)
_FIXED = _FREE | style.look(marker="s", color=style.MUTED)


class Statistics(Plot):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have."""

    # Words beside the bars.
    frame = style.look(
        x="share of what all use up (ρ)",
        xlim=(0, 1.3),
        xticks=(0, 0.5, 1),
        xticklabels=("0%", "50%", "100%"),
        bare="y",
        yticks=[],
    )

    def build(self, figure: Figure) -> None:
        super().build(figure)
        scale = style.look(
            xscale="log",
            xlim=_FACTORS,
            yticks=[],
            xticks=_TICKS,
            xticklabels=[*map(str, _TICKS)],
        )
        self.noise = Panel(figure, x="noise over its largest", **scale)

    def draw(self, axes: Panel, result: plan.PlanDecision) -> None:
        noise = self.noise
        statistics = result.plan.statistics
        line, middle = 50, 0.7
        pixels = (40, line, 82 if self.narrow else 62)
        self.lay_rows(noise, len(statistics), pixels, (0.55, 0.39))
        self.lay_rows(axes, len(statistics), pixels, (0.05, 0.42))
        rows = np.arange(len(statistics)) + middle
        names = [style.plain(one.name, 11.0) for one in statistics]
        axes.stay([*map(self.row_name, range(len(names)), names)])
        if result.factor is not None:
            shares = result.plan.shares(result.factor)
            axes.levels(rows, 0, shares, colors=style.MAIN, linewidth=12)
            for row, share in zip(rows, shares, strict=True):
                axes.text(share + 0.03, row, percent(share), va="center")
        factors = result.factors
        heading = "no factor keeps everything"
        if not factors.empty:
            least = max(factors.low, _FACTORS[0])
            look = style.area(style.CURVES[0]["color"], 0.22)
            noise.axvspan(least, 1, **look)
            heading = f"factors from {result.written[0]} to 1 keep everything"
            if result.written[0] == "1":
                heading = "only the factor 1 keeps everything"
        noise.beside(1, -8 / line, heading, va="bottom")
        noise.axvline(1, color=style.INK, linewidth=1.2)
        if not result.scales:
            return
        largest = [statistic.largest_scale for statistic in statistics]
        places = np.divide(result.scales, largest)
        free = np.array([statistic.scale is None for statistic in statistics])
        for chosen, look in ((free, _FREE), (~free, _FIXED)):
            if chosen.any():
                noise.points(places[chosen], rows[chosen], **look)
        for statistic, place, row in zip(
            statistics, places, rows, strict=True
        ):
            if statistic.scale is None:
                noise.handle("factor", place, row, words=statistic.name)
