"""What students handed in, to a platform or the exchange: the one notebook of each is taken."""

import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from platforms import ATTEMPT, Roster
from strangers import LARGEST, is_systems, notebook_of

#: How many files an archive may hold.
FILES = 10_000
#: Of one student no more are read.
FILES_OF_ONE = 10
#: How files are packed. Other ways Python unpacks beyond every bound.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: With what Python says that an archive, or a file in it, cannot be read.
BROKEN = (OSError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error)
#: Beside a notebook from the exchange, why no other file was collected.
REASONS = "not-collected.txt"
#: A file's name, and what reads it or raises a ValueError that says why not.
File: TypeAlias = tuple[str, Callable[[], bytes]]


def collect(
    source: Path, roster: Roster
) -> Iterator[tuple[str, bytes | None, list[str]]]:
    """Yield what students uploaded; of several attempts the newest.

    Parameters
    ----------
    source : Path
        The archive that the platform gives.
    roster : Roster
        The class.

    Yields
    ------
    whose : str
        A student's id; of a file that is nobody's, its path.
    notebook : bytes or None
        What is collected.
    refused : list of str
        Why other files are not.

    Raises
    ------
    ValueError
        If it is no archive, or holds too many files.
    """
    try:
        archive = zipfile.ZipFile(source)
    except (*BROKEN, UnicodeDecodeError) as error:
        raise ValueError(f"{source} is no archive: {error}") from None
    with archive:
        members = archive.infolist()
        if len(members) > FILES:
            raise ValueError(f"there are more than {FILES} files in it")
        of_students: dict[str, dict[str, list[File]]] = {}
        for member in members:
            path = member.filename
            attempt = ATTEMPT.search(path)
            # Blackboard's own receipt is called like the attempt.
            is_receipt = attempt and path[attempt.end() :] == ".txt"
            if member.is_dir() or is_receipt or is_systems(path):
                continue
            try:
                student = roster.whose(path)
            except ValueError as error:
                yield path, None, [f"not collected: {error}"]
                continue
            attempts = of_students.setdefault(student, {})
            when = attempt[0] if attempt else ""
            file = path.rpartition("/")[2], partial(unpacked, archive, member)
            attempts.setdefault(when, []).append(file)
        for student, attempts in of_students.items():
            yield student, *taken(attempts[max(attempts)])


def unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read a file of an archive, as far as its bound and no farther than it says itself."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise ValueError("it is no file but a link or the like")
    if member.compress_type not in PACKED:
        raise ValueError("it is packed as no platform packs")
    if member.file_size > LARGEST:
        raise ValueError(f"it has {member.file_size:,} bytes")
    try:
        with archive.open(member) as file:
            return file.read(LARGEST + 1)
    except BROKEN as error:
        raise ValueError(f"it cannot be read: {error}") from None


def taken(files: list[File]) -> tuple[bytes | None, list[str]]:
    """Return the one file of a student that is a notebook, if just one is, and why no other is."""
    labs: list[tuple[str, bytes]] = []
    refused: list[str] = []
    for at, (name, read) in enumerate(files):
        try:
            if at >= FILES_OF_ONE:
                raise ValueError("there are too many files")
            content = read()
            notebook_of(content)
            labs.append((name, content))
        except ValueError as error:
            refused.append(f"not collected, {name}: {error}")
    if len(labs) == 1:
        return labs[0][1], refused
    for name, _ in labs:
        why = f"it is one of {len(labs)} notebooks; leave one"
        refused.append(f"not collected, {name}: {why}")
    return None, refused
