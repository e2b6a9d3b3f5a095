"""Any text in the box of a list gives numbers or a message, soon; what it shows reads the same."""

import math
import time

import pytest
from hypothesis import given, strategies as st

from dpwidgets.inputs.column import LONGEST, read_column, records, write_column
from tools import assert_readable

words = ["1", "2.5", "0,5", "1,000", "-3", "a", "ln 3", "1/0", "nan", "Ann", "…", "\ud83d", "\x00"]
pieces = st.sampled_from(words) | st.sampled_from(",;: \n\t")


@given(st.text() | st.lists(pieces, max_size=30).map("".join))
def test_any_text_is_a_list_or_gets_a_message(text):
    try:
        column = read_column(text)
    except ValueError as error:
        assert_readable(error)
        return
    numbers = list(column.values()) if isinstance(column, dict) else column
    assert all(type(number) is float and math.isfinite(number) for number in numbers)
    shown = write_column(column)
    assert shown.encode()
    assert "…" in shown or read_column(shown) == column


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**300), 10**300)


@given(st.lists(numbers, min_size=3, max_size=60) | st.dictionaries(st.text(), numbers, min_size=3))
def test_every_column_is_shown_and_reads_the_same_or_is_shortened(values):
    column = records(values)
    shown = write_column(column)
    assert shown.encode()
    if "…" in shown:
        with pytest.raises(ValueError, match="shortened"):
            read_column(shown)
    else:
        assert read_column(shown) == column


REPEATED = ["1 ", "1,", "1, ", "1", "1,5 ", "1,200,", "-", " ", "a: 1\n", "a: ", "x", ";", "1;"]
BLANKS = [": ", "\n", "\n ", ",\n", "a:1" + 900 * " ", "b " + 500 * "\t", "1e9 ", "−1,5", "ln 2 "]


@pytest.mark.parametrize("piece", [*REPEATED, *BLANKS])
@pytest.mark.parametrize("head", ["", "a: 1", "1; "])
def test_a_long_text_is_read_or_refused_soon(head, piece):
    text = head + piece * (LONGEST // 5 // len(piece)) + "z"
    start = time.process_time()
    for some in (text, text[:-1]):
        try:
            read_column(some)
        except ValueError as error:
            assert_readable(error)
    assert time.process_time() - start < 10  # a fifth; by the square of its length it is a minute


def test_a_text_beyond_the_limit_is_refused():
    with pytest.raises(ValueError, match="at most 300,000 characters; got 300,001"):
        read_column("1" * (LONGEST + 1))
    with pytest.raises(ValueError, match=r"must be whole characters; got 'Ann\\ud83d"):
        read_column("Ann\ud83d: 1, Bob: 2, Cy: 3")
