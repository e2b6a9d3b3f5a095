"""The explorer of the interval in which a count is known."""

import math

import numpy as np

from dpwidgets.calculators import interval
from dpwidgets.inputs.domain import ALMOST_ONE
from dpwidgets.inputs.notation import down, percent, show, up
from dpwidgets.page.explorer import Explorer, Values
from dpwidgets.page.parameters import (
    Epsilon,
    Number,
    SolveFor,
    Views,
    whole_grid,
)
from dpwidgets.plots import interval as plots
from dpwidgets.plots.panel import Drawn

_PERCENTS = np.arange(1, 101) / 100


class IntervalExplorer(Explorer):
    """ε, half-width, confidence and count: three of them are given, the fourth follows.

    Naldi and D'Acquisto (2015).

    Examples
    --------
    >>> explorer = IntervalExplorer(half_width=0.1)
    >>> round(explorer.epsilon, 4)
    0.1609
    >>> explorer.solve_for = "confidence"
    >>> explorer.epsilon = 0.08
    >>> round(explorer.confidence, 4)
    0.5507
    """

    epsilon: Number = Epsilon(0.08, "eq. (10)")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    half_width: Number = Number(
        0.2,
        interval.HALF_WIDTH,
        _PERCENTS,
        "Half-width (w)",
        "share of the count",
        "eq. (7)",
        ends=("precise", "vague"),
    )
    """Half the width of the interval, as a share of the count: 0.2 is ±20%."""
    confidence: Number = Number(
        0.8,
        interval.CONFIDENCE,
        _PERCENTS[:-1],
        "Confidence (p)",
        "probability",
        "eq. (9)",
        ends=("rarely", "nearly always"),
    )
    """How often the noisy answer lies in the interval."""
    count: Number = Number(
        100.0, interval.COUNT, whole_grid(5), "Count (c)", "people", "eq. (5)"
    )
    """The count that the interval surrounds: a public reference, never the secret itself."""
    solve_for: SolveFor = SolveFor(
        epsilon="ε",
        half_width="half-width",
        confidence="confidence",
        count="count",
        next_to_follow="confidence",
    )
    """Which of the four follows from the other three."""
    calculator = interval.precision
    view: Views = Views(
        answer=("The noisy answer", plots.Answer),
        curves=("Equal ε", plots.IsoEpsilon),
    )
    """Which picture is shown."""

    def say(self, result: interval.Precision, now: Values) -> str:
        # As many digits as tell the count and the interval's ends apart.
        digits = 3 + max(0, math.floor(-math.log10(result.half_width)))
        count = up(result.count, show, digits)
        low = down(result.low, show, digits)
        high = up(result.high, show, digits)
        epsilon = up(result.epsilon)
        if now["view"] == "answer":
            return f"With ε = {epsilon} and a count of {count}, that is from {low} to {high}."
        how_often = f"with a probability of {down(result.confidence, percent)}"
        if result.confidence == ALMOST_ONE:
            how_often = "with a probability closer to 1 than can be written"
        return (
            f"With ε = {epsilon}, the noisy answer to a "
            f"count of {count} lies within ±{up(result.half_width, percent)}, from "
            f"{low} to {high}, {how_often}."
        )

    def say_drawn(self, drawn: Drawn) -> str:
        result = drawn.result
        draws = drawn.draws
        around = f"within ±{up(result.half_width, percent)} of the count"
        inside = int(result.contains(draws).sum())
        if draws.size == 1:
            where = "lies" if inside else "does not lie"
            return f"The noisy answer drawn is {show(draws[0])}. It {where} {around}."
        lie = "lies" if inside == 1 else "lie"
        expected = down(result.confidence, percent)
        return (
            f"Of {show(draws.size)} noisy answers {show(inside)} {lie} {around}: "
            f"{percent(inside / draws.size)}. {expected} are to be expected."
        )
