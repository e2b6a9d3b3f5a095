"""The traits that an explorer's parameters are made of.

A parameter is declared once, as a trait that knows its domain, its words and its grid; the page of
an explorer is drawn from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from traitlets import HasTraits, TraitError, TraitType

from dpwidgets.inputs import notation
from dpwidgets.inputs.domain import EPSILON, Domain, FloatArray, one_of
from dpwidgets.inputs.outside import checked_text
from dpwidgets.page.typed import ENTRIES, Column, read_column, write_column
from dpwidgets.plots.base import LOCK, Plot

_STEPS = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)
_Option = TypeVar("_Option", str, bool)
_Got = TypeVar("_Got")
_Given = TypeVar("_Given")
if TYPE_CHECKING:
    _TraitType = TraitType
else:

    class _TraitType(TraitType, Generic[_Got, _Given]):
        """Traitlets' class, which is generic from version 5.10 on; Colab has 5.7.1."""


class InvalidValueError(TraitError, ValueError):
    """A value that a parameter does not allow; it is traitlets' error and Python's."""


def log_grid(low: int, high: int) -> FloatArray:
    """Return the round numbers from 10^low to 10^high, about twenty a decade."""
    decades = [float(f"{step}e{power}") for power in range(low, high) for step in _STEPS]
    return np.array([*decades, 10.0**high])


def even_grid(low: float, high: float) -> FloatArray:
    """Return round numbers at even distances from `low` to `high`, one or two hundred of them."""
    power = math.floor(math.log10((high - low) / 100))
    steps = [float(f"{digit}e{power}") for digit in (1, 2, 5)]
    at_most = zip((1, 2), steps, strict=False)
    digit = next((digit for digit, step in at_most if high - low <= 200 * step), 5)
    step = float(f"{digit}e{power}")
    first, last = math.ceil(low / step), math.floor(high / step)
    return np.unique([float(f"{n * digit}e{power}") for n in range(first, last + 1)])


class Kind(_TraitType[_Got, _Given]):
    """What all kinds of parameters have in common."""

    def set(self, obj: HasTraits, value: Any) -> None:
        """Set a value and show what follows, before any other thread sets one."""
        with LOCK:
            super().set(obj, value)


