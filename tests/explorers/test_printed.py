"""What a sentence or a picture calls a limit holds for the number that is printed there."""

import math
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets import (
    AttackExplorer,
    BayesExplorer,
    BreachExplorer,
    IntervalExplorer,
    LossExplorer,
    MeaningsExplorer,
    PlanExplorer,
    WorldsExplorer,
)
from dpwidgets.calculators import bayes, breach, interval
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.meanings import portrait
from dpwidgets.inputs.notation import ROUNDING, show
from known import others_used
from printed import NUMBER, picture, read, said

ALMOST = 1 + 2 * ROUNDING
#: Numbers that have no few digits.
SHARES = (0.0123456, 1 / 74, 0.1, 0.2345678, 1 / 3)
EPSILONS = (0.0123456, 0.2, 0.7654321, 1.3862944, 4.7095302)


INTERVAL = IntervalExplorer()


def all_but(solved, numbers):
    """Yield what a reader may give where one number is solved for."""
    others = {name: some for name, some in numbers.items() if name != solved}
    for values in product(*others.values()):
        yield dict(zip(others, values, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    "solved", ["epsilon", "half_width", "confidence", "count"]
)
def test_an_answer_lies_in_its_interval_as_often_as_it_is_printed(solved):
    explorer = IntervalExplorer(view="curves")
    told = "ε = {n}, .* count of {n} lies within ±{n}, from {n} to {n}, with a probability of {n}"
    numbers = {
        "epsilon": (0.0123456, 0.3, 2.5),
        "half_width": (0.0234567, 0.2),
        "confidence": (0.12345, 2 / 3, 0.99995),
        "count": (7, 123.45),
    }
    for values in all_but(solved, numbers):
        try:
            explorer.go_to(solve_for=solved, **values)
        except ValueError:
            continue
        result, sentence = explorer.result, explorer.sentence
        if "closer to 1" in sentence:
            continue
        epsilon, count, width, low, high, sure = said(told, sentence)
        assert interval.confidence(epsilon, width, count) * ALMOST >= sure
        assert low <= result.low + ROUNDING * count
        assert result.high - ROUNDING * count <= high
        headline = "{n} of the noisy answers lie within ±{n} of the count"
        explorer.view = "answer"
        assert said(headline, explorer.sentence) == [sure, width]
        explorer.view = "curves"


numbers = st.floats(-12, 12).map(lambda power: min(10.0**power, 1e12))


@given(
    numbers | st.sampled_from([1e9, 1e10, 999_999_999_999.0]),
    numbers | st.sampled_from([1e-10, 1e-12, 1e-3]),
    st.floats(0.01, 0.99),
)
def test_every_interval_holds_its_count_as_it_is_printed(count, width, sure):
    epsilon = -math.log1p(-sure) / (count * width)
    result = interval.Precision(epsilon, width, sure, count)
    told = INTERVAL.say(result, {"view": "curves"})
    at, low, high = said("count of {n} lies .* from {n} to {n}, with", told)
    assert low < at < high
    off = 0.1 * width * count
    assert (at, low, high) == (
        pytest.approx(count, abs=off),
        pytest.approx(result.low, abs=off),
        pytest.approx(result.high, abs=off),
    )


@pytest.mark.slow
@pytest.mark.parametrize("solved", ["epsilon", "prior", "posterior"])
def test_a_belief_becomes_at_most_what_is_printed(solved):
    explorer = BreachExplorer()
    numbers = {
        "prior": SHARES,
        "posterior": (0.2456789, 0.5, 0.98765432),
        "epsilon": EPSILONS,
    }
    for values in all_but(solved, numbers):
        if solved == "epsilon" and values["prior"] >= values["posterior"]:
            continue
        explorer.go_to(solve_for=solved, **values)
        told = "A belief of {c} becomes at most {c}, .* At ε = {n}, .* stays between {n} and {n}"
        before, after, at, low, high = said(told, explorer.sentence)
        assert breach.posterior(before, at) <= after * ALMOST
        assert low <= breach.downward(0.5, at) * ALMOST
        assert breach.posterior(0.5, at) <= high * ALMOST
        assert at == pytest.approx(explorer.result.epsilon, rel=0.01)
    for view, what in (("priors", "posterior"), ("posteriors", "prior")):
        explorer.view = view
        (marked,) = said("ρ[12] = {n}", picture(explorer))
        side = marked - getattr(explorer.result, what)
        assert side * (1 if what == "posterior" else -1) >= -1e-9


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_that_a_promise_takes_keeps_it_and_no_answer_breaks_its_limit(
    epsilon,
):
    explorer = BreachExplorer(prior=0.0234567, epsilon=epsilon, view="priors")
    result = explorer.result
    (scale,) = said("noise of scale {n} years", explorer.sentence)
    kept = breach.posterior(result.prior, result.marginal.sensitivity / scale)
    assert kept <= result.posterior * ALMOST
    explorer.view = "attack"
    (limit,) = said("above {n}", explorer.sentence)
    answers = np.linspace(-50, 50, 101)
    assert result.attack.posterior(answers, epsilon).max() <= limit * ALMOST


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("releases", [1, 12])
def test_no_more_lies_above_the_other_than_is_printed(epsilon, releases):
    explorer = AttackExplorer(
        view="worlds", epsilon=epsilon, releases=releases, bound=epsilon / 3
    )
    result = explorer.result
    bound, printed = said(r"δ\({n}\) = {n} of all", explorer.sentence)
    assert bound == pytest.approx(epsilon / 3, rel=0.01)
    assert result.delta <= printed * ALMOST
    if "right in more than" in explorer.sentence:
        (most,) = said("right in more than {n} of cases", explorer.sentence)
        assert result.best <= most * ALMOST


COLUMNS = (
    [1, 2, 3, 10],
    [1, 1, 2, 2, 9],
    [0, 0.123, 5, 5.5, 7.7],
    list(range(20)),
)


@pytest.mark.slow
@pytest.mark.parametrize("values", COLUMNS, ids=len)
@pytest.mark.parametrize("query", ["mean", "median"])
def test_a_risk_stays_within_what_is_tolerated_up_to_the_printed_epsilon(
    values, query
):
    explorer = WorldsExplorer(values=values, query=query, view="risk")
    worlds = Worlds(values, query)
    for risk in (
        0.0723456,
        0.26,
        0.3,
        1 / 3,
        0.4,
        0.5,
        0.6,
        0.7,
        0.8,
        0.9,
        0.95,
        0.99,
    ):
        explorer.go_to(view="risk", risk=risk, epsilon=EPSILONS[2])
        if "up to ε = " in explorer.sentence:
            most, bound = said(
                r"up to ε = {n} \(by the text’s bound, up to {n}\)",
                explorer.sentence,
            )
            assert worlds.risk(most) <= risk * ALMOST
            assert worlds.risk_bound(bound) <= risk * ALMOST or not bound
    told = "risk is {n}, .* At ε = {n} .* scale {n}:"
    worst, at, scale = said(told, explorer.sentence)
    assert worlds.risk(at) == pytest.approx(worst, rel=6e-3)
    assert worlds.sensitivity / scale <= explorer.epsilon * ALMOST


def test_a_loss_exceeds_the_printed_epsilon_as_seldom_as_delta_says():
    for mechanism, many, delta in product(
        ("laplace", "gaussian"), (1, 7, 100), (1e-6, 0.0123)
    ):
        explorer = LossExplorer(
            mechanism=mechanism, compositions=many, delta=delta, epsilon=0.3
        )
        (epsilon,) = said("exceeds ε = {n} in", explorer.sentence)
        assert explorer.result.law.delta(epsilon) <= delta * (1 + 1e-6)


def test_a_count_lies_between_the_printed_numbers_and_one_record_is_one():
    for n, answer in product((1, 17, 1500), (-3.2, 12.345)):
        explorer = BayesExplorer(n=n, answer=answer, epsilon=0.2)
        low, high = said("between {n} and {n} with", explorer.sentence)
        result = bayes.estimate(n=n, p=0.3, epsilon=0.2, answer=answer)
        inside = (result.counts >= low) & (result.counts <= high)
        assert result.posterior[inside].sum() >= 0.95 - 1e-9
        assert ("1 record " in explorer.sentence) == (n == 1)


@given(st.floats(1e-8, 1000))
def test_odds_out_of_100_are_at_most_and_at_least_what_is_printed(epsilon):
    case = Case(published="count")
    (row,) = (
        one
        for one in portrait(epsilon, published="count").rows
        if "Odds" in one.meaning.name
    )
    more, less = said("{n} against {n}", row.meaning.shown(row.value))
    advantage = case.advantage(case.scale(epsilon))
    assert 50 * (1 + advantage) <= more * ALMOST
    assert less <= 50 * (1 - advantage) * ALMOST
    assert more - less <= 100 * advantage + 0.21


#: Goals that are hard to print, each with the case that it needs.
GOALS = {
    "half_width": (0.0512345, 1 / 30),
    "error": (3.21987, 1 / 3),
    "posterior": (0.2512345, 1 / 3),
    "success": (0.31234567,),
    "total": (0.77777, 1 / 3),
    "rho": (0.0123456,),
}
ABOUT = {
    "releases": 3,
    "delta": 1e-6,
    "prior": 0.2,
    "reference": 400.0,
    "confidence": 0.95,
}


@st.composite
def near_an_end(draw):
    """Draw goals, and an ε hardly inside or outside what one of them allows."""
    names = draw(
        st.lists(
            st.sampled_from([*GOALS]), min_size=1, max_size=3, unique=True
        )
    )
    about = ABOUT | {
        "mechanism": draw(st.sampled_from(["Laplace", "Gaussian"]))
    }
    wanted = {name: draw(st.sampled_from(GOALS[name])) for name in names}
    made = choice.decide(**about, **wanted)
    ends = [
        made.case.epsilon(end)
        for goal in made.goals
        for end in (goal.scales(made.case).low, goal.scales(made.case).high)
        if 1e-3 < end < 1e6
    ]
    far = draw(st.sampled_from([0.0, 1e-12, 1e-7, 1e-5, 4e-4, 4e-3])) * draw(
        st.sampled_from([1, -1])
    )
    return about | wanted, draw(st.sampled_from(ends or [0.1])) * (1 + far)


RANGE = re.compile(
    rf"(?:scale (?:from {NUMBER} to {NUMBER}|of at (least|most) {NUMBER}) \w+), which is ε "
    rf"(?:from {NUMBER} to {NUMBER}|of at (?:least|most) {NUMBER})"
)


def ranges(text):
    """Return the range of scales and of ε that a text says: two pairs."""
    found = RANGE.search(
        re.sub(rf"of {NUMBER}( \w+)? alone", r"from \1 to \1\2", text)
    )
    if not found:
        return None
    low, high, side, end, least, most, epsilon = found.groups()
    if side:
        above = (read(end), np.inf), (0.0, read(epsilon))
        below = (0.0, read(end)), (read(epsilon), np.inf)
        return above if side == "least" else below
    return (read(low), read(high)), (read(least), read(most))


def holds(text, scale, epsilon):
    """Tell whether a scale and an ε both lie in what a text says; None where they differ."""
    both = ranges(text)
    if both is None:
        return "any noise" in text.lower()
    inside = [
        low <= one <= high
        for (low, high), one in zip(both, (scale, epsilon), strict=True)
    ]
    return inside[0] if inside[0] == inside[1] else None


@pytest.mark.slow
@given(near_an_end())
def test_no_range_contradicts_the_verdict_beside_it(drawn):
    given, epsilon = drawn
    made = choice.decide(epsilon=epsilon, **given)
    record = made.record()
    page = record.markdown()
    at, scale = said("ε = {n}, which is noise of scale {n}", made.sentence)
    assert said("ε of one release [|] {n} for", page) == [at]
    # One number in the sentence, on the page, and in the program.
    drawn, in_row = said(
        r"scale={n}\)(?s:.*?)noise of scale {n}", record.code() + page
    )
    assert drawn == in_row == scale == made.noise == record.noise
    if not made.choice.feasible.empty:
        for words in (made.sentence, dict(record._allowed)["the goals allow"]):
            assert holds(words, scale, at) == all(made.met)
    for goal, met in zip(made.goals, made.met, strict=True):
        assert holds(made.allowed(goal), scale, at) == met
        assert goal.met(made.case, made.case.scale(at)) == met
    for option in made.choice.options:
        scale = made.case.scale(read(show(option.epsilon, 10)))
        assert made.choice.feasible.allows(scale)


#: Pairs of goals that one scale meets; where it has more than six digits, none does.
SINGLE = (
    {"total": 0.8, "error": 1 / 0.8},
    {"total": 1 / 3, "error": 3},
    {"total": 1, "before": others_used(0.2), "error": 1 / 0.8},
    {"rho": 0.5 / 7**2, "error": 7 * math.sqrt(2 / math.pi)},
)
NONE = (
    {"total": 0.7, "error": 1 / 0.7},
    {"total": 3, "error": 1 / 3},
    {"total": 1, "before": others_used(0.3), "error": 1 / 0.7},
)


@pytest.mark.parametrize("given", SINGLE)
def test_one_scale_that_meets_all_is_a_range_without_width(given):
    gauss = {"mechanism": "Gaussian", "delta": 1e-6} if "rho" in given else {}
    made = choice.decide(published="count", **given, **gauss)
    assert made.met == (True, True)
    assert all(low == high for low, high in ranges(made.sentence))
    assert made.sentence.endswith("is one of these.")
    assert [" from " in made.sentence, len(made.choice.options)] == [False, 1]


@pytest.mark.parametrize("given", NONE)
def test_what_leaves_no_scale_of_six_digits_is_a_contradiction(given):
    made = choice.decide(published="count", **given)
    most, least = said("scale of at most {n} .* at least {n}", made.sentence)
    assert most < least
    fit = made.choice.conflicts[0].promise_fit.total
    assert choice.decide(**given | {"total": fit}).met == (True, True)


@given(st.floats(0.01, 100), st.floats(-2e-9, 2e-2))
def test_a_narrow_range_is_written_the_right_way_round(total, far):
    made = choice.decide(
        published="count", total=total, error=(1 + far) / total
    )
    if made.choice.feasible.empty:
        return
    for words in (made.sentence, made.choice.sentence):
        (low, high), (least, most) = ranges(words)
        assert low <= high
        assert least <= most
        for scale in (low, high, *map(made.case.scale, (least, most))):
            assert all(goal.met(made.case, scale) for goal in made.goals)


LINES = """visits: published=table, cells=40, neighbours=replace, error=5, releases=12
stay: published=mean, n=900, low=0, high=30, unit=days, error=0.1234"""
PROMISES = {
    "total": (1.5, 8, 1 / 3),
    "posterior": (0.6, 1 / 3),
    "rho": (0.1, 0.0123456),
}


@pytest.mark.slow
@pytest.mark.parametrize("promise", PROMISES)
def test_factors_that_are_printed_keep_what_they_are_said_to_keep(promise):
    about = {"delta": 1e-6, "prior": 0.2}
    for limit in PROMISES[promise]:
        suggested = plan.decide(LINES, **about, **{promise: limit})
        low = suggested.factors.low
        for far in (None, 0.0, 1e-7, -1e-7, 2e-4, -2e-4, -0.1, 0.5):
            factor = None if far is None else low * (1 + far)
            made = plan.decide(
                LINES, factor=factor, **about, **{promise: limit}
            )
            least, factor = map(read, (made.least, show(made.factor, 10)))
            assert made.keeps(least)
            assert all(made.met) == (least <= factor)
            at, total = said(
                "With the factor {n}, everything together has ε = {n}",
                made.sentence,
            )
            assert (at, made.plan.total(at) <= total * ALMOST) == (
                factor,
                True,
            )
            if low > 1:
                assert said(
                    "room for the promises: {n} times", made.sentence
                ) == [least]
            else:
                assert said("from {n} to 1 keep", made.sentence) == [least]


def test_what_is_said_of_all_meanings_keeps_its_side():
    """Others are tried with many cases in tests/decisions/goals/test_goals.py."""
    explorer = MeaningsExplorer(epsilon=0.0912345)
    epsilon, scale = said("ε = {n} is noise of scale {n}", explorer.sentence)
    assert scale == explorer.result.scale
    assert explorer.result.case.epsilon(scale) <= epsilon


@pytest.mark.parametrize(
    ("total", "before", "who"),
    [
        (0.12343, (), "This plan uses"),
        (0.1233, (), "This plan uses"),
        (0.4234, others_used(0.3), "What came before and this plan use"),
    ],
)
def test_what_is_used_up_of_a_limit_is_above_it_where_that_is_broken(
    total, before, who
):
    line = "a: published=count, error=8.1041"
    explorer = PlanExplorer(
        statistics=line, total=total, factor=1, before=before, view="used"
    )
    used, limit = said("together {n} of {n} ε", picture(explorer))
    assert (used <= limit) == explorer.result.met[0] == (total != 0.1233)
    assert (
        said(f"^{who} up {{n}} of a limit", str(explorer))[0] >= used / limit
    )
