"""What follows from what: one state from another, and result, sentence and code from a state.

`Declared` has all that whoever writes an explorer fills in. The kinds of
parameters are in `parameters.py`, and what a picture is in `plots/base.py`.
Nothing here is on a page yet: that is `display.py`.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.outside import described, nearest
from dpwidgets.page import call
from dpwidgets.page.page import About, Page, Shown
from dpwidgets.page.parameters import Parameter, SolveFor, Views
from dpwidgets.plots.panel import Drawn

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
        The parameters that follow an attribute of the result until they are
        set themselves.
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
        """Return the values that were given, by name; None for a parameter in `following`.

        What is solved for comes first, as `solve_for`, and has no value itself.
        """
        given = {
            name: None if name in self.following else value
            for name, value in self.values.items()
            if name not in ("solve_for", self.solved)
        }
        return {"solve_for": self.solved, **given} if self.solved else given


class Seen(NamedTuple):
    """All that follows from a state."""

    state: State
    result: Any
    headline: str  # what its picture says
    said: str  # what the sentence below adds
    notes: list[str]
    rows: list[tuple[str, str]]
    code: str
    folded_code: Mapping[str, str]  # as the page shows it

    @property
    def sentence(self) -> str:
        """What the picture says, and what is added."""
        return together(self.headline, self.said)


def together(*sentences: str) -> str:
    """Return sentences behind each other; one may be empty."""
    return " ".join(filter(None, sentences))


class Declared(Page):
    """What a subclass of `Explorer` declares and fills in, and what follows from a state.

    A subclass declares

    - its parameters, traits of the kinds in `parameters`, named like the calculator's arguments and
      annotated with their kind, so that type checkers know the keywords;
    - `view`, its `Views`;
    - `calculator`, the function that computes the result from the parameters;
    - `say`, which puts the result in words;
    - where one parameter can follow from the others, a `SolveFor` named `solve_for`.

    What it fills in gets the values of all parameters, `now`, and changes
    nothing. It may read `state`, the present one, and `only`, what the reader
    knows by now; neither is set here.
    """

    # A public function, which the code line names.
    calculator: ClassVar[Callable[..., Any]]
    # What marks the draws, where that is not a stroke for each.
    drawn_as: ClassVar[str] = ""
    view: Views
    only: Sequence[str] = ()
    state: State
    _parameters: ClassVar[Mapping[str, Parameter[Any, Any]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Take in what a subclass declares: a calculator, which is no method, and parameters."""
        super().__init_subclass__(**options)
        calculator = vars(cls).get("calculator")
        if isinstance(calculator, FunctionType):
            cls.calculator = staticmethod(calculator)
        declared = {
            name: trait
            for name, trait in vars(cls).items()
            if isinstance(trait, Parameter)
        }
        # Anywidget makes a class of each widget, which declares none.
        if not declared:
            return
        sentences = _sentences(cls)
        for name, trait in declared.items():
            trait.help = trait.help or sentences.get(name, "")
        parameters = {**cls._parameters, **declared}
        if "view" in parameters:
            parameters["view"] = parameters.pop("view")  # last
        cls._parameters = parameters

    # What a subclass fills in.

    def say(self, result: Any, now: Values) -> str:
        """Return in plain words, with its numbers, what the picture's headline leaves open."""
        raise NotImplementedError

    def say_drawn(self, drawn: Drawn) -> str:
        """Return in words what was drawn from the result by its `draw`, if it has one."""
        return ""

    def say_asked(self, drawn: Drawn) -> str:
        """Return in words what follows from several answers about the same people."""
        return ""

    def function(self, now: Values) -> Callable[..., Any]:
        """Return the calculator; a subclass that has another one for some views says which."""
        return self.calculator

    def notes(self, result: Any, now: Values) -> list[str]:
        """Return further sentences, which stand as a list below the first."""
        return []

    def rows_of(self, result: Any, now: Values) -> list[tuple[str, str]]:
        """Return of each row of the picture its name and the sentence to which it opens."""
        return []

    def unused(self, now: Values) -> set[str]:
        """Return the names of the parameters that mean nothing now: the calculator lacks them."""
        return set()

    def hidden(self, now: Values) -> set[str]:
        """Return the names of the parameters whose controls are hidden: at least the unused."""
        hidden = self.unused(now)
        if len(type(self).view.options) == 1:
            hidden = hidden | {"view"}
        return hidden

    def slow(self, now: Values) -> set[str]:
        """Return the names of the parameters that take a while: their sliders act on release."""
        return set()

    def grids(self, result: Any, now: Values) -> dict[str, FloatArray]:
        """Return the stops of those sliders whose stops depend on the result, by name."""
        return {}

    def arranged(self) -> list[About]:
        """Return the controls as the page has them: all of them, below each other."""
        return [trait.about() for trait in self.parameters().values()]

    def below(self) -> list[About]:
        """Return what else stands on the page, below the line of Python."""
        return []

    def beside(self, seen: Seen) -> Shown:
        """Return what the parts of `below` show."""
        return {}

    # How it works.

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter[Any, Any]]:
        """Return the traits that have a control, by name: in order, and the view last."""
        return cls._parameters

    def arguments(self, state: State | None = None) -> dict[str, Any]:
        """Return what the calculator is given, by name; at present, or in a state.

        What is left open is not among it.
        """
        state = state or self.state
        left_out = {state.solved} | state.following | self.unused(state.values)
        return {
            name: state.values[name]
            for name, trait in self.parameters().items()
            if trait.argument
            and name not in left_out
            and state.values[name] is not None
        }

    def changed(self, start: State, now: State) -> dict[str, Any]:
        """Return what counts now and was otherwise at a start: each parameter with its start value.

        A parameter counts where the calculator gets something else once it
        alone is put back. Neither the picture counts, nor what followed from
        the others at the start.
        """
        arguments = self.arguments(now)
        return {
            name: value
            for name, value in start.settings().items()
            if name not in ("view", "solve_for")
            and self.arguments(self._with(now, {name: value})) != arguments
        }

    def _first(self, values: Values) -> State:
        """Return the state in which it is made."""
        self._check_known(values)
        traits = self.parameters()
        solve_for = traits.get("solve_for")
        if isinstance(solve_for, SolveFor):
            values = {**values, "solve_for": _solved(solve_for, values)}
        start = {
            name: trait.validate(self, trait.default(self))
            for name, trait in traits.items()
        }
        following = frozenset(
            name for name, trait in traits.items() if trait.follows
        )
        return self._with(State(start, following), values)

    def _with(self, state: State, values: Values) -> State:
        """Return the state in which these parameters have these values."""
        for name, value in values.items():
            state = self._moved(state, name, value)
        return state

    def _moved(
        self, state: State, name: str, value: Any, typed: str | None = None
    ) -> State:
        """Return the state after one parameter was given a value.

        Raises
        ------
        InvalidValueError
            If it is not allowed.
        """
        trait = self.parameters()[name]
        value = trait.validate(self, value)
        values = {**state.values, name: value}
        following = state.following - {name}
        if value is None and trait.follows:
            following |= {name}
        # It is given from now on, and another one follows.
        if name == state.solved:
            solve_for = self.parameters()["solve_for"]
            assert isinstance(solve_for, SolveFor)
            values["solve_for"] = solve_for.free({name})[0]
        moved = State(values, following)
        refused = {
            one: why
            for one, why in state.refused.items()
            if one not in (name, moved.solved)
        }
        # What follows nobody has typed, but for what was refused there.
        texts = {**state.typed, name: typed}
        kept = {
            one: text
            for one, text in texts.items()
            if text is not None and (one in refused or not moved.origin(one))
        }
        return replace(moved, typed=kept, refused=refused)

    def _computed(
        self, state: State, arguments: Mapping[str, Any]
    ) -> tuple[State, Any]:
        """Return the result for these arguments, and the state with what follows from it."""
        result = self.function(state.values)(**arguments)
        values = dict(state.values)
        if state.solved:
            values[state.solved] = getattr(result, state.solved)
        for name in state.following:
            leader = self.parameters()[name].follows
            if hasattr(result, leader):  # else it means nothing at present
                values[name] = getattr(result, leader)
        return replace(state, values=values), result

    def _seen(self, state: State) -> Seen:
        """Compute all that follows from a state but the picture."""
        arguments = self.arguments(state)
        function = self.function(state.values)
        state, result = self._computed(state, arguments)
        said = (result, state.values)
        picture = type(self).view.plots[state.values["view"]]
        return Seen(
            state,
            result,
            headline=picture.says(result),
            said=self.say(*said),
            notes=self.notes(*said),
            rows=self.rows_of(*said),
            code=call.whole(function, arguments, self.parameters()),
            folded_code=call.folded(function, arguments, self.parameters()),
        )

    @classmethod
    def _check_known(cls, names: Iterable[str]) -> None:
        """Refuse the name of a parameter that the explorer does not have."""
        known = cls.parameters()
        for name in names:
            if name not in known:
                hint = nearest(name, known)
                raise TypeError(
                    f"{cls.__name__} has no parameter {described(name)}{hint}"
                )


def _solved(solve_for: SolveFor, given: Values) -> str:
    """Return which parameter follows from the others where these are given."""
    wanted: str = given.get("solve_for", solve_for.default_value)
    if wanted not in given:
        return wanted
    others = solve_for.free(given)
    if not others or "solve_for" in given:
        names = ", ".join(solve_for.options)
        raise ValueError(f"{names} cannot all be given; omit one")
    return others[0]


def _sentences(declares: type) -> dict[str, str]:
    """Return what stands below each parameter in the source of a class, where editors find it too.

    A class without a source, as in a notebook's cell, has none.
    """
    try:
        source = textwrap.dedent(inspect.getsource(declares))
    except (OSError, TypeError):
        return {}
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for statement, below in pairwise(tree.body):
        if not isinstance(statement, ast.AnnAssign):
            continue
        if isinstance(below, ast.Expr):
            words = ast.literal_eval(below.value).split()
            found[ast.unparse(statement.target)] = " ".join(words)
    return found
