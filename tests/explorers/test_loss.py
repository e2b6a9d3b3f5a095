"""The explorer of the privacy loss with a mechanism that is two lists: its words in both orders."""

import math

import numpy as np

from dpwidgets import LossExplorer
from dpwidgets.plots.drawn import Drawn
from tools import ask, shown, visible

COIN = {"mechanism": "finite", "p": [1, 0], "q": [0.5, 0.5]}


def test_the_point_against_the_coin_is_bounded_in_one_order_alone():
    explorer = LossExplorer(**COIN)
    assert "the loss exceeds ε = 0.694 in 0% of the outcomes" in explorer.sentence
    assert shown(explorer, "notes")["items"] == [
        "In the other order, with the answers drawn without you, the loss is infinite with "
        "probability 0.5, so no ε has this δ.",
        "A mechanism is private only if the bound holds in both orders: here no ε holds at "
        "δ = 1e-6.",
    ]
    before = explorer._moving
    explorer.view = "law"
    bounded = explorer._moving
    explorer.swapped = True
    assert before != bounded != explorer._moving
    assert "the loss is infinite with probability 0.5" in explorer.sentence
    assert "drawn with you, the loss exceeds ε = 0.694" in shown(explorer, "notes")["items"][0]
    explorer.delta = 0.6  # more than the infinite loss is likely
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
        assert explorer.result.p == (1, 0)
    ask(explorer, "p", text="1/2, 1/4, 1/4")
    assert explorer.messages == {"q": "q must have as many masses as p, which has 3; got 2"}
    assert explorer.result.p == (1, 0)
    ask(explorer, "q", text="0,25; 0,25; 0,5")
    assert not explorer.messages
    assert (explorer.p, explorer.q) == ((0.5, 0.25, 0.25), (0.25, 0.25, 0.5))
    assert explorer.result.law.infinite() == 0


def test_the_lists_have_controls_and_notes_only_where_they_mean_something():
    explorer = LossExplorer()
    for mechanism in ("laplace", "geometric", "randomized_response", "gaussian", "binomial"):
        explorer.mechanism = mechanism
        assert shown(explorer, "notes")["items"] == []  # the same in both orders
        assert not visible(explorer) & {"p", "q"}
    explorer.mechanism = "finite"
    assert {"p", "q"} <= visible(explorer)
    assert not visible(explorer) & {"epsilon", "mu", "trials"}
    assert "p=(1.0, 0.0), q=(0.5, 0.5)" in explorer.code


def test_a_ratio_is_neither_rounded_to_once_nor_cut_off():
    explorer = LossExplorer(epsilon=0.001)
    assert "is 1.001 times as likely without you" in explorer.sentence
    explorer.epsilon = 1000
    assert "is e^1,000 times as likely without you" in explorer.sentence


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


def test_it_says_of_the_loss_what_its_reader_knows():
    about = "The answer 3 is 1.65 times as likely with you as without you: its loss is 0.5."
    mean = " For one release the expected loss is 0.107"
    for only, said in (
        (("epsilon", "outcome"), about),
        (("epsilon", "law"), f"{about}{mean}."),
        (("epsilon", "delta"), LossExplorer(outcome=3).sentence),
    ):
        assert LossExplorer(outcome=3, only=only).sentence == said
    assert LossExplorer(outcome=3).sentence.startswith(f"{about}{mean}, and the loss exceeds")
