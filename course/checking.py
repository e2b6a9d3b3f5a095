"""What a lecturer should know of each submission of a lab, before it is graded and after."""

import warnings
from collections.abc import Iterator
from typing import Any

import nbformat
from cells import CELLS
from nbformat.notebooknode import NotebookNode
from strangers import is_theirs, listed, notebook_of
from submissions import Course
from uploads import REASONS

from dpwidgets.labs import reading
from dpwidgets.labs.reading import NOBODY, about

#: What is said of whoever handed in nothing; it needs no look.
ABSENT = "not handed in"


def remarks(course: Course, student: str) -> list[str]:
    """Return what a lecturer should know of what somebody has handed in."""
    found: list[str] = []
    reasons = course.folder(student) / REASONS
    if reasons.is_file():
        found += reasons.read_text(encoding="utf-8").splitlines()
    late = course.seconds_late(student)
    if late > 0:
        found.append(f"late by {late / 3600:.1f} hours")
    if not course.notebook(student).is_file():
        return [*found, "there is no notebook"]
    try:
        notebook = read(course, student)
    except Exception as error:
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        return [*found, f"cannot be read: {listed([reason])}"]
    return [*found, *of_the_notebook(course, student, notebook)]


def read(course: Course, student: str) -> NotebookNode:
    """Read a notebook of a student's, or raise an error of whatever kind if it is none."""
    # Two cells with one id, and the like.
    with warnings.catch_warnings(action="ignore"):
        with course.notebook(student).open(encoding="utf-8") as stream:
            notebook = nbformat.reads(notebook_of(stream), as_version=4)
        nbformat.validate(notebook)
    return notebook


def of_the_notebook(
    course: Course, student: str, notebook: NotebookNode
) -> list[str]:
    """Return what is odd about a notebook that can be read."""
    found: list[str] = []
    many = len(notebook.cells) - len(course.released.cells)
    if many > CELLS:
        found.append(f"{many} cells of their own, of which {CELLS} are run")
    seen = reading.read(notebook, reading.answers(course.released.cells))
    if seen.lab not in ("", course.lab):
        found.append(f"it is {seen.lab[:40]!r}")
    found += of_the_id(course, student, seen.ids)
    found += of_the_version(course, notebook)
    open_ones = len(seen.untouched) + len(seen.missing)
    if open_ones == len(seen.questions):
        found.append("nothing is answered")
    return found


def of_the_id(course: Course, student: str, written: set[str]) -> list[str]:
    """Return what is odd about the ids that stand in a notebook."""
    if not written or written == {NOBODY}:
        return ["no id in it"]
    alias = course.config.get("Grade", {}).get("ids", {}).get(student)
    if any(is_theirs(name, student, alias) for name in written):
        return []
    first = min(written)
    whose = "of nobody here"
    if first in course.students:
        whose = "of another student"
    return [f"with the id {first[:40]!r}, {whose}"]


def of_the_version(course: Course, notebook: NotebookNode) -> list[str]:
    """Return whether nbgrader's marks, where they are, are of another version of the lab."""
    theirs, released = marks(notebook), marks(course.released)
    same = theirs.items() <= released.items()
    return [] if same else ["from another version of the lab"]


def marks(notebook: NotebookNode) -> dict[str, Any]:
    """Return by each cell's name what tells one version of a lab from another."""
    found: dict[str, Any] = {}
    for cell in notebook.cells:
        mark = about(cell)
        if isinstance(mark.get("grade_id"), str):
            found[mark["grade_id"]] = mark.get("checksum")
    return found


def state(
    course: Course, student: str, score: float | None, *, tried: bool
) -> list[str]:
    """Return what a lecturer should know of a submission and its grading."""
    if not course.folder(student).is_dir():
        return []
    found = remarks(course, student)
    if score is None and course.notebook(student).is_file():
        log = f"{course.lab}.log"
        failed = f"grading it failed, the reason stands in {log}"
        found.append(failed if tried else "not graded yet")
    elif score == 0 and not found:
        found.append("no answer is right")
    return found


def check(
    course: Course,
    told: list[tuple[str, str]],
    *,
    everybody: bool,
    tried: bool,
) -> bool:
    """Print a line for each student who needs a look, and how many do not.

    Parameters
    ----------
    course : Course
        The lab's.
    told : list of (str, str)
        What is known beside: of whom or what, and what.
    everybody : bool
        Whether the others have lines too.
    tried : bool
        Whether all that is there was to be graded just now.

    Returns
    -------
    bool
        Whether somebody or something needs a look.
    """
    fine, absent, to_look_at = 0, 0, 0
    for name, points, found in lines(course, told, tried=tried):
        if found == [ABSENT]:
            absent += 1
        elif found:
            to_look_at += 1
        else:
            fine += 1
        if everybody or found not in ([], [ABSENT]):
            says = "; ".join(found) or "fine"
            print(f"{listed([name]):<20} {points:>5}  {says}")
    print(f"{fine} fine, {to_look_at} to look at, {absent} not handed in")
    return to_look_at > 0


def lines(
    course: Course, told: list[tuple[str, str]], *, tried: bool
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each student's name, points and what a lecturer should know; then what is nobody's."""
    for student in course.students:
        score = None
        try:
            score = course.score(student)
            found = state(course, student, score, tried=tried)
        # Whatever one hands in, the others stay in the table.
        except Exception as error:
            found = [f"cannot be checked: {listed([f'{error}'])}"]
        found += [listed([why]) for name, why in told if name == student]
        if not found and not course.folder(student).is_dir():
            found = [ABSENT]
        yield student, "–" if score is None else f"{score:g}", found
    for name, why in told:
        if name not in course.students:
            yield name, "–", [listed([why])]
