"""Pictures of what one noisy count tells, and of how good the estimates are that are made of it."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from dpwidgets.calculators import bayes
from dpwidgets.calculators.bayes import Comparison, Estimate
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.drawn import ASKED, Drawn, asked_row, histogram, outline, strokes

_POINTS = 401
_OWN, _ANSWER = 1.16, 1.32  # the heights at which the posterior's summary and the answer stand
_ESTIMATORS: dict[str, style.Look] = {
    # Above the posterior median, which it comes close to.
    "rounded": style.CURVES[0] | {"zorder": 2.5},
    "clamped": style.CURVES[1],
    "prior": style.CURVES[2],
    "naive": style.CURVES[3] | {"color": style.INK},
    "posterior median": {"color": style.ACCENT, "linestyle": "--"},
    "posterior mean": {"color": style.MAIN, "linestyle": "-"},
}
_NAMES = {
    "naive": "the answer",
    "rounded": "the answer, rounded",
    "clamped": "the answer, kept in 0 … n",
    "prior": "n·p, no answer needed",
    "posterior mean": "posterior mean",
    "posterior median": "posterior median",
}


class OneAnswer(Plot):
    """Prior, likelihood and posterior of the count, each as a share of its largest that is shown.

    The frame follows n and p. An answer far outside still shows how it weighs the counts within:
    as a share of the peak at the answer, their likelihood would be a line at 0.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="count", y="probability, as a share of the largest")
        self.axes.set(ylim=(0, 1.75))
        style.halves(self.axes)
        style.numbers(self.axes, "x")
        self.outside = [
            self.axes.axvspan(0, 0, label="no count lies here", **style.area(style.MUTED, 0.25))
            for _ in range(2)
        ]
        self.posterior = self.axes.stairs(
            [0], [0, 1], fill=True, label="posterior", **style.area(style.MAIN, 0.45)
        )
        self.prior = self.axes.stairs([0], [0, 1], linewidth=1.6, label="prior", **style.CURVES[0])
        self.likelihood = style.line(
            self.axes, linewidth=1.8, label="likelihood", **style.CURVES[1]
        )
        self.interval = style.line(
            self.axes,
            color=style.MAIN,
            linewidth=2.4,
            marker="|",
            markersize=9,
            markeredgewidth=2.4,
        )
        self.mean = style.point(self.axes, color=style.MAIN, label="posterior mean, 95% interval")
        self.answer = style.point(self.axes, label="the answer ĉ")
        handles = [
            self.prior,
            self.likelihood,
            self.posterior,
            self.answer,
            self.mean,
            self.outside[0],
        ]
        self.axes.legend(handles=handles, loc="upper center", ncols=3)

    def update(self, result: Estimate) -> None:
        reach = style.ruler(max(5.0, 6 * result.deviation))
        low, high = result.expected - reach, result.expected + reach
        self.axes.set_xlim(low, high)
        for span, start, end in zip(self.outside, (low, result.n + 0.5), (-0.5, high), strict=True):
            span.set_bounds(start, 0, max(end - start, 0), 1)
            span.set_visible(end > start)
        for bars, masses in ((self.prior, result.prior), (self.posterior, result.posterior)):
            bars.set_data(*self._steps(result, masses))
        x = np.linspace(max(low, 0), min(high, result.n), _POINTS)
        distance = np.abs(x - result.answer)
        self.likelihood.set_data(x, np.exp(-result.epsilon * (distance - distance.min())))
        self.interval.set_data(result.interval, (_OWN, _OWN))
        style.place(self.mean, result.mean, _OWN)
        style.place(self.answer, result.answer, _ANSWER)

    def _steps(self, result: Estimate, masses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the masses of counts as shares of their peak, and the edges between the counts.

        Only those that the frame shows, and one beside each end: a surprising answer makes a
        million counts matter, which as lines of a picture are 50 megabytes.
        """
        low, high = self.axes.get_xlim()
        first, end = np.searchsorted(result.counts, (low - 2, high + 2)).tolist()
        counts = result.counts[first:end]
        return masses[first:end] / masses.max(), np.append(counts, counts[-1] + 1) - 0.5

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        after = drawn.result.after(drawn.asked).masses
        x = np.linspace(*self.axes.get_xlim(), _POINTS)
        law = np.exp(-drawn.result.epsilon * np.abs(x - drawn.truth))
        return [
            *self.axes.plot(x, law, **style.DOTTED),
            *strokes(self.axes, drawn.draws),
            *histogram(self.axes, drawn.draws, drawn.result.epsilon / 2),
            *asked_row(self.axes, drawn.asked),
            *(
                outline(self.axes, *self._steps(drawn.result, after), ASKED)
                if drawn.asked.size
                else []
            ),
        ]


def _run_along(axes: Axes, against: str) -> None:
    """Give the horizontal axis limits and label of what curves run along; ε falls to the right."""
    if against == "epsilon":
        axes.set(
            xscale="log", xlim=(10, 0.05), xlabel="privacy parameter ε; more privacy to the right"
        )
        style.numbers(axes, "x")
    elif against == "noise":
        axes.set(xscale="linear", xlim=(0, 28.3), xlabel="standard deviation of the noise, √2/ε")
    else:
        axes.set(
            xscale="linear", xlim=(0, 1), xlabel="probability p with which a record is counted"
        )


class Errors(Plot):
    """Figs. 1 to 5: the mean absolute error of every estimator, the present values marked."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=" ", y="mean error, in records")
        self.curves = {
            name: style.line(self.axes, linewidth=2, label=_NAMES[name], **_ESTIMATORS[name])
            for name in bayes.ESTIMATORS
        }
        self.now = self.axes.axvline(1, **style.DOTTED)
        self.points = {
            "naive": style.point(self.axes, color=style.INK),
            "posterior mean": style.point(self.axes, color=style.MAIN),
        }
        self.legend = self.axes.legend(loc="upper left", ncols=2)

    def update(self, result: Comparison) -> None:
        errors = result.error_curves
        _run_along(self.axes, result.against)
        largest = max(curve.max() for curve in errors.values())
        if result.against == "epsilon":
            self.axes.set(yscale="log", ylim=(0.005, style.ruler(1.5 * largest)))
        elif result.against == "noise":
            self.axes.set(
                yscale="linear", ylim=(0, 22 if largest < 22 else style.ruler(1.1 * largest))
            )
        else:
            self.axes.set(yscale="linear", ylim=(0, style.ruler(1.6 * largest)))
        style.numbers(self.axes, "y")
        self.legend.set_loc("lower right" if result.against == "epsilon" else "upper left")
        for name, curve in self.curves.items():
            curve.set_data(result.x, errors[name])
        self.now.set_xdata([result.present, result.present])
        for name, point in self.points.items():
            style.place(point, result.present, result.errors[name])


class Closer(Plot):
    """Figs. 6 to 8: how often the posterior mean is closer than the answer itself, now marked."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=" ", y="how often the posterior mean is closer")
        self.axes.set_ylim(0, 1.02)
        style.percents(self.axes, "y")
        self.axes.axhline(0.5, **style.DASHED, label="as often as not")
        self.curve = style.line(self.axes, linewidth=2.4, **_ESTIMATORS["posterior mean"])
        self.now = self.axes.axvline(1, **style.DOTTED)
        self.point = style.point(self.axes)
        self.axes.legend(loc="lower left")

    def update(self, result: Comparison) -> None:
        _run_along(self.axes, result.against)
        self.curve.set_data(result.x, result.closer_curve)
        self.now.set_xdata([result.present, result.present])
        style.place(self.point, result.present, result.closer)


class _TwoSizes(Plot):
    """One quantity for two numbers of records, as the text draws it."""

    label: ClassVar[str] = ""
    legend_at: ClassVar[Literal["lower center", "upper left"]] = "lower center"

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=" ", y=self.label)
        looks = ({"color": style.MAIN}, {"color": style.ACCENT, "linestyle": "--"})
        self.curves = style.lines(self.axes, looks, linewidth=2.2)
        self.level = style.line(self.axes, color=style.INK, linewidth=1.2, linestyle=":")
        self.legend = self.axes.legend(
            handles=[*self.curves, self.level], labels=["n = 1000"] * 3, loc=self.legend_at
        )


class ErrorOfTwoSizes(_TwoSizes):
    """Fig. 5: the posterior mean's error for two numbers of records, and the naive one."""

    label = "mean error, in records"
    legend_at = "upper left"

    def update(self, result: tuple[Comparison, Comparison]) -> None:
        naive = result[0].error_curves["naive"]
        _run_along(self.axes, result[0].against)
        room = 1.5 if result[0].against == "p" else 1.02  # for the legend, where a level runs below
        self.axes.set_ylim(0, room * naive.max())
        for curve, one in zip(self.curves, result, strict=True):
            curve.set_data(one.x, one.error_curves["posterior mean"])
        self.level.set_data(result[0].x, naive)
        names = [f"posterior mean, n = {show(one.n)}" for one in result]
        style.rename(self.legend, [*names, "the answer itself"])


class CloserOfTwoSizes(_TwoSizes):
    """Figs. 6 to 8: how often the posterior mean is closer than the answer, for two numbers n."""

    label = "how often the posterior mean is closer"

    def update(self, result: tuple[Comparison, Comparison]) -> None:
        _run_along(self.axes, result[0].against)
        self.axes.set_ylim(0, 1.02)
        style.percents(self.axes, "y")
        for curve, one in zip(self.curves, result, strict=True):
            curve.set_data(one.x, one.closer_curve)
        self.level.set_data(self.axes.get_xlim(), (0.5, 0.5))
        style.rename(self.legend, [*(f"n = {show(one.n)}" for one in result), "as often as not"])


class CloserNearHalf(CloserOfTwoSizes):
    """Figs. 6 and 7 again, for ε near 1 and shares near one half, where the curves turn."""

    def update(self, result: tuple[Comparison, Comparison]) -> None:
        super().update(result)
        self.axes.set(xscale="linear", xlim=(2, 0.3), ylim=(0.494, 0.535))
        self.axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=1))
        self.level.set_data((2, 0.3), (0.5, 0.5))
        self.legend.set_loc("lower left")


