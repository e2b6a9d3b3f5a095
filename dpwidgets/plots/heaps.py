"""Worlds as two heaps of dots, and a line that divides them."""

import math
from typing import Any, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from dpwidgets.calculators.attack import Divided, Line, Sample
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.narrow import pixels
from dpwidgets.plots.panel import Drawn, Panel

# Pixels: of a dot at most, of a cross at least if a dot is so large, and how
# far rows of small dots are apart where that has room.
_LARGEST, _CROSS, _APART = 12.0, 5.5, 8.0
_MOST = 200  # dots
_FINE = 4  # steps of a law to a column, where it is a curve
_HIGHEST = 1.06  # of a heap, with room above it
_LOW = 1.15  # below which the bars of one person and of the noise begin
_COLUMNS = 25  # to each side of the middle, if nothing else decides
# How many there are of a kind, and how many right and left of the line.
Sides: TypeAlias = tuple[str, str, str]
_LOOKS = {
    True: style.look(marker="o", color=style.MAIN),
    False: style.look(marker="s", color=style.MUTED),
}
_TIMES = style.look(
    fill=False, edgecolor=style.INK, linewidth=1, linestyle="--", zorder=4
)
_HATCH = style.look(
    fill=False, hatch="////", edgecolor=style.INK, linewidth=0.8, zorder=3.5
)


def columns(result: Line) -> FloatArray:
    """Return the ends of the columns in which a picture has the worlds: a line may stand there.

    A column has what lies above its lower end, up to its upper one, as what
    lies above a line is right of it.
    """
    wide = style.ruler(result.spread / _COLUMNS)
    reach = _COLUMNS * wide
    if result.spacing:
        wide = result.spacing * math.ceil(wide / result.spacing - 1e-9)
    steps = math.floor(reach / wide + 1e-9) + 1
    places = result.halfway + wide * np.arange(-steps, steps + 1)
    return np.asarray(places.round(9))


