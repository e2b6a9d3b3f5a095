"""Tasks that are solved by moving an explorer: find a state, and the task says when it is found."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from dpwidgets.inputs.domain import one_of
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import quoted
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.parameters import Choice, Number, Parameter, TextBox
from dpwidgets.page.state import State
from dpwidgets.teaching.asking import Asking, checked_explorer

_NEARLY = (
    "The goal is met, but this task leaves all else as it was. Put back: "
)


class Task(Asking):
    """A goal in an explorer: the reader moves its controls until it is reached.

    Only what the solution names may be moved, and what `also` adds; the
    picture may be changed freely. Where the goal is met with something else
    moved, the task says what to put back.

    It watches the explorer and says at once when the goal is reached. It offers
    a hint, and after the hint a solution, which a button sets on the explorer.
    What is solved with that button does not count as solved.

    Parameters
    ----------
    prompt : str
        What is to be reached.
    explorer : Explorer
        Where to reach it.
    reached : function
        Takes the explorer's result and returns whether the goal is reached.
    solution : mapping
        Values of the explorer's parameters at which it is, all others as at
        the explorer's start.
    also : sequence of str
        The names of further parameters that may be moved, where there are
        several ways.
    hint : str
        What helps on.
    then : object, optional
        What appears once the goal is reached, or the solution is set
        (`dpwidgets.teaching.asking.Help`).

    Attributes
    ----------
    correct : bool
        Whether the reader has reached it in this kernel.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it must be, or the explorer has no such
        state.

    Notes
    -----
    What it prints never depends on the reader. The reader's explorer is moved
    by nothing but the button. Where the explorer is at the goal before the
    task is asked, since somebody moved it, the task waits until it was away.
    The explorer's start shall not reach the goal, and the solution shall; the
    tests of the notebooks hold that, a reader's run does not look.

    Examples
    --------
    >>> from dpwidgets import WorldsExplorer
    >>> explorer = WorldsExplorer()
    >>> task = Task(
    ...     "Find an answer at which Kelly is the best guess.",
    ...     explorer,
    ...     reached=lambda result: [result.names[guess] for guess in result.guesses] == ["Kelly"],
    ...     solution={"answer": 4.7},
    ... )
    >>> task
    Task: Find an answer at which Kelly is the best guess.
    >>> explorer.answer = 4.7
    >>> task.correct
    True
    """

    def __init__(
        self,
        prompt: str,
        explorer: Explorer,
        *,
        reached: Callable[[Any], bool],
        solution: Mapping[str, Any],
        also: Sequence[str] = (),
        hint: str = "",
        then: Any = None,
    ) -> None:
        known = checked_explorer(explorer, solution).parameters()
        self.free = {*solution}
        for name in also:
            self.free.add(one_of("also", name, known))
        self.reached = reached
        self.explorer = explorer
        self.state = dict(solution)
        super().__init__(
            prompt,
            "task",
            hint=hint,
            solution=_in_words(explorer, solution),
            then=then,
        )
        self._there = self._is_reached()
        if self._there:
            self._verdict = (
                "The explorer is there already. Move away, and come back."
            )
            self._tell_all()
        explorer.observe(self._moved, "result")

    def set_explorer(self) -> None:
        """Set the explorer to the solution; that does not solve the task."""
        self._there = True  # so that to come there is no reader's move
        super().set_explorer()
        self.reveal()
        self._there = self._is_reached()
        if not self.solved:
            self._progress.count_answer(self.key, False)
        self._tell_all()

    def _moved(self, _: object) -> None:
        """Look whether the explorer, which has moved, has come to the goal."""
        was_there = self._there
        self._there = self._is_reached()
        if self._there and not was_there:
            self._judge(True, "Reached.")
        self._tell_all()

    def _enough(self) -> bool:
        return True  # a move is no try that could be counted

    def _shows(self) -> dict[str, Mapping[str, Any]]:
        shown = super()._shows()
        shown["set"] = {"hidden": "solution" not in self._helped}
        put_back = self._to_put_back(self.explorer.state)
        # Who has found it may play on.
        met = self._is_met(self.explorer.result)
        if put_back and met and not self.correct:
            shown["verdict"] = {"text": f"{_NEARLY}{put_back}."}
        return shown

    def _is_reached(self) -> bool:
        """Tell whether the goal is reached at present."""
        met = self._is_met(self.explorer.result)
        return met and not self._to_put_back(self.explorer.state)

    def _is_met(self, result: Any) -> bool:
        """Tell whether a result is what the goal asks for, whatever was moved.

        Where the author's function cannot say, as in another view, it is not.
        """
        with suppress(Exception):
            return bool(self.reached(result))
        return False

    def _to_put_back(self, state: State) -> str:
        """Write where what was moved and shall stay was, if its control shows it elsewhere."""
        explorer = self.explorer
        moved = {}
        for name, value in explorer.changed(
            explorer.state_at(), state
        ).items():
            trait = explorer.parameters()[name]
            seen = _written(trait, value), _written(trait, state.values[name])
            # A long text is written in part.
            is_seen = isinstance(trait, TextBox) or seen[0] != seen[1]
            if is_seen and name not in self.free:
                moved[name] = value
        return _in_words(explorer, moved)


def _in_words(explorer: Explorer, state: Mapping[str, Any]) -> str:
    """Write a state of an explorer as its controls show it."""
    traits = explorer.parameters()
    return "; ".join(
        f"{traits[name].label}: {_written(traits[name], value)}"
        for name, value in state.items()
    )


def _written(trait: Parameter[Any, Any], value: Any) -> str:
    """Write a value as its control shows it."""
    if value is None:
        return "an empty box"
    if isinstance(trait, Choice):
        return trait.options[value]
    if isinstance(trait, Number):
        return show(value, 6)
    if isinstance(trait, TextBox):
        return quoted(value)
    return trait.brief(value)
