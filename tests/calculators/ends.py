"""Numbers at the ends of a domain and inside it, and things that are no numbers."""

from __future__ import annotations

import math
from datetime import timedelta
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

_LARGEST, _SMALLEST = 1e300, 1e-300  # where a domain has no end, or 0 for one


def inside(domain):
    """Numbers of a domain: both ends, next to them, and inside evenly by their logarithm."""
    low, high = max(domain.low, -_LARGEST), min(domain.high, _LARGEST)
    ends = [low, np.nextafter(low, high), high, np.nextafter(high, low)]
    if domain.whole:
        ends = [low, low + 1, high - 1, high]
    logs = st.floats(
        math.log(max(low, _SMALLEST)), math.log(high), allow_nan=False, allow_infinity=False
    )
    positive = logs.map(math.exp)
    some = st.one_of(positive, positive.map(lambda x: -x)) if low < 0 else positive
    if domain.whole:
        some = some.map(round)
    return st.one_of(st.sampled_from(ends), some, st.floats(low, high)).filter(
        lambda x: bool(domain.contains(np.asarray(float(x))))
    )


#: What no argument that asks for numbers takes, or only some take.
ODD = (
    None,
    "1",
    b"1",
    "",
    True,
    [],
    {},
    [[1, 2], [3]],
    object(),
    timedelta(1),
    1 + 1j,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    0,
    10**400,
    10**5000,
    Fraction(10**400, 3),
    np.array(["a"]),
    np.array([None]),
    np.datetime64("2020-01-01"),
    memoryview(b"12"),
    lambda x: x,
    {1, 2},
)


def refusal(call, *arguments, **named):
    """Return the message of the error that a call raises, if it is one of ours, or nothing."""
    try:
        call(*arguments, **named)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""
