"""What a law promises in other terms, against closed forms, enumeration and mpmath."""

import functools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import ndtri

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import (
    LossDistribution,
    binomial,
    finite,
    gaussian,
    geometric,
    laplace,
    randomized_response,
)
from dpwidgets.calculators.loss._grid import Grid
from losses import masses, most_powerful, product

BASELINES = np.array([1e-12, 1e-6, 0.01, 0.1, 0.3, 0.5, 0.7, 0.99])


def laplace_success(epsilon, baseline):
    """The trade-off function of Laplace noise, by its distribution function (Dong et al. 2022)."""
    middle = 1 - math.exp(-epsilon) / 4 / baseline
    least = math.exp(-epsilon) / 2
    high = 1 - math.exp(-epsilon) * (1 - baseline)
    return np.where(
        baseline < least, math.exp(epsilon) * baseline, np.where(baseline < 0.5, middle, high)
    )


def hull(points, baseline):
    """The least concave function above points (baseline, success), by all pairs of them."""
    points = sorted(points)
    return max(
        b + (d - b) * (baseline - a) / (c - a)
        for a, b in points
        for c, d in points
        if a <= baseline < c
    )


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2, 20])
def test_success_against_closed_forms(epsilon):
    found = laplace(epsilon).success(BASELINES)
    np.testing.assert_allclose(found, laplace_success(epsilon, BASELINES), rtol=1e-7)
    assert np.all(found >= laplace_success(epsilon, BASELINES) * (1 - 1e-15) - 1e-15)
    worst = np.minimum(math.exp(epsilon) * BASELINES, 1 - math.exp(-epsilon) * (1 - BASELINES))
    np.testing.assert_allclose(randomized_response(epsilon).success(BASELINES), worst, rtol=1e-7)


def test_success_of_gaussian_noise():
    for mu in (1e-6, 0.5, 5):
        for baseline in (1e-9, 0.2, 0.9):
            with mpmath.workdps(40):
                quantile = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(baseline) - 1)
                exact = mpmath.ncdf(quantile + mu)
            assert gaussian(mu).success(baseline) == pytest.approx(float(exact), rel=1e-9)
    nearly = gaussian(0.5).compose_with(laplace(1e-8))  # on a grid
    np.testing.assert_allclose(
        nearly.success(BASELINES[1:]), gaussian(0.5).success(BASELINES[1:]), rtol=1e-4, atol=1e-6
    )
    assert gaussian(1000).success(0.5) == 1


@given(p=masses, q=masses)
@settings(max_examples=25, deadline=None)
def test_success_against_all_events(p, q):
    """Of both orders together: whose database is the one with the person may be mixed."""
    law = finite(p, q).compose(2)
    many_p, many_q = product(p, 2), product(q, 2)
    order = np.argsort(-np.array(many_p) / np.array(many_q))
    there = np.cumsum(np.array([many_q, many_p])[:, order], axis=1).T
    back = np.cumsum(np.array([many_p, many_q])[:, order[::-1]], axis=1).T
    corners = [(0.0, 0.0), *map(tuple, there), *map(tuple, back)]
    for baseline in (0.01, 0.2, 0.6):
        found = law.success(baseline)
        assert found == pytest.approx(hull(corners, baseline), rel=1e-7)
        assert found >= most_powerful(many_p, many_q, baseline) - 1e-12
        assert found == law.reversed().success(baseline)


def test_success_of_composed_laws():
    law = randomized_response(0.3).compose(9)
    highs = np.arange(10)
    ways = np.array([math.comb(9, high) for high in highs])
    truth = 1 / (1 + math.exp(-0.3))
    p = ways * truth**highs * (1 - truth) ** (9 - highs)
    q = p[::-1]
    exact = most_powerful(p, q, BASELINES)
    np.testing.assert_allclose(law.success(BASELINES), exact, rtol=1e-7)
    # On a grid δ's lower bound says how far above the truth it can be.
    law = laplace(0.2).compose(12)
    epsilons = np.linspace(-3, 14, 50_001)
    lower, _ = law.delta_bounds(epsilons)
    least = np.min(lower + np.exp(epsilons) * BASELINES[2:, np.newaxis], axis=1)
    assert np.all(law.success(BASELINES[2:]) >= least)
    np.testing.assert_allclose(law.success(BASELINES[2:]), least, atol=1e-6)
    assert law.success([0.01, 0.2]) == pytest.approx([0.047598, 0.432134], abs=1e-6)


