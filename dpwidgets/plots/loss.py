"""Pictures of the privacy loss: of one answer, of all answers, and of many releases together."""

from __future__ import annotations

from typing import Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import LossDistribution, Release
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.drawn import Drawn, asked_row, diamonds, histogram, outline, strokes

_BELOW: style.Look = {"linestyle": "-", "linewidth": 5, "zorder": 1.9}  # seen where both coincide
_BINS = 101
_COARSE = 41  # bars for a few thousand draws
_POINTS = 401
_FEW = 80  # answers that can be told apart as dots
_ANSWER = "answer, above the count without you"
_LISTED = "answer, by its place in the lists"
_WITH: style.Look = {"color": style.MAIN, "linewidth": 2.2}
_WITHOUT: style.Look = {"color": style.ACCENT, "linewidth": 2, "linestyle": "--"}


def _as_dots_or_curve(line: Line2D, marker: str, curve: Literal["-", "--"], dots: bool) -> None:
    """Draw separate answers as dots, and a continuum, or what looks like one, as a curve."""
    line.set_marker(marker if dots else "None")
    line.set_linestyle("None" if dots else curve)


def _frame(axes: Axes, result: Release) -> FloatArray:
    """Frame the answers around the two truths, or those listed; return the ones to draw.

    At most as many as can be told apart.
    """
    reach = style.ruler(max(result.spread, 1.0))
    low, high = 0.5 - reach, 0.5 + reach
    listed = result.mechanism == "finite"
    if listed:
        low, high = 0.5, result.parameter + 0.5
    axes.set(xlim=(low, high), xlabel=_LISTED if listed else _ANSWER)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=listed))
    return np.unique(result.nearest(np.linspace(low, high, _POINTS)))


class Answers(Plot):
    """The laws of the answer with you and without you, and the one answer that is asked about."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=_ANSWER, y="likelihood, as a share of the largest")
        self.axes.set_ylim(0, 1.25)
        style.halves(self.axes)
        style.numbers(self.axes, "x")
        self.without = style.line(
            self.axes, label="without you", marker="s", markersize=6, **_WITHOUT
        )
        self.with_you = style.line(self.axes, label="with you", marker="o", markersize=6, **_WITH)
        self.mark = self.axes.axvline(0, **style.DOTTED)
        look: style.Look = {"color": style.INK, "linestyle": "none", "marker": "D", "zorder": 4}
        self.ends = style.line(self.axes, markersize=6, **look)
        self.legend = self.axes.legend(loc="upper right")

    def update(self, result: Release) -> None:
        answers = _frame(self.axes, result)
        names = ["Q, without you", "P, with you"]
        names[not result.swapped] += " (drawn from)"
        style.rename(self.legend, names)
        laws = [result.weight(answers, you=you) for you in (False, True)]
        self.peak = peak = float(max(law.max() for law in laws))
        dots = result.discrete and answers.size < _FEW
        for line, law in zip((self.without, self.with_you), laws, strict=True):
            line.set_data(answers, law / peak)
        self.ends.set(fillstyle="none" if dots else "full", markersize=11 if dots else 6)
        _as_dots_or_curve(self.without, "s", "--", dots)
        _as_dots_or_curve(self.with_you, "o", "-", dots)
        self.mark.set_xdata([result.answer, result.answer])
        heights = [float(result.weight(result.answer, you=you)) / peak for you in (False, True)]
        self.ends.set_data([result.answer, result.answer], heights)

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        result: Release = drawn.result
        answers, spacing = drawn.draws[:, 0], 1.0 if result.discrete else 0.0
        return [
            *strokes(self.axes, answers),
            *asked_row(self.axes, drawn.asked[:, 0]),
            *histogram(self.axes, answers, self.peak, spacing, result.answer),
        ]


class LossOfAnswers(Plot):
    """The loss of every answer, and of the one that is asked about."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=_ANSWER, y="privacy loss of the answer")
        style.numbers(self.axes)
        self.axes.axhline(0, **style.DOTTED)
        self.curve = style.line(self.axes, markersize=6, **_WITH)
        self.point = style.point(self.axes)

    def update(self, result: Release) -> None:
        answers = _frame(self.axes, result)
        losses = np.asarray(result.loss_of(answers))
        height = style.ruler(1.1 * np.abs(losses[np.isfinite(losses)]).max(initial=0) or 1.0)
        self.axes.set_ylim(-height, height)
        self.curve.set_data(answers, losses)
        _as_dots_or_curve(self.curve, "o", "-", result.discrete and answers.size < _FEW)
        style.place(self.point, result.answer, float(result.loss_of(result.answer)))

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        asked = drawn.asked[:, 0]
        height = self.axes.get_ylim()[1]
        losses = np.clip(np.asarray(drawn.result.loss_of(asked)), -height, height)
        return [*strokes(self.axes, drawn.draws[:, 0]), *diamonds(self.axes, asked, losses)]


