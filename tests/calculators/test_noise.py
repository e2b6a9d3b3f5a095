"""The noise laws and the attackers' beliefs against mpmath, brute force and large samples."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from mpmath import mpf

from dpwidgets.calculators.candidates import Candidates
from dpwidgets.calculators.noise import (
    SCALE,
    Laplace,
    posterior,
    posterior_after,
)
from dpwidgets.inputs.domain import NUMBER, PROBABILITY
from strategies import asked, numbers

answers = numbers(NUMBER)


@given(numbers(SCALE), answers, st.floats(-40, 40), numbers(PROBABILITY))
def test_laplace_noise_by_mpmath(scale, far, near, p):
    law = Laplace(scale)
    for x in (far, near * scale):
        tail = mpmath.exp(-abs(mpf(x)) / scale) / 2
        close = {"rel": 1e-12, "abs": 1e-300}
        assert asked(law.cdf, x) == pytest.approx(
            float(tail if x < 0 else 1 - tail), **close
        )
        assert asked(law.density, x) == pytest.approx(
            float(tail / scale), **close
        )
    side = -1 if p < 0.5 else 1
    expected = -side * mpmath.log(2 * min(mpf(p), 1 - mpf(p))) * scale
    assert asked(law.quantile, p) == pytest.approx(float(expected), rel=1e-12)


def test_samples_follow_their_law():
    law = Laplace(3.0)
    draws = law.sample(np.random.default_rng(11), size=200_000)
    for x in (-11.0, -0.6, 0.0, 1.5, 12.0):
        assert np.mean(draws <= x) == pytest.approx(
            law.cdf(x), abs=5 * np.sqrt(0.25 / draws.size)
        )


@given(numbers(SCALE), st.lists(answers, min_size=1, max_size=5), answers)
def test_candidates_have_a_posterior_wherever_they_are(scale, heard, one):
    """Bayes' rule for answers nearby stands below."""
    candidates = [one, heard[0], one]
    beliefs = asked(posterior, heard, candidates, scale)
    every = np.vstack(
        [beliefs, asked(posterior_after, heard, candidates, scale)]
    )
    assert every.sum(axis=-1) == pytest.approx(1, rel=1e-12)
    assert (every[:, 0] == every[:, 2]).all()


def test_posterior_survives_far_answers_and_small_scales():
    far, near = posterior([1e100, 11.0], [10, 11], 1.0)
    assert far == pytest.approx(near)
    assert posterior_after([1e100], [10, 11], 1.0) == pytest.approx(near)
    assert posterior(10, [10, 11], 1e-9) == pytest.approx([1, 0])


lists = st.lists(
    st.integers(-20, 20).map(float), min_size=2, max_size=8
).filter(lambda answers: len(set(answers)) > 1)


@given(lists, st.floats(0.1, 100), st.floats(1e-6, 50), st.floats(-100, 100))
def test_posterior_and_risk_are_bayes_rule(
    answers, sensitivity, epsilon, answer
):
    def believed(exponents):
        weights = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    answers, scale = np.array(answers), sensitivity / epsilon
    candidates = Candidates(answers, sensitivity)
    grid = np.array([answer, *answers, *np.linspace(-25, 25, 41)])
    exponents = -np.abs(grid[:, None] - answers) / scale
    beliefs = believed(exponents)
    together = believed(exponents[:3].sum(axis=0))
    assert candidates.posterior(grid, epsilon) == pytest.approx(
        beliefs, rel=1e-9, abs=1e-15
    )
    assert candidates.risk([[epsilon]]) == pytest.approx(
        beliefs.max(), rel=1e-11
    )
    assert candidates.spread == np.ptp(answers)
    found = posterior_after(grid[:3], answers, scale)
    assert found == pytest.approx(together, rel=1e-9, abs=1e-15)
