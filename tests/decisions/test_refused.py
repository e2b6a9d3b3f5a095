"""What the room refuses, in tables: what is asked, and how the error begins that names it."""

import json
from dataclasses import replace

import pytest

import dpwidgets
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions import choice, meanings, plan
from dpwidgets.decisions.case import Case, others
from dpwidgets.decisions.goals import (
    KINDS,
    BeliefGoal,
    BudgetGoal,
    ErrorGoal,
    Goal,
    RiskGoal,
    SuccessGoal,
    choose,
    stress,
)
from dpwidgets.decisions.plan import Plan, PlanDecision, Statistic
from dpwidgets.decisions.record import CaseRecord, Record, of_case
from dpwidgets.inputs.domain import DomainError
from known import HOSPITAL

COUNT = {"published": "count"}
SUM = {"published": "sum", "low": 0, "high": 1.5}
MEAN = {"published": "mean", "low": 0, "high": 1}
MEANS = MEAN | {"groups": 2}
TABLE = {"published": "table", "cells": 7}
IN_GROUPS = MEAN | {
    "n": 5,
    "groups": 4,
    "household": 20,
    "mechanism": "Gaussian",
    "delta": 1e-3,
}
CASES = (
    ({"published": "median"}, "published must be one of 'count', 'sum'"),
    (
        COUNT | {"releases": 0},
        "releases must be a whole number from 1 to 100,000; got 0",
    ),
    (COUNT | {"unit": " "}, "unit must be a word, such as"),
    (MEAN | {"low": None}, "low must be given for a mean"),
    (
        MEAN | {"low": 3, "high": 3},
        "low must be .* by at least 1e-12; got 3 and 3",
    ),
    (MEAN, "n must be public for a mean"),
    (
        MEAN | {"n": 5, "neighbours": "add/remove"},
        "neighbours must be 'replace' for a mean",
    ),
    (
        COUNT | {"n": 3, "household": 4},
        "household must be at most n, all 3 people; got 4",
    ),
    (
        COUNT | {"n": 3, "reference": 4},
        "reference must be at most n, all 3 people, .* got 4",
    ),
    (
        COUNT | {"mechanism": "Gaussian"},
        "delta must be above 0 for Gaussian noise",
    ),
    (
        COUNT | {"groups": 2},
        "groups belongs to a sum or a mean; this is a count",
    ),
    (
        SUM | {"groups": 0},
        "groups must be a whole number from 1 to 1,000,000; got 0",
    ),
    (
        COUNT | {"low": 2},
        "low belongs to a sum or a mean; this is a count",
    ),
    ({"published": "table"}, "cells must be given for a table"),
    (
        {"published": "table", "cells": 3, "contributions": 4},
        "contributions must be at most 3 published numbers; got 4",
    ),
    (
        COUNT | {"releases": 52, "contributions": 53},
        "contributions must be at most 52 published numbers; got 53",
    ),
    (
        {"published": "table", "cells": 2, "releases": 50_001},
        "releases must be so few, and .* at most 100,000 numbers; got 100,002",
    ),
    (
        IN_GROUPS | {"releases": 2, "contributions": 9},
        "contributions must be at most 8 published numbers; got 9",
    ),
    (
        COUNT | {"n": 1, "household": 2},
        "household must be at most n, all 1 person; got 2",
    ),
    (
        TABLE | {"n": 2, "reference": 7},
        "reference must be at most n, all 2 peop",
    ),
    (MEANS | {"n": [9, 9]}, r"n must be a whole number .*; got an array"),
    (
        COUNT | {"before": [others("a", rho=0.01)]},
        "delta must be above 0 .* beside others' ρ: .* got 0",
    ),
    (
        COUNT | {"releases": 20_000, "delta": 1.8e-11},
        "delta must be 0 or .*2e-11",
    ),
    (COUNT | {"releases": 500, "delta": 9e-13}, "delta must be 0 or .*1e-12"),
    (
        IN_GROUPS | {"household": 21},
        "household must be at most n, all 20 people; got 21",
    ),
)