class Number(Kind["float", "float | int | None"]):
    """A parameter that is a number, with all that its control needs to know.

    Parameters
    ----------
    default_value : float
        Where it starts.
    domain : Domain
        What it allows.
    grid : array
        The values that the slider stops at, ascending. A typed value need not be one of them.
    label : str
        The control's name, in words and with its symbol.
    unit : str
        What it is measured in.
    equation : str
        Where the text defines it.
    ends : (str, str)
        What the two ends of the slider mean.
    help : str
        One sentence about it.
    follows : str
        The name of an attribute of the result, whose value this one has until it is set itself.
    optional : bool
        Whether it may be left open: None, and an empty box.
    """

    argument = True  # of the calculator

    def __init__(
        self,
        default_value: float | None,
        *,
        domain: Domain,
        grid: FloatArray,
        label: str,
        help: str,  # noqa: A002 — traitlets' own word
        unit: str = "",
        equation: str = "",
        ends: tuple[str, str] = ("", ""),
        follows: str = "",
        optional: bool = False,
    ) -> None:
        super().__init__(default_value, help=help)
        self.tag(sync=True, to_json=_finite)
        self.domain, self.grid, self.label, self.unit = domain, grid, label, unit
        self.optional = optional
        self.equation, self.ends, self.follows = equation, ends, follows

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value as a float (whole numbers as int), or raise an error that says why not.

        What follows from the others is taken whatever it is, since nobody gave it: it may be a
        number that was rounded to the end of its domain.
        """
        if value is None and self.may_be_open:
            return None
        state = getattr(obj, "state", None)
        if state is not None and value is state.values.get(self.name):
            return value
        try:
            number = self.domain.check_one(str(self.name), value)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None
        return int(number) if self.domain.whole else number

    @property
    def may_be_open(self) -> bool:
        """Whether it may be None: it then follows another parameter, or is left out."""
        return bool(self.follows or self.optional)

    def typed(self, text: str) -> float | None:
        """Return the number that a text says; an empty one leaves open what may be open.

        Raises
        ------
        ValueError
            If it is no number.
        """
        return None if self.may_be_open and not text.strip() else notation.parse(text)

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        hint = " · ".join(filter(None, (self.unit, self.equation)))
        return _about(self, "number") | {"hint": hint, "ends": list(self.ends)}

    def says(self, value: float | None, grid: FloatArray, origin: str) -> dict[str, Any]:
        """Return what the control shows of a value, which is the reader's if `origin` is empty.

        The slider holds a place in the grid, so it has no values of its own to round: it shows the
        nearest one, and never changes a number that was typed.
        """
        remark = _ORIGINS.get(origin, "").format(self.follows.replace("_", " "))
        if not origin and self.follows:
            remark = f"empty the box to follow {self.follows.replace('_', ' ')} again"
        if self.optional:
            remark = "left open" if value is None else "empty the box to leave it open"
        says = {"max": len(grid) - 1, "remark": remark, "solved": origin == "solved"}
        if value is None:
            return says | {"place": 0, "text": "", "spoken": f"{_symbol(self.label)} is left open"}
        digits = 5 if origin else 9
        place = int(np.searchsorted((grid[1:] + grid[:-1]) / 2, value))
        spoken = f"{_symbol(self.label)} = {notation.show(value, digits)}"
        return says | {"place": place, "text": f"{value:.{digits}g}", "spoken": spoken}

    def heard(self, event: Mapping[str, Any], grid: FloatArray) -> Any:
        """Return the value that a reader has set, or raise an error that says why it is none."""
        if "place" in event:
            return float(grid[min(max(int(event["place"]), 0), len(grid) - 1)])
        return self.typed(str(event["text"]))


class Epsilon(Number):
    """The privacy parameter ε: the same domain, slider and words in every explorer.

    So any two explorers can be linked by it.
    """

    def __init__(
        self, default_value: float | None, *, equation: str = "", follows: str = ""
    ) -> None:
        super().__init__(
            default_value,
            domain=EPSILON,
            grid=log_grid(-3, 1),
            label="Epsilon (ε)",
            equation=equation,
            ends=("more privacy", "more accuracy"),
            help=(
                "The privacy parameter: one person changes the probability of any answer at most "
                "e^ε times (where there is no δ)."
            ),
            follows=follows,
        )


class Numbers(Kind["Column", "Any"]):
    """A parameter that is a list of numbers, each perhaps with a name.

    It is typed as text, or assigned from Python.

    Parameters
    ----------
    default_value : tuple or dict
        Where it starts: numbers, or under each name its number.
    read : callable
        Takes whatever is assigned (a sequence, an array, a pandas Series, a mapping) and returns
        such a tuple or dict, or raises an error that says what is allowed.
    label : str
        The control's name.
    unit : str
        What the numbers are.
    help : str
        One sentence about it.
    """

    argument = True

    def __init__(
        self,
        default_value: Column,
        *,
        read: Callable[[Any], Column],
        label: str,
        help: str,  # noqa: A002
        unit: str = "",
    ) -> None:
        super().__init__(default_value, help=help)
        self.read, self.label, self.unit = read, label, unit

    def default(self, obj: Any = None) -> Column:
        """Return the start value, a copy of its own for each explorer."""
        return self.read(self.default_value)

    def validate(self, obj: HasTraits, value: Any) -> Column:
        """Return the numbers as a tuple or, with names, as a dict; or say which one is bad."""
        try:
            return self.read(value)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        return _about(self, "text") | {"rows": 2}

    def says(self, value: Column, *_: Any) -> dict[str, Any]:
        """Return what the control shows of a value; a long one is shortened."""
        count = f"{len(value):,} {self.unit}".strip()
        return {"text": write_column(value), "remark": f"{count} · {_BETWEEN}"}

    def heard(self, event: Mapping[str, Any], *_: Any) -> Column:
        """Return the value that a reader has set, or raise an error that says why it is none."""
        return read_column(str(event["text"]))

    def brief(self, value: Column) -> str:
        """Write the list for a page: like Python does, and shortened if it is long."""
        if len(value) <= ENTRIES:
            return repr(value)
        words = write_column(value)
        return (f"{{{words}}}" if isinstance(value, dict) else f"({words})").replace("; ", ", ")


class Words(Kind[str, str]):
    """A parameter that is a word or a few, typed into a box.

    Parameters
    ----------
    default_value : str
        Where it starts.
    label : str
        The control's name.
    longest : int
        How many characters it may have; it has at least one.
    help : str
        One sentence about it.
    """

    argument = True

    def __init__(
        self,
        default_value: str,
        *,
        label: str,
        longest: int,
        help: str,  # noqa: A002
    ) -> None:
        super().__init__(default_value, help=help)
        self.tag(sync=True)
        self.label, self.longest = label, longest

    def validate(self, obj: HasTraits, value: Any) -> str:
        """Return the words, or raise an error that says what is wrong with them."""
        try:
            words = checked_text(str(self.name), value, self.longest)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None
        if not words.strip():
            raise InvalidValueError(f"{self.name} must be a word; it is empty")
        return words

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        return _about(self, "text") | {"rows": 1}

    def says(self, value: str, *_: Any) -> dict[str, Any]:
        """Return what the control shows of a value."""
        return {"text": value}

    def heard(self, event: Mapping[str, Any], *_: Any) -> str:
        """Return the words that a reader has typed."""
        return str(event["text"])


class Choice(Kind[_Option, _Option]):
    """A parameter that is one of a few values.

    Parameters
    ----------
    default_value : str or bool
        Where it starts.
    options : mapping
        Each allowed value with the label that its button shows.
    label : str
        The control's name.
    help : str
        One sentence about it.
    argument : bool
        Whether it is an argument of the calculator; otherwise it only steers the page.
    control : {"choice", "select", "switch"}
        Whether its options are buttons, a menu, or one switch that is on for the first of two.
    """

    def __init__(
        self,
        default_value: _Option,
        options: Mapping[_Option, str],
        *,
        label: str,
        help: str,  # noqa: A002
        argument: bool = True,
        control: str = "choice",
    ) -> None:
        super().__init__(default_value, help=help)
        self.tag(sync=True)
        self.options: Mapping[_Option, str] = options
        self.label, self.argument, self.control = label, argument, control

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value, or raise an error that lists the allowed ones."""
        try:
            return one_of(str(self.name), value, self.options)
        except ValueError as error:
            raise InvalidValueError(str(error)) from None

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        return _about(self, self.control) | {"options": list(self.options.values())}

    def says(self, value: Any, *_: Any) -> dict[str, Any]:
        """Return what the control shows of a value."""
        return {"place": list(self.options).index(value)}

    def heard(self, event: Mapping[str, Any], *_: Any) -> Any:
        """Return the option that a reader has chosen."""
        return list(self.options)[int(event["place"])]


