"""Whatever comes as a list is a column of finite numbers, or gets a message."""

import numpy as np
from hypothesis import given, strategies as st

from dpwidgets.inputs.column import records
from strategies import odd
from tools import Series, assert_readable

plain = st.integers() | st.floats() | st.complex_numbers() | st.fractions()
cells = (
    odd
    | plain
    | st.text(max_size=3)
    | st.sampled_from([5e-324, np.float32(0.5), np.bool_(1)])
)
shapes = st.sampled_from([
    list,
    iter,
    Series,
    lambda some: {f"n{place}": cell for place, cell in enumerate(some)},
    lambda some: Series(some, [f"n{place}" for place in range(len(some))]),
    lambda some: [some, some],
    lambda some: np.array(some, dtype=object),
])  # fmt: skip
lists = st.lists(cells, max_size=6) | st.lists(
    st.floats(-1e9, 1e9), min_size=3
)


@given(cells | st.builds(lambda shape, some: shape(some), shapes, lists))
def test_anything_is_a_column_or_gets_a_message(values):
    try:
        column = records(values)
    except (TypeError, ValueError) as error:
        assert_readable(error, "values must be ")
        return
    numbers = column.values() if isinstance(column, dict) else column
    assert len(numbers) >= 3
    assert all(
        type(number) is float and np.isfinite(number) for number in numbers
    )
    assert records(column) == column
