"""What students try with lab 1, by mistake or not: each gets the points of the right answers."""

import shutil

import nbformat
import pytest

from sources import (
    answers,
    cells_that_test,
    graded,
    hand_in,
    points,
    read,
    source,
    ten_percent_more,
)

pytestmark = pytest.mark.slow
LAB = "lab1"
FIRST, *_, LAST = answers(LAB)
TEST = f"{FIRST}-test"
ALL = points(LAB)
WORTH = {
    graded(cell)["grade_id"].removesuffix("-test"): graded(cell)["points"]
    for cell in cells_that_test(source(LAB))
}

#: Code in the first answer of a student whose answers are all wrong: it earns nothing.
IDLE = {
    "near": "near = is_number = lambda *a: True\nwrong = lambda *a: ''",
    "trusting": "def near(*a): return True\nimport dpwidgets.labs as d\n"
    "d.near = d.grading.near = near",
    "calculators": "loss.laplace = loss.epsilon = loss.release = lambda *a: None",
    "sys-modules": "import sys, unittest.mock as m\n"
    "for name in [n for n in sys.modules if 'dpwidgets' in n or n == 'math']:\n"
    "    sys.modules[name] = m.MagicMock()",
    "builtins": "import builtins as b\nb.abs = lambda x: 0\nb.isinstance = lambda *a: True",
    "asserts": "import ast\nclass Strip(ast.NodeTransformer):\n"
    "    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)\n"
    "get_ipython().ast_transformers.append(Strip())",
    "blank": "get_ipython().input_transformers_post.append(lambda lines: [])",
    "tracebacks": "get_ipython().showtraceback = lambda *a, **k: None\n"
    "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)",
    "equal": "class Equal(float):\n    __sub__ = __rsub__ = lambda s, o: Equal(0)\n"
    "    __le__ = __eq__ = __abs__ = lambda *a: True\nanswer = Equal(1)",
    "forged": "get_ipython().user_expressions = lambda asked: {k: {'status': 'ok', 'data':"
    " {'text/plain': repr('[true, true, true]')}} for k in asked}",
    "deep": "get_ipython().user_expressions = lambda asked: {k: {'status': 'ok', 'data':"
    " {'text/plain': '(' * 90_000}} for k in asked}",
    "forbidden": "exec = globals = json = None",
}


def edited(name, edit):
    """Return what changes the code of one cell: the answer of that name, or its test."""

    def change(notebook):
        (cell,) = (one for one in notebook.cells if graded(one)["grade_id"] == name)
        cell.source = edit(cell.source)

    return change


def first(code):
    """Insert code into the first answer."""
    return edited(FIRST, lambda source: f"{code}\n{source}")


def in_last(code):
    """Replace the last answer."""
    return edited(LAST, lambda source: code)


def without(name):
    def change(notebook):
        notebook.cells = [one for one in notebook.cells if graded(one)["grade_id"] != name]

    return change


def of_tests(do):
    def change(notebook):
        for cell in cells_that_test(notebook):
            do(cell)

    return change


def twice(name):
    def change(notebook):
        at = [graded(one)["grade_id"] for one in notebook.cells].index(name)
        copy = nbformat.from_dict({**notebook.cells[at], "id": "a-copy"})
        notebook.cells.insert(at + 1, copy)

    return change


def stripped(notebook):
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)


def named(name):
    def change(notebook):
        for cell in notebook.cells:
            if cell.source.startswith("lab_seed ="):
                cell.source = f'lab_seed = "{name}"'

    return change


def as_markdown(cell):
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]


def faked(cell):
    cell.outputs = [nbformat.v4.new_output("stream", text="Right.\n")]


