"""What ε means outside the texts: to a test that says "with" or "without", and to an audit.

A test is the simplest attack. The attacker sees an answer and says "with" or "without". Its
advantage is how much more often "with" is said of those who are there. The largest is δ(0) of the
privacy loss.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpwidgets.calculators.case import ALL, Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.calculators.meanings._loss import everything
from dpwidgets.inputs.domain import PROBABILITY, Domain
from dpwidgets.inputs.door import Floats, door
from dpwidgets.inputs.notation import percent

CONFIDENCE = PROBABILITY
TRIALS = Domain(
    "a number of trials, at least 1", low=1.0, includes_low=True, includes_infinity=True
)
_meaning = partial(Meaning, gets=ATTACKER)


@door(trials=TRIALS)
def certified(trials: float, confidence: float = 0.95) -> Floats:
    """Compute the ε that an audit shows to be exceeded, if its attack errs in none of its trials.

    An audit runs the mechanism again and again, with somebody in the data and without, and counts
    how often an attack is wrong. However good the attack, few trials show little.

    Parameters
    ----------
    trials : array_like
        How many trials there are with the person, and as many without. It need not be whole, and
        may be infinite.
    confidence : float
        How sure the audit shall be, between 0 and 1.

    Returns
    -------
    float or array
        The lower bound on ε, or 0 if so few trials show nothing; infinite for infinitely many.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Jagielski, Ullman and Oprea (2020): Clopper and Pearson's upper bound on each of the two shares
    of errors, at half of 1 − confidence. After n trials without an error it is
    1 − ((1 − confidence)/2)^(1/n).

    Examples
    --------
    >>> round(certified(500, confidence=0.99), 2)
    4.54
    """
    confidence = CONFIDENCE.check_one("confidence", confidence)
    # The logarithm of the least share that is right.
    right = math.log((1 - confidence) / 2) / trials
    with np.errstate(divide="ignore"):
        return np.maximum(right - np.log(-np.expm1(right)), 0.0)


def _out_of_100(advantage: float) -> str:
    more = percent((1 + advantage) / 2, 2, up=True)[:-1]
    return f"{more} against {percent((1 - advantage) / 2, 2, up=False)[:-1]}"


def meanings(case: Case) -> Iterator[Meaning]:
    """Say what the noise means outside the texts: to a test of whether a person is in the data.

    Parameters
    ----------
    case : Case
        The case.

    Yields
    ------
    Meaning
        The odds out of 100 after one release; how often the best attack is right, the largest
        advantage of a test, and ρ and μ after all of them.

    Notes
    -----
    The odds are worded as by Nanayakkara et al. (2023); the success is of Kulynych et al. (2025),
    ρ of Bun and Steinke (2016), μ of Dong, Roth and Su (2022). The odds are exact for the person
    whose record changes what is published by Δf, such as anybody with the property that is counted,
    and nearer to 50 against 50 for everybody else.

    Examples
    --------
    >>> for meaning in meanings(Case(published="count")):
    ...     print(meaning.sentence(scale=2))
    After one release: of 100 answers, on average at most this many suggest that a person is in the
    data, when the person is and when not: 62 against 38. It is so for a person with the property.
    After the only release, a test of whether a person is in the data has an advantage of at most
    22.2%.
    The release has ρ = 0.107: the Rényi divergence of every order α is at most αρ.
    The release tells a person from no person, or one record from another, no better than one draw
    from a normal law tells whether its mean is 0 or 0.562 standard deviations.
    """
    count, prior = case.releases, case.prior
    suggest = "that a person is in the data, when the person is and when not"
    worst = "a person with the property"
    if case.neighbours == "replace":
        suggest = "one record of a person rather than another, when it is the true one and when "
        suggest += "the other is"
        worst = "a person who has the property in one of both records"
    if case.published != "count" or case.contributions > 1:
        worst = f"whoever’s record changes the {case.published} by Δf"
    yield _meaning(
        name="Odds out of 100, one release",
        says="After one release: of 100 answers, on average at most this many suggest "
        f"{suggest}: {{value}}. It is so for {worst}.",
        computes=case.advantage,
        shown=_out_of_100,
        even=True,
    )
    if prior is not None:
        after = f"all {count:,} releases" if count > 1 else "the release"
        yield _meaning(
            name=f"Success of an attack after {after}",
            says=f"An attacker who is right about a person in {percent(prior)} of cases is right "
            f"in at most {{value}} after {after}{case.besides(ALL).rstrip(',')}.",
            computes=lambda scale: case.success(scale, prior),
            shown=partial(percent, up=True),
            even=True,
        )
    after = f"all {count:,} releases" if count > 1 else "the only release"
    yield _meaning(
        name="Advantage of a test, all releases",
        says=f"After {after},{case.besides(ALL)} a test of {case.tested} has an advantage of at "
        "most {value}.",
        computes=lambda scale: case.advantage(scale, ALL),
        shown=partial(percent, up=True),
        first=False,
        even=True,
    )
    if case.used_delta:  # then others' releases have no ρ and no μ
        return
    yield _meaning(
        name="ρ of everything (zCDP)",
        says=f"{everything(case, 'has', 'have')} ρ = {{value}}: the Rényi divergence of every "
        "order α is at most αρ.",
        computes=case.rho,
        first=False,
    )
    yield _meaning(
        name="μ of everything (Gaussian privacy)",
        says=f"{everything(case, 'tells', 'tell')} a person from no person, or one record from "
        "another, no better than one draw from a normal law tells whether its mean is 0 or "
        "{value} standard deviations.",
        computes=case.mu,
        first=False,
    )
