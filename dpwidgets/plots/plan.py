"""A picture of a plan: who uses how much of the budget, and how far each is from its goals."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators.plan import Decision
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import WIDTH, Plot

_LINE = 34  # the height of a statistic in CSS pixels
_AROUND = 116  # the height of what stands above and below
_NAME = 11.0  # the room left of the bars, in heights of the letters
_LOW, _HIGH = 0.01, 10.0


class Statistics(Plot):
    """A row for each statistic: its share of ρ, and its noise beside the largest it may have.

    The picture is as high as its rows need.
    """

    def build(self, figure: Figure) -> None:
        self.shares = style.frame(figure, x="share of what all use up (ρ)", y="")
        self.noise = style.frame(figure, x="noise over its largest", y="")
        self.shares.set(xlim=(0, 1.3))  # the words stand beside the bars
        self.shares.set_xticks([0, 0.5, 1], ["0%", "50%", "100%"])
        self.noise.set(xscale="log", xlim=(_LOW, _HIGH))
        self.noise.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
        for axes in (self.shares, self.noise):
            axes.grid(axis="y", visible=False)
        self.noise.set_yticks([])
        self.bars = self.shares.hlines([], 0, 0, colors=style.MAIN, linewidth=12)
        self.words = [self.shares.text(0, 0, "", va="center") for _ in range(20)]
        self.common = self.noise.axvspan(1, 1, **style.area(style.CURVES[0]["color"], 0.22))
        self.noise.axvline(1, color=style.INK, linewidth=1.2)
        looks: dict[str, style.Look] = {
            "free": {"marker": "o", "color": style.ACCENT},
            "fixed": {"marker": "s", "color": style.MUTED},
            "beyond": {"marker": "D", "color": style.ACCENT},
        }
        self.marks = {
            kind: style.line(self.noise, linestyle="none", markersize=8, **look)
            for kind, look in looks.items()
        }
        self.heading = self.noise.text(
            0.5, 1.03, "", transform=self.noise.transAxes, ha="center", va="bottom"
        )

    def update(self, result: Decision) -> None:
        statistics = result.plan.statistics
        self._make_room(len(statistics))
        rows = np.arange(len(statistics)) + 0.5
        names = [style.plain(one.name, _NAME) for one in statistics]
        style.ticks(self.shares, "y", rows, names)
        shares = result.plan.shares(result.factor) if result.factor is not None else ()
        self.bars.set_segments(
            [[(0, row), (share, row)] for row, share in zip(rows, shares, strict=False)]
        )
        for word in self.words:
            word.set_text("")
        for word, row, share in zip(self.words, rows, shares, strict=False):
            word.set(text=percent(share), y=row, x=share + 0.03)
        factors = result.plan.factors
        self.common.set_visible(not factors.empty)
        low = max(factors.low, _LOW) if not factors.empty else 1.0
        self.common.set_bounds(low, 0, 1 - low, 1)
        self.heading.set_text("no factor keeps everything")
        if not factors.empty:
            self.heading.set_text(f"factors from {show(factors.low, up=True)} to 1 keep everything")
        for marks in self.marks.values():
            marks.set_data([], [])
        for row, one, scale in zip(rows, statistics, result.scales, strict=False):
            over = scale / one.largest_scale
            kind = "fixed" if one.scale is not None else "free"
            kind = kind if _LOW <= over <= _HIGH else "beyond"
            marks = self.marks[kind]
            x = np.append(marks.get_xdata(), np.clip(over, _LOW, _HIGH))
            marks.set_data(x, np.append(marks.get_ydata(), row))

    def _make_room(self, lines: int) -> None:
        """Make the picture as high as so many statistics."""
        height = 2 * round((_LINE * lines + _AROUND) / 2)  # whole pixels at any density
        self.size = (WIDTH, height)
        self.figure.set_size_inches(WIDTH / 100, height / 100)
        bottom, top = 62 / height, 1 - 40 / height
        self.shares.set_position((0.2, bottom, 0.33, top - bottom))
        self.noise.set_position((0.58, bottom, 0.38, top - bottom))
        for axes in (self.shares, self.noise):
            axes.set_ylim(lines, 0)
