"""What is asked, hinted, solved and called wrong in a notebook is recomputed in another way.

Of each question, task and piece of code all numbers are read where the
page shows them: in the prompt those that the notebook computed, in the hint,
the solution, what comes next if that is plain words, and of a question also
the answer and what is wrong with others. Each is given in the prompt, or an
oracle returns it (oracles.py). A new prompt that needs an oracle fails without
one.
"""

import ast
import html
import re
from functools import cache

import pytest

from dpwidgets import Question
from here import answered
from numbers_in_words import ALWAYS, quantities, typed, unnamed
from oracles_00_04 import ORACLES as FIRST
from oracles_01 import ORACLES as FOURTH
from oracles_05_06 import ORACLES as SECOND
from oracles_07_11 import ORACLES as THIRD
from test_teaching import CELLS, ORDER
from tools import ASKS

ORACLES = FIRST | SECOND | THIRD | FOURTH


def folded(page, summary):
    """Return the plain words folded under a summary, if nothing else stands there."""
    found = re.search(
        rf"<summary>{summary}</summary><p [^>]*>([^<]*)</p></details>", page
    )
    return html.unescape(found[1]) if found else ""


def asked(cell):
    """Return what a cell asks: the prompt, the words around it, and numbers that it judges."""
    (output,) = cell.outputs
    _, _, plain = output.data["text/plain"].partition(": ")
    prompt = plain.splitlines()[0]
    page = output.data["text/html"]
    words = [folded(page, "Hint"), folded(page, "What comes next")]
    # Whose solution is a state, or code.
    if not cell.source.startswith(("Task(", "Code(")):
        words.append(folded(page, "Solution"))
    checks = output.metadata["dpwidgets"].get("checks", {})
    judged = checks.get("judged", [])
    words += [said for _, right, said in judged if not right]
    words += [
        one for one, right, _ in judged if right and isinstance(one, str)
    ]
    return (
        prompt,
        words,
        [one for one, *_ in judged if not isinstance(one, str)],
    )


def stands(number, among):
    """Tell whether a number is one of these, rounded; what is at most is rounded up, at least down.

    One digit alone is the nearest one: 5 is not 4.3.
    """
    if abs(number.value) > 9 * number.unit:
        slack = number.unit
    else:
        slack = number.unit / 2
    return any(abs(number.value - one) <= slack * (1 + 1e-9) for one in among)


def near(value, among):
    """Tell whether a number that is judged is one of these, or a bound just above it."""
    return any(
        -2e-3 * one <= abs(value) - one <= 6e-3 * one + 1e-9 for one in among
    )


def faults(cell):
    """Return what nothing explains among the numbers of a cell, and whether an oracle was asked."""
    prompt, words, judged = asked(cell)
    (call,) = (one.value for one in ast.parse(cell.source).body)
    given = [*ALWAYS, *(one.value for one in unnamed(typed(call.args[0])))]
    told = [one for text in (prompt, *words) for one in quantities(text)]
    unexplained = [one for one in told if one.value not in given]
    if not unexplained and not judged:
        return "", []
    key = next((one for one in ORACLES if prompt.startswith(one)), "")
    if not key:
        return "", [f"no oracle for “{prompt[:50]}…”"]
    true = [
        abs(float(one))
        for one in ORACLES[key](*(one.value for one in unnamed(prompt)))
    ]
    wrong = [one.written for one in unexplained if not stands(one, true)]
    wrong += [one for one in judged[:1] if not near(one, true[:1])]
    wrong += [one for one in judged[1:] if not near(one, [*given, *true])]
    return key, [f"“{key}”: {one}, not among {true}" for one in wrong]


@cache
def found(name):
    """Return the faults of all that a notebook asks."""
    return [
        faults(cell) for cell in CELLS[name] if cell.source.startswith(ASKS)
    ]


@pytest.mark.parametrize("name", ORDER)
def test_every_number_before_and_after_an_answer_is_given_or_recomputed(name):
    assert [one for _, wrong in found(name) for one in wrong] == []


def test_every_oracle_is_needed():
    assert {key for name in ORDER for key, _ in found(name)} - {""} == {
        *ORACLES
    }


def test_what_is_not_explained_is_found(monkeypatch):
    monkeypatch.setitem(
        ORACLES,
        "At ε = 0.2 the interval",
        lambda epsilon, *_: [3 / epsilon, 5],
    )
    right = {
        "answer": 15,
        "misconceptions": {5: "half"},
        "hint": "How far is 0.2?",
    }
    for words, given, expected in (
        ("At ε = 0.2 the interval reaches?", right, []),
        ("At ε = 0.2 the interval reaches?", right | {"answer": 6}, [6]),
        (
            "At ε = 0.2 the interval reaches?",
            right | {"misconceptions": {9: "no"}},
            [9],
        ),
        (
            "At ε = 0.2 the interval reaches?",
            right | {"solution": "It is 15.3."},
            ["15.3"],
        ),
        ("At ε = 0.2 the interval reaches {other}?", right, ["7.5"]),
        ("Now it reaches?", right, ["no oracle"]),
    ):
        question = Question(words.format(other=7.5), **given)
        cell = answered(f"Question(f{words!r})", question)
        (*wrong,) = faults(cell)[1]
        assert all(
            str(one) in said for one, said in zip(expected, wrong, strict=True)
        )
