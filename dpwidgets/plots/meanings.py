"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions import meanings
from dpwidgets.decisions.meanings import ENDS, Meaning, Portrait, Row
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_NAME = 37  # letters of a deployment's name
_LEFT, _RIGHT = 0.04, 0.985  # the ends of the scales, as shares of the width
_ABOVE = 2  # lines
# The room of these, in heights of the letters: the end of a scale, and of a
# name its longest word.
_END, _WORD = 8.0, 7.0


class Rows(Plot):
    """Every meaning as a row: its name, its number, and a mark on a scale of its own.

    Both ends of the scale have their numbers, and the left one is the private
    end. The picture is as high as its rows need.
    """

    def build(self, figure: Figure) -> None:
        self.axes = Panel(figure, at=(0, 0, 1, 1), xlim=(0, 1), bare="xy")
        self.axes.xaxis.set_visible(False)
        self.axes.spines[:].set_visible(False)
        self.axes.tick_params(axis="y", length=0, pad=-13)

    def draw(self, axes: Panel, result: Portrait) -> None:
        names = [""] * _ABOVE
        weights = ["normal"] * _ABOVE
        values: dict[int, str] = {}  # by the place of its name
        scales: dict[float, Row] = {}
        who = ""
        for row in result.rows:
            if row.meaning.gets != who:
                who = row.meaning.gets
                names.append(who)
                weights.append("bold")
            name, values[len(names)] = self._written(row)
            names += name
            weights += ["normal"] * len(name)
            scales[len(names) - 0.7] = row
        self.lay_rows(axes, len(names), (0, 30, 6), (0, 1))
        self.rows = tuple(self.rows[at] for at in values)
        bold = style.look(va="center", weight="bold")
        epsilon, scale = result.written
        now = style.plain(
            f"ε = {epsilon}, noise of scale {scale}", self.room - 3
        )
        axes.text(0.015, 0.5, now, fontsize=style.TEXT, **bold)
        private, other = map(show, ENDS)
        words = f"private end: ε = {private}"
        axes.text(_LEFT, _ABOVE - 0.5, words, va="center")
        words = f"ε = {other}"
        axes.text(_RIGHT, _ABOVE - 0.5, words, va="center", ha="right")
        for at, value in values.items():
            axes.text(_RIGHT, at + 0.5, value, ha="right", **bold)
        # As ticks, which are drawn once and kept.
        axes.ticks("y", np.arange(len(names)) + 0.5, names)
        for label, weight in zip(axes.get_yticklabels(), weights, strict=True):
            label.set(horizontalalignment="left", weight=weight)
        self._draw_scales(axes, result, scales)

    def _written(self, row: Row) -> tuple[list[str], str]:
        """Return the name of a row in lines, of which the last may be empty, and its number."""
        value = row.meaning.shown(row.value)
        if self.narrow:
            value, _, _ = value.partition(" (")
        room = self.room - 1
        value = style.plain(value, room - _WORD)
        lines = style.lines(
            row.meaning.name, room - style.width(value, "bold")
        )
        # The last line is the scale's.
        return [*lines, ""], value

    def _draw_scales(
        self,
        axes: Panel,
        result: Portrait,
        rows: dict[float, Row],
    ) -> None:
        """Draw the scale of each row at its height, with its ends and the present place.

        On each of them ε can be moved.
        """
        below = style.look(va="center", color=style.MUTED)
        for y, row in rows.items():
            low, high = _ends(row.meaning, row.ends)
            axes.text(_LEFT, y + 0.55, low, **below)
            axes.text(_RIGHT, y + 0.55, high, ha="right", **below)
        ys = np.array([*rows])
        shares = np.array([row.place for row in rows.values()])
        axes.hlines(ys, _LEFT, _RIGHT, colors=style.MUTED, linewidth=1.5)
        x = _LEFT + (_RIGHT - _LEFT) * np.clip(shares, 0, 1)
        look = style.look(
            linestyle="none",
            color=style.INK,
            markersize=6,
            zorder=3,
            markeredgecolor=style.PAPER,
        )
        inside = np.abs(shares - 0.5) <= 0.5
        marks = {"o": inside, "<": shares < 0, ">": shares > 1}
        for marker, some in marks.items():
            axes.plot(x[some], ys[some], marker=marker, **look)
        ends = (_LEFT, _RIGHT)
        for at, y, row in zip(x, ys, rows.values(), strict=True):
            along = partial(_along, partial(result.place, row), *ends)
            name = row.meaning.name
            axes.handle("epsilon", at, y, along, ends=ends, words=name)


def _along(
    place: Callable[[float], float], left: float, right: float, epsilon: float
) -> float:
    return left + (right - left) * place(epsilon)


def _ends(meaning: Meaning, numbers: tuple[float, float]) -> list[str]:
    """Write the numbers at both ends of a scale as briefly as they have room."""
    ends = [style.plain(_end(meaning, number), 2 * _END) for number in numbers]
    if sum(map(style.width, ends)) > 2 * _END:
        return [style.plain(words, _END) for words in ends]
    return ends


def _end(meaning: Meaning, number: float) -> str:
    words, _, _ = meaning.shown(number).partition(" (")
    if words.endswith("%") and number > 0.9999:
        return "over 99.99%"
    return words.replace(" against ", " : ")


class Published(Plot):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    named: bool | None = None  # whether for a narrow page its rows have names
    frame = style.look(
        x="ε; the line is yours",
        writes="x",
        xscale="log",
        xlim=(0.1, 100),
        xticks=(0.1, 1, 10, 100),
        yticks=[],
    )

    def _name_rows(
        self, axes: Panel, every: Sequence[meanings.Deployment]
    ) -> None:
        """Write the names at the left, and at the right whom each protects, where there is room."""
        for text in axes.still:
            text.remove()
        axes.still.clear()
        for row, deployment in enumerate(every):
            name = deployment.name
            if len(name) > _NAME:
                name = f"{name[: _NAME - 1].rstrip()}…"
            axes.still.append(axes.beside(0, row + 0.28, name, ha="left"))
            if not self.narrow:
                unit = f"{deployment.unit}, {deployment.period}"
                axes.still.append(axes.beside(1, row + 0.28, unit))

    def draw(self, axes: Panel, result: Portrait) -> None:
        every = meanings.deployments()
        axes.set_ylim(len(every), 0)
        middle = 0.74
        if self.named != self.narrow:
            self._name_rows(axes, every)
            self.named = self.narrow
        looks = {
            "central": style.look(marker="o", label="noise by the curator"),
            "local": style.look(
                marker="^", fillstyle="none", label="noise by each device"
            ),
            "rho": style.look(
                marker="o", fillstyle="none", label="by the curator, ε from ρ"
            ),
        }
        alike = style.look(linestyle="none", color=style.MAIN, markersize=8)
        for kind, look in looks.items():
            epsilons = []
            heights = []
            for row, deployment in enumerate(every):
                if kind == (
                    "rho" if deployment.computed else deployment.model
                ):
                    epsilons.append(deployment.epsilon)
                    heights.append(row + middle)
            axes.plot(epsilons, heights, **look | alike)
        # In each row below its name.
        rows = np.arange(len(every))
        look = style.look(colors=style.INK, linewidth=2)
        axes.vlines(
            [result.epsilon] * len(every), rows + 0.5, rows + 1, **look
        )
        axes.point(result.epsilon, len(every))
        axes.handle("epsilon", result.epsilon, len(every))
        # An even number for each row, so that marks stand on whole pixels.
        self.lay_rows(axes, len(every), (14, 32, 60))
