"""The page: each parameter has a control, and each part of the page something to show."""

import re

import numpy as np
import pytest

from dpwidgets.page.parameters import Number, even_grid
from tools import ask, every, shown


@every
def test_each_parameter_has_one_control_with_its_name_and_each_part_something_to_show(kind):
    def parts(about):
        yield about
        for part in about.get("parts", ()):
            yield from parts(part)

    explorer = kind()
    named = [part for part in parts(explorer._about) if "name" in part]
    names = [part["name"] for part in named]
    assert len(names) == len(set(names))
    assert set(kind.parameters()) <= set(names)
    assert set(explorer._shown) - {""} <= set(names)
    for part in named:  # nothing about a button changes
        fixed = part["kind"] in ("press", "file") or "text" in part
        assert fixed or part["name"] in explorer._shown
    for name, trait in kind.parameters().items():
        if isinstance(trait, Number):
            assert trait.about()["hint"] == " · ".join(filter(None, [trait.unit, trait.equation]))
            assert not re.search(r"eq\.|Def\.|Sec\.", trait.unit)  # questions ask in units
            assert re.fullmatch(r".+ = −?[\d.,]+(e-\d+)?", shown(explorer, name)["spoken"])
            if not shown(explorer, name)["solved"]:  # it is kept also where the value follows
                ask(explorer, name, text="abc")
                assert shown(explorer, name)["text"] == "abc"
                assert "“abc” is not a number" in explorer.messages[name]


def test_an_even_grid_has_about_a_hundred_round_stops():
    ranges = [(0, 1), (-4, 11), (-3.67, 10.67), (2e-9, 3e-9), (-1e12, 7e12), (-1e300, 2e300)]
    for low, high in [*ranges, (1e15, 1e15 + 3)]:
        grid = even_grid(low, high)
        step = grid[1] - grid[0]
        assert low <= grid[0] <= low + 1.01 * step
        assert high - 1.01 * step <= grid[-1] <= high
        assert 75 <= grid.size <= 202 or low > 1e14  # no more than there are floats
        assert np.diff(grid) == pytest.approx(step, rel=0.01) or low > 1e14
    assert max(len(f"{stop:.12g}") for stop in even_grid(0.1, 1.7)) <= 5
