"""The oracles of notebooks 00 and 02 to 04, by the beginnings of the prompts."""

import math

import numpy as np
from scipy.stats import binom

from oracles import (
    chance,
    epsilon_for,
    gaussian_delta,
    laplace_losses,
    laplace_total,
    odds,
    promised,
    reach,
)

_SECRET = 317


def share_holds(width, confidence, count, truth):
    """Return how often ĉ ± wĉ holds the true count, with noise made for another count."""
    epsilon = epsilon_for(width, confidence, count)
    low, high = truth / (1 + width), truth / (1 - width)
    return (
        1
        - math.exp(-epsilon * (truth - low)) / 2
        - math.exp(-epsilon * (high - truth)) / 2
    )


def loss_of_own(answer, counts, width=0.2, confidence=0.8):
    """Return the loss of an answer where each of two counts has made its own ε."""
    first, second = (epsilon_for(width, confidence, count) for count in counts)
    logs = [
        math.log(epsilon) - epsilon * abs(answer - count)
        for epsilon, count in zip((first, second), counts, strict=True)
    ]
    return logs[0] - logs[1]


def laplace_mean(epsilon):
    """Return the mean loss of one answer by quadrature."""
    answers = np.linspace(-60 / epsilon, 60 / epsilon, 2_000_001)
    density = epsilon / 2 * np.exp(-epsilon * np.abs(answers - 1))
    losses = epsilon * (np.abs(answers) - np.abs(answers - 1))
    return np.trapezoid(density * losses, answers)


def share_between(epsilon, many, low, high):
    losses, masses = laplace_losses([(epsilon, many)])
    return masses[(losses >= low) & (losses <= high)].sum()


def law(n, p):
    """Return how probable each count is, as the analyst sees it."""
    return binom.pmf(np.arange(n + 1), n, p)


def posteriors(prior, epsilon, answers):
    """Return the posterior of each count after each answer, a row for each answer."""
    apart = np.abs(np.subtract.outer(answers, np.arange(len(prior))))
    weights = prior * np.exp(
        -epsilon * (apart - apart.min(axis=1, keepdims=True))
    )
    return weights / weights.sum(axis=1, keepdims=True)


def mean_after(answer, n, p, epsilon):
    return (
        posteriors(law(n, p), epsilon, np.array([answer]))[0]
        * np.arange(n + 1)
    ).sum()


def mean_error(n, p, epsilon, true_p=None, median=False):
    """Return how far the posterior's mean or median is off on average, from a grid of answers."""
    truth, counts = law(n, p if true_p is None else true_p), np.arange(n + 1)
    likely = np.flatnonzero(truth > 1e-9)
    step = (0.002 if n <= 100 else 0.02) / epsilon
    answers = np.arange(
        likely[0] - 20 / epsilon, likely[-1] + 20 / epsilon, step
    )
    after = posteriors(law(n, p), epsilon, answers)
    if median:
        guess = np.argmax(after.cumsum(axis=1) >= 0.5, axis=1)
    else:
        guess = after @ counts
    error = 0.0
    for count in likely:
        density = epsilon / 2 * np.exp(-epsilon * np.abs(answers - count))
        error += (
            truth[count]
            * (density * np.abs(guess - count)).sum()
            / density.sum()
        )
    return error


def rounded_error(epsilon):
    """Return the mean error of a rounded answer: a sum over how far it is off."""
    off = np.arange(1, 4000)
    return (
        np.exp(-epsilon * (off - 0.5)) - np.exp(-epsilon * (off + 0.5))
    ) @ off


