"""Goals and what they allow together, against brute force over the scale of the noise."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy import stats

from dpwidgets.calculators import loss
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import (
    BeliefGoal,
    BudgetGoal,
    ErrorGoal,
    Feasible,
    IntervalGoal,
    RiskGoal,
    choose,
)
from dpwidgets.decisions.meanings import meanings
from dpwidgets.inputs.notation import ROUNDING, rounded, show
from known import HOSPITAL, others_used
from losses import gaussian_delta

STUDENTS = Worlds([1, 2, 3, 10])
GOALS = st.one_of(
    st.builds(IntervalGoal, st.floats(0.001, 2)),
    st.builds(ErrorGoal, st.floats(0.01, 100)),
    st.builds(RiskGoal, st.just(STUDENTS), st.floats(0.26, 0.99)),
    st.builds(BeliefGoal, st.floats(0.02, 0.99)),
    st.builds(BudgetGoal, st.floats(1.6, 10)),
)


@st.composite
def cases(draw):
    published = draw(st.sampled_from(["count", "sum", "mean"]))
    gauss = draw(st.booleans())
    low = draw(st.floats(-5, 4))
    n = draw(st.integers(5, 3000))
    # With Laplace noise and few releases composition does not help: 2^−5 is
    # more than δ.
    return Case(
        published=published,
        n=n if published == "mean" else draw(st.sampled_from([None, n])),
        low=None if published == "count" else low,
        high=None if published == "count" else low + draw(st.floats(0.5, 20)),
        neighbours=draw(
            st.sampled_from(
                ["replace", "add/remove"][: 1 + (published != "mean")]
            )
        ),
        mechanism="Gaussian" if gauss else "Laplace",
        delta=draw(st.sampled_from([1e-6, 1e-3])) if gauss else 0.0,
        releases=draw(st.integers(1, 5)),
        before=others_used(draw(st.sampled_from([0.0, 0.1, 0.3]))),
        household=draw(st.integers(1, 5)),
        prior=draw(st.floats(0.01, 0.6)),
        reference=draw(st.floats(0.5, 5 if published == "count" else 1000)),
        confidence=draw(st.floats(0.05, 0.99)),
    )


@st.composite
def choices(draw):
    """Draw a case and one to four goals that suit its noise."""
    case = draw(cases())
    several = draw(st.lists(GOALS, min_size=1, max_size=4))
    if case.mechanism == "Gaussian":
        several = [goal for goal in several if not isinstance(goal, RiskGoal)]
    assume(several)
    return case, several


def number(goal, case, scale):
    """The number that a goal limits, from the definitions, without the case's own methods."""
    count, people = case.releases, case.household
    used = case.past.epsilon()
    moved = case.high - case.low if case.published != "count" else 1
    moved /= case.n if case.published == "mean" else 1
    step = moved if case.neighbours == "replace" else case.sensitivity
    fact = max(step, moved)
    # Between two values of somebody.
    steps = 1 if case.neighbours == "replace" else 2
    match goal:
        case IntervalGoal():
            law = stats.laplace if case.mechanism == "Laplace" else stats.norm
            return (
                law.ppf((1 + case.confidence) / 2, scale=scale)
                / case.reference
            )
        case ErrorGoal():
            return scale * (
                1 if case.mechanism == "Laplace" else math.sqrt(2 / math.pi)
            )
        case RiskGoal():
            answers = goal.worlds.answers
            far = np.abs(answers[:, None] - answers) * count * people / scale
            risk = 1 / np.exp(-far).sum(axis=1).min()
            return risk / (risk + (1 - risk) / math.exp(steps * used))
        case BeliefGoal():
            if case.mechanism == "Laplace":
                odds = count * people * fact / scale
            else:
                mu = people * fact / scale * math.sqrt(count)
                odds = stats.norm.isf(case.delta, mu**2 / 2, mu)
            odds = min(odds + steps * used, 700)
            return 1 / (1 + (1 / case.prior - 1) * math.exp(-odds))
        case BudgetGoal():
            if case.mechanism == "Laplace":
                return used + people * count * step / scale
            mu = people * step / scale * math.sqrt(count)
            reached = loss.gaussian(min(max(mu, 1e-8), 1000)).delta(
                goal.total - used
            )
            # Its δ tells as well.
            return goal.total * (1 if reached <= case.delta else 2)
    raise AssertionError(goal)


