"""A course with all that students hand in: released, collected, graded, read, and given back."""

import contextlib
import hashlib
import html
import json
import re
import secrets
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import requests
from traitlets.config import Config

import leaks
import server
import sources
import tools
from odd import COLLECTED, ROOT, inbound, set_out
from payloads import ARGUED, ARGUMENT, WORDS, evil, raw, submission, what_ran
from released import Course
from students import CASES, LAB, hand_in_all, seeded

pytestmark = pytest.mark.slow
EVIL = "evil"
#: The lab that is graded again and again.
AGAIN = "lab2"
#: What they hand in as the last lab; None leaves the cells as they are.
STUDENTS = {"right": sources.right, "empty": None}
#: The secret beside a submission, by which its student finds the feedback; the
#: evil one has none.
SECRETS = {
    "empty": b"\xfc" * 10_000_000,
    "right": secrets.token_hex(64).encode(),
}
#: What a lecturer writes for who has written another's id by a slip.
ALLOW = '\ntwin = "right"\n'
GRADE_IT = f"python ../../course/grade.py {LAB}"
MESSY = (
    "from another version",
    "late by 1.5 hours",
)
#: What a lecturer does in the formgrader, as a program that nbgrader's
#: environment runs: see who waits, give points.
GRADE = """
import json, sys
from nbgrader.api import Gradebook
lab, scores = json.loads(sys.argv[1])
with Gradebook("sqlite:///gradebook.db") as book:
    submissions = book.assignment_submissions(lab)
    waiting = {one.student.id: one.needs_manual_grade for one in submissions}
    for name, score in scores.items():
        grade = book.find_grade(name, lab, lab, "right")
        grade.manual_score, grade.needs_manual_grade = score, False
    book.db.commit()
print(json.dumps(waiting))
"""


