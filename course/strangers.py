"""What a stranger wrote: read with a bound, never through a link, counted before it is copied."""

import json
import os
import re
import stat
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

#: What a student may be called: neither a way to another folder nor a piece of
#: a page.
NAME = re.compile(r"[^\W_][\w.@+-]{0,99}")
#: How many names of a folder are looked at.
ENTRIES = 100
#: How many bytes a notebook may have, with all its outputs, and how many cells.
LARGEST = 20_000_000
CELLS = 2_000


def is_theirs(written: str, student: str, other: str | None) -> bool:
    """Tell whether an id in a notebook is that of who handed it in, or the other one allowed."""
    return written.casefold() == student.casefold() or written == other


def sound(data: Any) -> str:
    """Return data as JSON; half a character becomes a question mark."""
    text = json.dumps(data, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def listed(names: Iterable[str]) -> str:
    """Return names as text on one line, whatever signs they hold; of many the first."""
    return ", ".join(repr(name)[1:-1] for name in names)[:200]


def notebook_of(content: bytes) -> str:
    """Return the JSON of a notebook, or raise a ValueError if it is none or too large."""
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no notebook: {error}") from None
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 4:
        raise ValueError("it is no notebook of format 4")
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise ValueError("it is no notebook: it has no cells")
    if len(cells) > CELLS:
        raise ValueError(
            f"it has {len(cells):,} cells; at most {CELLS:,} are read"
        )
    for cell in cells:
        if isinstance(cell, dict):
            lighten(cell)
    return sound(notebook)


def notebook_at(path: Path) -> NotebookNode:
    """Read a student's notebook.

    Raises
    ------
    OSError, ValueError
        If there is none, or it, its lab's folder or its student's is a link.
    """
    for part in (path, path.parent, path.parent.parent):
        if part.is_symlink():
            raise ValueError(f"a link is no submission: {part}")
    with opened(path.parent) as folder:
        text = notebook_of(content(path.name, LARGEST + 1, folder))
    # Two cells with one id, and the like.
    with warnings.catch_warnings(action="ignore"):
        return nbformat.reads(text, as_version=4)


def lighten(cell: dict[str, Any]) -> None:
    """Take away what nobody grades: outputs, attachments, and metadata that tells no cell.

    Where outputs or tags are odd, and there are many, nbformat takes hours and
    gigabytes to say so.
    """
    cell.pop("attachments", None)
    if "outputs" in cell:
        cell["outputs"] = []
    if isinstance(about := cell.get("metadata"), dict):
        for name in about.keys() - {"nbgrader", "id"}:
            del about[name]


@contextmanager
def opened(folder: Path | str) -> Iterator[int]:
    """Open a folder that is no link, by its number.

    Raises
    ------
    OSError
        If it is another, or closed to us.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    handle = os.open(folder, flags)
    try:
        yield handle
    finally:
        os.close(handle)


def content(name: str, most: int, folder: int) -> bytes:
    """Return the first bytes of a file in an open folder, at most so many.

    Raises
    ------
    ValueError
        If it cannot be opened, or is a link, a pipe or the like.
    """
    # Of a pipe nobody may wait for the other end.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with open(os.open(name, flags, dir_fd=folder), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("it is no file but a pipe or the like")
            return file.read(most)
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None


def is_systems(path: str) -> bool:
    """Tell whether a system put a file there, and nobody by hand.

    A Mac's archives have a folder __MACOSX and files that begin with a dot;
    Jupyter and network drives have such files too.
    """
    for part in path.replace("\\", "/").split("/"):
        hidden = part.startswith(".") and part.strip(".")
        if hidden or part == "__MACOSX":
            return True
    return False


def names(folder: int) -> list[str]:
    """Return the names in an open folder that no system put there, of very many the first."""
    with os.scandir(folder) as inside:
        first = [entry.name for entry in islice(inside, ENTRIES)]
    return sorted(name for name in first if not is_systems(name))