class Simulated(Plot):
    """How often the posterior mean is closer: the exact curve, and simulations at a few ε."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=" ", y="how often the posterior mean is closer")
        _run_along(self.axes, "epsilon")
        self.axes.set_ylim(0, 1.02)
        style.percents(self.axes, "y")
        self.curve = style.line(
            self.axes, linewidth=2.4, label="computed", **_ESTIMATORS["posterior mean"]
        )
        self.found = style.point(self.axes, label="simulated")
        self.axes.legend(loc="lower left")

    def update(self, result: tuple[Comparison, dict[float, bayes.Simulation]]) -> None:
        exact, found = result
        self.curve.set_data(exact.x, exact.closer_curve)
        self.found.set_data(list(found), [one.closer for one in found.values()])


class OutOfRange(Plot):
    """How often an answer falls below 0 or above n, over the count, for three ε."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="count a", y="probability of an answer out of range")
        self.axes.set_ylim(0, 0.8)
        style.numbers(self.axes, "x")
        self.curves = style.lines(self.axes, style.CURVES[:3], linewidth=2.2)
        self.legend = self.axes.legend(
            handles=self.curves, labels=["ε = 0.000"] * 3, loc="upper center"
        )

    def update(self, result: tuple[int, tuple[float, float, float]]) -> None:
        n, epsilons = result
        self.axes.set_xlim(-0.02 * n, 1.02 * n)
        counts = np.arange(n + 1)
        for curve, epsilon in zip(self.curves, epsilons, strict=True):
            curve.set_data(counts, bayes.out_of_range(counts, n, epsilon))
        style.rename(self.legend, [f"ε = {show(epsilon)}" for epsilon in epsilons])
