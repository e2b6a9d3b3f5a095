"""What each explorer says of a state, which controls it has there, and what it refuses."""

import pytest
from scipy.special import ndtr

from dpwidgets import (
    AttackExplorer,
    BayesExplorer,
    BreachExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
    MeaningsExplorer,
    PlanExplorer,
    WorldsExplorer,
)
from dpwidgets.inputs.domain import COUNTED
from dpwidgets.inputs.notation import percent
from tools import opened, shown, visible

COIN = {"mechanism": "finite", "p": [1, 0], "q": [0.5, 0.5]}
MANY = {"mechanism": "laplace", "epsilon": 0.1, "compositions": 100}
MEAN = "For one release the expected loss is 0.107"
TABLE = {"published": "table"}
SAID = [
    (
        AttackExplorer,
        {"releases": 3},
        "Of all that there could be, with you or without, the line tells about 78.4% right",
    ),
    (
        AttackExplorer,
        {"view": "rebuild"},
        "Each person is in 41 of the sums, so all of them together",
    ),
    (
        AttackExplorer,
        {"view": "member"},
        "without you about 17.7% are false alarms. The line is right in about",
    ),
    (
        IntervalExplorer,
        {},
        "With ε = 0.0805 and a count of 100, that is from 80 to 120.",
    ),
    (
        IntervalExplorer,
        {"epsilon": 50},
        "all but too few to be written lie within ±20% of the count.",
    ),
    (
        BayesExplorer,
        {},
        "Before the answer, 30 of 100 records were to be expected. After it,",
    ),
    (
        BayesExplorer,
        {},
        "the posterior mean is 32. The count lies between 23 and 41",
    ),
    (BayesExplorer, {"p": 0}, "The count is 0 with a probability of at least"),
    (
        LossExplorer,
        {"mechanism": "binomial", "trials": 1, "compositions": 71},
        "the loss is infinite in all or nearly all of the outcomes, so no ε",
    ),
    (
        LossExplorer,
        {"mechanism": "randomized_response", "epsilon": 99},
        "All or nearly all of the outcomes cost as much as any can.",
    ),
    (LossExplorer, {"delta": 0.999999}, "of the outcomes (δ = 0.999999)."),
    (
        BayesExplorer,
        {"view": "errors"},
        "off by 3.4 on average, the answer itself by 10.",
    ),
    (
        BayesExplorer,
        {"view": "errors", "true_p": 0.28},
        "p = 0.3 assumed and 0.28 true",
    ),
    (
        BreachExplorer,
        {},
        "A belief of 1 in 74 becomes at most 1 in 5, whatever the answer. At ε",
    ),
    (
        BreachExplorer,
        {"epsilon": 1000},
        "stays between nearly 0% and nearly 100%",
    ),
    (
        BreachExplorer,
        {"prior": 1e-6, "posterior": 0.999},
        "stays between 1e-7% and nearly 100%",
    ),
    (
        BreachExplorer,
        {"view": "priors", "attribute": "age"},
        "For the mean of age this takes noise",
    ),
    (
        BreachExplorer,
        {"view": "attack", "epsilon": 2},
        "above 64.9%; after the answer 5.401 the best guess is believed at 54.2%",
    ),
    (
        BreachExplorer,
        {"view": "attack", "answer": 1.75},
        "The best guess is 1. Five values",
    ),
    (
        BreachExplorer,
        {"view": "attack", "epsilon": 5, "answer": 3.375},
        "each best guess is believed at 38.1%",
    ),
    (
        AttackExplorer,
        {"epsilon": 1000, "threshold": -1},
        "is e^1,000 times as likely without you",
    ),
    (AttackExplorer, {"epsilon": 100}, "the line tells nearly 100% right"),
    (
        AttackExplorer,
        {"bound": 2},
        "Nothing lies above e^2 times as many without you: δ(2) = 0.",
    ),
    (
        AttackExplorer,
        {"epsilon": 0.2, "releases": 12, "bound": 2.4},
        "Nothing lies above e^2.4 times",  # 12 · 0.2 is a float above it
    ),
    (
        AttackExplorer,
        {"epsilon": 0.5, "releases": 1000, "bound": 499.9},
        "what lies above e^499.9 times as many without you: δ(499.9) is below",
    ),
    (
        AttackExplorer,
        {"view": "rebuild", "smallest": 1},
        "315 sums, each of 1 person or more and with ε = 1.",
    ),
    (LossExplorer, {"only": ("epsilon", "law")}, f"{MEAN}."),
    (LossExplorer, {}, f"{MEAN}, and the loss exceeds"),
    *(
        (
            LossExplorer,
            {"view": "law", "epsilon": 0.5, "compositions": releases},
            f"{share} of the outcomes cost as much as any can.",
        )
        for releases, share in ((1, "50%"), (2, "25%"), (3, "12.5%"))
    ),
    (
        LossExplorer,
        {"view": "law", "mechanism": "gaussian", "mu": 0.5},
        # Of a normal law with μ = 0.5.
        f"{percent(ndtr(0.25))} of the outcomes are likelier in the database",
    ),
    (
        LossExplorer,
        {"view": "law", "mechanism": "binomial", "trials": 2, "delta": 0.1},
        "Some outcomes cost everything: their loss is infinite.",
    ),
    (
        LossExplorer,
        {**MANY, "delta": 5e-12},
        "the loss exceeds ε = 6.58 in 4.2",
    ),
    (
        LossExplorer,
        {**MANY, "delta": 1e-12},
        "the loss exceeds ε = 6.77 in 9.3",
    ),
    (
        LossExplorer,
        COIN,
        "the loss is infinite in 50% of the outcomes, so no ε has this δ",
    ),
    (LossExplorer, COIN, "in both orders: here no ε holds at δ = 1e-6."),
    (
        LossExplorer,
        {**COIN, "swapped": True},
        "drawn with the person, the loss exceeds ε = 0.694",
    ),
    (
        WorldsExplorer,
        {},
        "with a probability of 68.3%; a blind guess has 25%. No answer makes a guess surer, and",
    ),
    (
        WorldsExplorer,
        {"view": "posteriors", "values": [2, 2, 2]},
        "No answer makes a guess surer than 33.4%. All 3 worlds answer 2",
    ),
    (
        WorldsExplorer,
        {"view": "posteriors"},
        "No answer makes a guess surer than this one. After the answer 2",
    ),
    (
        WorldsExplorer,
        {"answer": 7},
        "with a probability of 39.4%; a blind guess has 25%. The risk, at the worst answer, is",
    ),
    (
        WorldsExplorer,
        {},
        "tolerated up to ε = 0.431 (by the text’s bound, up to 0.382).",
    ),
    (
        WorldsExplorer,
        {"values": [1, 2, 3, 4]},
        "the record with value 4 (the 4th) is missing",
    ),
    (
        WorldsExplorer,
        {"values": [7] * 4, "query": "max"},
        "All 4 worlds answer 7, so even without",
    ),
    (
        WorldsExplorer,
        {"query": "median"},
        "that Pat or Terry is missing, each with a probability",
    ),
    (
        WorldsExplorer,
        {"query": "median", "view": "risk"},
        "The risk is 31.1%, and 33.3% is tolerated. At ε = 2 the worst answer",
    ),
    (
        WorldsExplorer,
        {"query": "median", "risk": 0.5},
        "what is tolerated at every ε, since enough",
    ),
    (
        WorldsExplorer,
        {"view": "posteriors", "answer": 2.2013},
        "one: Chris 9.88%, Kelly 12.5%,",
    ),
    (
        WorldsExplorer,
        {"view": "posteriors", "epsilon": 1000},
        "Pat nearly 0%, Terry nearly 100%.",
    ),
    (
        WorldsExplorer,
        {"view": "risk", "epsilon": 1000},
        "The risk is nearly 100%, and",
    ),
    (
        WorldsExplorer,
        {"risk": 0.25},
        "what is tolerated at no ε, since a blind guess",
    ),
    (
        WorldsExplorer,
        {"values": [0] * 5 + [1] * 4, "query": "median"},
        "one of 4 records is",
    ),
    (
        WorldsExplorer,
        {"values": {"<b>Ann": 1, "say": 2, "<i>": 9}},
        "guess that <i> is missing",
    ),
    (
        MeaningsExplorer,
        {},
        "An example, a hospital that counts its patients with diabetes",
    ),
    (MeaningsExplorer, {"unit": "<b>dogs</b>"}, "5 <b>dogs</b>"),
    (
        MeaningsExplorer,
        {"view": "published"},
        "Meta 2020: ε = 2; unit: user; period: a day",
    ),
    (
        MeaningsExplorer,
        {"view": "published"},
        "δ = 1e-10, a δ of our choice; unit: device;",
    ),
    (
        MeaningsExplorer,
        {"view": "published"},
        "a day; neighbours: not said; noise: central",
    ),
    (
        MeaningsExplorer,
        {"view": "published", "epsilon": 20},
        "deployments 4 have an ε above 20.",
    ),
    (
        ChoiceExplorer,
        {},
        "n = 2,000 is public: whoever knows who else is in the data knows from",
    ),
    (
        MeaningsExplorer,
        {},
        "The noise hides what the person’s record says, and for that Δf is no l",
    ),
    (
        MeaningsExplorer,
        TABLE,
        "and for that Δf is 2 rather than 1: with 'replace' for",
    ),
    (
        MeaningsExplorer,
        TABLE | {"contributions": 3},
        "each person in at most 3 cells of all 480, once in each,",
    ),
    (
        ChoiceExplorer,
        {"view": "stress"},
        "4 people with dependent records: belief from 20%",
    ),
    (
        ChoiceExplorer,
        {},
        "of at least 0.15 for Δf = 1; the chosen one meets it.",
    ),
    (
        ChoiceExplorer,
        {"epsilon": 5},
        "of at most 0.25 for Δf = 1; the chosen one breaks it.",
    ),
    (
        ChoiceExplorer,
        {"releases": 12},
        "changes is enough: “The count shall lie within ±35.8",
    ),
    (
        PlanExplorer,
        {},
        "Factors of the noise from 0.442 to 1 keep all promises",
    ),
    (PlanExplorer, {"household": 2}, "for 2 people with dependent records"),
    (PlanExplorer, {"total": 2}, "leaving out visits"),
    (
        PlanExplorer,
        {"use_success": True},
        "Whoever guesses a yes or no (“yes” in 50% of cases) is right in 50% of",
    ),
]


