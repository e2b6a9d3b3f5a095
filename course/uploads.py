"""What students handed in, to a platform or the exchange: the one notebook of each is taken."""

import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from platforms import ATTEMPT, ONLINE, Roster
from strangers import LARGEST, is_systems, notebook_of, one_line, sound

#: Of one student no more are read.
FILES_OF_ONE = 10
#: How files are packed. Other ways Python unpacks beyond every bound.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: With what Python says that an archive, or a file in it, cannot be read.
BROKEN = (OSError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error)
#: Beside a notebook: its time and by what its student finds the feedback, as
#: nbgrader writes them, and why no other file was collected.
STAMP, SECRET = ("timestamp.txt", "submission_secret.txt")
REASONS = "not-collected.txt"
#: A file's name, and what reads it or raises a ValueError that says why not.
File: TypeAlias = tuple[str, Callable[[], bytes]]


def collect(
    source: Path, roster: Roster, lab: str
) -> Iterator[tuple[str, str, dict[str, bytes]]]:
    """Yield what is kept of what students uploaded; of several attempts the newest.

    Parameters
    ----------
    source : Path
        The archive that the platform gives.
    roster : Roster
        The class.
    lab : str
        What the notebook is called where it is graded.

    Yields
    ------
    whose : str
        A student's id, or nothing.
    path : str
        Where a file that is nobody's stands.
    files : dict of str to bytes
        From `kept`.

    Raises
    ------
    ValueError
        If it is no archive.
    """
    try:
        archive = zipfile.ZipFile(source)
    except (*BROKEN, UnicodeDecodeError) as error:
        raise ValueError(f"{source} is no archive: {error}") from None
    with archive:
        # Under the time of each attempt, which only Blackboard tells.
        of_students: dict[str, dict[str, list[File]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for member in archive.infolist():
            path = member.filename
            attempt = ATTEMPT.search(path)
            # Blackboard's own receipt is called like the attempt.
            is_receipt = attempt and path[attempt.end() :] == ".txt"
            if member.is_dir() or is_receipt or is_systems(path):
                continue
            try:
                student = roster.whose(path)
            except ValueError as error:
                yield "", path, reasons([f"not collected: {error}"])
                continue
            if not student:
                continue  # the list tells of them
            files = of_students[student][attempt[0] if attempt else ""]
            if f"_{ONLINE}" not in path:
                name = path.rpartition("/")[2]
                files.append((name, partial(unpacked, archive, member)))
        for student, attempts in of_students.items():
            files = attempts[max(attempts)]
            only_text = ["not collected: there is a text, and no file"]
            yield (
                student,
                "",
                kept(files, lab) if files else reasons(only_text),
            )


def unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read a file of an archive, as far as its bound and no farther than it says itself."""
    if member.compress_type not in PACKED:
        raise ValueError("it is packed as no platform packs")
    if member.file_size > LARGEST:
        raise ValueError(f"it has {member.file_size:,} bytes")
    try:
        with archive.open(member) as file:
            return file.read(LARGEST + 1)
    except BROKEN as error:
        raise ValueError(f"it cannot be read: {error}") from None


def kept(files: list[File], lab: str) -> dict[str, bytes]:
    """Return the one file of a student that is a notebook, if just one is, and why no other is."""
    # Two files that say the same are one.
    labs: dict[str, tuple[str, bytes]] = {}
    refused: list[str] = []
    if len(files) > FILES_OF_ONE:
        refused.append(
            f"not collected: there are too many files, {FILES_OF_ONE} are read"
        )
    for name, read in files[:FILES_OF_ONE]:
        try:
            content = read()
            labs.setdefault(sound(notebook_of(content)), (name, content))
        except ValueError as error:
            refused.append(f"not collected, {name}: {error}")
    if len(labs) == 1:
        ((_, content),) = labs.values()
        return reasons(refused) | {f"{lab}.ipynb": content}
    if labs:
        refused.append(
            "not collected: of these notebooks leave one: "
            + ", ".join(name for name, _ in labs.values())
        )
    return reasons(refused)


def reasons(refused: list[str]) -> dict[str, bytes]:
    """Return the file that says why others are not collected, if there are any."""
    lines = "\n".join(map(one_line, refused))
    return {REASONS: lines.encode()} if refused else {}


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Write what is kept of a submission; a notebook of before stays where no other is."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REASONS).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
