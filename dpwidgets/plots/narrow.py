"""How panels stand below each other where a page is too narrow for a picture of usual width."""

import math
from typing import Any

from dpwidgets.plots import style
from dpwidgets.plots.panel import NARROW, RIGHT, ROOM, Panel

# CSS pixels: the height of a line of text, that of its letters, and how far
# the words of a tick stand from the axes and from the picture's edge together.
_LINE = 17
_LETTER = style.SMALL / style.PIXEL
_APART = 13


def heights(axes: Panel) -> tuple[int, int, int]:
    """Return the pixels above a panel's axes, those of the axes, and below them."""
    above = 12 + _LINE * len(_lines(axes.yaxis))
    below = 11 + _LINE * (len(_lines(axes.xaxis)) + 1)
    return above, axes.high, below


def _left(axes: Panel) -> int:
    """Return the room at the left of a panel, in CSS pixels: its ticks' words may need more."""
    labels = axes.get_yticklabels()
    widths = [style.width(label.get_text()) for label in labels]
    widest = max(widths, default=0)
    return max(axes.left, math.ceil(widest * _LETTER) + _APART)


def stand(axes: Panel, size: tuple[int, int], top: float) -> float:
    """Let a panel stand below a height of a picture of this size, and return what is below it.

    The name of its vertical axis stands above it, where it needs no room at
    the side.
    """
    width, height = size
    above, high, below = heights(axes)
    bottom = top - above - high
    # The ticks of the vertical axis follow from its height, and the room
    # beside it from them.
    axes.set_position((0, bottom / height, 1, high / height))
    left = _left(axes)
    room = width - left - RIGHT
    axes.set_position(
        (left / width, bottom / height, room / width, high / height)
    )
    look = style.look(transform=axes.transAxes, va="top", linespacing=1.25)
    name = "\n".join(_lines(axes.yaxis))
    axes.text((6 - left) / room, 1 + (above - 4) / high, name, **look)
    name = "\n".join(_lines(axes.xaxis))
    lower = -(9 + _LINE) / high
    axes.text(0.5, lower, name, ha="center", **look)
    return bottom - below


def pixels(axes: Panel) -> tuple[float, float]:
    """Return how many CSS pixels a unit of each axis will have, where that is linear."""
    box = axes.get_window_extent()
    across, up = box.width / style.PIXEL, box.height / style.PIXEL
    if axes.narrow:
        across, up = NARROW - axes.left - RIGHT, axes.high
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    return float(across / (right - left)), float(up / (top - bottom))


def headline(words: str, width: int) -> list[str]:
    """Return the lines in which words stand above a picture of a width, in CSS pixels."""
    return style.lines(words, style.letters(0.87 * (width - 16), style.TEXT))


def _lines(axis: Any) -> list[str]:
    """Return the lines in which the name of an axis stands."""
    return style.lines(axis.get_label_text(), ROOM)
