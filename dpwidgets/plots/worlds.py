"""Pictures of possible worlds: who may be missing, how probably, and which ε allows that."""

from functools import lru_cache

import numpy as np
from matplotlib.figure import Figure

from dpwidgets.calculators.worlds import Disclosure, Worlds
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import (
    at_most,
    belief,
    ordinal,
    percent,
    show,
    up,
)
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn, Panel, Word

_POINTS = 240
_NAME = 9.0  # the room for a name, in heights of its letters
_THIN = style.look(color=style.MAIN, linestyle="-", linewidth=0.9)
_BOUND = style.DASHED | style.look(linewidth=2)
_EXACT = style.look(color=style.MAIN, linewidth=2.4)
_RATE = style.CURVES[0] | style.look(linewidth=2)
_UP_TO = style.look(markersize=8, markeredgecolor=style.PAPER, zorder=4)
_BY_BOUND = style.look(color=style.INK, marker="s")
_IN_TRUTH = style.look(color=style.MAIN, marker="D")
_GUESSED = style.look(color=style.INK, linestyle="-", linewidth=2.6, zorder=3)


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

    Whoever has the same name, or without names the same place among the
    values, looks the same in every picture.
    """
    if not _are_few(result):
        guess = result.guesses[:1]
        return [_GUESSED if one in guess else _THIN for one in result.drawn]
    looks = []
    places = sorted(
        range(len(result.values)),
        key=lambda world: result.names[world : world + 1],
    )
    for world in result.drawn:
        width = 2.8 if world in result.guesses else 1.8
        look = style.CURVES[places.index(world)]
        looks.append(look | style.look(linewidth=width))
    return looks


def _are_few(result: Disclosure) -> bool:
    """Tell whether each world has a look of its own."""
    return len(result.values) <= len(style.CURVES)


def _share(posterior: float) -> str:
    """Write a posterior in the few letters that there is room for."""
    if min(posterior, 1 - posterior) >= 1e-6:
        return percent(posterior)
    return "≈ 0" if posterior < 0.5 else "≈ 100%"


def _answers(result: Disclosure) -> FloatArray:
    """Return the noisy answers at which curves are computed; a curve has its tip among them."""
    tips = result.answers[list(result.drawn)]
    even = np.linspace(*result.frame, _points(result.answers.size))
    return np.unique([*even, *tips])


def _points(worlds: int) -> int:
    """Return at how many points to compute a curve; one of a million worlds takes 0.1 s."""
    return _POINTS if worlds < 20_000 else 24


def _note(result: Disclosure) -> str:
    """Say which worlds are drawn, where that is not plain."""
    drawn, every = len(result.drawn), len(result.values)
    if drawn == every:
        return ""
    return (
        f"{drawn} of {every:,} worlds: the extremes,\n"
        "the quartiles, the worst one\nand the best guess"
    )


def _rows(result: Disclosure) -> FloatArray:
    """Return at which height each drawn world has its bar."""
    return (np.arange(len(result.drawn)) + 0.5) / len(result.drawn)


def _reach(result: Disclosure) -> float:
    """Return where bars end. A share of many is small: 100% would leave no bar to see."""
    return min(1.0, style.ruler(8 / len(result.values)))


def _draw_bars(axes: Panel, result: Disclosure) -> None:
    """Draw the posterior of each drawn world as a bar, beside the world's line and label."""
    drawn = result.drawn
    rows = _rows(result)
    reach = _reach(result)
    posteriors = result.posterior[list(drawn)]
    axes.set_xlim(0, 1.65 * reach)
    shares = ["0", percent(reach / 2), percent(reach)]
    axes.set_xticks([0, reach / 2, reach], shares)
    axes.axvline(1 / len(result.values), **style.DASHED, zorder=3)
    ends = np.minimum(posteriors, reach)
    beyond = posteriors > reach
    colors = [look["color"] for look in _looks(result)]
    thick = min(20.0, 150 / len(drawn))
    axes.levels(rows, 0, ends, colors=colors, linewidth=thick)
    look = style.look(
        linestyle="none", color=style.INK, markersize=5, zorder=4
    )
    axes.plot(ends[~beyond], rows[~beyond], marker="|", **look)
    if beyond.any():
        axes.plot(ends[beyond], rows[beyond], marker=">", **look)
    # X as a share of the axes' width.
    beside = style.look(transform=axes.get_yaxis_transform())
    for row, look in zip(rows, _looks(result), strict=True):
        axes.plot([-0.16, -0.02], [row, row], clip_on=False, **beside, **look)
    names: list[Word] = []
    for world, row, posterior in zip(drawn, rows, posteriors, strict=True):
        weight = "bold" if world in result.guesses else "normal"
        name = label(result, world)
        names.append(Word(-0.19, float(row), name, {"weight": weight}))
        axes.beside(1, row, _share(posterior))
    axes.stay(names)


