"""Questions that are answered where they are asked, with a number or a choice."""

import math
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Unpack

from dpwidgets.inputs import typed
from dpwidgets.inputs.domain import REAL, Domain, must_be, one_of
from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About
from dpwidgets.teaching.asking import (
    Asking,
    Help,
    checked_explorer,
    not_yet,
)

TOLERANCE = Domain(
    "a number from 0 up and below 1", low=0.0, high=1.0, includes_low=True
)
_NEAR_ZERO = 1e-12  # how far a number may be off where 0 is right
_ROUNDED = "that is rounded too far to tell; give more digits"
_PER_CENT = "that is in per cent; write it as a share, or with %"


class Question(Asking):
    """A question with a number or a choice for its answer.

    A reader answers and presses *Check*. The question says whether the answer
    is right, and if not, what kind of wrong it is, where the author has named
    that kind. After a first answer it offers a hint, after that the solution.

    Parameters
    ----------
    prompt : str
        What is asked.
    answer : float or str
        The right number, or the right one of the choices.
    choices : sequence of str
        The choices, at least two and no two alike, in any order: they are
        shown in one that is drawn from the prompt, so that no place tells the
        right one. None of them for a number.
    tolerance : float
        How far a number may be off, as a fraction of the right one, below 1.
        Where 0 is right, a number may be off by 1e-12.
    misconceptions : mapping
        Under each wrong number or choice what is wrong with it: a sign, a rate
        taken for a scale, a factor of two.
    at : mapping
        The state of the explorer that is asked about: values of its
        parameters, all others as at its start. After a first answer, a button
        sets the explorer to it; nothing else does.
    hint : str
        What helps on.
    solution : str
        How to find the answer.
    then : object, optional
        What comes next and would give the answer away: it appears after a
        right answer, after two tries, or with the solution. What it may be
        stands at `dpwidgets.teaching.asking.Help`.
    explorer : Explorer, optional
        The explorer that the question is about.

    Attributes
    ----------
    correct : bool
        Whether the last answer in this kernel was right.
    given : str
        What stands on the page as the answer: a text, or the choice; empty
        before there is any.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it must be, there is one choice alone or two
        are alike, the answer is not one of the choices, or the explorer has no
        state `at`.

    Notes
    -----
    What it prints never depends on the reader, so a notebook reads the same
    answered or not. A question is known again by its prompt and its choices;
    what is kept of it, and where, stands at
    `dpwidgets.teaching.progress.Progress`. No misconception shall be as good
    as the answer; the tests of the notebooks hold that, a reader's run does
    not look.

    Examples
    --------
    >>> question = Question(
    ...     "What is the scale of the noise at ε = 0.5?",
    ...     answer=2,
    ...     misconceptions={0.5: "that is the rate; the scale is one over it"},
    ... )
    >>> question
    Question: What is the scale of the noise at ε = 0.5?
    >>> question.judge("1/0.5")
    (True, 'Right.')
    >>> question.judge("0,5")
    (False, 'Not yet: that is the rate; the scale is one over it.')

    A right number with two digits may be farther off than the tolerance. It is
    not called wrong:

    >>> Question("What is a third of 0.702?", answer=0.234).judge("0.23")
    (False, 'Not yet: that is rounded too far to tell; give more digits.')
    """

    given = ""
    _last_judged = ""
    _message = ""

    def __init__(
        self,
        prompt: str,
        answer: float | str,
        *,
        choices: Sequence[str] = (),
        tolerance: float = 0.01,
        misconceptions: Mapping[Any, str] | None = None,
        at: Mapping[str, Any] | None = None,
        explorer: Explorer | None = None,
        **helps: Unpack[Help],
    ) -> None:
        checked_text("prompt", prompt)
        written = tuple(checked_text("choices", choice) for choice in choices)
        if written and not 2 <= len({*written}) == len(written):
            raise must_be(
                "choices",
                f"at least two, no two alike; got {described(written)}",
            )
        self.choices = placed(prompt, written)
        self.answer: float | str = (
            one_of("answer", answer, written)
            if written
            else REAL.check_one("answer", answer)
        )
        self.tolerance = TOLERANCE.check_one("tolerance", tolerance)
        self.misconceptions: dict[Any, str] = dict(misconceptions or {})
        self.explorer = explorer
        self.state = dict(at or {})
        if at or explorer is not None:
            checked_explorer(explorer, self.state)
        field: About = {"name": "answer", "label": "Your answer"}
        if self.choices:
            field |= {"kind": "choice", "look": "dpw-answers"}
            field["options"] = list(self.choices)
        else:
            field |= {"kind": "text", "placeholder": "0.08, 0,08, 1/3, ln 3"}
        super().__init__(prompt, *written, field=field, **helps)

    def judge(self, given: str) -> tuple[bool, str]:
        """Judge an answer.

        Parameters
        ----------
        given : str
            A number as a person writes it (`dpwidgets.inputs.typed.parse`), or
            one of the choices.

        Returns
        -------
        (bool, str)
            Whether it is right, and what to say about it.

        Raises
        ------
        ValueError
            If it is no number, or none of the choices.
        """
        if self.choices:
            if given not in self.choices:
                raise ValueError("choose one of the answers")
            right = given == self.answer
            wrong = self.misconceptions.get(given, "")
        else:
            given = given.strip().removeprefix("±")
            number = typed.parse(given)
            right = self._near(number, float(self.answer))
            wrong = self.misconceptions.get(number, "")
            wrong = wrong or self._wrong(given, number, float(self.answer))
        if right:
            # Who guessed among a few learns why.
            why = self.solution if self.choices else ""
            return True, f"Right. {why}".strip()
        if wrong:
            return False, not_yet(wrong)
        return False, "Not yet."

    def checks(self) -> dict[str, Any]:
        """Return what a page without a kernel needs to judge answers, in the open.

        Examples
        --------
        >>> Question("Two and two?", answer="4", choices=("4", "22")).checks()["judged"]
        [('22', False, 'Not yet.'), ('4', True, 'Right.')]
        """
        if self.choices:
            judged = [(choice, *self.judge(choice)) for choice in self.choices]
            return {"numbers": False, "judged": judged}
        known = map(float, (self.answer, *self.misconceptions))
        return {
            "numbers": True,
            "judged": [
                (number, *self.judge(repr(number))) for number in known
            ],
            "tolerance": self.tolerance,
            "zero": _NEAR_ZERO,
            "below": self.judge("-1e300")[1],
            "above": self.judge("1e300")[1],
            "rounded": not_yet(_ROUNDED),
            "percent": not_yet(_PER_CENT),
        }

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take an answer, and check it, now or at the button; or give help."""
        if name == "answer":
            # What was said of another answer.
            self._message = self._verdict = ""
            # A choice waits for the button, and a text never.
            if self.choices:
                self.given = self.choices[event["place"]]
                self._tell_all()
            else:
                self.given = event["text"]
                self.submit()
        elif name == "check":
            self.submit()
        super().asked(name, event)

    def submit(self) -> None:
        """Check the answer that stands on the page; the same one again is no second try."""
        self._message = ""
        try:
            judged = self.judge(self.given)
        except ValueError as error:
            self._message = str(error)
            self._verdict = ""
            self._tell_all()
            return
        # If it was forgotten since, it counts anew.
        if self.attempts and self.given == self._last_judged:
            self._say(*judged)
        else:
            self._last_judged = self.given
            self._judge(*judged)

    def __repr__(self) -> str:
        choices = [f"  ( ) {choice}" for choice in self.choices]
        return "\n".join([super().__repr__(), *choices])

    def _shows(self) -> dict[str, Mapping[str, Any]]:
        place = None
        if self.given in self.choices:
            place = self.choices.index(self.given)
        answer = {"text": self.given, "place": place, "message": self._message}
        return super()._shows() | {"answer": answer}

    def _wrong(self, given: str, number: float, answer: float) -> str:
        """Return what is wrong with a number that is none of the wrong ones to the last digit."""
        off = abs(number - answer) / (1 + 1e-9)
        if off <= typed.half_a_digit(given):
            return _ROUNDED
        for value, what in self.misconceptions.items():
            if self._near(number, value):
                return what
        if 0 < answer < 1 and self._near(number / 100, answer):
            return _PER_CENT
        if off <= typed.half_a_digit(given, digits=1):
            return _ROUNDED
        if number < answer:
            return "it is too small"
        return "it is too large"

    def _near(self, number: float, value: float) -> bool:
        off = 0.0 if value else _NEAR_ZERO
        return math.isclose(number, value, rel_tol=self.tolerance, abs_tol=off)


def placed(prompt: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Return the choices in an order that is the same everywhere and that no author meant."""

    def drawn(choice: str) -> bytes:
        return sha256(f"{choice} {prompt}".encode()).digest()

    return tuple(sorted(choices, key=drawn))