@pytest.mark.parametrize(("given", "says"), CASES)
def test_a_case_names_the_argument_that_it_refuses(given, says):
    with pytest.raises(DomainError, match=f"^{says}") as caught:
        Case(**given)
    assert says.startswith(caught.value.argument)


LINE = "a: published=count, error=3"
WIDE = "a: half_width=0.1, reference=100, confidence=0.95"
WARDS = f"{WIDE}, published=table, cells=40"
PLANS = (
    (
        "visits",
        {},
        "“visits” must be a name, a colon and what is published",
    ),
    (
        "a: published=count, cost=3",
        {},
        "“cost=3” must be a word of a case, = and a value",
    ),
    ("a: published=count, error", {}, "“error” must be a word of a case"),
    (
        "a: published=count",
        {},
        "line 1: goals must bound the noise of a: say how far off",
    ),
    (
        "a: published=count, error=1e-9",
        {},
        "no noise meets the goal error of a: not even",
    ),
    (
        f"{LINE}, at_once=yes",
        {},
        "at_once must be left out without a half_width",
    ),
    (
        f"{LINE}, error=50",
        {},
        "error must stand in the line once; it stands there twice",
    ),
    (f"{LINE}, unit=a, unit=a", {}, "unit must stand in the line once"),
    (
        f"{LINE}, relaeses=3",
        {},
        "“relaeses=3” must be .*; did you mean 'releases'?",
    ),
    (
        "a: error=3",
        {},
        "published must be one of 'count', 'sum', 'mean', 'table'; got None",
    ),
    (
        "a: published=count, error=0, 5",
        {},
        "“5” must be .*; a decimal comma has no space: 0,5",
    ),
    (
        f"{LINE}, releases=2,5",
        {},
        "releases must be a whole number .*; got 2.5",
    ),
    (f"{LINE}, n=1_000", {}, "n: “1_000” is not a number"),
    (f"{LINE}, n=1,000", {}, "n: “1,000” may mean 1000 or 1.000"),
    (f"{LINE}, prior=0.1", {}, "prior must be said of the plan, not of a"),
    (": published=count, error=3", {}, "name must be a word"),
    ("", {}, "statistics must be 1 to 40; got 0"),
    (f"{LINE}\n{LINE}", {}, "names of their own"),
    (
        f"{LINE}\nb: published=mean, n=9, low=0, high=1, error=3",
        {},
        "neighbours must be the",
    ),
    (f"{LINE}, mechanism=Gaussian", {}, "delta must be above 0"),
    (
        f"{LINE}, n=3",
        {"household": 4},
        "household must be at most n, all 3 people; got 4",
    ),
    (
        f"{LINE}\nb: published=count, n=3, scale=1",
        {"household": 4, "total": 9},
        "at most n",
    ),
    (LINE, {"factor": 0}, "factor must be a number from 1e-6"),
    (
        LINE,
        {"cost": 1},
        r"decide\(\) got an unexpected .* 'cost'; it has statistics, factor,",
    ),
    (
        LINE,
        {"totl": 1},
        r"decide\(\) got an unexpected .* 'totl'; did you mean 'total'",
    ),
    # About a column, of which a plan has none.
    (LINE, {"risk": 0.5}, "'risk'; it has "),
    (
        LINE,
        {"posterior": 0.5, "alternative": 2},
        "'alternative'; did you mean 'alternatives'",
    ),
    (
        LINE,
        {"household": True},
        "household must be a whole number .* got True",
    ),
    (
        LINE,
        {"household": [2, 3]},
        "household must be a whole number .* got an array",
    ),
    (3, {}, "statistics must be lines or Statistics; got 3"),
    (LINE, {"alternatives": 3}, "alternatives needs success, the limit of"),
    *(
        (
            f"{WARDS}, at_once={word}",
            {},
            f"at_once must be one of 'yes', 'no'; got '{word}'",
        )
        for word in ("true", "True", "Yes", "YES", "1", "on", "ja", "")
    ),
    (
        "a: published=table, cells=9, contributions=10, error=5",
        {},
        "contributions must be at most 9 published numbers; got 10",
    ),
    (
        "\n".join(f"a{at}: published=count, error=3" for at in range(41)),
        {},
        "must be 1 to 40; got 41",
    ),
)


