"""The breach text's calculator against mpmath, brute force, its theorem and the worlds' room."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, noise
from dpwidgets.calculators.breach import Attack
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.inputs.domain import ALMOST_ONE, EPSILON
from known import QUERIES, RECORDS, build, suited
from strategies import asked, numbers

mpmath.mp.dps = 60

probabilities = numbers(breach.PRIOR) | st.floats(1e-12, 1 - 1e-12)


def assert_close(computed, expected, tolerance=1e-13):
    assert (
        abs(mpmath.mpf(computed) - expected)
        <= tolerance * abs(expected) + 1e-320
    )


def exact_epsilon(prior, posterior):
    prior, posterior = mpmath.mpf(prior), mpmath.mpf(posterior)
    return mpmath.log(posterior * (1 - prior) / (prior * (1 - posterior)))


def exact_belief(probability, epsilon):
    """Return the probability whose odds are e^epsilon times as large."""
    probability = mpmath.mpf(probability)
    factor = mpmath.exp(mpmath.mpf(epsilon))
    return factor * probability / (1 - probability + factor * probability)


# -------------------- the identity


@given(probabilities, probabilities, numbers(EPSILON))
def test_beliefs_move_by_epsilon_in_log_odds(one, other, e):
    raised = asked(breach.posterior, one, e)
    lowered = asked(breach.downward, one, e)
    assert 0 <= lowered <= one <= raised < 1
    assert_close(raised, min(exact_belief(one, e), ALMOST_ONE))
    assert_close(lowered, exact_belief(one, -e))
    prior = asked(breach.prior, one, e)
    if prior is None:
        assert exact_belief(one, -e) < breach.PRIOR.low
    else:
        assert_close(
            prior, max(exact_belief(one, -e), breach.PRIOR.low), 1e-12
        )
        assert EPSILON.low <= asked(breach.epsilon, prior, one) <= EPSILON.high
    # What one returns, another accepts.
    assert EPSILON.low <= asked(breach.epsilon, one, raised) <= EPSILON.high
    low, high = sorted((one, other))
    # No digits are lost where they almost meet.
    near = low + 3e-8 * low * (1 - low)
    for belief in (high, near):
        if (
            belief < 1 - 1e-6
            and 1e-7 < exact_epsilon(low, belief) < EPSILON.high
        ):
            assert_close(
                asked(breach.epsilon, low, belief), exact_epsilon(low, belief)
            )


# -------------------- the text's numbers


def test_differential_identifiability():
    """Lee and Clifton (2012): the ticks of Fig. 3."""
    tolerated = [
        0.5,
        0.0625,
        0.0078125,
        0.0009765625,
        0.0001220703125,
        1.52587890625e-05,
    ]
    ticks = [11.513, 8.805, 6.669, 4.582, 2.502, 0.423]
    assert breach.identifiability(100_000, tolerated) == pytest.approx(
        ticks, abs=5.1e-4
    )


# -------------------- one test for both rooms


@pytest.mark.parametrize(
    "values", [[0, 1, 1], [0] * 4 + [1], [0] * 29 + [1] * 3, [1, 2, 3, 10]]
)
def test_a_blind_guess_for_a_prior_gives_the_worlds_bound(values):
    """The worlds text's eqs. (5) and (7) are this text's identity at ρ1 = 1/n, times Δf/Δv."""
    worlds, n = Worlds(values, "sum"), len(values)
    steps = worlds.spread / worlds.sensitivity
    for e in (1e-3, 0.8109, 2.0, 5.0, 50.0):
        assert worlds.risk_bound(e) == pytest.approx(
            breach.posterior(1 / n, e * steps), rel=1e-13
        )
    for risk in (1.0001 / n, 0.4, 0.9):
        expected = pytest.approx(
            breach.epsilon(1 / n, risk) / steps, rel=1e-13
        )
        assert worlds.epsilon_bound(risk) == expected


# -------------------- the attack

universes = st.lists(RECORDS, min_size=2, max_size=7, unique_by=float)


@given(
    st.lists(RECORDS, max_size=6), universes, st.sampled_from(list(QUERIES))
)
def test_the_candidates_answers_are_their_definitions(known, universe, query):
    """Bayes' rule from there on holds for all candidates: test_noise.py."""
    known = suited(known, query)
    universe = [0, 1] if query == "count" else universe
    attack = build(Attack, known, universe, query)
    size = max(map(abs, known + universe))
    answers = np.array(
        [float(QUERIES[query]([*known, value])) for value in universe]
    )
    assert attack.answers == pytest.approx(
        answers, rel=1e-12, abs=1e-12 * size
    )
    assert attack.sensitivity == pytest.approx(
        np.ptp(answers), rel=1e-12, abs=1e-12 * size
    )


# -------------------- the noise ratio


def test_many_noise_ratios_follow_their_law():
    runs = 200_000
    drawn = breach.noise_ratio(0.7, 100, runs, np.random.default_rng(3))
    assert drawn.values.shape == (runs,)
    assert np.percentile(drawn.values, [25, 50, 75]) == pytest.approx(
        drawn.quartiles, abs=0.02 * drawn.scale
    )
    law = noise.Laplace(drawn.scale)
    assert drawn.quartiles == pytest.approx(
        [law.quantile(p) for p in (0.25, 0.5, 0.75)], rel=1e-14
    )
    outside = (drawn.values < drawn.fences[0]) | (
        drawn.values > drawn.fences[1]
    )
    assert outside.mean() == pytest.approx(
        1 / 16, abs=5 * np.sqrt(1 / 16 / runs)
    )


def test_the_noise_is_that_of_the_mean():
    kept = breach.promise(
        prior=0.01, posterior=0.2, attribute="hours-per-week"
    )
    drawn = kept.noise(kept.epsilon)
    assert drawn.quartiles[2] * kept.marginal.range == pytest.approx(
        kept.scale * np.log(2)
    )
    assert drawn.values.size == 1000
    assert (drawn.values == kept.noise(kept.epsilon).values).all()


# -------------------- the counts of Adult, against figures of all 48,842
# records


# Smallest, largest, how many values occur, sum, sum of squares, median.
FIGURES = {
    "age": (17, 90, 74, 1887430, 82118100, 37),
    "education-num": (1, 16, 16, 492234, 5283612, 10),
    "hours-per-week": (1, 99, 96, 1974310, 87305746, 40),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_comes_out(name):
    low, high, distinct, total, squares, median = FIGURES[name]
    marginal = breach.attribute(name)
    records = np.repeat(marginal.values, marginal.counts.astype(int))
    assert (marginal.n, records.size) == (48842, 48842)
    assert (marginal.min, marginal.max, marginal.range) == (
        low,
        high,
        high - low,
    )
    assert (records.sum(), (records**2).sum(), np.median(records)) == (
        total,
        squares,
        median,
    )
    assert marginal.sensitivity == pytest.approx(
        (high - low) / 48842, rel=1e-15
    )
    assert (np.diff(marginal.values) > 0).all()
    assert (marginal.counts > 0).all()
    assert marginal.values.size == distinct
    assert marginal.universe.tolist() == list(range(low, high + 1))
