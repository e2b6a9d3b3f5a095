"""Whatever comes as a CSV file or a list is a column of finite numbers, or gets a message, soon."""

import contextlib
import csv
import io

import numpy as np
import pytest
from hypothesis import assume, given, note, strategies as st

from dpwidgets.inputs.column import LIMIT, read_csv, records
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.table import DELIMITERS
from strategies import odd
from tools import Series, assert_readable, times_as_long

words = [
    "a",
    "1",
    "1,5",
    "-1e9",
    "1_0",
    "nan",
    "inf",
    "0x1",
    "1e400",
    "٣",
    '""',
]
pieces = st.sampled_from(words) | st.sampled_from(",;\t|\"'= \x00\r\n\ufeff")
texts = st.lists(pieces | st.text(max_size=3), max_size=40).map("".join)


@given(
    st.binary() | texts.map(lambda text: text.encode("utf-8", "surrogatepass"))
)
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
    header = [
        *(f"n{place}" for place in range(width - 1)),
        'Bob; Jr, a "word"\t|',
    ]
    cells = st.floats(allow_nan=False, allow_infinity=False)
    rows = data.draw(
        st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1)
    )
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([header, *rows])
    table = read_csv(f"sep={delimiter}\n{out.getvalue()}".encode())
    assert list(table) == header
    for name, place in zip(header, range(width), strict=True):
        with contextlib.suppress(DomainError):  # 61.500 may be thousands
            read = table[name].numbers.tolist()
            assert read == [row[place] for row in rows]


names = st.sampled_from([
    "Miete, kalt", "Miete,kalt", "Income, USD", "Alter, Jahre", "Größe, cm", "ID", "a;b", "a; b, c",
    "x|y", "a\tb", "2019", "2020 ", "age\n(years)", 'say "hi"',
])  # fmt: skip
notes = st.sampled_from([
    "Ann", "Arp, Ann", "A, 5", "5; 6", "x|y", "x\t5", '5" disk', "12.3 p", ":", "n/a", "1;2", "",
])  # fmt: skip
OTHER = {".": ",", ",": "."}


def write(number, decimals, decimal, grouped):
    text = f"{number:{',' * grouped}.{decimals}f}"
    return text.translate(str.maketrans({",": OTHER[decimal], ".": decimal}))


@st.composite
def tables(draw):
    """Draw a table: the numbers of its columns by name, none of a column of words, and its rows."""
    height, decimal = draw(st.integers(1, 6)), draw(st.sampled_from(".,"))
    header = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    meant, columns = {}, []
    for name in header:
        if len(header) > 1 and draw(st.integers(0, 3)) == 3:
            columns.append([draw(notes) for _ in range(height)])
            meant[name.strip()] = None
            continue
        grouped = draw(st.booleans())
        decimals = draw(st.sampled_from([1, 1, 0, 2, 3]))
        thousandths = [
            draw(st.integers(-(10**8), 10**8)) for _ in range(height)
        ]
        written = [
            write(one / 1000, decimals, decimal, grouped)
            for one in thousandths
        ]
        columns.append(written)
        plain = str.maketrans({decimal: ".", OTHER[decimal]: None})
        meant[name.strip()] = [
            float(cell.translate(plain)) for cell in written
        ]
    return meant, [header, *map(list, zip(*columns, strict=True))]


def taken(rows, dialect):
    """Return the columns of numbers that are read from a file, by name, without an answer."""
    out = io.StringIO()
    csv.writer(out, **dialect).writerows(rows)
    note(repr(out.getvalue()))
    # Of one column whose names have such a sign, no file says that it is one.
    first, quoted = rows[0][0], dialect["quoting"] == csv.QUOTE_ALL
    assume(len(rows[0]) > 1 or quoted or not set(first) & set(DELIMITERS))
    read = {}
    with contextlib.suppress(DomainError):  # asked, or refused
        for name, column in read_csv(out.getvalue().encode()).items():
            with contextlib.suppress(DomainError):
                read[name] = column.numbers.tolist()
    return read


dialects = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from(DELIMITERS),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "lineterminator": st.sampled_from(["\n", "\r", "\r\n"]),
    }
)


@given(tables(), dialects)
def test_no_table_is_read_with_other_numbers_than_were_written(table, dialect):
    meant, rows = table
    for name, column in taken(rows, dialect).items():
        assert meant.get(name) == column


@given(
    tables(),
    dialects,
    st.sampled_from([[], ["5"], ["61,5"], ["no"]]),
    st.data(),
)
def test_no_table_with_a_row_of_another_length_is_read(
    table, dialect, more, data
):
    _, rows = table
    place = data.draw(st.integers(1, len(rows) - 1))
    rows[place] = [*rows[place], *more] if more else rows[place][:-1]
    # An empty row is none.
    assume(len(rows[0]) > 1 and len(rows) > 2 and "".join(rows[place]))
    assert not taken(rows, dialect)


ROWS = {
    "words": (b"a\n", b"x\n"),
    "empty cells": (b"a,b\n", b",\n"),
    "columns": (b"", b"a,"),
    "quoted cells": (b"a,b\n", b'"1","\n"\n'),
    "digits": (b"a\n", b"1" * 131_000 + b"\n"),
    "thousands": (b"a;b\n", b"1;1" + b".111" * 30_000 + b"x\n"),
    "marks that open": (b"a,b\n", b',"'),
    "marks of three": (b"a,b\n", b',"""'),
    "marks of four": (b"a,b\n", b',"",""x'),
    "one cell of marks": (b'a,b\n1,"', b'""a'),
    "blanks": (b'a,b\n"",', b" " * 1000 + b","),
}


@pytest.mark.parametrize(("head", "row"), ROWS.values(), ids=list(ROWS))
def test_a_large_file_is_read_or_refused_soon(head, row):
    def read(length):
        try:
            for column in read_csv(head + row * (length // len(row))).values():
                assert column.numbers.size
        except DomainError as error:
            assert_readable(error)

    # Ten times the length, and not the hundred of its square.
    assert times_as_long(read, LIMIT // 50, LIMIT // 5) < 40


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
