"""Artists as lines and text of SVG, drawn by matplotlib's own renderer."""

import io
from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import _path
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.colors import to_hex
from matplotlib.font_manager import (
    FontProperties,
    findfont,
    get_font,
)
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from dpwidgets.plots import style

POINTS = 72  # to an inch: the unit of the lines


def lines(
    draw: Callable[[Any], None], size: tuple[int, int], salt: str
) -> str:
    """Return the elements that artists draw, without the `<svg>` around them.

    Parameters
    ----------
    draw : callable
        Draws artists with the renderer that it is given. Their figure has 72
        dots per inch, and the settings are those of `style`.
    size : (int, int)
        Width and height in CSS pixels.
    salt : str
        What the ids of clip paths and markers are made with: two drawings with
        different ones share no id.
    """
    stream = io.StringIO()
    # Whoever draws puts all settings back when it is done.
    mpl.rcParams["svg.hashsalt"] = salt
    renderer: Any = _Renderer(*_in_points(size), stream)  # type: ignore[no-untyped-call]
    # An <svg>, the date, and a style that would hold for the whole page.
    head = stream.tell()
    draw(renderer)
    renderer.finalize()
    return stream.getvalue()[head:].removesuffix("</svg>\n")


def whole(
    inside: str, size: tuple[int, int], attributes: str, title: str = ""
) -> str:
    """Put the `<svg>` around elements: its size, its fonts, and attributes of HTML or XML.

    In front of them stands the title, an element or nothing.
    """
    width, height = size
    right, bottom = _in_points(size)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {right:g} {bottom:g}" width="{width}" height="{height}" '
        f"{attributes}>{title}\n"
        f'<g style="fill: {style.INK};font-family:{style.FONTS};stroke-linejoin:round">\n'
        f"{inside}</g>\n</svg>\n"
    )


def _in_points(size: tuple[int, int]) -> tuple[float, float]:
    """Return a size in points: a hundred pixels of a picture are an inch of its figure."""
    return size[0] * POINTS / 100, size[1] * POINTS / 100


class _Renderer(RendererSVG):
    """matplotlib's, but what it writes can stand on a page among other pictures.

    It names no groups, since two pictures would give theirs the same names. A
    text keeps the width that matplotlib has laid it out for, whichever font
    the page has for it.
    """

    def open_group(self, s: str, gid: str | None = None) -> None:
        pass

    def close_group(self, s: str) -> None:
        pass

    def draw_markers(
        self,
        gc: Any,
        marker_path: Any,
        marker_trans: Any,
        path: Any,
        trans: Any,
        face: Any = None,
    ) -> None:
        """Say once how marks look, beside their shape: there may be hundreds of them."""
        # Matplotlib types little of it.
        own: Any = self
        writer = own.writer
        turned = marker_trans + Affine2D().scale(1, -1)
        shape = own._convert_path(marker_path, turned, simplify=False)
        look = own._get_style(gc, face)
        name = own._make_id("m", (shape, look))
        if name not in own._markers:
            own._markers[name] = name
            writer.start("defs")
            unit = "userSpaceOnUse"
            writer.start(
                "marker", id=name, overflow="visible", markerUnits=unit
            )
            writer.element("path", d=shape, style=look)
            writer.end("marker")
            writer.end("defs")
        places = own._make_flip_transform(trans).transform(path.vertices)
        places = Path(places[np.isfinite(places).all(axis=1)])
        at = {"d": own._convert_path(places), "style": f"marker:url(#{name})"}
        writer.element("path", **at, fill="none", **own._get_clip_attrs(gc))

    def _convert_path(
        self,
        path: Any,
        transform: Any = None,
        clip: Any = None,
        simplify: Any = None,
        sketch: Any = None,
    ) -> str:
        """Write places to a hundredth of a point: half as long, and nobody sees less."""
        frame = (0.0, 0.0, self.width, self.height) if clip else None
        # Matplotlib types nothing of it.
        module: Any = _path
        codes = [b"M", b"L", b"Q", b"C", b"z"]
        look = (simplify, sketch, 2, codes, False)
        lines = module.convert_to_string(path, transform, frame, *look)
        return str(lines.decode())

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        *_: Any,
        **__: Any,
    ) -> None:
        size = prop.get_size_in_points()
        weight = ";font-weight:700" if prop.get_weight() == "bold" else ""
        look = f"font-size:{size:g}px;fill: {to_hex(gc.get_rgb())}{weight}"
        attributes = {"x": f"{x:.2f}", "y": f"{y:.2f}", "style": look}
        if angle:
            attributes["transform"] = f"rotate({-angle:g} {x:.2f} {y:.2f})"
        width = self.get_text_width_height_descent(s, prop, False)[0]
        attributes["textLength"] = f"{width:.2f}"
        attributes["lengthAdjust"] = "spacingAndGlyphs"
        writer: Any = self.writer
        writer.element("text", s, attributes)

    def _get_font_height_metrics(self, prop: Any) -> tuple[float, ...]:
        """Return how far lines go up, down and apart: matplotlib 3.11 asks a font for each word."""
        return _heights(prop.get_size_in_points())

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> style.Extent:
        return style.measured(s, prop, ismath)


@cache
def _heights(size: float) -> tuple[float, ...]:
    """Return how far lines of letters of a size go up and down, and how far apart they are."""
    font = get_font(findfont(FontProperties()))
    says: Any = font.get_sfnt_table("OS/2")
    names = ("sTypoAscender", "sTypoDescender", "sTypoLineGap")
    return tuple(size * abs(says[name]) / font.units_per_EM for name in names)