class Answers(Plot):
    """Figs. 1 and 3: the density of the answer in each world, and the posteriors after one."""

    frame = style.look(
        x="noisy answer γ",
        y="density, as a share of its peak",
        writes="x",
        most=5,
        at=(0.135, 0.14, 0.36, 0.82),
        ylim=(0, 1.32),
        **style.HALVES,
    )

    def build(self, figure: Figure) -> None:
        super().build(figure)
        self.bars = Panel(
            figure,
            x="posterior: who is missing?",
            ylim=(1, 0),  # the smallest on top
            yticks=[],
            left=150,
            high=130,
            at=(0.715, 0.14, 0.265, 0.82),
        )

    @classmethod
    def says(cls, result: Disclosure) -> str:
        if result.worlds.alike:
            return "Every world answers alike: no guess beats another."
        first, *others = result.guesses
        if others:
            return f"{1 + len(others):,} guesses are equally good."
        return f"The best guess is {label(result, first)}."

    def draw(self, axes: Panel, result: Disclosure) -> None:
        low, high = result.frame
        axes.set_xlim(low, high)
        scale = result.scale or 1e-6 * (high - low)  # no noise: a needle
        x = _answers(result)
        for world, look in zip(result.drawn, _looks(result), strict=True):
            distances = np.abs(x - result.answers[world])
            axes.plot(x, np.exp(-distances / scale), **look)
        axes.axvline(result.answer, ymax=1 / 1.32, **style.DOTTED)
        nearest = np.abs(result.answer - result.answers[result.guesses[0]])
        height = float(np.exp(-nearest / scale))
        axes.point(result.answer, height)
        axes.handle("answer", result.answer, height)
        note = _note(result)
        if result.beyond >= 0.1:
            share = percent(result.beyond)
            note += f"\n{share} of all answers fall outside"
        axes.note(note.strip())
        _draw_bars(self.bars, result)

    def mark_drawn(self, axes: Panel, drawn: Drawn) -> None:
        result: Disclosure = drawn.result
        peak = 1 / (2 * result.scale) if result.scale else 0.0
        axes.answers(drawn.draws, drawn.asked, peak)
        if drawn.asked.size:
            after = result.after(drawn.asked)[list(result.drawn)]
            self.bars.diamonds(
                np.minimum(after, _reach(result)), _rows(result)
            )


class Posteriors(Plot):
    """The posterior of each world against the noisy answer; the present answer is marked."""

    frame = style.look(
        x="noisy answer γ",
        y="posterior: who is missing?",
        writes="x",
        most=5,
        ylim=(0, 1.2),
        yticks=np.arange(6) / 5,
        percents="y",
        margin=112,
    )

    @classmethod
    def says(cls, result: Disclosure) -> str:
        limit = up(result.exact_risk, percent)
        # Then the sentence has the number.
        sure = result.posterior.max()
        if not result.worlds.alike and at_most(result.exact_risk, sure):
            limit = "this one"
        return f"No answer makes a guess surer than {limit}."

    def draw(self, axes: Panel, result: Disclosure) -> None:
        axes.set_xlim(*result.frame)
        x = _answers(result)
        drawn = list(result.drawn)
        prior = 1 / len(result.values)
        # Parts of a few megabytes.
        parts = np.array_split(x, 1 + x.size * len(result.values) // 10**6)
        posteriors = np.concatenate(
            [
                result.worlds.posterior(part, result.epsilon)[:, drawn]
                for part in parts
            ]
        )
        if _are_few(result):
            names = {world: label(result, world) for world in drawn}
        else:
            guess = result.guesses[0]
            beside = drawn[drawn.index(guess) - 1]
            names = {guess: label(result, guess), beside: "another world"}
        curves = zip(drawn, posteriors.T, _looks(result), strict=True)
        for world, heights, look in curves:
            axes.plot(x, heights, label=names.get(world), **look)
        axes.axhline(prior, label="before the answer", **style.DASHED)
        axes.axvline(result.answer, ymax=1 / 1.2, **style.DOTTED)
        axes.point(result.answer, float(result.posterior.max()))
        axes.handle("answer", result.answer, float(result.posterior.max()))
        axes.note(_note(result))


@lru_cache(maxsize=1)  # they depend on the records and the query alone
def _risks(
    worlds: Worlds,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return ε up to where the bound is 90%, the bound, the risk, the rate of right guesses."""
    reach = style.ruler(float(worlds.epsilon_bound(0.9)))
    epsilons = np.linspace(reach / 1000, reach, _points(worlds.values.size))
    curves = (
        worlds.risk_bound(epsilons),
        worlds.risk(epsilons),
        worlds.guess_rate(epsilons),
    )
    return epsilons, *curves


class Risk(Plot):
    """Fig. 2: the risk against ε, exact, by the text's bound and on average.

    The tolerated risk and its two ε are marked.
    """

    frame = style.look(
        x="privacy parameter ε",
        writes="x",
        percents="y",
        ylim=(0, 1.02),
        y="probability of naming who is missing",
        high=240,
        margin=118,
    )

    @classmethod
    def says(cls, result: Disclosure) -> str:
        risk = belief(result.exact_risk)
        return f"The risk is {risk}, and {percent(result.risk)} is tolerated."

    def draw(self, axes: Panel, result: Disclosure) -> None:
        if result.worlds.alike:
            epsilons = np.array([0.0, 10.0])
            bound = exact = rate = np.full(2, 1 / len(result.values))
        else:
            epsilons, bound, exact, rate = _risks(result.worlds)
        axes.set_xlim(0, epsilons[-1])
        for name, heights, look in (
            ("the text's bound", bound, _BOUND),
            ("the risk, exactly", exact, _EXACT),
            ("how often the best guess is right", rate, _RATE),
        ):
            axes.plot(epsilons, heights, label=name, **look)
        axes.axhline(result.risk, label="tolerated", **style.DOTTED)
        for epsilon, how, look in (
            (result.epsilon_bound, "by the bound", _BY_BOUND),
            (result.largest_epsilon, "in truth", _IN_TRUTH),
        ):
            if 0 < epsilon < np.inf:  # else the sentence says it
                name = f"{how} up to here"
                axes.points(epsilon, result.risk, name=name, **_UP_TO, **look)
                color = look["color"]
                axes.uprights(
                    epsilon, 0, result.risk, colors=color, linewidth=1
                )
        axes.point(result.epsilon, result.exact_risk)
        _, reach = axes.get_xlim()
        axes.handle("risk", 0.96 * reach, result.risk, upright=True)
        axes.handle("epsilon", result.epsilon, result.exact_risk)
