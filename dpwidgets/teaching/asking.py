"""What a question and a task share: the prompt, the help, and what is kept of them."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypedDict

from traitlets import Bool, Int

from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About, box, button, words
from dpwidgets.teaching import progress
from dpwidgets.teaching.held import Held, Holder, fold, paragraph


class Help(TypedDict, total=False):
    """What helps with a question, and what comes after it.

    Attributes
    ----------
    hint : str
        What helps on.
    solution : str
        How to find the answer.
    then : object
        What comes next and would give the answer away: it appears after a right answer, after two
        tries, or with the solution. What it may be stands at `dpwidgets.teaching.held.Held`.
    explorer : Explorer
        The explorer that the question is about.
    """

    hint: str
    solution: str
    then: Any
    explorer: Explorer | None


class Asking(Holder):
    """What a question and a task share.

    What the page shows follows from the attributes each time, in `_shows`. A subclass sets `state`
    before, the state of the explorer that its button sets, and gives the field for answers.
    """

    attempts = Int(0, read_only=True, help="How many answers were checked, in earlier kernels too.")
    right = Bool(False, read_only=True, help="Whether the last one in this kernel was right.")
    solved = Bool(False, read_only=True, help="Whether any was right, in earlier kernels too.")
    tries: ClassVar[int] = 2  # after how many answers it shows what it holds back, right or wrong
    choices: tuple[str, ...] = ()
    state: dict[str, Any]

    def __init__(
        self,
        prompt: str,
        *,
        key: Sequence[str],
        field: About | None = None,
        hint: str = "",
        solution: str = "",
        then: Any = None,
        explorer: Explorer | None = None,
    ) -> None:
        self.prompt = checked_text("prompt", prompt)
        self.hint = checked_text("hint", hint)
        self.solution = checked_text("solution", solution)
        self.held = None if then is None else Held(then)
        self.explorer: Any = explorer
        self._key, self._progress = progress.key(prompt, *key), progress.store()
        self._verdict = self._help = self._alert = ""
        self._hinted = False
        self._keep_up()
        self._tell_all()
        buttons = {
            "check": ("Check", field),
            "hint": ("Hint", hint),
            "solution": ("Solution", solution),
            "set": ("Set the explorer to this", self.state),
        }
        row = [button(name, label) for name, (label, wanted) in buttons.items() if wanted]
        super().__init__(
            "asking",
            [
                words("prompt", "prompt", text=prompt),
                *([field] if field else []),
                box("row", *row, words("mark", "mark")),
                words("verdict", "verdict", live=True),
                words("help", live=True),
                {"kind": "complaint", "name": "alert"},
                *(self.held.parts() if self.held else ()),
            ],
        )

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Give the help that a reader asks for."""
        if name == "hint":
            self.show_hint()
        elif name == "solution":
            self.show_solution()

    def show_hint(self) -> None:
        """Show the hint; the solution can be asked for after it."""
        self._help, self._hinted = f"Hint: {self.hint}", True
        self._tell_all()

    def show_solution(self) -> None:
        """Show the solution."""
        self._help = f"Solution: {self.solution}"
        self.reveal()
        self._tell_all()

    def checks(self) -> dict[str, Any]:
        """Return what the website needs to judge answers without a kernel, in the open."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what the website needs: ``checks``, and the link to an explorer held back."""
        about = {"checks": self.checks(), "then": self.held.link() if self.held else ""}
        return {name: value for name, value in about.items() if value}

    def page(self) -> str:
        """Return the HTML of a page without a kernel: the same for every reader."""
        asked = folded_page(self.prompt, self.hint, self.solution, self.choices)
        return asked + (self.held.folded() if self.held else "")

    def _keep_up(self) -> None:
        """Begin to follow what is kept; another kernel or `Progress` may change it."""
        self._progress.ask(self._key)
        self._progress.observe(self._follow, ["kept", "asked"])
        self._follow()

    def _follow(self, _: object = None) -> None:
        """Show what is kept of this question."""
        kept = self._progress.tried(self._key)
        self.set_trait("attempts", kept.attempts)
        self.set_trait("solved", kept.solved)
        if kept.solved or kept.attempts >= self.tries:
            self.reveal()
        self._tell_all()

    def _count(self, right: bool) -> None:
        """Count an answer, and show what waited for one."""
        self.set_trait("right", right)
        self._progress.count_answer(self._key, right)

    def _judge(self, right: bool, message: str) -> None:
        """Say whether an answer is right, and count it."""
        self._count(right)
        seen = " See below." if self.held and self.held.revealed else ""
        self._verdict = f"{'✓' if right else '✗'} {message}{seen}"
        self._alert = self._progress.notice
        self._tell_all()

    def _bring(self) -> str:
        """Bring a reader's explorer to the state and into view; return words that say so."""
        self._alert = ""
        if self.explorer is None or self.explorer.closed:
            self._alert = "the explorer is no longer on the page; run this cell again"
            return ""
        try:
            with self.explorer.hold_sync():
                self.explorer.attract()
                self.explorer.go_to(**self.state)
        except ValueError as error:
            self._alert = f"the explorer cannot be set: {error}"
            return ""
        return "The explorer is set."

    def _enough(self) -> bool:
        """Tell whether a reader has tried enough to be helped."""
        return self.attempts > 0

    def _mark(self) -> str:
        """Return what stands beside the buttons: how far the reader has come."""
        far = f"{self._progress.solved} of {len(self._progress.asked)}"
        told = f"{far} solved" if self.right else f"✓ solved before · {far}"
        return told if self.solved else ""

    def _shows(self) -> dict[str, Mapping[str, Any]]:
        """Return what the parts show at present."""
        enough = self._enough()
        opened = self.solved or self._hinted or self.attempts > 1 or (enough and not self.hint)
        shows: dict[str, Mapping[str, Any]] = {
            "hint": {"disabled": not enough},
            "solution": {"disabled": not opened},
            "mark": {"text": self._mark()},
            "verdict": {"text": self._verdict},
            "help": {"text": self._help},
            "alert": {"text": self._alert},
        }
        return shows | ({"set": {"disabled": not enough}} if self.state else {})

    def _tell_all(self) -> None:
        self.tell(**self._shows())


def folded_page(prompt: str, hint: str, solution: str, choices: Sequence[str] = ()) -> str:
    """Return the HTML of a question for a page without a kernel, its help folded."""
    listed = "".join(f"<li>{html.escape(choice)}</li>" for choice in choices)
    page = paragraph(prompt, "font-weight:600") + (f"<ul>{listed}</ul>" if listed else "")
    for name, help_ in (("Hint", hint), ("Solution", solution)):
        page += fold(name, paragraph(help_)) if help_ else ""
    return page


def checked_explorer(explorer: object) -> Explorer:
    """Return an explorer, or raise an error that says that it is none."""
    if not isinstance(explorer, Explorer):
        raise TypeError(f"explorer must be an Explorer; got {described(explorer)}")
    return explorer
