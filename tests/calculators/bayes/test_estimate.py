"""What an analyst makes of one noisy count: is it put together rightly?"""

import numpy as np
import pytest
from scipy import stats

from dpwidgets.calculators import bayes


@pytest.mark.parametrize(
    ("answer", "n", "p", "epsilon"),
    [
        (40, 100, 0.3, 0.1),
        (-7, 20, 0.9, 2),
        (3e5, 10**6, 0.3, 0.01),
        (5, 9, 0, 1),
        (1e9, 900, 0.5, 1),
    ],
)
def test_an_estimate_holds_the_counts_that_matter(answer, n, p, epsilon):
    one = bayes.estimate(answer, n, p, epsilon)
    assert one.prior.sum() == pytest.approx(1)
    assert one.posterior.sum() == pytest.approx(1)
    assert np.allclose(one.prior, stats.binom.pmf(one.counts, n, p), rtol=1e-6, atol=1e-14)
    nearest = np.clip(answer, 0, n)  # beyond, all counts gain or lose alike
    product = one.prior * np.exp(-epsilon * np.abs(nearest - one.counts))
    assert one.likelihood == pytest.approx(stats.laplace.pdf(answer, one.counts, 1 / epsilon))
    assert np.allclose(one.posterior, product / product.sum(), atol=1e-12)
    assert one.counts @ one.posterior == pytest.approx(one.mean)
    low, high = one.interval
    assert low <= one.median <= high


@pytest.mark.parametrize(("against", "true_p"), [("epsilon", None), ("p", None), ("p", 0.2)])
def test_the_curves_pass_through_the_errors(against, true_p):
    along = bayes.compare(30, 0.3, 0.1, true_p, against)
    assert along.present == {"epsilon": 0.1, "p": true_p or 0.3}[against]
    for i in (0, 17, 39):
        at = along.x[i]
        p = at if (against, true_p) == ("p", None) else 0.3
        truth = at if against == "p" else None
        here = bayes.compare(30, p, at if against == "epsilon" else 0.1, truth)
        assert here.closer == pytest.approx(along.closer_curve[i])
        curves = {name: curve[i] for name, curve in along.error_curves.items()}
        assert here.errors == pytest.approx(curves)
    noise = bayes.compare(30, 0.3, 0.1, true_p, "noise")
    assert noise.present * 0.1 == noise.x[3] * bayes.compare(30, 0.3, 1).x[3]
    assert noise.present == pytest.approx(np.sqrt(2) / 0.1)


def test_the_error_at_each_count_is_that_of_a_known_count():
    each = bayes.compare(12, 0.3, 0.5).error_at_each_count
    assert each[3] == bayes.mean_error(12, 0.3, 0.5, true_count=3)
    assert each.shape == (13,)


def test_a_doubted_count_is_drawn_and_believed_alike():
    doubted, rng = bayes.estimate(40, 100, 0.3, 0.1, doubt=0.1), np.random.default_rng(1)
    truths = [doubted.draw_truth(rng) for _ in range(20_000)]
    assert np.std(truths) == pytest.approx(doubted.deviation, rel=0.02)
    assert doubted.after(np.array([40.0])).mean == pytest.approx(doubted.mean, rel=1e-9)
