"""What the pictures of the privacy loss draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators.loss import gaussian, laplace, release
from dpwidgets.plots import loss as plots, style
from tools import updated


def test_the_answers_are_two_laws_and_a_mark():
    one = release("laplace", epsilon=0.5, outcome=3)
    plot = updated(plots.Answers, one)
    for line, you, peak_at in ((plot.with_you, True, 1), (plot.without, False, 0)):
        x, y = line.get_data()
        assert y / y.max() == pytest.approx(one.weight(x, you=you) / one.weight(x, you=you).max())
        assert x[y.argmax()] == pytest.approx(peak_at, abs=0.1)
        assert line.get_marker() == "None"
    assert list(plot.mark.get_xdata()) == [3, 3]
    without, with_you = plot.ends.get_ydata()
    assert with_you / without == pytest.approx(np.exp(0.5))


def test_separate_answers_are_dots():
    plot = updated(plots.Answers, release("laplace", epsilon=0.5), release("geometric", epsilon=1))
    assert plot.with_you.get_linestyle() == "None"
    assert plot.with_you.get_marker() == "o"
    assert set(plot.with_you.get_xdata()) <= set(range(-10, 11))


def test_the_losses_are_those_of_the_answers():
    one = release("gaussian", mu=0.5, outcome=2.5)
    plot = updated(plots.LossOfAnswers, one)
    x, y = plot.curve.get_data()
    assert y == pytest.approx(0.25 * (x - 0.5))
    assert plot.point.get_xydata().tolist() == [[2.5, 0.5]]
    plot.update(release("binomial", trials=4, outcome=9))
    assert plot.point.get_marker() in "^>"  # infinite: beyond the frame


def test_the_law_has_all_its_outcomes_and_its_mean():
    one = release("laplace", epsilon=0.5, compositions=20)
    plot = updated(plots.LawOfLoss, one)
    shares, edges, _ = plot.bars.get_data()
    assert shares.sum() == pytest.approx(1, abs=1e-6)
    assert (shares * (edges[1:] + edges[:-1])).sum() / 2 == pytest.approx(
        one.law.mean(), abs=edges[1] - edges[0]
    )
    assert plot.mean.get_xdata()[0] == one.law.mean()
    assert [line.get_xdata()[0] for line in plot.limits] == [one.epsilon, -one.epsilon]


def test_an_infinite_loss_is_written_at_the_edge():
    plot = updated(plots.LawOfLoss, release("binomial", trials=2, delta=0.1))
    assert plot.infinite.get_text() == "infinite: 0.25 →"
    assert not plot.mean.get_visible()
    plot.update(release("laplace", epsilon=1))
    assert plot.infinite.get_text() == ""
    assert plot.mean.get_visible()


def test_delta_lies_below_the_tail():
    one = release("gaussian", mu=0.5, compositions=4)
    plot = updated(plots.DeltaCurve, one)
    x, delta = plot.delta.get_data()
    assert (delta <= plot.tail.get_ydata() + 1e-15).all()
    assert delta == pytest.approx(one.law.delta(x))
    assert plot.point.get_xydata().tolist() == [[one.epsilon, 1e-6]]
    plot = updated(plots.DeltaCurve, release("laplace", epsilon=0.1, compositions=1000))
    assert (plot.delta.get_ydata() <= plot.tail.get_ydata()).all()


def test_delta_is_drawn_in_both_orders_and_never_falls_below_what_is_infinite():
    one = release("finite", p=[1, 0], q=[0.5, 0.5])
    plot = updated(plots.DeltaCurve, one)
    x, other = plot.other.get_data()
    assert other == pytest.approx(one.other.law.delta(x))
    assert (other == 0.5).all()
    assert plot.delta.get_ydata().min() < 1e-12
    plot.update(one.other)
    assert plot.point.get_marker() == ">"  # no ε has this δ
    assert (plot.delta.get_ydata() == 0.5).all()


def test_the_answers_of_two_lists_stand_at_their_places():
    one = release("finite", p=[0.6, 0.3, 0.1, 0], q=[0, 0.3, 0.2, 0.5], outcome=4)
    plot = updated(plots.Answers, release(epsilon=1), one)
    assert plot.axes.get_xlim() == (0.5, 4.5)
    assert plot.with_you.get_xdata().tolist() == [1, 2, 3, 4]
    assert plot.with_you.get_ydata() == pytest.approx(np.array([0.6, 0.3, 0.1, 0]) / 0.6)
    assert [text.get_text() for text in plot.legend.get_texts()] == [
        "Q, without you",
        "P, with you (drawn from)",
    ]
    plot.update(one.other)
    assert plot.legend.get_texts()[0].get_text() == "Q, without you (drawn from)"
    losses = updated(plots.LossOfAnswers, one)
    assert losses.point.get_marker() == "v"  # minus infinity: beyond the frame
    losses.update(one.other)
    assert losses.point.get_marker() == "^"


@pytest.mark.parametrize(
    "kind", [plots.Answers, plots.LossOfAnswers, plots.LawOfLoss, plots.DeltaCurve]
)
def test_a_frame_stands_still_while_a_value_moves_a_little(kind):
    plot = kind()
    frames = set()
    for epsilon in (0.25, 0.27, 0.3, 0.32):
        plot.update(release("laplace", epsilon=epsilon))
        frames.add((plot.axes.get_xlim(), plot.axes.get_ylim()))
    assert len(frames) == 1


@pytest.mark.parametrize(
    ("value", "length"), [(0.03, 0.05), (1, 1), (1.01, 2), (3, 5), (7, 10), (10, 10), (1e-9, 1e-9)]
)
def test_rulers_have_round_lengths(value, length):
    assert style.ruler(value) == pytest.approx(length)


def test_drawn_losses_are_counted_once_each():
    with_you, without_you = np.array([-0.1, 0.1, 0.1, 0.1]), np.array([-0.1, 0.1])
    plot = updated(plots.Losses, (with_you, without_you))
    for bars, drawn in zip(plot.bars, (with_you, without_you), strict=True):
        shares, edges, _ = bars.get_data()
        assert shares.sum() == pytest.approx(1)
        middles = (edges[1:] + edges[:-1]) / 2
        assert (shares * middles).sum() == pytest.approx(drawn.mean(), abs=edges[1] - edges[0])


@pytest.mark.parametrize(("law", "epsilon"), [(laplace(1), 0.5), (gaussian(0.5), 1.0)])
def test_the_line_of_epsilon_touches_the_trade_off_curve(law, epsilon):
    plot = updated(plots.TradeOff, (law, epsilon))
    alarms, misses = plot.curve.get_data()
    assert misses == pytest.approx(1 - law.success(alarms))
    (_, end), (high, _) = plot.limit.get_data()
    assert high == pytest.approx(1 - law.delta(epsilon))
    above = misses - high * (1 - alarms / end)
    assert above.min() == pytest.approx(0, abs=1e-4)
    assert (above > -1e-9).all()
