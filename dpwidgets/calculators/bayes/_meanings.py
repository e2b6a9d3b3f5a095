"""What ε means to an analyst: how far off an estimate of the count still is."""

from __future__ import annotations

from typing import Any

from dpwidgets.calculators.bayes._errors import N_ALL_ANSWERS, mean_error
from dpwidgets.calculators.domain import EPSILON, Domain, check_numbers, each
from dpwidgets.calculators.interpretation import Meaning, monotone
from dpwidgets.notation import percent

_P = Domain(
    "a number from 1e-6 to 1 − 1e-6",
    low=1e-6,
    high=1 - 1e-6,
    includes_low=True,
    includes_high=True,
    why="Nearer to 0 or 1 the count is all but known, and ε hardly matters",
)


def meanings(n: int = 100, p: float = 0.3) -> tuple[Meaning, ...]:
    """Say what ε means in this text: how far off an analyst's estimate of the count still is.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000. By default that of the text's example.
    p : float
        The probability that a record has the property, from 1e-6 to 1 − 1e-6. By default that of
        the example.

    Returns
    -------
    tuple of Meaning
        The mean absolute errors of the posterior median and of the posterior mean. The median's
        never rises with ε. The mean's may where ε is small, so the way back from it is the
        median's: no estimate does better than the median.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> median, mean = meanings()
    >>> round(median.epsilon(3), 4), round(mean.epsilon(3), 4), round(mean.value(0.1836), 4)
    (0.1836, 0.1836, 3.0152)
    """
    records, p = check_numbers(n=(n, N_ALL_ANSWERS), p=(p, _P))
    n = int(records)

    def best_error(epsilon: float) -> float:
        # an ε that is sought by its logarithm may miss the end of its domain by rounding
        return mean_error(n, p, max(epsilon, EPSILON.low), "posterior median")

    best = monotone(best_error)
    shared: dict[str, Any] = {
        "text": "bayes",
        "unit": "people",
        "mechanism": "Laplace",
        "knows": f"that each of {n} records has the property with a probability of {percent(p)}",
    }

    def says(estimate: str) -> str:
        misses = f"misses the count of {n} records by {{value}} on average."
        return f"At ε = {{epsilon}}, the {estimate} {misses}"

    return (
        Meaning(
            name="Error of the posterior median",
            equation="not in the text",
            says=says("best estimate"),
            **best,
            **shared,
        ),
        Meaning(
            name="Error of the posterior mean",
            equation="eq. (12)",
            says=says("posterior mean"),
            note=(
                "It may rise with ε, so its inverse is that of the posterior median, which no "
                "estimate betters."
            ),
            **best
            | {"computes": lambda epsilons: each(lambda one: mean_error(n, p, one), epsilons)},
            **shared,
        ),
    )
