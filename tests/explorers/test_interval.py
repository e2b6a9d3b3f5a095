"""The interval explorer without a browser: solving, typing, sliding, refusing."""

import pytest
from ipywidgets import link

from dpwidgets import IntervalExplorer
from dpwidgets.calculators import interval
from tools import ask, shown

FOUR = ("epsilon", "half_width", "confidence", "count")


@pytest.fixture
def explorer():
    return IntervalExplorer()


def test_it_starts_at_the_texts_example(explorer):
    assert (explorer.half_width, explorer.confidence, explorer.count) == (0.2, 0.8, 100)
    assert explorer.epsilon == interval.epsilon(0.2, 0.8, 100)
    assert repr(explorer) == (
        "With ε = 0.0805, the noisy answer to a count of 100 lies within ±20%, from 80 to 120, "
        "with a probability of 80%."
    )
    assert explorer.code == (
        "from dpwidgets.calculators import interval\n"
        "interval.precision(half_width=0.2, confidence=0.8, count=100.0)"
    )
    assert "from 99.9 to 100.1," in IntervalExplorer(half_width=0.001).sentence


@pytest.mark.parametrize("name", FOUR)
def test_each_of_the_four_follows_from_the_others(explorer, name):
    explorer.solve_for = name
    changed = "count" if name != "count" else "half_width"
    setattr(explorer, changed, getattr(explorer, changed) * 1.7)
    three = {one: getattr(explorer, one) for one in FOUR if one != name}
    assert getattr(explorer, name) == getattr(interval, name)(**three)
    assert [one for one in FOUR if shown(explorer, one)["solved"]] == [name]
    assert shown(explorer, name)["text"] == f"{getattr(explorer, name):.5g}"


def test_a_number_that_is_given_is_given_and_another_follows(explorer):
    explorer.epsilon = 0.5
    assert (explorer.epsilon, explorer.solve_for) == (0.5, "confidence")
    assert explorer.confidence == interval.confidence(0.5, 0.2, 100)
    explorer.confidence = 0.6
    assert (explorer.confidence, explorer.solve_for) == (0.6, "epsilon")
    explorer.solve_for = "count"
    explorer.count = 7
    assert explorer.solve_for == "confidence"
    assert IntervalExplorer(epsilon=0.5).solve_for == "confidence"
    assert IntervalExplorer(epsilon=0.5, confidence=0.9).solve_for == "half_width"
    assert IntervalExplorer(epsilon=0.5, solve_for="count").count == pytest.approx(16.094379)
    for rest in ({"confidence": 0.9, "half_width": 0.1, "count": 5}, {"solve_for": "epsilon"}):
        with pytest.raises(ValueError, match="leave out one"):
            IntervalExplorer(epsilon=0.5, **rest)


def test_the_slider_moves_the_number_and_stands_beside_one_that_is_typed(explorer):
    ask(explorer, "half_width", place=29)
    assert explorer.half_width == 0.3
    assert shown(explorer, "half_width")["text"] == "0.3"
    assert "±30%" in explorer.sentence
    explorer.half_width = 7.5
    says = shown(explorer, "half_width")
    assert says["place"] == says["max"] == len(IntervalExplorer.half_width.grid) - 1
    assert says["text"] == "7.5"
    explorer.solve_for = "confidence"
    ask(explorer, "epsilon", text="0,0805")
    place = shown(explorer, "epsilon")["place"]
    assert IntervalExplorer.epsilon.grid[place] == pytest.approx(0.08)
    explorer.count = 200
    assert explorer.epsilon == 0.0805
    assert shown(explorer, "epsilon")["text"] == "0,0805"  # as it was typed


