"""Questions that are answered where they are asked: with a number, a choice, or a function."""

import math
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Unpack

import numpy as np

from dpwidgets.inputs import typed
from dpwidgets.inputs.domain import REAL, Domain, one_of
from dpwidgets.inputs.outside import checked_text
from dpwidgets.page.page import About, words
from dpwidgets.teaching.asking import Asking, Help, checked_explorer

TOLERANCE = Domain(
    "a number from 0 up and below 1", low=0.0, high=1.0, includes_low=True
)
_NEAR_ZERO = 1e-12  # how far a number may be off where 0 is right
_FIELD = words(
    "note", text="Write it in the cell above and run that cell; then check."
)
_ROUNDED = "that is rounded too far to tell; give more digits"


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
    of : str
        A parameter of the explorer, in whose unit the answer is given: it
        stands at the field.
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
    right : bool
        Whether the last one in this kernel was right.
    given : str or None
        What stands on the page as the answer: a text, or the choice; None
        before any is chosen.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it must be, the answer is not one of the
        choices, or the explorer has no state `at`.

    Notes
    -----
    What it prints never depends on the reader, so a notebook reads the same
    answered or not. A question is known again by its prompt and its choices;
    what is kept of it, and where, stands at
    `dpwidgets.teaching.progress.Progress`. No two choices shall be alike, and
    no misconception as good as the answer; the tests of the notebooks hold
    that, a reader's run does not look.

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

    # Of its choices.
    looks: ClassVar[About] = {"kind": "choice", "look": "dpw-answers"}

    def __init__(
        self,
        prompt: str,
        answer: float | str,
        *,
        choices: Sequence[str] = (),
        tolerance: float = 0.01,
        misconceptions: Mapping[Any, str] | None = None,
        at: Mapping[str, Any] | None = None,
        of: str = "",
        **helps: Unpack[Help],
    ) -> None:
        checked_text("prompt", prompt)
        written = tuple(checked_text("choices", choice) for choice in choices)
        self.choices = self._placed(prompt, written)
        self.answer: float | str
        if written:
            self.answer = one_of("answer", answer, written)
        else:
            self.answer = REAL.check_one("answer", answer)
        self.tolerance = TOLERANCE.check_one("tolerance", tolerance)
        self.misconceptions: dict[Any, str] = dict(misconceptions or {})
        self.given: str | None = None if self.choices else ""
        self._checked: str | None = None  # the answer that was checked last
        self._message = ""
        label = "Your answer"
        explorer = helps.get("explorer")
        if at or of or explorer is not None:
            parameters = checked_explorer(explorer, at or {}).parameters()
            if of and (unit := parameters[one_of("of", of, parameters)].unit):
                label = f"{label} ({unit})"
        field: About = {"name": "answer", "label": label}
        if self.choices:
            field |= {**self.looks, "options": list(self.choices)}
        else:
            field |= {"kind": "text", "placeholder": "0.08, 0,08, 1/3, ln 3"}
        super().__init__(prompt, *written, field=field, state=at, **helps)

    def judge(self, given: str | None) -> tuple[bool, str]:
        """Judge an answer.

        Parameters
        ----------
        given : str or None
            A number as a person writes it (`dpwidgets.inputs.typed.parse`), or
            one of the choices; None where nothing is chosen yet.

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
            given = given or ""
            number = typed.parse(given)
            right = self._near(number, float(self.answer))
            wrong = self.misconceptions.get(number, "")
            wrong = wrong or self._wrong(given, number, float(self.answer))
        if right:
            return True, "Right."
        if wrong:
            return False, _not_yet(wrong)
        return False, "Not yet."

    def known(self) -> tuple[str, ...]:
        return tuple(map(_not_yet, self.misconceptions.values()))

    def checks(self) -> dict[str, Any]:
        """Return what a page without a kernel needs to judge answers, in the open.

        Returns
        -------
        dict
            Under ``judged`` each choice, or the answer and then each known
            wrong number, with what `judge` returns for it. For numbers also
            how near is near, and what is said to others.

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
            "rounded": f"Not yet: {_ROUNDED}.",
        }

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take an answer, and check it: at the button, or at once if it is no choice beside one."""
        if name == "answer":
            if self.choices:
                self.given = self.choices[event["place"]]
            else:
                self.given = event["text"]
            self._message = ""
            self._tell_all()
            if not (self.choices and self.check):
                self.submit()
        elif name == "check":
            self.submit()
        elif name == "set":
            self._help = self._bring()
            self._tell_all()
        super().asked(name, event)

    def submit(self) -> None:
        """Check the answer that stands on the page; the same one only once."""
        is_same = self.given is not None and self.given == self._checked
        if is_same and self.attempts:
            return
        try:
            judged = self.judge(self.given)
        except ValueError as error:
            self._message = str(error)
            self._verdict = ""
            self._tell_all()
        else:
            self._message = ""
            self._checked = self.given
            self._judge(*judged)

    def _placed(
        self, prompt: str, choices: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the choices in an order that is the same everywhere and that no author meant."""

        def drawn(choice: str) -> bytes:
            return sha256(f"{choice} {prompt}".encode()).digest()

        return tuple(sorted(choices, key=drawn))

    def _shows(self) -> dict[str, Mapping[str, Any]]:
        place = None
        if self.given in self.choices:
            place = self.choices.index(self.given)
        answer = {"text": self.given, "place": place, "message": self._message}
        return super()._shows() | {"answer": answer}

    def __repr__(self) -> str:
        choices = [f"  ( ) {choice}" for choice in self.choices]
        return "\n".join([super().__repr__(), *choices])

    def _wrong(self, given: str, number: float, answer: float) -> str:
        """Return what is wrong with a number that is none of the wrong ones to the last digit."""
        if abs(number - answer) <= typed.half_a_digit(given) * (1 + 1e-9):
            return _ROUNDED
        for value, what in self.misconceptions.items():
            if self._near(number, value):
                return what
        if number < answer:
            return "it is too small"
        return "it is too large"

    def _near(self, number: float, value: float) -> bool:
        off = 0.0 if value else _NEAR_ZERO
        return math.isclose(number, value, rel_tol=self.tolerance, abs_tol=off)


