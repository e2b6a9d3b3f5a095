"""Whatever a domain of the loss room accepts works: numbers at its ends, and odd things."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss._budget import COMPOSED
from dpwidgets.inputs.domain import EPSILON, within
from strategies import numbers, refusal

pytestmark = pytest.mark.usefixtures("raised")

epsilons, mus, counts = numbers(EPSILON), numbers(loss.MU), numbers(loss.COUNT).map(int)
deltas = numbers(loss.DELTA)


@st.composite
def two_lists_of_masses(draw):
    size = draw(st.integers(1, 5))
    mass = st.one_of(st.just(0.0), numbers(within(1e-300, 1)))
    lists = [draw(st.lists(mass, min_size=size, max_size=size)) for _ in range(2)]
    assume(all(sum(one) > 0 for one in lists))
    shares = [np.array(one) / sum(one) for one in lists]
    assume(all(((one == 0) | (one >= 1e-300)).all() for one in shares))
    return shares


releases = st.one_of(
    st.builds(
        lambda mechanism, epsilon: {"mechanism": mechanism, "epsilon": epsilon},
        st.sampled_from(["laplace", "geometric", "randomized_response"]),
        epsilons,
    ),
    mus.map(lambda mu: {"mechanism": "gaussian", "mu": mu}),
    numbers(loss.TRIALS).map(lambda trials: {"mechanism": "binomial", "trials": trials}),
    two_lists_of_masses().map(lambda both: {"mechanism": "finite", "p": both[0], "q": both[1]}),
)
single = releases.map(lambda made: loss.release(**made).law)
laws = st.one_of(single, st.builds(lambda law, count: law.compose(count), single, counts))


@st.composite
def mixtures(draw):
    one, other = draw(laws), draw(laws)
    assume(not refusal(one.compose_with, other))  # together they may be too many
    return one.compose_with(other)


def places(law):
    """Losses about the law's mean and at 0, and the ends of what may be asked for."""
    mean = min(law.mean(), 1e12)
    near = mean + math.sqrt(2 * mean) * np.linspace(-4, 4, 9)
    return np.unique(np.concatenate([near, [0.0, 1e-8, -1.0, loss.LOSS.low, loss.LOSS.high]]))


@given(laws | mixtures())
def test_a_law_gives_probabilities(law):
    at = places(law)
    delta, tail, cdf = law.delta(at), law.tail(at), law.cdf(at)
    lower, upper = law.delta_bounds(at)
    assert all(((one >= 0) & (one <= 1)).all() for one in (delta, tail, cdf, lower, upper))
    for falling in (delta, tail, 1 - cdf):
        assert (np.diff(falling) <= 1e-12).all()
    assert np.abs(cdf + tail - 1).max() <= 1e-9
    with np.errstate(under="ignore"):
        assert (lower <= delta * (1 + 1e-9)).all()
        assert (delta <= upper * (1 + 1e-9)).all()
    assert law.mean() >= 0
    assert 0 <= law.infinite() <= 1
    assert law.reversed().reversed() == law
    assert law.grid_step >= 0


@given(laws, deltas)
def test_epsilon_keeps_its_delta(law, delta):
    epsilon = law.epsilon(delta)
    if math.isinf(epsilon):
        assert law.infinite() > delta
    else:
        assert epsilon >= 0
        assert law.delta(epsilon) <= delta


@given(releases, counts, numbers(loss.OUTCOME), deltas, st.booleans())
def test_a_release_stands(made, compositions, outcome, delta, swapped):
    one = loss.release(
        **made, compositions=compositions, outcome=outcome, delta=delta, swapped=swapped
    )
    for you in (False, True):
        assert one.weight(one.answer, you=you) >= 0
    lost = one.loss_of(one.answer)
    assert not math.isnan(lost)
    if "epsilon" in made:
        assert abs(lost) <= made["epsilon"]
    assert one.epsilon >= 0
    assert 0 <= one.share <= 1
    assert one.spread > 0
    assert one.reach >= 0
    if math.isfinite(one.epsilon):
        assert one.law.delta(one.epsilon) <= delta
    if math.isfinite(one.guarantee):
        for order in (one, one.other):
            assert order.law.delta(one.guarantee) <= delta
    assert one.other.other == one


mechanisms = st.sampled_from(["any", "gaussian", "any", "gaussian", "laplace"])  # it takes longest


#: How a budget says that no ε of the domain keeps it.
NONE = ("compositions must be fewer here", "delta must be above 0 for Gaussian noise")


@given(numbers(loss.TOTAL), numbers(loss.DELTA_OR_NONE), counts, mechanisms)
def test_a_budget_is_kept_or_the_releases_are_too_many(total, delta, count, mechanism):
    if said := refusal(loss.epsilon, total, delta, count, mechanism):
        assert said.startswith(NONE)
        return
    one = loss.epsilon(total, delta, count, mechanism)
    assert EPSILON.contains(np.array(one))
    if delta == 0:
        assert one * count <= total * (1 + 1e-15)
    elif mechanism != "gaussian":
        makers = {COMPOSED[mechanism], loss.randomized_response}  # what any may have, all may
        assert min(make(one).compose(count).delta(total) for make in makers) <= delta


@given(epsilons, numbers(loss.TOTAL), numbers(loss.DELTA_OR_NONE), mechanisms)
def test_a_budget_has_room_for_so_many_releases(epsilon, total, delta, mechanism):
    if said := refusal(loss.compositions, epsilon, total, delta, mechanism):
        assert (mechanism, said.startswith(NONE[1])) == ("gaussian", True)
        return
    most = loss.compositions(epsilon, total, delta, mechanism)
    assert 0 <= most <= loss.COUNT.high
    if most > 1 and epsilon > EPSILON.low * (1 + 1e-6):
        assert loss.epsilon(total, delta, most - 1, mechanism) >= epsilon * (1 - 1e-6)
