"""The law of the privacy loss, against exact values, brute force and contour integrals.

The oracles share no code with the calculator: mpmath with 50 digits, products of mass functions
written out, and for compositions the inverse Laplace transform of the moment generating function.
"""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import (
    binomial,
    finite,
    gaussian,
    geometric,
    laplace,
    randomized_response,
)
from dpwidgets.calculators.loss._grid import grid
from losses import LAPLACE, laplace_moments, masses, product, transformed

# ε at δ = 1e-6 after k releases of noise with ε or μ = 0.1.


LAPLACE_EPSILON = {1: 0.099997999999, 10: 0.9989780894472198, 100: 4.692667414680189}
GAUSSIAN_EPSILON = {1: 0.3968573776440836, 10: 1.367571475084307, 100: 4.886554117462212}

THREE = finite([0.5, 0.3, 0.2], [0.2, 0.35, 0.45])
LAWS = {
    "laplace": laplace(0.7),
    "randomized_response": randomized_response(0.7),
    "gaussian": gaussian(0.7),
    "binomial": binomial(12),
    "finite": finite([0.5, 0.3, 0.2, 0.0], [0.2, 0.4, 0.3, 0.1]),
    "composed laplace": laplace(0.7).compose(7),
    "mixed": laplace(0.7).compose_with(gaussian(0.3)),
    "composed finite": finite([0.5, 0.3, 0.1, 0.05, 0.05], [0.1, 0.3, 0.2, 0.1, 0.3]).compose(60),
    "composed binomial": binomial(30).compose(5),
}


def direct(p, q, epsilon):
    """δ(ε) of two mass functions from its definition."""
    return math.fsum(max(a - math.exp(epsilon) * b, 0.0) for a, b in zip(p, q, strict=True))


def binomial_masses(trials):
    """P and Q on the answers 0 … trials + 1, by Python's whole numbers."""
    noise = [math.comb(trials, z) / 2**trials for z in range(trials + 1)]
    return [0.0, *noise], [*noise, 0.0]


def test_laplace_reference_lies_inside_the_bounds():
    for compositions, deltas in LAPLACE.items():
        law = laplace(0.1).compose(compositions)
        epsilons, exact = np.array(list(deltas.items())).T
        lower, upper = law.delta_bounds(epsilons)
        assert np.all((lower <= exact) & (exact <= upper) & (upper - lower <= 1e-6))
        if compositions > 1:
            assert np.array_equal(law.delta(epsilons), upper)
        expected = LAPLACE_EPSILON[compositions]
        assert expected * (1 - 1e-11) <= law.epsilon(1e-6) <= expected * (1 + 1e-5)


def test_gaussian_by_mpmath():
    for mu, times in ((1e-8, 1), *itertools.product((1e-3, 0.5, 3.9, 4.0, 20.0, 1000.0), (1, 100))):
        law = gaussian(mu / math.sqrt(times)).compose(times)
        for epsilon in mu * mu / 2 + np.array([-3, -0.5, 0, 2, 6]) * mu:
            with mpmath.workdps(50):
                m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
                tail = mpmath.ncdf(m / 2 - e / m)
                delta = tail - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
            rel = 3e-14 if times == 1 else 1e-11
            assert law.delta(epsilon) == pytest.approx(float(delta), rel=rel, abs=0)
            assert law.tail(epsilon) == pytest.approx(float(tail), rel=100 * rel, abs=0)
    for compositions, expected in GAUSSIAN_EPSILON.items():
        law = gaussian(0.1).compose(compositions)
        assert law.epsilon(1e-6) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("epsilon", [1e-8, 1e-4, 0.1, 1.0, 10.0, 50.0, 1000.0])
def test_single_releases_by_mpmath(epsilon):
    with mpmath.workdps(50):
        e, x = mpmath.mpf(epsilon), mpmath.mpf(0.3 * epsilon)
        laplace_values = (
            e + mpmath.exp(-e) - 1,
            -mpmath.expm1((x - e) / 2),
            1 - mpmath.exp((x - e) / 2) / 2,
        )
        truth = 1 / (1 + mpmath.exp(-e))
        response_values = (e * mpmath.tanh(e / 2), -truth * mpmath.expm1(x - e), truth)
    for law, values in (
        (laplace(epsilon), laplace_values),
        (randomized_response(epsilon), response_values),
    ):
        got = law.mean(), law.delta(0.3 * epsilon), law.tail(0.3 * epsilon)
        assert got == pytest.approx([float(value) for value in values], rel=1e-14, abs=0)


