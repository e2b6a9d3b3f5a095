"""What ε means for the privacy loss."""

from __future__ import annotations

import math

import numpy as np

from dpwidgets.calculators.domain import (
    EPSILON,
    Domain,
    check_numbers,
    each,
    plain,
    silent,
)
from dpwidgets.calculators.interpretation import Meaning, monotone
from dpwidgets.calculators.loss._budget import COMPOSED, TOTAL, epsilon
from dpwidgets.calculators.loss._distribution import COUNT, DELTA, randomized_response
from dpwidgets.notation import show


@silent
def meanings(compositions: int = 100, delta: float = 1e-6) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what one answer loses, and what several together do.

    Parameters
    ----------
    compositions : int
        How many releases there are, from 1 to 10⁵.
    delta : float
        The δ at which the ε of all of them is read, above 0 and below 1.

    Returns
    -------
    tuple of Meaning
        How much likelier you make an answer, the expected loss, and the ε of several releases; the
        last two for any mechanism and for Laplace noise.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> for meaning in meanings():
    ...     print(f"{meaning.name}: {meaning.value(0.5):.3g}")
    Largest ratio of an answer’s probabilities: 1.65
    Expected loss, any mechanism: 0.122
    ε of several releases together, any mechanism: 33.3
    Expected loss, Laplace noise: 0.107
    ε of several releases together, Laplace noise: 30.5
    """
    releases, delta = check_numbers(compositions=(compositions, COUNT), delta=(delta, DELTA))
    count = int(releases)
    ratio = Meaning(
        name="Largest ratio of an answer’s probabilities",
        text="loss",
        equation="definition of ε-differential privacy",
        unit="times",
        says="At ε = {epsilon}, no answer is more than {value} times as likely with you as without "
        "you, nor the other way round.",
        computes=lambda one: plain(np.exp(one)),
        solves=lambda times: plain(np.clip(np.log(times), EPSILON.low, EPSILON.high)),
        domain=Domain(
            "a number from 1.00000001 up",
            low=math.exp(EPSILON.low),
            includes_low=True,
            includes_infinity=True,
        ),
    )
    return (ratio, *_of("any", count, delta), *_of("Laplace", count, delta))


def _of(mechanism: str, count: int, delta: float) -> tuple[Meaning, Meaning]:
    key, how = mechanism.lower(), "Laplace noise" if mechanism == "Laplace" else "any mechanism"
    law, at_most = COMPOSED[key], "at most " if mechanism == "any" else ""
    least = max(TOTAL.low, randomized_response(EPSILON.low).compose(count).epsilon(delta))
    expected = Meaning(
        name=f"Expected loss, {how}",
        text="loss",
        equation="the expected loss, sharper than 2ε²",
        says=f"At ε = {{epsilon}}, an answer with {how} loses {at_most}{{value}} on average.",
        mechanism=mechanism,
        **monotone(lambda epsilon: law(epsilon).mean()),
    )
    together = Meaning(
        name=f"ε of several releases together, {how}",
        text="loss",
        equation="composition",
        unit="ε",
        says=(
            f"{count:,} releases with {how}, each with ε = {{epsilon}}, are together private "
            f"with ε = {{value}} and δ = {show(delta)}."
        ),
        computes=lambda epsilons: each(
            lambda one: law(one).compose(count).epsilon(delta), epsilons
        ),
        # Next to the least total, rounding down would leave ε's domain.
        solves=lambda totals: each(
            lambda total: epsilon(max(total, least * (1 + 1e-8)), delta, count, key), totals
        ),
        domain=Domain(
            f"a number from {least:.3g} to {EPSILON.high * count:,.0f}",
            low=least,
            high=EPSILON.high * count * (1 + 1e-12),  # a value may be rounded up
            includes_low=True,
            includes_high=True,
        ),
        mechanism=mechanism,
        releases="many",
    )
    return expected, together
