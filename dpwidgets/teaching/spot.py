"""Programs that are wrong in one line, which the reader presses."""

import html
from collections.abc import Mapping
from textwrap import dedent
from typing import Any, ClassVar

from dpwidgets.inputs.domain import must_be, one_of
from dpwidgets.inputs.outside import checked_text
from dpwidgets.page.page import About
from dpwidgets.teaching.question import Question

_LINE = "font-family:monospace;font-size:13px;white-space:pre-wrap"
#: What is said of a line of which its author says nothing.
ELSEWHERE = "that line does what it should; look for one that does not"


class Spot(Question):
    """A short program with one wrong line to find.

    Each line is a button, and pressing it answers. The question says why it is
    not that line, where the author has said so, and after the right one, or
    two others, what that line lets happen.

    Parameters
    ----------
    prompt : str
        What the program is meant to do, and what is asked.
    program : str
        The program: two lines or more, none of them empty. It is shown and
        never run here.
    wrong : int
        The number of the wrong line; the first one is 1.
    why : mapping, optional
        Under the number of a line why it is not that one, and under `wrong`
        what is wrong with it.
    hint, solution, then : optional
        As a `Question` has them.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it must be: the program has an empty line,
        or no such line.

    Notes
    -----
    It is a `Question` whose choices are the lines, in their order, so all that
    holds for a question holds here: what it prints, what is kept of it, how a
    page without a kernel judges it.

    Examples
    --------
    >>> spot = Spot(
    ...     "Which line breaks the promise of ε = 1?",
    ...     '''
    ...     total = sum(incomes)
    ...     answer = total + rng.laplace(scale=100_000)
    ...     ''',
    ...     wrong=1,
    ...     why={1: "one income may be larger than 100,000", 2: "up to 100,000 it would do"},
    ... )
    >>> spot.judge("line 2: answer = total + rng.laplace(scale=100_000)")
    (False, 'Not yet: up to 100,000 it would do.')
    >>> spot.judge("line 1: total = sum(incomes)")
    (True, 'Right: one income may be larger than 100,000.')
    """

    check_label = ""  # a line answers as it is pressed
    looks: ClassVar[About] = {"kind": "lines", "label": "Press the line"}

    def __init__(
        self,
        prompt: str,
        program: str,
        wrong: int,
        *,
        why: Mapping[int, str] | None = None,
        hint: str = "",
        solution: str = "",
        then: Any = None,
    ) -> None:
        text = dedent(checked_text("program", program)).strip("\n")
        self.lines = tuple(text.split("\n"))
        if len(self.lines) < 2 or not all(map(str.strip, self.lines)):
            raise must_be(
                "program",
                f"two lines or more, none of them empty; got {program!r}",
            )
        names = {
            at: f"line {at}: {line}" for at, line in enumerate(self.lines, 1)
        }
        self.wrong = one_of("wrong", wrong, names)
        reasons = {
            one_of("why", at, names): reason
            for at, reason in (why or {}).items()
        }
        self._because = reasons.get(self.wrong, "")
        misconceptions = {
            names[at]: reason
            for at, reason in reasons.items()
            if at != self.wrong
        }
        super().__init__(
            prompt,
            names[self.wrong],
            choices=[*names.values()],
            misconceptions=misconceptions,
            hint=hint,
            solution=solution,
            then=then,
        )

    def judge(self, given: str | None) -> tuple[bool, str]:
        """Judge a line, named as in `choices`: whether it is the wrong one, and what to say."""
        right, verdict = super().judge(given)
        if right and self._because:
            return True, f"Right: {self._because}."
        if not right and given not in self.misconceptions:
            return False, f"Not yet: {ELSEWHERE}."
        return right, verdict

    def checks(self) -> dict[str, Any]:
        """Return what a page without a kernel needs to judge lines, as a `Question` does."""
        return super().checks() | {"lines": True}

    def _listed(self) -> str:
        items = ""
        for line in self.lines:
            code = html.escape(line)
            items += f'<li><code style="{_LINE}">{code}</code></li>'
        return f'<ol style="margin:2px 0;padding-left:2.5em">{items}</ol>'

    def _placed(
        self, prompt: str, choices: tuple[str, ...]
    ) -> tuple[str, ...]:
        return choices
