"""A reader answers by rows of a record, or that it does not say, and nobody judges it."""

import re

import pytest

from dpwidgets import Hearing
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import BeliefGoal
from dpwidgets.decisions.record import QUESTIONS, of_case
from dpwidgets.teaching.hearing import SILENT

CASE = Case(published="count", releases=4, prior=0.2, unit="<b>bees</b>")
KEPT = (BeliefGoal(0.6),)


def hearing(epsilon=0.1, goals=KEPT, **words):
    return Hearing(of_case(CASE, goals, epsilon, **words))


def answers(heard):
    return [said for _, said in heard._shown["question"]["options"]]


def test_a_row_that_is_pressed_goes_under_its_question_with_its_headings():
    heard = hearing()
    page = heard.still_page()  # where no kernel is
    assert page.count("<details>") == len(QUESTIONS)
    assert "srcdoc" in page
    written = heard._about["parts"][0]["parts"][0]["html"]
    places = re.findall(r'data-place="(\d+)"', written)
    assert places == [str(place) for place in range(len(heard.rows))]
    assert "<th>met</th>" in written
    # Nothing is headed by an empty cell, nor by an empty row.
    assert not re.search("<th></th>|<tr></tr>", written)
    for place, row in enumerate(heard.rows):
        heard.asked("question", {"place": 3})
        heard.asked("row", {"place": place})
        assert answers(heard)[3] == row
    assert any("If it turns out" in row for row in heard.rows)
    assert heard._shown["question"]["place"] == 0  # the next without one


def test_nothing_is_judged_and_the_next_question_is_one_without_an_answer():
    for heard in (hearing(), hearing(20.0, (), unprotected="-")):
        for place, question in enumerate(QUESTIONS):
            assert heard._shown["question"]["place"] == place
            heard.asked("silent", {"pressed": True})
            assert answers(heard)[place] == f"{SILENT}. {question.way}"
        heard.asked("row", {"place": 0})
        assert answers(heard)[-1] == heard.rows[0]
        assert not re.search(r"Right\.|Not yet|OPEN", f"{heard._shown}")


def test_what_is_said_to_a_patient_is_taken_away_with_the_record():
    heard = hearing(about="<i>bees</i>")
    heard.asked("row", {"place": 0})
    assert not heard._shown["files"]["files"]
    heard.asked("sentence", {"text": "At most <u>6</u> in 10."})
    assert "from 20% to at most 27.2%" in heard._shown["told"]["html"]
    page, text = (file[2] for file in heard._shown["files"]["files"])
    for one in (page, text):
        assert "What was asked at the hearing" in one
        assert QUESTIONS[0].asked in one
        assert "in 10." in one
        assert "from 20% to at most 27.2%" in one
        assert heard.record.id in one
    written = heard._about["parts"][0]["parts"][0]["html"]
    for one in (page, text, written):
        assert not re.search("<[ubi]>", one)
    heard.asked("sentence", {"text": " "})
    assert not heard._shown["told"]["html"]
    assert not heard._shown["files"]["files"]


def test_a_record_that_publishes_nothing_is_heard_and_what_is_none_is_not():
    heard = hearing(None)
    heard.asked("sentence", {"text": "We publish nothing."})
    assert not heard._shown["told"]["html"]
    assert heard._shown["files"]["files"]
    with pytest.raises(TypeError, match="record must be a record"):
        Hearing(CASE)
