"""What all that ask share, what they hold back, and code that a reader writes."""

import numpy as np
import pytest
from ipywidgets import IntSlider

from dpwidgets import (
    Code,
    IntervalExplorer,
    Ledger,
    Question,
    WorldsExplorer,
)
from dpwidgets.plots.curves import Curves
from tools import ask, press

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
    for then, address, words in (
        (
            explorer,
            {"link": "#interval?count=500", "only": []},
            (explorer.sentence.split(":")[0], "data:image/png;base64,"),
        ),
        (Question("And then?", 2), None, ("And then?",)),
    ):
        question = held(then, f"Before “{words[0]}”?")
        assert all(word in question.still_page() for word in words)
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


def right(prior, likelihood):
    joint = prior * likelihood
    return joint / joint.sum()


def code(function, **more):
    at = [
        (np.array([0.5, 0.5]), np.array([0.2, 0.8])),
        (np.ones(3), np.arange(3.0)),
    ]
    return Code("Write Bayes' rule.", function, like=right, at=at, **more)


def changes(prior, likelihood):
    prior *= likelihood
    return prior / prior.sum()


WRONG = {
    "must it sum to 1?": lambda prior, likelihood: prior * likelihood,
    # Which gives no number, or an error.
    "0/0": lambda prior, likelihood: prior / prior * np.nan,
    "no ninth": lambda prior, likelihood: prior[8],
}
#: What a reader may write, and what is said of it.
TOLD = [
    (right, "Right."),
    *((function, why) for why, function in WRONG.items()),
    (lambda prior, likelihood: None, "it returns nothing"),
    (lambda prior, likelihood: prior[9], "it raises IndexError: index 9"),
    (lambda prior, likelihood: "many", "it returns 'many'"),
    (
        lambda prior, likelihood: right(prior, likelihood)[:1],
        "it returns [0.2]",
    ),
    (lambda prior, likelihood: (prior[0] / 2, 3), "a tuple where an array"),
    (
        lambda prior, likelihood: np.array([0.2, 0.8]),
        "called with ([1. 1. 1.]",
    ),
    # Cells further on could not use what follows.
    (changes, "it changes what it was given"),
    (lambda prior, likelihood: list(right(prior, likelihood)), "a list"),
    (lambda prior, likely: right(prior, likely), "(prior, likelihood)"),
    (lambda likelihood, prior: right(prior, likelihood), "no longer"),
    (
        lambda prior, likelihood: right(prior, likelihood).astype(str),
        "it returns",
    ),
    (
        lambda prior, likelihood: right(prior, likelihood)[:, None],
        "it returns",
    ),
]


@pytest.mark.parametrize(("function", "told"), TOLD)
def test_a_function_is_right_in_every_call_or_is_told_what_is_wrong(
    function, told
):
    asked = code(lambda: function, misconceptions=WRONG)
    for _ in range(2):  # what was given is as it was
        is_right, message = asked.judge()
        assert is_right == (function is right)
        assert told in message
        assert not message.endswith("?.")


def test_a_misconception_is_told_where_it_agrees_in_every_call_not_by_chance():
    wrong = {
        "always yes": lambda before, after: True,
        "the sign": lambda before, after: after > before,
        "both": lambda before, after: (before, after),
        "it fails": lambda before, after: 1 / 0,
    }
    for function, told in (
        (wrong["the sign"], "the sign."),
        (wrong["always yes"], "always yes."),
        (wrong["both"], "both."),
        (lambda before, after: after != before, "it returns True."),
        (lambda before, after: float("x"), "to float: 'x'."),
    ):
        asked = Code(
            "Guess.",
            lambda function=function: function,
            like=lambda before, after: after - before > 0.5,
            at=[(1, 1.2), (1, 0.4), (1, 1)],
            misconceptions=wrong,
        )
        assert asked.judge()[1].endswith(told)


class Refusing:
    """What can be neither written nor made an array of."""

    def __repr__(self):
        raise RuntimeError

    __array__ = __repr__


def test_what_is_right_but_for_a_rounding_or_a_factor_is_told_so():
    for like, function, told in (
        (lambda x: round(x), lambda x: x, "for rounding to a whole number."),
        (lambda x: x, lambda x: round(x, 1), "but rounded: keep all digits."),
        (lambda x: x, lambda x: -2 * x, "that is −2 times what is right"),
        (lambda x: x > 2, lambda x: True, "it returns True."),
        (lambda x: x, lambda x: x + 1, "it returns 2.41"),
        (lambda x: 3, lambda x: 6, "it returns 6."),
        (lambda x: np.ones(2), lambda x: np.zeros(2), "it returns [0. 0.]."),
        (lambda x: x, lambda x: 0 * x, "it returns 0.0."),
        (lambda x: x / 10, lambda x: 0 * x, "it returns 0.0."),
        (lambda x: x, lambda x: None, "it returns nothing."),
        (lambda x: x, lambda x: x * 1.00002, "that is 1.00002 times"),
        (lambda x: x, lambda x: np.inf, "it returns inf."),
        (lambda x: x, lambda x: 10**5000, "it returns a value of type int."),
        (lambda x: x, lambda x: Refusing(), "it returns <Refusing"),
        (lambda x: x * np.ones(3), lambda x: 3.5, "it returns 3.5."),
        (lambda x: x * np.ones(2), lambda x: [x, x], "a list where an array"),
        (lambda x: (x, 7), lambda x: (x + 1, 7), "; number 2 of these is"),
        (lambda x: (x, 7), lambda x: [x + 1, 8], "it returns [2.41, 8]."),
    ):
        asked = Code(
            "Write it.",
            lambda function=function: function,
            like=like,
            at=[(1.41,), (3.37,)],
        )
        right, message = asked.judge()
        assert not right
        assert told in message, message


def test_a_misconception_that_is_right_is_an_error_whatever_its_arguments_are_called():
    with pytest.raises(ValueError, match="misconceptions must be wrong"):
        code(lambda: right, misconceptions={"so": lambda p, q: right(p, q)})


def test_the_newest_function_is_judged():
    cells = {"written": lambda prior, likelihood: prior}
    written = code(lambda: cells["written"], hint="Divide.", then="Now!")
    for function, is_right in ((cells["written"], False), (right, True)):
        cells["written"] = function
        press(written, "check")
        assert (written.correct, written.solved, written.revealed) == (
            is_right,
        ) * 3
    assert written.attempts == 2
    assert repr(written) == "Code: Write Bayes' rule."
    assert written.about() == {}
