"""The noise laws against mpmath, brute force and large samples."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from mpmath import mpf

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
    """Bayes' rule for answers nearby: test_candidates.py."""
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
