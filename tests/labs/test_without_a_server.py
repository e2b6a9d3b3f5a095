"""Labs through a learning platform: released, handed in as one file, graded, and given back."""

import csv
import io
import json
import zipfile

import pytest

import sources
import tools
from leaks import SHORTEST, leaks, secrets
from released import Course
from test_platforms import CANVAS, MOODLE
from test_questions import OWN

LAB = "lab1"
ADA, EVE, ZOLA = "ada@x.org", "s2@x.org", "s3@x.org"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """All labs released, with a question of the lecturer's in class.toml."""
    folder = tmp_path_factory.mktemp("course")
    settings = tmp_path_factory.mktemp("settings") / "class.toml"
    own = settings.parent / "mine" / LAB / "2.5.toml"
    own.parent.mkdir(parents=True)
    own.write_text(OWN, encoding="utf-8")
    text = (tools.ROOT / "course" / "class.toml").read_text(encoding="utf-8")
    text = text.replace('questions = ""', 'questions = "mine"')
    settings.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as here:
        here.setenv("DPWIDGETS_CLASS", str(settings))
        yield released(folder, settings)


def released(folder, settings):
    """Return the course, with what its lecturer has beside it."""
    course = Course(folder, DPWIDGETS_CLASS=str(settings))
    course.release()
    (course.folder / "list.csv").write_text(
        MOODLE.replace("24.00", "27.00"), encoding="utf-8"
    )
    return course


@pytest.fixture(scope="module")
def told(course):
    """What the lecturer is told, and what the table says before and after the grading."""
    with zipfile.ZipFile(course.folder / "files.zip", "w") as archive:
        for number, student in ((101, ADA), (102, EVE)):
            text = json.dumps(course.answered(LAB, student))
            name = f"X_{number}_assignsubmission_file_/lab1-{number}.ipynb"
            archive.writestr(name, text)
        archive.writestr("Y_9_assignsubmission_file_/lab1.ipynb", "{}")
        pages = "Z_103_assignsubmission_file_/"
        archive.writestr(f"{pages}a.ipynb", text)
        archive.writestr(f"{pages}b.ipynb", text.replace("chance", "share"))
    grade = (LAB, "--from", "files.zip", "--list", "list.csv")
    return [ask(course, *command) for command in (grade, (*grade, "--all"))]


def ask(course, *command):
    """Run the one command, which may say that somebody needs a look."""
    command = ("python", "../../course/grade.py", *command)
    return course.run("bash", "-c", '"$@" 2>&1; test $? -le 1', "-", *command)


@pytest.mark.slow
def test_one_command_leads_from_the_archive_to_the_marks_and_the_feedback(
    course, told
):
    first, again = told
    most = sources.points(LAB)
    nobodys = "Y_9_assignsubmission_file_/lab1.ipynb"
    for says in (
        "2 new or changed; ids are from 'Email address' of Moodle",
        f"marks-{LAB}.csv: the marks of 2, to upload to Moodle",
        f"feedback-{LAB}.zip: the pages of 2",
        f"{nobodys}     –  not collected: by its name, Moodle's, it is of nobody",
        f"{ZOLA:<20}     –  not collected, a.ipynb: it is one of 2 notebooks; leave one",
        "2 fine, 2 to look at, 0 not handed in",
    ):
        assert says in first
    assert ADA not in first
    assert "0 new or changed" in again
    assert f"{ADA:<20} {most:>5g}  fine" in again
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
    table = ask(course, LAB, "--from", "again.zip", "--list", "list.csv")
    assert "1 new or changed" in table
    assert f"{EVE:<20}     0  no test finds an answer" in table
    # What stood in the archive before is still known.
    assert f"{ZOLA:<20}     –  not collected, a.ipynb" in table
    assert "1 fine, 2 to look at, 0 not handed in" in table
    (course.folder / "canvas.csv").write_text(
        CANVAS.replace("Section", "Part"), encoding="utf-8"
    )
    wrong = ask(course, LAB, "--from", "again.zip", "--list", "canvas.csv")
    assert "no list of a class" in wrong
    assert "Traceback" not in wrong


@pytest.mark.slow
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
    for answer in (None, sources.right, sources.ten_percent_more):
        notebook, said = sources.read(path), []
        sources.hand_in(notebook, "lab2", "s1", answer)
        left = {}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                try:
                    exec(cell.source, left)
                except AssertionError as error:
                    said.append(str(error))
        tests = len(sources.cells_that_test(notebook))
        right = capsys.readouterr().out.count("Right.")
        wrong = tests if answer is sources.ten_percent_more else 0
        assert right == (tests if answer is sources.right else 0)
        assert len(said) == wrong
        assert all(said)


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
