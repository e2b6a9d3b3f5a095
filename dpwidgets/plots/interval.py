"""Pictures of the interval in which a count is known."""

from typing import Any

import numpy as np

from dpwidgets.calculators import interval
from dpwidgets.inputs.domain import ALMOST_ONE, FloatArray
from dpwidgets.inputs.notation import down, percent, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn, Panel

_SIDE = np.geomspace(1e-5, 1.5, 200)
# From the count, as a fraction of it; dense at the peak.
_DISTANCE = np.concatenate([-_SIDE[::-1], [0.0], _SIDE])
_WIDTHS = np.linspace(1e-5, 1, 201)
# ε·c of the curves of equal ε: 0.02 … 0.32 at c = 100, where the text has ε =
# 0.08: none covers it.
_FIG1_PRODUCTS = (2, 4, 16, 32)


class Answer(Plot):
    """The density of the noisy answer around the true count, the band ±wc shaded.

    Its frame follows the count.
    """

    frame = style.look(
        x="noisy answer ĉ",
        y="density, as a share of its peak",
        writes="x",
        ylim=(0, 1.05),
        **style.HALVES,
    )

    @classmethod
    def says(cls, result: interval.Precision) -> str:
        many = f"{down(result.confidence, percent)} of the noisy answers"
        if result.confidence == ALMOST_ONE:
            many = "Of the noisy answers, all but too few to be written"
        return f"{many} lie within ±{up(result.half_width, percent)} of the count."

    def draw(self, axes: Panel, result: interval.Precision) -> None:
        c = result.count
        w = result.half_width
        axes.set_xlim(-0.5 * c, 2.5 * c)

        def height(distance: FloatArray | float) -> Any:
            return np.exp(-np.abs(distance) * c / result.scale)

        inside = np.clip(_DISTANCE, -w, w)
        band = np.column_stack([(1 + inside) * c, height(inside)])
        corners = np.vstack([[band[0, 0], 0], band, [band[-1, 0], 0]])
        axes.fill(*corners.T, **style.area(style.MAIN, 0.25))
        x = (1 + _DISTANCE) * c
        axes.plot(x, height(_DISTANCE), color=style.MAIN, linewidth=2)
        axes.axvline(c, ymax=1 / 1.05, **style.DASHED)
        axes.handle(
            "half_width", (1 + w) * c, height(w), lambda w: (1 + w) * c
        )

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        axes.answers(drawn.draws, drawn.asked, 1 / (2 * drawn.result.scale))


class IsoEpsilon(Plot):
    """Fig. 1: curves of equal ε in the plane of half-width and confidence, and where we are."""

    frame = style.look(
        x="half-width w, as a share of the count",
        y="confidence p",
        xlim=(0, 1),
        ylim=(0, 1.02),
        percents="xy",
        margin=88,
    )

    message = (
        "The same ε: the narrower an interval, the fewer answers it holds."
    )

    def draw(self, axes: Panel, result: interval.Precision) -> None:
        for product, look in zip(_FIG1_PRODUCTS, style.ORDERED, strict=True):
            shares = interval.confidence(product, _WIDTHS, count=1)
            name = f"ε = {show(product / result.count)}"
            axes.plot(_WIDTHS, shares, label=name, linewidth=1.8, **look)
        shares = interval.confidence(
            result.epsilon, _WIDTHS, result.count, result.sensitivity
        )
        axes.plot(_WIDTHS, shares, label="now", **style.PRESENT)
        axes.point(result.half_width, result.confidence)
        axes.handle("half_width", result.half_width, result.confidence)
