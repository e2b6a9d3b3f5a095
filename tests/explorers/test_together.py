"""An explorer among other widgets: it is one of them, and behaves like any other."""

import json
from functools import partial

import pytest
from ipywidgets import FloatSlider, Layout, Output, Tab, VBox, Widget, dlink, jslink, link
from ipywidgets.embed import embed_snippet

from dpwidgets import BreachExplorer, ChoiceExplorer, IntervalExplorer, WorldsExplorer
from dpwidgets.calculators import interval
from tools import ask, at_once, every, shown, upload

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def made():
    """The widgets that are made from now on."""
    widgets = []
    Widget.on_widget_constructed(widgets.append)
    yield widgets
    Widget.on_widget_constructed(None)


def assert_whole(explorer):
    """Check that all that an explorer shows is of one state."""
    fresh = type(explorer)(**explorer.settings())
    for name in explorer.parameters():
        assert getattr(explorer, name) == getattr(fresh, name) == explorer.state.values[name], name
    assert explorer.result == fresh.result
    assert explorer.code == fresh.code
    assert explorer.still == fresh.still
    assert explorer.sentence == fresh.sentence == shown(explorer, "sentence")["text"]
    assert explorer.sentence == shown(explorer, "picture")["alt"] == explorer.still.alt
    for part in ("notes", "code", *explorer.parameters()):
        own = {name: says for name, says in shown(explorer, part).items() if name != "text"}
        assert own == {name: shown(fresh, part)[name] for name in own}, part
    assert not explorer.messages


@every
def test_making_an_explorer_makes_one_widget_and_its_layout(kind, made):
    explorer = kind()
    explorer.epsilon = 0.3
    explorer._repr_mimebundle_()
    assert {type(one) for one in made if one is not explorer} == {Layout}
    assert len(made) == 2


def test_it_stands_in_boxes_tabs_and_outputs():
    explorer, out = IntervalExplorer(), Output()
    box, tab = VBox([explorer]), Tab([explorer], titles=["one"])
    ref = f"IPY_MODEL_{explorer.model_id}"
    assert box.get_state()["children"] == tab.get_state()["children"] == [ref]
    out.append_display_data(explorer)
    data = out.outputs[0]["data"]
    assert data[VIEW]["model_id"] == explorer.model_id
    assert data["text/plain"] == explorer.sentence
    ask(explorer, "half_width", place=2)
    assert explorer.half_width == 0.03


def test_links_go_both_ways_one_way_and_in_the_page():
    one, two, slider = IntervalExplorer(), WorldsExplorer(), FloatSlider(value=0.3, max=1)
    link((one, "half_width"), (slider, "value"))
    assert slider.value == 0.2
    slider.value = 0.5
    assert one.result == interval.precision(half_width=0.5, confidence=0.8, count=100)
    ask(one, "half_width", place=29)
    assert slider.value == 0.3
    dlink((one, "epsilon"), (two, "epsilon"))
    one.half_width = 0.4  # ε follows from it
    assert two.epsilon == one.epsilon == two.result.epsilon
    two.epsilon = 1
    assert one.solve_for == "epsilon"
    assert one.epsilon == one.result.epsilon != 1
    linked = jslink((FloatSlider(), "value"), (two, "epsilon"))
    assert linked.get_state()["target"] == [f"IPY_MODEL_{two.model_id}", "epsilon"]
    two.set_state({"epsilon": 0.25})
    assert two.result.epsilon == two.get_state()["epsilon"] == 0.25
    one.set_state({"count": 50, "view": "curves"})  # several at once
    assert (one.result.count, one.view) == (50, "curves")
    assert_whole(one)
    assert_whole(two)


def test_what_a_page_sets_and_is_refused_gets_a_message():
    explorer = IntervalExplorer()
    wrong = [("epsilon", -1), ("epsilon", None), ("view", "bars"), ("count", [1])]
    for turn, (name, value) in enumerate(wrong):
        state, sentence = explorer.state, explorer.sentence
        explorer.set_state({name: value})
        assert f"{name} must be" in explorer.messages[""]
        assert f"{name} must be" in shown(explorer, "wrong")["text"]
        assert shown(explorer, "picture")["stale"]
        assert (explorer.state, explorer.sentence) == (state, sentence)
        explorer.set_state({"half_width": 0.3 + turn})
        assert_whole(explorer)


