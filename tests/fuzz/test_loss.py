"""Whatever a domain of the loss room accepts works: numbers at its ends, and odd things."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss._budget import COMPOSED
from dpwidgets.inputs.domain import EPSILON, NUMBER, DomainError, within
from dpwidgets.inputs.notation import ROUNDING
from strategies import asked, numbers

pytestmark = pytest.mark.usefixtures("raised")

epsilons = numbers(EPSILON)
mus = numbers(loss.MU)
counts = numbers(loss.COUNT).map(int)
deltas = numbers(loss.DELTA)


@st.composite
def two_lists_of_masses(draw):
    size = draw(st.integers(1, 5))
    mass = st.one_of(st.just(0.0), numbers(within(1e-300, 1)))
    lists = [
        draw(st.lists(mass, min_size=size, max_size=size)) for _ in range(2)
    ]
    assume(all(sum(one) > 0 for one in lists))
    shares = [np.array(one) / sum(one) for one in lists]
    assume(all(((one == 0) | (one >= 1e-300)).all() for one in shares))
    return shares


kinds = st.sampled_from(["laplace", "randomized_response"])
releases = st.one_of(
    st.fixed_dictionaries({"mechanism": kinds, "epsilon": epsilons}),
    mus.map(lambda mu: {"mechanism": "gaussian", "mu": mu}),
    numbers(loss.TRIALS).map(
        lambda trials: {"mechanism": "binomial", "trials": trials}
    ),
    two_lists_of_masses().map(
        lambda both: {"mechanism": "finite", "p": both[0], "q": both[1]}
    ),
)
single = releases.map(lambda made: loss.release(**made).law)
laws = st.one_of(
    single, st.builds(lambda law, count: law.compose(count), single, counts)
)


@st.composite
def mixtures(draw):
    both = asked(draw(laws).compose_with, draw(laws))
    assume(both is not None)  # together they may be too many
    return both


def places(law):
    """Losses about the law's mean and at 0, and the ends of what may be asked for."""
    mean = min(law.mean(), 1e12)
    near = mean + math.sqrt(2 * mean) * np.linspace(-4, 4, 9)
    return np.unique(
        np.concatenate(
            [near, [0.0, 1e-8, -1.0, loss.LOSS.low, loss.LOSS.high]]
        )
    )


def tried(function, *given):
    """Return what a budget leaves, or how it says that it leaves nothing."""
    try:
        return function(*given), ""
    except DomainError as refused:
        return None, str(refused)


@given(laws | mixtures(), deltas)
def test_a_law_gives_probabilities_and_an_epsilon_that_keeps_its_delta(
    law, allowed
):
    at = places(law)
    delta, tail, cdf = law.delta(at), law.tail(at), law.cdf(at)
    for one in (delta, tail, cdf):
        assert ((one >= 0) & (one <= 1)).all()
    for falling in (delta, tail, 1 - cdf):
        assert (np.diff(falling) <= 1e-12).all()
    assert np.abs(cdf + tail - 1).max() <= 1e-9
    assert law.mean() >= 0
    assert 0 <= law.infinite() <= 1
    assert law.reversed().reversed() == law
    epsilon, said = tried(law.epsilon, allowed)
    if epsilon is None:
        # Of the sum of many releases so small a δ has no digits.
        assert said.startswith("delta must be at least")
        releases = sum(count for _, count in law.parts)
        assert allowed - law.infinite() < loss.least_delta(releases)
    elif math.isinf(epsilon):
        assert law.infinite() > allowed
    else:
        assert epsilon >= 0
        assert law.delta(epsilon) <= allowed


@given(releases, counts, numbers(NUMBER), deltas, st.booleans())
def test_a_release_stands(made, compositions, answer, delta, swapped):
    one = loss.release(
        **made,
        compositions=compositions,
        delta=delta,
        swapped=swapped,
    )
    lost = one.loss_of(answer)
    assert not math.isnan(lost) or one.mechanism in ("binomial", "finite")
    if "epsilon" in made:
        assert abs(lost) <= made["epsilon"]
    if delta - max(one.law.infinite(), one.other.law.infinite()) < (
        loss.least_delta(compositions)
    ):
        return
    assert one.epsilon >= 0
    assert 0 <= one.share <= 1
    assert one.reach >= 0
    if math.isfinite(one.epsilon):
        # What is rounded up is so but for a billionth, by which two ways of
        # computing may differ.
        assert one.law.delta(one.epsilon * (1 + ROUNDING)) <= delta
    if math.isfinite(one.guarantee):
        for order in (one, one.other):
            assert order.law.delta(one.guarantee * (1 + ROUNDING)) <= delta
    assert one.other.other == one


# They search among many laws.
@settings(max_examples=max(1, settings().max_examples // 3))
@given(
    numbers(loss.TOTAL), numbers(loss.DELTA_OR_NONE), counts, epsilons,
    # It takes longest.
    st.sampled_from(["any", "gaussian", "any", "gaussian", "laplace"]),
)  # fmt: skip
def test_a_budget_is_kept_and_has_room_for_so_many_releases(
    total, delta, count, each, mechanism
):
    nothing = "delta must be above 0 for Gaussian noise"
    one, said = tried(loss.epsilon, total, delta, count, mechanism)
    if one is None:
        assert said.startswith(("compositions must be fewer here", nothing))
    else:
        assert EPSILON.contains(np.array(one))
        if delta == 0:
            assert one * count <= total * (1 + 1e-15)
        elif mechanism != "gaussian":
            # What any may have, all may.
            makers = {COMPOSED[mechanism], loss.randomized_response}
            assert (
                min(make(one).compose(count).delta(total) for make in makers)
                <= delta
            )
    most, said = tried(loss.compositions, each, total, delta, mechanism)
    if most is None:
        assert (mechanism, said.startswith(nothing)) == ("gaussian", True)
        return
    assert 0 <= most <= loss.COUNT.high
    if most > 1 and each > EPSILON.low * (1 + 1e-6):
        assert loss.epsilon(total, delta, most - 1, mechanism) >= each * (
            1 - 1e-6
        )
