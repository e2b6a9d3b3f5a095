"""What a query says of each possible world, and by how much one more record changes it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpwidgets.calculators.candidates import Query, ask
from dpwidgets.inputs.domain import FloatArray

# Each of these returns the answer of each world, in the order of the values, and Δf.
Answers = tuple[FloatArray, float]


def by_definition(values: FloatArray, query: Query) -> Answers:
    def without(left_out: int | list[int]) -> float:
        return ask(query, np.delete(ordered, left_out))

    order = np.argsort(values)
    ordered = values[order]  # so that the worlds of two equal records are the same to the last bit
    answers, sensitivity = np.empty(values.size), 0.0
    answers[order] = sorted_answers = [without(i) for i in range(values.size)]
    for j in range(values.size):
        for i in range(j):
            smaller = without([i, j])
            sensitivity = max(
                sensitivity, abs(sorted_answers[i] - smaller), abs(sorted_answers[j] - smaller)
            )
    return answers, sensitivity


def _mean(values: FloatArray) -> Answers:
    others, ordered = values.size - 1, np.sort(values)
    # The largest record leaves the world that lacks the second largest, or likewise at the lower
    # end.
    changes = ordered[-1] - ordered[:-2].mean(), ordered[2:].mean() - ordered[0]
    return (values.sum() - values) / others, float(max(changes)) / others


def _sum(values: FloatArray) -> Answers:
    return values.sum() - values, float(np.abs(values).max())


def _count(values: FloatArray) -> Answers:
    return _sum((values != 0).astype(float))


def _variance(values: FloatArray) -> Answers:
    n, order = values.size, np.argsort(values)
    ordered = values[order] - values.mean()  # the variance stays, and large values lose no digits
    centres, _ = _mean(ordered)
    squares = ordered**2
    left = squares.sum() - squares * n / (n - 1)
    variances = np.maximum(left, 0) / (n - 1)  # rounding may leave less than 0
    # A world changes most when the record farthest from its mean leaves, or the nearest. They are
    # among these; a record that the world lacks is passed over.
    near, sensitivity = np.searchsorted(ordered, centres), 0.0
    for leaving in (0, 1, n - 2, n - 1, near - 2, near - 1, near, near + 1):
        leaving = np.clip(leaving, 0, n - 1)
        changes = ((ordered[leaving] - centres) ** 2 * (n - 1) / (n - 2) - variances) / (n - 2)
        sensitivity = max(
            sensitivity, np.abs(changes).max(where=leaving != np.arange(n), initial=0.0)
        )
    answers = np.empty(n)
    answers[order] = variances
    return answers, float(sensitivity)


def _of_few(values: FloatArray, seen: slice, query: Query) -> Answers:
    """Answer a query that sees a few ranks.

    To lose a record beyond them is to lose the nearest of them.
    """
    few = np.sort(values)[seen]
    answers, sensitivity = by_definition(few, query)
    return answers[np.searchsorted(few, np.clip(values, few[0], few[-1]))], sensitivity


def _median(values: FloatArray) -> Answers:
    beyond = max(0, (values.size - 5) // 2)  # the middle five or six are left
    return _of_few(values, slice(beyond, values.size - beyond), lambda few: float(np.median(few)))


def _min(values: FloatArray) -> Answers:
    return _of_few(values, slice(3), np.min)


def _max(values: FloatArray) -> Answers:
    return _of_few(values, slice(-3, None), np.max)


QUERIES: dict[str, Callable[[FloatArray], Answers]] = {
    "mean": _mean,
    "median": _median,
    "sum": _sum,
    "count": _count,
    "min": _min,
    "max": _max,
    "variance": _variance,
}