@every
def test_saved_widget_state_holds_each_parameter_the_sentence_and_the_picture(kind):
    explorer = kind()
    explorer.epsilon = 0.3
    saved = json.loads(json.dumps(Widget.get_manager_state(widgets=[explorer])))
    state = saved["state"][explorer.model_id]["state"]
    for name in set(kind.parameters()) - {"values", "p", "q"}:  # a page cannot link columns
        assert state[name] == getattr(explorer, name), name
    assert state["sentence"] == state["_shown"]["sentence"]["text"] == explorer.sentence
    assert state["_shown"]["picture"]["alt"] == explorer.sentence
    assert state["_still"].startswith("<svg ")
    assert state["_moving"].startswith("<svg ")
    assert {"_about", "_esm", "_css"} <= set(state)  # a page without a kernel shows it
    assert explorer.model_id in embed_snippet(views=[explorer])


def test_values_that_only_together_are_allowed_come_together_from_a_page_and_from_python():
    paged, held = BreachExplorer(), BreachExplorer()
    paged.set_state({"prior": 0.3, "posterior": 0.5})
    with held.hold_trait_notifications():
        held.prior, held.posterior = 0.3, 0.5
    for explorer in (paged, held):
        assert (explorer.result.prior, explorer.result.posterior) == (0.3, 0.5)
        assert_whole(explorer)


@every
def test_who_observes_one_parameter_may_set_another_of_the_same_explorer(kind):
    """In the middle of an update, and nobody hears anything older afterwards."""
    explorer, told = kind(), []
    view = list(kind.view.options)[-1]
    explorer.observe(lambda _: setattr(explorer, "view", view), "epsilon")
    for name in ("result", "sentence", "code"):
        explorer.observe(lambda change: told.append((change["name"], change["new"])), name)
    explorer.epsilon = 0.3217
    assert (explorer.epsilon, explorer.view) == (0.3217, view)
    assert all(value == getattr(explorer, name) for name, value in dict(told).items())
    assert_whole(explorer)


def test_who_observes_a_result_may_set_a_parameter_of_a_linked_explorer():
    one, two = IntervalExplorer(), IntervalExplorer(count=50)
    link((one, "epsilon"), (two, "epsilon"))
    one.observe(lambda change: setattr(two, "count", 2 * change["new"].count), "result")
    two.observe(lambda change: setattr(one, "view", "curves"), "count")
    one.count = 70
    assert (one.count, two.count, one.view) == (70, 140, "curves")
    assert one.epsilon == two.epsilon
    assert_whole(one)
    assert_whole(two)


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


def test_three_threads_that_move_two_linked_explorers_end_in_one_state():
    one, two, failures = IntervalExplorer(), BreachExplorer(solve_for="posterior"), []
    link((one, "epsilon"), (two, "epsilon"))
    one.epsilon = 0.3
    grid = IntervalExplorer.epsilon.grid

    def assign(at):
        one.epsilon = float(grid[at])
        one.count = 10 + at

    def slide(at):
        ask(two, "epsilon", place=40 + at)
        ask(one, "half_width", place=10 + at)

    def send(at):
        one.set_state({"epsilon": float(grid[-at - 1])})
        ask(two, "prior", place=at)
        one.redraw()

    def hammer(move):
        try:
            for at in range(12):
                move(at)
        except Exception as error:
            failures.append(error)

    at_once(*(partial(hammer, move) for move in (assign, slide, send)))
    assert not failures
    assert one.epsilon == two.epsilon
    assert (one.count, one.half_width) == (21, IntervalExplorer.half_width.grid[21])
    assert two.prior == BreachExplorer.prior.grid[11]
    assert_whole(one)
    assert_whole(two)


def test_a_file_does_not_stay_in_the_state():
    explorer = ChoiceExplorer()
    secret = b"age,name\n" + b"41,Ann\n29,Bob\n50,Cy\n" * 2000
    upload(explorer, "csv", secret)
    assert "6,000 rows" in shown(explorer, "csv said")["text"]
    assert set(explorer._asked) == {"turn"}
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]
    state = json.dumps(explorer.get_state(), default=str)
    assert "Ann" not in state
    assert len(state) < 200_000


def test_a_closed_explorer_follows_no_more():
    one, two = IntervalExplorer(epsilon=0.3), IntervalExplorer(epsilon=0.3)
    link((one, "epsilon"), (two, "epsilon"))
    sentence, result, code = one.sentence, one.result, one.code
    one.close()
    one.close()
    two.epsilon = 0.7
    one.view = "curves"
    assert (one.sentence, one.result, one.code) == (sentence, result, code)
    one.count = 7
    assert one.result is result
    assert (repr(one), one.closed) == (sentence, True)
    assert two.epsilon == 0.7
    assert one.model_id is None if one.comm else one.comm is None
