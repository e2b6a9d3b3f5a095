"""A reader's moves: made in the picture, and taken back."""

import numpy as np
import pytest

from dpwidgets import IntervalExplorer
from tools import ask, every, press, shown


def disabled(explorer):
    return [shown(explorer, name)["disabled"] for name in ("undo", "over")]


def test_undo_goes_back_one_move_at_a_time_and_start_over_to_the_start():
    explorer = IntervalExplorer(half_width=0.3)
    start, sentence = explorer.state, explorer.sentence
    assert disabled(explorer) == [True, True]
    ask(explorer, "undo", pressed=True)
    assert explorer.state is start
    for place in (10, 11, 12):  # one drag
        ask(explorer, "half_width", place=place, move="1")
    ask(explorer, "half_width", place=40, move="2")
    ask(explorer, "count", text="abc", move="3")
    assert explorer.messages
    assert disabled(explorer) == [False, False]
    press(explorer, "undo")
    assert (explorer.messages, explorer.half_width) == ({}, 0.41)
    press(explorer, "undo")
    assert explorer.half_width == 0.13
    explorer.count = 50  # by Python: no move of the reader's
    press(explorer, "undo")
    assert (explorer.sentence, explorer.state) == (sentence, start)
    assert disabled(explorer) == [True, True]
    ask(explorer, "confidence", text="0.9", move="4")
    ask(explorer, "epsilon", text="0.1", move="5")  # another one follows now
    ask(explorer, "over", pressed=True, move="6")
    assert (explorer.sentence, explorer.state.solved) == (sentence, "epsilon")
    press(explorer, "undo")
    assert (explorer.epsilon, explorer.state.solved) == (0.1, "confidence")


@every
def test_a_share_of_a_handles_way_is_the_nearest_stop(kind):
    for view in kind.view.options:
        assert_nearest(kind(view=view))


def assert_nearest(explorer):
    for handle in explorer._layers.handles:
        name, stops = handle.name, explorer._grid(handle.name)
        at = [
            one for one in explorer._layers.handles if one.name == name
        ].index(handle)
        shares = np.array([handle.share(stop) for stop in stops])
        steps = np.diff(shares)
        if handle.share(stops[0]) > handle.share(
            stops[-1]
        ):  # an axis that is turned round
            steps = -steps
        assert (steps >= -1e-12).all()  # but for rounding
        assert handle.at == pytest.approx(
            handle.share(explorer.state.values[name]), abs=1e-9
        )
        if name == explorer.state.solved:
            continue
        for share in (0.3, 0.71):
            ask(explorer, name, share=share, handle=at)
            least = np.abs(shares - share).min()
            found = handle.share(explorer.state.values[name])
            assert abs(found - share) == pytest.approx(least, abs=1e-9)
        explorer.go_to()
