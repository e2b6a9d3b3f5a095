"""A question judges answers, helps step by step, and reads the same for everybody."""

import pytest

from dpwidgets.question import Question

pytestmark = pytest.mark.usefixtures("data_directory")


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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("0.08", "Right."),
        ("0,0805", "Right."),
        ("8%", "Right."),
        ("2/25", "Right."),
        ("-0.08", "Not yet: the sign."),
        ("12,5", "Not yet: a rate for a scale."),
        ("0.16", "Not yet: a factor of two."),
        ("0.01", "Not yet: it is too small."),
        ("1", "Not yet: it is too large."),
    ],
)
def test_numbers_are_judged_within_the_tolerance(number, given, message):
    assert number.judge(given) == (message == "Right.", message)


def test_choices_are_judged(choice):
    assert choice.judge("down") == (True, "Right.")
    assert choice.judge("up") == (False, "Not yet: other way.")
    assert choice.judge("still") == (False, "Not yet.")
    with pytest.raises(ValueError, match="choose one of the answers"):
        choice.judge(None)


def test_help_comes_step_by_step(number):
    assert number.hint_button.disabled
    assert number.solution_button.disabled
    number.field.value = "1"  # Enter submits
    assert (number.attempts, number.right) == (1, False)
    assert "✗ Not yet: it is too large." in number._verdict.value
    assert not number.hint_button.disabled
    assert number.solution_button.disabled
    number.hint_button.click()
    assert "Hint: divide" in number._help.value
    number.solution_button.click()
    assert "Solution: 8/100" in number._help.value
    number.field.value = "0.08"
    assert (number.attempts, number.right) == (2, True)
    assert "✓ Right." in number._verdict.value


def test_a_second_attempt_or_the_right_answer_opens_the_solution(number):
    number.field.value = "1"
    number.check_button.click()  # leaving the field has judged it already
    assert number.attempts == 1
    assert number.solution_button.disabled
    number.field.value = "2"
    assert not number.solution_button.disabled
    other = Question("Which ε?", answer=1, hint="h", solution="s")
    other.field.value = "1"
    assert not other.solution_button.disabled


def test_what_is_no_number_is_no_attempt(number):
    number.field.value = "<b>"
    assert 'role="alert"' in number._verdict.value
    assert "“&lt;b&gt;” is not a number" in number._verdict.value
    assert number.attempts == 0
    assert number.hint_button.disabled


def test_the_choice_needs_a_choice_first(choice):
    choice.check_button.click()
    assert "choose one of the answers" in choice._verdict.value
    choice.field.value = "down"
    assert choice.attempts == 0  # nothing is judged while a reader walks through the choices
    choice.check_button.click()
    assert choice.right


def test_what_it_prints_never_depends_on_the_reader(number, choice):
    for question, answer in ((number, "0.08"), (choice, "down")):
        before = repr(question), question._repr_mimebundle_()["text/html"]
        question.field.value = answer
        question.check_button.click()
        question.hint_button.click()
        assert (repr(question), question._repr_mimebundle_()["text/html"]) == before
    assert repr(choice) == "Question: Which way?\n  ( ) up\n  ( ) down\n  ( ) still"


def test_a_page_without_a_kernel_folds_hint_and_solution():
    page = Question("a < b?", 1, hint="h", solution="<s>")._repr_mimebundle_()["text/html"]
    assert "a &lt; b?" in page
    assert page.count("<details>") == 2
    assert "<s>" not in page


@pytest.mark.parametrize(
    "arguments",
    [
        {"answer": "left", "choices": ("up", "down")},
        {"answer": "up", "choices": ("up", "down"), "misconceptions": {"left": "no"}},
        {"answer": "up", "choices": ("up", "down"), "misconceptions": {"up": "no"}},
        {"answer": 0.1, "misconceptions": {0.1005: "no"}},
    ],
)
def test_a_question_that_contradicts_itself_is_refused(arguments):
    with pytest.raises(
        ValueError, match=r"must be among the choices|cannot be a misconception|must differ"
    ):
        Question("?", **arguments)
