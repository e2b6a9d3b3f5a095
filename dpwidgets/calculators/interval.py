"""ε from the interval in which a count is known (Naldi and D'Acquisto 2015).

A count c is released with Laplace noise of scale Δf/ε. The answer ĉ then lies
within ±wc of c with a probability p. The text asks which w and p you want, and
turns them into ε. One identity holds all four numbers together::

    ε · w · c / Δf = −ln(1 − p)

Each function below solves it for one of them. All of them take scalars or
arrays that broadcast, and give a float when every argument is a scalar. They
raise `TypeError` or `ValueError` if an argument lies outside its domain, or
the shapes do not broadcast. The relative error is at most 1e-13, but that of a
`neighbour_loss` near 0. What one function returns, the others accept: a number
outside its domain is an error instead.

The text calls its λ (our ε, for sensitivity 1) the scale of the noise. It is
the rate; the scale is 1/λ.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators.solve import completed
from dpwidgets.inputs.domain import (
    ALMOST_ONE,
    EPSILON,
    NUMBER,
    PROBABILITY,
    check_solved,
    within,
)
from dpwidgets.inputs.door import Floats, door, takes

HALF_WIDTH = within(1e-12, 1e12)
CONFIDENCE = PROBABILITY
COUNT = within(
    1e-12,
    1e12,
    why="There is no relative interval around nothing: epsilon would be infinite",
)
SENSITIVITY = HALF_WIDTH


@door(
    epsilon=EPSILON,
    half_width=HALF_WIDTH,
    count=COUNT,
    sensitivity=SENSITIVITY,
)
def confidence(
    epsilon: float, half_width: float, count: float, sensitivity: float = 1.0
) -> Floats:
    """Compute how likely the noisy answer lies within ±half_width of the count.

    Parameters
    ----------
    epsilon : array_like
        The privacy parameter ε, from 1e-8 to 1000.
    half_width : array_like
        Half the interval's width as a fraction of the count, w: 0.2 means ±20
        %. From 1e-12 to 1e12.
    count : array_like
        The true count c, from 1e-12 to 1e12.
    sensitivity : array_like
        How much one person changes the count, Δf, from 1e-12 to 1e12.

    Returns
    -------
    float or array
        The probability p. Where ε·w·c/Δf exceeds about 37 it is the largest
        float below 1: closer to 1 than floats can tell.

    Notes
    -----
    Eq. (9). Two of its lines print the interval's upper end as "w + c"; it is
    wc.

    Examples
    --------
    >>> round(confidence(epsilon=0.08, half_width=0.2, count=100), 4)
    0.7981
    """
    inside = -np.expm1(-epsilon * half_width * count / sensitivity)  # eq. (9)
    return np.minimum(inside, ALMOST_ONE)


@door(
    half_width=HALF_WIDTH,
    confidence=CONFIDENCE,
    count=COUNT,
    sensitivity=SENSITIVITY,
)
def epsilon(
    half_width: float,
    confidence: float,
    count: float,
    sensitivity: float = 1.0,
) -> Floats:
    """Compute the ε at which the noisy answer lies within ±half_width with this confidence.

    Parameters
    ----------
    half_width, sensitivity : array_like
        As in the function `confidence`.
    confidence : array_like
        The probability p that the answer lies in the interval, between 0 and
        1.
    count : array_like
        The count c, from 1e-12 to 1e12, that the interval surrounds. Take a
        public reference count: an ε computed from the secret count protects
        nobody (`neighbour_loss`).

    Returns
    -------
    float or array
        The privacy parameter ε.

    Raises
    ------
    TypeError, ValueError
        As the module says; if it would take an ε outside `EPSILON`, the error
        names half_width.

    Notes
    -----
    Eq. (10), with the minus sign that the worked example of Sec. 3 leaves out.

    Examples
    --------
    >>> round(epsilon(half_width=0.2, confidence=0.8, count=100), 4)
    0.0805
    """
    # Eq. (10).
    solved = -np.log1p(-confidence) * sensitivity / (half_width * count)
    return check_solved(
        "ε", solved, EPSILON, "half_width", above="wider", below="narrower"
    )


@door(
    epsilon=EPSILON,
    confidence=CONFIDENCE,
    count=COUNT,
    sensitivity=SENSITIVITY,
)
def half_width(
    epsilon: float, confidence: float, count: float, sensitivity: float = 1.0
) -> Floats:
    """Compute the half-width of the interval that holds the noisy answer with this confidence.

    Parameters
    ----------
    epsilon, confidence, count, sensitivity : array_like
        As in the functions `confidence` and `epsilon`.

    Returns
    -------
    float or array
        Half the interval's width as a fraction of the count, w.

    Raises
    ------
    TypeError, ValueError
        As the module says; if w would lie outside `HALF_WIDTH`, the error
        names epsilon.

    Notes
    -----
    Eq. (10) solved for w.

    Examples
    --------
    >>> round(half_width(epsilon=0.08, confidence=0.8, count=100), 4)
    0.2012
    """
    wide = -np.log1p(-confidence) * sensitivity / (epsilon * count)  # eq. (10)
    return check_solved(
        "half_width",
        wide,
        HALF_WIDTH,
        "epsilon",
        above="larger",
        below="smaller",
    )


@door(
    epsilon=EPSILON,
    half_width=HALF_WIDTH,
    confidence=CONFIDENCE,
    sensitivity=SENSITIVITY,
)
def count(
    epsilon: float,
    half_width: float,
    confidence: float,
    sensitivity: float = 1.0,
) -> Floats:
    """Compute how large a count must be for this ε to give this interval.

    Parameters
    ----------
    epsilon, half_width, confidence, sensitivity : array_like
        As in the functions `confidence` and `epsilon`.

    Returns
    -------
    float or array
        The count c, not rounded. Any larger count is known at least as well.

    Raises
    ------
    TypeError, ValueError
        As the module says; if c would lie outside `COUNT`, the error names
        epsilon.

    Notes
    -----
    Eq. (10) solved for c. Anyone who is told ε, w and p can compute c: an ε
    chosen from the secret count must itself stay secret.

    Examples
    --------
    >>> round(count(epsilon=0.1, half_width=0.2, confidence=0.8), 2)
    80.47
    """
    # Eq. (10).
    solved = -np.log1p(-confidence) * sensitivity / (epsilon * half_width)
    return check_solved(
        "count", solved, COUNT, "epsilon", above="larger", below="smaller"
    )


@door(half_width=HALF_WIDTH, confidence=CONFIDENCE)
def coverage(half_width: float, confidence: float) -> Floats:
    """Compute how often the interval ĉ ± w·ĉ holds the true count.

    The text's interval is ĉ ± w·c. Whoever knows p and ε knows w·c = −ln(1 −
    p)·Δf/ε too, so that is the interval to report. This function is for those
    who take w·ĉ, as the text's words do. The ε is the one that the text
    chooses for w, p and this very count; then the count drops out.

    Parameters
    ----------
    half_width, confidence : array_like
        As in `epsilon`; the probability p is that of the text's interval.

    Returns
    -------
    float or array
        The true coverage of ĉ ± w·ĉ. The interval is empty where ĉ < 0.

    Notes
    -----
    Not in the text. The interval holds c when ĉ(1 − w) < c < ĉ(1 + w). For w <
    1 that is c/(1 + w) < ĉ < c/(1 − w): noise above −wc/(1 + w) and below
    wc/(1 − w). With q = 1 − p = e^(−εwc/Δf) the two tails that are lost hold
    q^(1/(1+w))/2 and q^(1/(1−w))/2. For w ≥ 1 the right-hand condition holds
    for every ĉ > 0, and only the first tail is lost.

    Examples
    --------
    >>> round(coverage(half_width=0.5, confidence=0.99), 4)
    0.9767
    """
    log_q = np.log1p(-confidence)
    lower = np.expm1(log_q / (1 + half_width))
    # From w = 1 on there is no upper end, and its tail is empty.
    narrow = half_width < 1
    below_end = np.where(narrow, 1 - half_width, 1.0)
    upper = np.where(narrow, np.expm1(log_q / below_end), -1.0)
    return -(lower + upper) / 2


@door(answer=NUMBER, count=COUNT, half_width=HALF_WIDTH, confidence=CONFIDENCE)
def neighbour_loss(
    answer: float, count: float, half_width: float, confidence: float
) -> Floats:
    """Compute the privacy loss between the counts c and c + 1, each noised with its own ε(c).

    With one ε for both counts the loss stays within ±ε. Here the noises differ
    in scale, and the loss grows without bound: with an ε chosen from the
    secret count, no finite ε holds.

    Parameters
    ----------
    answer : array_like
        The noisy answer, a number from −1e100 to 1e100.
    count : array_like
        The smaller of the two counts, c, from 1e-12 to 1e12.
    half_width, confidence : array_like
        As in `epsilon`, which chooses ε(c) from them.

    Returns
    -------
    float or array
        ln of the answer's density under c over its density under c + 1.

    Notes
    -----
    Not in the text. At count c the noise has the rate −ln(1 − p)/(wc), by eq.
    (10). The two distances, each over its count, nearly cancel, so their
    difference is written out: it is ĉ/(c(c + 1)) below c, and its negative
    above c + 1. Where the loss is near 0, its error is at most 1e-13 of the
    parts that cancel.

    Examples
    --------
    >>> round(neighbour_loss(answer=2000, count=100, half_width=0.2, confidence=0.8), 3)
    -1.584
    """
    product = -np.log1p(-confidence) / half_width  # ε(c) is this over c
    over = np.clip(answer - count, 0, 1)
    between = count * (1 - 2 * over) - over
    above = np.where(over < 1, between, -answer)
    distances = np.where(answer < count, answer, above) / (count * (count + 1))
    return np.asarray(np.log1p(1 / count) + product * distances)


@dataclass(frozen=True)
class Precision:
    """What one ε says about one count: the answer lies within ±w of c with probability p.

    Attributes
    ----------
    epsilon, half_width, confidence, count : float
        The four numbers of eq. (9).
    sensitivity : float
        How much one person changes the count.

    Examples
    --------
    >>> found = precision(half_width=0.2, confidence=0.8, count=100)
    >>> found.low, found.high
    (80.0, 120.0)
    """

    epsilon: float
    half_width: float
    confidence: float
    count: float
    sensitivity: float = 1.0

    @property
    def scale(self) -> float:
        """The scale of the Laplace noise, Δf/ε."""
        return self.sensitivity / self.epsilon

    @property
    def low(self) -> float:
        """The interval's lower end, (1 − w)c."""
        return (1 - self.half_width) * self.count

    @property
    def high(self) -> float:
        """The interval's upper end, (1 + w)c."""
        return (1 + self.half_width) * self.count

    @property
    def drawn_from(self) -> tuple[object, ...]:
        """What draws depend on, and nothing else."""
        return self.epsilon, self.count, self.sensitivity

    def draw_truth(self, rng: np.random.Generator) -> float:
        """Return what the noise is added to: the count."""
        return self.count

    def draw(
        self, truth: float, rng: np.random.Generator, size: int
    ) -> Floats:
        """Draw so many noisy answers: an array of shape (size,)."""
        return rng.laplace(truth, self.scale, size)

    def contains(self, answers: Floats) -> NDArray[np.bool_]:
        """Tell for each answer whether it lies in the interval."""
        return np.asarray(
            np.abs(answers - self.count) <= self.half_width * self.count
        )


