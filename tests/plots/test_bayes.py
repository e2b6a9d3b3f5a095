"""What the pictures of one noisy count draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators import bayes
from dpwidgets.plots import bayes as plots
from tools import named, updated


@pytest.mark.parametrize("answer", [40, 1000, -1000])
def test_one_answer_has_its_three_laws_and_both_estimates(answer):
    """Far outside too, where the likelihood still shows how it weighs the counts within."""
    one = bayes.estimate(answer, 100, 0.3, 0.1)
    plot = updated(plots.OneAnswer, one)
    drawn, (low, high) = named(plot), plot.axes.get_xlim()
    for name, masses in (("posterior", one.posterior), ("prior", one.prior)):
        heights, edges, _ = drawn[name].get_data()
        counts = (edges[:-1] + 0.5).astype(int)
        assert heights == pytest.approx(masses[np.searchsorted(one.counts, counts)] / masses.max())
        assert {*one.counts[(one.counts > low - 1) & (one.counts < high + 1)]} <= {*counts}
    x, share = drawn["likelihood"].get_data()
    assert 0 <= x.min() < x.max() <= 100
    assert np.log(share) == pytest.approx(-0.1 * (np.abs(x - answer) - np.abs(x - answer).min()))
    ends, _, mean = plot.axes.lines[-3:]  # before the mean its mark in the key
    assert (*ends.get_xdata(), mean.get_xdata()[0]) == (*one.interval, one.mean)


@pytest.mark.parametrize(
    ("n", "p", "spans"), [(100, 0.3, [19.5]), (3, 0.5, [8, 8]), (10**6, 0.3, [])]
)
def test_impossible_counts_are_grey(n, p, spans):
    boxes = updated(plots.OneAnswer, bayes.estimate(2, n, p, 1)).axes.patches
    grey = [one.get_width() for one in boxes if one.get_label() == "no count lies here"]
    assert grey == pytest.approx(spans)


@pytest.mark.parametrize("against", bayes.AXES)
@pytest.mark.parametrize("true_p", [None, 0.2])
def test_the_errors_and_the_shares_are_those_of_the_comparison(against, true_p):
    one = bayes.compare(50, 0.3, 0.5, true_p, against)
    plot = updated(plots.Errors, one)
    curves = [line for line in plot.axes.lines if line.get_label()]
    for name, curve in zip(bayes.ESTIMATORS, curves, strict=True):
        assert curve.get_data() == (pytest.approx(one.x), pytest.approx(one.error_curves[name]))
        assert curve.get_ydata().max() <= plot.axes.get_ylim()[1]
    now, naive, mean = plot.axes.lines[len(curves) :]
    assert now.get_xdata() == [one.present] * 2
    assert naive.get_xydata().tolist() == [[one.present, one.errors["naive"]]]
    assert mean.get_xydata().tolist() == [[one.present, one.errors["posterior mean"]]]
    closer = updated(plots.Closer, one)
    assert closer.curve.get_ydata() == pytest.approx(one.closer_curve)
    assert closer.axes.lines[-1].get_xydata().tolist() == [[one.present, one.closer]]


@pytest.mark.parametrize(("epsilon", "marker"), [(0.001, ">"), (40, "<")])
def test_more_privacy_is_to_the_right_and_what_lies_beyond_points_there(epsilon, marker):
    axes = updated(plots.Closer, bayes.compare(50, 0.3, epsilon)).axes
    left, right = axes.get_xlim()
    assert left > right
    assert axes.lines[-1].get_marker() == marker
    assert axes.lines[-1].get_xdata() == [right if marker == ">" else left]
