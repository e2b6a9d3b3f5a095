"""The explorer of three attacks, and of what the best attacker could have done."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from traitlets import Callable as AnyCallable, observe

from dpwidgets.calculators import attack
from dpwidgets.explorers.words import factor
from dpwidgets.inputs.domain import EPSILON, NUMBER, FloatArray
from dpwidgets.inputs.notation import percent, several, show, up
from dpwidgets.page.explorer import Explorer, State, Values
from dpwidgets.page.parameters import (
    Epsilon,
    Number,
    Open,
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
_DIVIDES = {"releases", "threshold", "bound"}
_USED = {
    "worlds": _DIVIDES,
    "errors": _DIVIDES,
    "member": {"people", "markers", "threshold"},
    "rebuild": {"smallest"},
}
_OWN = set[str]().union(*_USED.values())
_FEW = 12  # games that are told one by one


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
    ).with_ends("more privacy", "more accuracy")
    """How often the count is published."""
    bound: Number = Open(
        None, EPSILON, log_grid(-2, 1), "δ of ε′", "of all releases together"
    )
    """What lies above e^ε′ times as many without you is hatched: δ(ε′)."""
    smallest: Number = Number(
        6,
        attack.SMALLEST,
        np.arange(1.0, 25),
        "Smallest group",
        "people in a sum, at least",
    ).with_ends("more sums", "fewer sums")
    """How many people each published sum is about, at least."""
    people: Number = Number(
        50, attack.PEOPLE, whole_grid(3)[1:], "People", "in the data"
    )
    """How many people are in the data."""
    markers: Number = Number(
        200, attack.MARKERS, whole_grid(3), "Markers", "counted"
    ).with_ends("more privacy", "more accuracy")
    """Of how many markers the counts are published."""
    threshold: Number = Number(
        None,
        NUMBER,
        even_grid(-50, 150),
        "Threshold",
        "right of it the guess is “in the data”",
        follows="halfway",
    ).with_ends("more false alarms", "more misses")
    """The number, or the score, above which the guess is that somebody is in the data."""
    view: Views = Views(
        worlds=("200 worlds", plots.BothWorlds),
        errors=("Two kinds of errors", plots.TradeOff),
        rebuild=("A table, rebuilt", plots.RebuiltTable),
        member=("Is she in it?", plots.Scores),
    )
    """Which attack is shown."""

    calculator = attack.divide
    drawn_as = "Dots: the last 200 that were drawn, with an arrowhead at the very last one."
    rule = AnyCallable(
        None,
        allow_none=True,
        help="A guess of your own in place of the line through the worlds. It takes the count "
        "without you and the one of a world, and returns whether you are in it.",
    )

    @observe("rule")
    def _play(self, _: object) -> None:
        self._go(self.state)

    def _computed(
        self, state: State, arguments: Mapping[str, Any]
    ) -> tuple[State, Any]:
        state, result = super()._computed(state, arguments)
        if self._by_rule(state.values):
            result = replace(result, rule=self.rule)
        return state, result

    def _by_rule(self, now: Values) -> bool:
        """Tell whether the reader's rule takes the place of the line."""
        return self.rule is not None and bool(now["view"] == "worlds")

    def function(self, now: Values) -> Callable[..., Any]:
        return _CALCULATORS.get(now["view"], attack.divide)

    def unused(self, now: Values) -> set[str]:
        unused = _OWN - _USED[now["view"]]
        if self._by_rule(now):
            unused |= {"threshold", "bound"}
        return unused

    def grids(self, result: Any, now: Values) -> dict[str, FloatArray]:
        if isinstance(result, attack.Divided):
            return {"threshold": columns(result)}
        if not isinstance(result, attack.Membership):
            return {}
        reach = 3 * result.deviations[0]
        return {"threshold": even_grid(-reach, result.markers / 2 + reach)}

    def say(self, result: Any, now: Values) -> str:
        if isinstance(result, attack.Rebuilt):
            return _say_rebuilt(result)
        if isinstance(result, attack.Membership):
            return _say_member(result)
        if result.rule is not None:
            return _say_ruled(result)
        return _say_divided(result, type(self).view.plots[now["view"]])

    def say_drawn(self, drawn: Drawn) -> str:
        result = drawn.result
        scores = result.scores(drawn.draws)
        share = percent(float(scores.mean()))
        whose, expected, best = "the guess", result.right, "this line"
        if result.rule is not None:
            whose, expected, best = "your rule", result.best, "the best rule"
        wins = show(int(scores.sum()))
        if scores.size <= _FEW:
            games = ["hit" if score else "miss" for score in scores]
            wins += f" ({', '.join(games)})"
        return (
            f"Of {several(scores.size, 'game')} {whose} wins {wins}: {share}. "
            f"With {best}, {percent(expected)} are to be expected."
        )


def _means(result: attack.Divided) -> str:
    """Say what a dot is, where that is not one answer."""
    if result.releases == 1:
        return ""
    return f"Each dot is what {show(result.releases)} answers say together. "


def _say_ruled(result: attack.Divided) -> str:
    return (
        f"{_means(result)}A blind guess is right in 50% of cases, and the best rule in "
        f"{percent(result.best)}. Whatever the noise, this ε leaves at most "
        f"{up(result.limit, percent)}."
    )


def _say_divided(result: attack.Divided, plot: type[Any]) -> str:
    right = percent(result.right)
    best = f". {_no_attack(result.best)}"
    if right == percent(result.best):
        best = ", and no attack is noticeably better."
    at_line = hatched = ""
    if not result.spacing and result.loss:
        more, less = ("with", "without")[:: 1 if result.loss > 0 else -1]
        at_line = (
            f" An answer on the line is {factor(abs(result.loss))} times as likely {more} you "
            f"as {less} you."
        )
    if result.bound is not None:
        bound = show(result.bound)
        hatched = (
            f" Hatched is what lies above e^{bound} times as many without you: δ({bound}) = "
            f"{up(result.delta)} of all with you."
        )
    return (
        f"{_means(result)}{plot.exactly(result)} The line, at {show(result.threshold)}, is right "
        f"in {right} of cases{best}{at_line}{hatched}"
    )


def _say_rebuilt(result: attack.Rebuilt) -> str:
    least = several(result.smallest, "person", "people")
    return (
        f"{several(result.sums.size, 'sum')}, each of {least} or more and with "
        f"ε = {show(result.epsilon)}. A blind guess is right about "
        f"{show(result.truth.size // 2)} people. "
        f"{_no_attack(result.best)} "
        f"Each person is in {show(result.each)} of the sums, so all of them "
        f"together have ε = {up(result.together)}."
    )


def _say_member(result: attack.Membership) -> str:
    hits, false_alarms = result.shares
    alarms, missed = percent(false_alarms), percent(1 - hits)
    return (
        f"{several(result.markers, 'count')} of {show(result.people)} people, at ε = "
        f"{show(result.epsilon)} each: above a score of {show(result.threshold)} lie about "
        f"{alarms} of those who are out (false alarms), and up to it {missed} of those who are in "
        f"(misses). So the guess is right in about {percent(result.right)} of cases. "
        f"{_no_attack(result.best)}"
    )


def _no_attack(best: float) -> str:
    """Say how often an attack can be right; digits behind 99.99% would tell nobody more."""
    if best > 0.9999:
        return "At this ε an attack may be right in practically all cases."
    return f"No attack is right in more than {up(best, percent)} of cases."
