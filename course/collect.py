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
from strangers import NAME, content, listed, names, opened
from uploads import FILES_OF_ONE, LARGEST, REASONS, File, Refused, taken

#: What nbgrader writes beside a submission: its time, and by what its student
#: finds the feedback.
STAMP, SECRET = ("timestamp.txt", "submission_secret.txt")


def handed_in(folder: Path) -> datetime:
    """Return when a submission was last changed, in UTC; no student can set this time back."""
    times = [folder.lstat().st_ctime]
    # The folder's own time would miss a file that was written anew in its
    # place.
    with contextlib.suppress(OSError), opened(folder) as inside:
        for name in names(inside):
            about = os.stat(name, dir_fd=inside, follow_symlinks=False)
            times.append(about.st_ctime)
    return datetime.fromtimestamp(max(times), UTC).replace(tzinfo=None)


class Collect(ExchangeCollect):
    """Collects the notebook of a submission, and nothing that only leads to one."""

    src_records: list[dict[str, Any]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        folder = Path(path)
        return {
            "username": self._student(folder),
            "filename": folder.name,
            "timestamp": handed_in(folder),
        }

    def _student(self, folder: Path) -> str:
        return folder.name.partition(f"+{self.coursedir.assignment_id}+")[0]

    def init_src(self) -> None:
        """Find the submissions; leave out those of nobody."""
        super().init_src()
        known: list[dict[str, Any]] = []
        for record in self.src_records:
            if NAME.fullmatch(record["username"]):
                known.append(record)
            else:
                self.log.error(
                    "%r is not collected: that is no name of a student",
                    record["filename"],
                )
        self.src_records = known

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Write a student's notebook, with the exchange's time and what is not collected."""
        student = self._student(Path(src))
        files = {
            STAMP: f"{handed_in(Path(src))} UTC".encode(),
            # Without one, nobody of the class would get feedback.
            SECRET: secrets.token_hex(64).encode(),
        }
        try:
            # By handles: between a look and a copy a student may put a link
            # in a file's place.
            with opened(src) as folder:
                files |= self._kept(student, folder)
        except OSError as error:
            why = error.strerror or "it cannot be read"
            files |= reasons([Refused(student, Path(src).name, why)])
        copy = Path(dest)
        copy.mkdir(parents=True)
        for name, text in files.items():
            (copy / name).write_bytes(text)

    def _kept(self, student: str, folder: int) -> dict[str, bytes]:
        """Return what is kept of a submission: a notebook, the secret, why nothing else."""
        theirs: list[File] = []
        for name in names(folder):
            if name not in (STAMP, SECRET):
                read = partial(content, name, LARGEST + 1, folder)
                theirs.append((name, read))
        notebook, refused = taken(student, theirs)
        files = reasons(refused)
        if notebook is not None:
            files[f"{self.coursedir.assignment_id}.ipynb"] = notebook
        with contextlib.suppress(ValueError):
            secret = content(SECRET, 200, folder)
            files[SECRET] = secret.decode(errors="replace").encode()
        return files


def reasons(refused: list[Refused]) -> dict[str, bytes]:
    """Return the file that says why others are not collected, if there are any."""
    lines = [listed([one.remark()[1]]) for one in refused[:FILES_OF_ONE]]
    return {REASONS: "\n".join(lines).encode()} if lines else {}
