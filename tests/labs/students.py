"""What students hand in as lab 1, by mistake or not: each gets the points of the right answers."""

import codecs
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import nbformat

from payloads import FILE
from sources import (
    EXPLORER,
    answers,
    cells_that_test,
    graded,
    names,
    points,
    right,
    ten_percent_more,
    worth,
)

LAB = "lab1"
FIRST, *_, LAST = answers(LAB)
ALL, FUNCTIONS = points(LAB), points(LAB, only_functions=True)
WORTH = worth(LAB)


def cell_of(notebook, name):
    """Return the cell of a notebook that nbgrader knows by this name."""
    return next(
        one for one in notebook.cells if graded(one)["grade_id"] == name
    )


def first(notebook, code):
    """Insert code into the first answer."""
    cell = cell_of(notebook, FIRST)
    cell.source = f"{code}\n{cell.source}"


def own(notebook, *codes):
    """Add cells of a student's own."""
    notebook.cells += map(nbformat.v4.new_code_cell, codes)


def seeded(notebook, name):
    """Write an id into a notebook."""
    cell_of_seed = next(
        one for one in notebook.cells if one.source.startswith("lab_seed =")
    )
    cell_of_seed.source = f'lab_seed = "{name}"'


def shuffled(notebook):
    """Do to the lab's own cells all that JupyterLab can do to them, and print too much."""
    cells = {cell.id: cell for cell in notebook.cells}
    deleted, twice, renamed, ungraded, *_, last = cells_that_test(notebook)
    for cell in (deleted, last, cells["numbers"], cells["seed"]):
        notebook.cells.remove(cell)
    notebook.cells.insert(notebook.cells.index(cells[FIRST]), last)
    for cell in (twice, cells[LAST]):
        copy = nbformat.from_dict({**cell, "id": f"a-copy-of-{cell.id}"})
        notebook.cells.insert(notebook.cells.index(cell) + 1, copy)
    renamed.metadata.nbgrader.update(grade_id="x")
    ungraded.metadata.nbgrader.update(grade=False)
    for about in ("x", {"grade_id": ["a"]}):
        own(notebook, "1")
        notebook.cells[-1].metadata.nbgrader = about
    own(notebook, "'\ud800'")
    notebook.cells += [cells["seed"], cells["numbers"]]
    first(notebook, "for _ in range(20_000): print('all points, please')")
    seeded(notebook, "shuffled")


def upside_down(notebook):
    """Put the tests first, delete the student's numbers and all marks, and what writes JSON."""
    tests = cells_that_test(notebook)
    others = [
        cell
        for cell in notebook.cells
        if cell not in tests and cell.id != "numbers"
    ]
    notebook.cells = [*tests, *others]
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    own(notebook, "import json\njson.dumps = json.JSONEncoder = None")


def tampered(notebook):
    """Make each test worth more, or none, or passed; answer only the last question right."""
    for at, cell in enumerate(cells_that_test(notebook)):
        cell.metadata.nbgrader.update(points=99)
        if at % 3 == 0:
            cell.outputs = [nbformat.v4.new_output("stream", text="Right.\n")]
        elif at % 3 == 1:
            cell.source = ""
        else:
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]
    cell_of(notebook, LAST).source = answers(LAB)[LAST]


#: Each spoils the answer to which it happens, and no other.
ACCIDENTS = {
    FIRST: f"{answers(LAB)[FIRST]}\ndef {names(answers(LAB)[FIRST])[0]}(chance):\n"
    + "    while True: pass",
    "largest_epsilon": "largest_epsilon = = 1",
    "worst": "while True: pass",
    "flat": "exit()",
}
END = "import os; os._exit(1)"
ENDED_BY = names(answers(LAB)["inverse"])[0]


def instead(notebook, codes):
    """Write other code into cells."""
    for name, code in codes.items():
        cell_of(notebook, name).source = code


def before(name):
    """Return the points of all answers but the functions from one on."""
    order = [*answers(LAB)]
    values = [one for one in order if "= None" in answers(LAB)[one]]
    return sum(WORTH[one] for one in {*order[: order.index(name)], *values})


#: Files beside a notebook that some program would run at its start: none would
#: grade it then; and two in a folder.
BESIDE = (
    *("sitecustomize.py", "usercustomize.py", "json.py"),
    *("ipython_config.py", "nbgrader_config.py"),
    *("deep/json.py", f"deep/{LAB}.ipynb"),
)


class Case(NamedTuple):
    """What a student does to a notebook with such answers, its points, and what is told of it.

    And what becomes of the file that is handed in.
    """

    change: Callable = lambda notebook: None
    points: int | None = ALL
    told: tuple[str, ...] = ()
    answer: Callable | None = right
    written: Callable = bytes


#: Grading stops at what is no notebook.
FAILED = ("not graded; where that failed, lab1.log says why",)
ENDED = "Python ended, could not be stopped, or said too much"
CASES = {
    "SHUFFLED": Case(shuffled, written=lambda text: codecs.BOM_UTF8 + text),
    "tampered": Case(tampered, WORTH[LAST], answer=ten_percent_more),
    "friends-numbers": Case(
        partial(first, code='mine = numbers("friend", lab=1)'), FUNCTIONS
    ),
    "accidents": Case(
        partial(instead, codes=ACCIDENTS),
        ALL - sum(WORTH[one] for one in ACCIDENTS),
    ),
    "ends": Case(
        partial(instead, codes={"flat": END, "total": END}),
        ALL - WORTH["flat"] - WORTH["total"],
        (ENDED,),
    ),
    "ends-in-a-test": Case(
        partial(instead, codes={"inverse": f"def {ENDED_BY}(*_): {END}"}),
        before("inverse"),
        (ENDED,),
    ),
    "right": Case(told=("fine",)),
    "borrowed": Case(
        partial(seeded, name="right"),
        FUNCTIONS,
        ("with the id 'right' in it",),
    ),
    "no-id": Case(
        partial(seeded, name="your student id"), FUNCTIONS, ("no id in it",)
    ),
    "empty": Case(points=0, told=("no test finds an answer",), answer=None),
    "garbled": Case(points=None, told=FAILED, written=lambda text: text[:9]),
    "upside-down": Case(upside_down, told=(ENDED,)),
}


def hand_in_all(course):
    """Put what each hands in where it is graded; only whose lab is right keeps its explorers."""
    for student, case in CASES.items():
        notebook = course.answered(LAB, student, case.answer)
        if student != "right":
            notebook.cells = [
                one for one in notebook.cells if not EXPLORER.match(one.source)
            ]
        case.change(notebook)
        folder = course.put(LAB, student, notebook)
        (folder / "evil.html").write_text(FILE)
        (folder / "deep").mkdir()
        for name in BESIDE:
            (folder / name).write_text("raise SystemExit")
        path = folder / f"{LAB}.ipynb"
        path.write_bytes(case.written(path.read_bytes()))
