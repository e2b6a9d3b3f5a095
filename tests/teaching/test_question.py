"""A question judges answers, helps step by step, and reads the same for everybody."""

import json

import comm
import pytest
from hypothesis import given, strategies as st

from dpwidgets import BayesExplorer, BreachExplorer, IntervalExplorer
from dpwidgets.teaching.question import Question
from tools import ask, assert_readable, assert_sound, press, said

pytestmark = pytest.mark.usefixtures("data_directory")


def enabled(question, name):
    return not question._shown[name]["disabled"]


@pytest.fixture
def number():
    return Question(
        "Which ε?",
        answer=0.08,
        misconceptions={-0.08: "the sign", 12.5: "a rate for a scale", 0.16: "a factor of two"},
        hint="divide",
        solution="8/100",
    )


@pytest.fixture
def choice():
    return Question(
        "Which way?",
        answer="down",
        choices=("up", "down", "still"),
        misconceptions={"up": "other way"},
    )


def test_numbers_are_judged_within_the_tolerance(number):
    for text in ("0.08", "0,0805", "8%", "2/25"):
        assert number.judge(text) == (True, "Right.")
    for text, message in {
        "-0.08": "the sign",
        "12,5": "a rate for a scale",
        "0.16": "a factor of two",
        "0.01": "it is too small",
        "1": "it is too large",
    }.items():
        assert number.judge(text) == (False, f"Not yet: {message}.")


def test_a_right_number_of_two_digits_is_not_called_wrong():
    known = {0.229: "near a wrong one", 0.2: "a wrong one of one digit"}
    asked = Question("A third of 0.702?", answer=0.234, misconceptions=known)
    assert asked.judge("0.234") == asked.judge("0.232") == (True, "Right.")
    for message, texts in {
        "that is rounded too far to tell; give more digits": ("0.23", "0,23", "23 %"),
        "near a wrong one": ("0.230", "0.229", "23/100"),  # three digits say it
        "a wrong one of one digit": ("0.2",),
        "it is too large": ("0.24",),
        "it is too small": ("0.22", "0"),
    }.items():
        for text in texts:
            assert asked.judge(text) == (False, f"Not yet: {message}."), text


def test_choices_are_judged(choice):
    assert choice.judge("down") == (True, "Right.")
    assert choice.judge("up") == (False, "Not yet: other way.")
    assert choice.judge("still") == (False, "Not yet.")


def test_what_is_no_text_is_no_answer(number, choice):
    for odd in (None, 5, ["down"], b"down"):
        with pytest.raises(ValueError, match="choose one of the answers"):
            choice.judge(odd)
        with pytest.raises(ValueError, match="type a number"):
            number.judge(odd)


def test_help_comes_step_by_step(number):
    assert not enabled(number, "hint")
    ask(number, "answer", text="1")  # Enter submits
    press(number, "check")  # leaving the field has judged it already
    assert (number.attempts, number.right) == (1, False)
    assert "✗ Not yet: it is too large." in said(number)
    assert enabled(number, "hint")
    assert not enabled(number, "solution")
    press(number, "hint")
    assert "Hint: divide" in said(number)
    press(number, "solution")
    assert "Solution: 8/100" in said(number)
    ask(number, "answer", text="0.08")
    assert (number.attempts, number.right) == (2, True)
    assert "✓ Right." in said(number)


def test_a_second_attempt_or_the_right_answer_opens_the_solution(number):
    ask(number, "answer", text="1")
    assert not enabled(number, "solution")
    ask(number, "answer", text="2")
    assert enabled(number, "solution")
    other = Question("Which ε?", answer=1, hint="h", solution="s")
    ask(other, "answer", text="1")
    assert enabled(other, "solution")


def test_what_is_no_number_is_no_attempt_and_stays_where_it_was_typed(number):
    ask(number, "answer", text="<b>")
    assert number._shown["answer"]["message"].startswith("“<b>” is not a number")
    assert number._shown["answer"]["text"] == "<b>"
    assert number.attempts == 0
    assert not enabled(number, "hint")
    ask(number, "answer", text="2")
    assert not number._shown["answer"]["message"]
    ask(number, "answer", text="2<")
    assert "✗" not in said(number)  # what was said of another answer


def test_the_choice_needs_a_choice_first(choice):
    press(choice, "check")
    assert "choose one of the answers" in said(choice)
    ask(choice, "answer", place=choice.choices.index(choice.answer))
    assert choice.attempts == 0  # nothing is judged while a reader walks through the choices
    assert "choose one" not in said(choice)
    press(choice, "check")
    assert choice.right
    press(choice, "check")
    assert choice.attempts == 1


