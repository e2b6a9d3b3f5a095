"""Code that a reader writes is called, and told what is wrong with it."""

import numpy as np
import pytest

from dpwidgets import Code, LossExplorer
from tools import press

pytestmark = pytest.mark.usefixtures("data_directory")


def right(prior, likelihood):
    joint = prior * likelihood
    return joint / joint.sum()


def code(function, **more):
    at = [
        (np.array([0.5, 0.5]), np.array([0.2, 0.8])),
        (np.ones(3), np.arange(3.0)),
    ]
    return Code("Write Bayes' rule.", function, like=right, at=at, **more)


def test_a_function_is_right_in_every_call_or_is_told_what_is_wrong():
    wrong = {"must it sum to 1?": lambda prior, likelihood: prior * likelihood}
    for function, told in (
        (right, ""),
        (lambda prior, likelihood: None, "it returns nothing"),
        (lambda prior, likelihood: prior[9], "it raises IndexError: index 9"),
        (lambda prior, likelihood: "many", "it returns 'many'"),
        (
            lambda prior, likelihood: right(prior, likelihood)[:1],
            "it returns [0.2]",
        ),
        (lambda prior, likelihood: (prior[0] / 2, 3), "it returns (0.25, 3)"),
        (lambda prior, likelihood: prior * likelihood, "must it sum to 1?"),
        (
            lambda prior, likelihood: np.array([0.2, 0.8]),
            "called with ([1. 1. 1.]",
        ),
    ):
        is_right, message = code(
            lambda function=function: function, misconceptions=wrong
        ).judge()
        assert is_right == (not told)
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


def test_what_cells_further_on_could_not_use_is_not_right():
    def changes(prior, likelihood):
        prior *= likelihood
        return prior / prior.sum()

    for function, told in (
        (changes, "it changes what it was given"),
        (lambda prior, likelihood: list(right(prior, likelihood)), "a list"),
        (lambda prior, likely: right(prior, likely), "(prior, likelihood)"),
        (lambda likelihood, prior: right(prior, likelihood), "no longer"),
        (
            lambda prior, likelihood: right(prior, likelihood).astype(str),
            "it returns",
        ),
        (lambda prior, likelihood: right(prior, likelihood)[:, None], "it"),
    ):
        asked = code(lambda function=function: function)
        for _ in range(2):  # what was given is as it was
            is_right, message = asked.judge()
            assert not is_right
            assert told in message


def test_a_misconception_that_gives_no_number_or_an_error_is_known_by_that():
    wrong = {
        "0/0": lambda prior, likelihood: prior / prior * np.nan,
        "no ninth": lambda prior, likelihood: prior[9],
    }
    for why, function in wrong.items():
        asked = code(lambda function=function: function, misconceptions=wrong)
        assert asked.judge() == (False, f"Not yet: {why}.")


def test_it_takes_no_explorer_and_no_help_that_it_does_not_know():
    for argument in ({"explorer": LossExplorer()}, {"hnt": "Divide."}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            code(lambda: right, **argument)
