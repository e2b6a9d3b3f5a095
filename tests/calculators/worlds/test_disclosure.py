"""What one noisy answer tells about who is missing, put together from the worlds."""

import numpy as np
import pytest

from dpwidgets.calculators.worlds import Worlds, disclosure

ABSENCE = [1, 2, 3, 10]
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def test_a_disclosure_is_what_the_worlds_say():
    told, worlds = disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013), Worlds(ABSENCE)
    assert told.names == ("Chris", "Kelly", "Pat", "Terry")
    assert told.guesses == (3,)
    assert told.exact_risk == worlds.risk(2)
    assert (told.largest_epsilon, told.epsilon_bound) == (
        worlds.epsilon(1 / 3),
        worlds.epsilon_bound(1 / 3),
    )
    assert told.frame == pytest.approx((2 - 17 / 3, 5 + 17 / 3))
    assert told.scale == pytest.approx(17 / 12)
    assert told.drawn == (3, 2, 1, 0)
    assert told == disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
    assert told != disclosure(ABSENCE, epsilon=2, risk=1 / 3, answer=2.2013)
    last = disclosure(ABSENCE, epsilon=2, risk=0.25)  # the last record is missing, without noise
    assert last.answer == last.answer_without_noise == 2
    assert last.posterior.max() == pytest.approx(last.exact_risk)
    assert (last.promises, last.largest_epsilon, last.epsilon_bound) == (False, 0, 0)


def test_worlds_that_tie_are_all_guessed():
    assert disclosure(ABSENCE, "median", epsilon=2, risk=0.5, answer=0).guesses == (2, 3)
    assert disclosure([0] * 30 + [1] * 40, "max", epsilon=1, risk=0.5).guesses == tuple(range(70))


@pytest.mark.parametrize("query", ["count", "max"])
def test_worlds_that_all_answer_alike_tell_nothing(query):
    told = disclosure([3, 7, 7, 7], query, epsilon=2, risk=0.3)
    assert told.worlds is None
    assert told.posterior.tolist() == [0.25] * 4
    assert (told.exact_risk, told.scale) == (0.25, 0)
    assert (told.largest_epsilon, told.epsilon_bound) == (np.inf, np.inf)
    assert disclosure([3, 7, 7, 7], query, epsilon=2, risk=0.25).largest_epsilon == 0


def test_of_many_worlds_a_few_are_drawn():
    values = np.random.default_rng(8).permutation(np.append(np.arange(100), [1000.0]))
    told = disclosure(values, epsilon=5, risk=0.5, answer=9.2)
    answers, drawn = told.answers, np.array(told.drawn)
    assert answers[drawn].tolist() == sorted(answers[drawn])
    for quantile in (0, 0.25, 0.5, 0.75, 1):
        assert np.quantile(answers, quantile, method="lower") in answers[drawn]
    assert {told.worlds.worst(5), told.guesses[0]} <= set(told.drawn)
    assert len(disclosure(values[:50], epsilon=5, risk=0.5).drawn) == 50
    assert len(disclosure(values[:51], epsilon=5, risk=0.5).drawn) <= 7
