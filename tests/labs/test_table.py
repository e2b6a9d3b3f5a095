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

import tools
from sources import hand_in, points, read

pytestmark = pytest.mark.slow
LAB = "lab1"
CONFIG = tools.ROOT / "course" / "jupyterhub_config.py"


@pytest.fixture(scope="module")
def course(nbgrader, tmp_path_factory):
    """A course with an exchange, a deadline that has passed, and the lab released."""
    folder = tools.copy_repository(tmp_path_factory.mktemp("clone")) / "notebooks" / "labs"
    exchange = tmp_path_factory.mktemp("exchange")
    (exchange / "dpwidgets" / "inbound").mkdir(parents=True)
    exchange.chmod(0o1777)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(f"c.Exchange.root = {str(exchange)!r}\n")
    nbgrader.run("nbgrader", "generate_assignment", LAB, cwd=folder)
    due = "--duedate=2026-01-01 12:00:00 UTC"
    nbgrader.run("nbgrader", "db", "assignment", "add", LAB, due, cwd=folder)
    return folder, exchange / "dpwidgets" / "inbound"


def notebook_of(course, student, change=lambda notebook: None):
    notebook = read(course[0] / "release" / LAB / f"{LAB}.ipynb")
    hand_in(notebook, LAB, student, lambda code, lab: code)
    change(notebook)
    return json.dumps(notebook)


def submit(course, student, change=lambda notebook: None):
    folder = course[0] / "submitted" / student / LAB
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_text(notebook_of(course, student, change))
    return folder


def inbound(course, name, **files):
    folder = course[1] / name
    folder.mkdir()
    for path, text in files.items():
        (folder / path.replace("_", ".")).write_text(text)
    return folder


def table(nbgrader, course):
    command = f"ulimit -t 120; python ../../course/grade.py check {LAB} 2>&1 || true"
    lines = nbgrader.run("bash", "-c", command, cwd=course[0]).splitlines()
    return {line[:20].strip(): line[20:].strip() for line in lines}


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


def of_a_folder(name):
    def change(course, student):
        submit(course, student)
        inbound(course, name)

    return change


def of_nobody(course, student):
    submit(course, student)
    folder = inbound(course, f"{student}+{LAB}+2025-12-01 10:00:00 UTC+x")
    if os.geteuid() == 0:
        os.chown(folder, 61_999, 61_999)


def linked(course, student):
    path = submit(course, student) / f"{LAB}.ipynb"
    path.unlink()
    path.symlink_to(course[0] / "source" / LAB / f"{LAB}.ipynb")


def with_mark(course, student):
    path = submit(course, student) / f"{LAB}.ipynb"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


#: What each hands in, and what their line says.
ODD = {
    "text-for-nbgrader": (lambda c, s: submit(c, s, odd_metadata("x")), "not graded yet"),
    "list-as-name": (
        lambda c, s: submit(c, s, odd_metadata({"grade_id": ["a"], "solution": True})),
        "not graded yet",
    ),
    "yesterday": (stamped(b"yesterday"), "cannot be checked: 'yesterday' in timestamp.txt"),
    "utf-16": (stamped("2025-12-01".encode("utf-16")), "cannot be checked: "),
    "no-time": (of_a_folder(f"no-time+{LAB}+"), "handed in again"),
    "nobodys": (of_nobody, "handed in again"),
    "windows": (beside(b"\xfcbung.ipynb"), r"more than one notebook: \udcfcbung.ipynb"),
    "forger": (beside(b"x\nalice   24  fine.ipynb"), r"x\nalice   24  fine.ipynb is not graded"),
    "blank-lines": (lambda c, s: submit(c, s, blank_lines), "not graded yet"),
    "same-ids": (lambda c, s: submit(c, s, same_ids), "not graded yet"),
    "linked": (linked, "wrong name: there is no notebook"),
    "marked": (with_mark, "not graded yet"),
    "honest": (submit, "not graded yet"),
}


def test_no_submission_ends_the_table_hangs_it_or_writes_a_line_of_its_own(course, nbgrader):
    for student, (change, _) in ODD.items():
        change(course, student)
    told = table(nbgrader, course)
    assert set(told) == set(ODD)
    assert {student: says for student, (_, says) in ODD.items() if says not in told[student]} == {}


def test_a_failed_grading_is_told_from_none(course, nbgrader):
    folder = submit(course, "garbled")
    (folder / f"{LAB}.ipynb").write_text('{"cells"')
    assert "not graded yet" not in table(nbgrader, course)["honest"].replace("not graded yet", "")
    assert "grading it failed" not in table(nbgrader, course)["garbled"]
    command = ("nbgrader", "autograde", LAB, "--student", "garbled")
    nbgrader.run("bash", "-c", '"$@" || true', "-", *command, cwd=course[0])
    told = table(nbgrader, course)
    assert "grading it failed, the reason stands in lab1.log" in told["garbled"]
    assert "not graded yet" in told["honest"]


