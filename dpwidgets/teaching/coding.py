"""Functions that a reader writes: the page says whether they do what they should."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from dpwidgets.page.page import words
from dpwidgets.teaching.asking import Asking, Help

_FIELD = words("note", text="Write it in the cell above and run that cell; then check.")


class Code(Asking):
    """A few lines of Python to write, in a cell of the reader's own.

    The reader writes a function in an open cell, runs the cell and presses *Check*. It is then
    called with a few arguments, and what it returns is compared with what is right.

    Parameters
    ----------
    prompt : str
        What is to be written.
    function : callable
        Takes nothing and returns the reader's function: ``lambda: posterior`` finds the newest one.
    like : callable
        A function that is right.
    at : sequence of tuple
        With which arguments both are called, one tuple for each call.
    tolerance : float
        How far a number may be off, as a fraction of the right one; near 0 by 1e-9.
    misconceptions : mapping
        Under what is wrong a function that does it so.
    **helps
        `hint`, `solution` and `then`, as a `Question` has them.

    Attributes
    ----------
    attempts : int
        How often it was checked, in earlier kernels too.
    right : bool
        Whether the last check in this kernel found it right.
    solved : bool
        Whether any did, in earlier kernels too.

    Notes
    -----
    What it prints never depends on the reader. The right function is called anew at each check, so
    that a reader's function, which may change its arguments, changes nothing here.

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
        tolerance: float = 1e-6,
        misconceptions: Mapping[str, Callable[..., Any]] | None = None,
        **helps: Unpack[Help],
    ) -> None:
        self.function, self.like, self.at = function, like, tuple(at)
        self.tolerance = tolerance
        self.misconceptions = dict(misconceptions or {})
        self.state = {}
        super().__init__(prompt, key=("code",), field=_FIELD, **helps)

    def judge(self) -> tuple[bool, str]:
        """Judge the function as it stands at present.

        Returns
        -------
        (bool, str)
            Whether it is right, and what to say about it.
        """
        for arguments in self.at:
            called = f"({', '.join(map(_brief, arguments))})"
            try:
                given = self.function()(*arguments)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                return False, f"Not yet: called with {called} it raises {what}"
            if given is None:
                return False, f"Not yet: called with {called} it returns nothing."
            if not self._alike(given, self.like(*arguments)):
                for wrong, does in self.misconceptions.items():
                    if self._alike(given, does(*arguments)):
                        return False, f"Not yet: {wrong}."
                return False, f"Not yet: called with {called} it returns {_brief(given)}."
        return True, "Right."

    def checks(self) -> dict[str, Any]:
        """Return nothing: a page without a kernel cannot run what a reader writes."""
        return {}

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Check the function, or give the help that a reader asks for."""
        if name == "check":
            self._judge(*self.judge())
        super().asked(name, event)

    def __repr__(self) -> str:
        return f"Code: {self.prompt}"

    def _alike(self, given: Any, right: Any) -> bool:
        """Tell whether two values are the same: numbers, or arrays of one shape."""
        try:
            given, right = np.asarray(given, dtype=float), np.asarray(right, dtype=float)
        except (TypeError, ValueError):
            return False
        if given.shape != right.shape:
            return False
        return bool(np.allclose(given, right, rtol=self.tolerance, atol=1e-9))


def _brief(value: Any) -> str:
    """Write a value in a few characters."""
    if callable(value):
        return str(getattr(value, "__name__", "a function"))
    with np.printoptions(precision=4, threshold=8, legacy="1.21"):  # without np.float64(…)
        shown = str(value) if isinstance(value, np.ndarray) else repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "…"
