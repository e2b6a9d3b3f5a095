"""ε from the breach of privacy that is tolerated (Ouyang et al. 2018).

Somebody believes something about you, with a probability: the prior. After a noisy answer the belief is another: the
posterior. The text tolerates a prior of at most ρ1 becoming a posterior of at most ρ2, and turns the two into ε. One
identity holds the three numbers together, best said in odds, p/(1 − p)::

    odds(posterior) = e^ε · odds(prior)

It is the theorem of Evfimievski, Gehrke and Srikant (2003). Let no answer be more than e^ε times as probable in one
possible world as in another. Whatever Q claims about you, an answer multiplies the odds of Q by the average
probability of the answer where Q holds, over the average where it does not. The one average is at most e^ε times the
other. So no answer multiplies the odds by more than e^ε, nor by less than e^(−ε): ε bounds both ways. The
attacker's priors need not be equal for this.

The text is a machine translation, and some of its formulas do not follow from one another. Corrected here:

- The main formula, printed as ε = (λ/Δf) · ln[ρ2(1 − ρ1) / (ρ1(1 − ρ2))]. The logarithm bounds Δf/λ, which is ε
  itself: the factor in front does not belong there. With λ = Δf/ε the printed equation asks for ε² = ln[…], hence for
  an ε that is too large wherever the logarithm is below 1.
- The bound before it, γ ≤ e^(ε·Δf/λ). The densities of Laplace noise of scale λ differ by a factor of e^(Δf/λ) = e^ε.
- The special case of m values, equally likely: see `identifiability`.
- Theorem 1, printed without ρ1, ρ2 and its condition. It needs γ < ρ2(1 − ρ1) / (ρ1(1 − ρ2)) for a posterior below ρ2;
  with "≤" for both the posterior may reach ρ2.

ε, prior and posterior may be arrays that broadcast; a float comes back when every argument is a scalar. The relative
error is at most 1e-13 for ε from 1e-8 to 50 and probabilities from 1e-200 up to 1 − 1e-16.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpwidgets.calculators.candidates import Candidates, Query, ask, unknown
from dpwidgets.calculators.domain import (
    POSITIVE,
    PROBABILITY,
    REAL,
    Domain,
    DomainError,
    FloatArray,
    check,
    plain,
    whole,
)
from dpwidgets.calculators.meaning import Meaning
from dpwidgets.calculators.noise import Laplace
from dpwidgets.notation import percent, show

EPSILON = POSITIVE
PRIOR = PROBABILITY
POSTERIOR = PROBABILITY
SENSITIVITY = POSITIVE
ANSWER = REAL
KNOWN = Domain("a list of finite numbers")
UNIVERSE = Domain("a list of at least two finite numbers")
CANDIDATES = whole(2)
N = whole(1)
RUNS = whole(1, 1_000_000_000)


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
        If a number is not between 0 and 1, a posterior does not exceed its prior, or the shapes do not broadcast.

    Notes
    -----
    Sec. 2.3, corrected: the text prints a factor λ/Δf before the logarithm, which does not belong there. Read with
    λ = Δf/ε it gives √0.8109 = 0.9005 for the example below, and at that ε the posterior can reach 0.2147.

    ρ2(1 − ρ1) / (ρ1(1 − ρ2)) is 1 + (ρ2 − ρ1)/ρ1 times 1 + (ρ2 − ρ1)/(1 − ρ2), and no digits are lost for close ρ1
    and ρ2.

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

    The scale rises with the prior and falls with the posterior: a larger posterior is a weaker demand.

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
        If an argument lies outside its domain, a posterior does not exceed its prior, or the shapes do not broadcast.

    Notes
    -----
    Sec. 2.3, λ = Δf/ε with the ε of `epsilon`. Of Figs. 3 and 4 the text says that λ rises with ρ2; it falls.

    Examples
    --------
    >>> round(scale(prior=0.1, posterior=0.2, sensitivity=73 / 48842), 6)
    0.001843
    """
    *_, sensitivity = check(
        prior=(prior, PRIOR), posterior=(posterior, POSTERIOR), sensitivity=(sensitivity, SENSITIVITY)
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
        If an argument lies outside its domain, a posterior does not exceed 1/m, or the shapes do not broadcast.

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
    candidates, posterior = check(candidates=(candidates, CANDIDATES), posterior=(posterior, POSTERIOR))
    return epsilon(1 / candidates, posterior)


class Attack(Candidates):
    """An attacker who knows all records but one, and every value that this one may have.

    Each value of the universe is a candidate for the missing record, and all are equally likely. It makes a possible
    database with an answer of its own. The noisy answer then tells the candidates apart as well as it can.

    Parameters
    ----------
    known : array_like of shape (k,)
        The records that the attacker knows, finite numbers. They may repeat, and there may be none.
    universe : array_like of shape (m,)
        The values that the missing record may have: at least two finite numbers, each of them once.
    query : {"mean", "median", "sum", "count", "min", "max", "variance"} or callable
        What is asked about all k + 1 records. "count" is how many values are not zero; "variance" is that of a
        population, divided by the number of records. A callable gets the records in ascending order, as an array, and
        returns a number. Every query is asked once for each candidate.

    Attributes
    ----------
    known : array of shape (k,)
        The known records.
    universe : array of shape (m,)
        The candidates.
    query : str or callable
        The query.
    answers : array of shape (m,)
        The answer if the missing record has each of these values, in the order of the universe.
    sensitivity : float
        Δf, the distance between the largest and the smallest of these answers. For mean and sum it is the same
        whatever is known; otherwise it fits this attacker's knowledge alone.
    spread : float
        The same, as `Worlds` has both.

    Raises
    ------
    TypeError
        If a value, or what the query returns, is not a real number.
    ValueError
        If `known` or `universe` is no list of finite numbers, the universe has fewer than two values or one of them
        twice, the query is unknown or returns no finite number, or all candidates give the same answer.

    Notes
    -----
    Secs. 2.2 and 2.3. The example has ε = 5 and λ = 1.1258 for Δf = 9/4, which cannot both be: ε = 2 and λ = 1.125, as
    in its source (Lee and Clifton 2012, Sec. 3.5), or ε = 5 and λ = 0.45. R is 5.401 here and 5.041 there, which
    changes nothing: beyond all answers the posterior no longer depends on the answer.

    Examples
    --------
    >>> attack = Attack(known=[1, 2, 3], universe=[1, 2, 3, 5, 10])
    >>> attack.answers, attack.sensitivity
    (array([1.75, 2.  , 2.25, 2.75, 4.  ]), 2.25)
    >>> attack.posterior(answer=5.041, epsilon=2).round(3)
    array([0.073, 0.092, 0.114, 0.178, 0.542])
    >>> round(attack.risk(epsilon=2), 3), round(posterior(prior=1 / 5, epsilon=2), 3)
    (0.542, 0.649)
    """

    _argument = "universe"
    _records = "known and universe"
    _must = "must hold values that differ"
    _secret = "which value the missing record has"

    def __init__(self, known: ArrayLike, universe: ArrayLike, query: str | Query = "mean") -> None:
        known = _list("known", known, KNOWN, at_least=0)
        universe = _list("universe", universe, UNIVERSE, at_least=2)
        distinct, times = np.unique(universe, return_counts=True)
        if distinct.size < universe.size:
            twice = distinct[times > 1][0]
            raise DomainError("universe", f"universe must hold each value once; got {twice:.12g} more than once")
        self.known, self.universe, self.query = known, universe, query
        ordered = np.sort(known)
        databases = (np.insert(ordered, np.searchsorted(ordered, value), value) for value in universe)
        with np.errstate(over="ignore", invalid="ignore"):  # the base class reports an overflow
            if callable(query):
                answers = np.array([ask(query, records) for records in databases])
            elif query in tuple(_QUERIES):
                answers = np.array([_QUERIES[query](records) for records in databases], dtype=float)
            else:
                raise unknown(query, _QUERIES)
            sensitivity = float(np.ptp(answers))
        super().__init__(answers, sensitivity, np.abs(np.append(known, universe)).max())


def _list(argument: str, values: ArrayLike, domain: Domain, at_least: int) -> FloatArray:
    values = domain.check(argument, values)
    if values.ndim != 1 or values.size < at_least:
        raise DomainError(argument, f"{argument} must be {domain.allowed}; got an array of shape {values.shape}")
    return values


_QUERIES = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "count": np.count_nonzero,
    "min": np.min,
    "max": np.max,
    "variance": np.var,
}


