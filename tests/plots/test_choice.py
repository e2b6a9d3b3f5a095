"""What the pictures of goals and of stress draw."""

import pytest

from dpwidgets.calculators.choice import decide
from dpwidgets.plots import choice as plots
from tools import named, updated

CASE = {"published": "count", "n": 2000, "unit": "patients", "releases": 4, "prior": 0.2} | {
    "reference": 400,
    "confidence": 0.95,
}
GOALS = {"half_width": 0.05, "posterior": 0.25, "total": 1, "epsilon": 0.2}


def written(plot):
    return [text.get_text() for text in plot.axes.texts]


def spans(plot):
    return [(box.get_x(), box.get_x() + box.get_width()) for box in plot.axes.patches]


def test_every_goal_has_a_bar_and_the_common_part_a_band():
    result = decide(**CASE | {"n": None}, **GOALS, error=9, advantage=0.3, values=[1, 0, 0, 0])
    plot = updated(plots.Goals, decide(error=3), result)
    low, high = plot.axes.get_xlim()
    feasible = result.choice.feasible.epsilons(result.case)
    band, *bars = spans(plot)
    assert band == pytest.approx(feasible)
    for span, goal in zip(bars, result.goals, strict=True):
        one = goal.scales(result.case).epsilons(result.case)
        assert span == pytest.approx((max(one[0], low), min(one[1], high)))
    ends, chosen, _ = plot.axes.lines
    assert ends.get_xdata() == pytest.approx(feasible)
    assert chosen.get_xdata() == [0.2] * 2
    goals = ["interval", "error on average", "risk of being identified", "belief"]
    goals += ["advantage of a test", "budget"]
    words = written(plot)
    assert [one.partition("\n")[0] for one in words[:6]] == goals
    assert words[6:11] == ["100", "10", "1", "0.1", "noise, patients:"]


@pytest.mark.parametrize(
    ("changed", "bars", "missing"),
    [({"releases": 12}, 3, 0), ({"prior": 0.3}, 2, 1)],
    ids=["contradiction", "a goal that nothing meets"],
)
def test_without_a_common_part_there_is_no_band(changed, bars, missing):
    plot = updated(plots.Goals, decide(**CASE, **GOALS), decide(**CASE | changed, **GOALS))
    assert len(spans(plot)) == bars
    assert written(plot).count("no noise does that") == missing
    assert "no noise meets all goals" in written(plot)


def test_an_epsilon_beyond_the_axis_points_there():
    plot = updated(plots.Goals, decide(error=3, epsilon=1000))
    assert plot.axes.lines[-1].get_marker() == ">"


def test_stress_is_drawn_as_shares_of_the_limits():
    result = decide(**CASE, **GOALS)
    plot = updated(plots.Stress, decide(error=3), result)
    assert written(plot) == [row.name for row in result.stress]
    points = named(plot)
    assert [*points] == ["interval", "belief", "budget"]
    for column, one in enumerate(points.values()):
        shares = [row.outcomes[column].share for row in result.stress]
        assert list(one.get_xdata()) == [share for share in shares if share]


def test_without_an_epsilon_nothing_is_marked():
    without = decide(**CASE | {"prior": 0.3}, posterior=0.25)
    plot = updated(plots.Goals, decide(**CASE, **GOALS), without)
    assert written(plot)[-2:] == ["no noise meets all goals", "no ε is suggested"]
    assert not plot.axes.lines
    assert not written(updated(plots.Stress, without))
