"""What every explorer is: parameters, a result, its picture, a sentence, and the line of Python.

Everything flows one way: control → trait → calculator → picture, sentence and code. A subclass
declares its traits and views, names its calculator and says what to say; all the rest is here.
"""

from __future__ import annotations

import difflib
import html
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform

from ipywidgets import Layout, Widget
from traitlets import Any as AnyTrait
from traitlets import Bool, Unicode

from dpwidgets.calculators.domain import FloatArray
from dpwidgets.outside import described
from dpwidgets.plots.base import WIDTH, Layers, Plot, Still
from dpwidgets.plots.drawn import Drawn
from dpwidgets.widgets import cells, link
from dpwidgets.widgets.boxes import VBox
from dpwidgets.widgets.controls import Control, NumberControl
from dpwidgets.widgets.parameters import (
    TURN,
    Choice,
    InvalidValueError,
    Number,
    Numbers,
    Parameter,
    SolveFor,
    Views,
    Words,
)
from dpwidgets.widgets.picture import Picture
from dpwidgets.widgets.words import alert, listed, place, status

_log = logging.getLogger("dpwidgets")
_CODE = (
    "margin:0;line-height:18px;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;"
    "font-family:var(--jp-code-font-family,monospace)"
)


class _Page(NamedTuple):
    """All that follows from the parameters at one moment."""

    result: Any
    sentence: str
    notes: list[str]
    still: Still
    layers: Layers
    code: str
    shortened: str  # the code as the page shows it


