"""The traits that an explorer's parameters are made of.

A parameter is a trait that knows its domain, words and slider. Its help is the
sentence below it.
"""

import math
from collections.abc import Callable, Container, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from traitlets import HasTraits, TraitError, TraitType

from dpwidgets.inputs import notation, typed
from dpwidgets.inputs.column import ENTRIES, Records, read_column, write_column
from dpwidgets.inputs.domain import EPSILON, Domain, FloatArray, one_of
from dpwidgets.inputs.outside import checked_text, quoted
from dpwidgets.plots.base import Plot
from dpwidgets.plots.still import LOCK

_STEPS = (
    *("1", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.8"),
    *("2", "2.2", "2.5", "2.8", "3", "3.5", "4", "4.5"),
    *("5", "6", "7", "8", "9"),
)
_Got = TypeVar("_Got")
_Given = TypeVar("_Given")
_Option = TypeVar("_Option", str, bool)
#: The ends of a number that says how much may be learned about people, and of
#: one that says how much noise there is.
LEAKAGE = ("more privacy", "more accuracy")
NOISE = ("more accuracy", "more privacy")
_OF_EPSILON = (
    "The privacy parameter: one person changes the probability of any answer at most e^ε times "
    "(where there is no δ)."
)
if TYPE_CHECKING:
    _TraitType = TraitType
else:

    class _TraitType(TraitType, Generic[_Got, _Given]):
        """Traitlets' class, which is generic from version 5.10 on; Colab has 5.7.1."""


def log_grid(low: int, high: int) -> FloatArray:
    """Return the round numbers from 10^low to 10^high, about twenty a decade."""
    # As they are written, without rounding errors.
    numbers = [
        f"{step}e{power}" for power in range(low, high) for step in _STEPS
    ]
    return np.array([*map(float, numbers), 10.0**high])


def whole_grid(high: int) -> FloatArray:
    """Return round whole numbers from 1 to 10^high."""
    return np.unique(log_grid(0, high).round())


def even_grid(low: float, high: float) -> FloatArray:
    """Return round numbers at even distances from `low` to `high`, one or two hundred of them."""
    length = high - low
    power = math.floor(math.log10(length / 100))
    for digit in (1, 2, 5):
        step = float(f"{digit}e{power}")
        if length <= 200 * step:
            break
    steps = range(math.ceil(low / step), math.floor(high / step) + 1)
    return np.unique([float(f"{n * digit}e{power}") for n in steps])


class InvalidValueError(TraitError, ValueError):
    """A value that a parameter does not allow; it is traitlets' error and Python's."""


class Parameter(_TraitType[_Got, _Given]):
    """A trait with a control: what all kinds of parameters have in common.

    Parameters
    ----------
    default_value
        Where it starts.
    label : str
        The control's name, in words and with its symbol.
    unit : str
        What it is measured in.
    argument : bool
        Whether it is an argument of the calculator; otherwise it only steers
        the page.
    """

    follows = ""
    grid: FloatArray = np.empty(0)
    control = "text"
    rows = 1  # of its box

    def __init__(
        self,
        default_value: Any,
        label: str,
        unit: str = "",
        *,
        argument: bool = True,
    ) -> None:
        super().__init__(default_value)
        self.label = label
        self.unit = unit
        self.argument = argument

    def starting(self, value: Any) -> Self:
        """Return the same parameter for another explorer, where it starts with another value."""
        same = copy(self)
        same.default_value = value
        return same

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
        return {
            "kind": self.control,
            "rows": self.rows,
            "name": self.name,
            "label": self.label,
            "help": self.help,
        }

    def code(self, value: Any) -> str:
        """Write a value as Python that needs no import."""
        return repr(value)

    def brief(self, value: Any) -> str:
        """Write a value for the code line on a page."""
        return self.code(value)

    def says(
        self, value: Any, grid: FloatArray, origin: str
    ) -> dict[str, Any]:
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


class Number(Parameter["float", "float | int | None"]):
    """A parameter that is a number, with all that its control needs to know.

    Parameters
    ----------
    default_value, label, unit
        As `Parameter` has them.
    domain : Domain
        What it allows.
    grid : array
        The values that the slider stops at, ascending. A typed value need not
        be one of them.
    equation : str
        Where its text defines it.
    ends : pair of str
        What the two ends of the slider mean, in words below them.
    follows : str
        The name of an attribute of the result, whose value this one has until
        it is set itself.
    optional : bool
        Whether it may be left open: None, and an empty box.
    """

    control = "number"

    def __init__(
        self,
        default_value: float | None,
        domain: Domain,
        grid: FloatArray,
        label: str,
        unit: str = "",
        equation: str = "",
        *,
        ends: tuple[str, str] = ("", ""),
        follows: str = "",
        optional: bool = False,
    ) -> None:
        super().__init__(default_value, label, unit)
        self.tag(sync=True, to_json=_finite)
        self.domain = domain
        self.grid = grid
        self.equation = equation
        self.ends = ends
        self.follows = follows
        self.optional = optional
        self.may_be_open = optional or bool(follows)

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value as a number, or raise an error that says why not.

        What follows from the others is taken whatever it is: it may be rounded
        to a domain's end.
        """
        state = getattr(obj, "state", None)
        if state is not None and value is state.values.get(self.name):
            return value
        return super().validate(obj, value)

    def checked(self, value: Any) -> float | None:
        if value is None and self.may_be_open:
            return None
        return self.domain.check_one(str(self.name), value)

    def typed(self, text: str) -> float | None:
        if self.may_be_open and not text.strip():
            return None
        return typed.parse(text)

    def written(self, value: float | None) -> str:
        if value is None:
            return ""
        return notation.exact(value)

    def code(self, value: float) -> str:
        return self.written(value)

    def about(self) -> dict[str, Any]:
        hints = filter(None, (self.unit, self.equation))
        own = {"hint": " · ".join(hints), "ends": list(self.ends)}
        return super().about() | own

    def says(
        self, value: float | None, grid: FloatArray, origin: str
    ) -> dict[str, Any]:
        """Return what the control shows: the slider the nearest stop, the box the number itself."""
        # ε of "Epsilon (ε)".
        symbol = self.label.partition("(")[2].rstrip(")") or self.label
        says = {
            "max": len(grid) - 1,
            "remark": self._remark(value, origin),
            "solved": origin == "solved",
        }
        if value is None:
            spoken = f"{symbol} is left open"
            return says | {"place": 0, "text": "", "spoken": spoken}
        digits = 5 if origin else 9
        between = (grid[1:] + grid[:-1]) / 2
        text = notation.exact(value)
        if origin or "/" not in text:
            text = notation.exact(float(f"{value:.{digits}g}"))
        return says | {
            "place": int(np.searchsorted(between, value)),
            "text": text,
            "spoken": f"{symbol} = {notation.show(value, digits)}",
        }

    def _remark(self, value: float | None, origin: str) -> str:
        """Say where the value comes from, or how to give it back."""
        if self.optional and value is None:
            return "left open"
        if self.optional:
            return "empty the box to leave it open"
        if origin == "solved":
            return "follows from the others"
        leader = self.follows.replace("_", " ")
        if origin == "following":
            return f"the same as {leader} until you move it"
        if leader:
            return f"empty the box to follow {leader} again"
        return ""

    def heard(self, event: Mapping[str, Any], grid: FloatArray) -> Any:
        if "place" not in event:
            return super().heard(event, grid)
        return float(grid.take(int(event["place"]), mode="clip"))


class Epsilon(Number):
    """The privacy parameter ε: alike in every explorer, so that any two can be linked by it."""

    def __init__(
        self,
        default_value: float | None,
        equation: str = "",
        *,
        follows: str = "",
    ) -> None:
        super().__init__(
            default_value,
            EPSILON,
            log_grid(-3, 1),
            "Epsilon (ε)",
            "",
            equation,
            ends=LEAKAGE,
            follows=follows,
        )
        self.help = _OF_EPSILON


class Column(Parameter["Records", "Any"]):
    """A parameter that is a list of numbers, each perhaps with a name: typed, or from Python.

    Parameters
    ----------
    default_value, label, unit
        As `Parameter` has them; it starts with a tuple of numbers, or a dict of
        them by name.
    read : callable
        Makes such a tuple or dict of whatever is assigned, or raises an error
        that says what is allowed.
    masses : bool
        Whether they are probabilities.
    """

    rows = 2

    def __init__(
        self,
        default_value: Records,
        read: Callable[[Any], Records],
        label: str,
        unit: str,
        *,
        masses: bool = False,
    ) -> None:
        super().__init__(default_value, label, unit)
        self.read = read
        self.masses = masses

    def default(self, obj: Any = None) -> Records:
        """Return the start value, a copy of its own for each explorer."""
        return self.read(self.default_value)

    def checked(self, value: Any) -> Records:
        return self.read(value)

    def says(
        self, value: Records, grid: FloatArray, origin: str
    ) -> dict[str, Any]:
        remark = (
            f"{len(value):,} {self.unit} · commas, spaces or lines between them "
            "· Tab takes them over"
        )
        return {"text": write_column(value), "remark": remark}

    def typed(self, text: str) -> Records:
        return read_column(text, masses=self.masses)

    def written(self, value: Records) -> str:
        text = write_column(value)
        if len(value) > ENTRIES or read_column(text) != value:
            raise ValueError(
                f"{self.name} must be at most {ENTRIES} numbers with plain names for a link"
            )
        return text

    def code(self, value: Records) -> str:
        return repr(value) if len(value) > ENTRIES else self.brief(value)

    def brief(self, value: Records) -> str:
        if len(value) > ENTRIES:
            words = write_column(value).replace("; ", ", ")
        elif isinstance(value, dict):
            numbers = map(notation.exact, value.values())
            words = ", ".join(map("{!r}: {}".format, value, numbers))
        else:
            words = ", ".join(map(notation.exact, value))
        return f"{{{words}}}" if isinstance(value, dict) else f"({words})"


class TextBox(Parameter[str, str]):
    """A parameter that is words, at most so many characters, and none only if it starts empty."""

    def __init__(
        self,
        default_value: str,
        longest: int,
        label: str,
        rows: int = 1,
        *,
        argument: bool = True,
    ) -> None:
        super().__init__(default_value, label, argument=argument)
        self.tag(sync=True)
        self.longest = longest
        self.rows = rows

    def checked(self, value: Any) -> str:
        words = checked_text(str(self.name), value, self.longest)
        is_seen = words.strip() and (self.rows > 1 or words.isprintable())
        if self.default_value and not is_seen:
            what = f"words on one line; got {quoted(words)}"
            raise ValueError(f"{self.name} must be {what}")
        return words


class Choice(Parameter[_Option, _Option]):
    """A parameter that is one of a few values.

    Parameters
    ----------
    default_value, label, argument
        As `Parameter` has them.
    options : mapping
        Each allowed value with the label that its button shows.
    control : {"choice", "switch"}
        Whether its options are buttons, or one switch that is on for the first
        of two.
    """

    def __init__(
        self,
        default_value: _Option,
        options: Mapping[_Option, str],
        label: str,
        *,
        argument: bool = True,
        control: str = "choice",
    ) -> None:
        super().__init__(default_value, label, argument=argument)
        self.tag(sync=True)
        self.options: Mapping[_Option, str] = options
        self.control = control

    def checked(self, value: Any) -> Any:
        return one_of(str(self.name), value, self.options)

    def about(self) -> dict[str, Any]:
        return super().about() | {"options": list(self.options.values())}

    def says(
        self, value: Any, grid: FloatArray, origin: str
    ) -> dict[str, Any]:
        return {"place": list(self.options).index(value)}

    def heard(self, event: Mapping[str, Any], grid: FloatArray) -> Any:
        return list(self.options)[int(event["place"])]

    def typed(self, text: str) -> Any:
        options: dict[str, Any] = {str(one): one for one in self.options}
        return options.get(text, text)


class SolveFor(Choice[str]):
    """The parameter that says which of several, attributes of the result, follows from the others.

    Parameters
    ----------
    next_to_follow : str
        Which one follows next, when the one that follows is given itself.
    **options : str
        The name of each parameter that can follow, with the label that its
        button shows; the first follows at the start.
    """

    def __init__(self, *, next_to_follow: str, **options: str) -> None:
        super().__init__(
            next(iter(options)), options, "Solve for", argument=False
        )
        self.next_to_follow = next_to_follow

    def free(self, given: Container[str]) -> list[str]:
        """Return those that are not given, the next to follow first."""
        names = dict.fromkeys([self.next_to_follow, *self.options])
        return [name for name in names if name not in given]


class Views(Choice[str]):
    """The parameter that says which picture is shown: each view's button and plot."""

    def __init__(self, **views: tuple[str, type[Plot]]) -> None:
        labels = {name: label for name, (label, _) in views.items()}
        super().__init__(next(iter(views)), labels, "Picture", argument=False)
        self.plots = {name: plot for name, (_, plot) in views.items()}


def _finite(value: float | None, _: object) -> float | None:
    """Return a number for JSON, which has no infinity."""
    return None if value is None or not math.isfinite(value) else value