class SolveFor(Choice[str]):
    """The parameter that says which of several follows from the others.

    The result must have an attribute of each of these names.

    Parameters
    ----------
    default_value : str
        Which one follows at the start.
    options : mapping
        The name of each parameter that can follow, with the label that its button shows.
    then : str
        Which one follows next, when the one that follows is given itself.
    help : str
        One sentence about it.
    """

    def __init__(
        self,
        default_value: str,
        options: Mapping[str, str],
        *,
        then: str,
        help: str,  # noqa: A002
    ) -> None:
        super().__init__(default_value, options, label="Solve for", help=help, argument=False)
        self.then = then

    def free(self, given: Mapping[str, Any]) -> list[str]:
        """Return those that are not given, the next to follow first."""
        return [name for name in dict.fromkeys([self.then, *self.options]) if name not in given]


class Views(Choice[str]):
    """The parameter that says which picture is shown.

    Parameters
    ----------
    **views : (str, type[Plot])
        Under each name the label of its button and the class of its plot; the first is shown first.
    """

    def __init__(self, **views: tuple[str, type[Plot]]) -> None:
        super().__init__(
            next(iter(views)),
            {name: label for name, (label, _) in views.items()},
            label="Picture",
            help="Which picture to show.",
            argument=False,
        )
        self.plots = {name: plot for name, (_, plot) in views.items()}


Parameter = Number | Numbers | Words | Choice[Any]

_ORIGINS = {"solved": "follows from the others", "following": "the same as {} until you move it"}
_BETWEEN = "commas, spaces or lines between them · Tab takes them over"


def _about(trait: Parameter, kind: str) -> dict[str, Any]:
    return {"kind": kind, "name": trait.name, "label": trait.label, "help": trait.help}


def _symbol(label: str) -> str:
    """Return the symbol in the brackets of a label, like ε, or the whole label if it has none."""
    return label.partition("(")[2].rstrip(")") or label


def _finite(value: float | None, _: object) -> float | None:
    """Return a number for JSON, which has no infinity."""
    return value if value is None or math.isfinite(value) else None
