"""What a lecturer should know of each submission of a lab, before it is graded and after."""

import contextlib
from collections.abc import Iterator

from strangers import listed
from submissions import Course
from uploads import REASONS

#: What is said of whoever handed in nothing; it needs no look.
ABSENT = "not handed in"


def remarks(
    course: Course, student: str, score: float | None, *, tried: bool
) -> Iterator[str]:
    """Yield what a lecturer should know of a submission and its grading."""
    reasons = ""
    with contextlib.suppress(FileNotFoundError):
        reasons = (course.folder(student) / REASONS).read_text("utf-8")
    yield from reasons.splitlines()
    late = course.seconds_late(student)
    if late > 0:
        yield f"late by {late / 3600:.1f} hours"
    if score is not None:
        made = course.made(student)
        yield from made
        if not score and not made:
            yield "no answer is right"
    elif course.notebook(student).is_file():
        failed = f"grading it failed, the reason stands in {course.lab}.log"
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
    """Print a line for each student who needs a look, and how many do not.

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
    fine, absent, to_look_at = 0, 0, 0
    for name, points, found in lines(course, told, tried=tried):
        if found == [ABSENT]:
            absent += 1
        elif found:
            to_look_at += 1
        else:
            fine += 1
        if everybody or found not in ([], [ABSENT]):
            says = "; ".join(found) or "fine"
            print(f"{listed([name]):<20} {points:>5}  {says}")
    print(f"{fine} fine, {to_look_at} to look at, {absent} not handed in")
    return to_look_at > 0


def lines(
    course: Course, told: list[tuple[str, str]], *, tried: bool
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each student's name, points and what a lecturer should know; then what is nobody's."""
    for student in course.students:
        found = [listed([why]) for name, why in told if name == student]
        score = course.score(student)
        if course.folder(student).is_dir():
            try:
                for one in remarks(course, student, score, tried=tried):
                    found.append(one)
            # Whatever one hands in, the others stay in the table.
            except Exception as error:
                found.append(f"cannot be checked: {listed([f'{error}'])}")
        elif not found:
            found = [ABSENT]
        yield student, "–" if score is None else f"{score:g}", found
    for name, why in told:
        if name not in course.students:
            yield name, "–", [listed([why])]
