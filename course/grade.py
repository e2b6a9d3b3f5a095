"""Grade a lab, and say of every submission in which state it is.

In the folder of the course, where nbgrader runs::

    python ../../course/grade.py check lab1     # before grading, and after
    python ../../course/grade.py grade lab1     # side by side on all
    processors, then check

Both end with 1 if somebody is listed who needs a look. Who is graded already
is passed over, so an interrupted `grade` goes on where it was. Where a
learning platform stands in for the hub::

    python ../../course/grade.py collect lab1 --from FILES.zip --list CLASS.csv
    python ../../course/grade.py marks lab1 --list CLASS.csv    # after
    grading: what to upload
"""

import argparse
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime
from pathlib import Path
from typing import Any

import nbformat
import platforms
import uploads
from cells import CELLS, about
from collect import handed_in, odd, student_of
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGrader
from nbgrader.exchange.default import Exchange
from sandbox import lacking
from strangers import content, notebook_of, opened, refused
from tqdm import tqdm

from dpwidgets.labs.handin import NOBODY, ids

#: As many submissions as a process of nbgrader's takes. Its start costs a
#: second or two; and whoever hands in something slow keeps so many others
#: waiting.
SHARE = 10
#: Bytes of addresses that a process which grades may have, whatever a
#: student's kernel sends it.
MEMORY = 8_000_000_000
NO_SANDBOX = (
    "There is no sandbox for students' code here ({}), so it would run as you, and could read and "
    "write what you can, use the network, leave programs behind and take all memory: with --trust "
    "it does, and course/README.md says what else can be done."
)


class Course:
    """What lies in the course's folder."""

    def __init__(self, lab: str) -> None:
        app = NbGrader()
        app.initialize([])
        self.lab, self.config, self.database = (
            lab,
            app.config,
            app.coursedir.db_url,
        )
        self.inbound = (
            Path(Exchange(config=app.config).root)
            / app.coursedir.course_id
            / "inbound"
        )
        released = Path("release", lab, f"{lab}.ipynb")
        if not released.is_file():
            sys.exit(
                f"{released} is not there; first: nbgrader generate_assignment {lab}"
            )
        self.released = nbformat.read(released, as_version=4)
        with self.gradebook() as book:
            students = {student.id for student in book.students}
        self.handed_in: dict[str | None, list[Path]] = {}
        for path in sorted(self.inbound.glob(f"*+{lab}+*"), key=handed_in):
            self.handed_in.setdefault(student_of(path, lab), []).append(path)
        self.students = sorted(
            students
            | {path.parent.name for path in Path().glob(f"submitted/*/{lab}")}
        )

    def gradebook(self) -> Gradebook:
        """Open the gradebook."""
        return Gradebook(self.database)

    def aliases(self) -> dict[str, str]:
        """Return under a student's id the one that they may write instead."""
        return self.config.get("Grade", {}).get("ids", {})

    def folder(self, student: str) -> Path:
        """Return where a submission lies."""
        return Path("submitted", student, self.lab)

    def grades(
        self, student: str
    ) -> tuple[float, bool, dict[str, float]] | None:
        """Return what the gradebook has: points, whether tests ran, scores set by hand on them."""
        with self.gradebook() as book:
            try:
                one = book.find_submission_notebook(
                    self.lab, self.lab, student
                )
            except MissingEntry:
                return None
            tests = [
                grade for grade in one.grades if grade.cell.cell_type == "code"
            ]
            by_hand = {
                grade.name: grade.manual_score
                for grade in tests
                if grade.manual_score is not None
            }
            return (
                one.score,
                all(grade.auto_score is not None for grade in tests),
                by_hand,
            )

    def score(self, student: str) -> float | None:
        """Return the points, or None where tests have not been run."""
        points, tested, _ = self.grades(student) or (None, False, {})
        return points if tested and self.graded(student).is_file() else None

    def graded(self, student: str) -> Path:
        """Return where the graded copy lies; nbgrader takes it away when grading fails."""
        return Path("autograded", student, self.lab, f"{self.lab}.ipynb")

    def seconds_late(self, student: str) -> float:
        """Return how long after the deadline a submission came, if there is one."""
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
        owners = {
            owner(path) for path in self.in_exchange(student) if not ours(path)
        }
        return [
            f"handed in by {owner}" for owner in sorted(owners - {student})
        ]

    def waiting(self, student: str) -> bool:
        """Return whether something came to the exchange that is not collected."""
        stamp = self.folder(student) / "timestamp.txt"
        collected = moment(stamp) if stamp.is_file() else datetime.min
        times = [handed_in(path) for path in self.in_exchange(student)]
        return any((one - collected).total_seconds() >= 1 for one in times)


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


