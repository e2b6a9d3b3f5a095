"""Every number in a record was given, or is computed from what was given."""

import html
import json
import math
import re
from dataclasses import replace

import numpy as np
from hypothesis import given, settings, strategies as st

from dpwidgets.calculators import choice
from dpwidgets.calculators.choice import REACHES, Case, record
from dpwidgets.inputs.notation import ROUNDING

#: What a record tries out on its own: priors, and people with dependent records; of odds, how many;
#: and how small δ · n shall be.
OURS = (0.1, 0.5, 0.9, 4, 100, 0.01)
NUMBER = re.compile(r"(−?\d+(?:,\d{3})*(?:\.(\d+))?(?:e(-?\d+))?)(%?)")
SHARES = (0, 0.1, 0.1, 0.35, 0.4, 1)  # of the range to which values are clipped


@st.composite
def cases(draw):
    published = draw(st.sampled_from(["count", "sum", "mean"]))
    gauss = draw(st.booleans())
    low = draw(st.floats(-50, 40))
    people = st.integers(11, 3000)
    bounded = {"low": low, "high": low + draw(st.floats(3, 90))}
    steps = ["replace"] if published == "mean" else ["add/remove", "replace"]
    return Case(
        published=published,
        n=draw(people if published == "mean" else st.none() | people),
        unit="cats",
        neighbours=draw(st.sampled_from(steps)),
        mechanism="Gaussian" if gauss else "Laplace",
        # A composed law takes a hundred times as long.
        delta=draw(st.sampled_from([1e-5, 3e-8] if gauss else [0, 0, 0, 2e-7])),
        releases=draw(st.integers(1, 40)),
        used=draw(st.sampled_from([0.0, 0.0123])),
        household=draw(st.integers(1, 9)),
        prior=draw(st.none() | st.floats(0.003, 0.8)),
        reference=draw(st.none() | st.floats(0.7, 11 if published == "count" else 4000)),
        confidence=draw(st.none() | st.floats(0.05, 0.99)),
        **(bounded if published != "count" else {}),
    )


def risk_goal(case, risk, reach=REACHES[0]):
    low, high = (0, 1) if case.published == "count" else (case.low, case.high)
    shares = np.resize(SHARES, case.n or len(SHARES))
    column = [low + share * (high - low) for share in shares.tolist()]
    return choice.risk_goal(case, column, risk, reach)


@st.composite
def decisions(draw):
    """Return a case, goals for it, and an ε."""
    case, share, reach = draw(cases()), st.floats(0.02, 0.99), st.sampled_from(REACHES)
    goals = {
        "error": st.builds(choice.ErrorGoal, st.floats(0.01, 100)),
        "advantage": st.builds(choice.AdvantageGoal, share, reach=reach),
        "budget": st.builds(choice.BudgetGoal, st.floats(0.2, 10)),
    }
    if case.reference and case.confidence:
        goals["interval"] = st.builds(choice.IntervalGoal, st.floats(0.001, 2))
    if case.prior:
        goals["belief"] = st.builds(choice.BeliefGoal, share, reach=reach)
    if case.mechanism == "Laplace":
        goals["risk"] = st.builds(risk_goal, st.just(case), st.floats(0.2, 0.99), reach)
    kinds = draw(st.lists(st.sampled_from(sorted(goals)), min_size=1, max_size=4, unique=True))
    return case, [draw(goals[kind]) for kind in kinds], draw(st.floats(0.01, 5))


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
    chosen = choice.choose(case, goals)
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
    cells = [cell.said for row in made.chosen.stress for cell in row.outcomes]
    page = made.markdown().partition("Made with")[0]
    return html.unescape("\n".join([re.sub("<[^>]*>", "", page), *cells]))


@settings(max_examples=settings().max_examples // 4)
@given(decisions())
def test_every_number_was_given_or_computed_from_what_was(decision):
    case, goals, epsilon = decision
    made = record(case, goals, epsilon)
    known = list(traced(*decision))
    for number, step in said(words_of(made)):
        near = 1.001 * step + ROUNDING * abs(number) + 1e-15
        assert any(abs(number - one) <= near for one in known), number
    content = json.loads(made.json())
    assert content["case"] == case.to_dict()
    assert content["epsilon"] == epsilon
    for goal, kept in zip(goals, content["goals"], strict=True):
        assert kept == goal.without_data(case).to_dict()
    for row in made.chosen.stress:
        for one, goal in zip(row.outcomes, goals, strict=True):
            if one.share is not None:
                near = one.share * goal.limit
                assert any(math.isclose(near, number, rel_tol=1e-9) for number in known)
