"""The law of whatever is ρ-zCDP, against its bound, mpmath, and mechanisms that are."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize

from dpwidgets.calculators import loss

RHOS = (1e-6, 1e-3, 0.05, 0.5, 3, 30, 100)


def bound(rho, epsilon):
    """Canonne, Kamath and Steinke's δ, minimised over the orders by mpmath."""

    def logarithm(above):
        order = 1 + above
        return (
            above * (order * rho - epsilon)
            - mpmath.log(above)
            - order * mpmath.log1p(1 / above)
        )

    with mpmath.workdps(30):
        at = max((epsilon - rho) / (2 * rho), mpmath.mpf(1) / 10)
        for step in (2, 1.1, 1.01, 1.001):
            at = min(
                (at * mpmath.mpf(step) ** k for k in range(-12, 13)),
                key=logarithm,
            )
        return float(mpmath.exp(logarithm(at)))


@pytest.mark.parametrize("rho", RHOS)
def test_it_lies_on_the_bound_and_hardly_above(rho):
    law = loss.concentrated(rho)
    # Pinsker, and Bretagnolle and Huber; that one is never the smallest.
    variation = min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))
    assert law.delta(0) <= variation * (1 + 1e-9)
    for deviations in (3, 5, 10, 25, 45):
        epsilon = rho + deviations * math.sqrt(rho)
        wanted = bound(rho, epsilon)
        if wanted > 1e-299:
            assert wanted * (1 - 1e-4) <= law.delta(epsilon) <= wanted * 1.06
    for delta in (1e-3, 1e-6, 1e-12, 1e-100, 1e-290):
        known = loss.epsilon_of_rho(rho, delta)
        if known > rho:
            assert known * (1 - 1e-9) <= law.epsilon(delta) <= known * 1.003


@given(st.sampled_from(RHOS), st.floats(0, 1))
def test_whatever_is_rho_zcdp_tells_less(rho, share):
    """Gaussian noise of this ρ, Laplace noise, and randomized response, at every ε and together."""
    law = loss.concentrated(rho)
    at = np.linspace(0, rho + 6 * math.sqrt(rho), 60)
    epsilon = optimize.brentq(
        lambda x: loss.laplace(x).mean() - rho, 1e-6, 900
    )
    response = optimize.brentq(lambda x: x * math.tanh(x / 2) - rho, 1e-6, 900)
    mixed = loss.gaussian(math.sqrt(2 * rho * max(share, 1e-3))).compose_with(
        loss.gaussian(math.sqrt(2 * rho * max(1 - share, 1e-3) * 0.99))
    )
    for other in (
        loss.gaussian(math.sqrt(2 * rho)),
        loss.laplace(epsilon),
        loss.randomized_response(response),
        mixed,
    ):
        assert np.all(other.delta(at) <= law.delta(at) * (1 + 1e-9) + 1e-15)


@pytest.mark.parametrize("rho", RHOS)
def test_it_is_the_same_in_both_orders(rho):
    law = loss.concentrated(rho)
    assert law.reversed() == law
    ((one, _),) = law.parts
    assert math.fsum(one.masses) == pytest.approx(1, abs=1e-12)
    assert math.fsum(
        one.masses * np.exp(-np.maximum(one.losses, -600))
    ) == pytest.approx(1, 1e-9)
