"""Each template draws good questions that are true, and a review asks two that are due."""

import itertools
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from mpmath import erf, exp, log, sqrt

from dpwidgets import Progress, Review
from dpwidgets.teaching import progress
from dpwidgets.teaching.question import Question
from dpwidgets.teaching.recall import NOTEBOOKS, due, earlier
from dpwidgets.teaching.templates import TEMPLATES
from numbers_in_words import ALWAYS, numbers
from tools import ROOT, ask, assert_sound, press


def test_each_word_has_its_own_and_a_notebook_that_taught_it():
    counts = Counter(template.word for template in TEMPLATES)
    assert set(counts) == set(NOTEBOOKS)
    # The first review asks two, and of nothing else.
    assert counts["meanings"] >= 2
    assert all(
        (ROOT / "notebooks" / notebook).exists()
        for notebook in NOTEBOOKS.values()
    )
    assert len({template.key for template in TEMPLATES}) == len(TEMPLATES)


def assert_good(arguments):
    """Check one draw: one right answer, no misconception near it, and words that can be read."""
    # In one store, each new question tells all others.
    progress.store.cache_clear()
    question = Question(**arguments)
    assert_sound(question)
    for wrong in () if question.choices else question.misconceptions:
        # Nor once it is rounded.
        assert not question.judge(f"{wrong:.2g}")[0], wrong
    words = [arguments[name] for name in ("prompt", "hint", "solution")]
    for text in [*words, *question.misconceptions.values(), *question.choices]:
        assert not re.search(
            r"nan|inf|∞|undefined|\bTrue\b|\.0*[1-9]\d{5}|\{|\}", text
        ), text
        assert "  " not in text
    assert all(8 <= len(one) <= 280 for one in words)
    assert arguments["prompt"].endswith("?")


@pytest.mark.slow
@pytest.mark.parametrize(
    "template", TEMPLATES, ids=lambda one: one.ask.__name__.strip("_")
)
def test_all_that_a_template_can_ask_are_good_questions(template):
    every = [
        template.ask(**dict(zip(template.numbers, drawn, strict=True)))
        for drawn in itertools.product(*template.numbers.values())
    ]
    for arguments in every:
        assert_good(arguments)
    # Fresh numbers.
    assert len({arguments["prompt"] for arguments in every}) >= 12
    # No two misconceptions are ever the same number, which would hide one of
    # them.
    assert len({len(arguments["misconceptions"]) for arguments in every}) == 1


def test_a_review_asks_what_was_taught_before():
    words = list(NOTEBOOKS)
    for place, word in enumerate(words[1:], 1):
        assert {one.word for one in earlier(word)} == set(words[:place])
    assert earlier() == TEMPLATES
    for word in ("meanings", "nothing"):
        with pytest.raises(ValueError, match="before must be one of"):
            Review(word)


def test_what_was_missed_comes_first_then_what_was_never_asked_then_the_oldest():
    first, _, third, *_ = TEMPLATES
    days = {
        one.key: f"2026-11-{day:02}" for day, one in enumerate(TEMPLATES, 1)
    }
    kept = {
        key: progress.Tried(1, True, False, day) for key, day in days.items()
    }
    missed = {
        TEMPLATES[9].key: progress.Tried(22, True, True, "2026-11-22"),
        TEMPLATES[8].key: progress.Tried(21, True, True, "2026-11-21"),
    }
    never = {key: one for key, one in kept.items() if key != TEMPLATES[5].key}
    for known, asked in (
        (kept, [first, third]),  # the second is from another notebook
        (kept | missed, [TEMPLATES[8], TEMPLATES[9]]),
        (never, [TEMPLATES[5], first]),
    ):
        assert due(TEMPLATES, known, np.random.default_rng(1)) == asked
    for seed in range(50):
        one, other = due(TEMPLATES, {}, np.random.default_rng(seed))
        assert one.word != other.word  # where there are two notebooks
        one, other = due(earlier("loss"), {}, np.random.default_rng(seed))
        assert one is not other


