"""What holds for every picture: each view of each explorer, and the plots that notebooks use alone.

Each case is drawn once, and then asked all.
"""

import itertools
import pkgutil
from functools import cache
from importlib import import_module

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba, to_rgba_array
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text

from dpwidgets import plots
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.curves import Curves
from pictures import CASES, VIEWS, name_of, results_of
from test_inside import assert_shown, paths
from tools import EXPLORERS, main


def test_every_plot_is_met():
    """Find every class of a plot in the package: a new one needs a view, or a line in ALONE."""
    for module in pkgutil.iter_modules(plots.__path__):
        import_module(f"{plots.__name__}.{module.name}")
    kinds = [Plot]
    known = {getattr(plot, "func", plot) for plot in CASES.values()}
    for kind in kinds:
        kinds += [
            one
            for one in kind.__subclasses__()
            if one.__module__.startswith(plots.__name__)
        ]
    # A kind that only others are made of is no picture.
    leaves = {kind for kind in kinds if not kind.__subclasses__()}
    assert leaves <= known


def texts_of(plot, result, narrow=False):
    """Draw a result, and return each text that is drawn with its box (left, bottom, right, top)."""
    texts, draw = {}, Text.draw

    def watch(text, renderer, *rest, **options):
        if text.get_visible() and text.get_text().strip():
            texts[text] = text.get_window_extent(renderer).extents
        return draw(text, renderer, *rest, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", watch)
        plot.layers(result, narrow=narrow)
    return texts


def meet(one, other, slack=1.0):
    """Tell whether two boxes share more than a rim: a box is a little larger than its ink."""
    return all(
        one[at] + slack < other[at + 2] and other[at] + slack < one[at + 2]
        for at in (0, 1)
    )


def faults(plot, result, narrow=False):
    """Yield what cannot be read: cut off, hidden, without contrast, or like another curve."""
    texts, panels = texts_of(plot, result, narrow), plot.figure.axes
    yield from hidden(texts, plot)
    yield from struck(texts, plot)
    yield from misread(texts, plot)
    for one, box in texts.items():
        if min(box) < -0.25 or (box[2:] > plot.figure.bbox.size + 0.25).any():
            yield "cut off", one
    for (one, here), (other, there) in itertools.combinations(
        texts.items(), 2
    ):
        if meet(here, there):
            yield "overlap", one, other
    for text in texts:
        if (
            min(contrast(to_rgba(text.get_color()), theme) for theme in THEMES)
            < 4.5
        ):
            yield "too faint", text
    for axes in panels:
        for low, high in (axes.get_xlim(), axes.get_ylim()):
            if low == high or not np.isfinite([low, high]).all():
                yield "no limits", low, high
        marks = [*axes.lines, *axes.patches, *axes.collections]
        for one in marks:
            colors = [tuple(color) for color in _colors(one)]
            if (
                min(
                    max(contrast(color, theme) for color in colors)
                    for theme in THEMES
                )
                < 3
            ):
                yield "too faint", one
        curves = [
            one
            for one in axes.lines
            if _is_line(one)
            and len(one.get_xdata()) > 1
            and one.get_transform() != plot.figure.transFigure  # a copy's
        ]
        for one, other in itertools.combinations(curves, 2):
            if one.get_color() != other.get_color() and not _differ(
                one, other
            ):
                yield "known by color alone", one, other


def hidden(texts, plot):
    """Yield the words that lie over a mark; a line may pass behind what is no name."""
    for axes in plot.panels():
        marks = [*axes.lines, *axes.patches, *axes.collections]
        for text in set(axes.texts) & set(texts):
            low, high = texts[text][:2] + 1, texts[text][2:] - 1
            for one in marks:
                if _is_line(one):
                    continue
                for corners in filter(len, paths(one)):
                    if ((corners > low) & (corners < high)).all(axis=1).any():
                        yield text.get_text(), one


def struck(texts, plot):
    """Yield the words of rows through which a line goes, and words on paper that break a line.

    That is of a mark or of the grid, or where it is broken, one with a name.
    """
    for axes in plot.panels():
        lines = [one for one in axes.lines if _is_line(one)] + [
            tick.gridline
            for axis in (axes.xaxis, axes.yaxis)
            for tick in axis._update_ticks()  # inside the frame
            if tick.gridline.get_visible()
        ]
        # All go across or up.
        pieces = [
            (one, (*np.minimum(start, end), *np.maximum(start, end)))
            for one in lines
            for start, end in itertools.pairwise(
                one.get_transform().transform(one.get_xydata())
            )
            if np.isfinite([start, end]).all()
        ]
        for text in set(axes.texts) & set(texts):
            bare = not text.get_bbox_patch()
            if (text in axes.still or not bare) and any(
                meet(texts[text], piece)
                for one, piece in pieces
                if bare or one.get_label()[:1] not in ("", "_")
            ):
                yield "struck through", text.get_text()


def misread(texts, plot):
    """Yield each name on a line, each that is nearer to another line, each leader that crosses.

    What belongs to a name is placed in the whole figure: the piece of a line
    that ends before it, and the leader from the line's end to there.
    """
    whole = plot.figure.transFigure
    seen = {}  # of each line what the frame shows of it
    ours = [*plot.figure.artists]
    for axes in plot.panels():
        for one in (*axes.lines, *axes.patches, *axes.collections):
            if one.get_transform() == whole:
                ours.append(one)
                continue
            points = np.vstack(
                [[[-99, -99]], *map(dense, filter(len, paths(one)))]
            )
            low, high = axes.bbox.get_points()
            inside = ((points >= low - 1) & (points <= high + 1)).all(axis=1)
            seen[one] = points[inside]
    pieces = {one: dense(paths(one)[0]) for one in ours}
    for text, box in texts.items():
        if text.get_transform() != whole or text.get_weight() == "bold":
            continue
        low, high = box[:2], box[2:]
        away = {}
        for one, points in {**seen, **pieces}.items():
            if len(points):
                off = np.maximum(low - points, points - high).max(axis=1).min()
                away[one] = off
        own = min(ours, key=away.get)
        left = pieces[own].max(axis=0)[0]
        if not low[0] - 12 < left < low[0] or away[own] > 12:
            yield "nearer to another", text
        for one, off in away.items():
            if off < -1:
                yield "on another line", text, one
            elif one is not own and off < away[own] - 0.5:
                yield "nearer to another", text, one
    for one, other in itertools.combinations(ours, 2):
        if Path(paths(one)[0]).intersects_path(Path(paths(other)[0])):
            ends = np.abs(paths(one)[0][:, np.newaxis] - paths(other)[0])
            if ends.max(axis=2).min() > 0.5:  # one begins where another does
                yield "leaders cross", one, other
    for one in ours:
        for other, points in seen.items():
            # It begins where lines end, and may be steep.
            off = np.abs(pieces[one][4:, np.newaxis] - points).max(axis=2)
            if off.size and off.min() < 0.5:
                yield "a leader crosses", one, other


def dense(corners):
    """Return points on the way along corners, one pixel apart."""
    along = np.append(0, np.hypot(*np.diff(corners, axis=0).T).cumsum())
    even = np.arange(0, min(along[-1], 1e5) + 1)
    return np.column_stack([np.interp(even, along, at) for at in corners.T])


def luminance(color):
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in color
    ]
    return np.dot((0.2126, 0.7152, 0.0722), linear)


