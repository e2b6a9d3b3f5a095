"""Columns from any text in a box, soon, and from lists and data frames: numbers or a message."""

import math
import tracemalloc
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.inputs.column import (
    EITHER,
    LONGEST,
    MOST,
    VALUES,
    read_column,
    records,
    write_column,
)
from dpwidgets.inputs.domain import COUNTED
from tools import Series, or_message, times_as_long

words = [
    "1",
    "2.5",
    "0,5",
    "1,000",
    "-3",
    "a",
    "ln 3",
    "1/0",
    "nan",
    "Ann",
    "…",
    "\ud83d",
    "\x00",
]
#: What separates numbers, what may stand within one, and what both may be.
pieces = st.sampled_from(words) | st.sampled_from(
    [*",;: \n\t", "\u202f", "\n\n"]
)


def test_a_list_is_read_as_people_write_it():
    for text, column in {
        "1, 2, 3, 10": (1, 2, 3, 10),
        "1 2 3 10": (1, 2, 3, 10),
        "1\r\n2\r\n3\r\n10\r\n\r\n": (
            1,
            2,
            3,
            10,
        ),  # as a spreadsheet copies it
        "1, 2,\n3, 10": (1, 2, 3, 10),  # a line that a comma ends goes on
        "12\n345\n678": (12, 345, 678),
        "85 100  92": (85, 100, 92),
        "5 %, - 3, 1\u00a0": (0.05, -3, 1),
        "1,2,3,10": (1, 2, 3, 10),
        " 1; 2;3;10; ": (1, 2, 3, 10),
        "1,\n2,\n3": (1, 2, 3),
        "1.5,2.5, −3": (1.5, 2.5, -3),
        "0,5; 1,5; 2": (0.5, 1.5, 2),
        "1e-3 5% −.25": (0.001, 0.05, -0.25),
        "Chris: 1, Kelly: 2": {"Chris": 1, "Kelly": 2},
        "Chris: 1\nKelly : 2\n": {"Chris": 1, "Kelly": 2},
        "Chris: 1; Kelly: 2\nPat: 3": {"Chris": 1, "Kelly": 2, "Pat": 3},
        "Smith,  J.: 0,5; at 10:30: 2": {"Smith, J.": 0.5, "at 10:30": 2},
    }.items():
        assert read_column(text) == column


def test_what_is_no_list_is_refused_with_its_entry():
    for text, message in {
        "1,5 2 3": "“1,5” may mean one number or several; write 0.5 or 1234, and semicolons",
        "2, 1,000": "“1,000” may mean one number or several",
        "2; 1,000": "the 2nd entry: “1,000” may mean 1000 or 1.000",
        "1,200,000 950": "“1,200,000” may mean one number or several",
        "1, 2, x, 4": "the 3rd entry: “x” is not a number; write it like 0.08",
        "1,, 2": "the 2nd entry: a number is missing",
        "1, 2, 1e999": "the 3rd entry: “1e999” is too large",
        "1 234\n2 345": "“1 234” may mean one number or several",
        "−1\u202f234 567.5": "“−1.+234 567.5” may mean one number or several",
        "7, 1 234": "the 2nd entry: “1 234” is not a number",
        "7 1\u00a0234": "the 2nd entry: “1.+234” is not a number",
        "1; 2 345; 3": "the 2nd entry: “2 345” is not a number",
        "Chris: 1 234\nPat: 2": "the 1st entry: “1 234” is not a number",
        "41\n \n29\n33": "a line is blank; each has its number",
        "\r\n41\r\n29": "a line is blank; each has its number",
        "1,\n\n2": "a line is blank; each has its number",
        "Ann: 5\nBob: 6\n\nCy: 7": "a line is blank; each has its number",
        "Ann: 5;\n\nCy: 7": "a line is blank; each has its number",
        "1\t61\n2\t80": "a tab stands between two columns; paste one of them",
        "Ann:\t1\nBob:\t2": "a tab stands between two columns",
        "1, 2\n3, 4": "the 1st entry: “1, 2” is not a number",
        "1\n2 3": "the 2nd entry: “2 3” is not a number",
        "1;2\n3;4": "the 1st entry: “1;2” is not a number",
        "Chris: 1, 2": "either every number has a name before a colon or none has",
        ": 1, : 2": "either every number has a name before a colon or none has",
        "Pat: 1, Pat: 2": "two of the numbers have the same name, “Pat”",
        "1, 2, … 4 more …, 7": "shortened .*clear the box .*, or assign one in Python",
        "1" * (LONGEST + 1): "at most 300,000 characters; got 300,001",
        "Ann\ud83d: 1, Bob: 2": r"must be whole characters; got 'Ann\\ud83d",
    }.items():
        with pytest.raises(ValueError, match=message):
            read_column(text)


