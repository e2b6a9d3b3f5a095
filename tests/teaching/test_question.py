"""A question judges answers, helps step by step, and reads the same for everybody."""

import json
import re

import pytest
from hypothesis import given, strategies as st

from dpwidgets import BayesExplorer, BreachExplorer, Question
from tools import ask, assert_readable, assert_sound, enabled, press, said

pytestmark = pytest.mark.usefixtures("data_directory")


@pytest.fixture
def number():
    return Question(
        "Which ε?",
        answer=0.08,
        misconceptions={-0.08: "the sign", 12.5: "a rate for a scale"},
        hint="divide",
        solution="8/100",
        then="because",
    )


@pytest.fixture
def choice():
    return Question(
        "Which way?",
        answer="down",
        choices=("up", "down", "still"),
        misconceptions={"up": "other way", "still": "why?"},
        solution="It falls.",
    )


ROUNDED = "that is rounded too far to tell; give more digits"
PERCENT = "that is in per cent; write it as a share, or with %"


def test_a_number_is_judged_within_the_tolerance_and_with_two_digits_not_called_wrong(
    number,
):
    tiny = Question("How small?", answer=1e-15)
    zero = Question("How many?", answer=0)
    known = {0.229: "near a wrong one", 0.2: "a wrong one of one digit"}
    third = Question("A third of 0.702?", answer=0.234, misconceptions=known)
    digit = Question("Again?", answer=0.234, misconceptions={0.3: "no"})
    for asked, right in (
        (number, ("0.08", "0,0805", "8%", "2/25")),
        (zero, ("0", "1e-15")),
        (third, ("0.234", "0.232")),
        (digit, ("±23.4%",)),
    ):
        for text in right:
            assert asked.judge(text) == (True, "Right."), text
    for asked, message, texts in (
        (number, "the sign", ("-0.08",)),
        (number, "a rate for a scale", ("12,5",)),
        (number, "it is too small", ("0.01",)),
        (number, "it is too large", ("1",)),
        (tiny, "it is too small", ("0",)),
        (zero, "it is too large", ("1e-6",)),
        (third, ROUNDED, ("0.23", "0,23", "23 %", "2.3e−1")),
        (third, PERCENT, ("23.4",)),
        # Three digits say it.
        (third, "near a wrong one", ("0.230", "0.229", "23/100")),
        (third, "a wrong one of one digit", ("0.2",)),
        (third, "it is too large", ("0.24",)),
        (third, "it is too small", ("0.22", "0")),
        (digit, ROUNDED, ("0.2",)),
        (digit, "no", ("0.3",)),
        (digit, "it is too small", ("0.1", "±0.1")),
    ):
        for text in texts:
            assert asked.judge(text) == (False, f"Not yet: {message}."), text


def test_help_comes_step_by_step_and_what_comes_next_after_two_tries(number):
    assert enabled(number, "hint", "solution") == [False, False]
    assert "because" not in json.dumps(number.get_state(), default=str)
    # No number is no attempt, and stays where it was typed.
    ask(number, "answer", text="<b>")
    assert "“<b>” is not a number" in said(number)
    assert (number._shown["answer"]["text"], number.attempts) == ("<b>", 0)
    ask(number, "answer", text="1")  # Enter submits
    press(number, "check")  # leaving the field has judged it already
    assert (number.attempts, number.correct, number.revealed) == (
        1,
        False,
        False,
    )
    assert said(number) == "✗ Not yet: it is too large. 1"
    assert enabled(number, "hint", "solution") == [True, False]
    press(number, "hint")
    assert "Hint: divide" in said(number)
    assert enabled(number, "solution") == [True]
    ask(number, "answer", text="2<")
    assert "✗" not in said(number)  # what was said of another answer
    ask(number, "answer", text="2")
    assert "✗ Not yet: it is too large. See below." in said(number)
    assert "because" in number._shown["held"]["html"]
    press(number, "solution")
    assert "Solution: 8/100" in said(number)
    ask(number, "answer", text="0.08")
    assert (number.attempts, number.correct) == (3, True)
    assert "✓ Right. See below." in said(number)


def test_choices_are_judged_at_the_button_and_a_right_one_gets_its_reason_at_once(
    choice,
):
    assert choice.judge("still") == (False, "Not yet: why?")
    for odd in (None, 5, ["down"]):
        with pytest.raises(ValueError, match="choose one of the answers"):
            choice.judge(odd)
    press(choice, "check")
    assert "choose one of the answers" in said(choice)
    for way, message in (
        ("up", "✗ Not yet: other way."),
        ("down", "✓ Right. It falls."),
    ):
        attempts = choice.attempts
        ask(choice, "answer", place=choice.choices.index(way))
        # Nor what was said of another answer.
        assert not re.search("choose one|✗", said(choice))
        # Nothing is judged while a reader walks through them.
        assert choice.attempts == attempts
        press(choice, "check")
        press(choice, "check")
        assert message in said(choice)
        assert (choice.attempts, choice.correct) == (
            attempts + 1,
            way == "down",
        )


def test_the_same_answer_after_something_else_is_judged_again_and_is_no_second_try(
    number,
):
    for text in ("1", "abc", "1"):
        ask(number, "answer", text=text)
    assert said(number) == "✗ Not yet: it is too large. 1"
    assert (number.attempts, number.revealed) == (1, False)