@settings(max_examples=min(1000, 2 * settings().max_examples))
@given(choices())
def test_the_range_by_brute_force_and_every_way_out(drawn):
    """Of many cases and goals the ends are right, and what is offered is enough and no more."""
    case, several = drawn
    chosen = choose(case, several)
    scales = np.geomspace(case.scale(500), case.scale(1e-4), 25)
    ends = (chosen.feasible.low, chosen.feasible.high)
    near = [
        end * share
        for end in ends
        if 0 < end < math.inf
        for share in (0.999999, 1.000001)
    ]
    least, most = case.scale(900), case.scale(1e-7)
    inside = (one for one in (*scales, *near) if least < one < most)
    # The next ones of six digits: no others are ever chosen.
    for scale in (rounded(one, 6, up=one >= ends[0]) for one in inside):
        met = all(number(goal, case, scale) <= goal.limit for goal in several)
        assert met == chosen.feasible.allows(scale), (scale, ends)
    assert chosen.feasible.empty == bool(chosen.conflicts or chosen.impossible)
    for one in chosen.options:
        assert all(goal.met(case, case.scale(one.epsilon)) for goal in several)
        assert one.buys
    for conflict in chosen.conflicts:
        check_ways_out(case, conflict)


def check_ways_out(case, conflict):
    pair = (conflict.precise, conflict.promise)
    for fit, goal, other in zip(
        (conflict.precise_fit, conflict.promise_fit),
        pair,
        reversed(pair),
        strict=True,
    ):
        if fit is None:
            continue
        assert not choose(case, [fit, other]).feasible.empty
        # Rounded up to three digits it is half a step of the third too large
        # at most.
        smaller = fit.limit * (1 - 0.0101)
        probability = fit.limits in ("risk", "posterior")
        if smaller > goal.limit and not (probability and fit.limit > 0.99):
            assert choose(
                case, [replace(fit, **{fit.limits: smaller}), other]
            ).feasible.empty
    if conflict.releases:
        assert not choose(
            replace(case, releases=conflict.releases), pair
        ).feasible.empty
        assert choose(
            replace(case, releases=conflict.releases + 1), pair
        ).feasible.empty


NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e−?-?\d+)?")


def last(words):
    """Return the last number of some words, a percentage as a share."""
    found = NUMBER.findall(words)[-1]
    return float(found.replace(",", "")) / (100 if f"{found}%" in words else 1)


@st.composite
def decisions(draw):
    """Draw a case, a goal, and an ε: any one, or one hardly beside the end of what is allowed."""
    case, (goal, *_) = draw(choices())
    allowed = goal.scales(case)
    assume(not allowed.empty)
    ends = [
        case.epsilon(end)
        for end in (allowed.low, allowed.high)
        if case.scale(900) < end < case.scale(1e-6)
    ]
    near = [
        end * share
        for end in ends
        for share in (1, 1 - 1e-4, 1 + 1e-4, 1 - 1e-6, 1 + 1e-6)
    ]
    return (
        case,
        goal,
        draw(st.floats(0.01, 10) | st.sampled_from(near or [1.0])),
    )