@pytest.fixture(scope="module")
def course():
    """All labs released, in a folder that is closed to other users, below one that is open."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        course = Course(Path(folder))
        course.release()
        course.environment.variables["A_SECRET"] = "secret"
        course.folder.chmod(0o700)
        yield course


def messy(folder):
    """Hand in late, of an older version."""
    (folder / "timestamp.txt").write_text("2026-01-01 13:30:00.000000 UTC")
    notebook = folder / f"{ARGUED}.ipynb"
    older = notebook.read_text().replace('"version": "', '"version": "0')
    notebook.write_text(older)


@pytest.fixture(scope="module")
def told(course):
    """What the lecturer is told of each lab when all have handed in, and most are graded.

    Of one, also when the command is given again, with another id allowed and no
    time: whoever came since has none, and whoever is graded again.
    """
    for student, change in STUDENTS.items():
        notebook = course.answered(ARGUED, student, change)
        folder = inbound(course, student, lab3_ipynb=json.dumps(notebook))
        (folder / "submission_secret.txt").write_bytes(SECRETS[student])
    notebook = evil(course.released(ARGUED), EVIL)
    inbound(course, EVIL, lab3_ipynb=json.dumps(notebook))
    course.run("nbgrader", "collect", ARGUED)
    for folder in course.inbound.iterdir():
        shutil.rmtree(folder)
    messy(course.folder / "submitted" / "right" / ARGUED)
    course.run("nbgrader", "autograde", ARGUED)
    due = "--duedate=2026-01-01 12:00:00 UTC"
    course.run("nbgrader", "db", "assignment", "add", ARGUED, due)
    set_out(course)
    # Root is let in everywhere; without these it is a user as whoever grades.
    if ROOT:
        user = [
            "setpriv",
            "--bounding-set=-dac_override,-dac_read_search",
            "--",
        ]
    else:
        user = []
    collect = shlex.join([*user, "nbgrader", "collect", ARGUED, "--update"])
    tables = {"collected": course.run("bash", "-c", f"{collect} 2>&1")}
    tables[ARGUED] = course.tell(ARGUED, "--look")
    for student in ("right", "once-more", "twin"):
        notebook = course.answered(AGAIN, student)
        if student == "twin":
            seeded(notebook, "right")
        course.put(AGAIN, student, notebook)
    tables["first"] = course.tell(AGAIN)
    with (course.repository / "course" / "class.toml").open("a") as file:
        file.write(ALLOW)
    tables["corrected"] = course.tell(AGAIN)
    course.put(AGAIN, "slow", course.answered(AGAIN, "slow"))
    configured = course.folder / "nbgrader_config.py"
    ours = configured.read_text()
    configured.write_text(f"{ours}c.Grade.seconds = 0\n")
    tables["again"] = course.tell(AGAIN, "--again", "once-more")
    hand_in_all(course)
    configured.write_text(f"{ours}c.Grade.timeout = 5\n")
    tables[LAB] = course.tell(LAB)
    return tables


@pytest.fixture(scope="module")
def scores(course, told):
    """All scores, after a person has given one student half of the points for the argument."""
    half = {
        name: most / 2
        for name, most in sources.points_by_a_person(ARGUED).items()
    }
    told["waiting"] = json.loads(
        course.run("python", "-c", GRADE, json.dumps([ARGUED, half]))
    )
    return course.scores()


# ---- released


@sources.each_lab
def test_the_student_version_runs_unanswered_and_says_so(lab, course, capsys):
    left, released = {}, course.released(lab)
    assert {*released.metadata.dpwidgets} == {"lab", "version"}
    for cell in released.cells:
        if cell.cell_type == "code":
            exec(cell.source, left)
            said = capsys.readouterr().out
            if sources.graded(cell)["grade"]:
                assert said.startswith("Not answered yet: "), sources.graded(
                    cell
                )["grade_id"]


def test_no_solution_hidden_test_or_scheme_is_in_the_released_labs(course):
    assert len(leaks.secrets()) > 300
    assert leaks.leaks(course.folder / "release") == set()
    assert len(leaks.leaks(course.folder / "source")) > 300


def test_a_lab_for_practice_says_at_once_what_is_wrong(course, capsys):
    settings = course.folder / "practice.toml"
    text = (tools.ROOT / "course" / "class.toml").read_text(encoding="utf-8")
    settings.write_text(text.replace("practice = []", 'practice = ["lab2"]'))
    course.run(
        *("env", f"DPWIDGETS_CLASS={settings}"),
        *("nbgrader", "generate_assignment", "lab2", "--force"),
        "--CourseDirectory.release_directory=practice",
    )
    path = course.folder / "practice" / "lab2" / "lab2.ipynb"
    tests = len(sources.cells_that_test(sources.read(path)))
    for answer, right, wrong in (
        (None, 0, 0),
        (sources.right, tests, 0),
        (sources.ten_percent_more, 0, tests),
    ):
        notebook, said, left = sources.read(path), [], {}
        sources.hand_in(notebook, "lab2", "s1", answer)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                try:
                    exec(cell.source, left)
                except AssertionError as error:
                    said.append(str(error))
        assert capsys.readouterr().out.count("Right.") == right
        assert len([*filter(None, said)]) == len(said) == wrong


# ---- collected


def test_links_are_not_followed_and_the_exchange_says_when(course, told):
    receipt = ["submission_secret.txt", "timestamp.txt"]
    whole = [f"{ARGUED}.ipynb", *receipt]
    nothing = ["not-collected.txt", *receipt]
    part = [f"{ARGUED}.ipynb", *nothing]
    collected = {
        path.parent.name: sorted(one.name for one in path.iterdir())
        for path in course.folder.glob(f"submitted/*/{ARGUED}")
        if path.parent.name in COLLECTED
    }
    assert collected == {
        **dict.fromkeys(("link", "folder", "inner"), nothing),
        "many": nothing,
        # And it does not keep those after it back.
        "closed": nothing if ROOT else whole,
        "windows": part,
        "forger": part,
        "misnamed": whole,
        "late": whole,
    }
    assert not (course.folder / ARGUED).exists()
    theirs = (
        course.folder / "submitted" / "late" / ARGUED / f"{ARGUED}.ipynb"
    ).read_text()
    assert theirs == json.dumps(course.answered(ARGUED, "late"))
    table = told[ARGUED]
    for student, says in COLLECTED.items():
        assert all(one in table[student] for one in says), (
            student,
            table[student],
        )
    # A folder whose name begins with a dot is none that nbgrader looks at.
    assert f"'<img src=x>+{ARGUED}+" in told["collected"]
    if ROOT:
        assert "claims to be submitted by closed" in told["collected"]


# ---- checked


def test_no_submission_ends_the_table_hangs_it_or_writes_a_line_of_its_own(
    told,
):
    table = told[ARGUED]
    assert set(table) == {*COLLECTED, *STUDENTS, EVIL}


def test_the_lecturers_table_names_every_state(told):
    table = told[LAB]
    assert table["slow"] == "– not handed in"
    assert not {"0 fine", "– fine"} & {*table.values()}  # no zero is silent
    for remark in MESSY:
        assert remark in told[ARGUED]["right"]


# ---- graded


@sources.each_lab
def test_right_answers_get_all_points_and_explorers_are_shown(
    lab, course, scores
):
    half = sum(sources.points_by_a_person(lab).values()) / 2
    assert scores[lab, "right"] == sources.points(lab) + half > 0
    shown = [
        cell
        for cell in course.graded(lab, "right").cells
        if "Explorer(" in cell.source
    ]
    assert shown
    for cell in shown:
        assert any(
            "image/png" in output.get("data", {}) for output in cell.outputs
        )


def test_an_argument_waits_for_a_person_whose_points_are_added(scores, told):
    """The points that are added stand in the scores of the right answers."""
    assert told["waiting"] == {"right": True, "empty": False, EVIL: True}
    assert (scores[ARGUED, "empty"], scores[ARGUED, EVIL]) == (
        0,
        sources.points(ARGUED),
    )


@pytest.mark.parametrize("student", CASES)
def test_each_gets_the_points_of_their_right_answers(student, told, course):
    case, row = CASES[student], told[LAB][student]
    points = "–" if case.points is None else f"{case.points:g}"
    assert row.startswith(f"{points} "), course.says(LAB, student)
    assert all(remark in row for remark in case.told), row


def test_whose_id_is_corrected_is_graded_again_and_nobody_else(course, told):
    first, then = told["first"], told["corrected"]
    fine = f"{sources.points(AGAIN)} fine"
    assert "with the id 'right' in it" in first["twin"]
    assert first["twin"].split()[0] != fine.split()[0]
    assert then == first | {"twin": fine}
    # Who only looks takes no mark away.
    looked = course.tell(AGAIN, "--again", "right", "--look")
    assert looked["right"] == fine
    stamps = [
        (course.folder / "autograded" / one / AGAIN).stat().st_mtime
        for one in ("right", "twin")
    ]
    assert stamps[1] > stamps[0]


#: What keeps a lab from being graded; what is typed then, and how it ends; and what is told.
HINDRANCES = {
    "no sandbox": (
        "mkdir none; printf '#!/bin/sh\necho none here >&2\nexit 1' > none/bwrap; chmod +x none/*",
        f"PATH=$PWD/none:$PATH {GRADE_IT}; rm -r none",
        "There is no sandbox for students' code here (none here), ",
    ),
    "a release without its gradebook": (
        "mv gradebook.db kept",
        f"{GRADE_IT} --look; mv kept gradebook.db",
        f"{LAB} is not released here; first: nbgrader generate_assignment {LAB}",
    ),
    # Then nbgrader would take its own steps, which run students' code in no sandbox.
    "a slip in the configuration": (
        "cp nbgrader_config.py kept; echo 'c.Grade.timeout = ten' >> nbgrader_config.py",
        f"{GRADE_IT}; mv kept nbgrader_config.py",
        "nbgrader_config.py cannot be read: NameError: name 'ten' is not defined",
    ),
}


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_what_keeps_a_lab_from_being_graded_is_told_in_a_line(
    hindrance, course, told
):
    """Nothing of nbgrader's stands beside it, and no table of marks."""
    comes, typed, says = HINDRANCES[hindrance]
    (line,) = course.run("bash", "-c", f"({comes}; {typed}) 2>&1").splitlines()
    assert line.startswith(says)