@pytest.mark.parametrize("epsilon", [0.1, 2.0, 50.0])
def test_laplace_by_quadrature(epsilon):
    """The two noise densities themselves: E over s of (1 − e^(ε' − loss(s)))₊."""
    with mpmath.workdps(30):
        e = mpmath.mpf(epsilon)
        for share in (-1.5, -0.5, 0.0, 0.7):
            x = share * e
            stop = min(max((1 - share) / 2, 0), 1)  # the answer whose loss is x

            def gain(s, x=x, e=e):
                return e / 2 * (mpmath.exp(-e * abs(s)) - mpmath.exp(x - e * abs(s - 1)))

            inner = mpmath.quad(gain, [-60 / e, 0]) + mpmath.quad(gain, [0, stop])
            outer = mpmath.quad(gain, [1, 1 + 60 / e]) if share < -1 else 0
            assert laplace(epsilon).delta(float(x)) == pytest.approx(
                float(inner + outer), rel=1e-12
            )


def test_geometric_and_randomized_response_coincide():
    """The geometric masses themselves, P around 0 and Q around 1."""
    k, decay = np.arange(-60, 62), math.exp(-1.0)
    noise = np.tanh(0.5) * decay ** np.abs(k)
    law = finite(noise / noise.sum(), decay ** np.abs(k - 1) / (decay ** np.abs(k - 1)).sum())
    epsilons = np.linspace(-1.5, 0.9, 9)
    assert geometric(1) == randomized_response(1)
    assert geometric(1).delta(epsilons) == pytest.approx(law.delta(epsilons), rel=1e-12)
    assert geometric(1).delta(0) != pytest.approx(laplace(1).delta(0), rel=0.1)


@pytest.mark.parametrize("trials", [1, 2, 7, 40, 900])
def test_binomial_by_whole_numbers(trials):
    law, (p, q) = binomial(trials), binomial_masses(trials)
    for epsilon in (-0.4, 0.0, 0.1, 1.0):
        assert law.delta(epsilon) == pytest.approx(direct(p, q, epsilon), rel=1e-11, abs=1e-16)
    assert law.infinite() == pytest.approx(0.5**trials, rel=1e-12)
    assert law.mean() == math.inf
    assert law.reversed() == law
    assert finite(q, p).delta(0.1) == pytest.approx(law.delta(0.1), rel=1e-11)


def test_binomial_with_many_trials_is_nearly_gaussian():
    law = binomial(10**7)
    assert law.delta(1e-4) == pytest.approx(gaussian(2 / math.sqrt(10**7)).delta(1e-4), rel=1e-6)
    assert law.infinite() == 0


@settings(max_examples=40)
@given(masses, masses, st.floats(-3, 3))
def test_finite_by_definition(p, q, epsilon):
    law = finite(p, q)
    assert law.delta(epsilon) == pytest.approx(direct(p, q, epsilon), rel=1e-12, abs=1e-15)
    assert law.mean() == pytest.approx(math.fsum(p * np.log(p / q)), rel=1e-12, abs=1e-15)
    assert law.reversed().delta(epsilon) == pytest.approx(
        direct(q, p, epsilon), rel=1e-12, abs=1e-15
    )
    assert law.tail(epsilon) + law.cdf(epsilon) == pytest.approx(1, rel=1e-14)


@settings(max_examples=15)
@given(masses, masses, masses, masses, st.floats(-2, 2))
def test_finite_compositions_by_enumeration(p, q, r, s, epsilon):
    law = finite(p, q).compose(3).compose_with(finite(r, s))
    exact = direct(
        [a * b for a in product(p, 3) for b in r],
        [a * b for a in product(q, 3) for b in s],
        epsilon,
    )
    lower, upper = law.delta_bounds(epsilon)
    assert lower - 1e-15 <= exact <= upper + 1e-15
    assert law.delta(epsilon) == pytest.approx(exact, rel=1e-11, abs=1e-14)


def test_grid_by_enumeration():
    """A grid for what would be listed, since its outcomes are few: rigorous bounds there too."""
    for law in (THREE, finite([0.7, 0.1, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4]), geometric(0.3)):
        atoms = law.parts[0][0]
        bounds = grid(((atoms, 4),), 0.0).bounds
        p, q = product(atoms.masses, 4), product(atoms.masses * np.exp(-atoms.losses), 4)
        for epsilon in (-1.0, -0.2, 0.0, 0.31, 1.1):
            lower, upper = bounds(np.asarray(epsilon))
            assert lower <= direct(p, q, epsilon) <= upper <= lower + 1e-6


