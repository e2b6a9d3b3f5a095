"""Code that a reader writes: what is right, what is wrong with it, and what is only shown late."""

import numpy as np
import pytest

from dpwidgets import Code
from tools import press


def right(prior, likelihood):
    joint = prior * likelihood
    return joint / joint.sum()


AT = [(np.array([0.5, 0.5]), np.array([0.2, 0.8])), (np.ones(3), np.arange(3.0))]


def judged(function, **more):
    return Code("Write Bayes' rule.", lambda: function, like=right, at=AT, **more).judge()


def test_a_function_that_is_right_in_every_call_is_right():
    assert judged(right) == (True, "Right.")
    assert judged(lambda prior, likelihood: list(right(prior, likelihood))) == (True, "Right.")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda prior, likelihood: None, "it returns nothing"),
        (lambda prior, likelihood: prior[9], "it raises IndexError: index 9"),
        (lambda prior: prior, "it raises TypeError"),
        (lambda prior, likelihood: "many", "it returns 'many'"),
        (lambda prior, likelihood: right(prior, likelihood)[:1], "it returns [0.2]"),
        (lambda prior, likelihood: (prior[0] / 2, 3), "it returns (0.25, 3)"),
        (lambda prior, likelihood: prior * likelihood, "it must sum to 1"),
        (lambda prior, likelihood: np.array([0.2, 0.8]), "called with (array([1., 1., 1.])"),
    ],
)
def test_what_is_wrong_is_said(function, said):
    wrong = {"it must sum to 1": lambda prior, likelihood: prior * likelihood}
    answer = judged(function, misconceptions=wrong)
    assert answer[0] is False
    assert said.replace("called with (array([1., 1., 1.])", "called with ([1. 1. 1.]") in answer[1]


def test_the_newest_function_is_judged_and_help_waits_for_a_try():
    cells = {"written": lambda prior, likelihood: prior}
    code = Code(
        "Write it.",
        lambda: cells["written"],
        like=right,
        at=AT,
        hint="Divide.",
        solution="/",
        then="Now!",
    )
    assert code._shown["hint"]["disabled"]
    assert "set" not in code._shown
    press(code, "check")
    assert not code.right
    assert code.attempts == 1
    assert not code.held.revealed
    cells["written"] = right
    press(code, "check")
    assert code.right
    assert code.solved
    assert code.held.revealed
    assert repr(code) == "Code: Write it."
    assert code.checks() == {}
