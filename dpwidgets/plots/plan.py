"""A picture of a plan: who uses how much of the budget, and how far each is from its goals."""

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators.plan import Decision
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import WIDTH, Plot
from dpwidgets.plots.panel import Panel

_LINE = 34  # the height of a statistic in CSS pixels
_AROUND = 116  # the height of what stands above and below
_NAME = 11.0  # the room left of the bars, in heights of the letters
_LOW, _HIGH = 0.01, 10.0
_FREE = style.look(linestyle="none", markersize=8, marker="o", color=style.ACCENT)
_FIXED = _FREE | style.look(marker="s", color=style.MUTED)
_BEYOND = _FREE | style.look(marker="D")


class Statistics(Plot):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have.

    The picture is as high as its rows need.
    """

    frame = style.look(x="share of what all use up (ρ)", xlim=(0, 1.3))  # words beside the bars
    frame |= style.look(xticks=(0, 0.5, 1), xticklabels=("0%", "50%", "100%"))

    def build(self, figure: Figure) -> None:
        super().build(figure)
        self.axes.grid(axis="y", visible=False)
        scale = style.look(xscale="log", xlim=(_LOW, _HIGH), yticks=[])
        scale |= style.look(xticks=(0.01, 0.1, 1, 10), xticklabels=("0.01", "0.1", "1", "10"))
        self.noise = Panel(figure, x="noise over its largest", **scale)

    def draw(self, axes: Panel, result: Decision) -> None:
        noise, statistics = self.noise, result.plan.statistics
        self._make_room(len(statistics))
        rows = np.arange(len(statistics)) + 0.5
        axes.ticks("y", rows, [style.plain(one.name, _NAME) for one in statistics])
        shares = result.plan.shares(result.factor) if result.factor is not None else ()
        bars = [[(0, row), (share, row)] for row, share in zip(rows, shares, strict=False)]
        axes.segments(bars, colors=style.MAIN, linewidth=12)
        for row, share in zip(rows, shares, strict=False):
            axes.words(share + 0.03, row, percent(share), va="center")
        factors, heading = result.plan.factors, "no factor keeps everything"
        if not factors.empty:
            noise.band(max(factors.low, _LOW), 1, **style.area(style.CURVES[0]["color"], 0.22))
            heading = f"factors from {show(factors.low, up=True)} to 1 keep everything"
        place = style.look(transform=noise.transAxes, ha="center", va="bottom")
        noise.words(0.5, 1.03, heading, **place)
        noise.upright(1, color=style.INK, linewidth=1.2)
        for row, one, scale in zip(rows, statistics, result.scales, strict=False):
            over = scale / one.largest_scale
            look = _FREE if one.scale is None else _FIXED
            look = look if _LOW <= over <= _HIGH else _BEYOND
            noise.line([np.clip(over, _LOW, _HIGH)], [row], **look)

    def _make_room(self, lines: int) -> None:
        """Make the picture as high as so many statistics."""
        height = 2 * round((_LINE * lines + _AROUND) / 2)  # whole pixels at any density
        self.size = (WIDTH, height)
        self.figure.set_size_inches(WIDTH / 100, height / 100)
        bottom, top = 62 / height, 1 - 40 / height
        self.axes.set_position((0.2, bottom, 0.33, top - bottom))
        self.noise.set_position((0.58, bottom, 0.38, top - bottom))
        for axes in (self.axes, self.noise):
            axes.set_ylim(lines, 0)
