"""What lies in the exchange and in `submitted` of lab 3, however odd, and what is told of it."""

import json
import os
from datetime import UTC, datetime
from functools import partial

import nbformat

from payloads import ARGUED
from students import nothing, seeded

FILE = f"{ARGUED}.ipynb"
STAMP = "2025-12-01 10:00:00.000000 UTC"
ROOT = os.geteuid() == 0


def inbound(course, student, stamp=STAMP, **files):
    """Put files into the exchange, as a student's server does who hands in."""
    folder = course.inbound / f"{student}+{ARGUED}+{stamp}+x"
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def hollow(path, size):
    """Write a file of a size that takes no place."""
    with path.open("wb") as file:
        file.truncate(size)


def set_out(course):
    """Put links, folders, names of nobody, and two honest ones into the exchange."""
    solutions = course.folder / "source" / ARGUED
    (inbound(course, "link", timestamp_txt=STAMP) / FILE).symlink_to(
        solutions / FILE
    )
    (course.inbound / f"folder+{ARGUED}+{STAMP}+x").symlink_to(solutions)
    inner = inbound(course, "inner")
    (inner / "deep").symlink_to(solutions)
    os.mkfifo(inner / FILE)
    folder = inbound(course, "holes", timestamp_txt=STAMP)
    for at in range(3):
        hollow(folder / f"{at}.bin", 99_000_000)
    hollow(inbound(course, "stamp") / "timestamp.txt", 3_000_000_000)
    folder = inbound(course, "many")
    for at in range(150):
        (folder / f"{at}").touch()
    for name in ("..", "<img src=x>"):
        inbound(course, name, lab3_ipynb="{}")
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    for student, stamp in (
        ("late", STAMP),
        ("prompt", now),
        ("closed", STAMP),
    ):
        notebook = json.dumps(course.answered(ARGUED, student))
        folder = inbound(
            course, student, stamp, lab3_ipynb=notebook, timestamp_txt=stamp
        )
    if ROOT:
        os.chown(folder, 61_999, 61_999)
        folder.chmod(0o700)


#: What is told after the exchange was collected; that a submission's own time
#: is another is told only if it is off by more than seconds.
COLLECTED = {
    "link": (f"not collected, no file: {FILE}",),
    "folder": ("not collected, no file: folder+",),
    "inner": (f"not collected, no file: deep, {FILE}",),
    "holes": ("not collected: 297,",),
    "stamp": ("not collected: 3,000,000,000 bytes",),
    "many": ("not collected: more than 100 files",),
    "..": ("not collected: that is no name of a student",),
    "<img src=x>": ("not collected: that is no name of a student",),
    "late": ("late by ", "UTC, and says 2025-12-01 10:00:00"),
    "prompt": ("not graded yet",),
    "closed": ("handed in by user 61999",) if ROOT else (),
}


def metadata(notebook, about):
    notebook.cells[0].metadata.nbgrader = about


def blank_lines(notebook):
    notebook.cells[2].source += "\n" * 200_000


def same_ids(notebook):
    for cell in notebook.cells:
        cell.id = "same"


def cells(notebook):
    notebook.cells += [nbformat.v4.new_raw_cell("") for _ in range(100_000)]


CHANGES = {
    "text-for-nbgrader": partial(metadata, about="x"),
    "list-as-name": partial(
        metadata, about={"grade_id": ["a"], "solution": True}
    ),
    "blank-lines": blank_lines,
    "same-ids": same_ids,
    "cells": cells,
    "no-id": partial(seeded, name="your student id"),
    "typo": partial(seeded, name="fien"),
}
#: Files beside the notebook.
BESIDE = {
    "yesterday": ("timestamp.txt", b"yesterday"),
    "utf-16": ("timestamp.txt", "2025-12-01".encode("utf-16")),
    "windows": ("\udcfcbung.ipynb", b"{}"),
    "forger": ("x\nalice   24  fine.ipynb", b"{}"),
}
#: What the line of each says.
ODD = dict.fromkeys([*CHANGES, "honest"], "not graded yet") | {
    "no-id": "no id in it",
    "typo": "with the id 'fien', of nobody here",
    "yesterday": "cannot be checked: 'yesterday' in timestamp.txt",
    "utf-16": "cannot be checked: ",
    "windows": r"more than one notebook: \udcfcbung.ipynb",
    "forger": r"x\nalice   24  fine.ipynb is not graded",
    "cells": "cannot be read: it has 100,0",
    "sparse": "not graded: 200,",
    "misnamed": "wrong name: there is my final.ipynb",
    "linked": "not graded: a link in it, lab3.ipynb",
    "no-time": "handed in again",
    "nobodys": "handed in by user 61999" if ROOT else "handed in again",
}


def hand_in_odd(course):
    """Put what these hand in where it is graded, and something later into the exchange."""
    folders = {}
    for student in ODD:
        notebook = course.answered(ARGUED, student)
        CHANGES.get(student, nothing)(notebook)
        folders[student] = course.put(ARGUED, student, notebook)
    for student, (name, content) in BESIDE.items():
        (folders[student] / name).write_bytes(content)
    (folders["misnamed"] / FILE).rename(folders["misnamed"] / "my final.ipynb")
    hollow(folders["sparse"] / "data.bin", 200_000_000)
    (folders["linked"] / FILE).unlink()
    (folders["linked"] / FILE).symlink_to(
        course.folder / "source" / ARGUED / FILE
    )
    (course.inbound / f"no-time+{ARGUED}+").mkdir()
    inbound(course, "right")
    folder = inbound(course, "nobodys")
    if ROOT:
        os.chown(folder, 61_999, 61_999)
