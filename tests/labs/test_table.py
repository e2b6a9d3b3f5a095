"""What lies in the exchange and in `submitted`, however odd: collected safely, told in one line."""

import hashlib
import json
import os
import re
import secrets
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from traitlets.config import Config

import tools
from sources import points

pytestmark = pytest.mark.slow
LAB = "lab1"
CONFIG = tools.ROOT / "course" / "jupyterhub_config.py"


@pytest.fixture(scope="module", autouse=True)
def deadline(course):
    """The deadline has passed."""
    course.run("nbgrader", "db", "assignment", "add", LAB, "--duedate=2026-01-01 12:00:00 UTC")


def collect(course):
    course.run("nbgrader", "collect", LAB, "--update")


def submit(course, student, change=lambda notebook: None):
    notebook = course.answered(LAB, student)
    change(notebook)
    return course.put(LAB, student, notebook)


def inbound(course, student, stamp="2025-12-01 10:00:00.000000 UTC", **files):
    """Put files into the exchange, as a student's server does who hands in."""
    folder = course.inbound / f"{student}+{LAB}+{stamp}+x"
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def notebook_of(course, student):
    return json.dumps(course.answered(LAB, student))


def now():
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"


def odd_metadata(about):
    def change(notebook):
        notebook.cells[0].metadata.nbgrader = about

    return change


def blank_lines(notebook):
    notebook.cells[2].source += "\n" * 200_000


def same_ids(notebook):
    for cell in notebook.cells:
        cell.id = "same"


def stamped(raw):
    def change(course, student):
        (submit(course, student) / "timestamp.txt").write_bytes(raw)

    return change


def beside(name):
    def change(course, student):
        folder = os.fsencode(submit(course, student))
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"{}")

    return change


def of_no_time(course, student):
    submit(course, student)
    (course.inbound / f"{student}+{LAB}+").mkdir()


def of_nobody(course, student):
    submit(course, student)
    folder = inbound(course, student)
    if os.geteuid() == 0:
        os.chown(folder, 61_999, 61_999)


def linked(course, student):
    path = submit(course, student) / f"{LAB}.ipynb"
    path.unlink()
    path.symlink_to(course.folder / "source" / LAB / f"{LAB}.ipynb")


#: What each hands in, and what their line says.
ODD = {
    "text-for-nbgrader": (lambda c, s: submit(c, s, odd_metadata("x")), "not graded yet"),
    "list-as-name": (
        lambda c, s: submit(c, s, odd_metadata({"grade_id": ["a"], "solution": True})),
        "not graded yet",
    ),
    "yesterday": (stamped(b"yesterday"), "cannot be checked: 'yesterday' in timestamp.txt"),
    "utf-16": (stamped("2025-12-01".encode("utf-16")), "cannot be checked: "),
    "no-time": (of_no_time, "handed in again"),
    "nobodys": (of_nobody, "handed in again"),
    "windows": (beside(b"\xfcbung.ipynb"), r"more than one notebook: \udcfcbung.ipynb"),
    "forger": (beside(b"x\nalice   24  fine.ipynb"), r"x\nalice   24  fine.ipynb is not graded"),
    "blank-lines": (lambda c, s: submit(c, s, blank_lines), "not graded yet"),
    "same-ids": (lambda c, s: submit(c, s, same_ids), "not graded yet"),
    "linked": (linked, "wrong name: there is no notebook"),
    "honest": (submit, "not graded yet"),
}


def test_no_submission_ends_the_table_hangs_it_or_writes_a_line_of_its_own(course):
    for student, (change, _) in ODD.items():
        change(course, student)
    told = course.tell("check", LAB)
    assert set(told) == set(ODD)
    assert {student: says for student, (_, says) in ODD.items() if says not in told[student]} == {}


def test_a_failed_grading_is_told_from_none(course):
    (submit(course, "garbled") / f"{LAB}.ipynb").write_text('{"cells"')
    assert "grading it failed" not in course.tell("check", LAB)["garbled"]
    course.run("bash", "-c", f"nbgrader autograde {LAB} --student garbled || true")
    told = course.tell("check", LAB)
    assert "grading it failed, the reason stands in lab1.log" in told["garbled"]
    assert "not graded yet" in told["honest"]