class Losses(Plot):
    """How often each loss occurs among those that somebody drew: with you, and without you."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="privacy loss", y="share of the draws, per bar")
        style.numbers(self.axes, "x")
        style.percents(self.axes, "y")
        looks: tuple[style.Look, ...] = (
            {"fill": True, "label": "drawn with you", **style.area(style.MAIN, 0.55)},
            {"label": "drawn without you", "edgecolor": style.ACCENT, "linewidth": 2},
        )
        self.bars = [self.axes.stairs(np.zeros(_COARSE), **look) for look in looks]
        self.axes.legend(loc="upper center")

    def update(self, result: tuple[FloatArray, FloatArray]) -> None:
        reach = style.ruler(1.05 * max(float(np.abs(values).max()) for values in result))
        edges = np.linspace(-reach, reach, _COARSE + 1)
        shares = [np.histogram(values, edges)[0] / values.size for values in result]
        self.axes.set(xlim=(-reach, reach), ylim=(0, 1.4 * float(np.max(shares))))
        for bars, heights in zip(self.bars, shares, strict=True):
            bars.set_data(heights, edges)


class TradeOff(Plot):
    """The fewest misses of a test for each share of false alarms, and what (ε, δ) leaves of them.

    It shows a law of the loss and an ε. The line for ε touches the curve and meets the axis δ(ε)
    below 1.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="false alarms", y="misses")
        self.axes.set(xlim=(0, 1), ylim=(0, 1.02))
        style.percents(self.axes, "xy")
        self.blind = self.axes.plot([0, 1], [1, 0], **style.DOTTED)[0]
        self.curve = style.line(self.axes, **_WITH)
        self.limit = style.line(self.axes, **_WITHOUT)
        self.gap = self.axes.annotate(
            "", (0, 1), (0, 1), arrowprops={"arrowstyle": "<->", "color": style.INK}
        )
        self.legend = self.axes.legend(
            handles=[self.blind, self.curve, self.limit],
            labels=["a blind guess", "the best tests", "the line"],
            loc="upper right",
        )

    def update(self, result: tuple[LossDistribution, float]) -> None:
        law, epsilon = result
        alarms = np.linspace(1e-6, 1 - 1e-6, _POINTS)
        self.curve.set_data(alarms, 1 - law.success(alarms))
        delta = law.delta(epsilon)
        self.limit.set_data([0, (1 - delta) * np.exp(-epsilon)], [1 - delta, 0])
        self.gap.xy, self.gap.xyann = (0.012, 1 - delta), (0.012, 1)
        slope = f"1 − δ − e^ε · false alarms: ε = {show(epsilon)}, δ = {show(delta)}"
        style.rename(self.legend, ["a blind guess", "the best tests", slope])


