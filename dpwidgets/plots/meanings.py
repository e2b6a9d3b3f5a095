"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from collections.abc import Callable
from functools import partial
from itertools import groupby

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions import meanings
from dpwidgets.decisions.meanings import ENDS, Meaning, Portrait, Row
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_NAME = 37  # letters of a deployment's name
_LEFT, _RIGHT = 0.69, 0.985  # the ends of the scales, as shares of the width
# The room of these, in heights of the letters.
_HEADING, _VALUE, _END = 28.0, 22.0, 8.0
# The room left of the scales for name and value, in heights of letters.
_TOGETHER = 31.5


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
        # There a name has a line to itself.
        each, line = (2, 30) if self.narrow else (1, 34)
        left, end, room = (
            (0.04, _RIGHT, 23.0)
            if self.narrow
            else (_LEFT, _LEFT - 0.02, _TOGETHER)
        )
        epsilon, scale = result.written
        names, rows = [""] * each, {}
        for who, meant in groupby(
            result.rows, key=lambda row: row.meaning.gets
        ):
            names.append(who)
            for row in meant:
                rows[len(names)] = row
                names += [row.meaning.name, ""][:each]
        self.lay_rows(axes, len(names), (0, line, 6), (0, 1))
        places = [self.rows[at] for at in rows]
        self.rows = tuple((top, high, end) for top, high, _ in places)
        bold = style.look(va="center", weight="bold")
        heading = 21.0 if self.narrow else _HEADING
        now = style.plain(f"ε = {epsilon}, noise of scale {scale}", heading)
        axes.words(0.015, 0.5, now, fontsize=style.TEXT, **bold)
        axes.words(
            left, each - 0.5, f"private end: ε = {show(ENDS[0])}", va="center"
        )
        axes.words(
            _RIGHT, each - 0.5, f"ε = {show(ENDS[1])}", va="center", ha="right"
        )
        for at, row in rows.items():
            value = style.plain(row.meaning.shown(row.value), _VALUE)
            value = value.partition(" (")[0] if self.narrow else value
            axes.words(end, at + 0.5, value, ha="right", **bold)
            names[at] = style.cut(names[at], room - style.width(value, "bold"))
        # As ticks, which are drawn once and kept.
        axes.ticks("y", np.arange(len(names)) + 0.5, names)
        for at, label in enumerate(axes.get_yticklabels()):
            label.set(
                horizontalalignment="left",
                weight="normal" if at in rows else "bold",
            )
        ys = np.array([*rows]) + (1.3 if self.narrow else 0.4)
        self._draw_scales(
            axes, result, dict(zip(ys, rows.values(), strict=True)), left
        )

    def _draw_scales(
        self,
        axes: Panel,
        result: Portrait,
        rows: dict[float, Row],
        left: float,
    ) -> None:
        """Draw the scale of each row at its height, with its ends and the present place.

        On each of them ε can be moved.
        """
        small, down = (
            (style.SMALL, 0.45) if self.narrow else (style.SMALL - 1, 0.38)
        )
        below = style.look(va="center", color=style.MUTED, fontsize=small)
        for y, row in rows.items():
            low, high = _ends(row.meaning, row.ends)
            axes.words(left, y + down, low, **below)
            axes.words(_RIGHT, y + down, high, ha="right", **below)
        ys, shares = (
            np.array([*rows]),
            np.array([row.place for row in rows.values()]),
        )
        axes.segments(
            [[(left, y), (_RIGHT, y)] for y in ys],
            colors=style.MUTED,
            linewidth=1.5,
        )
        x = left + (_RIGHT - left) * np.clip(shares, 0, 1)
        look = style.look(
            linestyle="none", color=style.ACCENT, markersize=8, zorder=3
        )
        look |= style.look(markeredgecolor=style.PAPER)
        inside = np.abs(shares - 0.5) <= 0.5
        for marker, some in (
            ("o", inside),
            ("<", shares < 0),
            (">", shares > 1),
        ):
            axes.line(x[some], ys[some], marker=marker, **look)
        for at, y, row in zip(x, ys, rows.values(), strict=True):
            ends, name = (left, _RIGHT), row.meaning.name
            along = partial(_along, partial(result.place, row), *ends)
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
    words = (
        meaning.shown(number).partition(" (")[0].replace(" against ", " : ")
    )
    return "over 99.99%" if words.endswith("%") and number > 0.9999 else words


class Published(Plot):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    frame = style.look(x="ε", at=(0.405, 0.1, 0.325, 0.8), writes="x")
    frame |= style.look(
        xscale="log", xlim=(0.1, 100), xticks=(0.1, 1, 10, 100), yticks=[]
    )

    def draw(self, axes: Panel, result: Portrait) -> None:
        every = meanings.deployments()
        axes.set_ylim(len(every), 0)
        middle = 0.72 if self.narrow else 0.5
        for row, one in enumerate(every):
            name = (
                one.name
                if len(one.name) <= _NAME
                else f"{one.name[: _NAME - 1].rstrip()}…"
            )
            self.name_row(axes, row, [name])
            if not self.narrow:
                axes.beside(
                    1.03, row + 0.5, f"{one.unit}, {one.period}", ha="left"
                )
        looks = {
            "central": style.look(marker="o", label="noise by the curator"),
            "local": style.look(
                marker="^", fillstyle="none", label="noise by each device"
            ),
            "rho": style.look(
                marker="o", fillstyle="none", label="by the curator, ε from ρ"
            ),
        }
        for kind, look in looks.items():
            found = {
                row + middle: one.epsilon
                for row, one in enumerate(every)
                if kind == ("rho" if one.computed else one.model)
            }
            look |= style.look(
                linestyle="none", color=style.MAIN, markersize=8
            )
            axes.line([*found.values()], [*found], **look)
        axes.upright(result.epsilon, "your ε", color=style.ACCENT, linewidth=2)
        axes.point(result.epsilon, len(every))
        axes.handle("epsilon", result.epsilon, len(every))
        axes.key("lower center", bbox_to_anchor=(0.35, 1.0), ncols=2)
        # 28 for each row, so that marks stand on whole pixels
        self.lay_rows(
            axes, len(every), (14, 44, 46) if self.narrow else (68, 28, 60)
        )
