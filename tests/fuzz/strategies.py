"""What the fuzz of all rooms shares: numbers at the edges of a domain, odd things, and silence."""

import contextlib
import datetime
import decimal
import fractions
import math
import warnings

import numpy as np
from hypothesis import strategies as st

from dpwidgets.inputs.domain import DomainError

# Where a domain ends at 0, or does not end.
_SMALLEST, _LARGEST = 1e-300, 1e300

#: What no argument for numbers takes.
NO_NUMBERS = (
    None, True, "0.5", b"1", bytearray(b"12"), 1j, 10**400, object(), {}, [1, [2]], [[1, 2], [3]],
    10**5000,  # of more digits than Python writes
    fractions.Fraction(10**400, 3), decimal.Decimal("sNaN"), [1, 10**400], datetime.timedelta(1),
    np.timedelta64(1, "D"), np.timedelta64(1, "ns"), np.array([1, 2], dtype="timedelta64[ns]"),
    np.datetime64("2020-01-31"), np.array(["2020-01-31"], dtype="datetime64[ns]"), [0.5, True],
    np.bool_(True), np.array([None, 1], dtype=object), np.array([1 + 1j]), np.array([b"1"]),
    np.ma.array([1.0, 2.0], mask=[0, 1]), lambda: 1,
)  # fmt: skip
#: What a caller may pass by mistake. Hardly any argument takes any of it.
ODD = (
    *NO_NUMBERS,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    0,
    [],
    np.timedelta64(1),
)
# Some cannot be hashed.
odd = st.integers(0, len(ODD) - 1).map(ODD.__getitem__)


def numbers(domain):
    """Draw numbers of a domain: its ends, near its ends, and of every magnitude inside."""
    low, high = max(domain.low, -_LARGEST), min(domain.high, _LARGEST)
    magnitudes = st.floats(math.log(max(low, _SMALLEST)), math.log(high)).map(
        math.exp
    )
    if domain.whole:
        ends = [low, low + 1, low + 2, low + 5, high - 5, high - 1, high]
        drawn = st.sampled_from(
            [int(min(end, 10**15)) for end in ends]
        ) | magnitudes.map(round)
    else:
        with np.errstate(under="ignore"):  # next to 0
            ends = [
                low,
                high,
                *np.nextafter([low, high], [high, low]).tolist(),
            ]
        ends += [
            low + (high - low) * share for share in (1e-12, 0.5, 1 - 1e-12)
        ]
        drawn = st.sampled_from(ends) | magnitudes | st.floats(low, high)
        if low < 0:
            drawn |= magnitudes.map(lambda number: -number)
        if high == 1:
            drawn |= st.floats(-36, -1).map(lambda log: 1 - math.exp(log))
    return drawn.filter(
        lambda number: bool(domain.contains(np.asarray(float(number))))
    )


def beyond(domain):
    """Draw numbers that a domain does not allow, most of them near its ends."""
    ends = [
        np.nextafter(domain.low, -np.inf),
        np.nextafter(domain.high, np.inf),
        domain.low,
        domain.high,
        0.0,
        -1.0,
        0.5,
        1.5,
        1e-320,
        1e308,
        -1e308,
    ]
    return st.sampled_from(
        [end for end in ends if not domain.contains(np.array(end))]
    )


@contextlib.contextmanager
def silence():
    """Turn every warning into an error, whatever numpy would rather let pass."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


def asked(function, *arguments, **named):
    """Call a function in silence; return None where it refuses by naming an argument."""
    with silence():
        try:
            return function(*arguments, **named)
        except DomainError as refused:
            argument, message = refused.argument, str(refused)
    assert argument, message
    assert " must " in message
    return None
