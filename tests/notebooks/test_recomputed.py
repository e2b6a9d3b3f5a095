"""What is asked, hinted, solved and called wrong in a notebook is recomputed in another way.

Of each question, task, sketch and piece of code all numbers are read where the page shows them: in
the prompt those that the notebook computed, in the hint, the solution, what comes next if that is
plain words, and of a question also the answer and what is wrong with others. Each is given in the
prompt, or an oracle returns it (oracles.py). A new prompt that needs an oracle fails without one.
"""

import ast
import html
import re

import nbformat
import pytest

from execute import NOTEBOOKS
from numbers_in_words import ALWAYS, quantities, typed, unnamed
from oracles_1 import ORACLES
from test_given_away import ASKING
from test_teaching import ORDER


def folded(page, summary):
    """Return the plain words that stand folded under a summary, if that is all that stands there."""
    found = re.search(rf"<summary>{summary}</summary><p [^>]*>([^<]*)</p></details>", page)
    return html.unescape(found[1]) if found else ""


def asked(cell):
    """Return what a cell asks: the prompt, the words around it, and numbers that it judges."""
    (output,) = cell.outputs
    _, _, plain = output.data["text/plain"].partition(": ")
    prompt = plain.splitlines()[0]
    page = output.data["text/html"]
    words = [folded(page, "Hint"), folded(page, "What comes next")]
    if not cell.source.startswith(("Task(", "Code(")):  # whose solution is a state, or code
        words.append(folded(page, "Solution"))
    judged = output.metadata["dpwidgets"].get("checks", {}).get("judged", [])
    words += [said for _, right, said in judged if not right]
    words += [one for one, right, _ in judged if right and isinstance(one, str)]
    return prompt, words, [one for one, *_ in judged if not isinstance(one, str)]


def stands(number, among):
    """Tell whether a number, as it is written, is one of these, rounded or rounded up."""
    unit = number.unit * (1 + 1e-9)
    return any(-unit / 2 <= number.value - one <= unit for one in among)


def near(value, among):
    """Tell whether a number that is judged is one of these."""
    return any(abs(abs(value) - one) <= 1e-3 * one + 1e-9 for one in among)


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
    true = [abs(float(one)) for one in ORACLES[key](*(one.value for one in unnamed(prompt)))]
    wrong = [one.written for one in unexplained if not stands(one, true)]
    wrong += [one for one in judged[:1] if not near(one, true[:1])]
    wrong += [one for one in judged[1:] if not near(one, [*given, *true])]
    return key, [f"“{key}”: {one}, not among {true}" for one in wrong]


@pytest.mark.parametrize("name", ORDER)
def test_every_number_before_and_after_an_answer_is_given_or_recomputed(name):
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells
    found = [faults(cell) for cell in cells if cell.source.startswith(ASKING)]
    assert [one for _, wrong in found for one in wrong] == []