def test_a_right_answer_opens_the_solution_and_the_solution_shows_what_comes_next(
    monkeypatch,
):
    sent = []
    right, early = (
        Question(f"Which {at}?", 1, solution="It is 1.", then="because")
        for at in "ab"
    )
    monkeypatch.setattr(
        right.comm, "send", lambda data, **_: sent.append(data["method"])
    )
    assert enabled(right, "solution") == [False]
    ask(right, "answer", text="1")
    assert sent.count("update") == 1  # an event is one message
    ask(early, "answer", text="2")
    assert enabled(right, "solution") == enabled(early, "solution") == [True]
    assert (right.revealed, early.revealed) == (True, False)
    press(early, "solution")
    assert early.revealed


def test_what_it_prints_never_depends_on_the_reader(number, choice):
    for question, answer in (
        (number, {"text": "0.08"}),
        (choice, {"place": 0}),
    ):
        before = repr(question), question._repr_mimebundle_()[0]["text/html"]
        ask(question, "answer", **answer)
        press(question, "check")
        assert question.correct
        assert (
            repr(question),
            question._repr_mimebundle_()[0]["text/html"],
        ) == before
    assert (
        repr(choice)
        == "Question: Which way?\n  ( ) down\n  ( ) up\n  ( ) still"
    )
    page = Question("a < b?", 1, hint="h", solution="<s>").still_page()
    assert ("a &lt; b?" in page, page.count("<details>"), "<s>" in page) == (
        True,
        2,
        False,
    )
    # A page without a kernel can judge answers.
    checks = json.loads(json.dumps(number.about()["checks"]))
    assert checks.pop("judged")[:2] == [
        [0.08, True, "Right."],
        [-0.08, False, "Not yet: the sign."],
    ]
    assert checks == {
        "numbers": True,
        "tolerance": 0.01,
        "zero": 1e-12,
        "below": "Not yet: it is too small.",
        "above": "Not yet: it is too large.",
        "rounded": f"Not yet: {ROUNDED}.",
        "percent": f"Not yet: {PERCENT}.",
    }


def test_an_authors_mistakes_are_errors_or_for_the_tests_of_the_notebooks_to_find():
    for arguments, message in (
        (
            {"answer": ["up"], "choices": ("up", "down")},
            "must be one of 'up', 'down'; got .'up'",
        ),
        ({"answer": None}, "answer must be a finite number; got None"),
        (
            {"answer": "up", "choices": ("up", "down", "up")},
            "choices must be at least two, no two alike; got",
        ),
        (
            {"answer": "up", "choices": ("up",)},
            r"choices must be at least two, no two alike; got \('up',\)",
        ),
        ({"hnt": "half"}, "unexpected keyword argument 'hnt'"),
        (
            {"tolerance": 1},
            "tolerance must be a number from 0 up and below 1; got 1",
        ),
        ({"hint": None}, "hint must be text; got None"),
        ({"at": {"answer": 4}}, "explorer must be an Explorer; got None"),
        (
            {"explorer": BayesExplorer(), "at": {"answr": 40}},
            "no parameter 'answr'; did you mean 'answer'",
        ),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            Question(**{"prompt": "?", "answer": 1} | arguments)
    for arguments in (
        {"choices": ("up", "down"), "misconceptions": {"down": 1}},
        {"answer": 0.1, "misconceptions": {0.1005: "no"}},
        {
            "answer": 1,
            "explorer": BreachExplorer(),
            "at": {"prior": 0.5, "posterior": 0.4},
        },
    ):
        question = Question(**{"prompt": "?", "answer": "up"} | arguments)
        with pytest.raises((AssertionError, TypeError, ValueError)):
            assert_sound(question)


typed = (
    st.text()
    | st.text(st.characters(categories=["Cc", "Cs"]))
    | st.text("0123456789.,e^%/- ")
)


@given(
    typed, st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 0.99)
)
def test_any_text_gets_a_verdict_or_a_message(text, answer, tolerance):
    question = Question(
        "How many?", answer, tolerance=tolerance, misconceptions={}
    )
    assert question.judge(repr(answer)) == (True, "Right.")
    ask(question, "answer", text=text)
    verdict = question._shown["verdict"]["text"]
    answered = question._shown["answer"]
    assert answered["text"] == text
    assert bool(verdict) != bool(answered["message"])
    assert question.correct == (verdict == "✓ Right.")
    assert_readable(ValueError(verdict or answered["message"]))


def test_a_button_and_nothing_else_sets_the_explorer_to_the_state_asked_about():
    explorer = BayesExplorer()
    explorer.epsilon = 0.5
    question = Question(
        "What is the mean at 40?",
        answer=32,
        explorer=explorer,
        at={"answer": 40},
    )
    assert explorer.epsilon == 0.5
    # A try comes before the way to read it off.
    assert enabled(question, "set") == [False]
    ask(question, "answer", text="31")
    for times in (1, 2):
        explorer.answer = 7
        press(question, "set")
        assert (explorer.answer, explorer.epsilon) == (40, 0.1)
        assert explorer._shown[""]["look"] == times  # it comes into view
        assert said(question).count("The explorer was set to this.") == 1