def test_success_of_an_answer_that_tells_all():
    law = binomial(3)
    assert law.success(1e-9) == pytest.approx(1 / 8, rel=1e-6)
    assert law.success(0.5) < 1
    assert law.success(np.full((2, 3), 0.5)).shape == (2, 3)


def divergence_slope(p, q):
    """The largest D_α/α, with 40 digits: a scan, and then sections of the best interval."""
    with mpmath.workdps(40):
        p, q = ([mpmath.mpf(float(one)) for one in masses] for masses in (p, q))
        p, q = ([one / mpmath.fsum(masses) for one in masses] for masses in (p, q))
        pairs = list(zip(p, q, strict=True))

        def slope(log):
            s = mpmath.e**log
            moment = mpmath.fsum(a * (a / b) ** s for a, b in pairs)
            return mpmath.log(moment) / (s * (s + 1))

        logs = list(mpmath.linspace(-25, 25, 201))
        best = max(logs, key=slope)
        gap = logs[1] - logs[0]
        for _ in range(30):
            best = max((best - gap, best, best + gap), key=slope)
            gap /= 2
        return float(slope(best))


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([0.9, 0.1], [0.5, 0.5]),
        ([1 - 1e-9, 1e-9], [1 - 1e-12, 1e-12]),
        ([0.2, 0.3, 0.5], [0.1, 0.5, 0.4]),
        ([0.7, 0.299, 0.001], [0.7, 0.2999999, 1e-7]),
        ([1e-5, 1 - 1e-5], [0.9, 0.1]),
    ],
)
def test_rho_against_all_orders(p, q):
    law = finite(p, q)
    exact = max(divergence_slope(p, q), divergence_slope(q, p))
    assert exact <= law.rho() <= exact * (1 + 1e-4)
    assert law.reversed().rho() == law.rho()
    assert law.compose(7).rho() == pytest.approx(7 * law.rho())


@pytest.mark.parametrize("epsilon", [1e-8, 1e-4, 0.1, 1, 10, 1000])
def test_rho_of_named_mechanisms(epsilon):
    with mpmath.workdps(40):
        exact = float(mpmath.mpf(epsilon) + mpmath.e ** (-mpmath.mpf(epsilon)) - 1)
        worst = float(epsilon * mpmath.tanh(mpmath.mpf(epsilon) / 2))
    assert laplace(epsilon).rho() == pytest.approx(exact, rel=1e-14)
    assert worst <= randomized_response(epsilon).rho() <= worst * (1 + 1e-5)
    mixed = laplace(epsilon).compose(3).compose_with(gaussian(0.2))
    assert mixed.rho() == pytest.approx(3 * exact + 0.02, rel=1e-14)


def test_rho_of_extreme_laws():
    assert binomial(5).rho() == finite([0.5, 0.5], [1, 0]).rho() == math.inf
    assert finite([1, 0], [0.5, 0.5]).rho() == math.inf
    assert finite([0.5, 0.5], [0.5, 0.5]).rho() == 0


def quantile(x):
    return mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1)


def largest_move(p, q):
    """The μ of masses by falling p/q, from each likelihood-ratio test, with 150 digits."""
    with mpmath.workdps(150):
        p, q = ([mpmath.mpf(one) for one in masses] for masses in (p, q))
        corners = ((mpmath.fsum(p[:i]), mpmath.fsum(q[:i])) for i in range(1, len(p)))
        return float(max(quantile(a) - quantile(b) for a, b in corners))


@pytest.mark.parametrize("epsilon", [1e-8, 1e-3, 0.999, 1, 5, 30])
def test_mu_of_laplace_noise_against_its_trade_off_function(epsilon):
    with mpmath.workdps(60):
        exact = float(-2 * quantile(mpmath.e ** (-mpmath.mpf(epsilon) / 2) / 2))
    assert laplace(epsilon).mu() == pytest.approx(exact, rel=1e-12)
    assert laplace(epsilon).success(1 - 0.6) <= gaussian(exact).success(1 - 0.6) * (1 + 1e-9)
    if epsilon >= 0.999:
        baselines = np.geomspace(1e-30, 0.5, 2000)
        moves = ndtri(laplace_success(epsilon, baselines)) - ndtri(baselines)
        assert exact * (1 - 1e-4) <= moves.max() <= exact * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-8, 0.1, 1, 10, 500])
