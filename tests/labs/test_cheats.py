"""What students try with lab 1, by mistake or not: each gets the points of the right answers."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import nbformat
import pytest

from sources import (
    answers,
    cells_that_test,
    graded,
    hand_in,
    points,
    read,
    right,
    source,
    ten_percent_more,
)

pytestmark = pytest.mark.slow
LAB = "lab1"
FIRST, *_, LAST = answers(LAB)
ONE = "worst"  # an answer on which nothing is built
ALL = points(LAB)
WORTH = {
    graded(cell)["grade_id"].removesuffix("-test"): graded(cell)["points"]
    for cell in cells_that_test(source(LAB))
}

#: Code in the first answer of a student whose answers are all wrong: it earns nothing.
IDLE = {
    "patched": "near = is_number = lambda *a: True\nwrong = lambda *a: ''\n"
    "import ast, builtins, dpwidgets.labs as d\nd.near = d.grading.near = near\n"
    "class Strip(ast.NodeTransformer):\n"
    "    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)\n"
    "get_ipython().ast_transformers.append(Strip())\n"
    "get_ipython().showtraceback = lambda *a, **k: None\n"
    "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)\n"
    "class Equal(float):\n    __sub__ = __rsub__ = lambda s, o: Equal(0)\n"
    "    __le__ = __eq__ = __abs__ = lambda *a: True\nanswer = Equal(1)\n"
    "builtins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True",
    "mocked": "loss.laplace = loss.epsilon = loss.release = lambda *a: None\n"
    "import sys, unittest.mock as m\n"
    "for name in [n for n in sys.modules if 'dpwidgets' in n or n == 'math']:\n"
    "    sys.modules[name] = m.MagicMock()",
    "blank": "get_ipython().input_transformers_post.append(lambda lines: [])",
    "forged": "get_ipython().user_expressions = lambda asked: {k: {'status': 'ok', 'data':"
    " {'text/plain': repr('[true, true, true]')}} for k in asked}",
    "deep": "get_ipython().user_expressions = lambda asked: {k: {'status': 'ok', 'data':"
    " {'text/plain': '(' * 90_000}} for k in asked}",
    "forbidden": "exec = globals = json = None",
}


def cell_of(notebook, name):
    """Return the cell of a notebook that nbgrader knows by this name."""
    return next(one for one in notebook.cells if graded(one)["grade_id"] == name)


def first(notebook, code):
    """Insert code into the first answer."""
    cell = cell_of(notebook, FIRST)
    cell.source = f"{code}\n{cell.source}"


def instead(notebook, **codes):
    """Replace answers, by name."""
    for name, code in codes.items():
        cell_of(notebook, name).source = code


def named(notebook, name):
    for cell in notebook.cells:
        if cell.source.startswith("lab_seed ="):
            cell.source = f'lab_seed = "{name}"'


def doubled(notebook, name):
    cell = cell_of(notebook, name)
    copy = nbformat.from_dict({**cell, "id": f"a-copy-of-{name}"})
    notebook.cells.insert(notebook.cells.index(cell) + 1, copy)


def shuffled(notebook):
    """Do to the lab's own cells what JupyterLab can do to them, and print too much."""
    deleted, twice, renamed, ungraded, *_ = cells_that_test(notebook)
    notebook.cells.remove(deleted)
    doubled(notebook, graded(twice)["grade_id"])
    doubled(notebook, LAST)
    renamed.metadata.nbgrader.update(grade_id="x")
    ungraded.metadata.nbgrader.update(grade=False)
    first(notebook, "for _ in range(200_000): print('all points, please')")
    named(notebook, "shuffled")


def tampered(notebook):
    """Make each test worth more, or none, or passed."""
    for at, cell in enumerate(cells_that_test(notebook)):
        cell.metadata.nbgrader.update(points=99)
        if at % 3 == 0:
            cell.outputs = [nbformat.v4.new_output("stream", text="Right.\n")]
        elif at % 3 == 1:
            cell.source = ""
        else:
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]


def in_pieces(notebook):
    instead(notebook, **{ONE: "worst_case = = 1"})
    notebook.cells.remove(cell_of(notebook, LAST))


def stripped(notebook):
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)


def mostly_wrong(notebook):
    for cell in notebook.cells:
        if graded(cell)["solution"] and graded(cell)["grade_id"] != LAST:
            cell.source = ten_percent_more(cell.source)


def unfinished(folder):
    """Answer the last question only."""
    notebook = read(folder.parents[2] / "release" / LAB / f"{LAB}.ipynb")
    hand_in(notebook, LAB, folder.parent.name, None)
    instead(notebook, **{LAST: answers(LAB)[LAST]})
    nbformat.write(notebook, folder / f"{LAB}.ipynb")


def killer(folder):
    """End whoever grades, the first time."""
    notebook, once = read(folder / f"{LAB}.ipynb"), folder.parents[2] / KILLED
    code = f"import os, pathlib\nonce = pathlib.Path({str(once)!r})\nif not once.exists():"
    instead(notebook, **{LAST: f"{code}\n    once.touch()\n    os.kill(os.getppid(), 9)"})
    nbformat.write(notebook, folder / f"{LAB}.ipynb")


def misnamed(folder):
    (folder / f"{LAB}.ipynb").rename(folder / "my final.ipynb")


def emptied(folder):
    (folder / f"{LAB}.ipynb").write_text("")


