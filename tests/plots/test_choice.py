"""What the pictures of goals and of stress draw."""

import pytest

from dpwidgets.calculators.choice import decide
from dpwidgets.plots import choice as plots
from tools import updated

CASE = {"published": "count", "n": 2000, "unit": "patients", "releases": 4, "prior": 0.2} | {
    "reference": 400,
    "confidence": 0.95,
}
GOALS = {"half_width": 0.05, "posterior": 0.25, "total": 1, "epsilon": 0.2}


def spans(plot):
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in plot.bars if bar.get_visible()]


def test_every_goal_has_a_bar_and_the_common_part_a_band():
    result = decide(**CASE | {"n": None}, **GOALS, error=9, advantage=0.3, values=[1, 0, 0, 0])
    plot = updated(plots.Goals, decide(error=3), result)
    low, high = plot.axes.get_xlim()
    allowed = [goal.scales(result.case).epsilons(result.case) for goal in result.goals]
    for span, one in zip(spans(plot), allowed, strict=True):
        assert span == pytest.approx((max(one[0], low), min(one[1], high)))
    band = (plot.common.get_x(), plot.common.get_x() + plot.common.get_width())
    assert band == pytest.approx(result.choice.feasible.epsilons(result.case))
    assert [name.get_text().partition("\n")[0] for name in plot.names] == [
        "interval",
        "error on average",
        "risk of being identified",
        "belief",
        "advantage of a test",
        "budget",
        "",
        "",
    ]
    assert list(plot.chosen.get_xdata()) == [0.2] * 2
    assert [words.get_text() for words in plot.noise] == ["100", "10", "1", "0.1"]
    assert plot.unit.get_text() == "noise, patients:"
    low_end, high_end = result.choice.feasible.epsilons(result.case)
    assert list(plot.ends.get_xdata()) == pytest.approx([low_end, high_end])


def test_a_contradiction_leaves_no_band():
    torn = decide(**CASE | {"releases": 12}, **GOALS)
    plot = updated(plots.Goals, decide(**CASE, **GOALS), torn)
    assert plot.common.get_width() == 0
    assert not plot.ends.get_visible()
    assert plot.heading.get_text() == "no noise meets all goals"
    assert len(spans(plot)) == 3


def test_a_goal_that_nothing_meets_has_no_bar():
    plot = updated(plots.Goals, decide(**CASE, posterior=0.1, error=3))
    assert len(spans(plot)) == 1
    assert [words.get_text() for words in plot.nothing][:2] == ["", "no noise does that"]


def test_an_epsilon_beyond_the_axis_points_there():
    plot = updated(plots.Goals, decide(error=3, epsilon=1000))
    assert plot.point.get_marker() == ">"


def test_stress_is_drawn_as_shares_of_the_limits():
    result = decide(**CASE, **GOALS)
    plot = updated(plots.Stress, decide(error=3), result)
    names = [name.get_text() for name in plot.names]
    assert names[: len(result.stress)] == [row.name for row in result.stress]
    for column, points in enumerate(plot.points[: len(result.goals)]):
        shares = [row.outcomes[column].share for row in result.stress]
        assert list(points.get_xdata()) == [share for share in shares if share]
    assert [text.get_text() for text in plot.legend.get_texts()][:3] == [
        "interval",
        "belief",
        "budget",
    ]


def test_without_an_epsilon_nothing_is_marked():
    plot = updated(
        plots.Goals, decide(**CASE, **GOALS), decide(**CASE | {"prior": 0.3}, posterior=0.25)
    )
    assert plot.second.get_text() == "no ε is suggested"
    assert plot.heading.get_text() == "no noise meets all goals"
    assert not plot.chosen.get_visible()
    assert not plot.point.get_visible()
    stress = updated(plots.Stress, decide(**CASE | {"prior": 0.3}, posterior=0.25))
    assert not any(name.get_text() for name in stress.names)
    assert updated(plots.Goals, decide(**CASE, **GOALS)).chosen.get_visible()
