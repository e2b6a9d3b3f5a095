"""The traits that an explorer's parameters are made of, and the control of each.

A parameter is declared once, as a trait that knows its domain, its words and its grid; the base
class builds the control from it.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import numpy as np
from ipywidgets import (
    HTML,
    Box,
    IntSlider,
    Label,
    Layout,
    Text,
    Textarea,
    ToggleButtons,
    VBox,
    Widget,
)
from traitlets import HasTraits, TraitError, TraitType

from dpwidgets import notation
from dpwidgets.calculators.domain import POSITIVE, Domain, FloatArray
from dpwidgets.widgets.typed import ENTRIES, Column, read_column, write_column
from dpwidgets.widgets.words import alert

_LABEL_WIDTH = "118px"
_STEPS = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)


class InvalidValueError(TraitError, ValueError):
    """A value that a parameter does not allow; it is traitlets' error and Python's."""


def log_grid(low: int, high: int) -> FloatArray:
    """Return the round numbers from 10^low to 10^high, about twenty a decade."""
    decades = [float(f"{step}e{power}") for power in range(low, high) for step in _STEPS]
    return np.array([*decades, 10.0**high])


def even_grid(low: float, high: float) -> FloatArray:
    """Return round numbers at even distances from `low` to `high`, one or two hundred of them."""
    power = math.floor(math.log10((high - low) / 100))
    digit = (
        1
        if high - low <= float(f"200e{power}")
        else 2
        if high - low <= float(f"400e{power}")
        else 5
    )
    first, last = (
        math.ceil(low / float(f"{digit}e{power}")),
        math.floor(high / float(f"{digit}e{power}")),
    )
    return np.unique([float(f"{n * digit}e{power}") for n in range(first, last + 1)])


class Number(TraitType):
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
        The name of another parameter, whose value this one has until it is set itself.
    """

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
    ) -> None:
        super().__init__(default_value, help=help)
        self.domain, self.grid, self.label, self.unit = domain, grid, label, unit
        self.equation, self.ends, self.follows = equation, ends, follows

    def validate(self, obj: HasTraits, value: Any) -> float | None:
        """Return the value as a float (whole numbers as int), or raise an error that says what is allowed."""
        if value is None and self.follows:
            return None  # the explorer fills in what it follows
        if getattr(obj, "storing", None) == (self.name, get_ident()):
            return float(
                value
            )  # a solved number is shown whatever it is: a confidence may round to 1
        try:
            array = self.domain.check(self.name, value)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None
        if array.ndim:
            raise InvalidValueError(
                f"{self.name} must be a single number; got an array of shape {array.shape}"
            )
        return int(array) if self.domain.whole else float(array)

    def control(self, **callbacks: Callable[[Any], None]) -> NumberControl:
        """Build the control that shows this parameter."""
        return NumberControl(self, **callbacks)


class Epsilon(Number):
    """The privacy parameter ε: the same domain, slider and words in every explorer, so that any two can be linked."""

    def __init__(
        self, default_value: float | None, *, equation: str = "", follows: str = ""
    ) -> None:
        super().__init__(
            default_value,
            domain=POSITIVE,
            grid=log_grid(-3, 1),
            label="Epsilon (ε)",
            equation=equation,
            ends=("more privacy", "more accuracy"),
            help="The privacy parameter: how much one person may change the odds of any answer, at most e^ε times.",
            follows=follows,
        )


