"""What is held back is not there before it is revealed, and a page without a kernel folds it."""

import pytest
from IPython.display import HTML
from ipywidgets import IntSlider

from dpwidgets import IntervalExplorer, Ledger, Question, WorldsExplorer
from dpwidgets.plots import interval as plots
from dpwidgets.teaching.held import Held
from tools import ask

pytestmark = pytest.mark.usefixtures("data_directory")


def ledger():
    ledger = Ledger("interval")
    ledger.check("Sec. 2, Eq. (3)", "0.99", 0.99)
    return ledger


def still():
    return plots.LogDensities().still((1, 10), "The ratio < 3.")


def shown(held):
    return held.says()["held"]["html"]


def test_words_and_tables_appear_when_they_are_revealed():
    for then, seen in (
        ("a < b", "a &lt; b"),
        (ledger(), "<th style"),
        (HTML("<b>an author's own</b>"), "<b>an author's own</b>"),
        (lambda: "made", "made"),
    ):
        held = Held(then)
        assert shown(held) == ""
        held.reveal()
        assert seen in shown(held)
        assert held.child is None
        if not callable(then):
            assert held.folded() == Held(then).folded()
            assert held.folded().startswith("<details><summary>What comes next</summary>")
            assert seen in held.folded()


def test_a_picture_is_in_the_colours_of_the_page_and_folded_in_pixels():
    held = Held(still())
    assert '<img alt="The ratio &lt; 3." width="640"' in held.folded()
    held.reveal()
    assert 'aria-label="The ratio &lt; 3."' in shown(held)
    assert shown(held).count("<svg") == 2
    assert "<img" not in shown(held)


def test_an_explorer_appears_itself_and_stands_folded_as_picture_and_sentence():
    explorer = IntervalExplorer()
    held = Held(explorer)
    assert explorer.sentence.split(":")[0] in held.folded()
    assert "data:image/png;base64," in held.folded()
    assert held.child is None
    held.reveal()
    assert held.child is explorer
    assert shown(held) == ""


def test_a_question_can_come_after_a_question():
    second = Question("And then?", 2)
    first = Question("First?", 1, then=second)
    assert "And then?" in first.page()
    assert first._child is None
    ask(first, "answer", text="1")
    assert first._child is second


def test_a_widget_of_another_package_is_refused_by_name(caplog):
    message = "then must be a text, a picture, a widget of dpwidgets, .*; got IntSlider"
    with pytest.raises(TypeError, match=message):
        Question("?", 1, then=IntSlider())
    held = Held(lambda: IntSlider())
    held.reveal()
    assert "a widget of dpwidgets" in held.says()["unmade"]["text"]


def test_a_function_is_called_at_the_first_revealing_and_never_again():
    called = []
    held = Held(lambda: called.append(1) or "made")
    assert "while the notebook runs" in held.folded()
    assert not called
    held.reveal()
    held.reveal()
    assert called == [1]


def test_what_cannot_be_made_is_said_and_nothing_breaks(caplog):
    def broken():
        raise ValueError("no <curve>")

    held = Held(broken)
    held.reveal()
    assert held.says()["unmade"]["text"].endswith("could not be shown: no <curve>")  # as text
    assert shown(held) == ""
    assert "no <curve>" in caplog.text


def test_what_shows_nothing_cannot_be_held_back():
    for then, message in (
        (None, "then must be a text, .*; got None"),
        (7.5, "then must be a text, .*; got 7.5"),
        ("\ud83d", "then must be whole"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            Held(then)


def test_the_website_can_let_an_explorer_that_was_held_back_move():
    assert Held(IntervalExplorer(count=500)).link() == "#interval?count=500"
    assert Held("words").link() == ""
    assert Held(WorldsExplorer(values=range(2000))).link() == ""  # too long for a link
