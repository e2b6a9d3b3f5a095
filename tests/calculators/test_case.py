"""The case against integrals, simulation and databases that differ in one person."""

import itertools
import json
import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from dpwidgets.calculators import loss
from dpwidgets.calculators.case import ALL, HOUSEHOLD, Case
from dpwidgets.inputs.domain import DomainError
from losses import gaussian_delta

HOSPITAL = Case(published="count", n=2000, releases=4, delta=1e-6, household=4, prior=0.2)
SCHOOL = Case(published="mean", n=12, low=0, high=10, unit="days", releases=2)


def truth(case, records):
    """What is published of these records, without noise."""
    clipped = np.clip(records, case.low, case.high) if case.published != "count" else records
    return float(np.sum(clipped)) / (case.n if case.published == "mean" else 1)


@pytest.mark.parametrize(
    ("case", "values"),
    [
        (Case(published="count"), (0, 1)),
        (Case(published="count", neighbours="replace"), (0, 1)),
        (Case(published="sum", low=-1, high=1), (-1, 0.3, 1, 9)),
        (Case(published="sum", low=-1, high=3, neighbours="replace"), (-7, -1, 0.3, 3)),
        (Case(published="sum", low=2, high=5), (2, 4, 5)),
        (Case(published="mean", n=3, low=-1, high=5), (-1, 0, 5, 70)),
    ],
)
def test_the_sensitivity_is_that_of_the_farthest_neighbours(case, values):
    far = 0.0
    for records in itertools.product(values, repeat=3):
        replaced = [(*records[:2], value) for value in values]
        near = replaced if case.neighbours == "replace" else [records[:2], (*records, *values[:1])]
        near += [] if case.neighbours == "replace" else [(*records, value) for value in values]
        far = max(far, *(abs(truth(case, records) - truth(case, other)) for other in near))
    assert case.sensitivity == pytest.approx(far)


def test_what_is_believed_of_a_value_may_move_farther_than_neighbours():
    """Votes of ±1, summed: whether somebody votes moves it by 1, how by 2."""
    votes = Case(published="sum", low=-1, high=1)
    assert (votes.moved(), votes.moved(fact=True)) == ((1, 1), (2, 1))
    assert math.exp(votes.log_odds(votes.scale(1))) == pytest.approx(7.389, rel=1e-3)
    assert Case(published="sum", low=2, high=5).moved(fact=True) == (5, 1)


@pytest.mark.parametrize("epsilon", [1e-8, 0.01, 1, 1000])
@pytest.mark.parametrize(
    "case", [HOSPITAL, SCHOOL, replace(SCHOOL, mechanism="Gaussian", delta=1e-5)]
)
def test_scale_and_epsilon_lead_back(case, epsilon):
    assert case.epsilon(case.scale(epsilon)) == pytest.approx(epsilon, rel=1e-9)


def test_gaussian_noise_has_the_delta_that_it_says():
    for epsilon, delta in ((0.3, 1e-6), (2, 1e-3), (8, 0.1)):
        case = Case(published="count", mechanism="Gaussian", delta=delta)
        reached = gaussian_delta(1 / case.scale(epsilon), epsilon)
        assert reached == pytest.approx(delta, rel=1e-8)


def test_people_who_hang_together_by_brute_force():
    """Four alike, all or none, one count: the loss at the worst answer is 4ε."""
    answers = np.linspace(-50, 50, 10_001)
    density = [stats.laplace.pdf(answers, count, 5) for count in (0, 4)]
    worst = np.log(density[1] / density[0]).max()
    assert Case(published="count", household=4).log_odds(5, HOUSEHOLD) == pytest.approx(worst)


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
@pytest.mark.parametrize("releases", [3, 40])
def test_a_belief_moves_by_more_with_a_probability_of_delta_at_most(mechanism, releases):
    case = Case(published="count", mechanism=mechanism, delta=0.02, releases=releases)
    rng, scale = np.random.default_rng(releases), 8.0
    draw = rng.laplace if mechanism == "Laplace" else rng.normal
    noise = draw(0, scale, (40_000, releases))
    if mechanism == "Laplace":
        losses = ((np.abs(noise - 1) - np.abs(noise)) / scale).sum(axis=1)
    else:
        losses = (((noise - 1) ** 2 - noise**2) / (2 * scale**2)).sum(axis=1)
    bound = case.log_odds(scale, ALL)
    assert (losses > bound).mean() < 0.0225
    if bound < releases / scale:  # composed, and so nearly sharp
        assert (losses > 0.97 * bound).mean() > 0.018