def answer(question, right):
    if question.choices:
        fit = [(one == question.answer) == right for one in question.choices]
        ask(question, "answer", place=fit.index(True))
        press(question, "check")
    else:
        ask(
            question,
            "answer",
            text=repr(float(question.answer)) if right else "123456",
        )


def test_the_first_answer_counts_for_when_it_comes_back(data_directory):
    one, other = Review(seed=1).questions
    answer(one, right=False)
    answer(one, right=True)
    answer(other, right=True)
    assert (one.attempts, one.correct, one.solved) == (2, True, True)
    kept = progress.read((data_directory / progress.NAME).read_bytes())
    assert kept[one.template.key][:3] == (1, False, True)
    assert kept[other.template.key][:3] == (1, True, False)
    again = Review(seed=2).questions
    assert again[0].template is one.template
    assert other.template not in [question.template for question in again]
    assert (again[0].attempts, again[0].solved) == (0, False)
    assert again[0]._shown["hint"]["disabled"]
    assert again[0]._shown["mark"]["text"].startswith("from notebook 0")
    # They are not the notebook's.
    assert "Solved: 0 of 0 " in Progress()._shown["count"]["text"]


def test_numbers_are_fresh_and_the_page_is_the_same_for_everybody(
    data_directory,
):
    prompts = {
        question.prompt
        for _ in range(20)
        for question in Review("choice").questions
    }
    assert len(prompts) > 20
    one = Review("choice")
    before, _ = one._repr_mimebundle_()
    answer(one.questions[0], right=False)
    after, _ = Review("choice")._repr_mimebundle_()
    for kind in ("text/plain", "text/html"):
        assert before[kind] == after[kind]
    assert before["text/html"].count("<summary>Solution</summary>") == 2


class Truth(NamedTuple):
    """What follows from the numbers of a prompt.

    What is wrong stands below the first words of what is said of it.
    """

    answer: object
    wrong: dict
    solution: list
    hint: list = ()


def odds(chance):
    return chance / (1 - chance)


def chance(odds):
    return odds / (1 + odds)


def interval_of_another_epsilon(epsilon, share, reach, other, same):
    assert reach == round(log(1 / (1 - share)) / epsilon)
    assert same == share
    factor = epsilon / other
    wider = reach * factor
    return Truth(
        answer=wider,
        wrong={
            "a smaller ε means more noise": reach / factor,
            "that is the interval of the old ε": reach,
        },
        solution=[factor, factor, wider],
    )


def which_end_is_private(*epsilons):
    best, other, worst = sorted(epsilons)
    return Truth(
        answer=best,
        wrong={"the largest ε": worst, "another one of the three": other},
        solution=[best],
    )


def most_of_an_even_bet(counts, epsilon):
    most = exp(epsilon) ** counts
    return Truth(
        answer=chance(most),
        wrong={
            "that is after one count": chance(exp(epsilon)),
            "those are the odds": most,
        },
        hint=[1, 1, epsilon],
        solution=[most, 1, chance(most)],
    )


def loss_of_a_far_answer(without, with_you, epsilon, answer):
    farther = abs(answer - without), abs(answer - with_you)
    loss = log(exp(-epsilon * farther[1]) / exp(-epsilon * farther[0]))
    return Truth(
        answer=loss,
        wrong={
            "the sign": -loss,
            "that is the ratio": exp(loss),
            "what differs between the two distances": loss * answer,
        },
        hint=[answer, with_you, without],
        solution=[epsilon, *farther, loss],
    )


def odds_after_a_loss(factor, one, of):
    before = odds(one / of)
    after = factor * before
    return Truth(
        answer=chance(after),
        wrong={
            "that is the chance from before": one / of,
            "the sign": chance(before / factor),
            "those are the odds": after,
        },
        hint=[1, of, 1, of - 1],
        solution=[
            1,
            of - 1,
            factor,
            of - 1,
            factor,
            factor + of - 1,
            chance(after),
        ],
    )


def epsilon_of_an_interval(count, width, confidence):
    people, missed = width * count, -log(1 - confidence)
    epsilon = missed / people
    return Truth(
        answer=epsilon,
        wrong={
            "the sign": -epsilon,
            "that is the scale": 1 / epsilon,
            "a factor of two": missed / (2 * people),
            "take ln": -log(confidence) / people,
        },
        hint=[width, count, 1, confidence],
        solution=[
            width,
            count,
            people,
            1,
            confidence,
            people,
            missed,
            people,
            epsilon,
        ],
    )


