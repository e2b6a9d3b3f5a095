"""What ε means for the privacy loss, and the ε that several releases leave to each of them."""

from __future__ import annotations

import numpy as np

from dpwidgets.calculators.domain import (
    POSITIVE,
    Domain,
    DomainError,
    each,
    plain,
)
from dpwidgets.calculators.interpretation import Meaning, monotone
from dpwidgets.calculators.loss._distribution import (
    COUNT,
    DELTA,
    DELTA_OR_NONE,
    EPSILON,
    gaussian,
    laplace,
    randomized_response,
)
from dpwidgets.notation import show


def epsilon(total: float, delta: float, compositions: int, mechanism: str = "laplace") -> float:
    """Compute the largest ε of one release at which several together are (total, δ)-private.

    Parameters
    ----------
    total : float
        The ε of all releases together, above 0.
    delta : float
        Their δ, from 0 up and below 1. Gaussian noise needs one above 0.
    compositions : int
        How many releases, from 1 to 10⁹, with independent noise and the same ε each.
    mechanism : {"any", "laplace", "gaussian"}
        How each of them is made. "any" holds for every ε-private mechanism.

    Returns
    -------
    float
        The ε of one release, never above the true one: to 1e-9 relatively, for Laplace noise as
        near as a grid allows. For Gaussian noise, which has no ε of its own, it is read at
        δ/compositions, each release's share.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the mechanism is none of the three.

    Notes
    -----
    Not in the text. No ε-private mechanism loses more by composition than randomized response (Kairouz, Oh and
    Viswanath 2015).

    Examples
    --------
    >>> round(epsilon(total=1, delta=1e-6, compositions=100), 4), epsilon(total=1, delta=0, compositions=100)
    (0.0241, 0.01)
    """
    total, delta = EPSILON.check_one("total", total), DELTA_OR_NONE.check_one("delta", delta)
    count = int(COUNT.check_one("compositions", compositions))
    if mechanism not in COMPOSED:
        raise DomainError(
            "mechanism",
            f"mechanism must be one of {', '.join(map(repr, COMPOSED))}; got {mechanism!r}",
        )
    if delta == 0:
        if mechanism == "gaussian":
            raise DomainError(
                "delta",
                "delta must be above 0 for Gaussian noise: for no ε is it private without a δ",
            )
        return total / count

    law = COMPOSED[mechanism]
    # Any mechanism may have the ε that the worst may: from there on, a grid too coarse for so small
    # a δ does no harm.
    low = epsilon(total, delta, count, "any") if mechanism == "laplace" else total / count
    high = 2 * low

    def within(parameter: float) -> bool:
        return law(parameter).compose(count).delta(total) <= delta

    while within(high):
        low, high = high, 2 * high
    while mechanism == "gaussian" and not within(low):
        low, high = low / 2, low
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) else (low, middle)
    return gaussian(low).epsilon(delta / count) if mechanism == "gaussian" else low


def meanings(compositions: int = 100, delta: float = 1e-6) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what one answer loses, and what several together do.

    Parameters
    ----------
    compositions : int
        How many releases there are, from 1 to 10⁹.
    delta : float
        The δ at which the ε of all of them is read, between 0 and 1.

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
    ...     print(meaning.sentence(0.5))
    At ε = 0.5, no answer is more than 1.65 times as likely with you as without you, nor the other way round.
    At ε = 0.5, an answer with any mechanism loses at most 0.122 on average.
    100 releases with any mechanism, each with ε = 0.5, are together private with ε = 33.3 and δ = 1e-6.
    At ε = 0.5, an answer with Laplace noise loses 0.107 on average.
    100 releases with Laplace noise, each with ε = 0.5, are together private with ε = 30.5 and δ = 1e-6.
    """
    count, delta = (
        int(COUNT.check_one("compositions", compositions)),
        DELTA.check_one("delta", delta),
    )
    ratio = Meaning(
        name="Largest ratio of an answer’s probabilities",
        text="loss",
        equation="definition of ε-differential privacy",
        unit="times",
        says="At ε = {epsilon}, no answer is more than {value} times as likely with you as without you, "
        "nor the other way round.",
        computes=lambda one: plain(np.exp(one)),
        solves=lambda times: plain(np.log(times)),
        domain=Domain("a finite number above 1", low=1.0),
    )
    return (ratio, *_of("any", count, delta), *_of("Laplace", count, delta))


#: The mechanisms whose composition `epsilon` knows; randomized response is the worst of any.
COMPOSED = {"any": randomized_response, "laplace": laplace, "gaussian": gaussian}


def _of(mechanism: str, count: int, delta: float) -> tuple[Meaning, Meaning]:
    key, how = mechanism.lower(), "Laplace noise" if mechanism == "Laplace" else "any mechanism"
    law, at_most = COMPOSED[key], "at most " if mechanism == "any" else ""
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
        solves=lambda totals: each(lambda total: epsilon(total, delta, count, key), totals),
        domain=POSITIVE,
        mechanism=mechanism,
        releases="many",
    )
    return expected, together