@pytest.mark.parametrize(("lines", "given", "says"), PLANS)
def test_a_plan_says_what_is_wrong_with_a_line(lines, given, says):
    with pytest.raises((TypeError, ValueError), match=says):
        plan.decide(lines, **given)


RECORD = json.loads(of_case(HOSPITAL, [BudgetGoal(1)], 0.2).json())
OF_PLAN = json.loads(plan.decide(LINE, total=4).record().json())
AFTER = json.loads(
    choice.decide(
        **COUNT,
        total=9,
        before=[of_case(Case(**COUNT), [], 0.1, date="2024")],
    )
    .record()
    .json()
)
(EARLIER,) = AFTER["before"]


def whole(**changes):
    """Return the record of a plan with changes in what it is about."""
    return OF_PLAN | {"whole": OF_PLAN["whole"] | changes}


RECORDS = (
    (RECORD | {"program": "PSI"}, "this JSON comes from another program"),
    (
        RECORD | {"format": 3},
        f"has format 3; dpwidgets {dpwidgets.__version__} reads formats 4 and 5",
    ),
    (
        RECORD | {"number": -1},
        "damaged: epsilon must be a number from 1e-8 to 1000; got -1",
    ),
    (
        RECORD | {"number": float("nan")},
        "this is not: NaN is no number of JSON",
    ),
    (
        RECORD | {"left_out": True},
        "a public version must hold no goal .* and no ε",
    ),
    (
        RECORD | {"left_out": 3},
        "damaged: left_out must be one of True, False; got 3",
    ),
    (
        RECORD | {"whole": {}},
        "damaged: a case has cells, .*; 'published' is missing",
    ),
    (RECORD | {"whole": 3}, "damaged: a case has .*; got 3"),
    (RECORD | {"goals": {}}, "damaged: goals must be a list; got {}"),
    (RECORD | {"goals": ""}, "damaged: goals must be a list; got ''"),
    (
        RECORD | {"goals": [{"goal": "budget"}]},
        "a budget goal has total; 'total' is missing",
    ),
    (
        RECORD | {"names": "x" * 1_000_000},
        "this is not: it is larger than 1 MB",
    ),
    (
        "{",
        "a record is JSON, .* not: it is no JSON any more at line 1, sign 2$",
    ),
    (b"\n<!doctype html>", "this is not: it is a page. Its record is in"),
    (b"\xff", r"this is not: it is no text \(UTF-8\)"),
    (RECORD | {"odd": "\ud83d"}, "“odd” must be whole characters"),
    (RECORD | {"\ud83d": 1}, "must be whole characters"),
    (b"[1, 2]", "another program"),
    (
        '{"names": "Ann", "names": "Bob"}',
        "this is not: 'names' stands in it twice",
    ),
    (whole(statistics=3), "damaged: statistics must be a list; got 3"),
    (
        whole(statistics={"a: published=count, error=5": 1}),
        "damaged: statistics must be a list",
    ),
    (OF_PLAN | {"goals": {}}, "damaged: goals must be a list; got {}"),
    (whole(statistics=[3]), "damaged: line must be text; got 3"),
    (OF_PLAN | {"goals": [3]}, "damaged: goal must be one of"),
    (whole(household=0), "damaged: household must be a whole number from 1"),
    (
        RECORD | {"whole": RECORD["whole"] | {"cells": 9}},
        "damaged: cells belongs to a table",
    ),
    (OF_PLAN | {"number": 0}, "damaged: factor must be a number from 1e-6"),
    *(
        (AFTER | {"before": before}, f"damaged: .*{says}")
        for before, says in (
            (3, "before must be a list"),
            ([3], "an earlier record"),
            ([EARLIER | {"date": 3}], "date must be text"),
            ([EARLIER | {"epsilon": -1}], "epsilon must be"),
            ([EARLIER | {"epsilon": 1}], "before must be what a record"),
            ([{}], "before must be what a record published, or what others"),
            ([EARLIER | {"neighbours": "x"}], "neighbours must be"),
        )
    ),
)


