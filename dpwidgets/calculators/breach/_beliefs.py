"""A prior, a posterior and the ε that holds them together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    DomainError,
    FloatArray,
    check,
    plain,
    whole,
)

EPSILON = POSITIVE
PRIOR = PROBABILITY
POSTERIOR = PROBABILITY
SENSITIVITY = POSITIVE
CANDIDATES = whole(2)


def epsilon(prior: ArrayLike, posterior: ArrayLike) -> float | FloatArray:
    """Compute the largest ε at which a belief of at most `prior` cannot become one above `posterior`.

    Parameters
    ----------
    prior : array_like
        What the attacker may believe before the answer, ρ1, between 0 and 1.
    posterior : array_like
        What the attacker may believe after it, ρ2, above the prior and below 1.

    Returns
    -------
    float or array
        The privacy parameter ε.

    Raises
    ------
    TypeError, ValueError
        If a number is not between 0 and 1, a posterior does not exceed its prior, or the shapes do
        not broadcast.

    Notes
    -----
    Sec. 2.3, corrected: the text prints a factor λ/Δf before the logarithm, which does not belong there. Read with
    λ = Δf/ε it gives √0.8109 = 0.9005 for the example below, and at that ε the posterior can reach 0.2147.

    ρ2(1 − ρ1) / (ρ1(1 − ρ2)) is 1 + (ρ2 − ρ1)/ρ1 times 1 + (ρ2 − ρ1)/(1 − ρ2), and no digits are
    lost for close ρ1 and ρ2.

    Examples
    --------
    >>> round(epsilon(prior=0.1, posterior=0.2), 4)
    0.8109
    """
    prior, posterior = _goal(prior, posterior)
    rise = posterior - prior
    return plain(np.log1p(rise / prior) + np.log1p(rise / (1 - posterior)))


def posterior(prior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the largest posterior that a prior can become at this ε, whatever the answer and whatever is asked.

    Parameters
    ----------
    prior : array_like
        The belief before the answer, ρ1, between 0 and 1.
    epsilon : array_like
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The largest posterior. It may be so close to 1 that it is exactly 1.0.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the shapes do not broadcast.

    Notes
    -----
    Evfimievski, Gehrke and Srikant (2003) with γ = e^ε. Two candidates and an answer beyond both of theirs reach it.

    Examples
    --------
    >>> round(posterior(prior=1 / 74, epsilon=2.904), 3)
    0.2
    """
    prior, epsilon = check(prior=(prior, PRIOR), epsilon=(epsilon, EPSILON))
    return plain(expit(logit(prior) + epsilon))


def prior(posterior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the largest prior that this ε keeps from becoming more than `posterior`.

    Parameters
    ----------
    posterior : array_like
        The tolerated belief after the answer, ρ2, between 0 and 1.
    epsilon : array_like
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The largest prior.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the shapes do not broadcast.

    Notes
    -----
    The main formula of Sec. 2.3, corrected as in `epsilon`, solved for ρ1.

    Examples
    --------
    >>> round(prior(posterior=0.5, epsilon=1), 4)
    0.2689
    """
    posterior, epsilon = check(posterior=(posterior, POSTERIOR), epsilon=(epsilon, EPSILON))
    return plain(expit(logit(posterior) - epsilon))


def downward(prior: ArrayLike, epsilon: ArrayLike) -> float | FloatArray:
    """Compute the smallest posterior that a prior can become at this ε: what an attacker can rule out.

    Parameters
    ----------
    prior : array_like
        The belief before the answer, between 0 and 1.
    epsilon : array_like
        The privacy parameter ε > 0.

    Returns
    -------
    float or array
        The smallest posterior.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, or the shapes do not broadcast.

    Notes
    -----
    The downward half of the theorem of Evfimievski, Gehrke and Srikant (2003), which the text leaves out: to fall from
    ρ2 to ρ1 takes the same ε as to rise from ρ1 to ρ2.

    Examples
    --------
    >>> round(downward(prior=0.2, epsilon=0.8109302162163288), 4)
    0.1
    """
    prior, epsilon = check(prior=(prior, PRIOR), epsilon=(epsilon, EPSILON))
    return plain(expit(logit(prior) - epsilon))


def scale(prior: ArrayLike, posterior: ArrayLike, sensitivity: ArrayLike) -> float | FloatArray:
    """Compute the scale of the Laplace noise that keeps a belief of at most `prior` from exceeding `posterior`.

    The scale rises with the prior and falls with the posterior: a larger posterior is a weaker
    demand.

    Parameters
    ----------
    prior : array_like
        What the attacker may believe before the answer, ρ1, between 0 and 1.
    posterior : array_like
        What the attacker may believe after it, ρ2, above the prior and below 1.
    sensitivity : array_like
        How much one record changes the answer when another value replaces its own, Δf > 0.

    Returns
    -------
    float or array
        The scale, Δf/ε, in the unit of the sensitivity.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, a posterior does not exceed its prior, or the shapes
        do not broadcast.

    Notes
    -----
    Sec. 2.3, λ = Δf/ε with the ε of `epsilon`. Of Figs. 3 and 4 the text says that λ rises with ρ2; it falls.

    Examples
    --------
    >>> round(scale(prior=0.1, posterior=0.2, sensitivity=73 / 48842), 6)
    0.001843
    """
    *_, sensitivity = check(
        prior=(prior, PRIOR),
        posterior=(posterior, POSTERIOR),
        sensitivity=(sensitivity, SENSITIVITY),
    )
    return plain(sensitivity / epsilon(prior, posterior))


def identifiability(candidates: ArrayLike, posterior: ArrayLike) -> float | FloatArray:
    """Compute the largest ε at which none of m equally likely candidates is believed with more than `posterior`.

    Parameters
    ----------
    candidates : array_like
        How many candidates there are, m, a whole number from 2 up.
    posterior : array_like
        What the attacker may believe of any of them after the answer, above 1/m and below 1.

    Returns
    -------
    float or array
        The privacy parameter ε, ln[(m − 1)ρ / (1 − ρ)].

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain, a posterior does not exceed 1/m, or the shapes do
        not broadcast.

    Notes
    -----
    The special case ρ1 = 1/m of `epsilon`: the ρ-differential identifiability of Lee and Clifton (2012), Theorem 1.
    Sec. 2.3 prints it as ln((m − 1)/ρ − 1), which falls with ρ and is not 0 at ρ = 1/m. A misplaced fraction bar
    explains that: ln((m − 1)/(1/ρ − 1)) is right.

    Examples
    --------
    >>> round(identifiability(candidates=73, posterior=0.2), 4)
    2.8904
    """
    candidates, posterior = check(
        candidates=(candidates, CANDIDATES), posterior=(posterior, POSTERIOR)
    )
    return epsilon(1 / candidates, posterior)


def _goal(prior: ArrayLike, posterior: ArrayLike) -> list[FloatArray]:
    """Check a prior and a posterior that shall bound what it becomes."""
    prior, posterior = check(prior=(prior, PRIOR), posterior=(posterior, POSTERIOR))
    unreachable = posterior <= prior
    if unreachable.any():
        first = [
            float(np.broadcast_to(belief, unreachable.shape)[unreachable][0])
            for belief in (prior, posterior)
        ]
        raise DomainError(
            "posterior",
            f"posterior must be above the prior, {first[0]:.12g}; got {first[1]:.12g}. "
            "Even an answer that is nothing but noise leaves the belief at the prior, so no noise can promise less",
        )
    return [prior, posterior]
