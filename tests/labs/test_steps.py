"""Single steps of the grading that a whole course would take minutes to try."""

import copy
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
)

pytest.importorskip(
    "nbgrader", reason="`test_sandboxed.py` runs these where nbgrader is"
)
import cells
import feedback
import grade
import steps
from steps import Grade
from students_kernel import shown


def test_whoever_interrupts_waits_for_what_has_begun_only(monkeypatch):
    begun, go_on = [], threading.Event()
    press = (threading.main_thread().ident, signal.SIGINT)

    def nbgrader(step, course, share):
        begun.append(share)
        # It comes while the first is graded.
        threading.Timer(1, signal.pthread_kill, press).start()
        go_on.wait(60)

    def interrupt(*_):
        threading.Timer(1, go_on.set).start()  # that one ends a moment later
        raise KeyboardInterrupt

    monkeypatch.setattr(grade, "nbgrader", nbgrader)
    monkeypatch.setattr(grade, "PROCESSORS", 1)
    students = [f"s{at}" for at in range(200)]
    # A script in the background ignores what comes from the keyboard.
    before = signal.signal(signal.SIGINT, interrupt)
    with pytest.raises(KeyboardInterrupt):
        grade.side_by_side("autograde", None, students)
    signal.signal(signal.SIGINT, before)
    assert begun == [students[: grade.SHARE]]


@pytest.mark.parametrize("slip", ["--lok", "--Grade.timout=3"])
def test_a_word_that_is_none_of_the_command_s_is_refused(slip, monkeypatch):
    """nbgrader would take it for one of its own, or fail with everybody."""
    monkeypatch.setattr("sys.argv", ["grade.py", "lab1", slip])
    with pytest.raises(SystemExit) as ended:
        grade.main()
    assert ended.value.code == 2


def cell(name, source="", **about):
    """Return a cell of a lab as its source has it, or of a student's."""
    mark = {"grade_id": name, "grade": False, "solution": False} | about
    marks = {"nbgrader": mark} if about else {}
    return new_code_cell(source, id=name, metadata=marks)


LAB_CELLS = [
    new_markdown_cell("", id="read"),
    cell("seed", 'lab_seed = "?"', locked=False),
    cell("numbers", "mine = 1", locked=True),
    cell("answer", solution=True),
    cell("test", "assert answer", locked=True, grade=True, points=3),
    cell("late", solution=True),
    cell("late-test", "assert late", locked=True, grade=True, points=1),
]


def restored(*theirs):
    lab = {one.id: one for one in copy.deepcopy(LAB_CELLS)}
    blank = {"answer": "found = None  # here"}
    return cells.restored([*theirs], lab, blank)


def test_a_cell_gets_what_nbgrader_knows_of_it_and_no_other_cell_anything():
    claims = {"nbgrader": {"grade_id": "answer", "points": 99}}
    found = restored(
        new_code_cell("no name", id="test"),
        new_markdown_cell("", id="read"),
        new_code_cell("found = None # here\n", id="blank", metadata=claims),
        new_code_cell("first", id="own", metadata=claims),
        new_code_cell(
            "\r\nfound = None  # here", id="answer", metadata=claims
        ),
        new_code_cell("another", id="more", metadata=claims),
        new_code_cell("from Colab", id="x", metadata={"id": "late"}),
        new_code_cell("", id="y"),
        new_code_cell("mine = 2", id="numbers"),
        new_code_cell('lab_seed = "s1"', id="seed"),
    )
    assert [(one.id, one.source) for one in found] == [
        ("read", ""),
        ("seed", 'lab_seed = "s1"'),
        ("numbers", "mine = 1"),
        ("answer", "first"),
        ("own-1", "another"),
        ("test", "assert answer"),
        ("late", "from Colab"),
        ("late-test", "assert late"),
    ]
    known = {one.id: one.metadata.get("nbgrader") for one in LAB_CELLS}
    for one in found:
        assert one.metadata.get("nbgrader") == known.get(one.id)


def test_what_is_gone_comes_back_but_no_answer():
    found = restored(new_markdown_cell("mine", id="own"))
    names = ["own-1", "numbers", "test", "late-test"]
    assert [one.id for one in found] == names
    many = restored(*(new_markdown_cell("mine") for _ in range(300)))
    assert len(many) == len(names) - 1 + cells.CELLS


