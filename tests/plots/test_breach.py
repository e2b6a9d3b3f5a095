"""What the pictures of beliefs and of their noise draw: their artists and their limits."""

import numpy as np
import pytest
from scipy.special import expit, logit

from dpwidgets.calculators import breach
from dpwidgets.calculators.breach import promise
from dpwidgets.plots import breach as plots
from tools import named, updated

KEPT = promise(prior=1 / 74, posterior=0.2)


def test_beliefs_move_by_epsilon_in_log_odds_and_touch_the_forbidden_corner():
    plot = updated(plots.Beliefs, KEPT)
    drawn = named(plot)
    x, most = drawn["at most this"].get_data()
    assert most - x == pytest.approx(KEPT.epsilon)
    assert x - drawn["at least this"].get_ydata() == pytest.approx(KEPT.epsilon)
    corner = drawn["forbidden by\nthe promise"].get_xy()[1]
    assert expit(corner) == pytest.approx([1 / 74, 0.2])
    assert plot.axes.lines[-1].get_xydata()[0] == pytest.approx(corner)
    assert np.interp(corner[0], x, most) == pytest.approx(corner[1])
    words = [text.get_text() for text in plot.axes.get_xticklabels()]
    assert words[:3] == ["0.1%", "1%", "10%"]
    assert plot.axes.get_xticks()[:3] == pytest.approx(logit([0.001, 0.01, 0.1]))


def test_a_belief_that_rounds_to_certainty_stays_in_the_picture():
    plot = updated(plots.Beliefs, promise(prior=0.5, epsilon=50))
    assert np.isfinite(plot.most.get_ydata()).all()
    assert plot.axes.lines[-1].get_marker() == "^"


@pytest.mark.parametrize("attribute", breach.ATTRIBUTES)
def test_the_scale_rises_with_the_prior_and_falls_with_the_posterior(attribute):
    kept = promise(prior=0.05, posterior=0.2, attribute=attribute)
    rising, falling = (
        updated(kind, kept).axes for kind in (plots.ScaleAgainstPrior, plots.ScaleAgainstPosterior)
    )
    for name, up, down in zip(breach.ATTRIBUTES, rising.lines, falling.lines, strict=False):
        priors, scales = up.get_data()
        sensitivity = breach.attribute(name).sensitivity
        assert scales == pytest.approx(breach.scale(priors, 0.2, sensitivity))
        assert (np.diff(scales) > 0).all()
        assert (np.diff(down.get_ydata()) < 0).all()
    assert rising.lines[-1].get_xydata()[0] == pytest.approx([0.05, kept.scale])
    assert falling.lines[-1].get_xydata()[0] == pytest.approx([0.2, kept.scale])
    assert rising.get_xlim() == (0, 0.2)


@pytest.mark.parametrize("kind", [plots.Boxes, plots.BoxesAgainstEpsilon])
@pytest.mark.parametrize("attribute", breach.ATTRIBUTES)
def test_the_drawn_boxes_are_those_of_the_draws_and_near_the_exact_ones(kind, attribute):
    kept = promise(prior=1 / 74, posterior=0.2, attribute=attribute)
    plot = updated(kind, kept)
    pairs = np.reshape(plot.axes.patches, (6, 2))
    for (_, epsilon), (drawn, exact), seed in zip(plot.columns(kept), pairs, range(6), strict=True):
        noise = kept.noise(epsilon, seed=seed)
        low, high = np.quantile(noise.values, (0.25, 0.75)) * kept.marginal.range
        assert (drawn.get_y(), drawn.get_height()) == pytest.approx((low, high - low))
        wide = 2 * np.log(2) * noise.scale * kept.marginal.range
        assert exact.get_height() == pytest.approx(wide)
        assert drawn.get_height() == pytest.approx(wide, rel=0.2)
    outside = named(plot)["outside the fences"].get_xdata()
    assert 40 <= np.sum(outside < 0) <= 90  # of 1,000 in the first column; 62.5 are to be expected
    assert plot.axes.get_ylabel().endswith(plots.UNITS[attribute])


def test_the_attack_has_a_bar_for_each_candidate():
    one = promise(prior=0.2, epsilon=2, answer=5.041)
    plot = updated(plots.Attack, promise(prior=0.2, epsilon=9, answer=-30), one)
    heights = [bar.get_height() for bar in plot.axes.patches]
    assert heights == pytest.approx([0.073, 0.092, 0.114, 0.178, 0.542], abs=5e-4)
    limit = named(plot)["no answer can bring it above"].get_ydata()
    assert limit[0] == pytest.approx(breach.posterior(0.2, 2))
    own, answer = plot.above.lines
    assert own.get_xdata() == pytest.approx([1.75, 2, 2.25, 2.75, 4])
    assert answer.get_xdata() == [5.041]


def test_the_ticks_follow_even_where_the_frame_stays():
    plot, fresh = plots.Boxes(), plots.Boxes()
    plot.png(KEPT)
    frame = plot.axes.get_ylim()
    other = promise(prior=1 / 74, posterior=0.21)
    png = plot.png(other)
    assert plot.axes.get_ylim() == frame
    assert png == fresh.png(other)
