"""Questions of a lecturer's own: each a few lines of TOML, put into a lab to release and grade it.

A folder holds LAB/NUMBER.toml, such as lab1/2.4.toml. The question takes the
place of the lab's own with that number, or stands after the last one before
it. `notebooks/labs/questions` has two of ours; `questions` in class.toml names
a folder of yours, which counts before ours.
"""

import copy
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from cells import SEED, about, is_setup, is_test
from examiner import Clock, examine, lab_of
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from sandbox import lacking
from settings import (
    FROM_1,
    HERE,
    LIST,
    TABLE,
    TEXT,
    fields_in,
    place,
    settings,
)
from students_kernel import StudentsKernel

from dpwidgets.labs import numbers
from dpwidgets.labs.grading import apart, near

#: What may be left out.
OPTIONAL: dict[str, Any] = {
    "draw": {},
    "misconceptions": {},
    "wrong": [],
    "taught": [],
}
FIELDS = {
    "asks": TEXT,
    "answer": TEXT,
    "points": FROM_1,
    "right": TEXT,
    "hint": TEXT,
    "draw": TABLE,
    "misconceptions": TABLE,
    "wrong": LIST,
    "taught": LIST,
}
#: For how many students it is tried that what is right is, and nothing else.
TRIED = 30
ANSWER = """{answer} = None
### BEGIN SOLUTION
{answer} = {right}
### END SOLUTION"""
TEST = """if answered({answer}={answer}):
    assert is_number({answer}), wrong({answer}, {{}}, "{answer} must be a number")
### BEGIN HIDDEN TESTS
assert near({answer}, {right}), wrong({answer}, {{
{numbers}}}, {hint!r})
### END HIDDEN TESTS"""
NUMBERS = re.compile(r"(\d+)\.(\d+)")
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
            where = f"{lab}/{path.name}"
            if not (place := NUMBERS.fullmatch(path.stem)):
                raise ValueError(
                    f"{where}: a question is called by its number, such as 2.5.toml"
                )
            fields = fields_in(path, where, FIELDS, OPTIONAL)
            if not fields["answer"].isidentifier():
                raise ValueError(f"{where}: answer must be a name of Python's")
            fields["where"] = where
            found[int(place[1]), int(place[2])] = fields
    return dict(sorted(found.items()))


def source_of(lab: str) -> NotebookNode:
    """Return a lab as its source has it, with all questions."""
    source = nbformat.read(Path("source", lab, f"{lab}.ipynb"), as_version=4)
    put_into(source, lab)
    return source


def put_into(notebook: NotebookNode, lab: str) -> None:
    """Put all questions into a lab's source, in the place of its own or after them."""
    for number, question in questions_of(lab).items():
        cells = notebook.cells
        begin = end = 0
        for at, asked, stop in asked_in(cells):
            if asked <= number:
                begin, end = stop, stop
            if asked == number:
                begin = at
        new = cells_of(lab, number, question)
        if begin < end:
            # The head of a part may stand in the cell that asks.
            head = ASKED.split(cells[begin].source)[0].rstrip()
            new[0].source = f"{head}\n\n{new[0].source}".lstrip()
        notebook.cells = [*cells[:begin], *new, *cells[end:]]


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
        lines += [
            f'mine.{name} = {how}\nprint(f"mine.{name} = {{mine.{name}!r}}")'
            for name, how in question["draw"].items()
        ]
        cells.append(
            marked("\n".join(lines), f"{answer}-numbers", locked=True)
        )
    cells.append(marked(ANSWER.format(**question), answer, solution=True))
    numbers = "".join(
        f"    {why!r}: {how},\n"
        for why, how in question["misconceptions"].items()
    )
    code = TEST.format(**question, numbers=numbers)
    test = marked(code, f"{answer}-test", grade=True, locked=True)
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
    """Answer a lab right, with all questions in it, as it is graded: in the same sandbox.

    Before that it is tried for many students that what is right is a number,
    and that nothing wrong comes near it.

    Raises
    ------
    ValueError
        If a cell stops, what is right is not taken, what is wrong may be, or a
        name has two meanings.
    """
    own = questions_of(lab).values()
    refuse_taken(notebook, lab, own)
    setup = [cell.source for cell in notebook.cells if is_setup(cell)]
    for student in range(TRIED if own else 0):
        room = worth(lab, lab_of, setup, f"s{student}")
        for question in own:
            fair(question, room)
    if missing := lacking():
        # It cannot be graded here either.
        logging.getLogger(__name__).warning(
            "%s is not tried as it will be graded, for lack of a sandbox: %s",
            lab,
            missing,
        )
    else:
        rehearse(copy.deepcopy(notebook.cells), lab)


def rehearse(cells: list[NotebookNode], lab: str) -> None:
    """Grade the right answers of a student, and raise a ValueError if any cell stops."""
    for cell in cells:
        if SEED.match(cell.source):
            cell.source = "lab_seed = 's0'"
    examine(cells, lambda: StudentsKernel(600), Clock(600, 600), ("s0", ""))
    # What stops an answer stops its test too.
    for cell in sorted(cells, key=is_test):
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                why = f"{output.ename}: {output.evalue}"
                raise ValueError(f"{lab}: {cell.id} stops with {why}")


def fair(question: dict[str, Any], room: dict[str, Any]) -> None:
    """Raise a ValueError if a student's right answer is no number, or near a wrong one."""

    def number(how: str) -> Any:
        return worth(f"{where}: {how!r}", eval, how, room)

    where, told = question["where"], question["misconceptions"]
    right = number(question["right"])
    if not near(right, right):
        raise ValueError(f"{where}: what is right is no number, but {right!r}")
    for how in (*told.values(), *question["wrong"]):
        if not apart(right, number(how)):
            raise ValueError(
                f"{where}: for some students {how!r} leads to what is right"
            )


def worth(what: str, step: Callable[..., Any], *given: Any) -> Any:
    """Return what a step returns, or say what it is that stops."""
    try:
        return step(*given)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ValueError(f"{what} stops with {why}") from error


def refuse_taken(
    notebook: NotebookNode, lab: str, own: Iterable[dict[str, Any]]
) -> None:
    """Refuse the name of an answer that stands in other cells, and a number drawn before."""
    drawn = {*vars(numbers("anybody", int(lab.removeprefix("lab"))))}
    for question in own:
        where, answer = question["where"], question["answer"]
        theirs = [f"{answer}{end}" for end in ("-numbers", "", "-test")]
        word = re.compile(rf"\b{answer}\b")
        cells = [
            cell.id
            for cell in notebook.cells
            if cell.cell_type == "code"
            and word.search(f"{cell.id}\n{cell.source}")
        ]
        if cells not in (theirs, theirs[1:]):
            several = ", ".join(cells)
            raise ValueError(
                f"{where}: {answer!r} stands in several cells: {several}"
            )
        if taken := drawn & {*question["draw"]}:
            raise ValueError(
                f"{where}: the lab has drawn mine.{min(taken)} before"
            )
        drawn |= {*question["draw"]}