def messy(folder):
    """Hand in late, two files, of an older version, and something more later."""
    (folder / "timestamp.txt").write_text("2026-11-22 13:30:00.000000 UTC")
    notebook = read(folder / f"{LAB}.ipynb")
    nbformat.write(notebook, folder / f"{LAB} (1).ipynb")
    for cell in cells_that_test(notebook):
        cell.metadata.nbgrader.checksum = "0123456789abcdef"
    nbformat.write(notebook, folder / f"{LAB}.ipynb")


def nothing(_):
    pass


class Case(NamedTuple):
    """What a student does to a notebook with such answers, its points, and what is told of it."""

    change: Callable = nothing
    points: int | None = ALL
    told: tuple[str, ...] = ()
    folder: Callable = nothing
    answer: Callable = right


FUNCTIONS = points(LAB, only_functions=True)
KILLED = "killed"
LOOP = "while True: pass"
#: Each of two endless answers is interrupted, a stubborn one ended with the kernel.
ENDLESS = {FIRST: f"{answers(LAB)[FIRST]}\ndef odds(chance):\n    {LOOP}", LAST: LOOP}
STUBBORN = f"while True:\n    try:\n        {LOOP}\n    except BaseException: pass"
ENDS = {ONE: "exit()", LAST: "import os; os._exit(1)"}
MESSY = ("from another version", "late by 1.5 hours", "more than one notebook", "again, later")
CASES = {
    name: Case(partial(first, code=code), 0, answer=ten_percent_more) for name, code in IDLE.items()
} | {
    "SHUFFLED": Case(shuffled),
    "tampered": Case(tampered, 0, answer=ten_percent_more),
    "friends-numbers": Case(partial(first, code='mine = numbers("friend", lab=1)'), FUNCTIONS),
    "pieces": Case(in_pieces, ALL - WORTH[LAST] - WORTH[ONE]),
    "endless": Case(partial(instead, **ENDLESS), ALL - WORTH[LAST] - WORTH[FIRST]),
    "stubborn": Case(partial(instead, **{LAST: STUBBORN}), ALL - WORTH[LAST]),
    "ends": Case(partial(instead, **ENDS), ALL - WORTH[LAST] - WORTH[ONE]),
    "fine": Case(told=("fine",)),
    "no-id": Case(partial(named, name="your student id"), FUNCTIONS, ("no id in it",)),
    "borrowed": Case(
        partial(named, name="fine"), FUNCTIONS, ("with the id 'fine', of another student",)
    ),
    "typo": Case(partial(named, name="fien"), FUNCTIONS, ("with the id 'fien', of nobody here",)),
    "stripped-marks": Case(stripped, told=("without nbgrader's marks",)),
    "misnamed": Case(points=None, told=("wrong name: there is my final.ipynb",), folder=misnamed),
    "emptied-file": Case(points=None, told=("cannot be read",), folder=emptied),
    "messy": Case(told=MESSY, folder=messy),
    "mostly-wrong": Case(mostly_wrong, WORTH[LAST], ("all is answered, and less than half",)),
    "unfinished": Case(points=WORTH[LAST], told=("fine",), folder=unfinished),
    # Those after it in the alphabet are graded once more, each by a process of its own.
    "trouble": Case(points=ALL - WORTH[LAST], told=("fine",), folder=killer),
}


@pytest.fixture(scope="module")
def told(course):
    """What the lecturer is told before and after grading all who have handed in lab 1."""
    (course.inbound / f"messy+{LAB}+2026-11-22 10:00:00 UTC+x").mkdir()
    due = "--duedate=2026-11-22 12:00:00 UTC"
    course.run("nbgrader", "db", "assignment", "add", LAB, due)
    course.run("nbgrader", "db", "student", "add", "absent")
    for student, case in CASES.items():
        notebook = course.answered(LAB, student, case.answer)
        case.change(notebook)
        case.folder(course.put(LAB, student, notebook))
    return [course.tell(what, LAB, "--Grade.timeout=10") for what in ("check", "grade")]


@pytest.fixture(scope="module")
def cheats(course, told):
    """The score of each."""
    return {student: score for (_, student), score in course.scores().items()}


@pytest.mark.parametrize("student", IDLE)
def test_whoever_patches_the_kernel_gets_nothing_for_wrong_answers(student, cheats, course):
    assert cheats[student] == 0
    assert all(course.says(LAB, student))


@pytest.mark.parametrize("student", CASES)
def test_each_gets_the_points_of_their_right_answers(student, cheats, course):
    assert cheats[student] == (CASES[student].points or 0), course.says(LAB, student)


def test_another_students_id_is_named_in_the_feedback(course, told):
    said = course.says(LAB, "borrowed")
    assert said
    assert all("with the id 'fine' in it" in one for one in said)


@pytest.mark.parametrize("student", [name for name, case in CASES.items() if case.told])
def test_the_lecturers_table_names_every_state(student, told):
    case, (before, after) = CASES[student], told
    for remark in case.told:
        assert remark in after[student]
        assert remark == "fine" or remark.startswith("all is answered") or remark in before[student]
    assert after[student].startswith("–" if case.points is None else f"{case.points:g} ")
    assert after["absent"] == "– not handed in"
    assert not {"0 fine", "– fine"} & {*after.values()}  # no zero is silent


def test_whoever_ends_the_process_that_grades_costs_nobody_points(course, cheats):
    """Those after the killer were not graded in that process; the other tests read their points."""
    assert (course.folder / KILLED).exists()


def test_who_is_graded_is_passed_over_when_the_command_is_given_again(course, told):
    def written():
        return {path: path.stat().st_mtime_ns for path in course.folder.glob("autograded/*/*/*")}

    before = written()
    assert course.tell("grade", LAB, "--Grade.timeout=10") == told[1]
    assert written() == before
