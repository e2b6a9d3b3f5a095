"""Columns from lists, data frames and CSV files, good ones and bad ones."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpwidgets.inputs.column import EITHER, LIMIT, read_csv, records
from dpwidgets.inputs.domain import COUNTED, DomainError
from tools import Series

DAYS = ["2020-01-31", "2020-02-29", "2020-03-31"]
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def test_what_files_come_with_does_no_harm():
    """One column, a byte order mark, blank lines, quotes, ends of lines, a name that is missing."""
    for text in ("age\n41\n29\n", "age\r\n41\r\n29", "\n \r\nage\r41\r29"):
        assert read_csv(text.encode())["age"].numbers.tolist() == [41, 29]
    read = read_csv(b'\xef\xbb\xbf"age","note"\n\n41,"two\nlines"\n ,\n29,"a ""word"""\n,\n')
    assert read["age"].numbers.tolist() == [41, 29]
    # Blank lines count, a cell of two lines is one row.
    assert read["note"].rows == (3, 5)
    assert read["note"].cells == ("two\nlines", 'a "word"')
    assert list(read_csv(b"\tx\n1\t2\n")) == ["column 1", "x"]


@pytest.mark.parametrize("cell", ["n/a", "nan", "inf", "30%", "1,000", "61,5", "<b>", ""])
def test_a_cell_that_is_no_number_is_named(cell):
    read = read_csv(f"age;x\n41;1\n\n{cell};2\nn/a;3\n".encode())
    what = f"“{cell}” is no number" if cell else "the cell is empty"
    with pytest.raises(DomainError, match=f"^row 4, column “age”: {what}$"):
        _ = read["age"].numbers
    assert read["x"].numbers.tolist() == [1, 2, 3]


def test_what_is_no_table_is_refused():
    for data, message in (
        (b"", "hold a row of names and rows of numbers below; it has 0 in all"),
        (b"age,name\n", "hold a row of names and rows of numbers below; it has 1 in all"),
        (b"41,Ann\n29,Bob\n", "have names in its first row; got the number 41 there"),
        (b"age,age\n1,2\n", "have each name once in its first row; got “age” again"),
        (b"age,name\n1,Ann\n\n2\n", "have rows of one length, 2; row 4 has 1 cells"),
        ("a\nÅsa\n".encode("latin-1"), "be text in UTF-8; row 2 is not"),
        (b'age\n"' + b"x" * 200_000 + b'"\n', "be a table in CSV; it is not: field larger than"),
        (b'age,note\n1,"a\n2,b\n', "be a table in CSV; it is not: unexpected end of data"),
    ):
        with pytest.raises(DomainError, match=f"file must .*{message}") as caught:
            read_csv(data)
        assert caught.value.argument == "file"


def test_an_upload_has_a_limit_and_a_file_has_none(tmp_path):
    data = b"age\n" + b"41\n" * (LIMIT // 3)
    with pytest.raises(DomainError, match=r"at most 5 MB. Pass the path of a larger one"):
        read_csv(data)
    path = tmp_path / "large.csv"
    path.write_bytes(data[:304])
    for source in (path, str(path)):
        assert read_csv(source, limit=10)["age"].numbers.size == 100
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "none.csv")


def test_a_column_is_read_with_its_names():
    exact = [Decimal(1), Fraction(2), np.array(3)]  # as databases have them, too
    for values in (
        range(1, 4),
        np.array([1, 2, 3], np.float32),
        Series([1, Fraction(2), 3]),
        exact,
    ):
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
        ([1, np.ma.masked, 3], "got masked for the 2nd record"),
        (np.array(DAYS, "datetime64[D]"), r"got np.datetime64\('2020-01-31'\) for the 1st record"),
        (np.array(DAYS, "datetime64[ns]"), "got np.datetime64.* for the 1st record"),
        ([*np.array(DAYS, "datetime64[ns]")], "got np.datetime64.* for the 1st record"),
        (
            np.array([1, 2, 3], "timedelta64[ns]"),
            r"got np.timedelta64\(1,'ns'\) for the 1st record",
        ),
        ([1, np.timedelta64(2, "ns"), 3], r"got np.timedelta64\(2,'ns'\) for the 2nd record"),
        ([1, date(2020, 1, 31), 3], r"got datetime.date\(2020, 1, 31\) for the 2nd record"),
        ([1, 2, timedelta(3)], r"got datetime.timedelta\(days=3\) for the 3rd record"),
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
        with pytest.raises((TypeError, ValueError), match=f"values must be {allowed}; {got}"):
            records(values)


def test_a_count_takes_what_says_yes_or_no_and_a_column_of_numbers_does_not():
    flags = [True, np.bool_(False), 1, 0.0, Fraction(1)]
    assert records(flags, COUNTED) == records(flags, EITHER) == (1, 0, 1, 0, 1)
    assert records([2, True, 0.5], EITHER) == (2, 1, 0.5)  # it is not known yet what is asked
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
        assert str(refused.value) == f"values of a count must be {COUNTED.allowed}; got {got}"
    with pytest.raises(ValueError, match="values must be a list of at least three finite numbers"):
        records([1, 0], COUNTED)