class Numbers(TraitType):
    """A parameter that is a list of numbers, each perhaps with a name: typed as text, or assigned from Python.

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

    def __init__(
        self,
        default_value: Column,
        *,
        read: Callable[[Any], Column],
        label: str,
        help: str,  # noqa: A002 — traitlets' own word
        unit: str = "",
    ) -> None:
        super().__init__(default_value, help=help)
        self.read, self.label, self.unit = read, label, unit

    def default(self, obj: HasTraits | None = None) -> Column:
        """Return the start value, a copy of its own for each explorer."""
        return self.read(self.default_value)

    def validate(self, obj: HasTraits, value: Any) -> Column:
        """Return the numbers as a tuple or, with names, as a dict; or raise an error that names the bad one."""
        try:
            return self.read(value)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(str(error)) from None

    def brief(self, value: Column) -> str:
        """Write the list for a page: like Python does, and shortened if it is long."""
        if len(value) <= ENTRIES:
            return repr(value)
        whole = (
            f"{{{write_column(value)}}}" if isinstance(value, dict) else f"({write_column(value)})"
        )
        return whole.replace("; ", ", ")

    def control(self, **callbacks: Callable[[Any], None]) -> NumbersControl:
        """Build the control that shows this parameter."""
        return NumbersControl(self, **callbacks)


class Choice(TraitType):
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
    """

    def __init__(
        self,
        default_value: Any,
        options: Mapping[Any, str],
        *,
        label: str,
        help: str,  # noqa: A002
    ) -> None:
        super().__init__(default_value, help=help)
        self.options, self.label = options, label

    def validate(self, obj: HasTraits, value: Any) -> Any:
        """Return the value, or raise an error that lists the allowed ones."""
        for option in self.options:
            if option == value:
                return option
        raise InvalidValueError(
            f"{self.name} must be one of {', '.join(map(repr, self.options))}; got {value!r}"
        )

    def control(self, **callbacks: Callable[[Any], None]) -> ChoiceControl:
        """Build the control that shows this parameter."""
        return ChoiceControl(self, **callbacks)


class Control(VBox):
    """What the controls of all kinds have in common: they show a value, and pass a new one on.

    Parameters
    ----------
    trait : Number or Choice
        What is controlled.
    children : list of widgets
        What the control is made of.
    assign : callable
        Takes a new value.
    refuse : callable
        Takes the message about a text that is not a value.
    """

    def __init__(
        self,
        trait: TraitType,
        children: list[Widget],
        *,
        assign: Callable[[Any], None],
        refuse: Callable[[str], None],
    ) -> None:
        self.trait, self._assign, self._refuse = trait, assign, refuse
        self._shown_by = (
            0  # the thread that is setting the widgets: another one's events are a reader's
        )
        self.message = ""
        super().__init__(
            children, layout=Layout(width="100%", overflow="hidden", margin="0 0 2px 0")
        )

    def show(self, value: Any, *, solved: bool = False, following: bool = False) -> None:
        """Show a value without passing it on.

        Parameters
        ----------
        value : object
            The value.
        solved : bool
            Whether it follows from the others, so that it cannot be moved.
        following : bool
            Whether it is another parameter's value until it is moved.
        """
        with self.quietly():
            self.display(value, solved, following)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Set widgets so that nobody takes it for a reader's doing."""
        self._shown_by = get_ident()
        try:
            yield
        finally:
            self._shown_by = 0

    def display(self, value: Any, solved: bool, following: bool) -> None:
        """Set the widgets to a value."""
        raise NotImplementedError

    def wait_for_release(self, wait: bool) -> None:
        """Pass a value on only when the control is let go, or at every step; for controls that can be dragged."""

    @property
    def set_by_reader(self) -> bool:
        """Whether a widget changed on the page, and not because we set it."""
        return self._shown_by != get_ident()

    def complain(self, message: str) -> None:
        """Show what is wrong beside the control; nothing clears it."""
        self.message = message


