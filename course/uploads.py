"""What students uploaded to a learning platform: a stranger's files, read with a bound.

`python uploads.py key FILE` makes the lecturer's pair of keys; the rest is for
`grade.py`.
"""

import base64
import os
import stat
import sys
import zipfile
import zlib
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

import strangers
from platforms import ATTEMPT

from dpwidgets.inputs.outside import load_json
from dpwidgets.labs.handin import LARGEST, as_key

#: How many files a folder or an archive may hold, and how many bytes all that
#: is read of it.
FILES, ALL = 10_000, 2_000_000_000


def _of_archive(archive, member):
    """Read a file of an archive, as far as its bound and no farther than it says itself."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise ValueError("it is no file but a link or the like")
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
def files(source):
    """Yield pairs of a file's path and a function that reads it, of a folder or an archive.

    Raises
    ------
    ValueError
        If it is neither, or holds too many files.
    """
    if source.is_dir():
        paths = (
            path
            for path in source.rglob("*")
            if path.is_symlink() or not path.is_dir()
        )
        yield _at_most(
            (
                path.relative_to(source).as_posix(),
                partial(strangers.content, path, LARGEST + 1),
            )
            for path in paths
        )
        return
    try:
        archive = zipfile.ZipFile(source)
    except (OSError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{source} is no folder and no archive: {error}"
        ) from None
    with archive:
        members = (one for one in archive.infolist() if not one.is_dir())
        yield _at_most(
            (one.filename, partial(_of_archive, archive, one))
            for one in members
        )


def _at_most(pairs):
    found = list(islice(pairs, FILES + 1))
    if len(found) > FILES:
        raise ValueError(f"there are more than {FILES} files in it")
    return found


def collect(source, roster, lab, put, private_key=None):
    """Read what students uploaded.

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
    list of (str, str)
        Which files are not collected, and why.
    """
    with files(source) as pairs:
        found, told = _by_student(pairs, roster)
        left = ALL
        for student, theirs in found.items():
            newest = max(when for when, _, _ in theirs)
            last = [
                (path, read) for when, path, read in theirs if when == newest
            ]
            told += [
                (path, "there is a newer attempt")
                for when, path, _ in theirs
                if when < newest
            ]
            if len(last) > 1:
                told += [
                    (path, f"{student} has {len(last)}; leave one")
                    for path, _ in last
                ]
                continue
            ((path, read),) = last
            try:
                content = read()
                if len(content) > min(LARGEST, left):
                    raise ValueError(
                        f"it has more than {min(LARGEST, left)} bytes"
                    )
                left -= len(content)
                put(student, opened(content, lab, private_key))
            except ValueError as error:
                told.append((path, str(error)))
    return told


def _by_student(pairs, roster):
    """Return each student's files with the times in their names, and which are of nobody."""
    found, told = {}, []
    for path, read in pairs:
        attempt = ATTEMPT.match(path.rpartition("/")[2])
        if attempt and attempt["rest"] == ".txt":
            continue  # Blackboard's own receipt
        try:
            when = attempt["when"] if attempt else ""
            found.setdefault(_checked(path, roster), []).append(
                (when, path, read)
            )
        except ValueError as error:
            told.append((path, str(error)))
    return found, told


def _checked(path, roster):
    """Return whose a file is, if it may be a lab."""
    place = PurePosixPath(path.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts:
        raise ValueError("its path leads out of the archive")
    if place.suffix.lower() not in (".ipynb", ".sealed"):
        raise ValueError("it is neither .ipynb nor .sealed")
    return roster.whose(path)


def opened(content, lab, private_key):
    """Return a notebook, decrypted if *Hand in* has encrypted it.

    Raises
    ------
    ValueError
        If it cannot be decrypted, or is another lab's.
    """
    try:
        about = load_json(content, LARGEST)
        secret = about.get("sealed") if isinstance(about, dict) else None
    except ValueError:
        # `check` says of a damaged notebook what is wrong with it.
        return content
    if secret is None:
        return content
    if about.get("lab") != lab:
        raise ValueError(
            f"it is of another lab, {str(about.get('lab'))[:40]!r}"
        )
    if private_key is None:
        raise ValueError(
            "it is encrypted: --key names the file with your private key"
        )
    from nacl.exceptions import CryptoError
    from nacl.public import PrivateKey, SealedBox

    try:
        return SealedBox(PrivateKey(private_key)).decrypt(
            base64.b64decode(secret)
        )
    except (CryptoError, TypeError, ValueError):
        raise ValueError(
            "it is damaged, or encrypted with another key"
        ) from None


def main():
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
    print(f'public_key = "{base64.b64encode(bytes(key.public_key)).decode()}"')


def read_key(path):
    """Read the private key that `main` wrote."""
    return as_key(path.read_text(encoding="ascii").strip())


if __name__ == "__main__":
    main()
