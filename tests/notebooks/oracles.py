"""What the oracles of all notebooks compute with: Laplace noise, odds and sums of losses.

An oracle takes the numbers of a prompt as they stand there, and returns those
that follow from them in another way than the notebook's: the answer first
where that is a number, then all others that a reader is told. Here is nothing
of dpwidgets.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

_GRID = 2**20


def reach(confidence, epsilon):
    """Return how far Laplace noise of a count reaches with this probability."""
    return -math.log(1 - confidence) / epsilon


def epsilon_for(width, confidence, count):
    return -math.log(1 - confidence) / (width * count)


def odds(chance):
    return chance / (1 - chance)


def chance(odds):
    return odds / (1 + odds)


def moved(belief, epsilon):
    """Return what a belief becomes if its odds grow by e^ε."""
    return chance(odds(belief) * math.exp(epsilon))


def promised(prior, posterior):
    """Return the ε with which a prior can just become a posterior."""
    return math.log(odds(posterior) / odds(prior))


def laplace_losses(parts):
    """Return losses and how probable each is, for releases of Laplace noise.

    Of each part are given its ε and how many there are. The law of one loss
    has two atoms, at ±ε, and between them the distribution function e^(−(ε −
    L)/2)/2.
    """
    worst = sum(epsilon * many for epsilon, many in parts)
    step = 2.1 * worst / _GRID
    places = step * (np.arange(_GRID) - _GRID // 2)
    spectrum = np.ones(_GRID // 2 + 1, dtype=complex)
    for epsilon, many in parts:
        edges = np.append(places - step / 2, places[-1] + step / 2)
        below = np.where(
            edges < -epsilon, 0, np.exp(np.minimum(edges - epsilon, 0) / 2) / 2
        )
        below = np.where(edges >= epsilon, 1, below)
        spectrum *= np.fft.rfft(np.fft.ifftshift(np.diff(below))) ** many
    return places, np.maximum(np.fft.fftshift(np.fft.irfft(spectrum)), 0)


def laplace_delta(parts, epsilon):
    losses, masses = laplace_losses(parts)
    over = losses > epsilon
    return masses[over] @ -np.expm1(epsilon - losses[over])


def laplace_total(parts, delta):
    """Return the ε of all these releases together at this δ."""
    losses, masses = laplace_losses(parts)

    def excess(epsilon):
        over = losses > epsilon
        return masses[over] @ -np.expm1(epsilon - losses[over]) - delta

    return brentq(excess, 0, losses[-1], xtol=1e-9)


def laplace_each(total, many, delta):
    """Return the ε of each of so many releases that have this ε together."""
    return brentq(
        lambda one: laplace_total([(one, many)], delta) - total,
        total / many,
        total,
    )


def laplace_success(parts, values):
    """Return how often one of so many equally likely values is guessed at most.

    Whoever is right in a share s says each other value in (1 − s)/(m − 1) of
    its cases; where it is true the best test says it no more often than s.
    """
    losses, masses = laplace_losses(parts)
    alarms = np.cumsum((masses * np.exp(-losses))[::-1])
    found = np.cumsum(masses[::-1])

    def excess(share):
        return np.interp((1 - share) / (values - 1), alarms, found) - share

    return brentq(excess, 1 / values, 1)


def gaussian_success(mu, values):
    """Return the same for Gaussian noise."""

    def excess(share):
        wrong = (1 - share) / (values - 1)
        return norm.cdf(norm.ppf(wrong) + mu) - share

    return brentq(excess, 1 / values, 1 - 1e-12)


def gaussian_delta(mu, epsilon):
    return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(
        -mu / 2 - epsilon / mu
    )


def gaussian_epsilon(mu, delta):
    return brentq(lambda epsilon: gaussian_delta(mu, epsilon) - delta, 0, 200)


def laplace_posterior(values, answer, scale, prior=1.0):
    """Return how probable each true value is after a noisy answer."""
    weights = prior * np.exp(
        -np.abs(answer - np.asarray(values, dtype=float)) / scale
    )
    return weights / weights.sum()


def others(values, query):
    """Return what a query answers in each possible world, which lacks one of the values."""
    return np.array(
        [query(np.delete(values, place)) for place in range(len(values))]
    )


def one_less(values, query):
    """Return how far the answer of a world moves at most when one more value is missing."""
    worlds = [np.delete(values, place) for place in range(len(values))]
    return max(
        np.abs(others(world, query) - query(world)).max() for world in worlds
    )


def risk(answers, epsilon, sensitivity):
    """Return how sure the best guess becomes at the worst answer, which is that of one world."""
    apart = np.abs(np.subtract.outer(answers, answers))
    return (1 / np.exp(-epsilon * apart / sensitivity).sum(axis=1)).max()


def epsilon_of_risk(limit, answers, sensitivity):
    return brentq(
        lambda epsilon: risk(answers, epsilon, sensitivity) - limit, 1e-9, 100
    )


def epsilon_of_bound(limit, answers, sensitivity):
    """Return where the text's bound 1/(1 + (n − 1)e^(−εΔv/Δf)) is this limit."""
    return (
        sensitivity
        / np.ptp(answers)
        * math.log((len(answers) - 1) * odds(limit))
    )
