"""What a question, a task and a sketch share: the prompt, the help, and what is kept of them."""

import html
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, TypedDict, Unpack

from anywidget import WidgetTrait

from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About, Page, box, button, child, words
from dpwidgets.plots.base import Still
from dpwidgets.teaching import progress, sharing
from dpwidgets.teaching.held import Teaching, folded, live_page, paragraph


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
        a picture (`plots.base.Still`), an explorer or another widget of
        dpwidgets, or anything else that shows itself as HTML, as a table does.
    explorer : Explorer
        The explorer that the question is about.
    """

    hint: str
    solution: str
    then: Any
    explorer: Explorer | None


class Asking(Teaching):
    """What a question, a task and a sketch share.

    What the page shows follows from the attributes each time, in `_shows`. Of
    the help, each step opens the next: a try (`_enough`) the hint, the hint or
    a second try the solution.

    Parameters
    ----------
    prompt : str
        What is asked.
    *key : str
        What tells it from others with the same prompt.
    field : dict, optional
        The part of the page that takes answers, and has a button to check
        them.
    state : mapping, optional
        The state of the explorer to which a button sets it.
    **helps
        What helps.

    Attributes
    ----------
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
    # Right is whether the last answer in this kernel was.
    revealed = right = False
    # After how many answers it shows what it holds back, right or wrong.
    tries: ClassVar[int] = 2
    # What stands on the button that checks, if there is one.
    check: ClassVar[str] = "Check"
    # Before what is said of wrong and right ones.
    marks: ClassVar[tuple[str, str]] = ("✗ ", "✓ ")
    choices: tuple[str, ...] = ()

    def __init__(
        self,
        prompt: str,
        *key: str,
        field: About | None = None,
        state: Mapping[str, Any] | None = None,
        **helps: Unpack[Help],
    ) -> None:
        self.prompt = checked_text("prompt", prompt)
        self.hint = checked_text("hint", helps.get("hint", ""))
        self.solution = checked_text("solution", helps.get("solution", ""))
        self.explorer: Any = helps.get("explorer")
        self.state = dict(state or {})
        self._key = progress.key(prompt, *key)
        self._progress = self._store()
        self._verdict = self._help = self._alert = ""
        self._helped: set[str] = set()  # of which kinds it has shown help
        self._then = _checked_then(helps.get("then"))
        self._progress.ask(self._key)
        self._progress.observe(self._follow, ["kept", "asked"])
        self._follow()
        row = []
        if field and self.check:
            row.append(button("check", self.check))
        if self.hint:
            row.append(button("hint", "Hint"))
        if self.solution:
            row.append(button("solution", "Solution"))
        if self.state:
            row.append(button("set", "Set the explorer to this"))
        answering = self._answering(row)
        if field:
            answering.insert(0, field)
        parts = [
            words("prompt", "prompt", text=prompt),
            box("answering", *answering),
            {"kind": "html", "name": "held"},
            child("_child"),
        ]
        super().__init__("asking", parts, label=prompt)

    @property
    def key(self) -> str:
        """What the question is kept under."""
        return self._key

    @property
    def attempts(self) -> int:
        """How many answers were checked, in earlier kernels too."""
        return self._progress.tried(self._key).attempts

    @property
    def solved(self) -> bool:
        """Whether any answer was right, in earlier kernels too."""
        return self._progress.tried(self._key).solved

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Give the help that a reader asks for."""
        if name in ("hint", "solution"):
            self._helped.add(name)
            self._help = f"{name.capitalize()}: {getattr(self, name)}"
            if name == "solution":
                self.reveal()
            self._tell_all()

    def checks(self) -> dict[str, Any]:
        """Return what the website needs to judge answers without a kernel, in the open."""
        return {}

    def known(self) -> tuple[str, ...]:
        """Return what is said to whoever has one of the misconceptions that it knows."""
        return ()

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

    def page(self) -> str:
        question = folded_page(
            self.prompt, self.hint, self.solution, self.choices
        )
        return question + folded(self._then)

    def _store(self) -> progress.Store:
        """Return where answers are counted: another kernel or `Progress` may change it too."""
        return progress.store()

    def _answering(self, buttons: list[About]) -> list[About]:
        """Return what stands below the field: buttons, and what is said of an answer."""
        look = "verdict" if any(self.marks) else "sentence"
        alert = {"kind": "complaint", "name": "alert"}
        row = box("row", *buttons, words("mark", "mark"))
        return [
            row,
            words("verdict", look, live=True),
            words("help", live=True),
            alert,
        ]

    def _follow(self, _: object = None) -> None:
        """Show what is kept of this question."""
        if self.solved or self.attempts >= self.tries:
            self.reveal()
        self._tell_all()

    def _count(self, right: bool) -> None:
        """Count an answer, and show what waited for one."""
        self.right = right
        self._progress.count_answer(self._key, right)

    def _judge(self, right: bool, message: str) -> None:
        """Say whether an answer is right, and count it."""
        self._count(right)
        # And no question of a review, drawn anew each time.
        if self._progress is progress.store():
            met = ""
            if message in self.known():
                met = progress.key(self._key, message)
            sharing.count(self._progress.path, self._key, met)
        self._verdict = self.marks[right] + message
        if self.revealed:
            self._verdict += " See below."
        self._alert = self._progress.notice
        self._tell_all()

    def _bring(self) -> str:
        """Bring a reader's explorer to the state and into view; return words that say so."""
        if self.explorer.closed:
            self._alert = (
                "the explorer is no longer on the page; run this cell again"
            )
            return ""
        self._alert = ""
        # It says itself what is wrong.
        with self.explorer.hold_sync(), suppress(ValueError):
            self.explorer.attract()
            self.explorer.go_to(**self.state)
        return "The explorer is set."

    def _enough(self) -> bool:
        """Tell whether a reader has tried enough to be helped."""
        return self.attempts > 0

    def _mark(self) -> str:
        """Return what stands beside the buttons: how far the reader has come."""
        if not self.solved:
            return ""
        far = f"{self._progress.solved} of {len(self._progress.asked)}"
        return f"{far} solved" if self.right else f"✓ solved before · {far}"

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
            "alert": {"text": self._alert},
        }

    def _tell_all(self) -> None:
        self.tell(**self._shows())


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
    if then is None or isinstance(then, (Still, Page)):
        return then
    if hasattr(then, "_repr_html_"):
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