def listed(names: Iterable[str]) -> str:
    """Return names as text on one line, whatever signs they hold."""
    return ", ".join(repr(name)[1:-1] for name in names)[:200]


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
    cells = [
        cell
        for cell in notebook.cells
        if isinstance(about(cell).get("grade_id"), str)
    ]
    return [cell for cell in cells if about(cell).get(kind)]


def low(course: Course, notebook: NotebookNode, score: float) -> bool:
    """Return whether all is answered, and less than half of the points of the tests are earned."""
    asked = [
        cell for cell in named(course.released) if cell.cell_type == "code"
    ]
    blank = {
        about(cell)["grade_id"]: cell.source
        for cell in asked
        if about(cell).get("solution")
    }
    most = sum(about(cell).get("points", 0) for cell in asked)
    theirs = blank | answers(notebook)
    return score < most / 2 and all(
        theirs[name] != text for name, text in blank.items()
    )


def remarks(course: Course, student: str, score: float | None) -> list[str]:
    """Return what a lecturer should know of a submission that has so many points, or None."""
    folder, again = course.folder(student), course.waiting(student)
    file = folder / f"{course.lab}.ipynb"
    others = sorted(
        path.name for path in folder.glob("*.ipynb") if path != file
    )
    found = []
    if again:
        what = "again, later" if folder.is_dir() else "but not collected"
        found.append(
            f"handed in {what}: nbgrader collect {course.lab} --update"
        )
    found += course.owners(student)
    for path in course.in_exchange(student)[-1:]:
        strange = odd(path)
        if strange:
            found.append(f"not collected, no file: {listed(strange)}")
            continue
        if reason := refused(path):
            found.append(f"not collected: {listed([reason])}")
            continue
        stamp = path / "timestamp.txt"
        theirs = moment(stamp) if stamp.is_file() else None
        if theirs and abs((handed_in(path) - theirs).total_seconds()) >= 60:
            found.append(
                f"came at {handed_in(path):%Y-%m-%d %H:%M:%S} UTC, and says {theirs}"
            )
    if not folder.is_dir():
        return [*found, *([] if again else ["not handed in"])]
    if course.seconds_late(student) > 0:
        found.append(
            f"late by {course.seconds_late(student) / 3600:.1f} hours"
        )
    if reason := refused(folder):
        return [*found, f"not graded: {listed([reason])}"]
    if not file.is_file():
        there = (
            f"there is {listed(others)}" if others else "there is no notebook"
        )
        return [*found, f"wrong name: {there}, and not {file.name}"]
    if others:
        found.append(f"more than one notebook: {listed(others)} is not graded")
    try:
        # Two cells with one id, and the like.
        with warnings.catch_warnings(action="ignore"):
            with open(opened(file)[0], encoding="utf-8") as stream:
                notebook = nbformat.reads(notebook_of(stream), as_version=4)
            nbformat.validate(notebook)
    except Exception as error:
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        return [*found, f"cannot be read: {listed([reason])}"]
    many = len(notebook.cells) - len(course.released.cells)
    if many > CELLS:
        found.append(f"{many} cells of their own, of which {CELLS} are run")
    code = "\n".join(
        cell.source for cell in notebook.cells if cell.cell_type == "code"
    )
    written = ids(code)
    if not written or written == {NOBODY}:
        found.append("no id in it")
    elif not any(
        one.casefold() == student.casefold()
        or one == course.aliases().get(student)
        for one in written
    ):
        (one, *_) = sorted(written)
        whose = (
            "of another student"
            if one in course.students
            else "of nobody here"
        )
        found.append(f"with the id {one[:40]!r}, {whose}")
    own, released = marks(notebook), marks(course.released)
    if not own:
        found.append(
            "without nbgrader's marks: its cells are known by their ids only"
        )
    elif any(
        own.get(name, mark) != mark for name, mark in released.items()
    ) or set(own) - set(released):
        found.append("from another version of the lab")
    elif missing := set(released) - set(own):
        found.append(
            f"without {len(missing)} of the lab's cells: {listed(sorted(missing))}"
        )
    if (
        answers(notebook)
        and answers(notebook).items() <= answers(course.released).items()
    ):
        found.append("nothing is answered")
    elif score and low(course, notebook, score):
        found.append("all is answered, and less than half of it is right")
    return found


