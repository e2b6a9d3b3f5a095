"""Plans: several statistics together, against a case of one, enumeration and their promises."""

import html
import math
import re
from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import assume, given, settings, strategies as st

from decided import GOALS, row
from dpwidgets.calculators import loss
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import AT_ONCE, IntervalGoal
from dpwidgets.decisions.plan import Statistic, decide
from dpwidgets.decisions.record import PlanRecord
from dpwidgets.inputs.notation import show
from known import others_used

CLINIC = """
visits: published=table, cells=40, contributions=36, neighbours=replace, error=5, releases=12
stay: published=mean, n=9000, low=0, high=30, unit=days, error=0.1, releases=12

age: published=mean, n=9000, low=0, high=110, error=0.5, mechanism=Gaussian, releases=12
total: published=count, neighbours=replace, error=20, releases=12
"""
MECHANISM = st.sampled_from(["Laplace", "Gaussian"])
PROMISES = {
    "total": 8,
    "rho": 0.1,
    "posterior": 0.6,
    "success": 0.6,
}


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
@pytest.mark.parametrize("household", [1, 3])
def test_a_plan_of_one_says_what_its_case_says(mechanism, household):
    """Also where two values of somebody are farther apart than a person from none."""
    people = {
        "delta": 1e-6,
        "before": others_used(0.1),
        "household": household,
        "prior": 0.2,
    }
    about = {"published": "table", "cells": 3, "mechanism": mechanism}
    case = Case(releases=5, **about, **people)
    line = ", ".join(f"{word}={value}" for word, value in about.items())
    plan = decide(f"it: {line}, releases=5, error=4", factor=1, **people).plan
    (scale,) = plan.scales(1)
    for name in ("total", "log_odds", "advantage", "rho", "mu"):
        ours, theirs = getattr(plan, name)(1), getattr(case, name)(scale)
        assert 1 - 1e-9 <= ours / theirs <= 1.001, name
    assert plan.success(1, 0.2) == pytest.approx(
        case.success(scale, 0.2), rel=1e-3
    )
    assert (plan.delta_clause, plan.failure_clause) == (
        case.delta_clause,
        case.failure_clause,
    )


@pytest.mark.parametrize("promise", PROMISES)
def test_the_least_factor_keeps_its_promise_and_less_does_not(promise):
    given = {
        "delta": 1e-6,
        "prior": 0.2,
        "household": 2,
        "before": others_used(0.05),
    }
    given[promise] = PROMISES[promise]
    made = decide(CLINIC, **given)
    low = made.factors.low
    assert [made.keeps(low * more) for more in (0.995, 1, 1.5)] == [
        False,
        True,
        True,
    ]
    assert decide(CLINIC, factor=low, **given).met == (True,)


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(MECHANISM, st.floats(1, 50), st.integers(1, 60)),
        min_size=2,
        max_size=12,
    ),
    st.floats(0.3, 3),
)
@settings(max_examples=15, deadline=None)
def test_together_they_tell_what_the_law_of_all_of_them_says(rows, factor):
    lines = [
        f"s{at}: published=count, error={error!r}, releases={releases}, mechanism={kind}"
        for at, (kind, error, releases) in enumerate(rows)
    ]
    plan = decide("\n".join(lines), delta=1e-6, prior=0.2, factor=factor).plan
    laws = [
        getattr(loss, kind.lower())(1 / scale).compose(many)
        for (kind, _, many), scale in zip(
            rows, plan.scales(factor), strict=True
        )
    ]
    law = laws[0].compose_with(*laws[1:])
    assume(law.mean() < 100)
    assert plan.rho(factor) == pytest.approx(law.rho(), rel=3e-5)
    assert 1 - 1e-9 <= plan.total(factor) / law.epsilon(1e-6) <= 1.003
    assert plan.advantage(factor) == pytest.approx(law.delta(0), rel=1e-3)
    found = plan.yes_or_no(factor, 0.2)
    assert found == pytest.approx(law.yes_or_no(0.2), rel=1e-3)
    assert plan.log_odds(factor) == pytest.approx(law.exceeded(1e-6), 3e-3)
    assert sum(plan.shares(factor)) == pytest.approx(1)
    for one, scale in zip(plan.statistics, plan.scales(factor), strict=True):
        (goal,) = one.goals
        assert goal.met(one.case, scale) == (factor <= 1)
        # Rounded down, so that no goal of precision is missed by a digit.
        assert -1e-12 < 1 - scale / (one.largest_scale * factor) < 1e-5


FIXED = "a: published=count, error=6\nb: published=count, scale=7"


def lines(*noises, **words):
    """A count for each noise, as a plan writes it."""
    more = "".join(f", {word}={value}" for word, value in words.items())
    return "\n".join(
        f"c{place}: published=count{more}, {noise}"
        for place, noise in enumerate(noises)
    )


