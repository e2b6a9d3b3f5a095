"""Pictures of the interval in which a count is known."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from dpwidgets.calculators import interval, noise
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.drawn import Drawn, histogram, strokes

_SIDE = np.geomspace(1e-5, 1.5, 200)
# From the count, as a fraction of it; dense at the peak.
_DISTANCE = np.concatenate([-_SIDE[::-1], [0.0], _SIDE])
_WIDTHS = np.linspace(1e-5, 1, 201)
_COUNTS = np.geomspace(1, 1e5, 2)  # a power law is a straight line on log axes
# ε·c of the curves of equal ε: 0.02 … 0.32 at c = 100, where the text has ε = 0.08: none covers it.
_FIG1_PRODUCTS = (2, 4, 16, 32)
_FIG2_PAIRS = ((0.1, 0.9), (0.2, 0.95), (0.3, 0.5))


class Answer(Plot):
    """The density of the noisy answer around the true count, the band ±wc shaded.

    Its frame follows the count.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="noisy answer ĉ", y="density, as a share of its peak")
        self.axes.set_ylim(0, 1.3)
        style.halves(self.axes)
        style.numbers(self.axes, "x")
        (self.band,) = self.axes.fill([0] * 3, [0] * 3, **style.area(style.MAIN, 0.25))
        self.curve = style.line(self.axes, color=style.MAIN, linewidth=2)
        self.truth = self.axes.axvline(0, ymax=1 / 1.3, **style.DASHED)
        self.name = self.axes.text(
            0, 1.06, "", ha="center", va="bottom", fontsize=style.TEXT, linespacing=1.3
        )

    def update(self, result: interval.Precision) -> None:
        c, w = result.count, result.half_width
        self.axes.set_xlim(-0.5 * c, 2.5 * c)
        self.curve.set_data((1 + _DISTANCE) * c, np.exp(-np.abs(_DISTANCE) * c / result.scale))
        inside = np.clip(_DISTANCE, -w, w)
        band = np.column_stack([(1 + inside) * c, np.exp(-np.abs(inside) * c / result.scale)])
        self.band.set_xy(np.vstack([[band[0, 0], 0], band, [band[-1, 0], 0]]))
        self.truth.set_xdata([c, c])
        self.name.set_x(c)
        self.name.set_text(
            f"{percent(result.confidence)} of the answers\n"
            f"within ±{percent(w)} of the count {show(c)}"
        )

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        peak = 1 / (2 * drawn.result.scale)
        return [*strokes(self.axes, drawn.draws), *histogram(self.axes, drawn.draws, peak)]


class IsoEpsilon(Plot):
    """Fig. 1: curves of equal ε in the plane of half-width and confidence, and where we are."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="half-width w, as a share of the count", y="confidence p")
        self.axes.set(xlim=(0, 1), ylim=(0, 1.02))
        style.percents(self.axes, "xy")
        self.curves = style.lines(self.axes, style.CURVES, linewidth=1.8)
        for curve, product in zip(self.curves, _FIG1_PRODUCTS, strict=True):
            curve.set_data(_WIDTHS, interval.confidence(product, _WIDTHS, count=1))
        self.present = style.line(self.axes, **style.PRESENT)
        self.point = style.point(self.axes)
        self.legend = self.axes.legend(
            handles=[*self.curves, self.present], labels=["0.00"] * 5, loc="lower right"
        )

    def update(self, result: interval.Precision) -> None:
        c = result.count
        names = [f"ε = {show(product / c)}" for product in _FIG1_PRODUCTS]
        names.append(f"ε = {show(result.epsilon)}, now")
        style.rename(self.legend, names)
        self.present.set_data(_WIDTHS, result.confidence_at(_WIDTHS))
        style.place(self.point, result.half_width, result.confidence)


class EpsilonAgainstCount(Plot):
    """Fig. 2: ε against the count on log axes, for three pairs of half-width and confidence.

    The present pair is a fourth.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="count c", y="privacy parameter ε")
        self.axes.set(xscale="log", yscale="log", xlim=(1, 1e5), ylim=(1e-5, 100))
        style.numbers(self.axes)
        for (w, p), look in zip(_FIG2_PAIRS, style.CURVES, strict=False):
            epsilons = interval.epsilon(half_width=w, confidence=p, count=_COUNTS)
            self.axes.plot(
                _COUNTS, epsilons, linewidth=1.8, label=f"±{percent(w)} with {percent(p)}", **look
            )
        self.present = style.line(self.axes, label="now", **style.PRESENT)
        self.point = style.point(self.axes)
        self.axes.legend(loc="upper right")

    def update(self, result: interval.Precision) -> None:
        self.present.set_data(_COUNTS, result.epsilon_at(_COUNTS))
        style.place(self.point, result.count, result.epsilon)


