"""How far a reader has come with the questions: kept beside Jupyter's data, not in a notebook."""

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path
from tempfile import mkstemp
from threading import RLock
from typing import Any, NamedTuple

from ipywidgets import Layout
from traitlets import Dict, HasTraits, Tuple, Unicode

from dpwidgets import __version__
from dpwidgets.inputs.outside import described, load_json
from dpwidgets.page.page import box, button, words
from dpwidgets.teaching.held import Teaching

PROGRAM, FORMAT, NAME = "dpwidgets progress", 2, "dpwidgets-progress.json"
#: How many bytes a file of progress may have: thousands of questions.
LARGEST = 1_000_000
_KEY = re.compile("[0-9a-f]{16}")  # what `key` returns
_MOST_ATTEMPTS = 1_000_000_000


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


def key(*words: str) -> str:
    """Return what a question is kept under: a hash of its words, the same in every kernel."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def write(kept: Kept) -> str:
    """Write progress as JSON, for `read`."""
    questions = {name: one._asdict() for name, one in sorted(kept.items())}
    about = {"program": PROGRAM, "format": FORMAT, "version": __version__}
    return json.dumps(about | {"questions": questions}, indent=1)


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
        If it is too large or no JSON, comes from another program or has another format, or is
        damaged.

    Examples
    --------
    >>> read(write({key("Which ε?"): Tried(2, True)}).encode())
    {'30ffd5b204507404': Tried(attempts=2, solved=True, missed=False, day='')}
    """
    try:
        found = load_json(content, LARGEST)
    except ValueError:
        raise ValueError(f"it is no JSON of at most {LARGEST / 1e6:g} MB") from None
    about = found if isinstance(found, dict) else {}
    ours, questions = (about.get("program"), about.get("format")), about.get("questions")
    if ours != (PROGRAM, FORMAT) or not isinstance(questions, dict):
        raise ValueError(f"it is no progress that dpwidgets {__version__} reads")
    return {name: _tried(name, one) for name, one in questions.items()}


def _tried(name: str, one: object) -> Tried:
    """Check what a file holds of one question."""
    if _KEY.fullmatch(name) and isinstance(one, dict) and one.keys() == {*Tried._fields}:
        tried = Tried(**one)
        right_types = [type(value) for value in tried] == [int, bool, bool, str]
        if right_types and 1 <= tried.attempts <= _MOST_ATTEMPTS and _is_day(tried.day):
            return tried
    raise ValueError(f"it is damaged at {described(name)}")


def _is_day(text: str) -> bool:
    """Tell whether a text is a day as `count_answer` writes it, or empty."""
    try:
        return not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _together(some: Kept, others: Kept) -> dict[str, Tried]:
    """Put together what two hold: of a question, what is solved, or else of the later day."""
    farther = attrgetter("solved", "day", "attempts")
    both = [(key, some.get(key, Tried()), one) for key, one in others.items()]
    return {**some, **{key: max(*pair, key=farther) for key, *pair in both}}


def _fitting(kept: Kept) -> str:
    """Write progress, if that is no more than `read` reads."""
    content = write(kept)
    if len(content) > LARGEST:
        raise ValueError(f"with what is kept already it is larger than {LARGEST / 1e6:g} MB")
    return content


