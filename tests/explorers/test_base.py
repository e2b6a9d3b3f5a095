"""What whoever writes an explorer, and whoever breaks one, can rely on; names, and links."""

import gc
import logging
import tracemalloc

import anywidget
import pytest
from ipywidgets import Widget

import dpwidgets
from dpwidgets import (
    BayesExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
    WorldsExplorer,
)
from dpwidgets.inputs.domain import POSITIVE
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import Page
from dpwidgets.page.parameters import Number, Views, log_grid
from dpwidgets.plots.base import Plot
from tools import ask, shown, sweep, visible


def square(side):
    return side**2


class SquareExplorer(Explorer):
    side: Number = Number(2.0, POSITIVE, log_grid(0, 1), "Side")
    """How long
    a side is."""
    calculator = square
    view: Views = Views(only=("The square", Plot))

    def say(self, result, now):
        return f"The area is {result:g}."


def test_an_explorer_from_elsewhere_works_and_prints_its_true_import(
    monkeypatch,
):
    explorer = SquareExplorer(side=3)
    assert (
        explorer._about["parts"][0]["parts"][0]["help"]
        == "How long a side is."
    )
    assert repr(explorer) == "The area is 9."
    ask(explorer, "side", place=0)
    assert repr(explorer) == "The area is 1."
    assert sweep(explorer) == 3
    assert visible(explorer) == {"side"}  # there is only one view
    for module, code in {
        "squares": "import squares\nsquares.square(side=2)",
        "__main__": "square(side=2)",
        "a.b.c": "from a.b import c\nc.square(side=2)",
        "a.b._c._d": "from a import b\nb.square(side=2)",
    }.items():
        monkeypatch.setattr(square, "__module__", module)
        assert SquareExplorer().code == code


class Misspelt(Plot):
    def draw(self, axes, result):
        axes.handle("sied", 0.5, 0.5)


class MisspeltExplorer(SquareExplorer):
    view: Views = Views(only=("The square", Misspelt))


def test_a_picture_in_which_nothing_has_the_handles_name_is_refused():
    named = "MisspeltExplorer has no parameter 'sied'; did you mean 'side'"
    with pytest.raises(TypeError, match=named):
        MisspeltExplorer()


def test_an_unexpected_error_is_said_and_logged_and_the_explorer_goes_on(
    monkeypatch, caplog
):
    explorer = IntervalExplorer()
    monkeypatch.setattr(IntervalExplorer, "strict", False)
    sentence, still = explorer.sentence, explorer.still.png
    plot = IntervalExplorer.view.plots["answer"]
    with (
        monkeypatch.context() as patch,
        caplog.at_level(logging.ERROR, "dpwidgets"),
    ):
        patch.setattr(plot, "update", lambda *arguments: {}["in the plot"])
        explorer.half_width = 0.77
    assert "this could not be computed: 'in the plot'" in explorer.messages[""]
    assert "KeyError" in caplog.text
    assert (explorer.sentence, explorer.still.png) == (sentence, still)
    # It stays where it was set.
    assert explorer.settings()["half_width"] == 0.77
    assert shown(explorer, "picture")["stale"]
    assert explorer.messages[""] == shown(explorer, "wrong")["text"]
    explorer.half_width = 0.78
    assert not explorer.messages
    assert explorer.settings()["half_width"] == 0.78


@pytest.mark.slow
def test_explorers_that_are_made_moved_shown_and_closed_leave_nothing():
    def megabytes():
        # Plain, of a column, recorded.
        for kind in (LossExplorer, WorldsExplorer, ChoiceExplorer):
            explorer = kind(epsilon=0.3)
            explorer.epsilon = 0.4
            explorer._repr_mimebundle_()
            explorer.close()
            explorer.layout.close()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / 1e6

    widgets = len(Widget.get_manager_state()["state"])
    tracemalloc.start()
    try:
        # At first Python keeps what it computes once.
        seen = [megabytes() for _ in range(4)]
        # One picture kept of each would be more, each time.
        assert min(seen[2] - seen[1], seen[3] - seen[2]) < 0.03
    finally:
        tracemalloc.stop()
    assert len(Widget.get_manager_state()["state"]) == widgets