def test_mu_of_randomized_response(epsilon):
    with mpmath.workdps(500):
        exact = float(-2 * quantile(1 / (1 + mpmath.exp(mpmath.mpf(epsilon)))))
    found = randomized_response(epsilon).mu()
    assert exact <= found * (1 + 1e-12)
    assert found == pytest.approx(exact, rel=1e-6)


@given(p=masses, q=masses)
@settings(max_examples=25, deadline=None)
def test_mu_against_all_tests(p, q):
    order = np.argsort(-p / q)
    exact = largest_move(p[order], q[order])
    law = finite(p, q)
    assert exact <= law.mu() * (1 + 1e-12) + 1e-13
    assert law.mu() == pytest.approx(exact, rel=1e-9, abs=1e-12)
    assert law.reversed().mu() == law.mu()


@pytest.mark.parametrize(("epsilon", "times"), [(0.05, 3), (0.3, 50), (0.04, 100), (3, 8)])
def test_mu_of_composed_laws(epsilon, times):
    with mpmath.workdps(150):
        truth = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
        highs = range(times, -1, -1)
        p = [math.comb(times, i) * truth**i * (1 - truth) ** (times - i) for i in highs]
        exact = largest_move(p, p[::-1])
    law = randomized_response(epsilon).compose(times)
    assert exact <= law.mu() <= exact * (1 + 1e-9)
    on_grid = Grid(law.parts, 0.0, epsilon / 64).moved(law.rho())
    assert exact <= on_grid <= exact * 1.05
    mixed = law.compose_with(laplace(1e-7))
    assert mixed.grid_step > 0
    assert exact <= mixed.mu() <= exact * 1.05


def test_mu_of_unlike_laws_lies_just_above_the_truth():
    one, other = [0.5, 0.3, 0.2], [0.2, 0.35, 0.45]
    for law in (
        laplace(0.2).compose(12),
        laplace(5).compose(3),
        gaussian(0.5).compose_with(laplace(0.5)),
        finite(one, other).compose(40),
    ):
        both = (law, law.reversed())
        epsilons = np.linspace(-30, 30, 20_001)
        baselines = np.geomspace(1e-8, 0.5, 100)
        lower = [order.delta_bounds(epsilons)[0] for order in both]
        success = [[np.min(one + np.exp(epsilons) * b) for b in baselines] for one in lower]
        truth = float(np.max(ndtri(np.minimum(success, 1)) - ndtri(baselines)))
        assert truth <= law.mu() <= truth * 1.05
        found = law.success(baselines)
        assert np.all(found <= gaussian(law.mu()).success(baselines) * (1 + 1e-6))
    assert gaussian(0.3).compose_with(gaussian(0.4)).mu() == 0.5


def test_mu_of_extreme_laws():
    assert binomial(5).mu() == finite([1, 0], [0.5, 0.5]).mu() == math.inf
    assert finite([0.5, 0.5], [0.5, 0.5]).mu() == 0
    # No float is as close to 1 as the success.
    far = randomized_response(900).compose(40).compose_with(laplace(0.5))
    assert 80 * 40**0.5 < far.mu() < 90 * 40**0.5
    # P's mass of the other answer is no float.
    assert randomized_response(1000).mu() == pytest.approx(89.23, abs=0.01)


def whole_numbers(epsilon, steps, reach):
    """Masses of two-sided geometric noise around `steps` and around 0, on all whole numbers."""
    with mpmath.workdps(40):
        rate = mpmath.mpf(epsilon) / steps
        height = mpmath.tanh(rate / 2)
        answers = range(-reach, steps + reach + 1)
        p = [height * mpmath.exp(-rate * abs(answer - steps)) for answer in answers]
        q = [height * mpmath.exp(-rate * abs(answer)) for answer in answers]
        return p, q


