"""Whatever a goal's domains accept works: goals at their ends, alone, together and on record."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.calculators import breach, interval, loss
from dpwidgets.calculators.worlds import RISK
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import (
    END,
    MECHANISMS,
    MEMBERS,
    PUBLISHED,
    Case,
    N,
    guesses,
    stated,
)
from dpwidgets.decisions.goals import ErrorGoal, Promise
from dpwidgets.decisions.record import CaseRecord, PlanRecord, of_case
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import up
from known import others_used, suited
from printed import read
from strategies import asked, numbers

COLUMNS = [[1, 2, 3, 10], [1, 1, 2, 2], [0, 1e-9, 5, 1e9], [7, 7, 7]]


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
        own["cells"] = draw(st.integers(1, 9))
    own["confidence"] = draw(st.none() | numbers(interval.CONFIDENCE))
    if published != "count":
        own["reference"] = draw(st.none() | numbers(interval.COUNT))
    made = asked(
        Case,
        **own,
        published=published,
        mechanism=mechanism,
        contributions=draw(st.none() | st.integers(1, 3)),
        neighbours=draw(st.sampled_from([None, "replace"])),
        delta=draw(
            numbers(
                loss.DELTA if mechanism == "Gaussian" else loss.DELTA_OR_NONE
            )
        ),
        # More releases with Laplace noise take longer; the tests of the loss
        # have them.
        releases=draw(st.integers(1, 6)),
        before=others_used(draw(st.just(0.0) | st.floats(1e-8, 1e9))),
        household=draw(numbers(MEMBERS)),
        prior=draw(st.none() | numbers(breach.PRIOR)),
    )
    return made or Case(published="count", releases=3, prior=0.1)


GOALS = {
    "half_width": numbers(interval.HALF_WIDTH),
    "error": numbers(ErrorGoal.domain),
    "risk": numbers(RISK),
    "posterior": numbers(breach.POSTERIOR),
    "success": numbers(breach.POSTERIOR),
    "total": numbers(loss.TOTAL),
}


@st.composite
def decisions(draw):
    case = draw(cases())
    words = draw(st.fixed_dictionaries({}, optional=GOALS)) or {"total": 1}
    if "risk" in words:
        column = draw(st.sampled_from(COLUMNS))
        words["values"] = suited(column, "count" if case.counts else "sum")
        words["n"] = len(column)
    words = case.to_dict() | {"before": case.before} | words
    made = asked(choice.decide, **words, epsilon=draw(numbers(EPSILON)))
    assume(made is not None)
    return made


@given(decisions())
@np.errstate(all="raise")
def test_goals_allow_some_noise_or_say_why_not_and_come_back_on_record(made):
    suggested = made.chosen(None)
    against = re.search("No noise meets|For these two, ", suggested.sentence)
    assert all(suggested.met) or against
    promises = [goal.kind for goal in made.goals if isinstance(goal, Promise)]
    for one in (made, suggested):
        assert len(one.met) == (len(one.goals) if one.epsilon else 0)
        record = one.record()
        assert CaseRecord.load(record.json()) == record
        assert record.met == one.met
        assert record.markdown()
        assert record.public().html()
    if against and suggested.epsilon:
        kept = zip(suggested.goals, suggested.met, strict=True)
        assert all(met for goal, met in kept if goal.kind in promises)


@st.composite
def made_records(draw):
    """Draw a record of a case, or of a plan of several with the same neighbours."""
    given = draw(cases())
    if draw(st.booleans()):
        return of_case(given, [], draw(st.floats(1e-3, 20)))
    one = replace(given, neighbours="replace")
    of_people = {name: getattr(one, name) for name in plan.OF_PEOPLE}
    own = {"before": (), "household": 1, "prior": None}
    statistics = [
        plan.Statistic(
            name=f"s{place}",
            case=replace(one, **own).with_releases(place + 1),
            scale=one.scale(draw(st.floats(0.01, 5))),
        )
        for place in range(draw(st.integers(1, 3)))
    ]
    delta = of_people["delta"] or 1e-6
    made = asked(
        plan.Plan,
        statistics=statistics,
        **of_people | {"delta": delta, "before": given.before},
    )
    assume(made is not None)
    return PlanRecord(whole=made, goals=(), number=1.0)


@given(made_records())
@np.errstate(all="raise")
def test_every_number_on_a_label_is_on_the_safe_side(made):
    together, noise = made.whole, made.noise
    text = html.unescape(re.sub("<[^>]*>", " ", made.label()))
    said = " ".join(text.split())
    for guess, blind, right in zip(
        guesses(together),
        re.findall(r"data (\d+) of 100 guesses", said),
        re.findall(r"at most (\d+) of 100 guesses", said),
        strict=True,
    ):
        exact = 100 * guess.right(noise)
        assert exact - 1e-6 <= int(right) < exact + 1
        assert 100 * guess.blind - 1 < int(blind) <= 100 * guess.blind + 1e-6
    # Nobody who tells two neighbours apart, each as likely, does better.
    apart = together.advantage(noise)
    assert int(right) >= 50 * (1 + apart) - 1e-6
    strength = (
        r"parameters ε = (\S+?)(?: and δ = (\S+))?, of (?:all|both|the) "
    )
    found = re.search(strength, said)
    epsilon = read(found[1])
    total, delta = stated(together, noise)
    assert epsilon >= total or epsilon == pytest.approx(total, rel=1e-8)
    assert bool(found[2]) == bool(delta)
    assert delta == 0 or read(found[2]) >= delta * (1 - 1e-8)
    rho = re.search(r"ρ = (\S+) [(]zCDP[)]", said)
    assert read(rho[1]) >= together.rho(noise) * (1 - 1e-8)
    hidden = "Whether somebody is in the data, and what they say" in said
    cases_of = [case for _, case, _ in together.named(noise)]
    known = any(case.n is not None for case in cases_of)
    assert hidden == (together.neighbours == "add/remove" and not known)
    for _, case, scale in together.named(noise):
        off = up(case.error(scale), case.measured)
        assert f"number by {off} on average" in said