@pytest.mark.parametrize(("content", "says"), RECORDS)
def test_a_damaged_record_is_refused(content, says):
    if isinstance(content, dict):
        content = json.dumps(content)
    with pytest.raises(ValueError, match=says):
        Record.load(content)


WORLDS = Worlds([1, 2, 3, 10])
COLUMN = Case(**COUNT, n=4, prior=0.2)
HIDDEN = choice.risk_goal(COLUMN, [0, 1, 1, 1], 0.5)


ERROR = ErrorGoal(3)


def made(goals=(), epsilon=0.1, **words):
    return of_case(COLUMN, goals, epsilon, **words)


def planned(name="a", unit="people", goal=ERROR):
    case = Case(published="count", unit=unit)
    return Statistic(name=name, case=case, goals=(goal,))


#: The words of goals besides their limits: to which limit each belongs, and what it may be.
WORDS = {
    keyword: (kind.limits, kind.options[name][0])
    for kind in KINDS.values()
    for name, keyword in kind.keywords().items()
    if name in kind.options
}
CALLS = (
    *(
        (lambda data=data: Case.from_dict(data), "a case has ")
        for data in (None, [], {}, COLUMN.to_dict() | {"x": 1})
    ),
    *(
        (lambda used=used: others(**used), says)
        for used, says in (
            ({"name": " ", "epsilon": 1}, "name must be who used it up"),
            ({"name": "x" * 201, "epsilon": 1}, "name must have at most 200"),
            ({"name": "x"}, "before must be what a record published, or what"),
            ({"name": "x", "epsilon": -1}, "epsilon must be a number from 0"),
            ({"name": "x", "neighbours": b"a"}, "neighbours must be "),
            ({"name": "x", "rho": 1e-9}, "rho must be 0 or"),
            ({"name": "x", "rho": 1, "neighbours": "y"}, "neighbours must be"),
        )
    ),
    *(
        (lambda odd=odd: CaseRecord.load(odd), f"source must be .*; got {got}")
        for odd, got in (
            (None, "None"),
            (5, "5"),
            ({"program": "x"}, "{'program': 'x'}"),
            ([b"{}"], r"\[b'{}'\]"),
        )
    ),
    (
        lambda: RiskGoal([1, 2, 3], 0.5),
        "worlds must be a Worlds; got list",
    ),
    (
        lambda: RiskGoal(None, 0.5),
        "kept must be a number from 0 to 1e90",
    ),
    (
        lambda: RiskGoal(WORLDS, 0.5, kept=1),
        "kept must be .* nowhere else",
    ),
    *(
        (
            lambda many=many: SuccessGoal(0.5, alternatives=many),
            "alternatives must be a whole number from 2",
        )
        for many in (1, 2.5, 10**7)
    ),
    (
        lambda: choose(HOSPITAL, []),
        "goals must hold at least one goal",
    ),
    (
        lambda: choose(HOSPITAL, [0.1]),
        "goals must be made of goals; got 0.1",
    ),
    (
        lambda: choose(0.1, [ErrorGoal(1)]),
        "case must be a Case; got 0.1",
    ),
    (
        lambda: Goal.from_dict([1]),
        "goal must be one of 'interval', 'error', 'risk'",
    ),
    (
        lambda: Goal.from_dict({"goal": "belief"}),
        "a belief goal has .*; 'posterior' is missing",
    ),
    *(
        (
            lambda scale=scale: stress(COLUMN, [BeliefGoal(0.25)], scale),
            "scale must be",
        )
        for scale in (-1, 0, "small")
    ),
    (
        lambda: choice.decide(n=2000, values=[1, 0, 0, 0]),
        r"n must be the number of values, 4, or .* got 2,000",
    ),
    (
        lambda: meanings.portrait(0, **COUNT),
        "epsilon must be a number from 1e-8 to 1000; got 0",
    ),
    (
        lambda: meanings.portrait(1, **COUNT, relaeses=3),
        r"portrait\(\) got .* 'relaeses'; did you mean",
    ),
    (
        lambda: meanings.portrait(1, **COUNT, rows="some"),
        "rows must be one of 'first', 'all'; got 'some'",
    ),
    (
        lambda: meanings.meanings(COLUMN)[0].value(0),
        "scale must be a number from 1e-90 to 1e90; got 0",
    ),
    *(
        (
            lambda given=given: planned(**given),
            f"{name} must be without . and line breaks; got ",
        )
        for sign in ("\n", "\r", "\x0b", "\x1c", "\x85", "\u2028", "\u2029")
        for name, given in (
            ("name", {"name": f"a{sign}b"}),
            ("unit", {"unit": f"days{sign}"}),
        )
    ),
    (
        lambda: replace(planned(), scale=9.0),
        "scale must be one that meets the goals of a",
    ),
    (
        lambda: replace(planned(), goals=(ERROR, ErrorGoal(5))),
        "goals must be of kinds of their own",
    ),
    (
        lambda: Statistic.read(LINE, delat=1e-6),
        r"Statistic.read\(\) got .*'delat'; did you mean",
    ),
    (
        lambda: PlanDecision(
            Plan(statistics=[planned()]), (ErrorGoal(3),), 1.0
        ),
        "goals of a plan must be made of Promises; got ErrorGoal",
    ),
    (lambda: CaseRecord.load(json.dumps(OF_PLAN)), ".*it is about a plan"),
    (lambda: Statistic(name="a", case="a"), "case must be a Case; got 'a'"),
    (lambda: CaseRecord.load("none.json"), ".*names no file"),
    (
        lambda: made().save("x.txt"),
        "path must end with .html, .md, .json or .py; got 'x.txt'",
    ),
    (lambda: made(names=None), "names must be text; got None"),
    (lambda: made(name="Ann"), ".*'name'; did you mean 'names'"),
    (
        lambda: replace(made(), goals=[HIDDEN]),
        "goals must be without their data",
    ),
    (lambda: made(epsilon=None).code(), "a program needs noise"),
    *(
        (
            lambda name=name: choice.decide(error=3, **{name: 3}),
            rf"decide\(\) got an unexpected keyword argument '{name}'{near}",
        )
        for name, near in (
            ("posterio", "; did you mean 'posterior'"),
            ("halfwidth", "; did you mean 'half_width'"),
            ("interval_cell", "; did you mean 'interval_"),
            ("Epsilon", "; did you mean 'epsilon'"),
            ("xyz", "; it has epsilon, values, "),
        )
    ),
    (
        lambda: choice.decide(error=3, risk=0.5),
        "risk needs values, the column that it is about",
    ),
    *(
        (
            lambda word=word, limit=limit: choice.decide(
                **{"error": 3, "prior": 0.2, limit: 0.3, word: "nonsense"}
            ),
            f"{word} must be one of .*; got 'nonsense'",
        )
        for word, (limit, _) in WORDS.items()
    ),
    *(
        (
            lambda word=word: choice.decide(**{word: "nonsense"}),
            f"{word} must be one of .*; got 'nonsense'",
        )
        for word in WORDS
    ),
    *(
        (
            lambda word=word, allowed=allowed: choice.decide(
                **{word: allowed}
            ),
            f"{word} needs {limit}, the limit of the goal",
        )
        for word, (limit, allowed) in WORDS.items()
    ),
)


@pytest.mark.parametrize(
    ("call", "says"), CALLS, ids=[says for _, says in CALLS]
)
def test_a_call_says_what_is_allowed(call, says):
    with pytest.raises((TypeError, ValueError, OSError), match=f"^{says}"):
        call()