class NumberControl(Control):
    """A number as a box for typing and a slider, linked; below them its unit, its equation, or what is wrong.

    The slider holds an index into the grid, so it has no values of its own to round: it shows the
    grid's nearest point and never changes a number that was typed.
    """

    def __init__(self, trait: Number, **callbacks: Callable[[Any], None]) -> None:
        self.box = Text(
            description=trait.label,
            continuous_update=False,
            style={"description_width": _LABEL_WIDTH},
            layout=Layout(width="236px", flex="0 0 auto"),
            tooltip=trait.help,
        )
        self.slider = IntSlider(
            max=trait.grid.size - 1,
            readout=False,
            layout=Layout(flex="1 1 auto", min_width="120px"),
        )
        self.hint = HTML(layout=Layout(margin="0", width="100%"))
        row = Box([self.box, self.slider], layout=Layout(width="100%"))
        super().__init__(trait, [row, self.hint], **callbacks)
        self._remark = ""
        self.regrid(trait.grid)
        self.box.observe(self._typed, "value")
        self.slider.observe(self._slid, "value")

    def display(self, value: float, solved: bool, following: bool) -> None:
        self._remark = self._about(solved, following)
        self.box.value = f"{value:.5g}" if solved or following else f"{value:.9g}"
        self.slider.value = int(np.searchsorted(self._middles, value))
        self.box.disabled = self.slider.disabled = solved
        self.complain("")

    def complain(self, message: str) -> None:
        super().complain(message)
        self.hint.value = alert(message) if message else self._hint()

    def wait_for_release(self, wait: bool) -> None:
        self.slider.continuous_update = not wait

    def regrid(self, grid: FloatArray) -> None:
        """Let the slider stop at other values from now on; the number stays."""
        self.grid, self._middles = grid, (grid[1:] + grid[:-1]) / 2
        with self.quietly():
            self.slider.max = grid.size - 1

    def drive(self) -> Iterator[None]:
        """Move the slider to both ends and the middle, pausing at each."""
        for place in (0, self.slider.max // 2, self.slider.max):
            self.slider.value = place
            yield

    def _about(self, solved: bool, following: bool) -> str:
        """Return where the value comes from, if not from the reader."""
        leader = self.trait.follows
        if solved:
            return "follows from the others"
        if following:
            return f"the same as {leader.replace('_', ' ')} until you move it"
        return f"empty the box to follow {leader.replace('_', ' ')} again" if leader else ""

    def _hint(self) -> str:
        trait = self.trait
        about = " · ".join(
            html.escape(part) for part in (trait.unit, trait.equation, self._remark) if part
        )
        low, high = (html.escape(end) for end in trait.ends)
        return (
            '<div style="display:flex;font-size:12px;line-height:16px;color:var(--jp-ui-font-color1)">'
            f'<span style="flex:0 0 126px"></span><span style="flex:1 1 auto">{about}</span>'
            f"<span>{low}{' ← → ' if low else ''}{high}</span></div>"
        )

    def _slid(self, change: Mapping[str, Any]) -> None:
        if self.set_by_reader:
            self._assign(self.grid[change["new"]])

    def _typed(self, change: Mapping[str, Any]) -> None:
        if self.set_by_reader:
            text = change["new"]
            try:
                value = None if self.trait.follows and not text.strip() else notation.parse(text)
            except ValueError as error:
                self._refuse(str(error))
            else:
                self._assign(value)


class ChoiceControl(Control):
    """One of a few words, as a row of buttons."""

    def __init__(self, trait: Choice, **callbacks: Callable[[Any], None]) -> None:
        self.buttons = ToggleButtons(
            options=[(label, value) for value, label in trait.options.items()],
            tooltips=[trait.help] * len(trait.options),
            style={"button_width": "auto"},
            layout=Layout(width="100%"),
        )
        name = Label(
            trait.label,
            layout=Layout(
                flex=f"0 0 {_LABEL_WIDTH}", justify_content="flex-end", margin="2px 8px 2px 2px"
            ),
        )
        super().__init__(
            trait, [Box([name, self.buttons], layout=Layout(width="100%"))], **callbacks
        )
        self.buttons.observe(self._pressed, "value")

    def display(self, value: Any, solved: bool, following: bool) -> None:
        self.buttons.value = value

    def _pressed(self, change: Mapping[str, Any]) -> None:
        if self.set_by_reader:
            self._assign(change["new"])


class NumbersControl(Control):
    """A list of numbers as a box for typing; a long one is shown shortened, and then only replaced as a whole."""

    def __init__(self, trait: Numbers, **callbacks: Callable[[Any], None]) -> None:
        self.box = Textarea(
            description=trait.label,
            continuous_update=False,
            rows=2,
            style={"description_width": _LABEL_WIDTH},
            layout=Layout(width="auto"),
            tooltip=trait.help,
        )
        self.hint = HTML(layout=Layout(margin="0", width="100%"))
        super().__init__(trait, [self.box, self.hint], **callbacks)
        self._count = 0
        self.box.observe(self._typed, "value")

    def display(self, value: Column, solved: bool, following: bool) -> None:
        self._count = len(value)
        self.box.value = write_column(value)
        self.complain("")

    def complain(self, message: str) -> None:
        super().complain(message)
        self.hint.value = alert(message) if message else self._hint()

    def _hint(self) -> str:
        about = [
            f"{self._count:,} {self.trait.unit}".strip(),
            "commas, spaces or lines between them",
            "Tab takes them over",
        ]
        return (
            '<div style="font-size:12px;line-height:16px;color:var(--jp-ui-font-color1);padding-left:126px">'
            f"{html.escape(' · '.join(about))}</div>"
        )

    def _typed(self, change: Mapping[str, Any]) -> None:
        if self.set_by_reader:
            try:
                value = read_column(change["new"])
            except ValueError as error:
                self._refuse(str(error))
            else:
                self._assign(value)
