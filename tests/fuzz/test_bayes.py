"""Whatever the Bayes text's domains accept works: no error, no warning, and back again."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import bayes
from dpwidgets.inputs.domain import EPSILON
from strategies import asked, numbers

epsilons, shares, answers = numbers(EPSILON), numbers(bayes.P), numbers(bayes.ANSWER)
shares |= st.floats(1e-9, 1 - 1e-9)
near = answers | st.floats(-50, 50) | st.floats(-1e6, 2e6)
records, some = numbers(bayes.N), st.integers(1, 60) | st.integers(1, 2000)
doubts = st.just(0.0) | numbers(bayes.DOUBT)


@given(near, st.floats(0, 1e3), records, shares, epsilons)
def test_one_answer(answer, more, n, p, e):
    law = asked(bayes.posterior, answer, n, p, e)
    counts = np.arange(n + 1.0)
    assert law.shape == (n + 1,)
    assert law.sum() == pytest.approx(1, rel=1e-13)
    assert asked(bayes.prior, n, p).sum() == pytest.approx(1, rel=1e-12)
    mean, farther = asked(bayes.posterior_mean, [answer, min(answer + more, 1e100)], n, p, e)
    assert 0 <= mean <= farther * (1 + 1e-9)
    assert farther <= n
    assert mean == pytest.approx(law @ counts, rel=1e-8)
    median = asked(bayes.posterior_median, answer, n, p, e)
    low, high = asked(lambda: bayes.estimate(answer, n, p, e).interval)
    assert 0 <= low <= median <= high <= n
    assert law[:median].sum() < 0.5 + 1e-12
    assert law[: median + 1].sum() > 0.5 - 1e-12
    assert law[low : high + 1].sum() >= 0.95 - 1e-12


@given(near, some, shares, epsilons, doubts)
def test_an_estimate(answer, n, p, e, doubt):
    one = asked(bayes.estimate, answer, n, p, e, doubt)
    for masses in (asked(lambda: one.prior), asked(lambda: one.posterior)):
        assert masses.shape == one.counts.shape
        assert masses.sum() == pytest.approx(1, rel=1e-9)
    assert one.counts @ one.posterior == pytest.approx(one.mean, rel=1e-12)
    if not doubt:
        assert one.mean == pytest.approx(asked(bayes.posterior_mean, answer, n, p, e), rel=1e-8)
    assert one.interval[0] <= one.median <= one.interval[1]
    assert np.isfinite(asked(lambda: one.likelihood)).all()


@given(some, shares, epsilons, shares | st.none(), st.floats(0, 1), doubts)
def test_averages(n, p, e, true_p, share, doubt):
    errors = {
        name: asked(bayes.mean_error, n, p, e, name, true_p, doubt=doubt)
        for name in bayes.ESTIMATORS
    }
    for name, error in errors.items():
        assert 0 <= error < np.inf
        if name not in ("naive", "rounded"):
            assert error <= n * (1 + 1e-12)
    if true_p is None and not doubt:
        assert errors["posterior median"] <= min(errors.values()) + 1e-9 * n
    assert errors["clamped"] <= errors["naive"] * (1 + 1e-12)
    assert 0 <= asked(bayes.chance_closer, n, p, e, true_p, doubt=doubt) <= 1
    count = round(share * n)
    at_one = asked(bayes.mean_error, n, p, e, true_count=count, doubt=doubt)
    assert 0 <= at_one <= n
    assert 0 <= asked(bayes.out_of_range, count, n, e) <= 1
