"""An explorer that opens with what its reader knows, the rest one click away."""

import pytest

from dpwidgets import IntervalExplorer, LossExplorer
from tools import press


def seen(explorer):
    names = [*explorer.parameters()]
    return {name for name in names if not explorer._shown[name]["hidden"]}


def test_it_opens_with_the_named_controls_and_one_click_shows_the_rest():
    explorer = IntervalExplorer(only=("half_width", "confidence"))
    assert seen(explorer) == {"half_width", "confidence"}
    explorer.half_width = 0.3  # ε, which follows, moves too
    assert seen(explorer) == {"half_width", "confidence"}
    press(explorer, "all")
    assert seen(explorer) == seen(IntervalExplorer())
    assert explorer._shown["all"]["hidden"]


def test_the_views_are_those_named_and_the_first():
    explorer = IntervalExplorer(only=("half_width", "neighbours"))
    views = list(IntervalExplorer.view.options)
    assert "view" in seen(explorer)
    assert explorer._shown["view"]["only"] == [0, views.index("neighbours")]


def test_what_is_moved_from_elsewhere_has_a_control():
    explorer = LossExplorer(only=("epsilon",))
    assert seen(explorer) == {"epsilon"}
    explorer.compositions = 3
    assert seen(explorer) == {"epsilon", "compositions"}
    explorer.view = list(LossExplorer.view.options)[1]
    assert explorer._shown["view"]["only"] == [0, 1]
    assert "view" in seen(explorer)


def test_none_shows_all_and_has_no_button():
    explorer = IntervalExplorer()
    assert "all" not in explorer._shown
    assert "only" not in explorer._shown["view"]


def test_a_name_that_is_neither_is_refused():
    with pytest.raises(ValueError, match="only must be one of 'epsilon'"):
        IntervalExplorer(only=("halfwidth",))
