"""What ε means outside the texts: to a test that says "with" or "without", and to an audit.

A test is the simplest attack. The attacker sees an answer and says "with" or "without". Saying
"with" of somebody who is not there is a false alarm; saying "without" of somebody who is there is a
miss. ε bounds how rare both can be::

    misses ≥ 1 − e^ε · false alarms        and        misses ≥ e^(−ε) · (1 − false alarms)

Their advantage is 1 − false alarms − misses: how much more often "with" is said of those who are
there. It is δ(0) of the privacy loss, so `loss` computes it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators import loss
from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    Domain,
    FloatArray,
    check,
    each,
    plain,
)
from dpwidgets.calculators.interpretation import MECHANISMS, Meaning
from dpwidgets.notation import percent, show

EPSILON = POSITIVE
FALSE_ALARMS = PROBABILITY
CONFIDENCE = PROBABILITY
TRIALS = Domain("a finite number of trials, at least 1", low=1.0, includes_low=True)
LAWS = {"any": loss.randomized_response, "Laplace": loss.laplace}


def advantage(epsilon: ArrayLike, mechanism: str = "any") -> float | FloatArray:
    """Compute the largest advantage of any test: how often it is right about you, less how often it errs about others.

    Parameters
    ----------
    epsilon : array_like
        The privacy parameter ε > 0.
    mechanism : {"any", "Laplace"}
        The worst of all ε-private mechanisms, or Laplace noise.

    Returns
    -------
    float or array
        tanh(ε/2), or 1 − e^(−ε/2).

    Raises
    ------
    TypeError, ValueError
        If epsilon is not a finite number above 0, or the mechanism is neither.

    Examples
    --------
    >>> round(advantage(0.5), 4), round(advantage(0.5, "Laplace"), 4)
    (0.2449, 0.2212)
    """
    law = LAWS[_known("mechanism", mechanism, MECHANISMS)]
    return each(lambda one: law(one).delta(0.0), EPSILON.check("epsilon", epsilon))


def misses(
    epsilon: ArrayLike, false_alarms: ArrayLike, mechanism: str = "any"
) -> float | FloatArray:
    """Compute the smallest share of misses that a test with this share of false alarms can have: the trade-off curve.

    Parameters
    ----------
    epsilon : array_like
        The privacy parameter ε > 0.
    false_alarms : array_like
        How often the test says "with" of somebody who is not there, between 0 and 1.
    mechanism : {"any", "Laplace"}
        The worst of all ε-private mechanisms, or Laplace noise.

    Returns
    -------
    float or array
        The share of misses, from 1 − false_alarms (a blind guess) down.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, the shapes do not broadcast, or the mechanism is
        neither.

    Notes
    -----
    Wasserman and Zhou (2010); Dong, Roth and Su (2022), who have the curve of Laplace noise too. There, at ε = 0.5, the
    test at the half-way threshold has 39% of each.

    Examples
    --------
    >>> round(misses(0.5, 0.05), 4), round(misses(0.5, 0.05, "Laplace"), 4), round(misses(0.5, 0.3894, "Laplace"), 4)
    (0.9176, 0.9176, 0.3894)
    """
    _known("mechanism", mechanism, MECHANISMS)
    epsilon, alarms = check(epsilon=(epsilon, EPSILON), false_alarms=(false_alarms, FALSE_ALARMS))
    shrunk = np.exp(-epsilon)
    few, many = 1 - alarms / np.maximum(shrunk, 1e-300), shrunk * (1 - alarms)
    if mechanism == "any":
        return plain(np.maximum(few, many))
    return plain(
        np.where(alarms < shrunk / 2, few, np.where(alarms <= 0.5, shrunk / (4 * alarms), many))
    )


def certified(trials: ArrayLike, confidence: float = 0.95) -> float | FloatArray:
    """Compute the ε that an audit shows to be exceeded, if its attack errs in none of its trials.

    An audit runs the mechanism again and again, with somebody in the data and without, and counts
    how often an attack is wrong. However good the attack, few trials show little.

    Parameters
    ----------
    trials : array_like
        How many trials there are with the person, and as many without. It need not be whole.
    confidence : float
        How sure the audit shall be, between 0 and 1.

    Returns
    -------
    float or array
        The lower bound on ε, or 0 if so few trials show nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Jagielski, Ullman and Oprea (2020): Clopper and Pearson's upper bound on each of the two shares of errors, at half
    of 1 − confidence. After n trials without an error it is 1 − ((1 − confidence)/2)^(1/n).

    Examples
    --------
    >>> round(certified(500, confidence=0.99), 2)
    4.54
    """
    trials, confidence = (
        TRIALS.check("trials", trials),
        CONFIDENCE.check_one("confidence", confidence),
    )
    right = (
        np.log((1 - confidence) / 2) / trials
    )  # the logarithm of the smallest share of right answers
    return plain(np.maximum(right - np.log(-np.expm1(right)), 0.0))


def _trials(epsilon: FloatArray, confidence: float) -> float | FloatArray:
    """Return the number of trials that certify ε: `certified` solved for it."""
    return plain(math.log((1 - confidence) / 2) / -np.log1p(np.exp(-epsilon)))


def _largest_epsilon(missed: FloatArray, alarms: float, mechanism: str) -> float | FloatArray:
    """Return the ε of `misses`: the largest that leaves a test with these false alarms this share of misses."""
    few, many = np.log((1 - missed) / alarms), np.log((1 - alarms) / missed)
    if mechanism == "any":
        return plain(np.maximum(few, many))
    return plain(
        many if alarms > 0.5 else np.where(missed > 0.5, few, -np.log(4 * alarms * missed))
    )


def _out_of_100(share: float) -> str:
    return f"{percent(1 - share, 2)[:-1]} against {percent(share, 2)[:-1]}"


def beyond_texts(false_alarms: float = 0.05, audit_confidence: float = 0.95) -> tuple[Meaning, ...]:
    """Say what ε means outside the texts: to a test, and to an audit.

    Parameters
    ----------
    false_alarms : float
        The false alarms of the test whose misses are told, between 0 and 1.
    audit_confidence : float
        How sure an audit shall be, between 0 and 1.

    Returns
    -------
    tuple of Meaning
        The odds out of 100, the largest advantage and the misses, each for any mechanism and for
        Laplace noise, and the trials that an audit needs.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Examples
    --------
    >>> for meaning in beyond_texts():
    ...     print(meaning.sentence(0.5))
    Without you against with you, at ε = 0.5: at worst 38 against 62 of 100 answers speak for your being there.
    At ε = 0.5, a test has an advantage of at most 24.5% in telling whether you are there.
    At ε = 0.5, a test with 5% false alarms misses at least 91.8% of those who are there.
    Without you against with you, at ε = 0.5: 39 against 61 of 100 noisy counts lie above the half-way threshold.
    At ε = 0.5, a test of a Laplace answer has an advantage of at most 22.1% in telling whether you are there.
    At ε = 0.5, a test of a Laplace answer with 5% false alarms misses at least 91.8% of those who are there.
    At ε = 0.5, an audit needs at least 8 trials with you and as many without to show that ε is no smaller.
    """
    alarms = FALSE_ALARMS.check_one("false_alarms", false_alarms)
    sure = CONFIDENCE.check_one("audit_confidence", audit_confidence)
    audit = Meaning(
        name="Trials that an audit needs to certify this ε",
        equation="Jagielski, Ullman and Oprea (2020)",
        unit="trials with you and as many without",
        shown=lambda trials: show(np.ceil(trials)),
        says=(
            "At ε = {epsilon}, an audit needs at least {value} trials with you and as many without to show that ε "
            "is no smaller."
        ),
        computes=lambda epsilons: _trials(epsilons, sure),
        solves=lambda trials: certified(trials, sure),
        domain=Domain(
            f"a number of trials above {_trials(0.0, sure):.4g}; fewer certify nothing",
            low=_trials(0.0, sure),
        ),
        note=f"By an attack that never errs, at a confidence of {percent(sure)}.",
    )
    return (*_tests("any", alarms), *_tests("Laplace", alarms), audit)


def _tests(mechanism: str, alarms: float) -> tuple[Meaning, Meaning, Meaning]:
    worst = mechanism == "any"
    test = "a test" if worst else "a test of a Laplace answer"

    def solve_advantage(gained: FloatArray) -> float | FloatArray:
        return plain(2 * np.arctanh(gained) if worst else -2 * np.log1p(-gained))

    probability = {"unit": "probability", "mechanism": mechanism, "shown": percent}
    return (
        Meaning(
            name="Odds out of 100, "
            + ("at worst" if worst else "Laplace at the half-way threshold"),
            equation="Nanayakkara et al. (2023)",
            says="Without you against with you, at ε = {epsilon}: "
            + (
                "at worst {value} of 100 answers speak for your being there."
                if worst
                else "{value} of 100 noisy counts lie above the half-way threshold."
            ),
            computes=lambda epsilons: plain((1 + advantage(epsilons, mechanism)) / 2),
            solves=lambda share: solve_advantage(2 * share - 1),
            domain=Domain("a number above 0.5 and below 1", low=0.5, high=1.0),
            **probability | {"shown": _out_of_100},
        ),
        Meaning(
            name="Largest advantage of a test, " + ("any mechanism" if worst else "Laplace noise"),
            equation="tanh(ε/2)" if worst else "1 − e^(−ε/2)",
            says=f"At ε = {{epsilon}}, {test} has an advantage of at most {{value}} in telling whether you are there.",
            computes=lambda epsilons: advantage(epsilons, mechanism),
            solves=solve_advantage,
            domain=PROBABILITY,
            **probability,
        ),
        Meaning(
            name=f"Misses at {percent(alarms)} false alarms, "
            + ("any mechanism" if worst else "Laplace noise"),
            equation="Dong, Roth and Su (2022)",
            says=(
                f"At ε = {{epsilon}}, {test} with {percent(alarms)} false alarms misses at least {{value}} "
                "of those who are there."
            ),
            computes=lambda epsilons: misses(epsilons, alarms, mechanism),
            solves=lambda missed: _largest_epsilon(missed, alarms, mechanism),
            domain=Domain(
                f"a number above 0 and below {1 - alarms:.12g}", low=0.0, high=1 - alarms
            ),
            **probability,
        ),
    )


def _known(argument: str, value: str | None, allowed: tuple[str | None, ...]) -> str | None:
    if value not in allowed:
        raise ValueError(
            f"{argument} must be one of {', '.join(map(repr, filter(None, allowed)))}; got {value!r}"
        )
    return value
