"""What an attacker guesses: against whoever tries every guess, and one number on every page."""

import itertools
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from dpwidgets.calculators import breach, loss
from dpwidgets.decisions.case import Case, guesses, of_several
from known import others_used
from losses import likelier

PRIORS = [1e-6, 0.01, 0.2, 0.5, 0.8, 0.999]
COUNT = Case(published="count")


@pytest.mark.parametrize("prior", PRIORS)
def test_the_best_guess_at_a_yes_or_no_is_the_likelier_answer_each_time(prior):
    """Where the densities cross. What several releases tell: calculators/loss."""
    crosses = math.log((1 - prior) / prior)
    # Where the odds of an answer x are even, for laws about 0 and 1.
    place = {
        stats.laplace: 0.5 + np.clip(crosses / 2, -0.5, 0.5),
        stats.norm: 0.5 + crosses,
    }
    for noise, mechanism in (
        (stats.laplace, "Laplace"),
        (stats.norm, "Gaussian"),
    ):
        case = replace(COUNT, mechanism=mechanism, delta=1e-6)
        least = place[noise]
        told = prior * noise.sf(least - 1) + (1 - prior) * noise.cdf(least)
        if abs(crosses) > 1 and mechanism == "Laplace":
            told = max(prior, 1 - prior)
        assert case.yes_or_no(1.0, prior) == pytest.approx(told, rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2, 20])
@pytest.mark.parametrize("many", [2, 5, 1000])
def test_one_of_several_is_told_as_often_as_randomized_response_tells(
    epsilon, many
):
    """It says one of many values, the true one e^ε times as often: no law of ε tells more."""
    told = 1 / (1 + (many - 1) * math.exp(-epsilon))
    found = loss.randomized_response(epsilon).success(1 / many)
    assert told * (1 - 1e-12) <= found <= told * (1 + 1e-7)


@pytest.mark.parametrize("blind", [0.001, 0.2, 0.5])
def test_a_cell_is_guessed_no_more_often_than_two_neighbours_allow(blind):
    """In a table two values of somebody are two neighbours apart: either bound holds."""
    near, far = loss.laplace(0.2), loss.laplace(0.2).compose(2)
    least = min(near.power(blind), far.success(blind))
    table = Case(published="table", cells=9)
    assert table.success(5, blind) == pytest.approx(float(least))


@st.composite
def cases(draw):
    """Draw a case of any kind, with a prior."""
    some = st.sampled_from
    published = draw(some(["count", "table", "sum", "mean"]))
    given = {"table": {"cells": draw(some([1, 2, 9]))}}
    values = {"low": draw(some([-3, 0, 2])), "high": draw(some([4, 10]))}
    given |= {"sum": values, "mean": {**values, "n": 50}}
    return Case(
        published=published,
        mechanism=draw(some(["Laplace", "Gaussian"])),
        neighbours="replace" if published == "mean" else draw(some(["replace", "add/remove"])),
        delta=1e-6,
        releases=draw(some([1, 4, 12])),
        household=draw(some([1, 3])),
        prior=draw(some(PRIORS)),
        before=others_used(draw(some([0.0, 0.0, 0.3]))),
        **given.get(published, {}),
    )  # fmt: skip


@settings(max_examples=40)
@given(cases(), st.floats(0.02, 4))
def test_nobody_is_right_more_often_than_sure(case, epsilon):
    """An average of beliefs is not above the largest, but for what δ leaves out."""
    scale = case.scale(epsilon)
    for guess in (*guesses(case), *map(partial(of_several, case), (3, 1000))):
        believed = breach.posterior(
            guess.blind, min(case.log_odds(scale), 700)
        )
        right = guess.right(scale)
        assert guess.blind - 1e-9 <= right <= believed + 2e-6
    if (
        not case.before
    ):  # with others' ε alone, what a value tells is bounded less closely
        coin = case.success(scale, 0.5)
        assert case.yes_or_no(scale, 0.5) <= coin + 1e-6


def test_the_two_orders_of_a_law_both_count():
    law = loss.finite([0.9, 0.1], [0.5, 0.5])
    for prior, p, q in itertools.product(PRIORS, [[0.9, 0.1]], [[0.5, 0.5]]):
        best = max(likelier(p, q, prior), likelier(q, p, prior))
        assert law.yes_or_no(prior) == pytest.approx(best, rel=1e-12)
        assert law.success(max(prior, 1 - prior)) >= best - 1e-9
