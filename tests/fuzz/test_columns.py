"""Whatever comes as a CSV file or a list is a column of finite numbers, or gets a message, soon."""

import csv
import io
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.inputs.column import DELIMITERS, LIMIT, read_csv, records
from dpwidgets.inputs.domain import DomainError
from strategies import odd
from tools import Series, assert_readable

words = ["a", "1", "1,5", "-1e9", "1_0", "nan", "inf", "0x1", "1e400", "٣", '""']
pieces = st.sampled_from(words) | st.sampled_from(",;\t|\"'= \x00\r\n\ufeff")
texts = st.lists(pieces | st.text(max_size=3), max_size=40).map("".join)


@given(st.binary() | texts.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_is_a_table_or_gets_a_message(data):
    try:
        table = read_csv(data)
    except DomainError as error:
        assert_readable(error, "file must ")
        return
    for name, column in table.items():
        assert name == column.name
        try:
            assert np.isfinite(column.numbers).all()
        except DomainError as error:
            assert_readable(error, "row ")


@given(st.sampled_from(DELIMITERS), st.integers(1, 4), st.data())
def test_a_table_that_was_written_is_read_the_same(delimiter, width, data):
    header = [*(f"n{place}" for place in range(width - 1)), 'Bob; Jr, a "word"\t|']
    cells = st.floats(allow_nan=False, allow_infinity=False)
    rows = data.draw(st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1))
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([header, *rows])
    table = read_csv(out.getvalue().encode())
    assert list(table) == header
    assert np.stack([one.numbers for one in table.values()], axis=1).tolist() == rows


ROWS = {
    "words": (b"a\n", b"x\n"),
    "empty cells": (b"a,b\n", b",\n"),
    "columns": (b"", b"a,"),
    "quoted cells": (b"a,b\n", b'"1","\n"\n'),
    "digits": (b"a\n", b"1" * 131_000 + b"\n"),
}


@pytest.mark.parametrize(("head", "row"), ROWS.values(), ids=list(ROWS))
def test_a_large_file_is_read_or_refused_soon(head, row):
    data = head + row * (LIMIT // 5 // len(row))
    start = time.process_time()
    try:
        for column in read_csv(data).values():
            assert column.numbers.size
    except DomainError as error:
        assert_readable(error)
    assert time.process_time() - start < 30  # a moment; by the square of its length it is minutes


plain = st.integers() | st.floats() | st.complex_numbers() | st.fractions()
cells = odd | plain | st.text(max_size=3) | st.sampled_from([5e-324, np.float32(0.5), np.bool_(1)])
shapes = st.sampled_from([
    list,
    iter,
    Series,
    lambda some: {f"n{place}": cell for place, cell in enumerate(some)},
    lambda some: Series(some, [f"n{place}" for place in range(len(some))]),
    lambda some: [some, some],
    lambda some: np.array(some, dtype=object),
])  # fmt: skip
lists = st.lists(cells, max_size=6) | st.lists(st.floats(-1e9, 1e9), min_size=3)


@given(cells | st.builds(lambda shape, some: shape(some), shapes, lists))
def test_anything_is_a_column_or_gets_a_message(values):
    try:
        column = records(values)
    except (TypeError, ValueError) as error:
        assert_readable(error, "values must be ")
        return
    numbers = column.values() if isinstance(column, dict) else column
    assert len(numbers) >= 3
    assert all(type(number) is float and np.isfinite(number) for number in numbers)
    assert records(column) == column