@dataclass_transform(
    kw_only_default=True, eq_default=False
)  # traits are keywords, with their types
class Explorer(VBox):
    """A calculator under controls. Not for use itself: see its subclasses.

    A subclass declares

    - its parameters, traits of the kinds in `parameters`, named like the calculator's arguments and
      annotated with their kind, so that type checkers know the keywords;
    - `view`, its `Views`;
    - `calculator`, the function that computes the result from the parameters;
    - `say`, which puts the result in words;
    - where one parameter can follow from the others, a `SolveFor` named `solve_for`.

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
    start : dict
        The settings with which it was made.
    """

    calculator: ClassVar[Callable[..., Any]]  # a public function, which the code line names
    view: Views
    strict: ClassVar[bool] = False  # tests set it: an unexpected exception then comes through

    result = AnyTrait(read_only=True, help="What the calculator returned; frozen.")
    sentence = Unicode(read_only=True, help="The result in plain words, with its numbers.")
    code = Unicode(read_only=True, help="The Python that computes the result.")
    closed = Bool(False, read_only=True, help="Whether it is off the page, and follows no more.")

    def __init_subclass__(cls, **options: Any) -> None:
        """Let a subclass name its calculator without turning it into a method."""
        super().__init_subclass__(**options)
        own = vars(cls).get("calculator")
        if isinstance(own, FunctionType):
            cls.calculator = staticmethod(own)

    def __init__(self, **values: Any) -> None:
        self.controls: dict[str, Control] = {}
        _check_declared(type(self))
        self._settling, self._dirty, self._rounds = False, False, 0
        self._shown: bool | None = None  # on a page; None before it is made and after it is closed
        self.writing = ""  # the parameter that it stores itself, and nobody gave
        self._following = {name for name in self.parameters() if self._leader(name)}
        self._good: dict[str, Any] = {}  # the settings that the page shows
        self._waiting: dict[str, Any] = {}  # the last ones that were refused
        self._hidden_and_slow: tuple[set[str], set[str]] = set(), set()
        #: What the picture shows in the result's place: the result and what was drawn from it.
        self.overlay: Callable[[Any], Any] = lambda result: result
        layout = values.pop("layout", None) or Layout(width="100%", max_width="1180px")
        layout.flex_flow, layout.align_items, layout.grid_gap = "row wrap", "flex-start", "0 20px"
        layout.padding = "6px 0 0 0"  # room for a finger on the first slider
        super().__init__(layout=layout)
        self._take(values)

        self.controls = {
            name: trait.control(
                assign=partial(self._assign, name), refuse=partial(self._refuse, name)
            )
            for name, trait in self.parameters().items()
        }
        self.refused, self.picture = place(), Picture()
        self.still: Still  # the present picture with its words
        self.said, self.noted, self.coded = place(60), place(), place(54)
        parts = [self.refused, self.picture, self.said, self.noted, self.coded]
        self.add_class("dpwidgets-explorer")
        # Beside each other where both have room in 1,000 px, else below each other.
        columns = [_column(self.controls.values(), "340px"), _column(parts, f"{WIDTH}px")]
        if below := self.below():
            columns.append(_column(below, "100%", "100%"))
        self.children = columns
        self._show(self._page())
        self.start = self.settings()
        self.sweeping = False  # whether `sweep` moves it, and no reader
        self.observe(self._changed, list(self.controls))
        cells.release(_parts(self))
        self._shown = False

    # What a subclass fills in.

    def say(self, result: Any) -> str:
        """Return the result in plain words, with its numbers."""
        raise NotImplementedError

    def function(self) -> Callable[..., Any]:
        """Return the calculator; a subclass that has another one for some views says which."""
        return self.calculator

    def notes(self, result: Any) -> list[str]:
        """Return further sentences, which stand as a list below the first."""
        return []

    def unused(self) -> set[str]:
        """Return the names of the parameters that mean nothing now: the calculator lacks them."""
        return set()

    def hidden(self) -> set[str]:
        """Return the names of the parameters whose controls are hidden: at least the unused."""
        return self.unused() | ({"view"} if len(type(self).view.options) == 1 else set())

    def slow(self) -> set[str]:
        """Return the names of the parameters that take a while at present.

        Their sliders act when they are let go, and while the picture is computed the page says so.
        """
        return set()

    def grids(self, result: Any) -> dict[str, FloatArray]:
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

    def below(self) -> Sequence[VBox]:
        """Make what else stands on the page, below the line of Python."""
        return []

    # What it can use.

    @classmethod
    @cache
    def parameters(cls) -> Mapping[str, Parameter]:
        """Return the traits that have a control, by name: in order, and the view last."""
        traits: dict[str, Parameter] = {}
        for base in reversed(cls.__mro__):
            kinds = (Number, Numbers, Words, Choice)
            traits |= {name: own for name, own in vars(base).items() if isinstance(own, kinds)}
        traits["view"] = traits.pop("view")
        return MappingProxyType(traits)

    def settings(self) -> dict[str, Any]:
        """Return what makes another explorer like this one, as keywords of its constructor.

        Returns
        -------
        dict
            Each parameter's value, None for one that follows something else. The parameter that is
            solved for is left out.
        """
        given = {
            name: None if name in self._following else getattr(self, name)
            for name in self.parameters()
            if name != self._solved
        }
        first = {name: given[name] for name in ("solve_for",) if name in given}
        return first | given

    def arguments(self) -> dict[str, Any]:
        """Return what the calculator is given, by name."""
        left_out = {self._solved} | self._following | self.unused()
        return {
            name: getattr(self, name)
            for name, trait in self.parameters().items()
            if trait.argument and name not in left_out
        }

    def compute(self) -> Any:
        """Return the calculator's result for the present parameters; nothing else changes."""
        return self.function()(**self.arguments())

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
        self._check_known(values)
        self._restore(self.start)
        for name, value in values.items():
            setattr(self, name, value)
        if self.messages:
            raise ValueError("; ".join(self.messages.values()))

    def sweep(self) -> int:
        """Drive every slider shown to both ends and the middle, in every view.

        And, one at a time, for every choice. The page is told only where it ends: thousands of
        pictures would flood whoever reads the kernel's messages.

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
        start = self.settings()
        states = 0
        self.sweeping = True
        with ExitStack() as quiet:
            quiet.callback(setattr, self, "sweeping", False)
            for widget in _family(self):
                quiet.enter_context(widget.hold_sync())
            quiet.enter_context(self._strictly())
            try:
                for frame in self._frames(start):
                    for name, control in self.controls.items():
                        self._restore(frame)
                        if isinstance(control, NumberControl) and self._can_be_moved(name):
                            for _ in control.drive():
                                states += 1
                                if self.messages:
                                    state = {one: getattr(self, one) for one in self.controls}
                                    raise RuntimeError(
                                        f"{type(self).__name__} at {state}: {self.messages}"
                                    )
            finally:
                self._restore(start)
        return states

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
        """Take the explorer off the page, and let Python free all that it is made of.

        What it found stays: result, sentence and code. It does not follow its parameters any more.
        """
        if not self.controls:
            return  # closed before
        self.set_trait("closed", True)
        self.unobserve_all()
        self._shown = None
        close_parts(self)
        super().close()
        self.children, self.controls = (), {}
        del self.refused, self.picture, self.said, self.noted, self.coded

    def redraw(self) -> None:
        """Draw the picture of the present result anew, when its overlay has changed."""
        with TURN:
            sentence = self.still.alt
            self.still, layers = self._pictures(self.result, sentence, self._good["view"])
            self.picture.show(layers, sentence)
            if self.messages:
                self.picture.dim()

    @property
    def model_id(self) -> str:
        """The name under which a page knows the explorer: it is asked for in order to show it."""
        self._keep()
        return super().model_id

    @property
    def messages(self) -> dict[str, str]:
        """What is wrong at present, under the name of each control that says so."""
        said = {name: control.message for name, control in self.controls.items()}
        return {name: words for name, words in (said | {"": self.refused.value}).items() if words}

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the picture and sentence."""
        self._keep()
        cells.shows(self)
        live = super()._repr_mimebundle_(**options) or {}
        data, metadata = self.still._repr_mimebundle_()
        with suppress(ValueError):  # of a column that is too long for a link
            metadata["dpwidgets"] = {"link": self.link()}  # the website makes it move
        return live | data, metadata

    def _keep(self) -> None:
        """Live on while a page may show it, even if nobody else holds it."""
        if self._shown is False:
            self._shown = True
            cells.keep(_parts(self))

    # How it works: the settings.

    @property
    def _solved(self) -> str:
        return getattr(self, "solve_for", "")

    def _leader(self, name: str) -> str:
        """Return the attribute of the result that a parameter follows until it is set itself."""
        return getattr(self.parameters()[name], "follows", "")

    def _can_be_moved(self, name: str) -> bool:
        return name not in {self._solved} | self.unused() | self.hidden()

    @contextmanager
    def _strictly(self) -> Iterator[None]:
        """Let unexpected exceptions through."""
        before, self.strict = self.strict, True  # type: ignore[misc]
        try:
            yield
        finally:
            self.strict = before  # type: ignore[misc]

    def _write(self, settings: Mapping[str, Any]) -> None:
        """Set parameters, without computing anything."""
        for name, value in settings.items():
            self._follow(name, value)
            if value is not None or not self._leader(name):  # an optional one may be left open
                self._store(name, value)

    def _store(self, name: str, value: Any) -> None:
        """Set one parameter so that nobody takes it for given, and its domain is not asked."""
        with TURN:
            self.writing = name
            try:
                setattr(self, name, value)
            finally:
                self.writing = ""

    def _store_what_follows(self, result: Any) -> None:
        """Set the parameters that follow from the others to what the result has."""
        if self._solved:
            self._store(self._solved, getattr(result, self._solved))
        for name in self._following:
            leader = self._leader(name)
            if hasattr(result, leader):  # else it means nothing at present
                self._store(name, getattr(result, leader))

    def _follow(self, name: str, value: Any) -> None:
        """Let a parameter that was set go its own way, or follow again if it was set to nothing."""
        if self._leader(name):
            (self._following.add if value is None else self._following.discard)(name)

    def _take(self, values: Mapping[str, Any]) -> None:
        """Take the start values that the constructor was given."""
        self._check_known(values)
        solve_for = self.parameters().get("solve_for")
        if isinstance(solve_for, SolveFor) and values.get("solve_for", self._solved) in values:
            free = solve_for.free(values)
            if "solve_for" in values or not free:
                names = ", ".join(solve_for.options)
                raise ValueError(
                    f"{type(self).__name__}: {names} cannot all be given; leave out one"
                )
            values = {"solve_for": free[0]} | dict(values)
        for name, value in values.items():
            setattr(self, name, value)
            self._follow(name, value)

    @classmethod
    def _check_known(cls, values: Mapping[str, Any]) -> None:
        """Refuse the name of a parameter that the explorer does not have."""
        known = cls.parameters()
        for name in values:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"
                raise TypeError(f"{cls.__name__} has no parameter {described(name)}{hint}")

    def _frames(self, start: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Return the states from which `sweep` sets out: each view, each choice changed alone."""
        traits = self.parameters()
        choices = {
            name: trait.options
            for name, trait in traits.items()
            if isinstance(trait, Choice) and name != "view"
        }
        for view in type(self).view.options:
            yield {**start, "view": view}
            for name, options in choices.items():
                for option in options:
                    if option != start[name]:
                        yield {**start, "view": view, name: option}

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Set all parameters of a state and draw once.

        Raises
        ------
        InvalidValueError
            If a value is not allowed; nothing has changed then.
        """
        traits, present = self.parameters(), self.settings()
        checked = {
            name: None if value is None else traits[name].validate(self, value)
            for name, value in state.items()
        }
        if any(present.get(name) != value for name, value in checked.items()):
            with TURN:
                self._write(checked)
                self._settle()

    # How it works: events.

    def _assign(self, name: str, value: Any) -> None:
        """Take what a reader has set on a control; the control says what is wrong with it."""
        with TURN:
            self._waiting.pop(name, None)
            rounds = self._rounds
            try:
                setattr(self, name, value)
            except InvalidValueError as error:
                self._refuse(name, str(error))
            else:
                if self.messages and self._rounds == rounds:  # the value from before the bad one
                    self._settle()

    def _refuse(self, name: str, message: str) -> None:
        """Say what is wrong, beside the control if there is one, and dim the last good picture."""
        with TURN:
            if name in self.controls:
                self.controls[name].complain(message)
            else:
                self.refused.value = alert(message)
            self.picture.dim()
            self.said.value = status(self.still.alt)

    def _changed(self, change: Mapping[str, Any]) -> None:
        """Take what was set; it comes later than that where notifications are held back."""
        with TURN:
            if self.writing != change["name"]:
                self._given(change["name"], change["new"])

    def _given(self, name: str, value: Any) -> None:
        """Show what follows from a parameter that somebody else has set."""
        self._waiting.pop(name, None)
        if name == self._solved:  # it is given from now on, and another one follows
            solve_for = self.parameters()["solve_for"]
            assert isinstance(solve_for, SolveFor)
            self.solve_for = solve_for.free({name: value})[0]
            return
        self._follow(name, value)
        if name in self.slow():
            self.picture.dim()
            self.said.value = status("Computing …")
        self._settle()

    def _settle(self) -> None:
        """Draw until nothing has changed since: who follows the result may set a parameter."""
        self._dirty = True
        if self._settling:
            return
        self._settling = True
        try:
            while self._dirty:
                self._dirty = False
                self._refresh()
        finally:
            self._settling = False

    def _refresh(self) -> None:
        """Show what follows from the parameters, or go back to the last ones from which it did.

        What was refused waits for the next event: where that makes it possible, both are taken.
        """
        self._rounds += 1
        for name in self.parameters():
            if getattr(self, name) is None:  # set a moment ago, while events are held back
                self._follow(name, None)
        waiting, self._waiting = self._waiting, {}
        if waiting:
            before = self.settings()
            self._write(waiting)
            try:
                self._show(self._page())
            except Exception:
                self._write(before)
            else:
                return
        wanted = self.settings()
        try:
            self._show(self._page())
        except Exception as error:
            self._go_back(wanted)
            if isinstance(error, ValueError):
                self._refuse(getattr(error, "argument", ""), str(error))
            elif self.strict:
                raise
            else:
                _log.exception("%s could not be computed at %s", type(self).__name__, wanted)
                self._refuse("", f"this could not be computed: {error or type(error).__name__}")

    def _go_back(self, wanted: Mapping[str, Any]) -> None:
        """Return to the settings that the page shows; the refused ones wait for the next event."""
        back = self._good
        if back.get("solve_for") == wanted.get("solve_for"):
            given = {name for name in back if name in wanted}
            self._waiting = {name: wanted[name] for name in given if wanted[name] != back[name]}
        self._write(back)
        self._store_what_follows(self.result)

    # How it works: the page.

    def _page(self) -> _Page:
        """Compute all that follows from the parameters; nothing on the page changes."""
        arguments = self.arguments()
        result = self.compute()
        sentence = self.say(result)
        still, layers = self._pictures(result, sentence, self.view)
        return _Page(result, sentence, self.notes(result), still, layers, *self._lines(arguments))

    def _pictures(self, result: Any, sentence: str, view: str) -> tuple[Still, Layers]:
        """Draw a result with its overlay, for a page without a kernel and for one with it."""
        plot: Plot = type(self).view.plots[view].shared()
        shown = self.overlay(result)
        layers = plot.layers(shown, self.picture.name, self.picture.layers)
        return plot.still(shown, sentence), layers

    def _lines(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """Return the Python that computes the result, and the same with long lists shortened.

        It imports the calculator's room from where it is: a back room, whose name begins with an
        underscore, has no readers, and a notebook's own function needs no import.
        """
        traits, calculator = self.parameters(), self.function()
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

    def _show(self, page: _Page) -> None:
        """Put a page where the last one was."""
        self._store_what_follows(page.result)
        self._good = self.settings()
        self.still = page.still
        self.picture.show(page.layers, page.sentence)
        self.said.value = status(page.sentence)
        self.noted.value = listed(page.notes)
        words = page.shortened
        if words != page.code:
            words += "  # shortened here; the explorer's attribute code is whole"
        self.coded.value = f'<pre style="{_CODE}">{html.escape(words)}</pre>'
        self.refused.value = ""
        for name, grid in self.grids(page.result).items():
            self.controls[name].regrid(grid)
        present = self.hidden(), self.slow()
        if present != self._hidden_and_slow:
            hidden, slow = self._hidden_and_slow = present
            for name, control in self.controls.items():
                control.layout.display = "none" if name in hidden else None
                control.wait_for_release(name in slow)
        for name, control in self.controls.items():
            following = name in self._following
            control.show(getattr(self, name), solved=name == self._solved, following=following)
        self.set_trait("result", page.result)
        self.set_trait("sentence", page.sentence)
        self.set_trait("code", page.code)


def close_parts(whole: VBox) -> None:
    """Close the widgets that another one is made of."""
    for widget in list(_parts(whole)):
        if widget is not whole:
            widget.close()


def _check_declared(kind: type[Explorer]) -> None:
    """Raise an error that says what a subclass has forgotten to declare."""
    missing = {
        "view": 'its pictures: view: Views = Views(answer=("The answer", plots.Answer))',
        "calculator": "the function that computes its result: calculator = interval.precision",
        "say": 'what to say about a result: def say(self, result): return f"It is {result}."',
    }
    for name, what in missing.items():
        declared = any(name in vars(base) for base in kind.__mro__ if base is not Explorer)
        if not declared:
            raise TypeError(f"{kind.__name__} must declare {name}, {what}")
    if not isinstance(kind.view, Views):
        raise TypeError(f"{kind.__name__}.view must be a Views; got {kind.view!r}")


def _column(widgets: Iterable[Any], width: str, most: str = "660px") -> VBox:
    """Put widgets below each other, in a part of the page that takes about this width."""
    layout = Layout(flex=f"1 1 {width}", max_width=most, min_width="0", overflow="visible")
    return VBox(list(widgets), layout=layout)


def _family(widget: Any) -> Iterator[Any]:
    """Yield a widget and all that it is made of."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _family(child)


def _parts(widget: Any) -> Iterator[Widget]:
    """Yield a widget and all that it is made of, with the widgets that say how each looks."""
    for one in _family(widget):
        looks = getattr(one, "layout", None), getattr(one, "style", None)
        yield from (part for part in (*looks, one) if isinstance(part, Widget))