class Store(HasTraits):
    """What is kept of the questions, on the disk as long as the disk plays along, then in memory.

    Several kernels may share the file. Each change starts from what the file holds at that moment
    and writes all of it, so of two kernels that answer at the same moment one may lose its count.
    What could not be written is tried again at the next change. A file that cannot be read stays as
    it is until `forget` deletes it.

    Parameters
    ----------
    path : Path, optional
        The file. Without one, everything stays in memory.

    Attributes
    ----------
    kept : dict of str to Tried
        What is kept of each question, of this notebook and of others.
    asked : tuple of str
        The keys of the questions that were made in this kernel, each once. A kernel runs one
        notebook, so these are the notebook's questions, as far as it has run.
    notice : str
        Why what is kept does not outlive the kernel, where the file is to blame.
    """

    kept = Dict(read_only=True)
    asked = Tuple(read_only=True)
    notice = Unicode(read_only=True)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self.path = path
        self._unsaved: Kept = {}
        self._one_at_a_time = RLock()  # an observer of what is kept may ask for more

    @property
    def lasting(self) -> bool:
        """Whether what is kept outlives the kernel: there is a file, and it can be used."""
        return self.path is not None and not self.notice

    @property
    def solved(self) -> int:
        """How many of the questions asked are solved."""
        return sum(self.tried(key).solved for key in self.asked)

    def tried(self, key: str) -> Tried:
        """Return what is kept of a question."""
        kept: Kept = self.kept
        return kept.get(key, Tried())

    def ask(self, key: str) -> None:
        """Count a question among those that this notebook has asked."""
        self.refresh()
        self.set_trait("asked", tuple(dict.fromkeys([*self.asked, key])))

    def count_answer(self, key: str, right: bool) -> None:
        """Keep that an answer was checked today, and whether it was right."""
        with self._one_at_a_time:
            self.refresh()
            before = self.tried(key)
            attempts = min(before.attempts + 1, _MOST_ATTEMPTS)
            day = max(before.day, date.today().isoformat())  # a clock may have been set back
            self._add({key: Tried(attempts, before.solved or right, not right, day)})

    def load(self, content: bytes) -> Kept:
        """Add what a file holds to what is kept, and return it.

        Of a question that both hold, what says solved stays, or else what is of the later day.

        Raises
        ------
        ValueError
            If it cannot be read, or is too large with what is kept; nothing changes.
        """
        loaded = read(content)
        with self._one_at_a_time:
            self.refresh()
            _fitting(_together(self.kept, loaded))
            self._add(loaded)
        return loaded

    def forget(self) -> None:
        """Forget everything, on the disk too, and begin anew; or notice why that cannot be."""
        with self._one_at_a_time:
            self._unsaved = {}
            self.set_trait("kept", {})
            with self._noticed():
                if self.path and self.path.exists():
                    self.path.unlink()

    def refresh(self) -> None:
        """Read the file again, for another kernel may have written; write what is not in it yet."""
        with self._one_at_a_time, self._noticed():
            if self.path:
                found = read(self.path.read_bytes()) if self.path.exists() else {}
                self.set_trait("kept", _together(found, self._unsaved))
                if self._unsaved:
                    self._write(self.path, _fitting(self.kept))
                    self._unsaved = {}

    def _add(self, changed: Kept) -> None:
        self._unsaved = _together(self._unsaved, changed)
        self.set_trait("kept", _together(self.kept, changed))
        self.refresh()

    def _write(self, path: Path, content: str) -> None:
        """Replace the file as a whole, or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = mkstemp(dir=path.parent, prefix=f".{path.stem}-")  # a name of its own
        os.close(handle)
        new = Path(name)
        try:
            new.write_text(content, encoding="utf-8")
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)  # where it was written by half

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        """Notice where the file cannot be used, and why; what is kept lasts in memory then."""
        notice = ""
        try:
            yield
        except (OSError, ValueError) as error:
            why = f"{self.path} ({getattr(error, 'strerror', None) or error})"
            notice = f"Your progress cannot be kept in {why}. It lasts until this kernel stops. In "
            notice += "a Progress(), “Download” saves it, and “Forget it” deletes that file."
        self.set_trait("notice", notice)


@cache
def store() -> Store:
    """Return the kernel's store, in Jupyter's data directory; without Jupyter, in memory."""
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:
        return Store()
    return Store(Path(jupyter_data_dir()) / "dpwidgets" / NAME)


class Progress(Teaching):
    """How many of the notebook's questions are solved, what is kept of them, and how to forget it.

    A kernel runs one notebook, and the questions that it has made so far are the notebook's
    questions. So this belongs below them: a question whose cell has not run is not counted, and one
    whose words were edited counts twice.

    Notes
    -----
    A task counts as a question does. What it prints never depends on the reader. Of a question are
    kept a hash of its words, how many answers were checked, whether one was right, whether the last
    was wrong, and on which day that was; no answer, no name and no time of the day. Everybody who
    shares the data directory of one Jupyter, as the visitors of a Voila server do, shares it.

    Examples
    --------
    >>> Progress()
    Progress of the questions in this notebook
    """

    def __init__(self) -> None:
        self._store = store()
        self._store.refresh()
        load = {"kind": "file", "name": "load", "label": "Load back", "accept": ".json"}
        download = {"kind": "links", "name": "download", "label": "Download:"}
        parts = [
            words("count", live=True),
            box("row", button("forget", "Forget it"), load | {"most": LARGEST}, download),
            words("said", live=True),
            {"kind": "complaint", "name": "wrong"},
            words("kept", "small"),
            {"kind": "complaint", "name": "notice"},
        ]
        self._follow()
        super().__init__("progress", parts, Layout(width="660px", max_width="100%"))
        self._store.observe(self._follow)

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Forget what is kept, or load what a file holds."""
        said = wrong = ""
        if name == "forget":
            self._store.forget()
            said = "" if self._store.notice else "Forgotten, for this notebook and all others."
        elif name == "load":
            try:
                loaded = self._store.load(base64.b64decode(event["file"]))
            except ValueError as error:
                wrong = f"This file cannot be loaded: {error}."
            else:
                solved = sum(one.solved for one in loaded.values())
                said = f"Loaded, of all notebooks: {len(loaded)} answered, {solved} of them solved."
        self.tell(said={"text": said}, wrong={"text": wrong})

    def _follow(self, _: object = None) -> None:
        store = self._store
        where = f"file {store.path}" if store.lasting else "memory of this kernel, until it stops"
        kept = (
            "This is kept of each question: how many answers you checked, whether one was right, "
            "whether the last was wrong, and the day of the last; no answer, no name, no time of "
            f"the day. It is kept in the {where}. "
            "Where files do not last, as on Binder, download it, and load it back next time."
        )
        solved = f"Solved: {store.solved} of {len(store.asked)} asked in this notebook so far."
        self.tell(
            count={"text": solved},
            download={"files": [(NAME, "application/json", write(store.kept))]},
            kept={"text": kept},
            notice={"text": store.notice},
        )

    def __repr__(self) -> str:
        return "Progress of the questions in this notebook"

    def page(self) -> str:
        """Return the HTML of a page without a kernel: the same words for all."""
        told = "How many of the questions you have solved stands here while the notebook runs."
        return f"<p>{told}</p>"
