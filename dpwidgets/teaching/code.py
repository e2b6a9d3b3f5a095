"""Code that the reader writes, in an open cell of the notebook."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Unpack

import numpy as np

from dpwidgets.page.page import words
from dpwidgets.teaching.asking import Asking, Help, not_yet

_FIELD = words(
    "note", text="Write it in the cell above and run that cell; then check."
)


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
    correct : bool
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
                return False, not_yet(f"{called} raises {what.rstrip('.')}")
            if given is None:
                return False, f"Not yet: {called} returns nothing."
            if not _alike(given, self.like(*arguments)):
                wrong = self._wrong() or f"{called} returns {_brief(given)}"
                return False, not_yet(wrong)
        return True, "Right."

    def known(self) -> tuple[str, ...]:
        return tuple(map(not_yet, self.misconceptions))

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Check the function, or give the help that a reader asks for."""
        if name == "check":
            self._judge(*self.judge())
        super().asked(name, event)

    def _wrong(self) -> str:
        """Return the misconception that returns the same in every call, or nothing."""
        written = self.function()
        for why, function in self.misconceptions.items():
            # One call alone may agree by chance.
            with suppress(Exception):
                if all(_alike(written(*a), function(*a)) for a in self.at):
                    return why
        return ""


def _alike(given: Any, right: Any) -> bool:
    """Tell whether two values are the same: numbers, arrays of one shape, or tuples of them."""
    if isinstance(given, tuple) and isinstance(right, tuple):
        return len(given) == len(right) and all(map(_alike, given, right))
    try:
        given = np.asarray(given, dtype=float)
        right = np.asarray(right, dtype=float)
    except (TypeError, ValueError):
        return False
    if given.shape != right.shape:
        return False
    return np.allclose(given, right, rtol=1e-6, atol=1e-9)


def _brief(value: Any) -> str:
    """Write a value in a few characters."""
    if callable(value):
        return str(getattr(value, "__name__", "a function"))
    # Without np.float64(…).
    with np.printoptions(precision=4, threshold=8, legacy="1.21"):
        write = str if isinstance(value, np.ndarray) else repr
        text = write(value)
    return text if len(text) <= 80 else text[:77] + "…"