def test_a_long_list_is_written_shortened():
    assert (
        write_column(tuple(map(float, range(51)))) == "0, 1, … 48 more …, 50"
    )
    long = {f"r{place}": float(place) for place in range(5000)}
    assert write_column(long) == "r0: 0; r1: 1; … 4,997 more …; r4999: 4999"
    assert write_column(tuple(map(float, range(50)))).endswith("48, 49")


@given(st.text() | st.lists(pieces, max_size=30).map("".join))
def test_any_text_is_a_list_or_gets_a_message(text):
    column = or_message(read_column, text)
    if column is None:
        return
    numbers = list(column.values()) if isinstance(column, dict) else column
    assert all(
        type(number) is float and math.isfinite(number) for number in numbers
    )
    shown = write_column(column)
    assert shown.encode()
    assert "…" in shown or read_column(shown) == column


@given(
    st.lists(
        st.integers(-(10**7), 10**7) | st.floats(-6e4, 6e4, width=16),
        min_size=2,
        max_size=9,
    ),
    st.sampled_from(["", " ", "\u00a0", "\u202f", "\u2009", "'", ","]),
    st.sampled_from([".", ","]),
    st.sampled_from(["\n", "\r\n", "\t", " ", ", ", ",\n", "; ", ";"]),
    st.integers(0, 9),
)
def test_a_column_in_whatever_notation_is_read_as_it_was_or_asked_about(
    column, group, point, between, blank
):
    """Thousands, decimals, what stands between them, and an empty cell."""
    assume(point != group != between)
    written = [f"{number:,}" for number in column]
    cells = [
        text.replace(",", "_").replace(".", point).replace("_", group)
        for text in written
    ]
    cells[blank:blank] = [""] * (0 < blank < len(cells))
    read = or_message(read_column, between.join(cells))
    if read is not None:
        assert read == tuple(map(float, column))
        assert between == " " or "" not in cells


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(
    -(10**300), 10**300
)


@given(
    st.lists(numbers, min_size=3, max_size=60)
    | st.dictionaries(st.text(), numbers, min_size=3)
)
def test_every_column_is_shown_and_reads_the_same_or_is_shortened(values):
    column = records(values)
    shown = write_column(column)
    if "…" in shown:
        with pytest.raises(ValueError, match="shortened"):
            read_column(shown)
    else:
        assert read_column(shown) == column


PIECES = [
    "1 ",
    "1,",
    "1, ",
    "1",
    "1,5 ",
    "1,200,",
    "-",
    " ",
    "a: 1\n",
    "a: ",
    "x",
    ";",
    "1;",
    ": ",
    "\n",
    "\n ",
    ",\n",
    "a:1" + 900 * " ",
    "b " + 500 * "\t",
    "1e9 ",
    "−1,5",
    "ln 2 ",
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("head", ["", "a: 1"])
def test_a_long_text_is_read_or_refused_soon(head, piece):
    def read(length):
        text = head + piece * (length // len(piece)) + "z"
        for some in (text, text[:-1]):
            or_message(read_column, some)

    # Ten times the length, and not the hundred of its square.
    assert times_as_long(read, LONGEST // 100, LONGEST // 10) < 40


# -------------------- columns from lists and data frames

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


BAD = (
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
)
NO_CODES = (
    ([1, 2, 0], "got 2 for the 2nd record"),
    ({"Ann": 0, "Bob": -1, "Cy": 1}, "got -1 for “Bob”"),
    ([1, 0, 0.5], "got 0.5 for the 3rd record"),
    ([1, 0, np.nan], "got nan for the 3rd record"),
    ([1, "0", 1], "got '0' for the 2nd record"),
    ([1, None, 1], "got None for the 2nd record"),
)


@pytest.mark.parametrize(
    ("domain", "values", "got"),
    [
        *((VALUES, *bad) for bad in BAD),
        *((COUNTED, *bad) for bad in NO_CODES),
    ],
    ids=[got for _, got in BAD + NO_CODES],
)
def test_a_bad_record_is_named(domain, values, got):
    says = f"^values{domain.of} must be {domain.allowed}; {got}"
    with pytest.raises((TypeError, ValueError), match=says):
        records(values, domain)


def test_a_count_takes_what_says_yes_or_no():
    flags = [True, np.bool_(False), 1, 0.0, Fraction(1)]
    assert records(flags, COUNTED) == records(flags, EITHER) == (1, 0, 1, 0, 1)
    # It is not known yet what is asked.
    assert records([2, True, 0.5], EITHER) == (2, 1, 0.5)


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
