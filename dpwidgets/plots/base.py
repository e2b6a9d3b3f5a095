"""A picture that is built once and updated often, quickly enough to follow a slider."""

from __future__ import annotations

import base64
import io
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from PIL import Image

from dpwidgets.plots import style

# JupyterLab runs widget callbacks on a thread beside the cells', and matplotlib's caches are shared
# between figures.
LOCK = threading.RLock()

WIDTH, HEIGHT = 640, 360  # CSS pixels
# One and a half pixels of the picture to a CSS pixel: sharp on a dense screen, small to send.
_DPI = 150
# Pixels from a legend's outline: its frame ends within them, what it holds begins beyond them.
_EDGE = 2
# numpy's own way with overflows and the like, whatever the session has set: a curve may underflow.
_USUAL: dict[str, Any] = {"divide": "warn", "over": "warn", "invalid": "warn", "under": "ignore"}


class Plot(ABC):
    """A figure of its own, of which only what moves is drawn anew.

    A subclass says in `build` what stands still and keeps the artists that move; `update` moves
    them. Ticks and labels take most of a drawing's time, so they are drawn once and kept, until an
    axis' limits, scale or labels change. So is what a legend holds, until its words change. Limits
    should follow what frames the picture, never ε or the answer: a curve that moves in a still
    frame teaches.
    """

    size: tuple[int, int] = (WIDTH, HEIGHT)

    def __init__(self) -> None:
        with LOCK:
            width, height = self.size
            figure = Figure(figsize=(width / 100, height / 100), dpi=_DPI, facecolor=style.PAPER)
            # Fixed, so that a picture never depends on the one before it; laying out anew takes
            # longer than drawing.
            figure.subplots_adjust(left=0.135, right=0.95, bottom=0.14, top=0.96)
            self._canvas: Any = FigureCanvasAgg(figure)  # matplotlib types little of it
            self.figure = figure
            self._background: Any = None
            self._still: tuple[object, ...] | None = None
            self._legends: dict[
                Axes, tuple[Legend, list[str], Any]
            ] = {}  # at most one of each axes
            self.build(figure)

    @classmethod
    @cache
    def shared(cls) -> Self:
        """Return the one plot of this kind that all explorers draw with, one after the other."""
        return cls()

    @abstractmethod
    def build(self, figure: Figure) -> None:
        """Draw what stands still and keep the artists that move."""

    @abstractmethod
    def update(self, result: Any) -> None:
        """Move the artists to where this result has them."""

    def png(self, result: Any) -> bytes:
        """Draw the picture of a result.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.

        Returns
        -------
        bytes
            A PNG of at most 256 colours.
        """
        with LOCK, np.errstate(**_USUAL):
            self.update(result)
            self._draw()
            pixels = Image.frombuffer(
                "RGBA", self._canvas.get_width_height(), self._canvas.buffer_rgba()
            )
            image = pixels.convert("RGB").quantize(
                256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
            )
        stream = io.BytesIO()
        image.save(stream, "PNG", compress_level=6)
        return stream.getvalue()

    def still(self, result: Any, alt: str) -> Still:
        """Draw the picture of a result for a notebook's page.

        Parameters
        ----------
        result : object
            What the plot's calculator returned.
        alt : str
            What the picture shows, in words.

        Returns
        -------
        Still
            An object that Jupyter shows as the picture, and where there are no pictures as the
            words.
        """
        return Still(self.png(result), alt, self.size)

    def _draw(self) -> None:
        figure = self.figure
        still = (*figure.get_size_inches(), *(_still_part(axes) for axes in figure.axes))
        if still != self._still:
            for axes in figure.axes:
                for artist in _moving(axes):
                    artist.set_animated(True)  # left out of a whole drawing
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(figure.bbox)
            self._still = still
            self._legends.clear()
        self._canvas.restore_region(self._background)
        for axes in figure.axes:
            for artist in _moving(axes):
                if isinstance(artist, Legend):
                    self._draw_legend(axes, artist)
                else:
                    axes.draw_artist(artist)

    def _draw_legend(self, axes: Axes, legend: Legend) -> None:
        """Draw a legend, or its frame and inside it what is kept of the last drawing.

        A legend's texts take half of a drawing's time. It is opaque but for the soft edge of its
        frame, so what lies behind does not matter.
        """
        renderer, frame = self._canvas.get_renderer(), legend.get_frame()
        words = [text.get_text() for text in legend.get_texts()]
        *kept, inside = self._legends.get(axes, (None, None, None))
        if kept == [legend, words]:
            frame.draw(renderer)
            self._canvas.restore_region(inside)
        else:
            legend.draw(renderer)
            inside = self._canvas.copy_from_bbox(frame.get_window_extent(renderer).padded(-_EDGE))
            self._legends[axes] = legend, words, inside


def _still_part(axes: Axes) -> tuple[object, ...]:
    return (
        *axes.get_xlim(),
        *axes.get_ylim(),
        axes.get_xscale(),
        axes.get_yscale(),
        axes.get_xlabel(),
        axes.get_ylabel(),
        axes.get_title(),
        axes.get_label(),  # what `style.ticks` has written
    )


def _moving(axes: Axes) -> list[Artist]:
    """Return all but the axes' own background, ticks, labels and title, lowest first."""
    still = (axes.patch, axes.xaxis, axes.yaxis, axes.title)
    moving = [
        artist for artist in axes.get_children() if artist not in still and artist.get_visible()
    ]
    return sorted(moving, key=lambda artist: artist.get_zorder())


@dataclass(frozen=True, repr=False)
class Still:
    """A picture with its words, as a notebook's output.

    Parameters
    ----------
    png : bytes
        The picture.
    alt : str
        What it shows, in words.
    size : (int, int)
        Width and height in CSS pixels.
    """

    png: bytes = b""
    alt: str = ""
    size: tuple[int, int] = (WIDTH, HEIGHT)

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = self.size
        data = {"text/plain": self.alt, "image/png": base64.b64encode(self.png).decode("ascii")}
        return data, {"image/png": {"width": width, "height": height}}
