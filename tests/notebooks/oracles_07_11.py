"""The oracles of notebooks 07 to 11, by the beginnings of the prompts."""

import csv
import math
from functools import cache
from pathlib import Path

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

from oracles import (
    epsilon_for,
    epsilon_of_risk,
    gaussian_epsilon,
    gaussian_success,
    laplace_each,
    laplace_losses,
    laplace_success,
    laplace_total,
    moved,
    one_less,
    others,
    promised,
    reach,
)

_ONE_IN_A_MILLION = 1e-6  # the δ of both the hospital and the clinic
_INTERVAL = epsilon_for(0.05, 0.95, 400)
# Page views: the μ of a device on a day, and how far the noise of a count reaches.
OF_A_DAY = math.sqrt(2 * 0.015)
REACH_OF_VIEWS = 1.959964 * math.sqrt(10 / (2 * 0.015))
# Days of absence.
_CLASS = np.clip([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30], 0, 10)
_LEFT, _MOVES = others(_CLASS, np.mean), one_less(_CLASS, np.mean)
_PUBLISHED = (
    Path(__file__).parents[2] / "dpwidgets" / "data" / "published_epsilons.csv"
)


@cache
def budget():
    """Return the ε of each of the hospital's twelve counts."""
    return laplace_each(1, 12, _ONE_IN_A_MILLION)


def clinic(factor=1.0, years=1, error=12):
    """Return the losses of the clinic's releases with so many times their largest noise.

    A patient moves six counts of the table by 1 each, the mean of the stays by
    30 days of 9,000 patients, and the mean age by 110 years of as many.
    """
    table, stays, age = 1 / error, 30 / 9000 / 0.1, 110 / 9000 / 0.5
    many = ((table, 6 * 12 * years), (stays, 12 * years), (age, years))
    return [(epsilon / factor, count) for epsilon, count in many]


def clinic_total(factor=1.0, years=1):
    return laplace_total(clinic(factor, years), _ONE_IN_A_MILLION)


def clinic_factor_of_belief(prior, posterior):
    """Return the factor at which the loss moves a belief no further but with δ.

    The plan has a law on a coarser grid, which rounds it up by 0.2%.
    """
    limit = promised(prior, posterior)

    def excess(factor):
        losses, masses = laplace_losses(clinic(factor))
        return masses[losses > limit].sum() - _ONE_IN_A_MILLION

    return 1.002 * brentq(excess, 1, 3, xtol=1e-6)


def rho(epsilon):
    """Return the ρ of one release of Laplace noise, its expected loss."""
    return epsilon + math.exp(-epsilon) - 1


def exceeded(rho, delta):
    """Return what a loss of this ρ exceeds with a probability of δ at most."""
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def clinic_factor_with_partner(partner, before, after):
    """Return the factor of the signed plan beside a partner's ρ: by the better of two bounds.

    Either all is bounded by its ρ, or the plan by its law and the partner by
    theirs, with half of δ each.
    """
    half = _ONE_IN_A_MILLION / 2

    def excess(factor):
        plan = clinic(factor, error=20)
        together = partner + sum(many * rho(one) for one, many in plan)
        losses, masses = laplace_losses(plan)
        above = np.cumsum(masses[::-1])[::-1]
        own = losses[np.searchsorted(-above, -half)]
        apart = own + exceeded(partner, half)
        bound = min(exceeded(together, 2 * half), apart)
        return bound - promised(before, after)

    return brentq(excess, 0.9, 3, xtol=1e-6)


def epsilon_of_rho(rho, delta):
    """Return the ε of any mechanism with this ρ, by the best order α."""

    def at(order):
        alpha = 1 + math.exp(order)
        spare = (
            math.log(delta)
            + math.log(alpha - 1)
            - alpha * math.log1p(-1 / alpha)
        )
        return alpha * rho - spare / (alpha - 1)

    return minimize_scalar(
        at, bounds=(-5, 8), method="bounded", options={"xatol": 1e-9}
    ).fun


def stated():
    """Return the stated ρ, ε and δ of the published files that state all of them."""
    with _PUBLISHED.open(encoding="utf-8") as lines:
        rows = [
            row
            for row in csv.DictReader(lines)
            if row["rho"] and row["epsilon"]
        ]
    return np.array(
        [
            [float(row[name]) for name in ("rho", "epsilon", "delta")]
            for row in rows
        ]
    )


