"""How nbgrader takes from the exchange what was handed in, and puts the feedback there.

Only files are collected, at the time that the exchange knows.
"""

import contextlib
import os
import stat
from datetime import UTC, datetime
from glob import glob
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback
from strangers import BYTES, NAME, names, opened, refused


def handed_in(folder: Path) -> datetime:
    """Return when a submission was last changed, in UTC; no student can set this time back."""
    times = [folder.lstat().st_ctime]
    # The folder's own time would miss a file that was written anew in its
    # place.
    with contextlib.suppress(OSError):  # it is no folder, or closed to us
        for name in names(folder):
            times.append((folder / name).lstat().st_ctime)
    return datetime.fromtimestamp(max(times), UTC).replace(tzinfo=None)


def student_of(folder: Path, lab: str) -> str | None:
    """Return who handed in, by the folder's name, or None where that is nobody's name."""
    name = folder.name.partition(f"+{lab}+")[0]
    return name if NAME.fullmatch(name) else None


def odd(folder: Path) -> list[str]:
    """Return the names in a submission that are not collected: links, folders, and the like."""
    if folder.is_symlink() or not folder.is_dir():
        return [folder.name]
    found: list[str] = []
    for name in names(folder):
        if not stat.S_ISREG((folder / name).lstat().st_mode):
            found.append(name)
    return found


class Collect(ExchangeCollect):
    """Collects the files of a submission, and nothing that only leads to one."""

    src_records: list[dict[str, Any]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        folder = Path(path)
        student = student_of(folder, self.coursedir.assignment_id)
        return {
            "username": student,
            "filename": folder.name,
            "timestamp": handed_in(folder),
        }

    def init_src(self) -> None:
        """Find the submissions; leave out those of nobody."""
        super().init_src()
        known: list[dict[str, Any]] = []
        for record in self.src_records:
            if record["username"] is not None:
                known.append(record)
            else:
                self.log.error(
                    "%r is not collected: that is no name", record["filename"]
                )
        self.src_records = known

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy a submission's files, and write the time of the exchange beside them."""
        copy = Path(dest)
        copy.mkdir(parents=True)
        # By handles: between a look and a copy a student may put a link in a
        # file's place.
        try:
            folder = os.open(src, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            self.log.error("%r is not collected: %s", src, error)
            return
        try:
            if reason := refused(folder):
                self.log.error("%r is not collected: %s", src, reason)
            else:
                for name in names(folder):
                    self._copy(folder, name, copy)
        finally:
            os.close(folder)
        (copy / "timestamp.txt").write_text(f"{handed_in(Path(src))} UTC")

    def _copy(self, folder: int, name: str, dest: Path) -> None:
        try:
            handle, size = opened(name, folder)
            with (
                os.fdopen(handle, "rb") as theirs,
                (dest / name).open("wb") as ours,
            ):
                # It may have grown since it was counted.
                ours.write(theirs.read(min(size, BYTES)))
        except (OSError, ValueError) as error:
            self.log.error("%r of %r is not collected: %s", name, dest, error)


class Release(ExchangeReleaseFeedback):
    """Releases the feedback of each student, whatever is wrong with another's."""

    src_path: str

    def copy_files(self) -> None:
        """Put the pages where the students find them, by the secret that each has handed in."""
        for folder in sorted(glob(self.src_path)):
            self.src_path = folder
            try:
                super().copy_files()
            except Exception as error:  # no secret, or none that can be read
                self.log.error(
                    "The feedback in %r is not released: %s", folder, error
                )
