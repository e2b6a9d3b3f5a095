"""What holds for every picture: each view of each explorer, and the plots that notebooks use alone.

A case is a plot and the results of many states: the start, both ends and the middle of every
slider, every choice, and names and numbers that are long. Each is drawn once, and then asked all.
"""

import itertools
import pkgutil
from functools import cache, partial
from importlib import import_module

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba, to_rgba_array
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text

from dpwidgets import plots
from dpwidgets.calculators import breach, loss, worlds
from dpwidgets.plots import (
    breach as breach_plots,
    interval,
    loss as loss_plots,
    style,
    worlds as worlds_plots,
)
from dpwidgets.plots.base import Plot
from dpwidgets.plots.curves import Curves
from tools import EXPLORERS, main, states

VIEWS = {
    f"{kind.__name__}-{view}": (kind, view, plot)
    for kind in EXPLORERS
    for view, plot in kind.parameters()["view"].plots.items()
}
_AMOUNTS = np.random.default_rng(6).lognormal(10, 1, 1200).round(2)
# States beside the sliders': what a reader may type or paste.
STATES = {
    "IntervalExplorer": [
        {"count": 123456789.0, "half_width": 0.000123, "confidence": 0.999999},
        {"solve_for": "confidence", "epsilon": 50.0, "count": 1e5},
    ],
    "BayesExplorer": [{"n": 2000, "answer": 1e6}, {"n": 1, "p": 1.0}, {"n": 7, "epsilon": 0.01}],
    "WorldsExplorer": [
        {"values": {"Wolfeschlegelsteinhausenbergerdorff": 1, "WWWWWWWWWWWWWWWWW": 2, "Mm": 3}},
        {"values": {"WWWWWWWWWWWWWWWWWW": -1.23456e9, "WWWWWWWWWWWWWWWWWWW": 2e9, "Mm": 3.5e9}},
        {"values": [1234567890.0, 2345678901.5, 3456789012.25, 4567890123.0, 5678901234.5]},
        {"values": _AMOUNTS[:50]},
        {"values": _AMOUNTS},
        {"values": [4.0] * 7},
        {"risk": 0.999999, "epsilon": 12.34},
    ],
    "BreachExplorer": [{"prior": 1.23e-6, "posterior": 0.000345}, {"answer": -123456.789}],
    "LossExplorer": [
        {"mechanism": "binomial", "trials": 100_000},
        {"mechanism": "gaussian", "mu": 0.001, "compositions": 1000},
        {"mechanism": "randomized_response", "epsilon": 0.0123, "compositions": 345},
        {"mechanism": "finite", "p": [0.6, 0.3, 0.1, 0.0], "q": [0.0, 0.3, 0.2, 0.5]},
        {"mechanism": "finite", "p": [0.001] * 1000, "q": [0.002] * 500 + [0.0] * 500},
        {"mechanism": "finite", "swapped": True, "compositions": 1000},
    ],
    "ChoiceExplorer": [
        {"releases": 1000, "total": 0.0123},
        {"half_width": 0.001234, "confidence": 0.9999876, "reference": 12.0},
        {"use_risk": True, "use_error": True, "risk": 0.1, "unit": "W" * 40},
        {"mechanism": "Gaussian", "household": 4, "belief_reach": "all releases and a household"},
        {"published": "mean", "low": -123456.0, "unit": "WWWW days", "prior": None},
        {"unit": "\x1a \U0001f9ee\n"},
        {"epsilon": 987.6},
    ],
    "MeaningsExplorer": [
        {"epsilon": 0.0123},
        {"rows": "all", "household": 4, "releases": 12345, "unit": "W" * 40},
        {"unit": "\x1a \U0001f9ee\n"},
        {"published": "sum", "low": -1e9, "high": 1e9, "n": None, "confidence": None},
        {"epsilon": 50.0},
    ],
}


@cache
def moves_of(kind):
    """Return what a reader moves in any view of an explorer, and what they may type besides."""
    return [*states(kind, {}, True), *STATES.get(kind.__name__, [])]


def results_of(case, moves=None):
    """Return a case's results by their states: a view's start, and all that is not computed yet."""
    if case in ALONE:
        return {str(at): result for at, result in enumerate(ALONE[case])}
    kind, view, _ = VIEWS[case]
    explorer = kind(view=view)
    results, codes = {"start": explorer.result}, {explorer.code}
    solved = explorer.state.solved
    for state in moves or moves_of(kind):
        if state.get("view", view) != view:
            continue
        if "solve_for" not in state and solved in state:
            state = {"solve_for": solved} | state  # which then gives it, and solves for another
        try:
            seen = explorer._seen(explorer.state_at(**({"view": view} | state)))
        except ValueError:  # the explorer says what it refuses
            continue
        if seen.code not in codes:
            codes.add(seen.code)
            results[str(state)[:90]] = seen.result
    return results


