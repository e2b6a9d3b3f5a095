"""The interval text's calculator against mpmath, the law of the noise and itself backwards."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from mpmath import mpf

from dpwidgets.calculators import interval
from dpwidgets.calculators.interval import (
    CONFIDENCE,
    COUNT,
    EPSILON,
    HALF_WIDTH,
)
from dpwidgets.inputs.domain import ALMOST_ONE, NUMBER
from strategies import asked, numbers

mpmath.mp.dps = 50
widths, chances, counts = map(numbers, (HALF_WIDTH, CONFIDENCE, COUNT))


def close(computed, expected, tolerance=1e-13):
    return abs(mpf(computed) - expected) <= tolerance * abs(expected) + 1e-320


@given(numbers(EPSILON), widths, chances, counts, widths)
def test_equations_9_and_10(e, w, p, c, s):
    """One product determines all: each number is solved for, or refused beyond its domain."""
    reached = asked(interval.confidence, e, w, c, s)
    assert close(reached, min(-mpmath.expm1(-mpf(e) * w * c / s), ALMOST_ONE))
    for sure in (p, reached):
        for solve, domain, of in (
            (interval.epsilon, EPSILON, {"half_width": w, "count": c}),
            (interval.half_width, HALF_WIDTH, {"epsilon": e, "count": c}),
            (interval.count, COUNT, {"epsilon": e, "half_width": w}),
        ):
            found = asked(solve, **of, confidence=sure, sensitivity=s)
            expected = (
                -mpmath.log1p(-mpf(sure))
                * s
                / math.prod(map(mpf, of.values()))
            )
            inside = domain.low <= expected <= domain.high
            if found is None:
                assert not inside
            else:  # just beyond an end it is the end
                assert close(found, expected, 1e-13 if inside else 1.1e-12)


@given(widths, chances)
def test_coverage_is_the_probability_of_its_event(w, p):
    """For a count of 1: ĉ above 1/(1 + w), and for w < 1 below 1/(1 − w)."""
    rate = mpmath.log1p(-mpf(p))
    beyond = mpmath.expm1(rate / (1 - mpf(w))) if w < 1 else -1
    assert close(
        asked(interval.coverage, w, p),
        -(mpmath.expm1(rate / (1 + mpf(w))) + beyond) / 2,
    )


@given(
    counts,
    numbers(NUMBER) | st.floats(-1e3, 1e3),
    st.booleans(),
    widths,
    chances,
)
@example(2275398025.295, 0.499994, True, 1e-6, 0.999)  # halfway between both
def test_neighbour_loss_keeps_its_digits(c, number, near, w, p):
    """The two distances nearly cancel where the count is large."""
    answer = c + number if near else number
    rate = -mpmath.log1p(-mpf(p)) / w
    here = abs(mpf(answer) - c) / c
    there = abs(mpf(answer) - c - 1) / (mpf(c) + 1)
    growth, distance = mpmath.log1p(1 / mpf(c)), rate * (there - here)
    error = abs(
        asked(interval.neighbour_loss, answer, c, w, p) - (growth + distance)
    )
    assert error <= 1e-13 * (growth + abs(distance) + rate / c / (c + 1))


def test_a_statement_completes_any_three():
    whole = interval.precision(half_width=0.2, confidence=0.8, count=100)
    names = ("epsilon", "half_width", "confidence", "count")
    for missing in names:
        three = {
            name: getattr(whole, name) for name in names if name != missing
        }
        again = interval.precision(**three)
        assert getattr(again, missing) == pytest.approx(
            getattr(whole, missing), rel=1e-14
        )
        assert (again.low, again.high, again.scale) == pytest.approx(
            (80, 120, 1 / whole.epsilon)
        )
        inside = again.contains(np.array([79, 81, 100, 119, 121]))
        assert inside.tolist() == [False, True, True, True, False]
