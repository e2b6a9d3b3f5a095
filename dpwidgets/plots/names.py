"""Names of lines, areas and marks: in the right margin at their lines' ends, or in a list above.

Before each name stands a piece of its line, so that nobody needs the colour.
None stands inside a frame, where it could lie on another line.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.path import Path

from dpwidgets.plots import style
from dpwidgets.plots.panel import Panel

# Points: from where the piece of a line begins to its name, from a frame to
# there, between two names in a row, from the picture's edge to a row, and
# what a mark leaves free of a piece of a line.
_PIECE, _TURN, _APART, _EDGE, _FREE = 19.0, 8.0, 9.0, 6.0, 9.0
_LINE = 1.3 * style.SMALL  # the height of a line of words
#: What a result may change of a line or its marks, and of an area.
_AREAS = ("edgecolor", "facecolor")
_LINES = (
    "color",
    "linewidth",
    "linestyle",
    "marker",
    "markerfacecolor",
    "markeredgecolor",
)


class Name(NamedTuple):
    """What something in a panel is called, and where it ends.

    Attributes
    ----------
    words : str
        The name.
    artist : object
        What has it.
    x, y : float
        Where it leaves the frame at the right, or else its highest place, in
        points from the frame's lower left corner. In a list that is nothing.
    leaves : bool
        Whether it leaves the frame there.
    """

    words: str
    artist: Any
    x: float = 0.0
    y: float = 0.0
    leaves: bool = False

    @property
    def look(self) -> tuple[object, ...]:
        """What is seen of it, as far as another result may change that."""
        seen = _LINES if isinstance(self.artist, Line2D) else _AREAS
        return tuple(getattr(self.artist, f"get_{name}")() for name in seen)

    @property
    def is_mark(self) -> bool:
        """Whether a mark stands before its name, or a square of an area's colour."""
        if isinstance(self.artist, Line2D):
            return self.artist.get_linestyle() == "None"
        return bool(self.artist.get_fill())


def names_of(axes: Panel) -> list[Name]:
    """Return the names in a panel: as its margin has them, or without one as they were drawn."""
    named: dict[str, Any] = {}
    for artist in axes.marks:
        words = str(artist.get_label() or "")
        if words and not words.startswith("_"):  # as a bar's does
            named.setdefault(words, artist)
    if not axes.margin:
        return [Name(words, one) for words, one in named.items()]
    names = [
        Name(words, one, *_end(axes, one)) for words, one in named.items()
    ]
    # Of two that leave at the top, the left one lies above.
    names.sort(key=lambda name: (-round(name.y), name.x, -name.y))
    return [name for name in names if name.y >= 0]


def _piece(artist: Any) -> Line2D:
    """Return a piece of a line, a mark, or a square of an area's colour, that is nowhere yet."""
    piece = Line2D([], [])
    if isinstance(artist, Line2D):
        piece.update_from(artist)
    else:
        piece.set_color(artist.get_edgecolor())
        piece.set_linestyle(artist.get_linestyle())
        piece.set_linewidth(artist.get_linewidth())
        if artist.get_fill():
            piece.set(marker="s", linestyle="none")
            piece.set_markerfacecolor(artist.get_facecolor())
    return piece


def write_beside(axes: Panel, names: list[Name]) -> None:
    """Write names in a panel's margin: each at its end, or next below the one before it."""
    (_, bottom), (left, top) = axes.bbox.get_points()
    size = axes.figure.bbox.size
    room = (size[0] - left - _TURN - _PIECE - 2) / style.SMALL
    written = [style.lines(name.words, room) for name in names]
    tall = _LINE * np.array([len(lines) for lines in written])
    below = np.cumsum(tall) - tall / 2
    # The first line of the first one stands at the frame's top, if need be,
    # and the last one on its foot.
    ends = np.minimum(
        [bottom + name.y for name in names], top + _LINE / 2 - tall / 2
    )
    places = np.minimum.accumulate(ends + below) - below
    places = np.maximum(places, bottom + below[-1:] - below + tall[-1:] / 2)
    for name, lines, place in zip(names, written, places, strict=True):
        write(axes, name, lines, left + _TURN, place)
        if name.leaves:
            way = np.array([(left, bottom + name.y), (left + _TURN, place)])
            look = style.look(linewidth=0.8, color=name.artist.get_color())
            look |= _in_figure(axes)
            axes.plot(*(way / size).T, **look)


def in_rows(names: list[Name], wide: float) -> list[tuple[int, float, Name]]:
    """Return the row in which each name stands in a list so wide, and where it begins there."""
    placed = []
    row, left = 0, _EDGE
    for name in names:
        # A mark stands where a row begins.
        free = _FREE if name.is_mark else 0.0
        needs = _PIECE - free + style.SMALL * style.width(name.words)
        if left > _EDGE and left + needs > wide:
            row, left = row + 1, _EDGE
        placed.append((row, left - free, name))
        left += needs + _APART
    return placed


def write(
    at: Any, name: Name, lines: list[str], left: float, middle: float
) -> None:
    """Draw a name's piece, and the name behind it in lines, in points.

    They belong to a panel, or to the figure itself, where they stand still.
    """
    piece = _piece(name.artist)
    wide, high = at.figure.bbox.size
    ends = np.array([left, left + _PIECE - 4]) / wide
    if name.is_mark:
        ends = ends[1:] - 2 / wide
    y = middle / high
    place = _in_figure(at)
    piece.set(
        label="", markersize=7, data=(ends, np.full_like(ends, y)), **place
    )
    if piece.get_marker() not in Line2D.filled_markers:
        # It has strokes alone, as wide as it is long.
        piece.set_markeredgewidth(1.6)
    at.add_artist(piece)
    # The last line: words of whatever letters stand on one line with others.
    base = middle - style.SMALL * (0.34 + 0.6 * (len(lines) - 1))
    look = style.look(va="baseline", linespacing=1.2, color=piece.get_color())
    words = "\n".join(lines)
    at.text((left + _PIECE) / wide, base / high, words, **look, **place)


def _in_figure(at: Any) -> style.Look:
    """Return how something stands at a share of the picture's width and of its height."""
    return style.look(transform=at.figure.transFigure, clip_on=False, zorder=7)


def _end(axes: Panel, artist: Any) -> tuple[float, float, bool]:
    """Return where something leaves the frame at the right, and True, or else its highest place.

    Of what is not seen that is below the frame. At the frame's foot many lines
    are nothing, and none leaves.
    """
    corner, end = axes.bbox.get_points()
    path = artist.get_transform().transform_path(artist.get_path())
    path = path.cleaned(remove_nans=True, clip=(*corner, *end))
    on_it = np.isin(path.codes, (Path.MOVETO, Path.LINETO))
    seen = path.vertices[on_it] - corner
    seen = seen[((seen > -1.5) & (seen < end - corner + 1.5)).all(axis=1)]
    right = seen[(seen[:, 0] > axes.bbox.width - 2) & (seen[:, 1] > 3)]
    if len(right):
        return float(axes.bbox.width), float(right[-1, 1]), True
    if not len(seen):
        return 0.0, -1.0, False
    x, y = seen[seen[:, 1].argmax()].tolist()
    return x, y, False
