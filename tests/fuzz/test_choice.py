"""Whatever a goal's domains accept works: goals at their ends, alone, together and on record."""

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.calculators.worlds import RISK, Worlds
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import (
    END,
    MECHANISMS,
    MEMBERS,
    PUBLISHED,
    Case,
    N,
)
from dpwidgets.decisions.choice import REACHES, Goal, Record, choose, record
from dpwidgets.inputs.domain import EPSILON, PROBABILITY
from strategies import asked, numbers

pytestmark = pytest.mark.usefixtures("raised")
COLUMNS = [
    Worlds([1, 2, 3, 10]),
    Worlds([1, 1, 2, 2]),
    Worlds([0, 1e-9, 5, 1e9], "sum"),
]


@st.composite
def cases(draw):
    published = draw(st.sampled_from(PUBLISHED))
    mechanism = draw(st.sampled_from(MECHANISMS))
    own = {
        "n": draw(
            numbers(N) if published == "mean" else st.none() | numbers(N)
        )
    }
    if published in ("sum", "mean"):
        own |= {end: draw(numbers(END)) for end in ("low", "high")}
    if published == "table":
        own |= {
            "cells": draw(st.integers(1, 9)),
            "per_cell": draw(st.integers(1, 3)),
        }
        own |= {"records": draw(st.none() | st.integers(1, 9))}
    own["confidence"] = draw(st.none() | numbers(interval.CONFIDENCE))
    if published != "count":
        own["reference"] = draw(st.none() | numbers(interval.COUNT))
    made = asked(
        Case,
        **own,
        published=published,
        mechanism=mechanism,
        contributions=draw(st.integers(1, 3)),
        neighbours=draw(st.sampled_from([None, "replace"])),
        delta=draw(
            numbers(
                loss.DELTA if mechanism == "Gaussian" else loss.DELTA_OR_NONE
            )
        ),
        # More releases with Laplace noise take longer; the tests of the loss
        # have them.
        releases=draw(st.integers(1, 6)),
        used=draw(st.just(0.0) | st.floats(1e-8, 1e9)),
        used_delta=draw(st.just(0.0) | numbers(loss.DELTA_OR_NONE)),
        household=draw(numbers(MEMBERS)),
        prior=draw(st.none() | numbers(breach.PRIOR)),
    )
    return made or Case(published="count", releases=3, prior=0.1)


reaches = st.sampled_from(REACHES)
goals = st.one_of(
    st.builds(choice.IntervalGoal, numbers(interval.HALF_WIDTH)),
    st.builds(choice.ErrorGoal, numbers(choice.ErrorGoal.domain)),
    st.builds(
        choice.RiskGoal, st.sampled_from(COLUMNS), numbers(RISK), reach=reaches
    ),
    st.builds(choice.BeliefGoal, numbers(breach.POSTERIOR), reach=reaches),
    st.builds(choice.AdvantageGoal, numbers(PROBABILITY), reach=reaches),
    st.builds(
        choice.BudgetGoal,
        numbers(loss.TOTAL),
        reach=st.sampled_from(REACHES[1:]),
    ),
)


@given(cases(), st.lists(goals, min_size=1, max_size=3), numbers(EPSILON))
def test_goals_allow_some_noise_or_say_why_not_and_come_back_on_record(
    case, several, epsilon
):
    for goal in several:
        allowed = goal.scales(case)
        assert allowed.sentence(case)
        kept = goal.without_data(case)
        back = Goal.from_dict(
            json.loads(json.dumps(kept.to_dict(), allow_nan=False))
        )
        assert (back, back.from_data) == (kept, goal.from_data)
        assert back.sentence(case) == goal.sentence(case)
        assert back.scales(case).empty == allowed.empty
        if allowed.empty:
            assert allowed.reason
        else:
            assert back.scales(case) == allowed
            assert 0 <= allowed.low <= allowed.high <= np.inf
            low, high = allowed.epsilons(case)
            assert low == 0 or EPSILON.low <= low <= EPSILON.high
            assert high == np.inf or EPSILON.low <= high <= EPSILON.high
        fit = goal.fitting(case, case.scale(epsilon))
        assert fit is None or fit.met(case, case.scale(epsilon))
    chosen = choose(case, several)
    assert chosen.sentence
    if chosen.feasible.empty:
        assert chosen.impossible or chosen.conflicts
        promised = [goal.scales(case).low for goal in several if goal.promise]
        assert (chosen.suggested is None) == (
            max(promised, default=0) in (0, np.inf)
        ) or (max(promised) > case.scale(EPSILON.low))
    elif chosen.suggested is not None:
        assert EPSILON.contains(np.array(chosen.suggested))
        assert chosen.allows(chosen.suggested)
    made = record(case, several, chosen.suggested or 0.1)
    assert Record.load(made.json()) == made
    assert made.markdown()
    assert made.public().html()
