"""How far a reader has come with the questions: kept beside Jupyter's own data, and never in a notebook."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ipywidgets import HTML, Box, Button, FileUpload, Layout, VBox
from traitlets import Dict, HasTraits, Tuple

from dpwidgets import __version__
from dpwidgets.widgets.files import link, uploaded
from dpwidgets.widgets.words import alert, place, status

PROGRAM, FORMAT, NAME = "dpwidgets progress", 1, "dpwidgets-progress.json"
_KEY = re.compile("[0-9a-f]{16}")
_SMALL = '<div style="font-size:12px;line-height:16px">{}</div>'


class Tried(NamedTuple):
    """What is kept of one question.

    Attributes
    ----------
    attempts : int
        How many answers were checked.
    solved : bool
        Whether one of them was right.
    """

    attempts: int = 0
    solved: bool = False

    def merge(self, other: Tried) -> Tried:
        """Put together what two files hold of one question."""
        return Tried(max(self.attempts, other.attempts), self.solved or other.solved)


Kept = Mapping[str, Tried]


def key(*words: str) -> str:
    """Return what a question is kept under: a hash of its words, the same in every kernel."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def write(kept: Kept) -> str:
    """Write progress as JSON, for `read`."""
    questions = {name: one._asdict() for name, one in sorted(kept.items())}
    return json.dumps(
        {"program": PROGRAM, "format": FORMAT, "version": __version__, "questions": questions},
        indent=1,
    )


def read(content: bytes) -> Kept:
    """Read progress from its JSON.

    Parameters
    ----------
    content : bytes
        What `write` wrote, in UTF-8.

    Returns
    -------
    dict of str to Tried
        What is kept of each question.

    Raises
    ------
    ValueError
        If it is no JSON, comes from another program or has another format, or is damaged.

    Examples
    --------
    >>> read(write({key("Which ε?"): Tried(2, True)}).encode())
    {'30ffd5b204507404': Tried(attempts=2, solved=True)}
    """
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(found, dict) or found.get("program") != PROGRAM:
        raise ValueError("it comes from another program")
    if found.get("format") != FORMAT:
        raise ValueError(
            f"it has another format than {FORMAT}, which dpwidgets {__version__} reads"
        )
    questions = found.get("questions")
    if not isinstance(questions, dict):
        raise ValueError("it is damaged: it has no questions")
    for name, one in questions.items():
        if not _KEY.fullmatch(name) or not _is_tried(one):
            raise ValueError(f"it is damaged at {name[:16]!r}")
    return {name: Tried(**one) for name, one in questions.items()}


def _is_tried(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and one.keys() == set(Tried._fields)
        and type(one["attempts"]) is int
        and one["attempts"] > 0
        and isinstance(one["solved"], bool)
    )


