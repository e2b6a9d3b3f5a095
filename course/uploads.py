"""What students handed in, to a platform or the exchange: the one notebook of each is taken."""

import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

import strangers
from platforms import ATTEMPT, Roster

#: How many files a folder or an archive may hold.
FILES = 10_000
#: How many bytes a notebook may have, with all its outputs.
LARGEST = 20_000_000
#: Of one student no more are read.
FILES_OF_ONE = 10
#: How files are packed. Other ways Python unpacks beyond every bound.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: With what Python says that an archive, or a file in it, cannot be read.
BROKEN = (OSError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error)
#: In the name of a file that should be a lab, whatever was added to it.
NAMED = ".ipynb"
NO_LAB = "it is no notebook"
#: Beside a notebook from the exchange, why no other file was collected.
REASONS = "not-collected.txt"
#: A file's path, and what reads it or raises a ValueError that says why not.
File: TypeAlias = tuple[str, Callable[[], bytes]]


class Refused(NamedTuple):
    """A file that is not collected: whose it is, or nobody's, which one, and why."""

    student: str
    path: str
    why: str

    def remark(self) -> tuple[str, str]:
        """Return of whom, or of what, something is to be said, and what."""
        if not self.student:
            return self.path, f"not collected: {self.why}"
        name = self.path.rpartition("/")[2]
        return self.student, f"not collected, {name}: {self.why}"


@contextmanager
def files(source: Path) -> Iterator[list[File]]:
    """Yield the files of a folder or an archive.

    Raises
    ------
    ValueError
        If it is neither, or holds too many files.
    """
    with ExitStack() as open_ones:
        if source.is_dir():
            found = _in_folder(source)
        else:
            try:
                archive = open_ones.enter_context(zipfile.ZipFile(source))
            except (*BROKEN, UnicodeDecodeError) as error:
                raise ValueError(
                    f"{source} is no folder and no archive: {error}"
                ) from None
            found = _in_archive(archive)
        first = list(islice(found, FILES + 1))
        if len(first) > FILES:
            raise ValueError(f"there are more than {FILES} files in it")
        yield first


def _in_folder(folder: Path) -> Iterator[File]:
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            inside = path.relative_to(folder).as_posix()
            yield inside, partial(strangers.content, path, LARGEST + 1)


def _in_archive(archive: zipfile.ZipFile) -> Iterator[File]:
    for member in archive.infolist():
        if not member.is_dir():
            yield member.filename, partial(_unpacked, archive, member)


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read a file of an archive, as far as its bound and no farther than it says itself."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise ValueError("it is no file but a link or the like")
    if member.compress_type not in PACKED:
        raise ValueError("it is packed as no platform packs")
    if member.file_size > LARGEST:
        raise ValueError(f"it has {member.file_size} bytes")
    try:
        with archive.open(member) as file:
            return file.read(LARGEST + 1)
    except BROKEN as error:
        raise ValueError(f"it cannot be read: {error}") from None


def collect(
    source: Path, roster: Roster, put: Callable[[str, bytes], None]
) -> list[Refused]:
    """Read what students uploaded; of several attempts the newest.

    Parameters
    ----------
    source : Path
        A folder, or an archive, as the platform gives it.
    roster : Roster
        The class.
    put : callable
        Takes each student's id and notebook, as bytes.

    Returns
    -------
    list of Refused
        Which files are not collected, and why.
    """
    refused: list[Refused] = []
    with files(source) as found:
        for student, theirs in _by_student(found, roster, refused).items():
            notebook, why_not = taken(student, theirs)
            refused += why_not
            if notebook is not None:
                put(student, notebook)
    return refused


def _by_student(
    found: list[File], roster: Roster, refused: list[Refused]
) -> dict[str, list[File]]:
    """Return each student's newest files, and say which are of nobody."""
    newest: dict[str, str] = {}
    theirs: dict[str, list[File]] = {}
    for path, read in found:
        attempt = ATTEMPT.search(path)
        # Blackboard's own receipt is called like the attempt.
        is_receipt = attempt and path[attempt.end() :] == ".txt"
        if is_receipt or strangers.is_systems(path):
            continue
        try:
            place = PurePosixPath(path.replace("\\", "/"))
            if place.is_absolute() or ".." in place.parts:
                raise ValueError("its path leads out of the archive")
            student = roster.whose(path)
        except ValueError as error:
            refused.append(Refused("", path, str(error)))
            continue
        when = attempt[0] if attempt else ""
        if when > newest.setdefault(student, when):
            newest[student] = when
            theirs[student] = []
        if when == newest[student]:
            theirs.setdefault(student, []).append((path, read))
    return theirs


def taken(
    student: str, theirs: list[File]
) -> tuple[bytes | None, list[Refused]]:
    """Return the one file of a student that is a notebook, if one is, and why no other is taken.

    Where none is one by its contents, it may be one by its name: `check` says
    what is wrong with it.
    """
    refused: list[Refused] = []
    read_ones: list[tuple[str, bytes]] = []
    for at, (path, read) in enumerate(theirs):
        try:
            if at >= FILES_OF_ONE:
                raise ValueError(f"{student} has too many files")
            content = read()
            if len(content) > LARGEST:
                raise ValueError(f"it has more than {LARGEST} bytes")
            read_ones.append((path, content))
        except ValueError as error:
            refused.append(Refused(student, path, str(error)))
    labs = [one for one in read_ones if _is_notebook(one[1])] or [
        one for one in read_ones if NAMED in PurePosixPath(one[0]).name.lower()
    ]
    for one in read_ones:
        if one not in labs:
            refused.append(Refused(student, one[0], NO_LAB))
        elif len(labs) > 1:
            why = f"{student} has {len(labs)}; leave one"
            refused.append(Refused(student, one[0], why))
    return labs[0][1] if len(labs) == 1 else None, refused


def _is_notebook(content: bytes) -> bool:
    """Tell whether a file is one that is read when it is graded."""
    try:
        strangers.notebook_of(io.StringIO(content.decode()))
    except (ValueError, RecursionError):
        return False
    return True
