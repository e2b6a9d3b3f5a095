"""Columns from lists, data frames and CSV files, good ones and bad ones."""

import csv
import io
import itertools

import numpy as np
import pytest

from dpwidgets.calculators.column import LIMIT, column, read_csv, records
from dpwidgets.calculators.domain import DomainError
from tools import Series

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}


def table(text, **how):
    return read_csv(text.encode(), **how)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_delimiter_is_found(delimiter):
    rows = [
        ["name", "age", "grade"],
        ["Ann", "41", "1.5"],
        ["Bob; Jr", "29", "2"],
        ["Cy, Sr", "1e3", "-0.5"],
    ]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    read = table(out.getvalue())
    assert read.delimiter == delimiter
    assert [one.name for one in read.columns] == rows[0]
    assert read["age"].numbers.tolist() == [41, 29, 1000]
    assert read["grade"].numbers.tolist() == [1.5, 2, -0.5]
    assert read["name"].bad == ((2, "Ann"), (3, "Bob; Jr"), (4, "Cy, Sr"))


def test_one_column_has_no_delimiter():
    assert table("age\n41\n29\n").columns[0].numbers.tolist() == [41, 29]
    assert table("age\r\n41\r\n29").columns[0].numbers.tolist() == [41, 29]
    assert table("a long name\n41.5\n").columns[0].name == "a long name"


def test_a_byte_order_mark_blank_lines_and_quotes_do_no_harm():
    read = read_csv(b'\xef\xbb\xbf"age","note"\n\n41,"two\nlines"\n ,\n29,"a ""word"""\n,\n')
    assert read["age"].numbers.tolist() == [41, 29]
    assert [row for row, _ in read["note"].bad] == [
        3,
        5,
    ]  # blank lines count, a cell of two lines is one row


def test_decimal_commas_stand_beside_semicolons_alone():
    read = table("name;weight;pay\nAnn;61,5;1,000\nBob;-,5;2.5\n")
    assert read["weight"].numbers.tolist() == [61.5, -0.5]
    assert read["pay"].bad == ((2, "1,000"),)
    assert np.isnan(read["pay"].cells[0])


def test_cells_that_are_no_numbers_are_reported_by_row():
    read = table("age\n41\n\nn/a\n1_000\nnan\ninf\n30%\n2024-01-01\n<b>\n7\n")
    bad = read.columns[0].bad
    assert bad == (
        (4, "n/a"),
        (5, "1_000"),
        (6, "nan"),
        (7, "inf"),
        (8, "30%"),
        (9, "2024-01-01"),
        (10, "<b>"),
    )
    message = "column “age” must hold numbers; 7 cells are no numbers: row 4 .“n/a”.* and 2 more"
    with pytest.raises(DomainError, match=message):
        _ = read.columns[0].numbers
    with pytest.raises(DomainError, match=r"1 cell is no number: row 3 \(empty\)"):
        _ = table("age,x\n41,1\n,2\n")["age"].numbers


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b"\n \n\n", "it is empty"),
        (b"\xef\xbb\xbf", "it is empty"),
        (b"age,name\n", "file must hold rows below its names; got only “age, name”"),
        (b"41,Ann\n29,Bob\n", "file must have names in its first row; got the number 41 there"),
        (b"age,age\n1,2\n", "file must have each name once in its first row; got “age” twice"),
        (
            b"age,name\n1,Ann\n\n2\n",
            "file must have 2 cells in each row, as in the first; row 4 has 1",
        ),
        (b"age\n1\n2,3\n", "file must have 1 cell in each row, as in the first; row 3 has 2"),
        (
            "name,age\nÅsa,1\n".encode("latin-1"),
            "file must be text in UTF-8; row 2 has the byte 0xc5, which is none",
        ),
        ("age\n1\n".encode("utf-16"), "file must be text in UTF-8; row 1 has the byte 0xff"),
        (b"\x89PNG\r\n\x1a\n", "file must be text in UTF-8"),
        (
            b'age\n"' + b"x" * 200_000 + b'"\n',
            "file must be a table in CSV; it is not: field larger than",
        ),
        (
            b'age,note\n1,"a\n2,b\n',
            "file must be a table in CSV; it is not: unexpected end of data",
        ),
        (b"a," * 1001 + b"b\n", "file must have at most 1,000 columns; got 1,002"),
        (b"a,b,a,a\n1,2,3,4\n", "file must have each name once in its first row; got “a” 3 times"),
    ],
)
def test_what_is_no_table_is_refused(data, message):
    with pytest.raises(DomainError, match=message) as caught:
        read_csv(data)
    assert caught.value.argument == "file"


