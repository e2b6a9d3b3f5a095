"""Whatever a goal's domains accept works: goals at their ends, alone, together and on record."""

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach, case, choice, interval, loss, worlds
from dpwidgets.calculators.choice import (
    REACHES,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    Goal,
    IntervalGoal,
    RiskGoal,
    choose,
)
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.inputs.domain import EPSILON, PROBABILITY, DomainError
from strategies import numbers

pytestmark = pytest.mark.usefixtures("raised")
COLUMNS = [Worlds([1, 2, 3, 10]), Worlds([1, 1, 2, 2]), Worlds([0, 1e-9, 5, 1e9], "sum")]


@st.composite
def cases(draw):
    published, mechanism = (
        draw(st.sampled_from(case.PUBLISHED)),
        draw(st.sampled_from(case.MECHANISMS)),
    )
    bounded = published != "count"
    low = draw(numbers(case.END)) if bounded else None
    high = draw(numbers(case.END)) if bounded else None
    n = draw(numbers(case.N)) if published == "mean" else draw(st.none() | numbers(case.N))
    try:
        return Case(
            published=published,
            n=n,
            low=low,
            high=high,
            mechanism=mechanism,
            delta=draw(numbers(loss.DELTA if mechanism == "Gaussian" else loss.DELTA_OR_NONE)),
            # More releases with Laplace noise take longer; the tests of the loss have them.
            releases=draw(st.integers(1, 6)),
            used=draw(st.just(0.0) | st.floats(1e-8, 1e9)),
            used_delta=draw(st.just(0.0) | numbers(loss.DELTA_OR_NONE)),
            household=draw(numbers(case.MEMBERS)),
            prior=draw(st.none() | numbers(breach.PRIOR)),
            reference=None if published == "count" else draw(st.none() | numbers(interval.COUNT)),
            confidence=draw(st.none() | numbers(interval.CONFIDENCE)),
        )
    except DomainError:
        return Case(published="count", releases=3, prior=0.1)


reaches = st.sampled_from(REACHES)
goals = st.one_of(
    st.builds(IntervalGoal, numbers(interval.HALF_WIDTH)),
    st.builds(ErrorGoal, numbers(ErrorGoal.domain)),
    st.builds(RiskGoal, st.sampled_from(COLUMNS), numbers(worlds.RISK), reach=reaches),
    st.builds(BeliefGoal, numbers(breach.POSTERIOR), reach=reaches),
    st.builds(AdvantageGoal, numbers(PROBABILITY), reach=reaches),
    st.builds(BudgetGoal, numbers(loss.TOTAL), reach=st.sampled_from(REACHES[1:])),
)


@given(cases(), goals, numbers(EPSILON))
def test_a_goal_allows_some_noise_or_says_why_not_comes_back_and_fits(case, goal, epsilon):
    allowed = goal.scales(case)
    assert allowed.sentence(case)
    kept = goal.without_data(case)
    back = Goal.from_dict(json.loads(json.dumps(kept.to_dict(), allow_nan=False)))
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


@given(cases(), st.lists(goals, min_size=1, max_size=3))
def test_goals_together_leave_a_suggestion_and_a_record(case, several):
    chosen = choose(case, several)
    assert chosen.sentence
    if chosen.feasible.empty:
        assert chosen.impossible or chosen.conflicts
        promised = [goal.scales(case).low for goal in several if goal.promise]
        assert (chosen.suggested is None) == (max(promised, default=0) in (0, np.inf)) or (
            max(promised) > case.scale(EPSILON.low)
        )
    elif chosen.suggested is not None:
        assert EPSILON.contains(np.array(chosen.suggested))
        assert chosen.allows(chosen.suggested)
    made = choice.record(case, several, chosen.suggested or 0.1)
    assert choice.Record.load(made.json()) == made
    assert made.markdown()
    assert made.public().html()
