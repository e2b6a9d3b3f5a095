"""What the picture of goals draws."""

import pytest

from dpwidgets.calculators.choice import decide
from dpwidgets.plots import choice as plots


def updated(*results):
    plot = plots.Goals()
    for result in results:
        plot.update(result)
    return plot


def spans(plot):
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in plot.bars if bar.get_visible()]


def test_every_goal_has_a_bar_and_the_common_part_a_band():
    result = decide(count=100, values=[1, 2, 3, 10], prior=0.1, releases=12)
    plot = updated(decide(count=3), result)
    low, high = plot.axes.get_xlim()
    allowed = [goal.interval() for goal in result.goals]
    for span, one in zip(spans(plot), allowed, strict=True):
        assert span == pytest.approx((max(one.low, low), min(one.high, high)))
    assert plot.common.get_x() == pytest.approx(result.choice.feasible.low)
    assert plot.common.get_x() + plot.common.get_width() == pytest.approx(
        result.choice.feasible.high
    )
    assert [name.get_text().splitlines()[0] for name in plot.names] == [
        "precision of a count",
        "risk of being identified",
        "beliefs",
        "budget",
    ]
    assert list(plot.chosen.get_xdata()) == [result.epsilon] * 2
    feasible = result.choice.feasible
    assert list(plot.ends.get_xdata()) == pytest.approx([feasible.low, feasible.high])


def test_a_contradiction_leaves_no_band():
    plot = updated(decide(count=100, prior=0.1), decide(count=3, prior=0.1))
    assert plot.common.get_width() == 0
    assert not plot.ends.get_visible()
    assert plot.heading.get_text().startswith("no ε meets all goals")
    assert len(spans(plot)) == 2


def test_a_goal_that_nothing_meets_has_no_bar():
    plot = updated(decide(values=[1, 2, 3, 10], risk=0.2, prior=0.1))
    assert len(spans(plot)) == 1
    assert [words.get_text() for words in plot.nothing] == ["no ε does that", "", "", ""]


def test_an_epsilon_beyond_the_axis_points_there():
    plot = updated(decide(count=100, epsilon=1000))
    assert plot.point.get_marker() == ">"