def test_infinite_losses_compose_and_reverse():
    p, q = [0.5, 0.3, 0.2, 0.0], [0.2, 0.4, 0.0, 0.4]
    law = finite(p, q)
    assert (law.infinite(), law.reversed().infinite()) == (0.2, 0.4)
    for composed, x, y in (
        (law.compose(3), p, q),
        (law.reversed().compose(3), q, p),
        (law.compose(3).reversed(), q, p),
    ):
        assert composed.infinite() == pytest.approx(
            1 - (1 - law.infinite()) ** 3 if x is p else 1 - 0.6**3
        )
        for epsilon in (-1.0, 0.0, 0.4, 3.0):
            assert composed.delta(epsilon) == pytest.approx(
                direct(product(x, 3), product(y, 3), epsilon), rel=1e-12
            )
        assert composed.mean() == math.inf
        assert composed.epsilon(0.1) == math.inf
    mixed = law.compose_with(laplace(0.5))
    assert mixed.infinite() == pytest.approx(0.2)
    assert mixed.delta(5) == pytest.approx(0.2, rel=1e-12)
    assert mixed.reversed().delta(5) == pytest.approx(0.4, rel=1e-12)
    certain = finite([0.1, 0.2, 0.7, 0], [0, 0, 0, 1])
    for law in (certain, certain.compose(2), certain.compose_with(laplace(1))):
        assert law.delta(3) == 1


@pytest.mark.parametrize(
    ("epsilon", "compositions", "at", "rate", "reach"),
    [
        (0.1, 1000, 0.0, 0.3, 14),
        (0.1, 1000, 5.0, 1.0, 14),
        (0.1, 1000, 18.95, 2.0, 14),
        (0.1, 1000, 25.0, 2.5, 14),
        (1.0, 1000, 367.0, 0.05, 2.5),
        (1.0, 1000, 445.0, 0.05, 2.5),
        (5.0, 1000, 4010.0, 0.05, 1.2),
        (50.0, 300, 14700.0, 0.05, 1.5),
    ],
)
def test_laplace_compositions_by_contour(epsilon, compositions, at, rate, reach):
    law = laplace(epsilon).compose(compositions)

    def moments(s):  # of the loss less the largest possible one, so that no number is large
        return np.exp(compositions * np.log(laplace_moments(s, epsilon) * np.exp(-s * epsilon)))

    exact = transformed(moments, at - compositions * epsilon, rate, reach)
    lower, upper = law.delta_bounds(at)
    assert lower - 1e-13 <= exact <= upper + 1e-13
    assert upper - lower <= 1e-6


def test_far_out_the_bound_ends_with_the_highest_loss():
    """Where rounding is all there is: a small slack, and no loss above what noise may add."""
    exact = transformed(lambda s: laplace_moments(s, 0.1) ** 1000, 40.0, 4.0, 14)
    law = laplace(0.1).compose(1000)
    assert exact <= law.delta(40.0) <= 1e-10
    assert law.delta(99.9) <= 1e-10
    assert law.delta(100.1) == 0
    assert law.epsilon(1e-300) == pytest.approx(100, rel=1e-14)
    mixed = laplace(0.1).compose(3).compose_with(gaussian(0.2))
    assert mixed.delta(2) == pytest.approx(gaussian(0.2).delta(1.7), rel=1e-9)
    assert mixed.epsilon(1e-100) <= gaussian(0.2).epsilon(1e-100) + 0.3 * (1 + 1e-12)


@pytest.mark.parametrize("at", [-0.3, 0.05, 0.2, 0.5])
def test_mixture_by_quadrature(at):
    """Laplace and Gaussian noise together: the Gaussian δ averaged over the Laplace loss."""
    law = laplace(0.3).compose_with(gaussian(0.2))
    with mpmath.workdps(30):
        e, m = mpmath.mpf(0.3), mpmath.mpf(0.2)

        def delta(x):
            return mpmath.ncdf(m / 2 - x / m) - mpmath.exp(x) * mpmath.ncdf(-m / 2 - x / m)

        exact = delta(at - e) / 2 + mpmath.exp(-e) / 2 * delta(at + e)
        exact += mpmath.quad(lambda x: mpmath.exp((x - e) / 2) / 4 * delta(at - x), [-e, 0, e])
    lower, upper = law.delta_bounds(at)
    assert lower <= exact <= upper
    assert upper - lower <= 1e-6


