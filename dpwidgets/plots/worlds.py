"""Pictures of possible worlds: who may be missing, how probably, and which ε allows that."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from dpwidgets.calculators.worlds import Disclosure, Worlds
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import ordinal, percent, show
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.drawn import Drawn, asked_row, diamonds, histogram, strokes

_MOST = 64  # lines kept ready: a disclosure draws at most 50 worlds
_LABELLED = 12  # worlds that can each have a line of text
_POINTS = 240
_NAME = 9.0  # the room for a name, in heights of its letters
_THIN: style.Look = {"color": style.MAIN, "linestyle": "-", "linewidth": 0.9}
_GUESSED: style.Look = {"color": style.ACCENT, "linestyle": "-", "linewidth": 2.6}


def label(result: Disclosure, world: int) -> str:
    """Return the name of the record that a world lacks; without names its value and its place."""
    if result.names:
        return style.plain(result.names[world], _NAME)
    value = show(result.values[world])
    if len(value) > 8:
        value = style.power(result.values[world])
    return style.plain(f"{value} ({ordinal(world + 1)})", _NAME)


def _looks(result: Disclosure) -> list[style.Look]:
    """Return the look of each world's line: its own if few, else thin but for the guess.

    Whoever has the same name, or without names the same place among the values, looks the same in
    every picture.
    """
    if len(result.values) <= len(style.CURVES):
        places = sorted(
            range(len(result.values)), key=lambda world: result.names[world : world + 1]
        )
        return [
            style.CURVES[places.index(world)]
            | {"linewidth": 2.8 if world in result.guesses else 1.8}
            for world in result.drawn
        ]
    return [_GUESSED if world in result.guesses[:1] else _THIN for world in result.drawn]


def _share(posterior: float) -> str:
    """Write a posterior in the few letters that there is room for."""
    if min(posterior, 1 - posterior) >= 1e-6:
        return percent(posterior)
    return "≈ 0" if posterior < 0.5 else "≈ 100%"


def _lines(axes: Axes) -> list[Line2D]:
    return [axes.plot([], [], visible=False)[0] for _ in range(_MOST)]


def _dress(lines: list[Line2D], result: Disclosure) -> list[Line2D]:
    """Show as many lines as worlds are drawn, each with its look, and return them."""
    shown = lines[: len(result.drawn)]
    for line in lines[len(shown) :]:
        line.set_visible(False)
    for line, look in zip(shown, _looks(result), strict=True):
        line.set(visible=True, zorder=3 if look is _GUESSED else 2, **look)
    return shown


def _answers(result: Disclosure) -> FloatArray:
    """Return the noisy answers at which curves are computed; a curve has its tip among them."""
    tips = result.answers[list(result.drawn)]
    return np.unique([*np.linspace(*result.frame, _points(result.answers.size)), *tips])


def _points(worlds: int) -> int:
    """Return at how many points to compute a curve; one of a million worlds takes 0.1 s."""
    return _POINTS if worlds < 20_000 else 24


def _note(result: Disclosure) -> str:
    if result.worlds is None:
        return "every world answers alike:\nno guess beats another"
    if len(result.drawn) < len(result.values):
        return (
            f"{len(result.drawn)} of {len(result.values):,} worlds: the extremes,\n"
            "the quartiles, the worst one\nand the best guess"
        )
    return ""


class _Bars:
    """The posterior of each drawn world as a bar, beside the world's line sample and label."""

    def __init__(self, figure: Figure) -> None:
        at = (0.715, 0.14, 0.265, 0.82)
        axes = style.frame(figure, x="posterior: who is missing?", y="", at=at)
        axes.set_ylim(1, 0)  # the smallest answer on top
        axes.set_yticks([])
        axes.grid(axis="y", visible=False)
        self.axes = axes
        self.prior = axes.axvline(0, **style.DASHED, zorder=3)
        self.bars = axes.hlines([], 0, 0, colors=style.MAIN, zorder=2)
        ends: style.Look = {"linestyle": "none", "color": style.INK, "markersize": 5, "zorder": 4}
        (self.ends,), (self.beyond,) = (axes.plot([], [], marker=marker, **ends) for marker in "|>")
        beside = axes.get_yaxis_transform()  # x as a share of the axes' width, y in rows
        self.samples = [
            axes.plot([], [], visible=False, clip_on=False, transform=beside)[0]
            for _ in range(_MOST)
        ]
        text: style.Look = {"va": "center", "visible": False, "transform": beside}
        self.names = [axes.text(-0.19, 0, "", ha="right", **text) for _ in range(_MOST)]
        self.shares = [axes.text(1, 0, "", ha="right", **text) for _ in range(_MOST)]

    def update(self, result: Disclosure) -> None:
        drawn = result.drawn
        rows = (np.arange(len(drawn)) + 0.5) / len(drawn)
        posteriors = result.posterior[list(drawn)]
        prior = 1 / len(result.values)
        # A share of many is small: 100% would leave no bar to see.
        reach = min(1.0, style.ruler(8 * prior))
        self.axes.set_xlim(0, 1.65 * reach)
        self.axes.set_xticks([0, reach / 2, reach], ["0", percent(reach / 2), percent(reach)])
        self.prior.set_xdata([prior, prior])
        ends = np.minimum(posteriors, reach)
        self.bars.set_segments(
            [[(0, row), (end, row)] for row, end in zip(rows, ends, strict=True)]
        )
        self.bars.set_linewidth(min(20.0, 150 / len(drawn)))
        guessed = [world in result.guesses for world in drawn]
        self.bars.set_color([style.ACCENT if is_guess else style.MAIN for is_guess in guessed])
        within = posteriors <= reach
        self.ends.set_data(ends[within], rows[within])
        self.beyond.set_data(ends[~within], rows[~within])
        for sample, row in zip(_dress(self.samples, result), rows, strict=True):
            sample.set_data([-0.16, -0.02], [row, row])
        told = self._told(guessed)
        for at, (name, share) in enumerate(zip(self.names, self.shares, strict=True)):
            name.set_visible(at in told)
            share.set_visible(at in told)
            if at in told:
                name.set(
                    text=label(result, drawn[at]),
                    y=rows[at],
                    weight="bold" if guessed[at] else "normal",
                )
                share.set(text=_share(posteriors[at]), y=rows[at])

    def marks(self, result: Disclosure, posterior: FloatArray) -> list[Artist]:
        """Mark another posterior than the result's own on the bars, or where they end."""
        shown = posterior[list(result.drawn)]
        rows = (np.arange(len(shown)) + 0.5) / len(shown)
        reach = min(1.0, style.ruler(8 / len(result.values)))
        return diamonds(self.axes, np.minimum(shown, reach), rows)

    def _told(self, guessed: list[bool]) -> set[int]:
        """Return the rows with a label: all of few; of many the guess, and the ends far from it."""
        if len(guessed) <= _LABELLED:
            return set(range(len(guessed)))
        guess, last = guessed.index(True), len(guessed) - 1
        return {guess} | {end for end in (0, last) if abs(guess - end) > len(guessed) / _LABELLED}


