"""Whatever the breach's domains accept works: no error, no warning, and back again."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import breach
from dpwidgets.inputs.domain import EPSILON, within
from strategies import asked, numbers

epsilons, beliefs = numbers(EPSILON), numbers(breach.PRIOR)
answers = numbers(breach.ANSWER)


def sharp(*probabilities):
    """Return the relative error that ε has from probabilities that are rounded."""
    return sum(4e-16 / min(one, 1 - one) if one > 0.1 else 4e-16 for one in probabilities)


@given(beliefs, epsilons)
def test_a_posterior_is_accepted_by_all_that_take_one(prior, e):
    posterior = asked(breach.posterior, prior, e)
    assert prior <= posterior < 1
    back = asked(breach.epsilon, prior, posterior)
    assert back is not None
    asked(breach.prior, posterior, e)
    if posterior < 1 - 1e-12 and e > 1e-3:
        assert back == pytest.approx(e, abs=1e-11 + sharp(prior, posterior))


@given(beliefs, epsilons)
def test_a_prior_is_accepted_by_all_that_take_one(posterior, e):
    prior = asked(breach.prior, posterior, e)
    if prior is not None:
        assert 0 < prior <= posterior
        assert asked(breach.epsilon, prior, posterior) is not None
        again = asked(breach.posterior, prior, e)
        assert again == pytest.approx(posterior, rel=1e-11)
    lowest = asked(breach.downward, posterior, e)
    assert 0 <= lowest <= posterior


@given(beliefs, beliefs, numbers(within(1e-12, 1e12)))
def test_a_promise_between_any_two_beliefs(one, other, sensitivity):
    e = asked(breach.epsilon, one, other)
    scale = asked(breach.scale, one, other, sensitivity)
    assert (e is None) == (scale is None)
    if e is None:
        assert other <= one or other < one + 1.1e-8
    else:
        assert 1e-8 <= e <= 1000
        assert scale == sensitivity / e
        assert asked(breach.posterior, one, e) == pytest.approx(other, rel=1e-7)


@given(
    st.sampled_from(["prior", "posterior", "epsilon"]),
    beliefs,
    beliefs,
    epsilons,
    st.sampled_from(breach.ATTRIBUTES),
    answers,
)
def test_a_promise_has_finite_results(missing, one, other, e, attribute, answer):
    given = {"prior": one, "posterior": other, "epsilon": e}
    del given[missing]
    kept = asked(breach.promise, **given, attribute=attribute, answer=answer)
    if kept is not None:
        noise = asked(kept.noise, kept.epsilon)
        assert noise.fences[0] < noise.quartiles[0] < 0 < noise.quartiles[2] < noise.fences[1]
        assert 0 < kept.scale < np.inf
        assert asked(lambda: kept.beliefs).sum() == pytest.approx(1, rel=1e-14)
        assert asked(lambda: kept.limit) >= kept.beliefs.max() * (1 - 1e-12)


records = st.floats(-1e12, 1e12) | st.integers(-3, 3).map(float) | st.floats(-1e-11, 1e-11)


@given(
    st.lists(records, max_size=5),
    st.lists(records, min_size=2, max_size=5),
    st.sampled_from(["mean", "median", "sum", "count", "min", "max", "variance"]),
    epsilons,
    answers,
)
def test_an_attack_never_passes_the_promise(known, universe, query, e, answer):
    attack = asked(breach.Attack, known, universe, query)
    if attack is not None:
        posterior, risk = asked(attack.posterior, answer, e), asked(attack.risk, e)
        assert posterior.sum() == pytest.approx(1, rel=1e-14)
        assert posterior.max() <= risk * (1 + 1e-11) + 1e-15
        lowest = asked(breach.downward, 1 / len(universe), e)
        assert posterior.min() >= lowest * (1 - 1e-10) - 1e-15
        assert risk <= asked(breach.posterior, 1 / len(universe), e) * (1 + 1e-11)
