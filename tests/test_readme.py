"""The code of the README and of CONTRIBUTING runs, and the commands exist."""

import ast
import contextlib
import io
import re

import pytest

from dpwidgets.teaching.held import folded
from numbers_in_words import typed_numbers
from tools import BLOCKS, CONTRIBUTING, README, ROOT


@pytest.mark.parametrize(("block", "said"), BLOCKS, ids=range(len(BLOCKS)))
def test_the_code_prints_what_its_comments_say(block, said):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(block, {})
    assert stream.getvalue().splitlines() == said


def test_there_is_code_to_run():
    assert BLOCKS


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make (\w+)`", README)) | set(
        re.findall(r"^make (\w+)$", README, re.MULTILINE)
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_linked_file_exists():
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_each_step_of_how_a_notebook_teaches_has_a_cell_that_runs(data_directory):
    page = CONTRIBUTING.partition("## How a notebook teaches")[2].partition("\n## ")[0]
    steps = re.split(r"(?m)^\*\*(\w+)\.\*\* ", page)[1:]
    assert steps[::2] == ["Define", "Predict", "Move", "Explain", "Check", "Write", "Recall"]
    names = {}
    for step in steps[1::2]:
        assert step.count("```") == 2
        for block in re.findall(r"```python\n(.*?)```", step, re.DOTALL):
            *before, last = ast.parse(block).body
            exec(compile(ast.Module(before, []), "a cell", "exec"), names)
            shown = eval(ast.unparse(last), names)
            assert "<p" in folded(shown)


def test_the_task_and_the_questions_of_how_a_notebook_teaches_type_no_number():
    blocks = re.findall(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
    assert not [found for block in blocks for found in typed_numbers(block)]
