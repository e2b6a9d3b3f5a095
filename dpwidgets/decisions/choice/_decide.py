"""From numbers and names to a decision: a goal for each number that is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.worlds import possible
from dpwidgets.decisions.case import Case, CaseFields, after
from dpwidgets.decisions.goals import (
    KINDS,
    NOT_FOR_PUBLISHING,
    Choice,
    Decision,
    Goal,
    Promised,
    RiskGoal,
    choose,
)
from dpwidgets.inputs.column import VALUES, names_and_numbers
from dpwidgets.inputs.domain import COUNTED, EPSILON, must_be
from dpwidgets.inputs.notation import show
from dpwidgets.inputs.outside import check_keywords


@dataclass(frozen=True)
class CaseDecision(Decision[Case, Goal[Case]]):
    """A decision about a case: its number is the ε of one release. Made by `decide`."""

    called = "epsilon"
    domain = EPSILON

    @property
    def case(self) -> Case:
        """What is published, and how."""
        return self.whole

    @property
    def epsilon(self) -> float | None:
        """The chosen ε of one release, or None."""
        return self.number

    @property
    def suggestion(self) -> float | None:
        """The ε that is suggested for these goals, or None: see `Choice.suggested`."""
        return self.choice.suggested

    @property
    def noise(self) -> float | None:
        """The scale of the noise; None without an ε."""
        return None if self.number is None else self.case.scale(self.number)

    def allowed(self, goal: Goal[Case]) -> str:
        """Say which noise one of the goals allows, so that it agrees with the chosen ε."""
        return Choice(self.case, (goal,)).allowed(self.epsilon)

    @property
    def warning(self) -> str:
        """What to say where the goals depend on secret data."""
        return f"This ε {NOT_FOR_PUBLISHING}." if self.from_data else ""

    @property
    def sentence(self) -> str:
        """What the goals allow, how the chosen ε fares, and what to know of a large δ."""
        chosen = "So no ε is suggested."
        if self.epsilon is not None:
            fares = f"meets {sum(self.met)} of {len(self.goals)}"
            if all(self.met):
                fares = "is one of these"
            elif len(self.goals) == 1:
                fares = "does not meet the goal"
            scale = self.case.measured(self.case.scale(self.epsilon), 15)
            epsilon = show(self.epsilon, 10)
            chosen = (
                f"ε = {epsilon}, which is noise of scale {scale}, {fares}."
            )
        allowed = self.choice.beside(self.epsilon)
        return " ".join([allowed, chosen, *self.case.large_deltas])


class Given(Promised, CaseFields, total=False):
    """What `decide` takes besides the ε and a column: the numbers of goals, and the case."""

    half_width: float | None
    error: float | None
    risk: float | None
    interval_cells: str


def decide(
    *,
    epsilon: float | None = None,
    values: ArrayLike | Mapping[str, float] | None = None,
    **given: Unpack[Given],
) -> CaseDecision:
    """Choose an ε for a case with up to seven goals; a goal is left out where its number is.

    Parameters
    ----------
    epsilon : float, optional
        The chosen ε of one release, from 1e-8 to 1000. By default a
        suggestion, or none where the goals suggest none: see
        `Choice.suggested`.
    values : array_like or mapping, optional
        A column, of which nobody shall recognise the record that is missing,
        as in `risk_goal`.
    before : sequence of Record
        Earlier records about the same people, of cases or of plans: each
        counts once, with all that counts before it.
    half_width : float, optional
        How close to the truth what is published shall lie, as in
        `IntervalGoal`.
    error : float, optional
        How far off it may be on average, as in `ErrorGoal`.
    risk : float, optional
        How sure anybody may be which record of the column is missing, as in
        `RiskGoal`; by default 1/3.
    posterior : float, optional
        What may be believed of a person, as in `BeliefGoal`.
    success : float, optional
        How often an attacker may be right, as in `SuccessGoal`.
    alternatives : int
        Of how many values that attacker guesses one.
    total : float, optional
        The ε of all releases, as in `BudgetGoal`.
    rho : float, optional
        The ρ of all releases, as in `RhoGoal`.
    interval_cells : str, optional
        Whether each cell of a table lies so close, or all of them do at once.
    **given
        These, and the case, as in `Case`; by default a count is published.

    Returns
    -------
    Decision
        What the goals allow together, or how they contradict each other, and
        the chosen ε.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown or lies outside its domain, or there is no
        goal.

    Examples
    --------
    >>> hospital = decide(
    ...     published="count", n=2000, unit="patients", releases=4, delta=1e-6, prior=0.2,
    ...     reference=400, confidence=0.95, half_width=0.05, posterior=0.4, total=1, epsilon=0.2,
    ... )
    >>> print(hospital.sentence)
    A scale from 4.08 to 6.67 patients, which is ε from 0.15 to 0.245 for Δf = 1, meets all 3 goals.
    ε = 0.2, which is noise of scale 5 patients, is one of these.
    """
    check_keywords(
        "decide",
        given,
        ("epsilon", "values", *Given.__annotations__),
    )
    rest: dict[str, Any] = {"published": "count", **given}
    if values is not None and rest.get("risk") is None:
        rest["risk"] = 1 / 3
    asked = {kind: kind.arguments(rest) for kind in KINDS.values()}
    before = rest.pop("before", ())
    case = after(Case(**rest), before)
    goals: list[Goal[Case]] = []
    for kind, arguments in asked.items():
        if not arguments:
            continue
        if kind is not RiskGoal:
            goals.append(kind(**arguments))
        elif values is None:
            raise TypeError("risk needs values, the column that it is about")
        else:
            goals.append(risk_goal(case, values, **arguments))
    return CaseDecision(case, choose(case, goals).goals, None).chosen(epsilon)


def risk_goal(
    case: Case,
    values: ArrayLike | Mapping[str, float],
    risk: float,
) -> RiskGoal:
    """Make the goal about a column, asked for what the case publishes, clipped to its range.

    For a count, each record is 1 for whoever has the property and 0 for all
    others, or True and False. Other numbers are refused, since they may be
    codes, such as 1 for yes and 2 for no.

    Parameters
    ----------
    case : Case
        What is published.
    values : array_like or mapping
        The column: a number for each record, of shape (n,), or numbers under
        their names.
    risk : float
        The tolerated risk, between 0 and 1.

    Returns
    -------
    RiskGoal
        The goal, with the worlds in which one record is missing.

    Raises
    ------
    TypeError, ValueError
        If the column is none or such a code, has not as many records as n
        says, or the risk lies outside its domain.

    Examples
    --------
    >>> case = Case(published="mean", n=12, low=0, high=10, unit="days")
    >>> goal = risk_goal(case, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30], risk=1 / 4)
    >>> round(goal.reached(case, case.scale(1.4)), 3)
    0.208
    """
    domain = COUNTED if case.published == "count" else VALUES
    _, numbers = names_and_numbers(values, domain)
    count = len(numbers)
    n = case.least_n
    if n not in (None, count):
        raise must_be(
            "n",
            f"the number of values, {count:,}, or left open; got {n:,}",
        )
    if not case.counts:
        clipped = np.clip(numbers, case.low, case.high)
        numbers = tuple(clipped.tolist())
    query = "mean" if case.published == "mean" else "sum"
    return RiskGoal(possible(numbers, query), risk)