def test_a_scale_that_is_typed_has_all_its_digits_and_any_other_six():
    width = "half_width=0.0321, reference=417, confidence=0.9"
    made = decide(
        lines(f"error={1 / 0.7}, scale={1 / 0.7}", width), factor=0.77
    )
    assert made.every_met == (True, True)
    record = made.record()
    drawn = re.findall(r"scale=([\d.]+)\)", record.code())
    assert (drawn[0], len(drawn[1])) == (str(1 / 0.7), len("4.47645"))
    page = record.markdown()
    assert re.findall(r"noise of scale (\S+)", page) == [
        show(1 / 0.7, 15),
        drawn[1],
    ]


GAUSS = {"mechanism": "Gaussian"}
#: Budgets that are met exactly, but for the last digit of a float.
EXACT = (
    (lines("scale=2", "scale=2"), {"total": 1}),
    (lines("scale=2"), {"total": 1, "before": others_used(0.5)}),
    (lines("scale=3"), {"total": 1 / 3}),
    (lines("scale=10", f"scale={1 / 0.9}"), {"total": 0.1 + 0.9}),
    (lines(*["scale=11"] * 11), {"total": 1}),
    (lines(*[f"scale={1 / 0.1}"] * 3), {"total": 0.3}),
    (lines("scale=0.5", releases=7), {"total": 14}),
    (lines("scale=2", "error=2"), {"total": 1}),
    (lines("scale=2", "error=2", "error=3"), {"total": 4 / 3}),
    (lines("error=7"), {"total": 1, "before": others_used(6 / 7)}),
    (lines("scale=2", **GAUSS), {"rho": 0.125}),
    (lines(*["scale=7"] * 7, **GAUSS), {"rho": 7 / 98}),
    (
        lines("scale=2", f"error={2 * math.sqrt(2 / math.pi)}", **GAUSS),
        {"rho": 0.25},
    ),
)


@pytest.mark.parametrize(("text", "limits"), EXACT)
def test_a_limit_that_is_met_exactly_is_met(text, limits):
    (name,) = (name for name in ("total", "rho") if name in limits)
    delta = 1e-6 if name == "rho" else 0
    for factor in (None, 1):
        made = decide(text, factor=factor, delta=delta, **limits)
        assert (made.factor, made.met) == (1, (True,))
        assert made.sentence.startswith(("Every factor", "Only the factor 1"))
        assert row(made.record(), "promise", GOALS)[-1] == "yes"
    less = limits | {name: limits[name] * (1 - 1e-6)}
    assert decide(text, factor=1, delta=delta, **less).met == (False,)


def test_a_limit_that_a_plan_itself_has_is_met_beside_earlier_records():
    text = lines("scale=4", "error=3", "error=9")
    before = [choice.decide(published="count", error=5).record(date="2025")]
    about = {"delta": 1e-6, "before": before}
    plan = decide(text, factor=1, **about).plan
    for limits in ({"total": plan.total(1)}, {"rho": plan.rho(1)}):
        made = decide(text, **about, **limits)
        assert (made.factor, made.met) == (1, (True,))


NONE = "is fixed: not even the largest noise does"
ROOM = "This makes room for the promises: leaving out c0"
MUCH = "c: published=count, error=0.002, releases=99999"
#: What decisions say, and how they end.
SENTENCES = (
    (decide(FIXED, total=0.01), NONE, "(ε = 0.143 in all)."),
    (
        decide(lines("scale=1", "scale=1"), total=1),
        f"{NONE} (ε = 2 in all). {ROOM}",
        " or c1.",
    ),
    (
        decide(lines("scale=1", "error=5"), total=1),
        "what this noise does not change has used it up (ε = 1 in all)",
        f"{ROOM} or c1.",
    ),
    (
        decide(lines("scale=1", "scale=3", releases=4), total=3),
        NONE,
        "leaving out c0, or 2 releases of each.",
    ),
    (
        decide(
            "c: published=count, scale=1e9\nb: published=count, error=9e11",
            total=1,
        ),
        "Every factor of the noise up to 1 keeps all promises",
        ".",
    ),
    (
        decide(MUCH, total=1),
        " times as much noise as the goals allow, and a factor is 1,000,000 at most.",
        "at most.",
    ),
    (
        decide(f"{MUCH}\nb: published=count, error=9", total=1),
        " times as much noise as the goals allow, and a factor is 1,000,000 at most.",
        "promises: leaving out c.",
    ),
    (
        decide(lines("scale=1"), total=0.1),
        "No factor of the noise keeps all promises while the scale of c0 is fixed",
        "does (ε = 1 in all).",
    ),
    (
        decide(lines("error=5"), total=0.1, before=others_used(1)),
        "No noise keeps all promises: ",
        "does (ε = 1 in all).",
    ),
)


@pytest.mark.parametrize(("made", "words", "end"), SENTENCES)
def test_a_decision_says_whether_noise_keeps_all_and_a_way_out(
    made, words, end
):
    assert words in made.sentence
    assert made.sentence.endswith(end)
    refused = "Nothing is published" in made.record().markdown()
    assert (made.factor is None) == refused