@pytest.mark.parametrize(("kind", "settings", "words"), SAID)
def test_a_state_is_said(kind, settings, words):
    explorer = kind(**settings)
    assert words in " ".join(
        [
            explorer.sentence,
            *shown(explorer, "notes")["items"],
            *opened(explorer),
        ]
    )
    assert not explorer.messages


GOALS = {
    "epsilon",
    "view",
    "half_width",
    "posterior",
    "total",
}
VISIBLE = [  # what must have a control, and what must not
    (
        ChoiceExplorer,
        {"published": "sum", "groups": 3},
        {"interval_cells"},
        {"cells"},
    ),
    (ChoiceExplorer, {"groups": 3}, {"half_width"}, {"interval_cells"}),
    (BayesExplorer, {}, {"answer"}, {"true_p", "against"}),
    (BayesExplorer, {"view": "errors"}, {"true_p", "against"}, {"answer"}),
    (BreachExplorer, {"view": "priors"}, {"attribute"}, {"answer"}),
    (BreachExplorer, {"view": "attack"}, {"answer"}, {"attribute"}),
    (LossExplorer, COIN, {"p", "q"}, {"epsilon", "mu", "trials"}),
    (
        LossExplorer,
        {"mechanism": "gaussian"},
        {"mu"},
        {"epsilon", "trials", "p", "q"},
    ),
    (
        MeaningsExplorer,
        {},
        {"epsilon", "rows", "view", "delta", "prior"},
        {"low", "cells"},
    ),
    (
        MeaningsExplorer,
        TABLE,
        {"cells", "contributions"},
        {"low"},
    ),
    (MeaningsExplorer, {}, {"contributions"}, {"cells"}),
    (
        ChoiceExplorer,
        {},
        GOALS | {"use_risk", "prior", "household"},
        {"error", "values"},
    ),
    (ChoiceExplorer, {"use_risk": True}, {"risk", "values"}, {"error"}),
    (PlanExplorer, {}, {"total", "use_rho", "view"}, {"posterior", "rho"}),
    (PlanExplorer, {"use_belief": True}, {"posterior"}, {"success"}),
]


