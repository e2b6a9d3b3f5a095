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

_HOLDS = style.look(color=style.CURVES[0]["color"], linewidth=2.4)
_MISSES = style.look(color=style.BAD, linewidth=2.4)
_CROSS = style.WRONG | style.look(markersize=6, name="misses it")
_TRUTH = style.look(color=style.INK, label="the truth", zorder=4)
_BEFORE = style.look(color=style.INK, linewidth=1.2)
_ODDS = style.look(color=style.MAIN, linewidth=18)
_WALLS = style.look(color=style.BAD, linewidth=3)
_TEN = 10  # answers, for which the frame of the odds stays


def _call(panel: Panel, name: str) -> None:
    """Write a name above a panel."""
    panel.set_ylabel(name if panel.narrow else "")
    if not panel.narrow:
        within = panel.transAxes
        panel.text(0, 1.06, name, transform=within, fontsize=style.TEXT)


class Held(Plot):
    """Two columns of intervals, each by how far it is off the truth; below them, where that is."""

    size = (640, 460)

    def build(self, figure: Figure) -> None:
        frame = style.look(
            x="people off the true count",
            writes="x",
            ylim=(0, 1.03),
            yticks=(),
            bare="y",
            left=16,
            high=230,
        )
        self.columns = [
            Panel(figure, at=(left, 0.37, 0.435, 0.54), **frame)
            for left in (0.04, 0.525)
        ]
        self.axes = Panel(
            figure,
            x="true count, in people",
            at=(0.04, 0.14, 0.92, 0.06),
            xlim=(0, 3),
            yticks=(),
            bare="xy",
            left=16,
            high=30,
        )
        for panel in self.panels():
            panel.spines["left"].set_visible(False)

    def draw(self, axes: Panel, result: Any) -> None:
        axes.ticks("x", range(4), ["1", "10", "100", "1,000"])
        axes.handle("true count", math.log10(result.count), 0)
        reach = style.ruler(1.02 * np.abs(result.noise).max())
        rows = np.linspace(0.02, 0.98, result.noise.size)
        for panel, (name, ends) in zip(
            self.columns, result.intervals().items(), strict=True
        ):
            panel.set_xlim(-reach, reach)
            _call(panel, name)
            far = np.clip(ends - result.count, -reach, reach)
            bars = np.stack([far, [rows, rows]]).T
            holds = result.holds(ends)
            panel.segments(bars[holds], **_HOLDS)
            panel.segments(bars[~holds], **_MISSES)
            panel.points(result.noise[~holds], rows[~holds], **_CROSS)
            panel.plot([0, 0], [0, 1], **_TRUTH)


class Rule(Plot):
    """Three rows of bars over the same counts: prior, likelihood, and what comes of them."""

    size = (640, 480)
    rows_at = (0.72, 0.41, 0.1)  # as shares of the height
    tall = 0.21
    rises = 1  # in one frame, to so many times the prior's height

    def build(self, figure: Figure) -> None:
        self.bars = [
            Panel(figure, at=(0.09, at, 0.88, self.tall), writes="xy", high=96)
            for at in self.rows_at
        ]
        _, self.likelihood, self.axes = self.bars
        self.axes.set_xlabel("count")

    def draw(self, axes: Panel, result: Any) -> None:
        first = result.first  # else the frame would follow what is learned
        known = np.flatnonzero(first > 1e-4 * first.max())
        steps = result.prior, result.products, result.posterior
        high = style.ruler(max(self.rises * first.max(), *map(np.max, steps)))
        for panel in self.bars:
            panel.set_xlim(known[0] - 0.5, known[-1] + 0.5)
            panel.set_ylim(0, 1 if panel is self.likelihood else high)
            panel.numbers("y", 2)
        edges = np.arange(result.prior.size + 1) - 0.5
        nothing = np.zeros_like(result.prior)
        answer = show(result.answers[-1]) if result.answers else "that comes"
        made = ("= ?", "= products", "÷ their sum = posterior")[result.step]
        rows = (
            ("prior", result.prior),
            (f"× likelihood of the answer {answer}", result.likelihood),
            (made, steps[result.step] if result.step else nothing),
        )
        for panel, (name, heights) in zip(self.bars, rows, strict=True):
            panel.stairs(heights, edges, **style.area(style.MAIN, 0.4))
            _call(panel, name)
        if result.step:
            axes.stairs(steps[result.step - 1], edges, **_BEFORE)
        for count, name in enumerate(result.places):
            self.likelihood.handle(
                name, count, result.share(name), upright=True
            )
        if not result.covered:
            axes.axvline(result.truth, color=style.INK, linewidth=2)


class Again(Rule):
    """The same of answer after answer, and the odds of one person between their walls."""

    size = (640, 600)
    rows_at = (0.79, 0.545, 0.3)
    tall = 0.155
    rises = 2

    def build(self, figure: Figure) -> None:
        super().build(figure)
        look = style.look(ylim=(0, 1), yticks=(), bare="y", high=70)
        self.odds = Panel(figure, at=(0.09, 0.06, 0.88, 0.1), **look)

    def draw(self, axes: Panel, result: Any) -> None:
        super().draw(axes, result)
        name = f"odds that {result.who} said yes, as a multiple of the first: within e^±kε"
        _call(self.odds, name)
        wall = len(result.answers) * result.epsilon
        reach = max(_TEN * result.epsilon, wall)
        places = np.linspace(-reach, reach, 5)
        self.odds.set_xlim(-1.02 * reach, 1.02 * reach)
        self.odds.ticks("x", places, [show(one) for one in np.exp(places)])
        self.odds.levels(0.5, 0, math.log(result.factor), **_ODDS)
        self.odds.uprights([-wall, wall], 0, 1, **_WALLS)
