"""What a student on a course's hub shares with the class, if they agree: a file of its own.

That it is there is the agreement, and what it holds is all that is shared.
`course/seen.py` reads it, and shows noisy counts of the class and nobody's
file.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dpwidgets.teaching.disk import questions_of, replace, written

PROGRAM, FORMAT, NAME = "dpwidgets shared", 1, "dpwidgets-shared.json"
#: How many bytes the file may have: a thousand questions.
LARGEST = 100_000
#: Where the hub of a course says whose server it is.
STUDENT = "DPWIDGETS_STUDENT"
TERMS = (
    "Off, nothing is shared. On, which questions you answer from now on, and which of the mistakes "
    "that the lesson knows you made last in each, stand in a file of yours. Your lecturer's "
    "program reads it and shows noisy counts of the class, at an ε that stands above them. "
    "Whoever runs the hub could read the file itself. Off again deletes it; counts that were "
    "published stay."
)


def place(progress: Path | None) -> Path | None:
    """Return where the file is, or would be, beside that of the progress; nowhere without a hub."""
    if progress is None or not os.environ.get(STUDENT):
        return None
    return progress.with_name(NAME)


def agreed(progress: Path | None) -> bool:
    """Tell whether the student has agreed."""
    path = place(progress)
    return path is not None and path.is_file()


def agree(progress: Path | None, yes: bool) -> None:
    """Begin to share from now on, or delete all that was shared.

    Raises
    ------
    OSError
        If the disk does not let it.
    """
    path = place(progress)
    if path and yes:
        replace(path, write({}))
    elif path:
        path.unlink(missing_ok=True)


def count(progress: Path | None, question: str, met: str) -> None:
    """Share that a question was answered, and the hash of the misconception met, or "" for none.

    Of a question the last misconception stays. What cannot be written is not
    shared: it keeps nobody from answering.
    """
    path = place(progress)
    with suppress(OSError, ValueError):
        if path and path.is_file():
            shared = read(path.read_bytes())
            shared[question] = met or shared.get(question, "")
            replace(path, write(shared))


def write(shared: Mapping[str, str]) -> str:
    """Write what somebody shares as JSON, for `read`."""
    return written(PROGRAM, FORMAT, shared)


def read(content: bytes) -> dict[str, str]:
    """Read what somebody shares: under each question answered the misconception, or "".

    Raises
    ------
    ValueError
        If it is too large, or not what `count` writes.

    Examples
    --------
    >>> read(b'{"program": "dpwidgets shared", "format": 1, "questions": {"a": ""}}')
    {'a': ''}
    """
    questions = questions_of(content, PROGRAM, FORMAT, LARGEST)
    if not all(isinstance(met, str) for met in questions.values()):
        raise ValueError("it is damaged")
    return questions
