"""The cells of a notebook, executed in this process: no kernel, and nothing on a page."""

import ast
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from typing import NamedTuple

import nbformat
import pytest

from dpwidgets.plots.still import Still
from dpwidgets.teaching.asking import Asking
from dpwidgets.texts import TEXTS
from execute import NOTEBOOKS, WIDGET_VIEW

AUDITS = [NOTEBOOKS / text.audit for text in TEXTS]
#: Those that teach; the order of reading is that of their names.
LESSONS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
#: Those that ask: the lessons, and the one for who audits a program.
WITH_QUESTIONS = [*LESSONS, NOTEBOOKS / "audits" / "a_program.ipynb"]


@cache
def cells_of(path):
    """Return the cells of a notebook as it stands."""
    return nbformat.read(path, as_version=4).cells


def code_cells(path):
    return [cell for cell in cells_of(path) if cell.cell_type == "code"]


def prose(path):
    """Return the words of a notebook outside of its code."""
    return "\n\n".join(
        cell.source for cell in cells_of(path) if cell.cell_type == "markdown"
    )


def run(path, right=None, names=None):
    """Execute the code cells, and yield what each shows, None where that is nothing.

    The functions in `right` take the place of a reader's as soon as that one is
    defined. What is defined goes into `names`.
    """
    names = {} if names is None else names
    names |= {"__name__": "__main__", "display": lambda *shown: None}
    for cell in code_cells(path):
        body = ast.parse(cell.source).body
        shown = shown_by(body, names)
        for one in body:
            if isinstance(one, ast.FunctionDef) and one.name in (right or {}):
                names[one.name] = right[one.name]
        yield shown


def shown_by(body, names):
    """Execute statements with these names; return what the last shows, None where it is nothing."""
    shows = isinstance(body[-1], ast.Expr)
    before = body[:-1] if shows else body
    exec(compile(ast.Module(before, []), "<cell>", "exec"), names)
    if not shows:
        return None
    last = ast.Expression(body[-1].value)
    return eval(compile(last, "<cell>", "eval"), names)


def answered(source, shown):
    """Return a cell as it is stored, which has shown this."""
    data, metadata = shown._repr_mimebundle_()
    data.pop(WIDGET_VIEW, None)
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata)
    return nbformat.v4.new_code_cell(
        source, outputs=[output], execution_count=1
    )


class Executed(NamedTuple):
    """What came of a lesson: all that asks, of each cell the value and what is seen, and names."""

    asked: list[Asking]
    shown: list[object]
    seen: list[tuple[str, str, bytes]]
    names: dict[str, object]


def execute(path, right=None):
    """Execute a lesson."""
    executed = Executed([], [], [], {})

    def kept(self, *given, init=Asking.__init__, **named):
        init(self, *given, **named)
        executed.asked.append(self)

    with pytest.MonkeyPatch.context() as patch, StringIO() as printed:
        patch.setattr(Asking, "__init__", kept)
        with redirect_stdout(printed):
            for shown in run(path, right, executed.names):
                picture = shown.png if isinstance(shown, Still) else b""
                words = "" if shown is None else repr(shown)
                executed.shown.append(shown)
                executed.seen.append((printed.getvalue(), words, picture))
                printed.truncate(0)
                printed.seek(0)
    return executed


@cache
def executed(path):
    """Return a lesson as it stands, executed once for all tests of it in this process."""
    return execute(path)


def made(path, *kinds):
    """Return all objects of these kinds that a lesson's cells make."""
    return [one for one in executed(path).asked if isinstance(one, kinds)]


def made_anywhere(*kinds):
    """Return all of them that lessons make."""
    return [one for path in LESSONS for one in made(path, *kinds)]


#: Gives a test the path of each lesson.
each_lesson = pytest.mark.parametrize(
    "path", LESSONS, ids=lambda path: path.stem
)


def assert_met(table, several):
    """Check that each beginning of a prompt in a table is that of something that asks."""
    prompts = [asked.prompt for asked in several]
    for start in table:
        assert any(prompt.startswith(start) for prompt in prompts), start
