"""What a student hands in neither runs where a lecturer reads, nor reads what it is graded by."""

import contextlib
import html
import json
import os
import secrets
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

import server
from payloads import ARGUED, ARGUMENT, FILE, WORDS, evil, raw, submission, what_ran
from sources import answers, cells_that_test, points, read

pytestmark = pytest.mark.slow
LAB, EVIL = "lab1", "evil"
FIRST, *_, LAST = answers(LAB)


def moved(notebook):
    """Move, split and mark the lab's own cells in every way that costs nothing."""
    cells = {cell.id: cell for cell in notebook.cells}
    for name in ("numbers", "seed", f"{LAST}-test"):
        notebook.cells.remove(cells[name])
    place = notebook.cells.index(cells[FIRST])
    notebook.cells.insert(place, cells[f"{LAST}-test"])
    for about in ("x", {"grade_id": ["a"]}):
        own(notebook, "1")
        notebook.cells[-1].metadata.nbgrader = about
    own(notebook, "'\ud800'")
    notebook.cells += [cells["seed"], cells["numbers"]]


def checks_first(notebook):
    """Put the tests first, delete the student's numbers, and take away what writes JSON."""
    tests = cells_that_test(notebook)
    others = [cell for cell in notebook.cells if cell not in tests and cell.id != "numbers"]
    notebook.cells = [*tests, *others]
    own(notebook, "import json\njson.dumps = json.JSONEncoder = None")


def many_cells(notebook):
    own(notebook, *["1"] * MANY)


def own(notebook, *codes):
    """Add cells of a student's own."""
    notebook.cells += map(nbformat.v4.new_code_cell, codes)


LABS_OF = []  # the folder of the course that reads


def reader(notebook):
    """Read what lies around, and say what of it is a hidden test or a solution."""
    own(
        notebook,
        f"import os, pathlib\n"
        f"labs = pathlib.Path({str(LABS_OF[0])!r})\n"
        "def look(path):\n"
        "    try:\n        return path.read_text(errors='replace')\n"
        "    except OSError as error:\n        return type(error).__name__\n"
        f"mine = look(labs / 'autograded' / 'reader' / {LAB!r} / '{LAB}.ipynb')\n"
        "print('here', sorted(one for one in os.listdir('.') if one.endswith('.ipynb')))\n"
        "print('hidden', 'HIDDEN' + ' TESTS' in mine, '{' in mine)\n"
        f"print('source', look(labs / 'source' / {LAB!r} / '{LAB}.ipynb')[:15].split())\n"
        "print('gradebook', look(labs / 'gradebook.db')[:15])\n"
        "print('told', [name for name in os.environ if 'SECRET' in name])\n"
        "print('user', os.getuid())\n"
        "if os.getuid() >= 70000:\n"
        "    import subprocess\n"
        "    left = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "    print('left', left.pid)",
    )


MANY = 250
#: What students do to a notebook with right answers; each keeps all points.
ACCIDENTS = {"moved": moved, "checks-first": checks_first, "many-cells": many_cells}
ACCIDENTS |= {"reader": reader}


@pytest.fixture(scope="module", autouse=True)
def scores(course):
    """The scores after all these have handed in and are graded."""
    LABS_OF[:] = [course.folder]
    for student, change in {**ACCIDENTS, "slow": lambda notebook: None}.items():
        notebook = course.answered(LAB, student)
        change(notebook)
        course.put(LAB, student, notebook)
    marked = course.folder / "submitted" / "moved" / LAB / f"{LAB}.ipynb"
    marked.write_bytes(b"\xef\xbb\xbf" + marked.read_bytes())
    course.put(ARGUED, EVIL, evil(course.released(ARGUED), EVIL))
    for path in (f"many-cells/{LAB}", f"{EVIL}/{ARGUED}"):
        (course.folder / "submitted" / path / "evil.html").write_text(FILE)
    course.environment.variables["A_SECRET"] = "secret"
    slow = ("--student", "slow", "--force", "--Grade.seconds=0")
    course.run("nbgrader", "autograde", LAB, *slow)
    course.tell("grade", LAB)
    course.run("nbgrader", "autograde", ARGUED)
    yield course.scores()
    del course.environment.variables["A_SECRET"]


