"""Pictures of the privacy loss: of one answer, of all answers, and of many releases together."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from dpwidgets.calculators.loss import Release
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import percent, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import ASKED, OUTLINE, Drawn, Panel

# Seen where both coincide.
_BELOW = style.look(linestyle="-", linewidth=5, zorder=1.9)
_BINS = 101
_COARSE = 41  # bars for a few thousand draws
_POINTS = 401
_FEW = 80  # answers that can be told apart as dots
_ANSWER = "answer, above the count without you"
_LISTED = "answer, by its place in the lists"
_WITH = style.look(color=style.MAIN, linewidth=2.2)
_WITHOUT = style.look(color=style.MUTED, linewidth=2, linestyle="--")


def _frame(axes: Panel, result: Release) -> tuple[FloatArray, bool]:
    """Frame the answers around the two truths, or those listed.

    Return the ones to draw, at most as many as can be told apart, and whether
    they are dots: a continuum, or what looks like one, is a curve.
    """
    reach = style.ruler(max(result.spread, 1.0))
    low, high = 0.5 - reach, 0.5 + reach
    listed = result.mechanism == "finite"
    if listed:
        low, high = 0.5, result.parameter + 0.5
    axes.set(xlim=(low, high), xlabel=_LISTED if listed else _ANSWER)
    axes.xaxis.set_major_locator(
        MaxNLocator(6, steps=[1, 2, 5, 10], integer=listed)
    )
    answers = np.unique(result.nearest(np.linspace(low, high, _POINTS)))
    answers = answers[(low <= answers) & (answers <= high)]
    return answers, result.discrete and answers.size < _FEW


def _dots(marker: str) -> style.Look:
    return style.look(linestyle="none", marker=marker, markersize=6)


class Answers(Plot):
    """The laws of the answer with you and without you, and the one answer that is asked about."""

    frame = style.look(
        y="likelihood, as a share of the largest",
        writes="x",
        ylim=(0, 1.25),
        **style.HALVES,
    )

    def draw(self, axes: Panel, result: Release) -> None:
        answers, dots = _frame(axes, result)
        laws = [result.weight(answers, you=you) for you in (False, True)]
        self.peak = float(max(law.max() for law in laws))
        names = ["Q, without you", "P, with you"]
        names[not result.swapped] += " (drawn from)"
        looks = [_WITHOUT, _WITH]
        diamond = style.look(markersize=6)
        if dots:
            looks = [_WITHOUT | _dots("s"), _WITH | _dots("o")]
            diamond = style.look(markersize=11, fillstyle="none")
        looks = [
            look | style.look(label=name)
            for look, name in zip(looks, names, strict=True)
        ]
        (self.without,) = axes.plot(answers, laws[0] / self.peak, **looks[0])
        (self.with_you,) = axes.plot(answers, laws[1] / self.peak, **looks[1])
        axes.axvline(result.answer, **style.DOTTED)
        heights = [
            float(result.weight(result.answer, you=you))
            for you in (False, True)
        ]
        diamond |= style.look(
            color=style.INK,
            linestyle="none",
            marker="D",
            zorder=4,
            clip_on=False,
        )
        axes.points(result.answer, np.array(heights) / self.peak, **diamond)
        axes.handle("outcome", result.answer, 0, result.nearest)

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        result: Release = drawn.result
        spacing = 1.0 if result.discrete else 0.0
        axes.answers(
            drawn.draws[:, 0],
            drawn.asked[:, 0],
            self.peak,
            spacing=spacing,
            origin=result.answer,
        )


class LossOfAnswers(Plot):
    """The loss of every answer, and of the one that is asked about."""

    frame = style.look(y="privacy loss of the answer", writes="xy")

    @classmethod
    def says(cls, result: Release) -> str:
        lost = float(result.loss_of(result.answer))
        return f"The answer {show(result.answer)} has a loss of {show(lost)}."

    def draw(self, axes: Panel, result: Release) -> None:
        answers, dots = _frame(axes, result)
        losses = np.asarray(result.loss_of(answers))
        largest = np.abs(losses[np.isfinite(losses)]).max(initial=0)
        height = style.ruler(1.1 * largest or 1.0)
        axes.set_ylim(-height, height)
        axes.axhline(0, **style.DOTTED)
        look = _WITH | _dots("o") if dots else _WITH
        (self.curve,) = axes.plot(answers, losses, **look)
        if dots:  # what is infinite, an arrowhead points to
            far = np.isinf(losses)
            axes.points(answers[far], losses[far], **look)
        lost = float(result.loss_of(result.answer))
        axes.point(result.answer, lost)
        if np.isinf(lost):
            look = style.look(ha="center", va="center", bbox=style.BEHIND)
            place = np.copysign(0.85 * height, lost)
            axes.text(result.answer, place, show(lost), **look)
        axes.handle("outcome", result.answer, lost, result.nearest)

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        asked = drawn.asked[:, 0]
        axes.strokes(drawn.draws[:, 0])
        axes.diamonds(asked, drawn.result.loss_of(asked))


class Losses(Plot):
    """How often each loss occurs among those that somebody drew: with you, and without you."""

    frame = style.look(
        x="privacy loss",
        y="share of the draws, per bar",
        writes="x",
        percents="y",
    )

    def draw(self, axes: Panel, result: tuple[FloatArray, FloatArray]) -> None:
        largest = max(float(np.abs(values).max()) for values in result)
        # A lesson's unwritten function returns 0.
        reach = style.ruler(1.05 * largest or 1.0)
        edges = np.linspace(-reach, reach, _COARSE + 1)
        with_you, without = (
            np.histogram(losses, edges)[0] / losses.size for losses in result
        )
        highest = max(with_you.max(), without.max())
        axes.set(xlim=(-reach, reach), ylim=(0, 1.4 * highest))
        look = style.area(style.MAIN, 0.55)
        axes.stairs(with_you, edges, label="drawn with you", **look)
        look = style.look(color=style.MUTED, linewidth=2)
        axes.stairs(without, edges, label="drawn without you", **look)


class LawOfLoss(Plot):
    """The law of the loss of all releases together, its mean, and the ε at the present δ."""

    frame = style.look(
        x="privacy loss of all releases together",
        y="share of the outcomes, per bar",
        writes="xy",
    )

    @classmethod
    def says(cls, result: Release) -> str:
        if infinite := result.law.infinite():
            return f"The loss is infinite in {up(infinite, percent)} of the outcomes."
        return f"The loss is {show(result.law.mean())} on average."

    def draw(self, axes: Panel, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        self.edges = np.linspace(-reach, reach, _BINS + 1)
        shares = np.diff(result.law.cdf(self.edges))
        height = min(style.ruler(1.05 * max(shares.max(), 1e-3)), 1.05)
        axes.set(xlim=(-reach, reach), ylim=(0, height))
        look = style.area(style.MAIN, 0.55)
        axes.stairs(shares, self.edges, label="outcomes", **look)
        if np.isfinite(mean := result.law.mean()):
            axes.axvline(mean, label="mean", color=style.MUTED, linewidth=3)
        if np.isfinite(result.epsilon):
            look = style.look(color=style.INK, linewidth=1.5, linestyle="--")
            for limit in (result.epsilon, -result.epsilon):
                axes.axvline(limit, label="ε and −ε", **look)
            along, way = result.law.epsilon, (0.0, reach)
            at = (float(along(result.delta)), 0.5 * height)
            axes.handle("delta", *at, along, ends=way)
        if infinite := result.law.infinite():
            place = style.look(
                transform=axes.transAxes, ha="right", fontsize=style.TEXT
            )
            axes.text(0.98, 0.5, f"infinite: {infinite:.2g} →", **place)

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        _, reach = axes.get_xlim()
        totals = drawn.draws[:, 1]
        axes.strokes(totals[np.isfinite(totals)])
        counts, _ = np.histogram(totals, self.edges)
        axes.stairs(counts / max(totals.size, 1), self.edges, **OUTLINE)
        # From the bottom upwards, what the losses add up to after each further
        # answer.
        path = np.asarray(drawn.result.loss_of(drawn.asked[:, 0])).cumsum()
        heights = (1 + np.arange(path.size)) / (1 + path.size)
        upwards = style.look(transform=axes.get_xaxis_transform())
        axes.plot(np.clip(path, -reach, reach), heights, **upwards, **ASKED)
        axes.diamonds(path, heights, **upwards)


class DeltaCurve(Plot):
    """δ(ε) beside the share of outcomes whose loss exceeds ε, and the ε at the present δ."""

    frame = style.look(
        x="ε", y="probability", yscale="log", ylim=(1e-12, 2), writes="xy"
    )

    @classmethod
    def says(cls, result: Release) -> str:
        if np.isinf(result.epsilon):
            return f"No ε has a δ of {show(result.delta)}."
        return f"At a δ of {show(result.delta)} ε is {up(result.epsilon)}."

    def draw(self, axes: Panel, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        epsilons = np.linspace(0, reach, _POINTS)
        axes.set_xlim(0, reach)
        tiny = 1e-30  # nothing, on a logarithmic axis
        tail = np.maximum(result.law.tail(epsilons), tiny)
        look = _WITHOUT | style.look(label="P[loss > ε]")
        (self.tail,) = axes.plot(epsilons, tail, **look)
        delta = np.maximum(result.law.delta(epsilons), tiny)
        look = _WITH | style.look(label="δ(ε)")
        (self.delta,) = axes.plot(epsilons, delta, **look)
        other = result.law.reversed()
        delta = np.maximum(other.delta(epsilons), tiny)
        look = style.CURVES[1] | _BELOW
        look["label"] = "the other order"
        (self.other,) = axes.plot(epsilons, delta, **look)
        axes.axhline(result.delta, label="δ now", **style.DOTTED)
        axes.point(result.epsilon, result.delta)
        axes.handle("delta", result.epsilon, result.delta, upright=True)
