"""A picture holds what its sentence speaks of: its frame shows each mark, or an arrowhead does.

A curve or a region may leave the frame, but some of it is seen. A marker and
the top of a law lie inside. For a bar that goes on, and for a curve all of
which lies beyond, stands an arrowhead there.
"""

import numpy as np
import pytest
from hypothesis import settings
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle, StepPatch
from matplotlib.path import Path
from matplotlib.text import Text

from dpwidgets.page.parameters import Choice, Number
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn
from pictures import CASES, VIEWS, every, results_of

ARROWS = ("<", ">", "v", "^")


def random_states(kind, view):
    """Return states in which every control of a view stands anywhere."""
    rng, found = np.random.default_rng(45), []
    for _ in range(max(2, settings().max_examples // 8)):
        state = {"view": view}
        for name, trait in kind.parameters().items():
            if isinstance(trait, Choice) and name != "view":
                state[name] = list(trait.options)[
                    rng.integers(len(trait.options))
                ]
            elif (
                isinstance(trait, Number)
                and not trait.follows
                and rng.random() < 0.7
            ):
                state[name] = float(rng.choice(trait.grid))
        found.append(state)
    return found


def drawn(plot, result, rng):
    """Return a result with what a reader draws from it, or alone where nothing can be drawn."""
    if type(plot).mark_drawn is Plot.mark_drawn:
        return result
    truth = result.draw_truth(rng)
    return Drawn(
        result, truth, result.draw(truth, rng, 200), result.draw(truth, rng, 5)
    )


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
    return [
        transform.transform(piece[np.isfinite(piece).all(axis=1)])
        for piece in pieces
    ]


def shown(mark, corners, frame, arrows):
    """Tell whether a frame shows enough of a mark, or an arrowhead stands for the rest."""
    (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
    beyond = (
        right < frame.x0,
        left > frame.x1,
        top < frame.y0,
        bottom > frame.y1,
    )
    partly = (
        left < frame.x0,
        right > frame.x1,
        bottom < frame.y0,
        top > frame.y1,
    )
    if {
        arrow for arrow, there in zip(ARROWS, beyond, strict=True) if there
    } & arrows:
        return True
    # A curve: some of it.
    if isinstance(mark, Line2D) and mark.get_marker() in ("None", "", None):
        return Path(corners).intersects_bbox(frame, filled=False)
    if isinstance(mark, Polygon):  # a region: some of it
        return Path(corners).intersects_bbox(frame, filled=True)
    # A bar: to its end, or to an arrowhead.
    if isinstance(mark, Rectangle | LineCollection):
        return {
            arrow for arrow, there in zip(ARROWS, partly, strict=True) if there
        } <= arrows
    # A law: its top; of a histogram the place of its top.
    if isinstance(mark, StepPatch):
        tops = corners[corners[:, 1] >= top - 1e-6]
        named = bool(mark.get_label())
        return all(
            frame.contains(x, y if named else frame.y0) for x, y in tops
        )
    return not any(partly)


def lost(plot, result):
    """Yield the marks of a result that its picture does not show, and nothing points to."""
    plot.update(result)
    for axes in plot.figure.axes:
        marks = [mark for mark in axes.marks if not isinstance(mark, Text)]
        arrows = {
            mark.get_marker() for mark in marks if isinstance(mark, Line2D)
        }
        for mark in marks:
            frame = (
                axes.bbox if mark.get_clip_on() else plot.figure.bbox
            ).padded(1)
            if not all(
                shown(mark, corners, frame, arrows)
                for corners in filter(len, paths(mark))
            ):
                yield mark


def assert_shown(case, results):
    """Draw each result, with answers where a reader can draw some, and look for what is lost."""
    plot, rng = CASES[case](), np.random.default_rng(45)
    wrong = [
        f"{state}: {mark.get_label() or mark}"
        for state, result in results.items()
        for mark in lost(plot, drawn(plot, result, rng))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@every
def test_every_mark_lies_in_the_frame_or_an_arrowhead_says_so_wherever_controls_stand(
    case,
):
    moves = random_states(*VIEWS[case][:2]) if case in VIEWS else None
    assert_shown(case, results_of(case, moves))


def test_what_is_lost_is_found():
    class Lost(Plot):
        def draw(self, axes, result):
            axes.set(xlim=(0, 1), ylim=(0, 1))
            result(axes)

    for draw, found in (
        (lambda axes: axes.plot([0, 2], [0.5, 0.5]), False),
        (lambda axes: axes.plot([2, 3], [0.5, 0.5]), True),
        (lambda axes: axes.plot([0.5, 2], [0.5, 0.5], marker="|"), True),
        (lambda axes: axes.points([0.5, 2], 0.5, marker="o"), False),
        (lambda axes: axes.add_patch(Rectangle((0.5, 0.2), 1, 0.1)), True),
        (lambda axes: axes.axvline(2), True),
        (lambda axes: [axes.axvline(2), axes.point(2, 0.5)], False),
        (
            lambda axes: axes.stairs(
                [0.2, 0.9, 0.1], [0, 1.5, 3, 4], label="a law"
            ),
            True,
        ),
        (lambda axes: axes.fill([2, 3, 3], [0, 0, 1]), True),
        (lambda axes: axes.fill([0.5, 3, 3], [0, 0, 1]), False),
    ):
        assert bool([*lost(Lost(), draw)]) is found