_NEAR = np.random.default_rng(1).normal(5, 3, 4000)
_X = np.linspace(0, 1, 101)
_PROMISES = [
    breach.promise(prior=prior, posterior=posterior)
    for prior, posterior in [(1 / 74, 0.2), (1e-6, 0.0345), (0.19, 0.999)]
]
# The plots that no explorer shows, each with some results.
ALONE = {
    interval.Coverage: [(0.1, 0.2, 0.3, 0.5)],
    interval.LogDensities: [(1, 10), (0.1, 100)],
    breach_plots.NoiseRatios: _PROMISES,
    breach_plots.RatiosAgainstEpsilon: _PROMISES,
    loss_plots.Losses: [(_NEAR[:3], -_NEAR[:3]), (_NEAR, -_NEAR)],
    loss_plots.TradeOff: [(loss.laplace(1), 0.5), (loss.gaussian(0.5), 1.0), (loss.laplace(8), 3)],
    worlds_plots.RiskNearOneThird: [
        worlds.disclosure({"a": 1, "b": 2, "c": 3, "d": last}, epsilon=0.5, risk=1 / 3)
        for last in (4, 10)
    ],
    partial(Curves, "a place", "a height", percents="y", points=["4"]): [
        {str(power): (_X, _X**power) for power in range(6)}
    ],
}
CASES = {view: plot for view, (_, _, plot) in VIEWS.items()} | {plot: plot for plot in ALONE}
every = pytest.mark.parametrize("case", CASES, ids=lambda case: getattr(case, "__name__", None))


def test_every_plot_is_met():
    """Find every class of a plot in the package: a new one needs a view, or a line in ALONE."""
    for module in pkgutil.iter_modules(plots.__path__):
        import_module(f"{plots.__name__}.{module.name}")
    kinds, known = [Plot], {getattr(plot, "func", plot) for plot in CASES.values()}
    for kind in kinds:
        kinds += [one for one in kind.__subclasses__() if one.__module__.startswith(plots.__name__)]
    assert {*kinds[1:]} == known


def texts_of(plot, result):
    """Draw a result, and return each text that is drawn with its box (left, bottom, right, top)."""
    texts, draw = {}, Text.draw

    def watch(text, renderer, *rest, **options):
        if text.get_visible() and text.get_text().strip():
            texts[text] = text.get_window_extent(renderer).extents
        return draw(text, renderer, *rest, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", watch)
        plot.layers(result)
    return texts


def meet(one, other, slack=1.0):
    """Tell whether two boxes share more than a rim: a box is a little larger than its ink."""
    return all(one[at] + slack < other[at + 2] and other[at] + slack < one[at + 2] for at in (0, 1))


def faults(plot, result):
    """Yield what cannot be read: cut off, hidden, without contrast, or like another curve."""
    texts, panels = texts_of(plot, result), plot.figure.axes
    keys = [one for axes in panels for one in axes.get_children() if isinstance(one, Legend)]
    boxes = texts | {one: one.get_frame().get_window_extent().extents for one in keys}
    for one, box in boxes.items():
        if min(box) < -0.25 or (box[2:] > plot.figure.bbox.size + 0.25).any():
            yield "cut off", one
    for (one, here), (other, there) in itertools.combinations(boxes.items(), 2):
        own = isinstance(other, Legend) and one in other.get_texts()
        if meet(here, there) and not own:
            yield "overlap", one, other
    for text in texts:
        if min(contrast(to_rgba(text.get_color()), theme) for theme in THEMES) < 4.5:
            yield "too faint", text
    for axes in panels:
        for low, high in (axes.get_xlim(), axes.get_ylim()):
            if low == high or not np.isfinite([low, high]).all():
                yield "no limits", low, high
        marks = [*axes.lines, *axes.patches, *axes.collections]
        for one in marks:
            colors = [tuple(color) for color in _colors(one)]
            if min(max(contrast(color, theme) for color in colors) for theme in THEMES) < 3:
                yield "too faint", one
        curves = [one for one in axes.lines if _is_line(one) and len(one.get_xdata()) > 1]
        for one, other in itertools.combinations(curves, 2):
            if one.get_color() != other.get_color() and not _differ(one, other):
                yield "known by color alone", one, other


def luminance(color):
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in color
    ]
    return np.dot((0.2126, 0.7152, 0.0722), linear)