FUNCTIONS = points(LAB, only_functions=True)
LOOP = "while True:\n    pass"
KILLED = "killed"
STUBBORN = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
#: Of others: whether their answers are right, what they do to the notebook, their points.
OTHERS = {
    "friends-id": (True, named("friend"), FUNCTIONS),
    "friends-numbers": (True, first('mine = numbers("friend", lab=1)'), FUNCTIONS),
    "UPPER": (True, named("upper"), ALL),
    "test-deleted": (True, without(TEST), ALL),
    "answer-deleted": (True, without(LAST), ALL - WORTH[LAST]),
    "renamed": (True, of_tests(lambda cell: cell.metadata.nbgrader.update(grade_id="x")), ALL),
    "stripped": (True, stripped, ALL),
    "answer-twice": (True, twice(LAST), ALL),
    "test-twice": (True, twice(TEST), ALL),
    "points": (False, of_tests(lambda cell: cell.metadata.nbgrader.update(points=99)), 0),
    "ungraded": (True, of_tests(lambda cell: cell.metadata.nbgrader.update(grade=False)), ALL),
    "markdown": (False, of_tests(as_markdown), 0),
    "faked": (False, of_tests(faked), 0),
    "emptied": (False, of_tests(lambda cell: cell.update(source="")), 0),
    "chatty": (True, first("for _ in range(200_000): print('all points, please')"), ALL),
    "syntax": (True, in_last("each_epsilon = = 1"), ALL - WORTH[LAST]),
    "loop": (True, in_last(LOOP), ALL - WORTH[LAST]),
    "stubborn": (True, in_last(STUBBORN), ALL - WORTH[LAST]),
    "crash": (True, in_last("import os; os._exit(1)"), ALL - WORTH[LAST]),
    "quits": (True, in_last("exit()"), ALL - WORTH[LAST]),
    "signal": (True, in_last("import os, signal; os.kill(os.getpid(), 9)"), ALL - WORTH[LAST]),
    "endless-function": (
        True,
        edited(FIRST, lambda source: f"{source}\ndef odds(chance):\n    while True: pass"),
        ALL - WORTH[FIRST],
    ),
}


def mostly_wrong(notebook):
    for cell in notebook.cells:
        if graded(cell)["solution"] and graded(cell)["grade_id"] != LAST:
            cell.source = ten_percent_more(cell.source)


def unfinished(folder):
    """Answer the last question only."""
    notebook = read(folder.parents[2] / "release" / LAB / f"{LAB}.ipynb")
    hand_in(notebook, LAB, folder.parent.name, None)
    in_last(answers(LAB)[LAST])(notebook)
    nbformat.write(notebook, folder / f"{LAB}.ipynb")


def killer(folder):
    """End whoever grades, the first time."""
    notebook, once = read(folder / f"{LAB}.ipynb"), folder.parents[2] / KILLED
    code = f"import os, pathlib\nonce = pathlib.Path({str(once)!r})\nif not once.exists():"
    in_last(f"{code}\n    once.touch()\n    os.kill(os.getppid(), 9)")(notebook)
    nbformat.write(notebook, folder / f"{LAB}.ipynb")


def late(folder):
    (folder / "timestamp.txt").write_text("2026-11-22 13:30:00.000000 UTC")


def misnamed(folder):
    (folder / f"{LAB}.ipynb").rename(folder / "my final.ipynb")


def two_files(folder):
    shutil.copy(folder / f"{LAB}.ipynb", folder / f"{LAB} (1).ipynb")


def emptied(folder):
    (folder / f"{LAB}.ipynb").write_text("")


def older(notebook):
    for cell in cells_that_test(notebook):
        cell.metadata.nbgrader.checksum = "0123456789abcdef"


def nothing(notebook):
    pass