def test_what_is_typed_stays_as_it_was_typed_until_something_else_changes_it(explorer):
    text = " 80% "
    ask(explorer, "half_width", text=text)
    assert not explorer.messages
    explorer.count, explorer.view = 70, "curves"
    ask(explorer, "confidence", place=10)
    assert shown(explorer, "half_width")["text"] == text
    explorer.half_width = explorer.half_width  # nothing has changed
    assert shown(explorer, "half_width")["text"] == text
    explorer.half_width = 0.4
    assert shown(explorer, "half_width")["text"] == "0.4"
    ask(explorer, "half_width", text=text)
    ask(explorer, "half_width", place=9)
    assert shown(explorer, "half_width")["text"] == "0.1"
    ask(explorer, "half_width", text=text)
    explorer.solve_for = "half_width"  # now it follows, and nobody has typed what it is
    assert shown(explorer, "half_width")["text"] == f"{explorer.half_width:.5g}"
    explorer.solve_for = "epsilon"
    assert shown(explorer, "half_width")["text"] == f"{explorer.half_width:.9g}"


def test_bad_text_gets_a_message_and_loses_nothing(explorer):
    last, sentence = explorer.still, explorer.sentence
    for text, message in {
        "abc": "“abc” is not a number; write it like 0.08, 0,08, 1e-3, 80%, 1/3 or ln 3",
        "-1": "half_width must be a number from 1e-12 to 1e12; got -1",
        "": "a number is missing",
        "<img onerror=x>": "“<img onerror=x>” is not a number",
    }.items():
        ask(explorer, "half_width", text=text)
        assert message in explorer.messages["half_width"]
        says = shown(explorer, "half_width")
        assert (says["message"], says["text"]) == (explorer.messages["half_width"], text)
        assert explorer.half_width == 0.2
        assert (explorer.still, explorer.sentence) == (last, sentence)
        assert shown(explorer, "picture")["stale"]
        ask(explorer, "half_width", text="0.2")  # the value from before
        assert explorer.messages == {}
        assert shown(explorer, "half_width")["message"] == ""
        assert not shown(explorer, "picture")["stale"]
    ask(explorer, "count", text="0")
    why = "There is no relative interval around nothing: epsilon would be infinite"
    assert why in explorer.messages["count"]


def test_bad_values_from_python_name_the_argument_or_list_the_known(explorer):
    for value in (-1, float("nan"), "abc", None, [1, 2], True):
        with pytest.raises(ValueError, match="epsilon must be a"):
            explorer.epsilon = value
        with pytest.raises(ValueError, match="epsilon must be a"):
            IntervalExplorer(epsilon=value)
    assert explorer.solve_for == "epsilon"
    known = "'epsilon', 'half_width', 'confidence', 'count'; got 'w'"
    with pytest.raises(ValueError, match=f"solve_for must be one of {known}"):
        explorer.solve_for = "w"


def test_a_confidence_too_close_to_one_is_said(explorer):
    explorer.epsilon = 50
    assert explorer.confidence == 1 - 2**-53
    assert explorer.epsilon == 50
    assert "with a probability closer to 1 than can be written" in explorer.sentence
    explorer.solve_for = "epsilon"  # less than 50 is enough for what is left of the confidence
    assert explorer.epsilon == interval.epsilon(0.2, 1 - 2**-53, 100)
    assert explorer.messages == {}


def test_linked_explorers_neither_loop_nor_drift(explorer):
    other, seen, sentences = IntervalExplorer(count=50), [], []
    link((explorer, "epsilon"), (other, "epsilon"))
    other.observe(lambda change: seen.append(change["new"]), "epsilon")
    explorer.observe(lambda change: sentences.append(change["new"]), "sentence")
    explorer.half_width = 0.3
    assert sentences == [explorer.sentence]
    assert explorer.epsilon == other.epsilon == interval.epsilon(0.3, 0.8, 100)
    assert other.solve_for == "confidence"
    explorer.half_width = 0.1
    assert len(seen) == 2
    ask(other, "epsilon", place=30)
    assert explorer.epsilon == other.epsilon == IntervalExplorer.epsilon.grid[30]
    assert explorer.solve_for == "confidence"
