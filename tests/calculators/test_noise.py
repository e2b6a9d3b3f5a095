"""The noise laws against mpmath, brute force and large samples."""

import mpmath
import numpy as np
import pytest

from dpwidgets.calculators.noise import Laplace, posterior, posterior_after


@pytest.mark.parametrize("scale", [0.02, 1.0, 1e8])
def test_laplace_cdf_is_the_integral_of_its_density_and_the_law_of_its_samples(scale):
    law = Laplace(scale)
    draws = law.sample(np.random.default_rng(11), size=200_000)
    for x in np.array([-3.7, -0.2, 0.0, 0.5, 4.0]) * scale:
        from_zero = mpmath.quad(lambda t: mpmath.exp(-abs(t) / scale) / (2 * scale), [0, x])
        assert law.cdf(x) == pytest.approx(0.5 + float(from_zero), rel=1e-12)
        assert np.mean(draws <= x) == pytest.approx(law.cdf(x), abs=5 * np.sqrt(0.25 / draws.size))
        assert law.quantile(law.cdf(x)) == pytest.approx(x, rel=1e-12)
    assert law.density(0) == pytest.approx(0.5 / scale)
    assert law.cdf(-500 * scale) == pytest.approx(float(mpmath.exp(-500) / 2), rel=1e-12)


def test_posterior_is_bayes_rule():
    answers, candidates = (
        np.array([-3.0, 1.9, 2.1, 40.0]),
        np.array([2.0, 13 / 3, 14 / 3, 5.0, 5.0]),
    )
    likelihood = np.exp(-np.abs(answers[:, None] - candidates) / 1.4)
    expected = likelihood / likelihood.sum(axis=1, keepdims=True)
    assert posterior(answers, candidates, 1.4) == pytest.approx(expected, rel=1e-12)
    together = likelihood.prod(axis=0) / likelihood.prod(axis=0).sum()
    assert posterior_after(answers, candidates, 1.4) == pytest.approx(together, rel=1e-12)


def test_posterior_survives_far_answers_and_small_scales():
    far, near = posterior([1e100, 11.0], [10, 11], 1.0)
    assert far == pytest.approx(near)
    assert posterior(10, [10, 11], 1e-9) == pytest.approx([1, 0])


def test_bad_input_is_named():
    for scale in (0, np.inf):
        for ask in (Laplace, lambda scale: posterior(1, [1, 2], scale)):
            with pytest.raises(ValueError, match=f"scale must be a number from 1e-90 .* {scale}"):
                ask(scale)
    for candidates in ([], [[1, 2]]):
        with pytest.raises(ValueError, match="candidates must be one list of numbers; got an arr"):
            posterior(1, candidates, 1)
