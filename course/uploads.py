"""What students uploaded to a learning platform: a stranger's files, read with a bound.

`python uploads.py key FILE` makes the lecturer's pair of keys; the rest is for
`grade.py`.
"""

import base64
import os
import re
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

import strangers
from platforms import ATTEMPT, Roster

from dpwidgets.inputs.outside import load_json
from dpwidgets.labs.handin import LARGEST, as_key

#: How many files a folder or an archive may hold.
FILES = 10_000
#: Of one student no more are read.
FILES_OF_ONE = 10
#: How many bytes all may have that is read of it.
ALL = 2_000_000_000
#: How files are packed. Other ways Python unpacks beyond every bound.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: In the name of a file that should be a lab, whatever was added to it.
NAMED = re.compile(r"\.(?:ipynb|sealed)\b", re.IGNORECASE)
NO_LAB = "it is neither a notebook nor sealed by Hand in"
#: What reads a file, or raises a ValueError that says why it cannot.
Read: TypeAlias = Callable[[], bytes]


def _of_archive(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
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
    except (
        OSError,
        RuntimeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ValueError(f"it cannot be read: {error}") from None


@contextmanager
def files(source: Path) -> Iterator[list[tuple[str, Read]]]:
    """Yield pairs of a file's path and a function that reads it, of a folder or an archive.

    Raises
    ------
    ValueError
        If it is neither, or holds too many files.
    """
    if source.is_dir():
        yield _at_most(_in_folder(source))
        return
    try:
        archive = zipfile.ZipFile(source)
    except (
        OSError,
        NotImplementedError,
        UnicodeDecodeError,
        zipfile.BadZipFile,
    ) as error:
        raise ValueError(
            f"{source} is no folder and no archive: {error}"
        ) from None
    with archive:
        yield _at_most(_in_archive(archive))


def _in_folder(folder: Path) -> Iterator[tuple[str, Read]]:
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_dir():
            inside = path.relative_to(folder).as_posix()
            yield inside, partial(strangers.content, path, LARGEST + 1)


def _in_archive(archive: zipfile.ZipFile) -> Iterator[tuple[str, Read]]:
    for member in archive.infolist():
        if not member.is_dir():
            yield member.filename, partial(_of_archive, archive, member)


def _at_most(pairs: Iterable[tuple[str, Read]]) -> list[tuple[str, Read]]:
    found = list(islice(pairs, FILES + 1))
    if len(found) > FILES:
        raise ValueError(f"there are more than {FILES} files in it")
    return found


class Refused(NamedTuple):
    """A file that is not collected: whose it is, or nobody's, which one, and why."""

    student: str
    path: str
    why: str


def collect(
    source: Path,
    roster: Roster,
    lab: str,
    put: Callable[[str, bytes], None],
    private_key: bytes | None = None,
) -> list[Refused]:
    """Read what students uploaded; of several attempts the newest.

    Parameters
    ----------
    source : Path
        A folder, or an archive, as the platform gives it.
    roster : Roster
        The class.
    lab : str
        The lab's name.
    put : callable
        Takes each student's id and notebook, as bytes.
    private_key : bytes, optional
        The lecturer's.

    Returns
    -------
    list of Refused
        Which files are not collected, and why.
    """
    with files(source) as pairs:
        by_student, remarks = _by_student(pairs, roster)
        left = ALL
        for student, attempts in by_student.items():
            labs: list[Lab] = []
            newest = max(attempt.when for attempt in attempts)
            those = [one for one in attempts if one.when == newest]
            for at, attempt in enumerate(those):
                try:
                    if at >= FILES_OF_ONE:
                        raise ValueError(f"{student} has too many files")
                    content = attempt.read()
                    most = min(LARGEST, left)
                    if len(content) > most:
                        raise ValueError(f"it has more than {most} bytes")
                    left -= len(content)
                    labs.append(
                        opened(attempt.path, content, lab, private_key)
                    )
                except ValueError as error:
                    remarks.append(Refused(student, attempt.path, str(error)))
            remarks += _put_one(student, labs, put)
    return remarks


class Lab(NamedTuple):
    """A file that a student has uploaded as a lab, and whether its contents are a notebook's."""

    path: str
    content: bytes
    is_notebook: bool


def _put_one(
    student: str,
    files: list[Lab],
    put: Callable[[str, bytes], None],
) -> list[Refused]:
    """Hand on the one file of a student that is a lab, and say why no other is.

    Where none is one by its contents, it may be one by its name: `check` says
    what is wrong with it.
    """
    chosen = [file for file in files if file.is_notebook] or files
    left_out = [file for file in files if file not in chosen]
    why = NO_LAB
    if len(chosen) == 1:
        put(student, chosen[0].content)
    else:
        left_out = chosen
        why = f"{student} has {len(chosen)}; leave one"
    return [Refused(student, file.path, why) for file in left_out]


class Attempt(NamedTuple):
    """A file that a student has uploaded.

    Attributes
    ----------
    when : str
        The time in its name, which sorts as times do, or nothing.
    path : str
        Where it is in the folder or archive.
    read : callable
        Reads it.
    """

    when: str
    path: str
    read: Read


def _by_student(
    pairs: Iterable[tuple[str, Read]], roster: Roster
) -> tuple[dict[str, list[Attempt]], list[Refused]]:
    """Return each student's files, and which are of nobody, and why."""
    found: dict[str, list[Attempt]] = {}
    remarks: list[Refused] = []
    for path, read in pairs:
        name = ATTEMPT.match(path.rpartition("/")[2])
        is_receipt = name and name["rest"] == ".txt"  # Blackboard's own
        if is_receipt or strangers.is_systems(path):
            continue
        try:
            student = _whose(path, roster)
        except ValueError as error:
            remarks.append(Refused("", path, str(error)))
            continue
        when = name["when"] if name else ""
        found.setdefault(student, []).append(Attempt(when, path, read))
    return found, remarks


def _whose(path: str, roster: Roster) -> str:
    """Return whose a file is, if its path stays in its folder or archive."""
    place = PurePosixPath(path.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts:
        raise ValueError("its path leads out of the archive")
    return roster.whose(path)


def opened(
    path: str, content: bytes, lab: str, private_key: bytes | None
) -> Lab:
    """Return a notebook, decrypted if *Hand in* has encrypted it.

    Raises
    ------
    ValueError
        If it is no notebook, neither by its contents nor by its name; if it
        cannot be decrypted, or is another lab's.
    """
    about: object = None
    with suppress(ValueError):
        about = load_json(content, LARGEST)
    fields = about if isinstance(about, dict) else {}
    secret = fields.get("sealed")
    if secret is None:
        is_notebook = "nbformat" in fields
        if not is_notebook and not NAMED.search(path.rpartition("/")[2]):
            raise ValueError(NO_LAB)
        return Lab(path, content, is_notebook)
    if fields.get("lab") != lab:
        raise ValueError(
            f"it is of another lab, {str(fields.get('lab'))[:40]!r}"
        )
    if private_key is None:
        raise ValueError(
            "it is encrypted: --key names the file with your private key"
        )
    from nacl.exceptions import CryptoError
    from nacl.public import PrivateKey, SealedBox

    try:
        box = SealedBox(PrivateKey(private_key))
        return Lab(path, box.decrypt(base64.b64decode(secret)), True)
    except (CryptoError, TypeError, ValueError):
        raise ValueError(
            "it is damaged, or encrypted with another key"
        ) from None


def main() -> None:
    """Make the lecturer's pair of keys: the private one in a file, the public one for all."""
    from nacl.public import PrivateKey

    if len(sys.argv) != 3 or sys.argv[1] != "key":
        sys.exit("usage: python uploads.py key FILE")
    key = PrivateKey.generate()
    # Never over a key that opens what was handed in.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(
        sys.argv[2], "w", opener=lambda path, _: os.open(path, flags, 0o600)
    ) as file:
        file.write(base64.b64encode(bytes(key)).decode())
    public = base64.b64encode(bytes(key.public_key)).decode()
    print(f'public_key = "{public}"')


def read_key(path: Path) -> bytes:
    """Read the private key that `main` wrote."""
    return as_key(path.read_text(encoding="ascii").strip())


if __name__ == "__main__":
    main()
