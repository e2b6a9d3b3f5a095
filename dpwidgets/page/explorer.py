"""What every explorer is: parameters, a result, its picture, a sentence, and the line of Python.

Everything flows one way. An event, of the page or of a trait, comes in here
and makes another `State`; what follows from it, in `state.py`, is shown, in
`display.py`. A subclass declares its traits and views, names its calculator
and says what to say.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ipywidgets import Layout

from dpwidgets.inputs.domain import one_of
from dpwidgets.page import link
from dpwidgets.page.display import Displayed
from dpwidgets.page.parameters import InvalidValueError
from dpwidgets.page.state import Seen as Seen, State as State, Values as Values
from dpwidgets.plots.still import LOCK

_log = logging.getLogger("dpwidgets")


class Explorer(Displayed):
    """A calculator under controls. Not for use itself: see its subclasses.

    What a subclass declares and fills in stands at `Declared`.

    Parameters
    ----------
    **values
        Start values of parameters, by name. A value given for the parameter
        that is solved for makes it a given one, and another is solved for.
    only : sequence of str
        The names of the parameters and views that its reader knows by now; one
        that both have stands for both. The controls of all others wait behind
        a button, but for those that are not as they were at the start. None of
        them shows all at once.

    Raises
    ------
    TypeError
        If a keyword is not a parameter; the message names the nearest one.
    ValueError
        If a value is not allowed, or every solvable parameter is given.

    Attributes
    ----------
    state : State
        What is set at present.
    """

    # As in `Declared`: type checkers take the constructor's keywords from
    # `Displayed`, where `dataclass_transform` stands, and below.
    only: Sequence[str] = ()
    # Tests set it: an unexpected exception then comes through.
    strict: ClassVar[bool] = False
    _move = ""  # the last one that a reader made

    def __init__(self, **values: Any) -> None:
        layout = values.pop("layout", None) or Layout(
            width="100%", max_width="1180px"
        )
        known = [*self.parameters(), *type(self).view.options]
        self.only = tuple(
            one_of("only", name, known) for name in values.pop("only", ())
        )
        super().__init__(self._seen(self._first(values)), layout)
        self.observe(self._set, list(self.parameters()))

    # What a program can use.

    def settings(self) -> dict[str, Any]:
        """Return what makes another explorer like this one, as keywords of its constructor.

        A parameter that follows something else is None; the one that is solved
        for is left out.
        """
        return self.state.settings()

    @property
    def start(self) -> dict[str, Any]:
        """The settings with which it was made."""
        return self._start.settings()

    def state_at(self, **values: Any) -> State:
        """Return the state with these values of parameters, and all others as at the start.

        Raises
        ------
        TypeError
            If a keyword is not a parameter.
        ValueError
            If a value is not allowed.
        """
        self._check_known(values)
        return self._with(self._start, values)

    def result_at(self, **values: Any) -> Any:
        """Compute the result with these values of parameters, and all others as at the start.

        Nothing on the page changes. It raises what `state_at` does, and a
        ValueError if nothing can be computed there.
        """
        return self._seen(self.state_at(**values)).result

    def go_to(self, **values: Any) -> None:
        """Go to a state: these values of parameters, and all others as they were at the start.

        It raises what `result_at` does. The page then says so as it does to
        readers.
        """
        self._go(self.state_at(**values))
        if self.messages:
            raise ValueError("; ".join(self.messages.values()))

    def save(self, path: str | Path) -> None:
        """Write the present picture to a file: see `Still.save`."""
        self.still.save(path)

    def link(self) -> str:
        """Return the present state as a link, which `from_link` and the website read.

        It is the explorer's word, then each parameter that is not as at the
        start. A column may be too long for a link, which would hold every
        number: that is a ValueError.

        Examples
        --------
        >>> from dpwidgets import IntervalExplorer
        >>> IntervalExplorer(half_width=0.1, count=500).link()
        '#interval?half_width=0.1&count=500'
        """
        return link.write(type(self), self.settings())

    @classmethod
    def from_link(cls, address: str) -> Self:
        """Make an explorer in the state to which a link leads.

        The address is what `link` returned, or one of the website that ends
        with it. Numbers may be written as in a control: ``80%``, ``1/3``. It
        raises what the constructor does, and a ValueError if it is no link to
        such an explorer.

        Examples
        --------
        >>> from dpwidgets import IntervalExplorer
        >>> IntervalExplorer.from_link("#interval?half_width=10%25&count=500").half_width
        0.1
        """
        return cls(**link.read(cls, address))

    def came_from(self, start: str, *past: str) -> None:
        """Take over from another page: these links lead to where it began, and to each move since.

        *Start over* leads to the one, *Undo* through the others. It raises what
        `from_link` does.
        """
        first, *states = (
            self._first(link.read(type(self), one)) for one in (start, *past)
        )
        self._start = self._seen(first).state
        self._past.extend(states)
        self._tell()

    def address(self) -> dict[str, Any]:
        """Return what lets a page without this kernel show the same: link, and known controls.

        It raises a ValueError where `link` does.
        """
        return {"link": self.link(), "only": list(self.only)}

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the picture and sentence."""
        live, about = super()._repr_mimebundle_(**options) or ({}, {})
        data, metadata = self.still._repr_mimebundle_()
        with suppress(ValueError):  # of a column that is too long for a link
            metadata["dpwidgets"] = self.address()
        return live | data, about | metadata

    # Events, of the page and of traits.

    def heard(self, event: Mapping[str, Any]) -> None:
        """Take what a reader has done; until the hand leaves the control it is one move.

        Nobody goes back to what was refused.
        """
        before, was_refused = self.state, bool(self.messages)
        move = event.get("move", "")
        super().heard(event)
        is_new = self.state is not before and move != self._move
        if is_new and not was_refused and event["name"] != "undo":
            self._past.append(before)
        self._move = move
        self.tell(**self._ways_back())

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take what a reader has set on a control, or do what a button says."""
        if name == "undo" and self._past:
            self._go(self._past.pop())
        elif name == "over":
            self._go(self._start)
        elif name == "picture":
            self._narrow = bool(event["place"])
            self.redraw()
            self._tell()
        elif name == "all":
            self.only = ()
            self.tell(all={"hidden": True})
            self._tell()
        elif name in self.parameters():
            self._take_value(name, event)

    def _take_value(self, name: str, event: Mapping[str, Any]) -> None:
        """Take what a reader has set on a control; the control says what is wrong with it."""
        state = self.state
        text = event.get("text")
        try:
            value = self._asked_value(name, event)
            moved = self._moved(state, name, value, typed=text)
        except ValueError as error:
            typed = {**state.typed, name: text or ""}
            refused = {**state.refused, name: str(error)}
            self._publish(replace(state, typed=typed, refused=refused))
        else:
            self._go(moved)

    def _asked_value(self, name: str, event: Mapping[str, Any]) -> Any:
        """Return the value that a reader has set, on a control or in the picture."""
        grid = self._grid(name)
        if "share" not in event:
            return self.parameters()[name].heard(event, grid)
        handle = self._handles(name)[event["handle"]]
        return handle.nearest(float(event["share"]), grid.tolist())

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Take what a page has set, as with `jslink`; what is not allowed is said there."""
        try:
            super().set_state(sync_data)
        except InvalidValueError as error:
            with LOCK:
                self._wrong = {"": str(error)}
                self._tell()

    def _set(self, change: Mapping[str, Any]) -> None:
        """Take what somebody else has set: what the state has already is our own doing."""
        name, value = change["name"], change["new"]
        if value != self.state.values[name]:
            self._go(self._moved(self.state, name, value))

    def _go(self, state: State) -> None:
        """Show what follows from a state, or what is wrong with it."""
        with LOCK, self.hold_sync():
            try:
                seen = self._seen(state)
                self._draw(seen)
            except ValueError as error:
                self._refuse(state, getattr(error, "argument", ""), str(error))
            except Exception as error:
                if self.strict:
                    raise
                _log.exception("%s could not be computed", type(self).__name__)
                what = str(error) or type(error).__name__
                self._refuse(state, "", f"this could not be computed: {what}")
            else:
                self._wrong = {}
                self._publish(seen.state, seen)

    def _refuse(self, state: State, argument: str, why: str) -> None:
        """Keep a state of which nothing can be computed, and say why; the picture stays."""
        self._wrong = {argument: why}
        self._publish(state)
