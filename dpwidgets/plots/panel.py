"""Axes with the few things that pictures are made of, each said in one call."""

from collections.abc import Sequence
from typing import Any, TypeVar

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle, StepPatch
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import ArrayLike

from dpwidgets.plots import style

_Mark = TypeVar("_Mark", bound=Artist)


class Panel(Axes):
    """Axes whose marks are drawn from the first to the last for every result.

    A mark that looks as the last drawing's at its turn is that artist, moved: to make one takes
    longer than to move ten. From the first that looks otherwise all are made anew, so that a
    picture never depends on the one before it.
    """

    def __init__(
        self,
        figure: Figure,
        *,
        at: tuple[float, float, float, float] = (0.135, 0.14, 0.815, 0.82),
        x: str = "",
        y: str = "",
        writes: str = "",
        percents: str = "",
        most: int = 6,
        **more: Any,
    ) -> None:
        """Add a panel to a figure, at (left, bottom, width, height), with labels of its axes.

        Of "x" and "y", those in `writes` have numbers as sentences have them, and those in
        `percents` percentages. All else goes to matplotlib's `Axes.set`.
        """
        super().__init__(figure, at)
        figure.add_axes(self)
        self._kept: list[tuple[type[Artist], style.Look, Artist]] = []
        self._turn = 0
        self._key: tuple[style.Look, list[style.Look]] | None = None
        self.set(xlabel=x, ylabel=y, **more)
        self.numbers(writes, most)
        for name in percents:
            getattr(self, f"{name}axis").set_major_formatter(PercentFormatter(1))

    def start(self) -> None:
        """Begin to draw a result."""
        self._turn = 0

    def finish(self) -> None:
        """Remove what only an earlier result has."""
        for *_, artist in self._kept[self._turn :]:
            artist.remove()
        del self._kept[self._turn :]

    def _mark(self, kind: type[_Mark], look: style.Look, *empty: object) -> _Mark:
        """Return the artist whose turn it is; a new one is made of these arguments."""
        for known, own, artist in self._kept[self._turn : self._turn + 1]:
            if known is kind and own == look:
                self._turn += 1
                assert isinstance(artist, kind)
                return artist
        self.finish()
        made = kind(*empty, **look)
        self.add_artist(made)
        self._kept.append((kind, look, made))
        self._turn += 1
        return made

    def numbers(self, which: str, most: int = 6) -> None:
        """Write the ticks of these axes as sentences write numbers.

        A linear scale has at most so many steps between them.
        """
        for name in which:
            axis = getattr(self, f"{name}axis")
            axis.set_major_formatter(style.Numbers())
            if axis.get_scale() == "linear":
                axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))

    def ticks(self, which: str, places: ArrayLike, words: Sequence[str]) -> None:
        """Write words on the ticks of one axis.

        They also become the label of the axes, which tells the plot that they changed.
        """
        getattr(self, f"set_{which}ticks")(places, words)
        self.set_label("\n".join(words))

    def line(self, x: ArrayLike, y: ArrayLike, name: str = "", **look: Any) -> Line2D:
        """Draw a line, or markers; a key has its name."""
        line = self._mark(Line2D, {"label": name} | look, [], [])
        line.set_data(x, y)
        return line

    def upright(self, x: float, name: str = "", top: float = 1.0, **look: Any) -> None:
        """Draw a vertical line from the bottom to a share of the height."""
        self.line([x, x], [0, top], name, transform=self.get_xaxis_transform(), **look)

    def level(self, y: float, name: str = "", **look: Any) -> None:
        """Draw a horizontal line from one end to the other."""
        self.line([0, 1], [y, y], name, transform=self.get_yaxis_transform(), **look)

    def segments(self, ends: Sequence[Any], **look: Any) -> None:
        """Draw lines, each from one point to another."""
        self._mark(LineCollection, look, []).set_segments(ends)

    def area(self, corners: ArrayLike, name: str = "", **look: Any) -> None:
        """Draw a polygon."""
        self._mark(Polygon, {"label": name} | look, [[0, 0]]).set_xy(corners)

    def box(
        self, x: float, y: float, width: float, height: float, name: str = "", **look: Any
    ) -> None:
        """Draw a box whose lower left corner is (x, y)."""
        box = self._mark(Rectangle, {"label": name} | look, (0, 0), 0, 0)
        box.set_bounds(x, y, width, height)

    def band(self, low: float, high: float, name: str = "", **look: Any) -> None:
        """Draw a box of the whole height between two places of the horizontal axis."""
        self.box(low, 0, high - low, 1, name, transform=self.get_xaxis_transform(), **look)

    def steps(self, heights: ArrayLike, edges: ArrayLike, name: str = "", **look: Any) -> None:
        """Draw bars without gaps, or their outline."""
        bars = self._mark(StepPatch, {"label": name} | look, [0], [0, 1])
        bars.set_data(heights, edges)

    def words(self, x: float, y: float, words: str, **look: Any) -> None:
        """Write words at a place."""
        self._mark(Text, {"clip_on": False} | look).set(text=words, position=(x, y))

    def note(self, words: str) -> None:
        """Write words in the upper left corner."""
        self.words(0.02, 0.99, words, transform=self.transAxes, va="top", linespacing=1.2)

    def point(self, x: float, y: float, name: str = "", **options: Any) -> None:
        """Mark the present values: at (x, y), or an arrowhead at the nearest edge points there."""
        look = style.look(marker="o", markersize=9, linestyle="none", color=style.ACCENT)
        look |= style.look(markeredgecolor=style.PAPER, clip_on=False, zorder=5) | options
        if name:  # of a mark of its own, since the point may be an arrowhead
            self.line([], [], name, **look)
        (low, high), (bottom, top) = sorted(self.get_xlim()), sorted(self.get_ylim())
        inside_x, inside_y = min(max(x, low), high), min(max(y, bottom), top)
        left, right = "><" if self.xaxis_inverted() else "<>"
        down, up = "^v" if self.yaxis_inverted() else "v^"
        if x != inside_x:
            look["marker"] = right if x > high else left
        elif y != inside_y:
            look["marker"] = up if y > top else down
        self.line([inside_x], [inside_y], **look)

    def key(self, loc: str, **options: Any) -> None:
        """Write a legend of all that has a name, once for each name in each look.

        Where it would be the same as the last one, that one stays: to lay it out takes long.
        """
        options, looks, named = {"loc": loc} | options, [], []
        for _, look, artist in self._kept[: self._turn]:
            if look.get("label") and look not in looks:
                looks.append(look)
                named.append(artist)
        if self._key != (options, looks):
            self._key = options, looks
            # Names are written afterwards: matplotlib leaves out those that begin with a "_".
            made = self.legend(named, [""] * len(named), **options)
            for text, look in zip(made.get_texts(), looks, strict=True):
                text.set_text(look["label"])
