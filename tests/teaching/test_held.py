"""What is held back is not there before it is revealed, and a page without a kernel folds it."""

import pytest
from ipywidgets import IntSlider

from dpwidgets import IntervalExplorer, Ledger, Question, WorldsExplorer
from dpwidgets.plots.curves import Curves
from tools import ask

pytestmark = pytest.mark.usefixtures("data_directory")


def held(then, prompt="First?"):
    """Return a question that holds something back."""
    return Question(prompt, 1, then=then)


def below(question):
    """Return the HTML that stands below a question at present."""
    return question._shown.get("held", {}).get("html", "")


def test_words_tables_and_pictures_appear_when_they_are_revealed():
    picture = Curves("x", "y").still({}, "The ratio < 3.")
    ledger = Ledger("interval")
    ledger.note("Sec. 2", "a < b", "unread")
    for then, appears, folds in (
        ("a < b", "a &lt; b", "a &lt; b"),
        (ledger, "<th style", "<th style"),
        (
            picture,
            'aria-label="The ratio &lt; 3."',
            '<img alt="The ratio &lt; 3." width="640"',
        ),
    ):
        question = held(then)
        assert below(question) == ""
        question.reveal()
        assert appears in below(question)
        # In the page's colours.
        assert below(question).count("<svg") == 2 * (then is picture)
        start, folded = question.still_page().split(
            "<summary>What comes next</summary>"
        )
        assert folds in folded
        assert folds not in start


def test_a_widget_appears_itself_and_stands_folded_and_an_explorer_moves_on_the_website():
    explorer = IntervalExplorer(count=500)
    for then, words in (
        (
            explorer,
            (explorer.sentence.split(":")[0], "data:image/png;base64,"),
        ),
        (Question("And then?", 2), ("And then?",)),
    ):
        question = held(then, f"Before “{words[0]}”?")
        assert all(word in question.still_page() for word in words)
        if then is explorer:
            address = {"link": "#interval?count=500", "only": []}
        else:
            address = None
        assert question.about().get("then") == address
        ask(question, "answer", text="1")
        assert (question._child, below(question)) == (then, "")
        assert held(then, question.prompt)._child is then  # answered before
    # Too long for a link.
    assert "then" not in held(WorldsExplorer(values=range(2000))).about()


def test_what_shows_nothing_cannot_be_held_back():
    with pytest.raises(
        TypeError, match=r"then must be a text, a picture, .*; got IntSlider"
    ):
        held(IntSlider())
    with pytest.raises(ValueError, match="then must be whole"):
        held("\ud83d")
