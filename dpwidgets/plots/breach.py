"""Pictures of a belief before and after a noisy answer, and of the noise that limits it."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from scipy.special import expit, logit

from dpwidgets.calculators import breach
from dpwidgets.calculators.breach import Promise
from dpwidgets.inputs.domain import EPSILON, FloatArray
from dpwidgets.inputs.notation import percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.drawn import Drawn, diamonds, histogram, strokes

_POINTS = 201
UNITS = {"age": "years", "education-num": "levels", "hours-per-week": "hours"}
_ODDS_TICKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
_ODDS_REACH = logit(0.9995)


def _odds(axes: Axes, which: str) -> None:
    """Scale an axis by the logarithm of the odds and write beliefs on it; ε is then a distance."""
    axes.set(**{f"{which}lim": (-_ODDS_REACH, _ODDS_REACH)})
    getattr(axes, f"set_{which}ticks")(
        logit(_ODDS_TICKS), [f"{show(100 * tick)}%" for tick in _ODDS_TICKS]
    )


class Beliefs(Plot):
    """How far a belief can move at this ε, up and down, and the region that the promise forbids."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure,
            x="belief before the answer (prior)",
            y="belief after it (posterior)",
            at=(0.125, 0.14, 0.6, 0.82),
        )
        for which in "xy":
            _odds(self.axes, which)
        ends = np.array([-_ODDS_REACH, _ODDS_REACH])
        (self.forbidden,) = self.axes.fill([0] * 4, [0] * 4, **style.area(style.ACCENT, 0.18))
        self.forbidden.set_label("forbidden by\nthe promise")
        self.most = style.line(self.axes, color=style.MAIN, linewidth=2.4, label="at most this")
        self.axes.plot(ends, ends, **style.DOTTED, label="nothing learned")
        self.least = style.line(self.axes, linewidth=2, label="at least this", **style.CURVES[1])
        self.point = style.point(self.axes, label="the promise")
        self.axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.02), labelspacing=0.9)

    def update(self, result: Promise) -> None:
        x = np.linspace(-_ODDS_REACH, _ODDS_REACH, _POINTS)
        priors = expit(x)
        self.most.set_data(
            x, logit(np.minimum(breach.posterior(priors, result.epsilon), 1 - 1e-15))
        )
        self.least.set_data(x, logit(breach.downward(priors, result.epsilon)))
        corner, top = (logit(min(belief, 1 - 1e-15)) for belief in (result.prior, result.posterior))
        self.forbidden.set_xy([(-50, top), (corner, top), (corner, 50), (-50, 50)])
        style.place(self.point, corner, top)


def _nearest_prior(result: Promise) -> float:
    """Return the largest prior that some ε keeps from what is promised."""
    return float(breach.prior(result.posterior, EPSILON.low))


class _Scale(Plot):
    """The scale of the noise for each of the three means, and the present one."""

    label: ClassVar[str] = ""
    legend_at: ClassVar[Literal["upper right", "lower right"]] = "upper right"

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=self.label, y="scale λ of the noise on the mean")
        self.axes.set(yscale="log", xlim=(0, 1), ylim=(1e-5, 0.1))
        style.numbers(self.axes)
        self.curves = [
            style.line(self.axes, linewidth=2, label=f"{name}, in {UNITS[name]}", **look)
            for name, look in zip(breach.ATTRIBUTES, style.CURVES, strict=False)
        ]
        self.other = self.axes.axvline(0, **style.DOTTED, label=" ")
        self.point = style.point(self.axes)
        self.legend = self.axes.legend(loc=self.legend_at)

    def draw(self, beliefs: FloatArray, scales: dict[str, FloatArray], other: str) -> None:
        """Draw the curves, and mark the other belief, which stands still along them."""
        for curve, values in zip(self.curves, scales.values(), strict=True):
            curve.set_data(beliefs, values)
        self.legend.get_texts()[-1].set_text(other)


class ScaleAgainstPrior(_Scale):
    """Fig. 1: the larger the prior that must not reach the posterior, the more noise."""

    label = "tolerated prior ρ1"
    legend_at = "lower right"

    def update(self, result: Promise) -> None:
        self.axes.set_xlim(0, result.posterior)
        least = breach.PRIOR.low
        priors = least + (result.posterior - least) * np.linspace(1e-4, 1 - 1e-4, _POINTS)
        priors = np.minimum(priors, _nearest_prior(result))
        scales = result.scales(priors, result.posterior)
        self.draw(priors, scales, f"ρ2 = {show(result.posterior)}")
        self.other.set_xdata([result.posterior, result.posterior])
        style.place(self.point, result.prior, result.scale)


