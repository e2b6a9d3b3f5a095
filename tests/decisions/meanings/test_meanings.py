"""Every meaning of a case's noise against an independent way, and what an audit shows."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import known
from dpwidgets.calculators import bayes, breach, interval
from dpwidgets.decisions import meanings
from dpwidgets.decisions.case import Case, others
from known import others_used

HOSPITAL = replace(known.HOSPITAL, household=4, before=others_used(0.1))
GAUSS = Case(
    published="mean", n=12, low=0, high=10, unit="days", mechanism="Gaussian", delta=1e-6,
    releases=2, prior=0.1, confidence=0.8,
)  # fmt: skip
ALL = meanings.meanings(HOSPITAL)


@pytest.mark.parametrize(
    "case", [HOSPITAL, GAUSS, Case(published="sum", low=-1, high=2)]
)
def test_every_meaning_says_its_number_which_runs_one_way_along_the_noise(
    case,
):
    every = meanings.meanings(case)
    assert len({meaning.name for meaning in every}) == len(every)
    groups = [meaning.gets for meaning in every]
    assert groups == sorted(groups, key=meanings.GETS.index)
    for meaning in every:
        said = meaning.sentence(1.5)
        assert meaning.shown(meaning.value(1.5)) in said
        assert said.endswith(".")
        assert "{" not in said
        steps = np.diff(meaning.value(np.geomspace(0.5, 200, 6)))
        assert (steps >= -1e-12).all() or (steps <= 1e-12).all(), meaning.name


def test_what_the_case_lacks_has_no_row():
    names = [one.name for one in meanings.meanings(Case(published="count"))]
    lacking = (
        "Interval",
        "Error of the best",
        "Largest belief",
        "Smallest",
        "Change",
        "Noise",
    )
    assert not [name for name in names if name.startswith(lacking)]
    assert "Error on average" in names
    assert not any(
        "best guess" in one.name for one in meanings.meanings(GAUSS)
    )


#: The beginning of a meaning's name, the scale of noise, and the number, by the texts' functions,
#: or by the odds of 39 against 61 at the cut.
NUMBERS = (
    ("Error on", 5, 5),
    ("Interval", 5, 400 * interval.half_width(0.2, 0.95, 400)),
    (
        "Error of the best",
        5,
        bayes.mean_error(2000, 0.2, 0.2, "posterior median"),
    ),
    ("Smallest", 5, breach.downward(0.2, 0.2)),
    ("Largest belief after one", 5, breach.posterior(0.2, 0.2)),
    ("Largest belief after all", 5, breach.posterior(0.2, 4.0)),
    ("ε of everything", 5, 3.6),
    ("Largest ratio", 5, 0.2),
    ("Odds", 2, 2 * stats.laplace(1, 2).sf(0.5) - 1),
)


@pytest.mark.parametrize(("beginning", "scale", "number"), NUMBERS)
def test_a_number_of_the_hospital_is_that_of_its_text(
    beginning, scale, number
):
    (found,) = (one for one in ALL if one.name.startswith(beginning))
    assert found.value(scale) == pytest.approx(number, rel=1e-4)


@pytest.mark.parametrize("trials", [1, 2, 10, 500, 10**6])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_an_audit_certifies_what_clopper_and_pearson_allow(trials, confidence):
    """Of each share of errors the upper end after none, at half of 1 − confidence."""
    wrong = stats.beta.ppf((1 + confidence) / 2, 1, trials)
    expected = max(0.0, math.log((1 - wrong) / wrong))
    assert meanings.certified(trials, confidence) == pytest.approx(
        expected, rel=1e-7, abs=1e-12
    )


def said(every, scale):
    return " ".join(one.sentence(scale) for one in every)


OF_GAUSS, OF_ALL = said(meanings.meanings(GAUSS), 1), said(ALL, 1000)
DEPEND = "for 4 people whose records depend on each other, with ε = 0.1 used up by others"
BRACES = Case(
    published="count", before=[others("{us} and {", epsilon=1)], unit="{0}"
)
OF_BRACES = said(meanings.meanings(BRACES), 5)
OF_MANY = said(
    meanings.meanings(Case(published="count", releases=1200, prior=0.2)), 2000
)
TWO, ONE = (
    Case(published="table", cells=2, confidence=0.9),
    Case(published="sum", n=1, groups=1, high=1, low=0, prior=1e-20),
)
OF_TWO, OF_ONE = (said(meanings.meanings(case), 5) for case in (TWO, ONE))
#: What sentences say, and how often.
SAYS = (
    # Up once, after all, and down.
    (OF_GAUSS, ", except with a probability of 1e-6", 3),
    (OF_GAUSS, "which of two records belongs to a person", 1),
    (OF_GAUSS, "whether a person is in the data", 0),
    (OF_ALL, "No answer is more than 1.0011 times as likely", 1),
    (OF_ALL, f"{DEPEND} for each of them, have ε = 0.416.", 1),
    (OF_ALL, "except", 0),  # 4 losses of ε each are likelier than δ
    # 2^−1,200 is more than nothing.
    (OF_MANY, "have a probability of at most 1e-298%", 1),
    (OF_TWO, "Both counts lie within ±", 1),
    (OF_ONE, "is right in nearly 100% of cases without any release", 1),
    (said(meanings.meanings(TWO), 1e-3), "is more than e^1,000 times as", 1),
    (
        ONE.what,
        "A sum of one value of 1 person, clipped to 0 to 1 person, ",
        1,
    ),
    # What others are called, and a unit, may have braces.
    (OF_BRACES, "with ε = 1 used up by {us} and {, has ε = 1.2.", 1),
    (OF_BRACES, "is off by 5 {0} on average", 1),
)


@pytest.mark.parametrize(("text", "words", "times"), SAYS)
def test_sentences_name_delta_and_what_neighbours_are(text, words, times):
    assert text.count(words) == times


MONTHLY = known.HOSPITAL.to_dict() | {"releases": 12}


@pytest.mark.parametrize(
    ("epsilon", "low", "high"),
    [(0.01, -1e-9, 1e-9), (0.3, 0, 1), (10, 1 - 1e-9, 1 + 1e-9), (20, 1, 9)],
)
def test_the_mark_moves_from_the_private_end_to_the_other_and_beyond(
    epsilon, low, high
):
    whole = meanings.portrait(epsilon, rows="all", **MONTHLY)
    every = meanings.meanings(whole.case)
    assert [row.meaning for row in whole.rows] == list(every)
    first = meanings.portrait(epsilon, **MONTHLY).rows
    assert [row.meaning for row in first] == [
        one for one in every if one.first
    ]
    assert len(first) <= 8
    for row in whole.rows:
        assert row.value == row.meaning.value(whole.case.scale(epsilon))
        assert row.ends == tuple(
            row.meaning.value(whole.case.scale(end)) for end in meanings.ENDS
        )
        assert low <= row.place <= high
