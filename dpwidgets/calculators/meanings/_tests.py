"""What ε means outside the texts: to a test that says "with" or "without", and to an audit.

A test is the simplest attack. The attacker sees an answer and says "with" or "without". Saying
"with" of somebody who is not there is a false alarm; saying "without" of somebody who is there is a
miss. ε bounds how rare both can be::

    misses ≥ 1 − e^ε · false alarms        and        misses ≥ e^(−ε) · (1 − false alarms)

Their advantage is 1 − false alarms − misses: how much more often "with" is said of those who are
there. The largest is δ(0) of the privacy loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, Domain, one_of, within
from dpwidgets.inputs.door import Floats, door
from dpwidgets.inputs.notation import percent

#: Which mechanisms a test may be asked about: the worst of all ε-private ones, or Laplace noise.
MECHANISMS = ("any", "Laplace")

FALSE_ALARMS = replace(
    within(1e-12, 1 - 1e-12, why="Nobody counts rarer errors"),
    allowed="a number from 1e-12 to 1 − 1e-12",
)
CONFIDENCE = PROBABILITY
TRIALS = Domain(
    "a number of trials, at least 1", low=1.0, includes_low=True, includes_infinity=True
)


@door(epsilon=EPSILON)
def advantage(epsilon: float, mechanism: str = "any") -> Floats:
    """Compute the largest advantage of any test.

    It is how often the test says "with" if you are in the data, less how often if you are not.

    Parameters
    ----------
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.
    mechanism : {"any", "Laplace"}
        The worst of all ε-private mechanisms, or Laplace noise.

    Returns
    -------
    float or array
        tanh(ε/2), or 1 − e^(−ε/2). So close to 1 where ε is large that it is exactly 1.0.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not such a number, or the mechanism is neither.

    Examples
    --------
    >>> round(advantage(0.5), 4), round(advantage(0.5, "Laplace"), 4)
    (0.2449, 0.2212)
    """
    return np.tanh(epsilon / 2) if _is_any(mechanism) else -np.expm1(-epsilon / 2)


@door(epsilon=EPSILON, false_alarms=FALSE_ALARMS)
def misses(epsilon: float, false_alarms: float, mechanism: str = "any") -> Floats:
    """Compute the smallest share of misses that a test with these false alarms can have.

    Along the false alarms it is the trade-off curve.

    Parameters
    ----------
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.
    false_alarms : array_like
        How often the test says "with" of somebody who is not there, from 1e-12 to 1 − 1e-12.
    mechanism : {"any", "Laplace"}
        The worst of all ε-private mechanisms, or Laplace noise.

    Returns
    -------
    float or array
        The share of misses, from 1 − false_alarms (a blind guess) down to 0, which it becomes where
        no float is as small.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the shapes do not broadcast, or the mechanism is
        neither.

    Notes
    -----
    Wasserman and Zhou (2010); Dong, Roth and Su (2022), who have the curve of Laplace noise too.
    There, at ε = 0.5, the test at the half-way threshold has 39% of each.

    Examples
    --------
    >>> round(misses(0.5, 0.05), 4), round(misses(0.5, 0.05, "Laplace"), 4)
    (0.9176, 0.9176)
    >>> round(misses(0.5, 0.3894, "Laplace"), 4)
    0.3894
    """
    # 1 − e^ε · alarms, by logarithms: e^ε alone may be too large for a float.
    few = -np.expm1(np.minimum(np.log(false_alarms) + epsilon, 0))
    shrunk = np.exp(-epsilon)
    many = shrunk * (1 - false_alarms)
    if _is_any(mechanism):
        return np.maximum(few, many)
    middle = shrunk / (4 * false_alarms)
    rest = np.where(np.asarray(false_alarms) <= 0.5, middle, many)
    return np.where(false_alarms < shrunk / 2, few, rest)


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


def _is_any(mechanism: str) -> bool:
    """Tell the worst of all mechanisms from Laplace noise, and refuse any other word."""
    return one_of("mechanism", mechanism, MECHANISMS) == "any"


def _out_of_100(advantage: float) -> str:
    more = percent((1 + advantage) / 2, 2, up=True)[:-1]
    return f"{more} against {percent((1 - advantage) / 2, 2, up=False)[:-1]}"


def beyond_texts(case: Case) -> tuple[Meaning, ...]:
    """Say what the noise means outside the texts: to a test of whether a person is in the data.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    tuple of Meaning
        The odds out of 100 after one release; how often the best attack is right, the largest
        advantage of a test, and ρ and μ after all of them.

    Notes
    -----
    Nanayakkara et al. (2023) have the words for the odds. They are exact for the person whose
    record changes what is published by Δf, such as anybody with the property that is counted, and
    nearer to 50 against 50 for everybody else.

    Examples
    --------
    >>> for meaning in beyond_texts(Case(published="count")):
    ...     print(meaning.sentence(scale=2))
    After one release: of 100 answers, on average at most this many suggest that a person is in the
    data, when the person is and when not: 62 against 38. It is so for a person with the property.
    After the only release, a test of whether a person is in the data has an advantage of at most
    22.2%.
    The release has ρ = 0.107: the Rényi divergence of every order α is at most αρ.
    The release tells a person from no person, or one record from another, no better than one draw
    from a normal law tells whether its mean is 0 or 0.562 standard deviations.
    """
    count = case.releases
    suggest = {
        "add/remove": "that a person is in the data, when the person is and when not",
        "replace": "one record of a person rather than another, when it is the true one and when "
        "the other is",
    }[str(case.neighbours)]
    worst = f"whoever’s record changes the {case.published} by Δf"
    if case.published == "count" and case.contributions == 1:
        worst = {
            "add/remove": "a person with the property",
            "replace": "a person who has the property in one of both records",
        }[str(case.neighbours)]
    return (
        Meaning(
            name="Odds out of 100, one release",
            equation="Nanayakkara et al. (2023)",
            says="After one release: of 100 answers, on average at most this many suggest "
            f"{suggest}: {{value}}. It is so for {worst}.",
            computes=case.advantage,
            shown=_out_of_100,
            gets=ATTACKER,
            even=True,
        ),
        *_success(case),
        Meaning(
            name="Advantage of a test, all releases",
            equation="δ(0) of the privacy loss",
            says=f"After {f'all {count:,} releases' if count > 1 else 'the only release'},"
            f"{case.besides('all releases')} a test of {case.tested} has an advantage of at most "
            "{value}.",
            computes=lambda scale: case.advantage(scale, "all releases"),
            shown=partial(percent, up=True),
            gets=ATTACKER,
            first=False,
            even=True,
        ),
        *_variants(case),
    )


def _success(case: Case) -> Iterator[Meaning]:
    """Say how often the best attack is right, over all answers and not after the worst one."""
    prior, count = case.prior, case.releases
    if prior is None:
        return
    after = f"all {count:,} releases" if count > 1 else "the release"
    yield Meaning(
        name=f"Success of an attack after {after}",
        equation="Kulynych et al. (2025)",
        says=f"An attacker who is right about a person in {percent(prior)} of cases is right in at "
        f"most {{value}} after {after}"
        f"{case.besides('all releases').rstrip(',')}.",
        computes=lambda scale: case.success(scale, prior),
        shown=partial(percent, up=True),
        gets=ATTACKER,
        even=True,
    )


def _variants(case: Case) -> Iterator[Meaning]:
    """Say which ρ and which μ everything has, where others' releases have one."""
    if case.used_delta:
        return
    who = f"All {case.releases:,} releases" if case.releases > 1 else "The release"
    others = case.besides("all releases")
    who += f",{others}" if others else ""
    has = "have" if case.releases > 1 else "has"
    yield Meaning(
        name="ρ of everything (zCDP)",
        equation="Bun and Steinke (2016)",
        says=f"{who} {has} ρ = {{value}}: the Rényi divergence of every order α is at most αρ.",
        computes=case.rho,
        gets=ATTACKER,
        first=False,
    )
    yield Meaning(
        name="μ of everything (Gaussian privacy)",
        equation="Dong, Roth and Su (2022)",
        says=f"{who} {'tell' if case.releases > 1 else 'tells'} a person from no person, or one "
        "record from another, no better than one draw from a normal law tells whether its mean is "
        "0 or {value} standard deviations.",
        computes=case.mu,
        gets=ATTACKER,
        first=False,
    )
