"""What stands twice on a page has one value there: no two sentences give one thing two numbers.

A sentence is known by its words. They say of which thing it gives a number, of
how many releases and of how many people. What a plan's page says without
naming people is about those to whom its promises are made, for there is nobody
else whom it could be about.
"""

import re
from collections import defaultdict
from itertools import combinations

import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.goals import AT_ONCE, EACH
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import percent, show, up
from known import others_used
from printed import NUMBER, lines, read

#: Of each thing, how sentences say it. The last number is its value; another
#: belongs to its name.
THINGS = {
    "scale": ["noise of scale {n}"],
    "error": [
        r"(?<!each other, is )off by {n} ",
        "of its own would have one of {n} ",
    ],
    "ε of one release": [
        "ε = {n},? (?:which )?is noise",
        "chosen: ε = {n},",
        r"ε of one release\W+{n} for Δf",
    ],
    "Δf": ["Δf = {n}"],
    "total": [
        "(?<!shall )ha(?:s|ve) ε = {n}",
        "ε = {n} in all",
        "same people: ε = {n}",
        "statistics? with ε = {n}",
        "record: ε = {n}",
    ],
    "ρ": ["(?<!shall )ha(?:s|ve) ρ = {n}", "ρ = {n} in all"],
    "belief": [
        "from {n} to at most {n}",
        "belief of {n} (?:rises to|is) at most {n}",
    ],
    "success": [
        "guesses (?:one of|a yes or no [(]“yes” in) {n} .* in at most {n} after",
        "guesses (?:one of|a yes or no [(]“yes” in) {n} .* right in at most {n} of",
    ],
    "δ": ["(?:and|at|,|Where) δ = {n}", "except with a probability of {n}"],
    "used": [
        "ε = {n} used up by others",
        "have used up ε = {n}",
        "“others”: ε = {n} by itself",
    ],
    "advantage": ["an advantage of at most {n}"],
    "interval": [r"(?<!shall lie )(?<!at once lie )within ±{n} \w+ \("],
    "least factor": ["from {n} to 1 keep", "promises: {n} times as much"],
    "factor": ["With the factor {n}"],
}
PATTERNS = [
    (thing, re.compile(pattern.replace("{n}", NUMBER)))
    for thing, said in THINGS.items()
    for pattern in said
]
OF_A_STATISTIC = ("scale", "error", "Δf", "interval")
PEOPLE = re.compile(
    r"(\d+) people (?:whose|depend|with dep)|one of (\d+) with dependent"
)


def things(context, household, *, once):
    """Yield each thing of which some words give a number, and the number as it is written."""
    # Which is other noise.
    context = re.sub("not even .* does .*", "", context)
    found = PEOPLE.search(context)
    people = int(found[1] or found[2]) if found else household
    releases = "one" if once or "After one release" in context else "all"
    for thing, pattern in PATTERNS:
        for match in pattern.finditer(context):
            *name, value = match.groups()
            if thing in OF_A_STATISTIC:
                own = re.split("[:|]", context)[0].strip()
            else:
                own = ""
            alone = thing in OF_A_STATISTIC or thing in ("δ", "used")
            about = () if alone else (people, releases)
            whole = "all at once" if "at once" in context else ""
            yield (thing, *about, *name, own, whole), value


def alike(one, other):
    """Tell whether two texts are one number: the same, or one is the other with fewer digits."""
    fewer, more = sorted((one, other), key=len)
    digits = max(3, len(re.sub(r"\D", "", fewer).lstrip("0")))
    return (
        one == other
        or up(read(more), percent if "%" in more else show, digits) == fewer
    )


def check(contexts, case, household, *, several=False):
    """Check that each thing has one value in all contexts of a page."""
    values = defaultdict(set)
    once = case.releases == 1 and not case.before and not several
    for context in contexts:
        for (thing, *rest), value in things(context, household, once=once):
            if thing in OF_A_STATISTIC and not several:
                rest[-2] = ""  # there is only one
            if thing == "total" and once and rest[0] == 1:
                thing = "ε of one release"
            if thing == "scale" and case.mechanism == "Laplace":
                thing = "error"
            values[thing, *rest].add(value)
    for thing, said in values.items():
        assert all(alike(*pair) for pair in combinations(said, 2)), (
            thing,
            said,
        )
    return values


def sentences(text):
    """Divide a text into its sentences."""
    return re.split(r"(?<=[.;]) (?=[A-ZεA])", text)


def record_lines(record):
    """Return what a record says, but for what is about other ε, other cases and more releases."""
    sections = lines(record)
    titles = [
        title
        for title in sections
        if not title.startswith(("If it turns out", "How long"))
    ]
    other = ("most private, ", "middle, ", "most precise, ")
    body = []
    for title in titles:
        for line in sections[title]:
            if line.startswith(("by size", "added up")):
                _, facts = line.split("|", 1)
                body += re.split("[;.] (?=[^:;.]+: (?:All|Whatever))", facts)
            elif not line.startswith(other):
                body.append(line)
    return [*titles, *body]


