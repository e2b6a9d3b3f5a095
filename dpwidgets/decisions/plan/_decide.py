"""From lines of text and limits to a plan, and the factor of its noise."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Unpack

from dpwidgets.calculators.loss import DELTA_OR_NONE
from dpwidgets.decisions.case import (
    ALL,
    HOUSEHOLD,
    MEMBERS,
    Limits,
    PeopleFields,
)
from dpwidgets.decisions.choice import KINDS, Promise, Promised, after
from dpwidgets.decisions.plan._plan import Plan
from dpwidgets.decisions.plan._record import PlanDecision
from dpwidgets.decisions.plan._statistic import Statistic
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.outside import check_keywords, described


class Given(Promised, PeopleFields, total=False):
    """What `decide` takes besides the statistics, a factor and a δ: promises, and the people."""


def decide(
    statistics: str | Iterable[Statistic],
    *,
    factor: float | None = None,
    delta: float = 0.0,
    **given: Unpack[Given],
) -> PlanDecision:
    r"""Choose a factor of the noise for a plan.

    Parameters
    ----------
    statistics : str or sequence of Statistic
        The statistics: a line for each, as `Statistic.read` reads it.
    factor : float, optional
        The factor of every statistic's largest noise, from 1e-6 to 1e6. By
        default 1, the most private that all goals of precision allow; where
        that keeps not all promises, the least that does.
    delta : float
        The δ at which everything is read, and each statistic with Gaussian
        noise where its line says no other.
    before : sequence of Record
        Earlier records about the same people, as in `choice.decide`.
    posterior : float, optional
        What may be believed of a person, as in `BeliefGoal`. Each of these
        promises is for all releases, and for a household of more than one
        person.
    advantage : float, optional
        The advantage that a test may have, as in `AdvantageGoal`.
    success : float, optional
        How often an attacker may be right, as in `SuccessGoal`.
    total : float, optional
        The ε of all releases, as in `BudgetGoal`.
    rho : float, optional
        The ρ of all releases, as in `RhoGoal`.
    used, used_rho : float
        The ε that other releases about these people have used up, and their ρ,
        as in `Case`.
    used_by : str
        Whose releases these are, as in `Case`.
    household : int
        How many people's records may depend on each other, as in `Case`.
    prior : float, optional
        What an attacker believes of a person before the first release, as in
        `Case`.
    alternatives : int
        Of how many values an attacker guesses one, as in `Case`.
    **given
        These.

    Returns
    -------
    PlanDecision
        The plan and the factor.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown or lies outside its domain.

    Examples
    --------
    >>> made = decide(
    ...     "visits: published=table, cells=40, neighbours=replace, error=5, releases=12\n"
    ...     "stay: published=mean, n=900, low=0, high=30, unit=days, error=0.1",
    ...     total=1.5, delta=1e-6,
    ... )
    >>> print(made.sentence)
    No noise keeps all promises and all goals. Any of these makes room for the promises: 2.78 times
    as much noise as the goals allow, or leaving out visits. With the factor 2.78, everything
    together has ε = 1.5 and δ = 1e-6.
    """
    check_keywords(
        "decide",
        given,
        ("statistics", "factor", "delta", *Given.__annotations__),
    )
    delta = DELTA_OR_NONE.check_one("delta", delta)
    if isinstance(statistics, str):
        statistics = _read(statistics, delta)
    elif not isinstance(statistics, Iterable):
        raise TypeError(
            f"statistics must be lines or Statistics; got {described(statistics)}"
        )
    people: dict[str, Any] = dict(given)
    household = MEMBERS.check_one("household", people.pop("household", 1))
    reach = HOUSEHOLD if household > 1 else ALL
    promises: list[Promise[Limits]] = []
    for kind in KINDS.values():
        # What data show belongs to one statistic.
        if issubclass(kind, Promise) and not kind.from_data:
            limit = people.pop(kind.limits, None)
            if limit is not None:
                promises.append(kind(**{kind.limits: limit, "reach": reach}))
    before = people.pop("before", ())
    plan = Plan(
        statistics=tuple(statistics),
        delta=delta,
        household=int(household),
        **people,
    )
    return PlanDecision(after(plan, before), tuple(promises), None).chosen(
        factor
    )


# While only the factor moves, the lines stay.
@lru_cache(maxsize=4)
def _read(text: str, delta: float) -> tuple[Statistic, ...]:
    """Read a line for each statistic, and say which line is none."""
    read = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                read.append(Statistic.read(line, delta=delta))
        except (TypeError, ValueError) as error:
            raise DomainError(
                "statistics", f"line {number}: {error}"
            ) from None
    return tuple(read)
