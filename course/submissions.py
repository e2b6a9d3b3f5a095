"""What the course's folder and the gradebook hold of a lab: a `Course` reads it."""

import sys
from pathlib import Path

import nbformat
from autograde import Grade
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
    released : NotebookNode
        The lab as students get it.
    """

    def __init__(self, lab: str) -> None:
        app = NbGrader()
        app.initialize([])
        self.lab = lab
        self.grading = Grade(config=app.config)
        self.coursedir = app.coursedir
        exchange = Path(Exchange(config=app.config).root)
        self.inbound = exchange / app.coursedir.course_id / "inbound"
        released = Path("release", lab, f"{lab}.ipynb")
        if not released.is_file():
            sys.exit(
                f"{released} is not there; first: nbgrader generate_assignment {lab}"
            )
        self.released = nbformat.read(released, as_version=4)

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
        return Path("autograded", student, self.lab, f"{self.lab}.ipynb")

    def score(self, student: str) -> float | None:
        """Return the points, or None where tests have not been run."""
        if not self.graded(student).is_file():
            return None
        with self.gradebook() as book:
            try:
                notebook = book.find_submission_notebook(
                    self.lab, self.lab, student
                )
            except MissingEntry:
                return None
            for grade in notebook.grades:
                if grade.cell.cell_type == "code" and grade.auto_score is None:
                    return None
            return float(notebook.score)

    def seconds_late(self, student: str) -> float:
        """Return how long after the deadline a submission came; 0 where there is none."""
        folder = str(self.folder(student))
        came = self.coursedir.get_existing_timestamp(folder)
        with self.gradebook() as book:
            due = book.find_assignment(self.lab).duedate
        if came is None or due is None:
            return 0
        return float((came - due).total_seconds())
