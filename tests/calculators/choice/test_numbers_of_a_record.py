"""Every number that is printed was given or computed, and stands on its limit's side as it does."""

import html
import json
import math
import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings, strategies as st

from choosing import choices
from dpwidgets.calculators.choice import (
    REACHES,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    IntervalGoal,
    choose,
    record,
)
from dpwidgets.calculators.meanings import meanings
from dpwidgets.inputs.notation import ROUNDING

#: What a record tries out on its own: priors, and people with dependent records; of odds, how many;
#: and how small δ · n shall be.
OURS = (0.1, 0.5, 0.9, 4, 100, 0.01)
NUMBER = re.compile(r"(−?\d+(?:,\d{3})*(?:\.(\d+))?(?:e(-?\d+))?)(%?)")


def otherwise(case, scale):
    """Return the case in each way in which a record lets it turn out otherwise."""
    changed = [replace(case, prior=prior) for prior in (0.1, 0.5, 0.9)]
    changed += [replace(case, releases=2 * case.releases)]
    family = replace(case, household=max(4, case.household))
    changed += [family, replace(family, releases=1, used=0.0)]
    if case.reference:
        changed += [replace(case, reference=case.reference * share) for share in (0.75, 0.5)]
    return changed


def computed(case, goals, scale):
    """Yield what noise of this scale gives, by the case's own methods."""
    yield from (scale, case.epsilon(scale), case.error(scale))
    if case.confidence:
        wide = case.within(scale, case.confidence)
        yield from (wide, wide / (case.reference or 1), case.change_within(scale, case.confidence))
    if case.n and case.published == "mean":
        yield (case.high - case.low) / 2 / math.sqrt(case.n)
    yield from (case.error(scale) / 2, scale, math.sqrt(2) * scale)
    for reach in REACHES:
        yield from (case.total(scale, reach), case.rho(scale, reach), case.mu(scale, reach))
        advantage = case.advantage(scale, reach)
        yield from (advantage, 50 * (1 + advantage), 50 * (1 - advantage))
        if case.prior:
            moved = min(max(case.log_odds(scale, reach), 1e-8), 1000)
            yield 1 / (1 + (1 / case.prior - 1) * math.exp(-min(moved, 700)))
            yield case.success(scale, case.prior, reach)
            yield 0.5 ** case.moves(reach, fact=True)[1]
        for goal in goals:
            if goal.kind == "risk":
                yield replace(goal, reach=reach).reached(case, scale)


def traced(case, goals, epsilon):
    """Yield every number that a record of this decision may hold."""
    yield from OURS
    yield from (number for number in case.to_dict().values() if isinstance(number, int | float))
    yield from (epsilon, case.sensitivity)
    yield from (0.01 / (case.n or 1), (case.n or 0) * case.delta)  # of the warning of a large δ
    yield from (goal.limit for goal in goals)
    yield from (goal.limit * (case.reference or 1) for goal in goals)
    chosen = choose(case, goals)
    yield from (one.epsilon for one in chosen.options)
    scales = [case.scale(one.epsilon) for one in chosen.options]
    for conflict in chosen.conflicts:
        yield conflict.releases
        for fit in (conflict.precise_fit, conflict.promise_fit):
            if fit:
                yield from (fit.limit, fit.limit * (case.reference or 1))
    allowed = [goal.scales(case) for goal in goals]
    scales += [end for one in allowed for end in (one.low, one.high) if 0 < end < math.inf]
    scales += [end for end in (chosen.feasible.low, chosen.feasible.high) if 0 < end < math.inf]
    for scale in (case.scale(epsilon), *scales):
        yield from computed(case, goals, scale)
    for changed in otherwise(case, case.scale(epsilon)):
        yield from computed(changed, goals, case.scale(epsilon))
    yield from (goal.scales(case).low for goal in goals if goal.from_data)  # what is kept of it


def said(words):
    """Yield each number in words, with the step of its last digit, or of its third."""
    for text, decimals, power, share in NUMBER.findall(words):
        number = float(text.replace("−", "-").replace(",", ""))
        step = 10.0 ** (int(power or 0) - len(decimals))
        if abs(number) >= 1000:
            step = 10.0 ** (len(str(int(abs(number)))) - 3)
        yield (number / 100, step / 100) if share else (number, step)


def words_of(made):
    """Return the record's page and its outcomes, without markup and version."""
    cells = [cell.said for row in made.stress for cell in row.outcomes]
    page = made.markdown().partition("Made with")[0]
    return html.unescape("\n".join([re.sub("<[^>]*>", "", page), *cells]))


@settings(max_examples=settings().max_examples // 4)
@given(choices(), st.floats(0.01, 5))
def test_every_number_was_given_or_computed_from_what_was(choice, epsilon):
    case, goals = replace(choice[0], used_delta=0.0), choice[1]  # with which there is no ρ
    made = record(case, goals, epsilon)
    known = list(traced(case, goals, epsilon))
    for number, step in said(words_of(made)):
        near = 1.001 * step + ROUNDING * abs(number) + 1e-15
        assert any(abs(number - one) <= near for one in known), number
    content = json.loads(made.json())
    assert (content["case"], content["epsilon"]) == (case.to_dict(), epsilon)
    for row in made.stress:
        for one, goal in zip(row.outcomes, goals, strict=True):
            near = (one.share or 0) * goal.limit
            assert not near or any(math.isclose(near, number, rel_tol=1e-9) for number in known)


LAST = re.compile(r"\d[\d,]*\.?\d*(?:e−?-?\d+)?")
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
    found = LAST.findall(words)[-1]
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
    written = goal.sentence(case).split(", except")[0].split(" with a probability")[0]
    written = written.split(" of 1")[0] if isinstance(goal, BudgetGoal) else written
    if isinstance(goal, BudgetGoal):
        written = written.split(" and δ")[0]
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
def test_an_epsilon_and_its_noise_stand_on_the_side_of_the_printed_ends(decision):
    case, goal, epsilon = decision
    chosen = choose(case, [goal])
    assume(not chosen.feasible.empty and "any noise" not in chosen.sentence)
    allowed, number, scale = chosen.beside(epsilon)
    ends = [float(one.replace(",", "")) for one in LAST.findall(allowed.partition(" for Δf")[0])]
    number, scale = last(number), last(scale)
    assert number == pytest.approx(epsilon, rel=0.006)
    assert scale == pytest.approx(case.scale(epsilon), rel=0.011)
    inside = chosen.allows(epsilon)
    if goal.promise:  # at least this scale, at most this ε
        assert (scale >= ends[0]) == (number <= ends[1]) == inside
    else:
        assert (scale <= ends[0]) == (number >= ends[1]) == inside


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
