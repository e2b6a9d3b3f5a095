"""What becomes of each goal, at the same noise, when what was supposed turns out otherwise."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from dpwidgets.calculators.noise import SCALE
from dpwidgets.calculators.solve import most
from dpwidgets.decisions.case import Limits
from dpwidgets.decisions.goals._goals import Goal
from dpwidgets.decisions.goals._protection import BeliefGoal, Promise
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import at_most, several

#: How many people are taken for a household, if there are so many.
_TOGETHER = 4
#: How many more times the same is tried: of more nothing is said.
MOST = 100
#: A row of a table: its cells.
Row: TypeAlias = tuple[str, ...]


class Table(NamedTuple):
    """A table of a page; without a header, a list of sentences, or of names and what is said.

    Parameters
    ----------
    title : str
        What stands above it.
    header : tuple of str
        The names of its columns, or nothing.
    rows : sequence of tuple of str
        Its rows: one cell is a sentence, more are a name and all that is said
        of it.
    """

    title: str
    header: Row
    rows: Sequence[Row]


class Outcome(NamedTuple):
    """What becomes of one goal.

    Attributes
    ----------
    said : str
        The number that the noise gives, in words; nothing where the change
        does not concern it.
    share : float or None
        The number over its limit, so that above 1 the goal is not met. None
        where the limit says nothing: a belief that is above it from the start,
        or a change that does not concern the goal.
    """

    said: str
    share: float | None

    @property
    def kept(self) -> bool:
        """Whether the goal is met, as far as its limit says something."""
        return self.share is None or at_most(self.share, 1.0)


#: Of a goal that a change does not concern.
_NOTHING = Outcome("", None)


class Stress(NamedTuple):
    """One thing that turns out otherwise, and what becomes of each goal.

    Attributes
    ----------
    name : str
        What turns out otherwise.
    outcomes : tuple of Outcome
        What becomes of each goal, in their order.
    """

    name: str
    outcomes: tuple[Outcome, ...]


def _below(share: float, whole: Any) -> Any:
    """Return a case of which the truth is this share of the reference, if it has one."""
    if not getattr(whole, "reference", None):
        return whole
    return replace(whole, reference=max(share * whole.reference, 1e-12))


def together(whole: Any) -> Any:
    """Return a case or a plan for a household: of four, or of all where they are fewer."""
    people = [case.least_n for case in whole.cases if case.least_n]
    few = min([_TOGETHER, *people])
    return replace(whole, household=max(few, whole.household))


#: What may turn out otherwise, and how the case or the plan becomes so, of
#: which a name may say a field.
_TURNS: dict[str, Callable[[Any], Any]] = {
    "a prior of 10%": partial(replace, prior=0.1),
    "a prior of 50%": partial(replace, prior=0.5),
    "a prior of 90%": partial(replace, prior=0.9),
    "the truth a quarter below the reference": partial(_below, 0.75),
    "the truth half below the reference": partial(_below, 0.5),
    "twice as many releases (next year)": lambda whole: whole.repeated(2),
    "3 times as many releases (in two years)": lambda whole: whole.repeated(3),
    "6 times as many releases (in five years)": lambda whole: whole.repeated(
        6
    ),
    "{0.household} people with dependent records": together,
}


def stress(
    whole: Limits, goals: Sequence[Goal[Any]], scale: float
) -> tuple[Stress, ...]:
    """Try a case or a plan out: at other priors, after years of the same, with a household.

    In the years to come the same is published again, with noise of its own; a
    case is also tried where its reference is off. The noise stays as it is.

    Parameters
    ----------
    whole : Case or Plan
        The case as it is supposed to be, or the plan.
    goals : sequence of Goal
        The goals.
    scale : float
        The scale of the noise; of a plan its factor.

    Returns
    -------
    tuple of Stress
        First all as it is supposed to be, then every change that concerns
        one of the goals.

    Raises
    ------
    TypeError, ValueError
        If the scale lies outside its domain.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> case = Case(published="count", prior=0.2)
    >>> for row in stress(case, (BeliefGoal(0.25),), scale=5):
    ...     print(f"{row.name}: {row.outcomes[0].said}")
    as supposed: from 20% to at most 23.4%
    a prior of 10%: from 10% to at most 12%
    a prior of 50%: from 50% to at most 55%
    a prior of 90%: from 90% to at most 91.7%
    twice as many releases (next year): from 20% to at most 27.2%
    3 times as many releases (in two years): from 20% to at most 31.3%
    6 times as many releases (in five years): from 20% to at most 45.4%
    4 people with dependent records: from 20% to at most 35.8%
    """
    scale = SCALE.check_one("scale", scale)
    supposed = tuple(_outcome(goal, whole, scale, whole) for goal in goals)
    rows = [Stress("as supposed", supposed)]
    for name, turned in _TURNS.items():
        with suppress(DomainError):  # more than any law counts
            changed = turned(whole)
            outcomes = []
            for goal, before in zip(goals, supposed, strict=True):
                outcome = _outcome(goal, changed, scale, whole)
                outcomes.append(_NOTHING if outcome == before else outcome)
            if any(outcome.said for outcome in outcomes):
                rows.append(Stress(name.format(changed), tuple(outcomes)))
    return tuple(rows)


def lasts(goal: Goal[Any], whole: Limits, scale: float) -> str:
    """Say of a goal how many more times the same may be published until it is not met.

    Nothing is said of precision, which stays, and of a promise of which that
    cannot be told, since the column is not in the record.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> year = Case(published="count", releases=4, prior=0.2)
    >>> lasts(BeliefGoal(0.5), year, 20), lasts(BeliefGoal(0.25), year, 20)
    ('5 more', 'no more')
    """

    def fits(times: int) -> bool | None:
        try:
            number = goal.reached(whole.repeated(times), scale)
        except DomainError:  # nobody can tell
            return None
        return at_most(number, goal.limit)

    if not isinstance(goal, Promise) or fits(1) is None:
        return ""
    more = most(lambda times: bool(fits(times)), MOST + 1) - 1
    if more < 0:
        return "it is not kept now"
    known = more < MOST and fits(more + 2) is not None
    if not known and not more:
        return ""
    many = (more or "no") if known else f"at least {more:,}"
    return f"{many} more{_condition(goal, whole.repeated(more + 1), whole)}"


def broken(tried: Sequence[Stress], met: Sequence[bool]) -> str:
    """Say how many other assumptions break a goal that is met; nothing without any, or without one.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> case = Case(published="count", prior=0.2)
    >>> broken(stress(case, (BeliefGoal(0.25),), scale=5), (True,))
    '4 of 7 other assumptions break a goal.'
    """
    if len(tried) < 2 or not any(met):
        return ""
    others = tried[1:]
    breaking = sum(
        any(
            before and not now.kept
            for before, now in zip(met, row.outcomes, strict=True)
        )
        for row in others
    )
    breaks = "breaks" if breaking == 1 else "break"
    many = several(len(others), "other assumption")
    which = "a" if all(met) else "another"
    return f"{breaking} of {many} {breaks} {which} goal."


def otherwise(
    tried: Sequence[Stress], goals: Sequence[Goal[Any]], more: Sequence[str]
) -> Table:
    """Return the table that says it in a record, with how many more times the same fits last."""
    rows: list[Row] = []
    for name, outcomes in tried[1:]:
        cells = [name]
        for outcome in outcomes:
            mark = "" if outcome.kept else "✗ "
            cells.append(f"{mark}{outcome.said or '–'}")
        rows.append(tuple(cells))
    if any(more):
        fits = "how many more times the same fits"
        rows.append((fits, *(said or "–" for said in more)))
    title = "If it turns out otherwise, with the same noise (✗: the goal is not met)"
    return Table(title, ("", *(goal.kind for goal in goals)), rows)


def _condition(goal: Goal[Any], whole: Limits, supposed: Limits) -> str:
    """Return on which condition a number of the goal is so, where that is not the goal's own."""
    condition = goal.condition(whole)
    return "" if condition == goal.condition(supposed) else condition


def _outcome(
    goal: Goal[Any], whole: Limits, scale: float, supposed: Limits
) -> Outcome:
    """Say what becomes of a goal."""
    try:
        number = goal.reached(whole, scale)
    except DomainError:  # what a record does not hold
        return _NOTHING
    said, share = goal.in_words(whole, number), number / goal.limit
    said += _condition(goal, whole, supposed)
    believed = (
        isinstance(goal, BeliefGoal) and (whole.prior or 0) >= goal.limit
    )
    if believed or not math.isfinite(share):
        return Outcome(said, None)
    return Outcome(said, share)
