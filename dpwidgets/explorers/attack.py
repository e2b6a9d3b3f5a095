"""The explorer of three attacks, and of what the best attacker could have done."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from traitlets import Callable as AnyCallable, observe

from dpwidgets.calculators import attack
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray
from dpwidgets.inputs.notation import (
    at_most,
    belief,
    likelier,
    percent,
    several,
    show,
    up,
)
from dpwidgets.page.explorer import Explorer, State, Values
from dpwidgets.page.parameters import (
    LEAKAGE,
    Epsilon,
    Number,
    TextBox,
    Views,
    even_grid,
    log_grid,
    whole_grid,
)
from dpwidgets.plots import attack as plots
from dpwidgets.plots.heaps import columns
from dpwidgets.plots.panel import Drawn

_CALCULATORS: dict[str, Callable[..., Any]] = {
    "rebuild": attack.rebuild,
    "member": attack.member,
}
_DIVIDES = {"releases", "threshold", "bound", "who"}
_USED = {
    "worlds": _DIVIDES | {"rule"},
    "errors": _DIVIDES,
    "member": {"people", "markers", "threshold", "who"},
    "rebuild": {"smallest", "solve"},
}
_OWN = set[str]().union(*_USED.values())


class AttackExplorer(Explorer):
    """Two hundred worlds to tell apart, a table to rebuild, somebody who may be in the data.

    Examples
    --------
    >>> explorer = AttackExplorer(epsilon=1)
    >>> round(explorer.result.best, 4)
    0.6967
    >>> explorer.view = "rebuild"
    >>> int(explorer.result.right.sum())
    19
    """

    epsilon: Number = Epsilon(1.0, "of each number")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    releases: Number = Number(
        1,
        attack.RELEASES,
        whole_grid(2),
        "Releases",
        "of the count, each with fresh noise",
        ends=LEAKAGE,
    )
    """How often the count is published."""
    bound: Number = Number(
        None,
        EPSILON,
        log_grid(-2, 1),
        "δ of ε′",
        "of all releases together",
        optional=True,
    )
    """What lies above e^ε′ times as many without the person is hatched: δ(ε′)."""
    smallest: Number = Number(
        6,
        attack.SMALLEST,
        np.arange(1.0, 25),
        "Smallest group",
        "people in a sum, at least",
        ends=("more sums", "fewer sums"),
    )
    """How many people each published sum is about, at least."""
    people: Number = Number(
        50, attack.PEOPLE, whole_grid(3)[1:], "People", "in the data"
    )
    """How many people are in the data."""
    markers: Number = Number(
        200,
        attack.MARKERS,
        whole_grid(3),
        "Markers",
        "counted",
        ends=LEAKAGE,
    )
    """Of how many markers the counts are published."""
    threshold: Number = Number(
        None,
        NUMBER,
        even_grid(-50, 150),
        "Threshold",
        "right of it the guess is “with”",
        follows="halfway",
        ends=("more false alarms", "more misses"),
    )
    """The number, or the score, above which the guess is that somebody is in the data."""
    who: TextBox = TextBox("you", 20, "Who", argument=False)
    """Who is in half of the worlds, as the picture and the sentence say it."""
    view: Views = Views(
        worlds=("200 worlds", plots.BothWorlds),
        errors=("Two kinds of errors", plots.TradeOff),
        rebuild=("A table, rebuilt", plots.RebuiltTable),
        member=("Is she in it?", plots.TwoErrors),
    )
    """Which attack is shown."""

    calculator = attack.divide
    drawn_as = "Dots: the last 200 that were drawn, with an arrowhead at the very last one."
    rule = AnyCallable(
        None,
        allow_none=True,
        help="A guess of your own in place of the line through the worlds. It takes the count "
        "without the person and the one of a world, and returns whether the person is in it.",
    )

    solve = AnyCallable(
        None,
        allow_none=True,
        help="A way of your own to rebuild the table, in place of least squares. It takes who is "
        "in each group and the sums, and returns a number of each person: above ½ is a yes.",
    )

    @observe("rule", "solve")
    def _play(self, _: object) -> None:
        self._go(self.state)

    def _computed(
        self, state: State, arguments: Mapping[str, Any]
    ) -> tuple[State, Any]:
        state, result = super()._computed(state, arguments)
        own = {name: getattr(self, name) for name in ("rule", "solve")}
        own["who"] = state.values["who"]
        used = own.keys() & _USED[state.values["view"]]
        return state, replace(result, **{name: own[name] for name in used})

    def function(self, now: Values) -> Callable[..., Any]:
        return _CALCULATORS.get(now["view"], attack.divide)

    def unused(self, now: Values) -> set[str]:
        unused = _OWN - _USED[now["view"]]
        # The reader's rule takes the place of the line.
        if self.rule is not None and now["view"] == "worlds":
            unused |= {"threshold", "bound"}
        return unused

    def grids(self, result: Any, now: Values) -> dict[str, FloatArray]:
        if isinstance(result, attack.Line):
            return {"threshold": columns(result)}
        return {}

    def say(self, result: Any, now: Values) -> str:
        if isinstance(result, attack.Rebuilt):
            return _say_rebuilt(result)
        if result.rule is not None:
            return (
                f"A blind guess is right in 50% of cases, and the best rule in "
                f"{percent(result.best)}. Whatever the noise, this ε leaves at most "
                f"{up(result.limit, percent)}."
            )
        return _say_line(result, type(self).view.plots[now["view"]])

    def say_drawn(self, drawn: Drawn) -> str:
        result = drawn.result
        scores = result.scores(drawn.draws)
        whose = "the guess" if result.rule is None else "your rule"
        return (
            f"Of {several(scores.size, 'game')} {whose} wins {show(int(scores.sum()))}: "
            f"{percent(float(scores.mean()))}."
        )


def _say_line(result: Any, plot: type[Any]) -> str:
    """Say of all worlds that there could be how often the line is right, and an attack at most."""
    right = belief(result.right)
    said, about = str(plot.exactly(result)), plot.about(result)
    said += f" The line is right in {about}{right} of cases"
    if plot is plots.BothWorlds and right == belief(result.shares[0]):
        said = (
            f"Of all that there could be, {result.kinds[True]} or without, the line tells "
            f"{about}{right} right"
        )
    best = f". {_no_attack(result.best)}"
    if right == belief(result.best):
        best = ", and no attack is noticeably better."
    at_line = hatched = ""
    if plot is not plots.TwoErrors and not result.spacing and result.loss:
        more, less = (
            result.kinds[one] for one in (result.loss > 0, result.loss < 0)
        )
        at_line = (
            f" An answer on the line is {likelier(abs(result.loss))} times as likely {more} "
            f"as {less}."
        )
    if getattr(result, "bound", None) is not None:
        bound = show(result.bound, 6)
        above = f"above e^{bound} times as many {result.kinds[False]}"
        hatched = f" Nothing lies {above}: δ({bound}) = 0."
        if not at_most(result.releases * result.epsilon, result.bound):
            # Of less a grid has no digits.
            few = "is below 1e-12"
            size = few if result.delta < 1e-12 else f"= {up(result.delta)}"
            hatched = (
                f" Hatched is what lies {above}: δ({bound}) {size} of all "
                f"{result.kinds[True]}."
            )
    return f"{said}{best}{at_line}{hatched}"


def _say_rebuilt(result: attack.Rebuilt) -> str:
    return (
        f"{several(result.sums.size, 'sum')}, each of "
        f"{several(result.smallest, 'person', 'people')} or more and with "
        f"ε = {show(result.epsilon)}. A blind guess is right about "
        f"{show(result.truth.size // 2)} people. "
        f"{_no_attack(result.best)} "
        f"Each person is in {show(result.each)} of the sums, so all of them "
        f"together have ε = {up(result.together)}."
    )


def _no_attack(best: float) -> str:
    """Say how often an attack can be right; digits behind 99.99% would tell nobody more."""
    if best > 0.9999:
        return "At this ε an attack may be right in practically all cases."
    return f"No attack is right in more than {up(best, percent)} of cases."