@pytest.mark.parametrize("releases", [2, 12, 365])
def test_composition_is_used_where_it_is_smaller(releases):
    case = Case(published="count", releases=releases, delta=1e-6)
    composed = loss.laplace(0.1).compose(releases).epsilon(1e-6)
    assert case.total(10, ALL) == pytest.approx(min(composed, 0.1 * releases))
    assert replace(case, delta=0).total(10, ALL) == pytest.approx(0.1 * releases)


def test_the_advantage_is_the_total_variation():
    answers = np.linspace(-200, 201, 400_001)
    for case, laws in (
        (Case(published="count"), [stats.laplace(at, 5) for at in (0, 1)]),
        (
            Case(published="count", mechanism="Gaussian", delta=0.1),
            [stats.norm(at, 5) for at in (0, 1)],
        ),
    ):
        step = answers[1] - answers[0]
        apart = np.abs(laws[0].pdf(answers) - laws[1].pdf(answers)).sum() * step / 2
        assert case.advantage(5) == pytest.approx(apart, rel=1e-4)


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
def test_intervals_and_changes_by_simulation(mechanism):
    case = Case(published="count", mechanism=mechanism, delta=1e-6)
    rng = np.random.default_rng(1)
    noise = (rng.laplace if mechanism == "Laplace" else rng.normal)(0, 3, (2, 200_000))
    for confidence in (0.5, 0.95):
        assert (np.abs(noise[0]) <= case.within(3, confidence)).mean() == pytest.approx(
            confidence, abs=0.005
        )
        assert (np.abs(noise[0] - noise[1]) <= case.change_within(3, confidence)).mean() == (
            pytest.approx(confidence, abs=0.005)
        )
    assert np.abs(noise).mean() == pytest.approx(case.error(3), rel=0.01)


fields = st.fixed_dictionaries(
    {
        "published": st.sampled_from(["count", "sum", "mean"]),
        "n": st.none() | st.integers(-1, 30),
        "low": st.none() | st.floats(-5, 5),
        "high": st.none() | st.floats(-5, 5),
        "unit": st.sampled_from(["days", "", "patients"]),
        "neighbours": st.sampled_from([None, "add/remove", "replace"]),
        "mechanism": st.sampled_from(["Laplace", "Gaussian"]),
        "delta": st.sampled_from([0, 1e-6, 0.5, 1]),
        "releases": st.integers(0, 5),
        "used": st.floats(-1, 5),
        "household": st.integers(0, 40),
        "prior": st.none() | st.floats(0, 1),
    }
)


@given(fields)
def test_a_case_is_refused_by_name_or_comes_back(given_):
    case = said = None
    try:
        case = Case(**given_)
    except DomainError as error:
        said = error
    if case is None:
        assert said.argument in given_
        assert said.argument in str(said)
        return
    back = Case.from_dict(json.loads(json.dumps(case.to_dict(), allow_nan=False)))
    assert back == case
    assert case.sensitivity > 0
    assert case.sentence.endswith(".")


MEAN = {"published": "mean", "low": 0, "high": 1}


