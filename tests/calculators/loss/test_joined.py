"""Many laws, of which small ones are joined before they are transformed: the same as if not."""

import math

import numpy as np
import pytest
from hypothesis import Phase, given, settings, strategies as st

from dpwidgets.calculators import loss
from dpwidgets.calculators.loss import _tilted
from losses import laplace_moments, transformed


def composed(laws):
    first, *others = (law.compose(count) for law, count in laws)
    return first.compose_with(*others)


def true_delta(laws, epsilon):
    """Integrate along a line where the moments, times e^(−sε), are nearly least."""

    def moments(s):
        found = np.ones_like(s)
        for size, count in laws:
            found = found * laplace_moments(s, size) ** count
        return found

    # About where the law, tilted so, has its mean at ε.
    spread = math.sqrt(sum(count * size**2 for size, count in laws))
    return transformed(moments, epsilon, epsilon / spread**2, 200 / spread)


@pytest.mark.parametrize("seed", range(10))
def test_many_laplace_laws_are_those_of_their_moments(seed):
    """The integral is cut off, and right to some 1e-4 of δ."""
    rng = np.random.default_rng(seed)
    many, delta = int(rng.integers(25, 81)), 10.0 ** -rng.integers(3, 10)
    sizes = rng.uniform(0.01, 0.4, many).tolist()
    laws = [*zip(sizes, rng.choice([1, 3, 12], many).tolist(), strict=True)]
    law = composed((loss.laplace(size), count) for size, count in laws)
    for one in (law, law.rough()):
        epsilon = one.epsilon(delta)
        assert true_delta(laws, epsilon) <= delta * (1 + 5e-4)
        assert true_delta(laws, 0.997 * epsilon) > delta


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["laplace", "response", "steps", "gaussian"]),
            st.floats(0.02, 0.6),
            st.sampled_from([1, 4]),
        ),
        min_size=9,
        max_size=40,
    )
)
@settings(max_examples=12, deadline=None, phases=[Phase.generate])
@pytest.mark.slow
def test_joined_laws_say_what_they_say_apart(sizes):
    makes = {
        "laplace": loss.laplace,
        "response": loss.randomized_response,
        "steps": lambda size: loss.geometric(size, 5),
        "gaussian": loss.gaussian,
    }
    law = composed((makes[kind](size), count) for kind, size, count in sizes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tilted, "MANY", 10**6)
        apart = composed(
            (makes[kind](size), count) for kind, size, count in sizes
        )
        found = [ask(one) for one in (apart, apart.rough()) for ask in ASKED]
    joined = [ask(one) for one in (law, law.rough()) for ask in ASKED]
    assert joined == pytest.approx(found, rel=1e-7)


ASKED = (
    lambda law: law.epsilon(1e-6),
    lambda law: law.epsilon(1e-30),
    lambda law: law.exceeded(1e-6),
    lambda law: law.delta(1.0),
    lambda law: law.power(0.2),
    lambda law: law.success(0.2),
)


def test_fewer_parts_are_transformed():
    laws = [(loss.laplace(0.1 + k / 1000), 1 + k % 3) for k in range(60)]
    law = composed(laws).rough()
    law.epsilon(1e-6)
    parts = law._law.upper.parts
    assert len(parts) <= 12
    assert sum(one.laws for one in parts) == 60
    for one in parts:
        assert one.masses.sum() == pytest.approx(1, rel=1e-12)
        assert one.nodes.size == one.masses.size == one.split.size + 1
