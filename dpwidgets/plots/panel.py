"""Axes that are drawn anew for each result, with the few marks that matplotlib has no word for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter
from matplotlib.transforms import (
    ScaledTranslation,
    blended_transform_factory as blended,
)
from numpy.typing import ArrayLike

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.plots import style
from dpwidgets.plots.handle import Grip

_BARS = 40  # of a histogram of a continuum, at most
_ENOUGH = 20  # draws for a histogram
_STROKES = 300  # more, and they make one black bar
#: CSS pixels: the width where a page has less than 560 for a picture, as on a
#: phone, and what is free there at the right.
NARROW, RIGHT = 320, 28
#: How long a line of a narrow picture may be, in heights of its letters.
ROOM = 24.0
#: A histogram of draws.
OUTLINE = style.look(
    fill=False, color=style.CURVES[0]["color"], linewidth=1.8, zorder=3
)
#: The look of what follows from answers about the same people.
ASKED = style.look(color=style.CURVES[3]["color"], zorder=6)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A result and what was drawn from it, for a picture that shows both.

    Attributes
    ----------
    result : object
        What the plot's calculator returned. Its `draw` gave the draws, and its
        `draw_truth` the truth.
    truth : float
        What the noise was added to, as `draw` takes it.
    draws : array of shape (n,) or (n, 2)
        What `draw` returned: noisy answers, each as if it were the only one,
        and what else belongs to each.
    asked : array of shape (k,) or (k, 2)
        The same for the answers that were given one after the other about the
        same people.
    """

    result: Any
    truth: Any
    draws: FloatArray
    asked: FloatArray


class Word(NamedTuple):
    """Words that stay beside a row.

    Attributes
    ----------
    x : float
        Where they stand, as a share of the width.
    y : float
        The row, or a place between two.
    text : str
        The words.
    look : dict
        How they look, as `Panel.beside` takes it.
    """

    x: float
    y: float
    text: str
    look: style.Look


