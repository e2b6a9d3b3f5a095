"""What a student hands in neither runs where a lecturer reads, nor reads what it is graded by."""

import base64
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
import tools
from payloads import ARGUED, ARGUMENT, FILE, WORDS, evil, raw, submission, what_ran
from sources import answers, cells_that_test, hand_in, points, read, read_scores

pytestmark = pytest.mark.slow
LAB, EVIL = "lab1", "evil"
FIRST, *_, LAST = answers(LAB)


def hand_in_as(released, lab, student, right=True):
    notebook = read(released)
    hand_in(notebook, lab, student, (lambda code, lab: code) if right else None)
    return notebook


def at(notebook, name):
    return [cell.id for cell in notebook.cells].index(name)


def moved(name, to):
    def change(notebook):
        cell = notebook.cells.pop(at(notebook, name))
        notebook.cells.insert(len(notebook.cells) if to is None else at(notebook, to), cell)

    return change


def without(name):
    def change(notebook):
        del notebook.cells[at(notebook, name)]

    return change


def checks_first(notebook):
    tests = cells_that_test(notebook)
    notebook.cells = [*tests, *(cell for cell in notebook.cells if cell not in tests)]


def own(*codes):
    def change(notebook):
        notebook.cells += map(nbformat.v4.new_code_cell, codes)

    return change


def said(about):
    def change(notebook):
        own("1")(notebook)
        notebook.cells[-1].metadata.nbgrader = about

    return change


LABS_OF = []  # the folder of the course that reads


def reader(notebook):
    """Read what lies around, and say what of it is a hidden test or a solution."""
    own(
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
        "    print('left', left.pid)"
    )(notebook)


MANY = 250
#: What students do to a notebook with right answers; each keeps all points.
ACCIDENTS = {
    "numbers-moved": moved("numbers", None),
    "numbers-deleted": without("numbers"),
    "seed-moved": moved("seed", None),
    "test-above": moved(f"{LAST}-test", FIRST),
    "tests-first": checks_first,
    "half": own("'\ud800'"),
    "dumps": own("import json\njson.dumps = json.JSONEncoder = None"),
    "text-for-nbgrader": said("x"),
    "list-for-nbgrader": said({"grade_id": ["a"]}),
    "many-cells": own(*["1"] * MANY),
    "reader": reader,
    "marked": lambda notebook: None,
    "beside": lambda notebook: None,
}


@pytest.fixture(scope="module")
def course(nbgrader, tmp_path_factory):
    """A course in which all these have handed in and are graded, with the lab's folder."""
    folder = tools.copy_repository(tmp_path_factory.mktemp("clone")) / "notebooks" / "labs"
    LABS_OF[:] = [folder]
    for lab in (LAB, ARGUED):
        nbgrader.run("nbgrader", "generate_assignment", lab, cwd=folder)
    for student, change in ACCIDENTS.items():
        notebook = hand_in_as(folder / "release" / LAB / f"{LAB}.ipynb", LAB, student)
        change(notebook)
        put(folder, student, LAB, notebook)
    marked = folder / "submitted" / "marked" / LAB / f"{LAB}.ipynb"
    marked.write_bytes(b"\xef\xbb\xbf" + marked.read_bytes())
    put(folder, "slow", LAB, hand_in_as(folder / "release" / LAB / f"{LAB}.ipynb", LAB, "slow"))
    put(folder, EVIL, ARGUED, evil(read(folder / "release" / ARGUED / f"{ARGUED}.ipynb"), EVIL))
    for path in (folder / "submitted" / "beside" / LAB, folder / "submitted" / EVIL / ARGUED):
        (path / "evil.html").write_text(FILE)
    nbgrader.variables["A_SECRET"] = "secret"
    nbgrader.run(*autograde("slow", "--Grade.seconds=0"), cwd=folder)
    nbgrader.run("bash", "-c", f"python ../../course/grade.py grade {LAB} || true", cwd=folder)
    nbgrader.run("nbgrader", "autograde", ARGUED, cwd=folder)
    nbgrader.run("nbgrader", "export", cwd=folder)
    return folder