class NoiseRatio(Plot):
    """The ratio of the noise's density at w to that at w + 1, for one ε, and the ratio's bounds."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="noise w", y="density at w / density at w + 1")
        self.axes.set(xlim=(-3, 3), yscale="log", ylim=(0.25, 4))
        self.axes.set_yticks([0.25, 0.5, 1, 2, 4], ["¼", "½", "1", "2", "4"])
        self.axes.minorticks_off()
        self.curve = style.line(self.axes, color=style.MAIN, linewidth=2.4, label="the ratio")
        bound: style.Look = {"color": style.INK, "linewidth": 1, "linestyle": "--"}
        self.bounds = [
            self.axes.axhline(1, label="the bounds e^ε and e^−ε", **bound),
            self.axes.axhline(1, **bound),
        ]
        self.axes.legend(loc="center right")

    def update(self, result: float) -> None:
        law = noise.Laplace(scale=1 / result)
        w = np.linspace(-3, 3, 601)
        self.curve.set_data(w, law.density(w) / law.density(w + 1))
        for line, height in zip(self.bounds, (np.exp(result), np.exp(-result)), strict=True):
            line.set_ydata([height, height])


class Coverage(Plot):
    """How far the coverage of ĉ ± w·ĉ lies from the confidence asked for, for some half-widths."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure, x="confidence p asked for", y="coverage − p, in percentage points"
        )
        self.axes.set(xlim=(0.5, 1), ylim=(-2.5, 6))
        style.percents(self.axes, "x")
        self.axes.axhline(0, color=style.INK, linewidth=1)
        self.curves = style.lines(self.axes, style.CURVES, linewidth=2)
        self.legend = self.axes.legend(
            handles=self.curves, labels=["±100%"] * len(self.curves), loc="lower left"
        )

    def update(self, result: tuple[float, ...]) -> None:
        p = np.linspace(0.5, 1 - 1e-9, 501)
        for curve, w in zip(self.curves, result, strict=True):
            curve.set_data(p, 100 * (interval.coverage(w, p) - p))
        style.rename(self.legend, [f"±{percent(w)}" for w in result])


class LogDensities(Plot):
    """The logarithms of the densities of the answers to the counts c and c + 1.

    It shows ε and c. The gap between the curves is the size of the privacy loss.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="noisy answer ĉ", y="logarithm of the density")
        style.numbers(self.axes)
        self.curves = style.lines(self.axes, style.CURVES[:2], linewidth=2)
        self.gap = style.line(self.axes, color=style.INK, linewidth=1.5, marker="_", markersize=9)
        self.name = self.axes.text(0, 0, "ε", va="center", fontsize=style.TEXT)
        self.legend = self.axes.legend(handles=self.curves, labels=["c"] * 2, loc="upper left")

    def update(self, result: tuple[float, float]) -> None:
        epsilon, count = result
        answers = count + 0.5 + np.linspace(-4, 4, 401) / epsilon
        peak = np.log(epsilon / 2)
        for curve, truth in zip(self.curves, (count, count + 1), strict=True):
            curve.set_data(answers, peak - epsilon * np.abs(answers - truth))
        self.axes.set(xlim=answers[[0, -1]], ylim=(peak - 4.7, peak + 1.2))
        far = count + 0.5 + 2.5 / epsilon
        ends = [peak - epsilon * (far - truth) for truth in (count, count + 1)]
        self.gap.set_data([far, far], ends)
        self.name.set(x=far + 0.15 / epsilon, y=sum(ends) / 2)
        style.rename(self.legend, [f"the count is {show(truth)}" for truth in (count, count + 1)])


class NeighbourLoss(Plot):
    """The loss between the counts c and c + 1: with an ε(c) for each, and with one ε for both."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="noisy answer ĉ", y="privacy loss between c and c + 1")
        style.numbers(self.axes)
        self.own = style.line(
            self.axes, color=style.ACCENT, linewidth=2.4, label="each with its own ε(c)"
        )
        self.same = style.line(
            self.axes, color=style.MAIN, linewidth=2, linestyle="--", label="both with the same ε"
        )
        self.band = self.axes.axhspan(0, 0, label="within ±ε", **style.area(style.MAIN, 0.15))
        self.point = style.point(self.axes, markersize=6)
        self.axes.legend(loc="upper right")

    def update(self, result: interval.Precision) -> None:
        c, epsilon = result.count, result.epsilon
        answers = np.linspace(-2 * c, 4 * c, 601)
        answers = np.sort([*answers, c, c + 1])  # where the lines bend
        at_count = float(result.neighbour_loss(np.array([c]))[0])
        reach = style.ruler(max(epsilon, at_count))
        self.axes.set(xlim=(-2 * c, 4 * c), ylim=(-2 * reach, 1.6 * reach))
        self.own.set_data(answers, result.neighbour_loss(answers))
        style.place(self.point, c, at_count)
        self.same.set_data(answers, epsilon * (np.abs(answers - c - 1) - np.abs(answers - c)))
        self.band.set_bounds(0, -epsilon, 1, 2 * epsilon)
