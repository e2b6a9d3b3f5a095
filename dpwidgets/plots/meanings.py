"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import ENDS, Meaning, Portrait
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

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
        self.axes = Panel(figure, at=(0, 0, 1, 1), xlim=(0, 1), bare="xy")
        self.axes.xaxis.set_visible(False)
        self.axes.spines[:].set_visible(False)
        self.axes.tick_params(axis="y", length=0, pad=-8)

    def draw(self, axes: Panel, result: Portrait) -> None:
        names, rows = [""], {}
        for who, meant in groupby(result.rows, key=lambda row: row.meaning.gets):
            names.append(who)
            for row in meant:
                rows[len(names) + 0.5] = row
                names.append(row.meaning.name)
        self.resize(_LINE * (len(names) + 0.2))
        axes.set_ylim(len(names) + 0.2, 0)
        epsilon, scale = result.written
        now = style.plain(f"ε = {epsilon}, noise of scale {scale}", _HEADING)
        bold = style.look(va="center", weight="bold")
        axes.words(0.015, 0.5, now, fontsize=style.TEXT, **bold)
        axes.words(_LEFT, 0.5, f"private end: ε = {show(ENDS[0])}", va="center")
        axes.words(_RIGHT, 0.5, f"ε = {show(ENDS[1])}", va="center", ha="right")
        below = style.look(va="center", color=style.MUTED, fontsize=style.SMALL - 1)
        for y, row in rows.items():
            value = style.plain(row.meaning.shown(row.value), _VALUE)
            axes.words(_LEFT - 0.02, y, value, ha="right", **bold)
            left, right = _ends(row.meaning, row.ends)
            axes.words(_LEFT, y + 0.28, left, **below)
            axes.words(_RIGHT, y + 0.28, right, ha="right", **below)
            names[int(y)] = style.cut(names[int(y)], _NAME_AND_VALUE - style.width(value, "bold"))
        # As ticks, which are drawn once and kept.
        axes.ticks("y", np.arange(len(names)) + 0.5, names)
        for y, label in enumerate(axes.get_yticklabels(), 1):
            label.set(horizontalalignment="left", weight="normal" if y - 0.5 in rows else "bold")
        self._mark(axes, result, rows)

    def _mark(self, axes: Panel, result: Portrait, rows: dict[float, Any]) -> None:
        """Mark on the scale of each row where its number is, and let ε be moved there."""
        ys, places = np.array([*rows]) - 0.1, np.array([row.place for row in rows.values()])
        axes.segments([[(_LEFT, y), (_RIGHT, y)] for y in ys], colors=style.MUTED, linewidth=1.5)
        x = _LEFT + (_RIGHT - _LEFT) * np.clip(places, 0, 1)
        look = style.look(linestyle="none", color=style.ACCENT, markersize=8, zorder=3)
        look |= style.look(markeredgecolor=style.PAPER)
        for marker, some in (
            ("o", np.abs(places - 0.5) <= 0.5),
            ("<", places < 0),
            (">", places > 1),
        ):
            axes.line(x[some], ys[some], marker=marker, **look)
        for at, y, row in zip(x, ys, rows.values(), strict=True):
            along = partial(_along, partial(result.place, row))
            ends, name = (_LEFT, _RIGHT), row.meaning.name
            axes.handle("epsilon", at, y, along, ends=ends, words=name)


def _along(place: Callable[[float], float], epsilon: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * place(epsilon)


def _ends(meaning: Meaning, numbers: tuple[float, float]) -> list[str]:
    """Write the numbers at both ends of a scale as briefly as they have room."""
    ends = [style.plain(_end(meaning, number), 2 * _END) for number in numbers]
    if sum(map(style.width, ends)) > 2 * _END:
        return [style.plain(words, _END) for words in ends]
    return ends


def _end(meaning: Meaning, number: float) -> str:
    words = meaning.shown(number).partition(" (")[0].replace(" against ", " : ")
    return "over 99.99%" if words.endswith("%") and number > 0.9999 else words


class Published(Plot):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    size = (640, 660)  # 28 for each row, so that marks stand on whole pixels
    frame = style.look(x="ε", at=(0.405, 60 / 660, 0.325, 532 / 660), writes="x")
    frame |= style.look(xscale="log", xlim=(0.1, 100), xticks=(0.1, 1, 10, 100), yticks=[])

    def draw(self, axes: Panel, result: Portrait) -> None:
        every = meanings.deployments()
        axes.set_ylim(len(every), 0)
        words = style.look(va="center", transform=axes.get_yaxis_transform())
        for row, one in enumerate(every):
            name = one.name if len(one.name) <= _NAME else f"{one.name[: _NAME - 1].rstrip()}…"
            axes.words(-0.03, row + 0.5, name, ha="right", **words)
            axes.words(1.03, row + 0.5, f"{one.unit}, {one.period}", ha="left", **words)
        looks = {
            "central": style.look(marker="o", label="noise by the curator"),
            "local": style.look(marker="^", fillstyle="none", label="noise by each device"),
            "rho": style.look(marker="o", fillstyle="none", label="by the curator, ε from ρ"),
        }
        for kind, look in looks.items():
            found = {
                row + 0.5: one.epsilon
                for row, one in enumerate(every)
                if kind == ("rho" if one.computed else one.model)
            }
            look |= style.look(linestyle="none", color=style.MAIN, markersize=8)
            axes.line([*found.values()], [*found], **look)
        axes.upright(result.epsilon, "your ε", color=style.ACCENT, linewidth=2)
        axes.point(result.epsilon, len(every))
        axes.key("lower center", bbox_to_anchor=(0.35, 1.0), ncols=2)
