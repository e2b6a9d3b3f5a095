"""Whatever the domains of interval and noise accept works: no error, no warning, and back again."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import interval, noise
from dpwidgets.inputs.domain import ALMOST_ONE, EPSILON, NUMBER, PROBABILITY
from strategies import asked, numbers

epsilons, widths, probabilities = map(numbers, (EPSILON, interval.HALF_WIDTH, PROBABILITY))
counts, answers, scales = map(numbers, (interval.COUNT, NUMBER, noise.SCALE))


@given(epsilons, widths, counts, widths)
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


@given(widths, probabilities, counts, widths)
def test_a_statement_is_finite_and_leads_back(w, p, c, s):
    said = asked(interval.precision, half_width=w, confidence=p, count=c, sensitivity=s)
    if said is not None:
        e = said.epsilon
        assert EPSILON.low <= e <= EPSILON.high
        assert asked(interval.half_width, e, p, c, s) == pytest.approx(w, rel=2e-12)
        assert asked(interval.count, e, w, p, s) == pytest.approx(c, rel=2e-12)
        assert asked(interval.confidence, e, w, c, s) == pytest.approx(p, rel=1e-10)
        assert said.low < said.count < said.high or w < 1e-15


@given(answers, counts, widths, probabilities)
def test_coverage_grows_with_the_confidence_and_a_neighbours_loss_is_finite(answer, c, w, p):
    more = asked(interval.coverage, w, min((1 + p) / 2, ALMOST_ONE))
    assert 0 <= asked(interval.coverage, w, p) <= more + 1e-15 <= 1 + 1e-15
    assert np.isfinite(asked(interval.neighbour_loss, answer, c, w, p))


@given(scales, answers, probabilities)
def test_laplace_laws_are_laws(scale, x, p):
    law = noise.Laplace(scale)
    assert 0 <= asked(law.density, x) <= 0.5 / scale
    assert 0 <= asked(law.cdf, x) <= 1
    quantile = asked(law.quantile, p)
    assert asked(law.cdf, quantile) == pytest.approx(p, rel=1e-12)
    assert np.isfinite(law.sample(np.random.default_rng(1)))


@given(st.lists(answers, min_size=1, max_size=5), answers, answers, scales)
def test_a_posterior_sums_to_one_whatever_it_is_of(heard, one, other, scale):
    candidates = [one, other, one]
    beliefs = asked(noise.posterior, heard, candidates, scale)
    assert beliefs.shape == (len(heard), 3)
    every = np.vstack([beliefs, asked(noise.posterior_after, heard, candidates, scale)])
    assert every.sum(axis=-1) == pytest.approx(1, rel=1e-12)
    assert (every[:, 0] == every[:, 2]).all()
