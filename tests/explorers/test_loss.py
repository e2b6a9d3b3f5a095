"""The explorer of the privacy loss with a mechanism that is two lists: its words in both orders."""

import math

import numpy as np

from dpwidgets import LossExplorer
from dpwidgets.plots.panel import Drawn
from tools import ask, shown

COIN = {"mechanism": "finite", "p": [1, 0], "q": [0.5, 0.5]}


def test_the_order_moves_the_law_and_an_infinite_loss_may_be_less_likely_than_delta():
    explorer = LossExplorer(view="law", **COIN)
    bounded = explorer._moving
    explorer.swapped = True
    assert bounded != explorer._moving
    explorer.delta = 0.6
    assert explorer.result.guarantee == 0


def test_the_lists_are_typed_one_after_the_other_and_refused_beside_their_box():
    explorer = LossExplorer(**COIN)
    for text, message in (
        ("0.5 0.6", "p must have the sum 1; its 2 masses sum to 1.1"),
        ("2, -1", "p must be a list of masses, each 0 or a number from 1e-300 to 1; got 2"),
        ("a: 1, b: 0", "p must be a list of masses"),
        ("", "the 1st entry"),
    ):
        ask(explorer, "p", text=text)
        assert message in explorer.messages["p"]
    ask(explorer, "p", text="1/2, 1/4, 1/4")
    assert explorer.messages == {"q": "q must have as many masses as p, which has 3; got 2"}
    assert explorer.result.p == (1, 0)
    ask(explorer, "q", text="0,25; 0,25; 0,5")
    assert not explorer.messages
    assert (explorer.p, explorer.q) == ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5))
    assert "p=(0.5, 0.25, 0.25), q=(0.25, 0.25, 0.5)" in explorer.code


def test_what_is_the_same_in_both_orders_has_no_note():
    for mechanism in ("laplace", "geometric", "randomized_response", "gaussian", "binomial"):
        assert shown(LossExplorer(mechanism=mechanism), "notes")["items"] == []


def test_one_draw_of_several_answers_has_the_sum_of_their_losses():
    result = LossExplorer(mechanism="gaussian", mu=0.5, compositions=16).result
    draws, none = np.array([[1.5, 3.0]]), np.empty((0, 2))
    said = LossExplorer().say_drawn(Drawn(result, 1, draws, none))
    assert said.endswith("The first of them is 1.5. The losses add up to 3.")


def test_only_an_infinite_loss_makes_certain():
    explorer = LossExplorer(**COIN)
    asked = np.column_stack([np.ones(60), np.zeros(60)])  # each answer doubles the odds
    said = explorer.say_asked(Drawn(explorer.result, 1, asked, asked))
    assert "with a probability of nearly 100%" in said
    explorer.swapped = True
    asked = np.array([[2.0, math.inf]])
    assert "of 100%, that" in explorer.say_asked(Drawn(explorer.result, 0, asked, asked))
