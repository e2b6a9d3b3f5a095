"""Pictures of what one noisy count tells, and of how good the estimates are that are made of it."""

import numpy as np

from dpwidgets.calculators.bayes import ESTIMATORS, Comparison, Estimate
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import ASKED, Drawn, Panel

_POINTS = 401
# Of a law, at most: several times the pixels that a picture is wide.
_STEPS = 5000
# The heights at which the posterior's summary and the answer stand.
_OWN, _ANSWER = 1.16, 1.32
_MEAN = style.look(color=style.MAIN, linestyle="-")
_LOOKS: dict[str, style.Look] = {
    "naive": style.CURVES[3] | style.look(color=style.INK, label="the answer"),
    # Above the posterior median, which it comes close to.
    "rounded": style.CURVES[0]
    | style.look(zorder=2.5, label="the answer, rounded"),
    "clamped": style.CURVES[1] | style.look(label="the answer, kept in 0 … n"),
    "prior": style.CURVES[2] | style.look(label="n·p, no answer needed"),
    "posterior mean": _MEAN | style.look(label="posterior mean"),
    "posterior median": style.look(
        color=style.MAIN, linestyle="--", label="posterior median"
    ),
}
_ALONG = {
    "epsilon": style.look(
        xlim=(10, 0.05),
        xlabel="privacy parameter ε; more privacy to the right",
    ),
    "noise": style.look(
        xlim=(0, 28.3), xlabel="standard deviation of the noise, √2/ε"
    ),
    "p": style.look(
        xlim=(0, 1), xlabel="probability p with which a record is counted"
    ),
}


def _run_along(axes: Panel, against: str) -> str:
    """Give the horizontal axis what curves run along, and return its scale."""
    scale = "log" if against == "epsilon" else "linear"
    axes.set(xscale=scale, **_ALONG[against])
    axes.numbers("x")
    return scale


def _hold(axes: Panel, result: Comparison, y: float) -> None:
    """Let a reader move what the curves run along."""
    if result.against == "noise":
        axes.handle("epsilon", result.present, y, lambda e: 2**0.5 / e)
    else:
        axes.handle(result.against, result.present, y)


def _limits(result: Estimate) -> tuple[float, float]:
    """Return the ends of the frame: the counts that are possible, and a rim beyond 0 and n.

    Of many records it shows those around n·p, and more where the posterior
    would be lost, or the count that is nearest to the answer.
    """
    counts = [*result.interval, np.clip(result.answer, 0, result.n)]
    far = float(np.abs(np.array(counts) - result.expected).max())
    reach = style.ruler(max(5.0, 12 * result.deviation, 1.04 * far))
    rim = max(3.0, 0.08 * result.n)
    low = max(result.expected - reach, -rim)
    high = min(result.expected + reach, result.n + rim)
    return low, high


