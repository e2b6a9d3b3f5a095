"""Columns from lists and data frames, good ones and bad ones."""

from fractions import Fraction

import numpy as np
import pytest

from dpwidgets.inputs.column import records
from tools import Series

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def test_a_column_is_read_with_its_names():
    for values in (range(1, 4), np.array([1, 2, 3], np.float32), Series([1, Fraction(2), 3])):
        assert records(values) == (1, 2, 3)
    assert records(STUDENTS) == records(Series([1, 2, 3, 10], list(STUDENTS))) == STUDENTS
    assert records(Series([1, 2, 3], ["a", "a", "b"])) == (1, 2, 3)  # not names of one record each
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
    ):
        allowed = "a list of at least three finite numbers"
        with pytest.raises((TypeError, ValueError), match=f"values must be {allowed}; {got}"):
            records(values)
