"""What the course's folder and the gradebook hold of a lab, and what its lecturer should know."""

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange
from settings import settings
from steps import MADE, made_of, text_of
from strangers import one_line
from uploads import REASONS

FINE, ABSENT, LOOK = "fine", "not handed in", "to look at"
#: Points, and what is to be said of them.
Mark: TypeAlias = tuple[float, list[str]]


class Course:
    """What lies in the course's folder, where nbgrader runs.

    Parameters
    ----------
    lab : str
        The lab, as its folder in source is called. Where it is not released,
        the program ends and says so.

    Attributes
    ----------
    inbound : Path
        Where students hand in on a hub, if there is one.
    points : float
        How many the lab has, those that a person gives too.
    """

    def __init__(self, lab: str) -> None:
        # Without its configuration nbgrader would run students' code as its own.
        app = NbGrader(raise_config_file_errors=True)
        try:
            app.initialize([])
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            sys.exit(f"nbgrader_config.py cannot be read: {why}")
        self.lab = lab
        self._ids = settings()["ids"]
        self._database = app.coursedir.db_url
        exchange = Path(Exchange(config=app.config).root)
        self.inbound = exchange / app.coursedir.course_id / "inbound"
        try:
            Path("release", lab, f"{lab}.ipynb").stat()
            self._text = text_of(lab)
            with self.gradebook() as book:
                self.points = book.find_notebook(lab, lab).max_score
        except (FileNotFoundError, MissingEntry):
            sys.exit(
                f"{lab} is not released here; first: nbgrader generate_assignment {lab}"
            )

    def gradebook(self) -> Gradebook:
        """Open the gradebook."""
        return Gradebook(self._database)

    @property
    def students(self) -> list[str]:
        """Everybody in the gradebook, and whose work is collected; sorted."""
        folders = Path().glob(f"submitted/*/{self.lab}")
        with self.gradebook() as book:
            known = {student.id for student in book.students}
        return sorted(known | {folder.parent.name for folder in folders})

    def folder(self, student: str) -> Path:
        """Return where a submission lies."""
        return Path("submitted", student, self.lab)

    def notebook(self, student: str) -> Path:
        """Return the file that is graded."""
        return self.folder(student) / f"{self.lab}.ipynb"

    def marks(self) -> dict[str, Mark]:
        """Return the points of whoever is graded as all is now, and what is to be said of them."""
        found: dict[str, Mark] = {}
        students = self.students
        with self.gradebook() as book:
            for student in students:
                with contextlib.suppress(OSError, ValueError, MissingEntry):
                    found[student] = self._mark(book, student)
        return found

    def _mark(self, book: Gradebook, student: str) -> Mark:
        """Return the same of a student, or raise an error if another grading is due.

        It is where the tests have not been run (nbgrader keeps no graded copy
        where that fails), or on another file, with another id in it, or those
        of another lab.
        """
        other = self._ids.get(student, "")
        made_with = Path("autograded", student, self.lab, MADE)
        made, *said = made_with.read_text(encoding="utf-8").splitlines()
        notebook = book.find_submission_notebook(self.lab, self.lab, student)
        tests = [
            grade.auto_score
            for grade in notebook.grades
            if grade.cell.cell_type == "code"
        ]
        due = made_of(self.lab, self._text, student, other)
        if made != due or None in tests:
            raise ValueError("another grading is due")
        points = float(notebook.score)
        if not points and not said:
            said.append("no answer is right")
        late = notebook.assignment.total_seconds_late
        if late > 0:
            said.append(f"late by {late / 3600:.1f} hours")
        return points, said

    def remarks(self, student: str, mark: Mark | None) -> Iterator[str]:
        """Yield what is to be said of whoever handed something in."""
        file = self.folder(student) / REASONS
        reasons = file.read_text("utf-8") if file.is_file() else ""
        yield from reasons.splitlines()
        if mark:
            yield from mark[1]
        elif self.notebook(student).is_file():
            yield f"not graded; where that failed, {self.lab}.log says why"
        elif not reasons:
            yield "there is no notebook"


def check(
    course: Course,
    told: list[tuple[str, str]],
    *,
    everybody: bool,
) -> bool:
    """Print a line for each student who needs a look, and how many do not; then what is nobody's.

    Parameters
    ----------
    course : Course
        The lab's.
    told : list of (str, str)
        What is known beside: of whom or what, and what.
    everybody : bool
        Whether the others have lines too.

    Returns
    -------
    bool
        Whether somebody or something needs a look.
    """
    many: Counter[str] = Counter()
    students, marks = course.students, course.marks()
    for name in dict.fromkeys([*students, *(who for who, _ in told)]):
        mark, state = marks.get(name), ABSENT
        found = [why for who, why in told if who == name]
        if name in students and course.folder(name).is_dir():
            state = FINE
            found += course.remarks(name, mark)
        state = LOOK if found else state
        many[state] += 1
        if everybody or found:
            points = f"{mark[0]:g}" if mark else "–"
            says = "; ".join(found) or state
            print(f"{one_line(name):<20} {points:>5}  {says}")
    print(
        ", ".join(f"{many[state]} {state}" for state in (FINE, LOOK, ABSENT))
    )
    return many[LOOK] > 0
