"""What a reader writes runs the lesson: the cells further on show whether it is right.

Each variant of a reader's function is judged. One that is right runs all cells
further on that use it, and they say what they say with the right function; a
game plays it. With the stub they say something else, and what is nearly right is not told right.
"""

import ast
import contextlib
import io
import re
import weakref
from functools import cache
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from dpwidgets import Code, Draws
from dpwidgets.plots.still import Still
from dpwidgets.teaching.asking import not_yet
from here import (
    WITH_QUESTIONS,
    code_cells,
    each_lesson,
    execute,
    executed,
    shown_by,
)
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
    cells, codes = code_cells(path), {}
    shown = (made or executed(path)).shown
    for cell, one in zip(cells, shown, strict=True):
        if isinstance(one, Code):
            (name,) = ask_for_code([cell])
            codes[name] = one
    return cells, codes


def variants():
    """Return the lines of variants.txt: by notebook and function what is right, and what is not."""
    found = {}
    text = (Path(__file__).parent / "variants.txt").read_text("utf-8")
    _, *blocks = text.strip().split("\n\n")
    for block in blocks:
        head, *lines = block.replace("\\n", "\n    ").split("\n+ ")
        *right, last = lines
        last, *wrong = last.split("\n- ")
        found[tuple(head.split())] = [*right, last], wrong
    return found


VARIANTS = variants()
#: Whose right lines are seen in a game's draws, and in another function of the reader's.
ELSEWHERE = {"guess", "interval_for"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@cache
def lesson(number):
    """Return a lesson's cells, its names once right functions have run it, its codes, and stubs."""
    (path,) = (one for one in WITH_QUESTIONS if one.stem.startswith(number))
    _, codes = asked_for(path)
    right = execute(path, {name: code.like for name, code in codes.items()})
    cells, codes = asked_for(path, right)
    return cells, right.names, codes, executed(path).names


def written(names, function, like, body):
    """Return a function of these lines, with the arguments that the right one has."""
    names = dict(names)
    arguments = ", ".join(signature(like).parameters)
    exec(f"def {function}({arguments}):\n    {body}", names)
    return names[function]


def loads(node):
    """Return the names that some code uses."""
    return {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }


def using(cells, function):
    """Return the code of the cells that use a function, or another one that calls it."""
    sought, found = {function}, []
    for cell in cells:
        body = ast.parse(cell.source).body
        defined = [one for one in body if isinstance(one, ast.FunctionDef)]
        rest = [one for one in body if one not in defined]
        sought |= {one.name for one in defined if loads(one) & sought}
        if ask_for_code([cell]):
            continue
        if any(loads(one) & sought for one in rest):
            found.append(rest)
    return found


def outcome(number, function, own):
    """Return what the cells that use a function say with one of its variants, and draw."""
    cells, names, *_ = lesson(number)
    for one in names.values():
        if isinstance(one, np.random.Generator):  # as for every other variant
            one.bit_generator.state = np.random.PCG64(0).state
    with pytest.MonkeyPatch.context() as patch:
        # Where other functions of the lesson look for it, too.
        patch.setitem(names, function, own)
        return said_by(cells, function, dict(names))


def said_by(cells, function, names):
    """Run the cells that use a function with these names; return their words, and pictures."""
    words, pictures = [], []
    for body in using(cells, function):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            shown = shown_by(body, names)
        words.append(printed.getvalue())
        if isinstance(shown, Still):
            pictures.append(shown.png)
        if isinstance(shown, Draws):
            shown.draw(10)
    return " ".join(words), pictures


@pytest.mark.parametrize(("number", "function"), VARIANTS)
def test_what_is_accepted_runs_the_rest_of_its_lesson_and_what_is_nearly_right_is_not(
    number, function, data_directory
):
    _, names, codes, stubs = lesson(number)
    right, wrong = VARIANTS[number, function]
    code = codes[function]
    words, pictures = outcome(number, function, code.like)
    if function not in ELSEWHERE:
        assert (words, pictures) != outcome(number, function, stubs[function])
    assert "nan" not in words
    for body in right:
        own = written(names, function, code.like, body)
        code.function = lambda own=own: own
        assert code.judge() == (True, "Right."), body
        said, drawn = outcome(number, function, own)
        assert [float(one) for one in _NUMBER.findall(said)] == pytest.approx(
            [float(one) for one in _NUMBER.findall(words)]
        ), body
        assert len(drawn) == len(pictures)
    for body in wrong:
        own = written(names, function, code.like, body)
        code.function = lambda own=own: own
        assert not code.judge()[0], body


def test_each_function_that_a_reader_writes_has_variants_and_is_called_by_its_own_names():
    asked = set()
    for number in sorted({path.stem[:2] for path in WITH_QUESTIONS}):
        cells, names, codes, _ = lesson(number)
        # Whoever takes np.log where the solution has math.log is right, too.
        assert not codes or names.keys() >= {"math", "np"}, number
        stubs = {
            one.name: [each.arg for each in one.args.args]
            for cell in cells
            for one in ast.parse(cell.source).body
            if isinstance(one, ast.FunctionDef)
        }
        for name, code in codes.items():
            asked.add((number, name))
            assert [*signature(code.like).parameters] == stubs[name]
    assert asked == {*VARIANTS}


@pytest.mark.parametrize("path", WITH_QUESTIONS, ids=lambda path: path.stem)
def test_a_line_that_is_mended_after_all_cells_ran_moves_what_stands_there(
    path, data_directory
):
    """Nothing has kept the old line, and what is asked about is what the page shows still."""
    made = execute(path)
    cells, codes = asked_for(path, made)
    there = {id(one) for one in made.names.values()}
    for name, code in codes.items():
        old = weakref.ref(made.names[name])
        made.names[name] = code.like
        assert old() is None, name
        assert code.judge() == (True, "Right.")
    for name in codes:  # their own cells again, and not those that ask
        said_by(cells, name, made.names)
    there -= {id(one) for one in made.names.values()}
    assert not there & {id(getattr(one, "explorer", 0)) for one in made.asked}


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
    assert codes or path.stem == "00_start_here"
    for code in codes.values():
        for why, function in code.misconceptions.items():
            named = with_names(function, code.like)
            code.function = lambda named=named: named
            assert code.judge() == (False, not_yet(why))
