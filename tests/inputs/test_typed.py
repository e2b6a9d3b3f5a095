"""Any text in the box of a list gives numbers or a message, soon; what it shows reads the same."""

import math

import pytest
from hypothesis import given, strategies as st

from dpwidgets.inputs.column import LONGEST, read_column, records, write_column
from tools import assert_readable, times_as_long

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
pieces = st.sampled_from(words) | st.sampled_from(",;: \n\t")


def test_a_list_is_read_as_people_write_it():
    for text, column in {
        "1, 2, 3, 10": (1, 2, 3, 10),
        "1 2\t3\n10": (1, 2, 3, 10),
        "1,2,3,10": (1, 2, 3, 10),
        " 1; 2;3;10; ": (1, 2, 3, 10),
        "1,\n2,\n3": (1, 2, 3),
        "1.5,2.5, −3": (1.5, 2.5, -3),
        "0,5; 1,5; 2": (0.5, 1.5, 2),
        "1e-3 5% −.25": (0.001, 0.05, -0.25),
        "Chris: 1, Kelly: 2": {"Chris": 1, "Kelly": 2},
        "Chris: 1\nKelly : 2\n": {"Chris": 1, "Kelly": 2},
        "Smith,  J.: 0,5; at 10:30: 2": {"Smith, J.": 0.5, "at 10:30": 2},
    }.items():
        assert read_column(text) == column


def test_what_is_no_list_is_refused_with_its_entry():
    for text, message in {
        "1,5 2 3": "“1,5” may mean one number or several; write 0.5, and spaces or semicolons",
        "2, 1,000": "“1,000” may mean one number or several",
        "2; 1,000": "the 2nd entry: “1,000” may mean 1000 or 1.000",
        "1,200,000 950": "“1,200,000” may mean one number or several",
        "1, 2, x, 4": "the 3rd entry: “x” is not a number; write it like 0.08",
        "1,, 2": "the 2nd entry: a number is missing",
        "1, 2, 1e999": "the 3rd entry: “1e999” is too large",
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
    try:
        column = read_column(text)
    except ValueError as error:
        assert_readable(error)
        return
    numbers = list(column.values()) if isinstance(column, dict) else column
    assert all(
        type(number) is float and math.isfinite(number) for number in numbers
    )
    shown = write_column(column)
    assert shown.encode()
    assert "…" in shown or read_column(shown) == column


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


REPEATED = [
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
]
BLANKS = [
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
@pytest.mark.parametrize("piece", [*REPEATED, *BLANKS])
@pytest.mark.parametrize("head", ["", "a: 1"])
def test_a_long_text_is_read_or_refused_soon(head, piece):
    def read(length):
        text = head + piece * (length // len(piece)) + "z"
        for some in (text, text[:-1]):
            try:
                read_column(some)
            except ValueError as error:
                assert_readable(error)

    # Ten times the length, and not the hundred of its square.
    assert times_as_long(read, LONGEST // 100, LONGEST // 10) < 40
