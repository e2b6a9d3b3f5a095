"""Numbers as people write them, and as we write them for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwidgets.notation import parse, percent, show


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.08", 0.08),
        ("0,08", 0.08),
        (" 12 ", 12),
        ("1e-3", 1e-3),
        ("1,5E3", 1500),
        (".5", 0.5),
        ("-1", -1),
        ("−1", -1),
        ("1/3", 1 / 3),
        ("80%", 0.8),
        ("12,5 %", 0.125),
        ("ln 3", math.log(3)),
        ("ln(1,5)", math.log(1.5)),
        ("2 ln 3", 2 * math.log(3)),
        ("4ln2", 4 * math.log(2)),
        ("2·3", 6),
        ("e^-0.1", math.exp(-0.1)),
        ("exp(-2)", math.exp(-2)),
        ("1 - e^(-2)", 1 - math.exp(-2)),
        ("-2^2", -4),
        ("2^-1", 0.5),
        ("√2", math.sqrt(2)),
        ("0,125", 0.125),
        ("1000,5", 1000.5),
    ],
)
def test_numbers_are_read(text, value):
    assert parse(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "1 2",
        "nan",
        "inf",
        "1_000",
        "0x10",
        "2(3)",
        "(1",
        "1)",
        "*2",
        "1..2",
        "import os",
        "f()",
        "ln",
    ],
)
def test_what_is_no_number_is_quoted_back(text):
    with pytest.raises(
        ValueError, match=r"is not a number; write it like 0.08, 0,08, 1e-3"
    ) as error:
        parse(text)
    assert text in str(error.value)


@pytest.mark.parametrize(
    "text", ["1/0", "ln 0", "ln(-1)", "sqrt(-1)", "(-8)^0.5", "9^9^9", "1e308*10", "1e400"]
)
def test_numbers_without_a_finite_value_are_refused(text):
    with pytest.raises(ValueError, match=r"has no value|is too large"):
        parse(text)


def test_one_comma_before_three_digits_can_be_read_twice():
    with pytest.raises(ValueError, match=r"“1,000” may mean 1000 or 1.000"):
        parse("1,000")


def test_nothing_and_too_much_are_refused():
    with pytest.raises(ValueError, match="a number is missing"):
        parse("  ")
    with pytest.raises(ValueError, match="at most 60 characters; this has 100"):
        parse("(" * 100)


@given(st.text(max_size=60))
def test_no_text_does_anything_but_give_a_finite_number_or_a_message(text):
    try:
        value = parse(text)
    except ValueError:
        return
    assert math.isfinite(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back(value):
    assert parse(repr(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0804718956, "0.0805"),
        (0, "0"),
        (100.0, "100"),
        (1e5, "100,000"),
        (12345.678, "12,346"),
        (0.30000000000000004, "0.3"),
        (999.96, "1,000"),
        (-3.25, "−3.25"),
        (1.5e-9, "1.5e-9"),
        (1e300, "1e300"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "undefined"),
    ],
)
def test_numbers_are_shown(value, text):
    assert show(value) == text


def test_a_share_below_one_is_never_called_all():
    assert percent(0.99999999) == "99.999999%"
    assert percent(1 - 1e-15) == "99.9999999999999%"
    assert percent(1) == "100%"
    assert percent(0.5) == "50%"