def processor_seconds(cells):
    """Return what it takes to make a page of cells."""
    start = time.process_time()
    page, _ = HTMLExporter().from_notebook_node(new_notebook(cells=cells))
    assert "\x1b" not in page
    return time.process_time() - start


def said(text):
    """Return a cell that has shown a text in every way."""
    displayed = [{"text/plain": text}]
    outputs = shown({"stdout": text, "stderr": text, "displayed": displayed})
    return new_code_cell("x", outputs=outputs)


def written(text):
    """Return a cell of a student's own with a text, as it stands in the graded copy."""
    return new_code_cell(cells.beginning(text, steps.LONGEST))


@pytest.mark.parametrize(
    ("make", "piece"),
    [
        *((said, one) for one in ("\x1b[31m<", "\x1b[1;", "\x1b", "<")),
        *(
            (written, one)
            for one in ("a = 1\n", " \n", "\r", "\x0c\n", "'\\N{")
        ),
    ],
)
def test_nothing_long_keeps_the_pages_of_others_waiting(make, piece):
    """nbconvert follows colours for hours, and pygments blank lines: a page is made after another.

    What is kept of a hundred times as much takes as long as what is kept of it.
    """
    processor_seconds([said("")])  # what it loads first
    text = piece * (90_000 // len(piece))
    once = processor_seconds([make(text)])
    assert processor_seconds([make(text * 100)]) < 3 * once + 1


def test_of_a_graded_copy_all_sources_together_have_a_bound(monkeypatch):
    assert cells.beginning("a = 1\n\n\nb = 2", 20_000) == "a = 1\n\n\nb = 2"
    assert len(cells.beginning("a" + " \n" * 900 + "b", 9999)) == 502
    assert cells.beginning("x" * 30, 20).endswith(
        "10 signs more were handed in"
    )
    monkeypatch.setattr(steps, "source_of", lambda name: new_notebook())
    long = [new_code_cell("x" * 30_000) for _ in range(cells.CELLS)]
    made, _ = steps.clean(
        new_notebook(cells=long), {"nbgrader": {"assignment": "lab1"}}
    )
    lengths = [len(cell.source) for cell in made.cells]
    assert max(lengths) < steps.LONGEST + 100
    assert sum(lengths) < steps.SIGNS + 100 * cells.CELLS


def test_an_error_that_says_nothing_is_named_in_the_feedback():
    """As where a cell is interrupted."""
    stopped = cell("answer", "while True: pass", solution=True)
    name = "KeyboardInterrupt"
    error = new_output("error", ename=name, evalue="", traceback=[])
    stopped.outputs = [error]
    assert f"<p>{name}</p>" in [*feedback.parts_of([stopped])]


def test_whose_kernel_ends_is_graded_again_alone(monkeypatch):
    """Only then a cell whose kernel ends has done that; who is graded is passed over."""
    graded = []
    students = [f"s{at}" for at in range(12)]
    done = {"s0"}
    here = SimpleNamespace(
        students=students,
        notebook=lambda student: Path(__file__),
        marks=lambda: dict.fromkeys(done),
    )

    def nbgrader(step, course, students, *options):
        graded.append((students, options))
        done.update({*students} - {"s3", "s7"})

    monkeypatch.setattr(grade, "nbgrader", nbgrader)
    monkeypatch.setattr(grade, "PROCESSORS", 1)
    grade.grade(here, ["s0"])
    together = ("--force", "--Grade.alone=False")
    assert graded == [
        (students[:10], together),
        (students[10:], together),
        (["s3"], ("--force",)),
        (["s7"], ("--force",)),
    ]
    grade.grade(here, [])
    assert [who for who, _ in graded[4:]] == [["s3", "s7"], ["s3"], ["s7"]]
    assert Grade.alone.default_value is True


def test_what_is_not_long_is_shown_whole_and_without_colours():
    text = "\x1b[0;31mValueError\x1b[0m: a [31m b\n"
    printed, displayed = said(text).outputs[0], said(text).outputs[2]
    assert printed.text == "ValueError: a [31m b\n"
    assert displayed.data == {"text/plain": printed.text}
    many = {"stdout": "", "stderr": "", "displayed": [{}] * 10**6}
    assert len(shown(many)) == 1_000
