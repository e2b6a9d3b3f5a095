"""Pictures of the privacy loss of all releases together."""

import numpy as np

from dpwidgets.calculators.loss import Release
from dpwidgets.inputs.notation import percent
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import ASKED, OUTLINE, Drawn, Panel

_BINS = 101
_POINTS = 401
#: A share from which on nobody tells it from all; floats may not either.
_ALL = 0.9995
_MANY = 0.05  # of the outcomes are worth a headline
_TINY = 1e-30  # nothing, on a logarithmic axis
_TAIL = style.look(color=style.MUTED, linewidth=2, linestyle="--")
_DELTA = style.look(color=style.MAIN, linewidth=2.2)
# Wide and below, to be seen where both coincide.
_OTHER = style.CURVES[1] | style.look(linestyle="-", linewidth=5, zorder=1.9)


class LawOfLoss(Plot):
    """The law of the loss of all releases together, its mean, and the ε at the present δ."""

    frame = style.look(
        x="privacy loss of all releases together",
        y="share of the outcomes, per bar",
        writes="xy",
    )

    @classmethod
    def says(cls, result: Release) -> str:
        law = result.law
        if law.infinite():
            return "Some outcomes cost everything: their loss is infinite."
        most = sum(count * max(single.ends) for single, count in law.parts)
        share, what = law.tail(most * (1 - 1e-6)), "cost as much as any can"
        if share < _MANY:
            share = law.tail(0)
            what = "are likelier in the database that they come from"
        many = percent(share) if share < _ALL else "All or nearly all"
        return f"{many} of the outcomes {what}."

    def draw(self, axes: Panel, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        self.edges = np.linspace(-reach, reach, _BINS + 1)
        shares = np.diff(result.law.cdf(self.edges))
        height = min(style.ruler(1.05 * max(shares.max(), 1e-3)), 1.05)
        axes.set(xlim=(-reach, reach), ylim=(0, height))
        area = style.area(style.MAIN, 0.55)
        axes.stairs(shares, self.edges, label="outcomes", **area)
        if np.isfinite(mean := result.law.mean()):
            axes.axvline(mean, label="mean", color=style.MUTED, linewidth=3)
        if np.isfinite(result.epsilon):
            look = style.look(color=style.INK, linewidth=1.5, linestyle="--")
            for limit in (result.epsilon, -result.epsilon):
                axes.axvline(limit, label="ε and −ε", **look)
            along, way = result.law.epsilon, (0.0, reach)
            at = (float(along(result.delta)), 0.5 * height)
            axes.point(*at)
            axes.handle("delta", *at, along, ends=way)
        if result.law.infinite():
            corner = axes.transAxes
            axes.text(0.98, 0.8, "infinite →", transform=corner, ha="right")

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

    message = "A larger δ never takes a larger ε."

    def draw(self, axes: Panel, result: Release) -> None:
        reach = style.ruler(1.05 * result.reach)
        epsilons = np.linspace(0, reach, _POINTS)
        axes.set_xlim(0, reach)
        other = result.law.reversed()
        for name, curve, look in (
            ("P[loss > ε]", result.law.tail, _TAIL),
            ("δ(ε)", result.law.delta, _DELTA),
            ("the other order", other.delta, _OTHER),
        ):
            shares = np.maximum(curve(epsilons), _TINY)
            axes.plot(epsilons, shares, label=name, **look)
        axes.axhline(result.delta, label="δ now", **style.DOTTED)
        axes.point(result.epsilon, result.delta)
        axes.handle("delta", result.epsilon, result.delta, upright=True)
