"""Columns from lists and data frames, good ones and bad ones."""

import tracemalloc
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpwidgets.inputs.column import EITHER, MOST, records
from dpwidgets.inputs.domain import COUNTED
from tools import Series

DAYS = ["2020-01-31", "2020-02-29", "2020-03-31"]
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def test_a_column_is_read_with_its_names():
    # As databases have them, too.
    exact = [Decimal(1), Fraction(2), np.array(3)]
    for values in (
        range(1, 4),
        np.array([1, 2, 3], np.float32),
        Series([1, Fraction(2), 3]),
        exact,
    ):
        assert records(values) == (1, 2, 3)
    assert (
        records(STUDENTS)
        == records(Series([1, 2, 3, 10], list(STUDENTS)))
        == STUDENTS
    )
    # Not names of one record each.
    assert records(Series([1, 2, 3], ["a", "a", "b"])) == (1, 2, 3)
    for odd in (" ", "b" * 201, 2, None):  # no name that could be told apart
        assert records({"a": 1, odd: 2, "c": 3}) == (1, 2, 3)


def test_a_bad_record_is_named():
    for values, got in (
        ([1, 2, "three", 4], "got 'three' for the 3rd record"),
        ([1, np.nan, 3], "got nan for the 2nd record"),
        ([False, True, True], "got False for the 1st record"),
        ([1, 2, 10**400], "got 1000.*000 for the 3rd record"),
        ({"a": 1, "b": None, "c": 3}, "got None for “b”"),
        ([1, 2], r"got an array of shape \(2,\)"),
        ([1, [2, 3], 4], r"got \[2, 3\] for the 2nd record"),
        ("1, 2, 3", "got '1, 2, 3'"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), "got masked_array"),
        ([1, np.ma.masked, 3], "got masked for the 2nd record"),
        (
            np.array(DAYS, "datetime64[D]"),
            r"got np.datetime64\('2020-01-31'\) for the 1st record",
        ),
        (
            np.array(DAYS, "datetime64[ns]"),
            "got np.datetime64.* for the 1st record",
        ),
        (
            [*np.array(DAYS, "datetime64[ns]")],
            "got np.datetime64.* for the 1st record",
        ),
        (
            np.array([1, 2, 3], "timedelta64[ns]"),
            r"got np.timedelta64\(1,'ns'\) for the 1st record",
        ),
        (
            [1, np.timedelta64(2, "ns"), 3],
            r"got np.timedelta64\(2,'ns'\) for the 2nd record",
        ),
        (
            [1, date(2020, 1, 31), 3],
            r"got datetime.date\(2020, 1, 31\) for the 2nd record",
        ),
        (
            [1, 2, timedelta(3)],
            r"got datetime.timedelta\(days=3\) for the 3rd record",
        ),
        ([1, np.bool_(True), 3], "got np.True_ for the 2nd record"),
        (np.array([True, False, True]), "got True for the 1st record"),
        ([1, 2j, 3], "got 2j for the 2nd record"),
        (np.array([1j, 2, 3]), r"got .*1j.* for the 1st record"),
        ([1, b"2", 3], "got b'2' for the 2nd record"),
        ([1, Decimal("NaN"), 3], "got nan for the 2nd record"),
        ([1, Decimal("sNaN"), 3], r"got Decimal\('sNaN'\) for the 2nd record"),
        ([1, Decimal("1e400"), 3], "got inf for the 2nd record"),
    ):
        allowed = "a list of at least three finite numbers"
        with pytest.raises(
            (TypeError, ValueError), match=f"values must be {allowed}; {got}"
        ):
            records(values)


def test_a_count_takes_what_says_yes_or_no_and_a_column_of_numbers_does_not():
    flags = [True, np.bool_(False), 1, 0.0, Fraction(1)]
    assert records(flags, COUNTED) == records(flags, EITHER) == (1, 0, 1, 0, 1)
    # It is not known yet what is asked.
    assert records([2, True, 0.5], EITHER) == (2, 1, 0.5)
    for values, got in (
        ([1, 2, 0], "2 for the 2nd record"),
        ({"Ann": 0, "Bob": -1, "Cy": 1}, "-1 for “Bob”"),
        ([1, 0, 0.5], "0.5 for the 3rd record"),
        ([1, 0, np.nan], "nan for the 3rd record"),
        ([1, "0", 1], "'0' for the 2nd record"),
        ([1, None, 1], "None for the 2nd record"),
    ):
        with pytest.raises((TypeError, ValueError)) as refused:
            records(values, COUNTED)
        assert (
            str(refused.value)
            == f"values of a count must be {COUNTED.allowed}; got {got}"
        )
    with pytest.raises(
        ValueError,
        match="values must be a list of at least three finite numbers",
    ):
        records([1, 0], COUNTED)


@pytest.mark.parametrize(
    "values",
    [
        range(MOST + 1),
        np.broadcast_to(0.5, 10**12),
    ],
    ids=["a range", "an array"],
)
def test_a_column_is_counted_before_it_is_copied(values):
    tracemalloc.start()
    with pytest.raises(ValueError, match="got more than 10,000,000 of them"):
        records(values)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1_000_000
