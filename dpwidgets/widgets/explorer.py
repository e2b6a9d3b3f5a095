"""What every explorer is: parameters, a result, a picture of it, a sentence about it, and the line that computes it.

Everything flows one way: control → trait → calculator → picture, sentence and code. A subclass
declares its traits and views, names its calculator and says what to say; all the rest is here.
"""

from __future__ import annotations

import difflib
import html
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, ClassVar

from ipywidgets import Layout, VBox, Widget
from traitlets import Any as AnyTrait
from traitlets import Unicode

from dpwidgets.calculators.domain import FloatArray
from dpwidgets.plots.plot import Plot, Still
from dpwidgets.widgets.controls import (
    Choice,
    Control,
    InvalidValueError,
    Number,
    NumberControl,
    Numbers,
)
from dpwidgets.widgets.picture import Picture
from dpwidgets.widgets.words import alert, listed, place, status


class Views(Choice):
    """The parameter that says which picture is shown.

    Parameters
    ----------
    **views : (str, type[Plot])
        Under each name the label of its button and the class of its plot; the first is shown first.
    """

    def __init__(self, **views: tuple[str, type[Plot]]) -> None:
        labels = {name: label for name, (label, _) in views.items()}
        super().__init__(next(iter(views)), labels, label="Picture", help="Which picture to show.")
        self.plots = {name: plot for name, (_, plot) in views.items()}


