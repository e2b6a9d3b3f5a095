"""The cells of a notebook, executed in this process: no kernel, and nothing on a page."""

import ast
from contextlib import redirect_stdout
from io import StringIO

import pytest

from dpwidgets.texts import TEXTS
from execute import NOTEBOOKS

AUDITS = {text.audit for text in TEXTS}
#: All notebooks but the glossary, and those of them that teach.
PATHS = [
    path
    for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    if path.name != "glossary.ipynb"
]
LESSONS = [path for path in PATHS if path.name not in AUDITS]


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def run(notebook):
    """Execute the code cells, and yield the value that each cell shows."""
    names = {"__name__": "__main__", "display": lambda *shown: None}
    for cell in code_cells(notebook):
        body = ast.parse(cell.source).body
        shown = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if shown:
            yield eval(
                compile(ast.Expression(shown.value), "<cell>", "eval"), names
            )


def made(notebook, *kinds):
    """Return all objects of these kinds that a notebook's cells make."""
    found = []
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()):
        for kind in kinds:

            def kept(self, *given, init=kind.__init__, **named):
                init(self, *given, **named)
                found.append(self)

            patch.setattr(kind, "__init__", kept)
        for _ in run(notebook):
            pass
    return found


def assert_met(table, path, several):
    """Check that whatever beginnings of prompts in a table a lesson has are those of objects."""
    source = path.read_text(encoding="utf-8")
    there = {start for start in table if start in source}
    assert there == {
        start
        for start in table
        if any(asked.prompt.startswith(start) for asked in several)
    }


def assert_somewhere(table):
    """Check that each beginning of a prompt in a table stands in a lesson."""
    sources = "".join(path.read_text(encoding="utf-8") for path in LESSONS)
    assert all(start in sources for start in table)
