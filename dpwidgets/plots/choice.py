"""Pictures of goals: what each allows, what is chosen, and stress."""

import math

import numpy as np
from matplotlib.patches import Rectangle

from dpwidgets.decisions.case import Case
from dpwidgets.decisions.choice import CaseDecision
from dpwidgets.decisions.goals import (
    AT_ONCE,
    BeliefGoal,
    Budget,
    Feasible,
    Goal,
    IntervalGoal,
    Promise,
    broken,
)
from dpwidgets.inputs.notation import down, percent, several, show
from dpwidgets.plots import style
from dpwidgets.plots.grid import HALF, NamedRows
from dpwidgets.plots.panel import Panel, Word

_LOW, _HIGH = 1e-3, 30.0
# ε at which the noise is written.
_TICKS = (0.01, 0.1, 1, 10)
_TITLES = {
    "error": "error on average",
    "risk": "risk of being identified",
    "rho": "budget",
}


def _aim(goal: Goal[Case], case: Case, *, brief: bool) -> str:
    """Return in a few words what a goal asks; briefly, not for how many releases and people."""
    limit = goal.written(case)[-1]
    match goal:
        case IntervalGoal():
            aim = f"within ±{limit}"
            if goal.cells == AT_ONCE:
                aim += ", all cells"
        case BeliefGoal():
            before = "?" if case.prior is None else down(case.prior, percent)
            aim = f"{before} to {limit}"
        case Budget():
            aim = f"{goal.symbol} = {limit}"
        case _:
            aim = f"at most {limit}"
    if isinstance(goal, Promise) and not brief:
        aim += f", {several(case.releases, 'release')}"
        if case.household > 1:
            aim += f", {case.household:,} people"
    return aim


class Goals(NamedRows):
    """One bar for each goal, above them what all allow, and the chosen ε."""

    heights = (38, 46)
    column = 220
    frame = style.look(
        x="ε of one release",
        writes="x",
        xscale="log",
        xlim=(_LOW, _HIGH),
        yticks=[],
    )

    @classmethod
    def says(cls, result: CaseDecision) -> str:
        if result.choice.feasible.empty:
            return "No noise meets all goals."
        if result.epsilon is None:
            return "Some noise meets all goals, and none is chosen."
        if all(result.met):
            return "The chosen noise meets every goal."
        missed = result.met.count(False)
        return f"The chosen noise breaks {several(missed, 'goal')}."

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        case = result.case
        goals = result.goals
        rows = max(len(goals), 1)
        self.lay_rows(axes, rows, 50, 58)
        for row, goal in enumerate(goals):
            self._bar(axes, row, goal.scales(case), case)
        feasible = result.choice.feasible
        if not feasible.empty:
            low, high = np.clip(feasible.epsilons(case), _LOW, _HIGH)
            # Once, above the axes: with its edge it can be seen even where it
            # is narrower than the line of the chosen ε.
            look = style.look(label="what all goals allow", clip_on=False)
            look |= style.look(linewidth=1.5, color=style.CURVES[0]["color"])
            corner = (low, -10 / self.line)
            axes.add_patch(
                Rectangle(corner, high - low, 6 / self.line, **look)
            )
        if result.epsilon is not None:
            self.stand(axes, "epsilon", result.epsilon, rows, "the chosen ε")
        noise = f"scale of the noise, in {style.plain(case.unit, 14)}"
        words = [Word(0.0, -36 / self.line, noise, {"ha": "left"})]
        for tick in _TICKS:
            share = math.log(tick / _LOW, _HIGH / _LOW)
            scale = show(case.scale(tick))
            words.append(Word(share, -20 / self.line, scale, {"ha": "center"}))
        for row, goal in enumerate(goals):
            title = _TITLES.get(goal.kind, goal.kind)
            # On a narrow page its sentence says for how many.
            aim = _aim(goal, case, brief=self.narrow)
            name = style.plain(f"{title}: {aim}", 60)
            words += self.row(axes, row, name)
        axes.stay(words)

    def _bar(
        self, axes: Panel, row: float, allowed: Feasible, case: Case
    ) -> None:
        """Draw which ε a goal allows, as a bar."""
        middle = row + self.middle
        if allowed.empty:
            axes.beside(0.5, middle, "no noise does that", ha="center")
            return
        ends = allowed.epsilons(case)
        left, right = np.clip(ends, _LOW, _HIGH)
        look = style.area(style.MAIN, 0.7) | {"label": "what a goal allows"}
        self.bar(axes, row, (left, right), **look)
        if left == right:  # the bar lies beyond the frame
            axes.points(
                ends, middle, marker="|", markersize=9, color=style.MAIN
            )


_MOST = 10  # rows of stress
_FAR = 30.0  # times its limit, and the same below
_MARKERS = "osD^vPX*"
_NOTHING = "Nothing is known here that could turn out otherwise."
_COLORS = (
    style.MAIN,
    *(curve["color"] for curve in style.CURVES),
    style.MUTED,
)


class UnderStress(NamedRows):
    """How far each goal's number is from its limit when something turns out otherwise."""

    column = 290
    frame = style.look(
        x="number over its limit; above 1: not met",
        writes="x",
        yticks=[],
        xscale="log",
        xlim=(1 / _FAR, _FAR),
    )

    @classmethod
    def says(cls, result: CaseDecision) -> str:
        if len(result.stress) < 2:
            return _NOTHING
        return broken(result.stress, result.met) or "No goal is met."

    def draw(self, axes: Panel, result: CaseDecision) -> None:
        rows = result.stress[:_MOST]
        self.lay_rows(
            axes, len(rows), 14, 62, half=max(HALF, 3 * len(result.goals))
        )
        words: list[Word] = []
        asked = []
        for row, stressed in enumerate(rows):
            words += self.row(axes, row, stressed.name)
            if any(outcome.share is not None for outcome in stressed.outcomes):
                asked.append(row)
            else:
                known = any(outcome.said for outcome in stressed.outcomes)
                why = "begins above it" if known else "cannot be said"
                # On paper: a row's line passes there.
                look = style.look(
                    ha="left", color=style.MUTED, bbox=style.BEHIND
                )
                words.append(Word(0.03, row + self.middle, why, look))
        axes.stay(words)
        self.cross(axes, 1, asked)
        middles = np.array(asked) + self.middle
        axes.levels(middles, 1, _FAR, colors=style.BAD, linewidth=1.2)
        for column, goal in enumerate(result.goals):
            # Each in its lane, the outer ones away from other rows.
            spread = self.middle + 0.85 * self.half * (
                (2 * column + 1) / len(result.goals) - 1
            )
            own = _COLORS[column % len(_COLORS)]
            look = style.look(
                name=goal.kind,
                marker=_MARKERS[column % len(_MARKERS)],
                markersize=7,
                markeredgecolor=style.PAPER,
                clip_on=False,
            )
            outcomes = [one.outcomes[column] for one in rows]
            for kept, color in ((True, own), (False, style.BAD)):
                places = [
                    (one.share, row + spread)
                    for row, one in enumerate(outcomes)
                    if one.share is not None and one.kept == kept
                ]
                if places:
                    axes.points(*np.transpose(places), color=color, **look)
