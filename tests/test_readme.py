"""The code of the README and of CONTRIBUTING runs, and the commands exist."""

import ast
import re

from dpwidgets.teaching.base import folded
from numbers_in_words import typed_numbers
from tools import BLOCKS, CONTRIBUTING, README, ROOT


def test_the_code_prints_what_its_comments_say(capsys):
    for block, said in BLOCKS:
        exec(block, {})
        assert capsys.readouterr().out.splitlines() == said


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(
        r"make (\w+)`|^make (\w+)$", README, re.MULTILINE
    ):
        assert re.search(rf"^{''.join(target)}:", makefile, re.MULTILINE), (
            target
        )


def test_each_step_of_how_a_notebook_teaches_has_a_cell_that_runs(
    data_directory,
):
    page = CONTRIBUTING.partition("## How a notebook teaches")[2].partition(
        "\n## "
    )[0]
    steps = re.split(r"(?m)^\*\*(\w+)\.\*\* ", page)[1:]
    assert steps[::2] == [
        "Define",
        "Predict",
        "Move",
        "Explain",
        "Check",
        "Write",
        "Recall",
    ]
    names = {}
    for step in steps[1::2]:
        assert step.count("```") == 2
        for block in re.findall(r"```python\n(.*?)```", step, re.DOTALL):
            assert typed_numbers(block) == []
            *before, last = ast.parse(block).body
            exec(compile(ast.Module(before, []), "a cell", "exec"), names)
            shown = eval(ast.unparse(last), names)
            assert "<p" in folded(shown)
