"""Programs that break their promise in one line: the attack works on them, and on no mended one."""

import contextlib
import io
import math
import re

import numpy as np
import pytest

from execute import NOTEBOOKS
from here import cells_of, executed

#: What each program promises, by where it stands.
PROMISED = {
    "01_attack_first": {"income_sum": 1, "by_age": 1, "adults": 1},
    "audits/a_program": {"desk": 1, "seniors": 0.01},
}


def played(cells, names):
    """Return in which share of the games each program's attack is right."""
    (games,) = (one for one in cells if re.search(r"(?m)^play\(", one))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(games, names)
    found = re.findall(r"(\w+): right in (\d+) of (\d+)", printed.getvalue())
    return {name: int(right) / int(games) for name, right, games in found}


@pytest.mark.parametrize("name", PROMISED)
def test_each_attack_exceeds_the_limit_of_the_promise_and_not_once_the_line_is_mended(
    name, data_directory
):
    path = NOTEBOOKS / f"{name}.ipynb"
    cells = [cell.source for cell in cells_of(path)]
    lesson = executed(path)
    names = dict(lesson.names)
    broken = played(cells, names)
    asked = [one for one in lesson.asked if "Mended: " in one.solution]
    for question in asked:
        begins = f"def {question.prompt.split()[0]}("
        (program,) = (one for one in cells if one.startswith(begins))
        assert program.count(f"    {question.answer}\n") == 1 or (
            program.endswith(question.answer)
        )
        _, mended = question.solution.split("Mended: ")
        exec(program.replace(question.answer, mended), names)
    after = played(cells, names)
    assert broken.keys() == after.keys() == PROMISED[name].keys()
    assert len(asked) == len(broken)
    slack = 3 / (2 * math.sqrt(400))
    for program, epsilon in PROMISED[name].items():
        most = 1 / (1 + math.exp(-epsilon))
        assert after[program] <= most + slack < broken[program], program
        # A value that is no number must not tell that it is there.
        answer = names[program]([math.nan], np.random.default_rng(1))
        assert np.isfinite(answer).all(), program
