"""Many laws together."""

import math

import numpy as np
import pytest

from dpwidgets.calculators import loss
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
    epsilon = law.epsilon(delta)
    assert true_delta(laws, epsilon) <= delta * (1 + 5e-4)
    assert true_delta(laws, 0.997 * epsilon) > delta
