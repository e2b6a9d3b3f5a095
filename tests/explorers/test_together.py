"""An explorer among other widgets: it is one of them, and behaves like any other."""

import json

import pytest
from ipywidgets import FloatSlider, Widget, dlink, jslink, link
from ipywidgets.embed import embed_snippet

from dpwidgets import (
    BreachExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    WorldsExplorer,
)
from dpwidgets.calculators import interval
from tools import ask, every, shown, upload


def assert_whole(explorer):
    """Check that all that an explorer shows is of one state."""
    fresh = type(explorer)(**explorer.settings())
    for name in explorer.parameters():
        assert (
            getattr(explorer, name)
            == getattr(fresh, name)
            == explorer.state.values[name]
        ), name
    assert explorer.result == fresh.result
    assert explorer.code == fresh.code
    assert explorer.still.png == fresh.still.png
    assert (
        explorer.sentence
        == fresh.sentence
        == shown(explorer, "sentence")["text"]
    )
    assert (
        explorer.sentence
        == shown(explorer, "picture")["alt"]
        == explorer.still.alt
    )
    for part in ("notes", "code", *explorer.parameters()):
        own = {
            name: says
            for name, says in shown(explorer, part).items()
            if name != "text"
        }
        assert own == {name: shown(fresh, part)[name] for name in own}, part
    assert not explorer.messages


def test_links_go_both_ways_one_way_and_in_the_page():
    one = IntervalExplorer()
    two = WorldsExplorer()
    slider = FloatSlider(value=0.3, max=1)
    link((one, "half_width"), (slider, "value"))
    assert slider.value == 0.2
    slider.value = 0.5
    assert one.result == interval.precision(
        half_width=0.5, confidence=0.8, count=100
    )
    ask(one, "half_width", place=29)
    assert slider.value == 0.3
    dlink((one, "epsilon"), (two, "epsilon"))
    one.half_width = 0.4  # ε follows from it
    assert two.epsilon == one.epsilon == two.result.epsilon
    two.epsilon = 1
    assert one.solve_for == "epsilon"
    assert one.epsilon == one.result.epsilon != 1
    linked = jslink((FloatSlider(), "value"), (two, "epsilon"))
    assert linked.get_state()["target"] == [
        f"IPY_MODEL_{two.model_id}",
        "epsilon",
    ]
    two.set_state({"epsilon": 0.25})
    assert two.result.epsilon == two.get_state()["epsilon"] == 0.25
    one.set_state({"count": 50, "view": "curves"})  # several at once
    assert (one.result.count, one.view) == (50, "curves")
    assert_whole(one)
    assert_whole(two)


@every
def test_saved_widget_state_holds_each_parameter_the_sentence_and_the_picture(
    kind,
):
    explorer = kind()
    explorer.epsilon = 0.3
    saved = json.loads(
        json.dumps(Widget.get_manager_state(widgets=[explorer]))
    )
    state = saved["state"][explorer.model_id]["state"]
    # A page cannot link columns.
    for name in set(kind.parameters()) - {"values", "p", "q", "before"}:
        assert state[name] == getattr(explorer, name), name
    assert (
        state["sentence"]
        == state["_shown"]["sentence"]["text"]
        == explorer.sentence
    )
    assert state["_shown"]["picture"]["alt"] == explorer.sentence
    assert state["_still"].startswith("<svg ")
    assert state["_moving"].startswith("<svg ")
    # A page without a kernel shows it.
    assert {"_about", "_esm", "_css"} <= set(state)
    assert explorer.model_id in embed_snippet(views=[explorer])


def test_values_that_only_together_are_allowed_come_together_from_a_page_and_from_python():
    paged, held = BreachExplorer(), BreachExplorer()
    paged.set_state({"prior": 0.3, "posterior": 0.5})
    with held.hold_trait_notifications():
        held.prior, held.posterior = 0.3, 0.5
    assert paged.result.prior == held.result.prior == 0.3
    assert_whole(paged)
    assert_whole(held)


@every
def test_who_observes_one_parameter_may_set_another_of_the_same_explorer(kind):
    """In the middle of an update, and nobody hears anything older afterwards."""
    explorer, told = kind(), []
    view = list(kind.view.options)[-1]
    moved = "epsilon" if "epsilon" in explorer.parameters() else "factor"
    explorer.observe(lambda _: setattr(explorer, "view", view), moved)
    for name in ("result", "sentence", "code"):
        explorer.observe(
            lambda change: told.append((change["name"], change["new"])), name
        )
    setattr(explorer, moved, 0.3217)
    assert (getattr(explorer, moved), explorer.view) == (0.3217, view)
    assert all(
        value == getattr(explorer, name) for name, value in dict(told).items()
    )
    assert_whole(explorer)


def test_an_observer_that_raises_keeps_nothing_from_being_shown():
    explorer = IntervalExplorer()
    explorer.observe(lambda _: 1 / 0, "epsilon")
    with pytest.raises(ZeroDivisionError):
        explorer.half_width = 0.3
    assert_whole(explorer)
    with pytest.raises(ZeroDivisionError):
        ask(explorer, "half_width", place=3)
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]
    assert_whole(explorer)


def test_a_file_does_not_stay_in_the_state():
    explorer = ChoiceExplorer()
    secret = b"age,name\n" + b"41,Ann\n29,Bob\n50,Cy\n" * 2000
    upload(explorer, "csv", secret)
    assert "2 columns" in shown(explorer, "csv said")["text"]
    assert set(explorer._asked) == {"turn"}
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]
    state = json.dumps(explorer.get_state(), default=str)
    assert "Ann" not in state
    assert len(state) < 200_000


def test_a_closed_explorer_follows_no_more():
    one, two = IntervalExplorer(epsilon=0.3), IntervalExplorer(epsilon=0.3)
    link((one, "epsilon"), (two, "epsilon"))
    before = one.sentence, one.result, one.code
    one.close()
    one.close()
    two.epsilon = 0.7
    one.view, one.count = "curves", 7
    assert (one.sentence, one.result, one.code) == before
    assert (repr(one), one.closed, two.epsilon) == (one.sentence, True, 0.7)
    assert one.model_id is None if one.comm else one.comm is None