def dark(color):
    """Return what a color becomes in a dark theme: what is seen must have another there."""
    *_, alpha = to_rgba(color)
    return to_rgba(style.DARK[to_hex(color)][1], alpha) if alpha else color


THEMES = {
    "light": (to_rgba, style.PAPER),
    "dark": (dark, style.DARK[style.PAPER][1]),
}


@cache
def contrast(color, theme="light"):
    """Return WCAG's contrast of a color on a picture's paper, which may shine through it."""
    change, background = THEMES[theme]
    *rgb, alpha = change(color)
    behind = np.array(to_rgba(background)[:3])
    one = luminance(alpha * np.array(rgb) + (1 - alpha) * behind)
    other = luminance(behind)
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_every_color_has_contrast_but_what_may_be_overlooked(theme):
    for color in set(style.DARK) - {style.PAPER, style.FAINT, "#ffffff"}:
        least = 3 if color == style.ACCENT else 4.5  # else words have it, too
        assert contrast(color, theme) >= least, color
    assert len(
        {THEMES[theme][0](look["color"]) for look in style.CURVES}
    ) == len(style.CURVES)
    assert len({str(look["linestyle"]) for look in style.CURVES}) == len(
        style.CURVES
    )


def _is_line(one):
    """Tell whether something is drawn as a line, or as an area's outline; else it is marks."""
    return not isinstance(one, Line2D) or one.get_linestyle() not in (
        "None",
        "",
    )


