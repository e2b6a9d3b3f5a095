"""What lies in the exchange of lab 3, however odd, and what is told of it."""

import json
import os

from payloads import ARGUED

FILE = f"{ARGUED}.ipynb"
STAMP = "2025-12-01 10:00:00.000000 UTC"
ROOT = os.geteuid() == 0


def inbound(course, student, lab=ARGUED, **files):
    """Put files into the exchange, as a student's server does who hands in."""
    folder = course.inbound / f"{student}+{lab}+{STAMP}+x"
    folder.mkdir()
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    return folder


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
    folder = inbound(course, "many")
    for at in range(150):
        (folder / f"{at}").touch()
    for name in ("..", "<img src=x>"):
        inbound(course, name, lab3_ipynb="{}")
    for student, name in (
        ("windows", "\udcfcbung.ipynb"),
        ("forger", "x\nalice   24  fine.ipynb"),
    ):
        notebook = json.dumps(course.answered(ARGUED, student))
        folder = inbound(course, student, lab3_ipynb=notebook)
        (folder / name).write_bytes(b"{}")
    folder = inbound(course, "misnamed")
    notebook = json.dumps(course.answered(ARGUED, "misnamed"))
    (folder / "my final.ipynb").write_text(notebook)
    for student in ("late", "closed"):
        notebook = json.dumps(course.answered(ARGUED, student))
        folder = inbound(course, student, lab3_ipynb=notebook)
    if ROOT:
        os.chown(folder, 61_999, 61_999)
        folder.chmod(0o700)


#: What is told of a notebook that nothing is wrong with.
WAITS = f"not graded; where that failed, {ARGUED}.log says why"
#: What is told after the exchange was collected.
COLLECTED = {
    "link": (f"not collected, {FILE}: it cannot be read: ",),
    "folder": ("not collected, folder+", ": Not a directory"),
    "inner": (
        "not collected, deep: it cannot be read: ",
        f"not collected, {FILE}: it is no file but a pipe",
    ),
    "many": (": there are too many files",),
    "windows": (r"not collected, \udcfcbung.ipynb: it is no notebook",),
    "forger": (r"not collected, x\nalice   24  fine.ipynb: it is no",),
    "misnamed": (WAITS,),
    "late": (WAITS,),
    "closed": (": Permission denied",) if ROOT else (),
}
