"""What is held back is not there before it is revealed, and a page without a kernel folds it."""

import pytest
from ipywidgets import HTML, IntSlider

from dpwidgets import IntervalExplorer, Ledger, WorldsExplorer
from dpwidgets.plots import interval as plots
from dpwidgets.widgets.held import Held
from dpwidgets.widgets.picture import Picture


def ledger():
    ledger = Ledger("interval")
    ledger.check("Sec. 2, Eq. (3)", "0.99", 0.99)
    return ledger


def still():
    return plots.NoiseRatio().still(1.0, "The ratio < 3.")


@pytest.mark.parametrize(
    ("then", "kind", "seen"),
    [
        ("a < b", HTML, "a &lt; b"),
        (7.5, HTML, "7.5</pre>"),
        ([1, "<b>"], HTML, "[1, &#x27;&lt;b&gt;&#x27;]</pre>"),
        (ledger(), HTML, "<th style"),
        (lambda: "made", HTML, "made"),
    ],
)
def test_words_and_tables_appear_when_they_are_revealed(then, kind, seen):
    held = Held(then)
    assert held.children == ()
    held.reveal()
    (shown,) = held.children
    assert isinstance(shown, kind)
    assert seen in shown.value
    if not callable(then):
        assert held.folded() == Held(then).folded()
        assert held.folded().startswith("<details><summary>What comes next</summary>")
        assert seen in held.folded()


def test_a_picture_is_live_in_the_colours_of_the_page_and_folded_in_pixels():
    held = Held(still())
    assert '<img alt="The ratio &lt; 3." width="640"' in held.folded()
    held.reveal()
    assert isinstance(held.children[0], Picture)
    assert 'aria-label="The ratio &lt; 3."' in held.children[0].moving.value


def test_an_explorer_appears_itself_and_stands_folded_as_picture_and_sentence():
    explorer = IntervalExplorer()
    held = Held(explorer)
    assert explorer.sentence.split(":")[0] in held.folded()
    assert "data:image/png;base64," in held.folded()
    assert held.children == ()
    held.reveal()
    assert held.children == (explorer,)
    slider = IntSlider()
    other = Held(slider)
    other.reveal()
    assert other.children == (slider,)


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
    assert 'role="alert"' in held.children[0].value
    assert "no &lt;curve&gt;" in held.children[0].value
    assert "no <curve>" in caplog.text


@pytest.mark.parametrize(
    ("then", "message"),
    [(None, "then must be what is held back; got None"), ("\ud83d", "then must be whole")],
)
def test_nothing_cannot_be_held_back(then, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Held(then)


def test_the_website_can_let_an_explorer_that_was_held_back_move():
    assert Held(IntervalExplorer(count=500)).link() == "#interval?count=500"
    assert Held("words").link() == ""
    assert Held(WorldsExplorer(values=range(2000))).link() == ""  # too long for a link
