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
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import platforms
import uploads
from checking import check
from sandbox import lacking
from strangers import listed, refused
from submissions import Course
from tqdm import tqdm

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


def autograde(
    course: Course, students: list[str], everybody: set[str], *options: str
) -> None:
    """Let nbgrader grade these students, in a process of its own.

    It has as long as they have together: without a sandbox one of them may
    make it stand still.
    """
    command = [sys.executable, "-m", "nbgrader", "autograde", course.lab]
    if len(students) == 1:
        command += ["--student", students[0]]
    else:
        others = ",".join(sorted(everybody - set(students)))
        command.append(f"--CourseDirectory.student_id_exclude={others}")
    command += options
    if shutil.which("prlimit"):
        command = ["prlimit", f"--as={MEMORY}:", "--", *command]
    seconds = course.config.get("Grade", {}).get("seconds", 600)
    with Path(f"{course.lab}.log").open("a", encoding="utf-8") as log:
        streams: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.DEVNULL,
            "stderr": log,
        }
        most = len(students) * (seconds + 60)
        try:
            subprocess.run(command, **streams, timeout=most, check=False)
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
        jobs: dict[Future[None], list[str]] = {}
        for share in shares:
            job = pool.submit(autograde, course, share, everybody, *options)
            jobs[job] = share
        try:
            for job in as_completed(jobs):
                bar.update(len(jobs[job]))
        finally:
            # Whoever interrupts waits for what has begun only.
            pool.shutdown(cancel_futures=True)


def grade(course: Course, processes: int, options: list[str]) -> None:
    """Grade all, in shares; then whoever is left, one after another.

    A system that is short of memory kills a kernel, and not always the one
    that has taken it; so whose kernel is killed is graded again, alone.
    """
    todo: list[str] = []
    for student in course.students:
        folder = course.folder(student)
        if folder.is_dir() and not refused(folder):
            todo.append(student)
    shares = [todo[at : at + SHARE] for at in range(0, len(todo), SHARE)]
    side_by_side(processes, course, shares, "--Grade.alone=False", *options)
    left = [[student] for student in todo if course.score(student) is None]
    side_by_side(1, course, left, "--force", *options)


def report(remarks: list[tuple[str, str]]) -> bool:
    """Print what a lecturer should know of files or students; return whether there is anything."""
    for name, why in remarks:
        print(f"{listed([name])}: {listed([why])}")
    return bool(remarks)


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
    remarks = uploads.collect(chosen.source, roster, course.lab, put, key)
    with course.gradebook() as book:
        for student in roster.students.values():
            book.update_or_create_student(student)
    print(
        f"{changed} new or changed; ids are from {roster.column!r} of {roster.platform.name}"
    )
    return report(roster.left_out + remarks)


def write_marks(
    course: Course, roster: platforms.Roster, chosen: argparse.Namespace
) -> bool:
    """Write the marks, and for Moodle the feedback, as the platform imports them."""
    scores: dict[str, float] = {}
    for student in course.students:
        score = course.score(student)
        if score is not None:
            scores[student] = score
    title = chosen.title or course.lab
    table, remarks = platforms.marks(roster, scores, title)
    file = Path(f"marks-{course.lab}{chosen.list.suffix}")
    file.write_bytes(table)
    print(
        f"{file}: the marks of {len(scores)}, to upload to {roster.platform.name}"
    )
    if roster.platform.name == "Moodle":
        pages: dict[str, Path] = {}
        for student in scores:
            page = Path("feedback", student, course.lab, f"{course.lab}.html")
            if page.is_file():
                pages[student] = page
        archive = Path(f"feedback-{course.lab}.zip")
        archive.write_bytes(platforms.feedback(roster, pages))
        print(f"{archive}: the pages of {len(pages)}")
    return report(remarks)


def with_platform(
    step: Callable[..., bool], course: Course, chosen: argparse.Namespace
) -> bool:
    """Collect or write marks; return whether somebody needs a look."""
    if chosen.list is None or (step is collect and chosen.source is None):
        sys.exit(
            "collect needs --from and --list, marks needs --list; see course/README.md"
        )
    try:
        roster = platforms.Roster(chosen.list, chosen.column)
        return step(course, roster, chosen)
    except (OSError, ValueError) as error:
        sys.exit(listed([str(error)]))


def command_line() -> argparse.ArgumentParser:
    """Return what reads the command line."""
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
    return parser


def main() -> None:
    """Do what the command line says; what is not ours goes to nbgrader."""
    chosen, options = command_line().parse_known_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # any name
    course = Course(chosen.lab)
    if chosen.what == "collect":
        sys.exit(with_platform(collect, course, chosen))
    if chosen.what == "marks":
        sys.exit(with_platform(write_marks, course, chosen))
    if chosen.what == "grade":
        if chosen.trust:
            options.append("--Grade.trust=True")
        elif missing := lacking():
            sys.exit(NO_SANDBOX.format(missing))
        try:
            grade(course, chosen.side_by_side, options)
        except KeyboardInterrupt:
            sys.exit("interrupted; the same command goes on from here")
    sys.exit(check(course))


if __name__ == "__main__":
    main()