def autograde(student, *options):
    return "nbgrader", "autograde", LAB, "--student", student, "--force", *options


def put(folder, student, lab, notebook):
    path = folder / "submitted" / student / lab / f"{lab}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook))  # as JSON has it: half a character, and odd metadata


def copy_of(course, student, lab=LAB):
    return read(course / "autograded" / student / lab / f"{lab}.ipynb")


@pytest.mark.parametrize("student", ACCIDENTS)
def test_what_happens_to_the_labs_own_cells_costs_nothing(student, course):
    errors = [
        output.evalue
        for cell in cells_that_test(copy_of(course, student))
        for output in cell.outputs
        if output.output_type == "error"
    ]
    assert read_scores(course / "grades.csv")[LAB, student] == points(LAB), errors


@pytest.mark.parametrize("student", ["test-above", "tests-first"])
def test_a_test_stands_below_its_answer_again(student, course):
    names = [cell.id for cell in copy_of(course, student).cells]
    assert all(names.index(f"{name}-test") == names.index(name) + 1 for name in answers(LAB))


def test_a_whole_submission_has_a_limit_of_time_and_of_cells(course, nbgrader):
    assert read_scores(course / "grades.csv")[LAB, "slow"] == 0
    told = [
        output.evalue
        for cell in copy_of(course, "slow").cells
        for output in cell.get("outputs", ())
        if cell.cell_type == "code"
    ]
    assert len(told) > len(answers(LAB))
    assert all("took too long" in one for one in told)
    theirs = len(read(course / "submitted" / "many-cells" / LAB / f"{LAB}.ipynb").cells)
    assert len(copy_of(course, "many-cells").cells) == theirs - MANY + 200
    table = tell(nbgrader, course, LAB)
    assert "250 cells of their own, of which 200 are run" in table["many-cells"]


def tell(nbgrader, course, lab):
    """Return what the lecturer's table says of each."""
    command = f"python ../../course/grade.py check {lab} || true"
    lines = nbgrader.run("bash", "-c", command, cwd=course).splitlines()
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines}


def found(course):
    (output,) = copy_of(course, "reader").cells[-1].outputs
    return dict(line.split(" ", 1) for line in output.text.splitlines())


def test_a_kernel_starts_in_an_empty_folder_and_no_file_holds_its_tests(course):
    told = found(course)
    assert told["here"] == "[]"
    assert told["hidden"] == "False True"  # it has read the file, and nothing hidden stands there
    assert told["told"] == "[]"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs code as another user")
def test_another_user_reads_neither_solutions_nor_gradebook_and_leaves_no_program(course, nbgrader):
    for student in ("reader", "marked"):
        shutil.rmtree(course / "autograded" / student)
    with contextlib.ExitStack() as stack:
        for path in (nbgrader.folder, *nbgrader.folder.parents):
            mode = path.stat().st_mode & 0o777
            if not mode & 1:  # pytest's folders; a course's Python is open to all
                path.chmod(mode | 0o011)
                stack.callback(path.chmod, mode)
        course.chmod(0o700)
        stack.callback(course.chmod, 0o755)
        grade = f"python ../../course/grade.py grade {LAB} --StudentsKernel.uid=70000 || true"
        nbgrader.run("bash", "-c", grade, cwd=course)
    nbgrader.run("nbgrader", "export", cwd=course)
    told = found(course)
    assert 70000 <= int(told["user"]) < 70000 + 4096
    assert told["hidden"] == "False False"
    assert told["source"] == "['PermissionError']"
    assert told["gradebook"] == "PermissionError"
    assert not lives(told["left"])
    scores = read_scores(course / "grades.csv")
    assert scores[LAB, "reader"] == scores[LAB, "marked"] == points(LAB)