WIDGETS = [
    kind
    for kind in (getattr(dpwidgets, name) for name in dpwidgets.__all__)
    if isinstance(kind, type) and issubclass(kind, Page)
]
#: What we mean to do in a host's place.
OVERRIDDEN = {
    "close",
    "notify_change",
    "set_state",
    "_repr_mimebundle_",
    "_css",
}


class Plain(anywidget.AnyWidget):
    _esm = "export default { render() {} };"


@pytest.mark.parametrize("kind", WIDGETS)
def test_no_widget_has_a_name_that_jupyters_own_widgets_have(kind):
    hosts = {name for name in dir(Plain()) if not name.startswith("__")}
    hosts -= {*vars(Plain)}  # which every class of a widget has anew
    ours = {
        name
        for base in kind.__mro__
        if base.__module__.startswith("dpwidgets.")
        for name in vars(base)
    }
    assert ours & hosts <= OVERRIDDEN


def test_what_differs_from_the_start_is_in_the_link_in_plain_words():
    for explorer, link in [
        (IntervalExplorer(), "#interval"),
        (
            IntervalExplorer(half_width=0.1, count=500),
            "#interval?half_width=0.1&count=500",
        ),
        (
            IntervalExplorer(epsilon=0.5),
            "#interval?solve_for=confidence&epsilon=0.5",
        ),
        (
            LossExplorer(swapped=True, view="delta"),
            "#loss?swapped=True&view=delta",
        ),
        # Set, though to what it follows.
        (BayesExplorer(true_p=0.3), "#bayes?true_p=0.3"),
        # Left open, though it starts with a number.
        (ChoiceExplorer(prior=None), "#choice?prior="),
        (
            WorldsExplorer(values={"A & b": 1, "#": 2.5, "c": 3}),
            "#worlds?values=A%20%26%20b:%201;%20%23:%202.5;%20c:%203",
        ),
    ]:
        assert explorer.link() == link
        for address in (
            link,
            link[1:],
            f"https://example.org/explorers/a.html?b=1{link}",
        ):
            assert (
                type(explorer).from_link(address).settings()
                == explorer.settings()
            )


def test_a_picture_in_a_notebook_says_which_state_it_shows_where_a_link_can():
    # It follows again.
    assert BayesExplorer.from_link("#bayes?p=0.4&true_p=").true_p == 0.4
    _, metadata = IntervalExplorer(count=500)._repr_mimebundle_()
    assert metadata["dpwidgets"] == {"link": "#interval?count=500", "only": []}
    explorer = WorldsExplorer(values=range(51))
    with pytest.raises(ValueError, match="values must be at most 50 numbers"):
        explorer.link()
    data, metadata = explorer._repr_mimebundle_()
    assert "image/png" in data
    assert "dpwidgets" not in metadata


def test_what_anybody_else_writes_into_a_link_gets_a_message():
    for link, message in {
        "#bayes?p=0.4": "link must begin with #interval; got “#bayes[?]p=0.4”",
        "#interval?halfwidth=1": "no parameter 'halfwidth'; did you mean 'half_width'",
        "#interval?count=abc": "count: “abc” is not a number",
        "#interval?view=nowhere": "view must be one of 'answer', .*; got 'nowhere'",
        "#interval?count=1&count=2": "each name once; got 'count' twice",
        "#interval?count": "link must be like #interval[?]count=500",
        # No letter.
        "#interval?view=%FF": "link must be like #interval[?]count=500",
        "#interval?solve_for=Epsilon": "solve_for must be one of 'epsilon', ",
        "#interval?count="
        + "1" * 10_000: "link must have at most 10,000 characters",
    }.items():
        with pytest.raises((TypeError, ValueError), match=message):
            IntervalExplorer.from_link(link)
