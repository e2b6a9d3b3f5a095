"""How nbgrader takes from the exchange what was handed in.

Of each student one notebook is collected, at the time that the exchange
knows; what it was, and why nothing else is, `uploads` says for all doors.
"""

import contextlib
import os
import secrets
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from strangers import LARGEST, NAME, content, names, opened
from uploads import SECRET, STAMP, File, kept, put, reasons


def handed_in(folder: Path) -> datetime:
    """Return when a submission was last changed, in UTC; no student can set this time back."""
    times = [folder.lstat().st_ctime]
    # The folder's own time would miss a file that was written anew in its
    # place.
    with contextlib.suppress(OSError), opened(folder) as inside:
        times += [
            os.stat(name, dir_fd=inside, follow_symlinks=False).st_ctime
            for name in names(inside)
        ]
    return datetime.fromtimestamp(max(times), UTC).replace(tzinfo=None)


class Collect(ExchangeCollect):
    """Collects the notebook of a submission, and nothing that only leads to one."""

    src_records: list[dict[str, Any]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        folder = Path(path)
        lab = self.coursedir.assignment_id
        return {
            "username": folder.name.partition(f"+{lab}+")[0],
            "filename": folder.name,
            "timestamp": handed_in(folder),
        }

    def init_src(self) -> None:
        """Find the submissions; leave out those of nobody."""
        super().init_src()
        for record in self.src_records.copy():
            if not NAME.fullmatch(record["username"]):
                self.src_records.remove(record)
                self.log.error(
                    "%r is not collected: that is no name of a student",
                    record["filename"],
                )

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Write a student's notebook, with the exchange's time and what is not collected."""
        files = {
            STAMP: f"{handed_in(Path(src))} UTC".encode(),
            # Without one, nobody of the class would get feedback.
            SECRET: secrets.token_hex(64).encode(),
        }
        try:
            # By handles: between a look and a copy a student may put a link
            # in a file's place.
            with opened(src) as folder:
                files |= self._kept(folder)
        except OSError as error:
            name = Path(src).name
            files |= reasons([f"not collected, {name}: {error.strerror}"])
        put(Path(dest), files)

    def _kept(self, folder: int) -> dict[str, bytes]:
        """Return what is kept of a submission: a notebook, the secret, why nothing else."""
        theirs: list[File] = [
            (name, partial(content, name, LARGEST + 1, folder))
            for name in names(folder)
            if name not in (STAMP, SECRET)
        ]
        files = kept(theirs, self.coursedir.assignment_id)
        with contextlib.suppress(ValueError):
            secret = content(SECRET, 200, folder)
            files[SECRET] = secret.decode(errors="replace").encode()
        return files
