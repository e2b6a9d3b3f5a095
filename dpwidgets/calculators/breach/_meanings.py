"""What ε means for a belief about you."""

from __future__ import annotations

from dpwidgets.calculators.breach._beliefs import (
    CANDIDATES,
    PRIOR,
    downward,
    epsilon,
    identifiability,
    posterior,
)
from dpwidgets.calculators.domain import (
    Domain,
)
from dpwidgets.calculators.interpretation import Meaning
from dpwidgets.notation import percent, show


def meanings(prior: float = 0.1, candidates: int = 5) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what anybody may believe of you after an answer.

    Parameters
    ----------
    prior : float
        The belief before the answer, between 0 and 1. By default that of the text's example.
    candidates : int
        How many values the missing record may have, from 2 up. By default as many as in the text's
        example.

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
    prior, candidates = (
        PRIOR.check_one("prior", prior),
        CANDIDATES.check_one("candidates", candidates),
    )
    shared = {"text": "breach", "unit": "probability", "shown": percent}
    return (
        Meaning(
            name="Largest posterior",
            equation="Sec. 2.3, corrected",
            says=f"At ε = {{epsilon}}, no answer lifts a belief of {percent(prior)} about you above {{value}}.",
            computes=lambda one: posterior(prior, one),
            solves=lambda reached: epsilon(prior, reached),
            domain=Domain(
                f"a number above the prior, {prior:.12g}, and below 1", low=prior, high=1.0
            ),
            **shared,
        ),
        Meaning(
            name="Smallest posterior",
            equation="Evfimievski, Gehrke and Srikant (2003), downward",
            says=f"At ε = {{epsilon}}, no answer lowers a belief of {percent(prior)} about you below {{value}}.",
            computes=lambda one: downward(prior, one),
            solves=lambda reached: epsilon(reached, prior),
            domain=Domain(
                f"a number above 0 and below the prior, {prior:.12g}", low=0.0, high=prior
            ),
            **shared,
        ),
        Meaning(
            name="Largest posterior of one of several candidates",
            equation="Lee and Clifton (2012), Theorem 1",
            says=(
                f"At ε = {{epsilon}}, no answer makes any of {show(candidates)} equally likely values "
                "more than {value} likely."
            ),
            computes=lambda one: posterior(1 / candidates, one),
            solves=lambda reached: identifiability(candidates, reached),
            domain=Domain(
                f"a number above 1/{candidates:.12g}, a blind guess, and below 1",
                low=1 / candidates,
                high=1.0,
            ),
            neighbours="replace",
            knows="all records but one, and the values that this one may have",
            **shared,
        ),
    )
