"""What a lecturer should know of each submission of a lab, before it is graded and after."""

import contextlib
from collections import Counter
from collections.abc import Iterator

from strangers import listed
from submissions import Course
from uploads import REASONS

FINE, ABSENT, LOOK = "fine", "not handed in", "to look at"


def remarks(course: Course, student: str, *, tried: bool) -> Iterator[str]:
    """Yield the points of a submission, and what a lecturer should know of it."""
    score = course.score(student)
    yield "–" if score is None else f"{score:g}"
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
        points, found = "–", [why for who, why in told if who == name]
        state = LOOK if found else ABSENT
        if name in students and course.folder(name).is_dir():
            try:
                points, *more = remarks(course, name, tried=tried)
                found += more
            # Whatever one hands in, the others stay in the table.
            except Exception as error:
                found.append(f"cannot be checked: {listed([str(error)])}")
            state = LOOK if found else FINE
        many[state] += 1
        if everybody or found:
            says = "; ".join(found) or state
            print(f"{listed([name]):<20} {points:>5}  {says}")
    print(
        ", ".join(f"{many[state]} {state}" for state in (FINE, LOOK, ABSENT))
    )
    return many[LOOK] > 0