class Store(HasTraits):
    """What is kept of the questions, on the disk as long as the disk plays along, then in memory.

    Several kernels may share the file. Each change starts from what the file holds at that moment,
    so none takes back what another has written.

    Parameters
    ----------
    path : Path, optional
        The file. Without one, everything stays in memory.

    Attributes
    ----------
    kept : dict of str to Tried
        What is kept of each question, of this notebook and of others.
    shown : tuple of str
        The keys of the questions that were made in this kernel, each once. A kernel runs one
        notebook, so these are the notebook's questions, as far as it has run.
    notices : tuple of str
        What went wrong with the file.
    """

    kept = Dict(read_only=True)
    shown = Tuple(read_only=True)
    notices = Tuple(read_only=True)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self.path = path
        self._lasting = path is not None
        self._told = 0

    @property
    def lasting(self) -> bool:
        """Whether what is kept outlives the kernel."""
        return self._lasting

    @property
    def solved(self) -> int:
        """How many of the shown questions are solved."""
        return sum(self.tried(key).solved for key in self.shown)

    def tried(self, key: str) -> Tried:
        """Return what is kept of a question."""
        return self.kept.get(key, Tried())

    def show(self, key: str) -> None:
        """Count a question among those of this notebook."""
        self.refresh()
        self.set_trait("shown", tuple(dict.fromkeys([*self.shown, key])))

    def note(self, key: str, right: bool) -> None:
        """Keep that an answer was checked."""

        def change(kept: Kept) -> Kept:
            before = kept.get(key, Tried())
            return {**kept, key: Tried(before.attempts + 1, before.solved or right)}

        self._change(change)

    def load(self, content: bytes) -> Kept:
        """Add what a file holds to what is kept, and return it.

        Raises
        ------
        ValueError
            If it cannot be read; nothing changes.
        """
        loaded = read(content)
        self._change(
            lambda kept: {
                **kept,
                **{key: kept.get(key, Tried()).merge(one) for key, one in loaded.items()},
            }
        )
        return loaded

    def forget(self) -> bool:
        """Forget everything, on the disk too, and return whether that could be done."""
        self.set_trait("kept", {})
        if self.path is None:
            return True
        try:
            with suppress(FileNotFoundError, NotADirectoryError):
                self.path.unlink()
        except OSError as error:
            self._say(
                f"The file {self.path} could not be deleted ({error.strerror or error}); delete it yourself."
            )
            return False
        return True

    def refresh(self) -> None:
        """Read the file again: another kernel may have written."""
        if not self._lasting:
            return
        try:
            self.set_trait("kept", read(self.path.read_bytes()))
        except FileNotFoundError:
            self.set_trait("kept", {})
        except ValueError:
            self._change(lambda kept: kept)
        except OSError as error:
            self._give_up(error)

    def news(self) -> str:
        """Return the notices that were not told yet; each is told once."""
        told, self._told = self._told, len(self.notices)
        return " ".join(self.notices[told:])

    def _change(self, change: Callable[[Kept], Kept]) -> None:
        kept = self.kept
        if self._lasting:
            try:
                with _alone(self.path):
                    found = self._found()
                    kept = kept if found is None else found
                    if change(kept) != found:
                        _replace(self.path, write(change(kept)))
            except OSError as error:
                self._give_up(error)
        self.set_trait("kept", change(kept))

    def _found(self) -> Kept | None:
        """Return what the file holds; nobody's progress, or somebody else's file, is moved out of the way."""
        try:
            return read(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            names = (self.path.with_name(f"{self.path.name}.kept-{number}") for number in count(1))
            aside = next(name for name in names if not name.exists())
            os.replace(self.path, aside)
            self._say(
                f"The file of your progress cannot be used: {error}. It is kept as {aside}; a new one begins."
            )
            return None

    def _give_up(self, error: OSError) -> None:
        self._lasting = False
        self._say(
            f"Your progress cannot be kept in {self.path} ({error.strerror or error}). "
            "It lasts until this kernel stops; a Progress() can download it."
        )

    def _say(self, notice: str) -> None:
        self.set_trait("notices", (*self.notices, notice))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let no other kernel change the file at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("a") as lock:
        with suppress(
            ImportError, OSError
        ):  # Windows has no fcntl, and some network disks know no locks
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _replace(path: Path, text: str) -> None:
    """Write a file so that nobody ever reads half of it."""
    new = path.with_suffix(f".{os.getpid()}")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


@cache
def store() -> Store:
    """Return the kernel's store, in Jupyter's data directory; where there is no Jupyter, in memory."""
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:
        return Store()
    return Store(Path(jupyter_data_dir()) / "dpwidgets" / NAME)


class Progress(VBox):
    """How many of the notebook's questions are solved, what is kept of them and where, and how to forget it.

    A kernel runs one notebook, and the questions that it has made so far are the notebook's
    questions. So this belongs below them: a question whose cell has not run is not counted, and one
    whose words were edited counts twice.

    Notes
    -----
    What it prints never depends on the reader. Of a question are kept a hash of its words, how many answers were
    checked and whether one was right; no answer, no name and no time. Everybody who shares the data directory of one
    Jupyter, as the visitors of a Voila server do, shares it.

    Examples
    --------
    >>> Progress()
    Progress of the questions in this notebook
    """

    def __init__(self) -> None:
        self._store = store()
        self._store.refresh()
        auto = Layout(width="auto")
        self.forget_button = Button(description="Forget it", layout=auto)
        self.upload = FileUpload(accept=".json", description="Load back", layout=auto)
        self.count, self.link, self.kept, self.said, self.notices = (
            place(24),
            HTML(),
            place(),
            place(),
            place(),
        )
        self.link.layout.align_self = "center"
        super().__init__(
            [
                self.count,
                Box([self.forget_button, self.upload, self.link]),
                self.said,
                self.kept,
                self.notices,
            ],
            layout=Layout(width="660px", max_width="100%", padding="4px 12px"),
        )
        self.forget_button.on_click(lambda _: self._forget())
        self.upload.observe(lambda _: self._load(), "value")
        self._store.observe(lambda _: self._follow())
        self._follow()

    def _follow(self) -> None:
        store = self._store
        where = (
            f"in the file {store.path}"
            if store.lasting
            else "in the memory of this kernel, until it stops"
        )
        self.count.value = status(
            f"Solved: {store.solved} of {len(store.shown)} questions that this notebook has asked so far."
        )
        self.link.value = "Download: " + link(NAME, "application/json", write(store.kept))
        self.kept.value = _SMALL.format(
            "Of each question is kept how many answers you checked, and whether one was right; no answer, no name, no "
            f"time. It stands {html.escape(where)}. Where disks vanish, as on Binder, download it, and load it back "
            "next time."
        )
        self.notices.value = alert(" ".join(store.notices)) if store.notices else ""

    def _forget(self) -> None:
        self.said.value = (
            status("Forgotten, for this notebook and all others.") if self._store.forget() else ""
        )

    def _load(self) -> None:
        content = uploaded(self.upload)
        if content is None:
            return
        try:
            loaded = self._store.load(content)
        except ValueError as error:
            self.said.value = alert(f"This file cannot be loaded: {error}.")
        else:
            solved, total = sum(one.solved for one in loaded.values()), len(loaded)
            answered = "1 question" if total == 1 else f"{total} questions"
            self.said.value = status(
                f"Loaded, of all notebooks: {answered} answered, {solved} of them solved."
            )

    def __repr__(self) -> str:
        return "Progress of the questions in this notebook"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict, dict]:
        """Give Jupyter the live widget, and a page without a kernel the same words for everybody."""
        live = super()._repr_mimebundle_(**options) or {}
        page = (
            "<p>How many of the questions you have solved stands here while the notebook runs.</p>"
        )
        return live | {"text/plain": repr(self), "text/html": page}, {}
