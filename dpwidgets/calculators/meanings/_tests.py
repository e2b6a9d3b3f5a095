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
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpwidgets.calculators.domain import (
    EPSILON,
    PROBABILITY,
    Domain,
    FloatArray,
    Floats,
    check,
    one_of,
    plain,
    silent,
)
from dpwidgets.calculators.interpretation import MECHANISMS, Meaning, attained
from dpwidgets.notation import percent, show

FALSE_ALARMS = Domain(
    "a number from 1e-12 to 1 − 1e-12",
    low=1e-12,
    high=1 - 1e-12,
    includes_low=True,
    includes_high=True,
    why="Nobody counts rarer errors",
)
CONFIDENCE = PROBABILITY
TRIALS = Domain(
    "a number of trials, at least 1", low=1.0, includes_low=True, includes_infinity=True
)


@overload
def advantage(epsilon: float, mechanism: str = "any") -> float: ...
@overload
def advantage(epsilon: ArrayLike, mechanism: str = "any") -> Floats: ...
@silent
def advantage(epsilon: ArrayLike, mechanism: str = "any") -> Floats:
    """Compute the largest advantage of any test.

    It is how often the test says "with" of you, less how often it says so of others.

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
    epsilon, any_one = EPSILON.check("epsilon", epsilon), _is_any(mechanism)
    return plain(np.tanh(epsilon / 2) if any_one else -np.expm1(-epsilon / 2))


@overload
def misses(epsilon: float, false_alarms: float, mechanism: str = "any") -> float: ...
@overload
def misses(epsilon: ArrayLike, false_alarms: ArrayLike, mechanism: str = "any") -> Floats: ...
@silent
def misses(epsilon: ArrayLike, false_alarms: ArrayLike, mechanism: str = "any") -> Floats:
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
    epsilon, alarms = check(epsilon=(epsilon, EPSILON), false_alarms=(false_alarms, FALSE_ALARMS))
    # 1 − e^ε · alarms, by logarithms: e^ε alone may be too large for a float.
    few = -np.expm1(np.minimum(np.log(alarms) + epsilon, 0))
    shrunk = np.exp(-epsilon)
    many = shrunk * (1 - alarms)
    if _is_any(mechanism):
        return plain(np.maximum(few, many))
    middle = shrunk / (4 * alarms)
    return plain(np.where(alarms < shrunk / 2, few, np.where(alarms <= 0.5, middle, many)))


@overload
def certified(trials: float, confidence: float = 0.95) -> float: ...
@overload
def certified(trials: ArrayLike, confidence: float = 0.95) -> Floats: ...
@silent
def certified(trials: ArrayLike, confidence: float = 0.95) -> Floats:
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
    trials = TRIALS.check("trials", trials)
    confidence = CONFIDENCE.check_one("confidence", confidence)
    right = (
        math.log((1 - confidence) / 2) / trials
    )  # the logarithm of the least share that is right
    with np.errstate(divide="ignore"):
        return plain(np.maximum(right - np.log(-np.expm1(right)), 0.0))


def _trials(epsilon: FloatArray, confidence: float) -> Floats:
    """Return the number of trials that certify ε: `certified` solved for it."""
    return plain(math.log((1 - confidence) / 2) / -np.log1p(np.exp(-epsilon)))


def _largest_epsilon(missed: FloatArray, alarms: float, mechanism: str) -> FloatArray:
    """Return the ε of `misses`: the largest that leaves a test with these alarms such misses."""
    with np.errstate(divide="ignore"):  # no misses at all: as large an ε as there is
        few = np.log1p(-missed) - math.log(alarms)
        many = math.log1p(-alarms) - np.log(missed)
        middle = -math.log(4 * alarms) - np.log(missed)
    if _is_any(mechanism):
        return _allowed(np.maximum(few, many))
    return _allowed(many if alarms > 0.5 else np.where(missed > 0.5, few, middle))


def _allowed(epsilon: FloatArray) -> FloatArray:
    """Return ε that rounding, or a number that is exactly 0 or 1, has put beyond ε's domain."""
    return np.clip(epsilon, EPSILON.low, EPSILON.high)


def _is_any(mechanism: str) -> bool:
    """Tell the worst of all mechanisms from Laplace noise, and refuse any other word."""
    return one_of("mechanism", mechanism, MECHANISMS) == "any"


