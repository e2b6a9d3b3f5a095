"""Quantiles by the exponential mechanism: all small data and all their neighbours, and OpenDP."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpwidgets.decisions.quantiles import Quantile
from peer import ask_opendp

GRID = (0.0, 1.0, 2.5, 4.0)
#: On the grid, between its numbers, and beyond both ends.
VALUES = (-1.0, 0.0, 1.7, 2.5, 9.0)
SHARES = (0.5, 0.1, 0.75)


def exact(values, share):
    """Return the rank errors by the definition, in fractions."""
    share = Fraction(share)
    return [
        abs(
            (1 - share) * sum(value < one for value in values)
            - share * sum(value > one for value in values)
        )
        for one in GRID
    ]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("neighbours", ["add/remove", "replace"])
def test_no_two_neighbours_of_small_data_are_told_apart_by_more(
    share, neighbours
):
    """All data of up to four people; the largest ratio comes near e^ε, and the range of it too."""
    made = Quantile(grid=GRID, epsilon=0.8, share=share, neighbours=neighbours)
    worst = changed = 0.0
    for size in range(4):
        for values in itertools.combinations_with_replacement(VALUES, size):
            for one in VALUES:
                first, second = (*values, one), values
                others = VALUES if neighbours == "replace" else [None]
                for other in others:
                    if other is not None:
                        second = (*values, other)
                    p, q = made.law(first), made.law(second)
                    errors = exact(first, share), exact(second, share)
                    changed = max(
                        changed,
                        *(abs(a - b) for a, b in zip(*errors, strict=True)),
                    )
                    lost = np.log(p / q)
                    # Of a bounded range, from which ρ = ε²/8 follows.
                    assert np.ptp(lost) <= 0.8 + 1e-12
                    worst = max(worst, np.abs(lost).max())
    assert float(changed) == pytest.approx(made.sensitivity, rel=1e-12)
    assert 0.3 < worst <= 0.8


@given(
    st.lists(st.sampled_from(VALUES), min_size=1, max_size=30),
    st.sampled_from(SHARES),
    st.floats(0.01, 20),
)
def test_its_law_and_its_errors_are_those_of_the_definition(
    values, share, epsilon
):
    made = Quantile(grid=GRID, epsilon=epsilon, share=share)
    errors = exact(values, share)
    weights = [
        math.exp(-epsilon * (one - min(errors)) / 2 / made.sensitivity)
        for one in errors
    ]
    law = [one / sum(weights) for one in weights]
    assert made.law(values) == pytest.approx(law, rel=1e-9)
    truth = sorted(values)[math.ceil(Fraction(share) * len(values)) - 1]
    off = sum(
        one * abs(place - truth) for one, place in zip(law, GRID, strict=True)
    )
    assert made.mean_error(values) == pytest.approx(off, rel=1e-9)
    for sure in (0.1, 0.5, 0.95):
        most = made.rank_error(sure) * (1 + 1e-12)
        kept = sum(
            one
            for one, error in zip(law, errors, strict=True)
            if error - min(errors) <= most
        )
        assert kept >= sure - 1e-12


def test_a_rank_error_is_no_larger_than_all_data_need():
    """Where one number of the grid is right and all others are as bad as allowed."""
    made = Quantile(grid=(0, 1), epsilon=0.01)
    bound = made.rank_error(0.9)
    values = [0] * math.floor(2 * bound)
    assert made.law(values)[0] == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grid": [1]}, "grid must be 2 to 10,000 numbers that rise"),
        ({"grid": [1, 1]}, "grid must be 2 to 10,000 numbers that rise"),
        ({"grid": [[1, 2]]}, "grid must be 2 to 10,000 numbers that rise"),
        ({"grid": range(10_001)}, "grid must be 2 to 10,000 numbers"),
        ({"epsilon": 0}, "epsilon must be"),
        ({"share": 1}, "share must be"),
        ({"neighbours": "both"}, "neighbours must be"),
    ],
)
def test_what_it_cannot_take_is_named(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Quantile(**{"grid": GRID, "epsilon": 1} | given)


def test_nobody_has_no_median():
    made = Quantile(grid=GRID, epsilon=1)
    assert made.law([]).tolist() == [0.25] * 4
    with pytest.raises(ValueError, match="values must be one number at least"):
        made.mean_error([])


@pytest.mark.slow
def test_opendp_draws_by_our_law_and_claims_our_rho(tmp_path):
    made = [
        Quantile(grid=GRID, epsilon=1.5, share=share, neighbours=neighbours)
        for share in SHARES
        for neighbours in ("add/remove", "replace")
    ]
    values = [-1.0, 0.0, 1.7, 1.7, 9.0]
    programs = [
        re.sub(r"\[grid\[0\]\] \* 3 ", f"{values} ", one.code())
        + "for _ in range(4000):\n    print(grid[release(data)])\n"
        for one in made
    ]
    for one, (_, rho, *drawn) in zip(
        made, ask_opendp(tmp_path, programs), strict=True
    ):
        assert float(rho.split()[-1]) == pytest.approx(one.rho, rel=1e-6)
        counts = Counter(map(float, drawn))
        found = [counts[place] / len(drawn) for place in GRID]
        assert found == pytest.approx(one.law(values).tolist(), abs=0.04)
