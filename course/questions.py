"""Questions of a lecturer's own: each a few lines of TOML, put into a lab to release and grade it.

A folder holds LAB/NUMBER.toml, such as lab1/2.4.toml. The question takes the
place of the lab's own with that number, or stands after the last one before
it. `notebooks/labs/questions` has two of ours; `questions` in class.toml names
a folder of yours, which counts before ours.
"""

import ast
import builtins
import contextlib
import io
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from settings import HERE, place, settings

from dpwidgets.inputs.outside import fields_of
from dpwidgets.labs.grading import apart, is_number
from dpwidgets.labs.reading import about, names_set

#: What may be left out.
OPTIONAL: dict[str, Any] = {"draw": {}, "misconceptions": {}, "taught": []}
FIELDS: dict[str, type] = {
    "asks": str,
    "answer": str,
    "points": int,
    "right": str,
    "hint": str,
    "draw": dict,
    "misconceptions": dict,
    "taught": list,
}
#: For how many students it is tried that no misconception is right.
TRIED = 30
ASKED = re.compile(r"\*\*(\d+)\.(\d+)\*\* \(")
Number = tuple[int, int]


def folders() -> list[Path]:
    """Return where questions lie: ours, and the lecturer's own."""
    found = [HERE.parent / "notebooks" / "labs" / "questions"]
    if own := settings()["questions"]:
        found.append(place().parent / own)
    return found


def questions_of(lab: str) -> dict[Number, dict[str, Any]]:
    """Return the questions that are put into a lab, by their numbers.

    Raises
    ------
    ValueError
        If a file is no question.
    """
    found: dict[Number, dict[str, Any]] = {}
    for folder in folders():
        for path in (folder / lab).glob("*.toml"):
            part, at = path.stem.split(".")
            written = tomllib.loads(path.read_text(encoding="utf-8"))
            fields = fields_of(
                f"{lab}/{path.name}", FIELDS, OPTIONAL | written
            )
            for name, kind in FIELDS.items():
                if type(fields[name]) is not kind:
                    raise ValueError(
                        f"{lab}/{path.name}: {name} must be {kind.__name__}"
                    )
            if not fields["answer"].isidentifier():
                raise ValueError(
                    f"{lab}/{path.name}: answer must be a name of Python's"
                )
            found[int(part), int(at)] = fields
    return dict(sorted(found.items()))


def put_into(notebook: NotebookNode, lab: str) -> None:
    """Put all questions into a lab's source, in the place of its own or after them.

    Raises
    ------
    ValueError
        If a question cannot stand there.
    """
    for number, question in questions_of(lab).items():
        name = f"{lab}/{number[0]}.{number[1]}.toml"
        cells = notebook.cells
        begin, end = place_of(cells, number)
        if end == 0:
            raise ValueError(f"{name}: no question of the lab comes before it")
        new = cells_of(lab, number, question)
        before: list[NotebookNode] = cells[:begin]
        if begin < end:
            # The head of a part may stand in the cell that asks.
            head = ASKED.split(cells[begin].source)[0].rstrip()
            new[0].source = f"{head}\n\n{new[0].source}".lstrip()
            new[0]["id"] = cells[begin].id
        still_needed(name, cells[begin:end], question["answer"], cells[end:])
        ids = {cell.id for cell in [*before, *cells[end:]]}
        if question["answer"] in ids:
            raise ValueError(
                f"{name}: the lab has another {question['answer']!r}"
            )
        notebook.cells = [*before, *new, *cells[end:]]


def place_of(cells: list[NotebookNode], number: Number) -> tuple[int, int]:
    """Return where the cells of a question begin and end; both alike where it is to be added."""
    end = 0
    for at, asked, stop in asked_in(cells):
        if asked == number:
            return at, stop
        if asked < number:
            end = stop
    return end, end


def asked_in(
    cells: list[NotebookNode],
) -> Iterator[tuple[int, Number, int]]:
    """Yield of each question the cell that asks it, its number, and the cell after its tests."""
    for at, cell in enumerate(cells):
        found = ASKED.search(cell.source)
        if cell.cell_type == "markdown" and found:
            stop = at + 1
            while not about(cells[stop - 1]).get("grade"):
                stop += 1
            while stop < len(cells) and about(cells[stop]).get("grade"):
                stop += 1
            yield at, (int(found[1]), int(found[2])), stop


