"""What is printed as at most is no less than it is, and stands on its limit's side as it does."""

import math
import re

import pytest
from hypothesis import assume, given, settings, strategies as st

from dpwidgets.calculators.choice import (
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    IntervalGoal,
    choose,
)
from dpwidgets.calculators.meanings import meanings
from dpwidgets.inputs.notation import ROUNDING

NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e−?-?\d+)?")
shares = st.floats(0.02, 0.98) | st.sampled_from([0.05, 0.25, 1 / 3, 0.5, 2 / 3])
cases = st.builds(
    Case,
    published=st.just("count"),
    mechanism=st.sampled_from(["Laplace", "Gaussian"]),
    delta=st.just(1e-6),
    releases=st.just(1) | st.integers(2, 15),
    reference=st.floats(10, 5000),
    confidence=shares,
    prior=st.floats(0.01, 0.9),
)
goals = st.one_of(
    st.builds(IntervalGoal, st.floats(0.001, 2)),
    st.builds(ErrorGoal, st.floats(0.01, 300)),
    st.builds(BeliefGoal, shares),
    st.builds(AdvantageGoal, shares),
    st.builds(BudgetGoal, st.floats(0.05, 5) | st.sampled_from([1, 2, 1 / 3])),
)


def last(words):
    """Return the last number of some words, a percentage as a share."""
    found = NUMBER.findall(words)[-1]
    return float(found.replace(",", "")) / (100 if f"{found}%" in words else 1)


@st.composite
def decisions(draw):
    """Return a case, a goal, and an ε: any one, or one hardly beside the end of what is allowed."""
    case, goal = draw(cases), draw(goals)
    allowed = goal.scales(case)
    assume(not allowed.empty)
    ends = [end for end in allowed.epsilons(case) if 1e-6 < end < 900]
    near = [end * share for end in ends for share in (1, 1 - 1e-4, 1 + 1e-4, 1 - 1e-6, 1 + 1e-6)]
    return case, goal, draw(st.floats(0.01, 10) | st.sampled_from(near or [1.0]))


@settings(max_examples=settings().max_examples * 2)
@given(decisions())
def test_what_a_goal_reaches_is_on_the_side_of_its_limit(decision):
    case, goal, epsilon = decision
    scale = case.scale(epsilon)
    said, true = goal.achieved(case, scale), goal.reached(case, scale)
    number, _, limit = said.partition(" (the limit is ")
    assert last(number) >= true * (1 - 2 * ROUNDING)
    assert last(number) <= true * 1.02 + 1e-9
    written = re.split(", except| with a probability| and δ", goal.sentence(case))[0]
    if isinstance(goal, IntervalGoal):
        written = re.search(r"\(.*?%", written)[0]
    assert (last(number) <= last(limit or written)) == goal.met(case, scale)


def test_a_limit_with_more_digits_is_named_with_as_many_as_tell():
    """Of the merge: “within ±1.87773204282 people”, and no word of the limit of 1.875."""
    case = Case(published="count", reference=10, confidence=0.5)
    said = IntervalGoal(0.1875).achieved(case, 1 / 0.369140625)
    assert said == "within ±1.878 people (18.78%) (the limit is 1.875 people or 18.75%)"
    assert IntervalGoal(0.1875).achieved(case, 1) == "within ±0.694 people (6.94%)"
    below = AdvantageGoal(0.80733).achieved(case, -0.5 / math.log(1 - 0.80723))
    assert below == "an advantage of at most 80.73% (the limit is 80.73%)"


@given(decisions())
def test_an_epsilon_and_its_noise_are_written_as_allowed_as_they_are(decision):
    case, goal, epsilon = decision
    chosen = choose(case, [goal])
    number, scale = map(last, chosen.written(epsilon))
    assert number == pytest.approx(epsilon, rel=0.006)
    assert scale == pytest.approx(case.scale(epsilon), rel=0.011)
    assert chosen.allows(number) == chosen.feasible.allows(scale) == chosen.allows(epsilon)


@given(cases, st.floats(0.01, 10))
def test_what_a_meaning_says_is_no_less_than_it_is(case, epsilon):
    scale = case.scale(epsilon)
    for one in meanings(case):
        value = one.value(scale)
        said = last(one.shown(value).split(" (")[0].split(" against")[0])
        if one.name.startswith("Odds"):
            value, said = (1 + value) / 2, said / 100
        if one.name.startswith("Smallest"):
            assert 0.98 * value <= said <= value * (1 + ROUNDING)
        else:
            assert value * (1 - 2 * ROUNDING) <= said <= 1.11 * value
