"""One ε of a case in every meaning: what is kept, and where each number lies on its scale."""

import pytest

from dpwidgets.calculators import meanings
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.meanings import portrait

HOSPITAL = {"published": "count", "n": 2000, "releases": 12, "prior": 0.2, "delta": 1e-6} | {
    "reference": 400,
    "confidence": 0.95,
}


def test_the_first_are_kept_or_all():
    every = meanings.meanings(Case(**HOSPITAL))
    first = [row.meaning.name for row in portrait(0.2, **HOSPITAL).rows]
    assert first == [one.name for one in every if one.first]
    rows = portrait(0.2, rows="all", **HOSPITAL).rows
    assert [row.meaning.name for row in rows] == [one.name for one in every]


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 10.0])
def test_the_mark_moves_from_the_private_end_to_the_other(epsilon):
    case = Case(**HOSPITAL)
    for row in portrait(epsilon, rows="all", **HOSPITAL).rows:
        assert row.value == pytest.approx(float(row.meaning.value(case.scale(epsilon))))
        assert row.ends == tuple(row.meaning.value(case.scale(end)) for end in meanings.ENDS)
        expected = {0.01: 0, 10.0: 1}.get(epsilon)
        if expected is None:
            assert 0 < row.place < 1
        else:
            assert row.place == pytest.approx(expected, abs=1e-9)


def test_beyond_the_scale_the_mark_is_beyond():
    rows = portrait(20, **HOSPITAL).rows
    assert all(row.place >= 1 for row in rows)


def test_bad_input():
    with pytest.raises(ValueError, match=r"^epsilon must be a number from 1e-8 to 1000; got 0"):
        portrait(0, published="count")
    with pytest.raises(ValueError, match=r"^rows must be one of 'first', 'all'; got 'some'"):
        portrait(1, published="count", rows="some")
    with pytest.raises(ValueError, match="n must be public for a mean"):
        portrait(1, published="mean", low=0, high=1)
