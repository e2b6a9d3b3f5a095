"""Programs that break their promise in one line: the attack works on them, and on no mended one."""

import contextlib
import io
import math
import re

import nbformat

from execute import NOTEBOOKS
from here import executed

LESSON = NOTEBOOKS / "01_attack_first.ipynb"
#: What each program promises.
PROMISED = {
    "income_sum": 1,
    "by_age": 1,
    "adults": 1,
    "desk": 1,
    "seniors": 0.01,
}
CELLS = nbformat.read(LESSON, as_version=4).cells


def source(beginning):
    """Return the code of the cell that begins so."""
    (found,) = (
        cell.source for cell in CELLS if cell.source.startswith(beginning)
    )
    return found


def played(names):
    """Return in which share of the games each program's attack is right."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(source("four ="), names)
    found = re.findall(r"(\w+): right in (\d+) of (\d+)", printed.getvalue())
    return {name: int(right) / int(games) for name, right, games in found}


def test_each_attack_exceeds_the_limit_of_the_promise_and_not_once_the_line_is_mended(
    data_directory,
):
    lesson = executed(LESSON)
    names = dict(lesson.names)
    broken = played(names)
    asked = [one for one in lesson.asked if "Mended: " in one.solution]
    for question in asked:
        program = source(f"def {question.prompt.split()[0]}(")
        assert program.count(f"    {question.answer}\n") == 1 or (
            program.endswith(question.answer)
        )
        _, mended = question.solution.split("Mended: ")
        exec(program.replace(question.answer, mended), names)
    after = played(names)
    assert broken.keys() == after.keys() == PROMISED.keys()
    assert len(asked) == len(PROMISED)
    slack = 3 / (2 * math.sqrt(400))
    for name, epsilon in PROMISED.items():
        most = 1 / (1 + math.exp(-epsilon))
        assert after[name] <= most + slack < broken[name], name