@pytest.mark.parametrize("at", [-0.1, 0.0, 0.02, 0.13, 0.19])
def test_two_laplace_releases_by_quadrature(at):
    """And the tail, which is right to one grid step."""
    law, e = laplace(0.1).compose(2), 0.1

    def delta(x):
        return 1 - math.exp(x) if x < -e else -math.expm1(min(x - e, 0) / 2)

    def tail(x):
        return 1.0 if x < -e else 0.0 if x >= e else 1 - math.exp((x - e) / 2) / 2

    def average(f, x):
        kinks = [point for point in (-e, x - e, x + e, e) if -e <= point <= e]
        inner = mpmath.quad(lambda y: mpmath.exp((y - e) / 2) / 4 * f(x - float(y)), sorted(kinks))
        return float(f(x - e) / 2 + math.exp(-e) / 2 * f(x + e) + inner)

    lower, upper = law.delta_bounds(at)
    assert lower <= average(delta, at) <= upper
    step = law.grid_step
    assert average(tail, at + step) - 1e-6 <= law.tail(at) <= average(tail, at - step) + 1e-6
    assert law.tail(at) + law.cdf(at) == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize("compositions", [2, 30, 1000])
def test_randomized_response_compositions_are_binomial(compositions):
    law, e = randomized_response(0.1).compose(compositions), mpmath.mpf(0.1)
    for at in (0.0, 0.05, 2.95):
        with mpmath.workdps(50):
            truth = 1 / (1 + mpmath.exp(-e))
            terms = [
                mpmath.binomial(compositions, j) * truth**j * (1 - truth) ** (compositions - j)
                for j in range(compositions + 1)
            ]
            gains = [(2 * j - compositions) * e for j in range(compositions + 1)]
            delta = mpmath.fsum(
                -t * mpmath.expm1(at - g) for t, g in zip(terms, gains, strict=True) if g > at
            )
            above = mpmath.fsum(t for t, g in zip(terms, gains, strict=True) if g > at + 1e-9)
        assert law.delta(at) == pytest.approx(float(delta), rel=1e-12, abs=1e-300)
        assert law.tail(at) == pytest.approx(float(above), rel=1e-12, abs=1e-300)


SKEW = finite([0.04, 0.1, 0.86], [0.54, 0.02, 0.44])
WIDE = [
    *(laplace(e) for e in (1e-8, 1e-3, 0.1, 1.0, 50.0)),
    randomized_response(3),
    gaussian(0.3),
    binomial(20),
    binomial(10_000),
    THREE,
    SKEW,
    finite([0.7, 0.3], [0.6, 0.4]),
    finite([0.5, 0.3, 0.2], [0.4, 0.6, 0.0]),
    finite([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]),
    finite([0.7, 0.1, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4]),
    finite([0.96, 0.01, 0.01, 0.01, 0.01], [0.9, 0.03, 0.02, 0.017, 0.033]),
    laplace(0.1).compose_with(laplace(0.25)),
    laplace(0.5).compose_with(gaussian(0.01)),
    laplace(1e-3).compose_with(gaussian(10)),
    randomized_response(0.4).compose_with(laplace(0.1)),
]


THOUSAND = [
    *((law, 0) for law in (laplace(0.1), THREE, SKEW, WIDE[13], WIDE[11], binomial(1000))),
    (laplace(10), 9000),
]


def test_bounds_are_close():
    for law, compositions in itertools.product(WIDE, (2, 9, 150)):
        law = law.compose(compositions)
        mean = min(law.mean(), 30.0) if math.isfinite(law.mean()) else 1.0
        ends = np.concatenate([np.linspace(-1, 4, 101) * mean, np.linspace(0, 60, 101)])
        lower, upper = law.delta_bounds(ends)
        assert np.all((lower >= 0) & (lower <= upper) & (upper <= 1)), law
        assert np.max(upper - lower) <= 1e-6, law
    for law, start in THOUSAND:
        lower, upper = law.compose(1000).delta_bounds(np.linspace(-5, 400, 82) + start)
        assert np.max(upper - lower) <= 1e-6, law