def short_way(rho, delta):
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def certified(trials, confidence):
    """Return the ε that so many trials each way without an error prove."""
    most = 1 - ((1 - confidence) / 2) ** (1 / trials)
    return math.log((1 - most) / most)


def noise_of_risk(limit):
    return _MOVES / epsilon_of_risk(limit, _LEFT, _MOVES)


def either_off(one, other):
    """Return how far off the sum of two Laplace noises of these scales is on average."""
    return (one**2 + one * other + other**2) / (one + other)


# Of 100 patients, how many were in so many wards.
_WARDS = {1: 60, 2: 25, 3: 9, 5: 4, 12: 2}
_VISITS = sum(wards * many for wards, many in _WARDS.items())
_LOST = sum(max(wards - 3, 0) * many for wards, many in _WARDS.items())


ORACLES = {
    # 07
    "Five wishes about one hospital": lambda: [
        # The risk of 1 in 1,000 among 400 and 1,600.
        math.log(1600 / (1000 - 400)) / budget(),
    ],
    "Two texts promise something": lambda one, moves, other, more: [moves / one, more / other],
    "The budget stands, and 12 releases": lambda many, confidence: [
        reach(confidence, budget()), 20, 20 * many, 1 / budget(), 1 / _INTERVAL,
    ],
    "Four counts, each with ε = 0.2": lambda epsilon, before: [
        moved(before, 4 * epsilon), moved(before, epsilon), 0.25, 4, 4 * epsilon,
        4 / promised(before, 0.25), promised(before, 0.25) / 4,
    ],
    "Write how many releases a budget allows": lambda: [math.floor(1 / _INTERVAL)],
    "From which belief on does it pay": lambda lost, gained: [
        gained / (gained + lost), gained / lost, lost / (gained + lost), 1 / 2,
    ],
    # 08
    "Each of 40 counts gets Laplace noise": lambda counts, scale: [
        1 / scale, counts / scale, 1 / (counts * scale),
    ],
    "A Laplace count every week": lambda many, total, delta, most: [
        laplace_each(total, int(most), delta), laplace_each(total, int(many), delta),
        total / many, total, many - most,
    ],
    "In truth there are 18,000 days": lambda days, people, mean, far, wide: [
        either_off(far / people, mean * wide / people), far / people, mean * wide / people,
        far / people + mean * wide / people,
    ],
    "A bound of 3. Suppose": lambda most, patients: [
        patients * _LOST / _VISITS, patients * (_WARDS[5] + _WARDS[12]) / 100,
        patients * (5 * _WARDS[5] + 12 * _WARDS[12]) / _VISITS, patients * _LOST / 100,
        _WARDS[1], 2 * _WARDS[2], _LOST, _VISITS, _LOST / _VISITS,
    ],
    "Of these lines, take one table": lambda: [
        (6 / 12) / (30 / 9000 / 0.1), (3 / 12) / (30 / 9000 / 0.1), 12 / 0.1, 6 / (30 / 9000),
        9000, 6 / 12, 30 / 9000 / 0.1,
    ],
    "No belief shall rise from 20%": lambda before, after: [
        clinic_factor_of_belief(before, after), clinic_total() / promised(before, after),
        sum(epsilon * many for epsilon, many in clinic()) / promised(before, after),
    ],
    "A mean of days, each between 0 and 30": lambda low, high, regions, people, error: [
        (high - low) / people / error, regions * (high - low) / people / error,
        2 * (high - low) / people / error, (high - low) / (regions * people) / error,
        (high - low) / people, high - low, people,
    ],
    "Each of 40 counts has Laplace noise": lambda counts, scale, *same: [
        2 * scale * math.exp(math.lgamma(counts + 0.5) - math.lgamma(counts)) / math.sqrt(math.pi),
        counts * scale, scale, scale * math.sqrt(counts), 2, math.pi,
    ],
    "ε = 0.1 for the diagnosis": lambda one, other, before: [
        moved(before, one + other), moved(before, one), moved(before, other), one + other,
    ],
    "One count with ε = 0.2": lambda epsilon, people, before: [
        moved(before, people * epsilon), moved(before, epsilon), moved(before, 4 * epsilon),
        people * epsilon,
    ],
    "The clinic limits each patient": lambda most: [2 * most, 2 * 1],
    # 09
    "There are 2,000 patients": lambda patients, delta: [patients * delta, 0, delta, patients],
    "Two offices publish a count": lambda _one, delta, _other, smaller: [
        gaussian_epsilon(1, delta), gaussian_epsilon(1, smaller),
    ],
    "Twelve counts with ε = 0.2": lambda epsilon: [
        laplace_success([(epsilon, 12)], 5), laplace_success([(epsilon, 1)], 5),
        moved(0.2, 12 * epsilon), 12 * epsilon,
    ],
    "The mobility reports have": lambda one, days: [days * one, one, math.sqrt(days) * one],
    "The person tables have": lambda rho, baseline: [
        gaussian_success(math.sqrt(2 * rho), 5), baseline, moved(baseline, 17.14),
        gaussian_success(2 * math.sqrt(2 * rho), 5),
    ],
    "500 trials each way": lambda few, confidence, _proved, many: [
        certified(few, confidence), certified(many, confidence), math.log(10), 10,
    ],
    "The signed plan keeps": lambda before, after, rho: [
        clinic_factor_with_partner(rho, before, after), 1,
    ],
    "Another partner writes": lambda rho, before, _after: [
        exceeded(rho, 1e-6), moved(before, exceeded(rho, 1e-6)), rho / 10, rho,
    ],
    "For a table of yours the planners": lambda width, needed, allowed, *stated: [
        width * needed / allowed, width * allowed / needed, width,
    ],
    "A newspaper writes about": lambda epsilon: [3 * epsilon],
    "Write an ε of several releases": lambda: [
        stated()[:, 0].sum(), short_way(stated()[:, 0].sum(), stated()[0, 2]), stated()[:, 1].sum(),
    ],
    # 10
    "Suppose that three statements": lambda _rho, reach, _share, scale: [
        scale * 1.959964, REACH_OF_VIEWS, REACH_OF_VIEWS / 1.959964, reach,
    ],
    "The page calls it “roughly": lambda *_given: [
        gaussian_epsilon(OF_A_DAY, 1e-7), exceeded(0.015, 1e-7),
        epsilon_of_rho(0.015, 1e-7), OF_A_DAY,
    ],
    "A row is published where the noisy count is above 90. From": lambda edge, _share: [
        edge + REACH_OF_VIEWS, edge, edge - REACH_OF_VIEWS, REACH_OF_VIEWS,
    ],
    "A device reads ten articles on each": lambda days, delta: [
        gaussian_epsilon(OF_A_DAY * math.sqrt(days), delta),
        days * gaussian_epsilon(OF_A_DAY, delta),
        gaussian_epsilon(OF_A_DAY, delta), 0.015 * days, epsilon_of_rho(0.015 * days, delta),
    ],
    "Did a certain device read ten": lambda *_given: [
        gaussian_success(OF_A_DAY, 2), gaussian_success(OF_A_DAY / math.sqrt(10), 2),
        moved(0.5, gaussian_epsilon(OF_A_DAY, 1e-7)),
        gaussian_success(OF_A_DAY * math.sqrt(365), 2),
        # How often a loss exceeds that ε, in a million cases.
        1e6 * norm.sf(gaussian_epsilon(OF_A_DAY, 1e-7) / OF_A_DAY - OF_A_DAY / 2),
    ],
    # 11
    "The school tolerates a risk": lambda one, of, other, before: [
        # Of both releases together.
        2 * noise_of_risk(one / of), 2 * noise_of_risk(other / before),
        1 / (2 * noise_of_risk(one / of)), 1 / math.log(5),
    ],
    "The pupil with 30 days moves away": lambda away, comes, most, epsilon, *same: [12, most / 12],
    "Write the smallest number of pupils": lambda: [
        1.4, 0.3, *(math.ceil(10 / (epsilon / math.log(5))) for epsilon in (1.4, 0.3)),
    ],
}  # fmt: skip
