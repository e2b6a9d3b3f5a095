"""What ε means to whoever looks for the missing record."""

from __future__ import annotations

from typing import Any

from dpwidgets.calculators.candidates import Query
from dpwidgets.calculators.column import names_and_numbers
from dpwidgets.calculators.interpretation import Meaning
from dpwidgets.calculators.worlds._worlds import Worlds
from dpwidgets.notation import percent


def meanings(values: Any = (1, 2, 3, 10), query: str | Query = "mean") -> tuple[Meaning, ...]:
    """Say what ε means in this text: how surely the missing record is recognised.

    Parameters
    ----------
    values : array_like of shape (n,), mapping or Worlds
        The records, as `column.records` reads them, or the worlds that they make. By default the
        text's students.
    query : str or callable
        As in `Worlds`; a `Worlds` has its own.

    Returns
    -------
    tuple of Meaning
        The risk and the text's bound on it. They name none of the values.

    Raises
    ------
    TypeError, ValueError
        As `column.records` and `Worlds`: among them `AlikeError` where all worlds answer alike and
        ε means nothing.

    Examples
    --------
    >>> print(meanings()[0].sentence(2))
    At ε = 2, whoever knows all 4 records and not which one is missing is at most 68.3% sure of it.
    """
    if not isinstance(values, Worlds):
        _, values = names_and_numbers(values)
        values = Worlds(values, query)
    who = f"whoever knows all {values.values.size:,} records and not which one is missing is"
    shared: dict[str, Any] = {
        "text": "worlds",
        "unit": "probability",
        "shown": percent,
        "mechanism": "Laplace",
        "neighbours": "add/remove",
        "knows": "all records, and that one of them, equally likely any, is missing",
        "note": "It depends on the data: where they are secret, it is not for publishing.",
    }
    return (
        Meaning(
            name="Risk of being identified",
            equation="Def. 5",
            says=f"At ε = {{epsilon}}, {who} at most {{value}} sure of it.",
            computes=values.risk,
            solves=values.epsilon,
            domain=values.tolerated(),
            **shared,
        ),
        Meaning(
            name="The text’s bound on the risk",
            equation="eqs. (5) and (7)",
            says=f"At ε = {{epsilon}}, {who} by the text’s bound at most {{value}} sure of it.",
            computes=values.risk_bound,
            solves=values.epsilon_bound,
            domain=values.tolerated(bound=True),
            **shared,
        ),
    )
