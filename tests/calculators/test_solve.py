"""The searches of all calculators: exact, or on the side that they promise."""

import numpy as np
from hypothesis import given, strategies as st

from dpwidgets.calculators.solve import largest, least

NUMBERS = st.floats(1e-300, 1e15)


@given(
    st.lists(NUMBERS | st.just(0.0), min_size=1, max_size=4),
    st.floats(-1e6, 1e6),
)
def test_the_least_that_is_enough_is_found_to_the_last_digit(ends, low):
    ends = np.array(ends)
    assert (
        least(lambda x: x >= ends, 0, np.full(ends.shape, 1e15)).tolist()
        == ends.tolist()
    )
    assert least(lambda x: x >= low + 0.25, low, low + 1) == low + 0.25
    # Nothing is enough.
    assert (least(lambda x: x > ends, 0, ends) == ends).all()


@given(
    st.floats(1e-8, 1000),
    st.sampled_from([1, 3, 9]),
    st.sampled_from([1e-15, 1e-9]),
)
def test_the_largest_is_never_exceeded(root, power, precision):
    def excess(x):
        asked.append(x)
        return min((x / root) ** power, 1e9) - 1

    for first in (None, 1e-8, 7.0, 5000.0):
        asked = []
        found = largest(excess, 1e-8, 1000, precision, first)
        assert root * (1 - 2 * precision) - 1e-15 <= found <= root
        assert excess(found) <= 0
        assert first is None or asked[0] == min(first, 1000)


def test_the_ends_of_the_range():
    assert largest(lambda x: -1, 1, 5) == 5
    assert largest(lambda x: x - 2 if x > 1 else 0, 1, 5, first=1.5) == 2
    assert largest(lambda x: 1 if x > 1 else 0, 1, 5) == 1
