"""What lies in the exchange and in `submitted` of lab 3, however odd, and what is told of it."""

import json
import os
from datetime import UTC, datetime
from functools import partial

from payloads import ARGUED
from students import nothing, seeded

FILE = f"{ARGUED}.ipynb"
STAMP = "2025-12-01 10:00:00.000000 UTC"
DEADLINE = "2026-01-01 12:00:00 UTC"
ROOT = os.geteuid() == 0


def inbound(course, student, stamp=STAMP, **files):
    """Put files into the exchange, as a student's server does who hands in."""
    folder = course.inbound / f"{student}+{ARGUED}+{stamp}+x"
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def fill_exchange(course):
    """Put links, folders, names of nobody, and two honest ones into the exchange."""
    solutions = course.folder / "source" / ARGUED
    (inbound(course, "link", timestamp_txt=STAMP) / FILE).symlink_to(solutions / FILE)
    (course.inbound / f"folder+{ARGUED}+{STAMP}+x").symlink_to(solutions)
    inner = inbound(course, "inner")
    (inner / "deep").symlink_to(solutions)
    os.mkfifo(inner / FILE)
    for name in ("..", "<img src=x>"):
        inbound(course, name, lab3_ipynb="{}")
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    for student, stamp in (("late", STAMP), ("prompt", now), ("closed", STAMP)):
        notebook = json.dumps(course.answered(ARGUED, student))
        folder = inbound(course, student, stamp, lab3_ipynb=notebook, timestamp_txt=stamp)
    if ROOT:
        os.chown(folder, 61_999, 61_999)
        folder.chmod(0o700)


#: What is told after the exchange was collected; that a submission's own time is another is told
#: only if it is off by more than seconds.
COLLECTED = {
    "link": (f"not collected, no file: {FILE}",),
    "folder": ("not collected, no file: folder+",),
    "inner": (f"not collected, no file: deep, {FILE}",),
    repr(".."): ("not collected: that is no name of a student",),
    repr("<img src=x>"): ("not collected: that is no name of a student",),
    "late": ("late by ", "UTC, and says 2025-12-01 10:00:00"),
    "prompt": ("not graded yet",),
    "closed": (),
}


def metadata(about):
    def change(notebook):
        notebook.cells[0].metadata.nbgrader = about

    return change


def blank_lines(notebook):
    notebook.cells[2].source += "\n" * 200_000


def same_ids(notebook):
    for cell in notebook.cells:
        cell.id = "same"


#: What each changes in a notebook, and what their line says.
ODD_NOTEBOOKS = {
    "text-for-nbgrader": (metadata("x"), "not graded yet"),
    "list-as-name": (metadata({"grade_id": ["a"], "solution": True}), "not graded yet"),
    "blank-lines": (blank_lines, "not graded yet"),
    "same-ids": (same_ids, "not graded yet"),
    "no-id": (partial(seeded, name="your student id"), "no id in it"),
    "typo": (partial(seeded, name="fien"), "with the id 'fien', of nobody here"),
    "honest": (nothing, "not graded yet"),
}


def stamped(raw):
    def change(folder):
        (folder / "timestamp.txt").write_bytes(raw)

    return change


def beside(name):
    def change(folder):
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(b"{}")

    return change


def misnamed(folder):
    (folder / FILE).rename(folder / "my final.ipynb")


def linked(folder):
    (folder / FILE).unlink()
    (folder / FILE).symlink_to(folder.parents[2] / "source" / ARGUED / FILE)


#: What each does in the folder of their submission, and what their line says.
ODD_FOLDERS = {
    "yesterday": (stamped(b"yesterday"), "cannot be checked: 'yesterday' in timestamp.txt"),
    "utf-16": (stamped("2025-12-01".encode("utf-16")), "cannot be checked: "),
    "windows": (beside(b"\xfcbung.ipynb"), r"more than one notebook: \udcfcbung.ipynb"),
    "forger": (beside(b"x\nalice   24  fine.ipynb"), r"x\nalice   24  fine.ipynb is not graded"),
    "misnamed": (misnamed, "wrong name: there is my final.ipynb"),
    "linked": (linked, "wrong name: there is no notebook"),
    "no-time": (nothing, "handed in again"),
    "nobodys": (nothing, "handed in again"),
}


def hand_in_odd(course):
    """Put what these hand in where it is graded, and something later into the exchange."""
    for student, (change, _) in ODD_NOTEBOOKS.items():
        notebook = course.answered(ARGUED, student)
        change(notebook)
        course.put(ARGUED, student, notebook)
    for student, (change, _) in ODD_FOLDERS.items():
        change(course.put(ARGUED, student, course.answered(ARGUED, student)))
    (course.inbound / f"no-time+{ARGUED}+").mkdir()
    folder = inbound(course, "nobodys")
    if ROOT:
        os.chown(folder, 61_999, 61_999)