class OneAnswer(Plot):
    """Prior, likelihood and posterior of the count, each as a share of its largest.

    The likelihood is that of the counts from 0 to n: as a share of the peak at
    an answer far outside, theirs would be a line at 0.
    """

    frame = style.look(
        x="count",
        y="probability, as a share of the largest",
        writes="x",
        ylim=(0, 1.75),
        **style.HALVES,
    )

    def draw(self, axes: Panel, result: Estimate) -> None:
        low, high = _limits(result)
        axes.set_xlim(low, high)
        look = style.area(style.MAIN, 0.45)
        look["label"] = "posterior"
        axes.stairs(*self._steps(result, result.posterior), **look)
        look = style.look(label="prior", linewidth=1.6) | style.CURVES[0]
        axes.stairs(*self._steps(result, result.prior), **look)
        x = np.linspace(max(low, 0), min(high, result.n), _POINTS)
        least = np.abs(result.answer - np.clip(result.answer, 0, result.n))
        farther = np.abs(x - result.answer) - least
        likelihood = np.exp(-result.epsilon * farther)
        look = style.CURVES[1] | style.look(linewidth=1.8, label="likelihood")
        (self.likelihood,) = axes.plot(x, likelihood, **look)
        axes.point(result.answer, _ANSWER, "the answer ĉ")
        axes.handle("answer", result.answer, _ANSWER)
        if high - low > result.n:  # else the frame follows the prior
            axes.handle("p", result.expected, 0, lambda p: p * result.n)
        look = style.look(
            marker="|", markersize=9, linewidth=2.4, markeredgewidth=2.4
        )
        axes.plot(result.interval, (_OWN, _OWN), color=style.MAIN, **look)
        axes.point(
            result.mean, _OWN, "posterior mean, 95% interval", color=style.MAIN
        )
        look = style.area(style.MUTED, 0.25)
        for start, end in ((low, -0.5), (result.n + 0.5, high)):
            if end > start:
                axes.axvspan(start, end, label="no count lies here", **look)

    def _steps(
        self, result: Estimate, masses: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the masses of counts as shares of their peak, and the edges between the counts.

        Only those that the frame shows, and one beside each end. Where they
        are more than a picture has room for, neighbours share a step as high
        as the highest: a surprising answer makes a million counts matter,
        which as lines of a picture are 50 megabytes.
        """
        low, high = self.axes.get_xlim()
        first, end = np.searchsorted(
            result.counts, (low - 2, high + 2)
        ).tolist()
        starts = np.arange(first, end, -(-(end - first) // _STEPS))
        heights = np.maximum.reduceat(masses[:end], starts) / masses.max()
        beyond = result.counts[end - 1] + 1
        return heights, np.append(result.counts[starts], beyond) - 0.5

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        epsilon = drawn.result.epsilon
        x = np.linspace(*axes.get_xlim(), _POINTS)
        density = np.exp(-epsilon * np.abs(x - drawn.truth))
        axes.plot(x, density, **style.DOTTED)
        axes.answers(drawn.draws, drawn.asked, epsilon / 2)
        if drawn.asked.size:
            after = drawn.result.after(drawn.asked).masses
            axes.stairs(*self._steps(drawn.result, after), **ASKED)


class Errors(Plot):
    """Figs. 1 to 5: the mean absolute error of every estimator, the present values marked."""

    frame = style.look(y="mean error, in records")

    def draw(self, axes: Panel, result: Comparison) -> None:
        errors = result.error_curves
        present = result.present
        largest = max(curve.max() for curve in errors.values())
        along = result.against
        if along == "epsilon":
            limits = (0.005, style.ruler(1.5 * largest))
        elif along == "p":
            limits = (0, style.ruler(1.6 * largest))
        elif largest < 22:
            limits = (0, 22)
        else:
            limits = (0, style.ruler(1.1 * largest))
        axes.set(yscale=_run_along(axes, along), ylim=limits)
        axes.numbers("y")
        for name in ESTIMATORS:
            axes.plot(result.x, errors[name], linewidth=2, **_LOOKS[name])
        axes.axvline(present, **style.DOTTED)
        axes.point(present, result.errors["naive"])
        axes.point(present, result.errors["posterior mean"], color=style.MAIN)
        _hold(axes, result, result.errors["posterior mean"])


class Closer(Plot):
    """Figs. 6 to 8: how often the posterior mean is closer than the answer itself, now marked."""

    frame = style.look(
        y="how often the posterior mean is closer",
        ylim=(0, 1.02),
        percents="y",
    )

    def draw(self, axes: Panel, result: Comparison) -> None:
        _run_along(axes, result.against)
        axes.axhline(0.5, label="as often as not", **style.DASHED)
        look = style.look(linewidth=2.4) | _MEAN
        (self.curve,) = axes.plot(result.x, result.closer_curve, **look)
        axes.axvline(result.present, **style.DOTTED)
        axes.point(result.present, result.closer)
        _hold(axes, result, result.closer)
