"""A picture holds what its sentence speaks of: its frame shows each mark, or an arrowhead does.

A curve or a region may leave the frame, but some of it is seen. A bar, an interval and the top of a
law lie inside. For what lies beyond stands an arrowhead on that side.
"""

from functools import cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, StepPatch
from matplotlib.path import Path
from matplotlib.text import Text

from dpwidgets.page.parameters import Choice, Number
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn
from pictures import CASES, VIEWS, every, results_of

ARROWS = ("<", ">", "v", "^")
RANDOM = 20  # states of each view


@cache
def random_states(kind, view):
    """Return states in which every control of a view stands anywhere."""
    rng, found = np.random.default_rng(45), []
    for _ in range(RANDOM):
        state = {"view": view}
        for name, trait in kind.parameters().items():
            if isinstance(trait, Choice) and name != "view":
                state[name] = list(trait.options)[rng.integers(len(trait.options))]
            elif isinstance(trait, Number) and not trait.follows and rng.random() < 0.7:
                state[name] = float(rng.choice(trait.grid))
        found.append(state)
    return found


def drawn(plot, result, rng):
    """Return a result with what a reader draws from it, or alone where nothing can be drawn."""
    if type(plot).mark_drawn is Plot.mark_drawn:
        return result
    truth = result.draw_truth(rng)
    return Drawn(result, truth, result.draw(truth, rng, 200), result.draw(truth, rng, 5))


def paths(artist):
    """Return what an artist draws, each piece as its corners in pixels."""
    transform = artist.get_transform()
    if isinstance(artist, LineCollection):
        pieces = artist.get_segments()
    elif isinstance(artist, Line2D):
        ends, some = artist.get_xydata(), artist.get_markevery()
        pieces = [ends[some] if some and len(ends) else ends]
    else:
        path = artist.get_path()
        pieces = [path.vertices[path.codes != Path.CLOSEPOLY]]
    return [transform.transform(piece[np.isfinite(piece).all(axis=1)]) for piece in pieces]


def seen(mark, corners, frame):
    """Tell whether a frame shows enough of a mark."""
    if isinstance(mark, StepPatch):  # a law: its top, but of a histogram of few draws
        corners = corners[corners[:, 1] >= corners[:, 1].max() - 1e-6]
        if not mark.get_label():
            corners[:, 1] = frame.y0
    bare = isinstance(mark, Line2D) and mark.get_marker() in ("None", "", None)
    if bare or isinstance(mark, Polygon):  # a curve or a region: some of it
        return Path(corners).intersects_bbox(frame, filled=isinstance(mark, Polygon))
    return all(frame.contains(*end) for end in (corners.min(axis=0), corners.max(axis=0)))


def lost(plot, result):
    """Yield the marks of a result that its picture does not show, and nothing points to."""
    plot.update(result)
    for axes in plot.figure.axes:
        marks = [mark for _, mark in axes._marks if not isinstance(mark, Text)]
        arrows = {mark.get_marker() for mark in marks if isinstance(mark, Line2D)}
        for mark in marks:
            frame = (axes.bbox if mark.get_clip_on() else plot.figure.bbox).padded(1)
            for corners in filter(len, paths(mark)):
                (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
                beyond = left < frame.x0, right > frame.x1, bottom < frame.y0, top > frame.y1
                leaves = {arrow for arrow, there in zip(ARROWS, beyond, strict=True) if there}
                pointed = leaves and leaves <= arrows
                if not (pointed or seen(mark, corners, frame)):
                    yield mark


@every
def test_every_mark_lies_in_the_frame_or_an_arrowhead_says_so(case):
    plot, rng = CASES[case](), np.random.default_rng(45)
    results = results_of(case)
    if case in VIEWS:
        kind, view, _ = VIEWS[case]
        results |= results_of(case, random_states(kind, view))
    wrong = [
        f"{state}: {mark.get_label() or mark}"
        for state, result in results.items()
        for mark in lost(plot, drawn(plot, result, rng))
    ]
    assert not wrong, "\n".join(wrong)