@given(decisions())
def test_what_is_written_is_on_the_side_of_its_limit(decision):
    """What is printed as at most is no less than it is; an ε is as allowed as it is written."""
    case, goal, epsilon = decision
    scale = case.scale(epsilon)
    said, true = goal.achieved(case, scale), goal.reached(case, scale)
    number, _, limit = said.partition(" (the limit is ")
    assert true * (1 - 2 * ROUNDING) <= last(number) <= true * 1.02 + 1e-9
    written = goal.sentence(case).rpartition(" shall ")[2]
    written = re.split(
        r", except| with a probability| of [\d,.]+\)| and δ", written
    )[0]
    assert (last(number) <= last(limit or written)) == goal.met(case, scale)
    # As it was given, and no stricter.
    given = last(written) if goal.limits != "half_width" else goal.limit
    assert goal.limit * (1 - 2 * ROUNDING) <= given <= goal.limit * (1 + 1e-5)
    exact = case.scale(epsilon, 17)
    assert exact * (1 - ROUNDING) <= scale <= exact * (1 + 1e-5)
    near = case.scale(last(show(epsilon, 10)))
    assert last(case.measured(scale, 15)) == scale == near


@settings(max_examples=max(1, settings().max_examples // 2))
@given(cases(), st.floats(0.01, 10))
def test_what_a_meaning_says_is_no_less_than_it_is(case, epsilon):
    for one in meanings(case):
        value = one.value(case.scale(epsilon))
        said = last(one.shown(value).split(" (")[0].split(" against")[0])
        if one.name.startswith("Odds"):
            value, said = (1 + value) / 2, said / 100
        if one.name.startswith("Smallest"):
            assert 0.98 * value <= said <= value * (1 + ROUNDING)
        else:
            assert value * (1 - 2 * ROUNDING) <= said <= 1.11 * value


def test_a_fit_near_one_keeps_more_digits_and_none_is_none():
    case = Case(published="count", prior=0.5)
    fit = BeliefGoal(0.6).fitting(case, case.scale(12))
    assert fit.posterior < 1
    assert fit.met(case, case.scale(12))
    assert BeliefGoal(0.12345678).written(case) == ["12.3457%"]
    assert BeliefGoal(0.6).fitting(case, case.scale(700)) is None


FAR = "not even the largest noise does"
LOW = replace(HOSPITAL, prior=0.3, reference=None)
LITTLE = replace(LOW, before=others_used(1.5))
UNMET = (
    (RiskGoal(STUDENTS, 0.2), LOW, f"{FAR} (at most 25"),
    (
        RiskGoal(STUDENTS, 0.5),
        replace(LOW, mechanism="Gaussian"),
        "must be 'Laplace'",
    ),
    (
        RiskGoal(STUDENTS, 0.5),
        LITTLE,
        f"{FAR} (at most 87.1% sure)",
    ),
    (RiskGoal(None, 0.5, kept=1e90), LOW, FAR),
    (
        choice.risk_goal(replace(LOW, n=4), [1] * 4, 0.2),
        LOW,
        f"{FAR} (at most 25% sure)",
    ),
    (BeliefGoal(0.2), LOW, f"{FAR} (from 30% to at most 30.1%)"),
    (
        BeliefGoal(0.2),
        replace(LOW, prior=None),
        "prior must be given in the case",
    ),
    (
        BeliefGoal(0.4),
        LITTLE,
        f"{FAR} (from 30% to at most 89.6%)",
    ),
    (
        IntervalGoal(0.1),
        LOW,
        "reference must be given in the case",
    ),
    (
        ErrorGoal(1e-9),
        LOW,
        "not even the smallest noise does (off by 0.00",
    ),
    (
        BudgetGoal(2),
        replace(LOW, before=others_used(1), household=2),
        "what this noise does not change has used it up (ε = 2 in",
    ),
)


@pytest.mark.parametrize(("goal", "of", "why"), UNMET)
def test_a_goal_that_no_noise_meets_says_why(goal, of, why):
    allowed = goal.scales(of)
    assert allowed.empty
    assert not allowed.allows(1.0)
    assert why in allowed.reason
    chosen = choose(of, [goal, ErrorGoal(5)])
    assert chosen.impossible[0] == (goal, allowed.reason)
    assert not chosen.conflicts
    assert "No noise meets" in chosen.sentence()


def test_any_noise_may_keep_a_risk():
    case = Case(published="count")
    alike = choice.risk_goal(case, [1, 1, 0, 0], 0.5)
    assert choose(case, [alike]).sentence() == "Any noise meets the goal."
    nobody = choice.risk_goal(
        Case(published="mean", n=3, low=0, high=1), [5, 5, 5], 0.5
    )
    assert alike.scales(case) == nobody.scales(case) == Feasible(0.0, math.inf)


FAMILY = replace(HOSPITAL, household=3)
BESIDE = replace(FAMILY, before=others_used(1.0))
OTHERS = "with ε = 1 used up by others,"
DEPEND = "even if the records of 3 people depend on each other,"
#: What a promise's sentence begins with, by the case.
BEGINS = (
    (replace(HOSPITAL, releases=1), "After the release,"),
    (HOSPITAL, "After all 4 releases,"),
    (replace(BESIDE, household=1), f"After all 4 releases, {OTHERS}"),
    (FAMILY, f"After all 4 releases, {DEPEND}"),
)


@pytest.mark.parametrize(("case", "words"), BEGINS)
def test_a_promise_says_that_it_is_about_everything(case, words):
    for goal in (BeliefGoal(0.5), RiskGoal(STUDENTS, 0.5)):
        assert goal.sentence(case).startswith(f"{words} nobody")


def test_a_promise_says_what_it_holds_but_for():
    many = BeliefGoal(0.5).sentence(replace(FAMILY, releases=30))
    assert many.endswith(", except with a probability of 1e-6.")
    said = BudgetGoal(4.3).sentence(BESIDE)
    shall = "by others for each of them, shall have ε = 4.3 and δ = 1e-6 at"
    assert shall in said


def test_a_range_of_noise_says_what_it_is_at_its_corners():
    """Noise larger than that of the smallest ε is found too: for it Gaussian noise has ε = 0."""
    case = Case(
        published="count", mechanism="Gaussian", delta=0.01, releases=52
    )
    assert gaussian_delta(math.sqrt(52) / 68.807, 0.1) == pytest.approx(
        0.01, rel=1e-4
    )
    for goals, words in (
        (
            [ErrorGoal(100)],
            "a scale of at most 125 people, which is ε of at least 0 for Δf = 1",
        ),
        ([ErrorGoal(100), BudgetGoal(5)], "people, which is ε from 0 to 0."),
        (
            [BudgetGoal(0.1)],
            "a scale of at least 68.9 people, which is ε of at most 1e-8 for",
        ),
        ([ErrorGoal(1)], " for Δf = 1 and δ = 0.01"),
    ):
        assert words in choose(case, goals).feasible.sentence(case)
    assert Feasible(2, 1).sentence(case) == "no noise"


def test_of_many_contradictions_the_two_furthest_apart_are_said():
    case = replace(HOSPITAL, releases=12, delta=1e-6)
    precise = [IntervalGoal(0.01), ErrorGoal(0.5), ErrorGoal(2.0)]
    promises = [BeliefGoal(0.201), BudgetGoal(0.5)]
    chosen = choose(case, [*precise, *promises])

    def apart(pair):
        goal, promise = pair
        return promise.scales(case).low / goal.scales(case).high

    found = [(one.precise, one.promise) for one in chosen.conflicts]
    pairs = itertools.product(precise, promises)
    assert found == sorted(pairs, key=apart, reverse=True)
    said = [obstacle in chosen.sentence() for obstacle in chosen.obstacles]
    assert said == [True, True, False, False, False, False]
    assert chosen.sentence().endswith(" And 4 more contradictions.")
    three = choose(case, [*precise, promises[0]])
    assert three.sentence().endswith(" And 1 more contradiction.")