def test_a_whole_submission_has_a_limit_of_time(course, told, scores):
    for student in ("slow", "once-more"):
        assert scores[AGAIN, student] == 0
        said = course.says(AGAIN, student, lambda notebook: notebook.cells)
        assert len(said) > len(sources.answers(AGAIN))
        assert all("took too long" in one for one in said)
    # Who is graded is passed over when the command is given again.
    assert told["again"]["right"] == told["first"]["right"]


# ---- read, in a browser


def test_no_file_beside_a_notebook_is_shown_or_run(course, told):
    """Each would have ended who reads it, and "right" has all points."""
    shown = (course.folder / "autograded" / "right" / LAB).rglob("*.*")
    names = sorted(path.name for path in shown)
    assert names == [f"{LAB}.ipynb", "made-of.txt"]
    assert told[LAB]["right"].endswith(" fine")


def test_what_was_written_is_kept_without_what_is_attached(course, told):
    (argument,) = (
        cell
        for cell in course.graded(ARGUED, EVIL).cells
        if cell.id == ARGUMENT
    )
    assert WORDS in html.unescape(argument.source)
    assert "attachments" not in argument


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@contextlib.contextmanager
def formgrader(course, page, guarded):
    """Start a formgrader as `jupyter lab` in the labs' folder has it, or as the hub's service.

    Yield its address, and functions: `opened` opens the evil submission,
    clicks what can be clicked and returns what has run; `by_hand` returns the
    scores that are set by hand in it.
    """
    environment, token = course.environment, secrets.token_hex(16)
    port = server.free_port()
    address = f"http://127.0.0.1:{port}"
    folder = course.repository / "course"
    ours = {
        "JUPYTER_CONFIG_PATH": str(folder / "etc"),
        "PYTHONPATH": str(folder),
    }
    module = "" if guarded else "nbgrader.server_extensions."
    command = (
        *("env", f"--chdir={course.folder}"),
        *(environment.folder / "bin" / "jupyter-server", "--no-browser"),
        *(f"--port={port}", f"--IdentityProvider.token={token}"),
        *(
            "--allow-root",
            f"--ServerApp.jpserver_extensions={module}formgrader=True",
        ),
    )

    def ask(path):
        told = {"Authorization": f"token {token}"}
        where = f"{address}/formgrader/api/{path}"
        return requests.get(where, headers=told, timeout=60).json()

    def opened(path=""):
        page.goto(f"{address}/login?token={token}")
        page.goto(
            f"{address}/formgrader/submissions/{submission(ask, EVIL)[0]}/{path}"
        )
        return what_ran(page)

    with server.running(
        command,
        f"{address}/api/status?token={token}",
        environment.variables | (ours if guarded else {}),
        environment.folder / f"server-{port}.log",
    ):
        yield SimpleNamespace(
            address=address,
            opened=opened,
            by_hand=lambda: submission(ask, EVIL)[1],
        )


