"""Students' own numbers: each lab's questions have an answer for every student."""

import functools

import numpy as np
import pytest

from dpwidgets import labs
from dpwidgets.calculators import breach, interval, loss
from sources import each_lab

MANY = 100
#: Some numbers of one student, by lab.
BEGUN = {
    1: {"epsilon": 0.74, "answer": 49.9, "budget": 3.31},
    2: {
        "days": (4, 7, 5, 3, 1, 11, 10, 8),
        "first_answer": 5.9,
        "third_answer": 7.14,
        "noisy_count": -2.1,
    },
    3: {"count": 706, "posterior": 0.75, "offer": 0.027, "branch": 111},
}


@functools.cache
def drawn(lab):
    """Return the numbers of many students."""
    return [labs.numbers(f"s{student}", lab) for student in range(MANY)]


@each_lab
def test_every_student_has_numbers_of_their_own(lab):
    number = int(lab.removeprefix("lab"))
    assert len({repr(mine) for mine in drawn(number)}) == MANY
    # One spelling of an id has the numbers of all that the tests accept.
    assert all(
        labs.numbers(one, number) == drawn(number)[1]
        for one in ("s1", " S1 ", "ſ1")
    )


def test_a_student_who_has_begun_keeps_the_numbers_which_are_shown_one_a_line():
    for lab, kept in BEGUN.items():
        assert kept.items() <= vars(labs.numbers("s123", lab)).items()
    first, second, *others = repr(labs.numbers("s123", 1)).splitlines()
    assert (first, second) == ("epsilon = 0.74", "prior = 0.23")
    assert len(others) == 9


def test_lab_1_asks_for_beliefs_and_answers_that_make_sense():
    for mine in drawn(1):
        assert 0 < mine.prior < mine.limit < 1
        assert (
            mine.others + 0.5
            < mine.answer
            < mine.others + 1
            < mine.second_answer
        )


def test_lab_2_has_one_best_guess_and_answers_that_say_too_much():
    for mine in drawn(2):
        assert len({*mine.names, mine.newcomer}) == 9
        assert len(set(mine.days)) == 8
        assert 0 <= min(mine.days) <= max(mine.days) < mine.most_days
        means = (sum(mine.days) - np.array(mine.days)) / 7
        one, two = (
            np.exp(-abs(answer - means) / mine.scale)
            for answer in (mine.first_answer, mine.second_answer)
        )
        for beliefs in (one / one.sum(), one * two / (one @ two)):
            second, best = np.sort(beliefs)[-2:]
            assert max(second, mine.risk, 1 / 8) < best - 0.04
        counts = np.arange(mine.most_days + 1)
        chances = mine.most_days + 1 - counts
        distances = abs(mine.third_answer - (sum(mine.days) + counts) / 9)
        beliefs = chances * np.exp(
            -distances / (mine.most_days / 9 / mine.epsilon)
        )
        before, after = (
            weights[mine.many_days + 1 :].sum() / weights.sum()
            for weights in (chances, beliefs)
        )
        assert before < mine.limit < after
        assert mine.noisy_count < 0 < mine.n * mine.share < mine.n
        assert mine.releases > 1


def test_lab_3_has_room_for_the_town_and_none_for_the_branch():
    def together(epsilon):
        return loss.laplace(epsilon).compose(mine.releases).epsilon(mine.delta)

    for mine in drawn(3)[:50]:
        low = interval.epsilon(mine.half_width, mine.confidence, mine.count)
        branch = interval.epsilon(
            mine.half_width, mine.confidence, mine.branch
        )
        total = breach.epsilon(mine.prior, mine.posterior)
        assert together(1.4 * low) < total < together(branch / 1.5)
        # So the promise allows at least one count of the branch.
        assert branch < total
        # And δ makes a difference.
        assert together(1.2 * total / mine.releases) < total
        assert mine.prior + 0.2 < mine.posterior < 0.9
        assert breach.posterior(mine.prior, mine.releases * mine.offer) < 0.95


def test_a_seed_or_lab_that_cannot_be_is_refused():
    for seed, lab, error, message in (
        (123, 1, TypeError, "between quotation marks"),
        (" ", 1, ValueError, "it is empty"),
        ("s123", 9, ValueError, "lab must be one of 1"),
    ):
        with pytest.raises(error, match=message):
            labs.numbers(seed, lab)
