"""Whatever the texts' domains accept works: no error, no warning, and back again."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import bayes, breach, worlds
from dpwidgets.decisions import case, meanings
from dpwidgets.inputs.domain import EPSILON, NUMBER, PROBABILITY
from known import QUERIES, RECORDS, suited
from strategies import asked, numbers

epsilons, answers, probabilities = map(numbers, (EPSILON, NUMBER, PROBABILITY))
beliefs = numbers(breach.PRIOR)

# -------------------- bayes

shares = numbers(bayes.P) | st.floats(1e-9, 1 - 1e-9)
near = answers | st.floats(-50, 50) | st.floats(-1e6, 2e6)
some = st.integers(1, 60) | st.integers(1, 2000)
doubts = st.just(0.0) | numbers(bayes.DOUBT)


@given(near, st.floats(0, 1e3), numbers(bayes.N), shares, epsilons)
def test_one_answer(answer, more, n, p, e):
    law = asked(bayes.posterior, answer, n, p, e)
    assert law.shape == (n + 1,)
    mean, farther = asked(
        bayes.posterior_mean, [answer, min(answer + more, 1e100)], n, p, e
    )
    assert 0 <= mean <= farther * (1 + 1e-9)
    assert farther <= n
    assert mean == pytest.approx(law @ np.arange(n + 1.0), rel=1e-8)
    median = asked(bayes.posterior_median, answer, n, p, e)
    one = asked(bayes.estimate, answer, n, p, e)
    low, high = asked(lambda: one.interval)
    assert 0 <= low <= median <= high <= n
    assert law[:median].sum() - 1e-12 < 0.5 < law[: median + 1].sum() + 1e-12
    assert law[low : high + 1].sum() >= 0.95 - 1e-12


@given(near, some, shares, epsilons, doubts)
def test_an_estimate(answer, n, p, e, doubt):
    one = asked(bayes.estimate, answer, n, p, e, doubt)
    for masses in (asked(lambda: one.prior), asked(lambda: one.posterior)):
        assert masses.shape == one.counts.shape
        assert masses.sum() == pytest.approx(1, rel=1e-9)
    assert one.counts @ one.posterior == pytest.approx(one.mean, rel=1e-12)
    assert np.isfinite(asked(lambda: one.likelihood)).all()


@given(some, shares, epsilons, shares | st.none(), st.floats(0, 1), doubts)
def test_averages(n, p, e, true_p, share, doubt):
    given = n, p, e
    errors = {
        name: asked(bayes.mean_error, *given, name, true_p, doubt=doubt)
        for name in bayes.ESTIMATORS
    }
    within = [
        error
        for name, error in errors.items()
        if name not in ("naive", "rounded")
    ]
    assert min(errors.values()) >= 0
    assert max(within) <= n * (1 + 1e-12)
    if true_p is None and not doubt:
        assert errors["posterior median"] <= min(errors.values()) + 1e-9 * n
    assert errors["clamped"] <= errors["naive"] * (1 + 1e-12)
    assert 0 <= asked(bayes.chance_closer, *given, true_p, doubt=doubt) <= 1
    count = round(share * n)
    assert (
        0
        <= asked(bayes.mean_error, *given, true_count=count, doubt=doubt)
        <= n
    )
    assert 0 <= asked(bayes.out_of_range, count, n, e) <= 1


# -------------------- breach and worlds


@given(
    beliefs,
    beliefs,
    epsilons,
    st.sampled_from(breach.ATTRIBUTES),
    answers,
    st.integers(0, 2),
)
def test_a_promise_has_finite_results(
    one, other, e, attribute, answer, missing
):
    given = {"prior": one, "posterior": other, "epsilon": e}
    del given[list(given)[missing]]
    kept = asked(breach.promise, **given, attribute=attribute, answer=answer)
    if kept is not None:
        fences = asked(kept.noise, kept.epsilon).fences
        assert fences[0] < 0 < fences[1]
        assert 0 < kept.scale < np.inf
        assert asked(lambda: kept.limit) >= kept.beliefs.max() * (1 - 1e-12)


values = st.lists(RECORDS, min_size=3, max_size=8)
queries = st.sampled_from(list(QUERIES))


@given(values, queries, epsilons, numbers(worlds.RISK), answers | st.none())
def test_a_disclosure_has_finite_results(values, query, e, risk, answer):
    values = suited(values, query)
    told = asked(
        worlds.disclosure, values, query, epsilon=e, risk=risk, answer=answer
    )
    if told is None:
        return
    assert told.posterior.sum() == pytest.approx(1, rel=1e-14)
    assert set(told.guesses) <= set(told.drawn) == set(range(len(values)))
    assert np.isfinite([told.answer_without_noise, told.scale]).all()
    assert worlds.ANSWER.contains(np.array(told.frame)).all()
    assert 0 < asked(lambda: told.exact_risk) < 1
    assert asked(lambda: told.epsilon_bound) <= asked(
        lambda: told.largest_epsilon
    )
    assert told.largest_epsilon == 0 or risk > 1 / len(values)


# -------------------- meanings


@settings(max_examples=max(1, settings().max_examples // 2))
@given(
    epsilons, numbers(case.N), st.integers(1, 30), beliefs, st.sampled_from(case.MECHANISMS),
    probabilities,
)  # fmt: skip
def test_a_portrait_stands_at_every_epsilon(
    epsilon, n, releases, prior, mechanism, confidence
):
    whole = meanings.portrait(
        epsilon, rows="all", published="count", n=n, releases=releases, prior=prior,
        mechanism=mechanism, delta=1e-6, reference=n / 2, confidence=0.5,
    )  # fmt: skip
    for row in asked(lambda: whole.rows):
        assert row.value >= 0
        assert not math.isnan(row.place)
    assert not any("undefined" in one for one in whole.sentences)
    less, more = asked(
        meanings.certified, [1 + 1 / epsilon, math.inf], confidence
    )
    assert 0 <= less <= more
