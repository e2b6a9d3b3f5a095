"""Each template draws good questions, and a review asks two that are due."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest

from dpwidgets import Progress, Review
from dpwidgets.teaching import progress
from dpwidgets.teaching.question import Question
from dpwidgets.teaching.recall import NOTEBOOKS, due, earlier
from dpwidgets.teaching.templates import TEMPLATES
from dpwidgets.texts import TEXTS
from tools import ROOT, ask, assert_sound, press


def test_each_word_has_its_own_and_a_notebook_that_taught_it():
    counts = Counter(template.word for template in TEMPLATES)
    words = {
        "meanings",
        "attack",
        "choice",
        "plan",
        "others",
        *(text.word for text in TEXTS),
    }
    assert set(counts) == words == set(NOTEBOOKS)
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
