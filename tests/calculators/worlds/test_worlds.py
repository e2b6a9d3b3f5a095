"""The worlds text's calculator against brute force and the facts that make it fast."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from dpwidgets.calculators import noise
from dpwidgets.calculators.worlds import Worlds
from known import QUERIES, build

# -------------------- brute force


def brute_force(values, query):
    """Return the answers and Δf by their definitions."""
    values, n = list(values), len(values)
    answers = [query(values[:i] + values[i + 1 :]) for i in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    return np.array(answers), max(
        abs(answers[i] - query([values[k] for k in range(n) if k not in (i, j)])) for i, j in pairs
    )


def brute_sums(worlds, epsilon):
    """Return 1 / the posterior of each world at its own answer."""
    distances = np.abs(worlds.answers[:, None] - worlds.answers)
    return np.exp(-distances * epsilon / worlds.sensitivity).sum(axis=1)


def databases():
    rng = np.random.default_rng(4)
    for n in (3, 3, 4, 5, 6, 7, 9, 13):
        yield from (
            rng.integers(0, 3, n),  # ties
            rng.integers(-20, 20, n),
            rng.normal(-3, 10, n),
            rng.standard_cauchy(n),
            np.repeat(rng.normal(size=n), 2)[:n],  # duplicates
            np.append([5.0, 5.0], rng.choice([-1, 1], n - 2)),  # the nearest record leaves
            1e6 + rng.random(n).round(1),
        )


DATABASES = list(databases())


@pytest.mark.parametrize("query", QUERIES)
def test_fast_is_brute_force(query):
    compared = 0
    for values in DATABASES:
        answers, sensitivity = brute_force(values, QUERIES[query])
        size = np.abs(values).max() ** (2 if query == "variance" else 1)
        if np.ptp(answers) <= 1e-12 * size:
            continue
        worlds = Worlds(values, query)
        assert worlds.answers == pytest.approx(answers, rel=1e-12, abs=1e-12 * size)
        assert worlds.sensitivity == pytest.approx(sensitivity, rel=1e-12, abs=1e-12 * size)
        assert worlds.spread == pytest.approx(np.ptp(answers), rel=1e-12, abs=1e-12 * size)
        for epsilon in (1e-8, 0.01, 0.5, 1.0, 3.0, 50.0):
            assert worlds.risk(epsilon) == pytest.approx(
                1 / brute_sums(worlds, epsilon).min(), rel=1e-12
            )
        compared += 1
    assert compared >= 8
    fast, slow = (Worlds([0, 1, 3, 3, 4], one) for one in (query, QUERIES[query]))
    assert fast.answers == pytest.approx(slow.answers, rel=1e-13)
    assert fast.sensitivity == pytest.approx(slow.sensitivity, rel=1e-13)


def test_a_callable_gets_each_world_in_ascending_order():
    seen = []
    Worlds([3, 1, 2], lambda world: seen.append(world.tolist()) or world[0])
    assert [2, 3] in seen
    assert all(world == sorted(world) for world in seen)


def test_large_databases_agree_with_brute_force():
    values = np.random.default_rng(3).lognormal(10, 1, 1000).round(2)
    for query in QUERIES:
        if query != "count":
            worlds = Worlds(values, query)
            for epsilon in (2.0, 40.0, 299.9, 1000.0):
                expected = pytest.approx(1 / brute_sums(worlds, epsilon).min(), rel=1e-11)
                assert worlds.risk(epsilon) == expected


def test_a_risk_of_many_records_is_quick():
    worlds = Worlds(np.random.default_rng(3).lognormal(10, 1, 100_000))
    start = time.process_time()
    risks = worlds.risk([1e-8, 1.0, 300.0, 1000.0])
    worlds.epsilon(risks[2])
    assert time.process_time() - start < 60  # 0.3 s; pair by pair it is minutes
    assert (np.diff(risks) >= 0).all()


# -------------------- the facts that make it fast

lists = st.lists(
    st.integers(-30, 30) | st.floats(-100, 100).map(lambda x: round(x, 2)), min_size=3, max_size=9
)
queries = st.sampled_from(list(QUERIES))
epsilons = st.floats(1e-3, 50)


@given(lists, queries, epsilons, st.floats(-1000, 1000))
def test_a_posterior_is_largest_at_the_worlds_own_answer(values, query, epsilon, answer):
    worlds = build(Worlds, values, query)
    own = np.diag(worlds.posterior(worlds.answers, epsilon))
    assert own == pytest.approx(1 / brute_sums(worlds, epsilon), rel=1e-12)
    assert (worlds.posterior(answer, epsilon) <= own * (1 + 1e-12)).all()
    assert worlds.risk(epsilon) == pytest.approx(own.max(), rel=1e-11)
    assert own[worlds.worst(epsilon)] == pytest.approx(own.max(), rel=1e-9)


@settings(max_examples=200)
@given(lists, queries, st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_epsilon_is_the_largest_that_keeps_the_risk(values, query, share):
    worlds = build(Worlds, values, query)
    n = len(values)
    risk = 1 / n + share * (1 - 1 / n)
    assume(worlds.tolerated(bound=True).low <= risk < 1)
    bound, epsilon = worlds.epsilon_bound(risk), worlds.epsilon(risk)
    assert bound > 0
    assert bound <= epsilon or worlds.risk(bound) == pytest.approx(risk, rel=1e-12)
    assert bound == 1000 or worlds.risk_bound(bound) == pytest.approx(risk, rel=1e-12)
    assert worlds.risk(epsilon) <= risk  # also where epsilon is infinite
    if epsilon < 1000:
        assert worlds.risk(epsilon) == pytest.approx(risk, rel=1e-12)


def test_just_above_a_blind_guess_epsilon_would_be_too_small():
    worlds = Worlds(np.arange(10))
    for function, least in (
        (worlds.epsilon, worlds.risk),
        (worlds.epsilon_bound, worlds.risk_bound),
    ):
        assert function(least(1e-8)) == pytest.approx(1e-8, rel=1e-6)
        for risk in (np.nextafter(0.1, 1), 0.1, 0, 1, np.nan):
            with pytest.raises(ValueError, match=r"risk .* above 1/10, .* and below 1; got .*1e-8"):
                function(risk)


@pytest.mark.parametrize("ties", [2, 3, 7, 49])
def test_tied_worlds_hide_each_other_for_ever(ties):
    worlds = Worlds([0] * ties + [1] * (ties + 1))
    assert worlds.epsilon(1 / ties) == worlds.epsilon(0.9) == np.inf
    assert np.isfinite(worlds.epsilon(np.nextafter(1 / ties, 0)))
    assert worlds.risk(1000) == pytest.approx(1 / ties, rel=1e-15)
    assert worlds.risk(np.inf) == 1 / ties
    assert worlds.guess_rate(np.inf) == pytest.approx(2 / (2 * ties + 1))
    assert worlds.worst(np.inf) == 0
    assert Worlds([5, 0, 0, 0, 10, 10, 10]).worst(9) == 0  # a place in the input


@pytest.mark.parametrize("query", ["variance", np.var])
def test_ties_up_to_rounding_are_ties(query):
    worlds = Worlds([0.1, 0.2, 0.3, 0.4], query)  # the variances of the worlds are two pairs
    assert len(set(worlds.answers)) > 2 or query == "variance"
    assert worlds.epsilon(0.5) == np.inf


def test_the_guess_rate_is_what_the_envelope_encloses():
    worlds, epsilon = Worlds([0, 0.3, 1.1, 1.1, 4]), 1.3
    law = noise.Laplace(worlds.sensitivity / epsilon)
    grid = np.linspace(
        worlds.answers.min() - 40 * law.scale, worlds.answers.max() + 40 * law.scale, 400_001
    )
    envelope = law.density(grid[:, None] - worlds.answers).max(axis=1)
    assert worlds.guess_rate(epsilon) == pytest.approx(np.trapezoid(envelope, grid) / 5, rel=1e-7)


# -------------------- bad input, besides what every door refuses

THREE = "values must be a list of at least three finite numbers; got"
ALIKE = "values must .* from every world.* with other records it may"
ONE_NUMBER = "query must be a function that returns one number from −1e30 to 1e30 for every wor"
SIZE = r"values must have .* the largest is from 1e-12 to 1e\+12, or 0; got "


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *((([1, 2, 3, bad],), f"{THREE} {bad}") for bad in (np.nan, np.inf)),
        *(((bad,), f"{THREE} an array of shape") for bad in ([1, 2], 5, [[1, 2, 3], [4, 5, 6]])),
        *(((bad,), THREE) for bad in (["a", "b", "c"], None, [1, 2, None])),
        *((([0.1] * 5, query), ALIKE) for query in QUERIES),
        (([0.1, 0.2, 0.1, 0.2, 0.1, 0.2], "variance"), ALIKE),
        *(
            (([1, 2, 3, 4], bad), "query must be one of 'mean', .*, or a function")
            for bad in ("mode", 3)
        ),
        *((([1, 2, 3, 4], lambda world, bad=bad: bad), ONE_NUMBER) for bad in (np.nan, [1.0], "1")),
        (
            ([1, 2, 3, 4], lambda world: 1 / 0),
            "query must be a function .*; it raised ZeroDivisionErr",
        ),
        ((np.arange(201), np.mean), "values must be at most 200 where query is a function"),
        *(((bad,), SIZE) for bad in ([1e308, -1e308, 1e308], [0, 1e-13, 2e-14])),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Worlds(*arguments)
