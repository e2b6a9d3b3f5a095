"""What a reader makes by hand: bars hold or miss as they look, and Bayes' rule multiplies."""

import numpy as np
import pytest
from scipy.stats import binom

from dpwidgets.plots.by_hand import Again, Held, Rule
from dpwidgets.teaching.by_hand import BayesTable, FiftyIntervals
from tools import ask, press, updated


def reach_20(answer, epsilon, confidence):
    return answer - 20, answer + 20


@pytest.mark.parametrize(("share", "count"), [(0, 1), (1 / 3, 10), (1, 1000)])
def test_an_interval_is_green_where_it_holds_the_count_and_has_a_cross_where_not(
    share, count
):
    page = FiftyIntervals(reach_20, 0.08, 0.8, seed=49)
    ask(page, "true count", share=share, handle=0)
    answers = count + page.noise
    right = [
        (0.8 * answers <= count) & (count <= 1.2 * answers),
        abs(page.noise) <= 20,
    ]
    held = [int(one.sum()) for one in right]
    assert page.sentence == (
        f"The true count is {count:,}. It is held in {held[0]} of 50 by "
        f"ĉ ± 20% of ĉ and {held[1]} of 50 by your interval."
    )
    plot = updated(Held, page)
    drawn = [
        len(one.get_segments())
        for panel in plot.columns
        for one in panel.collections
    ]
    misses = [50 - one for one in held]
    assert drawn == [held[0], misses[0], held[1], misses[1]]
    crosses = [
        one
        for panel in plot.columns
        for one in panel.lines
        if one.get_marker() == "x"
    ]
    assert [one.get_xdata().size for one in crosses] == misses


def test_a_wrong_interval_is_seen_at_every_count():
    page = FiftyIntervals(lambda answer, *_: (answer, answer), 0.08, 0.8)
    for place in (-1, 0, 20, 60, 61):
        ask(page, "true count", place=place)
        assert "and 0 of 50 by your interval" in page.sentence


@pytest.mark.parametrize(
    "ends", [None, 7.0, (1, 2, 3), ("1", "2"), ([1], [2])]
)
def test_what_is_no_interval_is_said_of_the_function_that_returned_it(ends):
    with pytest.raises(ValueError, match="interval_for must return two numb"):
        FiftyIntervals(lambda answer, *_: ends, 0.08, 0.8)


def test_who_sets_the_likelihoods_multiplies_and_divides_has_the_posterior():
    table = BayesTable(n=5, p=0.3, epsilon=1, answer=4)
    right = np.exp(-abs(4.0 - np.arange(6)))
    for count, share in enumerate(right):
        ask(table, f"count {count}", share=share, handle=0)
    assert repr(table).startswith("How probable is the answer")
    prior = binom.pmf(np.arange(6), 5, 0.3)
    posterior = prior * right / (prior * right).sum()
    for label, heights, near in (
        ("Multiply", prior * right, 0.01),
        ("Divide", posterior, 0.03),
    ):
        press(table, label)
        assert table.sentence.endswith("Your likelihoods are right.")
        plot = updated(Rule, table)
        bars = plot.axes.patches[0].get_data().values
        assert bars == pytest.approx(heights, abs=near)
    ask(table, "count 1", place=60)
    assert table.sentence.endswith("But the likelihood of 1 is 0.0498.")
    shown = table._shown["count 1"]
    assert (shown["place"], shown["spoken"]) == (60, "1")
    for count in range(6):
        ask(table, f"count {count}", place=0)
    assert table.posterior == pytest.approx(prior)
    assert table.sentence.endswith(
        "no likelihood is 0: noise may be of any size."
    )


def test_each_posterior_is_the_next_prior_and_the_count_is_covered_until_it_is_shown():
    table = BayesTable(n=100, p=0.3, epsilon=0.1, who="<b>Ada", seed=3)
    page = table.still_page()  # where no kernel is
    for words in (
        "<img ",
        "The prior expects 30 of 100.",
        "The true count is covered.",
    ):
        assert words in page
    frames = set()
    for _ in range(10):
        frames.add(updated(Again, table).axes.get_ylim())
        press(table, "Ask again")
    assert frames == {(0, 0.2)}  # in which the bell is seen to rise
    counts = np.arange(101)
    off = sum(abs(answer - counts) for answer in table.answers)
    weights = binom.pmf(counts, 100, 0.3) * np.exp(-0.1 * off)
    posterior = weights / weights.sum()
    assert table.posterior == pytest.approx(posterior)
    yes = posterior @ counts / 100
    factor = yes / (1 - yes) / (0.3 / 0.7)
    said = f"odds that <b>Ada said yes are {factor:.3f} times what they were"
    assert said in table.sentence
    assert "<b>" not in table.still_page()
    assert "more than 2.72, or less than 0.367" in table.sentence
    plot = updated(Again, table)
    assert not plot.axes.lines
    frame = plot.odds.get_xlim()
    moved, *walls = [one.get_segments() for one in plot.odds.collections]
    assert np.min(moved) == pytest.approx(np.log(factor))
    assert np.min(walls) == pytest.approx(-10 * 0.1)
    for many in (10, 11, 25):
        table.answers = many * [40.0]
        low, high = updated(Again, table).odds.get_xlim()
        assert (high == frame[1]) == (many == 10)
        assert high == -low >= many * 0.1
    press(table, "Show the true count")
    (line,) = updated(Again, table).axes.lines
    assert line.get_xdata()[0] == table.truth == 24
    assert table.sentence.endswith("The true count is 24.")