class ScaleAgainstPosterior(_Scale):
    """The larger the posterior that is tolerated, the less noise; the text says more."""

    label = "tolerated posterior ρ2"

    def update(self, result: Promise) -> None:
        posteriors = result.prior + (1 - result.prior) * np.linspace(1e-4, 1 - 1e-4, _POINTS)
        nearest = breach.posterior(result.prior, EPSILON.low)
        posteriors = posteriors[(posteriors > nearest) & (posteriors < 1)]  # as rounded
        scales = result.scales(result.prior, posteriors)
        self.draw(posteriors, scales, f"ρ1 = {show(result.prior)}")
        self.other.set_xdata([result.prior, result.prior])
        style.place(self.point, result.posterior, result.scale)


class _Boxes(Plot):
    """For some ε the noise of 1,000 noisy means as a box plot, and beside it the exact box."""

    label: ClassVar[str] = ""
    framing: ClassVar[int]  # the box whose fences set the frame
    boxes: ClassVar[int] = 6

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(figure, x=self.label, y=" ")
        self.axes.set_xlim(-0.5, self.boxes - 0.5)
        self.axes.grid(axis="x", visible=False)
        style.numbers(self.axes, "y")
        self.axes.axhline(0, color=style.INK, linewidth=0.8)
        at = np.arange(self.boxes)
        self.drawn = self.axes.bar(
            at - 0.17, 0, 0.26, label="1,000 draws", **style.area(style.MAIN, 0.5)
        )
        self.exact = self.axes.bar(
            at + 0.17,
            0,
            0.26,
            fill=False,
            edgecolor=style.ACCENT,
            linewidth=2,
            linestyle="--",
            label="exact",
        )
        self.whiskers = self.axes.vlines(at - 0.17, 0, 0, colors=style.MAIN, linewidth=1.5)
        self.medians = self.axes.hlines(
            [0.0] * self.boxes, at - 0.3, at - 0.04, colors=style.INK, linewidth=1.5
        )
        self.outliers = style.line(
            self.axes,
            linestyle="none",
            marker=".",
            markersize=3,
            color=style.MAIN,
            label="outside the fences",
        )
        figure.subplots_adjust(top=0.87)
        self.axes.legend(loc="lower right", ncols=3, bbox_to_anchor=(1.01, 1.0), borderaxespad=0.3)

    def _frame(self, height: float) -> None:
        """Scale the axis by logarithms but for its middle: one box may be 50 times another."""
        if height != self.axes.get_ylim()[1]:
            self.axes.set_yscale("symlog", linthresh=height / 100)
            self.axes.set_yticks(height * np.array([-1, -0.1, -0.01, 0, 0.01, 0.1, 1]))
            self.axes.yaxis.set_minor_locator(NullLocator())
            style.numbers(self.axes, "y")
            self.axes.set_ylim(-height, height)

    @abstractmethod
    def columns(self, result: Promise) -> list[tuple[str, float]]:
        """Return the label and the ε of each box; close numbers may have the same label."""

    def update(self, result: Promise) -> None:
        (labels, epsilons), unit = zip(*self.columns(result), strict=True), result.marginal.range
        style.ticks(self.axes, "x", range(self.boxes), labels)
        self.axes.set_ylabel(f"noise of the mean, in {UNITS[result.attribute]}")
        noises = [result.noise(epsilon, seed=at) for at, epsilon in enumerate(epsilons)]
        self._frame(style.ruler(3 * noises[self.framing].fences[1] * unit))
        whiskers, medians, outside = [], [], []
        for at, noise in enumerate(noises):
            values = noise.values * unit
            low, median, high = np.quantile(values, (0.25, 0.5, 0.75))
            # Within 1.5 box lengths of the box.
            near = np.abs(values - (low + high) / 2) <= 2 * (high - low)
            for bar, (bottom, top) in (
                (self.drawn[at], (low, high)),
                (self.exact[at], (noise.quartiles[0] * unit, noise.quartiles[2] * unit)),
            ):
                bar.set(y=bottom, height=top - bottom)
            whiskers.append([(at - 0.17, values[near].min()), (at - 0.17, values[near].max())])
            medians.append([(at - 0.3, median), (at - 0.04, median)])
            outside += [(at - 0.17, value) for value in values[~near]]
        self.whiskers.set_segments(whiskers)
        self.medians.set_segments(medians)
        self.outliers.set_data(*np.transpose(outside))