class Explorer(VBox):
    """A calculator under controls. Not for use itself: see its subclasses.

    A subclass declares

    - its parameters, traits of the kinds in `controls`, named like the calculator's arguments;
    - `view`, its `Views`;
    - `calculator`, the function that computes the result from the parameters;
    - `say`, which puts the result in words;
    - where one parameter can follow from the others, a `Choice` named `solve_for`; the result must
      then have an attribute of each solvable name.

    Parameters
    ----------
    **values
        Start values of parameters, by name. A value given for the parameter that is solved for
        makes it a given one, and another is solved for.

    Raises
    ------
    TypeError
        If a keyword is not a parameter; the message names the nearest one.
    ValueError
        If a value is not allowed, or every solvable parameter is given.
    """

    calculator: ClassVar[
        Callable[..., Any]
    ]  # a public function of a room in `dpwidgets.calculators`
    solve_order: ClassVar[
        tuple[str, ...]
    ] = ()  # which parameter to solve for when the solved one is given

    result = AnyTrait(read_only=True, help="What the calculator returned; frozen.")
    sentence = Unicode(read_only=True, help="The result in plain words, with its numbers.")
    code = Unicode(read_only=True, help="The Python that computes the result.")

    def __init__(self, **values: Any) -> None:
        self._lock, self._dirty = Lock(), False
        self.storing: tuple[str, int] | None = (
            None  # the solved trait that a thread sets itself, and which thread
        )
        self._following = {
            name for name, trait in self.parameters().items() if getattr(trait, "follows", "")
        }
        self._plots: dict[str, Plot] = {}
        self._last = Still()
        layout = values.pop("layout", None) or Layout(width="660px", max_width="100%")
        super().__init__(layout=layout)
        self._take(values)

        self.controls: dict[str, Control] = {
            name: trait.control(
                assign=partial(self._assign, name), refuse=partial(self._refuse, name)
            )
            for name, trait in self.parameters().items()
        }
        self._picture, self._refused = Picture(), place()
        self._said, self._noted, self._coded = place(60), place(), place(54)
        self.children = [
            *self.controls.values(),
            self._refused,
            self._picture,
            self._said,
            self._noted,
            self._coded,
        ]
        self._refresh(strict=True)
        self.observe(self._changed, list(self.controls))

    # What a subclass fills in.

    def say(self, result: Any) -> str:
        """Return the result in plain words, with its numbers."""
        raise NotImplementedError

    def notes(self, result: Any) -> list[str]:
        """Return further sentences, which stand as a list below the first."""
        return []

    def unused(self) -> set[str]:
        """Return the names of the parameters that mean nothing at present; the calculator is not given them."""
        return set()

    def hidden(self) -> set[str]:
        """Return the names of the parameters whose controls are hidden; it may be more than the unused ones."""
        return self.unused() | ({"view"} if len(self.parameters()["view"].options) == 1 else set())

    def aside(self) -> set[str]:
        """Return the names of the parameters that are no arguments of the calculator."""
        return {"view", "solve_for"}

    def slow(self) -> set[str]:
        """Return the names of the parameters that take a while at present.

        Their sliders act when they are let go, and while the picture is computed the page says so.
        """
        return set()

    def grids(self, result: Any) -> dict[str, FloatArray]:
        """Return the stops of the sliders whose stops depend on the result, by the parameter's name."""
        return {}

    # What it can use.

    @classmethod
    def parameters(cls) -> dict[str, Number | Numbers | Choice]:
        """Return the traits that have a control, by name, in the order of declaration and the view last."""
        names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
        traits = {name: cls.class_traits().get(name) for name in names}
        parameters = {
            name: trait
            for name, trait in traits.items()
            if isinstance(trait, (Number, Numbers, Choice))
        }
        parameters["view"] = parameters.pop("view")
        return parameters

    def used(self) -> list[str]:
        """Return the names of the parameters that can be set at present, in order."""
        return [name for name in self.parameters() if name not in {self._solved} | self.unused()]

    def given(self) -> dict[str, Any]:
        """Return what the calculator is given, by name."""
        left_out = self.aside() | self._following
        return {name: getattr(self, name) for name in self.used() if name not in left_out}

    def compute(self) -> Any:
        """Return the calculator's result for the present parameters."""
        return self.calculator(**self.given())

    def sweep(self) -> int:
        """Drive every slider shown to both ends and the middle, in every view and, one at a time, for every choice.

        The page is told only where it ends: thousands of pictures would flood whoever reads the
        kernel's messages.

        Returns
        -------
        int
            How many states were drawn.

        Raises
        ------
        RuntimeError
            If a state shows an error message instead of a result. An exception of the calculator's
            or the plot's comes through as it is. The start is restored in any case.
        """
        start = {
            name: self._setting(name) for name in sorted(self.controls, key="solve_for".__ne__)
        }
        states = 0
        with ExitStack() as quiet:
            for widget in _family(self):
                quiet.enter_context(widget.hold_sync())
            try:
                for frame in self._frames(start):
                    for name, control in self.controls.items():
                        self._restore(frame)
                        if (
                            isinstance(control, NumberControl)
                            and name in set(self.used()) - self.hidden()
                        ):
                            for _ in control.drive():
                                states += 1
                                if self.messages:
                                    state = {name: getattr(self, name) for name in self.controls}
                                    raise RuntimeError(
                                        f"{type(self).__name__} at {state}: {self.messages}"
                                    )
            finally:
                self._restore(start)
        return states

    def save(self, path: str | Path) -> None:
        """Write the present picture to a PNG file."""
        Path(path).write_bytes(self._last.png)

    @property
    def messages(self) -> dict[str, str]:
        """What is wrong at present, under the name of each control that says so."""
        messages = {
            name: control.message for name, control in self.controls.items() if control.message
        }
        return messages | ({"": self._refused.value} if self._refused.value else {})

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict, dict]:
        """Give Jupyter the live widget, and for a page without a kernel the picture and the sentence."""
        live = super()._repr_mimebundle_(**options) or {}
        data, metadata = self._last._repr_mimebundle_()
        return live | data, metadata

    # How it works.

    @property
    def _solved(self) -> str:
        return getattr(self, "solve_for", "")

    def _setting(self, name: str) -> Any:
        """Return what sets the parameter to where it is: None for one that follows another."""
        return None if name in self._following else getattr(self, name)

    def _frames(self, start: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Return the states from which `sweep` sets out: each view, and in it each choice changed alone."""
        choices = [
            name
            for name, trait in self.parameters().items()
            if isinstance(trait, Choice) and name != "view"
        ]
        for view in self.controls["view"].trait.options:
            yield {**start, "view": view}
            for name in choices:
                for option in self.controls[name].trait.options:
                    if option != start[name]:
                        yield {**start, "view": view, name: option}

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Set all parameters and draw once; `solve_for` comes first, as it decides which number is not set."""
        with self._lock:
            for name, value in state.items():
                if (
                    name != self._solved and self._setting(name) != value
                ):  # None, set again, would draw again
                    setattr(self, name, value)
        self._settle()

    def _store(self, name: str, value: float) -> None:
        """Set a parameter that follows from others, without taking it for a given one."""
        self.storing = (name, get_ident())
        try:
            setattr(self, name, value)
        finally:
            self.storing = None

    def _take(self, values: Mapping[str, Any]) -> None:
        """Take the start values that the constructor was given."""
        known = self.parameters()
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}{hint}")
        if self._solved and values.get("solve_for", self._solved) in values:
            free = [name for name in self.solve_order if name not in values]
            if "solve_for" in values or not free:
                raise ValueError(
                    f"{type(self).__name__}: {', '.join(self.solve_order)} cannot all be given; leave out one"
                )
            values = {"solve_for": free[0]} | dict(values)
        for name, value in values.items():
            setattr(self, name, value)
            self._follow(name, value)

    def _assign(self, name: str, value: Any) -> None:
        """Take what a reader has set on a control; the control says what is wrong with it."""
        try:
            setattr(self, name, value)
        except InvalidValueError as error:
            self._refuse(name, str(error))
        else:
            if self.messages:  # a good value again, perhaps the one from before the bad one
                self._dirty = True
                self._settle()

    def _refuse(self, name: str, message: str) -> None:
        """Say what is wrong, beside the control if there is one, and dim the last good picture."""
        if name in self.controls:
            self.controls[name].complain(message)
        else:
            self._refused.value = alert(message)
        self._picture.show(self._last, stale=True)
        self._said.value = status(self._last.alt)

    def _changed(self, change: Mapping[str, Any]) -> None:
        name = change["name"]
        if self.storing == (name, get_ident()):
            return
        if name == self._solved:  # the solved parameter was assigned: it is given from now on
            self.solve_for = next(other for other in self.solve_order if other != name)
            return
        self._follow(name, change["new"])
        if name in self.slow():
            self._picture.show(self._last, stale=True)
            self._said.value = status("Computing …")
        self._dirty = True
        self._settle()

    def _follow(self, name: str, value: Any) -> None:
        """Let a parameter that was set go its own way, or follow again if it was set to nothing."""
        if leader := getattr(getattr(type(self), name), "follows", ""):
            if value is None:
                self._following.add(name)
                self._store(name, getattr(self, leader))
            else:
                self._following.discard(name)

    def _settle(self) -> None:
        """Draw until nothing has changed since; where two threads meet, the one inside goes round again."""
        while self._dirty and self._lock.acquire(blocking=False):
            try:
                self._dirty = False
                self._refresh()
            finally:
                self._lock.release()

    def _refresh(self, *, strict: bool = False) -> None:
        try:
            result = self.compute()
        except ValueError as error:
            if strict:
                raise
            self._refuse(getattr(error, "argument", ""), str(error))
            return
        if self._solved:
            self._store(self._solved, getattr(result, self._solved))
        for name in self._following:
            self._store(name, getattr(self, self.controls[name].trait.follows))
        sentence = self.say(result)
        view = self.view
        if view not in self._plots:
            self._plots[view] = self.controls["view"].trait.plots[view]()
        self._last = self._plots[view].still(result, sentence)
        self._picture.show(self._last)
        self._said.value = status(sentence)
        self._noted.value = listed(self.notes(result))
        code, page = self._line(), self._line(brief=True)
        if page != code:
            page += "  # shortened here; the explorer's attribute code is whole"
        look = "margin:0;line-height:18px;white-space:pre-wrap;word-break:normal"
        self._coded.value = f'<pre style="{look}">{html.escape(page)}</pre>'
        self._refused.value = ""
        hidden, slow = self.hidden(), self.slow()
        for name, grid in self.grids(result).items():
            self.controls[name].regrid(grid)
        for name, control in self.controls.items():
            control.layout.display = "none" if name in hidden else None
            control.wait_for_release(name in slow)
            control.show(
                getattr(self, name), solved=name == self._solved, following=name in self._following
            )
        self.set_trait("result", result)
        self.set_trait("sentence", sentence)
        self.set_trait("code", code)

    def _line(self, *, brief: bool = False) -> str:
        """Return the Python that computes the result; a brief one shortens long lists and cannot be executed."""
        calculator = self.calculator
        path = calculator.__module__.split(".")
        faces = [part for part in path if not part.startswith("_")]  # a back room has no readers
        package, room = ".".join(faces[:-1]), faces[-1]
        traits, given = self.parameters(), self.given()
        write = {name: getattr(traits[name], "brief", repr) if brief else repr for name in given}
        arguments = ", ".join(f"{name}={write[name](value)}" for name, value in given.items())
        return f"from {package} import {room}\n{room}.{calculator.__name__}({arguments})"


def _family(widget: Widget) -> Iterator[Widget]:
    """Yield a widget and all that it is made of."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _family(child)
