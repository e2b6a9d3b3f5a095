"""What the interval text's pictures draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators import interval
from dpwidgets.plots import interval as plots
from tools import updated

EXAMPLE = interval.precision(half_width=0.2, confidence=0.8, count=100)


def test_the_answer_shades_the_share_it_names():
    plot = updated(plots.Answer, EXAMPLE)
    x, y = plot.curve.get_data()
    assert y.max() == 1
    assert x[y.argmax()] == 100
    inside = np.abs(x - 100) <= 20 * (1 + 1e-9)
    total = 2 / EXAMPLE.epsilon  # the area under e^(−ε|x − c|)
    corners = plot.band.get_xy()
    area = np.trapezoid(corners[1:-2, 1], corners[1:-2, 0])
    assert area / total == pytest.approx(0.8, abs=2e-4)
    assert corners[:, 0].min() == pytest.approx(x[inside].min(), abs=1)
    assert (corners[:, 0].min(), corners[:, 0].max()) == pytest.approx((80, 120))
    assert plot.name.get_text() == "80% of the answers\nwithin ±20% of the count 100"


def test_the_answers_frame_follows_the_count_and_nothing_else():
    plot = updated(plots.Answer, EXAMPLE)
    limits = (*plot.axes.get_xlim(), *plot.axes.get_ylim())
    plot.update(interval.precision(half_width=0.01, confidence=0.99, count=100))
    assert (*plot.axes.get_xlim(), *plot.axes.get_ylim()) == limits == (-50, 250, 0, 1.3)
    plot.update(interval.precision(half_width=0.2, confidence=0.8, count=1000))
    assert plot.axes.get_xlim() == (-500, 2500)


def test_figure_1_has_its_curves_and_the_present_point():
    plot = updated(plots.IsoEpsilon, EXAMPLE)
    for curve, epsilon in zip(plot.curves, (0.02, 0.04, 0.16, 0.32), strict=True):
        w, p = curve.get_data()
        assert p[1:] == pytest.approx(interval.confidence(epsilon, w[1:], 100))
    names = [text.get_text() for text in plot.axes.get_legend().get_texts()]
    assert names == ["ε = 0.02", "ε = 0.04", "ε = 0.16", "ε = 0.32", "ε = 0.0805, now"]
    assert plot.point.get_xydata().tolist() == [[0.2, 0.8]]
    w, p = plot.present.get_data()
    assert np.interp(0.2, w, p) == pytest.approx(0.8)


def test_a_point_beyond_the_frame_is_an_arrowhead_at_its_edge():
    plot = updated(plots.IsoEpsilon, interval.precision(half_width=3, confidence=0.8, count=100))
    assert plot.point.get_xydata().tolist() == [[1, 0.8]]
    assert plot.point.get_marker() == ">"
    plot.update(EXAMPLE)
    assert plot.point.get_marker() == "o"


def test_figure_2_has_three_pairs_of_slope_minus_one():
    plot = updated(plots.EpsilonAgainstCount, EXAMPLE)
    three = plot.axes.get_lines()[:3]
    for line, (w, p) in zip(three, ((0.1, 0.9), (0.2, 0.95), (0.3, 0.5)), strict=True):
        c, e = line.get_data()
        assert e == pytest.approx(interval.epsilon(w, p, c))
        assert np.diff(np.log(e)) / np.diff(np.log(c)) == pytest.approx(-1)
        assert line.get_label() == f"±{w:.0%} with {p:.0%}"
    assert plot.point.get_xydata().tolist() == [[100, EXAMPLE.epsilon]]
    assert plot.axes.get_xscale() == plot.axes.get_yscale() == "log"


def test_the_neighbours_loss_is_seen_to_leave_the_band_at_the_count():
    plot = updated(plots.NeighbourLoss, EXAMPLE)
    low, high = plot.axes.get_ylim()
    excess = plot.own.get_ydata().max() - EXAMPLE.epsilon
    assert excess == pytest.approx(0.0091, abs=1e-4)
    assert excess / (high - low) > 0.025  # eight pixels
    assert EXAMPLE.epsilon + excess < high
