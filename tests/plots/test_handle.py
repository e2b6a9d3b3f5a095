"""What a reader takes hold of stands on a mark; that it does so on a page, a browser shows."""

import numpy as np
import pytest

from dpwidgets.plots.by_hand import Rule
from pictures import ALONE
from test_every_view import dense
from test_inside import paths
from tools import ask, every

NEAR = 2  # pixels


def spot(handle, plot):
    """Return where a handle stands in a picture, in pixels."""
    left, top, length = handle.track
    if handle.upright:
        shares = left, 1 - top - length * (1 - handle.at)
    else:
        shares = left + length * handle.at, 1 - top
    return shares * plot.figure.bbox.size


def away(handle, plot):
    """Return how many pixels a handle is from the nearest mark."""
    marks = [mark for axes in plot.figure.axes for mark in axes.marks]
    drawn = [mark for mark in marks if hasattr(mark, "get_path")]
    corners = [dense(one) for mark in drawn for one in paths(mark) if len(one)]
    points = np.concatenate(corners)
    return np.hypot(*(points - spot(handle, plot)).T).min()


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True])
@every
def test_each_handle_stands_on_a_mark_wherever_it_is_moved(kind, narrow):
    for view, plot in kind.view.plots.items():
        explorer = kind(view=view)
        for name in {one.name for one in explorer._layers.handles}:
            shares = [0.3, 0.7] * (name != explorer.state.solved)
            for share in (None, *shares):
                if share is not None:
                    ask(explorer, name, share=share, handle=0)
                drawn = plot.shared()
                layers = drawn.layers(explorer.result, narrow=narrow)
                for handle in layers.handles:
                    if handle.name != "p":  # which stands on an axis
                        assert away(handle, drawn) <= NEAR, (view, handle)


@pytest.mark.parametrize("narrow", [False, True])
def test_each_handle_of_a_table_stands_on_its_bar(narrow):
    plot = Rule()
    *_, set_by_hand = ALONE[Rule]
    handles = plot.layers(set_by_hand, narrow=narrow).handles
    assert len(handles) == len(set_by_hand.places)
    assert max(away(handle, plot) for handle in handles) <= NEAR
