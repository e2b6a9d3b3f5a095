"""A promise completes two of three numbers, and says what they mean for Adult and an attack."""

import numpy as np
import pytest

from dpwidgets.calculators import breach
from dpwidgets.calculators.breach import promise


@pytest.mark.parametrize("missing", ["prior", "posterior", "epsilon"])
def test_any_two_give_the_third(missing):
    whole = {"prior": 1 / 74, "posterior": 0.2, "epsilon": breach.epsilon(1 / 74, 0.2)}
    kept = promise(**{name: value for name, value in whole.items() if name != missing})
    assert (kept.prior, kept.posterior, kept.epsilon) == pytest.approx(tuple(whole.values()))


def test_the_scales_of_figure_1():
    """λ of age, education-num and hours-per-week at ρ1 = 0.1 and ρ2 = 0.2."""
    kept = promise(prior=0.1, posterior=0.2)
    scales = kept.scales(0.1, 0.2)
    expected = (1.843087432e-3, 3.787165957e-4, 2.474281759e-3)
    assert list(scales.values()) == pytest.approx(expected, rel=1e-9)
    assert kept.scale == scales["age"]


def test_the_noise_is_that_of_the_mean():
    kept = promise(prior=0.01, posterior=0.2, attribute="hours-per-week")
    noise = kept.noise(kept.epsilon)
    assert noise.quartiles[2] * kept.marginal.range == pytest.approx(kept.scale * np.log(2))
    assert noise.values.size == 1000
    assert (noise.values == kept.noise(kept.epsilon).values).all()


def test_the_attack_of_the_example():
    kept = promise(prior=0.2, epsilon=2)
    assert kept.beliefs == pytest.approx(
        [0.07336782, 0.09162532, 0.11442618, 0.17846175, 0.54211893], abs=1e-8
    )
    assert kept.limit == pytest.approx(0.648785644284)
    assert kept.beliefs.max() <= kept.attack.risk(2) <= kept.limit


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"promise\(\) needs two of prior, posterior and epsilon"),
        ({"prior": 0.1, "posterior": 0.2, "epsilon": 1}, ".* not all three"),
        ({"prior": 0.3, "posterior": 0.2}, r"posterior must be above the prior, 0\.3, .* got 0\.2"),
        ({"prior": 1, "epsilon": 1}, "prior must be .*; got 1"),
        ({"prior": 0.1, "epsilon": 1, "attribute": "height"}, "attribute must be one of"),
    ],
)
def test_bad_input(given, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        promise(**given)
