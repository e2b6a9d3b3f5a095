"""Numbers as people write them, and as we write them for people."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.inputs.notation import (
    ROUNDING,
    chance,
    down,
    exact,
    ordinal,
    percent,
    rounded,
    show,
    times,
    up,
)
from dpwidgets.inputs.typed import parse
from tools import or_message

REFUSED = {
    "“{text}” is not a number; write it like 0.08, 0,08, 1e-3": [
        "abc",
        "1 2",
        "2(3)",
        "(1",
        "1)",
        "*2",
        "ln",
        "import os",
        "f()",
        "1//2",
        "1#2",
        "not 1",
        "1 if 1",
        "ln()",
        "ln(1)(2)",
        "ln ln 3",
    ],
    "has no value": ["1/0", "ln 0", "ln(-1)", "sqrt(-1)", "(-8)^0.5"],
    "is too large": [
        "9^9^9",
        "1e308*10",
        "1e400",
        "e^1000",
        "exp(1000)",
        "10^400",
    ],
    "“1,000” may mean 1000 or 1.000": ["1,000"],
    "“{text}” may be meant in two ways; write it like 0.8, 8e-1, 2 × 3": [
        "0·8",
        "12·5",
        "8 e-1",
        "10e - 6",
        "8e −1",
        "3 e+2",
    ],
    "a number is missing": ["  "],
    "at most 60 characters; this has 100": ["(" * 100],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_has_no_finite_number_is_refused_with_its_reason(message):
    for text in REFUSED[message]:
        with pytest.raises(
            ValueError, match=re.escape(message.format(text=text))
        ):
            parse(text)


signs = st.text(max_size=70) | st.text(
    "0123456789.,eE+-*/^%()√ lnexpsqrt·−", max_size=60
)


@pytest.mark.slow
@given(
    signs
    | st.text(st.characters(categories=["Cc", "Cs", "Nd", "Zs"]))
    | st.text("-(√^9")
)
def test_no_text_does_anything_but_give_a_finite_number_or_a_message(text):
    value = or_message(parse, text)
    assert value is None or math.isfinite(value)


@given(
    st.none()
    | st.integers()
    | st.binary()
    | st.lists(st.text())
    | st.just(10**5000)
)
def test_what_is_no_text_is_refused(value):
    with pytest.raises(
        TypeError, match="a number must be read from text; got "
    ):
        parse(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back(value):
    assert parse(repr(value)) == value
    assert parse(exact(value)) == value


@given(st.integers(-999, 999), st.integers(1, 999))
def test_a_fraction_is_written_as_one_where_it_has_no_few_digits(above, below):
    value = above / below
    assert parse(exact(value)) == value
    assert len(exact(value)) <= 12


SHOWN = (
    (0.0804718956, "0.0805"),
    (0, "0"),
    (-0.0, "0"),
    (0.1 + 0.2, "0.3"),
    (-3.25, "−3.25"),
    (100.0, "100"),
    (1e5, "100,000"),
    (12345.678, "12,346"),
    (999.96, "1,000"),
    (1.5e-9, "1.5e-9"),
    (1e300, "1e300"),
    (5e-324, "4.94e-324"),
    (10**400, "1e400"),
    (-(10**4000) * 7 // 3, "−2.33e4000"),
    (2**1074, "2.02e323"),
    (np.float32(0.5), "0.5"),
    (np.int64(12345), "12,345"),
    (math.inf, "∞"),
    (-math.inf, "−∞"),
    (math.nan, "undefined"),
)


@pytest.mark.parametrize(
    ("value", "text"), SHOWN, ids=[text for _, text in SHOWN]
)
def test_numbers_are_shown(value, text):
    assert show(value) == text


every_float = st.floats() | st.sampled_from(
    [5e-324, 1e-310, 1e15, 1e15 - 1, 1e16, 1.7e308, 0.1]
)


def back(text):
    """Read what `show` wrote."""
    return float(
        re.sub("[,%]", "", text.replace("−", "-").replace("∞", "inf"))
    )


@given(
    every_float | st.integers() | st.integers(1, 10_000).map(lambda n: 10**n),
    st.integers(1, 17),
)
def test_every_number_is_shown_to_its_digits(value, digits):
    text = show(value, digits)
    assert len(text) <= 32
    if isinstance(value, float) and math.isnan(value):
        assert text == "undefined"
    elif abs(value) < 1e308:
        rounding = 0.51 * 10.0 ** (1 - digits)
        assert back(text) == pytest.approx(
            float(value), rel=rounding, abs=5e-324
        )


@given(st.floats(0, 1) | st.floats(0, 1e300), st.integers(1, 17))
def test_a_percentage_says_all_of_the_whole_alone(share, digits):
    text = percent(share, digits)
    assert text.endswith("%")
    assert (back(text) >= 100) == (share >= 1)


@given(st.floats(0, 1))
def test_every_chance_is_said(probability):
    text = chance(probability)
    if text.startswith("1 in "):
        assume("e" not in text)  # beyond every float, perhaps
        number = Fraction(text[5:].replace(",", ""))
        assert abs(number * Fraction(probability) - 1) < Fraction(2, 1000)
    else:
        assert back(text) / 100 == pytest.approx(probability, rel=0.006)


@given(
    st.floats(1e-300, 1)
    | st.sampled_from([1 / 3, 1 / 74, 0.9996, 1 - 1e-7, 1 - 2**-53, 1e-15])
)
def test_a_limit_keeps_its_side_however_it_is_written(limit):
    """But for a billionth, by which it may have been computed wrongly, it is hardly farther off."""
    for write, whole in ((show, 1), (times, 1), (percent, 100), (chance, 100)):
        for way, sign in ((up, 1), (down, -1)):
            text = way(limit, write)
            many = text.removeprefix("1 in ")
            said = back(text) / whole if many == text else 1 / back(many)
            slack = 2 * ROUNDING * limit
            assert -slack <= sign * (said - limit) <= 0.0101 * limit + slack
            all_of_it = limit > 1 - 1e-6 if way is up else limit == 1
            assert (text == "100%") == (all_of_it and whole == 100)
    # With six digits, as a goal has it, it is all later.
    assert [up(limit, show, 5), up(limit, percent, 6) == "100%"] == [
        show(limit, 5, up=True),
        limit > 1 - 1e-12,
    ]


@given(
    st.floats(-1e300, 1e300) | st.sampled_from([1e9, 1e10, 123456.0]),
    st.integers(1, 17),
)
def test_a_limit_differs_by_less_than_a_step_of_its_last_digit(value, digits):
    slack = ROUNDING * abs(value)
    least = rounded(value, digits, up=False)
    most = rounded(value, digits, up=True)
    assert least <= rounded(value, digits) <= most
    assert value - slack <= most
    assert least <= value + slack
    step = abs(value) * 10.0 ** (1 - digits) + 5e-324
    if abs(value) < 1e15:  # no digit before the point is left out
        step = min(step, 1.0)
    assert max(most - value, value - least) <= step * (1 + ROUNDING)


@given(st.data(), st.integers(1, 15), st.integers(-250, 250))
def test_what_has_so_few_digits_is_written_as_it_is(data, digits, power):
    """From a thousand million on, a billionth of a number is seen in it."""
    whole = data.draw(st.integers(1, 10**digits - 1))
    value = float(f"{whole}e{power}")
    for way in (True, False):
        assert rounded(value, digits, up=way) == value
        assert rounded(float(whole), 1, up=way) == whole
    assert up(value, show, digits) == down(value, show, digits)


@given(st.integers(2, 10**15 - 1))
def test_one_in_so_many_is_said_so_on_both_sides(many):
    assert up(1 / many, chance) == down(1 / many, chance) == f"1 in {many:,}"


@given(st.integers(1, 10**14) | st.integers(1) | st.just(10**5000))
def test_every_place_is_said(number):
    text = ordinal(number)
    assert text.endswith(("st", "nd", "rd", "th"))
    if number < 10**15:
        assert int(text[:-2].replace(",", "")) == number
