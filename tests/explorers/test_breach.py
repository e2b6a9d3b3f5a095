"""The breach explorer without a browser: three numbers of which one follows, and what they mean."""

import pytest

from dpwidgets import BreachExplorer
from dpwidgets.calculators import breach
from tools import shown, visible


@pytest.fixture
def explorer():
    return BreachExplorer()


def hidden(explorer):
    return set(explorer.parameters()) - visible(explorer)


def test_the_sentence_is_about_people(explorer):
    assert explorer.sentence.startswith(
        "At ε = 2.9, a belief of 1 in 74 about one person becomes at most 1 in 5, whatever the "
        "answer."
    )
    assert explorer.epsilon == breach.epsilon(1 / 74, 0.2)
    explorer.epsilon = 1
    assert explorer.solve_for == "posterior"
    assert explorer.posterior == breach.posterior(1 / 74, 1)
    assert BreachExplorer(epsilon=0.5, posterior=0.3).prior == pytest.approx(breach.prior(0.3, 0.5))


@pytest.mark.parametrize("name", ["prior", "posterior", "epsilon"])
def test_each_follows_from_the_other_two(explorer, name):
    explorer.solve_for = name
    given = {n: getattr(explorer, n) for n in ("prior", "posterior", "epsilon") if n != name}
    assert getattr(explorer, name) == getattr(breach, name)(**given)
    assert shown(explorer, name)["solved"]


def test_each_view_has_the_controls_that_it_needs(explorer):
    assert hidden(explorer) == {"attribute", "answer"}
    explorer.view = "boxes"
    assert hidden(explorer) == {"answer"}
    explorer.attribute = "hours-per-week"
    assert "For the mean of hours-per-week this takes noise of scale 0.000691" in explorer.sentence
    explorer.view = "attack"
    assert hidden(explorer) == {"attribute"}
    explorer.epsilon = 2
    assert "After the answer 5.041 the attacker believes 10 at 54.2%" in explorer.sentence
    assert explorer.sentence.endswith("no answer could bring a belief above 64.9%.")
    explorer.answer = 1.75
    assert "After the answer 1.75 the attacker believes 1 at" in explorer.sentence


def test_a_tie_is_told_as_one_and_no_belief_is_certain():
    explorer = BreachExplorer(solve_for="posterior", view="attack", epsilon=5, answer=3.375)
    assert "the attacker believes 5 or 10, each at 38.1%" in explorer.sentence  # half-way
    explorer.epsilon, explorer.answer = 1000, 5.041
    assert "each" not in explorer.sentence
    assert "at nearly 100%" in explorer.sentence
    explorer.view = "beliefs"
    assert "between nearly 0% and nearly 100%" in explorer.sentence
