"""What a stranger wrote: read with a bound, never through a link, counted before it is copied."""

import json
import os
import re
import stat
from collections.abc import Iterator
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
#: How many lists and tables it may have. Each of them takes fifty times as
#: much memory as in the file.
PARTS = 1_000_000
#: How what is no notebook begins, and what that is.
KINDS = {
    b"PK": "a zip archive or an office document",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8": "a picture",
    b"GIF8": "a picture",
    b"<": "a page of HTML",
}
#: What a cell may be called.
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def sound(data: Any) -> str:
    """Return data as JSON; half a character becomes a question mark."""
    text = json.dumps(data, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def one_line(text: str) -> str:
    """Return a text on one line, whatever signs it holds; of a long one the beginning."""
    return repr(text)[1:-1][:200]


def notebook_of(content: bytes) -> NotebookNode:
    """Return what is kept of a notebook.

    Raises
    ------
    ValueError
        If it is none, or too large.
    """
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    start = content[:1000].lstrip()
    if not start:
        raise ValueError("it is no notebook: it is empty")
    for begins, kind in KINDS.items():
        if start.startswith(begins):
            raise ValueError(f"it is {kind}, and no notebook")
    if content.count(b"{") + content.count(b"[") > PARTS:
        raise ValueError(f"it has more than {PARTS:,} parts")
    try:
        notebook = json.loads(content)
    except UnicodeDecodeError:
        raise ValueError("it is no notebook, and no text") from None
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
    made = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"dpwidgets": texts(notebook, "metadata", "dpwidgets")},
        "cells": [kept(cell, at) for at, cell in enumerate(cells)],
    }
    return nbformat.from_dict(json.loads(sound(made)))


def kept(cell: Any, at: int) -> dict[str, Any]:
    """Return what is graded of a cell: its kind, its text, and by what it may be known."""
    about: dict[str, Any] = cell if isinstance(cell, dict) else {}
    kind, text = about.get("cell_type", ""), about.get("source")
    if isinstance(text, list) and {*map(type, text)} <= {str}:
        text = "".join(text)
    if kind not in ("code", "markdown", "raw") or not isinstance(text, str):
        raise ValueError("it is no notebook: a cell has no text")
    name = texts(cell).get("id", "")
    made = {
        "cell_type": kind,
        "id": name if ID.fullmatch(name) else f"unnamed-{at}",
        "source": text,
        "metadata": {
            **texts(cell, "metadata"),
            "nbgrader": texts(cell, "metadata", "nbgrader"),
        },
    }
    if kind == "code":
        made |= {"outputs": [], "execution_count": None}
    return made


def texts(data: Any, *way: str) -> dict[str, str]:
    """Return what is kept of a part of a notebook: four names, where they stand for texts."""
    for name in way:
        data = data.get(name) if isinstance(data, dict) else None
    names = ("id", "grade_id", "lab", "version")
    if not isinstance(data, dict):
        return {}
    return {
        name: data[name] for name in names if isinstance(data.get(name), str)
    }


def bytes_at(path: Path) -> bytes:
    """Read a student's file.

    Raises
    ------
    OSError, ValueError
        If there is none, or it, its lab's folder or its student's is a link.
    """
    for part in (path, path.parent, path.parent.parent):
        if part.is_symlink():
            raise ValueError(f"a link is no submission: {part}")
    with opened(path.parent) as folder:
        return content(path.name, LARGEST + 1, folder)


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
    parts = path.replace("\\", "/").split("/")
    hidden = [one for one in parts if one.startswith(".") and one.strip(".")]
    return bool(hidden) or "__MACOSX" in parts


def names(folder: int) -> list[str]:
    """Return the names in an open folder that no system put there, of very many the first."""
    with os.scandir(folder) as inside:
        first = [entry.name for entry in islice(inside, ENTRIES)]
    return sorted(name for name in first if not is_systems(name))
