"""Pictures of goals: what each allows, what is chosen, stress, and a plan's statistics."""

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.choice import CaseDecision, Feasible, Goal
from dpwidgets.inputs.notation import down, percent, several, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import ROOM, Panel

_LOW, _HIGH = 1e-3, 30.0
_ROWS = len(choice.KINDS)
_NAME = 16.5  # the room left of the bars, in heights of the letters
# ε at which the noise is written, or over what a factor stands.
_TICKS = (0.01, 0.1, 1, 10)
_TITLES = {
    "error": "error on average",
    "risk": "risk of being identified",
    "advantage": "advantage of a test",
    "rho": "budget",
}
_LIMITS = {"budget": "ε", "rho": "ρ"}


def _aim(goal: Goal[Case], case: Case) -> str:
    """Return in a few words what a goal asks."""
    limit = goal.written(case)[-1]
    match goal.kind:
        case "interval":
            aim = f"within ±{limit}"
            if getattr(goal, "cells", "") == choice.AT_ONCE:
                aim += ", all cells"
        case "belief" | "success":
            before = "?" if case.prior is None else down(case.prior, percent)
            aim = f"{before} to {limit}"
        case "budget" | "rho":
            aim = f"{_LIMITS[goal.kind]} = {limit}"
        case _:
            aim = f"at most {limit}"
    if isinstance(goal, choice.Promise):
        count, people = case.counted(goal.reach)
        aim += f", {several(count, 'release')}"
        if people > 1:
            aim += f", {people:,} people"
    return aim


class Goals(Plot):
    """One bar for each goal, the noise that all allow behind them, and the chosen ε."""

    frame = style.look(
        x="ε of one release",
        at=(0.34, 0.14, 0.63, 0.66),
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
            allowed = result.choice.range_beside(result.epsilon, delta=False)
        chosen = "no ε is suggested"
        if result.epsilon is not None:
            # Thin: what all goals allow may be hardly wider.
            axes.upright(result.epsilon, color=style.INK, linewidth=1.2)
            axes.point(result.epsilon, rows)
            axes.handle("epsilon", result.epsilon, rows)
            epsilon, scale = result.choice.written(result.epsilon)
            chosen = f"chosen: ε = {epsilon}, noise of scale {scale}"
        names = [self._name(goal, case) for goal in goals]
        longest = max(map(len, names), default=1)
        line, bar = (31, 0.55) if self.narrow else (10, 0.3)
        line += 15 * longest
        for row, goal in enumerate(goals):
            self.name_row(axes, row, names[row])
            self._bar(axes, row + bar, goal.scales(case), case)
        above = self._write_above(axes, line, case, [allowed, chosen])
        self.lay_rows(axes, len(goals), (above, line, 58))

    def _name(self, goal: Goal[Case], case: Case) -> list[str]:
        """Return the goal's name, and what it asks, in lines that have room."""
        title = _TITLES.get(goal.kind, goal.kind)
        aim = style.plain(_aim(goal, case), 2 * _NAME)
        if self.narrow:
            return style.lines(f"{title}: {aim}", ROOM)
        lines = [title, *style.lines(aim, _NAME)]
        return [style.cut(line, _NAME) for line in lines]

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
        self, axes: Panel, line: int, case: Case, sentences: list[str]
    ) -> int:
        """Write above rows of this height the noise at some ε, and words; return the pixels."""
        middle = style.look(ha="center", va="center")
        for tick in _TICKS:
            axes.words(tick, -12 / line, show(case.scale(tick)), **middle)
        unit = style.plain(case.unit, 14)
        sentences = [words.replace(case.unit, unit) for words in sentences]
        noise = f"noise, {unit}:"
        if self.narrow:
            axes.beside(0, -30 / line, noise, ha="left")
            lines = []
            for words in sentences:
                lines += style.lines(words, 23)
            first = 44
        else:
            axes.beside(-0.03, -12 / line, noise)
            lines = sentences
            first = 31
        for height, words in enumerate(reversed(lines)):
            axes.beside(1, -(first + 20 * height) / line, words, va="bottom")
        return first + 20 * len(lines) + 6


