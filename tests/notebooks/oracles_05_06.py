"""The oracles of notebooks 05 and 06, by the beginnings of the prompts."""

import math

import numpy as np

from oracles import (
    chance,
    epsilon_of_bound,
    epsilon_of_risk,
    laplace_posterior,
    moved,
    odds,
    one_less,
    others,
    promised,
    risk,
)

_DAYS = [1, 2, 3, 10]  # of absence: Chris, Kelly, Pat and Terry
_MEANS = others(_DAYS, np.mean)
_MOVES = one_less(_DAYS, np.mean)  # the text's Δf
_MEDIANS, _MEDIAN_MOVES = others(_DAYS, np.median), one_less(_DAYS, np.median)
_YEARS = [1, 2, 3, 4]
_HALF = math.log(2)  # scales within which half of all Laplace noise lies
_VILLAGE, _ILL = 100, 0.1  # people, and the ε of their count


def posterior(answer, epsilon, prior=1.0):
    return laplace_posterior(
        _MEANS, answer, _MOVES / epsilon, np.asarray(prior)
    )


def with_terry(answer, epsilon):
    """Return what somebody believes who takes Terry to be absent as often as all others."""
    return posterior(answer, epsilon, [1, 1, 1, 3])


def guessed(epsilon):
    """Return how often the best guess is right on average, from a grid of answers."""
    answers = np.linspace(-60, 70, 1_300_001)
    densities = np.exp(
        -np.abs(np.subtract.outer(_MEANS, answers)) * epsilon / _MOVES
    )
    densities *= epsilon / (2 * _MOVES)
    return np.trapezoid(densities.max(axis=0), answers) / len(_MEANS)


def bound(epsilon):
    return 1 / (1 + 3 * math.exp(-epsilon * np.ptp(_MEANS) / _MOVES))


def five(limit):
    """Return for five pupils, with Robin: ε by the bound and exactly, the bound's scale, Δf/Δv."""
    days = [*_DAYS, 5]
    means, moves = others(days, np.mean), one_less(days, np.mean)
    by_bound = epsilon_of_bound(limit, means, moves)
    return (
        by_bound,
        epsilon_of_risk(limit, means, moves),
        moves / by_bound,
        moves / np.ptp(means),
    )


def attacked(answer, epsilon, prior=1.0):
    """Return what the attacker of 06 believes of 1, 2, 3, 5 and 10, who knows 1, 2 and 3."""
    universe = np.array([1, 2, 3, 5, 10])
    means = (6 + universe) / 4
    return laplace_posterior(
        means, answer, (universe.max() - universe.min()) / 4 / epsilon, prior
    )


def right_in_village(count):
    """Return how often one who sees the noisy count is right, where all are ill or nobody is."""
    return 1 - math.exp(-_ILL * count / 2) / 2


def by_root(prior, posterior):
    """Return a promise, its ε, and what the prior becomes with the root of that ε."""
    epsilon = promised(prior, posterior)
    return epsilon, prior, posterior, moved(prior, math.sqrt(epsilon))


