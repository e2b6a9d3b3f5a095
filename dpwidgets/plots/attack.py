"""Pictures of attacks: worlds with and without, and a rebuilt table."""

import math

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators.attack import TABLE, Divided, Line, Rebuilt
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.heaps import BothWorlds as BothWorlds, Sides, columns
from dpwidgets.plots.panel import Panel


class RebuiltTable(Plot):
    """Everybody with what the attack says about them, and about whom it is wrong."""

    frame = style.look(
        x="sex and house", y="age", bare="xy", left=116, high=330
    )

    @classmethod
    def says(cls, result: Rebuilt) -> str:
        right = show(int(result.right.sum()))
        whose = (
            "Least squares is" if result.solve is None else "Your lines are"
        )
        return (
            f"{whose} right about {right} of {show(result.truth.size)} people."
        )

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


class TwoErrors(BothWorlds):
    """Two hundred worlds, of which is told how often the line is wrong about each kind."""

    @classmethod
    def _said(cls, result: Line, inside: Sides, outside: Sides) -> str:
        many, _, misses = inside
        others, alarms, _ = outside
        return (
            f"Of {many} {result.kinds[True]} {misses} are misses, "
            f"of {others} {result.kinds[False]} {alarms} are false alarms."
        )


class TradeOff(TwoErrors):
    """The same, and the errors of all lines from the right end to this one: a reader draws them."""

    frame = BothWorlds.frame | style.look(at=(0.025, 0.12, 0.62, 0.87))

    def build(self, figure: Figure) -> None:
        super().build(figure)
        self.errors = Panel(
            figure,
            at=(0.76, 0.12, 0.2, 0.42),
            x="false alarms",
            y="misses",
            xlim=(0, 1),
            ylim=(0, 1),
            percents="xy",
        )

    def draw(self, axes: Panel, result: Line) -> None:
        super().draw(axes, result)
        places = columns(result)
        farther = places[places > result.threshold]
        passed = np.append(result.threshold, farther)
        hits, alarms = map(np.asarray, result.above(passed))
        self.errors.plot([0, 1], [1, 0], **style.DOTTED)
        look = style.look(color=style.INK, linewidth=2.2)
        look["label"] = "errors of lines farther right"
        self.errors.plot(alarms, 1 - hits, **look)
        self.errors.point(alarms[0], 1 - hits[0])
        if isinstance(result, Divided) and result.bound is not None:
            # What (ε′, δ) leaves of the errors touches the curve.
            top = 1 - result.delta
            end = top * math.exp(-result.bound)
            self.errors.plot([0, end], [top, 0], **style.DASHED)
