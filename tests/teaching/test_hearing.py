"""A reader answers objections to a record, and takes it away with them."""

import pytest

from dpwidgets import Hearing
from dpwidgets.decisions.case import ALL, Case
from dpwidgets.decisions.goals import BeliefGoal
from dpwidgets.decisions.record import of_case
from dpwidgets.teaching.hearing import NONE

CASE = Case(published="count", releases=4, prior=0.2, unit="<b>bees</b>")
KEPT = BeliefGoal(0.6, reach=ALL)


def hearing(epsilon, **words):
    return Hearing(of_case(CASE, [KEPT], epsilon, **words))


def point(heard, place, row):
    heard.asked(f"{place}", {"place": heard.choices.index(row)})
    return heard._shown[f"said {place}"]["text"]


def test_each_objection_is_met_by_the_row_that_answers_it_and_by_no_other():
    heard = hearing(0.1)
    for place, objection in enumerate(heard.objections):
        right = objection.answer or NONE
        assert heard._about["parts"][place + 1]["label"] == objection.asked
        for row in heard.choices:
            said = point(heard, place, row)
            assert said.startswith("Right.") is (row == right), row
            assert objection.answer or row != NONE or objection.way in said
        assert heard.met == {*range(place + 1)}


def test_the_record_with_what_was_asked_appears_once_all_is_answered():
    heard = hearing(0.1, about="bees")
    for place, objection in enumerate(heard.objections):
        assert "held" not in heard._shown
        point(heard, place, objection.answer or NONE)
    page = heard._shown["held"]["html"]
    assert "What was asked at the hearing" in page
    assert "OPEN" in page
    assert "<b>bees" not in page


def test_more_noise_and_fewer_promises_leave_less_open():
    left = [
        sum(not one.answer for one in heard.objections)
        for heard in (
            hearing(0.4),
            hearing(0.05, unprotected="nothing"),
            Hearing(of_case(CASE, [], 0.2, unprotected="nothing")),
        )
    ]
    assert left == [5, 1, 0]  # beside a partner


def test_what_is_no_record_and_what_publishes_nothing_is_refused():
    with pytest.raises(TypeError, match="record must be a record"):
        Hearing(CASE)
    with pytest.raises(ValueError, match="nothing is published"):
        hearing(None)


def test_a_page_without_a_kernel_has_all_objections_and_folds_the_answers():
    page = hearing(0.1).still_page()
    assert page.count("<details>") == 5
    assert "Next year the same is published again" in page
