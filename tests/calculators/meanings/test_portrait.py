"""One ε in every meaning: what is kept, and where each number lies on its scale."""

import pytest

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import portrait


@pytest.mark.parametrize("mechanism", ["any", "Laplace"])
@pytest.mark.parametrize("neighbours", ["add/remove", "replace"])
def test_it_keeps_what_holds(mechanism, neighbours):
    kept = {
        row.meaning.name for row in portrait(0.5, mechanism=mechanism, neighbours=neighbours).rows
    }
    expected = {
        meaning.name
        for meaning in meanings.meanings()
        if meaning.mechanism in ("any", mechanism)
        and meaning.neighbours in ("either", neighbours)
        and meaning.releases == "one"
    }
    assert kept == expected


def test_several_releases_are_added():
    one, many = (portrait(0.5, releases=releases).rows for releases in ("one", "many"))
    added = {row.meaning.name for row in many} - {row.meaning.name for row in one}
    assert added
    assert all("several releases" in name for name in added)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 10.0])
def test_the_mark_moves_from_one_end_to_the_other(epsilon):
    for row in portrait(epsilon, releases="many").rows:
        assert row.value == pytest.approx(float(row.meaning.value(epsilon)))
        expected = {0.01: 0, 10.0: 1}.get(epsilon)
        if expected is None:
            assert 0 < row.place < 1
        else:
            assert row.place == pytest.approx(expected, abs=1e-9)


def test_beyond_the_scale_the_mark_is_beyond():
    assert all(row.place > 1 for row in portrait(20, mechanism="any").rows)


def test_bad_input():
    with pytest.raises(ValueError, match=r"^epsilon must be a number from 1e-8 to 1000; got 0"):
        portrait(0)
    with pytest.raises(
        ValueError, match=r"^neighbours must be one of 'add/remove', 'replace'; got 'either'"
    ):
        portrait(1, neighbours="either")
