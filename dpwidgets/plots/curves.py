"""A picture of any curves along one axis: what an audit has computed, under its names."""

from collections.abc import Collection, Mapping
from typing import Any

from numpy.typing import ArrayLike

from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_LOOKS = (
    {"color": style.MAIN},
    {"color": style.INK, "linestyle": "--"},
    *style.CURVES,
)


class Curves(Plot):
    """At most six curves. What it draws is a mapping: under each name places and heights.

    Parameters
    ----------
    x, y : str
        The labels of the axes.
    points : collection of str
        The names of what stands as points.
    ordered : bool
        Whether the curves are of one quantity, from the least to the most: they
        then have one hue, from light to dark.
    **frame : object
        What else `dpwidgets.plots.panel.Panel` takes, such as limits and
        scales.

    Examples
    --------
    >>> Curves("x", "y", ylim=(0, 2)).still({"the square": ([0, 1], [0, 1])}, "It rises.")
    It rises.
    """

    def __init__(
        self,
        x: str,
        y: str,
        *,
        points: Collection[str] = (),
        ordered: bool = False,
        **frame: Any,
    ) -> None:
        self.looks = style.ORDERED if ordered else _LOOKS
        self.frame = style.look(x=x, y=y, writes="xy", margin=120) | frame
        self.points = points
        super().__init__()

    def draw(
        self, axes: Panel, result: Mapping[str, tuple[ArrayLike, ArrayLike]]
    ) -> None:
        for (name, (x, y)), line in zip(
            result.items(), self.looks, strict=False
        ):
            look = style.look(linewidth=2.2, label=name) | line
            if name in self.points:
                look |= style.look(linestyle="none", marker="o", clip_on=False)
            axes.plot(x, y, **look)
