"""Whatever the worlds' domains accept works: no error, no warning, and back again."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import worlds
from dpwidgets.inputs.domain import EPSILON
from strategies import asked, numbers

epsilons, risks = numbers(EPSILON), numbers(worlds.RISK)
answers = numbers(worlds.ANSWER)
sizes = st.floats(-1e12, 1e12) | st.integers(-3, 3).map(float) | st.floats(-1e-11, 1e-11)
values = st.lists(sizes, min_size=3, max_size=8)
queries = st.sampled_from(["mean", "median", "sum", "count", "min", "max", "variance"])


@given(values, queries, epsilons, epsilons, answers)
def test_a_risk_is_a_probability_that_never_falls(values, query, one, other, answer):
    there = asked(worlds.Worlds, values, query)
    if there is None:
        return
    n = len(values)
    low, high = sorted((one, other))
    below, above = asked(there.risk, [low, high])
    assert 1 / n * (1 - 1e-12) <= below <= above * (1 + 1e-12) < 1 + 1e-12
    assert below <= asked(there.risk_bound, low) * (1 + 1e-12) < 1 + 1e-12
    assert asked(there.guess_rate, low) <= below * (1 + 1e-11)
    posterior = asked(there.posterior, [answer, *there.answers], low)
    assert posterior.sum(axis=-1) == pytest.approx(1, rel=1e-14)
    assert posterior.max() <= below * (1 + 1e-10)
    assert 0 <= asked(there.worst, high) < n


@given(values, queries, epsilons)
def test_a_risk_is_accepted_as_tolerated(values, query, e):
    there = asked(worlds.Worlds, values, query)
    if there is None:
        return
    for risk, back in ((there.risk, there.epsilon), (there.risk_bound, there.epsilon_bound)):
        reached = asked(risk, e)
        largest = asked(back, reached)
        assert largest is not None
        assert largest == np.inf or 1e-8 <= largest <= 1000
        assert asked(risk, min(largest, 1000)) <= reached * (
            1 + (1e-12 if risk == there.risk_bound else 0)
        )


@given(values, queries, epsilons, risks, answers | st.none())
def test_a_disclosure_has_finite_results(values, query, e, risk, answer):
    told = asked(worlds.disclosure, values, query, epsilon=e, risk=risk, answer=answer)
    if told is None:
        return
    n = len(values)
    assert told.posterior.sum() == pytest.approx(1, rel=1e-14)
    assert set(told.guesses) <= set(range(n))
    assert set(told.guesses) <= set(told.drawn) or len(told.drawn) < n
    assert np.isfinite([told.answer_without_noise, told.scale, *told.frame]).all()
    for end in told.frame:
        assert worlds.ANSWER.contains(np.asarray(end))
    assert 0 < asked(lambda: told.exact_risk) < 1
    assert asked(lambda: told.epsilon_bound) <= asked(lambda: told.largest_epsilon)
    assert told.largest_epsilon == 0 or risk > 1 / n
