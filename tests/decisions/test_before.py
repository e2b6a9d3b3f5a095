"""What earlier records published and what others used up: against one law of all, and once."""

import json
import math
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from decided import recorded
from dpwidgets.calculators import loss
from dpwidgets.calculators.breach import posterior
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case, counted, others, said_before
from dpwidgets.decisions.goals import lasts
from dpwidgets.decisions.record import (
    LARGEST,
    CaseRecord,
    Record,
)
from dpwidgets.inputs.notation import percent, up
from known import others_used

COUNT = Case(published="count", releases=12, delta=1e-6)
LINES = (
    "stay: published=sum, groups=9, low=0, high=30, scale=300\n"
    "beds: published=count, scale=20, releases=4"
)


def told():
    """Return two records: of a case, and of a plan."""
    return (
        recorded(COUNT, 0.1, date="2024"),
        plan.decide(LINES, factor=1, delta=1e-6).record(date="2025"),
    )


@pytest.mark.parametrize("people", [1, 3])
def test_it_is_one_law_of_everything(people):
    law = loss.gaussian(people / 20)
    for one, often in (
        (loss.laplace(people * 0.1), 13),
        (loss.laplace(people * 0.05), 4),
    ):
        law = law.compose_with(one.compose(often))
    given = {"delta": 1e-6, "household": people, "before": told()}
    made = choice.decide(
        published="count", mechanism="Gaussian", prior=0.2, total=99, **given
    )
    line = "c: published=count, mechanism=Gaussian, scale=20"
    for whole, noise in (
        (made.whole, 20),
        (plan.decide(line, factor=1, **given).whole, 1),
    ):
        epsilon = whole.total(noise)
        assert 1 - 1e-5 <= epsilon / law.epsilon(1e-6) <= 1.003
        assert whole.rho(noise) == pytest.approx(law.mean())
    case = made.whole
    assert case.advantage(20) == pytest.approx(law.delta(0), rel=1e-3)
    assert case.one_release.before == ()
    assert "what 2 earlier records used up" in case.releases_clause


def test_each_counts_once_with_all_before_it():
    first, second = told()
    later = recorded(replace(COUNT, before=first.earlier()), 0.1, date="2026")
    later = CaseRecord.load(later.json())
    # The same record is one, by itself and inside another one.
    before = [later, first, second, second, others("a", epsilon=3)]
    found = recorded(COUNT, 0.1, date="2027", before=before)
    refused = recorded(found.case, None)
    dates = ["2024", "2026", "2025", "", "2027"]
    for record, many in ((found, 5), (refused, 4)):
        planned = plan.decide(LINES, delta=1e-6, before=[record]).record()
        assert [one.date for one in planned.whole.before] == dates[:many]
        for made in (record, planned):
            assert Record.load(made.json()) == made


#: Which records, of those made so far, stand before each one.
PASTS = st.lists(
    st.sets(st.integers(0, 9), max_size=3), min_size=1, max_size=8
)


