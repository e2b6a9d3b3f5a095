"""What a lecturer should know of each submission of a lab, before it is graded and after."""

import warnings
from pathlib import Path
from typing import Any

import nbformat
from cells import CELLS, about
from collect import handed_in, odd
from nbformat.notebooknode import NotebookNode
from strangers import listed, notebook_of, opened, refused
from submissions import Course, moment

from dpwidgets.labs.handin import NOBODY, ids


def answers(notebook: NotebookNode) -> dict[str, str]:
    """Return what stands in a notebook's cells for answers, by name."""
    return {
        about(cell)["grade_id"]: cell.source
        for cell in named(notebook, "solution")
    }


def marks(notebook: NotebookNode) -> dict[str, Any]:
    """Return by each cell's name what tells one version of a lab from another."""
    return {
        about(cell)["grade_id"]: about(cell).get("checksum")
        for cell in named(notebook)
    }


def named(
    notebook: NotebookNode, kind: str = "grade_id"
) -> list[NotebookNode]:
    """Return the cells of a lab, or those of a kind, which nbgrader has given a name."""
    found: list[NotebookNode] = []
    for cell in notebook.cells:
        mark = about(cell)
        if isinstance(mark.get("grade_id"), str) and mark.get(kind):
            found.append(cell)
    return found


def low(course: Course, notebook: NotebookNode, score: float) -> bool:
    """Return whether all is answered, and less than half of the points of the tests are earned."""
    blank: dict[str, str] = {}
    most = 0.0
    for cell in named(course.released):
        if cell.cell_type == "code":
            most += about(cell).get("points", 0)
            if about(cell).get("solution"):
                blank[about(cell)["grade_id"]] = cell.source
    if score >= most / 2:
        return False
    theirs = blank | answers(notebook)
    return all(theirs[name] != text for name, text in blank.items())


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
    if not folder.is_dir():
        if not again:
            found.append("not handed in")
        return found
    late = course.seconds_late(student)
    if late > 0:
        found.append(f"late by {late / 3600:.1f} hours")
    if reason := refused(folder):
        return [*found, f"not graded: {listed([reason])}"]
    file = folder / f"{course.lab}.ipynb"
    paths = folder.glob("*.ipynb")
    others = sorted(path.name for path in paths if path != file)
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
    found += of_the_id(course, student, notebook)
    found += of_the_marks(course, notebook)
    given = answers(notebook)
    if given and given.items() <= answers(course.released).items():
        found.append("nothing is answered")
    elif score and low(course, notebook, score):
        found.append("all is answered, and less than half of it is right")
    return found


def of_the_id(
    course: Course, student: str, notebook: NotebookNode
) -> list[str]:
    """Return what is odd about the id that stands in a notebook."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    written = ids("\n".join(code))
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


def of_the_marks(course: Course, notebook: NotebookNode) -> list[str]:
    """Return what nbgrader's marks say of the version of the lab, and of cells that are gone."""
    theirs, released = marks(notebook), marks(course.released)
    if not theirs:
        return [
            "without nbgrader's marks: its cells are known by their ids only"
        ]
    missing = released.keys() - theirs.keys()
    others = theirs.keys() - released.keys()
    both = released.keys() & theirs.keys()
    if others or any(theirs[name] != released[name] for name in both):
        return ["from another version of the lab"]
    if missing:
        gone = f"without {len(missing)} of the lab's cells"
        return [f"{gone}: {listed(sorted(missing))}"]
    return []


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


def check(course: Course) -> bool:
    """Print a line for every student; return whether somebody needs a look."""
    look = False
    for student in course.students:
        score = None
        try:
            score = course.score(student)
            found = state(course, student, score)
        # Whatever one hands in, the others stay in the table.
        except Exception as error:
            found = [f"cannot be checked: {listed([f'{error}'])}"]
        look = look or bool(found)
        points = "–" if score is None else f"{score:g}"
        print(
            f"{listed([student]):<20} {points:>5}  {'; '.join(found) or 'fine'}"
        )
    nobodys = course.in_exchange(None)
    for path in nobodys:
        name = path.name.partition(f"+{course.lab}+")[0][:200]
        print(
            f"{name!r:<20} {'–':>5}  not collected: that is no name of a student"
        )
    return look or bool(nobodys)
