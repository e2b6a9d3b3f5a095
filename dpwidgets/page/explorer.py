"""What every explorer is: parameters, a result, its picture, a sentence, and the line of Python.

Everything flows one way. An event, of the page or of a trait, makes another
`State`; from it follow result, sentence, code and picture; these are
published. A subclass declares its traits and views, names its calculator and
says what to say; all the rest is here.
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar, Self
from uuid import uuid4

from ipywidgets import Layout
from traitlets import Any as AnyTrait, Bool, Unicode

from dpwidgets.inputs.domain import one_of
from dpwidgets.page import link
from dpwidgets.page.events import Heard
from dpwidgets.page.parameters import InvalidValueError
from dpwidgets.page.state import Seen as Seen, State as State, Values as Values
from dpwidgets.plots.base import LOCK, Still

_log = logging.getLogger("dpwidgets")


class Explorer(Heard):
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

    only: Sequence[str] = ()
    # Tests set it: an unexpected exception then comes through.
    strict: ClassVar[bool] = False

    result = AnyTrait(
        read_only=True, help="What the calculator returned; frozen."
    )
    sentence = Unicode(
        read_only=True, help="The result in words, with its numbers."
    ).tag(sync=True)
    code = Unicode(read_only=True, help="The Python that computes the result.")
    closed = Bool(
        False,
        read_only=True,
        help="Whether it is off the page, and follows no more.",
    )

    def __init__(self, **values: Any) -> None:
        layout = values.pop("layout", None) or Layout(
            width="100%", max_width="1180px"
        )
        known = [*self.parameters(), *type(self).view.options]
        self.only = tuple(
            one_of("only", name, known) for name in values.pop("only", ())
        )
        self.still: Still  # the present picture with its words
        self._drawn: Seen  # what it shows
        self._name = uuid4().hex  # what no other picture on any page is called
        # Whether the page has less than 560 px for the picture.
        self._narrow = False
        # Why the present state cannot be computed.
        self._wrong: dict[str, str] = {}
        #: What the picture shows in the result's place: the result and what
        #: was drawn from it.
        self.overlay: Callable[[Any], Any] = lambda result: result
        self._past = deque(maxlen=100)
        parts = [*self.controls_and_picture(), *self.below()]
        seen = self._seen(self._first(values))
        self._start = seen.state
        self._draw(seen)
        self._publish(seen.state, seen)
        super().__init__("explorer", parts, layout)
        self.observe(self._set, list(self.parameters()))

    # What it can use.

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

    def address(self) -> dict[str, Any]:
        """Return what lets a page without this kernel show the same: link, and known controls.

        It raises a ValueError where `link` does.
        """
        return {"link": self.link(), "only": list(self.only)}

    def close(self) -> None:
        """Take the explorer off the page; what it found stays, and follows nothing more."""
        if not self.closed:
            self.set_trait("closed", True)
            self.unobserve_all()
            super().close()

    def redraw(self) -> None:
        """Draw the picture of the present result anew, when its overlay has changed."""
        with LOCK, self.hold_sync():
            self._draw(self._drawn)

    @property
    def messages(self) -> dict[str, str]:
        """What is wrong at present, by the parameter whose control says so."""
        return {**self.state.refused, **self._wrong}

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the picture and sentence."""
        live, about = super()._repr_mimebundle_(**options) or ({}, {})
        data, metadata = self.still._repr_mimebundle_()
        with suppress(ValueError):  # of a column that is too long for a link
            metadata["dpwidgets"] = self.address()
        return live | data, about | metadata

    # How it works: events.

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
        drawn = None
        with LOCK, self.hold_sync():
            try:
                seen = self._seen(state)
                self._draw(seen)
                drawn, self._wrong = seen, {}
            except ValueError as error:
                self._wrong = {getattr(error, "argument", ""): str(error)}
            except Exception as error:
                if self.strict:
                    raise
                _log.exception("%s could not be computed", type(self).__name__)
                what = str(error) or type(error).__name__
                self._wrong = {"": f"this could not be computed: {what}"}
            self._publish(drawn.state if drawn else state, drawn)

    def _publish(self, state: State, seen: Seen | None = None) -> None:
        """Put a state where the last one was; without what follows from it, the picture stays.

        The page is told first, and each trait is set even where somebody who
        observes another one raises an error. Who observes one may set a
        parameter: that is then shown already, and of this state no more is
        said.
        """
        self.state = state
        traits = dict(state.values)
        if seen is not None:
            self.tell(
                sentence={"text": seen.sentence},
                notes={"items": seen.notes},
                code=seen.shown,
                **self.beside(seen),
            )
            traits |= {
                name: getattr(seen, name)
                for name in ("result", "sentence", "code")
            }
        self._tell()
        with ExitStack() as rest:
            for name, value in reversed(traits.items()):
                rest.callback(self._store, state, name, value)

    def _store(self, state: State, name: str, value: Any) -> None:
        if self.state is state:
            self.set_trait(name, value)

    def _draw(self, seen: Seen) -> None:
        """Draw a result with its overlay, for a page without a kernel and for one with it."""
        plot = type(self).view.plots[seen.state.values["view"]].shared()
        shown = self.overlay(seen.result)
        self._layers = plot.layers(
            shown, self._name, self._layers, narrow=self._narrow
        )
        self.still = plot.still(shown, seen.sentence)
        self.set_trait("_still", self._layers.still)
        self.set_trait("_moving", self._layers.moving)
        self._drawn = seen

    def _tell(self) -> None:
        """Say what the controls show, and what is wrong."""
        controls, messages = (
            self._controls(self.state, self._drawn.result),
            self.messages,
        )
        for name, says in controls.items():
            if not says["hidden"]:
                says["message"] = messages.pop(name, "")
        self.tell(
            **controls,
            **self.ways_back(),
            # Where no control says it.
            wrong={"text": " ".join(messages.values())},
            picture=self._picture(),
        )

    def _picture(self) -> dict[str, Any]:
        """Return what the picture shows beside its lines: the sentences to which its rows open."""
        rows = (
            zip(self._layers.rows, self._drawn.rows, strict=False)
            if self._layers
            else ()
        )
        opens = [[*place, *words] for place, words in rows]
        stale = bool(self.messages)
        return {
            "alt": self.still.alt,
            "stale": stale,
            "narrow": self._narrow,
            "rows": opens,
        }

    def _controls(
        self, state: State, result: Any
    ) -> dict[str, dict[str, Any]]:
        """Return what the control of each parameter shows, by name."""
        now = state.values
        hidden, slow, grids = (
            self.hidden(now),
            self.slow(now),
            self.grids(result, now),
        )
        controls = {}
        for name, trait in self.parameters().items():
            origin = state.origin(name)
            says = trait.says(now[name], grids.get(name, trait.grid), origin)
            if name in state.typed and (not origin or name in state.refused):
                says["text"] = state.typed[name]
            says["handles"] = [one.says() for one in self._handles(name)]
            controls[name] = says | {
                "hidden": name in hidden,
                "slow": name in slow,
            }
        if self.only:
            self._leave_out(controls, state)
        return controls

    def _leave_out(
        self, controls: dict[str, dict[str, Any]], state: State
    ) -> None:
        """Hide the controls and the views that its reader does not know yet."""
        now, start = state.values, self._start.values
        for name, says in controls.items():
            moved = not state.origin(name) and now[name] != start[name]
            says["hidden"] |= name not in self.only and not moved
        known = {*self.only, now["view"], start["view"]}
        views = [
            place
            for place, name in enumerate(type(self).view.options)
            if name in known
        ]
        controls["view"] |= {"only": views, "hidden": len(views) == 1}