def lives(process):
    """Tell whether a process has not ended; one that ended may stay as a Z."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


def test_no_other_file_of_a_submission_is_shown(course):
    assert [path.name for path in (course / "autograded" / "beside" / LAB).iterdir()] == [
        f"{LAB}.ipynb"
    ]


def test_what_a_student_wrote_is_kept_to_the_letter(course):
    (argument,) = (cell for cell in copy_of(course, EVIL, ARGUED).cells if cell.id == ARGUMENT)
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

    def __init__(self, course, environment, guarded):
        port, self.token = server.free_port(), secrets.token_hex(16)
        self.address = f"http://127.0.0.1:{port}"
        variables = environment.variables | {"A_SECRET": ""}
        if guarded:
            folder = course.parents[1] / "course"
            variables |= {"JUPYTER_CONFIG_PATH": str(folder / "etc"), "PYTHONPATH": str(folder)}
        which = "formgrader" if guarded else "nbgrader.server_extensions.formgrader"
        options = ("--no-browser", "--allow-root", f"--port={port}")
        self.command = (
            *(environment.folder / "bin" / "jupyter-server", *options),
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.jpserver_extensions={which}=True",
        )
        self.log = environment.folder / f"server-{port}.log"
        self.variables, self.course = variables, course

    def __enter__(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.course, env=self.variables, stdout=log, stderr=log
            )
        server.wait_until_up(
            self.process, f"{self.address}/api/status?token={self.token}", self.log
        )
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, path):
        request = urllib.request.Request(
            f"{self.address}/formgrader/api/{path}",
            headers={"Authorization": f"token {self.token}"},
        )
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


def forget(course, nbgrader):
    """Take back what scripts have given."""
    code = "from nbgrader.api import Gradebook, Grade\n"
    code += "with Gradebook('sqlite:///gradebook.db') as book:\n"
    code += "    for one in book.db.query(Grade):\n        one.manual_score = None\n"
    code += "    book.db.commit()"
    nbgrader.run("python", "-c", code, cwd=course)


def test_no_script_of_a_submission_runs_in_the_formgrader_and_no_score_changes(
    course, nbgrader, page
):
    with Formgrader(course, nbgrader, guarded=False) as formgrader:
        with raw(course, EVIL):  # the payloads do run where nothing holds them
            assert set(formgrader.open(page, "evil.html")) == {"o"}
            assert set(formgrader.open(page)) >= set("abcdfgh")
            end = time.monotonic() + 60
            while not formgrader.submission()[1] and time.monotonic() < end:
                time.sleep(0.5)
            assert formgrader.submission()[1]
        page.goto("about:blank")
    # Without a server no score is on its way any more.
    with Formgrader(course, nbgrader, guarded=False) as formgrader:
        table = tell(nbgrader, course, ARGUED)
        assert "set by hand, where tests grade: " in table[EVIL]
        assert ARGUMENT not in table[EVIL]
        forget(course, nbgrader)
        assert formgrader.open(page) == ""
        assert formgrader.submission()[1] == {}
        assert "set by hand" not in tell(nbgrader, course, ARGUED)[EVIL]


def test_the_policy_alone_stops_them_too_and_the_page_still_works(course, nbgrader, page):
    with Formgrader(course, nbgrader, guarded=True) as formgrader:
        with raw(course, EVIL):
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
        assert "set by hand" not in tell(nbgrader, course, ARGUED)[EVIL]
        for one in ("manage_assignments", f"gradebook/{ARGUED}/{ARGUED}"):
            page.goto(f"{formgrader.address}/formgrader/{one}")
            page.locator("table tbody tr td a").first.wait_for()
        page.locator("#toggle_names").click()
        assert page.locator("#toggle_names").inner_text() == "Hide All Names"
    forget(course, nbgrader)


def test_no_script_of_a_submission_runs_in_the_feedback(course, nbgrader, page):
    feedback = course / "feedback" / EVIL / ARGUED / f"{ARGUED}.html"
    command = ("nbgrader", "generate_feedback", ARGUED, "--force")
    with raw(course, EVIL):
        nbgrader.run(*command, cwd=course)
        page.goto(feedback.as_uri())
        assert set(what_ran(page)) >= set("abcdfg")
    nbgrader.run(*command, cwd=course)
    page.goto(feedback.as_uri())
    assert what_ran(page) == ""
    assert "My argument." in page.content()


def test_a_picture_is_still_a_picture(course):
    shown = [
        output.data["image/png"]
        for cell in copy_of(course, EVIL, ARGUED).cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    assert shown
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in shown)
