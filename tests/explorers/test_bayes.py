"""The Bayes explorer without a browser: which function computes, and how much memory that takes."""

import numpy as np
import pytest

import tools
from dpwidgets import BayesExplorer
from dpwidgets.calculators import bayes

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


def test_one_answer_and_the_averages():
    explorer = BayesExplorer()
    assert explorer.result == bayes.estimate(40, 100, 0.3, 0.1)
    explorer.doubt = 0.1
    assert explorer.result == bayes.estimate(40, 100, 0.3, 0.1, 0.1)
    explorer.view, explorer.true_p = "errors", 0.28
    assert explorer.result == bayes.compare(100, 0.3, 0.1, true_p=0.28, doubt=0.1)
    grid = BayesExplorer.answer.grid  # fine where small counts are
    assert set(range(-100, 200)) <= set(grid.tolist())
    assert np.diff(grid).max() == 10
    explorer = BayesExplorer(n=10**6, answer=300_500)  # for one answer
    assert explorer.result.counts.size < 20_000


@pytest.mark.slow
def test_a_million_records_take_less_than_400_megabytes():
    assert tools.peak_megabytes(A_MILLION) < 400