def state(course: Course, student: str, score: float | None) -> list[str]:
    """Return what a lecturer should know of a submission and its grading."""
    _, tested, by_hand = course.grades(student) or (None, None, {})
    found = remarks(course, student, score)
    if score is None and course.folder(student).is_dir():
        failed = f"grading it failed, the reason stands in {course.lab}.log"
        found.append("not graded yet" if tested is None else failed)
    elif score == 0 and not found:
        found.append("no answer is right")
    if by_hand:
        set_to = ", ".join(
            f"{name} = {given:g}" for name, given in sorted(by_hand.items())
        )
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


def autograde(
    course: Course, students: list[str], everybody: set[str], *options: str
) -> None:
    """Let nbgrader grade these students, in a process of its own.

    It has as long as they have together: without a sandbox one of them may
    make it stand still.
    """
    lab, others = course.lab, ",".join(sorted(everybody - set(students)))
    excluded = f"--CourseDirectory.student_id_exclude={others}"
    only = ["--student", students[0]] if len(students) == 1 else [excluded]
    command = [
        sys.executable,
        "-m",
        "nbgrader",
        "autograde",
        lab,
        *only,
        *options,
    ]
    bounded = (
        ["prlimit", f"--as={MEMORY}", "--"] if shutil.which("prlimit") else []
    )
    most = len(students) * (
        course.config.get("Grade", {}).get("seconds", 600) + 60
    )
    with Path(f"{lab}.log").open("a", encoding="utf-8") as log:
        streams: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.DEVNULL,
            "stderr": log,
        }
        try:
            subprocess.run(
                [*bounded, *command], **streams, timeout=most, check=False
            )
        except subprocess.TimeoutExpired as error:
            log.write(f"{error}\n")


def side_by_side(
    processes: int, course: Course, shares: list[list[str]], *options: str
) -> None:
    """Grade shares of the submissions, so many at a time, and show how far it is."""
    everybody = {student for share in shares for student in share}
    with (
        ThreadPoolExecutor(processes) as pool,
        tqdm(total=len(everybody), disable=None) as bar,
    ):
        jobs = {
            pool.submit(autograde, course, share, everybody, *options): share
            for share in shares
        }
        try:
            for job in as_completed(jobs):
                bar.update(len(jobs[job]))
        finally:
            # Whoever interrupts waits for what has begun only.
            pool.shutdown(cancel_futures=True)


def grade(course: Course, processes: int, options: list[str]) -> None:
    """Grade all, in shares; then whoever is left, one by one."""
    folders = {one: course.folder(one) for one in course.students}
    todo = [
        one
        for one, folder in folders.items()
        if folder.is_dir() and not refused(folder)
    ]
    shares = [todo[at : at + SHARE] for at in range(0, len(todo), SHARE)]
    side_by_side(processes, course, shares, *options)
    left = [[one] for one in todo if course.score(one) is None]
    side_by_side(processes, course, left, "--force", *options)