@takes(
    epsilon=EPSILON, half_width=HALF_WIDTH, confidence=CONFIDENCE, count=COUNT
)
@takes(sensitivity=SENSITIVITY)
def precision(
    *,
    epsilon: float | None = None,
    half_width: float | None = None,
    confidence: float | None = None,
    count: float | None = None,
    sensitivity: float = 1.0,
) -> Precision:
    """Complete the statement of eq. (7): give three of its four numbers, the fourth follows.

    Parameters
    ----------
    epsilon, half_width, confidence, count : float, optional
        Three of the four, as in the functions of the same names.
    sensitivity : float
        How much one person changes the count, Δf, from 1e-12 to 1e12.

    Returns
    -------
    Precision
        All four numbers.

    Raises
    ------
    TypeError, ValueError
        If not exactly three of the four are given, or one lies outside its
        domain.

    Examples
    --------
    >>> precision(epsilon=0.08, half_width=0.2, count=100).confidence
    0.7981034820053446
    """
    numbers = epsilon, half_width, confidence, count
    return Precision(
        **completed(_SOLVERS, numbers, sensitivity=sensitivity),
        sensitivity=sensitivity,
    )


_SOLVERS = {
    "epsilon": epsilon,
    "half_width": half_width,
    "confidence": confidence,
    "count": count,
}
