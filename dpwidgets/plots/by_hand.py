"""Pictures of what a reader does by hand: intervals that hold or miss, and Bayes' rule.

What they draw is of `teaching.by_hand`, which they cannot import.
"""

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_HALF = 0.7  # of a column of intervals, in tenfold counts
_HOLDS = style.look(color=style.CURVES[0]["color"], linewidth=2.4)
_MISSES = style.look(color=style.BAD, linewidth=2.4)
_BEFORE = style.look(color=style.INK, linewidth=1.2)


class Held(Plot):
    """Two columns of intervals, both in the scale of the noise around the truth."""

    frame = style.look(
        x="true count, in people",
        xlim=(0, 3),
        ylim=(0, 1.08),
        yticks=(),
        bare="xy",
        at=(0.03, 0.14, 0.93, 0.84),
        left=16,
        high=330,
    )

    def draw(self, axes: Panel, result: Any) -> None:
        axes.ticks("x", range(4), ["1", "10", "100", "1,000"])
        axes.handle("true count", math.log10(result.count), 0)
        scale = _HALF / np.abs(result.noise).max()
        rows = np.linspace(0.05, 0.98, result.noise.size)  # above the handle
        columns = result.intervals().items()
        for middle, (name, ends) in zip((0.75, 2.25), columns, strict=True):
            far = np.clip(scale * (ends - result.count), -_HALF, _HALF)
            bars = np.stack([middle + far, [rows, rows]]).T
            holds = result.holds(ends)
            axes.segments(bars[holds], **_HOLDS)
            axes.segments(bars[~holds], **_MISSES)
            answers = middle + scale * result.noise
            cross = style.WRONG | style.look(markersize=6)
            axes.points(answers[~holds], rows[~holds], **cross)
            axes.plot([middle, middle], [0, 1], color=style.INK, zorder=4)
            look = style.look(ha="center", va="bottom", fontsize=style.TEXT)
            axes.text(middle, 1.01, name, **look)


class Rule(Plot):
    """Three rows of bars over the same counts: prior, likelihood, and what comes of them."""

    size = (640, 480)

    def build(self, figure: Figure) -> None:
        self.prior, self.likelihood, self.axes = (
            Panel(figure, at=(0.09, at, 0.88, 0.21), writes="xy", high=96)
            for at in (0.72, 0.41, 0.1)
        )
        self.axes.set_xlabel("count")

    def draw(self, axes: Panel, result: Any) -> None:
        known = np.flatnonzero(result.prior > 1e-4 * result.prior.max())
        steps = result.prior, result.products, result.posterior
        high = style.ruler(max(map(np.max, steps)))
        for panel in self.panels():
            panel.set_xlim(known[0] - 0.5, known[-1] + 0.5)
            panel.set_ylim(0, 1 if panel is self.likelihood else high)
            panel.numbers("y", 2)
        edges = np.arange(result.prior.size + 1) - 0.5
        done = steps[result.step] if result.step else 0 * result.prior
        answer = show(result.answers[-1]) if result.answers else "that comes"
        made = ("= ?", "= products", "÷ their sum = posterior")[result.step]
        rows = (
            ("prior", result.prior),
            (f"× likelihood of the answer {answer}", result.likelihood),
            (made, done),
        )
        area = style.area(style.MAIN, 0.4)
        for panel, (name, heights) in zip(self.panels(), rows, strict=True):
            panel.stairs(heights, edges, **area)
            panel.set_ylabel(name if self.narrow else "")
            if not self.narrow:
                look = style.look(transform=panel.transAxes)
                panel.text(0, 1.06, name, fontsize=style.TEXT, **look)
        if result.step:
            axes.stairs(steps[result.step - 1], edges, **_BEFORE)
        for count, name in enumerate(result.places):
            height = result.share(name)
            self.likelihood.handle(name, count, height, upright=True)
        if not result.covered:
            axes.axvline(result.truth, color=style.INK, linewidth=2)
