"""What was drawn at random, as marks over a picture: strokes, a histogram, diamonds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.plots import style
from dpwidgets.plots.panel import Panel

_BARS = 40  # of a histogram of a continuum, about
_ENOUGH = 20  # draws for a histogram
_STROKES = 300  # more, and they make one black bar
#: A histogram of draws.
OUTLINE: style.Look = {
    "fill": False,
    "color": style.CURVES[0]["color"],
    "linewidth": 1.8,
    "zorder": 3,
}
#: The look of what follows from answers about the same people.
ASKED = style.look(color=style.CURVES[3]["color"], zorder=6)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A result and what was drawn from it, for a picture that shows both.

    Attributes
    ----------
    result : object
        What the plot's calculator returned. Its `draw` gave the draws, and its `draw_truth` the
        truth.
    truth : float
        What the noise was added to, as `draw` takes it.
    draws : array of shape (n,) or (n, 2)
        What `draw` returned: noisy answers, each as if it were the only one, and what else belongs
        to each.
    asked : array of shape (k,) or (k, 2)
        The same for the answers that were given one after the other about the same people.
    """

    result: Any
    truth: Any
    draws: FloatArray
    asked: FloatArray


def strokes(axes: Panel, drawn: FloatArray) -> None:
    """Mark each draw by a stroke at the bottom, and the last one by an arrowhead."""
    look: style.Look = {"linestyle": "none", "color": style.INK, "zorder": 4}
    look["transform"] = axes.get_xaxis_transform()  # x as it is, y as a share of the axes' height
    last = drawn[-_STROKES:]
    axes.line(last, np.full(last.size, 0.02), marker="|", markersize=9, **look)
    axes.line(last[-1:], last[-1:] * 0 + 0.055, marker="v", markersize=6, **look)


def diamonds(axes: Panel, x: ArrayLike, y: ArrayLike, **options: Any) -> None:
    """Mark answers about the same people, or what follows from them."""
    look: style.Look = {"linestyle": "none", "marker": "D", "markersize": 6}
    axes.line(x, y, **look | {"markeredgecolor": style.PAPER} | ASKED | options)


def asked_row(axes: Panel, asked: FloatArray) -> None:
    """Mark answers about the same people in a row above the strokes."""
    diamonds(axes, asked, np.full(len(asked), 0.11), transform=axes.get_xaxis_transform())


def histogram(
    axes: Panel, drawn: FloatArray, peak: float, spacing: float = 0.0, origin: float = 0.0
) -> None:
    """Outline how often the draws fell where, in the scale of the curve that it becomes.

    Parameters
    ----------
    axes : Axes
        Where; its horizontal limits are the histogram's.
    drawn : array of shape (n,)
        The draws; of only a few, none is outlined.
    peak : float
        The density, or for separate answers the probability, that is drawn at height 1.
    spacing, origin : float
        For separate answers, how far they lie apart, and one of them.
    """
    if drawn.size < _ENOUGH:
        return
    low, high = axes.get_xlim()
    width = (high - low) / _BARS
    if spacing:
        width = max(1, round(width / spacing)) * spacing
        low = origin + spacing * (np.floor((low - origin) / spacing) - 0.5)
    edges = low + width * np.arange(int(np.ceil((high - low) / width)) + 1)
    shares = np.histogram(drawn, edges)[0] / drawn.size
    axes.steps(shares / (width / (spacing or 1.0)) / peak, edges, **OUTLINE)
