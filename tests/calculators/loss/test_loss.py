"""The law of the privacy loss, against exact values, brute force and contour integrals.

The oracles share no code with the calculator: mpmath with 50 digits, products
of mass functions written out, and for compositions the inverse Laplace
transform of the moment generating function.
"""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import (
    binomial,
    finite,
    gaussian,
    laplace,
)
from dpwidgets.calculators.loss._grid import step_for
from losses import (
    LAPLACE,
    laplace_moments,
    masses,
    most_powerful,
    product,
    transformed,
)

# ε at δ = 1e-6 after k releases of noise with ε or μ = 0.1.
LAPLACE_EPSILON = {
    1: 0.099997999999,
    10: 0.9989780894472198,
    100: 4.692667414680189,
}

BASELINES = np.array([1e-12, 1e-6, 0.01, 0.1, 0.3, 0.5, 0.7, 0.99])


def direct(p, q, epsilon):
    """δ(ε) of two mass functions from its definition."""
    return math.fsum(
        max(a - math.exp(epsilon) * b, 0.0) for a, b in zip(p, q, strict=True)
    )


def check_bounds(law, at, exact):
    delta = law.delta(at)
    assert np.all((exact <= delta + 1e-13) & (delta <= exact + 2e-6))


# -------------------- one release


@pytest.mark.parametrize(
    "epsilon", [1e-8, 1e-4, 0.1, 0.999, 1.0, 10.0, 50.0, 1000.0]
)
def test_single_releases_by_mpmath(epsilon):
    with mpmath.workdps(50):
        e, x = mpmath.mpf(epsilon), mpmath.mpf(0.3 * epsilon)
        mean = e + mpmath.exp(-e) - 1
        laplace_values = (
            mean,
            -mpmath.expm1((x - e) / 2),
            1 - mpmath.exp((x - e) / 2) / 2,
            mean,
        )
        truth = 1 / (1 + mpmath.exp(-e))
        mean = e * mpmath.tanh(e / 2)
        response_values = mean, -truth * mpmath.expm1(x - e), truth, mean
    for law, values in (
        (laplace(epsilon), laplace_values),
        (loss.randomized_response(epsilon), response_values),
    ):
        got = (
            law.mean(),
            law.delta(0.3 * epsilon),
            law.tail(0.3 * epsilon),
            law.rho(),
        )
        assert got == pytest.approx(
            [float(value) for value in values], rel=1e-14, abs=0
        )
        assert law.tail(np.nextafter(epsilon, 0)) == 0  # as good as the most


@pytest.mark.parametrize("epsilon", [1e-8, 1e-3, 0.999, 1, 5, 30])
def test_mu_and_rho_of_one_release_against_trade_off_functions_and_orders(
    epsilon,
):
    def quantile(x):
        return mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1)

    with mpmath.workdps(60):
        e = mpmath.mpf(epsilon)
        orders = [1 + mpmath.mpf(10) ** (k / 4) for k in range(-24, 12)]
        exact = float(-2 * quantile(mpmath.exp(-e / 2) / 2))
        worst = float(-2 * quantile(1 / (1 + mpmath.exp(e))))
        sums = [
            a * mpmath.exp((a - 1) * e) + (a - 1) * mpmath.exp(-a * e)
            for a in orders
        ]
        pairs = zip(orders, sums, strict=True)
        most = max(
            mpmath.log(one / (2 * a - 1)) / (a - 1) / a for a, one in pairs
        )
    assert laplace(epsilon).mu() == pytest.approx(exact, rel=1e-12)
    assert loss.randomized_response(epsilon).mu() == pytest.approx(
        worst, rel=1e-6
    )
    assert loss.randomized_response(epsilon).mu() >= worst * (1 - 1e-12)
    assert most * (1 - 1e-12) <= laplace(epsilon).rho() <= most * (1 + 1e-4)


