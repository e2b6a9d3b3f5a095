"""Pictures of what one noisy count tells, and of how good the estimates are that are made of it."""

import math

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dpwidgets.calculators.bayes import ESTIMATORS, Comparison, Estimate
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import several, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel

_POINTS = 401
# Of a law, at most: several times the pixels that a picture is wide.
_STEPS = 5000
# The height at which the posterior's summary stands.
_OWN = 1.16
# How far from a line worlds lie on it, as a share of the frame.
_NEAR = 0.02
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
        xlim=(0.05, 10),
        xlabel="privacy parameter ε; more privacy to the left",
    ),
    "noise": style.look(
        xlim=(0, 28.3), xlabel="standard deviation of the noise, √2/ε"
    ),
    "p": style.look(
        xlim=(0, 1), xlabel="probability p with which a record is counted"
    ),
}


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


def _on_line(result: Estimate) -> NDArray[np.bool_]:
    """Tell of each world whether a line at the answer goes through it."""
    low, high = _limits(result)
    off = np.abs(result.worlds[:, 1] - result.answer)
    return np.asarray(off <= _NEAR * (high - low))


class OneAnswer(Plot):
    """Worlds above their counts, as high as what they publish; a line at the answer cuts some out.

    Their counts follow the posterior, which stands below between prior and
    likelihood, each as a share of its largest. The likelihood is that of the
    counts from 0 to n: as a share of the peak at an answer far outside, theirs
    would be a line at 0.
    """

    size = (640, 540)
    frame = style.look(
        y="share of the largest",
        writes="x",
        ylim=(0, 1.6),
        high=230,
        at=(0.135, 0.105, 0.815, 0.38),
        **style.HALVES,
    )

    def build(self, figure: Figure) -> None:
        self.above = Panel(
            figure,
            at=(0.135, 0.545, 0.815, 0.415),
            y="noisy answer",
            writes="xy",
        )
        self.above.tick_params(labelbottom=False)  # as below
        super().build(figure)

    @classmethod
    def says(cls, result: Estimate) -> str:
        on_line = _on_line(result)
        low, high = _limits(result)
        about = f"{show(result.answer)} ± {up(_NEAR * (high - low))}"
        many = show(on_line.size)
        if not on_line.any():
            return f"None of {many} worlds publishes {about}."
        count = show(float(result.worlds[on_line, 0].mean()))
        some = several(int(on_line.sum()), "publishes", "publish")
        return f"Of {many} worlds {some} {about}; their mean count is {count}."

    def draw(self, axes: Panel, result: Estimate) -> None:
        low, high = _limits(result)
        self._draw_worlds(result, low, high)
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
        axes.plot(x, likelihood, **look)
        if high - low > result.n:  # else the frame follows the prior
            axes.handle("p", result.expected, 0, lambda p: p * result.n)
        look = style.look(
            marker="|", markersize=9, linewidth=2.4, markeredgewidth=2.4
        )
        axes.plot(result.interval, (_OWN, _OWN), color=style.MAIN, **look)
        axes.point(
            result.mean, _OWN, "posterior mean, 95% interval", color=style.MAIN
        )
        axes.set_xlabel("count")
        look = style.area(style.MUTED, 0.25)
        for start, end in ((low, -0.5), (result.n + 0.5, high)):
            if end > start:
                axes.axvspan(start, end, **look)
                axes.set_xlabel("count; where it is grey lies none")

    def _draw_worlds(self, result: Estimate, low: float, high: float) -> None:
        """Draw the worlds that the frame shows, and the line that cuts some out."""
        above = self.above
        above.set(xlim=(low, high), ylim=(low, high))
        on_line = _on_line(result)
        answers = result.worlds[:, 1]
        seen = (low <= answers) & (answers <= high)
        for some, color in (
            (seen & ~on_line, style.MUTED),
            (seen & on_line, style.MAIN),
        ):
            look = style.look(linestyle="none", marker="o", color=color)
            look |= style.look(markersize=4, markeredgewidth=0)
            above.plot(*result.worlds[some].T, **look)
        above.axhline(result.answer, **style.DASHED)
        above.point(high, result.answer, "the answer ĉ")
        above.handle("answer", high, result.answer, upright=True)

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
        starts = np.arange(first, end, math.ceil((end - first) / _STEPS))
        heights = np.maximum.reduceat(masses[:end], starts) / masses.max()
        beyond = result.counts[end - 1] + 1
        return heights, np.append(result.counts[starts], beyond) - 0.5


class Errors(Plot):
    """Figs. 1 to 5: the mean absolute error of every estimator, the present values marked."""

    frame = style.look(y="mean error, in records", margin=130)

    @classmethod
    def says(cls, result: Comparison) -> str:
        means, answers = (
            show(result.errors[name]) for name in ("posterior mean", "naive")
        )
        return f"The posterior mean is off by {means} on average, the answer itself by {answers}."

    def draw(self, axes: Panel, result: Comparison) -> None:
        errors = result.error_curves
        present = result.present
        largest = max(curve.max() for curve in errors.values())
        along = result.against
        scale = "log" if along == "epsilon" else "linear"
        if along == "epsilon":
            limits = (0.005, style.ruler(1.5 * largest))
        elif along == "p":
            limits = (0, style.ruler(1.6 * largest))
        elif largest < 22:
            limits = (0, 22)
        else:
            limits = (0, style.ruler(1.1 * largest))
        axes.set(xscale=scale, yscale=scale, ylim=limits, **_ALONG[along])
        axes.numbers("xy")
        for name in ESTIMATORS:
            axes.plot(result.x, errors[name], linewidth=2, **_LOOKS[name])
        axes.axvline(present, **style.DOTTED)
        axes.point(present, result.errors["naive"])
        least = result.errors["posterior mean"]
        axes.point(present, least, color=style.MAIN)
        if along == "noise":
            axes.handle("epsilon", present, least, lambda e: 2**0.5 / e)
        else:
            axes.handle(along, present, least)
