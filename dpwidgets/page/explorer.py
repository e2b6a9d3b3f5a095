"""What every explorer is: parameters, a result, its picture, a sentence, and the line of Python.

Everything flows one way. An event, of the page or of a trait, makes another `State`; from it follow
result, sentence, code and picture; these are published. A subclass declares its traits and views,
names its calculator and says what to say; all the rest is here.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform
from uuid import uuid4

import numpy as np
from ipywidgets import Layout
from traitlets import Any as AnyTrait, Bool, Unicode

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.outside import described
from dpwidgets.page import link
from dpwidgets.page.page import About, Page, Shown, box, words
from dpwidgets.page.parameters import (
    Choice,
    InvalidValueError,
    Number,
    Numbers,
    Parameter,
    SolveFor,
    Views,
    Words,
)
from dpwidgets.plots.base import LOCK, Layers, Plot, Still
from dpwidgets.plots.drawn import Drawn

_log = logging.getLogger("dpwidgets")

# The value of each parameter, by name.
Values = Mapping[str, Any]


@dataclass(frozen=True)
class State:
    """What is set in an explorer.

    Attributes
    ----------
    values : mapping
        The value of each parameter, also of those that follow from the others.
    following : frozenset of str
        The parameters that follow an attribute of the result until they are set themselves.
    typed : mapping
        What a reader has typed, by parameter, until it is changed.
    refused : mapping
        What is wrong with a text that is no value, by parameter.
    """

    values: Values
    following: frozenset[str] = frozenset()
    typed: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def solved(self) -> str:
        """The parameter that follows from the others, or nothing."""
        return str(self.values.get("solve_for", ""))

    def origin(self, name: str) -> str:
        """Return where a value comes from: "solved", "following", or nothing if it was given."""
        if name == self.solved:
            return "solved"
        return "following" if name in self.following else ""

    def settings(self) -> dict[str, Any]:
        """Return the values that were given, None for those that follow, which gives it first."""
        first = {"solve_for": self.solved} if self.solved else {}
        return first | {
            name: None if name in self.following else value
            for name, value in self.values.items()
            if name not in ("solve_for", self.solved)
        }


class Seen(NamedTuple):
    """All that follows from a state."""

    state: State
    result: Any
    sentence: str
    notes: list[str]
    code: str
    shortened: str  # the code as the page shows it


@dataclass_transform(
    kw_only_default=True, eq_default=False
)  # traits are keywords, with their types
class Explorer(Page):
    """A calculator under controls. Not for use itself: see its subclasses.

    A subclass declares

    - its parameters, traits of the kinds in `parameters`, named like the calculator's arguments and
      annotated with their kind, so that type checkers know the keywords;
    - `view`, its `Views`;
    - `calculator`, the function that computes the result from the parameters;
    - `say`, which puts the result in words;
    - where one parameter can follow from the others, a `SolveFor` named `solve_for`.

    What it fills in gets the values of all parameters, `now`, and changes nothing.

    Parameters
    ----------
    **values
        Start values of parameters, by name. A value given for the parameter that is solved for
        makes it a given one, and another is solved for.

    Raises
    ------
    TypeError
        If a keyword is not a parameter; the message names the nearest one. Or if the subclass
        lacks something; the message says what to write.
    ValueError
        If a value is not allowed, or every solvable parameter is given.

    Attributes
    ----------
    state : State
        What is set at present.
    """

    calculator: ClassVar[Callable[..., Any]]  # a public function, which the code line names
    view: Views
    _parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    strict: ClassVar[bool] = False  # tests set it: an unexpected exception then comes through

    result = AnyTrait(read_only=True, help="What the calculator returned; frozen.")
    sentence = Unicode(read_only=True, help="The result in plain words, with its numbers.").tag(
        sync=True
    )
    code = Unicode(read_only=True, help="The Python that computes the result.")
    closed = Bool(False, read_only=True, help="Whether it is off the page, and follows no more.")

    def __init_subclass__(cls, **options: Any) -> None:
        """Let a subclass name its calculator without turning it into a method."""
        super().__init_subclass__(**options)
        own = vars(cls).get("calculator")
        if isinstance(own, FunctionType):
            cls.calculator = staticmethod(own)
        kinds = (Number, Numbers, Words, Choice)
        declared = {name: trait for name, trait in vars(cls).items() if isinstance(trait, kinds)}
        if declared:  # anywidget makes a class of each widget, which declares none
            traits = {**cls._parameters, **declared}
            if "view" in traits:
                traits["view"] = traits.pop("view")
            cls._parameters = MappingProxyType(traits)

    def __init__(self, **values: Any) -> None:
        _check_declared(type(self))
        layout = values.pop("layout", None) or Layout(width="100%", max_width="1180px")
        self.still: Still  # the present picture with its words
        self._name = uuid4().hex  # what no other picture on any page is called
        self._layers: Layers | None = None
        self._wrong: dict[str, str] = {}  # why the present state cannot be computed
        #: What the picture shows in the result's place: the result and what was drawn from it.
        self.overlay: Callable[[Any], Any] = lambda result: result
        controls = box("controls", *self.arranged())
        shown = box(
            "seen",
            {"kind": "complaint", "name": "wrong"},
            {"kind": "picture", "name": "picture"},
            words("sentence", "sentence", live=True),
            {"kind": "list", "name": "notes"},
            {"kind": "code", "name": "code"},
        )
        parts = [controls, shown, *self.below()]
        seen = self._seen(self._first(values))
        self._draw(seen)
        self._publish(seen.state, seen)
        super().__init__("explorer", parts, layout)
        self._start = seen.state
        self.observe(self._set, list(self.parameters()))

    # What a subclass fills in.

    def say(self, result: Any, now: Values) -> str:
        """Return the result in plain words, with its numbers."""
        raise NotImplementedError

    def function(self, now: Values) -> Callable[..., Any]:
        """Return the calculator; a subclass that has another one for some views says which."""
        return self.calculator

    def notes(self, result: Any, now: Values) -> list[str]:
        """Return further sentences, which stand as a list below the first."""
        return []

    def unused(self, now: Values) -> set[str]:
        """Return the names of the parameters that mean nothing now: the calculator lacks them."""
        return set()

    def hidden(self, now: Values) -> set[str]:
        """Return the names of the parameters whose controls are hidden: at least the unused."""
        return self.unused(now) | ({"view"} if len(type(self).view.options) == 1 else set())

    def slow(self, now: Values) -> set[str]:
        """Return the names of the parameters that take a while at present.

        Their sliders act when they are let go.
        """
        return set()

    def grids(self, result: Any, now: Values) -> dict[str, FloatArray]:
        """Return the stops of those sliders whose stops depend on the result, by name."""
        return {}

    def say_drawn(self, drawn: Drawn) -> str:
        """Return in words what was drawn at random from the result; nothing where nothing can be.

        The result then has `draw_truth(rng)` and `draw(truth, rng, size)`.
        """
        return ""

    def say_asked(self, drawn: Drawn) -> str:
        """Return in words what follows from several answers about the same people."""
        return ""

    def arranged(self) -> list[About]:
        """Return the controls as the page has them: all of them, below each other."""
        return [trait.about() for trait in self.parameters().values()]

    def below(self) -> list[About]:
        """Return what else stands on the page, below the line of Python."""
        return []

    def beside(self, seen: Seen) -> Shown:
        """Return what the parts of `below` show."""
        return {}

    # What it can use.

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """Return the traits that have a control, by name: in order, and the view last."""
        return cls._parameters

    def settings(self) -> dict[str, Any]:
        """Return what makes another explorer like this one, as keywords of its constructor.

        Returns
        -------
        dict
            Each parameter's value, None for one that follows something else. The parameter that is
            solved for is left out.
        """
        return self.state.settings()

    @property
    def start(self) -> dict[str, Any]:
        """The settings with which it was made."""
        return self._start.settings()

    def arguments(self, state: State | None = None) -> dict[str, Any]:
        """Return what the calculator is given, by name; at present, or in a state."""
        state = state or self.state
        left_out = {state.solved} | state.following | self.unused(state.values)
        return {
            name: state.values[name]
            for name, trait in self.parameters().items()
            if trait.argument and name not in left_out
        }

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

        Nothing on the page changes.

        Raises
        ------
        TypeError
            If a keyword is not a parameter.
        ValueError
            If a value is not allowed, or nothing can be computed there.
        """
        return self._seen(self.state_at(**values)).result

    def go_to(self, **values: Any) -> None:
        """Go to a state: these values of parameters, and all others as they were at the start.

        Raises
        ------
        TypeError
            If a keyword is not a parameter.
        ValueError
            If a value is not allowed, or nothing can be computed there. The page then says so as it
            does to readers.
        """
        self._go(self.state_at(**values))
        if self.messages:
            raise ValueError("; ".join(self.messages.values()))

    def save(self, path: str | Path) -> None:
        """Write the present picture to a file: PNG, SVG or PDF, as its name ends.

        Raises
        ------
        ValueError
            If the name ends otherwise.
        """
        self.still.save(path)

    def link(self) -> str:
        """Return the present state as a link, which `from_link` and the website read.

        Returns
        -------
        str
            The explorer's word, then each parameter that is not as at the start.

        Raises
        ------
        ValueError
            If a column is too long for a link: it would hold every number.

        Examples
        --------
        >>> from dpwidgets import IntervalExplorer
        >>> IntervalExplorer(half_width=0.1, count=500).link()
        '#interval?half_width=0.1&count=500'
        """
        return link.write(type(self), self.parameters(), self.settings())

    @classmethod
    def from_link(cls, address: str) -> Self:
        """Make an explorer in the state to which a link leads.

        Parameters
        ----------
        address : str
            What `link` returned, or an address of the website that ends with it. Numbers may be
            written as in a control: ``80%``, ``1/3``.

        Raises
        ------
        TypeError, ValueError
            As from the constructor, or if it is no link to such an explorer.

        Examples
        --------
        >>> from dpwidgets import IntervalExplorer
        >>> IntervalExplorer.from_link("#interval?half_width=10%25&count=500").half_width
        0.1
        """
        values = link.read(cls, cls.parameters(), address)
        cls._check_known(values)
        return cls(**values)

    def close(self) -> None:
        """Take the explorer off the page.

        What it found stays: result, sentence and code. It does not follow its parameters any more.
        """
        if not self.closed:
            self.set_trait("closed", True)
            self.unobserve_all()
            super().close()

    def redraw(self) -> None:
        """Draw the picture of the present result anew, when its overlay has changed."""
        with LOCK, self.hold_sync():
            self._picture(self.still.plot, self.result, self.still.alt)

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
            metadata["dpwidgets"] = {"link": self.link()}  # the website makes it move
        return live | data, about | metadata

    # How it works: from one state to the next. Nothing here changes the explorer.

    def _first(self, values: Values) -> State:
        """Return the state in which it is made."""
        values = self._given(values)
        self._check_known(values)
        traits = self.parameters()
        solve_for = traits.get("solve_for")
        if isinstance(solve_for, SolveFor):
            solved = values.get("solve_for", solve_for.default_value)
            if solved in values:
                free = solve_for.free(values)
                if "solve_for" in values or not free:
                    names = ", ".join(solve_for.options)
                    raise ValueError(
                        f"{type(self).__name__}: {names} cannot all be given; leave out one"
                    )
                values = {"solve_for": free[0]} | dict(values)
        start = {name: trait.validate(self, trait.default(self)) for name, trait in traits.items()}
        following = frozenset(name for name in traits if self._leader(name))
        return self._with(State(start, following), values)

    def _given(self, values: Values) -> Values:
        """Return start values as parameters; a subclass may take others."""
        return values

    def _with(self, state: State, values: Values) -> State:
        """Return the state in which these parameters have these values."""
        for name, value in values.items():
            state = self._moved(state, name, value)
        return state

    def _moved(self, state: State, name: str, value: Any, typed: str | None = None) -> State:
        """Return the state after one parameter was given a value.

        Raises
        ------
        InvalidValueError
            If it is not allowed.
        """
        trait = self.parameters()[name]
        value = trait.validate(self, value)
        values = dict(state.values) | {name: value}
        following = state.following - {name}
        if value is None and self._leader(name):
            following |= {name}
        if name == state.solved:  # it is given from now on, and another one follows
            solve_for = self.parameters()["solve_for"]
            assert isinstance(solve_for, SolveFor)
            values["solve_for"] = solve_for.free({name: value})[0]
        texts = {key: text for key, text in state.typed.items() if key != name}
        refused = {key: what for key, what in state.refused.items() if key != name}
        if typed is not None:
            texts[name] = typed
        return State(values, following, texts, refused)

    def _seen(self, state: State) -> Seen:
        """Compute all that follows from a state but the picture."""
        arguments = self.arguments(state)
        function = self.function(state.values)
        result = function(**arguments)
        values = dict(state.values)
        if state.solved:
            values[state.solved] = getattr(result, state.solved)
        for name in state.following:
            if hasattr(result, self._leader(name)):  # else it means nothing at present
                values[name] = getattr(result, self._leader(name))
        given = {name: text for name, text in state.typed.items() if not state.origin(name)}
        state = replace(state, values=values, typed=given)
        sentence, notes = self.say(result, values), self.notes(result, values)
        return Seen(state, result, sentence, notes, *self._lines(function, arguments))

    def _lines(self, calculator: Callable[..., Any], arguments: Values) -> tuple[str, str]:
        """Return the Python that computes the result, and the same with long lists shortened.

        It imports the calculator's room from where it is: a back room, whose name begins with an
        underscore, has no readers, and a notebook's own function needs no import.
        """
        traits = self.parameters()
        package, _, room = calculator.__module__.partition("._")[0].rpartition(".")
        line = f"{room}.{calculator.__name__}({{}})"
        if room == "__main__":
            line = f"{calculator.__name__}({{}})"
        elif package:
            line = f"from {package} import {room}\n{line}"
        else:
            line = f"import {room}\n{line}"
        whole = [f"{name}={value!r}" for name, value in arguments.items()]
        brief = [
            f"{name}={getattr(traits[name], 'brief', repr)(value)}"
            for name, value in arguments.items()
        ]
        return line.format(", ".join(whole)), line.format(", ".join(brief))

    def _leader(self, name: str) -> str:
        """Return the attribute of the result that a parameter follows until it is set itself."""
        return getattr(self.parameters()[name], "follows", "")

    def _grid(self, name: str) -> Any:
        """Return the stops of a slider at present; other controls have none."""
        own = getattr(self.parameters()[name], "grid", None)
        now = self.state.values
        return self.grids(self.result, now).get(name, own) if self.result is not None else own

    @classmethod
    def _check_known(cls, values: Values) -> None:
        """Refuse the name of a parameter that the explorer does not have."""
        known = cls.parameters()
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"
                raise TypeError(f"{cls.__name__} has no parameter {described(name)}{hint}")

    # How it works: events.

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Take what a reader has set on a control; the control says what is wrong with it."""
        if name not in self.parameters():
            return
        text = event.get("text")
        try:
            value = self.parameters()[name].heard(event, self._grid(name))
            state = self._moved(self.state, name, value, typed=text)
        except ValueError as error:
            state = self.state
            typed = {**state.typed, name: text or ""}
            refused = {**state.refused, name: str(error)}
            self._publish(replace(state, typed=typed, refused=refused))
        else:
            self._go(state)

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Take what a page has set, as with `jslink`; what is not allowed is said there."""
        try:
            super().set_state(sync_data)
        except InvalidValueError as error:
            with LOCK:
                self._wrong = {"": str(error)}
                self._tell(self.result)

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

        The page is told first, and each trait is set even where somebody who observes another one
        raises an error. Who observes one may set a parameter: that is then shown already, and of
        this state no more is said.
        """
        self.state = state
        traits = dict(state.values)
        if seen is not None:
            more = "  # shortened here; the explorer's attribute code is whole"
            self.tell(
                sentence={"text": seen.sentence},
                notes={"items": seen.notes},
                code={"text": seen.shortened + ("" if seen.shortened == seen.code else more)},
                **self.beside(seen),
            )
            traits |= {name: getattr(seen, name) for name in ("result", "sentence", "code")}
        self._tell(seen.result if seen else self.result)
        with ExitStack() as rest:
            for name, value in reversed(traits.items()):
                rest.callback(self._store, state, name, value)

    def _store(self, state: State, name: str, value: Any) -> None:
        if self.state is state:
            self.set_trait(name, value)

    def _draw(self, seen: Seen) -> None:
        self._picture(
            type(self).view.plots[seen.state.values["view"]].shared(), seen.result, seen.sentence
        )

    def _picture(self, plot: Plot, result: Any, sentence: str) -> None:
        """Draw a result with its overlay, for a page without a kernel and for one with it."""
        shown = self.overlay(result)
        self._layers = plot.layers(shown, self._name, self._layers)
        self.still = plot.still(shown, sentence)
        self.set_trait("_still", self._layers.still)
        self.set_trait("_moving", self._layers.moving)

    def _tell(self, result: Any) -> None:
        """Say what the controls show, and what is wrong."""
        state, now = self.state, self.state.values
        hidden, slow = self.hidden(now), self.slow(now)
        grids: Mapping[str, Any] = self.grids(result, now)
        controls: dict[str, dict[str, Any]] = {}
        messages = self.messages
        for name, trait in self.parameters().items():
            origin, own = state.origin(name), getattr(trait, "grid", np.empty(0))
            says = trait.says(now[name], grids.get(name, own), origin)
            if name in state.typed and (not origin or name in state.refused):
                says["text"] = state.typed[name]
            controls[name] = says | {"hidden": name in hidden, "slow": name in slow}
            if name not in hidden:
                controls[name]["message"] = messages.pop(name, "")
        self.tell(
            **controls,
            wrong={"text": " ".join(messages.values())},  # where no control says it
            picture={"alt": self.still.alt, "stale": bool(self.messages)},
        )


def _check_declared(kind: type[Explorer]) -> None:
    """Raise an error that says what a subclass has forgotten to declare."""
    missing = {
        "view": 'its pictures: view: Views = Views(answer=("The answer", plots.Answer))',
        "calculator": "the function that computes its result: calculator = interval.precision",
        "say": 'what to say about a result: def say(self, result, now): return f"It is {result}."',
    }
    for name, what in missing.items():
        declared = any(name in vars(base) for base in kind.__mro__ if base is not Explorer)
        if not declared:
            raise TypeError(f"{kind.__name__} must declare {name}, {what}")
    if not isinstance(kind.view, Views):
        raise TypeError(f"{kind.__name__}.view must be a Views; got {kind.view!r}")