@pytest.mark.parametrize(("kind", "settings", "there", "absent"), VISIBLE)
def test_what_means_something_has_a_control(kind, settings, there, absent):
    assert there <= visible(kind(**settings)) - absent
    assert not absent & visible(kind(**settings))


def test_what_takes_a_while_waits_for_the_release():
    errors, along_p = (
        BayesExplorer(view="errors", against=axis) for axis in ("noise", "p")
    )
    for explorer, name, waits in (
        (WorldsExplorer(), "epsilon", False),
        (BayesExplorer(), "p", False),
        (errors, "p", True),
        (errors, "epsilon", False),
        (along_p, "epsilon", True),
    ):
        assert shown(explorer, name)["slow"] == waits


#: A column of a count, of as many people as it has records.
COLUMN = {"use_risk": True, "n": None}
CODED = f"values of a count must be {COUNTED.allowed}; got "
NOTHING = {f"use_{goal}": False for goal in ("interval", "belief", "budget")}
REFUSED = [
    (
        BayesExplorer,
        {"n": 10**6, "view": "errors"},
        "n",
        "number from 1 to 2,000; got 1000000",
    ),
    (
        BreachExplorer,
        {"prior": 0.3},
        "posterior",
        "must be above the prior, 0.3; got 0.2",
    ),
    (
        LossExplorer,
        COIN | {"q": (0.5, 0.25, 0.25)},
        "q",
        "as many masses as p, which has 2; got 3",
    ),
    (
        ChoiceExplorer,
        {"household": 2001},
        "household",
        "household must be at most n",
    ),
    (
        ChoiceExplorer,
        {"contributions": 2001},
        "contributions",
        "at most 4 published numbers; got",
    ),
    (
        ChoiceExplorer,
        {"use_risk": True, "values": (1, 0, 0)},
        "n",
        "n must be the number of val",
    ),
    (
        ChoiceExplorer,
        COLUMN | {"values": (1, 2, 2, 1)},
        "values",
        f"{CODED}2 for the 2nd record",
    ),
    (
        ChoiceExplorer,
        COLUMN | {"values": {"Ann": 1, "Bob": -9, "Cy": 0}},
        "values",
        f"{CODED}-9 for “Bob”",
    ),
    (
        ChoiceExplorer,
        NOTHING,
        "use_budget",
        "goals must hold at least one goal",
    ),
    (
        MeaningsExplorer,
        {"published": "mean", "n": None},
        "n",
        "n must be public for a mean",
    ),
]


@pytest.mark.parametrize(("kind", "settings", "name", "message"), REFUSED)
def test_what_does_not_hold_together_stays_where_it_was_set_and_the_result_stays(
    kind, settings, name, message
):
    (last, value), *right = reversed(settings.items())
    explorer = kind(**dict(right))
    result, sentence = explorer.result, explorer.sentence
    setattr(explorer, last, value)
    assert message in explorer.messages[name]
    assert getattr(explorer, last) == explorer.state.values[last] == value
    assert shown(explorer, "picture")["stale"]
    assert (explorer.result, explorer.sentence) == (result, sentence)
    explorer.go_to()
    assert not explorer.messages
    assert not shown(explorer, "picture")["stale"]
