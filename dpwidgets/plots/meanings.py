"""Pictures of one ε in all its meanings, and beside those that others have chosen."""

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.decisions import meanings
from dpwidgets.decisions.meanings import ENDS, Meaning, Portrait, Row
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.grid import BEGIN, NamedRows
from dpwidgets.plots.panel import Panel, Word

_LEFT, _RIGHT = 0.04, 0.985  # the ends of the scales, as shares of the width
# The room of these, in heights of the letters: the end of a scale, and of a
# name its longest word.
_END, _WORD = 8.0, 7.0


class Rows(Plot):
    """Every meaning as a row: its name, its number, and a mark on a scale of its own.

    Both ends of the scale have their numbers, and the left one is the private
    end. The picture is as high as its rows need.
    """

    message = "One ε in all its meanings: more private to the left, more accurate to the right."

    def build(self, figure: Figure) -> None:
        self.axes = Panel(
            figure, at=(0, 0, 1, 1), xlim=(0, 1), bare="xy", yticks=()
        )
        self.axes.xaxis.set_visible(False)
        self.axes.spines[:].set_visible(False)

    def draw(self, axes: Panel, result: Portrait) -> None:
        bold = style.look(weight="bold", va="baseline")
        right = style.look(va="baseline")
        left = right | style.look(ha="left")
        below = style.look(color=style.MUTED)
        begin = BEGIN / self.size[0]
        private, other = map(show, ENDS)
        words: list[Word] = [
            Word(_LEFT, 20, f"private end: ε = {private}", left),
            Word(_RIGHT, 20, f"ε = {other}", right),
        ]
        y = 24.0  # pixels from the top
        tops = []
        scales: dict[float, Row] = {}
        who = ""
        for row in result.rows:
            if row.meaning.gets != who:
                who = row.meaning.gets
                words.append(Word(begin, y + 26, who, left | bold))
                y += 26 + 8
            tops.append(y + 8 - 14)
            value = self._value(row)
            axes.beside(_RIGHT, y + 12, value, **bold)
            room = self.room - 1 - style.width(value, "bold")
            for line in style.lines(row.meaning.name, room):
                words.append(Word(begin, y + 12, line, left))
                y += 18
            y += 8
            scales[y] = row
            low, high = _ends(row.meaning, row.ends)
            words.append(Word(_LEFT, y + 20, low, below | left))
            words.append(Word(_RIGHT, y + 20, high, below | right))
            y += 34
        self.resize(y)
        axes.set_ylim(self.size[1], 0)
        self.rows = tuple((top / y, 28 / y, 1.0) for top in tops)
        axes.stay(words)
        self._draw_scales(axes, result, scales)

    def _value(self, row: Row) -> str:
        """Return the number of a row."""
        value = row.meaning.shown(row.value)
        if self.narrow:
            value, _, _ = value.partition(" (")
        return style.plain(value, self.room - 1 - _WORD)

    def _draw_scales(
        self, axes: Panel, result: Portrait, rows: dict[float, Row]
    ) -> None:
        """Draw the scale of each row at its height, and the present place, where ε can be moved."""
        ys = np.array([*rows])
        shares = np.array([row.place for row in rows.values()])
        axes.levels(ys, _LEFT, _RIGHT, colors=style.MUTED, linewidth=1.5)
        x = _LEFT + (_RIGHT - _LEFT) * np.clip(shares, 0, 1)
        look = style.look(
            linestyle="none",
            color=style.INK,
            markersize=6,
            zorder=3,
            markeredgecolor=style.PAPER,
        )
        inside = np.abs(shares - 0.5) <= 0.5
        for marker, some in (
            ("o", inside),
            ("<", shares < 0),
            (">", shares > 1),
        ):
            axes.plot(x[some], ys[some], marker=marker, **look)
        for at, y, row in zip(x, ys, rows.values(), strict=True):
            along, name = partial(_along, result, row), row.meaning.name
            ends = (_LEFT, _RIGHT)
            axes.handle("epsilon", at, y, along, ends=ends, words=name)


def _along(result: Portrait, row: Row, epsilon: float) -> float:
    """Return where an ε stands on the scale of a row."""
    return _LEFT + (_RIGHT - _LEFT) * result.place(row, epsilon)


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


_MARKS = {
    "central": style.look(marker="o", name="noise by the curator"),
    "local": style.look(
        marker="^", fillstyle="none", name="noise by each device"
    ),
    "rho": style.look(
        marker="o", fillstyle="none", name="by the curator, ε from ρ"
    ),
}


class Published(NamedRows):
    """The ε of documented deployments on one axis, what each protects, and the present ε."""

    frame = style.look(
        x="ε",
        writes="x",
        xscale="log",
        xlim=(0.1, 100),
        xticks=(0.1, 1, 10, 100),
        yticks=[],
    )

    heights = (22, 40)
    column = 280

    @classmethod
    def says(cls, result: Portrait) -> str:
        every = meanings.deployments()
        larger = sum(one.epsilon > result.epsilon for one in every)
        return (
            f"Of {len(every)} documented deployments "
            f"{larger} {'has' if larger == 1 else 'have'} an ε above "
            f"{show(result.epsilon, 6)}."
        )

    def draw(self, axes: Panel, result: Portrait) -> None:
        every = meanings.deployments()
        right = self.size[0] - (32 if self.narrow else 180)
        self.lay_rows(axes, len(every), 14, 60, (self.begin, right))
        words: list[Word] = []
        for row, one in enumerate(every):
            value = one.written if self.narrow else f"{one.unit}, {one.period}"
            words += self.row(axes, row, one.name, value)
        axes.stay(words)
        kinds = ["rho" if one.computed else one.model for one in every]
        for kind, look in _MARKS.items():
            places = [
                (one.epsilon, row + self.middle)
                for row, one in enumerate(every)
                if kinds[row] == kind
            ]
            look = look | style.look(color=style.MAIN, markersize=8)
            axes.points(*np.transpose(places), **look)
        self.stand(axes, "epsilon", result.epsilon, len(every), "yours")
