"""What is drawn to try domains and explorers: numbers at the edges, and odd things."""

import datetime
import decimal

import numpy as np
from hypothesis import strategies as st

from dpwidgets.calculators.domain import Domain

HUGE = 10**5000  # an integer of more digits than Python writes

#: What a caller may pass by mistake; none of it is a number that a domain allows.
ODD = (
    None,
    True,
    "0.5",
    "",
    b"1",
    1j,
    HUGE,
    -HUGE,
    float("nan"),
    float("inf"),
    -float("inf"),
    object(),
    [],
    [1, [2]],
    [[1, 2], [3]],
    {"a": 1},
    {1, 2},
    datetime.timedelta(1),
    np.timedelta64(1),
    np.array(["a"]),
    np.array([None, 1], dtype=object),
    np.array([1 + 1j]),
    memoryview(b"ab"),
    decimal.Decimal("sNaN"),
    lambda: 1,
)


def numbers(domain: Domain) -> st.SearchStrategy[float]:
    """Draw numbers of a domain: its ends, their neighbours, and others of every magnitude."""
    low, high = max(domain.low, -1e300), min(domain.high, 1e300)
    if domain.whole:
        low, high = max(low, -(10**12)), min(high, 10**12)
        inside = st.integers(int(low), int(high))
        return inside | st.sampled_from([int(low), int(high)]) | st.integers(int(low), int(low) + 9)
    ends = [low, np.nextafter(low, high), np.nextafter(high, low), high]
    magnitudes = st.floats(-300, 300).map(lambda power: 10.0**power)
    signed = magnitudes | magnitudes.map(lambda size: -size)
    inside = st.floats(low, high) | st.sampled_from(ends) | signed
    return inside.map(float).filter(lambda value: bool(domain.contains(np.array(value))))


def beyond(domain: Domain) -> st.SearchStrategy[float]:
    """Draw numbers that a domain does not allow, most of them near its ends."""
    ends = [np.nextafter(domain.low, -np.inf), np.nextafter(domain.high, np.inf)]
    ends += [domain.low, domain.high, 0.0, -1.0, 0.5, 1.5, 1e-320, 1e308, -1e308]
    return st.sampled_from([end for end in ends if not domain.contains(np.array(end))])


odd = st.integers(0, len(ODD) - 1).map(ODD.__getitem__)  # some cannot be hashed