def test_an_upload_has_a_limit_and_a_file_has_none(tmp_path):
    data = b"age\n" + b"41\n" * (LIMIT // 3)
    with pytest.raises(
        DomainError, match=r"file must have at most 5 MB; got 5 MB. Pass the path of a larger one"
    ):
        read_csv(data + b"1\n")
    with pytest.raises(DomainError, match=r"at most 1e-05 MB"):
        read_csv(data, limit=10)
    path = tmp_path / "large.csv"
    path.write_bytes(data[:304])
    assert (
        read_csv(path, limit=10)["age"].numbers.size
        == read_csv(str(path), limit=10)["age"].numbers.size
        == 100
    )
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "none.csv")


def test_a_hundred_thousand_rows():
    values = np.random.default_rng(1).normal(size=(100_000, 3)).round(6)
    text = "a;b;c\n" + "\n".join(";".join(map(str, row)) for row in values.tolist())
    read = read_csv(text.encode())
    assert (np.stack([one.numbers for one in read.columns], axis=1) == values).all()


def test_a_name_that_is_not_there():
    with pytest.raises(DomainError, match="column must be one of 'age', 'name'; got 'Age'"):
        _ = table("age,name\n1,Ann\n")["Age"]
    assert [one.name for one in table(",x\n1,2\n").columns] == ["column 1", "x"]


def test_lists_and_columns_of_data_frames():
    assert column([1, 2, 3]).numbers.tolist() == [1, 2, 3]
    assert column({"Ann": 1, "Bob": 2, "Cy": 4.5}).numbers.tolist() == [1, 2, 4.5]
    read = column(Series([1.5, 2, 3], name="grade"))
    assert (read.name, read.numbers.tolist(), read.bad) == ("grade", [1.5, 2, 3], ())
    assert (
        column(Series([1, 2, 3], name=2019)).name,
        column([1, 2, 3]).name,
        column([1, 2, 3], "x").name,
    ) == (
        "2019",
        "values",
        "x",
    )
    with pytest.raises(TypeError, match="got None for the 2nd record"):
        column([1, None, 3])


def test_a_column_is_read_with_its_names():
    assert (
        records(np.array([1, 2, 3], np.float32))
        == records(range(1, 4))
        == records(iter([1, 2, 3]))
        == (1, 2, 3)
    )
    assert records(STUDENTS) == records(Series([1, 2, 3, 10], list(STUDENTS))) == STUDENTS
    assert records(Series([1, 2, 3], range(3))) == (1, 2, 3)
    assert records(Series([1, 2, 3], ["a", "a", "b"])) == (1, 2, 3)  # not names of one record each
    assert records(np.array([1, 2.5, np.int64(3)], dtype=object)) == (1, 2.5, 3)
    assert records({"a": 1, "b": 2, "c": 3}.values()) == (1, 2, 3)
    assert records(np.ma.masked_array([1, 2, 3], [0, 0, 0])) == (1, 2, 3)
    for odd in ("b\ud83d", " ", "b" * 201, 2, None):  # no name that could be written or told apart
        assert records({"a": 1, odd: 2, "c": 3}) == (1, 2, 3)


def test_an_endless_iterator_is_refused():
    with pytest.raises(DomainError, match=r"values must be at most 1,000,000 numbers if they come"):
        records(itertools.count())


@pytest.mark.parametrize(
    ("values", "got"),
    [
        ([1, 2, "three", 4], "got 'three' for the 3rd record"),
        ([1, np.nan, 3], "got nan for the 2nd record"),
        ([False, True, True], "got False for the 1st record"),
        ([1, 2, 10**400], "got inf for the 3rd record"),
        ({"a": 1, "b": None, "c": 3}, "got None for “b”"),
        (Series([1, 2, np.inf], ["a", "b", "c"]), "got inf for “c”"),
        ([1, 2], r"got an array of shape \(2,\)"),
        ([[1, 2, 3]] * 3, r"got an array of shape \(3, 3\)"),
        ([1, [2, 3], 4], r"got \[2, 3\] for the 2nd record"),
        ("1, 2, 3", "got '1, 2, 3'"),
        (None, "got None"),
        ({1, 2, 3}, "got {1, 2, 3}"),
        ({"a": 1, "b": 2, "c": 3}.keys(), "got dict_keys"),
        ([1, 2, [10**5000]], "got a value of type list for the 3rd record"),
        ([1, 2, 3j], "got 3j for the 3rd record"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), "got None for the 2nd record"),
        (np.array([1, 2, np.longdouble("1e4000")]), "got inf for the 3rd record"),
        (np.array([1, 2, 3], "m8[s]"), "got .* for the 1st record"),
    ],
)
def test_a_bad_cell_is_named(values, got):
    with pytest.raises(
        (TypeError, ValueError),
        match=f"values must be a list of at least three finite numbers; {got}",
    ):
        records(values)