@pytest.mark.parametrize("name", LAWS)
def test_laws_are_coherent(name):
    """What no law of tests/fuzz says: both orders, the way back, and compositions."""
    law, epsilons = LAWS[name], np.linspace(-6, 9, 61)
    deltas, (lower, upper) = law.delta(epsilons), law.delta_bounds(epsilons)
    assert np.all((lower <= deltas) & (deltas <= upper))
    assert np.all(deltas >= -np.expm1(np.minimum(epsilons, 0)) - 1e-15)
    assert np.all(deltas <= law.tail(epsilons) + 1e-5)
    assert np.all(law.compose(2).delta(epsilons[24:]) >= lower[24:] - 1e-15)
    assert law.compose(2).mean() == pytest.approx(2 * law.mean(), rel=1e-15)
    # δ(ε) = 1 − e^ε + e^ε δ'(−ε) in the other order
    other = -np.expm1(epsilons) + np.exp(epsilons) * law.reversed().delta(-epsilons)
    assert deltas == pytest.approx(other, rel=1e-12, abs=2e-3)
    for delta in (1e-9, 1e-3, 0.2):
        epsilon = law.epsilon(delta)
        if math.isinf(epsilon):
            assert law.infinite() > delta
        else:
            assert law.delta(epsilon) <= delta
            assert epsilon == 0 or law.delta(epsilon * (1 - 1e-14)) >= delta * (1 - 1e-9)


def test_composition_is_associative():
    epsilons = np.linspace(0, 3, 7)
    twice = laplace(0.2).compose(3).compose(4)
    assert twice == laplace(0.2).compose(12)
    assert twice == laplace(0.2).compose(5).compose_with(laplace(0.2).compose(7))
    assert gaussian(0.3).compose_with(gaussian(0.4)) == gaussian(0.5)
    mixed = laplace(0.2).compose_with(THREE), THREE.compose_with(laplace(0.2))
    assert mixed[0].delta(epsilons) == pytest.approx(mixed[1].delta(epsilons), abs=1e-6)
    assert mixed[0].mean() == pytest.approx(laplace(0.2).mean() + THREE.mean(), rel=1e-15)


def test_shapes():
    for law in (laplace(0.1), gaussian(0.1), THREE, laplace(0.1).compose(3)):
        for method in (law.cdf, law.tail, law.delta):
            assert isinstance(method(0.1), float)
            assert method([[0.1, 0.2, 0.3]]).shape == (1, 3)
            assert method(np.zeros((0,))).shape == (0,)
        assert isinstance(law.epsilon(0.1), float)
        assert law.epsilon([0.1, 0.2]).shape == (2,)
        assert all(isinstance(bound, float) for bound in law.delta_bounds(0))
        assert all(bound.shape == (2, 1) for bound in law.delta_bounds([[0], [1]]))


MECHANISM = "mechanism must be one of 'any', "


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: finite([0.5, 0.4], [0.5, 0.5]), "p must have the sum 1; its 2 masses sum to 0.9"),
        (lambda: finite([1.5, -0.5], [1, 0]), "p must be a list of masses, each 0 .* got 1.5"),
        (lambda: finite([0.5, 0.5], [0.5, math.nan]), "q must be .* got nan"),
        (lambda: finite([0.5, 0.5], [1.0]), "q must have as many masses as p, which has 2; got 1"),
        (lambda: finite([], []), r"p must be .* got an array of shape \(0,\)"),
        (lambda: finite([[1.0]], [1.0]), r"p must be .* got an array of shape \(1, 1\)"),
        (lambda: finite("p", [1.0]), "p must be .* got 'p'"),
        (lambda: laplace(1).compose(10**5).compose(2), "compositions must add up to at most 100,"),
        (lambda: laplace(1).compose_with(1), "other must be a LossDistribution; got a int"),
        (lambda: loss.epsilon(1, 0.1, 2, "cauchy"), MECHANISM),
        (lambda: loss.compositions(1, 1, 0.1, None), MECHANISM),
        (lambda: loss.epsilon(1, 0, 8, "gaussian"), "delta must be above 0 for Gaussian noise, at"),
    ],
)
def test_bad_input_besides_what_every_door_refuses(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_part_with_one_outcome_far_away_takes_no_more_cells_than_others():
    """Its range is 10⁸ times the other's spread, and its variance is smaller than the other's."""
    far = finite([1 - 1e-16, 1e-19], [1 - 1e-16, 1e-300])
    law = laplace(1e-6).compose_with(far)
    assert law.grid_step > 1e-3
    lower, upper = law.delta_bounds(0.0)
    assert lower <= laplace(1e-6).delta(0.0) <= upper < 1e-3


def test_as_many_releases_fit_as_decimals_say():
    each = itertools.product(("any", "laplace"), range(1, 100), (1, 2, 3, 5, 6, 7, 9, 10, 49, 100))
    for mechanism, cents, many in each:
        one, total = cents / 100, cents * many / 100
        assert loss.compositions(one, total, 0, mechanism) == many
        assert loss.compositions(one, 0.9999 * total, 0, mechanism) == many - 1
