"""What is set beside the end of a hearing is true of every record, whatever it promises."""

import pytest
from hypothesis import given, strategies as st

from decided import recorded
from dpwidgets.calculators.breach import posterior
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.record import (
    for_patients,
    for_strangers,
)
from dpwidgets.inputs.notation import percent, up

DAYS = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 10]


def rises(record):
    return [said for _, said in for_patients(record).rows]


@given(
    st.integers(1, 8),
    st.integers(1, 6),
    st.floats(0.001, 0.3),
    st.sampled_from([None, 0.3]),
)
def test_what_is_said_of_a_person_is_the_closed_form_of_pure_epsilon(
    releases, household, epsilon, prior
):
    case = Case(
        published="count", releases=releases, household=household, prior=prior
    )
    one = releases * epsilon
    expected = [
        f"from {before:.0%} to at most {up(posterior(before, loss), percent)}"
        for before, loss in (
            (0.2, one),
            (0.5, one),
            (0.2, one * max(4, household)),
            (0.2, 2 * one),
        )
    ]
    assert rises(recorded(case, epsilon)) == expected


@pytest.mark.parametrize(
    ("mechanism", "exception"),
    [("Gaussian", "except with a probability of 1e-6"), ("Laplace", "")],
)
def test_an_exception_is_said_with_what_holds_but_for_it(mechanism, exception):
    case = Case(published="count", mechanism=mechanism, delta=1e-6)
    for said in rises(recorded(case, 0.2)):
        assert said.partition(", ")[2] == exception


def test_what_cannot_be_said_is_said_in_words():
    few = recorded(Case(published="count", n=3), 0.2)
    assert rises(few)[2] == "from 20% to at most 31.3%"  # there is no fourth
    alone = recorded(Case(published="count", n=1), 0.2)
    assert (
        for_patients(alone).rows[2][0] == "1 person of whom the same is true"
    )
    large = Case(published="table", cells=10**6, contributions=50_000)
    again = rises(recorded(large, 1e-4))[3]
    assert again.startswith("cannot be said: releases must be so few")
    assert not rises(recorded(Case(published="count"), None))


@pytest.mark.parametrize(
    ("goals", "allowed"),
    [({}, "any noise"), ({"total": 9.0}, "ε of at most 9")],
)
def test_strangers_have_the_reason_and_the_range_and_nothing_of_the_data(
    goals, allowed
):
    case = Case(published="mean", n=12, low=0, high=10, unit="days")
    reasons = {"reasons": "near the middle"}
    for days in (DAYS, [0] * 12):
        record = recorded(
            case, 1.4, **goals, values=days, risk=0.25, **reasons
        )
        assert not rises(record.public())
        why, (_, range_of_all) = for_strangers(record).rows
        assert why == ("why this ε", "near the middle")
        assert allowed in range_of_all
        assert for_strangers(record) == for_strangers(record.public())
    assert not for_strangers(recorded(case, 1.4, **goals)).rows