class Panel(Axes):
    """Axes whose marks are drawn anew for every result, while ticks and labels stay."""

    def __init__(
        self,
        figure: Figure,
        *,
        at: tuple[float, float, float, float] = (0.135, 0.14, 0.815, 0.82),
        x: str = "",
        y: str = "",
        writes: str = "",
        percents: str = "",
        bare: str = "",
        most: int = 6,
        left: int = 48,
        high: int = 190,
        margin: int = 0,
        **more: Any,
    ) -> None:
        """Add a panel to a figure, at (left, bottom, width, height), with labels of its axes.

        Of "x" and "y", those in `writes` have numbers as sentences have them,
        those in `percents` percentages, and those in `bare` no grid. On a
        narrow page it has at least so many pixels at its left, and is so high.
        On a wide one the names of its lines stand in a margin of so many at
        its right, at their ends, if it has one. All else goes to matplotlib's
        `Axes.set`.
        """
        left_of_it, bottom, wide, tall = at
        self.at = (left_of_it, bottom, wide - margin / 640, tall)
        super().__init__(figure, self.at)
        figure.add_axes(self)
        self.margin = margin
        self.left = left
        self.high = high
        self.narrow = False  # whether its page is
        self.held: list[Grip] = []  # what `handle` was given
        self.still: list[Text] = []  # what `stay` wrote
        self.staying: Sequence[Word] = ()
        self.set(xlabel=x, ylabel=y, **more)
        # No tick is measured for them at each drawing.
        below = ScaledTranslation(0, -20 / 72, figure.dpi_scale_trans)
        self.xaxis.set_label_coords(0.5, 0, self.transAxes + below)
        edge = blended(figure.transFigure, self.transAxes)
        self.yaxis.set_label_coords(left_of_it - 0.105, 0.5, edge)
        self.numbers(writes, most)
        for name in percents:
            getattr(self, f"{name}axis").set_major_formatter(
                PercentFormatter(1)
            )
        for name in bare:
            getattr(self, f"{name}axis").grid(visible=False)
        self.autoscale(False)
        # What is drawn from here on is a result's.
        self._kept = {*self.get_children()}

    # Limits follow no mark, so that none need be measured.
    add_line: Any = Axes.add_artist
    add_patch: Any = Axes.add_artist

    # Half of what these take of matplotlib is for units and for limits.
    def plot(self, *places: Any, **look: Any) -> Any:
        """Draw a line, or marks, at places across and up."""
        return [self.add_artist(Line2D(*map(np.asarray, places), **look))]

    def levels(
        self, y: ArrayLike, low: ArrayLike, high: ArrayLike, **look: Any
    ) -> None:
        """Draw a level line at each height, as `hlines` does."""
        ends = np.broadcast_arrays(low, y, high, y)
        self.segments(np.stack(ends, axis=-1), **look)

    def uprights(
        self, x: ArrayLike, low: ArrayLike, high: ArrayLike, **look: Any
    ) -> None:
        """Draw an upright line at each place, as `vlines` does."""
        ends = np.broadcast_arrays(x, low, x, high)
        self.segments(np.stack(ends, axis=-1), **look)

    def segments(self, ends: FloatArray, **look: Any) -> None:
        """Draw lines, each from one point to another."""
        self.add_artist(LineCollection([*ends.reshape(-1, 2, 2)], **look))

    @property
    def marks(self) -> list[Artist]:
        """What was drawn of the present result, in its order."""
        kept = {*self._kept, *self.still}
        return [one for one in self.get_children() if one not in kept]

    def empty(self) -> None:
        """Remove the marks of the last result."""
        for artist in self.marks:
            artist.remove()
        self.held.clear()

    def lay(self, narrow: bool) -> None:
        """Lay the panel out for a narrow page, or for a wide one."""
        self.narrow = narrow
        self.set_position(self.at)
        for axis in (self.xaxis, self.yaxis):
            axis.label.set_visible(not narrow)

    def numbers(self, which: str, most: int = 6) -> None:
        """Write the ticks of these axes as sentences write numbers.

        A linear scale has at most so many steps between them.
        """
        for name in which:
            axis = getattr(self, f"{name}axis")
            axis.set_major_formatter(style.Ticks())
            if axis.get_scale() == "linear":
                axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))

    def ticks(
        self, which: str, places: ArrayLike, words: Sequence[str]
    ) -> None:
        """Write words on the ticks of one axis.

        They also become the label of the axes, which tells the plot that they
        changed.
        """
        getattr(self, f"set_{which}ticks")(places, words)
        self.set_label("\n".join(words))

    def beside(self, x: float, y: float, words: str, **look: Any) -> Text:
        """Write words beside a row: x is a share of the width, at which they end."""
        look = style.look(ha="right", va="center", linespacing=1.3) | look
        look["transform"] = self.get_yaxis_transform()
        return self.text(x, y, words, **look)

    def stay(self, words: Sequence[Word]) -> None:
        """Write words beside rows that stay, in the still layer, until others are to stand there.

        Each has its x and y, as `beside` takes them, itself, and its look.
        """
        if words == self.staying:
            return
        for text in self.still:
            text.remove()
        self.still = [
            self.beside(x, y, word, **look) for x, y, word, look in words
        ]
        self.staying = words

    def note(self, words: str) -> None:
        """Write words in the upper left corner."""
        look = style.look(transform=self.transAxes, va="top", linespacing=1.2)
        self.text(0.02, 0.99, words, **look)

    def points(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        marker: str,
        name: str = "",
        **look: Any,
    ) -> None:
        """Mark places, or let an arrowhead at the nearest edge point to each beyond the frame.

        With a transform, y is a share of the height. Its name stands beside
        a mark inside, or else beside an arrowhead.
        """
        x = np.asarray(x, dtype=float)
        y = np.asarray(y, dtype=float)
        x, y = np.broadcast_arrays(x, y)
        low, high = sorted(self.get_xlim())
        bottom, top = sorted(self.get_ylim())
        if "transform" in look:
            bottom, top = 0.0, 1.0
        left, right = "><" if self.xaxis_inverted() else "<>"
        down, up = "^v" if self.yaxis_inverted() else "v^"
        arrows = np.select(
            [x < low, x > high, y < bottom, y > top],
            [left, right, down, up],
            "",
        )
        x = np.asarray(np.clip(x, low, high))
        y = np.asarray(np.clip(y, bottom, top))
        look = style.look(linestyle="none") | look
        large = max(8, look.get("markersize", 8))
        # First those inside; of no places at all, no arrowheads.
        for arrow in sorted({*arrows.ravel().tolist()}) or [""]:
            there = arrows == arrow
            look |= style.look(label=name, marker=arrow or marker)
            if arrow:
                look |= style.look(markersize=large, clip_on=False)
            self.plot(x[there], y[there], **look)
            name = ""

    def point(
        self, x: float, y: float, name: str = "", **options: Any
    ) -> None:
        """Mark the present values."""
        look = style.look(
            marker="o",
            markersize=6,
            color=style.INK,
            markeredgecolor=style.PAPER,
            clip_on=False,
            zorder=5,
        )
        self.points([x], [y], name=name, **look | options)

    def handle(
        self,
        name: str,
        x: float,
        y: float,
        along: Callable[[float], float] = float,
        *,
        upright: bool = False,
        ends: tuple[float, float] | None = None,
        words: str = "",
    ) -> None:
        """Let a reader take hold of a parameter where it stands, and move it to the right, or up.

        While it is moved, what the explorer solves for follows, and what the
        picture has of it. Where this very parameter follows from the others, it
        moves along with them, and nobody can take hold of it.

        Parameters
        ----------
        name : str
            The parameter's, as the explorer declares it. An explorer that has
            none of this name raises a TypeError when it draws the picture.
        x, y : float
            The place where it stands, on the axes.
        along : callable
            Takes a value of the parameter and returns its place on the axis
            along which it is moved: the larger the value the farther on, or
            the farther back.
        upright : bool
            Whether it is moved upwards, or to the right.
        ends : (float, float), optional
            Between which places its way leads; by default from one end of the
            axis to the other.
        words : str
            What tells it from other handles of the same parameter, for who
            cannot see where it stands.
        """
        limits = self.get_ylim() if upright else self.get_xlim()
        self.held.append((name, (x, y), along, upright, ends or limits, words))

    def strokes(self, draws: FloatArray) -> None:
        """Mark each draw by a stroke at the bottom, and the last one by an arrowhead above it."""
        look = style.look(
            linestyle="none", color=style.INK, zorder=4, clip_on=False
        )
        # X as it is, y as a share of the height.
        look["transform"] = self.get_xaxis_transform()
        last = draws[-_STROKES:]
        self.points(last, 0.02, marker="|", markersize=9, **look)
        self.points(last[-1:], 0.055, marker="v", markersize=6, **look)

    def diamonds(self, x: ArrayLike, y: ArrayLike, **options: Any) -> None:
        """Mark answers about the same people, or what follows from them."""
        look = style.look(
            linestyle="none",
            marker="D",
            markersize=6,
            markeredgecolor=style.PAPER,
        )
        self.points(x, y, **look | ASKED | options)

    def histogram(self, draws: FloatArray, peak: float) -> None:
        """Outline how often the draws fell where, in the scale of the curve that it becomes.

        Parameters
        ----------
        draws : array of shape (n,)
            The draws; where the frame holds only a few, none is outlined.
        peak : float
            The density that is drawn at height 1; 0 where nothing has one.
        """
        low, high = self.get_xlim()
        seen = int(((draws >= low) & (draws <= high)).sum())
        if seen < _ENOUGH or not peak:
            return
        width = (high - low) / min(_BARS, round(seen**0.5))
        edges = low + width * np.arange(int(np.ceil((high - low) / width)) + 1)
        shares = np.histogram(draws, edges)[0] / draws.size
        heights = shares / width / peak
        self.stairs(heights, edges, **OUTLINE)
        above = heights > self.get_ylim()[1]
        middles = edges[:-1] + width / 2
        look = style.look(marker="None", color=OUTLINE["color"])
        self.points(middles[above], heights[above], **look)

    def answers(
        self, draws: FloatArray, asked: FloatArray, peak: float
    ) -> None:
        """Mark noisy answers: each alone, and in a row above those about the same people."""
        self.strokes(draws)
        self.diamonds(asked, 0.11, transform=self.get_xaxis_transform())
        self.histogram(draws, peak)
