"""Two-sided geometric noise, drawn with whole numbers alone.

Canonne, Kamath and Steinke (2020), *The discrete Gaussian for differential
privacy*, Algorithms 1 and 2. No floating-point number takes part, so the law
is exactly the one that is claimed and nothing is to be rounded.
"""

import math
import secrets
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

#: Returns a whole number from 0 to below the one that it is given, each
#: equally likely.
Below = Callable[[int], int]


def _happens(rate: Fraction, below: Below) -> bool:
    """Return true with probability exp(−rate), for a rate from 0 to 1."""
    trials = 1
    while below(rate.denominator * trials) < rate.numerator:
        trials += 1
    return trials % 2 == 1


def sample(rate: Fraction, below: Below = secrets.randbelow) -> int:
    """Draw a whole number k with a probability in proportion to exp(−rate·|k|).

    Parameters
    ----------
    rate : Fraction
        More than 0: ε over the sensitivity.
    below : callable, optional
        Where randomness comes from, for a test; else from the system.

    Examples
    --------
    >>> import random
    >>> below = random.Random(1).randrange
    >>> [sample(Fraction(1, 2), below) for _ in range(8)]
    [-2, 4, 2, 10, 1, 1, 1, 3]
    """
    while True:
        part = below(rate.denominator)
        if not _happens(Fraction(part, rate.denominator), below):
            continue
        wholes = 0
        while _happens(Fraction(1), below):
            wholes += 1
        size = (part + rate.denominator * wholes) // rate.numerator
        negative = below(2) == 1
        if size or not negative:  # else 0 would come twice as often
            return -size if negative else size


def probabilities(rate: float) -> NDArray[np.float64]:
    """Return those of all numbers from −n to n, where n is so large that no other matters."""
    far = np.abs(np.arange(-math.ceil(40 / rate), math.ceil(40 / rate) + 1))
    return np.asarray(np.tanh(rate / 2) * np.exp(-rate * far))