def test_the_policy_alone_stops_them_too_and_the_page_still_works(
    course, scores, page
):
    with formgrader(course, page, guarded=True) as guarded:
        with raw(course.folder, EVIL):
            assert guarded.opened() == ""
            assert guarded.by_hand() == {}
            assert guarded.opened("evil.html") == ""
        assert guarded.opened() == ""
        page.locator(".name-hidden.glyphicon").click()
        page.locator("span.name-shown").first.wait_for(state="visible")
        score = page.locator(f"input.score#{ARGUMENT}")
        score.fill("3")
        with page.expect_response(
            lambda answer: answer.request.method == "PUT"
        ):
            score.blur()
        assert guarded.by_hand() == {ARGUMENT: 3}
        for one in ("manage_assignments", f"gradebook/{ARGUED}/{ARGUED}"):
            page.goto(f"{guarded.address}/formgrader/{one}")
            page.locator("table tbody tr td a").first.wait_for()
        page.locator("#toggle_names").click()
        assert page.locator("#toggle_names").inner_text() == "Hide All Names"


def test_no_script_of_a_submission_runs_in_the_formgrader_and_no_score_changes(
    course, scores, page
):
    with formgrader(course, page, guarded=False) as open_to_all:
        before = open_to_all.by_hand()
        assert open_to_all.opened() == ""
        assert open_to_all.by_hand() == before
        # The payloads do run where nothing holds them.
        with raw(course.folder, EVIL):
            assert set(open_to_all.opened("evil.html")) == {"o"}
            assert set(open_to_all.opened()) >= set("abcdfgh")
            end = time.monotonic() + 60
            while (
                not open_to_all.by_hand().keys() - {ARGUMENT}
                and time.monotonic() < end
            ):
                time.sleep(0.5)
        page.goto("about:blank")


# ---- given back


@pytest.fixture(scope="module")
def feedback(course, scores):
    """The folder of all pages that the students get."""
    course.run("nbgrader", "generate_feedback", ARGUED)
    return course.folder / "feedback"


def test_no_odd_secret_keeps_the_feedback_of_others_back(
    course, scores, feedback
):
    course.run("nbgrader", "release_feedback", ARGUED)
    released = {
        path.stem: path.read_text()
        for path in (course.exchange / "feedback").iterdir()
    }
    page = released.pop(
        hashlib.md5(SECRETS["right"] + ARGUED.encode()).hexdigest()
    )
    assert page == (feedback / "right" / ARGUED / f"{ARGUED}.html").read_text()
    most = sources.points(ARGUED) + sum(
        sources.points_by_a_person(ARGUED).values()
    )
    assert f"{scores[ARGUED, 'right']:g} of {most} points" in page
    assert len(released) == 2


