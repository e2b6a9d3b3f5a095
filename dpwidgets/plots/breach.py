"""Pictures of a belief before and after a noisy answer, and of the noise that limits it."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.special import logit

from dpwidgets.calculators import breach
from dpwidgets.calculators.breach import Promise
from dpwidgets.calculators.noise import most_likely
from dpwidgets.inputs.domain import EPSILON, FloatArray
from dpwidgets.inputs.notation import belief, chance, down, listed, show, up
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn, Panel

_POINTS = 201
_MOST = style.look(color=style.MAIN, linewidth=2.4)
_LEAST = style.CURVES[1] | style.look(linewidth=2)


def promised(result: Promise, begin: str = "A") -> str:
    """Say how far a belief may be moved, in a sentence that begins so."""
    prior = down(result.prior, chance)
    posterior = up(result.posterior, chance)
    return f"{begin} belief of {prior} becomes at most {posterior}, whatever the answer."


class Beliefs(Plot):
    """How far a belief can move at this ε, up and down, and the region that the promise forbids.

    Both axes are scaled by the logarithm of the odds: ε is then a distance.
    """

    frame = style.look(
        x="belief before the answer (prior)",
        y="belief after it (posterior)",
        high=240,
        margin=112,
    )

    @classmethod
    def says(cls, result: Promise) -> str:
        return promised(result)

    def _frame(self, corner: float, top: float) -> None:
        """Let both axes hold the promise: from 0.1% to 99.9%, or as many more steps as it needs."""
        step = math.log(1000)
        steps = max(1, math.ceil(max(abs(corner), abs(top)) / step))
        few = (0.001,) if self.narrow else (0.1, 0.01, 0.001)
        low = np.array({1: few, 2: (0.01, 1e-6)}.get(steps, (1000.0**-steps,)))
        words = ["50%", *(f"{show(100 * tick)}%" for tick in low)]
        words += [f"{show(100 * (1 - tick), 6)}%" for tick in low]
        if steps > 2:
            words = ["50%", show(low[0]), f"1 − {show(low[0])}"]
        places = [0.0, *logit(low), *-logit(low)]
        self.axes.ticks("x", places, words)
        self.axes.ticks("y", places, words)
        end = 1.1 * steps * step
        self.axes.set_xlim(-end, end)
        self.axes.set_ylim(-end, end)

    def draw(self, axes: Panel, result: Promise) -> None:
        corner = logit(min(result.prior, 1 - 1e-15))
        top = logit(min(result.posterior, 1 - 1e-15))
        self._frame(corner, top)
        axes.fill(
            [-50, corner, corner, -50],
            [top, top, 50, 50],
            label="forbidden by the promise",
            **style.area(style.BAD, 0.18),
        )
        ends = np.array(axes.get_xlim())
        for name, moved, look in (
            ("at most this", result.epsilon, _MOST),
            ("nothing learned", 0, style.DOTTED),
            ("at least this", -result.epsilon, _LEAST),
        ):
            axes.plot(ends, ends + moved, label=name, **look)
        if result.epsilon > np.ptp(ends):  # both limits lie beyond the frame
            axes.point(0, result.epsilon, color=style.MAIN)
            axes.point(0, -result.epsilon, color=style.CURVES[1]["color"])
        axes.point(corner, top)
        low, high = axes.get_xlim()
        axes.handle("prior", corner, (top + high) / 2, logit)
        axes.handle("posterior", (low + corner) / 2, top, logit, upright=True)
        axes.handle("epsilon", 0, result.epsilon, upright=True)


def _draw_scales(
    axes: Panel, beliefs: FloatArray, scales: dict[str, FloatArray]
) -> None:
    """Draw the scale of the noise for each of the three means."""
    for (name, unit), look in zip(
        breach.UNITS.items(), style.CURVES, strict=False
    ):
        look = look | {"label": f"{name}, in {unit}", "linewidth": 2}
        axes.plot(beliefs, scales[name], **look)


_SCALE = style.look(
    y="scale λ of the noise on the mean",
    writes="xy",
    yscale="log",
    ylim=(1e-5, 0.1),
    margin=118,
)


class ScaleAgainstPrior(Plot):
    """Fig. 1: the larger the prior that must not reach the posterior, the more noise."""

    frame = _SCALE | style.look(x="tolerated prior ρ1")

    message = "The larger the tolerated prior, the more noise it takes."

    def draw(self, axes: Panel, result: Promise) -> None:
        limit = result.posterior
        least = breach.PRIOR.low
        axes.set_xlim(0, limit)
        priors = least + (limit - least) * np.linspace(1e-4, 1 - 1e-4, _POINTS)
        # The largest that some ε keeps from what is promised.
        nearest = breach.prior(result.posterior, EPSILON.low)
        priors = np.minimum(priors, nearest)
        _draw_scales(axes, priors, result.scales(priors, limit))
        axes.axvline(limit, label=f"ρ2 = {up(limit)}", **style.DOTTED)
        axes.point(result.prior, result.scale)
        axes.handle("prior", result.prior, result.scale)


class ScaleAgainstPosterior(Plot):
    """The larger the posterior that is tolerated, the less noise; the text says more."""

    frame = _SCALE | style.look(x="tolerated posterior ρ2", xlim=(0, 1))

    message = "The larger the tolerated posterior, the less noise it takes."

    def draw(self, axes: Panel, result: Promise) -> None:
        prior = result.prior
        posteriors = prior + (1 - prior) * np.linspace(1e-4, 1 - 1e-4, _POINTS)
        nearest = breach.posterior(prior, EPSILON.low)
        # As rounded.
        posteriors = posteriors[(posteriors > nearest) & (posteriors < 1)]
        _draw_scales(axes, posteriors, result.scales(prior, posteriors))
        axes.axvline(prior, label=f"ρ1 = {down(prior)}", **style.DOTTED)
        axes.point(result.posterior, result.scale)
        axes.handle("posterior", result.posterior, result.scale)


class AttackBars(Plot):
    """Table 1: what the attacker of Sec. 2.3 believes of each candidate.

    Above it the answer, among the candidates' own.
    """

    frame = style.look(
        x="candidate for the unknown value",
        y="belief",
        percents="y",
        bare="x",
        at=(0.135, 0.14, 0.815, 0.4608),
        xlim=(-0.6, 4.6),
        ylim=(0, 1.2),  # above all is a row of words
        yticks=np.arange(6) / 5,
        margin=110,
    )

    def build(self, figure: Figure) -> None:
        self.above = Panel(
            figure,
            at=(0.135, 0.8245, 0.815, 0.1355),
            x="noisy mean; a stroke at the mean of each candidate",
            xlim=(-2, 8),
            ylim=(-1, 1.4),
            yticks=(),
            left=24,
            high=70,
        )
        self.above.spines["left"].set_visible(False)
        super().build(figure)

    @classmethod
    def says(cls, result: Promise) -> str:
        values = result.attack.universe[[*most_likely(result.beliefs)]]
        return f"The best guess is {listed([*map(show, values)], 'or')}."

    def draw(self, axes: Panel, result: Promise) -> None:
        above = self.above
        universe = result.attack.universe
        strokes = style.look(marker="|", markersize=14, markeredgewidth=2)
        above.points(result.attack.answers, 0, color=style.MAIN, **strokes)
        above.point(result.answer, 0)
        above.handle("answer", result.answer, 0)
        # Between which it can be read.
        ends = (-0.5, 6.5) if self.narrow else (-1.3, 7.3)
        x = min(max(result.answer, ends[0]), ends[1])
        above.text(x, 0.75, "the answer", ha="center")
        axes.ticks("x", range(universe.size), [*map(show, universe)])
        area = style.area(style.MAIN, 0.75)
        for at, height in enumerate(result.beliefs):
            axes.add_patch(Rectangle((at - 0.25, 0), 0.5, height, **area))
            # On a narrow page is no room for as many digits.
            small = self.narrow and height < 0.001
            share = "<0.1%" if small else belief(height)
            axes.text(at, 1.05, share, ha="center", va="bottom")
        for name, height, look in (
            ("before the answer", 1 / universe.size, style.DOTTED),
            ("no one answer can bring it above", result.limit, style.DASHED),
        ):
            axes.axhline(height, label=name, **look | {"linewidth": 1.2})

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        result: Promise = drawn.result
        self.above.strokes(drawn.draws)
        self.above.diamonds(drawn.asked, -0.6)
        self.above.histogram(drawn.draws, 1 / (2 * result.answer_law[1]))
        if drawn.asked.size:
            beliefs = result.after(drawn.asked)
            axes.diamonds(np.arange(beliefs.size), beliefs)
