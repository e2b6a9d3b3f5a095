"""The noise laws against mpmath, brute force and large samples."""

import mpmath
import numpy as np
import pytest

from dpwidgets.calculators.noise import Laplace, posterior

SCALES = (0.02, 1.0, 12.5, 1e8)


@pytest.mark.parametrize("scale", SCALES)
def test_laplace_cdf_is_the_integral_of_its_density(scale):
    law = Laplace(scale)
    for x in (-3.7, -0.2, 0.0, 0.5, 4.0):
        from_zero = mpmath.quad(lambda t: mpmath.exp(-abs(t) / scale) / (2 * scale), [0, x * scale])
        assert law.cdf(x * scale) == pytest.approx(0.5 + float(from_zero), rel=1e-12)
    assert law.density(0) == pytest.approx(0.5 / scale)


def test_laplace_keeps_its_lower_tail():
    assert Laplace(1).cdf(-500) == pytest.approx(float(mpmath.exp(-500) / 2), rel=1e-13)


def test_samples_follow_the_law():
    law = Laplace(3.0)
    draws = law.sample(np.random.default_rng(11), size=200_000)
    for x in (-6.5, -1.5, 0.5, 2.5, 9.5):
        assert np.mean(draws <= x) == pytest.approx(law.cdf(x), abs=5 * np.sqrt(0.25 / draws.size))
    assert type(law.sample(np.random.default_rng(1))) is float
    again = law.sample(np.random.default_rng(11), size=200_000)
    assert np.array_equal(draws, again)


def test_posterior_is_bayes_rule():
    answers, candidates, scale = (
        np.array([-3.0, 1.9, 2.1, 40.0]),
        [2.0, 13 / 3, 14 / 3, 5.0, 5.0],
        17 / 12,
    )
    likelihood = np.exp(-np.abs(answers[:, None] - np.array(candidates)) / scale)
    expected = likelihood / likelihood.sum(axis=1, keepdims=True)
    assert posterior(answers, candidates, scale) == pytest.approx(expected, rel=1e-12)
    assert posterior(2.1, candidates, scale).shape == (5,)


def test_posterior_survives_far_answers_and_small_scales():
    far, near = posterior([1e100, 11.0], [10, 11], 1.0)
    assert far == pytest.approx(near)
    assert posterior(10, [10, 11], 1e-9) == pytest.approx([1, 0])


def test_bad_input_is_named():
    for scale in (0, np.inf, -1):
        with pytest.raises(ValueError, match=f"scale must be a number from 1e-90 .* {scale}"):
            Laplace(scale)
        with pytest.raises(ValueError, match=f"scale must be a number from 1e-90 .* {scale}"):
            posterior(1, [1, 2], scale)
    for candidates in ([], [[1, 2]]):
        with pytest.raises(ValueError, match="candidates must be one list of numbers; got an arr"):
            posterior(1, candidates, 1)