@pytest.mark.parametrize("trials", [1, 2, 7, 40, 900])
def test_binomial_by_whole_numbers(trials):
    noise = [math.comb(trials, z) / 2**trials for z in range(trials + 1)]
    law, p, q = binomial(trials), [0.0, *noise], [*noise, 0.0]
    for epsilon in (-0.4, 0.0, 0.1, 1.0):
        assert law.delta(epsilon) == pytest.approx(
            direct(p, q, epsilon), rel=1e-11, abs=1e-16
        )
    assert law.infinite() == pytest.approx(0.5**trials, rel=1e-12)
    assert law.mean() == law.rho() == law.mu() == math.inf
    many = binomial(10**7).delta(1e-4)
    assert many == pytest.approx(
        gaussian(2 / math.sqrt(10**7)).delta(1e-4), rel=1e-6
    )


# -------------------- compositions


def test_laplace_reference_lies_inside_the_bounds():
    for compositions, deltas in LAPLACE.items():
        law = laplace(0.1).compose(compositions)
        check_bounds(law, *np.array(list(deltas.items())).T)
        assert law.epsilon(0.6) == 0
        expected = LAPLACE_EPSILON[compositions]
        assert (
            expected * (1 - 1e-11)
            <= law.epsilon(1e-6)
            <= expected * (1 + 1e-5)
        )


@settings(max_examples=8)
@given(masses, masses, masses, masses, st.floats(-2, 2))
def test_finite_compositions_by_enumeration(p, q, r, s, epsilon):
    one = finite(p, q)
    assert one.mean() == pytest.approx(
        math.fsum(p * np.log(p / q)), rel=1e-12, abs=1e-15
    )
    assert one.reversed().delta(epsilon) == pytest.approx(
        direct(q, p, epsilon), rel=1e-12, abs=1e-15
    )
    law = one.compose(3).compose_with(finite(r, s))
    here, there = (
        [a * b for a in product(x, 3) for b in y] for x, y in ((p, r), (q, s))
    )
    exact = direct(here, there, epsilon)
    assert law.delta(epsilon) == pytest.approx(exact, rel=1e-11, abs=1e-14)
    check_bounds(law, epsilon, exact)
    # On a grid.
    delta = law.compose_with(laplace(1e-8)).delta(epsilon)
    assert exact - 1e-8 <= delta <= exact + 1e-5


def test_infinite_losses_compose_and_reverse():
    p, q = [0.5, 0.3, 0.2, 0.0], [0.2, 0.4, 0.0, 0.4]
    law = finite(p, q)
    assert (law.infinite(), law.reversed().infinite()) == (0.2, 0.4)
    assert law.epsilon(0.2) == pytest.approx(math.log(2.5))
    for composed, x, y in (
        (law.compose(3), p, q),
        (law.compose(3).reversed(), q, p),
    ):
        beyond = sum(a for a, b in zip(x, y, strict=True) if b == 0)
        assert composed.infinite() == pytest.approx(1 - (1 - beyond) ** 3)
        for epsilon in (-1.0, 0.0, 0.4, 3.0):
            expected = direct(product(x, 3), product(y, 3), epsilon)
            assert composed.delta(epsilon) == pytest.approx(
                expected, rel=1e-12
            )
        assert (
            composed.mean()
            == composed.epsilon(0.1)
            == composed.mu()
            == math.inf
        )
    mixed = law.compose_with(laplace(0.5))
    assert mixed.delta(5) == pytest.approx(0.2, rel=1e-12)
    assert mixed.reversed().delta(5) == pytest.approx(0.4, rel=1e-12)
    certain = finite([0.1, 0.2, 0.7, 0], [0, 0, 0, 1])
    for law in (certain, certain.compose(2), certain.compose_with(laplace(1))):
        assert law.delta(3) == 1