def test_a_question_is_one_widget(choice, monkeypatch):
    told, create = [], comm.create_comm
    monkeypatch.setattr(comm, "create_comm", lambda **given: told.append(given) or create(**given))
    question = Question("Which?", "down", choices=("up", "down"), hint="h", then="because")
    assert len(told) == 2  # and its layout
    messages = []
    monkeypatch.setattr(question.comm, "send", lambda data, **_: messages.append(data["method"]))
    ask(question, "answer", place=1)
    assert messages.count("update") == 1
    press(question, "check")
    assert messages.count("update") == 2
    assert len(told) == 2


def test_each_part_is_there_that_its_reader_needs_and_no_other(number, choice):
    def names(question):
        parts = question._about["parts"]
        row = next(part for part in parts if part.get("look") == "row")["parts"]
        return [part["name"] for part in row]

    assert names(number) == ["check", "hint", "solution", "mark"]
    assert names(choice) == ["check", "mark"]
    field = number._about["parts"][1]
    assert (field["kind"], field["label"]) == ("text", "Your answer")
    listed = choice._about["parts"][1]
    assert (listed["kind"], listed["options"]) == ("choice", ["down", "up", "still"])


def test_what_it_prints_never_depends_on_the_reader(number, choice):
    for question, answer in ((number, {"text": "0.08"}), (choice, {"place": 0})):
        before = repr(question), question._repr_mimebundle_()[0]["text/html"]
        ask(question, "answer", **answer)
        press(question, "check")
        question.show_hint()
        assert question.right
        assert (repr(question), question._repr_mimebundle_()[0]["text/html"]) == before
    assert repr(choice) == "Question: Which way?\n  ( ) down\n  ( ) up\n  ( ) still"


def test_a_page_without_a_kernel_folds_hint_and_solution():
    page = Question("a < b?", 1, hint="h", solution="<s>")._repr_mimebundle_()[0]["text/html"]
    assert "a &lt; b?" in page
    assert page.count("<details>") == 2
    assert "<s>" not in page


MISTAKES = [
    ({"answer": "left", "choices": ("up", "down")}, "must be one of 'up', 'down'; got 'left'"),
    ({"answer": ["up"], "choices": ("up", "down")}, "must be one of 'up', 'down'; got .'up'"),
    ({"answer": "up", "choices": "up"}, "answer must be one of 'u', 'p'; got 'up'"),
    ({"answer": "up", "choices": ("up", 2)}, "choices must be text; got 2"),
    ({"answer": "a", "choices": ("a", "\ud83d")}, "choices must be whole characters"),
    ({"answer": None}, "answer must be a finite number; got None"),
    ({"answer": [1, 2]}, "answer must be a finite number; got an array"),
    ({"tolerance": 1}, "tolerance must be a number from 0 up and below 1; got 1"),
    ({"hint": None}, "hint must be text; got None"),
    ({"solution": "\udc00"}, "solution must be whole characters"),
    ({"prompt": "\udc00"}, "prompt must be whole characters"),
    ({"at": {"answer": 40}}, "explorer must be an Explorer; got None"),
    ({"of": "answer"}, "explorer must be an Explorer; got None"),
    ({"explorer": 7}, "explorer must be an Explorer; got 7"),
    ({"explorer": BayesExplorer, "at": {"answer": 40}}, "explorer must be an Explorer"),
    ({"explorer": "ours", "at": {"answr": 40}}, "no parameter 'answr'; did you mean 'answer'"),
    ({"explorer": "ours", "at": {"p": 7}}, "p must be"),
    ({"explorer": "ours", "of": "answr"}, "of must be one of 'n', 'p', .*; got 'answr'"),
]


def test_an_authors_mistakes_are_errors():
    for arguments, message in MISTAKES:
        ours = {"explorer": BayesExplorer()} if arguments.get("explorer") == "ours" else {}
        with pytest.raises((TypeError, ValueError), match=message):
            Question(**{"prompt": "?", "answer": 1} | arguments | ours)


def test_other_mistakes_are_for_the_tests_of_the_notebooks_to_find():
    for arguments in (
        {"choices": ("up", "down"), "misconceptions": {"left": "no"}},
        {"choices": ("up", "down"), "misconceptions": {"up": "no"}},
        {"choices": ("up",)},
        {"choices": ("up", "up")},
        {"choices": ("up", "down"), "misconceptions": {"down": 1}},
        {"answer": 0.1, "misconceptions": {0.1005: "no"}},
        {"answer": 0.1, "misconceptions": {"0.2": "no"}},
        {"answer": 0.1, "misconceptions": {0.2: None}},
        {"answer": 1, "explorer": BreachExplorer(), "at": {"prior": 0.5, "posterior": 0.4}},
    ):
        question = Question(**{"prompt": "?", "answer": "up"} | arguments)
        with pytest.raises((AssertionError, TypeError, ValueError)):
            assert_sound(question)


def test_only_where_zero_is_right_is_nearly_zero_right():
    tiny, zero = Question("How small?", answer=1e-15), Question("How many?", answer=0)
    assert tiny.judge("0") == (False, "Not yet: it is too small.")
    assert tiny.judge("1e-15")[0]
    assert zero.judge("1e-15")[0]
    assert not zero.judge("1e-6")[0]


