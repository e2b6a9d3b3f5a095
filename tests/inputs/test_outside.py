"""Text and JSON from outside are what they must be, or get a message that can be shown."""

import contextlib
import json

import pytest
from hypothesis import given, strategies as st

from dpwidgets.inputs.outside import checked_text, described, load_json, quoted
from tools import or_message

odd = st.text() | st.text(
    st.characters(categories=["Cc", "Cs", "Zl", "Zp", "Zs"])
)


@given(odd)
def test_a_text_is_kept_or_refused(text):
    says = ["names must be whole characters", "names must have at most 50"]
    kept = or_message(checked_text, "names", text, 50, says=says)
    assert kept is None or kept is text
    assert kept is None or text.encode().decode() == text


@given(odd | st.text(min_size=61))
def test_what_is_quoted_stands_on_one_line(text):
    assert quoted(text).isprintable()
    assert len(quoted(text)) <= 2 + 60 * 10


class Refusing:
    def __repr__(self):
        raise RuntimeError


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.binary()
anything = st.recursive(
    plain | odd | st.builds(Refusing),
    lambda some: (
        st.lists(some) | st.dictionaries(odd, some) | st.tuples(some, some)
    ),
)


@given(anything)
def test_everything_is_described_shortly(value):
    assert len(described(value)) <= 200
    assert described(value).encode()


whole = st.text(st.characters(codec="utf-8"))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(-1e300, 1e300)
    | whole,
    lambda some: st.lists(some) | st.dictionaries(whole, some),
)


@given(json_values)
def test_json_is_read_as_it_was_written(value):
    written = json.dumps(value)
    for mark in ("", "\ufeff"):
        for content in (mark + written, (mark + written).encode()):
            assert load_json(content, 10**6) == value


@given(odd | st.text('{}[]",:0123456789.eE+-\\u truefalsn') | st.binary())
def test_any_other_content_is_a_value_error(content):
    with contextlib.suppress(ValueError):
        load_json(content, 100)


def test_json_is_bounded():
    for content, message in (
        ("[" * 100_000, "it is nested too deeply"),
        ("1" * 5000, "a number in it has 5,000 digits"),
        ("NaN", "NaN is no number of JSON"),
        ("[-Infinity]", "-Infinity is no number of JSON"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "'b' stands in it twice"),
        (" " * 200_001, "it is larger than 0.2 MB"),
        (b"\xff", "it is no text"),
        ("[1,\n 2", "it is no JSON any more at line 2, sign 3"),
    ):
        with pytest.raises(ValueError, match=message):
            load_json(content, 200_000)