@pytest.mark.parametrize(
    ("epsilon", "compositions"),
    [
        (50, 300),
        (0.1, 1000),
        (0.1, 10_000),
        (0.01, 100_000),
        (0.1, 100_000),
        (1, 3000),
    ],
)
def test_what_rounding_takes_is_given_back(epsilon, compositions):
    """At the least δ that is looked for, and above: against a contour through the saddle."""
    law = laplace(epsilon).compose(compositions)
    variance = compositions * law.parts[0][0].variance
    for delta in (1e-12, 1e-10, 1e-9, 1e-6):
        delta = max(delta, compositions * 1e-15)
        found = law.epsilon(delta)
        rate = (found - law.mean()) / variance
        reach = 12 / math.sqrt(variance)
        truth = [
            transformed(
                lambda s, at=at: np.exp(
                    compositions * np.log(laplace_moments(s, epsilon)) - s * at
                ),
                0.0,
                rate,
                reach,
            )
            for at in (found, 0.995 * found)
        ]
        assert truth[0] <= delta < truth[1]


def test_a_delta_of_which_a_transform_has_no_digits_is_refused_by_name():
    mixed = loss.binomial(20).compose_with(laplace(0.1).compose(5))
    beyond = mixed.infinite()
    for law, least in (
        (laplace(0.1).compose(3), 1e-12),
        (laplace(0.1).compose(3).compose_with(gaussian(0.2)), 1e-12),
        (laplace(0.01).compose(20_000), 2e-11),
        (mixed, beyond + 1e-12),
    ):
        for ask in (law.epsilon, law.exceeded):
            assert math.isfinite(ask(least))
        too_small = least - 0.6 * (least - law.infinite())
        with pytest.raises(
            ValueError, match=r"^delta must be at least \d.*e-"
        ):
            law.epsilon([0.1, too_small])
        with pytest.raises(ValueError, match=r"^probability must be at lea"):
            law.exceeded(too_small)
    # What needs no grid has all its digits.
    response = loss.randomized_response(0.1).compose(3)
    assert response.epsilon(1e-300) == pytest.approx(0.3, rel=1e-14)
    assert gaussian(0.2).compose(9).exceeded(1e-300) > 20
    assert mixed.epsilon(0.5 * beyond) == math.inf


@pytest.mark.parametrize("compositions", [2, 30, 1000])
def test_randomized_response_compositions_are_binomial(compositions):
    law = loss.randomized_response(0.1).compose(compositions)
    high = np.arange(compositions + 1)
    masses = stats.binom.pmf(high, compositions, 1 / (1 + math.exp(-0.1)))
    gains = (2 * high - compositions) * 0.1
    for at in (0.0, 0.05, 2.95):
        delta = masses @ np.maximum(-np.expm1(at - gains), 0)
        assert law.delta(at) == pytest.approx(delta, rel=1e-11, abs=1e-300)
        assert law.tail(at) == pytest.approx(
            masses[gains > at + 1e-9].sum(), rel=1e-11, abs=1e-300
        )


def test_composition_is_associative():
    twice = laplace(0.2).compose(3).compose(4)
    assert twice == laplace(0.2).compose(5).compose_with(
        laplace(0.2).compose(7)
    )
    assert gaussian(0.3).compose_with(gaussian(0.4)) == gaussian(0.5)


def test_a_part_with_one_outcome_far_away_takes_no_more_cells_than_others():
    """Its range is 10⁸ times the other's spread, and its variance is smaller than the other's."""
    far = finite([1 - 1e-16, 1e-19], [1 - 1e-16, 1e-300])
    law = laplace(1e-6).compose_with(far)
    assert step_for(law.parts) > 1e-3
    assert laplace(1e-6).delta(0.0) <= law.delta(0.0) < 1e-3


# -------------------- what a law promises in other terms


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2, 20])
def test_power_against_closed_forms(epsilon):
    low, high = math.exp(-epsilon), math.exp(epsilon)
    straight = np.minimum(high * BASELINES, 1 - low * (1 - BASELINES))
    # Dong et al. 2022.
    curved = np.where(low / 2 > BASELINES, straight, 1 - low / 4 / BASELINES)
    by_laplace = np.where(BASELINES < 0.5, curved, straight)
    by_gauss = stats.norm.cdf(stats.norm.ppf(BASELINES) + epsilon)
    for make, exact in (
        (laplace, by_laplace), (loss.randomized_response, straight), (gaussian, by_gauss),
    ):  # fmt: skip
        found = make(epsilon).power(BASELINES)
        np.testing.assert_allclose(found, exact, rtol=1e-7)
        assert np.all(found >= exact * (1 - 1e-12))