typed = st.text() | st.text(st.characters(categories=["Cc", "Cs"])) | st.text("0123456789.,e^%/- ")


@given(typed, st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 0.99))
def test_any_text_gets_a_verdict_or_a_message(text, answer, tolerance):
    question = Question("How many?", answer, tolerance=tolerance, misconceptions={})
    assert question.judge(repr(answer)) == (True, "Right.")
    ask(question, "answer", text=text)
    question.submit()
    assert json.dumps(question._shown).encode()
    verdict, answered = question._shown["verdict"]["text"], question._shown["answer"]
    assert answered["text"] == text
    assert bool(verdict) != bool(answered["message"])
    assert question.right == (verdict == "✓ Right.")
    assert_readable(ValueError(verdict or answered["message"]))


@given(typed, st.lists(typed, unique=True, min_size=2))
def test_any_texts_can_be_choices_or_are_refused(prompt, choices):
    try:
        question = Question(prompt, choices[0], choices=choices, hint=prompt, solution=prompt)
    except ValueError as error:
        assert_readable(error, "must be whole characters")
        return
    assert question.judge(choices[0]) == (True, "Right.")
    assert question.judge(choices[1]) == (False, "Not yet.")
    assert question._repr_mimebundle_()[0]["text/html"].encode()


def test_what_comes_next_waits_for_a_right_answer_or_two_tries(choice):
    question = Question("Which ε?", answer=1, then="because")
    assert "because" not in json.dumps(question.get_state(), default=str)
    ask(question, "answer", text="abc")  # no answer
    assert not question.held.revealed
    ask(question, "answer", text="2")
    assert not question.held.revealed
    assert "See below." not in said(question)
    ask(question, "answer", text="3")
    assert "See below." in said(question)
    assert "because" in question._shown["held"]["html"]
    page = question._repr_mimebundle_()[0]["text/html"]
    assert "<summary>What comes next</summary>" in page
    assert choice.held is None
    again = Question("Which ε?", answer=1, then="because")  # answered before
    assert "because" in again._shown["held"]["html"]


def test_what_comes_next_comes_with_the_solution():
    question = Question("Which ε of all?", answer=1, hint="One.", solution="It is 1.", then="yes")
    ask(question, "answer", text="2")
    press(question, "hint")
    assert not question.held.revealed
    press(question, "solution")
    assert question.held.revealed


def test_no_place_wins():
    def place(prompt):
        return Question(prompt, "a", choices=("a", "b", "c")).choices.index("a")

    places = [place(f"Which, in case {case}?") for case in range(300)]
    assert all(75 <= places.count(which) <= 125 for which in range(3))
    assert place("Which, in case 7?") == places[7]  # the same each time


def test_an_explorer_that_comes_next_is_a_child_and_is_there_at_once_later():
    def make():
        return IntervalExplorer(count=500)

    question = Question("Which ε?", answer=1, then=make)
    assert question._child is None
    ask(question, "answer", text="1")
    assert question._child.count == 500
    assert question.get_state()["_child"] == f"anywidget:{question._child.model_id}"
    assert Question("Which ε?", answer=1, then=make)._child.count == 500


def test_a_button_and_nothing_else_sets_the_explorer_to_the_state_asked_about():
    explorer = BayesExplorer()
    explorer.epsilon = 0.5
    question = Question(
        "What is the mean at 40?", answer=32, explorer=explorer, at={"answer": 40}, of="answer"
    )
    assert explorer.epsilon == 0.5
    assert question._about["parts"][1]["label"] == "Your answer (records)"
    explorer.answer = 7
    assert "look" not in explorer._shown[""]
    assert question._shown["set"]["disabled"]  # a first try comes before the way to read it off
    ask(question, "answer", text="31")
    press(question, "set")
    assert (explorer.answer, explorer.epsilon) == (40, 0.1)
    assert explorer._shown[""]["look"] == 1  # it comes into view
    assert "The explorer is set." in said(question)
    press(question, "set")
    assert explorer._shown[""]["look"] == 2
    explorer.close()
    question.set_explorer()
    assert "no longer on the page" in said(question)
    assert "The explorer is set." not in said(question)


def test_a_page_without_a_kernel_can_judge_answers():
    question = Question(
        "Two and two?", 4, tolerance=0.1, misconceptions={22: "that is side by side"}
    )
    _, metadata = question._repr_mimebundle_()
    assert json.loads(json.dumps(metadata["dpwidgets"]["checks"])) == {
        "numbers": True,
        "judged": [[4, True, "Right."], [22, False, "Not yet: that is side by side."]],
        "tolerance": 0.1,
        "zero": 1e-12,
        "below": "Not yet: it is too small.",
        "above": "Not yet: it is too large.",
        "rounded": "Not yet: that is rounded too far to tell; give more digits.",
    }
