"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text

from dpwidgets import texts
from dpwidgets.calculators import published
from dpwidgets.calculators.portrait import ENDS, Portrait
from dpwidgets.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.plot import Plot

_LINES = 26  # rows and headings that a picture can hold
_UNITS = ("people", "times")  # that a number does not show by itself
_NAME = 37  # letters of a deployment's name
_LEFT, _RIGHT = 0.71, 0.985  # the ends of the scales, as shares of the width


class Rows(Plot):
    """Every meaning as a row: its name, its number, and a mark on a scale of its own."""

    size = (640, 620)

    def build(self, figure: Figure) -> None:
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, 1), ylim=(_LINES + 1.4, 0))
        self.axes.set_axis_off()
        self.axes.spines[:].set_visible(False)
        words = {"color": style.INK, "va": "center", "parse_math": False, "visible": False}
        self.names = [self.axes.text(0.015, 0, "", fontsize=style.SMALL, **words) for _ in range(_LINES)]
        self.values = [self.axes.text(0.69, 0, "", ha="right", fontsize=style.SMALL, **words) for _ in range(_LINES)]
        self.scales = self.axes.hlines([], 0, 0, colors=style.FAINT, linewidth=4)
        (self.marks,) = self.axes.plot(
            [],
            [],
            linestyle="none",
            marker="o",
            markersize=8,
            color=style.ACCENT,
            markeredgecolor=style.PAPER,
            zorder=3,
        )
        (self.beyond,) = self.axes.plot(
            [], [], linestyle="none", marker="d", markersize=7, color=style.ACCENT, zorder=3
        )
        for x, epsilon, side in ((_LEFT, ENDS[0], "left"), (_RIGHT, ENDS[1], "right")):
            self.axes.text(x, 0.55, f"ε = {show(epsilon)}", ha=side, **words | {"visible": True}, fontsize=style.SMALL)
        self.now = self.axes.text(0.015, 0.55, "", **words | {"visible": True}, fontsize=style.TEXT, weight="bold")

    def update(self, result: Portrait) -> None:
        self.now.set_text(f"ε = {show(result.epsilon)} means:")
        for text in (*self.names, *self.values):
            text.set_visible(False)
        lines, line = [], 1
        for word, rows in groupby(result.rows, key=lambda row: row.meaning.text):
            question = texts.find(word).question if word else "What can a test or an audit tell?"
            self._write(self.names[line], question, line, weight="bold")
            line += 1
            for row in rows:
                self._write(self.names[line], row.meaning.name, line)
                unit = f" {row.meaning.unit}" if row.meaning.unit in _UNITS else ""
                self._write(self.values[line], row.meaning.shown(row.value) + unit, line, weight="bold")
                lines.append((line, row.place))
                line += 1
        self.scales.set_segments([[(_LEFT, at + 0.6), (_RIGHT, at + 0.6)] for at, _ in lines])
        for marks, inside in ((self.marks, True), (self.beyond, False)):
            shown = [(at, place) for at, place in lines if (0 <= place <= 1) == inside]
            at, places = np.array(shown).T if shown else ([], [])
            marks.set_data(_LEFT + (_RIGHT - _LEFT) * np.clip(places, 0, 1), np.add(at, 0.6) if shown else [])

    @staticmethod
    def _write(place: Text, words: str, line: int, weight: str = "normal") -> None:
        place.set(text=words, y=line + 0.6, weight=weight, visible=True)


class Published(Plot):
    """The ε of documented deployments on one axis, each with what it protects, and the present ε."""

    size = (640, 480)

    def build(self, figure: Figure) -> None:
        every = published.deployments()
        self.axes = figure.add_axes((0.405, 0.12, 0.325, 0.78))
        style.frame(self.axes, x="ε, as published", y="")
        self.axes.set(xscale="log", xlim=(0.1, 100), ylim=(len(every), 0))
        style.numbers(self.axes, "x")
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        words = {
            "fontsize": style.SMALL,
            "color": style.INK,
            "va": "center",
            "transform": self.axes.get_yaxis_transform(),
        }
        for row, one in enumerate(every):
            name = one.name if len(one.name) <= _NAME else f"{one.name[: _NAME - 1].rstrip()}…"
            self.axes.text(-0.03, row + 0.5, f"{name}", ha="right", **words)
            self.axes.text(1.03, row + 0.5, f"{one.unit}, {one.period}", ha="left", **words)
        for model, look in (("central", {"marker": "o"}), ("local", {"marker": "^", "fillstyle": "none"})):
            points = [(one.epsilon, row + 0.5) for row, one in enumerate(every) if one.model == model]
            label = {"central": "noise by the curator", "local": "noise by each device"}[model]
            self.axes.plot(
                *zip(*points, strict=True), linestyle="none", color=style.MAIN, markersize=8, label=label, **look
            )
        self.now = self.axes.axvline(1, color=style.ACCENT, linewidth=2, label="your ε")
        style.legend(self.axes, loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=3)
        self.point = style.point(self.axes)

    def update(self, result: Portrait) -> None:
        self.now.set_xdata([result.epsilon, result.epsilon])
        style.place(self.point, result.epsilon, len(published.deployments()))
