"""What a stranger wrote: read with a bound, never through a link, counted before it is copied."""

import json
import os
import re
import stat
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

#: What a student may be called: neither a way to another folder nor a piece of
#: a page.
NAME = re.compile(r"[^\W_][\w.@+-]{0,99}")
#: How many entries a submission's folder may hold, with all in it.
ENTRIES = 100
#: How many bytes they may have, as they are listed, which is more than a file
#: with holes takes on a disk.
BYTES = 100_000_000
#: How many signs a notebook may hold, and how many cells.
SIGNS = 10_000_000
CELLS = 2_000


def sound(text: str, change: Callable[[Any], None] | None = None) -> str:
    """Return JSON without a byte order mark; half a character becomes a question mark."""
    data = json.loads(text.removeprefix("\ufeff"))
    if change:
        change(data)
    text = json.dumps(data, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


def listed(names: Iterable[str]) -> str:
    """Return names as text on one line, whatever signs they hold; of many the first."""
    return ", ".join(repr(name)[1:-1] for name in names)[:200]


def notebook_of(stream: TextIO) -> str:
    """Return the JSON of a notebook, or raise a ValueError if it is none or too large."""
    text = stream.read(SIGNS + 1)
    if len(text) > SIGNS:
        raise ValueError(f"it is too large: at most {SIGNS:,} signs are read")
    text = sound(text, lighten)
    if (many := text.count('"cell_type"')) > CELLS:
        raise ValueError(f"it has {many:,} cells; at most {CELLS:,} are read")
    return text


def lighten(notebook: Any) -> None:
    """Take away what nobody grades: outputs, attachments, and metadata that tells no cell.

    Where outputs or tags are odd, and there are many, nbformat takes hours and
    gigabytes to say so.
    """
    # Cells stood in worksheets before version 4.
    for sheet in (notebook, *items(notebook, "worksheets")):
        for cell in items(sheet, "cells"):
            if not isinstance(cell, dict):
                continue
            cell.pop("attachments", None)
            if "outputs" in cell:
                cell["outputs"] = []
            if isinstance(about := cell.get("metadata"), dict):
                for name in about.keys() - {"nbgrader", "id"}:
                    del about[name]


def items(data: Any, name: str) -> list[Any]:
    """Return a list that stands under a name, or an empty one where none stands there."""
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, list) else []


def opened(path: Path | str, folder: int | None = None) -> tuple[int, int]:
    """Open a file and return its handle and its size.

    Raises
    ------
    OSError, ValueError
        If it cannot be opened or is a link; if it is a pipe or the like.
    """
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):  # not every system has them
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags, dir_fd=folder)
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        os.close(handle)
        raise ValueError("it is no file but a pipe or the like")
    return handle, about.st_size


def content(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, at most so many, or raise a ValueError if it is none."""
    try:
        handle, _ = opened(path)
        with os.fdopen(handle, "rb") as file:
            return file.read(most)
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None


def content_of_owner(home: Path, inside: Path, most: int) -> bytes:
    """Return the first bytes of a file that the owner of a home has in it.

    Each folder is opened from the one above, so that no link is followed, nor
    one that comes in its place between a look and the opening.

    Raises
    ------
    OSError, ValueError
        If there is no such file, or it may be another's.
    """
    *folders, name = inside.parts
    with ExitStack() as open_ones:
        within = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
        open_ones.callback(os.close, within)
        owner = os.fstat(within).st_uid
        for folder in folders:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            within = os.open(folder, flags, dir_fd=within)
            open_ones.callback(os.close, within)
        handle, _ = opened(name, within)
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(handle)
            if about.st_uid != owner or about.st_nlink > 1:
                raise ValueError("it is another's, too")
            return file.read(most)


def refused(folder: Path | int) -> str:
    """Return why nothing of a folder is taken, or nothing if it is.

    Given by its number, as one that is open, only what lies in it is counted,
    not in its folders, and its links are for whoever copies it to leave out.
    """
    if isinstance(folder, Path) and folder.is_symlink():
        return "it is a link"
    entries = 0
    size = 0
    waiting = [folder]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as inside:
                for entry in inside:
                    entries += 1
                    if entries > ENTRIES:
                        return f"more than {ENTRIES} files and folders"
                    about = entry.stat(follow_symlinks=False)
                    size += about.st_size
                    if isinstance(folder, int):
                        continue
                    if stat.S_ISLNK(about.st_mode):
                        return f"a link in it, {entry.name}"
                    if stat.S_ISDIR(about.st_mode):
                        waiting.append(Path(entry.path))
    except OSError as error:
        return str(error)
    if size > BYTES:
        return f"{size:,} bytes, and at most {BYTES:,} are taken"
    return ""


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


def names(folder: Path | int) -> list[str]:
    """Return the names in a folder that no system put there, of very many the first."""
    found: list[str] = []
    with os.scandir(folder) as inside:
        for entry in inside:
            if len(found) > ENTRIES:
                break
            if not is_systems(entry.name):
                found.append(entry.name)
    return sorted(found)
