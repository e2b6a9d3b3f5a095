"""The case against integrals, simulation and databases that differ in one person."""

import math
from dataclasses import replace

import mpmath
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from dpwidgets.calculators import loss
from dpwidgets.decisions.case import Case
from known import others_used
from losses import gaussian_delta

COUNT = {"published": "count"}
SUM = {"published": "sum", "low": 0, "high": 1.5}
MEAN = {"published": "mean", "low": 0, "high": 1}
TABLE = {"published": "table", "cells": 7}
GAUSS = Case(published="count", mechanism="Gaussian", delta=1e-6)


@given(st.floats(1e-8, 1000), st.sampled_from([1e-12, 1e-6, 0.3, 0.999]))
def test_scale_and_epsilon_lead_back(epsilon, delta):
    mean, gauss = Case(**MEAN | {"n": 12}), replace(GAUSS, delta=delta)
    exact = mean.scale(epsilon, 17)
    assert exact == pytest.approx(1 / 12 / epsilon, rel=1e-14)
    for case in (mean, gauss):
        # Where δ is large, a hair of noise moves a tiny ε by much.
        assert case.epsilon(case.scale(epsilon, 17)) == pytest.approx(
            epsilon, rel=1e-8, abs=1e-11
        )
    if epsilon < 10 and delta in (1e-6, 0.3):
        assert gaussian_delta(
            1 / gauss.scale(epsilon, 17), epsilon
        ) == pytest.approx(delta, rel=1e-7)


@given(st.floats(1e-9, 1 - 1e-9))
def test_a_change_lies_within_what_the_difference_of_two_noises_does(sure):
    """Of one noise: choice/test_choice. Of two, P(beyond t) is (1 + t/2)·e^(−t) for Laplace's."""
    with mpmath.workdps(40):
        t = mpmath.mpf(Case(**COUNT).change_within(3, sure) / 3)
        inside = 1 - (1 + t / 2) * mpmath.exp(-t)
        slope = (1 + t) / 2 * mpmath.exp(-t)
        assert abs((inside - sure) / slope) <= 1e-14 * t
    assert GAUSS.change_within(3, sure) == pytest.approx(
        math.sqrt(2) * GAUSS.within(3, sure)
    )


LARGE = replace(GAUSS, delta=1e-3, n=2000)


@pytest.mark.parametrize(
    ("changes", "many"),
    [
        ({}, 1),
        ({"delta": 5e-6}, 0),
        ({"n": None}, 0),
        # One release with Laplace noise is read at δ = 0.
        ({"mechanism": "Laplace"}, 0),
        ({"mechanism": "Laplace", "releases": 2}, 1),
    ],
)
def test_a_delta_beyond_a_hundredth_of_one_in_n_is_warned_of_where_it_counts(
    changes, many
):
    """A mechanism that publishes whole records, each with a probability of δ, has this δ."""
    case = replace(LARGE, **changes)
    warning = (
        "δ = 0.001 is more than 0.01/2,000 = 5e-6: δ alone would allow to publish the records of "
        "2 of 2,000 people on average, whatever ε is."
    )
    assert case.large_deltas == many * (warning,)
    assert (warning in case.warnings) == many


@pytest.mark.parametrize(
    ("case", "left"),
    [
        (Case(**COUNT, n=2000), "no larger"),
        (Case(**SUM, n=5), "no larger"),
        (Case(published="sum", low=-1, high=1, n=5), "2 rather than 1"),
        (Case(**TABLE, n=2000), "2 rather than 1"),
        (Case(**TABLE, n=9, releases=1000, delta=1e-12), "2 rather than 1"),
        (
            Case(**TABLE, n=9, mechanism="Gaussian", delta=1e-6),
            "1.41 rather than 1",
        ),
    ],
)
def test_a_public_n_says_who_is_in_and_a_case_warns_of_it(case, left):
    """What is left to hide is which of two records a person has: `replace`."""
    (warning,) = case.warnings
    assert warning.startswith(f"n = {case.n:,} is public: whoever knows who")
    assert f"and for that Δf is {left}" in warning
    replaced = case.other_neighbours("replace")
    assert replaced.warnings == replace(case, n=None).warnings == ()


def test_a_belief_is_read_at_every_delta():
    """101 losses, each 0.1 with a probability of 1/2, exceed 6.7 more often than once in 1e12."""
    case = Case(published="count", releases=101, delta=1e-12)
    # 84 of 0.1 and 17 of −0.1 are 6.7.
    assert stats.binom.sf(83, 101, 0.5) > 1e-12
    assert 6.7 < case.log_odds(10) < 7.1
    assert case.failure_clause == ", except with a probability of 1e-12"
    # As often as that, all of 39 losses are 0.1.
    never = replace(case, releases=39)
    assert 0.5**39 > 1e-12
    assert never.log_odds(10) == pytest.approx(3.9)
    assert never.failure_clause == ""


MANY = Case(published="count", releases=20_000, delta=2e-11)


@pytest.mark.parametrize(
    "case",
    [
        MANY,
        replace(MANY, before=others_used(rho=1e-3)),
        replace(MANY, releases=500, delta=1e-12),
        replace(MANY, mechanism="Gaussian", delta=1e-12),
    ],
)
def test_the_least_delta_that_a_case_takes_is_enough_for_its_law(case):
    assert math.isfinite(case.total(1e4) + case.log_odds(1e4))


USED = replace(GAUSS, releases=6, before=others_used(rho=0.05), prior=0.2)


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
def test_what_others_used_up_as_rho_is_as_much_as_a_gaussian_release_of_it(
    mechanism, people
):
    """Such a release beside the own ones tells no more, and what is said is hardly more."""
    case = replace(
        USED, mechanism=mechanism, household=people, neighbours="replace"
    )
    other = loss.gaussian(math.sqrt(2 * 0.05) * people)
    own = replace(case, before=()).privacy_loss(9.0)
    whole = own.law().compose_with(other)
    least = whole.epsilon(1e-6)
    most = loss.epsilon_of_rho(own.rho() + other.mean(), 1e-6)
    assert least <= case.total(9) <= most * (1 + 1e-9) <= 1.15 * least
    assert case.rho(9) == pytest.approx(whole.mean())
    for found, exact, more in (
        (case.advantage(9), whole.delta(0), 1.4),
        (case.success(9, 0.2), whole.success(0.2), 1.3),
        (case.log_odds(9), whole.exceeded(1e-6), 1.2),
    ):
        assert exact <= found <= more * exact
    assert case.failure_clause == ", except with a probability of 1e-6"
    assert "with ρ = 0.05 used up by others" in case.releases_clause
    alone = replace(case, before=())
    assert case.one_release.total(9) == alone.one_release.total(9)


def test_what_others_used_up_in_both_ways_adds_up():
    both = replace(USED, before=others_used(0.5, 0.05))
    assert both.total(9) == pytest.approx(USED.total(9) + 0.5)
    assert both.rho(9) == pytest.approx(USED.rho(9) + 0.5 * math.tanh(0.25))
    much = replace(USED, before=others_used(rho=100), household=30)
    assert much.advantage(9) == 1
    single = Case(**COUNT, delta=1e-6, before=others_used(rho=0.01))
    assert single.total(10) < 0.1 + loss.epsilon_of_rho(0.01, 1e-6)
