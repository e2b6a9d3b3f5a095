"""Pictures of attacks: how often each is right, a rebuilt table, and the errors of a test."""

import math

import numpy as np

from dpwidgets.calculators.attack import (
    TABLE,
    Membership,
    Rebuilt,
    Subtraction,
)
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import ASKED, Drawn, Panel

_LIMIT = style.look(color=style.INK, linewidth=1.6, linestyle="--")
_REACHED = style.look(color=style.MAIN, linewidth=2.2)
_CURVES = (_LIMIT, _REACHED, style.CURVES[0], style.CURVES[3])
_PROGRAM = style.look(
    marker="s", markersize=8, color=style.CURVES[1]["color"], zorder=4
)


class Shares(Plot):
    """How often an attack is right along ε, and how often any attack could be."""

    frame = style.look(
        x="ε of each published number",
        y="guesses that are right",
        xscale="log",
        xlim=(0.02, 10),
        ylim=(0, 1.04),
        writes="x",
        percents="y",
    )

    def draw(self, axes: Panel, result: Subtraction | Rebuilt) -> None:
        axes.level(0.5, "a blind guess", **style.DOTTED)
        curves = zip(result.curves.items(), _CURVES, strict=False)
        for (name, (epsilons, shares)), look in curves:
            axes.line(epsilons, shares, name, **look)
        for name, share in result.points.items():
            if name == "now":
                axes.point(result.epsilon, share, name)
                axes.handle("epsilon", result.epsilon, share)
            else:
                axes.points(result.epsilon, share, name=name, **_PROGRAM)
        axes.key("lower left")

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        scores = drawn.result.scores(drawn.draws)
        # The share of all, with two standard errors to each side.
        if scores.size:
            share = float(scores.mean())
            variance = max(share * (1 - share), 0.25 / scores.size)
            off = 2 * math.sqrt(variance / scores.size)
            epsilon = np.clip(drawn.result.epsilon, *axes.get_xlim())
            ends = np.clip([share - off, share + off], 0, 1)
            axes.line([epsilon] * 2, ends, linewidth=2, **ASKED)
            axes.diamonds(drawn.result.epsilon, share)


class Table(Plot):
    """Everybody with what the attack says about them, and about whom it is wrong."""

    frame = style.look(
        x="sex and house", y="age", bare="xy", left=116, high=330
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
            above = -0.4
        else:
            x, y = house + 4 * sex, 2.0 - age
            columns = [f"women {number}" for number in houses]
            columns += [f"men {number}" for number in houses]
            rows = ages
            above = 0.25
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(-0.65, len(rows) + above)
        yes = result.guess > 0.5
        right = result.right > 0.5
        look = style.look(marker="o", markersize=12, color=style.MAIN)
        axes.points(x[yes], y[yes], name="help with the rent, it says", **look)
        axes.points(
            x[~yes], y[~yes], name="none, it says", fillstyle="none", **look
        )
        wrong = style.look(
            marker="x", markersize=16, markeredgewidth=2.5, color=style.ACCENT
        )
        axes.points(x[~right], y[~right], name="wrong", **wrong)
        for name, across, up in zip(TABLE, x, y, strict=True):
            axes.words(across, up - 0.3, name, ha="center", va="top")
        axes.ticks("x", range(len(columns)), columns)
        axes.ticks("y", range(len(rows)), rows)
        axes.key("upper center", ncols=3)


class Errors(Plot):
    """The false alarms and misses of the score, and the fewest that any attack has."""

    frame = style.look(
        x="false alarms",
        y="misses",
        xlim=(0, 1),
        ylim=(0, 1.02),
        percents="xy",
    )

    def draw(self, axes: Panel, result: Membership) -> None:
        axes.line([0, 1], [1, 0], "a blind guess", **style.DOTTED)
        axes.line(*result.reached, "the score, at any threshold", **_REACHED)
        axes.line(*result.fewest, "no attack comes below", **_LIMIT)

        # A higher threshold has more, and stands farther up.
        def misses(threshold: float) -> float:
            return float(result.misses(threshold))

        alarms = float(result.false_alarms(result.threshold))
        missed = misses(result.threshold)
        axes.point(alarms, missed, "now")
        axes.handle("threshold", alarms, missed, misses, upright=True)
        axes.key("upper right")

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        inside = drawn.draws[:, 1] > 0
        if inside.any() and not inside.all():
            above = drawn.draws[:, 0] > drawn.result.threshold
            axes.diamonds(above[~inside].mean(), 1 - above[inside].mean())
