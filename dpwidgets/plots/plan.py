"""Pictures of a plan: what others and it use up of each limit, and the noise of its statistics."""

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions.goals import Budget
from dpwidgets.decisions.plan import Plan, PlanDecision
from dpwidgets.inputs.notation import percent, up
from dpwidgets.plots import style
from dpwidgets.plots.grid import NamedRows
from dpwidgets.plots.panel import Panel, Word

_SEEN = 1.5  # of a limit, at most
_FACTORS = (0.01, 10.0)
_TICKS = (0.01, 0.1, 1, 10)
_NO_FACTOR = "No factor keeps everything."
_FREE = style.look(marker="o", color=style.MAIN)
_FIXED = style.look(marker="s", color=style.MUTED, name="fixed by the plan")


class UsedUp(NamedRows):
    """A bar for each limit of all releases: how much of it others and this plan fill."""

    frame = style.look(
        x="share of what all may have together",
        xlim=(0, _SEEN),
        bare="y",
        yticks=[],
        xticks=(0, 0.5, 1),
        xticklabels=("0%", "50%", "100%"),
    )

    column = 60

    @classmethod
    def says(cls, result: PlanDecision) -> str:
        budgets = _budgets(result)
        if not budgets:
            return "No ε or ρ is a limit here."
        if result.factor is None:
            return _NO_FACTOR
        most = max(
            goal.reached(result.plan, result.factor) / goal.limit
            for goal in budgets
        )
        before = "What came before and this plan use"
        who = before if result.plan.before else "This plan uses"
        return f"{who} up {up(most, percent)} of a limit, at most."

    def draw(self, axes: Panel, result: PlanDecision) -> None:
        whole = result.plan
        budgets = _budgets(result)
        right = self.size[0] - (32 if self.narrow else 120)
        self.lay_rows(axes, len(budgets), 14, 58, (self.begin, right))
        self.cross(axes, 1, range(len(budgets)))
        words: list[Word] = []
        used_before = whole.used_before
        for row, goal in enumerate(budgets):
            now = before = used_before[goal.symbol]
            if result.factor is not None:
                now = goal.reached(whole, result.factor)
            ends = np.array([before, max(before, now)])
            others, all_of_them = np.minimum(ends / goal.limit, _SEEN)
            for start, end, name, color in (
                (0.0, others, "used before", style.MUTED),
                (others, all_of_them, "this plan", style.MAIN),
            ):
                if end > start:
                    self.bar(
                        axes,
                        row,
                        (start, end),
                        label=name,
                        **style.area(color, 0.8),
                    )
            (used,), (limit,) = goal.beside(whole, now), goal.written(whole)
            words += self.row(axes, row, goal.symbol, f"{used} of {limit}")
            if result.factor is not None:
                along, at = partial(_share, goal, whole), row + self.middle
                axes.handle(
                    "factor", all_of_them, at, along, words=goal.symbol
                )
        axes.stay(words)


def _budgets(result: PlanDecision) -> list[Budget]:
    """Return the limits of all releases among a plan's goals."""
    return [goal for goal in result.goals if isinstance(goal, Budget)]


def _share(goal: Budget, whole: Plan, factor: float) -> float:
    """Return where the bar of a limit ends with this factor."""
    return min(goal.reached(whole, factor) / goal.limit, _SEEN)


class Statistics(NamedRows):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have."""

    column = 120
    frame = style.look(
        x="share of what all use up (ρ)",
        xlim=(0, 1),
        xticks=(0, 0.5, 1),
        xticklabels=("0%", "50%", "100%"),
        bare="y",
        yticks=[],
    )

    def build(self, figure: Figure) -> None:
        super().build(figure)
        self.noise = Panel(
            figure,
            x="noise over its largest",
            xscale="log",
            xlim=_FACTORS,
            yticks=[],
            xticks=_TICKS,
            xticklabels=[*map(str, _TICKS)],
        )

    @classmethod
    def says(cls, result: PlanDecision) -> str:
        if result.factor is None:
            return _NO_FACTOR
        shares = result.plan.shares(result.factor)
        most = int(np.argmax(shares))
        name = style.plain(result.plan.statistics[most].name, 20.0)
        return f"{percent(shares[most])} of what all use up goes to {name}."

    def draw(self, axes: Panel, result: PlanDecision) -> None:
        noise = self.noise
        statistics = result.plan.statistics
        many = len(statistics)
        ends = self.begin, 140, 196, 292
        if not self.narrow:
            ends = self.begin, 330, 420, 608
        pixels = many, 14, 82 if self.narrow else 62
        self.lay_rows(noise, *pixels, ends[2:])
        self.lay_rows(axes, *pixels, ends[:2])
        rows = np.arange(many) + self.middle
        words: list[Word] = []
        for row, statistic in enumerate(statistics):
            words += self.row(axes, row, style.plain(statistic.name, 11.0))
        axes.stay(words)
        if result.factor is not None:
            shares = result.plan.shares(result.factor)
            axes.levels(rows, 0, shares, colors=style.MAIN, linewidth=12)
            for row, share in zip(rows, shares, strict=True):
                axes.beside(1.03, row, percent(share), ha="left")
            self.stand(noise, "factor", result.factor, many, "the factor")
        if not result.factors.empty:
            least = max(result.factors.low, _FACTORS[0])
            band = style.area(style.CURVES[0]["color"], 0.22)
            band["label"] = "factors that keep everything"
            noise.axvspan(least, 1, **band)
        if not result.scales:
            return
        largest = [statistic.largest_scale for statistic in statistics]
        places = np.divide(result.scales, largest)
        free = np.array([statistic.scale is None for statistic in statistics])
        for chosen, look in ((free, _FREE), (~free, _FIXED)):
            if chosen.any():
                look = look | style.look(markersize=8, clip_on=False)
                noise.points(places[chosen], rows[chosen], **look)
