"""What a template says is true, and its answer follows from its own words.

An oracle takes the numbers of a prompt as a reader finds them there. It says
whether they fit each other, and computes anew the answer, the wrong numbers
that have a name, and the numbers of the hint and of the solution, in the order
of the words. It knows Laplace noise and Bayes' rule, and nothing of dpwidgets.
"""

import itertools
from typing import NamedTuple

import pytest
from mpmath import exp, log, sqrt

from dpwidgets.teaching.templates import TEMPLATES
from numbers_in_words import ALWAYS, numbers


class Truth(NamedTuple):
    """What follows from the numbers of a prompt."""

    answer: object
    wrong: list
    hint: list
    solution: list


def odds(chance):
    return chance / (1 - chance)


def chance(odds):
    return odds / (1 + odds)


def interval_of_another_epsilon(epsilon, share, reach, other, same):
    assert reach == round(log(1 / (1 - share)) / epsilon)
    assert same == share
    factor = epsilon / other
    wider = reach * factor
    return Truth(wider, [reach / factor, reach], [], [factor, factor, wider])


def which_end_is_private(*epsilons):
    best, other, worst = sorted(epsilons)
    return Truth(best, [worst, other], [], [best])


def most_of_an_even_bet(counts, epsilon):
    most = exp(epsilon) ** counts
    wrong = [chance(exp(epsilon)), most]
    return Truth(chance(most), wrong, [1, 1, epsilon], [most, 1, chance(most)])


def loss_of_a_far_answer(without, with_you, epsilon, answer):
    farther = abs(answer - without), abs(answer - with_you)
    loss = log(exp(-epsilon * farther[1]) / exp(-epsilon * farther[0]))
    solution = [epsilon, *farther, loss]
    return Truth(
        loss,
        [-loss, exp(loss), loss * answer],
        [answer, with_you, without],
        solution,
    )


def odds_after_a_loss(factor, one, of):
    before = odds(one / of)
    after = factor * before
    solution = [
        1,
        of - 1,
        factor,
        of - 1,
        factor,
        factor + of - 1,
        chance(after),
    ]
    wrong = [one / of, chance(before / factor), after]
    return Truth(chance(after), wrong, [1, of, 1, of - 1], solution)


def epsilon_of_an_interval(count, width, confidence):
    people, missed = width * count, -log(1 - confidence)
    epsilon = missed / people
    wrong = [
        -epsilon,
        1 / epsilon,
        missed / (2 * people),
        -log(confidence) / people,
    ]
    solution = [
        width,
        count,
        people,
        1,
        confidence,
        people,
        missed,
        people,
        epsilon,
    ]
    return Truth(epsilon, wrong, [width, count, 1, confidence], solution)


def impossible_answers(count, n, epsilon, low, high):
    assert (low, high) == (0, n)
    below, above = exp(-epsilon * count) / 2, exp(-epsilon * (n - count)) / 2
    assert above < below / 1000  # hardly matters
    share = below + above
    solution = [epsilon, count, 2, below]
    return Truth(
        share, [2 * share, 1 - share, exp(0) / 2], [2, 0, n], solution
    )


def one_record_after_an_answer(p, epsilon, answer):
    nearer = abs(answer - 0) - abs(answer - 1)
    after = odds(p) * exp(epsilon * nearer)
    solution = [p, 1 - p, epsilon, after, chance(after)]
    return Truth(
        chance(after),
        [p, 1 - chance(after), after],
        [answer, 1, 0, epsilon],
        solution,
    )


def how_far_worlds_answer_apart(*records):
    sums = [sum(records) - record for record in records]
    apart = max(sums) - min(sums)
    solution = [min(records), max(records), apart]
    return Truth(apart, [max(records), sum(records)], [], solution)


def how_much_two_worlds_differ(sensitivity, spread, epsilon):
    scale = sensitivity / epsilon
    wrong = [
        exp(epsilon),
        spread / scale,
        exp(epsilon / (spread / sensitivity)),
    ]
    factor = exp(spread / scale)
    return Truth(factor, wrong, [], [epsilon, spread, sensitivity, factor])


def epsilon_of_a_promise(one, before, other, after):
    ratio = odds(other / after) / odds(one / before)
    wrong = [log(before / after), ratio]
    hint = [1, before - 1, 1, after - 1]
    return Truth(log(ratio), wrong, hint, [before - 1, after - 1, log(ratio)])


def epsilon_of_all_releases(releases, epsilon):
    total = sum([epsilon] * int(releases))
    wrong = [epsilon, epsilon * sqrt(releases), epsilon / releases]
    return Truth(total, wrong, [epsilon], [releases, epsilon, total])


def belief_after_all_releases(releases, epsilon, before):
    factor = exp(epsilon) ** releases
    after = chance(odds(before) * factor)
    wrong = [chance(odds(before) * exp(epsilon)), before * factor]
    return Truth(after, wrong, [], [releases * epsilon, after])


def epsilon_of_a_table(cells, scale, most):
    # One falls out of as many counts as the other enters.
    sensitivity = most + most
    assert sensitivity <= cells
    epsilon = sensitivity / scale
    solution = [sensitivity, sensitivity, scale, epsilon]
    return Truth(epsilon, [most / scale, cells / scale], [1], solution)


def epsilon_of_a_factor(epsilon, factor):
    less = 1 / (factor * (1 / epsilon))
    return Truth(
        less, [epsilon * factor, epsilon], [], [epsilon, factor, less]
    )


def values(text):
    return [number.value for number in numbers(text)]


def close(found, true):
    return abs(found - true) <= 1e-9 * max(1, abs(true))


@pytest.mark.parametrize(
    "template", TEMPLATES, ids=lambda one: one.ask.__name__.strip("_")
)
def test_what_a_template_says_is_true_and_its_answer_follows_from_its_own_words(
    template,
):
    for drawn in itertools.product(*template.numbers.values()):
        asked = template.ask(**dict(zip(template.numbers, drawn, strict=True)))
        prompt = asked["prompt"]
        oracle = globals()[template.ask.__name__.strip("_")]
        truth = oracle(*values(prompt))
        found = [asked["answer"], *asked["misconceptions"]]
        if "choices" in asked:
            found = [values(choice)[0] for choice in found]
        for one, true in zip(found, [truth.answer, *truth.wrong], strict=True):
            assert close(one, true), (prompt, one, true)
        for part, trues in (
            ("hint", truth.hint),
            ("solution", truth.solution),
        ):
            said = numbers(asked[part])
            for number, true in zip(said, trues, strict=True):
                over = (number.value - true) / number.unit
                # What is at most may be rounded up.
                assert (
                    -0.5 - 1e-9
                    <= over
                    < (1 if "at most" in asked[part] else 0.5 + 1e-9)
                ), asked
        given = [*values(prompt), *ALWAYS]
        for one in values(" ".join(asked["misconceptions"].values())):
            assert any(close(one, other) for other in given), one
