"""What ε means for a belief about you."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpwidgets.calculators.breach._beliefs import (
    CANDIDATES,
    PRIOR,
    downward,
    epsilon,
    identifiability,
    posterior,
)
from dpwidgets.calculators.domain import (
    EPSILON,
    Domain,
    FloatArray,
    Floats,
    check_numbers,
    plain,
)
from dpwidgets.calculators.interpretation import Meaning
from dpwidgets.notation import percent, show

_ABOVE_ROUNDING = 1 + 4e-15  # what is computed at nearly the same ε may differ by rounding


def meanings(prior: float = 0.1, candidates: int = 5) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what anybody may believe of you after an answer.

    Parameters
    ----------
    prior : float
        The belief before the answer, from 1e-300 up and below 1. By default that of the text's
        example.
    candidates : int
        How many values the missing record may have, from 2 to 1e12. By default as many as in the
        text's example.

    Returns
    -------
    tuple of Meaning
        The largest and the smallest posterior, and the largest of one among several equally likely
        candidates.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> for meaning in meanings():
    ...     print(meaning.sentence(0.5))
    At ε = 0.5, no answer lifts a belief of 10% about you above 15.5%.
    At ε = 0.5, no answer lowers a belief of 10% about you below 6.31%.
    At ε = 0.5, no answer makes any of 5 equally likely values more than 29.2% likely.
    """
    prior, ones = check_numbers(prior=(prior, PRIOR), candidates=(candidates, CANDIDATES))
    shared: dict[str, Any] = {"text": "breach", "unit": "probability", "shown": percent}
    least, low = EPSILON.low, downward(prior, EPSILON.high)

    def without_falling_below(reached: FloatArray) -> Floats:
        fall = (prior - reached) / prior  # that of the belief, as a share
        with np.errstate(divide="ignore"):  # no ε lowers a belief to 0
            far = math.log(prior) - np.log(reached)
        factor = np.where(fall < 0.5, -np.log1p(-np.minimum(fall, 0.5)), far)
        solved = factor + np.log1p((prior - reached) / (1 - prior))
        return plain(np.clip(solved, EPSILON.low, EPSILON.high))

    return (
        Meaning(
            name="Largest posterior",
            equation="Sec. 2.3, corrected",
            says=(
                f"At ε = {{epsilon}}, no answer lifts a belief of {percent(prior)} about you above "
                "{value}."
            ),
            computes=lambda one: posterior(prior, one),
            solves=lambda reached: epsilon(prior, reached),
            domain=_above(f"the prior, {prior:.12g},", posterior(prior, least)),
            **shared,
        ),
        Meaning(
            name="Smallest posterior",
            equation="Evfimievski, Gehrke and Srikant (2003), downward",
            says=(
                f"At ε = {{epsilon}}, no answer lowers a belief of {percent(prior)} about you "
                "below {value}."
            ),
            computes=lambda one: downward(prior, one),
            solves=without_falling_below,
            domain=Domain(
                f"a number from {low:.6g} up and below the prior, {prior:.12g}",
                low=low,
                high=min(downward(prior, least) * _ABOVE_ROUNDING, prior),
                includes_low=True,
                includes_high=True,
                why="Close to it, ε would have to be smaller than 1e-8",
            ),
            **shared,
        ),
        Meaning(
            name="Largest posterior of one of several candidates",
            equation="Lee and Clifton (2012), Theorem 1",
            says=(
                f"At ε = {{epsilon}}, no answer makes any of {show(ones)} equally likely values "
                "more than {value} likely."
            ),
            computes=lambda one: posterior(1 / ones, one),
            solves=lambda reached: identifiability(ones, reached),
            domain=_above(f"1/{ones:.12g}, a blind guess,", posterior(1 / ones, least)),
            neighbours="replace",
            knows="all records but one, and the values that this one may have",
            **shared,
        ),
    )


def _above(before: str, low: float) -> Domain:
    return Domain(
        f"a number above {before} and below 1",
        low=low / _ABOVE_ROUNDING,
        high=1.0,
        includes_low=True,
        why="Close above it, ε would have to be smaller than 1e-8",
    )