COUNT = "a: published=count, error=3"
WIDE = "a: half_width=0.1, reference=100, confidence=0.95"


@pytest.mark.parametrize(
    "limits", [{"total": 1.5}, {"posterior": 0.5}, {"rho": 0.01}]
)
def test_each_way_out_does_what_its_sentence_says(limits):
    """The goals that much noise breaks are not said to be kept: only the promises have room."""
    made = decide(CLINIC, delta=1e-6, prior=0.2, **limits)
    said = made.ways_out.partition("room for the promises: ")[2]
    for way in said.rstrip(".").split(", or "):
        number, _, what = way.partition(" ")
        if what.startswith("times"):
            assert made.keeps(float(number))
        elif number == "leaving":
            names = what.removeprefix("out ").split(" or ")
            assert all(
                made.keeps(1, made.plan.without(name)) for name in names
            )
        else:
            for more in (0, 1):
                fewer = made.plan.with_releases(int(number) + more)
                assert made.keeps(1, fewer) == (more == 0)
    assert "times" in said


def test_all_meanings_are_read_for_the_household_as_the_promises_are():
    given = {"household": 3, "prior": 0.2, "before": others_used(0.1)}
    made = decide(COUNT, posterior=0.9, success=0.9, total=9, rho=9, **given)
    said = {
        promise.kind: promise.achieved(made.plan, 1.0)
        for promise in made.goals
    }
    epsilon, rho, stated, success, belief = made.meanings
    assert f"has {said['budget'].removesuffix(' in all')}." in epsilon
    assert f"has {said['rho'].removesuffix(' in all')} (zCDP)." in rho
    assert (
        "for 3 people whose records depend on each other, with ε = 0.1 used up"
        in epsilon
    )
    assert said["success"].removeprefix("right ")[:-9] in success
    assert said["belief"].removeprefix("from 20% to ") in belief
    for one in (stated, success, belief):
        assert ", for one of 3 with dependent records, with ε = 0.1 " in one
    assert made.record().title == (
        f"A plan of 1 statistic with {made.in_all} for 1 release, for 3 people with dependent "
        "records, with ε = 0.1 used up by others for each of them"
    )


TABLE = "a: published=table, cells=180, error=5"
#: What lines say of a statistic.
SAID = (
    (f"{COUNT}, unit=5", "case.unit", "5"),
    (f"{COUNT},unit=1e3,", "case.unit", "1e3"),
    (
        f"{TABLE}, contributions=3, neighbours=replace, mechanism=Gaussian",
        "case.sensitivity",
        pytest.approx(math.sqrt(6)),
    ),
    (
        "a: published=sum, groups=9, low=0, high=30, scale=300",
        "case.groups",
        9,
    ),
    (
        f"{WIDE}, published=table, cells=40, at_once=yes,",
        "largest_scale",
        pytest.approx(1.502, abs=1e-3),
    ),
    ("a: published=count, unit=litres of E1.0, error=5", "case.releases", 1),
    (
        f"{WIDE}, published=table, cells=40, at_once=no",
        "largest_scale",
        pytest.approx(3.338, abs=1e-3),
    ),
)


@pytest.mark.parametrize(("line", "name", "value"), SAID)
def test_a_line_says_what_its_statistic_is_and_the_other_way_round(
    line, name, value
):
    read = Statistic.read(line, delta=1e-6)
    assert attrgetter(name)(read) == value
    assert Statistic.read(read.line(), delta=1e-6) == read


def test_the_record_of_a_plan_comes_back_and_says_each_thing_once(tmp_path):
    made = decide(
        "visits: published=table, cells=40, neighbours=replace, half_width=0.1, at_once=yes, "
        "reference=300, confidence=0.9\n"
        "stay: published=mean, n=900, low=0.5, high=30, error=0.1234567890123\n"
        "age: published=mean, n=900, low=0, high=110, unit=years, scale=2, releases=3",
        delta=1e-6,
        total=4,
        posterior=0.8,
        prior=0.2,
        before=others_used(0.5),
    ).record(names="Ann", reasons="because")
    assert made.plan.statistics[0].goals == (IntervalGoal(0.1, AT_ONCE),)
    assert (
        PlanRecord.load(made.json())
        == PlanRecord.load(made.save(tmp_path / "plan.json"))
        == made
    )
    refused = replace(made, number=None)
    assert PlanRecord.load(refused.json()) == refused
    assert "Nothing is published" in refused.markdown()
    page = html.unescape(made.markdown())
    promised = [promise.sentence(made.plan) for promise in made.goals]
    for said in (
        *promised,
        *(f"| {name} |" for name, _ in made.rows),
        *dict(made.rows).values(),
    ):
        assert page.count(said) == 1
    assert all(
        said in page for said in (*made.meanings, made.sentence, "used up")
    )
