"""What all kinds of parameters have in common: each is a trait that knows its control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, NotRequired, TypedDict, TypeVar

import numpy as np
from traitlets import HasTraits, TraitError, TraitType

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.plots.base import LOCK

_Got = TypeVar("_Got")
_Given = TypeVar("_Given")
if TYPE_CHECKING:
    _TraitType = TraitType
else:

    class _TraitType(TraitType, Generic[_Got, _Given]):
        """Traitlets' class, which is generic from version 5.10 on; Colab has 5.7.1."""


class InvalidValueError(TraitError, ValueError):
    """A value that a parameter does not allow; it is traitlets' error and Python's."""


class Said(TypedDict):
    """What every kind of parameter says of itself."""

    label: str
    help: str
    unit: NotRequired[str]


class Kind(_TraitType[_Got, _Given]):
    """What all kinds of parameters have in common.

    Parameters
    ----------
    default_value : object
        Where it starts.
    label : str
        The control's name, in words and with its symbol.
    help : str
        One sentence about it, which editors show as the docstring below it.
    unit : str
        What it is measured in.
    """

    argument = True  # of the calculator; otherwise it only steers the page
    follows = ""
    grid: FloatArray = np.empty(0)
    control = "text"
    rows = 1  # of its box

    def __init__(
        self,
        default_value: Any,
        *,
        label: str,
        help: str,  # noqa: A002 — traitlets' own word
        unit: str = "",
    ) -> None:
        super().__init__(default_value, help=help)
        self.label, self.unit = label, unit

    def set(self, obj: HasTraits, value: Any) -> None:
        """Set a value and show what follows, before any other thread sets one."""
        with LOCK:
            super().set(obj, value)

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value as the calculator takes it, or raise an error that says why not."""
        try:
            return self.checked(value)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None

    def checked(self, value: Any) -> Any:
        """Return the value, or raise an error that says what is allowed."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        words = {"name": self.name, "label": self.label, "help": self.help}
        return {"kind": self.control, "rows": self.rows, **words}

    def brief(self, value: Any) -> str:
        """Write a value for the code line on a page."""
        return repr(value)

    def says(self, value: Any, grid: FloatArray, origin: str) -> dict[str, Any]:
        """Return what the control shows of a value, which is the reader's if `origin` is empty."""
        return {"text": value}

    def heard(self, event: Mapping[str, Any], grid: FloatArray) -> Any:
        """Return the value that a reader has set, or raise an error that says why it is none."""
        return self.typed(str(event["text"]))

    def typed(self, text: str) -> Any:
        """Return the value that a text says, not checked yet; what says none is a ValueError."""
        return text

    def written(self, value: Any) -> str:
        """Write a value so that `typed` reads it again; what cannot be written is a ValueError."""
        return str(value)