class LawOfLoss(Plot):
    """The law of the loss of all releases together, its mean, and the ε at the present δ."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure, x="privacy loss of all releases together", y="share of the outcomes, per bar"
        )
        style.numbers(self.axes)
        self.bars = self.axes.stairs(
            np.zeros(_BINS), fill=True, label="outcomes", **style.area(style.MAIN, 0.55)
        )
        self.mean = self.axes.axvline(0, color=style.ACCENT, linewidth=2, label="mean")
        limit: style.Look = {"color": style.INK, "linewidth": 1.5, "linestyle": "--"}
        self.limits = [
            self.axes.axvline(0, label="ε and −ε", **limit),
            self.axes.axvline(0, **limit),
        ]
        self.infinite = self.axes.text(
            0.98, 0.5, "", transform=self.axes.transAxes, ha="right", fontsize=style.TEXT
        )
        self.axes.legend(loc="upper left")

    def update(self, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        edges = np.linspace(-reach, reach, _BINS + 1)
        shares = np.diff(result.law.cdf(edges))
        height = min(style.ruler(1.05 * max(shares.max(), 1e-3)), 1.05)
        self.axes.set(xlim=(-reach, reach), ylim=(0, height))
        self.bars.set_data(shares, edges)
        for line, value in zip(
            (self.mean, *self.limits),
            (result.law.mean(), result.epsilon, -result.epsilon),
            strict=True,
        ):
            line.set_visible(np.isfinite(value))
            line.set_xdata([value, value] if np.isfinite(value) else [0, 0])
        infinite = result.law.infinite()
        self.infinite.set_text(f"infinite: {infinite:.2g} →" if infinite else "")

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        reach = self.axes.get_xlim()[1]
        (_, edges, _), totals = self.bars.get_data(), drawn.draws[:, 1]
        shares = np.histogram(totals, edges)[0] / max(totals.size, 1)
        # From the bottom upwards, what the losses add up to after each further answer.
        losses = np.asarray(drawn.result.loss_of(drawn.asked[:, 0]))
        path = np.clip(losses.cumsum(), -reach, reach)
        heights = (1 + np.arange(path.size)) / (1 + path.size)
        walk: style.Look = {"linestyle": "-", "transform": self.axes.get_xaxis_transform()}
        return [
            *strokes(self.axes, totals[np.isfinite(totals)]),
            *outline(self.axes, shares, edges),
            *diamonds(self.axes, path, heights, **walk),
        ]


class DeltaCurve(Plot):
    """δ(ε) beside the share of outcomes whose loss exceeds ε, and the ε at the present δ."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="ε", y="probability")
        self.axes.set(yscale="log", ylim=(1e-12, 2))
        style.numbers(self.axes)
        self.tail = style.line(self.axes, label="P[loss > ε]", **_WITHOUT)
        self.delta = style.line(self.axes, label="δ(ε)", **_WITH)
        self.other = style.line(
            self.axes, label="δ(ε), the other order", **style.CURVES[1] | _BELOW
        )
        self.level = self.axes.axhline(1, **style.DOTTED, label="δ now")
        self.point = style.point(self.axes)
        self.axes.legend(loc="lower left")

    def update(self, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        epsilons = np.linspace(0, reach, _POINTS)
        self.axes.set_xlim(0, reach)
        tiny = 1e-30  # nothing, on a logarithmic axis
        self.tail.set_data(epsilons, np.maximum(result.law.tail(epsilons), tiny))
        for curve, one in ((self.delta, result), (self.other, result.other)):
            below = np.minimum(one.law.delta(epsilons), one.law.tail(epsilons))  # but for slack
            curve.set_data(epsilons, np.maximum(below, tiny))
        self.level.set_ydata([result.delta, result.delta])
        style.place(self.point, result.epsilon, result.delta)


class ExpectedLoss(Plot):
    """The expected loss against ε for two mechanisms, and three bounds on it."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x="ε of one release", y="expected privacy loss")
        self.curves = style.lines(self.axes, style.CURVES[:3], linewidth=2)
        self.sharp = style.line(self.axes, **_WITH)
        self.laplace = style.line(self.axes, **_WITHOUT)
        labels = [
            "worst case, ε",
            "the text's 2ε²",
            "ε²/2",
            "randomized response, ε·tanh(ε/2)",
            "Laplace, ε + e^−ε − 1",
        ]
        self.axes.legend(
            handles=[*self.curves, self.sharp, self.laplace], labels=labels, loc="upper left"
        )

    def update(self, result: float) -> None:
        epsilons = np.linspace(1e-3, result, _POINTS)
        self.axes.set(xlim=(0, result), ylim=(0, 1.7 * result))
        for curve, bound in zip(
            self.curves, (epsilons, 2 * epsilons**2, epsilons**2 / 2), strict=True
        ):
            curve.set_data(epsilons, bound)
        self.sharp.set_data(
            epsilons, [loss.randomized_response(epsilon).mean() for epsilon in epsilons]
        )
        self.laplace.set_data(epsilons, [loss.laplace(epsilon).mean() for epsilon in epsilons])
