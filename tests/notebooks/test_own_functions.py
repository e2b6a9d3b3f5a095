"""What a reader writes runs the lesson: the cells further on show whether it is right.

Each notebook runs twice: with its stubs as they stand, and with each replaced
by a right function.
"""

import ast
import contextlib
import io

import nbformat
import pytest

from dpwidgets import Code
from dpwidgets.plots.base import Still
from dpwidgets.teaching.asking import not_yet
from here import LESSONS, code_cells
from test_teaching import asked


def ask_for_code(cells):
    """Return the names of the functions that a reader writes."""
    return [
        call.args[1].body.id
        for _, call in asked(cells)
        if call.func.id == "Code" and isinstance(call.args[1].body, ast.Name)
    ]


def run(cells, right):
    """Return what each cell shows, each `Code` by the function that it asks for, and all names.

    Those in `right` take the place of a reader's as soon as that one is
    defined.
    """
    names = {"__name__": "__main__", "display": lambda *shown: None}
    shows = []
    codes = {}
    for cell in cells:
        body = ast.parse(cell.source).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
            if last:
                shown = eval(
                    compile(ast.Expression(last.value), "<cell>", "eval"),
                    names,
                )
            else:
                shown = ""
        defined = {
            one.name for one in body if isinstance(one, ast.FunctionDef)
        }
        names |= {name: right[name] for name in defined & {*right}}
        if isinstance(shown, Code):
            (name,) = ask_for_code([cell])
            codes[name] = shown
        picture = shown.png if isinstance(shown, Still) else b""
        shows.append((printed.getvalue(), repr(shown), picture))
    return shows, codes, names


def called(node):
    """Return the names that some code calls."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return {one.id for one in calls if isinstance(one, ast.Name)}


def used(cells, changed):
    """Return the names that cells call which changed, also within what these call."""
    trees = [ast.parse(cell.source) for cell in cells]
    within = {
        one.name: called(one)
        for tree in trees
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef)
    }
    found = set()
    for tree, differs in zip(trees, changed, strict=True):
        defined = {
            one.name
            for one in ast.walk(tree)
            if isinstance(one, ast.FunctionDef)
        }
        found |= called(tree) - defined if differs else set()
    while (
        more := set().union(*(within.get(name, set()) for name in found))
        - found
    ):
        found |= more
    return found


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_what_a_reader_writes_is_used_further_on_and_a_wrong_one_is_seen_there(
    path, data_directory
):
    cells = code_cells(nbformat.read(path, as_version=4))
    stubs, codes, _ = run(cells, {})
    likes = {name: code.like for name, code in codes.items()}
    right, *_ = run(cells, likes)
    changed = [one != other for one, other in zip(stubs, right, strict=True)]
    assert {*likes} <= used(cells, changed)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_whoever_writes_a_misconception_is_told_that_one_and_no_other(
    path, data_directory
):
    _, codes, _ = run(code_cells(nbformat.read(path, as_version=4)), {})
    for code in codes.values():
        for why, function in code.misconceptions.items():
            code.function = lambda function=function: function
            assert code.judge() == (False, not_yet(why))