ORACLES = {
    # 00
    "95% of the noisy counts lie in an interval": lambda *shares: [0.2 / 2],
    "Find an ε at which the interval is at most ±10": lambda people, before, after: [
        reach(0.95, people), promised(before, after),
    ],
    # 02
    "Solve eq. (9) for ε": lambda width, p, count: [epsilon_for(width, p, count)],
    "The noise was meant for ±20% of 100": lambda width, count, p, truth, same: [
        share_holds(width, p, count, truth), reach(p, epsilon_for(width, p, count)),
    ],
    "Write the interval to report": lambda: [0.2, 0.95, reach(0.95, 0.2)],
    "Two neighbours use eq. (10)": lambda one, other: [
        loss_of_own(one, (one, other)), loss_of_own(10_000, (one, other)), 10_000,
        epsilon_for(0.2, 0.8, one),
    ],
    "For ±20% with 80%, you guess": lambda width, p, guess, truth: [
        epsilon_for(width, p, guess) / epsilon_for(width, p, truth), guess / truth,
        epsilon_for(width, p, guess), epsilon_for(width, p, truth),
    ],
    "A town counts about 2,000 cyclists": lambda count, days, width, p: [
        days * epsilon_for(width, p, count), epsilon_for(width, p, count),
        math.exp(days * epsilon_for(width, p, count)),
    ],
    "A hospital put its secret count": lambda epsilon, width, p: [
        -math.log(1 - p) / (width * epsilon), 1 / epsilon, _SECRET,
        epsilon_for(width, p, _SECRET),
    ],
    # 03
    "Draw the sums of 1,000 losses": lambda many: [
        share_between(0.1, int(many), -5, 15), many * laplace_mean(0.1), 5, 15,
    ],
    "Drawn with Ada, this mechanism's loss": lambda *same: [math.log(1 / 0.5), 2 * math.log(2)],
    "Gaussian noise of standard deviation 2": lambda sd, limit, _share, epsilon: [
        _tail := _gaussian_tail(1 / sd, limit), gaussian_delta(1 / sd, epsilon),
        gaussian_delta(1 / sd, epsilon) / _tail,
    ],
    "1,000 releases with Laplace noise": lambda many, epsilon, delta: [
        laplace_total([(epsilon, int(many))], delta), many * epsilon, epsilon * math.sqrt(many),
        _estimate(many, epsilon, delta), many * laplace_mean(epsilon),
    ],
    "A mechanism publishes one record of a million": lambda epsilon: [1 / 1_000_000],
    "The count is 0 without Ada and 1 with her, and noise": lambda _without, ada, coins: [
        coins / 2 + ada, coins / 2, coins, coins + ada, 2**coins,
    ],
    "What is the expected loss": lambda epsilon: [
        laplace_mean(epsilon), epsilon**2 / 2, 2 * epsilon**2, epsilon * math.tanh(epsilon / 2),
    ],
    "The town of notebook 02": lambda days, _one, _sum, delta: [
        laplace_total([(epsilon_for(0.05, 0.9, 2000), int(days))], delta),
        days * epsilon_for(0.05, 0.9, 2000), epsilon_for(0.05, 0.9, 2000),
        _estimate(days, epsilon_for(0.05, 0.9, 2000), delta),
    ],
    "Before, the adversary gave Ada": lambda one, of, epsilon, answer: [
        chance(odds(one / of) * math.exp(epsilon)), math.exp(epsilon),
        chance(odds(one / of) * math.exp(-epsilon)),
    ],
    "A mechanism is ε-private with ε = 1": lambda epsilon, alarms: [
        1 - math.exp(epsilon) * alarms, 1 - alarms, (1 - alarms) / math.exp(epsilon),
        math.exp(epsilon) * alarms,
    ],
    # 04
    "n = 100, p = 0.3, ε = 0.1, and the answer is 40": lambda n, p, epsilon, answer: [
        n * p, np.sqrt(law(int(n), p) @ (np.arange(n + 1) - n * p) ** 2), math.sqrt(2) / epsilon,
    ],
    "Five people, p = 0.3, ε = 1": lambda p, epsilon, answer: [
        odds((_mean := mean_after(answer, 5, p, epsilon)) / 5) / odds(p), _mean / 5 / p,
        math.exp(epsilon), odds(_mean / 5), odds(p),
    ],
    "n = 50, p = 0.1, ε = 2": lambda n, p, epsilon, answer: [
        mean_after(answer, int(n), p, epsilon), n * p * math.exp(epsilon),
        odds(p) * math.exp(epsilon), chance(odds(p) * math.exp(epsilon)),
    ],
    "The same question is answered 10 times": lambda many, epsilon, delta: [
        laplace_total([(epsilon, int(many))], 1e-15), epsilon / many, math.exp(many * epsilon), 100,
    ],
    "n = 100 and ε = 1. You guess": lambda n, epsilon, p, true: [
        mean_error(int(n), p, epsilon, true), mean_error(int(n), p, epsilon, true, median=True),
        rounded_error(epsilon),
    ],
}  # fmt: skip


def _gaussian_tail(mu, limit):
    """Return how often the loss, a normal variable of mean μ²/2 and variance μ², is above."""
    return 0.5 * math.erfc((limit - mu**2 / 2) / mu / math.sqrt(2))


def _estimate(many, epsilon, delta):
    """Return the estimate of notebook 03 for many releases."""
    return many * epsilon**2 / 2 + epsilon * math.sqrt(
        2 * many * math.log(1 / delta)
    )