@dataclass(frozen=True, eq=False)
class NoiseRatio:
    """The noise of many answers to a mean, as a share of the range of the values. `noise_ratio` makes one.

    Attributes
    ----------
    epsilon : float
        The privacy parameter ε.
    n : int
        The number of records that the mean is taken of.
    values : array of shape (runs,)
        The drawn noise ratios.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=2, n=1000, runs=5, rng=np.random.default_rng(1))
    >>> drawn.scale, drawn.values.shape
    (0.0005, (5,))
    """

    epsilon: float
    n: int
    values: FloatArray

    @property
    def scale(self) -> float:
        """The scale s = 1/(nε) of the Laplace law that the ratios follow."""
        return 1 / (self.n * self.epsilon)

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """The exact quartiles of that law: −s·ln 2, 0 and s·ln 2."""
        upper = self.scale * math.log(2)
        return -upper, 0.0, upper

    @property
    def fences(self) -> tuple[float, float]:
        """Tukey's fences, one and a half times the box's length beyond it: ±4s·ln 2. One draw in 16 lies outside."""
        return 4 * self.quartiles[0], 4 * self.quartiles[2]


def noise_ratio(epsilon: float, n: int, runs: int, rng: np.random.Generator) -> NoiseRatio:
    """Draw the noise ratio of a mean: the noisy answer less the true one, over the range of the values.

    The sensitivity of the mean is that range over n. So the range cancels, and the law is the same for every attribute.

    Parameters
    ----------
    epsilon : float
        The privacy parameter ε > 0.
    n : int
        The number of records, at least 1.
    runs : int
        How many answers to draw, from 1 to 1,000,000,000.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    NoiseRatio
        The draws, and the exact quartiles of their law.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Sec. 3, corrected. The text prints NR = range(R)/(Umax − Umin), which is one number for all answers together and has
    no quartiles. Lee and Clifton (2012) have (R − f(D))/(Umax − Umin), with its sign.

    Examples
    --------
    >>> drawn = noise_ratio(epsilon=1, n=48842, runs=1000, rng=np.random.default_rng(1))
    >>> [f"{quartile:.2e}" for quartile in drawn.quartiles]
    ['-1.42e-05', '0.00e+00', '1.42e-05']
    """
    epsilon, n = EPSILON.check_one("epsilon", epsilon), int(N.check_one("n", n))
    values = Laplace(1 / (n * epsilon)).sample(rng, int(RUNS.check_one("runs", runs)))
    return NoiseRatio(epsilon, n, values)


