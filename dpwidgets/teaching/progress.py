"""How far a reader has come with the questions: kept beside Jupyter's data, not in a notebook."""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ipywidgets import Layout
from traitlets import Dict, HasTraits, Tuple, Unicode

from dpwidgets.inputs.outside import described, load_json
from dpwidgets.page.page import box, button, words
from dpwidgets.teaching.base import Teaching

PROGRAM, FORMAT, NAME = "dpwidgets progress", 2, "dpwidgets-progress.json"
#: How many bytes a file of progress may have: thousands of questions.
LARGEST = 1_000_000
#: Where JupyterLite's kernel finds the files that the browser keeps.
DRIVE = Path("/drive")


class Tried(NamedTuple):
    """What is kept of one question.

    Attributes
    ----------
    attempts : int
        How many answers were checked.
    solved : bool
        Whether one of them was right.
    missed : bool
        Whether the last one was wrong.
    day : str
        On which day that was, as in 2026-11-22; empty where it is not known.
    """

    attempts: int = 0
    solved: bool = False
    missed: bool = False
    day: str = ""


Kept = Mapping[str, Tried]


def key(*told: str) -> str:
    """Return what a question is kept under: a hash of its words, the same in every kernel."""
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def write(kept: Kept) -> str:
    """Write progress as JSON, for `read`."""
    questions = {name: tried._asdict() for name, tried in sorted(kept.items())}
    return json.dumps(
        {"program": PROGRAM, "format": FORMAT, "questions": questions},
        indent=1,
    )


def read(content: bytes) -> Kept:
    """Read progress from its JSON.

    Parameters
    ----------
    content : bytes
        What `write` wrote, in UTF-8: at most a million bytes.

    Returns
    -------
    dict of str to Tried
        What is kept of each question.

    Raises
    ------
    ValueError
        If it is too large or no JSON, comes from another program or has
        another format, or is damaged.

    Examples
    --------
    >>> read(write({key("Which ε?"): Tried(2, True)}).encode())
    {'30ffd5b204507404': Tried(attempts=2, solved=True, missed=False, day='')}
    """
    try:
        found = load_json(content, LARGEST)
    except ValueError:
        raise ValueError(
            f"it is no JSON of at most {LARGEST:,} bytes"
        ) from None
    about = found if isinstance(found, dict) else {}
    questions = about.get("questions")
    ours = (about.get("program"), about.get("format")) == (PROGRAM, FORMAT)
    if not ours or not isinstance(questions, dict):
        raise ValueError(f"it is no {PROGRAM} of format {FORMAT}")
    return {name: _tried(name, data) for name, data in questions.items()}


def _tried(name: str, data: object) -> Tried:
    """Check what a file holds of a question."""
    if isinstance(data, dict) and data.keys() == {*Tried._fields}:
        tried = Tried(**data)
        types = [type(value) for value in tried]
        if types == [int, bool, bool, str]:
            return tried
    raise ValueError(f"it is damaged at {described(name)}")