@settings(max_examples=10)
@given(masses, masses)
def test_power_against_all_events(p, q):
    """Of both orders, on a grid too: of δ's least curve, and above that of each order's best."""
    law = finite(p, q).compose(2)
    many_p, many_q = product(p, 2), product(q, 2)
    epsilons = np.linspace(-15, 15, 4001)
    for one in (law, law.compose_with(laplace(1e-8))):
        deltas = np.maximum(
            one.delta(epsilons), one.reversed().delta(epsilons)
        )
        for baseline in (0.01, 0.2, 0.6):
            found = one.power(baseline)
            least = np.min(deltas + np.exp(epsilons) * baseline)
            assert least * (1 - 1e-2) <= found <= least * (1 + 1e-6)
            for both in ((many_p, many_q), (many_q, many_p)):
                assert found >= most_powerful(*both, baseline) - 1e-12


@settings(max_examples=25)
@given(masses, masses, st.integers(1, 3))
def test_rho_and_mu_hold_for_every_order_and_every_event(p, q, times):
    law = finite(p, q).compose(times)
    for here, there in ((p, q), (q, p)):
        for order in np.geomspace(1e-4, 1e3, 40) + 1:
            logarithms = order * np.log(here) - (order - 1) * np.log(there)
            divergence = times * np.logaddexp.reduce(logarithms) / (order - 1)
            assert divergence <= order * law.rho() * (1 + 1e-9) + 1e-10
    baselines = np.array([0.01, 0.2, 0.5, 0.9])
    if law.mu():
        assert np.all(
            law.power(baselines) <= gaussian(law.mu()).power(baselines) + 1e-9
        )


def test_mu_and_rho_of_unlike_laws():
    law = laplace(1).compose(4).compose_with(gaussian(0.3))
    assert law.mu() == math.hypot(2 * laplace(1).mu(), 0.3)
    assert law.rho() == pytest.approx(4 * math.exp(-1) + 0.045, rel=1e-14)
    nothing = finite([0.5, 0.5], [0.5, 0.5])
    assert nothing.mu() == nothing.rho() == 0


@pytest.mark.parametrize("rho", [1e-4, 0.015, 2.56, 300])
@pytest.mark.parametrize("delta", [1e-15, 1e-5, 0.5])
def test_the_epsilon_of_a_rho_is_the_least_of_all_orders(rho, delta):
    orders = 1 + np.geomspace(1e-8, 1e8, 200_001)
    rest = -np.log(orders * delta) / (orders - 1)
    least = max(np.min(rho * orders + np.log1p(-1 / orders) + rest), 0)
    found = loss.epsilon_of_rho(rho, delta)
    assert found == pytest.approx(least, rel=1e-6, abs=1e-9)
    assert found >= loss.gaussian(math.sqrt(2 * rho)).epsilon(delta)


# -------------------- a budget


@pytest.mark.parametrize(
    ("total", "delta", "count"),
    [
        (1, 1e-6, 1),
        (1, 1e-6, 30),
        (8, 1e-3, 1000),
        (0.1, 1e-9, 7),
        (1e9, 1e-6, 1),
    ],
)
def test_the_share_of_one_release_uses_the_budget_up(total, delta, count):
    one = loss.epsilon(total, delta, count)
    assert loss.laplace(one).compose(count).delta(total) <= delta
    if one < 1000:
        more = loss.laplace(one * (1 + 1e-6)).compose(count)
        assert more.delta(total) > delta
        assert one >= loss.epsilon(total, 0, count) == total / count
