"""What the course's folder, the exchange and the gradebook hold of a lab: a `Course` reads it."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import nbformat
from collect import handed_in, student_of
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange
from strangers import content


class Grades(NamedTuple):
    """What the gradebook has of a submission.

    Attributes
    ----------
    points : float
        All of its points.
    tested : bool
        Whether its tests have run.
    by_hand : dict of str to float
        Under a test's name the score that somebody has set by hand.
    """

    points: float
    tested: bool
    by_hand: dict[str, float]


class Course:
    """What lies in the course's folder, where nbgrader runs.

    Parameters
    ----------
    lab : str
        The lab, as its folder in source is called. Where it is not released,
        the program ends and says so.

    Attributes
    ----------
    config : traitlets.config.Config
        nbgrader's configuration.
    released : NotebookNode
        The lab as students get it.
    students : list of str
        Everybody in the gradebook, and whoever handed in; sorted.
    refused : list of (str, str, str)
        What a learning platform gave and was not collected: whose it is, or
        nobody's, which file, and why.
    """

    def __init__(self, lab: str) -> None:
        app = NbGrader()
        app.initialize([])
        self.lab = lab
        self.config = app.config
        self.database = app.coursedir.db_url
        exchange = Path(Exchange(config=app.config).root)
        self.inbound = exchange / app.coursedir.course_id / "inbound"
        released = Path("release", lab, f"{lab}.ipynb")
        if not released.is_file():
            sys.exit(
                f"{released} is not there; first: nbgrader generate_assignment {lab}"
            )
        self.released = nbformat.read(released, as_version=4)
        with self.gradebook() as book:
            known = {student.id for student in book.students}
        collected = Path().glob(f"submitted/*/{lab}")
        known |= {folder.parent.name for folder in collected}
        self.handed_in: dict[str | None, list[Path]] = {}
        for path in sorted(self.inbound.glob(f"*+{lab}+*"), key=handed_in):
            self.handed_in.setdefault(student_of(path, lab), []).append(path)
        known |= {student for student in self.handed_in if student}
        self.students = sorted(known)
        self._refused = Path(f"refused-{lab}.json")
        self.refused: list[list[str]] = []
        if self._refused.is_file():
            self.refused = json.loads(self._refused.read_text("utf-8"))

    def keep_refused(self, files: Iterable[Sequence[str]]) -> None:
        """Keep what the last archive held and was not collected."""
        self._refused.write_text(json.dumps([*files]), encoding="utf-8")

    def gradebook(self) -> Gradebook:
        """Open the gradebook."""
        return Gradebook(self.database)

    def aliases(self) -> dict[str, str]:
        """Return under a student's id the one that they may write instead."""
        return self.config.get("Grade", {}).get("ids", {})

    def folder(self, student: str) -> Path:
        """Return where a submission lies."""
        return Path("submitted", student, self.lab)

    def grades(self, student: str) -> Grades | None:
        """Return what the gradebook has of a submission, or None where it has nothing."""
        with self.gradebook() as book:
            try:
                notebook = book.find_submission_notebook(
                    self.lab, self.lab, student
                )
            except MissingEntry:
                return None
            tested = True
            by_hand: dict[str, float] = {}
            for grade in notebook.grades:
                if grade.cell.cell_type != "code":
                    continue
                if grade.auto_score is None:
                    tested = False
                if grade.manual_score is not None:
                    by_hand[grade.name] = grade.manual_score
            return Grades(notebook.score, tested, by_hand)

    def score(self, student: str) -> float | None:
        """Return the points, or None where tests have not been run."""
        grades = self.grades(student)
        if grades and grades.tested and self.graded(student).is_file():
            return grades.points
        return None

    def graded(self, student: str) -> Path:
        """Return where the graded copy lies; nbgrader takes it away when grading fails."""
        return Path("autograded", student, self.lab, f"{self.lab}.ipynb")

    def seconds_late(self, student: str) -> float:
        """Return how long after the deadline a submission came; 0 where there is none."""
        with self.gradebook() as book:
            due = book.find_assignment(self.lab).duedate
        stamp = self.folder(student) / "timestamp.txt"
        if due is None or not stamp.is_file():
            return 0
        return (moment(stamp) - due).total_seconds()

    def in_exchange(self, student: str | None) -> list[Path]:
        """Return the folders that this student has put into the exchange, oldest first.

        With None, those that are not collected, since their name is no
        student's.
        """
        return self.handed_in.get(student, [])

    def owners(self, student: str) -> list[str]:
        """Return who else put something into the exchange under this name.

        Not whoever grades: where the hub is tried out, all servers run as the
        same user.
        """
        strange = [
            path for path in self.in_exchange(student) if not ours(path)
        ]
        names = set(map(owner, strange)) - {student}
        return [f"handed in by {name}" for name in sorted(names)]

    def waiting(self, student: str) -> bool:
        """Return whether something came to the exchange that is not collected."""
        stamp = self.folder(student) / "timestamp.txt"
        collected = moment(stamp) if stamp.is_file() else datetime.min
        for path in self.in_exchange(student):
            if (handed_in(path) - collected).total_seconds() >= 1:
                return True
        return False


def ours(path: Path) -> bool:
    """Return whether a folder belongs to whoever runs this, or where owners have no numbers."""
    return not hasattr(os, "geteuid") or path.lstat().st_uid == os.geteuid()


def owner(path: Path) -> str:
    """Return whose a folder is: a name, or the user's number where it has none."""
    import pwd  # Unix alone has it

    number = path.lstat().st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def moment(stamp: Path) -> datetime:
    """Read from a file a time as nbgrader writes it, in UTC."""
    text = content(stamp, 100).decode(errors="replace")
    try:
        return datetime.fromisoformat(text.strip().removesuffix(" UTC"))
    except ValueError:
        raise ValueError(
            f"{text[:40]!r} in timestamp.txt is no time"
        ) from None
