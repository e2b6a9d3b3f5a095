"""The worlds explorer without a browser: lists and names, following, refusing, saying."""

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


def test_it_starts_at_the_texts_example(explorer):
    assert repr(explorer) == (
        "After the answer 2 with ε = 2, the adversary would guess that Terry is missing, with a "
        "probability of 68.3%; a blind guess has 25%. The risk, at the worst answer, is 68.3%. "
        "It stays within 33.3% up to ε = 0.432 (by the text’s bound, up to 0.383). The noise now "
        "has scale 1.42: half of all answers lie within ±0.982 of the truth."
    )
    explorer.answer = 2.2013
    assert "guess that Terry is missing, with a probability of 61.8%" in explorer.sentence
    assert explorer.code == (
        "from dpwidgets.calculators import worlds\n"
        f"worlds.disclosure(values={{'Chris': 1.0, 'Kelly': 2.0, 'Pat': 3.0, 'Terry': 10.0}}, "
        f"query='mean', epsilon=2.0, answer=2.2013, risk={1 / 3!r})"
    )


def test_typed_values_are_the_values(explorer):
    assert shown(explorer, "values")["text"] == "Chris: 1; Kelly: 2; Pat: 3; Terry: 10"
    ask(explorer, "values", text="1 2 3\n4")
    assert explorer.values == (1, 2, 3, 4)
    assert shown(explorer, "values")["text"] == "1 2 3\n4"
    assert "the record with value 4 (the 4th) is missing" in explorer.sentence
    ask(explorer, "values", text="Ann: 5, Bob: 6, Cy: 9")
    assert explorer.values == {"Ann": 5, "Bob": 6, "Cy": 9}
    assert "guess that Cy is missing" in explorer.sentence
    assert explorer.messages == {}


def test_bad_text_gets_a_message_and_loses_nothing(explorer):
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
    explorer.values = np.array([1, 2, 3, 4])
    assert explorer.values == (1, 2, 3, 4)
    explorer.values = Series([1, 2, 3, 10], list(STUDENTS))
    assert explorer.values == STUDENTS
    assert WorldsExplorer(values=STUDENTS).result == explorer.result
    with pytest.raises(
        ValueError, match=r"values must be a list of .*; got nan for the 3rd record"
    ):
        explorer.values = [1, 2, np.nan, 4]
    with pytest.raises(ValueError, match=r"values must be a list of .* of shape \(2,\)"):
        WorldsExplorer(values=[1, 2])
    assert explorer.values == STUDENTS
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
    explorer.values = column
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
    assert shown(explorer, "picture")["alt"] == explorer.sentence
    parts = str(explorer._about)
    assert "'html'" not in parts  # the page sets all else as text


def test_the_answer_follows_the_records_until_it_is_moved(explorer):
    explorer.values = [10, 20, 30, 70]
    assert explorer.answer == 20
    explorer.answer = 25
    explorer.values = [10, 20, 30, 40]
    assert explorer.answer == 25


def test_the_answers_slider_spans_the_picture(explorer):
    for values in (STUDENTS, [1e6, 2e6, 5e6, 3e6], [0.01, 0.02, 0.05]):
        explorer.values = values
        explorer.answer = None
        low, high = explorer.result.frame
        ask(explorer, "answer", place=0)
        assert low <= explorer.answer <= low + (high - low) / 50
        ask(explorer, "answer", place=shown(explorer, "answer")["max"])
        assert high - (high - low) / 50 <= explorer.answer <= high
        assert plots.Answers.shared().axes.get_xlim() == (low, high)


def test_worlds_that_answer_alike_and_promises_that_cannot_be_kept_are_sentences(explorer):
    explorer.query = "count"
    assert (
        repr(explorer) == "All 4 worlds answer 3, so even without noise nobody learns from it "
        "which of these records is missing. For other records the answer may differ, so ε-privacy "
        "asks for noise all the same."
    )
    explorer.query = "median"
    assert (
        "guess that Pat or Terry is missing, each with a probability of 31.1%" in explorer.sentence
    )
    explorer.risk = 0.5
    assert "It stays within 50% at every ε, since enough worlds share each answer." in (
        explorer.sentence
    )
    explorer.risk = 0.25
    assert "No ε keeps the risk within 25%, since a blind guess already has 25%." in (
        explorer.sentence
    )
    explorer.values, explorer.answer = [0] * 5 + [1] * 4, 0
    assert (
        "guess that one of 4 records is missing, each with a probability of 21.4%"
        in explorer.sentence
    )
    assert explorer.messages == {}


def test_the_result_is_the_calculators_and_no_guess_is_surer_than_the_risk(explorer):
    explorer.epsilon, explorer.risk, explorer.query = 0.5, 0.4, "variance"
    assert explorer.result == worlds.disclosure(STUDENTS, "variance", epsilon=0.5, risk=0.4)
    explorer.query, explorer.epsilon = "mean", 1000
    assert "with a probability of 100%" not in explorer.sentence
    assert not shown(explorer, "epsilon")["slow"]
    explorer.values = np.arange(20_001)
    assert shown(explorer, "epsilon")["slow"]
