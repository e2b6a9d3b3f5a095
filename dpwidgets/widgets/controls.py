"""The control of each kind of parameter: how it is shown on the page, and set there."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np
from ipywidgets import HTML, Box, Label, Layout, Text, Textarea, ToggleButtons, Widget

from dpwidgets import notation
from dpwidgets.calculators.domain import FloatArray
from dpwidgets.widgets.boxes import VBox
from dpwidgets.widgets.slider import Slider
from dpwidgets.widgets.typed import Column, read_column, write_column
from dpwidgets.widgets.words import alert

if TYPE_CHECKING:
    from dpwidgets.widgets.parameters import Choice, Number, Numbers, Parameter, Words

_LABEL_WIDTH = "118px"
_HINT = "font-size:12px;line-height:16px;color:var(--jp-ui-font-color1)"


class Control(VBox):
    """What the controls of all kinds have in common: they show a value, and pass a new one on.

    Parameters
    ----------
    trait : Number, Numbers, Words or Choice
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
        trait: Parameter,
        children: Sequence[Widget],
        *,
        assign: Callable[[Any], None],
        refuse: Callable[[str], None],
    ) -> None:
        self._assign, self._refuse = assign, refuse
        self._shown: tuple[Any, bool, bool] | None = None  # None where a reader has moved it since
        self._shown_by = 0  # the thread that sets the widgets: another one's events are a reader's
        self.message = ""
        super().__init__(
            children, layout=Layout(width="100%", overflow="visible", margin="0 0 2px 0")
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
            Whether it is another value's until it is moved.
        """
        if self._shown == (value, solved, following) and not self.message:
            return
        with self.quietly():
            self.display(value, solved, following)
            self.complain("")
        self._shown = value, solved, following

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
        """Pass a value on only when the control is let go, or at every step."""

    def regrid(self, grid: FloatArray) -> None:
        """Let a slider stop at other values from now on; the value stays."""

    def complain(self, message: str) -> None:
        """Show what is wrong beside the control; nothing clears it."""
        self.message = message

    def moved(self) -> bool:
        """Tell whether a widget has changed on the page, and not because we set it."""
        if self._shown_by == get_ident():
            return False
        self._shown = None
        return True


class NumberControl(Control):
    """A number as a box for typing and a slider; below them its unit, its equation, or a message.

    The slider holds an index into the grid, so it has no values of its own to round: it shows the
    grid's nearest point and never changes a number that was typed.
    """

    def __init__(self, trait: Number, **callbacks: Callable[[Any], None]) -> None:
        self.trait = trait
        self.box = Text(
            description=trait.label,
            continuous_update=False,
            style={"description_width": _LABEL_WIDTH},
            layout=Layout(width="236px", flex="0 0 auto"),
            tooltip=trait.help,
        )
        self.slider = Slider(
            max=trait.grid.size - 1,
            label=trait.label,
            layout=Layout(flex="1 1 180px", overflow="visible"),
        )
        self.hint = HTML(layout=Layout(margin="0", width="100%"))
        row = Box(
            [self.box, self.slider],  # below each other where there is no room
            layout=Layout(width="100%", flex_flow="row wrap", overflow="visible"),
        )
        super().__init__(trait, [row, self.hint], **callbacks)
        self._remark = ""
        self.grid = np.empty(0)
        self.regrid(trait.grid)
        self.box.observe(self._typed, "value")
        self.slider.observe(self._slid, "value")

    def display(self, value: float | None, solved: bool, following: bool) -> None:
        self._remark = _origin(self.trait.follows, solved, following)
        if self.trait.optional:
            self._remark = "left open" if value is None else "empty the box to leave it open"
        if value is None:
            self.box.value = ""
            self.slider.words = f"{_symbol(self.trait.label)} is left open"
            return
        digits = 5 if solved or following else 9
        self.box.value = f"{value:.{digits}g}"
        self.box.disabled = solved
        with self.slider.hold_sync():  # one message for all that changes
            self.slider.value = int(np.searchsorted(self._middles, value))
            self.slider.words = f"{_symbol(self.trait.label)} = {notation.show(value, digits)}"
            self.slider.disabled = solved

    def complain(self, message: str) -> None:
        super().complain(message)
        trait = self.trait
        self.hint.value = (
            alert(message)
            if message
            else _hint((trait.unit, trait.equation, self._remark), trait.ends)
        )

    def wait_for_release(self, wait: bool) -> None:
        self.slider.continuous_update = not wait

    def regrid(self, grid: FloatArray) -> None:
        if grid is self.grid or np.array_equal(grid, self.grid):
            return
        self.grid, self._middles = grid, (grid[1:] + grid[:-1]) / 2
        with self.quietly():
            self.slider.max = grid.size - 1
        self._shown = None

    def drive(self) -> Iterator[None]:
        """Move the slider to both ends and the middle, pausing at each."""
        for place in (0, self.slider.max // 2, self.slider.max):
            self.slider.value = place
            yield

    def _slid(self, change: Mapping[str, Any]) -> None:
        if self.moved():
            self._assign(self.grid[change["new"]])

    def _typed(self, change: Mapping[str, Any]) -> None:
        if self.moved():
            try:
                value = self.trait.typed(change["new"])
            except ValueError as error:
                self._refuse(str(error))
            else:
                self._assign(value)


def _symbol(label: str) -> str:
    """Return the symbol in the brackets of a label, like ε, or the whole label if it has none."""
    return label.partition("(")[2].rstrip(")") or label


def _origin(leader: str, solved: bool, following: bool) -> str:
    """Say where a value comes from, if not from the reader."""
    words = leader.replace("_", " ")
    if solved:
        return "follows from the others"
    if following:
        return f"the same as {words} until you move it"
    return f"empty the box to follow {words} again" if leader else ""


@cache  # a page has few different ones, and each step of a slider asks for several
def _hint(about: tuple[str, ...], ends: tuple[str, str]) -> str:
    words = " · ".join(html.escape(part) for part in about if part)
    low, high = map(html.escape, ends)
    look = f"display:flex;flex-wrap:wrap;gap:0 12px;padding-left:126px;{_HINT}"
    return (
        f'<div style="{look}"><span style="flex:1 1 auto">{words}</span>'
        f"<span>{low}{' ← → ' if low else ''}{high}</span></div>"
    )


class ChoiceControl(Control):
    """One of a few words, as a row of buttons."""

    def __init__(self, trait: Choice[Any], **callbacks: Callable[[Any], None]) -> None:
        self.trait = trait
        self.buttons = ToggleButtons(
            options=[(label, value) for value, label in trait.options.items()],
            tooltips=[trait.help] * len(trait.options),
            style={"button_width": "auto"},
            layout=Layout(flex="1 1 0", min_width="min-content"),
        )
        name = Label(
            trait.label,
            layout=Layout(
                flex=f"0 0 {_LABEL_WIDTH}", justify_content="flex-end", margin="2px 8px 2px 2px"
            ),
        )
        self.hint = HTML(layout=Layout(margin="0", width="100%"))
        row = Box([name, self.buttons], layout=Layout(width="100%", flex_flow="row wrap"))
        super().__init__(trait, [row, self.hint], **callbacks)
        self.buttons.observe(self._pressed, "value")

    def display(self, value: Any, solved: bool, following: bool) -> None:
        self.buttons.value = value

    def complain(self, message: str) -> None:
        super().complain(message)
        self.hint.value = alert(message) if message else ""

    def _pressed(self, change: Mapping[str, Any]) -> None:
        if self.moved():
            self._assign(change["new"])


class WordsControl(Control):
    """A word or a few as a box for typing."""

    def __init__(self, trait: Words, **callbacks: Callable[[Any], None]) -> None:
        self.trait = trait
        self.box = Text(
            description=trait.label,
            continuous_update=False,
            style={"description_width": _LABEL_WIDTH},
            layout=Layout(width="236px"),
            tooltip=trait.help,
        )
        self.hint = HTML(layout=Layout(margin="0", width="100%"))
        super().__init__(trait, [self.box, self.hint], **callbacks)
        self.box.observe(self._typed, "value")

    def display(self, value: str, solved: bool, following: bool) -> None:
        self.box.value = value

    def complain(self, message: str) -> None:
        super().complain(message)
        self.hint.value = alert(message) if message else ""

    def _typed(self, change: Mapping[str, Any]) -> None:
        if self.moved():
            self._assign(change["new"])


class NumbersControl(Control):
    """A list of numbers as a box for typing; a long one is shown shortened.

    Shortened, it can only be replaced as a whole.
    """

    def __init__(self, trait: Numbers, **callbacks: Callable[[Any], None]) -> None:
        self.trait = trait
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

    def complain(self, message: str) -> None:
        super().complain(message)
        self.hint.value = alert(message) if message else self._hint()

    def _hint(self) -> str:
        about = (
            f"{self._count:,} {self.trait.unit}".strip(),
            "commas, spaces or lines between them",
            "Tab takes them over",
        )
        words = html.escape(" · ".join(about))
        return f'<div style="{_HINT};padding-left:126px">{words}</div>'

    def _typed(self, change: Mapping[str, Any]) -> None:
        if self.moved():
            try:
                value = read_column(change["new"])
            except ValueError as error:
                self._refuse(str(error))
            else:
                self._assign(value)