def dark(color):
    """Return what a color becomes in a dark theme: what is seen must have another there."""
    *_, alpha = to_rgba(color)
    return to_rgba(style.DARK[to_hex(color)][1], alpha) if alpha else color


THEMES = {"light": (to_rgba, style.PAPER), "dark": (dark, style.DARK[style.PAPER][1])}


@cache
def contrast(color, theme="light"):
    """Return WCAG's contrast of a color on a picture's paper, which may shine through it."""
    change, background = THEMES[theme]
    *rgb, alpha = change(color)
    behind = np.array(to_rgba(background)[:3])
    one, other = luminance(alpha * np.array(rgb) + (1 - alpha) * behind), luminance(behind)
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_every_color_has_contrast_but_what_may_be_overlooked(theme):
    for color in set(style.DARK) - {style.PAPER, style.FAINT, "#ffffff"}:
        assert contrast(color, theme) >= (4.5 if color in (style.INK, "#000000") else 3), color
    assert len({THEMES[theme][0](look["color"]) for look in style.CURVES}) == len(style.CURVES)
    assert len({str(look["linestyle"]) for look in style.CURVES}) == len(style.CURVES)


def _is_line(one):
    return isinstance(one, Line2D) and one.get_linestyle() not in ("None", "")


def _colors(artist):
    """Return the colors of an artist; the strongest makes it seen."""
    if isinstance(artist, Line2D):
        marked = artist.get_marker() not in ("None", "", None)
        colors = [artist.get_color()] if _is_line(artist) or not marked else []
        colors += [artist.get_markerfacecolor(), artist.get_markeredgecolor()] if marked else []
        return map(to_rgba, colors)
    outlined = np.max(artist.get_linewidth()) > 0
    colors = [artist.get_facecolor()] + ([artist.get_edgecolor()] if outlined else [])
    return [color for one in colors for color in to_rgba_array(one)] or [to_rgba(style.INK)]


def _differ(one, other):
    """Tell whether two lines have other dashes, or one is twice as wide as the other."""
    narrow, wide = sorted([one.get_linewidth(), other.get_linewidth()])
    return one._unscaled_dash_pattern != other._unscaled_dash_pattern or wide >= 2 * narrow


@pytest.mark.slow
@every
def test_every_state_can_be_read_and_leaves_no_trace(case):
    """Who has drawn them all draws the first to the last byte as who has drawn nothing."""
    plot, results = CASES[case](), results_of(case)
    wrong = [f"{state}: {fault}" for state, one in results.items() for fault in faults(plot, one)]
    assert not wrong, "\n".join(wrong)
    first, *_ = results.values()
    for draw in (Plot.png, Plot.layers, lambda plot, result: plot.svg(result, "words")):
        assert draw(plot, first) == draw(CASES[case](), first)


@every
def test_limits_follow_neither_epsilon_nor_the_answer(case):
    if case not in VIEWS or case in FRAMED_BY_EPSILON:
        return
    kind, _, plot = VIEWS[case]
    solved = {"IntervalExplorer": "confidence", "BreachExplorer": "prior"}.get(kind.__name__)
    still = {"solve_for": solved} if solved else {}
    moves = [{main(kind): number} for number in (0.3, 0.4, 3.0, 9.0)]
    if "answer" in kind.parameters():
        moves += [{"answer": answer} for answer in (-50.0, 4.0, 1e6)]
    picture, frames = plot(), set()
    for result in results_of(case, [still | move for move in moves]).values():
        picture.update(result)
        frames.add(tuple((*one.get_xlim(), *one.get_ylim()) for one in picture.figure.axes))
    assert len(frames) == 1


# The widths of these laws are multiples of 1/ε or of ε: a still frame would show a line or nothing.
# Their frames have a ruler's length, so they stand still while ε moves a little.
FRAMED_BY_EPSILON = {f"LossExplorer-{view}" for view in ("answers", "losses", "law", "delta")}
FRAMED_BY_EPSILON |= {"IntervalExplorer-neighbours"}
# Of the three numbers of a promise one more moves with ε; the frame takes steps of 1 in 1,000.
FRAMED_BY_EPSILON |= {"BreachExplorer-beliefs"}
