"""A picture that is built once and updated often, quickly enough to follow a slider."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from itertools import chain
from typing import Any, ClassVar, Self

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from PIL import Image

from dpwidgets.plots import style, svg
from dpwidgets.plots.handle import placed
from dpwidgets.plots.names import (
    in_rows,
    names_of,
    write,
    write_beside,
)
from dpwidgets.plots.narrow import headline, heights, stand
from dpwidgets.plots.panel import NARROW, ROOM, Drawn, Panel
from dpwidgets.plots.still import LOCK, Layers, Still

WIDTH, HEIGHT = 640, 360  # CSS pixels
# One and a half pixels of a PNG to a CSS pixel: sharp on a dense screen, small
# to keep.
_DPI = 150
# matplotlib's own settings with ours. Which backend there is stays the session's.
_ALL_SETTINGS: Any = mpl.rcParamsDefault.copy()
_ALL_SETTINGS.update(style.SETTINGS)
dict.pop(_ALL_SETTINGS, "backend")
# numpy's own way with overflows and the like, whatever the session has set: a
# curve may underflow.
_USUAL: dict[str, Any] = {
    "divide": "warn",
    "over": "warn",
    "invalid": "warn",
    "under": "ignore",
}


@contextmanager
def _ours() -> Iterator[None]:
    """Draw alone, and in our way whatever the session has set."""
    with LOCK, np.errstate(**_USUAL):
        # As `rc_context` does: all are checked, and need no check at each step.
        session: Any = mpl.rcParams
        theirs = dict(dict.items(session))
        dict.update(session, _ALL_SETTINGS)
        try:
            yield
        except BaseException:
            Plot.shared.cache_clear()  # nobody knows how far it was drawn
            raise
        finally:
            dict.update(session, theirs)


class Plot:
    """A figure of its own, of which only what moves is drawn anew.

    A subclass says in `frame` what its panel begins with: labels, scales, and
    limits that are always the same. In `draw` it adds a result's marks, and
    sets the limits and labels that differ from result to result. Ticks and
    labels take most of a drawing's time, so on a page they are a layer that
    stays until an axis' limits, scale or labels change. Limits should follow
    what frames the picture, such as the count that an interval surrounds, and
    never ε or the answer; beyond it `Panel.points` draws an arrowhead.
    """

    size: tuple[int, int] = (WIDTH, HEIGHT)
    narrow = False  # whether it is laid out for a phone now
    rows: tuple[tuple[float, float, float], ...] = ()
    frame = style.look()  # what `Panel` takes
    message: ClassVar[str] = ""  # what it shows, of whatever result
    axes: Panel
    listed: tuple[object, ...] = ()  # what the list of names shows

    def __init__(self) -> None:
        with _ours():
            width, height = self.size
            figure = Figure(
                figsize=(width / 100, height / 100), dpi=svg.POINTS
            )
            self.figure = figure
            self.build(figure)

    @classmethod
    @cache
    def shared(cls) -> Self:
        """Return the one plot of this kind that all explorers draw with, one after the other."""
        return cls()

    def build(self, figure: Figure) -> None:
        """Make the panels."""
        self.axes = Panel(figure, **self.frame)

    def resize(self, height: float) -> None:
        """Make the picture so high, in whole pixels at any density."""
        size = (NARROW if self.narrow else WIDTH, 2 * round(height / 2))
        if size != self.size:  # all that stands in it would be placed anew
            self.size = size
            self.figure.set_size_inches(size[0] / 100, size[1] / 100)

    @property
    def room(self) -> float:
        """How long a line of words may be, in heights of its letters."""
        return ROOM if self.narrow else 44.0

    def stack(self) -> None:
        """Lay the panels below each other for a narrow page, in the order of the wide one.

        The name of a vertical axis stands above it. A plot that has rows has
        laid them already.
        """
        if self.rows:
            return
        panels = sorted(
            self.panels(), key=lambda axes: (-axes.at[1], axes.at[0])
        )
        self.resize(sum(sum(heights(axes)) for axes in panels))
        top = float(self.size[1])
        for axes in panels:
            top = stand(axes, self.size, top)

    def panels(self) -> list[Panel]:
        """Return the figure's axes: a picture has no others."""
        panels: Any = self.figure.axes
        return [*panels]

    def draw(self, axes: Panel, result: Any) -> None:
        """Draw a result on the axes, from the first mark to the last."""

    @classmethod
    def says(cls, result: Any) -> str:
        """Return what a picture shows: it stands above it, and begins its explorer's sentence."""
        return cls.message

    def told(self, result: Any) -> str:
        """Return the same of a result, or of what was drawn from it."""
        return self.says(
            result.result if isinstance(result, Drawn) else result
        )

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        """Draw what was drawn at random over the picture of its result; a plot may show none."""

    def update(self, result: Any) -> None:
        """Draw a result, and what was drawn from it if it is a `Drawn`, in place of the last."""
        for axes in self.panels():
            axes.empty()
        if isinstance(result, Drawn):
            self.draw(self.axes, result.result)
            self.mark_drawn(self.axes, result)
        else:
            self.draw(self.axes, result)

    def layers(
        self,
        result: Any,
        name: str = "",
        last: Layers | None = None,
        *,
        narrow: bool = False,
    ) -> Layers:
        """Draw the picture of a result as lines, in the colours of the page.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.
        name : str
            What no other picture on the page is called: their ids follow from
            it.
        last : Layers, optional
            What stood in this place before; its still layer is taken if it
            would be the same.
        narrow : bool
            Whether it is for a place with less than 560 px, and laid out for
            that.

        Returns
        -------
        Layers
            The picture.
        """
        with self._showing(result, narrow):
            parts = map(_still_part, self.panels())
            frame = (type(self), name, self.listed, self.size, *parts)
            if last is not None and last.frame == frame:
                still = last.still
            else:
                still = self._layer(self._draw_still, f"{name} still")
            moving = self._layer(self._draw_moving, f"{name} moving")
            handles = [
                handle
                for panel in self.panels()
                for handle in placed(panel, panel.held)
            ]
            return Layers(still, moving, self.size, self.rows, frame, handles)

    def svg(self, result: Any, alt: str) -> str:
        """Draw the picture of a result as one SVG, in light colours and with its words.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.
        alt : str
            What the picture shows, in words.

        Returns
        -------
        str
            The text of an SVG file. The same result gives the same.
        """
        with self._showing(result):
            still = svg.lines(self._draw_still, self.size, "still")
            moving = svg.lines(self._draw_moving, self.size, "moving")
            words = "".join(
                letter if letter.isprintable() else " " for letter in alt
            )
            title = f"<title>{escape(words)}</title>"
            return svg.whole(still + moving, self.size, 'role="img"', title)

    def pdf(self, result: Any) -> bytes:
        """Draw the picture of a result as a PDF without a date: the same result gives the same.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.

        Returns
        -------
        bytes
            A page of the picture's size.
        """
        stream = io.BytesIO()
        with self._showing(result):
            self.figure.savefig(
                stream, format="pdf", metadata={"CreationDate": None}
            )
        return stream.getvalue()

    def png(self, result: Any) -> bytes:
        """Draw the picture of a result in pixels.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.

        Returns
        -------
        bytes
            A PNG of at most 256 colours.
        """
        # Without hints, letters are as wide as those of the lines.
        drawn, stream = io.BytesIO(), io.BytesIO()
        with self._showing(result), mpl.rc_context({"text.hinting": "none"}):
            self.figure.savefig(
                drawn, dpi=_DPI, pil_kwargs={"compress_level": 0}
            )
        image = Image.open(drawn).convert("RGB")
        image = image.quantize(
            256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
        image.save(stream, "PNG", compress_level=6)
        return stream.getvalue()

    def still(self, result: Any, alt: str) -> Still:
        """Return the picture of a result for a notebook's page.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.
        alt : str
            What the picture shows, in words.

        Returns
        -------
        Still
            An object that Jupyter shows as the picture, and where there are no
            pictures as the words. It is drawn when it is shown.
        """
        return Still(alt, self, result)

    @contextmanager
    def _showing(self, result: Any, narrow: bool = False) -> Iterator[None]:
        """Have everything where a result has it."""
        with _ours():
            self.narrow = narrow
            self.rows = ()
            self.resize(type(self).size[1])
            for axes in self.panels():
                axes.lay(narrow)
            self.update(result)
            if narrow:
                self.stack()
            self._write_head(self.told(result))
            yield

    def _write_head(self, says: str) -> None:
        """Write the headline, below it the list of names, and in margins those of their panels."""
        lines = headline(says, self.size[0])
        named = {axes: names_of(axes) for axes in self.panels()}
        beside = {
            axes: named.pop(axes)
            for axes in self.panels()
            if axes.margin and not self.narrow
        }
        listed = {name.words: name for name in chain(*named.values())}
        rows = in_rows([*listed.values()], style.PIXEL * self.size[0])
        begin = 18 * len(lines) + 6 * bool(lines)
        self._grow(begin + (28 + 18 * rows[-1][0] if rows else 0))
        width, height = self.size
        first = self.panels()[0]
        look = style.look(weight="bold", fontsize=style.TEXT, va="top")
        look |= style.look(transform=self.figure.transFigure)
        first.text(8 / width, 1 - 6 / height, "\n".join(lines), **look)
        looks = [(*place, name.words, *name.look) for *place, name in rows]
        shown = (self.size, begin, *looks)
        if shown != self.listed:  # it stands in the still layer
            self.listed = shown
            for artist in (*self.figure.artists, *self.figure.texts):
                artist.remove()
            for row, left, name in rows:
                middle = style.PIXEL * (height - begin - 12 - 18 * row)
                room = (style.PIXEL * width - left) / style.SMALL - 2
                words = [style.cut(name.words, room)]
                write(self.figure, name, words, left, middle)
        for axes, names in beside.items():
            write_beside(axes, names)

    def _grow(self, pixels: int) -> None:
        """Make room above the panels."""
        height = self.size[1]
        self.resize(height + pixels)
        share = height / self.size[1]
        for axes in self.panels():
            left, bottom, wide, high = axes.get_position().bounds
            axes.set_position((left, bottom * share, wide, high * share))
        self.rows = tuple(
            (1 - share + top * share, high * share, end)
            for top, high, end in self.rows
        )

    def _layer(self, draw: Callable[[Any], None], salt: str) -> str:
        """Return as lines, in the colours of the page, what a function draws."""
        style_of_it = "display:block;max-width:100%;height:auto"
        attributes = f'aria-hidden="true" style="{style_of_it}"'
        lines = svg.lines(draw, self.size, salt)
        return style.themed(svg.whole(lines, self.size, attributes))

    def _draw_still(self, renderer: Any) -> None:
        moving = [*self._moving()]
        for artist in moving:
            artist.set_animated(True)  # left out of a whole drawing
        self.figure.draw(renderer)
        for artist in moving:
            artist.set_animated(False)

    def _draw_moving(self, renderer: Any) -> None:
        for artist in self._moving():
            artist.draw(renderer)

    def _moving(self) -> Iterator[Artist]:
        """Yield all but backgrounds, edges, ticks, labels, and what stays; lowest first."""
        for axes in self.panels():
            still = [axes.patch, axes.xaxis, axes.yaxis, axes.title]
            still += [*axes.spines.values(), *axes.still]
            moving = [
                artist
                for artist in axes.get_children()
                if artist not in still and artist.get_visible()
            ]
            yield from sorted(moving, key=lambda artist: artist.get_zorder())


def _still_part(axes: Panel) -> tuple[object, ...]:
    """Return what the still layer depends on; `Panel.ticks` writes its words into the label."""
    names = ("xlim", "ylim", "xscale", "yscale", "xlabel", "ylabel", "label")
    return (
        *(getattr(axes, f"get_{name}")() for name in names),
        axes.get_position().bounds,
        axes.staying,
    )
