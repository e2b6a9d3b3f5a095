"""What the attackers of two texts share, against brute force and against each other."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import noise
from dpwidgets.calculators.candidates import Candidates

lists = st.lists(
    st.integers(-20, 20).map(float), min_size=2, max_size=8
).filter(lambda answers: len(set(answers)) > 1)


@given(lists, st.floats(0.1, 100), st.floats(1e-6, 50), st.floats(-100, 100))
def test_posterior_and_risk_are_bayes_rule(
    answers, sensitivity, epsilon, answer
):
    def believed(exponents):
        weights = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    answers, scale = np.array(answers), sensitivity / epsilon
    candidates = Candidates(answers, sensitivity)
    grid = np.array([answer, *answers, *np.linspace(-25, 25, 41)])
    exponents = -np.abs(grid[:, None] - answers) / scale
    beliefs = believed(exponents)
    together = believed(exponents[:3].sum(axis=0))
    assert candidates.posterior(grid, epsilon) == pytest.approx(
        beliefs, rel=1e-9, abs=1e-15
    )
    assert candidates.risk([[epsilon]]) == pytest.approx(
        beliefs.max(), rel=1e-11
    )
    assert candidates.spread == np.ptp(answers)
    found = noise.posterior_after(grid[:3], answers, scale)
    assert found == pytest.approx(together, rel=1e-9, abs=1e-15)
