"""A plan of lines of text and limits, and the decision that takes a factor of its noise."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from dpwidgets.calculators.case import ALL, HOUSEHOLD
from dpwidgets.calculators.choice import KINDS, Promise
from dpwidgets.calculators.plan._chosen import FACTOR, Chosen
from dpwidgets.calculators.plan._plan import Plan
from dpwidgets.calculators.plan._record import Record
from dpwidgets.calculators.plan._statistic import Statistic
from dpwidgets.inputs.domain import DomainError

_PROMISES = ("belief", "advantage", "success", "budget", "rho")


class Decision(Chosen):
    """A plan, and the factor of its noise that is chosen. `decide` makes it."""

    def record(self, **words: str) -> Record:
        """Return the record of this decision, with what people say: see `choice.Sheet`."""
        return Record(plan=self.plan, factor=self.factor, **words)


def decide(
    statistics: str | Iterable[Statistic],
    *,
    factor: float | None = None,
    delta: float = 0.0,
    **given: Any,
) -> Decision:
    r"""Choose a factor of the noise for a plan.

    Parameters
    ----------
    statistics : str or sequence of Statistic
        The statistics: a line for each, as `Statistic.read` reads it.
    factor : float, optional
        The factor of every statistic's largest noise, from 1e-6 to 1e6. By default 1, the most
        private that all goals of precision allow; where that keeps not all promises, the least that
        does.
    delta : float
        The δ at which everything is read, and each statistic with Gaussian noise where its line
        says no other.
    posterior, advantage, success, total, rho : float, optional
        The promises, as in `BeliefGoal`, `AdvantageGoal`, `SuccessGoal`, `BudgetGoal` and
        `RhoGoal`: each for all releases, and for a household of more than one person.
    **given
        These, and `used`, `used_delta`, `household` and `prior`, as in `Case`.

    Returns
    -------
    Decision
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
    No noise keeps all promises and all goals. Any of these would: 2.78 times as much noise as the
    goals allow, or leaving out visits. With the factor 2.771, everything together has ε = 1.5 and
    δ = 1e-6.
    """
    if isinstance(statistics, str):
        statistics = _read(statistics, delta)
    promises = []
    reach = HOUSEHOLD if given.get("household", 1) != 1 else ALL
    for name in _PROMISES:
        kind = KINDS[name]
        limit = given.pop(kind.limits, None)
        if limit is not None:
            promises.append(kind(**{kind.limits: limit, "reach": reach}))
    plan = _planned(tuple(statistics), tuple(promises), tuple({"delta": delta, **given}.items()))
    if factor is None:
        return Decision(plan, Decision(plan, None).suggestion)
    return Decision(plan, FACTOR.check_one("factor", factor))


def _read(text: str, delta: float) -> tuple[Statistic, ...]:
    """Read a line for each statistic, and say which line is none."""
    read = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read += [Statistic.read(line, delta=delta)] if line.strip() else []
        except (TypeError, ValueError) as error:
            raise DomainError("statistics", f"line {number}: {error}") from None
    return tuple(read)


@lru_cache(maxsize=4)  # while only the factor moves, the promises allow what they did
def _planned(
    statistics: tuple[Statistic, ...], promises: tuple[Promise, ...], rest: tuple[Any, ...]
) -> Plan:
    return Plan(statistics=statistics, promises=promises, **dict(rest))
