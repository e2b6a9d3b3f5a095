"""What the pictures of one noisy count draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators import bayes
from dpwidgets.plots import bayes as plots
from tools import updated


def test_one_answer_has_its_three_laws_and_both_estimates():
    one = bayes.estimate(40, 100, 0.3, 0.1)
    plot = updated(plots.OneAnswer, one)
    low, high = plot.axes.get_xlim()
    for bars, masses in ((plot.posterior, one.posterior), (plot.prior, one.prior)):
        heights, edges, _ = bars.get_data()
        counts = (edges[:-1] + 0.5).astype(int)
        assert heights == pytest.approx(masses[np.searchsorted(one.counts, counts)] / masses.max())
        seen = one.counts[(one.counts > low - 1) & (one.counts < high + 1)]
        assert set(seen) <= set(counts)
    x, y = plot.likelihood.get_data()
    assert y / y.max() == pytest.approx(
        np.exp(-0.1 * np.abs(x - 40)) / np.exp(-0.1 * np.abs(x - 40)).max()
    )
    assert list(plot.interval.get_xdata()) == [23, 41]
    assert plot.mean.get_xdata()[0] == one.mean
    assert plot.answer.get_xdata()[0] == 40


def test_the_frame_of_one_answer_follows_n_and_p_alone():
    plot = updated(plots.OneAnswer, bayes.estimate(40, 100, 0.3, 0.1))
    frame = plot.axes.get_xlim()
    for answer, epsilon in ((500, 0.1), (-3, 5), (40, 1e-3)):
        plot.update(bayes.estimate(answer, 100, 0.3, epsilon))
        assert plot.axes.get_xlim() == frame
    plot.update(bayes.estimate(500, 100, 0.3, 0.1))
    assert plot.answer.get_marker() == ">"
    plot.update(bayes.estimate(40, 1000, 0.3, 0.1))
    assert plot.axes.get_xlim() == (200, 400)


@pytest.mark.parametrize(
    ("n", "p", "spans"), [(100, 0.3, (19.5, 0)), (3, 0.5, (8, 8)), (10**6, 0.3, (0, 0))]
)
def test_impossible_counts_are_grey(n, p, spans):
    plot = updated(plots.OneAnswer, bayes.estimate(2, n, p, 1))
    assert tuple(span.get_width() for span in plot.outside) == pytest.approx(spans)


@pytest.mark.parametrize("against", bayes.AXES)
@pytest.mark.parametrize("true_p", [None, 0.2])
def test_the_errors_are_those_of_the_comparison(against, true_p):
    one = bayes.compare(50, 0.3, 0.5, true_p, against)
    plot = updated(plots.Errors, one)
    assert set(plot.curves) == set(bayes.ESTIMATORS)
    for name, curve in plot.curves.items():
        assert curve.get_data() == (pytest.approx(one.x), pytest.approx(one.error_curves[name]))
        assert curve.get_ydata().max() <= plot.axes.get_ylim()[1]
    assert plot.points["posterior mean"].get_xydata().tolist() == [
        [one.present, one.errors["posterior mean"]]
    ]
    assert plot.points["naive"].get_xydata()[0, 1] == pytest.approx(2)
    assert list(plot.now.get_xdata()) == [one.present] * 2


def test_more_privacy_is_to_the_right_and_what_lies_beyond_points_there():
    plot = updated(plots.Closer, bayes.compare(50, 0.3, 0.001))
    left, right = plot.axes.get_xlim()
    assert left > right
    assert plot.point.get_marker() == ">"
    assert plot.point.get_xdata()[0] == right
    plot.update(bayes.compare(50, 0.3, 40))
    assert plot.point.get_marker() == "<"


def test_how_often_the_posterior_mean_is_closer():
    one = bayes.compare(50, 0.3, 0.5)
    plot = updated(plots.Closer, one)
    assert plot.curve.get_ydata() == pytest.approx(
        [bayes.chance_closer(50, 0.3, epsilon) for epsilon in one.x]
    )
    assert plot.point.get_xydata().tolist() == [[0.5, one.closer]]


def test_two_sizes_side_by_side():
    pair = tuple(bayes.compare(n, 0.3, 0.1, against="p") for n in (20, 50))
    errors, closer = updated(plots.ErrorOfTwoSizes, pair), updated(plots.CloserOfTwoSizes, pair)
    for one, error, chance in zip(pair, errors.curves, closer.curves, strict=True):
        assert error.get_ydata() == pytest.approx(one.error_curves["posterior mean"])
        assert chance.get_ydata() == pytest.approx(one.closer_curve)
    assert errors.level.get_ydata() == pytest.approx(10)
    assert [text.get_text() for text in closer.axes.get_legend().get_texts()] == [
        "n = 20",
        "n = 50",
        "as often as not",
    ]


def test_a_picture_near_half_shows_both_lowest_points():
    plot = updated(plots.CloserNearHalf, tuple(bayes.compare(n, 0.3, 0.1) for n in (100, 1000)))
    (low, high), reach = plot.axes.get_ylim(), plot.axes.get_xlim()
    for curve in plot.curves:
        x, share = curve.get_data()
        assert min(reach) < x[share.argmin()] < max(reach)
        assert low < share.min() < high


def test_out_of_range_is_largest_at_both_ends():
    plot = updated(plots.OutOfRange, (100, (0.01, 0.1, 1.0)))
    for curve, epsilon in zip(plot.curves, (0.01, 0.1, 1.0), strict=True):
        heights = curve.get_ydata()
        assert heights == pytest.approx(bayes.out_of_range(np.arange(101), 100, epsilon))
        assert heights.max() < plot.axes.get_ylim()[1]
    assert plot.axes.get_legend().get_texts()[1].get_text() == "ε = 0.1"


def test_simulations_lie_on_the_curve():
    found = {
        epsilon: bayes.simulate(20, 0.3, epsilon, 20_000, np.random.default_rng(1))
        for epsilon in (0.1, 2.0)
    }
    plot = updated(plots.Simulated, (bayes.compare(20, 0.3, 1), found))
    x, y = plot.curve.get_data()
    epsilons, shares = plot.found.get_data()
    assert shares == pytest.approx(np.interp(epsilons, x, y), abs=0.02)


@pytest.mark.parametrize("answer", [40, 1000, -1000])
def test_an_answer_far_outside_shows_how_it_weighs_the_counts_that_are_shown(answer):
    plot = updated(plots.OneAnswer, bayes.estimate(answer, 100, 0.3, 1))
    x, share = plot.likelihood.get_data()
    assert x.min() >= 0
    assert x.max() <= 100
    assert share.max() == pytest.approx(1)
    assert x[share.argmax()] == pytest.approx(np.clip(answer, x.min(), x.max()), abs=0.1)
