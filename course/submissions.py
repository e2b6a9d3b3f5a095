"""What the course's folder and the gradebook hold of a lab: a `Course` reads it."""

import sys
from pathlib import Path

from autograde import MADE, Grade, made_of, text_of
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange


class Course:
    """What lies in the course's folder, where nbgrader runs.

    Parameters
    ----------
    lab : str
        The lab, as its folder in source is called. Where it is not released,
        the program ends and says so.

    Attributes
    ----------
    grading : Grade
        What is set for the grading.
    coursedir : nbgrader.coursedir.CourseDirectory
        What nbgrader knows of the folder.
    inbound : Path
        Where students hand in on a hub, if there is one.
    """

    def __init__(self, lab: str) -> None:
        app = NbGrader()
        app.initialize([])
        self.lab = lab
        self.grading = Grade(config=app.config)
        self.coursedir = app.coursedir
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
        return Gradebook(self.coursedir.db_url)

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

    def made(self, student: str) -> list[str]:
        """Return what is to be said of a grading, or raise an error if another one is due.

        Raises
        ------
        OSError, ValueError
            If there is none of this file, with this id in it, and this lab.
        """
        text = (self.graded(student) / MADE).read_text(encoding="utf-8")
        made, *said = text.splitlines()
        other = self.grading.ids.get(student, "")
        if made != made_of(self.lab, self._text, student, other):
            raise ValueError("the file, its id or the lab is another one now")
        return said

    def score(self, student: str) -> float | None:
        """Return the points, or None where the tests have not been run as all is now."""
        try:
            self.made(student)
            with self.gradebook() as book:
                notebook = book.find_submission_notebook(
                    self.lab, self.lab, student
                )
                tests = [
                    grade.auto_score
                    for grade in notebook.grades
                    if grade.cell.cell_type == "code"
                ]
                return None if None in tests else float(notebook.score)
        except (OSError, ValueError, MissingEntry):
            return None

    def seconds_late(self, student: str) -> float:
        """Return how long after the deadline a submission came; 0 where there is none."""
        folder = str(self.folder(student))
        came = self.coursedir.get_existing_timestamp(folder)
        with self.gradebook() as book:
            due = book.find_assignment(self.lab).duedate
        if came is None or due is None:
            return 0
        return float((came - due).total_seconds())
