"""What pages state of everything together: the same ε and δ, and what happens where they fail."""

import re
from dataclasses import replace

import pytest

from decided import recorded
from dpwidgets import ChoiceExplorer
from dpwidgets.calculators import breach
from dpwidgets.decisions import plan
from dpwidgets.decisions.case import Case, stated
from dpwidgets.decisions.meanings import portrait
from dpwidgets.decisions.record import NO_PLACE
from printed import plain
from tools import shown

COUNT = Case(published="count", delta=1e-6)
#: Days of absence; the twelfth is what somebody who knows all others looks for.
CLASS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6)


@pytest.mark.parametrize(
    ("changes", "epsilon", "words"),
    [
        ({"releases": 4}, 0.15, "ε = 0.6"),
        ({"releases": 12}, 0.2, "ε = 2.4"),
        ({"releases": 52}, 0.1, "ε = 3.2 and δ = 1e-6"),
        ({"mechanism": "Gaussian"}, 0.5, "ε = 0.5 and δ = 1e-6"),
        (
            {"mechanism": "Gaussian", "releases": 12},
            0.1,
            "ε = 0.378 and δ = 1e-6",
        ),
        ({"releases": 12, "household": 4}, 0.02, "ε = 0.956 and δ = 1e-6"),
    ],
)
def test_every_page_states_one_epsilon_and_a_delta_only_where_it_saves_some(
    changes, epsilon, words
):
    case = replace(COUNT, **changes)
    made = recorded(case, epsilon)
    dependent = {1: "", 4: ", for 4 people with dependent records"}
    people, releases = dependent[case.household], case.releases
    assert made.title.startswith(f"{words} for {releases} release")
    assert made.title.endswith(f"release{'s' * (releases > 1)}{people}")
    assert f"same people{people}: {words}" in plain(made.markdown())
    kind = "approximate" if "δ" in words else "pure"
    assert re.search(
        f"{words}, of .*: {kind} differential privacy", plain(made.label())
    )


def said_with(**changed):
    """Return what a record, a label and an explorer say of a table, without its numbers."""
    given = {
        "published": "table", "neighbours": "replace", "prior": 0.2, "delta": 1e-6, "cells": 3,
        "releases": 3, "household": 3, "reference": 400, "confidence": 0.9, **changed,
    }  # fmt: skip
    made = recorded(Case(**given), 0.3)
    whole = portrait(0.3, rows="all", **given)
    pages = [made.markdown(), made.label(), *whole.sentences]
    said = plain(" ".join(pages)).lower().replace("both ", "all 2 ")
    return re.sub(r"\d[\d.,]*(e-?\d+)?%?", "#", said)


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
@pytest.mark.parametrize("name", ["cells", "releases", "household"])
def test_of_two_every_page_says_what_it_says_of_three(name, mechanism):
    one, two, three = (
        said_with(**{name: many, "mechanism": mechanism}) for many in (1, 2, 3)
    )
    assert one != two == three


@pytest.mark.parametrize("releases", [40, 100])
@pytest.mark.parametrize("each", [0.1, 0.5])
def test_a_record_says_how_often_the_loss_is_above_its_epsilon(releases, each):
    """How often that is: calculators/loss."""
    case = replace(COUNT, releases=releases)
    made = recorded(case, each)
    epsilon, delta = stated(case, made.noise)
    law = case.privacy_loss(made.noise).law()
    said, most = re.search(
        r"above ε = \S+ with a probability of at most (\S+), and never above (\S+)\.",
        plain(made.markdown()),
    ).groups()
    least = max(law.tail(epsilon * (1 + 1e-9)), delta)
    assert least * (1 - 1e-9) <= float(said)
    assert float(said) <= law.tail(epsilon * 0.99) * 1.01
    assert float(most) == pytest.approx(releases * each)


@pytest.mark.parametrize("mechanism", ["Laplace", "Gaussian"])
def test_a_belief_that_may_be_exceeded_has_a_limit_that_may_not(mechanism):
    case = replace(COUNT, mechanism=mechanism, releases=50, prior=0.2)
    scale = case.scale(0.1)
    of_plan = plan.decide(
        f"x: published=count, mechanism={mechanism}, scale={scale}, releases=50",
        delta=1e-6, prior=0.2,
    )  # fmt: skip
    for page in (recorded(case, 0.1), of_plan.record()):
        words = plain(page.markdown())
        found = re.search(
            r"belief of 20% [^.]*? at most ([\d.]+)%, except with a probability of 1e-6"
            r"(?:; it is never above ([\d.]+)%)?\.",
            words[words.index("ll ") :],
        )
        worst = 100 * breach.posterior(0.2, 50 * 0.1)
        if mechanism == "Gaussian":
            assert found[2] is None
        else:
            assert float(found[1]) < worst <= float(found[2]) < worst + 0.1
    few = recorded(replace(case, releases=4), 0.1).markdown()
    # Whoever can be all but certain has no such limit.
    assert "it is never above" not in few + recorded(case, 1.0).markdown()
    # Nor is next to no loss too small for one.
    assert (
        plan.decide(
            "x: published=count, scale=1e12, releases=50",
            delta=1e-6,
            prior=0.2,
        )
        .meanings[-1]
        .endswith("; it is never above 20.1%.")
    )


def test_the_field_of_reasons_says_not_to_give_a_hidden_epsilon_away():
    explorer = ChoiceExplorer(use_risk=True, risk=0.5)
    assert shown(explorer, "no place")["text"] == NO_PLACE
    explorer.use_risk = False
    assert not shown(explorer, "no place")["text"]
