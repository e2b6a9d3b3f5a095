"""Names beside lines: each where nothing else stands, as near to the end of its line as it can."""

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.path import Path
from numpy.typing import NDArray

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.plots import style
from dpwidgets.plots.panel import Panel

_CELL = 4.0  # points: a frame is looked at in cells of this size
#: Points between a line and its name: the nearer the better.
_GAPS = (4.0, 12.0, 22.0, 36.0, 54.0)
_UNCLEAR = 0.05  # how much of its price what is near to a name costs
_CROSSED = 4.0  # the price of a point of a line under a name or its leader
_MEETING = 3.0  # the same where a name's leader begins
_TAKEN = 100.0  # that of a cell with a mark or other words
_MARK = np.argwhere(np.ones((3, 3))) * 4.0 - 4.0  # a mark's size, as points
_PLACES = 20  # along a line, at most, that are tried
#: Shares of the way from a line to its name.
_ON_THE_WAY = np.array([0.4, 0.65, 0.9])[:, np.newaxis, np.newaxis]
#: On which side of a place a name may stand: to the right, and up.
_SIDES = np.array(
    [(1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0)]
)
_ROOM = 22.0  # the width of a name's line, in heights of its letters


def place_names(axes: Panel) -> None:
    """Write the name of each line, area and mark of a panel beside it, in its colour."""
    named: dict[str, Any] = {}
    for artist in (*axes.lines, *axes.patches):
        name = str(artist.get_label() or "")
        if name and name != "_nolegend_":  # as a bar's is
            named.setdefault(name, artist)
    if not named:
        return
    frame = _Frame(axes)
    # Marks choose first, since they have few places, and then who needs much room.
    for name in sorted(
        named, key=lambda one: (_is_line(named[one]), -len(one))
    ):
        if len(frame.seen[named[name]]):
            frame.write(name, named[name])


