"""The page: what its controls say. Lists of numbers: how they are read, written and refused."""

import re

import numpy as np
import pytest

import dpwidgets
from dpwidgets.inputs.column import read_column, write_column
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
        assert (
            part["kind"] in ("press", "file") or "text" in part or part["name"] in explorer._shown
        )
    for name, trait in kind.parameters().items():
        if isinstance(trait, Number):
            assert trait.about()["label"] == trait.label
            assert re.fullmatch(r".+ = −?[\d.,]+(e-\d+)?", shown(explorer, name)["spoken"])
            if not shown(explorer, name)["solved"]:  # it is kept also where the value follows
                ask(explorer, name, text="abc")
                assert shown(explorer, name)["text"] == "abc"
                assert "“abc” is not a number" in explorer.messages[name]


def test_the_words_tell_the_value_and_not_the_nearest_stop():
    explorer = dpwidgets.IntervalExplorer()

    def spoken(name):
        return shown(explorer, name)["spoken"]

    assert spoken("epsilon") == "ε = 0.080472"  # solved for: as many digits as in the box
    ask(explorer, "half_width", place=20)
    assert spoken("half_width") == "w = 0.21"
    explorer.half_width = 0.123456789
    assert spoken("half_width") == "w = 0.123456789"
    explorer.count = 10**7
    assert spoken("count") == "c = 10,000,000"
    assert shown(explorer, "count")["place"] == shown(explorer, "count")["max"]
    assert shown(dpwidgets.LossExplorer(), "trials")["spoken"] == "Trials = 20"
    for place, value in ((-5, 0.01), (10**6, 1.0)):  # beyond the slider is its end
        ask(explorer, "half_width", place=place)
        assert explorer.half_width == value


def test_a_page_hears_that_its_event_was_taken_even_if_that_failed(monkeypatch):
    explorer = dpwidgets.IntervalExplorer()
    monkeypatch.setattr(explorer, "asked", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ask(explorer, "half_width", place=3)
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]


def test_a_list_is_read_as_people_write_it():
    for text, column in {
        "1, 2, 3, 10": (1, 2, 3, 10),
        "1 2\t3\n10": (1, 2, 3, 10),
        "1,2,3,10": (1, 2, 3, 10),
        " 1; 2;3;10; ": (1, 2, 3, 10),
        "1,\n2,\n3": (1, 2, 3),
        "1.5,2.5, −3": (1.5, 2.5, -3),
        "0,5; 1,5; 2": (0.5, 1.5, 2),
        "1e-3 5% 1/4": (0.001, 0.05, 0.25),
        "ln 3; 2 ln 3; 1": (np.log(3), 2 * np.log(3), 1),
        "Chris: 1, Kelly: 2": {"Chris": 1, "Kelly": 2},
        "Chris: 1\nKelly : 2\n": {"Chris": 1, "Kelly": 2},
        "Smith,  J.: 0,5; at 10:30: 2": {"Smith, J.": 0.5, "at 10:30": 2},
    }.items():
        assert read_column(text) == column


def test_what_is_no_list_is_refused_with_its_entry():
    for text, message in {
        "1,5 2 3": "“1,5” may mean one number or several; write 0.5, put a space after",
        "2, 1,000": "“1,000” may mean one number or several",
        "2; 1,000": "the 2nd entry: “1,000” may mean 1000 or 1.000",
        "1,200,000 950": "“1,200,000” may mean one number or several",
        "1, 2, x, 4": "the 3rd entry: “x” is not a number; write it like 0.08",
        "1,, 2": "the 2nd entry: a number is missing",
        "": "the 1st entry: a number is missing",
        "1, 2, 1e999": "the 3rd entry: “1e999” is too large",
        "Chris: 1, 2": "either every number has a name before a colon or none has",
        ": 1, : 2": "either every number has a name before a colon or none has",
        "Pat: 1, Pat: 2": "two of the numbers have the same name, “Pat”",
        "1, 2, … 4 more …, 7": "shortened .*clear the box .*, or assign one in Python",
    }.items():
        with pytest.raises(ValueError, match=message):
            read_column(text)


def test_a_long_list_is_written_shortened():
    assert write_column(tuple(map(float, range(51)))) == "0, 1, … 48 more …, 50"
    assert (
        write_column({f"r{place}": float(place) for place in range(5000)})
        == "r0: 0; r1: 1; … 4,997 more …; r4999: 4999"
    )
    assert write_column(tuple(map(float, range(50)))).endswith("48, 49")


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
