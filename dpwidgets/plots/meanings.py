"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from __future__ import annotations

from collections.abc import Container
from itertools import groupby

import numpy as np
from matplotlib.figure import Figure

from dpwidgets import texts
from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import ENDS, Portrait
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
        self.axes.set(xlim=(0, 1), ylim=(_LINES + 1.4, 0), facecolor=style.PAPER)
        self.axes.xaxis.set_visible(False)
        self.axes.spines[:].set_visible(False)
        self.axes.tick_params(
            axis="y", length=0, pad=-8, labelsize=style.SMALL, labelcolor=style.INK
        )
        words: style.Look = {
            "fontsize": style.SMALL,
            "color": style.INK,
            "va": "center",
            "parse_math": False,
        }
        self.values = [
            self.axes.text(0.69, line + 0.6, "", ha="right", weight="bold", visible=False, **words)
            for line in range(_LINES)
        ]
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
            self.axes.text(x, 0.55, f"ε = {show(epsilon)}", ha=side, **words)
        self.now = self.axes.text(
            0.015, 0.55, "", **words | {"fontsize": style.TEXT, "weight": "bold"}
        )

    def update(self, result: Portrait) -> None:
        self.now.set_text(f"ε = {show(result.epsilon)} means:")
        names, rows = [""], {}
        for word, meant in groupby(result.rows, key=lambda row: row.meaning.text):
            names.append(texts.find(word).question if word else "What can a test or an audit tell?")
            for row in meant:
                rows[len(names)] = row
                names.append(row.meaning.name)
        self._name(names, rows)
        for line, value in enumerate(self.values):
            value.set_visible(line in rows)
            if line in rows:
                meaning = rows[line].meaning
                unit = f" {meaning.unit}" if meaning.unit in _UNITS else ""
                value.set_text(meaning.shown(rows[line].value) + unit)
        self.scales.set_segments([[(_LEFT, line + 0.6), (_RIGHT, line + 0.6)] for line in rows])
        for marks, inside in ((self.marks, True), (self.beyond, False)):
            shown = {
                line: row.place for line, row in rows.items() if (0 <= row.place <= 1) == inside
            }
            places = np.clip(list(shown.values()), 0, 1)
            marks.set_data(_LEFT + (_RIGHT - _LEFT) * places, np.array(list(shown)) + 0.6)

    def _name(self, names: list[str], rows: Container[int]) -> None:
        """Write the names as ticks, which are drawn once and kept."""
        style.ticks(self.axes, "y", np.arange(len(names)) + 0.6, names)
        for line, label in enumerate(self.axes.get_yticklabels()):
            label.set(
                horizontalalignment="left",
                weight="normal" if line in rows else "bold",
                parse_math=False,
            )


class Published(Plot):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    size = (640, 480)

    def build(self, figure: Figure) -> None:
        every = meanings.deployments()
        self.axes = figure.add_axes((0.405, 0.12, 0.325, 0.78))
        style.frame(self.axes, x="ε, as published", y="")
        self.axes.set(xscale="log", xlim=(0.1, 100), ylim=(len(every), 0))
        style.numbers(self.axes, "x")
        self.axes.set_yticks([])
        self.axes.grid(axis="y", visible=False)
        words: style.Look = {
            "fontsize": style.SMALL,
            "color": style.INK,
            "va": "center",
            "transform": self.axes.get_yaxis_transform(),
        }
        for row, one in enumerate(every):
            name = one.name if len(one.name) <= _NAME else f"{one.name[: _NAME - 1].rstrip()}…"
            self.axes.text(-0.03, row + 0.5, f"{name}", ha="right", **words)
            self.axes.text(1.03, row + 0.5, f"{one.unit}, {one.period}", ha="left", **words)
        looks: dict[str, style.Look] = {
            "central": {"marker": "o", "label": "noise by the curator"},
            "local": {"marker": "^", "fillstyle": "none", "label": "noise by each device"},
        }
        for model, look in looks.items():
            points = [
                (one.epsilon, row + 0.5) for row, one in enumerate(every) if one.model == model
            ]
            self.axes.plot(
                *zip(*points, strict=True),
                linestyle="none",
                color=style.MAIN,
                markersize=8,
                **look,
            )
        self.now = self.axes.axvline(1, color=style.ACCENT, linewidth=2, label="your ε")
        style.legend(self.axes, loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=3)
        self.point = style.point(self.axes)

    def update(self, result: Portrait) -> None:
        self.now.set_xdata([result.epsilon, result.epsilon])
        style.place(self.point, result.epsilon, len(meanings.deployments()))