class Answers(Plot):
    """Figs. 1 and 3: the density of the answer in each world, and the posteriors after one."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure,
            x="noisy answer γ",
            y="density, as a share of its peak",
            at=(0.075, 0.14, 0.42, 0.82),
        )
        self.axes.set_ylim(0, 1.32)
        style.halves(self.axes)
        style.numbers(self.axes, "x", most=5)
        self.curves = _lines(self.axes)
        self.mark = self.axes.axvline(0, ymax=1 / 1.32, **style.DOTTED)
        self.point = style.point(self.axes)
        self.note = style.note(self.axes)
        self.bars = _Bars(figure)

    def update(self, result: Disclosure) -> None:
        low, high = result.frame
        self.axes.set_xlim(low, high)
        scale = result.scale or 1e-6 * (high - low)  # no noise: a needle
        x = _answers(result)
        for curve, world in zip(_dress(self.curves, result), result.drawn, strict=True):
            curve.set_data(x, np.exp(-np.abs(x - result.answers[world]) / scale))
        self.mark.set_xdata([result.answer, result.answer])
        nearest = np.abs(result.answer - result.answers[result.guesses[0]])
        style.place(self.point, result.answer, float(np.exp(-nearest / scale)))
        self.note.set_text(_note(result))
        self.bars.update(result)

    def mark_drawn(self, drawn: Drawn) -> list[Artist]:
        result: Disclosure = drawn.result
        marks = [*strokes(self.axes, drawn.draws), *asked_row(self.axes, drawn.asked)]
        if result.scale:
            marks += histogram(self.axes, drawn.draws, 1 / (2 * result.scale))
        if drawn.asked.size:
            marks += self.bars.marks(result, result.after(drawn.asked))
        return marks


class Posteriors(Plot):
    """The posterior of each world against the noisy answer; the present answer is marked."""

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure, x="noisy answer γ", y="posterior: who is missing?", at=(0.115, 0.14, 0.6, 0.82)
        )
        self.axes.set_ylim(0, 1.2)
        self.axes.set_yticks(np.arange(6) / 5)
        style.percents(self.axes, "y")
        style.numbers(self.axes, "x", most=5)
        self.curves = _lines(self.axes)
        self.prior = self.axes.axhline(0, **style.DASHED)
        self.mark = self.axes.axvline(0, ymax=1 / 1.2, **style.DOTTED)
        self.point = style.point(self.axes)
        self.now = style.point(self.axes)  # for the legend: the point itself may be an arrowhead
        self.note = style.note(self.axes)
        self._named: tuple[list[str], list[style.Look]] | None = None

    def update(self, result: Disclosure) -> None:
        self.axes.set_xlim(*result.frame)
        x = _answers(result)
        if result.worlds is None:
            posteriors = np.full((x.size, len(result.drawn)), 1 / len(result.values))
        else:
            # Parts of a few megabytes.
            parts = np.array_split(x, 1 + x.size * len(result.values) // 10**6)
            drawn = list(result.drawn)
            posteriors = np.concatenate(
                [result.worlds.posterior(part, result.epsilon)[:, drawn] for part in parts]
            )
        for curve, posterior in zip(_dress(self.curves, result), posteriors.T, strict=True):
            curve.set_data(x, posterior)
        self.prior.set_ydata([1 / len(result.values)] * 2)
        self.mark.set_xdata([result.answer, result.answer])
        style.place(self.point, result.answer, float(result.posterior.max()))
        self.note.set_text(_note(result))
        self._name(result)

    def _name(self, result: Disclosure) -> None:
        """Write a legend: each world if they are few, else the best guess and another world."""
        handles, drawn = self.curves[: len(result.drawn)], result.drawn
        if len(drawn) <= len(style.CURVES):
            names = [label(result, world) for world in drawn]
        else:
            guess = drawn.index(result.guesses[0])
            handles = [handles[guess], handles[guess - 1]]
            names = [label(result, drawn[guess]), "another world"]
        names = [*names, "before the answer", "now"]
        named = names, _looks(result)
        if named == self._named:
            return
        self._named = named
        legend = self.axes.legend(
            handles=[*handles, self.prior, self.now],
            labels=[""] * len(names),
            loc="upper left",
            bbox_to_anchor=(1.02, 1.02),
        )
        style.rename(legend, names)


def _limit(epsilon: float) -> str:
    return {0.0: "no ε at all", np.inf: "any ε"}.get(epsilon, f"ε = {show(epsilon)}")


class Risk(Plot):
    """Fig. 2: the risk against ε, exact, by the text's bound and on average.

    The tolerated risk and its two ε are marked.
    """

    def build(self, figure: Figure) -> None:
        self.axes = style.frame(
            figure,
            x="privacy parameter ε",
            y="probability of naming who is missing",
            at=(0.115, 0.14, 0.545, 0.82),
        )
        self.axes.set_ylim(0, 1.02)
        style.percents(self.axes, "y")
        style.numbers(self.axes, "x")
        self.bound = style.line(self.axes, color=style.ACCENT, linewidth=2, linestyle="--")
        self.exact = style.line(self.axes, color=style.MAIN, linewidth=2.4)
        self.rate = style.line(self.axes, linewidth=2, **style.CURVES[0])
        self.tolerated = self.axes.axhline(0, **style.DOTTED)
        drop: style.Look = {"linewidth": 1, "mec": style.PAPER, "ms": 8, "zorder": 4}
        self.allowed_bound = style.line(
            self.axes, color=style.ACCENT, marker="s", linestyle="--", markevery=[0], **drop
        )
        self.allowed = style.line(self.axes, color=style.MAIN, marker="D", markevery=[0], **drop)
        self.point = style.point(self.axes, color=style.INK)
        curves = [self.bound, self.exact, self.rate]
        handles = [*curves, self.tolerated, self.allowed_bound, self.allowed, self.point]
        self.legend = self.axes.legend(
            handles=handles,
            labels=[""] * 7,
            loc="upper left",
            bbox_to_anchor=(1.02, 1.02),
            labelspacing=0.9,
        )
        self._curves_of: Worlds | None = None

    def update(self, result: Disclosure) -> None:
        if result.worlds is None:
            self._flat(1 / len(result.values))
        elif result.worlds is not self._curves_of:  # they depend on the records and the query alone
            self._draw_curves(result.worlds)
        self._curves_of = result.worlds
        self.tolerated.set_ydata([result.risk, result.risk])
        for line, epsilon in (
            (self.allowed_bound, result.epsilon_bound),
            (self.allowed, result.largest_epsilon),
        ):
            shown = 0 < epsilon < np.inf
            line.set_data(*([epsilon, epsilon], [result.risk, 0]) if shown else ([], []))
        style.place(self.point, result.epsilon, result.exact_risk)
        names = [
            "the text's bound",
            "the risk, exactly",
            "how often the best\nguess is right",
            f"tolerated: {percent(result.risk)}",
            f"by the bound up to\n{_limit(result.epsilon_bound)}",
            f"in truth up to\n{_limit(result.largest_epsilon)}",
            f"now: ε = {show(result.epsilon)},\nrisk {percent(result.exact_risk)}",
        ]
        style.rename(self.legend, names)

    def _draw_curves(self, worlds: Worlds) -> None:
        reach = style.ruler(float(worlds.epsilon_bound(0.9)))
        epsilons = np.linspace(reach / 1000, reach, _points(worlds.values.size))
        self.axes.set_xlim(0, reach)
        self.bound.set_data(epsilons, worlds.risk_bound(epsilons))
        self.exact.set_data(epsilons, worlds.risk(epsilons))
        self.rate.set_data(epsilons, worlds.guess_rate(epsilons))

    def _flat(self, prior: float) -> None:
        self.axes.set_xlim(0, 10)
        for line in (self.bound, self.exact, self.rate):
            line.set_data([0, 10], [prior, prior])


class RiskNearOneThird(Risk):
    """Fig. 2 again, for ε up to 1 and risks near one third, where the risk leaves its bound."""

    def update(self, result: Disclosure) -> None:
        super().update(result)
        self.axes.set(xlim=(0, 1), ylim=(0.24, 0.5))