@settings(max_examples=max(10, settings().max_examples // 2))
@given(PASTS, st.randoms(use_true_random=False))
def test_what_counts_is_a_union_whatever_stands_in_what(pasts, rng):
    """Every record once: in any order, nested or beside, as itself or as its file.

    All say the same, and are as many records as were made.
    """
    made = []
    behind = []  # the places of all that count with each
    for number, past in enumerate(pasts):
        past = {one for one in past if one < number}
        before = [made[one] for one in past]
        made.append(
            choice.decide(
                published="count", total=99, epsilon=0.25, before=before
            ).record()
        )
        behind.append({number}.union(*(behind[one] for one in past)))
    given = [place for place in range(len(made)) if rng.random() < 0.6]
    all_of_them = set().union(*(behind[place] for place in given))
    shown = []
    for place in [*given, *given[:2]]:
        record = made[place]
        file = Record.load(record.json())
        parts = [*record.earlier()]
        # As the code of an explorer says them.
        code = json.loads(json.dumps([*map(said_before, parts)]))
        forms = ([record], [file], parts, code)
        shown += rng.choice(forms)
    rng.shuffle(shown)
    found = counted(shown)
    assert {one.id for one in found} == {made[at].id for at in all_of_them}
    assert len(found) == len(all_of_them)
    assert counted(found) == found
    assert {*counted([*found, *shown])} == {*found}
    # Beside noise that tells nothing.
    made = choice.decide(
        published="count", total=99, epsilon=1e-8, before=shown
    )
    least = 0.25 * len(found)
    assert made.case.total(made.noise) == pytest.approx(least, abs=1e-6)


def test_one_id_that_says_different_things_is_refused():
    first = choice.decide(published="count", total=9, epsilon=0.5).record()
    edited = first.json().replace('"number": 0.5', '"number": 0.4')
    with pytest.raises(ValueError, match=f"same id, {first.id}, and publish"):
        counted([first, Record.load(edited)])
    other = choice.decide(published="count", total=9, before=[first]).record()
    with pytest.raises(ValueError, match="id must be another than those"):
        Record.load(other.json().replace(other.id, first.id))
    for wrong in ("", "x" * 41, 3):
        content = json.loads(first.json()) | {"id": wrong}
        with pytest.raises(ValueError, match="id must"):
            Record.load(json.dumps(content))


DECIDE = {
    "case": partial(choice.decide, published="count", epsilon=1),
    "plan": partial(plan.decide, "beds: published=count, scale=1", factor=1),
}


@pytest.mark.parametrize("decide", DECIDE.values(), ids=DECIDE)
def test_what_others_used_travels_with_a_record_and_each_entry_counts_once(
    decide,
):
    def decided(*before, **given):
        return decide(delta=1e-6, total=99, before=before, **given)

    def used(*before, **given):
        past = decided(*before, **given).whole.past
        return past.epsilon(), past.loss(1e-6).others

    census = others("the census", epsilon=3)
    first = decided(census).record(date="1")
    later = decided(others("the census", epsilon=5, rho=0.1)).record(date="2")
    again = decided(others("the police", epsilon=3), first).record(date="4")
    for before, also, most in (
        ([first], {}, (3, 0)),
        ([first, census, census], {}, (3, 0)),
        ([first, later], {}, (8, 0.1)),  # other numbers are others'
        ([again, first], {}, (6, 0)),
        ([Record.load(again.json()), census], {"household": 2}, (12, 0)),
    ):
        assert used(*before, **also) == pytest.approx(most), also
    # Each is said once, with what it tells by itself.
    page = decided(first, again).record().markdown()
    for words in (
        "with what the census, the police and 2 earlier records used up\n",
        "“the census”: ε = 3 by itself; “1”: ε = ",
        "“the police”: ε = 3 by itself",
    ):
        assert page.count(words) == 1
    twice = decided(census, others("the census", epsilon=5)).whole
    assert twice.past.words == "what the census used up"
    # Who is replaced is removed, and added: for so many numbers the table's own
    # δ would be too small.
    far = choice.decide(
        published="count",
        neighbours="replace",
        delta=1e-6,
        total=99,
        before=[
            first,
            later,
            recorded(
                {
                    "published": "table",
                    "cells": 3,
                    "releases": 1000,
                    "delta": 1e-12,
                },
                0.01,
            ),
        ],
    ).whole.past
    assert far.epsilon() == 16
    assert far.loss(1e-6).others == pytest.approx(0.4)
    # And said for those who are replaced now, it is another number.
    assert used(first, census) == (3, 0)
    near = others("the census", epsilon=3, neighbours="add/remove")
    assert {*counted([first])} >= {near}


HARD = [others("a", rho=3)]


HIDDEN = recorded({}, values=[0, 1, 1, 0], risk=0.9, date="1")


@pytest.mark.parametrize(
    ("before", "given", "says"),
    [
        ([HIDDEN], {}, "depends on your data"),
        ([HIDDEN.public()], {}, "depends on your data"),
        (
            [
                recorded(
                    replace(COUNT, before=HARD, neighbours="replace"),
                    0.1,
                    date="1",
                )
            ],
            {},
            "neighbours must be 'replace', for which “a” says what others",
        ),
        (
            [recorded(replace(COUNT, before=HARD), 0.1, date="1")],
            {"delta": 0},
            r"delta must be above 0 .* beside others' ρ",
        ),
        (
            [
                plan.decide(
                    "m: published=mean, n=9, low=0, high=9, scale=5"
                ).record(date="1")
            ],
            {},
            "neighbours must be 'replace' after “1”, which published a mean",
        ),
        (
            [recorded(replace(COUNT, mechanism="Gaussian"), 0.1, date="1")],
            {},
            "delta must be above 0 for Gaussian noise, also of earlier",
        ),
        *(
            (
                [
                    plan.decide(
                        "m: published=mean, groups=2, n=3, low=0, high=9, scale=5"
                    ).record(date="1")
                ],
                {"household": 10, "neighbours": "replace", "delta": delta},
                "household must be at most n, all 6 people; got 10",
            )
            for delta in (0, 1e-6)
        ),
        ("1.json", {}, "before must be a list of records; got '1.json'"),
        ([7], {}, "before must be made of records; got 7"),
        (HIDDEN, {}, "before must be a list of records; got Decision rec"),
    ],
)
def test_what_cannot_count_is_refused(before, given, says):
    with pytest.raises((TypeError, ValueError), match=says):
        choice.decide(published="count", total=9, before=before, **given)


@pytest.mark.parametrize("delta", [0, 1e-6])
def test_of_a_household_no_more_were_in_an_earlier_record_than_it_has_people(
    delta,
):
    few = replace(COUNT, n=3, releases=1, delta=0.0)
    before = [recorded(few, 0.1, date="2024")]
    made = choice.decide(
        published="count", delta=delta, household=10, prior=0.2, before=before,
        total=9, epsilon=0.2,
    )  # fmt: skip
    most = 10 * 0.2 + 3 * 0.1
    assert 0.99 * most < made.whole.total(made.noise) <= most
    record = made.record()
    assert record.label()
    assert CaseRecord.load(record.json()) == record
    assert "4 people with dependent records" not in record.markdown()


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
@pytest.mark.parametrize("rho", [0, 0.1])
def test_next_to_no_noise_has_numbers_that_every_page_can_write(
    mechanism, rho
):
    line = f"beds: published=count, scale=1e-4, mechanism={mechanism}"
    made = plan.decide(
        line,
        factor=1,
        delta=1e-6,
        household=4,
        before=others_used(rho=rho),
        total=9,
    )
    record = made.record()
    assert record.label()
    assert "∞" not in record.title
    if mechanism == "Gaussian":
        rho = 4e4**2 / 2 + 16 * rho
        short_way = rho + 2 * math.sqrt(rho * math.log(1e6))
        assert 0.999 < made.whole.total(1) / short_way <= 1 + 1e-9


def test_a_file_is_read_with_a_bound(tmp_path):
    large = tmp_path / "large.JSON.txt"
    large.write_bytes(b"{" + b" " * LARGEST)
    for source in (large, str(large)):
        with pytest.raises(ValueError, match="it is larger than 1 MB"):
            Record.load(source)


LIMITS = {
    "posterior": 0.95,
    "success": 0.9,
    "total": 6,
    "rho": 1,
    "delta": 1e-6,
    "prior": 0.2,
    "before": [told()[0]],
}
LASTING = {
    "case": choice.decide(
        published="count", releases=2, error=9, epsilon=0.4, **LIMITS
    ),
    "plan": plan.decide(
        "a: published=count, error=5\nb: published=count, error=9",
        factor=0.3,
        **LIMITS,
    ),
}


@pytest.mark.parametrize("made", LASTING.values(), ids=LASTING)
def test_how_long_each_promise_lasts_is_found_by_publishing_again(made):
    """A year after another: so many more keep the promise, and one more does not."""
    lasting = [
        int(said.split()[0].replace("no", "0")) for said in made.lasting[-4:]
    ]
    for goal, more in zip(made.goals[-4:], lasting, strict=True):
        kept = [
            goal.met(made.whole.repeated(1 + again), made.noise)
            for again in (more, more + 1)
        ]
        assert kept == [True, False]
    years = [row.outcomes[-4:] for row in made.stress if "year" in row.name]
    for times, outcomes in zip((2, 3, 6), years, strict=True):
        whole = made.whole.repeated(times)
        for goal, one in zip(made.goals[-4:], outcomes, strict=True):
            assert one.said.startswith(goal.achieved(whole, made.noise))
    assert made.record().all_tables[-2].rows[-1][-4:] == made.lasting[-4:]


def test_what_the_worst_answers_of_years_to_come_break_is_said_with_its_exception():
    """Each answer beyond 1 raises the odds by e^0.2, and of 24 all may lie there, if rarely."""
    made = choice.decide(
        published="count", releases=4, prior=0.2, delta=1e-6, epsilon=0.2,
        posterior=0.9, total=9.0,
    )  # fmt: skip
    assert "except" not in made.goals[0].sentence(made.whole)
    said = [row.outcomes[0].said for row in made.stress if "year" in row.name]
    worst = [up(posterior(0.2, 0.2 * 4 * times), percent) for times in (2, 3)]
    assert said[:2] == [f"from 20% to at most {belief}" for belief in worst]
    exception = ", except with a probability of 1e-6"
    assert said[2] == f"from 20% to at most 95.4%{exception}"
    assert posterior(0.2, 0.2 * 4 * 6) > 0.954
    assert made.lasting == ("3 more", "19 more")
    wider = replace(made.goals[0], posterior=0.96)
    assert lasts(wider, made.whole, made.noise) == f"5 more{exception}"
    # A budget that holds at a δ says so with its sentence; of one release it has none.
    once = choice.decide(published="count", delta=1e-6, epsilon=0.2, total=9.0)
    assert once.lasting == ("79 more, at δ = 1e-6",)


def test_what_no_repetition_tells_is_said():
    case = Case(published="count", releases=4, prior=0.2)
    goals = {
        "error": 9, "posterior": 0.25, "total": 1, "values": [0, 1, 1, 0], "risk": 0.9,
    }  # fmt: skip
    # What is precise stays so, and without its column nothing can be told.
    now = "it is not kept now"
    made = recorded(case, 0.2, **goals)
    assert (made.lasting, made.outcome) == (
        ("", "", now, "no more"),
        # The belief is none that they break: it is not kept as it is.
        "3 of 4 goals are met. 4 of 7 other assumptions break another goal.",
    )
    assert recorded(case, 0.3, **goals).lasting == ("", "", now, now)
    # At 10% it is above a limit that it did not keep at 50%: that breaks nothing.
    never, half = {"posterior": 0.4}, replace(case, prior=0.5)
    assert recorded(half, 3, **never).outcome == "0 of 1 goal is met."
    breaks = (
        "1 of 2 goals is met. 4 of 6 other assumptions break another goal."
    )
    assert recorded(half, 3, **never, total=20).outcome == breaks
    (long,) = recorded(case, 1e-3, total=9e4).lasting
    assert long == "at least 100 more"


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
def test_of_more_numbers_than_a_law_counts_a_page_says_what_it_can(mechanism):
    """Two values of a person are in 40 cells each week: 48 years are 99,840 numbers."""
    made = choice.decide(
        published="table",
        cells=40,
        contributions=1040,
        releases=52,
        delta=1e-6,
        mechanism=mechanism,
        total=500,
        epsilon=0.002,
    ).record()
    assert made.lasting == ("at least 47 more",)
    assert "at least 47 more" in made.markdown()
    weekly = recorded({"releases": 100_000, "delta": 1e-6}, 1e-3, total=9e4)
    assert not re.search("twice as many|how many more", weekly.markdown())


# -------------------- what others have used up, beside the own noise

SCALES = st.floats(0.5, 20)


def own(scale, truths):
    """The laws of an answer with Laplace noise, as masses of narrow bins."""
    edges = np.linspace(
        min(truths) - 30 * scale, max(truths) + 30 * scale, 30_001
    )
    edges[[0, -1]] = -np.inf, np.inf
    return [
        np.diff(stats.laplace.cdf(edges, truth, scale)) for truth in truths
    ]


@given(SCALES, st.floats(1e-3, 2))
def test_beside_the_worst_of_others(scale, epsilon):
    """The advantage is that of both together; of two values of somebody theirs are 2ε apart."""
    case = Case(published="count", before=others_used(epsilon))
    law, of_values = (
        loss.laplace(1 / scale).compose_with(loss.randomized_response(told))
        for told in (epsilon, 2 * epsilon)
    )
    assert case.advantage(scale) == pytest.approx(law.delta(0), rel=1e-3)
    assert case.one_release.advantage(scale) == pytest.approx(
        -math.expm1(-1 / (2 * scale))
    )
    assert case.log_odds(scale) == pytest.approx(1 / scale + 2 * epsilon)
    right = min(law.power(0.2), of_values.success(0.2))
    assert case.success(scale, 0.2) == pytest.approx(right)


def near(rng, laws, epsilon):
    """Return a law of four answers that is as far from these as ε allows."""
    wild = rng.dirichlet(np.ones(4) / 3)
    for share in np.linspace(0, 1, 60):
        one = share * laws[0] + (1 - share) * wild
        if all(np.abs(np.log(one / law)).max() <= epsilon for law in laws):
            break
    return one


@given(
    st.integers(0, 10**6),
    SCALES,
    st.floats(1e-3, 1),
    st.sampled_from(["add/remove", "replace"]),
)
def test_a_risk_beside_others_by_enumeration(seed, scale, epsilon, neighbours):
    """Each record is missing as likely; others' laws are as far apart as neighbours may be."""
    rng, values = np.random.default_rng(seed), [0.0, 1.0, 3.0]
    made = choice.decide(
        published="sum", low=0, high=3, neighbours=neighbours, values=values, risk=0.6,
        before=others_used(epsilon),
    )  # fmt: skip
    whole = rng.dirichlet(np.ones(4))
    worlds = []
    # Each world is half the way from the whole column, or one way.
    while len(worlds) < 3:
        others = [whole, *worlds] if neighbours == "replace" else [whole]
        worlds.append(near(rng, others, epsilon))
    answers = own(scale, [-value for value in values])
    joint = np.array(
        [np.outer(*laws) for laws in zip(answers, worlds, strict=True)]
    )
    most = made.goals[0].reached(made.case, scale) * joint.sum(axis=0)
    highest = joint.max(axis=0)
    assert highest[highest > most * (1 + 1e-9)].sum() <= 1e-9
