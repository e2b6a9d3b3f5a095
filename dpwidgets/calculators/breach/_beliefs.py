"""A prior, a posterior and the ε that holds them together."""

import numpy as np

from dpwidgets.inputs.domain import (
    ALMOST_ONE,
    EPSILON,
    Domain,
    check_solved,
    must_be,
    whole,
    within,
)
from dpwidgets.inputs.door import Floats, door

PRIOR = Domain(
    "a number from 1e-300 to 1, 1 excluded",
    low=1e-300,
    high=1.0,
    includes_low=True,
)
POSTERIOR = PRIOR


@door(prior=PRIOR, posterior=POSTERIOR)
def epsilon(prior: float, posterior: float) -> Floats:
    """Compute the largest ε that keeps a belief of at most `prior` from exceeding `posterior`.

    Parameters
    ----------
    prior : array_like
        What the attacker may believe before the answer, ρ1, from 1e-300 up and
        below 1.
    posterior : array_like
        What the attacker may believe after it, ρ2, above the prior and below
        1.

    Returns
    -------
    float or array
        The privacy parameter ε.

    Raises
    ------
    TypeError, ValueError
        If a posterior does not exceed its prior or is closer to it than at ε =
        1e-8, or the shapes do not broadcast.

    Notes
    -----
    Sec. 2.3, corrected: the text prints a factor λ/Δf before the logarithm,
    which does not belong there. Read with λ = Δf/ε it gives √0.8109 = 0.9005
    for the example below, and at that ε the posterior can reach 0.2147.

    ρ2(1 − ρ1) / (ρ1(1 − ρ2)) is 1 + (ρ2 − ρ1)/ρ1 times 1 + (ρ2 − ρ1)/(1 − ρ2),
    and no digits are lost for close ρ1 and ρ2.

    Examples
    --------
    >>> round(epsilon(prior=0.1, posterior=0.2), 4)
    0.8109
    """
    _check_goal(prior, posterior)
    rise = posterior - prior
    solved = np.log1p(rise / prior) + np.log1p(rise / (1 - posterior))
    return np.clip(solved, EPSILON.low, EPSILON.high)


@door(prior=PRIOR, epsilon=EPSILON)
def posterior(prior: float, epsilon: float) -> Floats:
    """Compute the largest posterior that a prior can become at this ε, whatever the answer.

    It holds whatever is asked, and whatever is known of other records, as long
    as this one does not depend on them.

    Parameters
    ----------
    prior : array_like
        The belief before the answer, ρ1, from 1e-300 up and below 1.
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    float or array
        The largest posterior. What is closer to 1 than floats can tell is the
        largest float below 1.

    Notes
    -----
    Evfimievski, Gehrke and Srikant (2003) with γ = e^ε. Two candidates and an
    answer beyond both of theirs reach it.

    Examples
    --------
    >>> round(posterior(prior=1 / 74, epsilon=2.904), 3)
    0.2
    """
    return _raised(prior, epsilon)


@door(posterior=POSTERIOR, epsilon=EPSILON)
def prior(posterior: float, epsilon: float) -> Floats:
    """Compute the largest prior that this ε keeps from becoming more than `posterior`.

    Parameters
    ----------
    posterior : array_like
        The tolerated belief after the answer, ρ2, from 1e-300 up and below 1.
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    float or array
        The largest prior.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not broadcast; if the prior would be below 1e-300, the
        error names epsilon.

    Notes
    -----
    The main formula of Sec. 2.3, corrected as in `epsilon`, solved for ρ1.

    Examples
    --------
    >>> round(prior(posterior=0.5, epsilon=1), 4)
    0.2689
    """
    solved = _lowered(posterior, epsilon)
    return check_solved(
        "prior", solved, PRIOR, "epsilon", above="larger", below="smaller"
    )


@door(prior=PRIOR, epsilon=EPSILON)
def downward(prior: float, epsilon: float) -> Floats:
    """Compute the smallest posterior that a prior can become: what an attacker can rule out.

    Parameters
    ----------
    prior : array_like
        The belief before the answer, from 1e-300 up and below 1.
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.

    Returns
    -------
    float or array
        The smallest posterior. It is 0 where no float is as small.

    Notes
    -----
    The downward half of the theorem of Evfimievski, Gehrke and Srikant (2003),
    which the text leaves out: to fall from ρ2 to ρ1 takes the same ε as to
    rise from ρ1 to ρ2.

    Examples
    --------
    >>> round(downward(prior=0.2, epsilon=0.8109302162163288), 4)
    0.1
    """
    return _lowered(prior, epsilon)


