"""What the fuzz of the rooms shares: numbers at the edges of a domain, and silence."""

import contextlib
import math
import warnings

import numpy as np
from hypothesis import strategies as st

from dpwidgets.calculators.domain import Domain, DomainError


def numbers_of(domain: Domain):
    """Draw numbers of a domain: its ends, near its ends, and of every magnitude inside."""
    low, high = domain.low, domain.high
    if domain.whole:
        most = int(min(high, 10**15))
        near = st.integers(int(low), min(int(low) + 5, most)) | st.integers(
            max(most - 5, int(low)), most
        )
        logs = st.floats(math.log(max(low, 1)), math.log(most)).map(
            lambda log: round(math.exp(log))
        )
        return near | logs.filter(lambda number: low <= number <= high)
    ends = [low, high, *np.nextafter([low, high], [high, low]).tolist()]
    ends += [low + (high - low) * share for share in (1e-12, 0.5, 1 - 1e-12)]
    smallest, largest = max(low, 1e-300), min(high, 1e300)
    logs = st.floats(math.log(smallest), math.log(largest)).map(math.exp)
    drawn = st.sampled_from(ends) | logs | st.floats(low, high)
    if low < 0:
        drawn |= logs.map(lambda number: -number)
    if high == 1:
        drawn |= st.floats(-36, -1).map(lambda log: 1 - math.exp(log))
    return drawn.filter(lambda number: bool(domain.contains(np.asarray(float(number)))))


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
