"""The interval text's calculator against mpmath, the law of the noise and itself backwards."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.calculators import interval, noise
from dpwidgets.inputs.domain import ALMOST_ONE, DomainError

mpmath.mp.dps = 50


def exact(function, *numbers):
    return function(*(mpmath.mpf(number) for number in numbers))


def either(low, high, *more):
    """Draw a number of a range, or one of those at and beyond which digits are lost."""
    return st.floats(low, high) | st.sampled_from(more)


def close(computed, expected):
    return abs(mpmath.mpf(computed) - expected) <= 1e-13 * abs(expected)


def check_solved(function, domain, expected, *numbers):
    """Check a solved number, or, where it lies outside its domain, that the error says so."""
    if domain.low <= expected <= domain.high:
        assert close(function(*numbers), expected), (function, numbers)
    else:
        with pytest.raises(DomainError, match=f" here: it would take .* is {domain.allowed}"):
            function(*numbers)


@given(
    either(1e-8, 50, 1e-3, 0.0805),
    either(1e-6, 10, 1e-12, 0.999, 1.0),
    either(1e-290, 1 - 1e-15, 1e-9, 0.999999),
    either(1e-3, 1e12, 1.0, 100.0),
    either(0.1, 10, 0.5, 1.0, 3.0),
)
def test_equations_9_and_10(e, w, p, c, s):
    """One product determines all: the third number takes each of the places in turn."""
    expected = exact(lambda e, w, c, s: -mpmath.expm1(-e * w * c / s), e, w, c, s)
    assert close(interval.confidence(e, w, c, s), min(expected, ALMOST_ONE))
    expected = exact(lambda w, p, c, s: -mpmath.log1p(-p) * s / (w * c), w, p, c, s)
    check_solved(interval.epsilon, interval.EPSILON, expected, w, p, c, s)
    if interval.EPSILON.low <= w <= interval.EPSILON.high:
        check_solved(interval.half_width, interval.HALF_WIDTH, expected, w, p, c, s)
        check_solved(interval.count, interval.COUNT, expected, w, c, p, s)


def test_a_number_that_would_leave_its_domain_is_refused_with_a_reason():
    for function, numbers, message in (
        (interval.epsilon, (1e-6, 0.8, 100), r"half_width must be wider here: .* ε = 1\.61e\+04"),
        (interval.epsilon, (1e9, 0.8, 100), "half_width must be narrower here"),
        (interval.count, (1e-8, 1e-9, 0.8), "epsilon must be larger here: .* count = "),
        (interval.epsilon, (0.2, 0.8, 0), "nothing: epsilon would be infinite"),
    ):
        with pytest.raises(DomainError, match=message) as caught:
            function(*numbers)
        assert str(caught.value).startswith(caught.value.argument)


@given(either(0.001, 10, 1.0), st.floats(1e-6, 1 - 1e-12))
def test_coverage_is_the_probability_of_its_event(w, p):
    """For a count of 1: ĉ above 1/(1 + w), and for w < 1 below 1/(1 − w)."""
    law = noise.Laplace(scale=-w / np.log1p(-p))
    beyond = law.cdf(-w / (1 - w)) if w < 1 and w / (1 - w) < 1e300 else 0.0
    assert interval.coverage(w, p) == pytest.approx(1 - law.cdf(-w / (1 + w)) - beyond, rel=1e-9)


@given(
    st.floats(-1e3, 1e3) | st.floats(-1e100, 1e100),
    st.floats(1e-6, 1e12),
    st.floats(1e-6, 10),
    st.floats(1e-6, 1 - 1e-12),
)
def test_neighbour_loss_keeps_its_digits(away, c, w, p):
    """The two distances nearly cancel where the count is large."""
    answer = float(c + away)

    def loss(answer, c, w, p):
        rate = -mpmath.log1p(-p) / w
        here, there = abs(answer - c) / c, abs(answer - c - 1) / (c + 1)
        return [mpmath.log1p(1 / c), rate * (there - here)]

    growth, distance = exact(loss, answer, c, w, p)
    error = abs(interval.neighbour_loss(answer, c, w, p) - (growth + distance))
    assert error <= 1e-13 * (growth + abs(distance)) + 1e-13 * float(-np.log1p(-p) / w / c)


def test_a_statement_completes_any_three():
    whole = interval.precision(half_width=0.2, confidence=0.8, count=100)
    names = ("epsilon", "half_width", "confidence", "count")
    for missing in names:
        three = {name: getattr(whole, name) for name in names if name != missing}
        again = interval.precision(**three)
        assert getattr(again, missing) == pytest.approx(getattr(whole, missing), rel=1e-14)
        assert (again.low, again.high, again.scale) == pytest.approx((80, 120, 1 / whole.epsilon))
    for given_ in ({}, {"epsilon": 1}, dict.fromkeys(names, 0.5)):
        with pytest.raises(TypeError, match="all but one of epsilon, half_width, confidence"):
            interval.precision(**given_)


def test_a_statement_has_the_neighbours_loss_of_its_function():
    said = interval.precision(half_width=0.2, confidence=0.8, count=100)
    answers = np.array([500, 999, 1000, 1000.5, 1001, 1600])
    expected = interval.neighbour_loss(answers, 100, 0.2, 0.8)
    assert said.neighbour_loss(answers) == pytest.approx(expected, rel=1e-12)
    sure = interval.precision(epsilon=1, half_width=0.2, count=1000)  # its confidence rounds to 1
    here, there = noise.Laplace(1), noise.Laplace(1001 / 1000)
    expected = np.log(here.density(answers - 1000)) - np.log(there.density(answers - 1001))
    assert sure.neighbour_loss(answers) == pytest.approx(expected, abs=1e-12)
