"""Questions of a lecturer's own: each a few lines of TOML, put into a lab to release and grade it.

A folder holds LAB/NUMBER.toml, such as lab1/2.4.toml. The question takes the
place of the lab's own with that number, or stands after the last one before
it. `notebooks/labs/questions` has two of ours; `questions` in class.toml names
a folder of yours, which counts before ours.
"""

import contextlib
import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from settings import HERE, place, settings, typed

from dpwidgets.labs.grading import apart
from dpwidgets.labs.reading import SEED, about

#: What may be left out.
OPTIONAL: dict[str, Any] = {"draw": {}, "misconceptions": {}, "taught": []}
FIELDS: dict[str, tuple[type, ...]] = {
    "asks": (str,),
    "answer": (str,),
    "points": (int,),
    "right": (str,),
    "hint": (str,),
    "draw": (dict,),
    "misconceptions": (dict,),
    "taught": (list,),
}
#: For how many students it is tried that no misconception is right.
TRIED = 30
ANSWER = """{answer} = None
### BEGIN SOLUTION
{answer} = {right}
### END SOLUTION"""
TEST = """if answered({answer}={answer}):
    assert is_number({answer}), "{answer} must be a number"
### BEGIN HIDDEN TESTS
assert near({answer}, {right}), wrong({answer}, {{
{wrong}}}, {hint!r})
### END HIDDEN TESTS"""
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
            where = f"{lab}/{path.name}"
            fields = typed(where, FIELDS, OPTIONAL | written)
            if not fields["answer"].isidentifier():
                raise ValueError(f"{where}: answer must be a name of Python's")
            found[int(part), int(at)] = fields
    return dict(sorted(found.items()))


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
        for name, how in question["draw"].items():
            lines.append(f"mine.{name} = {how}")
            lines.append(f'print(f"mine.{name} = {{mine.{name}!r}}")')
        cells.append(
            marked("\n".join(lines), f"{answer}-numbers", locked=True)
        )
    cells.append(marked(ANSWER.format(**question), answer, solution=True))
    wrong = ""
    for why, how in question["misconceptions"].items():
        wrong += f"    {why!r}: {how},\n"
    code = TEST.format(**question, wrong=wrong)
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
    """Answer a lab right with all questions in it, and draw these for more students.

    Raises
    ------
    ValueError
        If a question stops the lab, or a misconception leads to what is right.
    """
    own = questions_of(lab)
    ids = [cell.id for cell in notebook.cells]
    for question in own.values():
        if ids.count(question["answer"]) > 1:
            raise ValueError(f"{lab} asks for {question['answer']!r} twice")
    for student in range(TRIED if own else 0):
        room: dict[str, Any] = {}
        for cell in notebook.cells:
            is_drawn = about(cell).get("locked") and not about(cell)["grade"]
            code = SEED.sub(f"lab_seed = 's{student}'", cell.source)
            if cell.cell_type == "code" and (
                not student or is_drawn or code != cell.source
            ):
                run(code, room, f"{lab}: {cell.id}")
        for (part, at), question in own.items():
            place = f"{lab}/{part}.{at}.toml"
            right = eval(question["right"], room)
            for why, how in question["misconceptions"].items():
                if not apart(right, eval(how, room)):
                    raise ValueError(
                        f"{place}: for some students {why!r} leads to what is right"
                    )


def run(code: str, room: dict[str, Any], where: str) -> None:
    """Run a cell, and say which one stops."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, room)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ValueError(f"{where} stops with {why}") from error
