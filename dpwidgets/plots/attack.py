"""Pictures of attacks: worlds with and without, and a rebuilt table."""

import math
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators.attack import (
    TABLE,
    Divided,
    Line,
    Rebuilt,
    Sample,
)
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.heaps import HIGHEST, Heaps, _Parts, columns
from dpwidgets.plots.panel import Panel

_TIMES = style.look(
    fill=False, edgecolor=style.INK, linewidth=1, linestyle="--", zorder=4
)
_HATCH = style.look(
    fill=False, hatch="////", edgecolor=style.INK, linewidth=0.8, zorder=3.5
)


_SHADES = 3  # of a loss, beside the lightest


class RebuiltTable(Plot):
    """Everybody with what the attack says about them, and about whom it is wrong."""

    frame = style.look(
        x="sex and house", y="age", bare="xy", left=116, high=330
    )

    @classmethod
    def says(cls, result: Rebuilt) -> str:
        right = show(int(result.right.sum()))
        return f"Least squares is right about {right} of {show(result.truth.size)} people."

    def draw(self, axes: Panel, result: Rebuilt) -> None:
        sex, age, house = np.transpose(list(TABLE.values()))
        ages = ["60 up", "30 to 59", "to 29"]
        houses = ["1", "2", "3", "4"]
        if self.narrow:  # the men stand below the women
            x, y = house, 5.0 - age - 3 * sex
            columns = houses
            rows = [f"men {words}" for words in ages]
            rows += [f"women {words}" for words in ages]
        else:
            x, y = house + 4 * sex, 2.0 - age
            columns = [f"women {number}" for number in houses]
            columns += [f"men {number}" for number in houses]
            rows = ages
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(-0.65, len(rows) - 0.35)
        yes = result.guess > 0.5
        right = result.right > 0.5
        look = style.look(marker="o", markersize=12, color=style.MAIN)
        axes.points(x[yes], y[yes], name="help with the rent, it says", **look)
        look["fillstyle"] = "none"
        axes.points(x[~yes], y[~yes], name="none", **look)
        wrong = style.WRONG | style.look(markersize=16, markeredgewidth=2.5)
        wrong["name"] = "it is wrong"
        axes.points(x[~right], y[~right], **wrong)
        for name, across, below in zip(TABLE, x, y - 0.3, strict=True):
            axes.text(across, below, name, ha="center", va="top")
        axes.ticks("x", range(len(columns)), columns)
        axes.ticks("y", range(len(rows)), rows)


class BothWorlds(Heaps):
    """Two hundred worlds as dots above what they publish, and the line that divides them."""

    def measured(self, result: Line) -> str:
        if isinstance(result, Sample):
            return "privacy loss of all releases together"
        many = getattr(result, "releases", 1)
        if many == 1:
            return "noisy answer, above the count without you"
        return f"mean of {show(many)} answers, each cut off at 0 and 1"

    def expect(
        self,
        axes: Panel,
        result: Line,
        edges: FloatArray,
        laws: dict[bool, FloatArray],
    ) -> None:
        """Mark both laws at the line, and hatch what lies above e^bound times the other one."""
        if not result.spacing and result.rule is None:
            middles = (edges[1:] + edges[:-1]) / 2
            for you, law in laws.items():
                height = float(np.interp(result.threshold, middles, law))
                axes.point(result.threshold, height if you else -height)
        if not isinstance(result, Divided) or result.bound is None:
            return
        limit = laws[False] * math.exp(min(result.bound, 300.0))
        seen = np.where(limit < HIGHEST, limit, np.nan)
        axes.stairs(seen, edges, baseline=None, **_TIMES)
        above = np.where(limit < laws[True], laws[True], np.nan)
        axes.stairs(above, edges, baseline=limit, **_HATCH)


class TradeOff(BothWorlds):
    """The same, and the errors of all lines from the right end to this one: a reader draws them.

    A world is the darker, the farther its privacy loss is from 0.
    """

    frame = BothWorlds.frame | style.look(at=(0.025, 0.125, 0.62, 0.865))

    @classmethod
    def _said(cls, result: Line, with_you: _Parts, without_you: _Parts) -> str:
        many, _, misses = with_you
        others, alarms, _ = without_you
        return (
            f"Of {many} with you {misses} are misses, "
            f"of {others} without you {alarms} are false alarms."
        )

    def build(self, figure: Figure) -> None:
        super().build(figure)
        self.errors = Panel(
            figure,
            at=(0.76, 0.125, 0.2, 0.42),
            x="false alarms",
            y="misses",
            xlim=(0, 1),
            ylim=(0, 1),
            percents="xy",
        )

    def shades(self, result: Line, numbers: FloatArray) -> FloatArray:
        if not isinstance(result, Divided):
            return super().shades(result, numbers)
        largest = np.abs(result.loss_of(result.worlds[:, 0])).max()
        shares = np.clip(np.abs(result.loss_of(numbers)) / largest, 0, 1)
        return np.asarray((1 + np.ceil(_SHADES * shares)) / (1 + _SHADES))

    def draw(self, axes: Panel, result: Line) -> None:
        super().draw(axes, result)
        places = columns(result)
        farther = places[places > result.threshold]
        passed = np.append(result.threshold, farther)
        hits, alarms = map(np.asarray, result.above(passed))
        self.errors.plot([0, 1], [1, 0], **style.DOTTED)
        look = style.look(color=style.INK, linewidth=2.2)
        look["label"] = "errors of lines farther right"
        (self.curve,) = self.errors.plot(alarms, 1 - hits, **look)
        self.errors.point(alarms[0], 1 - hits[0])
        if isinstance(result, Divided) and result.bound is not None:
            # What (ε′, δ) leaves of the errors touches the curve.
            top = 1 - result.delta
            end = top * math.exp(-result.bound)
            self.errors.plot([0, end], [top, 0], **style.DASHED)


class Scores(Heaps):
    """The scores of a hundred who are in the data and a hundred who are out, and the threshold."""

    kinds: ClassVar = {True: "in the data", False: "out of it"}

    def measured(self, result: Line) -> str:
        return "score"