ORACLES = {
    "The median of 10, 25, 25, 25 and 60": lambda *_: [np.median([25, 25, 60, 60])],
    # 05
    "Each answer has ε = 0.5": lambda epsilon, many: [epsilon * many, epsilon / many],
    "Two ε stand under the explorer": lambda: [
        epsilon_of_bound(1 / 3, others(_YEARS, np.mean), one_less(_YEARS, np.mean)),
        epsilon_of_risk(1 / 3, others(_YEARS, np.mean), one_less(_YEARS, np.mean)),
    ],
    "Take the largest ε that keeps the risk": lambda one, of: [
        _HALF * _MOVES / epsilon_of_risk(one / of, _MEANS, _MOVES),
        _MOVES / epsilon_of_risk(one / of, _MEANS, _MOVES), _HALF * _MOVES / 2,
    ],
    "The same noise (Δf = 17/6, ε = 2)": lambda top, under, epsilon, one, other, alone: [
        ((one + other) / 2 - alone) * epsilon / (top / under), (one + other) / 2 - alone,
        top / under,
    ],
    "A query has Δf = 2 and Δv = 3": lambda moves, spread, epsilon: [
        math.exp(spread * epsilon / moves), math.exp(epsilon), math.exp(moves * epsilon / spread),
        spread * epsilon / moves,
    ],
    "Take the exact ε for the risk 1/3": lambda one, of: [
        _MOVES / epsilon_of_risk(one / of, _MEANS, _MOVES)
        / (_MEDIAN_MOVES / epsilon_of_risk(one / of, _MEDIANS, _MEDIAN_MOVES)),
        epsilon_of_risk(one / of, _MEDIANS, _MEDIAN_MOVES)
        / epsilon_of_risk(one / of, _MEANS, _MOVES),
        _MEDIAN_MOVES / _MOVES,
    ],
    "With this prior, ε = 2": lambda epsilon, answer: [
        with_terry(answer, epsilon)[3], posterior(answer, epsilon)[3], 3 / 6,
    ],
    "Now it is Chris who is missing": lambda answer, epsilon: [
        with_terry(answer, epsilon)[3], posterior(answer, epsilon)[3], 3 / 6,
    ],
    "Robin joins with 5 absence days": lambda days, one, of: [
        five(one / of)[0], epsilon_of_bound(one / of, _MEANS, _MOVES), five(one / of)[1],
        five(one / of)[3] * math.log(5 * odds(one / of)), five(one / of)[2],
        _MOVES / epsilon_of_bound(one / of, _MEANS, _MOVES),
    ],
    "Someone asks for a risk of at most 20%": lambda limit: [4],
    "The risk is about the worst answer": lambda epsilon: [
        guessed(epsilon), risk(_MEANS, epsilon, _MOVES), bound(epsilon), 1 / 4,
    ],
    "A colleague computes Δf as the text does": lambda moved, one, two, three: [
        3 * (moved + (one + two) / 2) - one - two, 3 * moved, 3,
    ],
    # 06
    "Either all 100 people of a village": lambda people, epsilon: [
        right_in_village(people), 1 / 2, moved(1 / 2, epsilon), 50,
    ],
    "Write the largest ε at which": lambda: [74, 5, promised(1 / 74, 1 / 5)],
    "ε = 2, and the noisy answer is 5.401": lambda epsilon, answer: [4, 10],
    "Find a promise that takes an ε": lambda low, high: [math.e],
    "The text says: at a fixed ρ2": lambda: [
        1 / promised(1 / 74, 0.2), 1 / promised(0.1, 0.2), 1 / promised(1 / 74, 0.5),
    ],
    "Somebody chooses ε = √L": lambda: [
        0.81, 0.9, *(number for both in ((0.1, 0.2), (1 / 74, 0.2)) for number in by_root(*both)),
    ],
    "In the village of 100 people": lambda people, epsilon, answer: [
        math.exp(people * epsilon), math.exp(epsilon), people * math.exp(epsilon), people * epsilon,
    ],
    "ε = ln 2. Somebody believes": lambda factor, one, of: [
        chance(odds(one / of) * factor), one / of * factor, chance(odds(one / of) / factor),
        one / of,
    ],
    "Somebody believes a statement at 1 in 1,000": lambda one, before, other, after: [
        promised(one / before, other / after), math.log((other / after) / (one / before)),
        math.sqrt(promised(one / before, other / after)), before - 1, after - 1,
    ],
    "Two promises for the same mean": lambda a, of_a, b, of_b, c, of_c, d, of_d: [
        promised(a / of_a, b / of_b), promised(c / of_c, d / of_d),
    ],
    "Another formula: ε = ln(ρ2/ρ1)": lambda before, after, _same: [
        moved(before, math.log(after / before)), after,
    ],
    "In the attack, 10 is three times": lambda value, epsilon, answer, _same: [
        attacked(answer, epsilon, np.array([1, 1, 1, 1, 3]))[4], attacked(answer, epsilon)[4],
        3 / 7, moved(3 / 7, epsilon),
    ],
    "A mechanism always says “a”": lambda one, of: [
        0, chance(odds(one / of) / 2), chance(odds(one / of) * 2),
    ],
    "A mechanism publishes your record": lambda share, epsilon, delta, belief: [
        1, belief, belief + delta, share,
    ],
    "The promise from 20% to 25% fixes ε": lambda before, after, _same: [
        moved(before, 4 * promised(before, after)), after,
        moved(before, 2 * promised(before, after)), 4 * promised(before, after),
        math.exp(promised(before, after)),
    ],
    "The sum of the votes gets Laplace noise": lambda scale, epsilon, one, other: [
        math.exp((one + other) / scale), math.exp(epsilon), one + other,
    ],
}  # fmt: skip
