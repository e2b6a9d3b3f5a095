"""What all that ask share: the prompt, the help, what is kept of them; and what judges answers."""

import html
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, TypedDict

from anywidget import WidgetTrait

from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About, Page, box, button, child, words
from dpwidgets.page.state import together
from dpwidgets.plots.still import Still
from dpwidgets.teaching import progress
from dpwidgets.teaching.base import Teaching, folded, live_page, paragraph

_WAS_SET = "The explorer was set to this."


class Help(TypedDict, total=False):
    """What helps with a question, and what comes after it.

    Attributes
    ----------
    hint : str
        What helps on.
    solution : str
        How to find the answer.
    then : object
        What comes next and would give the answer away: it appears after a
        right answer, after two tries, or with the solution. It may be a text,
        a picture (`plots.still.Still`), an explorer or another widget of
        dpwidgets, or anything else that shows itself as HTML, as a table does.
    """

    hint: str
    solution: str
    then: Any


class Asking(Teaching):
    """What all that ask share.

    What the page shows follows from the attributes each time, in `_shows`. Of
    the help, each step opens the next: a try (`_enough`) the hint, the hint or
    a second try the solution.

    A subclass sets its attributes before it calls `super().__init__`, which
    shows them. It takes answers in `asked`, and hands what it found to
    `_judge`. What else it may set or override:

    - `choices`, if it has any;
    - `explorer` and `state`: the explorer that it asks about, and the values to
      which a button sets it, if there are any;
    - `checks`: what the website needs to judge answers;
    - `_store`: where answers are counted;
    - `_enough`: when there is help;
    - `_mark`: what stands beside the buttons.

    Parameters
    ----------
    prompt : str
        What is asked.
    *key : str
        What tells this one from others with the same prompt.
    field : dict, optional
        The part of the page that takes answers. With it comes a button to
        check them.
    hint, solution, then
        What helps (`Help`).

    Attributes
    ----------
    key : str
        What it is kept under.
    correct : bool
        Whether the last answer in this kernel was right.
    revealed : bool
        Whether what was held back has appeared.

    Raises
    ------
    TypeError, ValueError
        If a text is none that a page can show, or what is held back shows
        nothing.

    Examples
    --------
    >>> from dpwidgets import Question
    >>> question = Question("How does the curve go?", 1, then="The curve falls.")
    >>> question.reveal()
    >>> "The curve falls." in question._shown["held"]["html"]
    True
    """

    _child = WidgetTrait().tag(sync=True)
    correct = revealed = False
    choices: tuple[str, ...] = ()
    explorer: Any = None
    state: Mapping[str, Any] = MappingProxyType({})

    def __init__(
        self,
        prompt: str,
        *key: str,
        field: About | None = None,
        hint: str = "",
        solution: str = "",
        then: Any = None,
    ) -> None:
        self.prompt = checked_text("prompt", prompt)
        self.hint = checked_text("hint", hint)
        self.solution = checked_text("solution", solution)
        self.key = progress.key(prompt, *key)
        self._progress = self._store()
        self._verdict = self._help = ""
        self._helped: set[str] = set()  # of which kinds it has shown help
        self._then = _checked_then(then)
        self._progress.ask(self.key)
        self._progress.observe(self._follow, ["kept", "questions"])
        self._follow()
        buttons = (
            ("check", "Check", field),
            ("hint", "Hint", self.hint),
            ("solution", "Solution", self.solution),
            ("set", "Set the explorer to this", self.state),
        )
        row = [button(name, label) for name, label, has in buttons if has]
        parts = [
            words("prompt", "prompt", text=prompt),
            box(
                "answering",
                *([field] if field else []),
                box("row", *row, words("mark", "mark")),
                words("verdict", "verdict", live=True),
                words("help", live=True),
                {"kind": "complaint", "name": "alert"},
            ),
            {"kind": "html", "name": "held"},
            child("_child"),
        ]
        super().__init__("asking", parts, label=prompt)

    @property
    def attempts(self) -> int:
        """How many answers were checked, in earlier kernels too."""
        return self._progress.tried(self.key).attempts

    @property
    def solved(self) -> bool:
        """Whether any answer was right, in earlier kernels too."""
        return self._progress.tried(self.key).solved

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Give the help that a reader asks for, or set the explorer."""
        if name in ("hint", "solution"):
            self._helped.add(name)
            self._help = f"{name.capitalize()}: {getattr(self, name)}"
            if name == "solution":
                self.reveal()
            self._tell_all()
        elif name == "set":
            self.set_explorer()

    def set_explorer(self) -> None:
        """Set a reader's explorer to the state that is asked about, and bring it into view."""
        # It says itself what is wrong.
        with self.explorer.hold_sync(), suppress(ValueError):
            self.explorer.attract()
            self.explorer.go_to(**self.state)
            # What explains the picture stays beside it.
            if _WAS_SET not in self._help:
                self._help = together(self._help, _WAS_SET)
        self._tell_all()

    def checks(self) -> dict[str, Any]:
        """Return what a page without a kernel needs to judge answers, in the open.

        Returns
        -------
        dict
            What `site.js` reads, or nothing. Choices have ``judged``: each of
            them, whether it is right, and what is said of it; and ``numbers``,
            which is False. A number has ``numbers``; ``judged`` with the right
            one first and each known wrong one behind it; ``tolerance`` and
            ``zero``, how far one may be off as a share of it and where 0 is
            right; and what is said of others, ``below``, ``above`` and
            ``rounded``.
        """
        return {}

    def about(self) -> dict[str, Any]:
        """Return what the website needs: ``checks``, and the link to an explorer held back."""
        about: dict[str, Any] = {}
        if checks := self.checks():
            about["checks"] = checks
        if isinstance(self._then, Explorer):
            # A column may be too long for a link.
            with suppress(ValueError):
                about["then"] = self._then.address()
        return about

    def reveal(self) -> None:
        """Show what is held back, if anything is; once shown, it stays."""
        if self._then is None or self.revealed:
            return
        self.revealed = True
        if isinstance(self._then, Page):
            self._child = self._then
        else:
            self.tell(held={"html": live_page(self._then)})

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.prompt}"

    def still_page(self) -> str:
        helps = self.hint, self.solution, self.choices
        return folded_page(self.prompt, *helps) + folded(self._then)

    def _store(self) -> progress.Store:
        """Return where answers are counted: another kernel or `Progress` may change it too."""
        return progress.store()

    def _follow(self, _: object = None) -> None:
        """Show what is kept of this question."""
        if self.solved or self.attempts > 1:
            self.reveal()
        self._tell_all()

    def _judge(self, right: bool, message: str) -> None:
        """Count an answer, and say whether it is right."""
        self.correct = right
        self._progress.count_answer(self.key, right)
        self._say(right, message)

    def _say(self, right: bool, message: str) -> None:
        """Say whether an answer is right."""
        self._verdict = ("✓ " if right else "✗ ") + message
        if self.revealed:
            self._verdict += " See below."
        self._tell_all()

    def _enough(self) -> bool:
        """Tell whether a reader has tried enough to be helped."""
        return self.attempts > 0

    def _mark(self) -> str:
        """Return what stands beside the buttons: how far the reader has come."""
        if not self.solved:
            return ""
        far = f"{self._progress.solved} of {len(self._progress.questions)}"
        return f"{far} solved" if self.correct else f"✓ solved before · {far}"

    def _shows(self) -> dict[str, Mapping[str, Any]]:
        """Return what the parts show at present."""
        enough = self._enough()
        hinted = not self.hint or "hint" in self._helped or self.attempts > 1
        return {
            "hint": {"disabled": not enough},
            "solution": {"disabled": not (self.solved or (enough and hinted))},
            "set": {"disabled": not enough},
            "mark": {"text": self._mark()},
            "verdict": {"text": self._verdict},
            "help": {"text": self._help},
            "alert": {"text": self._progress.notice if self._verdict else ""},
        }

    def _tell_all(self) -> None:
        self.tell(**self._shows())


