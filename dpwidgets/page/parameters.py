"""The traits that an explorer's parameters are made of.

A parameter is declared once, as a trait that knows its domain, its words and its grid; the page of
an explorer is drawn from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from typing import Any, TypeVar, Unpack

import numpy as np
from traitlets import HasTraits

from dpwidgets.inputs import notation
from dpwidgets.inputs.domain import EPSILON, Domain, FloatArray, one_of
from dpwidgets.inputs.outside import checked_text
from dpwidgets.page.kind import InvalidValueError as InvalidValueError, Kind as Kind, Said
from dpwidgets.page.typed import ENTRIES, Column, read_column, write_column
from dpwidgets.plots.base import Plot

_STEPS = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)
_Option = TypeVar("_Option", str, bool)


def log_grid(low: int, high: int) -> FloatArray:
    """Return the round numbers from 10^low to 10^high, about twenty a decade."""
    decades = [float(f"{step}e{power}") for power in range(low, high) for step in _STEPS]
    return np.array([*decades, 10.0**high])


def even_grid(low: float, high: float) -> FloatArray:
    """Return round numbers at even distances from `low` to `high`, one or two hundred of them."""
    power = math.floor(math.log10((high - low) / 100))
    digit = next((one for one in (1, 2) if high - low <= 200 * float(f"{one}e{power}")), 5)
    step = float(f"{digit}e{power}")
    first, last = math.ceil(low / step), math.floor(high / step)
    return np.unique([float(f"{n * digit}e{power}") for n in range(first, last + 1)])


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
    equation : str
        Where the text defines it.
    ends : (str, str)
        What the two ends of the slider mean.
    follows : str
        The name of an attribute of the result, whose value this one has until it is set itself.
    optional : bool
        Whether it may be left open: None, and an empty box.
    **said : str
        Its `label`, `help` and `unit`, as `Kind` has them.
    """

    control = "number"

    def __init__(
        self,
        default_value: float | None,
        *,
        domain: Domain,
        grid: FloatArray,
        equation: str = "",
        ends: tuple[str, str] = ("", ""),
        follows: str = "",
        optional: bool = False,
        **said: Unpack[Said],
    ) -> None:
        super().__init__(default_value, **said)
        self.tag(sync=True, to_json=_finite)
        self.domain, self.grid, self.optional = domain, grid, optional
        self.equation, self.ends, self.follows = equation, ends, follows

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value as a float (whole numbers as int), or raise an error that says why not.

        What follows from the others is taken whatever it is, since nobody gave it: it may be a
        number that was rounded to the end of its domain.
        """
        state = getattr(obj, "state", None)
        if state is not None and value is state.values.get(self.name):
            return value
        return super().validate(obj, value)

    def checked(self, value: Any) -> float | None:
        """Return the value as a float, or as an int where only whole numbers are allowed."""
        if value is None and self.may_be_open:
            return None
        number = self.domain.check_one(str(self.name), value)
        return int(number) if self.domain.whole else number

    @property
    def may_be_open(self) -> bool:
        """Whether it may be None: it then follows another parameter, or is left out."""
        return bool(self.follows or self.optional)

    def typed(self, text: str) -> float | None:
        """Return the number that a text says; an empty one leaves open what may be open."""
        return None if self.may_be_open and not text.strip() else notation.parse(text)

    def written(self, value: float | None) -> str:
        return "" if value is None else repr(value).removesuffix(".0")

    def about(self) -> dict[str, Any]:
        """Return what never changes about the control."""
        hint = " · ".join(filter(None, (self.unit, self.equation)))
        return super().about() | {"hint": hint, "ends": list(self.ends)}

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
        """Return the number at the slider's place, or the one that was typed."""
        if "place" in event:
            return float(grid[min(max(int(event["place"]), 0), len(grid) - 1)])
        return super().heard(event, grid)


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
    **said : str
        Its `label`, `help` and `unit`, as `Kind` has them.
    """

    rows = 2

    def __init__(
        self, default_value: Column, *, read: Callable[[Any], Column], **said: Unpack[Said]
    ) -> None:
        super().__init__(default_value, **said)
        self.read = read

    def default(self, obj: Any = None) -> Column:
        """Return the start value, a copy of its own for each explorer."""
        return self.checked(self.default_value)

    def checked(self, value: Any) -> Column:
        return self.read(value)

    def says(self, value: Column, grid: FloatArray, origin: str) -> dict[str, Any]:
        """Return what the control shows of a value; a long one is shortened."""
        count = f"{len(value):,} {self.unit}".strip()
        return {"text": write_column(value), "remark": f"{count} · {_BETWEEN}"}

    def typed(self, text: str) -> Column:
        return read_column(text)

    def written(self, value: Column) -> str:
        text = write_column(value)
        if len(value) > ENTRIES or read_column(text) != value:
            plain = f"at most {ENTRIES} numbers with plain names for a link"
            raise ValueError(f"{self.name} must be {plain}")
        return text

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
    longest : int
        How many characters it may have; it has at least one.
    rows : int
        How many lines its box shows; with one it is a line.
    **said : str
        Its `label` and `help`, as `Kind` has them.
    """

    def __init__(
        self, default_value: str, *, longest: int, rows: int = 1, **said: Unpack[Said]
    ) -> None:
        super().__init__(default_value, **said)
        self.tag(sync=True)
        self.longest, self.rows = longest, rows

    def checked(self, value: Any) -> str:
        words = checked_text(str(self.name), value, self.longest)
        if not words.strip():
            raise ValueError(f"{self.name} must be a word; it is empty")
        return words


class Choice(Kind[_Option, _Option]):
    """A parameter that is one of a few values.

    Parameters
    ----------
    default_value : str or bool
        Where it starts.
    options : mapping
        Each allowed value with the label that its button shows.
    argument : bool
        Whether it is an argument of the calculator; otherwise it only steers the page.
    control : {"choice", "select", "switch"}
        Whether its options are buttons, a menu, or one switch that is on for the first of two.
    **said : str
        Its `label` and `help`, as `Kind` has them.
    """

    def __init__(
        self,
        default_value: _Option,
        options: Mapping[_Option, str],
        *,
        argument: bool = True,
        control: str = "choice",
        **said: Unpack[Said],
    ) -> None:
        super().__init__(default_value, **said)
        self.tag(sync=True)
        self.options: Mapping[_Option, str] = options
        self.argument, self.control = argument, control

    def checked(self, value: Any) -> Any:
        return one_of(str(self.name), value, self.options)

    def about(self) -> dict[str, Any]:
        return super().about() | {"options": list(self.options.values())}

    def says(self, value: Any, grid: FloatArray, origin: str) -> dict[str, Any]:
        return {"place": list(self.options).index(value)}

    def heard(self, event: Mapping[str, Any], grid: FloatArray) -> Any:
        return list(self.options)[int(event["place"])]

    def typed(self, text: str) -> Any:
        return {str(option): option for option in self.options}.get(text, text)


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

    def free(self, given: Container[str]) -> list[str]:
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


Parameter = Kind[Any, Any]

_ORIGINS = {"solved": "follows from the others", "following": "the same as {} until you move it"}
_BETWEEN = "commas, spaces or lines between them · Tab takes them over"


def _symbol(label: str) -> str:
    """Return the symbol in the brackets of a label, like ε, or the whole label if it has none."""
    return label.partition("(")[2].rstrip(")") or label


def _finite(value: float | None, _: object) -> float | None:
    """Return a number for JSON, which has no infinity."""
    return value if value is None or math.isfinite(value) else None