some = st.sampled_from
shares = st.floats(0.01, 0.9)


@st.composite
def cases(draw):
    """Draw the fields of a case with numbers that have no few digits."""
    published = draw(some(["count", "sum", "mean", "table"]))
    values, n = published in ("sum", "mean"), draw(st.integers(20, 3000))
    return {
        "published": published,
        "n": n if published == "mean" else draw(some([None, n])),
        "cells": draw(st.integers(3, 50)) if published == "table" else None,
        "contributions": draw(some([None, 1])),
        "low": 0.0 if values else None,
        "high": draw(some([1.0, 7.0, 110.0])) if values else None,
        "neighbours": "replace"
        if published == "mean"
        else draw(some(["replace", "add/remove"])),
        "mechanism": draw(some(["Laplace", "Gaussian"])),
        "delta": draw(some([1e-6, 1.2345e-5])),
        "releases": draw(some([1, 1, 2, 12])),
        "before": others_used(draw(some([0.0, 0.0, 0.1234567]))),
        "household": draw(some([1, 3])),
        "prior": draw(shares),
        "reference": draw(st.floats(1, 15)),
        "confidence": draw(some([0.95, 0.87654])),
    }


@st.composite
def decisions(draw):
    """Draw a case, goals, and an ε."""
    given = draw(cases())
    wanted = {
        "half_width": st.floats(0.01, 2),
        "error": st.floats(0.1, 50),
        "posterior": shares,
        "success": shares,
        "total": st.floats(0.1, 20),
        "rho": st.floats(0.01, 5),
    }
    names = draw(st.lists(some([*wanted]), min_size=1, unique=True))
    given |= {name: draw(wanted[name]) for name in names}
    if "success" in names:
        given["alternatives"] = draw(some([2, 5]))
    if "half_width" in names:
        given["interval_cells"] = draw(some([EACH, AT_ONCE]))
    return given | {
        "epsilon": draw(st.floats(0.01, 5) | some([None, 0.09, 0.7654321]))
    }


def decide(maker, given):
    """Make a decision, or pass over what does not go together."""
    try:
        return maker(**given)
    except DomainError:
        assume(False)


@pytest.mark.slow
@given(decisions())
def test_a_record_gives_each_thing_one_value(given):
    made = decide(choice.decide, given)
    record = made.record()
    for version in (record, record.public()):
        values = check(
            [*record_lines(version), *sentences(made.sentence)], made.case, 1
        )
        assert made.epsilon is None or {"Δf", "ε of one release"} <= {
            name for name, *_ in values
        }


@st.composite
def plans(draw):
    """Draw a plan of one statistic or a few, promises, and a factor or none."""
    rows = []
    for name in draw(
        some([["beds"], ["beds", "age"], ["beds", "age", "stays"]])
    ):
        kind = draw(some(["Laplace", "Gaussian"]))
        goal = draw(
            some(
                ["error", "scale", "reference=100, confidence=0.9, half_width"]
            )
        )
        number = draw(
            st.floats(0.05, 0.9) if "half" in goal else st.floats(1, 30)
        )
        many = draw(some([1, 1, 12]))
        what = draw(some(["count", "table, cells=9, contributions=2", "mean"]))
        if what == "mean":
            what = "mean, n=500, low=0, high=110"
        rows.append(
            f"{name}: published={what}, neighbours=replace, mechanism={kind}, releases={many}, "
            f"{goal}={number!r}"
        )
    promises = {"total": st.floats(0.2, 9), "rho": st.floats(0.01, 3)}
    promises |= dict.fromkeys(("posterior", "success"), shares)
    names = draw(st.lists(some([*promises]), unique=True))
    return {name: draw(promises[name]) for name in names} | {
        "statistics": "\n".join(rows),
        "delta": draw(some([1e-6, 1.2345e-5])),
        "before": others_used(draw(some([0.0, 0.0, 0.1234567]))),
        "household": draw(some([1, 3])),
        "prior": draw(shares),
        "factor": draw(some([None, None, 1.0]) | st.floats(0.1, 3)),
    }


@pytest.mark.slow
@given(plans())
def test_a_plan_and_its_record_give_each_thing_one_value(given):
    made = decide(plan.decide, given)
    said = [f"{name}: {what}" for name, what in made.rows]
    said += [
        *sentences(made.sentence),
        *made.meanings,
        *record_lines(made.record()),
    ]
    for one in made.plan.statistics:
        own = [line for line in said if line.startswith(f"{one.name}")]
        check(own, one.case, given["household"], several=True)
    values = check(said, Mixed, given["household"], several=True)
    assert (
        made.factor is None
        or ("total", given["household"], "all", "", "") in values
    )


class Mixed:
    """In place of a case, for statistics of several kinds."""

    releases, before, mechanism = 1, (), ""