class BothWorlds(Plot):
    """Dots above the numbers of worlds with somebody, and hanging below those of worlds without.

    A wrong call is a cross. The laws behind say how high the heaps are to be
    expected. Below them one person is as long as the count moves with that
    person, beside the noise: ε is the one by the other.
    """

    size = (640, 440)
    frame = style.look(
        writes="x",
        bare="xy",
        yticks=(),
        at=(0.025, 0.12, 0.95, 0.87),
        left=24,
        high=290,
    )

    def build(self, figure: Figure) -> None:
        """Leave the left side open: nothing is measured there."""
        super().build(figure)
        self.axes.spines["left"].set_visible(False)

    def measured(self, result: Line) -> str:
        """Return what stands on the horizontal axis."""
        if isinstance(result, Sample):
            return "privacy loss of all releases together"
        if not isinstance(result, Divided):
            return "score"
        if result.releases == 1:
            return f"noisy answer, above the count {result.kinds[False]}"
        return (
            f"mean of {show(result.releases)} answers, each cut off at 0 and 1"
        )

    @classmethod
    def says(cls, result: Line) -> str:
        return cls._count(result, result.worlds)

    def told(self, result: Any) -> str:
        if isinstance(result, Drawn) and len(result.draws):
            return self._count(result.result, result.draws[-_MOST:])
        return super().told(result)

    @classmethod
    def _count(cls, result: Line, rows: FloatArray) -> str:
        """Say of the dots how many lie right of the line."""
        parts = []
        for inside in (True, False):
            right, many = result.right_of(rows, inside)
            parts.append((show(many), show(right), show(many - right)))
        return cls._said(result, *parts)

    @classmethod
    def about(cls, result: Line) -> str:
        """Return what stands before a share of all worlds where it is not exact, or nothing.

        A score's law is nearly normal, and that of several answers has steps.
        """
        exact = _is_one_count(result) or isinstance(result, Sample)
        return "" if exact else "about "

    @classmethod
    def exactly(cls, result: Line) -> str:
        """Say the same of all worlds that there could be."""
        about = cls.about(result)
        parts = [
            ("all", about + percent(share), about + percent(1 - share))
            for share in result.shares
        ]
        return cls._said(result, *parts)

    @classmethod
    def _said(cls, result: Line, inside: Sides, outside: Sides) -> str:
        """Say of how many of each kind how many lie right of the line."""
        many, hits, _ = inside
        others, alarms, _ = outside
        lie, are = ("lies", "is") if many == hits == "1" else ("lie", "are")
        where = f"{lie} right of the line"
        if result.rule is not None:
            where = f"{are} “{result.kinds[True]}” by your rule"
        return (
            f"Of {many} {result.kinds[True]} {hits} {where}, "
            f"of {others} {result.kinds[False]} {alarms}."
        )

    def draw(self, axes: Panel, result: Line) -> None:
        self._draw_rows(axes, result, result.worlds)

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        if not len(drawn.draws):
            return
        axes.empty()
        last = self._draw_rows(axes, drawn.result, drawn.draws)
        look = style.look(color=style.INK, markersize=6, zorder=6)
        up = drawn.draws[-1, 1] > 0
        axes.points(*last, marker="v" if up else "^", **look)

    def _draw_rows(
        self, axes: Panel, result: Line, rows: FloatArray
    ) -> tuple[float, float]:
        """Draw rows, and return the place above the last one, or below."""
        edges = columns(result)
        axes.set(xlim=(edges[0], edges[-1]), xlabel=self.measured(result))
        axes.set_ylim(-1.6 if _is_one_count(result) else -1.2, _HIGHEST)
        axes.axhline(0, color=style.INK, linewidth=0.6)
        shown = rows[-_MOST:]
        self._lay_dots(axes, result, edges, shown)
        for you in (True, False):
            x, y = self._heap(axes, result, edges, shown, you)
            if you == rows[-1, 1]:
                last = x[-1], y[-1] + np.sign(y[-1]) * 0.1
        if result.rule is None:
            self._divide(axes, result)
        if _is_one_count(result):
            _compare(axes, result)
        return last

    def _lay_dots(
        self, axes: Panel, result: Line, edges: FloatArray, worlds: FloatArray
    ) -> None:
        """Draw both laws, and make the dots as large as the higher heap lets them be."""
        finer = 1 if result.spacing else _FINE
        fine = np.linspace(edges[0], edges[-1], finer * (edges.size - 1) + 1)
        expected, highest = {}, 1.0
        for you, above in zip((True, False), result.above(fine), strict=True):
            numbers = worlds[worlds[:, 1] == you, 0]
            expected[you] = -finer * np.diff(above) * numbers.size
            _, dots = np.unique(_column(numbers, edges), return_counts=True)
            highest = max(highest, expected[you].max(), *dots)
        across, up = pixels(axes)
        wide = across * (edges[1] - edges[0])
        # With so many dots in a row of a column: how high each row may be, and
        # how large a dot.
        rows = {
            many: up / math.ceil(highest / many)
            for many in range(1, 2 + int(wide / 3))
        }
        sizes = {
            many: float(min(_LARGEST, wide / many, high))
            for many, high in rows.items()
        }
        self.in_row = max(sizes, key=sizes.__getitem__)
        self.dot = sizes[self.in_row]
        apart = max(self.dot, min(_APART, rows[self.in_row]))
        self.cell = self.dot / across, apart / up
        high = self.cell[1] / self.in_row
        laws = {you: high * law for you, law in expected.items()}
        for you, law in laws.items():
            color = _LOOKS[you]["color"]
            look = style.area(color, 0.13) | style.look(zorder=1)
            axes.stairs(law if you else -law, fine, **look)
        if isinstance(result, Divided):
            self._expect(axes, result, fine, laws)

    def _expect(
        self,
        axes: Panel,
        result: Divided,
        edges: FloatArray,
        laws: dict[bool, FloatArray],
    ) -> None:
        """Mark both laws at the line, and hatch what lies above e^bound times the other one."""
        if not result.spacing and result.rule is None:
            middles = (edges[1:] + edges[:-1]) / 2
            for you, law in laws.items():
                height = float(np.interp(result.threshold, middles, law))
                axes.point(result.threshold, height if you else -height)
        if result.bound is None:
            return
        limit = laws[False] * math.exp(min(result.bound, 300.0))
        seen = np.where(limit < _HIGHEST, limit, np.nan)
        axes.stairs(seen, edges, baseline=None, **_TIMES)
        above = np.where(limit < laws[True], laws[True], np.nan)
        axes.stairs(above, edges, baseline=limit, **_HATCH)

    def _heap(
        self,
        axes: Panel,
        result: Line,
        edges: FloatArray,
        rows: FloatArray,
        you: bool,
    ) -> tuple[FloatArray, FloatArray]:
        """Draw the dots of one kind: each in its column, the lowest place that is free."""
        sign = 1 if you else -1
        numbers = rows[rows[:, 1] == you, 0]
        column = _column(numbers, edges)
        before = np.triu(column == column[:, np.newaxis], 1).sum(axis=0)
        level, place = np.divmod(before, self.in_row)
        middle = edges[0] + (edges[1] - edges[0]) * (column - 0.5)
        x = middle + (place - (self.in_row - 1) / 2) * self.cell[0]
        is_inside = (column > 0) & (column < edges.size)
        x = np.where(is_inside, x, numbers)
        y = sign * (level + 0.5) * self.cell[1]
        right = result.is_above(numbers) == you
        points = style.PIXEL * self.dot
        dot = style.look(markersize=0.88 * points, markeredgewidth=0, zorder=3)
        cross = style.WRONG | style.look(
            markersize=max(0.7 * points, min(points, style.PIXEL * _CROSS)),
            zorder=3,
        )
        cross["markeredgewidth"] = min(1.6, 0.25 * points)
        wrong = "a miss" if you else "a false alarm"
        look = _LOOKS[you] | dot
        axes.points(x[right], y[right], name=result.kinds[you], **look)
        axes.points(x[~right], y[~right], name=wrong, **cross)
        return x, y

    def _divide(self, axes: Panel, result: Line) -> None:
        """Draw the line, and to both sides of its lower end what it says."""
        low, high = axes.get_xlim()
        bottom, _ = axes.get_ylim()
        x = result.threshold
        if low <= x <= high:
            look = style.look(color=style.INK, linewidth=2, zorder=5)
            axes.axvline(x, **look)
        axes.handle("threshold", x, bottom)
        across, _ = pixels(axes)
        at = min(max(x, low), high)
        no, yes = result.kinds[False], result.kinds[True]
        says = "" if self.narrow else "says "
        for words, way, room in (
            (f"← {says}“{no}”", -1, at - low),
            (f"{says}“{yes}” →", 1, high - at),
        ):
            if style.width(words) < style.letters(room * across - 14):
                place = at + way * 14 / across
                side = "left" if way > 0 else "right"
                axes.text(place, bottom + 0.03, words, ha=side, va="bottom")


def _is_one_count(result: Line) -> bool:
    """Tell whether one person and the noise have lengths on the axis."""
    return isinstance(result, Divided) and result.releases == 1


def _compare(axes: Panel, result: Any) -> None:
    """Draw how far one person moves the count, and below it the scale of the noise."""
    across, up = pixels(axes)
    high = 9 / up
    room = style.letters(-axes.get_xlim()[0] * across - 8)
    for row, (name, long, inside) in enumerate(
        ((result.who, 1.0, True), ("noise", 1 / result.epsilon, False))
    ):
        y = -_LOW - 18 * row / up
        # With an edge, or it would be thinner than a hair.
        look = style.look(color=_LOOKS[inside]["color"], linewidth=1, zorder=6)
        axes.add_patch(Rectangle((0, y - high), long, high, **look))
        ends = f": {show(long)}"
        words = style.cut(name, room - style.width(ends)) + ends
        axes.text(-6 / across, y - high / 2, words, ha="right", va="center")


def _column(numbers: FloatArray, edges: FloatArray) -> NDArray[np.intp]:
    """Return in which column each number is; a rounding error moves none into the next."""
    return np.searchsorted(edges + 1e-7 * (edges[1] - edges[0]), numbers)
