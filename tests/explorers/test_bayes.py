"""The Bayes explorer without a browser: one answer, averages, a follower, slow pictures."""

import numpy as np
import pytest

import tools
from dpwidgets import BayesExplorer
from dpwidgets.calculators import bayes
from tools import ask, shown, visible

#: From the least surprising answer to the most surprising: a million counts matter then.
A_MILLION = """
from dpwidgets import BayesExplorer, Draws
explorer = BayesExplorer(n=10**6, p=1e-9, answer=1e6, epsilon=1e-8)
explorer.epsilon = 1000
assert explorer.result.counts.size > 10**6
draws = Draws(explorer)
draws.draw(20)
draws.ask()
explorer.still.png
"""


@pytest.fixture
def explorer():
    return BayesExplorer()


def hidden(explorer):
    return set(explorer.parameters()) - visible(explorer)


def test_one_answer(explorer):
    assert explorer.result == bayes.estimate(40, 100, 0.3, 0.1)
    assert repr(explorer) == (
        "Before the answer, 30 of 100 records were to be expected. After the answer 40 with ε = "
        "0.1 the posterior mean is 32. The count lies between 23 and 41 with a probability of at "
        "least 95%; its median is 32."
    )
    assert hidden(explorer) == {"true_p", "against"}
    grid = BayesExplorer.answer.grid  # fine where small counts are
    assert set(range(-100, 200)) <= set(grid.tolist())
    assert np.diff(grid).max() == 10


def test_the_averages(explorer):
    explorer.view = "errors"
    assert hidden(explorer) == {"answer"}
    assert explorer.result.errors["posterior mean"] == bayes.mean_error(100, 0.3, 0.1)
    assert (
        "the posterior mean is off by 3.4 on average, the answer itself by 10," in explorer.sentence
    )
    explorer.view = "closer"
    assert explorer.sentence.endswith(
        "closer to the count than the answer itself in 76.1% of all cases."
    )


def test_the_true_p_follows_until_it_is_set(explorer):
    explorer.view = "errors"
    explorer.p = 0.4
    assert explorer.true_p == 0.4
    ask(explorer, "true_p", place=28)
    assert explorer.true_p == 0.28
    assert explorer.result == bayes.compare(100, 0.4, 0.1, true_p=0.28)
    explorer.p = 0.3
    assert "p = 0.3 assumed and 0.28 true" in explorer.sentence
    ask(explorer, "p", text="")  # only what follows may be nothing
    assert explorer.p == 0.3
    assert "p" in explorer.messages


def test_n_may_be_large_for_one_answer_only(explorer):
    explorer.n = 10**6
    explorer.answer = 300_500
    assert explorer.result.counts.size < 20_000
    explorer.view = "errors"
    assert explorer.messages == {"n": "n must be a whole number from 1 to 2,000; got 1000000"}
    assert explorer.n == 10**6  # it stays where it was set
    assert shown(explorer, "picture")["stale"]
    explorer.n = 2000
    assert not explorer.messages
    assert explorer.result.n == 2000


@pytest.mark.slow
def test_a_million_records_take_less_than_400_megabytes():
    assert tools.peak_megabytes(A_MILLION) < 400


def test_what_takes_a_while_waits_for_the_release(explorer):
    def waiting():
        return {name for name in ("n", "p", "true_p", "epsilon") if shown(explorer, name)["slow"]}

    assert waiting() == set()
    explorer.view = "errors"
    assert waiting() == {"n", "p", "true_p"}
    explorer.against = "p"
    assert waiting() == {"n", "p", "true_p", "epsilon"}


def test_a_doubt_about_p_weighs_the_answer_more(explorer):
    trusting = explorer.result.mean
    explorer.doubt = 0.1
    assert trusting < explorer.result.mean < explorer.answer
    assert explorer.result == bayes.estimate(40, 100, 0.3, 0.1, 0.1)
    assert "were to be expected (standard deviation 15.1)." in explorer.sentence
    explorer.view = "errors"
    assert explorer.result == bayes.compare(100, 0.3, 0.1, doubt=0.1)
    assert "p = 0.3 (with a doubt of 0.1; the counts arise with 0.3)" in explorer.sentence