# Half-widths that are written.
_SHARES = (0.001, 0.01, 0.1, 1, 10)
_MOST = 9  # rows of stress
_FAR = 30.0  # times its limit, and the same below
_MARKERS = "osD^vPX*"
_NOT_ASKED = "the belief begins above its limit"
_COLORS = (
    style.MAIN,
    *(curve["color"] for curve in style.CURVES),
    style.MUTED,
)


class Stress(Plot):
    """How far each goal's number is from its limit when something turns out otherwise."""

    frame = style.look(
        x="number over its limit; shaded: goal not met",
        writes="x",
        at=(0.42, 0.13, 0.55, 0.75),
        yticks=[],
        xscale="log",
        xlim=(1 / _FAR, _FAR),
    )

    @classmethod
    def says(cls, result: CaseDecision) -> str:
        none = "Nothing is known here that could turn out otherwise."
        return choice.broken(result.stress) or none

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        rows = result.stress[:_MOST]
        goals = result.goals[:_ROWS]
        axes.set_ylim(max(len(rows), 1), 0)
        middle = 0.7 if self.narrow else 0.5
        for row, stressed in enumerate(rows):
            self.name_row(axes, row, [stressed.name])
            if all(outcome.share is None for outcome in stressed.outcomes):
                look = style.look(ha="left", bbox=style.BEHIND)
                axes.beside(0.03, row + middle, _NOT_ASKED, **look)
        axes.upright(1, color=style.INK, linewidth=1.2)
        axes.band(1, _FAR, **style.area(style.BAD, 0.1))
        for column, goal in enumerate(goals):
            spread = middle + 0.12 * (column - (len(goals) - 1) / 2)
            look = style.look(
                linestyle="none",
                markersize=8,
                marker=_MARKERS[column % len(_MARKERS)],
                color=_COLORS[column % len(_COLORS)],
            )
            # Of its own, since the marks may be arrowheads.
            axes.line([], [], goal.kind, **look)
            for row, stressed in enumerate(rows):
                outcome = stressed.outcomes[column]
                if outcome.share is not None:
                    color = look["color"] if outcome.kept else style.BAD
                    one = look | style.look(color=color, clip_on=False)
                    axes.points(outcome.share, row + spread, **one)
        place = style.look(
            bbox_to_anchor=(1.02, 1.0), ncols=_ROWS, columnspacing=0.9
        )
        axes.key("lower right", handletextpad=0.1, **place)
        pixels = (14, 46, 66) if self.narrow else (48, 34, 52)
        self.lay_rows(axes, len(rows), pixels)


class Sizes(Plot):
    """How far off counts of every size are, as a share of each, and what the interval goal asks."""

    frame = style.look(
        x="true count",
        y="half-width, as a share of the count",
        xscale="log",
        yscale="log",
        xlim=(1, 1e5),
        ylim=(1e-3, 30),
        writes="x",
        yticks=_SHARES,
        yticklabels=[*map(percent, _SHARES)],
    )

    message = "The same noise is a larger share of a smaller count."

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        case = result.case
        width = choice.each_within(case, result.scale)
        if width is None:
            room = 0.75 * ROOM if self.narrow else ROOM
            axes.note("\n".join(style.lines(choice.NO_SIZES, room)))
            return
        for goal in result.goals:
            if isinstance(goal, choice.IntervalGoal) and case.reference:
                self._ask(axes, goal, result)
        ends = np.array(axes.get_xlim())
        name = f"±{case.measured(width, up=True)}, now"
        name = style.plain(name, ROOM)
        axes.line(ends, width / ends, name, **style.PRESENT)
        sizes = np.array(choice.SIZES)
        look = style.look(marker="o", markersize=6, color=style.INK)
        axes.points(sizes, width / sizes, **look)
        axes.key("upper right")

    def _ask(
        self, axes: Panel, goal: choice.IntervalGoal, result: CaseDecision
    ) -> None:
        """Draw where the goal wants the line: under its share, from its least count on."""
        case, share = result.case, goal.half_width
        least = case.reference or 0.0
        far, low = axes.get_xlim()[1], axes.get_ylim()[0]
        name = f"goal: ±{percent(share)} from {show(least)} up"
        look = style.area(style.CURVES[0]["color"], 0.22)
        axes.box(least, low, far - least, share - low, name, **look)
        axes.handle("half_width", (least * far) ** 0.5, share, upright=True)
        axes.handle("reference", least, (low * share) ** 0.5)
        if goal.cells == choice.AT_ONCE and result.scale:
            # Nearer than any one of them: the goal is about this line.
            ends = np.array([least, far])
            width = goal.reached(case, result.scale) * least
            look = style.look(color=style.MAIN, linewidth=2, linestyle="--")
            axes.line(ends, width / ends, "all at once", **look)