@pytest.mark.parametrize("student", ACCIDENTS)
def test_what_happens_to_the_labs_own_cells_costs_nothing(student, course, scores):
    assert scores[LAB, student] == points(LAB), course.says(LAB, student)


def test_a_test_stands_below_its_answer_again(course):
    for student in ("moved", "checks-first"):
        names = [cell.id for cell in course.graded(LAB, student).cells]
        for name in answers(LAB):
            assert names.index(f"{name}-test") == names.index(name) + 1


def test_a_whole_submission_has_a_limit_of_time_and_of_cells(course, scores):
    assert scores[LAB, "slow"] == 0
    said = course.says(LAB, "slow", lambda notebook: notebook.cells)
    assert len(said) > len(answers(LAB))
    assert all("took too long" in one for one in said)
    theirs = read(course.folder / "submitted" / "many-cells" / LAB / f"{LAB}.ipynb").cells
    assert len(course.graded(LAB, "many-cells").cells) == len(theirs) - MANY + 200
    table = course.tell("check", LAB)
    assert "250 cells of their own, of which 200 are run" in table["many-cells"]


def found(course):
    (output,) = course.graded(LAB, "reader").cells[-1].outputs
    return dict(line.split(" ", 1) for line in output.text.splitlines())


def test_a_kernel_starts_in_an_empty_folder_and_no_file_holds_its_tests(course):
    told = found(course)
    assert told["here"] == "[]"
    assert told["hidden"] == "False True"  # it has read the file, and nothing hidden stands there
    assert told["told"] == "[]"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs code as another user")
def test_another_user_reads_neither_solutions_nor_gradebook_and_leaves_no_program(course):
    for student in ("reader", "moved"):
        shutil.rmtree(course.folder / "autograded" / student)
    python = course.environment.folder
    with contextlib.ExitStack() as stack:
        for path in (python, *python.parents):
            mode = path.stat().st_mode & 0o777
            if not mode & 1:  # pytest's folders; a course's Python is open to all
                path.chmod(mode | 0o011)
                stack.callback(path.chmod, mode)
        course.folder.chmod(0o700)
        stack.callback(course.folder.chmod, 0o755)
        course.tell("grade", LAB, "--StudentsKernel.uid=70000")
    told, scores = found(course), course.scores()
    assert 70000 <= int(told["user"]) < 70000 + 4096
    assert told["hidden"] == "False False"
    assert told["source"] == "['PermissionError']"
    assert told["gradebook"] == "PermissionError"
    assert not lives(told["left"])
    assert scores[LAB, "reader"] == scores[LAB, "moved"] == points(LAB)