@pytest.mark.parametrize(("epsilon", "steps"), [(1, 1), (1, 4), (0.3, 7), (6, 30), (0.02, 1000)])
def test_geometric_noise_on_a_count_that_moves_several_steps(epsilon, steps):
    p, q = whole_numbers(epsilon, steps, math.ceil(50 * steps / epsilon) if steps < 1000 else 0)
    law = geometric(epsilon, steps)
    if steps < 1000:
        assert law.mean() == pytest.approx(
            float(mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(p, q, strict=True))), rel=1e-10
        )
        for at in np.array([-0.7, 0, 0.4, 0.95]) * epsilon:
            factor = mpmath.exp(mpmath.mpf(float(at)))
            exact = mpmath.fsum(max(a - factor * b, 0) for a, b in zip(p, q, strict=True))
            assert law.delta(at) == pytest.approx(float(exact), rel=1e-10)
    assert float(law.parts[0][0].masses.sum()) == pytest.approx(1, rel=1e-12)
    assert law.delta(epsilon) == 0 < law.delta(0.99 * epsilon)
    assert law.cdf(-epsilon * 1.001) == 0
    assert law.reversed() is law
    # Between that of Laplace noise and randomized response.
    at = np.linspace(-1, 1, 40) * epsilon
    assert np.all(law.delta(at) <= randomized_response(epsilon).delta(at) + 1e-12)
    assert np.all(law.delta(at) >= laplace(epsilon).delta(at) - 1e-12)


def test_geometric_noise_of_very_many_steps_counts_as_the_worst():
    assert geometric(0.3, 1001) == randomized_response(0.3)
    assert geometric(0.3, 1000).delta(0) < laplace(0.3).delta(0) * (1 + 1e-5)


@pytest.mark.parametrize(("epsilon", "steps", "times"), [(1, 4, 3), (0.3, 7, 12), (0.5, 50, 6)])
def test_composed_geometric_noise_against_the_convolution_of_its_losses(epsilon, steps, times):
    law = geometric(epsilon, steps)
    one = law.parts[0][0].masses
    many = one
    for _ in range(times - 1):
        many = np.convolve(many, one)
    losses = (np.arange(many.size) * 2 / steps - times) * epsilon
    composed = law.compose(times)
    at = np.linspace(-0.5, 0.99, 50) * times * epsilon
    exact = np.maximum(-np.expm1(at[:, np.newaxis] - losses), 0) @ many
    lower, upper = composed.delta_bounds(at)
    assert np.all((lower <= exact + 1e-12) & (exact <= upper + 1e-12) & (upper - lower <= 1e-6))


@pytest.mark.parametrize("seed", range(6))
def test_a_rough_law_is_safe_and_hardly_looser(seed):
    rng = np.random.default_rng(seed)
    constructors = (laplace, gaussian, geometric, lambda epsilon: geometric(epsilon, 5))
    parts = [
        constructors[rng.integers(4)](10 ** rng.uniform(-2, -0.3)).compose(rng.integers(1, 60))
        for _ in range(rng.integers(2, 9))
    ]
    law = functools.reduce(LossDistribution.compose_with, parts)
    rough = law.rough()
    assert rough.grid_step > law.grid_step > 0
    epsilons = np.linspace(-1, law.epsilon(1e-9), 300)
    lower, upper = law.delta_bounds(epsilons)
    assert np.all(rough.delta(epsilons) >= lower)
    assert np.all(rough.delta_bounds(epsilons)[0] <= upper)
    deltas = np.array([1e-9, 1e-6, 1e-3, 1e-2])
    assert np.all(rough.epsilon(deltas) <= law.epsilon(deltas) * 1.003)
    assert rough.compose(1) == law
    assert rough.reversed() == rough
    assert law.success(0.1) <= rough.success(0.1) * (1 + 1e-5) <= law.success(0.1) * 1.003


@pytest.mark.parametrize("rho", [1e-4, 0.015, 0.81, 2.56, 19.776, 300])
@pytest.mark.parametrize("delta", [1e-15, 1e-10, 1e-5, 0.01, 0.5])
def test_the_epsilon_of_a_rho_is_the_least_of_all_orders(rho, delta):
    with mpmath.workdps(40):

        def epsilon(order):
            rest = mpmath.log(1 / (order * mpmath.mpf(delta))) / (order - 1)
            return rho * order + mpmath.log(1 - 1 / order) + rest

        # The derivative has one zero, between an order that is too low and one that is too high.
        low, high = mpmath.mpf("1e-8"), mpmath.mpf("1e8")
        for _ in range(200):
            third = (high / low) ** (mpmath.mpf(1) / 3)
            if epsilon(1 + low * third) < epsilon(1 + high / third):
                high /= third
            else:
                low *= third
        least = max(epsilon(1 + low), 0)
    assert loss.epsilon_of_rho(rho, delta) == pytest.approx(float(least), rel=1e-6, abs=1e-9)
    exact = loss.gaussian(math.sqrt(2 * rho)).epsilon(delta)
    assert loss.epsilon_of_rho(rho, delta) >= exact