def _out_of_100(share: float) -> str:
    return f"{percent(1 - share, 2)[:-1]} against {percent(share, 2)[:-1]}"


@silent
def beyond_texts(false_alarms: float = 0.05, audit_confidence: float = 0.95) -> tuple[Meaning, ...]:
    """Say what ε means outside the texts: to a test, and to an audit.

    Parameters
    ----------
    false_alarms : float
        The false alarms of the test whose misses are told, from 1e-12 to 1 − 1e-12.
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
    ...     print(f"{meaning.name}: {meaning.value(0.5):.3g}")
    Odds out of 100, at worst: 0.622
    Largest advantage of a test, any mechanism: 0.245
    Misses at 5% false alarms, any mechanism: 0.918
    Odds out of 100, Laplace at the half-way threshold: 0.611
    Largest advantage of a test, Laplace noise: 0.221
    Misses at 5% false alarms, Laplace noise: 0.918
    Trials that an audit needs to certify this ε: 7.78
    >>> print(beyond_texts()[-1].sentence(0.5))
    At ε = 0.5, an audit needs at least 8 trials with you and as many without to show that ε is no
    smaller.
    """
    alarms = FALSE_ALARMS.check_one("false_alarms", false_alarms)
    sure = CONFIDENCE.check_one("audit_confidence", audit_confidence)
    least = float(_trials(np.array(EPSILON.low), sure))
    audit = Meaning(
        name="Trials that an audit needs to certify this ε",
        equation="Jagielski, Ullman and Oprea (2020)",
        unit="trials with you and as many without",
        shown=lambda trials: show(np.ceil(trials)),
        says=(
            "At ε = {epsilon}, an audit needs at least {value} trials with you and as many without "
            "to show that ε is no smaller."
        ),
        computes=lambda epsilons: _trials(epsilons, sure),
        solves=lambda trials: plain(_allowed(certified(trials, sure))),
        domain=Domain(
            f"a number of trials above {least:.4g}; fewer certify nothing",
            low=max(least, TRIALS.low),
            includes_low=True,
            includes_infinity=True,
        ),
        note=f"By an attack that never errs, at a confidence of {percent(sure)}.",
    )
    return (*_tests("any", alarms), *_tests("Laplace", alarms), audit)


def _tests(mechanism: str, alarms: float) -> tuple[Meaning, Meaning, Meaning]:
    worst = mechanism == "any"
    test = "a test" if worst else "a test of a Laplace answer"
    kind = "any mechanism" if worst else "Laplace noise"

    def solve_advantage(gained: FloatArray) -> Floats:
        with np.errstate(divide="ignore"):  # an advantage of 1: as large an ε as there is
            found = 2 * np.arctanh(gained) if worst else -2 * np.log1p(-gained)
        return plain(_allowed(found))

    def odds(epsilons: Any) -> Any:
        return plain((1 + advantage(epsilons, mechanism)) / 2)

    probability: dict[str, Any] = {"unit": "probability", "mechanism": mechanism}
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
            computes=odds,
            solves=lambda share: solve_advantage(2 * share - 1),
            domain=attained(odds),
            shown=_out_of_100,
            **probability,
        ),
        Meaning(
            name=f"Largest advantage of a test, {kind}",
            equation="tanh(ε/2)" if worst else "1 − e^(−ε/2)",
            says=(
                f"At ε = {{epsilon}}, {test} has an advantage of at most {{value}} in telling "
                "whether you are there."
            ),
            computes=lambda epsilons: advantage(epsilons, mechanism),
            solves=solve_advantage,
            domain=attained(lambda one: advantage(one, mechanism)),
            shown=percent,
            **probability,
        ),
        Meaning(
            name=f"Misses at {percent(alarms)} false alarms, {kind}",
            equation="Dong, Roth and Su (2022)",
            says=(
                f"At ε = {{epsilon}}, {test} with {percent(alarms)} false alarms misses at least "
                "{value} of those who are there."
            ),
            computes=lambda epsilons: misses(epsilons, alarms, mechanism),
            solves=lambda missed: plain(_largest_epsilon(missed, alarms, mechanism)),
            domain=attained(lambda one: misses(one, alarms, mechanism)),
            shown=percent,
            **probability,
        ),
    )