def test_no_script_of_a_submission_runs_in_the_feedback(
    course, feedback, page
):
    """Nor of one that nobody has cleaned: it holds nothing but text."""
    theirs = (feedback / EVIL / ARGUED / f"{ARGUED}.html").as_uri()
    again = ("generate_feedback", ARGUED, "--student", EVIL, "--force")
    for cleaned in (contextlib.nullcontext(), raw(course.folder, EVIL)):
        with cleaned:
            course.run("nbgrader", *again)
        page.goto(theirs)
        assert what_ran(page) == ""
        assert "My argument." in page.inner_text("body")
        used = page.evaluate(
            "[...new Set([...document.body.querySelectorAll('*')].map(one => one.localName))]"
        )
        assert {*used} <= {"h1", "h2", "div", "p", "strong", "pre"}


def test_the_feedback_shows_what_was_asked_answered_and_said(
    course, feedback, page
):
    page.goto((feedback / "right" / ARGUED / f"{ARGUED}.html").as_uri())
    shown = page.inner_text("body")
    asked = sources.answers(ARGUED) | sources.answers(
        ARGUED, read_by="a person"
    )
    for answer in asked.values():
        assert answer.strip() in shown
    numbers = page.locator("h2").all_inner_texts()
    assert numbers == sorted({*numbers})
    assert {"1.1", "5.1"} < {*numbers}


# ---- the exchange, and the page that tells of all this


@pytest.mark.skipif(not ROOT, reason="only root acts as another user")
def test_no_student_takes_over_the_exchange(monkeypatch):
    """The hub's configuration makes it, in a folder that every user of the machine can reach."""

    def act(user, *command):
        who = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
        command = ("setpriv", *who, "--", *map(str, command))
        return subprocess.run(command, capture_output=True, text=True)

    config = tools.ROOT / "course" / "jupyterhub_config.py"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("DPWIDGETS_HUB", folder)
        monkeypatch.delenv("DPWIDGETS_CLASS", raising=False)
        exec(
            config.read_text(), {"get_config": Config, "__file__": str(config)}
        )
        exchange = Path(folder) / "exchange"
        assert act(61_001, "mkdir", exchange / "dpwidgets").returncode == 0
        moved = act(61_002, "mv", exchange / "dpwidgets", exchange / "mine")
        assert "Operation not permitted" in moved.stderr
        # It is open to all.
        assert act(61_002, "mkdir", exchange / "another").returncode == 0


@pytest.mark.parametrize(
    ("right", "slip", "says"),
    [
        ('["lecturer"]', '"lecturer"', "graders: 'lecturer' is not of type"),
        ('"s1", ', '"s1", 2, ', "students.1.: 2 is not of type 'string'"),
        ('"simple"\n', '"Simple"\n', "spawner: 'Simple' is not one of"),
        ("port = 8000", 'port = "8000"', "port: '8000' is not of type"),
        ("port = 8000", "port = true", "port: True is not of type 'integer'"),
        ("port = 8000", "port = 0", "port: 0 is less than the minimum of 1"),
        ("port = 8000", "prot = 8000", "'port' is a required property"),
        ("cores = 2", "cores = 2\nkernel = 60", "'kernel' was unexpected"),
        ("cores = 2", "cores = 2\ncores = 3", "Cannot overwrite a value"),
        ("[ids]", "[ids]\ns1 = 114", "ids.s1: 114 is not of type 'string'"),
    ],
)
def test_a_setting_of_a_class_that_is_not_understood_is_refused(
    right, slip, says, tmp_path, monkeypatch
):
    """With the file's name. A name alone let in whoever is called like one of its letters."""
    config = tools.ROOT / "course" / "jupyterhub_config.py"
    good = (tools.ROOT / "course" / "class.toml").read_text(encoding="utf-8")
    file = tmp_path / "class.toml"
    monkeypatch.setenv("DPWIDGETS_HUB", str(tmp_path / "hub"))
    monkeypatch.setenv("DPWIDGETS_CLASS", str(file))
    assert good.count(right) == 1
    file.write_text(good.replace(right, slip), encoding="utf-8")
    here = {"get_config": Config, "__file__": str(config)}
    with pytest.raises(SystemExit, match=rf"^class\.toml.*{says}"):
        exec(config.read_text(), here)
    assert not (tmp_path / "hub").exists()


def test_the_lecturers_page_names_tests_that_exist():
    page = (tools.ROOT / "course" / "reference.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    tests = "".join(
        path.read_text("utf-8")
        for path in (tools.ROOT / "tests").rglob("test_*.py")
    )
    assert len(named) > 10
    assert {name for name in named if f"def {name}(" not in tests} == set()
