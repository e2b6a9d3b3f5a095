"""The pages for a lecturer, done as they are printed, on a fresh clone."""

import re
import zipfile

import nbformat
import pytest

import sources
import tools
from sources import hand_in, read

LAB = "lab1"
#: Moodle's worksheet of a class of 120.
HEAD = (
    "Identifier,Full name,ID number,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (submission),Last modified (grade)\n"
)
ROW = "Participant {0},Name {0},s{0},Submitted,,{1},Yes,-,-\n"


def blocks(page):
    """Return what stands in a page to be typed, or to be read: what is fenced."""
    text = (tools.ROOT / "course" / page).read_text(encoding="utf-8")
    return re.findall(r"^ *```\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def moodle(labs):
    """Put beside the release what Moodle gives of five students of a class of 120."""
    rows = [ROW.format(at, sources.points(LAB)) for at in range(1, 121)]
    (labs / "class.csv").write_text(HEAD + "".join(rows), encoding="utf-8")
    files = {"s4.ipynb": '{"cells": [', "s5.pdf": "%PDF"}
    for student, answer in (
        ("s1", sources.right),
        ("s2", sources.right),
        ("s3", None),
    ):
        notebook = read(labs / "release" / LAB / f"{LAB}.ipynb")
        hand_in(notebook, LAB, student, answer)
        files[f"{student}.ipynb"] = nbformat.writes(notebook)
    with zipfile.ZipFile(labs / "submissions.zip", "w") as archive:
        for name, content in files.items():
            number, ending = name[1:].split(".")
            file = f"{LAB}.ipynb" if ending == "ipynb" else f"essay.{ending}"
            folder = f"Name {number}_{number}_assignsubmission_file_"
            archive.writestr(f"{folder}/{file}", content)


@pytest.mark.slow
def test_with_moodle_the_page_leads_from_a_clone_to_the_marks(tmp_path):
    once, command, printed = blocks("README.md")
    origin = tools.copy_repository(tmp_path / "origin")
    who = "-c user.name=L -c user.email=l@example.org"
    tools.run(
        "bash",
        "-c",
        f"git init -q && git add . && git {who} commit -qm clone",
        cwd=origin,
    )
    once = once.replace("https://github.com/OWNER/NAME", str(origin))
    clean = tools.clean_variables(tmp_path / "settings")
    tools.run("bash", "-ec", once, cwd=tmp_path, variables=clean)
    labs = tmp_path / "dpwidgets" / "notebooks" / "labs"
    moodle(labs)
    before = (labs / "class.csv").read_bytes()
    active = f". {tmp_path}/dpwidgets/.venv/bin/activate\n"
    told = tools.run(
        "bash",
        "-c",
        f"{active}{command} test $? = 1",
        cwd=labs,
        variables=clean,
    )
    assert told == printed
    assert (labs / "class.csv").read_bytes() == before
    marks = (labs / f"marks-{LAB}.csv").read_text(encoding="utf-8")
    most = f"{sources.points(LAB):g}"
    grades = re.findall(r'"Participant (\d+)","[^"]*","(\d+)"', marks)
    assert grades == [("1", most), ("2", most), ("3", "0")]


@pytest.mark.parametrize("page", ["README.md", "hub.md"])
def test_a_page_is_one_screen(page):
    """About as many words as fit there, without what is typed."""
    text = (tools.ROOT / "course" / page).read_text(encoding="utf-8")
    words = re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()
    assert len(words) < 450
