"""What ε means for the privacy loss, and the ε that several releases leave to each of them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy.special import ndtri

from dpwidgets.calculators.domain import (
    EPSILON,
    Domain,
    DomainError,
    check_numbers,
    each,
    one_of,
    plain,
    silent,
)
from dpwidgets.calculators.interpretation import Meaning, monotone
from dpwidgets.calculators.loss._distribution import (
    COUNT,
    DELTA,
    DELTA_OR_NONE,
    gaussian,
    laplace,
    randomized_response,
)
from dpwidgets.notation import show

#: The ε of all releases together.
TOTAL = Domain(
    "a number from 1e-8 to 1e9",
    low=1e-8,
    high=1e9,
    includes_low=True,
    includes_high=True,
    why="More than 10⁶ releases with an ε of 1000 each is not for counting together",
)
_PRECISION = 5e-10  # of `epsilon`, relatively
#: The mechanisms whose composition `epsilon` knows; randomized response is the worst of any.
COMPOSED = {"any": randomized_response, "laplace": laplace, "gaussian": gaussian}


@silent
def epsilon(total: float, delta: float, compositions: int, mechanism: str = "laplace") -> float:
    """Compute the largest ε of one release at which several together are (total, δ)-private.

    Parameters
    ----------
    total : float
        The ε of all releases together, from 1e-8 to 1e9.
    delta : float
        Their δ, from 0 up and below 1. Gaussian noise needs one above 0.
    compositions : int
        How many releases, from 1 to 10⁶, with independent noise and the same ε each.
    mechanism : {"any", "laplace", "gaussian"}
        How each of them is made. "any" holds for every ε-private mechanism.

    Returns
    -------
    float
        The ε of one release, never above the true one: to 1e-9 relatively, for Laplace noise as
        near as a grid allows. At most 1000, where every ε would do. For Gaussian noise, which has
        no ε of its own, it is read at δ/compositions, each release's share.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the mechanism is none of the three, or the releases
        are so many that each would have an ε below 1e-8.

    Notes
    -----
    Not in the text. No ε-private mechanism loses more by composition than randomized response
    (Kairouz, Oh and Viswanath 2015).

    Examples
    --------
    >>> round(epsilon(total=1, delta=1e-6, compositions=100), 4)
    0.0241
    >>> epsilon(total=1, delta=0, compositions=100)
    0.01
    """
    total, delta, releases = check_numbers(
        total=(total, TOTAL), delta=(delta, DELTA_OR_NONE), compositions=(compositions, COUNT)
    )
    mechanism, count = one_of("mechanism", mechanism, COMPOSED), int(releases)
    if mechanism == "gaussian" and delta / count < DELTA.low:
        raise DomainError(
            "delta",
            "delta must be above 0 for Gaussian noise, at least 1e-300 for each release: for no ε "
            "is it private without a δ",
        )
    if delta == 0 or (mechanism == "gaussian" and count == 1):
        one = total / count
    else:
        one = _largest_parameter(total, delta, count, mechanism)
        if mechanism == "gaussian" and one > 0:
            one = gaussian(one).epsilon(delta / count)
    if one < EPSILON.low:
        raise DomainError(
            "compositions",
            "compositions must be fewer here, or total or delta larger: it would take an ε below "
            f"1e-8, and ε is {EPSILON.allowed}",
        )
    return min(one, EPSILON.high)


def _largest_parameter(total: float, delta: float, count: int, mechanism: str) -> float:
    """Return the largest ε or μ of one release, from 1e-8 to 1000, that keeps (total, δ), or 0."""
    from scipy.optimize import root_scalar

    law, low, high = COMPOSED[mechanism], EPSILON.low, EPSILON.high
    if mechanism == "laplace":
        # Any mechanism may have the ε that the worst may: from there on, a grid too coarse for so
        # small a δ does no harm.
        low = _largest_parameter(total, delta, count, "any")
        high = min(1.3 * low, high)

    @cache
    def excess(parameter: float) -> float:
        """Return δ less the budget's, by normal quantiles: nearly a straight line."""
        reached = law(parameter).compose(count).delta(total)
        return float(ndtri(min(max(reached, DELTA.low), 1 - 1e-16)) - ndtri(delta))

    if low == 0 or excess(low) > 0:
        return low if mechanism == "laplace" else 0.0
    while excess(high) <= 0:
        if high == EPSILON.high:
            return high
        low, high = high, min(2 * high, EPSILON.high)
    found = float(root_scalar(excess, bracket=(low, high), xtol=1e-20, rtol=_PRECISION).root)
    while excess(found) > 0:  # on the safe side
        found *= 1 - _PRECISION
    return max(found, low)


@silent
def meanings(compositions: int = 100, delta: float = 1e-6) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what one answer loses, and what several together do.

    Parameters
    ----------
    compositions : int
        How many releases there are, from 1 to 10⁶.
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
        solves=lambda times: plain(np.clip(np.log(times), EPSILON.low, None)),
        domain=Domain(
            "a finite number from 1.00000001 up", low=math.exp(EPSILON.low), includes_low=True
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
        solves=lambda totals: each(lambda total: epsilon(total, delta, count, key), totals),
        domain=Domain(
            f"a number from {least:.3g} to {EPSILON.high * count:,.0f}",
            low=least,
            high=EPSILON.high * count,
            includes_low=True,
            includes_high=True,
        ),
        mechanism=mechanism,
        releases="many",
    )
    return expected, together
