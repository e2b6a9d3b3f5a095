"""A column in a box, seen on the worlds explorer: typed, assigned, refused, shortened, followed."""

import numpy as np
import pytest

from dpwidgets import WorldsExplorer
from dpwidgets.calculators import worlds
from dpwidgets.plots import worlds as plots
from tools import Series, ask, shown

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


@pytest.fixture
def explorer():
    return WorldsExplorer()


def test_typed_values_are_the_values(explorer):
    assert explorer.result == worlds.disclosure(STUDENTS, "mean", epsilon=2, risk=1 / 3)
    assert shown(explorer, "values")["text"] == "Chris: 1; Kelly: 2; Pat: 3; Terry: 10"
    ask(explorer, "values", text="1 2 3\n4")
    assert explorer.values == (1, 2, 3, 4)
    assert shown(explorer, "values")["text"] == "1 2 3\n4"
    ask(explorer, "values", text="Ann: 5, Bob: 6, Cy: 9")
    assert explorer.values == {"Ann": 5, "Bob": 6, "Cy": 9}
    assert explorer.messages == {}
    last = explorer.still
    for text, message in {
        "1, 2": "a list of at least three finite numbers; got an array of shape (2,)",
        "<img src=x>: 1, b: <b>": "the 2nd entry: “<b>” is not a number",
        "1e200, -1e308, 1e308": "got 1e+308. Choose another unit: nothing else changes",
    }.items():
        ask(explorer, "values", text=text)
        assert message in explorer.messages["values"] == shown(explorer, "values")["message"]
        assert (explorer.still, shown(explorer, "values")["text"]) == (last, text)


def test_columns_come_from_python(explorer):
    explorer.values = Series([1, 2, 3, 10], list(STUDENTS))
    assert explorer.values == STUDENTS
    for given in ([1, 2, np.nan, 4], [1, 2]):
        with pytest.raises(ValueError, match=r"values must be a list of .*; got"):
            explorer.values = given
    explorer.values["Terry"] = 11.0
    assert WorldsExplorer().values == STUDENTS  # no explorer shares them with another


def test_a_long_column_is_shown_shortened_and_cannot_be_lost(explorer):
    column = np.random.default_rng(9).lognormal(10, 1, 5000).round(2)
    explorer.values = column
    text = shown(explorer, "values")["text"]
    assert "… 4,997 more …" in text
    assert "5,000 records" in shown(explorer, "values")["remark"]
    ask(explorer, "values", text=text.replace("…", "…,", 1))
    assert "shortened" in explorer.messages["values"]
    assert explorer.values == tuple(column)
    explorer.values = column[::-1]
    assert not explorer.messages
    names = {}
    exec(explorer.code.replace("\nworlds.", "\nresult = worlds."), names)  # whole, and it runs
    assert names["result"] == explorer.result
    page = shown(explorer, "code")["text"]
    assert len(page) < 500
    assert "… 4,997 more …" in page
    assert "shortened here" in page


def test_names_are_text_wherever_they_stand_and_escaped_in_the_picture(explorer):
    explorer.values = {"<b>Ann</b>": 1, 'say "x"': 2, "<img src=x onerror=y>": 9}
    assert "guess that <img src=x onerror=y> is missing" in explorer.sentence
    for layer in (explorer._still, explorer._moving):
        assert "<b>" not in layer
        assert "<img" not in layer
    assert "&lt;b&gt;Ann" in explorer._moving
    assert "'html'" not in str(explorer._about)  # the page sets all else as text


def test_the_answers_slider_spans_the_picture(explorer):
    for values in (STUDENTS, [1e6, 2e6, 5e6, 3e6], [0.01, 0.02, 0.05]):
        explorer.values, explorer.answer = values, None
        low, high = explorer.result.frame
        ask(explorer, "answer", place=0)
        assert low <= explorer.answer <= low + (high - low) / 50
        ask(explorer, "answer", place=shown(explorer, "answer")["max"])
        assert high - (high - low) / 50 <= explorer.answer <= high
        assert plots.Answers.shared().axes.get_xlim() == (low, high)
