"""Rows on one grid: a name, marks, and a value, each in its column."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel, Word

#: Pixels: where names begin, after the mark with which a page opens what a row
#: says, how far they are from the axis, and how far a row's marks go to both
#: sides of their own middle.
BEGIN, OFF, HALF = 18, 6, 9
# On a narrow page: where a name has its middle above the marks, and how far
# below it these begin.
_NAMED, _BELOW = 11, 8
_LINE = 17  # pixels: the height of a line of words


class NamedRows(Plot):
    """A picture of rows. Names stand at the left of the axes, or on a narrow page above the marks.

    Attributes
    ----------
    heights : (int, int)
        Pixels of a row, on a wide page and on a narrow one.
    column : int
        Where the axes begin on a wide page.
    line : int
        Pixels of a row, now.
    middle, half : float
        Where a row has its marks, and how much of it to both sides is free of
        its name, as shares of its height.
    """

    heights = (26, 42)
    column = 200

    def lay_rows(
        self,
        axes: Panel,
        rows: int,
        above: int,
        below: int,
        across: tuple[int, int] | None = None,
        half: int = HALF,
    ) -> None:
        """Make the picture as high as its rows: room above, each row, and room below, in pixels.

        A row is 1 high, and the first is on top. The axes go from one pixel to
        another; by default from the names to the picture's end. The marks of a
        row may need more than the usual pixels to both sides of their middle.
        """
        rows = max(rows, 1)
        self.line = line = self.heights[self.narrow] + 2 * (half - HALF)
        self.resize(above + rows * line + below)
        width, height = self.size
        left, right = across or (self.begin, width - 32)
        wide, high = (right - left) / width, rows * line / height
        axes.set_position((left / width, below / height, wide, high))
        axes.set_ylim(rows, 0)
        self.named, self.middle, self.half = line / 2, 0.5, 0.5
        # Names that stand above the marks would lie on lines of a grid.
        axes.xaxis.grid(not self.narrow)
        axes.yaxis.set_tick_params(length=0, labelleft=False)
        if self.narrow:
            self.named = _NAMED
            self.middle = (_NAMED + _BELOW + half) / line
            self.half = half / line
            room = style.letters(right - left)
            name = "\n".join(style.lines(axes.get_xlabel(), room))
            axes.beside(0.5, rows + 28 / line, name, ha="center", va="top")
        axes.set_yticks(np.arange(rows) + self.middle)
        # 28 pixels are 24 on the smallest phone.
        first = above + self.named - 14
        self.rows = tuple(
            ((first + row * line) / height, 28 / height, 1.0)
            for row in range(rows)
        )

    @property
    def begin(self) -> int:
        """Where the axes begin."""
        return BEGIN - OFF if self.narrow else self.column

    def row(
        self, axes: Panel, row: float, name: str, value: str = ""
    ) -> list[Word]:
        """Return the name and the value of a row, on one line, as `Panel.stay` takes them.

        At the left of the axes a name may take two lines, if the row has room.
        """
        width = self.size[0]
        left, _, wide, _ = axes.get_position().bounds
        begin, end = (
            (place / width - left) / wide for place in (BEGIN, width - 12)
        )
        y = row + (self.named + 4.5) / self.line
        room = self.column - OFF - BEGIN
        most = self.line // _LINE
        if self.narrow:
            room = width - 2 * BEGIN - round(13 * style.width(value))
            most = 1
        letters = style.letters(room)
        lines = style.lines(name, letters)
        if len(lines) > most:
            lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
        words = []
        if value:
            words.append(Word(end, y, value, style.look(va="baseline")))
        for at, line in enumerate(lines):
            here = y + (at - (len(lines) - 1) / 2) * _LINE / self.line
            look = style.look(va="baseline", ha="left")
            words.append(Word(begin, here, style.cut(line, letters), look))
        return words

    def bar(
        self,
        axes: Panel,
        row: float,
        ends: tuple[float, float],
        half: float = 8,
        **look: Any,
    ) -> None:
        """Draw a bar, so many pixels to both sides of the middle of a row's marks."""
        left, right = ends
        half /= self.line
        corner = (left, row + self.middle - half)
        axes.add_patch(Rectangle(corner, right - left, 2 * half, **look))

    def cross(
        self, axes: Panel, x: float, rows: Sequence[int], name: str = ""
    ) -> None:
        """Draw a line through rows, or where names stand above the marks, a stroke in each."""
        middles = np.array(rows) + self.middle
        gaps = np.full_like(middles, np.nan)
        ends = [middles - self.half, middles + self.half, gaps]
        axes.plot(
            np.full(3 * len(rows), x),
            np.ravel(ends, "F"),
            label=name,
            color=style.INK,
            linewidth=1.2,
            solid_capstyle="butt",  # one begins where another ends
        )

    def stand(
        self, axes: Panel, parameter: str, x: float, rows: int, name: str
    ) -> None:
        """Draw where a parameter stands, and let a reader move it at the rows' foot."""
        low, high = axes.get_xlim()
        if low <= x <= high:
            self.cross(axes, x, range(rows), name)
        axes.point(x, rows, name)
        axes.handle(parameter, x, rows)
