"""Code that the reader writes, in an open cell of the notebook."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from inspect import signature
from typing import Any, Unpack

import numpy as np

from dpwidgets.inputs.domain import must_be
from dpwidgets.inputs.notation import times
from dpwidgets.inputs.outside import described
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
        A function that is right. Its arguments have the names of the reader's,
        for cells further on may call them by name.
    at : sequence of tuple
        With which arguments both are called, one tuple for each call: such as
        cells further on make, and those that tell what is nearly right. A
        number may be off by 1e-6 of the right one, near 0 by 1e-9.
    misconceptions : mapping
        Under what is wrong a function that does it so.
    **helps
        `hint`, `solution` and `then`, as a `Question` has them.

    Attributes
    ----------
    correct : bool
        Whether the last check in this kernel found it right.

    Raises
    ------
    ValueError
        If a misconception is right in every call.

    Notes
    -----
    What it prints never depends on the reader. What is right can be used
    further on: text is no number, a list no array, and a function that changes
    what it is given is refused.

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
        right = self._returned_by(like)
        for why, wrong in self.misconceptions.items():
            if all(map(_alike, self._returned_by(wrong), right)):
                raise must_be(
                    "misconceptions",
                    f"wrong in one call at least; got “{why}”",
                )
        super().__init__(prompt, "code", field=_FIELD, **helps)

    def judge(self) -> tuple[bool, str]:
        """Judge the function as it stands at present.

        Returns
        -------
        (bool, str)
            Whether it is right, and what to say about it.
        """
        given = [self._given(arguments) for arguments in self.at]
        right = self._returned_by(self.like)
        for arguments, found, wanted in zip(
            self.at, given, right, strict=True
        ):
            if not _alike(found, wanted):
                wrong = (
                    self._wrong(given)
                    or _nearly(given, right)
                    or f"called with ({', '.join(map(_brief, arguments))}) it "
                    f"{_told(found, wanted)}"
                )
                return False, not_yet(wrong)
        return True, "Right."

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Check the function, or give the help that a reader asks for."""
        if name == "check":
            self._judge(*self.judge())
        super().asked(name, event)

    def _given(self, arguments: tuple[Any, ...]) -> Any:
        """Return what the reader's function returns, if it can be called as the right one is."""
        try:
            written = self.function()
            names = [*signature(written).parameters][: len(arguments)]
        except Exception as error:
            return _Failed(f"raises {_in_words(error)}")
        wanted = [*signature(self.like).parameters][: len(arguments)]
        if names != wanted:
            return _Failed(
                f"has no longer the arguments ({', '.join(wanted)}), as cells further on call it"
            )
        return _returned(written, arguments)

    def _wrong(self, given: list[Any]) -> str:
        """Return the misconception that does the same in every call, or nothing."""
        # One call alone may agree by chance.
        for why, function in self.misconceptions.items():
            if all(map(_alike, given, self._returned_by(function))):
                return why
        return ""

    def _returned_by(self, function: Callable[..., Any]) -> list[Any]:
        """Return what a function returns in each call, or what it does instead."""
        return [_returned(function, arguments) for arguments in self.at]


@dataclass(frozen=True)
class _Failed:
    """What a function does instead of returning something to go on with."""

    what: str


def _returned(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return what a function returns, or what it does instead."""
    own = deepcopy(arguments)
    try:
        with np.errstate(all="ignore"):
            given = function(*own)
    except Exception as error:
        return _Failed(f"raises {_in_words(error)}")
    for before, after in zip(arguments, own, strict=True):
        if isinstance(before, list | np.ndarray) and not np.array_equal(
            before, after, equal_nan=True
        ):
            return _Failed(
                "changes what it was given, which cells further on need"
            )
    return given


def _alike(given: Any, right: Any) -> bool:
    """Tell whether two values are the same: numbers, arrays of one shape, or tuples of them."""
    if isinstance(given, _Failed) or isinstance(right, _Failed):
        return type(given) is type(right) and bool(given == right)
    if isinstance(given, tuple) and isinstance(right, tuple):
        return len(given) == len(right) and all(map(_alike, given, right))
    if isinstance(right, np.ndarray) and not isinstance(given, np.ndarray):
        return False
    try:
        given, right = np.asarray(given), np.asarray(right)
    except Exception:  # rows of unequal length, or an object that refuses
        return False
    if given.shape != right.shape or given.dtype.kind not in "biuf":
        return False
    return np.allclose(given, right, rtol=1e-6, atol=1e-9, equal_nan=True)


def _nearly(given: list[Any], right: list[Any]) -> str:
    """Say what kind of wrong it is if only a rounding or a factor is, or nothing."""
    try:
        found, wanted = (np.array(one, dtype=float) for one in (given, right))
    except Exception:  # arrays, tuples, too many digits, or none at all
        return ""
    if found.shape != wanted.shape or not np.isfinite([found, wanted]).all():
        return ""
    if np.array_equal(found, wanted):  # right numbers in a list, say
        return ""
    if np.array_equal(np.round(found), wanted):
        return "that is right, but for rounding to a whole number"
    for digits in range(5):
        rounded = np.round(wanted, digits)
        # To one number alone anything may have been rounded.
        if np.unique(rounded).size > 1 and np.array_equal(found, rounded):
            return "that is right, but rounded: keep all digits"
    # Of one number alone everything is a multiple.
    if np.unique(wanted).size > 1:
        largest = np.argmax(np.abs(wanted))
        factor = found.flat[largest] / wanted.flat[largest]
        if factor and _alike(found, factor * wanted):
            return f"that is {times(factor)} times what is right, each time"
    return ""


def _told(given: Any, right: Any) -> str:
    """Say what a function did that is not right."""
    if isinstance(given, _Failed):
        return given.what
    if given is None:
        return "returns nothing"
    if isinstance(given, list | tuple) and isinstance(right, np.ndarray):
        return f"returns a {type(given).__name__} where an array is due: np.array(…) makes one"
    said = f"returns {_brief(given)}"
    if isinstance(given, tuple | list) and isinstance(right, tuple):
        fine = [*map(_alike, given, right)]
        if True in fine:
            said += f"; number {fine.index(True) + 1} of these is right"
    return said


def _in_words(error: Exception) -> str:
    """Write an error, to stand at the end of a sentence."""
    return f"{type(error).__name__}: {error}".rstrip(".")


def _brief(value: Any) -> str:
    """Write a value in a few characters."""
    if callable(value):
        return str(getattr(value, "__name__", "a function"))
    # Without np.float64(…).
    with np.printoptions(precision=4, threshold=8, legacy="1.21"):
        write = str if isinstance(value, np.ndarray) else described
        text = write(value)
    return text if len(text) <= 80 else text[:77] + "…"
