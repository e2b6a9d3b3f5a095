"""How long the calculators take, each beside a named way to do the same without them.

To add a bench, write a function under `@bench` that yields rows; its name is the room's word.
"""

import math
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from dpwidgets.calculators import interval


class Row(NamedTuple):
    """A calculation and its alternative, each with its seconds."""

    what: str
    seconds: float
    alternative: str
    its_seconds: float


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {}


def bench(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Have `make bench` run this function."""
    BENCHES[function.__name__.removesuffix("_bench")] = function
    return function


def seconds(call: Callable[[], object], runs: int = 7) -> float:
    """Return the median of the seconds that a call takes."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@bench
def interval_bench() -> Iterator[Row]:
    confidences = np.linspace(0.001, 0.999, 10**6)
    numbers = confidences.tolist()
    yield Row(
        "a million `interval.epsilon`, in one call",
        seconds(lambda: interval.epsilon(half_width=0.2, confidence=confidences, count=100)),
        "a Python loop over `math.log1p`",
        seconds(lambda: [-math.log1p(-p) / (0.2 * 100) for p in numbers]),
    )
