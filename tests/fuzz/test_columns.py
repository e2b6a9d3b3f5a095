"""Whatever comes as a CSV file or a list is a column of finite numbers, or gets a message, soon."""

import csv
import io
import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwidgets.calculators.column import DELIMITERS, LIMIT, read_csv, records
from dpwidgets.calculators.domain import DomainError
from tools import Series, assert_readable

words = ["a", "1", "1,5", "1,000", "-1e9", "1_0", "nan", "inf", "0x1", "1e400", "٣", '""']
pieces = st.sampled_from(words) | st.sampled_from(",;\t|\"'= \x00\r\n\ufeff")


@given(st.lists(pieces | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_a_table_or_gets_a_message(text):
    check_file(text.encode("utf-8", "surrogatepass"))


@given(st.binary())
def test_any_bytes_are_a_table_or_get_a_message(data):
    check_file(data)


def check_file(data):
    """Read a file; every column of it holds finite numbers and bad cells, and says which."""
    try:
        table = read_csv(data)
    except DomainError as error:
        assert_readable(error, "file must ")
        return
    assert len({column.name for column in table.columns}) == len(table.columns)
    for column in table.columns:
        bad = np.isnan(column.cells)
        assert bad.sum() == len(column.bad)
        assert np.isfinite(column.cells[~bad]).all()
        if column.bad:
            with pytest.raises(DomainError) as caught:
                _ = column.numbers
            assert_readable(caught.value, "must hold numbers")
        else:
            assert column.numbers is column.cells


names = st.text(st.characters(codec="utf-8"), max_size=8).filter(
    lambda name: name.strip() and not name.strip("0123456789+-.eE \t").isdecimal()
)


@given(
    st.sampled_from(DELIMITERS),
    st.lists(names.map(lambda name: f"n{name}".strip()), min_size=2, max_size=4, unique=True),
    st.data(),
)
def test_a_table_that_was_written_is_read_the_same(delimiter, header, data):
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    rows = data.draw(
        st.lists(st.lists(numbers, min_size=len(header), max_size=len(header)), min_size=1)
    )
    if any(other in "".join(header) for other in DELIMITERS):
        header = [f"n{place}" for place in range(len(header))]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([header, *rows])
    table = read_csv(out.getvalue().encode())
    assert [column.name for column in table.columns] == header
    assert np.stack([column.numbers for column in table.columns], axis=1).tolist() == rows


ROWS = {
    "rows": (b"a\n", b"1\n"),
    "words": (b"a\n", b"x\n"),
    "blank rows": (b"a\n1\n2\n", b"\n"),
    "empty cells": (b"a,b\n", b",\n"),
    "cells": (b"a\n", b"1,"),
    "columns": (b"", b"a,"),
    "commas": (b"a;b\n", b"1,5;1,000\n"),
    "quotation marks": (b"a\n", b'"'),
    "quoted lines": (b'a\n"', b"1\n"),
    "quoted cells": (b"a,b\n", b'"1","\n"\n'),
    "nulls": (b"a\n", b"\x00\n"),
    "digits": (b"a\n", b"1" * 131_000 + b"\n"),
    "spaces": (b"a\n1", b" "),
    "carriage returns": (b"a\r", b"1\r"),
}


@pytest.mark.parametrize(("head", "row"), ROWS.values(), ids=list(ROWS))
def test_a_large_file_is_read_or_refused_soon(head, row):
    data = head + row * ((LIMIT - len(head)) // len(row))
    start = time.process_time()
    try:
        read_csv(data)
    except DomainError as error:
        assert_readable(error, "file must ")
    assert time.process_time() - start < 60  # one second; by the square of its length it is minutes


class Refusing:
    """What has neither a length nor a description."""

    def __len__(self):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


cells = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.fractions()
    | st.text(max_size=3)
    | st.binary(max_size=3)
    | st.sampled_from(
        [10**400, 10**5000, -(10**400), 5e-324, np.float32(0.5), np.int8(3), np.bool_(1)]
    )
    | st.sampled_from([np.longdouble("1e4000"), np.timedelta64(1, "s"), object(), [], {}])
    | st.builds(Refusing)
)
shapes = st.sampled_from(
    [
        list,
        tuple,
        iter,
        set,
        itertools.cycle,
        np.ma.masked_invalid,
        Series,
        lambda some: dict(enumerate(some)),
        lambda some: {f"n{place}": cell for place, cell in enumerate(some)},
        lambda some: Series(some, [f"n{place}" for place in range(len(some))]),
        lambda some: Series(some, 5),
        lambda some: Series(some, "ab"),
        lambda some: Series(some, [[]]),
        lambda some: [some, some],
        lambda some: np.array(some, dtype=object),
    ]
)


@given(st.lists(cells, max_size=6) | st.lists(st.floats(-1e9, 1e9), min_size=3), shapes)
def test_any_list_is_a_column_or_gets_a_message(some, shape):
    try:
        values = shape(some)
    except Exception:  # a set of lists, say
        return
    check_list(values)


@given(cells | st.just(np.array(3)))
def test_anything_is_a_column_or_gets_a_message(value):
    check_list(value)


def check_list(values):
    try:
        column = records(values)
    except (TypeError, ValueError) as error:
        assert_readable(error, "values must be ")
        return
    numbers = column.values() if isinstance(column, dict) else column
    assert len(numbers) >= 3
    assert all(type(number) is float and np.isfinite(number) for number in numbers)
    assert all("".join(column).strip() for _ in (column if isinstance(column, dict) else ()))
    assert records(column) == column


def test_exact_numbers_are_read():
    assert records([Fraction(1, 2), 10**30, np.float32(0.5)]) == (0.5, 1e30, 0.5)