def replace(path: Path, text: str) -> None:
    """Let a file hold a text, as a whole or not at all; nothing else is left in its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


class Store(HasTraits):
    """What is kept of the questions, on the disk as long as the disk plays along, then in memory.

    A kernel's threads take turns, as whatever its pages have asked for does.
    Several kernels may share the file. Each change starts from what the file
    holds at that moment and writes all of it, so of two kernels that answer at
    the same moment one may lose its count. A file that cannot be read or
    written stays as it is until `forget` deletes it; till then all that follows
    is in memory.

    Parameters
    ----------
    path : Path, optional
        The file. Without one, everything stays in memory.

    Attributes
    ----------
    kept : dict of str to Tried
        What is kept of each question, of this notebook and of others.
    questions : tuple of str
        The keys of the questions that were made in this kernel, each once. A
        kernel runs one notebook, so these are the notebook's questions, as far
        as it has run.
    notice : str
        Why what is kept does not outlive the kernel, where the file is to
        blame.
    """

    kept = Dict(read_only=True)
    questions = Tuple(read_only=True)
    notice = Unicode(read_only=True)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self.path = path

    @property
    def lasting(self) -> bool:
        """Whether what is kept outlives the kernel: there is a file, and it can be used."""
        return self.path is not None and not self.notice

    @property
    def solved(self) -> int:
        """How many of the questions asked are solved."""
        return sum(self.tried(key).solved for key in self.questions)

    def tried(self, key: str) -> Tried:
        """Return what is kept of a question."""
        kept: Kept = self.kept
        return kept.get(key, Tried())

    def ask(self, key: str) -> None:
        """Count a question among those that this notebook has asked."""
        self.refresh()
        if key not in self.questions:
            self.set_trait("questions", (*self.questions, key))

    def count_answer(self, key: str, right: bool) -> None:
        """Keep that an answer was checked today, and whether it was right."""
        self.refresh()
        before = self.tried(key)
        now = Tried(
            attempts=before.attempts + 1,
            solved=before.solved or right,
            missed=not right,
            day=date.today().isoformat(),
        )
        self.set_trait("kept", {**self.kept, key: now})
        if self.path and self.lasting:
            with self._noticed():
                replace(self.path, write(self.kept))

    def forget(self) -> None:
        """Forget everything, on the disk too, and begin anew; or notice why that cannot be."""
        self.set_trait("kept", {})
        self.set_trait("notice", "")
        if self.path and self.path.exists():
            with self._noticed():
                self.path.unlink()

    def refresh(self) -> None:
        """Read the file again: another kernel may have written."""
        if self.path and self.lasting:
            with self._noticed():
                kept: Kept = {}
                if self.path.exists():
                    kept = read(self.path.read_bytes())
                self.set_trait("kept", kept)

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        """Notice where the file cannot be used, and why; what is kept lasts in memory then."""
        try:
            yield
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            self.set_trait(
                "notice",
                f"Your progress cannot be kept in {self.path} ({why}). It lasts until "
                "this kernel stops. In a Progress(), “Forget it” deletes that file.",
            )


@cache
def store() -> Store:
    """Return the kernel's store, in Jupyter's data directory; without Jupyter, in memory.

    In a browser it is one of the files that JupyterLite keeps there, if it can
    keep any.
    """
    if sys.platform == "emscripten":
        return Store(DRIVE / NAME) if DRIVE.is_dir() else Store()
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:
        return Store()
    return Store(Path(jupyter_data_dir()) / "dpwidgets" / NAME)


class Progress(Teaching):
    """How many of the notebook's questions are solved, what is kept of them, and how to forget it.

    A kernel runs one notebook, and the questions that it has made so far are
    the notebook's questions. So this belongs below them: a question whose cell
    has not run is not counted, and one whose words were edited counts twice.

    Notes
    -----
    A task counts as a question does. What it prints never depends on the
    reader. Of a question are kept a hash of its words, how many answers were
    checked, whether one was right, whether the last was wrong, and on which
    day that was; no answer, no name and no time of the day. Everybody who
    shares the data directory of one Jupyter, as the visitors of a Voila server
    do, shares it.

    Examples
    --------
    >>> Progress()
    Progress of the questions in this notebook
    """

    def __init__(self) -> None:
        self._store = store()
        self._store.refresh()
        parts = [
            words("count", live=True),
            box("row", button("forget", "Forget it")),
            words("said", live=True),
            words("kept", "small"),
            {"kind": "complaint", "name": "notice"},
        ]
        self._follow()
        super().__init__(
            "progress", parts, Layout(width="660px", max_width="100%")
        )
        self._store.observe(self._follow)

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Forget what is kept."""
        self._store.forget()
        sentence = ""
        if not self._store.notice:
            sentence = "Forgotten, for this notebook and all others."
        self.tell(said={"text": sentence})

    def _follow(self, _: object = None) -> None:
        store = self._store
        where = "memory of this kernel, until it stops"
        if store.lasting:
            where = f"file {store.path}"
        if store.lasting and sys.platform == "emscripten":
            where = f"storage of this browser, as the file {NAME}"
        kept = (
            "This is kept of each question: how many answers you checked, whether one was right, "
            "whether the last was wrong, and the day of the last; no answer, no name, no time of "
            f"the day. It is kept in the {where}. "
            "Where files do not last, as on Binder, it ends with them."
        )
        solved = f"Solved: {store.solved} of {len(store.questions)} asked in this notebook so far."
        self.tell(
            count={"text": solved},
            kept={"text": kept},
            notice={"text": store.notice},
        )

    def __repr__(self) -> str:
        return "Progress of the questions in this notebook"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel: the same words for all."""
        return (
            "<p>How many of the questions you have solved stands here "
            "while the notebook runs.</p>"
        )
