"""Whatever the domains of interval and noise accept works: no error, no warning, and back again."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import interval, noise
from dpwidgets.inputs.domain import ALMOST_ONE, EPSILON, NUMBER, PROBABILITY
from strategies import asked, numbers

epsilons, widths = numbers(EPSILON), numbers(interval.HALF_WIDTH)
confidences, counts = numbers(interval.CONFIDENCE), numbers(interval.COUNT)
sensitivities, answers = numbers(interval.SENSITIVITY), numbers(interval.ANSWER)


@given(epsilons, widths, counts, sensitivities)
def test_a_confidence_is_accepted_by_all_that_take_one(e, w, c, s):
    p = asked(interval.confidence, e, w, c, s)
    assert 0 < p < 1
    product = e * w * c / s
    if product > 30:  # p is rounded to few digits of 1 − p
        return
    slack = 1e-12 + 4e-16 * np.exp(product) / product
    for domain, number, back in (
        (EPSILON, e, asked(interval.epsilon, w, p, c, s)),
        (interval.HALF_WIDTH, w, asked(interval.half_width, e, p, c, s)),
        (interval.COUNT, c, asked(interval.count, e, w, p, s)),
    ):
        if back is None:  # at an end of its domain, rounding of p may lead beyond
            assert not domain.low * (1 + slack) < number < domain.high * (1 - slack)
        else:
            assert back == pytest.approx(number, rel=slack)


@given(widths, confidences, counts, sensitivities)
def test_an_epsilon_is_accepted_by_all_that_take_one(w, p, c, s):
    e = asked(interval.epsilon, w, p, c, s)
    if e is not None:
        assert 1e-8 <= e <= 1000
        assert asked(interval.half_width, e, p, c, s) == pytest.approx(w, rel=2e-12)
        assert asked(interval.count, e, w, p, s) == pytest.approx(c, rel=2e-12)
        assert asked(interval.confidence, e, w, c, s) == pytest.approx(p, rel=1e-10)


@given(widths, widths, confidences)
def test_coverage_is_a_probability_that_grows_with_the_confidence(w, other, p):
    assert 0 <= asked(interval.coverage, w, p) <= 1
    assert (
        asked(interval.coverage, w, p)
        <= asked(interval.coverage, w, min((1 + p) / 2, ALMOST_ONE)) + 1e-15
    )
    assert asked(interval.coverage, [w, other], p).shape == (2,)


@given(answers, counts, widths, confidences)
def test_a_neighbours_loss_is_finite(answer, c, w, p):
    assert np.isfinite(asked(interval.neighbour_loss, answer, c, w, p))


@given(epsilons, counts, confidences, sensitivities)
def test_a_precision_has_finite_ends(e, c, p, s):
    said = asked(interval.precision, epsilon=e, count=c, confidence=p, sensitivity=s)
    if said is not None:
        assert said.low < said.count < said.high or said.half_width < 1e-15
        assert np.isfinite([said.scale, said.low, said.high]).all()
        assert np.all(np.diff(asked(said.confidence_at, np.array([0, 0.1, 1e12]))) >= 0)


@given(numbers(noise.SCALE), numbers(NUMBER), numbers(PROBABILITY))
def test_laplace_laws_are_laws(scale, x, p):
    law = noise.Laplace(scale)
    assert 0 <= asked(law.density, x) <= 0.5 / scale
    assert 0 <= asked(law.cdf, x) <= 1
    quantile = asked(law.quantile, p)
    assert asked(law.cdf, quantile) == pytest.approx(p, rel=1e-12)
    assert np.isfinite(law.sample(np.random.default_rng(1)))


@given(numbers(NUMBER), numbers(NUMBER), numbers(NUMBER), numbers(noise.SCALE))
def test_a_posterior_sums_to_one_whatever_it_is_of(answer, one, other, scale):
    beliefs = asked(noise.posterior, [answer, one], [one, other, one], scale)
    assert beliefs.shape == (2, 3)
    assert beliefs.sum(axis=-1) == pytest.approx(1, rel=1e-14)
    assert (beliefs[:, 0] == beliefs[:, 2]).all()


@given(
    st.lists(numbers(NUMBER), max_size=5), numbers(NUMBER), numbers(NUMBER), numbers(noise.SCALE)
)
def test_a_posterior_after_several_answers_sums_to_one(answers, one, other, scale):
    beliefs = asked(noise.posterior_after, answers, [one, other, one], scale)
    assert abs(beliefs.sum() - 1) <= 1e-12
    assert beliefs[0] == beliefs[2]
