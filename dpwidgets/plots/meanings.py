"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from __future__ import annotations

from collections.abc import Container
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import ENDS, Meaning, Portrait
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import WIDTH, Plot

_LINE = 34.0  # the height of a row or a heading in CSS pixels
_NAME = 37  # letters of a deployment's name
_LEFT, _RIGHT = 0.69, 0.985  # the ends of the scales, as shares of the width
_HEADING, _VALUE, _END = 28.0, 22.0, 8.0  # the room of these, in heights of the letters
_NAME_AND_VALUE = 32.5  # the room left of the scales, in heights of the letters


class Rows(Plot):
    """Every meaning as a row: its name, its number, and a mark on a scale of its own.

    Both ends of the scale have their numbers, and the left one is the private end. The picture is
    as high as its rows need.
    """

    def build(self, figure: Figure) -> None:
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, 1), ylim=(1, 0))
        self.axes.grid(visible=False)
        self.axes.xaxis.set_visible(False)
        self.axes.spines[:].set_visible(False)
        self.axes.tick_params(axis="y", length=0, pad=-8)
        self.values: list[Text] = []
        self.ends: list[tuple[Text, Text]] = []
        self.scales = self.axes.hlines([], 0, 0, colors=style.MUTED, linewidth=1.5)
        look: style.Look = {"linestyle": "none", "color": style.ACCENT, "zorder": 3}
        self.marks = style.line(
            self.axes, marker="o", markersize=8, markeredgecolor=style.PAPER, **look
        )
        self.beyond = style.line(self.axes, marker="d", markersize=7, **look)
        self._write(_LEFT, 0.5, f"private end: ε = {show(ENDS[0])}")
        self._write(_RIGHT, 0.5, f"ε = {show(ENDS[1])}", ha="right")
        self.now = self._write(0.015, 0.5, "", fontsize=style.TEXT, weight="bold")

    def update(self, result: Portrait) -> None:
        noise = result.case.measured(result.scale)
        self.now.set_text(
            style.plain(f"ε = {show(result.epsilon)}, noise of scale {noise}", _HEADING)
        )
        names, rows = [""], {}
        for who, meant in groupby(result.rows, key=lambda row: row.meaning.gets):
            names.append(who)
            for row in meant:
                rows[len(names)] = row
                names.append(row.meaning.name)
        self._make_room(len(names))
        for line, value in enumerate(self.values):
            for text in (value, *self.ends[line]):
                text.set_visible(line in rows)
            if line in rows:
                row = rows[line]
                value.set_text(style.plain(row.meaning.shown(row.value), _VALUE))
                ends = [style.plain(_end(row.meaning, number), 2 * _END) for number in row.ends]
                if sum(map(style.width, ends)) > 2 * _END:
                    ends = [style.plain(words, _END) for words in ends]
                for text, words in zip(self.ends[line], ends, strict=True):
                    text.set_text(words)
                taken = style.width(value.get_text(), "bold")
                names[line] = style.cut(names[line], _NAME_AND_VALUE - taken)
        self._name(names, rows)
        self.scales.set_segments([[(_LEFT, line + 0.4), (_RIGHT, line + 0.4)] for line in rows])
        for marks, inside in ((self.marks, True), (self.beyond, False)):
            shown = {
                line: row.place for line, row in rows.items() if (0 <= row.place <= 1) == inside
            }
            places = np.clip(list(shown.values()), 0, 1)
            marks.set_data(_LEFT + (_RIGHT - _LEFT) * places, np.array(list(shown)) + 0.4)

    def _make_room(self, lines: int) -> None:
        """Make the picture as high as so many lines."""
        self.size = (WIDTH, 2 * round(_LINE * (lines + 0.2) / 2))  # whole pixels at any density
        self.figure.set_size_inches(WIDTH / 100, self.size[1] / 100)
        self.axes.set_ylim(lines + 0.2, 0)
        for line in range(len(self.values), lines):
            value = self._write(_LEFT - 0.02, line + 0.5, "", ha="right", weight="bold")
            self.values.append(value)
            below: style.Look = {"color": style.MUTED, "fontsize": style.SMALL - 1}
            left = self._write(_LEFT, line + 0.78, "", **below)
            self.ends.append((left, self._write(_RIGHT, line + 0.78, "", ha="right", **below)))

    def _write(self, x: float, y: float, words: str, **look: Any) -> Text:
        return self.axes.text(x, y, words, va="center", **look)

    def _name(self, names: list[str], rows: Container[int]) -> None:
        """Write the names as ticks, which are drawn once and kept."""
        style.ticks(self.axes, "y", np.arange(len(names)) + 0.5, names)
        for line, label in enumerate(self.axes.get_yticklabels()):
            label.set(horizontalalignment="left", weight="normal" if line in rows else "bold")


def _end(meaning: Meaning, number: float) -> str:
    """Write the number at an end of a scale briefly."""
    words = meaning.shown(number).partition(" (")[0]
    return "over 99.99%" if words.endswith("%") and number > 0.9999 else words


class Published(Plot):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    size = (640, 660)  # 28 for each row, so that marks stand on whole pixels

    def build(self, figure: Figure) -> None:
        every = meanings.deployments()
        self.axes = style.frame(figure, x="ε", y="", at=(0.405, 60 / 660, 0.325, 532 / 660))
        self.axes.set(xscale="log", xlim=(0.1, 100), ylim=(len(every), 0))
        style.numbers(self.axes, "x")
        self.axes.set_xticks([0.1, 1, 10, 100])
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        words: style.Look = {"va": "center", "transform": self.axes.get_yaxis_transform()}
        for row, one in enumerate(every):
            name = one.name if len(one.name) <= _NAME else f"{one.name[: _NAME - 1].rstrip()}…"
            self.axes.text(-0.03, row + 0.5, name, ha="right", **words)
            self.axes.text(1.03, row + 0.5, f"{one.unit}, {one.period}", ha="left", **words)
        looks: dict[str, style.Look] = {
            "central": {"marker": "o", "label": "noise by the curator"},
            "local": {"marker": "^", "fillstyle": "none", "label": "noise by each device"},
            "rho": {"marker": "o", "fillstyle": "none", "label": "by the curator, ε from ρ"},
        }
        for kind, look in looks.items():
            rows = [
                row
                for row, one in enumerate(every)
                if kind == ("rho" if one.computed else one.model)
            ]
            points = style.line(self.axes, linestyle="none", color=style.MAIN, ms=8, **look)
            points.set_data([every[row].epsilon for row in rows], np.array(rows) + 0.5)
        self.now = self.axes.axvline(1, color=style.ACCENT, linewidth=2, label="your ε")
        self.axes.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=2)
        self.point = style.point(self.axes)

    def update(self, result: Portrait) -> None:
        self.now.set_xdata([result.epsilon, result.epsilon])
        style.place(self.point, result.epsilon, len(meanings.deployments()))