class Boxes(_Boxes):
    """Figs. 2 to 4: boxes for priors that are shares of the tolerated posterior, and for ε now."""

    label = "tolerated prior ρ1"
    framing = 4  # the largest of the shares

    def columns(self, result: Promise) -> list[tuple[str, float]]:
        least = breach.PRIOR.low
        shares = (0.05, 0.1, 0.25, 0.5, 0.75)
        priors = [
            min(least + share * (result.posterior - least), _nearest_prior(result))
            for share in shares
        ]
        columns = [
            (show(prior), float(breach.epsilon(prior, result.posterior))) for prior in priors
        ]
        return [*columns, ("ρ1 now", result.epsilon)]


class BoxesAgainstEpsilon(_Boxes):
    """Fig. 5: boxes for some ε."""

    label = "privacy parameter ε"
    framing = 0

    def columns(self, result: Promise) -> list[tuple[str, float]]:
        return [(show(epsilon), epsilon) for epsilon in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)]


class Attack(Plot):
    """Table 1: what the attacker of Sec. 2.3 believes of each candidate.

    Above it the answer, among the candidates' own.
    """

    def build(self, figure: Figure) -> None:
        above, self.axes = figure.subplots(2, height_ratios=(1, 3.4))
        figure.subplots_adjust(hspace=0.75)
        above.set(xlabel="noisy mean; a stroke at the mean of each candidate")
        above.set(xlim=(-2, 8), ylim=(-1, 1.4))
        above.set_yticks([])
        above.spines["left"].set_visible(False)
        above.grid(axis="y", visible=False)
        self.own = style.line(
            above, color=style.MAIN, linestyle="none", marker="|", markersize=14, markeredgewidth=2
        )
        self.answer = style.point(above)
        paper: style.Look = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8}
        self.heard = above.text(0, 0.75, "", ha="center")
        self.axes.set(xlabel="candidate for the missing record", ylabel="belief")
        self.axes.set(xlim=(-0.6, 4.6), ylim=(0, 1.08))
        style.percents(self.axes, "y")
        self.axes.grid(axis="x", visible=False)
        self.bars = self.axes.bar(np.arange(5), 0, 0.5, **style.area(style.MAIN, 0.75))
        self.shares = [
            self.axes.text(at, 0, "", ha="center", va="bottom", bbox=paper)
            for at in range(5)  # on paper of their own, where a line would cross them
        ]
        line: style.Look = {"color": style.INK, "linewidth": 1.2}
        self.before = self.axes.axhline(0, linestyle=":", label="before the answer", **line)
        self.limit = self.axes.axhline(
            0, linestyle="--", label="no answer can bring it above", **line
        )
        self.axes.legend(loc="upper left")

    def update(self, result: Promise) -> None:
        attack = result.attack
        self.own.set_data(attack.answers, np.zeros(attack.answers.size))
        style.place(self.answer, result.answer, 0)
        self.heard.set(
            text=f"answer {show(result.answer, 4)}", x=min(max(result.answer, -1.3), 7.3)
        )
        style.ticks(
            self.axes, "x", range(attack.universe.size), [show(value) for value in attack.universe]
        )
        for bar, share, belief in zip(self.bars, self.shares, result.beliefs, strict=True):
            bar.set_height(belief)
            share.set(text=percent(belief), y=belief + 0.01)
        prior = 1 / attack.universe.size
        self.before.set_ydata([prior, prior])
        self.limit.set_ydata([result.limit, result.limit])

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        result: Promise = drawn.result
        above, peak = self.figure.axes[0], 1 / (2 * result.attack_scale)
        marks = [*strokes(above, drawn.draws), *diamonds(above, drawn.asked, drawn.asked * 0 - 0.6)]
        marks += histogram(above, drawn.draws, peak)
        if drawn.asked.size:
            beliefs = result.after(drawn.asked)
            marks += diamonds(self.axes, np.arange(beliefs.size), beliefs)
        return marks
