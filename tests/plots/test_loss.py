"""What the pictures of the privacy loss draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators.loss import gaussian, laplace, release
from dpwidgets.plots import loss as plots, style
from tools import named, updated

LISTS = release("finite", p=[0.6, 0.3, 0.1, 0], q=[0, 0.3, 0.2, 0.5], outcome=4)


def test_the_answers_are_two_laws_and_a_mark():
    one = release("laplace", epsilon=0.5, outcome=3)
    plot = updated(plots.Answers, one)
    for line, you, peak_at in zip(plot.axes.lines, (False, True), (0, 1), strict=False):
        x, y = line.get_data()
        assert y / y.max() == pytest.approx(one.weight(x, you=you) / one.weight(x, you=you).max())
        assert x[y.argmax()] == pytest.approx(peak_at, abs=0.1)
        assert line.get_marker() == "None"
    mark, ends = plot.axes.lines[2:]
    assert mark.get_xdata() == ends.get_xdata() == [3, 3]
    without, with_you = ends.get_ydata()
    assert with_you / without == pytest.approx(np.exp(0.5))


def test_separate_answers_are_dots_and_listed_ones_stand_at_their_places():
    drawn = named(updated(plots.Answers, release(epsilon=1), release("geometric", epsilon=1)))
    with_you = drawn["P, with you (drawn from)"]
    assert (with_you.get_linestyle(), with_you.get_marker()) == ("None", "o")
    assert {*with_you.get_xdata()} <= {*range(-10, 11)}
    plot = updated(plots.Answers, LISTS)
    assert plot.axes.get_xlim() == (0.5, 4.5)
    x, y = named(plot)["P, with you (drawn from)"].get_data()
    assert x.tolist() == [1, 2, 3, 4]
    assert y == pytest.approx(np.array([0.6, 0.3, 0.1, 0]) / 0.6)
    assert [*named(updated(plots.Answers, LISTS.other))] == [
        "Q, without you (drawn from)",
        "P, with you",
    ]


def test_the_losses_are_those_of_the_answers():
    _, curve, point = updated(
        plots.LossOfAnswers, release("gaussian", mu=0.5, outcome=2.5)
    ).axes.lines
    x, y = curve.get_data()
    assert y == pytest.approx(0.25 * (x - 0.5))
    assert point.get_xydata().tolist() == [[2.5, 0.5]]


@pytest.mark.parametrize(
    ("one", "markers"),
    [(release("binomial", trials=4, outcome=9), "^>"), (LISTS, "v"), (LISTS.other, "^")],
)
def test_an_infinite_loss_points_beyond_the_frame(one, markers):
    assert updated(plots.LossOfAnswers, one).axes.lines[-1].get_marker() in markers


def test_the_law_has_all_its_outcomes_and_its_mean():
    one = release("laplace", epsilon=0.5, compositions=20)
    plot = updated(plots.LawOfLoss, release("binomial", trials=2, delta=0.1), one)
    shares, edges, _ = named(plot)["outcomes"].get_data()
    assert shares.sum() == pytest.approx(1, abs=1e-6)
    total = (shares * (edges[1:] + edges[:-1])).sum() / 2
    assert total == pytest.approx(one.law.mean(), abs=edges[1] - edges[0])
    marks = [line.get_xdata()[0] for line in plot.axes.lines]
    assert marks == [one.law.mean(), one.epsilon, -one.epsilon]
    assert not plot.axes.texts


def test_an_infinite_loss_is_written_at_the_edge():
    plot = updated(plots.LawOfLoss, release("binomial", trials=2, delta=0.1))
    assert [text.get_text() for text in plot.axes.texts] == ["infinite: 0.25 →"]
    assert "mean" not in named(plot)


@pytest.mark.parametrize(
    "one",
    [
        release("gaussian", mu=0.5, compositions=4),
        release("laplace", epsilon=0.1, compositions=1000),
        release("finite", p=[1, 0], q=[0.5, 0.5]),
        release("finite", p=[1, 0], q=[0.5, 0.5]).other,
    ],
)
def test_delta_lies_below_the_tail_and_is_drawn_in_both_orders(one):
    plot = updated(plots.DeltaCurve, one)
    tail, delta, other = (line.get_ydata() for line in plot.axes.lines[:3])
    assert (delta <= tail).all()
    x = plot.delta.get_xdata()
    assert delta == pytest.approx(one.law.delta(x), abs=1e-10)
    assert other == pytest.approx(one.other.law.delta(x), abs=1e-10)
    point = plot.axes.lines[-1]
    assert point.get_ydata() == [1e-6]
    assert point.get_marker() == ("o" if np.isfinite(one.epsilon) else ">")  # no ε has this δ


@pytest.mark.parametrize(
    "kind", [plots.Answers, plots.LossOfAnswers, plots.LawOfLoss, plots.DeltaCurve]
)
def test_a_frame_stands_still_while_a_value_moves_a_little(kind):
    frames = set()
    for epsilon in (0.25, 0.27, 0.3, 0.32):
        axes = updated(kind, release("laplace", epsilon=epsilon)).axes
        frames.add((axes.get_xlim(), axes.get_ylim()))
    assert len(frames) == 1


@pytest.mark.parametrize(
    ("value", "length"), [(0.03, 0.05), (1, 1), (1.01, 2), (3, 5), (7, 10), (10, 10), (1e-9, 1e-9)]
)
def test_rulers_have_round_lengths(value, length):
    assert style.ruler(value) == pytest.approx(length)


def test_drawn_losses_are_counted_once_each():
    losses = np.array([-0.1, 0.1, 0.1, 0.1]), np.array([-0.1, 0.1])
    for bars, drawn in zip(updated(plots.Losses, losses).axes.patches, losses, strict=True):
        shares, edges, _ = bars.get_data()
        assert shares.sum() == pytest.approx(1)
        middles = (edges[1:] + edges[:-1]) / 2
        assert (shares * middles).sum() == pytest.approx(drawn.mean(), abs=edges[1] - edges[0])


@pytest.mark.parametrize(("law", "epsilon"), [(laplace(1), 0.5), (gaussian(0.5), 1.0)])
def test_the_line_of_epsilon_touches_the_trade_off_curve(law, epsilon):
    _, curve, limit, _ = updated(plots.TradeOff, (law, epsilon)).axes.lines
    alarms, misses = curve.get_data()
    assert misses == pytest.approx(1 - law.success(alarms))
    (_, end), (high, _) = limit.get_data()
    assert high == pytest.approx(1 - law.delta(epsilon))
    above = misses - high * (1 - alarms / end)
    assert above.min() == pytest.approx(0, abs=1e-4)
    assert (above > -1e-9).all()
