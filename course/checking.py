"""What a lecturer should know of each submission of a lab, before it is graded and after."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from cells import CELLS
from collect import handed_in, odd
from nbformat.notebooknode import NotebookNode
from strangers import is_systems, listed, notebook_of, opened, refused
from submissions import Course, moment

from dpwidgets.labs import reading
from dpwidgets.labs.reading import NOBODY, about

#: What is said of whoever handed in nothing; it needs no look.
ABSENT = "not handed in"


def marks(notebook: NotebookNode) -> dict[str, Any]:
    """Return by each cell's name what tells one version of a lab from another."""
    found: dict[str, Any] = {}
    for cell in notebook.cells:
        mark = about(cell)
        if isinstance(mark.get("grade_id"), str):
            found[mark["grade_id"]] = mark.get("checksum")
    return found


def most_of(course: Course) -> float:
    """Return the points that the tests of a lab give."""
    code = [cell for cell in course.released.cells if cell.cell_type == "code"]
    return sum(about(cell).get("points", 0) for cell in code)


def remarks(course: Course, student: str, score: float | None) -> list[str]:
    """Return what a lecturer should know of a submission that has so many points, or None."""
    folder = course.folder(student)
    again = course.waiting(student)
    found: list[str] = []
    if again:
        what = "again, later" if folder.is_dir() else "but not collected"
        found.append(
            f"handed in {what}: nbgrader collect {course.lab} --update"
        )
    found += course.owners(student)
    found += of_the_exchange(course, student)
    for whose, path, why in course.refused:
        if whose == student:
            name = path.rpartition("/")[2]
            found.append(f"not collected, {listed([f'{name}: {why}'])}")
    if not folder.is_dir():
        return found or [ABSENT]
    late = course.seconds_late(student)
    if late > 0:
        found.append(f"late by {late / 3600:.1f} hours")
    if reason := refused(folder):
        return [*found, f"not graded: {listed([reason])}"]
    file = folder / f"{course.lab}.ipynb"
    paths = folder.glob("*.ipynb")
    others = sorted(
        path.name
        for path in paths
        if path != file and not is_systems(path.name)
    )
    if not file.is_file():
        there = "there is no notebook"
        if others:
            there = f"there is {listed(others)}"
        return [*found, f"wrong name: {there}, and not {file.name}"]
    if others:
        found.append(f"more than one notebook: {listed(others)} is not graded")
    try:
        notebook = read(file)
    except Exception as error:
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        return [*found, f"cannot be read: {listed([reason])}"]
    return [*found, *of_the_notebook(course, student, notebook, score)]


def of_the_exchange(course: Course, student: str) -> list[str]:
    """Return what is odd about the last that a student has put into the exchange."""
    folders = course.in_exchange(student)
    if not folders:
        return []
    last = folders[-1]
    if strange := odd(last):
        return [f"not collected, no file: {listed(strange)}"]
    if reason := refused(last):
        return [f"not collected: {listed([reason])}"]
    stamp = last / "timestamp.txt"
    if not stamp.is_file():
        return []
    says, came = moment(stamp), handed_in(last)
    if abs((came - says).total_seconds()) < 60:
        return []
    return [f"came at {came:%Y-%m-%d %H:%M:%S} UTC, and says {says}"]


def read(file: Path) -> NotebookNode:
    """Read a notebook of a student's, or raise an error of whatever kind if it is none."""
    # Two cells with one id, and the like.
    with warnings.catch_warnings(action="ignore"):
        with open(opened(file)[0], encoding="utf-8") as stream:
            notebook = nbformat.reads(notebook_of(stream), as_version=4)
        nbformat.validate(notebook)
    return notebook


def of_the_notebook(
    course: Course, student: str, notebook: NotebookNode, score: float | None
) -> list[str]:
    """Return what is odd about a notebook that can be read and has so many points, or None."""
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
    elif score and not open_ones and score < most_of(course) / 2:
        found.append("all is answered, and less than half of it is right")
    return found


def of_the_id(course: Course, student: str, written: set[str]) -> list[str]:
    """Return what is odd about the ids that stand in a notebook."""
    if not written or written == {NOBODY}:
        return ["no id in it"]
    alias = course.aliases().get(student)
    for name in written:
        if name.casefold() == student.casefold() or name == alias:
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


def state(course: Course, student: str, score: float | None) -> list[str]:
    """Return what a lecturer should know of a submission and its grading."""
    grades = course.grades(student)
    found = remarks(course, student, score)
    if score is None and course.folder(student).is_dir():
        if grades is None:
            found.append("not graded yet")
        else:
            log = f"{course.lab}.log"
            found.append(f"grading it failed, the reason stands in {log}")
    elif score == 0 and not found:
        found.append("no answer is right")
    if grades and grades.by_hand:
        scores = sorted(grades.by_hand.items())
        set_to = ", ".join(f"{name} = {given:g}" for name, given in scores)
        found.append(f"set by hand, where tests grade: {set_to}")
    return found


def check(
    course: Course, remarks: list[tuple[str, str]], *, everybody: bool
) -> bool:
    """Print a line for each student who needs a look, and how many do not.

    Parameters
    ----------
    course : Course
        The lab's.
    remarks : list of (str, str)
        What is known beside: of whom or what, and what.
    everybody : bool
        Whether the others have lines too.

    Returns
    -------
    bool
        Whether somebody or something needs a look.
    """
    fine, absent, to_look_at = 0, 0, 0
    for name, points, found in lines(course, remarks):
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
    course: Course, remarks: list[tuple[str, str]]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each student's name, points and what a lecturer should know; then what is nobody's."""
    for student in course.students:
        score = None
        try:
            score = course.score(student)
            found = state(course, student, score)
        # Whatever one hands in, the others stay in the table.
        except Exception as error:
            found = [f"cannot be checked: {listed([f'{error}'])}"]
        found += [listed([why]) for name, why in remarks if name == student]
        yield student, "–" if score is None else f"{score:g}", found
    for path in course.in_exchange(None):
        name = path.name.partition(f"+{course.lab}+")[0]
        yield name, "–", ["not collected: that is no name of a student"]
    for whose, file, why in course.refused:
        if not whose:
            yield file, "–", [f"not collected: {listed([why])}"]
    for name, why in remarks:
        if name not in course.students:
            yield name, "–", [listed([why])]