class Used(Plot):
    """A bar for each limit of all releases: how much of it others and this plan fill."""

    frame = style.look(
        x="share of what all may have together",
        xlim=(0, 1.5),
        bare="y",
        yticks=[],
        at=(0.1, 0.3, 0.87, 0.5),
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
        pair = whole.used_before(whole.widest)
        used_before = dict(zip(_LIMITS, pair, strict=True))
        limits = [goal for goal in result.goals if goal.kind in _LIMITS]
        line = 64 if self.narrow else 52
        self.lay_rows(axes, len(limits), (40, line, 58))
        axes.upright(1, color=style.INK, linewidth=1.2)
        heading = "no ε or ρ is a limit"
        if limits:
            heading = "grey: used before; blue: with this plan"
        axes.beside(1, -8 / line, heading, va="bottom")
        used = style.area(style.MUTED, 0.8)
        filled = style.area(style.MAIN, 0.8)
        for row, goal in enumerate(limits):
            self.name_row(axes, row, [_LIMITS[goal.kind]])
            now = before = used_before[goal.kind]
            if result.factor is not None:
                now = goal.reached(whole, result.factor)
            ends = np.array([before, max(before, now)])
            left, right = np.minimum(ends, 1.5 * goal.limit) / goal.limit
            axes.box(0, row + 0.45, left, 0.35, **used)
            axes.box(left, row + 0.45, right - left, 0.35, **filled)
            words = f"{up(now)} of {show(goal.limit)}"
            axes.beside(1, row + 0.28, words, bbox=style.BEHIND)


_LINE = 34  # the height of a statistic in CSS pixels
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
        at=(0.2, 0.1, 0.33, 0.8),
    )

    def build(self, figure: Figure) -> None:
        super().build(figure)
        scale = style.look(
            xscale="log",
            xlim=_FACTORS,
            yticks=[],
            at=(0.58, 0.1, 0.38, 0.8),
            xticks=_TICKS,
            xticklabels=[*map(str, _TICKS)],
        )
        self.noise = Panel(figure, x="noise over its largest", **scale)

    def draw(self, axes: Panel, result: plan.PlanDecision) -> None:
        noise = self.noise
        statistics = result.plan.statistics
        line, middle = (50, 0.7) if self.narrow else (_LINE, 0.5)
        pixels = (40, line, 82 if self.narrow else 62)
        self.lay_rows(noise, len(statistics), pixels, (0.55, 0.39))
        self.lay_rows(axes, len(statistics), pixels, (0.05, 0.42))
        rows = np.arange(len(statistics)) + middle
        for row, statistic in enumerate(statistics):
            self.name_row(axes, row, [style.plain(statistic.name, 11.0)])
        bars = []
        if result.factor is not None:
            shares = result.plan.shares(result.factor)
            for row, share in zip(rows, shares, strict=True):
                bars.append([(0, row), (share, row)])
                axes.words(share + 0.03, row, percent(share), va="center")
        axes.segments(bars, colors=style.MAIN, linewidth=12)
        factors = result.factors
        heading = "no factor keeps everything"
        if not factors.empty:
            least = max(factors.low, _FACTORS[0])
            noise.band(least, 1, **style.area(style.CURVES[0]["color"], 0.22))
            heading = f"factors from {result.written[0]} to 1 keep everything"
            if result.written[0] == "1":
                heading = "only the factor 1 keeps everything"
        noise.beside(1, -8 / line, heading, va="bottom")
        noise.upright(1, color=style.INK, linewidth=1.2)
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
