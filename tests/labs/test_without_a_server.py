"""Labs through a learning platform: released, handed in as one file, graded, and given back."""

import base64
import csv
import io
import json
import zipfile

import pytest
from nacl.public import PrivateKey

import sources
import tools
from dpwidgets.labs.handin import look, sealed
from leaks import SHORTEST, leaks, secrets
from released import Course
from test_platforms import CANVAS, MOODLE

LAB = "lab1"
KEY = PrivateKey.generate()
PUBLIC = base64.b64encode(bytes(KEY.public_key)).decode()
ADA, EVE, ZOLA = "ada@x.org", "s2@x.org", "s3@x.org"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """All labs released, with a lecturer's key in class.toml."""
    folder = tmp_path_factory.mktemp("course")
    settings = tmp_path_factory.mktemp("settings") / "class.toml"
    text = (tools.ROOT / "course" / "class.toml").read_text(encoding="utf-8")
    settings.write_text(
        text.replace('public_key = ""', f'public_key = "{PUBLIC}"')
    )
    course = Course(folder, DPWIDGETS_CLASS=str(settings))
    (course.folder / "key").write_text(base64.b64encode(bytes(KEY)).decode())
    (course.folder / "list.csv").write_text(MOODLE, encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def told(course):
    """What the lecturer is told, and what the table says before and after the grading."""
    with zipfile.ZipFile(course.folder / "files.zip", "w") as archive:
        for number, student in ((101, ADA), (102, EVE)):
            raw = json.dumps(course.answered(LAB, student)).encode()
            found = look(raw, 1, student)
            assert (found.missing, found.empty, found.public_key) == (
                [],
                [],
                PUBLIC,
            )
            name = f"X_{number}_assignsubmission_file_/lab1-{number}.sealed"
            archive.writestr(name, sealed(found.text, 1, found.public_key))
        archive.writestr("Y_9_assignsubmission_file_/lab1.ipynb", "{}")
    program = ("python", "../../course/grade.py")
    collect = (
        "collect",
        LAB,
        "--from",
        "files.zip",
        "--list",
        "list.csv",
        "--key",
        "key",
    )

    def run(*command):
        return course.run(
            "bash", "-c", '"$@"; test $? -le 1', "bash", *program, *command
        )

    first, again = run(*collect), run(*collect)
    table = run("grade", LAB)
    course.run("nbgrader", "generate_feedback", LAB)
    return {
        "collect": first,
        "again": again,
        "grade": table,
        "marks": run("marks", LAB, "--list", "list.csv"),
    }


@pytest.mark.slow
@sources.each_lab
def test_a_released_lab_knows_itself_its_questions_and_the_key(lab, course):
    about = course.released(lab).metadata.dpwidgets
    asked = {*sources.answers(lab), *sources.answers(lab, read_by="a person")}
    assert (about.lab, about.public_key, set(about.questions)) == (
        lab,
        PUBLIC,
        asked,
    )
    untouched = look(
        json.dumps(course.answered(lab, "s1", None)).encode(),
        int(lab[3:]),
        "s1",
    )
    assert set(untouched.empty) == asked


@pytest.mark.slow
def test_from_the_platforms_archive_to_its_marks_and_feedback(course, told):
    assert (
        "2 new or changed; ids are from 'Email address' of Moodle"
        in told["collect"]
    )
    assert (
        "Y_9_assignsubmission_file_/lab1.ipynb: by its name" in told["collect"]
    )
    assert "0 new or changed" in told["again"]
    most = sources.points(LAB)
    lines = {line.split()[0]: line for line in told["grade"].splitlines()}
    assert f"{most:g}  fine" in lines[ADA]
    assert "not handed in" in lines[ZOLA]
    assert f"{ZOLA}: no mark" in told["marks"]
    table = list(
        csv.DictReader(
            io.StringIO((course.folder / f"marks-{LAB}.csv").read_text())
        )
    )
    assert [row["Grade"] for row in table] == [
        f"{most:g}",
        f"{most:g}",
        "7.00",
    ]
    with zipfile.ZipFile(course.folder / f"feedback-{LAB}.zip") as archive:
        first, _ = archive.namelist()
        assert first == f"Ada Lovelace_101_assignsubmission_file_/{LAB}.html"
        assert ADA in archive.read(first).decode()


@pytest.mark.slow
def test_who_hands_in_again_is_graded_again_and_a_wrong_list_is_told(
    course, told
):
    archive = course.folder / "again.zip"
    with zipfile.ZipFile(archive, "w") as files:
        notebook = json.dumps(course.answered(LAB, EVE, None))
        files.writestr("X_102_assignsubmission_file_/lab1.ipynb", notebook)
    program = ("python", "../../course/grade.py")
    collect = ("collect", LAB, "--from", "again.zip", "--list")
    assert "1 new or changed" in course.run(*program, *collect, "list.csv")
    table = course.run(
        "bash", "-c", '"$@"; test $? -le 1', "bash", *program, "grade", LAB
    )
    (line,) = (one for one in table.splitlines() if one.startswith(EVE))
    assert " 0  nothing is answered" in line
    (course.folder / "canvas.csv").write_text(
        CANVAS.replace("Section", "Part"), encoding="utf-8"
    )
    wrong = course.run(
        "bash",
        "-c",
        '"$@" 2>&1; true',
        "bash",
        *program,
        *collect,
        "canvas.csv",
    )
    assert "no list of a class" in wrong
    assert "Traceback" not in wrong


# ---- what students get


@pytest.mark.slow
def test_no_solution_hidden_test_or_scheme_is_in_the_released_labs(course):
    assert len(secrets()) > 300
    assert leaks(course.folder / "release") == set()
    assert len(leaks(course.folder / "source")) > 300


@pytest.mark.slow
def test_none_is_in_the_wheel(wheel):
    assert leaks(wheel.parent) == set()


def test_a_secret_is_found_however_a_page_writes_it(tmp_path):
    secret = next(
        line for line in sorted(secrets()) if '"' in line and "<" in line
    )
    assert len(secret) >= SHORTEST
    (tmp_path / "a.ipynb").write_text(json.dumps({"source": [secret]}))
    (tmp_path / "b.js").write_text(
        f"const page = {json.dumps(json.dumps(secret))};"
    )
    (tmp_path / "c.html").write_text(
        secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
    with zipfile.ZipFile(
        tmp_path / "d.whl", "w", zipfile.ZIP_DEFLATED
    ) as archive:
        archive.writestr("e.py", f"    {secret}\n")
    (tmp_path / "f.py").write_text("nothing")
    assert {name.rpartition("/")[2][:5] for name, _ in leaks(tmp_path)} == {
        *("a.ipy", "b.js", "c.htm", "d.whl")
    }
