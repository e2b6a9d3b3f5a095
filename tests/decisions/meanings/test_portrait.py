"""One ε of a case in every meaning: what is kept, and where each number lies on its scale."""

import pytest

import known
from dpwidgets.decisions.meanings import ENDS, meanings, portrait

HOSPITAL = known.HOSPITAL.to_dict() | {"releases": 12}


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 10.0, 20.0])
def test_the_mark_moves_from_the_private_end_to_the_other_and_beyond(epsilon):
    whole = portrait(epsilon, rows="all", **HOSPITAL)
    every = meanings(whole.case)
    assert [row.meaning for row in whole.rows] == list(every)
    first = portrait(epsilon, **HOSPITAL).rows
    assert [row.meaning for row in first] == [
        one for one in every if one.first
    ]
    assert len(first) <= 8
    low, high = {
        0.01: (-1e-9, 1e-9),
        10.0: (1 - 1e-9, 1 + 1e-9),
        20.0: (1, 9),
    }.get(epsilon, (0, 1))
    for row in whole.rows:
        assert row.value == row.meaning.value(whole.case.scale(epsilon))
        assert row.ends == tuple(
            row.meaning.value(whole.case.scale(end)) for end in ENDS
        )
        assert low <= row.place <= high
