"""Grade a lab, and say which submissions need a look.

In the folder of the course, where nbgrader runs::

    python ../../course/grade.py lab1

grades whatever is there side by side on all processors. Who is graded already
is passed over, so an interrupted one goes on where it was. With a learning
platform in place of a hub, it also collects before and writes afterwards what
to upload::

    python ../../course/grade.py lab1 --from FILES.zip --list CLASS.csv

Whose file, id or lab has changed since is graded again, and with --again s1
whoever that names. It ends with 1 if somebody needs a look; with --look that is
all it does.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import platforms
import uploads
from sandbox import lacking
from strangers import one_line
from submissions import Course, check
from tqdm.contrib.concurrent import thread_map

#: As many submissions as a process of nbgrader's takes. Its start costs a
#: second or two; and whoever hands in something slow keeps so many others
#: waiting.
SHARE = 10
PROCESSORS = os.cpu_count()
NO_SANDBOX = (
    "There is no sandbox for students' code here ({}), and nothing is run without one: "
    "course/reference.md says what can be done."
)


def nbgrader(
    step: str, course: Course, students: list[str], *options: str
) -> None:
    """Let nbgrader take a step with these students, in a process of its own."""
    others = ",".join(sorted({*course.students} - {*students}))
    command = [
        sys.executable,
        "-m",
        "nbgrader",
        step,
        course.lab,
        f"--CourseDirectory.student_id_exclude={others}",
        *options,
    ]
    with Path(f"{course.lab}.log").open("a", encoding="utf-8") as log:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            check=False,
        )


def side_by_side(
    step: str, course: Course, students: list[str], *options: str
) -> None:
    """Take a step with students in shares, on all processors, and show how far it is."""
    shares = [
        students[at : at + SHARE] for at in range(0, len(students), SHARE)
    ]
    # Whoever interrupts waits for what has begun only.
    thread_map(
        lambda share: nbgrader(step, course, share, *options),
        shares,
        max_workers=PROCESSORS,
        desc=step,
        disable=None,
    )


def grade(course: Course, again: Collection[str]) -> None:
    """Grade all, in shares; then whoever is left, one after another.

    Who is graded already is passed over, but for those who are named. A
    system that is short of memory kills a kernel, and not always the one that
    has taken it; so whose kernel ends is graded again, alone.
    """
    done = course.marks().keys() - {*again}
    todo = [
        student
        for student in course.students
        if student not in done and course.notebook(student).is_file()
    ]
    alone = "--Grade.alone=False"
    side_by_side("autograde", course, todo, "--force", alone)
    for student in sorted({*todo} - {*course.marks()}):
        nbgrader("autograde", course, [student], "--force")


def collect(course: Course) -> None:
    """Take what came to the exchange, if there is one; nbgrader's warnings are the lecturer's."""
    if course.inbound.is_dir():
        command = [
            sys.executable,
            "-m",
            "nbgrader",
            "collect",
            course.lab,
            "--update",
            "--log-level=WARN",
        ]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False)


def collect_from(
    source: Path, course: Course, roster: platforms.Roster
) -> list[tuple[str, str]]:
    """Put what a learning platform gave where it is graded, and everybody into the gradebook.

    Returns
    -------
    list of (str, str)
        Which files are nobody's, and why.
    """
    many = 0
    told: list[tuple[str, str]] = []
    for student, path, files in uploads.collect(source, roster, course.lab):
        if student:
            uploads.put(course.folder(student), files)
            many += course.notebook(student).name in files
        else:
            told.append((path, files[uploads.REASONS].decode()))
    with course.gradebook() as book:
        for student in roster.students.values():
            book.update_or_create_student(student)
    print(
        f"notebooks: {many}, ids from {roster.column!r} of {roster.platform.name}"
    )
    return told


def give_back(
    course: Course, roster: platforms.Roster, chosen: argparse.Namespace
) -> list[tuple[str, str]]:
    """Write the marks, and for Moodle the feedback, as the platform imports them.

    Returns
    -------
    list of (str, str)
        Of whom there is something to say, and what.
    """
    scores = {name: points for name, (points, _) in course.marks().items()}
    table, remarks = platforms.marks(roster, scores, course.points)
    file = Path(f"marks-{course.lab}{chosen.list.suffix}")
    file.write_bytes(table)
    print(
        f"{file}: the marks of {len(scores)}, to upload to {roster.platform.name}"
    )
    # A person may have given points since, so each page is made anew.
    side_by_side("generate_feedback", course, [*scores], "--force")
    if roster.platform.name == "Moodle":
        page = Path(course.lab, f"{course.lab}.html")
        pages = {
            student: path
            for student in scores
            if (path := Path("feedback", student, page)).is_file()
        }
        archive = Path(f"feedback-{course.lab}.zip")
        archive.write_bytes(platforms.feedback(roster, pages))
        print(f"{archive}: the pages of {len(pages)}")
    return remarks


def command_line() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("lab", help="as its folder in source is called")
    add("--look", action="store_true", help="grade nothing")
    add(
        "--all",
        action="store_true",
        help="list everybody, not only who needs a look",
    )
    add(
        "--from",
        dest="source",
        type=Path,
        help="the archive of submissions, as the platform gives it",
    )
    add(
        "--list",
        type=Path,
        help="the class, as the platform exports it for marks",
    )
    add(
        "--column",
        default="",
        help="the column of the list with the labs' ids",
    )
    add("--title", default="", help="what the lab is called on the platform")
    add(
        "--again",
        action="append",
        default=[],
        metavar="ID",
        help="grade this one again; several have an --again each",
    )
    return parser


def main() -> None:
    """Do what the command line says."""
    parser = command_line()
    chosen = parser.parse_args()
    if chosen.source and not chosen.list:
        parser.error("--from needs --list, the class as the platform has it")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # any name
    try:
        if not chosen.look and (missing := lacking()):
            sys.exit(NO_SANDBOX.format(missing))
        course = Course(chosen.lab)
        # Before what takes long: the list says whether it is the right one.
        roster = chosen.list and platforms.Roster(
            chosen.list, chosen.title or chosen.lab, chosen.column
        )
        told = [*roster.left_out] if roster else []
        if chosen.source:
            told += collect_from(chosen.source, course, roster)
        elif not chosen.look:
            collect(course)
        if unknown := {*chosen.again} - {*course.students}:
            names = one_line(", ".join(sorted(unknown)))
            parser.error(f"--again: nobody is called {names}")
        if not chosen.look:
            grade(course, chosen.again)
            if roster:
                told += give_back(course, roster, chosen)
    except (OSError, ValueError) as error:
        sys.exit(one_line(str(error)))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
    sys.exit(check(course, told, everybody=chosen.all))


if __name__ == "__main__":
    main()
