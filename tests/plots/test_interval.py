"""What the interval text's pictures draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators import interval
from dpwidgets.plots import interval as plots
from tools import named, updated

EXAMPLE = interval.precision(half_width=0.2, confidence=0.8, count=100)


def test_the_answer_shades_the_share_it_names():
    plot = updated(plots.Answer, EXAMPLE)
    x, y = plot.curve.get_data()
    assert (y.max(), x[y.argmax()]) == (1, 100)
    (band,) = plot.axes.patches
    corners = band.get_xy()
    area = np.trapezoid(corners[1:-2, 1], corners[1:-2, 0])
    assert area / (2 / EXAMPLE.epsilon) == pytest.approx(0.8, abs=2e-4)  # of that under e^(−ε|x−c|)
    assert (corners[:, 0].min(), corners[:, 0].max()) == pytest.approx((80, 120))
    (words,) = plot.axes.texts
    assert words.get_text() == "80% of the answers\nwithin ±20% of the count 100"
    assert (plot.axes.get_xlim(), plot.axes.get_ylim()) == ((-50, 250), (0, 1.3))


def test_figure_1_has_its_curves_and_the_present_point():
    plot = updated(plots.IsoEpsilon, EXAMPLE)
    drawn = named(plot)
    assert [*drawn] == [f"ε = {one}" for one in ("0.02", "0.04", "0.16", "0.32", "0.0805, now")]
    for curve, epsilon in zip(
        drawn.values(), (0.02, 0.04, 0.16, 0.32, EXAMPLE.epsilon), strict=True
    ):
        w, p = curve.get_data()
        assert p[1:] == pytest.approx(interval.confidence(epsilon, w[1:], 100))
    assert plot.axes.lines[-1].get_xydata().tolist() == [[0.2, 0.8]]
    texts = plot.axes.get_legend().get_texts()
    assert [text.get_text() for text in texts] == [*drawn]


def test_a_point_beyond_the_frame_is_an_arrowhead_at_its_edge():
    beyond = interval.precision(half_width=3, confidence=0.8, count=100)
    point = updated(plots.IsoEpsilon, EXAMPLE, beyond).axes.lines[-1]
    assert point.get_xydata().tolist() == [[1, 0.8]]
    assert point.get_marker() == ">"


def test_figure_2_has_three_pairs_of_slope_minus_one():
    plot = updated(plots.EpsilonAgainstCount, EXAMPLE)
    pairs = {"±10% with 90%": (0.1, 0.9), "±20% with 95%": (0.2, 0.95), "±30% with 50%": (0.3, 0.5)}
    for name, (w, p) in pairs.items():
        c, e = named(plot)[name].get_data()
        assert e == pytest.approx(interval.epsilon(w, p, c))
        assert np.diff(np.log(e)) / np.diff(np.log(c)) == pytest.approx(-1)
    assert plot.axes.lines[-1].get_xydata().tolist() == [[100, EXAMPLE.epsilon]]
    assert plot.axes.get_xscale() == plot.axes.get_yscale() == "log"


def test_the_neighbours_loss_is_seen_to_leave_the_band_at_the_count():
    plot = updated(plots.NeighbourLoss, EXAMPLE)
    low, high = plot.axes.get_ylim()
    excess = named(plot)["each with its own ε(c)"].get_ydata().max() - EXAMPLE.epsilon
    assert excess == pytest.approx(0.0091, abs=1e-4)
    assert excess / (high - low) > 0.025  # eight pixels
    assert EXAMPLE.epsilon + excess < high
