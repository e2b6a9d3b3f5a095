"""How panels stand below each other where a page is too narrow for a picture of usual width."""

from typing import Any

from dpwidgets.plots import style
from dpwidgets.plots.panel import ROOM, Panel

# CSS pixels: what is free at the right, and the height of a line of text.
_RIGHT, _LINE = 28, 17


def heights(axes: Panel) -> tuple[int, int, int, int]:
    """Return the pixels above a panel's axes, those of the axes, below them, and of the key."""
    above, below = (_LINE * len(_lines(axis)) for axis in (axes.yaxis, axes.xaxis))
    return above + 12, axes.high, below + 28, key_height(axes)


def key_height(axes: Panel) -> int:
    """Return how high the key of a panel is, in CSS pixels."""
    return _LINE * axes.key_rows + 10 * bool(axes.key_rows)


def place_key(axes: Panel, size: tuple[int, int], top: float) -> None:
    """Let the key of a panel begin at a height of a picture of this size."""
    if axes.key_rows and (key := axes.get_legend()):
        key.set_bbox_to_anchor((8 / size[0], top / size[1]), axes.figure.transFigure)


def stand(axes: Panel, size: tuple[int, int], top: float) -> float:
    """Let a panel stand below a height of a picture of this size, and return what is below it.

    The name of its vertical axis stands above it, where it needs no room at the side.
    """
    width, height = size
    above, high, below, key = heights(axes)
    room, bottom = width - axes.left - _RIGHT, top - above - high
    axes.set_position((axes.left / width, bottom / height, room / width, high / height))
    look = style.look(transform=axes.transAxes, va="top", linespacing=1.25)
    y_name, x_name = ("\n".join(_lines(axis)) for axis in (axes.yaxis, axes.xaxis))
    axes.words((6 - axes.left) / room, 1 + (above - 4) / high, y_name, **look)
    axes.words(0.5, -26 / high, x_name, ha="center", **look)
    place_key(axes, size, bottom - below)
    return bottom - below - key


def _lines(axis: Any) -> list[str]:
    """Return the lines in which the name of an axis stands."""
    return style.lines(axis.get_label_text(), ROOM)
