"""What ε means to an analyst: how far off an estimate of the count still is."""

from __future__ import annotations

from dpwidgets.calculators.bayes._errors import N_ALL_ANSWERS, mean_error
from dpwidgets.calculators.domain import (
    PROBABILITY,
    check_numbers,
    each,
)
from dpwidgets.calculators.interpretation import Meaning, monotone
from dpwidgets.notation import percent


def meanings(n: int = 100, p: float = 0.3) -> tuple[Meaning, ...]:
    """Say what ε means in this text: how far off an analyst's estimate of the count still is.

    Parameters
    ----------
    n : int
        The number of records, from 1 to 2000. By default that of the text's example.
    p : float
        The probability that a record has the property, above 0 and below 1. By default that of the
        example.

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
    n, p = check_numbers(n=(n, N_ALL_ANSWERS), p=(p, PROBABILITY))
    best = monotone(lambda epsilon: mean_error(n, p, epsilon, "posterior median"))
    shared = {
        "text": "bayes",
        "unit": "people",
        "mechanism": "Laplace",
        "knows": f"that each of {n:.0f} records has the property with a probability of {percent(p)}",
    }
    says = (
        f"At ε = {{epsilon}}, the {{}} misses the count of {n:.0f} records by {{value}} on average."
    )
    return (
        Meaning(
            name="Error of the posterior median",
            equation="not in the text",
            says=says.replace("{}", "best estimate"),
            **best,
            **shared,
        ),
        Meaning(
            name="Error of the posterior mean",
            equation="eq. (12)",
            says=says.replace("{}", "posterior mean"),
            note="It may rise with ε, so its inverse is that of the posterior median, which no estimate betters.",
            **best
            | {"computes": lambda epsilons: each(lambda one: mean_error(n, p, one), epsilons)},
            **shared,
        ),
    )