def _goal(prior: ArrayLike, posterior: ArrayLike) -> list[FloatArray]:
    """Check a prior and a posterior that shall bound what it becomes."""
    prior, posterior = check(prior=(prior, PRIOR), posterior=(posterior, POSTERIOR))
    unreachable = posterior <= prior
    if unreachable.any():
        first = [float(np.broadcast_to(belief, unreachable.shape)[unreachable][0]) for belief in (prior, posterior)]
        raise DomainError(
            "posterior",
            f"posterior must be above the prior, {first[0]:.12g}; got {first[1]:.12g}. "
            "Even an answer that is nothing but noise leaves the belief at the prior, so no noise can promise less",
        )
    return [prior, posterior]


def meanings(prior: float = 0.1, candidates: int = 5) -> tuple[Meaning, ...]:
    """Say what ε means in this text: what anybody may believe of you after an answer.

    Parameters
    ----------
    prior : float
        The belief before the answer, between 0 and 1. By default that of the text's example.
    candidates : int
        How many values the missing record may have, from 2 up. By default as many as in the text's example.

    Returns
    -------
    tuple of Meaning
        The largest and the smallest posterior, and the largest of one among several equally likely candidates.

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
    prior, candidates = PRIOR.check_one("prior", prior), CANDIDATES.check_one("candidates", candidates)
    shared = {"text": "breach", "unit": "probability", "shown": percent}
    return (
        Meaning(
            name="Largest posterior",
            equation="Sec. 2.3, corrected",
            says=f"At ε = {{epsilon}}, no answer lifts a belief of {percent(prior)} about you above {{value}}.",
            computes=lambda one: posterior(prior, one),
            solves=lambda reached: epsilon(prior, reached),
            domain=Domain(f"a number above the prior, {prior:.12g}, and below 1", low=prior, high=1.0),
            **shared,
        ),
        Meaning(
            name="Smallest posterior",
            equation="Evfimievski, Gehrke and Srikant (2003), downward",
            says=f"At ε = {{epsilon}}, no answer lowers a belief of {percent(prior)} about you below {{value}}.",
            computes=lambda one: downward(prior, one),
            solves=lambda reached: epsilon(reached, prior),
            domain=Domain(f"a number above 0 and below the prior, {prior:.12g}", low=0.0, high=prior),
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
                f"a number above 1/{candidates:.12g}, a blind guess, and below 1", low=1 / candidates, high=1.0
            ),
            neighbours="replace",
            knows="all records but one, and the values that this one may have",
            **shared,
        ),
    )
