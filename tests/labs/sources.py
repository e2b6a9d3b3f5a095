"""The labs' source notebooks, as tests read them: cells, answers, points, a student's names."""

import ast
import csv
import functools
import re

import nbformat
import pytest
import questions

import tools

SOURCES = sorted(
    (tools.ROOT / "notebooks" / "labs" / "source").glob("*/*.ipynb")
)
LABS = [path.stem for path in SOURCES]
SOLUTION = re.compile(
    r"^ *### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION\n?",
    re.DOTALL | re.MULTILINE,
)
HIDDEN = re.compile(
    r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", re.DOTALL
)
SCHEME = re.compile(
    r"=== BEGIN MARK SCHEME ===\n.*?=== END MARK SCHEME ===", re.DOTALL
)
EXPLORER = re.compile(r"\w+Explorer\(")
each_lab = pytest.mark.parametrize("lab", LABS)


def read(path):
    return nbformat.read(path, as_version=4)


def graded(cell):
    """Return what nbgrader knows of a cell."""
    return cell.metadata.get(
        "nbgrader", {"grade": False, "solution": False, "grade_id": ""}
    )


def source(lab):
    """Return a lab's source as it is released: with the questions that are put into it."""
    notebook = read(SOURCES[LABS.index(lab)])
    questions.put_into(notebook, lab)
    return notebook


def answers(lab, *, read_by="tests"):
    """Return the source's own answer for each cell that tests, or a person, will read, by name."""
    cells = [cell for cell in source(lab).cells if graded(cell)["solution"]]
    cells = [
        cell
        for cell in cells
        if graded(cell)["grade"] == (read_by == "a person")
    ]
    return {
        graded(cell)["grade_id"]: SOLUTION.sub(r"\1", cell.source)
        for cell in cells
    }


def cells_that_test(notebook):
    """Return the cells that test an answer; an argument is graded too, and by a person."""
    return [
        cell
        for cell in notebook.cells
        if graded(cell)["grade"] and not graded(cell)["solution"]
    ]


def tested(cell):
    """Return the name of the answer that a cell tests; one with parts has a test for each."""
    return graded(cell)["grade_id"].partition("-test")[0]


def names(code):
    """Return the answers' names: those that the code sets to None, and its functions."""
    body = ast.parse(code).body
    functions = [
        node.name for node in body if isinstance(node, ast.FunctionDef)
    ]
    empty = [
        node
        for node in body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
    ]
    return functions + [
        node.targets[0].id for node in empty if node.value.value is None
    ]


def right(code):
    """Answer as the source does."""
    return code


def codes(lab, student, change=right):
    """Yield the source's cells of code, and what of them to run for a student's answers."""
    for cell in source(lab).cells:
        if cell.cell_type == "code" and not EXPLORER.match(cell.source):
            is_answer = graded(cell)["solution"]
            code = change(cell.source) if is_answer else cell.source
            is_id = code.startswith("lab_seed =")
            yield cell, f"lab_seed = {student!r}" if is_id else code


def runs(lab, student, change=right):
    """Run the source's cells for a student, with other answers; yield each and all names so far."""
    left = {}
    for cell, code in codes(lab, student, change):
        exec(code, left)
        yield cell, left


@functools.cache
def rooms(lab, student):
    """Return the source's cells, each with all that it and those before it leave behind."""
    return [(cell, dict(left)) for cell, left in runs(lab, student)]


def found(lab, student):
    """Return all that the source's cells, run in order for a student, leave behind."""
    return rooms(lab, student)[-1][1]


def points(lab, *, only_functions=False):
    """Return the points that tests give: all, or those for questions that ask for functions."""
    kept = {
        name
        for name, code in answers(lab).items()
        if not only_functions or "= None" not in code
    }
    return sum(worth(lab)[name] for name in kept)


def worth(lab):
    """Return the points that tests give, by answer."""
    tests = cells_that_test(source(lab))
    return {
        name: sum(
            graded(cell)["points"] for cell in tests if tested(cell) == name
        )
        for name in dict.fromkeys(map(tested, tests))
    }


def points_by_a_person(lab):
    """Return the points that a person gives, by the name of the cell."""
    arguments = answers(lab, read_by="a person")
    cells = [graded(cell) for cell in source(lab).cells]
    return {
        cell["grade_id"]: cell["points"]
        for cell in cells
        if cell["grade_id"] in arguments
    }


#: What spoils an answer in a student's notebook: another text, and every
#: number at least a tenth larger.
SPOIL = """
_FACTOR = 1.1
def _more(right):
    if isinstance(right, str):
        return f"not {right}"
    if isinstance(right, dict):
        return {key: _more(value) for key, value in right.items()}
    if isinstance(right, (list, tuple)):
        return type(right)(map(_more, right))
    return right + right // 10 + 1 if isinstance(right, int) else right * _FACTOR
"""


def ten_percent_more(code):
    """Return the code with all that it finds, or that its functions return, spoiled."""
    lines = [SPOIL]
    for name in names(code):
        # Each by another factor, so that no wrong answer follows from another.
        lines.append(f"_FACTOR = {1.1 + sum(map(ord, name)) % 89 / 100}")
        more = f"(lambda right: lambda *arguments: _more(right(*arguments)))({name})"
        lines.append(f"{name} = {more} if callable({name}) else _more({name})")
    return "\n".join([code, *lines])


def answered(labs, lab, student, change=right):
    """Return the lab released in such a folder with a student's id and answers."""
    notebook = read(labs / "release" / lab / f"{lab}.ipynb")
    hand_in(notebook, lab, student, change)
    return notebook


def read_scores(path):
    with path.open(newline="") as table:
        return {
            (row["assignment"], row["student_id"]): float(row["score"])
            for row in csv.DictReader(table)
        }


def hand_in(notebook, lab, student, change=right):
    """Write a student's id and answers into a released lab; without a change, no answers."""
    arguments = answers(lab, read_by="a person")
    for cell in notebook.cells:
        name = graded(cell)["grade_id"]
        if cell.source.startswith("lab_seed ="):
            cell.source = f'lab_seed = "{student}"'
        elif change and graded(cell)["solution"]:
            is_read = name in arguments
            cell.source = (
                arguments[name] if is_read else change(answers(lab)[name])
            )