@door(prior=PRIOR, posterior=POSTERIOR, sensitivity=within(1e-12, 1e12))
def scale(prior: float, posterior: float, sensitivity: float) -> Floats:
    """Compute the scale of the Laplace noise that keeps a promise about beliefs.

    A belief of at most `prior` never becomes one above `posterior`. The scale
    rises with the prior and falls with the posterior: a larger posterior is a
    weaker demand.

    Parameters
    ----------
    prior : array_like
        What the attacker may believe before the answer, ρ1, from 1e-300 up and
        below 1.
    posterior : array_like
        What the attacker may believe after it, ρ2, above the prior and below
        1.
    sensitivity : array_like
        How much one record changes the answer when another value replaces its
        own, Δf, from 1e-12 to 1e12.

    Returns
    -------
    float or array
        The scale, Δf/ε, in the unit of the sensitivity.

    Raises
    ------
    TypeError, ValueError
        If a posterior does not exceed its prior, or the shapes do not
        broadcast.

    Notes
    -----
    Sec. 2.3, λ = Δf/ε with the ε of `epsilon`. Of Figs. 3 and 4 the text says
    that λ rises with ρ2; it falls.

    Examples
    --------
    >>> round(scale(prior=0.1, posterior=0.2, sensitivity=73 / 48842), 6)
    0.001843
    """
    return sensitivity / epsilon(prior, posterior)


@door(candidates=whole(2, 10**12), posterior=POSTERIOR)
def identifiability(candidates: float, posterior: float) -> Floats:
    """Compute the largest ε that keeps the belief in each of m candidates within `posterior`.

    All candidates are equally likely before.

    Parameters
    ----------
    candidates : array_like
        How many candidates there are, m, a whole number from 2 to 1e12.
    posterior : array_like
        What the attacker may believe of any of them after the answer, above
        1/m and below 1.

    Returns
    -------
    float or array
        The privacy parameter ε, ln[(m − 1)ρ / (1 − ρ)].

    Raises
    ------
    TypeError, ValueError
        If a posterior does not exceed 1/m or is closer to it than at ε = 1e-8,
        or the shapes do not broadcast.

    Notes
    -----
    The special case ρ1 = 1/m of `epsilon`: the ρ-differential identifiability
    of Lee and Clifton (2012), Theorem 1. Sec. 2.3 prints it as ln((m − 1)/ρ −
    1), which falls with ρ and is not 0 at ρ = 1/m. A misplaced fraction bar
    explains that: ln((m − 1)/(1/ρ − 1)) is right.

    Examples
    --------
    >>> round(identifiability(candidates=73, posterior=0.2), 4)
    2.8904
    """
    return epsilon(1 / candidates, posterior)


def _raised(belief: Floats, epsilon: Floats) -> Floats:
    """Return the belief of e^ε times the odds, below 1."""
    raised: Floats = belief / (belief + (1 - belief) * np.exp(-epsilon))
    return np.minimum(raised, ALMOST_ONE)


def _lowered(belief: Floats, epsilon: Floats) -> Floats:
    """Return the belief of e^(−ε) times the odds; by two steps, since e^(−ε) may be no float."""
    half = np.exp(-epsilon / 2)
    lowered: Floats = belief * half / ((1 - belief) + belief * half**2) * half
    return np.minimum(lowered, belief)  # rounding may leave more


def _check_goal(before: Floats, after: Floats) -> None:
    """Refuse a posterior within which no ε of the domain keeps the prior."""
    # What `posterior` and `prior` return at the smallest ε is within reach,
    # even where rounding leaves no distance.
    unreachable = after < _raised(before, EPSILON.low) * (1 - 4e-15)
    if unreachable.any():
        beliefs, promises = np.broadcast_arrays(before, after)
        belief = float(beliefs[unreachable][0])
        promised = float(promises[unreachable][0])
        got = f"got {promised!r}. Close above it, ε would have to be smaller than 1e-8"
        raise must_be("posterior", f"above the prior, {belief:.12g}; {got}")
