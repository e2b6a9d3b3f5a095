"""How a composed law ends: never below the truth, close to it at every δ, and without a jump.

The truth is bounded from below by what an attacker learns who sees the sum of
cells. The masses under P and under Q are convolved one by one for it, so that
no digit of a small one is lost.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import gaussian, laplace
from known import law_of
from losses import (
    at_least,
    masses_between,
    together,
)

DELTAS = 10.0 ** -np.array([1, 3, 6, 9, 11, 11.5, 12])


def highest(law):
    return sum(count * one.highest for one, count in law.parts)


def drawn(seed):
    """Draw one to four laws, and how often each is composed; Gaussian noise once."""
    rng, laws = np.random.default_rng(seed), []
    for _ in range(rng.integers(1, 5)):
        count = int(10 ** rng.uniform(0, 1.7))
        size = float(
            np.clip(10 ** rng.uniform(-2, 0.7) / math.sqrt(count), 1e-4, 5)
        )
        laws.append(
            [
                ("laplace", size, count),
                ("randomized_response", size, count),
                ("gaussian", size, 1),
            ][rng.choice(3, p=[0.45, 0.45, 0.1])]
        )
    return laws if len(laws) > 1 or laws[0][-1] > 1 else drawn(seed + 1000)


@pytest.mark.parametrize("seed", range(12))
def test_epsilon_is_never_below_the_truth_and_hardly_above(seed):
    laws = drawn(seed)
    law = law_of(laws)
    surely = highest(law)
    widest = sum(
        (48 if kind == "gaussian" else 2) * size * count
        for kind, size, count in laws
    )
    truth = at_least(laws, widest / 8000)
    for delta in DELTAS:
        epsilon = law.epsilon(delta)
        if epsilon < surely * (1 - 1e-9):
            assert truth(epsilon) <= delta * (1 + 1e-9), delta
        # Nearer to the highest loss than rounding lets the truth be computed,
        # it says nothing.
        if 0 < epsilon < surely * (1 - 1e-3):
            assert truth(epsilon * (1 - 3e-3)) > delta, delta


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 18))
def test_it_falls_everywhere(seed):
    law, deltas = law_of(drawn(seed)), np.geomspace(1e-12, 0.5, 400)
    epsilons = law.epsilon(deltas)
    assert np.all(np.diff(epsilons) <= 0)
    assert np.all(law.delta(epsilons) <= deltas)
    at = np.linspace(-0.1, 1, 3000) * epsilons[0]
    for falling in (law.delta(at), law.tail(at)):
        assert np.all(np.diff(falling) <= 1e-9 * falling[1:])
    assert np.all(law.delta(at) <= law.tail(at) * (1 + 1e-3) + 1e-6)


def test_of_rare_outcomes_that_lie_far_away_the_bound_is_not_the_highest_loss():
    rare = loss.finite([1 - 1e-18, 1e-18], [1 - 1e-25, 1e-25]).compose(50)
    law = rare.compose_with(laplace(0.01).compose(10))
    assert highest(law) > 800
    epsilons = law.epsilon([1e-6, 1e-12])
    assert epsilons[0] == pytest.approx(0.09898, rel=1e-4)
    assert np.all(epsilons <= [0.1, 3])


@pytest.mark.parametrize("seed", range(8))
def test_what_is_exceeded_so_seldom_is_never_below_the_truth_and_hardly_above(
    seed,
):
    """Against all sums of a lattice on which the losses of two randomized responses lie."""
    rng = np.random.default_rng(seed)
    unit, mu = 10 ** rng.uniform(-2.5, -1), 10 ** rng.uniform(-2, 0.3)
    laws = [
        ("randomized_response", unit * steps, int(rng.integers(2, 60)))
        for steps in (3, 10)
    ]
    law = law_of([*laws, ("gaussian", mu, 1)])
    losses = [unit * (2 * np.arange(steps + 1.0) - steps) for steps in (3, 10)]
    lattice = [np.append(one, np.inf) - unit / 2 for one in losses]
    p = [
        masses_between(kind, size, edges)[0]
        for (kind, size, _), edges in zip(laws, lattice, strict=True)
    ]
    sums = together(p, [count for *_, count in laws])
    first = sum(
        count * one[0] for (*_, count), one in zip(laws, losses, strict=True)
    )
    at = first + 2 * unit * np.arange(sums.size)

    def tail(moved):
        return float(sums @ stats.norm.sf((moved - at) / mu - mu / 2))

    for chance in (1e-2, 1e-3, 1e-6, 1e-9):
        found = law.exceeded(chance)
        assert tail(found) <= chance, chance
        assert tail(found * 0.99) > chance, chance


def test_exact_laws_and_infinite_losses_are_exceeded_too():
    assert gaussian(1).exceeded(1e-6) == pytest.approx(
        0.5 - stats.norm.ppf(1e-6)
    )
    response = loss.randomized_response(0.1).compose(10)
    sure = 1 / (1 + math.exp(-0.1))
    assert response.exceeded(
        stats.binom.sf(8, 10, sure) * 1.001
    ) == pytest.approx(0.6)
    mixed = loss.binomial(20).compose_with(laplace(0.1).compose(5))
    chances = np.array([0.5, 2, 1e4]) * mixed.infinite()
    assert np.isinf(mixed.exceeded(chances)).tolist() == [True, False, False]
    assert np.isinf(mixed.epsilon(chances)).tolist() == [True, False, False]


@pytest.mark.parametrize("size", [0.1, 0.5, 3.0])
@pytest.mark.parametrize("count", [2, 3, 10])
def test_no_loss_is_above_the_highest(count, size):
    """What an FFT rounds off is no probability; Gaussian noise alone lifts a loss above."""
    law, top = laplace(size).compose(count), count * size
    above = np.array([0, 1e-9, 1, 50])
    assert not law.tail(top + above).any()
    assert law.tail(top - 0.01) > 0
    assert not law.delta(top + above[1:]).any()
    assert top <= law.exceeded(1e-12) <= top * (1 + 1e-14)
    noise, noisy = gaussian(0.3), law.compose_with(gaussian(0.3))
    most = stats.norm.sf(above, 0.3**2 / 2, 0.3)
    assert np.all(noisy.tail(top + above) <= most * (1 + 1e-9))
    assert np.all(noisy.delta(top + above) <= noise.delta(above) * (1 + 1e-9))
