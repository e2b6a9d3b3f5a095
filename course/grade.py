"""Grade a lab, and say of every submission in which state it is.

In the folder of the course, where nbgrader runs::

    python ../../course/grade.py check lab1     # before grading, and after
    python ../../course/grade.py grade lab1     # side by side on all processors, then check

Both end with 1 if somebody is listed who needs a look.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange

SEED = re.compile(r"""^\s*lab_seed\s*=\s*(?:(["'])(.*?)\1|(.*))""", re.MULTILINE)
NOBODY = "your student id"


class Course:
    """What lies in the course's folder."""

    def __init__(self, lab):
        app = NbGrader()
        app.initialize([])
        self.lab, self.config, self.database = lab, app.config, app.coursedir.db_url
        self.inbound = Path(Exchange(config=app.config).root) / app.coursedir.course_id / "inbound"
        released = Path("release", lab, f"{lab}.ipynb")
        if not released.is_file():
            sys.exit(f"{released} is not there; first: nbgrader generate_assignment {lab}")
        self.released = nbformat.read(released, as_version=4)
        with self.gradebook() as book:
            students = {student.id for student in book.students}
        self.students = sorted(
            students | {path.parent.name for path in Path().glob(f"submitted/*/{lab}")}
        )

    def gradebook(self):
        """Open the gradebook."""
        return Gradebook(self.database)

    def aliases(self):
        """Return under a student's id the one that they may write instead."""
        return self.config.get("Grade", {}).get("ids", {})

    def folder(self, student):
        """Return where a submission lies."""
        return Path("submitted", student, self.lab)

    def score(self, student):
        """Return the points, or None where tests have not been run."""
        with self.gradebook() as book:
            try:
                one = book.find_submission_notebook(self.lab, self.lab, student)
            except MissingEntry:
                return None
            tests = [grade for grade in one.grades if grade.cell.cell_type == "code"]
            return one.score if all(grade.auto_score is not None for grade in tests) else None

    def seconds_late(self, student):
        """Return how long after the deadline a submission came, if there is one."""
        with self.gradebook() as book:
            due = book.find_assignment(self.lab).duedate
        stamp = self.folder(student) / "timestamp.txt"
        if due is None or not stamp.is_file():
            return 0
        return (moment(stamp.read_text()) - due).total_seconds()

    def owners(self, student):
        """Return who else of the class put something into the exchange under this name."""
        paths = self.inbound.glob(f"{student}+{self.lab}+*")
        owners = {path.owner() for path in paths} & set(self.students)
        return [f"handed in by {owner}" for owner in sorted(owners - {student})]

    def waiting(self, student):
        """Return when submissions came to the exchange that are not collected."""
        handed_in = [
            moment(path.name.split("+")[2]) for path in self.inbound.glob(f"{student}+{self.lab}+*")
        ]
        stamp = self.folder(student) / "timestamp.txt"
        collected = moment(stamp.read_text()) if stamp.is_file() else datetime.min
        return [one for one in handed_in if (one - collected).total_seconds() >= 1]


def moment(text):
    """Read a time as nbgrader writes it, in UTC."""
    return datetime.fromisoformat(text.strip().removesuffix(" UTC"))


def answers(notebook):
    """Return what stands in a notebook's cells for answers, by name."""
    cells = ((cell, cell.metadata.get("nbgrader") or {}) for cell in notebook.cells)
    return {about.get("grade_id"): cell.source for cell, about in cells if about.get("solution")}


def marks(notebook):
    """Return by each cell's name what tells one version of a lab from another."""
    abouts = (cell.metadata.get("nbgrader") or {} for cell in notebook.cells)
    return {one["grade_id"]: one.get("checksum") for one in abouts if one.get("grade_id")}


def remarks(course, student):
    """Return what a lecturer should know of a submission."""
    folder, again = course.folder(student), course.waiting(student)
    file = folder / f"{course.lab}.ipynb"
    others = sorted(path.name for path in folder.glob("*.ipynb") if path != file)
    found = []
    if again:
        many = "again, later" if folder.is_dir() else "but not collected"
        found.append(f"handed in {many}: nbgrader collect {course.lab} --update")
    found += course.owners(student)
    if not folder.is_dir():
        return [*found, *([] if again else ["not handed in"])]
    if course.seconds_late(student) > 0:
        found.append(f"late by {course.seconds_late(student) / 3600:.1f} hours")
    if not file.is_file():
        there = f"there is {', '.join(others)}" if others else "there is no notebook"
        return [*found, f"wrong name: {there}, and not {file.name}"]
    if others:
        found.append(f"more than one notebook: {', '.join(others)} is not graded")
    try:
        notebook = nbformat.read(file, as_version=4)
        nbformat.validate(notebook)
    except Exception as error:
        return [
            *found,
            f"cannot be read: {' '.join(str(error).split())[:80] or type(error).__name__}",
        ]
    seeds = SEED.findall(
        "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    )
    ids = {(text or other).strip() for _, text, other in seeds}
    if not ids or ids == {NOBODY}:
        found.append("no id in it")
    elif not any(
        one.casefold() == student.casefold() or one == course.aliases().get(student) for one in ids
    ):
        (one, *_) = sorted(ids)
        whose = "of another student" if one in course.students else "of nobody here"
        found.append(f"with the id {one[:40]!r}, {whose}")
    own, released = marks(notebook), marks(course.released)
    if not own:
        found.append("without nbgrader's marks: its cells are known by their ids only")
    elif any(own.get(name, mark) != mark for name, mark in released.items()) or set(own) - set(
        released
    ):
        found.append("from another version of the lab")
    elif missing := set(released) - set(own):
        found.append(
            f"without {len(missing)} of the lab's cells: {', '.join(sorted(missing))[:80]}"
        )
    if answers(notebook) and answers(notebook).items() <= answers(course.released).items():
        found.append("nothing is answered")
    return found


def check(course):
    """Print a line for every student; return whether somebody needs a look."""
    look = False
    for student in course.students:
        score, found = course.score(student), remarks(course, student)
        if score is None and course.folder(student).is_dir():
            tried = Path("autograded", student, course.lab).exists()
            found.append("grading it failed" if tried else "not graded yet")
        elif score == 0 and not found:
            found.append("no answer is right")
        look = look or bool(found)
        points = "–" if score is None else f"{score:g}"
        print(f"{student:<20} {points:>5}  {'; '.join(found) or 'fine'}")
    return look


def autograde(lab, students, others, *options):
    """Let nbgrader grade these students, in a process of its own."""
    excluded = [f"--CourseDirectory.student_id_exclude={','.join(others)}"] if others else []
    only = ["--student", students[0]] if len(students) == 1 else excluded
    command = [sys.executable, "-m", "nbgrader", "autograde", lab, *only, *options]
    log = subprocess.run(command, capture_output=True, text=True, check=False)
    with Path(f"{lab}.log").open("a", encoding="utf-8") as kept:
        kept.write(log.stderr)


def grade(course, side_by_side, options):
    """Grade in so many processes; then whoever is left, one by one."""
    todo = [one for one in course.students if course.folder(one).is_dir()]
    shares = [share for at in range(side_by_side) if (share := todo[at::side_by_side])]
    with ThreadPoolExecutor(side_by_side) as pool:
        for share in shares:
            pool.submit(autograde, course.lab, share, sorted(set(todo) - set(share)), *options)
    left = [one for one in todo if course.score(one) is None]
    with ThreadPoolExecutor(side_by_side) as pool:
        for one in left:
            pool.submit(autograde, course.lab, [one], [], "--force", *options)


def main():
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("check", "grade"))
    parser.add_argument("lab", help="as its folder in source is called")
    parser.add_argument("--side-by-side", type=int, default=os.cpu_count(), metavar="N")
    chosen, options = parser.parse_known_args()
    course = Course(chosen.lab)
    if chosen.what == "grade":
        grade(course, chosen.side_by_side, options)
    sys.exit(check(course))


if __name__ == "__main__":
    main()