class _Frame:
    """A panel's frame in cells: how much stands in each, and what is seen of each artist."""

    def __init__(self, axes: Panel) -> None:
        self.axes = axes
        self.corner, end = axes.bbox.get_points()
        self.size = end - self.corner
        self.cells = np.zeros((self.size / _CELL).astype(int) + 1)
        self.seen: dict[Any, FloatArray] = {}
        self.counts: dict[Any, FloatArray] = {}
        for artist in (*axes.lines, *axes.patches, *axes.collections):
            self.seen[artist] = self._points(artist)
            self.counts[artist] = self._counted(artist)
            self.cells += self.counts[artist]
        self.drawn = self.cells.copy()
        for text in axes.texts:
            if text.get_text():
                self._take(*style.box(text) - self.corner)
        for _, place, *_ in axes.held:
            middle = axes.transData.transform(place) - self.corner
            if np.isfinite(middle).all():  # as no ε has a δ
                self._take(middle - 7, middle + 7)

    def _points(self, artist: Any) -> FloatArray:
        """Return points that lie densely on what is seen of lines, or the places of marks."""
        paths = (
            [artist.get_path()]
            if hasattr(artist, "get_path")
            else artist.get_paths()
        )
        ends = (*self.corner, *(self.corner + self.size))
        seen = [np.empty((0, 2))]
        for path in paths:
            path = artist.get_transform().transform_path(path)
            # As much as is near to the frame.
            path = path.cleaned(remove_nans=True, clip=ends)
            corners = np.asarray(path.vertices)[path.codes != Path.STOP]
            if _is_line(artist) and len(corners):
                corners = _dense(corners)
            elif not _is_line(artist):
                marks = corners[:, np.newaxis] + _MARK
                corners = marks.reshape(-1, 2)
            seen.append(corners - self.corner)
        points = np.concatenate(seen)
        inside = (points > -0.1) & (points < self.size + 0.1)
        return np.asarray(points[inside.all(axis=1)])

    def _counted(self, artist: Any) -> FloatArray:
        """Return what it costs in each cell to stand where an artist is."""
        counts = np.zeros_like(self.cells)
        np.add.at(counts, self._cells_of(self.seen[artist]), 1.0)
        return counts * (_CROSSED if _is_line(artist) else _TAKEN)

    def _cells_of(self, points: FloatArray) -> tuple[Any, Any]:
        """Return in which cells points lie, or which are nearest to them."""
        across, up = self.cells.shape
        x, y = (points / _CELL).astype(int).T
        return _clipped(x, across - 1), _clipped(y, up - 1)

    def _take(self, low: FloatArray, high: FloatArray) -> None:
        """Let nothing else stand in a box."""
        most = self.cells.shape
        left, bottom = (low / _CELL).clip(0, most).astype(int)
        right, top = (high / _CELL + 1).clip(0, most).astype(int)
        self.cells[left:right, bottom:top] = _TAKEN

    def write(self, name: str, artist: Any) -> None:
        """Write a name beside what it names, if it has room."""
        lines = _balanced(name, min(_ROOM, 0.7 * self.size[0] / style.SMALL))
        widest = max(map(style.width, lines))
        half = style.SMALL / 2 * np.array([widest, 1.25 * len(lines)])
        places = self.seen[artist]
        above = places[places[:, 1] > _CELL / 2]
        if len(above):  # at the foot of a frame many lines are nothing
            places = above
        places = places[:: -(-len(places) // _PLACES)]
        sides = [_SIDES * (half + gap) for gap in _GAPS]
        middles = places[:, np.newaxis] + np.concatenate(sides)
        inside = (middles >= half) & (middles <= self.size - half)
        place, side = np.nonzero(inside.all(axis=2))
        if not place.size:
            return
        starts, middles = places[place], middles[place, side]
        others = self.drawn - self.counts[artist]
        crossed = _within(self.cells, middles, half + 2)
        cost = crossed + _UNCLEAR * _within(others, middles, half + 14)
        # Where lines meet, nobody sees which of them is named.
        cost += _MEETING * others[self._cells_of(starts)]
        # On the way from a line to its name lies as little as can be.
        ends = np.minimum(np.maximum(starts, middles - half), middles + half)
        on_the_way = starts + _ON_THE_WAY * (ends - starts)
        cost += self.cells[self._cells_of(on_the_way)].sum(axis=1)
        cost += 3 * (1 - starts[:, 0] / self.size[0])
        cost += np.repeat(_GAPS, len(_SIDES))[side]
        best = cost.argmin()
        middle = middles[best]
        color = _color(artist)
        if side[best] >= len(_SIDES):
            # A thin line leads to a name that is away.
            leader = np.stack([starts[best], ends[best]])
            thin = style.look(colors=color, linewidth=0.7, zorder=6)
            thin["transform"] = self.axes.transAxes
            self.axes.segments(leader / self.size, **thin)
            self.cells[self._cells_of(_dense(leader))] = _TAKEN
        self._take(middle - half, middle + half)
        look = style.look(ha="center", va="center", linespacing=1.2, zorder=7)
        look |= style.look(transform=self.axes.transAxes, color=color)
        if crossed[best] >= 1:
            look["bbox"] = style.BEHIND
        x, y = middle / self.size
        self.axes.text(x, y, "\n".join(lines), **look)


@lru_cache(maxsize=256)
def _balanced(name: str, room: float) -> list[str]:
    """Return a name in as few lines as have room, and these about equally long."""
    lines = style.lines(name, room)
    for share in (0.8, 0.65):
        shorter = style.lines(name, share * room)
        if len(shorter) == len(lines):
            lines = shorter
    return [style.cut(line, room) for line in lines]


def _within(
    cells: FloatArray, middles: FloatArray, half: FloatArray
) -> FloatArray:
    """Return how much stands in each of some boxes of one size."""
    across, up = cells.shape
    sums = np.zeros((across + 1, up + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    left, bottom = ((middles - half) / _CELL).astype(int).T
    right, top = ((middles + half) / _CELL + 1).astype(int).T
    left, right = _clipped(left, across), _clipped(right, across)
    bottom, top = _clipped(bottom, up), _clipped(top, up)
    above = sums[right, top] - sums[left, top]
    return np.asarray(above - sums[right, bottom] + sums[left, bottom])


def _clipped(numbers: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return numbers between 0 and the most; quicker than numpy's own for a few hundred."""
    return np.minimum(np.maximum(numbers, 0), most)


def _is_line(artist: Any) -> bool:
    """Tell whether an artist is drawn as lines, or else as marks."""
    return not isinstance(artist, Line2D) or artist.get_linestyle() != "None"


def _dense(corners: FloatArray) -> FloatArray:
    """Return points on the way along corners, as far apart as a cell is wide."""
    steps = np.hypot(*np.diff(corners, axis=0).T)
    along = np.concatenate([[0.0], steps.cumsum()])
    even = np.arange(0, along[-1] + 1e-9, _CELL)
    return np.column_stack([np.interp(even, along, x) for x in corners.T])


def _color(artist: Any) -> str:
    """Return the colour of a line, or of an area's outline."""
    if isinstance(artist, Line2D):
        return str(artist.get_color())
    return to_hex(artist.get_edgecolor())
