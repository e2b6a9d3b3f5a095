"""Whatever the domains of the calculators accept works: no error, no warning, and back again."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st
from hypothesis.internal.conjecture.providers import HypothesisProvider

from dpwidgets.calculators import bayes, breach, loss, worlds
from dpwidgets.decisions import case, meanings
from dpwidgets.inputs.domain import (
    EPSILON,
    NUMBER,
    PROBABILITY,
    within,
)
from dpwidgets.inputs.notation import ROUNDING
from known import QUERIES, RECORDS, suited
from strategies import asked, numbers
from tools import or_message

epsilons, answers, probabilities = map(numbers, (EPSILON, NUMBER, PROBABILITY))
beliefs = numbers(breach.PRIOR)


def test_no_source_of_a_module_chooses_examples():
    """The numbers in it would, and which are read hangs on where the clone lies."""
    assert len(HypothesisProvider(None)._local_constants) == 0


# -------------------- bayes

shares = numbers(bayes.P) | st.floats(1e-9, 1 - 1e-9)
near = answers | st.floats(-50, 50) | st.floats(-1e6, 2e6)
some = st.integers(1, 60) | st.integers(1, 2000)


@given(near, st.floats(0, 1e3), numbers(bayes.N), shares, epsilons)
def test_one_answer(answer, more, n, p, e):
    law = asked(bayes.posterior, answer, n, p, e)
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
    for masses in (asked(lambda: one.prior), asked(lambda: one.posterior)):
        assert masses.shape == one.counts.shape
        assert masses.sum() == pytest.approx(1, rel=1e-9)
    assert one.counts @ one.posterior == pytest.approx(one.mean, rel=1e-12)


@given(some, shares, epsilons, shares | st.none(), st.floats(0, 1))
def test_averages(n, p, e, true_p, share):
    given = n, p, e
    errors = {
        name: asked(bayes.mean_error, *given, name, true_p)
        for name in bayes.ESTIMATORS
    }
    within = [
        error
        for name, error in errors.items()
        if name not in ("naive", "rounded")
    ]
    assert min(errors.values()) >= 0
    assert max(within) <= n
    if true_p is None:
        assert errors["posterior median"] <= min(errors.values()) + 1e-9 * n
    assert errors["clamped"] <= errors["naive"] * (1 + 1e-12)
    assert 0 <= asked(bayes.chance_closer, *given, true_p) <= 1
    count = round(share * n)
    assert 0 <= asked(bayes.mean_error, *given, true_count=count) <= n
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


# -------------------- loss

# What numpy would rather let pass is an error in all of these.
strict = np.errstate(all="raise")
mus = numbers(loss.MU)
counts = numbers(loss.COUNT).map(int)
deltas = numbers(loss.DELTA)


@st.composite
def two_lists_of_masses(draw):
    size = draw(st.integers(1, 5))
    mass = st.one_of(st.just(0.0), numbers(within(1e-300, 1)))
    lists = [
        draw(st.lists(mass, min_size=size, max_size=size)) for _ in range(2)
    ]
    assume(all(sum(one) > 0 for one in lists))
    shares = [np.array(one) / sum(one) for one in lists]
    assume(all(((one == 0) | (one >= 1e-300)).all() for one in shares))
    return shares


kinds = st.sampled_from(["laplace", "randomized_response"])
releases = st.one_of(
    st.fixed_dictionaries({"mechanism": kinds, "epsilon": epsilons}),
    mus.map(lambda mu: {"mechanism": "gaussian", "mu": mu}),
    numbers(loss.TRIALS).map(
        lambda trials: {"mechanism": "binomial", "trials": trials}
    ),
    two_lists_of_masses().map(
        lambda both: {"mechanism": "finite", "p": both[0], "q": both[1]}
    ),
)
single = releases.map(lambda made: loss.release(**made).law)
laws = st.one_of(
    single, st.builds(lambda law, count: law.compose(count), single, counts)
)


@st.composite
def mixtures(draw):
    both = asked(draw(laws).compose_with, draw(laws))
    assume(both is not None)  # together they may be too many
    return both


def places(law):
    """Losses about the law's mean and at 0, and the ends of what may be asked for."""
    mean = min(law.mean(), 1e12)
    near = mean + math.sqrt(2 * mean) * np.linspace(-4, 4, 9)
    return np.unique(
        np.concatenate(
            [near, [0.0, 1e-8, -1.0, loss.LOSS.low, loss.LOSS.high]]
        )
    )


@given(laws | mixtures(), deltas)
@strict
def test_a_law_gives_probabilities_and_an_epsilon_that_keeps_its_delta(
    law, allowed
):
    at = places(law)
    delta, tail, cdf = law.delta(at), law.tail(at), law.cdf(at)
    for one in (delta, tail, cdf):
        assert ((one >= 0) & (one <= 1)).all()
    for falling in (delta, tail, 1 - cdf):
        assert (np.diff(falling) <= 1e-12).all()
    assert np.abs(cdf + tail - 1).max() <= 1e-9
    assert law.mean() >= 0
    assert 0 <= law.infinite() <= 1
    assert law.reversed().reversed() == law
    epsilon = or_message(law.epsilon, allowed, says=["delta must be at least"])
    if epsilon is None:
        # Of the sum of many releases so small a δ has no digits.
        releases = sum(count for _, count in law.parts)
        assert allowed - law.infinite() < loss.least_delta(releases)
    elif math.isinf(epsilon):
        assert law.infinite() > allowed
    else:
        assert epsilon >= 0
        assert law.delta(epsilon) <= allowed


@given(releases, counts, answers, deltas, st.booleans())
@strict
def test_a_release_stands(made, compositions, answer, delta, swapped):
    one = loss.release(
        **made,
        compositions=compositions,
        delta=delta,
        swapped=swapped,
    )
    lost = one.loss_of(answer)
    assert not math.isnan(lost) or one.mechanism in ("binomial", "finite")
    if "epsilon" in made:
        assert abs(lost) <= made["epsilon"]
    if delta - max(one.law.infinite(), one.other.law.infinite()) < (
        loss.least_delta(compositions)
    ):
        return
    assert one.epsilon >= 0
    assert 0 <= one.share <= 1
    assert one.reach >= 0
    if math.isfinite(one.epsilon):
        # What is rounded up is so but for a billionth, by which two ways of
        # computing may differ.
        assert one.law.delta(one.epsilon * (1 + ROUNDING)) <= delta
    if math.isfinite(one.guarantee):
        for order in (one, one.other):
            assert order.law.delta(one.guarantee * (1 + ROUNDING)) <= delta
    assert one.other.other == one


# They search among many laws.
@settings(max_examples=max(1, settings().max_examples // 3))
@example(1.0, 0.0, 12)
@example(1e-4, 0.0, 100_000)
@given(numbers(loss.TOTAL), numbers(loss.DELTA_OR_NONE), counts)
@strict
def test_a_budget_is_kept(total, delta, count):
    says = ["compositions must be fewer here"]
    one = or_message(loss.epsilon, total, delta, count, says=says)
    if one is None:
        return
    assert EPSILON.contains(np.array(one))
    if delta == 0:
        assert one * count <= total * (1 + 1e-15)
        return
    # What any may have, all may.
    makers = (loss.laplace, loss.randomized_response)
    assert (
        min(make(one).compose(count).delta(total) for make in makers) <= delta
    )
