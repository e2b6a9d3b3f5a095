"""The oracles of the notebook of attacks, by the beginnings of the prompts."""

import math
from functools import cache
from itertools import product

from scipy.optimize import brentq
from scipy.stats import norm

from oracles import chance, laplace_delta


@cache
def best_guess(epsilon, many=1):
    """Return how often the likelier of two neighbours is the right one."""
    return (1 + laplace_delta([(epsilon, many)], 0)) / 2


def sums_of_each(smallest):
    """Return in how many groups a person is, of so many people or more.

    A group takes other houses, the other sex and other age groups beside the
    person's own.
    """
    others = product(range(4), range(2), range(3))
    return sum(
        math.comb(3, house) * math.comb(1, sex) * math.comb(2, age)
        for house, sex, age in others
        if (house + 1) * (sex + 1) * (age + 1) >= smallest
    )


def score_errors(epsilon, threshold, people=50, markers=200):
    """Return the false alarms and misses of the score, by the normal law."""
    deviations = [
        math.sqrt(markers * (others / 4 + 2 / epsilon**2))
        for others in (people, people - 1)
    ]
    return norm.sf(threshold / deviations[0]), norm.cdf(
        (threshold - markers / 2) / deviations[1]
    )


@cache
def scale_of_success(limit):
    """Return the least noise with which the best guess after a year is right no more often."""
    return brentq(lambda scale: best_guess(1 / scale, 12) - limit, 5, 100)


@cache
def scale_of_guess(limit):
    """Return the least noise with which a guess at yes or no is right no more often."""
    return brentq(lambda scale: best_guess(1 / scale, 12) - limit, 5, 100)


ORACLES = {
    "ε = 0.2, and the school publishes": lambda epsilon: [
        best_guess(epsilon, 12), best_guess(epsilon), chance(math.exp(12 * epsilon)),
    ],
    "Find an ε of each sum at which": lambda *_: [sums_of_each(6), sums_of_each(6) * 0.2],
    "Keep ε = 0.2 for each sum": lambda epsilon, smallest: [
        best_guess(epsilon, sums_of_each(smallest)), best_guess(epsilon, sums_of_each(6)),
        sums_of_each(smallest), sums_of_each(6), chance(math.exp(epsilon * sums_of_each(smallest))),
    ],
    "With ε = 0.05 for each count": lambda epsilon, _share: [
        1 - sum(score_errors(epsilon, 50)) / 2, best_guess(epsilon, 200),
    ],
    "Let the success after all twelve counts": lambda limit, _least: [
        118, math.log(20) * scale_of_success(limit), math.log(20) * scale_of_guess(limit),
    ],
    "Alone, the best guess at Ada": lambda _share, _step: [
        best_guess(2), best_guess(1), chance(math.e), chance(math.exp(2)),
        1 - (1 - best_guess(1)) / math.e,
    ],
}  # fmt: skip
