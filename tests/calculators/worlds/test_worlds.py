"""The worlds text's calculator against brute force and the facts that make it fast."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import noise
from dpwidgets.calculators.worlds import Worlds, disclosure
from dpwidgets.inputs.domain import EPSILON
from known import QUERIES, RECORDS, build, suited
from strategies import asked, numbers

# -------------------- brute force


def brute_force(values, query):
    """Return the answers and Δf by their definitions."""
    values, n = list(values), len(values)
    answers = [query(values[:i] + values[i + 1 :]) for i in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    return np.array(answers), max(
        abs(
            answers[i]
            - query([values[k] for k in range(n) if k not in (i, j)])
        )
        for i, j in pairs
    )


lists = st.lists(RECORDS, min_size=3, max_size=9)
queries = st.sampled_from(list(QUERIES))


@given(lists, queries, st.sampled_from([0.0, 1e6]))
def test_fast_is_brute_force(values, query, offset):
    values = suited([value + offset for value in values], query)
    worlds, size = build(Worlds, values, query), max(map(abs, values))
    answers, sensitivity = brute_force(values, QUERIES[query])
    close = {"rel": 1e-12, "abs": 1e-12 * size}
    assert worlds.answers == pytest.approx(answers, **close)
    assert worlds.sensitivity == pytest.approx(sensitivity, **close)
    assert worlds.spread == pytest.approx(np.ptp(answers), **close)


# -------------------- the facts that make it fast


@given(
    lists,
    queries,
    st.floats(0, 1, exclude_min=True, exclude_max=True),
    numbers(EPSILON),
)
def test_epsilon_is_the_largest_that_keeps_the_risk(
    values, query, share, any_epsilon
):
    worlds = build(Worlds, suited(values, query), query)
    n = len(values)
    below, above = asked(worlds.risk, sorted((1.0, any_epsilon)))
    assert 1 / n * (1 - 1e-12) <= below <= above * (1 + 1e-12) < 1 + 1e-12
    reached = asked(worlds.risk, any_epsilon)
    assert (
        reached
        <= asked(worlds.risk_bound, any_epsilon) * (1 + 1e-12)
        < 1 + 1e-12
    )
    assert asked(worlds.guess_rate, any_epsilon) <= reached * (1 + 1e-11)
    for risk in (1 / n + share * (1 - 1 / n), reached):
        if not worlds.tolerated(bound=True).low <= risk < 1:
            continue
        bound = asked(worlds.epsilon_bound, risk)
        epsilon = asked(worlds.epsilon, risk)
        assert bound > 0
        assert bound <= epsilon or worlds.risk(bound) == pytest.approx(
            risk, rel=1e-12
        )
        assert bound in (1e-8, 1000) or worlds.risk_bound(
            bound
        ) == pytest.approx(risk, rel=1e-12)
        assert worlds.risk(epsilon) <= risk  # also where epsilon is infinite
        if epsilon < 1000:
            assert worlds.risk(epsilon) == pytest.approx(risk, rel=1e-12)


def test_just_above_a_blind_guess_epsilon_would_be_too_small():
    worlds = Worlds(np.arange(10))
    pairs = (
        (worlds.epsilon, worlds.risk),
        (worlds.epsilon_bound, worlds.risk_bound),
    )
    for function, least in pairs:
        assert function(least(1e-8)) == pytest.approx(1e-8, rel=1e-6)
        for risk in (np.nextafter(0.1, 1), 0.1, 0, 1, np.nan):
            with pytest.raises(
                ValueError,
                match=r"risk .* above 1/10, .* and below 1; got .*1e-8",
            ):
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
    # A place in the input.
    assert Worlds([5, 0, 0, 0, 10, 10, 10]).worst(9) == 0


def test_the_guess_rate_is_what_the_envelope_encloses():
    worlds, epsilon = Worlds([0, 0.3, 1.1, 1.1, 4]), 1.3
    law = noise.Laplace(worlds.sensitivity / epsilon)
    far = 40 * law.scale
    grid = np.linspace(
        worlds.answers.min() - far, worlds.answers.max() + far, 400_001
    )
    envelope = law.density(grid[:, None] - worlds.answers).max(axis=1)
    assert worlds.guess_rate(epsilon) == pytest.approx(
        np.trapezoid(envelope, grid) / 5, rel=1e-7
    )


# -------------------- a disclosure


ABSENCE = [1, 2, 3, 10]
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


FOUR = Worlds(ABSENCE)
#: What a disclosure of the students says, by the worlds; of the last, without noise.
TOLD = {
    "names": ("Chris", "Kelly", "Pat", "Terry"),
    "guesses": (3,),
    "exact_risk": FOUR.risk(2),
    "largest_epsilon": FOUR.epsilon(1 / 3),
    "epsilon_bound": FOUR.epsilon_bound(1 / 3),
    "frame": pytest.approx((2 - 17 / 3, 5 + 17 / 3)),
    "scale": pytest.approx(17 / 12),
    "drawn": (3, 2, 1, 0),
}
LAST = {
    "answer": 2,
    "answer_without_noise": 2,
    "exact_risk": FOUR.risk(2),
    "largest_epsilon": 0,
    "epsilon_bound": 0,
}


def test_a_disclosure_is_what_the_worlds_say():
    told = disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
    last = disclosure(ABSENCE, epsilon=2, risk=0.25)
    for one, says in ((told, TOLD), (last, LAST)):
        assert {name: getattr(one, name) for name in says} == says
    assert last.posterior.max() == pytest.approx(last.exact_risk)
    assert told == disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
    assert told != disclosure(ABSENCE, epsilon=2, risk=1 / 3, answer=2.2013)


@pytest.mark.parametrize("values", [ABSENCE, [7, 7, 7]])
def test_nobody_changes_the_answers_of_all_who_ask_the_same(values):
    with pytest.raises(ValueError, match="read-only"):
        disclosure(values, epsilon=2, risk=0.5).answers.sort()


def test_so_many_answers_lie_outside_the_frame():
    told = disclosure(STUDENTS, epsilon=0.5, risk=1 / 3)
    drawn = told.draw(3, np.random.default_rng(2), 40_000)
    answers = told.answers[:, np.newaxis] - told.answers[3] + drawn
    low, high = told.frame
    outside = ((answers < low) | (answers > high)).mean()
    assert told.beyond == pytest.approx(outside, abs=0.01)


def test_worlds_that_tie_are_all_guessed():
    assert disclosure(
        ABSENCE, "median", epsilon=2, risk=0.5, answer=0
    ).guesses == (2, 3)
    assert disclosure(
        [0] * 30 + [1] * 40, "max", epsilon=1, risk=0.5
    ).guesses == tuple(range(70))


def test_true_is_1_where_people_are_counted():
    flags = [True, False, np.bool_(True), 0]
    for column in (flags, np.array(flags, dtype=object), np.array(flags) == 1):
        assert Worlds(column, "count").answers.tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("query", "alike", "answer"),
    [("count", [1, 1, 1, 1], 3), ("max", [3, 7, 7, 7], 7)],
)
def test_worlds_that_all_answer_alike_tell_nothing(query, alike, answer):
    told = disclosure(alike, query, epsilon=2, risk=0.3)
    assert (told.answers.tolist(), told.answer) == ([answer] * 4, answer)
    assert told.posterior.tolist() == [0.25] * 4
    assert (told.exact_risk, told.scale) == (0.25, 0)
    assert (told.largest_epsilon, told.epsilon_bound) == (np.inf, np.inf)
    assert [
        disclosure(alike, query, epsilon=2, risk=risk).largest_epsilon
        for risk in (0.25, 0.24)
    ] == [np.inf, 0]


def test_of_many_worlds_a_few_are_drawn():
    values = np.random.default_rng(8).permutation(
        np.append(np.arange(100), [1000.0])
    )
    told = disclosure(values, epsilon=5, risk=0.5, answer=9.2)
    answers, drawn = told.answers, np.array(told.drawn)
    assert answers[drawn].tolist() == sorted(answers[drawn])
    for quantile in (0, 0.25, 0.5, 0.75, 1):
        assert np.quantile(answers, quantile, method="lower") in answers[drawn]
    assert {told.worlds.worst(5), told.guesses[0]} <= set(told.drawn)
    assert len(disclosure(values[:10], epsilon=5, risk=0.5).drawn) == 10
    assert len(disclosure(values[:11], epsilon=5, risk=0.5).drawn) <= 7
