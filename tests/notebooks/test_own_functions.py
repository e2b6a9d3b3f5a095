"""What a reader writes runs the lesson: the cells further on show whether it is right.

Each notebook runs twice: with its stubs as they stand, and with each replaced
by a right function.
"""

import ast
from inspect import signature

import nbformat

from dpwidgets import Code
from dpwidgets.teaching.asking import not_yet
from here import code_cells, each_lesson, execute, executed
from test_teaching import asked


def ask_for_code(cells):
    """Return the names of the functions that a reader writes."""
    return [
        call.args[1].body.id
        for _, call in asked(cells)
        if call.func.id == "Code" and isinstance(call.args[1].body, ast.Name)
    ]


def asked_for(path, made=None):
    """Return the cells of a lesson, and each `Code` by the function that it asks for."""
    cells = code_cells(nbformat.read(path, as_version=4))
    codes = {}
    shown = (made or executed(path)).shown
    for cell, one in zip(cells, shown, strict=True):
        if isinstance(one, Code):
            (name,) = ask_for_code([cell])
            codes[name] = one
    return cells, codes


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


@each_lesson
def test_what_a_reader_writes_is_used_further_on_and_a_wrong_one_is_seen_there(
    path, data_directory
):
    cells, codes = asked_for(path)
    stubs = executed(path).seen
    right = execute(path, {name: code.like for name, code in codes.items()})
    changed = [
        one != other for one, other in zip(stubs, right.seen, strict=True)
    ]
    assert {*codes} <= used(cells, changed)


def with_names(function, like):
    """Return a function whose arguments are called as those of another one."""
    names = signature(like)

    def named(*given, **by_name):
        return function(*names.bind(*given, **by_name).args)

    named.__signature__ = names
    return named


@each_lesson
def test_whoever_writes_a_misconception_is_told_that_one_and_no_other(
    path, data_directory
):
    _, codes = asked_for(path)
    for code in codes.values():
        for why, function in code.misconceptions.items():
            named = with_names(function, code.like)
            code.function = lambda named=named: named
            assert code.judge() == (False, not_yet(why))
