"""What the attackers of two texts share, against brute force and against each other."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import noise
from dpwidgets.calculators.breach import Attack
from dpwidgets.calculators.candidates import AlikeError, Candidates, records
from dpwidgets.inputs.domain import DomainError

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


def test_what_is_refused():
    with pytest.raises(
        DomainError, match=r"epsilon must be .*; got an array of shape \(2,\)"
    ):
        Attack([], [0, 1]).posterior(0, [1, 2])
    for values, message in (
        (
            [[1, 2]],
            "a list of at least 2 finite numbers; got an array of shape",
        ),
        ([1, np.nan], "a list of at least 2 finite numbers; got nan"),
        ([1e308, 1], "the largest is from 1e-12 to 1e12, or 0; got 1e"),
        ([0, 1e-13], "the largest is from 1e-12 to 1e12, or 0; got 1e-13"),
    ):
        with pytest.raises(DomainError, match=message) as caught:
            records("values", values, 2)
        assert caught.value.argument == "values"
    message = "answers must differ in what they do to the query; got 2 from every world"
    with pytest.raises(AlikeError, match=message) as caught:
        Candidates(np.array([2.0, 2.0]), 1.0)
    assert (caught.value.argument, caught.value.answer) == ("answers", 2)