def tell(told: list[tuple[str, str]]) -> bool:
    """Print what a lecturer should know of files or students; return whether there is anything."""
    for name, why in told:
        print(f"{listed([name])}: {listed([why])}")
    return bool(told)


def collect(
    course: Course, roster: platforms.Roster, chosen: argparse.Namespace
) -> bool:
    """Put what a learning platform gave where it is graded, and everybody into the gradebook."""
    changed = 0

    def put(student: str, content: bytes) -> None:
        nonlocal changed
        file = course.folder(student) / f"{course.lab}.ipynb"
        if file.is_file() and file.read_bytes() == content:
            return
        changed += 1
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        # It is graded anew.
        shutil.rmtree(course.graded(student).parent, ignore_errors=True)

    key = uploads.read_key(chosen.key) if chosen.key else None
    told = uploads.collect(chosen.source, roster, course.lab, put, key)
    with course.gradebook() as book:
        for student in roster.students.values():
            book.update_or_create_student(student)
    print(
        f"{changed} new or changed; ids are from {roster.column!r} of {roster.platform.name}"
    )
    return tell(roster.told + told)


def write_marks(
    course: Course, roster: platforms.Roster, chosen: argparse.Namespace
) -> bool:
    """Write the marks, and for Moodle the feedback, as the platform imports them."""
    scores = {
        one: score
        for one in course.students
        if (score := course.score(one)) is not None
    }
    table, told = platforms.marks(roster, scores, chosen.title or course.lab)
    file = Path(f"marks-{course.lab}{chosen.list.suffix}")
    file.write_bytes(table)
    print(
        f"{file}: the marks of {len(scores)}, to upload to {roster.platform.name}"
    )
    if roster.platform.name == "Moodle":
        paths = {
            one: Path("feedback", one, course.lab, f"{course.lab}.html")
            for one in scores
        }
        pages = {one: path for one, path in paths.items() if path.is_file()}
        Path(f"feedback-{course.lab}.zip").write_bytes(
            platforms.feedback(roster, pages)
        )
        print(f"feedback-{course.lab}.zip: the pages of {len(pages)}")
    return tell(told)


def with_platform(
    what: Callable[..., bool], course: Course, chosen: argparse.Namespace
) -> bool:
    """Collect or write marks; return whether somebody needs a look."""
    if chosen.list is None or (what is collect and chosen.source is None):
        sys.exit(
            "collect needs --from and --list, marks needs --list; see course/README.md"
        )
    try:
        return what(
            course, platforms.Roster(chosen.list, chosen.column), chosen
        )
    except (OSError, ValueError) as error:
        sys.exit(listed([str(error)]))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("what", choices=("check", "grade", "collect", "marks"))
    parser.add_argument("lab", help="as its folder in source is called")
    parser.add_argument(
        "--side-by-side", type=int, default=os.cpu_count(), metavar="N"
    )
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        help="a folder or zip of submissions",
    )
    parser.add_argument(
        "--list",
        type=Path,
        help="the class, as the platform exports it for marks",
    )
    parser.add_argument(
        "--column",
        default="",
        help="the column of the list with the labs' ids",
    )
    parser.add_argument(
        "--title", default="", help="what the lab is called on the platform"
    )
    parser.add_argument(
        "--key", type=Path, help="the file with your private key"
    )
    parser.add_argument(
        "--trust", action="store_true", help="go on where there is no sandbox"
    )
    chosen, options = parser.parse_known_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # any name
    course = Course(chosen.lab)
    if chosen.what in ("collect", "marks"):
        sys.exit(
            with_platform(
                {"collect": collect, "marks": write_marks}[chosen.what],
                course,
                chosen,
            )
        )
    if chosen.what == "grade":
        if (missing := lacking()) and not chosen.trust:
            sys.exit(NO_SANDBOX.format(missing))
        options += ["--Grade.trust=True"] if chosen.trust else []
        try:
            grade(course, chosen.side_by_side, options)
        except KeyboardInterrupt:
            sys.exit("interrupted; the same command goes on from here")
    sys.exit(check(course))


if __name__ == "__main__":
    main()