class Code(Asking):
    """A few lines of Python to write, in a cell of the reader's own.

    The reader writes a function in an open cell, runs the cell and presses
    *Check*. It is then called with a few arguments, and what it returns is
    compared with what is right.

    Parameters
    ----------
    prompt : str
        What is to be written.
    function : callable
        Takes nothing and returns the reader's function: ``lambda: posterior``
        finds the newest one.
    like : callable
        A function that is right.
    at : sequence of tuple
        With which arguments both are called, one tuple for each call. A number
        may be off by 1e-6 of the right one, near 0 by 1e-9.
    misconceptions : mapping
        Under what is wrong a function that does it so.
    **helps
        `hint`, `solution` and `then`, as a `Question` has them.

    Attributes
    ----------
    right : bool
        Whether the last check in this kernel found it right.

    Notes
    -----
    What it prints never depends on the reader. The right function is called
    anew at each check, so that a reader's function, which may change its
    arguments, changes nothing here.

    Examples
    --------
    >>> def scale(epsilon):
    ...     return epsilon
    >>> code = Code(
    ...     "Return the scale of the noise.",
    ...     lambda: scale,
    ...     like=lambda epsilon: 1 / epsilon,
    ...     at=[(0.5,), (2,)],
    ...     misconceptions={"that is the rate": lambda epsilon: epsilon},
    ... )
    >>> code
    Code: Return the scale of the noise.
    >>> code.judge()
    (False, 'Not yet: that is the rate.')
    >>> def scale(epsilon):
    ...     return 1 / epsilon
    >>> code.judge()
    (True, 'Right.')
    """

    def __init__(
        self,
        prompt: str,
        function: Callable[[], Callable[..., Any]],
        *,
        like: Callable[..., Any],
        at: Sequence[tuple[Any, ...]],
        misconceptions: Mapping[str, Callable[..., Any]] | None = None,
        **helps: Unpack[Help],
    ) -> None:
        self.function = function
        self.like = like
        self.at = tuple(at)
        self.misconceptions = dict(misconceptions or {})
        super().__init__(prompt, "code", field=_FIELD, **helps)

    def judge(self) -> tuple[bool, str]:
        """Judge the function as it stands at present.

        Returns
        -------
        (bool, str)
            Whether it is right, and what to say about it.
        """
        for arguments in self.at:
            called = f"called with ({', '.join(map(_brief, arguments))}) it"
            try:
                given = self.function()(*arguments)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                return False, f"Not yet: {called} raises {what}"
            if given is None:
                return False, f"Not yet: {called} returns nothing."
            if not _alike(given, self.like(*arguments)):
                wrong = self._wrong(given, arguments)
                wrong = wrong or f"{called} returns {_brief(given)}"
                return False, _not_yet(wrong)
        return True, "Right."

    def known(self) -> tuple[str, ...]:
        return tuple(map(_not_yet, self.misconceptions))

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Check the function, or give the help that a reader asks for."""
        if name == "check":
            self._judge(*self.judge())
        super().asked(name, event)

    def _wrong(self, given: Any, arguments: tuple[Any, ...]) -> str:
        """Return the misconception whose function returns the same, or nothing."""
        for why, function in self.misconceptions.items():
            if _alike(given, function(*arguments)):
                return why
        return ""


def _alike(given: Any, right: Any) -> bool:
    """Tell whether two values are the same: numbers, or arrays of one shape."""
    try:
        given = np.asarray(given, dtype=float)
        right = np.asarray(right, dtype=float)
    except (TypeError, ValueError):
        return False
    if given.shape != right.shape:
        return False
    return np.allclose(given, right, rtol=1e-6, atol=1e-9)


def _not_yet(why: str) -> str:
    """Say what kind of wrong an answer is, be it a sentence or a question."""
    return f"Not yet: {why}" if why.endswith("?") else f"Not yet: {why}."


def _brief(value: Any) -> str:
    """Write a value in a few characters."""
    if callable(value):
        return str(getattr(value, "__name__", "a function"))
    # Without np.float64(…).
    with np.printoptions(precision=4, threshold=8, legacy="1.21"):
        write = str if isinstance(value, np.ndarray) else repr
        text = write(value)
    return text if len(text) <= 80 else text[:77] + "…"