def test_links_are_not_followed_and_the_exchange_says_when(course, nbgrader):
    solutions = course[0] / "source" / LAB
    stamp = "2025-12-01 10:00:00.000000 UTC"
    folder = inbound(course, f"link+{LAB}+{stamp}+x", timestamp_txt=stamp)
    (folder / f"{LAB}.ipynb").symlink_to(solutions / f"{LAB}.ipynb")
    (course[1] / f"folder+{LAB}+{stamp}+x").symlink_to(solutions)
    inner = inbound(course, f"inner+{LAB}+{stamp}+x")
    (inner / "deep").symlink_to(solutions)
    os.mkfifo(inner / f"{LAB}.ipynb")
    inbound(course, f"..+{LAB}+{stamp}+x", lab1_ipynb="{}")
    inbound(course, f"<img src=x>+{LAB}+{stamp}+x", lab1_ipynb="{}")
    late = notebook_of(course, "late")
    inbound(course, f"late+{LAB}+{stamp}+x", lab1_ipynb=late, timestamp_txt=stamp)
    nbgrader.run("nbgrader", "collect", LAB, "--update", cwd=course[0])
    collected = {
        path.relative_to(course[0]).parts[1]: sorted(one.name for one in path.iterdir())
        for path in course[0].glob(f"submitted/*/{LAB}")
        if path.parent.name in ("link", "folder", "inner", "late", "..", "<img src=x>")
    }
    assert collected == {
        "link": ["timestamp.txt"],
        "folder": [],
        "inner": ["timestamp.txt"],
        "late": [f"{LAB}.ipynb", "timestamp.txt"],
    }
    assert not (course[0] / LAB).exists()
    assert (course[0] / "submitted" / "late" / LAB / f"{LAB}.ipynb").read_text() == late
    told = table(nbgrader, course)
    for name in ("..", "<img src=x>"):
        assert "not collected: that is no name of a student" in told[repr(name)]
    assert f"not collected, no file: {LAB}.ipynb" in told["link"]
    assert "not collected, no file: folder+" in told["folder"]
    assert f"not collected, no file: deep, {LAB}.ipynb" in told["inner"]
    assert "late by " in told["late"]
    assert "UTC, and says 2025-12-01 10:00:00" in told["late"]


#: The secret beside a submission, by which its student finds the feedback.
SECRETS = {"fed-bytes": b"\xfc" * 10_000_000, "fed-honest": secrets.token_hex(64).encode()}


def test_no_odd_secret_keeps_the_feedback_of_others_back(course, nbgrader):
    stamp = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    for student, secret in SECRETS.items():
        notebook = notebook_of(course, student)
        folder = inbound(course, f"{student}+{LAB}+{stamp}+x", lab1_ipynb=notebook)
        (folder / "submission_secret.txt").write_bytes(secret)
    submit(course, "fed-by-hand")  # it has neither a secret nor a time
    nbgrader.run("nbgrader", "collect", LAB, "--update", cwd=course[0])
    nbgrader.run("nbgrader", "autograde", LAB, "--student", "fed-*", cwd=course[0])
    nbgrader.run("nbgrader", "generate_feedback", LAB, cwd=course[0])
    nbgrader.run("nbgrader", "release_feedback", LAB, cwd=course[0])
    released = {path.stem: path.read_text() for path in (course[1].parent / "feedback").iterdir()}
    page = released.pop(hashlib.md5(SECRETS["fed-honest"] + LAB.encode()).hexdigest())
    assert page == (course[0] / "feedback" / "fed-honest" / LAB / f"{LAB}.html").read_text()
    assert f"(Score: {points(LAB)}.0 / {points(LAB)}.0)" in page
    assert released == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to another user")
def test_a_folder_that_its_student_has_closed_does_not_end_the_collect(course, nbgrader):
    stamp = "2025-12-01 10:00:00.000000 UTC"
    for student in ("closed", "open"):
        notebook = notebook_of(course, student)
        folder = inbound(course, f"{student}+{LAB}+{stamp}+x", lab1_ipynb=notebook)
        if student == "closed":
            os.chown(folder, 61_999, 61_999)
            folder.chmod(0o700)
    # Root is let in everywhere; without these it is a user as whoever grades.
    user = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
    nbgrader.run(*user, "nbgrader", "collect", LAB, "--update", cwd=course[0])
    collected = {
        student: (course[0] / "submitted" / student / LAB / f"{LAB}.ipynb").is_file()
        for student in ("closed", "open")
    }
    assert collected == {"closed": False, "open": True}


def test_a_students_own_clock_may_be_off_by_seconds(course, nbgrader):
    stamp = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    notebook = notebook_of(course, "prompt")
    inbound(course, f"prompt+{LAB}+{stamp}+x", lab1_ipynb=notebook, timestamp_txt=stamp)
    nbgrader.run("nbgrader", "collect", LAB, "--update", cwd=course[0])
    told = table(nbgrader, course)["prompt"]
    assert "and says" not in told
    assert "handed in again" not in told


@pytest.fixture
def hub_state(monkeypatch):
    """What the hub's configuration makes, in a folder that every user of the machine can reach."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("DPWIDGETS_HUB", folder)
        monkeypatch.delenv("DPWIDGETS_CLASS", raising=False)
        room = {"get_config": Anything, "__file__": str(CONFIG)}
        exec(compile(CONFIG.read_text(), CONFIG, "exec"), room)
        yield Path(folder)


class Anything:
    """A configuration that takes all that is set in it."""

    def __getattr__(self, name):
        self.__dict__[name] = Anything()
        return self.__dict__[name]


def test_the_exchange_is_open_to_all_and_sticky(hub_state):
    assert (hub_state / "exchange").stat().st_mode & 0o7777 == 0o1777


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
    assert act(61_002, "mkdir", exchange / "another").returncode == 0


def test_a_server_without_the_hubs_variables_reads_its_settings(monkeypatch):
    for name in ("DPWIDGETS_IDLE_KERNEL", "DPWIDGETS_EXCHANGE", "DPWIDGETS_STUDENT"):
        monkeypatch.delenv(name, raising=False)
    for path in (tools.ROOT / "course" / "etc").glob("*.py"):
        config = Anything()
        exec(compile(path.read_text(), path, "exec"), {"get_config": lambda config=config: config})
        assert config.__dict__


def test_the_lecturers_page_names_tests_that_exist():
    page = (tools.ROOT / "course" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "".join(path.read_text("utf-8") for path in (tools.ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 10
    assert {name for name in named if f"def {name}(" not in tests} == set()
