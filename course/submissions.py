"""What the course's folder and the gradebook hold of a lab, and what its lecturer should know."""

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange
from steps import MADE, Grade, made_of, text_of
from strangers import listed
from uploads import REASONS

FINE, ABSENT, LOOK = "fine", "not handed in", "to look at"


class Course:
    """What lies in the course's folder, where nbgrader runs.

    Parameters
    ----------
    lab : str
        The lab, as its folder in source is called. Where it is not released,
        the program ends and says so.
    *options : str
        What is set for this time, as `Grade.seconds=60`.

    Attributes
    ----------
    grading : Grade
        What is set for the grading.
    inbound : Path
        Where students hand in on a hub, if there is one.
    """

    def __init__(self, lab: str, *options: str) -> None:
        app = NbGrader()
        app.initialize([*options])
        self.lab = lab
        self.grading = Grade(config=app.config)
        self._database = app.coursedir.db_url
        exchange = Path(Exchange(config=app.config).root)
        self.inbound = exchange / app.coursedir.course_id / "inbound"
        try:
            Path("release", lab, f"{lab}.ipynb").stat()
            self._text = text_of(lab)
            with self.gradebook() as book:
                book.find_notebook(lab, lab)
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
        with self.gradebook() as book:
            known = {student.id for student in book.students}
        for folder in Path().glob(f"submitted/*/{self.lab}"):
            known.add(folder.parent.name)
        return sorted(known)

    def folder(self, student: str) -> Path:
        """Return where a submission lies."""
        return Path("submitted", student, self.lab)

    def notebook(self, student: str) -> Path:
        """Return the file that is graded."""
        return self.folder(student) / f"{self.lab}.ipynb"

    def graded(self, student: str) -> Path:
        """Return where the graded copy lies; nbgrader takes it away when grading fails."""
        return Path("autograded", student, self.lab)

    def mark(self, student: str) -> tuple[float, list[str]] | None:
        """Return the points and what is to be said of them; None if another grading is due.

        It is where the tests have not been run, or on another file, with
        another id in it, or those of another lab.
        """
        other = self.grading.ids.get(student, "")
        try:
            text = (self.graded(student) / MADE).read_text(encoding="utf-8")
            made, *said = text.splitlines()
            if made != made_of(self.lab, self._text, student, other):
                return None
            with self.gradebook() as book:
                notebook = book.find_submission_notebook(
                    self.lab, self.lab, student
                )
                late = notebook.assignment.total_seconds_late
                tests = [
                    grade.auto_score
                    for grade in notebook.grades
                    if grade.cell.cell_type == "code"
                ]
                points = float(notebook.score)
        except (OSError, ValueError, MissingEntry):
            return None
        if not points and not said:
            said.append("no answer is right")
        if late > 0:
            said.append(f"late by {late / 3600:.1f} hours")
        return None if None in tests else (points, said)

    def remarks(self, student: str, *, tried: bool) -> Iterator[str]:
        """Yield the points of whoever handed something in, and what is to be said of it."""
        mark = self.mark(student)
        yield f"{mark[0]:g}" if mark else "–"
        reasons = ""
        with contextlib.suppress(FileNotFoundError):
            reasons = (self.folder(student) / REASONS).read_text("utf-8")
        yield from reasons.splitlines()
        if mark:
            yield from mark[1]
        elif self.notebook(student).is_file():
            failed = f"grading it failed, the reason stands in {self.lab}.log"
            yield failed if tried else "not graded yet"
        elif not reasons:
            yield "there is no notebook"


def check(
    course: Course,
    told: list[tuple[str, str]],
    *,
    everybody: bool,
    tried: bool,
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
    tried : bool
        Whether all that is there was to be graded just now.

    Returns
    -------
    bool
        Whether somebody or something needs a look.
    """
    many: Counter[str] = Counter()
    students = course.students
    for name in dict.fromkeys([*students, *(who for who, _ in told)]):
        points, state = "–", ABSENT
        found = [why for who, why in told if who == name]
        if name in students and course.folder(name).is_dir():
            state = FINE
            points, *more = course.remarks(name, tried=tried)
            found += more
        state = LOOK if found else state
        many[state] += 1
        if everybody or found:
            says = "; ".join(found) or state
            print(f"{listed([name]):<20} {points:>5}  {says}")
    print(
        ", ".join(f"{many[state]} {state}" for state in (FINE, LOOK, ABSENT))
    )
    return many[LOOK] > 0