def not_yet(why: str) -> str:
    """Say what kind of wrong an answer is, be it a sentence or a question."""
    return f"Not yet: {why}" if why.endswith("?") else f"Not yet: {why}."


def folded_page(
    prompt: str, hint: str, solution: str, choices: Sequence[str] = ()
) -> str:
    """Return the HTML of a question for a page without a kernel, its help folded."""
    page = paragraph(prompt, "font-weight:600")
    if choices:
        items = [f"<li>{html.escape(choice)}</li>" for choice in choices]
        page += f"<ul>{''.join(items)}</ul>"
    return page + folded(hint, "Hint") + folded(solution, "Solution")


def _checked_then(then: Any) -> Any:
    """Return what is to be held back; None is nothing."""
    if isinstance(then, str):
        return checked_text("then", then)
    shows_itself = isinstance(then, (Still, Page))
    if then is None or shows_itself or hasattr(then, "_repr_html_"):
        return then
    kinds = "a text, a picture, a widget of dpwidgets, or what shows itself as HTML"
    raise TypeError(f"then must be {kinds}; got {described(then)}")


def checked_explorer(explorer: object, state: Mapping[str, Any]) -> Explorer:
    """Return an explorer that has a state, or raise an error that says what is wrong."""
    if not isinstance(explorer, Explorer):
        raise TypeError(
            f"explorer must be an Explorer; got {described(explorer)}"
        )
    explorer.state_at(**state)
    return explorer