def _colors(artist):
    """Return the colors of an artist; the strongest makes it seen."""
    if isinstance(artist, Line2D):
        marked = artist.get_marker() not in ("None", "", None)
        colors = [artist.get_color()] if _is_line(artist) or not marked else []
        if marked:
            colors += [
                artist.get_markerfacecolor(),
                artist.get_markeredgecolor(),
            ]
        return map(to_rgba, colors)
    outlined = np.max(artist.get_linewidth()) > 0
    colors = [artist.get_facecolor()] + (
        [artist.get_edgecolor()] if outlined else []
    )
    return [color for one in colors for color in to_rgba_array(one)] or [
        to_rgba(style.INK)
    ]


def _differ(one, other):
    """Tell whether two lines have other dashes, or one is twice as wide as the other."""
    narrow, wide = sorted([one.get_linewidth(), other.get_linewidth()])
    return (
        one._unscaled_dash_pattern != other._unscaled_dash_pattern
        or wide >= 2 * narrow
    )


@pytest.fixture(scope="module", params=CASES, ids=name_of)
def met(request):
    """A case and its results, which take as long as a picture of each."""
    return request.param, results_of(request.param)


@pytest.mark.slow
def test_every_state_is_shown_and_can_be_read(met):
    """Each is drawn narrow, where there is less room, and each third one wide."""
    case, results = met
    plot = CASES[case]()
    wrong = [
        f"{state}, {'narrow' if narrow else 'wide'}: {fault}"
        for at, (state, one) in enumerate(results.items())
        for narrow in ((True,) if at % 3 else (True, False))
        for fault in faults(plot, one, narrow)
    ]
    assert not wrong, "\n".join(wrong)
    assert_shown(case, results)


@pytest.mark.slow
def test_who_comes_from_elsewhere_sees_what_who_begins_there_sees(met):
    """To the last byte, also of what stays until it changes; it is moved by four states at once."""
    case, results = met
    plot, last = CASES[case](), None
    for one in [*results.values()][::4]:
        last = plot.layers(one, last=last, narrow=True)
        assert last == CASES[case]().layers(one, narrow=True)
    assert plot.png(one) == CASES[case]().png(one)
    assert plot.svg(one, "words") == CASES[case]().svg(one, "words")


FRAMED_BY_EPSILON = {
    # The widths of these laws are multiples of 1/ε or of ε: a still frame
    # would show a line or nothing. Their frames have a ruler's length, so they
    # stand still while ε moves a little.
    "LossExplorer-law",
    "LossExplorer-delta",
    "AttackExplorer-worlds",
    "AttackExplorer-errors",
    "AttackExplorer-member",
    # Of the three numbers of a promise one more moves with ε; the frame takes
    # steps of 1 in 1,000.
    "BreachExplorer-beliefs",
}


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted({*VIEWS} - FRAMED_BY_EPSILON))
def test_limits_follow_neither_epsilon_nor_the_answer(case):
    kind, _, plot = VIEWS[case]
    solved = {"IntervalExplorer": "confidence", "BreachExplorer": "prior"}.get(
        kind.__name__
    )
    still = {"solve_for": solved} if solved else {}
    moves = [{main(kind): number} for number in (0.3, 0.4, 3.0, 9.0)]
    if "answer" in kind.parameters():
        moves += [{"answer": answer} for answer in (-50.0, 4.0, 1e6)]
    picture, frames = plot(), set()
    for result in results_of(case, [still | move for move in moves]).values():
        picture.update(result)
        frames.add(
            tuple(
                (*one.get_xlim(), *one.get_ylim())
                for one in picture.figure.axes
            )
        )
    assert len(frames) == 1


def test_a_name_that_is_read_for_another_line_is_found():
    """Names stood in their frames once: beside a line, on another, or with a leader through one."""
    for x, y, fault in (
        (0.5, 0.5, "on another line"),
        (0.4, 0.62, "nearer to another"),
    ):
        plot = Curves("x", "y", xlim=(0, 1), ylim=(0, 1))
        lines = {"up": ([0, 1], [0, 1]), "down": ([0, 1], [1, 0])}
        texts = texts_of(plot, lines)
        name = next(one for one in texts if one.get_text() == "down")
        place = plot.axes.transAxes.transform((x, y))
        texts[name] = np.concatenate([place - 6, place + 6])
        assert fault in {kind for kind, *_ in misread(texts, plot)}


def test_no_two_views_of_an_explorer_begin_alike():
    """What a sentence says first is what its picture shows, and no other shows."""
    for kind in EXPLORERS:
        first = [
            kind(view=view).sentence.split(". ")[0]
            for view in kind.view.options
        ]
        assert len({*first}) == len(first), first