@pytest.mark.parametrize(
    ("given_", "argument", "message"),
    [
        (
            {"published": "mean", "n": 5, "high": 1},
            "low",
            "must be given for a mean: values are clipped",
        ),
        ({"published": "sum", "low": 3, "high": 3}, "low", "by at least 1e-12; got 3 and 3"),
        (MEAN, "n", "n must be public for a mean"),
        (MEAN | {"n": 1}, "n", "n must be at least 2 for a mean; got 1"),
        (MEAN | {"n": 5, "neighbours": "add/remove"}, "neighbours", "else n changes"),
        ({"published": "count", "n": 3, "household": 4}, "household", "all 3 people; got 4"),
        ({"published": "count", "low": 0}, "low", "a count has no range"),
        ({"published": "count", "mechanism": "Gaussian"}, "delta", "it has no ε without a δ"),
        ({"published": "median"}, "published", "must be one of 'count', 'sum', 'mean'"),
        ({"published": "count", "unit": " "}, "unit", "unit must be a word"),
        ({"published": "table"}, "cells", "cells must be given for a table"),
        ({"published": "table", "cells": 3, "contributions": 4}, "contributions", "at most 3"),
        ({"published": "count", "cells": 3}, "cells", "belongs to a table; this is a count"),
        ({"published": "count", "per_cell": 2}, "per_cell", "per_cell belongs to a table"),
        ({"published": "table", "cells": 2.5}, "cells", "cells must be a whole number"),
        ({"published": "table", "cells": 3, "low": 1}, "low", "a sum or a mean; a table"),
        (
            MEAN | {"n": 9, "mechanism": "geometric"},
            "mechanism",
            "'Laplace' or 'Gaussian' for a mean",
        ),
        (
            {"published": "sum", "low": 0, "high": 1.5, "mechanism": "geometric"},
            "low",
            "low and high must be whole numbers for geometric noise on a sum; got 0 and 1.5",
        ),
    ],
)
def test_bad_cases(given_, argument, message):
    with pytest.raises(DomainError, match=message) as caught:
        Case(**given_)
    assert caught.value.argument.startswith(argument)


@pytest.mark.parametrize(
    "data", [None, [], {}, {"published": "count"}, Case(published="count").to_dict() | {"x": 1}]
)
def test_what_is_no_case_is_refused(data):
    with pytest.raises(ValueError, match="a case has "):
        Case.from_dict(data)
    with pytest.raises(ValueError, match="reach must be one of"):
        HOSPITAL.total(1, "two releases")


def test_a_delta_beyond_a_hundredth_of_one_in_n_is_a_warning():
    """A mechanism that publishes whole records, each with a probability of δ, has this δ."""
    case = Case(published="count", mechanism="Gaussian", delta=1e-3, n=2000, used_delta=6e-6)
    assert case.warnings == (
        "δ = 0.001 is more than 0.01/n = 5e-6: δ alone would allow to publish the records of 2 of "
        "2,000 people on average, whatever ε is.",
        "The δ of others = 6e-6 is more than 0.01/n = 5e-6: δ alone would allow to publish the "
        "records of 0.012 of 2,000 people on average, whatever ε is.",
    )
    assert replace(case, delta=5e-6, used_delta=5e-6).warnings == ()
    assert replace(case, n=None).warnings == ()
    laplace = replace(case, mechanism="Laplace", used_delta=0)
    assert laplace.warnings == ()  # one release with Laplace noise is read at δ = 0
    assert len(replace(laplace, releases=2).warnings) == 1


@pytest.mark.parametrize("confidence", [1e-12, 0.5, 0.999999, 1 - 1e-16])
def test_gaussian_noise_lies_as_near_as_is_said_however_sure_that_must_be(confidence):
    case = Case(published="count", mechanism="Gaussian", delta=1e-6)
    with mpmath.workdps(40):
        exact = 3 * mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(confidence))
    assert case.within(3, confidence) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("confidence", [1e-300, 1e-9, 0.5, 0.999999, 1 - 1e-16])
def test_a_change_lies_as_near_as_is_said_however_sure_that_must_be(confidence):
    """The difference of two Laplace noises is beyond t with a probability of (1 + t/2)·e^(−t)."""
    found = Case(published="count").change_within(3, confidence) / 3
    with mpmath.workdps(400):
        t = mpmath.mpf(found)
        inside = 1 - (1 + t / 2) * mpmath.exp(-t)
        slope = (1 + t) / 2 * mpmath.exp(-t)
        assert abs((inside - mpmath.mpf(confidence)) / slope) <= 1e-14 * t


def test_where_no_grid_can_tell_the_tail_losses_add_up():
    """101 losses, each 0.1 with a probability of 1/2, exceed 8.1 more often than once in 1e20."""
    case = Case(published="count", releases=101, delta=1e-20)
    at_least = stats.binom.sf(91, 101, 0.5)  # 92 of 0.1 and 9 of −0.1 are 8.3
    assert at_least > 1e-20
    assert case.log_odds(10, ALL) == pytest.approx(10.1)
    assert case.slip(ALL) == ""