def still_needed(
    name: str, gone: list[NotebookNode], answer: str, rest: list[NotebookNode]
) -> None:
    """See to it that nothing below asks for an answer that is gone."""
    names: set[str] = set()
    for cell in gone:
        if about(cell).get("solution"):
            names |= names_set(cell.source)
    for cell in rest:
        if cell.cell_type == "code":
            asked = set(answers_in(cell.source, ())) & (names - {answer})
            if asked:
                raise ValueError(
                    f"{name}: {min(asked)}, which it takes away, is needed in {cell.id!r}"
                )


def answers_in(source: str, trusted: Iterable[str]) -> list[str]:
    """Return the names in code that are neither its own, nor these, nor Python's; sorted."""
    names: set[str] = set()
    own: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            names.add(node.id)
            if not isinstance(node.ctx, ast.Load):
                own.add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    return sorted(names - own - set(trusted) - set(vars(builtins)))


def cells_of(
    lab: str, number: Number, question: dict[str, Any]
) -> list[NotebookNode]:
    """Return a question's cells: what is asked, its numbers, the answer and its test."""
    answer, points = question["answer"], question["points"]
    asked = f"{number[0]}.{number[1]}"
    many = "point" if points == 1 else "points"
    text = f"**{asked}** ({points} {many}) {question['asks'].strip()}"
    cells = [new_markdown_cell(text, id=f"{answer}-asked")]
    if question["draw"]:
        lines = [
            "from dpwidgets.labs import draw_for",
            f'draw = draw_for(lab_seed, "{lab} {asked}")',
        ]
        for name, how in question["draw"].items():
            lines.append(f"mine.{name} = {how}")
            lines.append(f'print(f"mine.{name} = {{mine.{name}!r}}")')
        cells.append(
            marked("\n".join(lines), f"{answer}-numbers", locked=True)
        )
    lines = [f"{answer} = None", "### BEGIN SOLUTION"]
    lines += [f"{answer} = {question['right']}", "### END SOLUTION"]
    cells.append(marked("\n".join(lines), answer, solution=True))
    lines = [
        f"if answered({answer}={answer}):",
        f'    assert is_number({answer}), "{answer} must be a number"',
        "### BEGIN HIDDEN TESTS",
        f"assert near({answer}, {question['right']}), wrong({answer}, {{",
    ]
    for why, number_by_it in question["misconceptions"].items():
        lines.append(f"    {why!r}: {number_by_it},")
    lines += [f"}}, {question['hint']!r})", "### END HIDDEN TESTS"]
    test = marked("\n".join(lines), f"{answer}-test", grade=True, locked=True)
    test.metadata.nbgrader.points = points
    test.metadata.dpwidgets = {"taught": question["taught"]}
    return [*cells, test]


def marked(source: str, name: str, **marks: bool) -> NotebookNode:
    """Return a cell of code as nbgrader knows it."""
    nbgrader = {
        "grade": False,
        "grade_id": name,
        "locked": False,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return new_code_cell(
        source, id=name, metadata={"nbgrader": nbgrader | marks}
    )


def try_out(notebook: NotebookNode, lab: str) -> None:
    """Draw each question for some students, before it is released.

    Raises
    ------
    ValueError
        If what is right is no number, or a misconception leads to it.
    """
    setup: list[str] = []
    for cell in notebook.cells:
        if about(cell).get("locked") and not about(cell).get("grade"):
            setup.append(cell.source)
    for student in range(TRIED if questions_of(lab) else 0):
        room: dict[str, Any] = {"lab_seed": f"s{student}"}
        with contextlib.redirect_stdout(io.StringIO()):
            for code in setup:
                exec(code, room)
        for (part, at), question in questions_of(lab).items():
            name = f"{lab}/{part}.{at}.toml"
            right = eval(question["right"], room)
            if not is_number(right):
                raise ValueError(
                    f"{name}: what is right is {right!r}, no number"
                )
            for why, how in question["misconceptions"].items():
                if not apart(right, eval(how, room)):
                    raise ValueError(
                        f"{name}: for some students {why!r} leads to what is right"
                    )