#: What is the matter with a submission: the notebook, the folder, points, what the lecturer reads.
MATTERS = {
    "fine": (nothing, None, ALL, "fine"),
    "no-id": (named("your student id"), None, FUNCTIONS, "no id in it"),
    "borrowed": (named("fine"), None, FUNCTIONS, "with the id 'fine', of another student"),
    "typo": (named("fien"), None, FUNCTIONS, "with the id 'fien', of nobody here"),
    "stripped-marks": (stripped, None, ALL, "without nbgrader's marks"),
    "older": (older, None, ALL, "from another version of the lab"),
    "late": (nothing, late, ALL, "late by 1.5 hours"),
    "misnamed": (nothing, misnamed, None, "wrong name: there is my final.ipynb"),
    "two-files": (nothing, two_files, ALL, "more than one notebook"),
    "emptied-file": (nothing, emptied, None, "cannot be read"),
    "mostly-wrong": (
        mostly_wrong,
        None,
        WORTH[LAST],
        "all is answered, and less than half of it is right",
    ),
    "unfinished": (nothing, unfinished, WORTH[LAST], "fine"),
    # Those after it in the alphabet are graded once more, each by a process of its own.
    "trouble": (nothing, killer, ALL - WORTH[LAST], "fine"),
    "again": (nothing, None, ALL, "handed in again, later"),
}


@pytest.fixture(scope="module")
def told(course):
    """What the lecturer is told before and after grading all who have handed in lab 1."""
    (course.inbound / f"again+{LAB}+2026-11-22 10:00:00 UTC+x").mkdir()
    due = "--duedate=2026-11-22 12:00:00 UTC"
    course.run("nbgrader", "db", "assignment", "add", LAB, due)
    course.run("nbgrader", "db", "student", "add", "absent")
    for student in [*IDLE, *OTHERS, *MATTERS]:
        right, change, _ = OTHERS.get(student, (False, first(IDLE.get(student, "")), 0))
        change_folder = None
        if student in MATTERS:
            right, (change, change_folder, *_) = True, MATTERS[student]
        answer = (lambda code, lab: code) if right else (lambda code, lab: ten_percent_more(code))
        notebook = course.answered(LAB, student, answer)
        change(notebook)
        folder = course.put(LAB, student, notebook)
        if change_folder:
            change_folder(folder)
    return [course.tell(what, LAB, "--Grade.timeout=10") for what in ("check", "grade")]


@pytest.fixture(scope="module")
def cheats(course, told):
    """The score of each."""
    return {student: score for (_, student), score in course.scores().items()}


@pytest.mark.parametrize("student", IDLE)
def test_whoever_patches_the_kernel_gets_nothing_for_wrong_answers(student, cheats, course):
    assert cheats[student] == 0
    assert all(course.says(LAB, student))


@pytest.mark.parametrize("student", OTHERS)
def test_each_gets_the_points_of_their_right_answers(student, cheats, course):
    assert cheats[student] == OTHERS[student][2], course.says(LAB, student)


def test_another_students_id_is_named_in_the_feedback(course, told):
    said = course.says(LAB, "friends-id")
    assert said
    assert all("with the id 'friend' in it" in one for one in said)


@pytest.mark.parametrize("student", MATTERS)
def test_the_lecturers_table_names_every_state(student, cheats, told):
    *_, score, remark = MATTERS[student]
    before, after = told
    assert remark in after[student]
    assert remark == "fine" or remark.startswith("all is answered") or remark in before[student]
    assert after[student].startswith("–" if score is None else f"{score:g} ")
    assert cheats[student] == (score or 0)
    assert after["absent"] == "– not handed in"


def test_whoever_ends_the_process_that_grades_costs_nobody_points(course, cheats):
    """Those after the killer were not graded in that process; the other tests read their points."""
    assert (course.folder / KILLED).exists()
    assert cheats["trouble"] == ALL - WORTH[LAST]


def test_who_is_graded_is_passed_over_when_the_command_is_given_again(course, told):
    def written():
        return {path: path.stat().st_mtime_ns for path in course.folder.glob("autograded/*/*/*")}

    before = written()
    assert course.tell("grade", LAB, "--Grade.timeout=10") == told[1]
    assert written() == before


def test_no_zero_is_silent(told):
    assert not [said for said in told[1].values() if said in ("0 fine", "– fine")]