def one_record_after_an_answer(p, epsilon, answer):
    nearer = abs(answer - 0) - abs(answer - 1)
    after = odds(p) * exp(epsilon * nearer)
    return Truth(
        answer=chance(after),
        wrong={
            "that is from before": p,
            "that is how probable it is that it is not counted": chance(
                1 / after
            ),
            "those are the odds": after,
        },
        hint=[answer, 1, 0, epsilon],
        solution=[p, 1 - p, epsilon, after, chance(after)],
    )


def how_much_two_worlds_differ(sensitivity, spread, epsilon):
    scale = sensitivity / epsilon
    factor = exp(spread / scale)
    return Truth(
        answer=factor,
        wrong={
            "that is the factor for one record": exp(sensitivity / scale),
            "that is the exponent": spread / scale,
            "divide the other way": exp(epsilon / (spread / sensitivity)),
        },
        solution=[epsilon, spread, sensitivity, factor],
    )


def epsilon_of_a_promise(one, before, other, after):
    ratio = odds(other / after) / odds(one / before)
    return Truth(
        answer=log(ratio),
        wrong={
            "close: that is the ratio of the chances": log(before / after),
            "that is the ratio of the odds": ratio,
        },
        hint=[1, before - 1, 1, after - 1],
        solution=[before - 1, after - 1, log(ratio)],
    )


def epsilon_of_all_releases(releases, epsilon):
    total = sum([epsilon] * int(releases))
    return Truth(
        answer=total,
        wrong={
            "that is one count": epsilon,
            "a root": epsilon * sqrt(releases),
            "each count tells more": epsilon / releases,
        },
        hint=[epsilon],
        solution=[releases, epsilon, total],
    )


def belief_after_all_releases(releases, epsilon, before):
    factor = exp(epsilon) ** releases
    after = chance(odds(before) * factor)
    return Truth(
        answer=after,
        wrong={
            "that is after one of them": chance(odds(before) * exp(epsilon)),
            "the odds grow by e^ε, not the probability": before * factor,
        },
        solution=[releases * epsilon, after],
    )


def epsilon_of_a_table(cells, scale, most):
    # One falls out of as many counts as the other enters.
    sensitivity = most + most
    assert sensitivity <= cells
    epsilon = sensitivity / scale
    return Truth(
        answer=epsilon,
        wrong={
            "when a person is replaced": most / scale,
            "a person is not in all": cells / scale,
        },
        hint=[1],
        solution=[sensitivity, sensitivity, scale, epsilon],
    )


def mu_of_a_rho(releases, rho):
    of_one = sqrt(2 * rho)
    squares = sum([of_one**2] * int(releases))
    return Truth(
        answer=sqrt(squares),
        wrong={
            "the ρ add up, and not the μ": releases * of_one,
            "that is the ρ of all": releases * rho,
            "that is the μ of one": of_one,
        },
        hint=[2],
        solution=[releases * rho, sqrt(squares)],
    )


def noise_of_a_sum(days, deviation, share, reach, same):
    assert share == same
    assert abs(erf(reach / sqrt(2)) - share) < 1e-4
    total = reach * sqrt(sum([deviation**2] * int(days)))
    return Truth(
        answer=total,
        wrong={
            "that is the noise of one of them": reach * deviation,
            "all at their ends on one side": days * reach * deviation,
        },
        solution=[days, reach, deviation, total],
    )


def values(text):
    return [number.value for number in numbers(text)]


def value_of(given):
    """Return the number of an answer, which may be a choice."""
    return values(given)[0] if isinstance(given, str) else given


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
        assert close(value_of(asked["answer"]), truth.answer), prompt
        misconceptions = asked["misconceptions"].items()
        assert len(misconceptions) == len(truth.wrong)
        for wrong, words in misconceptions:
            (first,) = [one for one in truth.wrong if words.startswith(one)]
            assert close(value_of(wrong), truth.wrong[first]), (prompt, words)
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