def test_links_are_not_followed_and_the_exchange_says_when(course):
    solutions, stamp = course.folder / "source" / LAB, "2025-12-01 10:00:00.000000 UTC"
    folder = inbound(course, "link", timestamp_txt=stamp)
    (folder / f"{LAB}.ipynb").symlink_to(solutions / f"{LAB}.ipynb")
    (course.inbound / f"folder+{LAB}+{stamp}+x").symlink_to(solutions)
    inner = inbound(course, "inner")
    (inner / "deep").symlink_to(solutions)
    os.mkfifo(inner / f"{LAB}.ipynb")
    for name in ("..", "<img src=x>"):
        inbound(course, name, lab1_ipynb="{}")
    late, prompt = notebook_of(course, "late"), now()
    inbound(course, "late", lab1_ipynb=late, timestamp_txt=stamp)
    mine = notebook_of(course, "prompt")
    inbound(course, "prompt", prompt, lab1_ipynb=mine, timestamp_txt=prompt)
    collect(course)
    collected = {
        path.parent.name: sorted(one.name for one in path.iterdir())
        for path in course.folder.glob(f"submitted/*/{LAB}")
        if path.parent.name in ("link", "folder", "inner", "late", "..", "<img src=x>")
    }
    assert collected == {
        "link": ["timestamp.txt"],
        "folder": [],
        "inner": ["timestamp.txt"],
        "late": [f"{LAB}.ipynb", "timestamp.txt"],
    }
    assert not (course.folder / LAB).exists()
    assert (course.folder / "submitted" / "late" / LAB / f"{LAB}.ipynb").read_text() == late
    told = course.tell("check", LAB)
    for name in ("..", "<img src=x>"):
        assert "not collected: that is no name of a student" in told[repr(name)]
    assert f"not collected, no file: {LAB}.ipynb" in told["link"]
    assert "not collected, no file: folder+" in told["folder"]
    assert f"not collected, no file: deep, {LAB}.ipynb" in told["inner"]
    assert "late by " in told["late"]
    assert "UTC, and says 2025-12-01 10:00:00" in told["late"]
    assert "and says" not in told["prompt"]  # a student's own clock may be off by seconds
    assert "handed in again" not in told["prompt"]


#: The secret beside a submission, by which its student finds the feedback.
SECRETS = {"fed-bytes": b"\xfc" * 10_000_000, "fed-honest": secrets.token_hex(64).encode()}


def test_no_odd_secret_keeps_the_feedback_of_others_back(course):
    for student, secret in SECRETS.items():
        folder = inbound(course, student, now(), lab1_ipynb=notebook_of(course, student))
        (folder / "submission_secret.txt").write_bytes(secret)
    submit(course, "fed-by-hand")  # it has neither a secret nor a time
    collect(course)
    course.run("nbgrader", "autograde", LAB, "--student", "fed-*")
    course.run("nbgrader", "generate_feedback", LAB)
    course.run("nbgrader", "release_feedback", LAB)
    released = {path.stem: path.read_text() for path in (course.exchange / "feedback").iterdir()}
    page = released.pop(hashlib.md5(SECRETS["fed-honest"] + LAB.encode()).hexdigest())
    assert page == (course.folder / "feedback" / "fed-honest" / LAB / f"{LAB}.html").read_text()
    assert f"(Score: {points(LAB)}.0 / {points(LAB)}.0)" in page
    assert released == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to another user")
def test_a_folder_that_its_student_has_closed_does_not_end_the_collect(course):
    for student in ("closed", "open"):
        folder = inbound(course, student, lab1_ipynb=notebook_of(course, student))
        if student == "closed":
            os.chown(folder, 61_999, 61_999)
            folder.chmod(0o700)
    # Root is let in everywhere; without these it is a user as whoever grades.
    user = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
    course.run(*user, "nbgrader", "collect", LAB, "--update")
    submitted = course.folder / "submitted"
    assert (submitted / "open" / LAB / f"{LAB}.ipynb").is_file()
    assert not (submitted / "closed" / LAB / f"{LAB}.ipynb").is_file()


@pytest.fixture
def hub_state(monkeypatch):
    """What the hub's configuration makes, in a folder that every user of the machine can reach."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("DPWIDGETS_HUB", folder)
        monkeypatch.delenv("DPWIDGETS_CLASS", raising=False)
        room = {"get_config": Config, "__file__": str(CONFIG)}
        exec(compile(CONFIG.read_text(), CONFIG, "exec"), room)
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root acts as two other users")
def test_no_student_takes_over_the_exchange(hub_state):
    def act(user, *command):
        who = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
        command = ("setpriv", *who, "--", *map(str, command))
        return subprocess.run(command, capture_output=True, text=True)

    exchange = hub_state / "exchange"
    assert act(61_001, "mkdir", exchange / "dpwidgets").returncode == 0
    moved = act(61_002, "mv", exchange / "dpwidgets", exchange / "mine")
    assert "Operation not permitted" in moved.stderr
    assert act(61_002, "mkdir", exchange / "another").returncode == 0  # it is open to all


def test_the_lecturers_page_names_tests_that_exist():
    page = (tools.ROOT / "course" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "".join(path.read_text("utf-8") for path in (tools.ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 10
    assert {name for name in named if f"def {name}(" not in tests} == set()