def lives(process):
    """Tell whether a process has not ended; one that ended may stay as a Z."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


def test_no_other_file_of_a_submission_is_shown(course):
    shown = (course.folder / "autograded" / "many-cells" / LAB).iterdir()
    assert [path.name for path in shown] == [f"{LAB}.ipynb"]


def test_what_a_student_wrote_is_kept_to_the_letter(course):
    (argument,) = (cell for cell in course.graded(ARGUED, EVIL).cells if cell.id == ARGUMENT)
    assert WORDS in html.unescape(argument.source)
    assert "attachments" not in argument


# ---- in a browser


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


class Formgrader:
    """A formgrader as `jupyter lab` in the labs' folder has it, or as the hub's service has it."""

    def __init__(self, course, guarded):
        environment, port = course.environment, server.free_port()
        self.token = secrets.token_hex(16)
        self.address = f"http://127.0.0.1:{port}"
        variables = environment.variables | {"A_SECRET": ""}
        if guarded:
            folder = course.repository / "course"
            variables |= {"JUPYTER_CONFIG_PATH": str(folder / "etc"), "PYTHONPATH": str(folder)}
        which = "formgrader" if guarded else "nbgrader.server_extensions.formgrader"
        options = ("--no-browser", "--allow-root", f"--port={port}")
        self.command = (
            *(environment.folder / "bin" / "jupyter-server", *options),
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.jpserver_extensions={which}=True",
        )
        self.log = environment.folder / f"server-{port}.log"
        self.variables, self.course = variables, course.folder

    def __enter__(self):
        with self.log.open("w") as log:
            where = {"cwd": self.course, "env": self.variables, "stdout": log, "stderr": log}
            self.process = subprocess.Popen(self.command, **where)
        status = f"{self.address}/api/status?token={self.token}"
        server.wait_until_up(self.process, status, self.log)
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, path):
        told = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.address}/formgrader/api/{path}", headers=told)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def submission(self):
        """Return the number of the evil submission, and the scores set by hand in it."""
        return submission(self.ask, EVIL)

    def open(self, page, path=""):
        """Open the evil submission, click what can be clicked, and return what has run."""
        number, _ = self.submission()
        page.goto(f"{self.address}/login?token={self.token}")
        page.goto(f"{self.address}/formgrader/submissions/{number}/{path}")
        return what_ran(page)


def forget(course):
    """Take back what scripts have given."""
    code = "from nbgrader.api import Gradebook, Grade\n"
    code += "with Gradebook('sqlite:///gradebook.db') as book:\n"
    code += "    for one in book.db.query(Grade):\n        one.manual_score = None\n"
    code += "    book.db.commit()"
    course.run("python", "-c", code)


def test_no_script_of_a_submission_runs_in_the_formgrader_and_no_score_changes(course, page):
    with Formgrader(course, guarded=False) as formgrader:
        with raw(course.folder, EVIL):  # the payloads do run where nothing holds them
            assert set(formgrader.open(page, "evil.html")) == {"o"}
            assert set(formgrader.open(page)) >= set("abcdfgh")
            end = time.monotonic() + 60
            while not formgrader.submission()[1] and time.monotonic() < end:
                time.sleep(0.5)
            assert formgrader.submission()[1]
        page.goto("about:blank")
    # Without a server no score is on its way any more.
    with Formgrader(course, guarded=False) as formgrader:
        table = course.tell("check", ARGUED)
        assert "set by hand, where tests grade: " in table[EVIL]
        assert ARGUMENT not in table[EVIL]
        forget(course)
        assert formgrader.open(page) == ""
        assert formgrader.submission()[1] == {}
        assert "set by hand" not in course.tell("check", ARGUED)[EVIL]


def test_the_policy_alone_stops_them_too_and_the_page_still_works(course, page):
    with Formgrader(course, guarded=True) as formgrader:
        with raw(course.folder, EVIL):
            assert formgrader.open(page) == ""
            assert formgrader.submission()[1] == {}
            assert formgrader.open(page, "evil.html") == ""
        assert formgrader.open(page) == ""
        page.locator(".name-hidden.glyphicon").click()
        page.locator("span.name-shown").first.wait_for(state="visible")
        score = page.locator(f"input.score#{ARGUMENT}")
        score.fill("3")
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            score.blur()
        assert formgrader.submission()[1] == {ARGUMENT: 3}
        assert "set by hand" not in course.tell("check", ARGUED)[EVIL]
        for one in ("manage_assignments", f"gradebook/{ARGUED}/{ARGUED}"):
            page.goto(f"{formgrader.address}/formgrader/{one}")
            page.locator("table tbody tr td a").first.wait_for()
        page.locator("#toggle_names").click()
        assert page.locator("#toggle_names").inner_text() == "Hide All Names"
    forget(course)


def test_no_script_of_a_submission_runs_in_the_feedback(course, page):
    feedback = course.folder / "feedback" / EVIL / ARGUED / f"{ARGUED}.html"
    command = ("nbgrader", "generate_feedback", ARGUED, "--force")
    with raw(course.folder, EVIL):
        course.run(*command)
        page.goto(feedback.as_uri())
        assert set(what_ran(page)) >= set("abcdfg")
    course.run(*command)
    page.goto(feedback.as_uri())
    assert what_ran(page) == ""
    assert "My argument." in page.content()
