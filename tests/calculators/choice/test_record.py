"""The decision record: there and back, with nothing of the data and nothing typed out of hand."""

import json
import re

import numpy as np
import pytest

import dpwidgets
from dpwidgets.calculators.choice import (
    NOT_FOR_PUBLISHING,
    BreachGoal,
    BudgetGoal,
    CountGoal,
    Record,
    RiskGoal,
    record,
)
from dpwidgets.calculators.meanings import meanings
from dpwidgets.calculators.worlds import Worlds

COLUMN = [51234.5, 47001.25, 60099.75, 990001.5, 48000.125]
GOALS = (CountGoal(100, 0.2, 0.8), BreachGoal(0.1, 0.2), BudgetGoal(10, 2, 1e-6, "gaussian"))
NASTY = 'Ann <script>alert("x")</script> | Bob\n\n# *boss* [here](http://x) `code` $x$ \\'


BUDGET, COUNT = (GOALS[2].to_dict(), GOALS[0].to_dict())


def decided(**changes):
    given = {
        "assumptions": {"mechanism": "Laplace", "prior": 0.1},
        "about": "patients",
        "names": "Ann",
        "date": "1 May",
    }
    return record(0.3, GOALS, **given | changes)


def test_a_record_comes_back_from_text_and_file(tmp_path):
    made = decided(rejected=[("ε = 8", "a company does so, for another unit")])
    assert Record.load(made.json()) == made
    assert Record.load(made.json().encode()) == made
    path = made.save(tmp_path / "decision.json")
    assert Record.load(path) == Record.load(str(path)) == made
    assert made.save(str(tmp_path / "decision.md")).read_text(encoding="utf-8") == made.markdown()
    assert (made.version, made.date, made.from_data) == (dpwidgets.__version__, "1 May", False)
    assert json.loads(made.json())["epsilon"] == 0.3


def test_it_tells_every_meaning_under_its_assumptions():
    made = decided()
    every = meanings(mechanism="Laplace", prior=0.1)
    assert [told.name for told in made.meanings] == [meaning.name for meaning in every]
    assert [told.value for told in made.meanings] == [meaning.value(0.3) for meaning in every]
    assert all(told.sentence.replace("|", "") for told in made.meanings)
    assert len(decided(assumptions={"mechanism": "any"}).meanings) < len(every)
    assert dict(made.assumptions) == {"mechanism": "Laplace", "prior": 0.1}


def test_a_number_beyond_every_float_is_left_out():
    made = record(800)
    left_out = [told.name for told in made.meanings if told.value is None]
    assert "Largest ratio of an answer’s probabilities" in left_out
    assert Record.load(made.json()) == made


def test_it_says_what_was_rejected_and_which_goals_are_met():
    made = decided(rejected=[("ε = 8", "too much")])
    assert [what for what, _ in made.rejected] == [
        "ε below 0.0805",
        "ε above 0.81",
        "ε above 0.646",
        "ε = 8",
    ]
    text = made.markdown()
    assert text.count("| yes |") == 3
    assert record(0.7, GOALS).markdown().count("| no |") == 1
    assert "| ε = 8 | too much |" in text
    assert record(1, [BreachGoal(0.2, 0.1)]).rejected[0][0] == "every ε"


def test_secret_data_stay_out_and_the_label_goes_in():
    for goals, assumptions in (
        ([RiskGoal(Worlds(COLUMN), 0.4)], {}),
        ([RiskGoal(Worlds(COLUMN), 0.1)], {"query": max}),
        ([], {"values": COLUMN, "query": "median"}),
        ([], {"values": dict(zip("abcde", COLUMN, strict=True))}),
        ([CountGoal(51234.5, 0.1, 0.9, secret=True)], {"count": 51234.5}),
    ):
        made = record(0.2, goals, assumptions=assumptions)
        for written in (made.json(), made.markdown(), repr(made)):
            assert not re.search(r"51,?234|47,?001|60,?099|990,?001|48,?000", written)
        assert NOT_FOR_PUBLISHING in made.markdown()
        assert json.loads(made.json())["warning"] == NOT_FOR_PUBLISHING
        back = Record.load(made.json())
        assert back == made
        assert back.from_data
        assert [goal.interval().high for goal in back.goals] == [
            goal.interval().high for goal in goals
        ]
    assert NOT_FOR_PUBLISHING not in decided().markdown() + decided().json()


def test_the_columns_meaning_is_the_columns():
    goal = RiskGoal(Worlds(COLUMN), 0.4)
    (told,) = (
        one for one in record(0.2, [goal]).meanings if one.name == "Risk of being identified"
    )
    assert told.value == goal.worlds.risk(0.2)


def test_what_users_type_is_escaped():
    made = decided(names=NASTY, about=NASTY, date=NASTY, rejected=[(NASTY, NASTY)])
    text = made.markdown()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert not re.search(r"(?<!\\)[\[`$]", text)
    assert "\\# \\*boss\\* \\[here\\](http://x)" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| Ann"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert text.count("\n# ") == 0
    assert Record.load(made.json()).names == NASTY


def test_tables_are_whole():
    lines = decided().markdown().splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) > 25
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    for line, width, following in zip(tables, widths, widths[1:], strict=False):
        if line.startswith("|---"):
            assert width == following


def changed(**changes):
    return json.dumps(json.loads(decided().json()) | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a record is JSON, .* this is not: Expecting property name"),
        (b"GIF89a\xff\xfe", "a record is JSON, .* this is not: 'utf-8' codec"),
        (b"", "this is not: Expecting value"),
        (b"[1, 2]", "another program"),
        ('{"cells": [], "nbformat": 4}', "this JSON comes from another program"),
        (changed(program="PSI"), "this JSON comes from another program"),
        (
            changed(format=2, version="9.1"),
            r"this record has format 2, written by dpwidgets '9\.1'; dpwidgets .* reads format 1",
        ),
        (
            changed(epsilon=-1),
            "the record is damaged: epsilon must be a number from 1e-8 to 1000; got -1",
        ),
        (changed(epsilon=float("nan")), "this is not: NaN is no number of JSON"),
        (changed(epsilon="1"), "the record is damaged: epsilon must be"),
        (
            changed(goals=[{"goal": "breach", "prior": 2, "posterior": 0.2}]),
            "damaged: prior must be a number",
        ),
        (changed(goals=[3]), "the record is damaged: goal must be one of"),
        (changed(goals=None), "the record is damaged"),
        (
            changed(meanings=[{"name": "x"}]),
            "the record is damaged: a meaning must have name, value, sentence",
        ),
        (changed(meanings=["x"]), "the record is damaged"),
        (
            changed(assumptions={"prior": [1, 2, 3]}),
            r"damaged: a value must be a finite number; got \[1, 2, 3\]",
        ),
        (changed(assumptions={"prior": 10**400}), "the record is damaged"),
        (changed(names=3), "the record is damaged: names must be text; got 3"),
        (changed(names="Ann \ud83d"), "the record is damaged: names must be whole characters"),
        (changed(names="x" * 10_001), "damaged: names must have at most 10,000 characters"),
        (changed(names="x" * 1_000_000), "this is not: it is larger than 1 MB"),
        ('{"names": "Ann", "names": "Bob"}', "this is not: 'names' stands in it twice"),
        ('{"a":' * 100_000, "this is not: it is nested too deeply"),
        (changed(assumptions={"query": 1}), "damaged: assumptions must hold no data; got query"),
        (changed(assumptions=[]), r"damaged: assumptions must be a dict; got \[\]"),
        (changed(rejected=["ab"]), "damaged: rejected must be pairs of texts; got 'ab'"),
        (changed(goals=[BUDGET] * 21), "damaged: goals must be at most 20"),
        (changed(goals=[COUNT | {"secret": [1]}]), r"damaged: 'secret' of a goal cannot be \[1\]"),
        (changed(goals=[COUNT | {"secret": 1}]), "damaged: 'secret' of a goal cannot be 1"),
        (changed(goals=[COUNT | {"kept": [2]}]), r"damaged: 'kept' of a goal cannot be \[2\]"),
        (changed(goals=[COUNT | {"secret": True}]), "from_data must be true where a goal depends"),
        (changed(rejected=[["only"]]), "the record is damaged"),
        (changed(from_data="no"), "the record is damaged: from_data must be true or false"),
        (
            json.dumps({k: v for k, v in json.loads(decided().json()).items() if k != "date"}),
            "damaged: date is missing",
        ),
    ],
)
def test_what_is_no_record_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Record.load(text)


def test_bad_input_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"path must end with .md or .json; got 'x.txt'"):
        decided().save(tmp_path / "x.txt")
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "none.json")
    with pytest.raises(ValueError, match="epsilon must be a number from 1e-8 to 1000; got 0"):
        record(0)
    with pytest.raises(TypeError, match="names must be text; got None"):
        record(1, names=None)
    with pytest.raises(TypeError, match="rejected must be text; got 8"):
        record(1, rejected=[(8, "why")])
    with pytest.raises(TypeError, match="rejected must be pairs of texts; got 'ab'"):
        record(1, rejected=["ab"])
    with pytest.raises(TypeError, match="goals must be made of goals; got 5"):
        record(1, [5])
    with pytest.raises(ValueError, match="goals must be at most 20"):
        record(1, GOALS * 7)
    with pytest.raises(ValueError, match=r"about must be whole characters; got 'a\\ud83d'"):
        record(1, about="a\ud83d")
    with pytest.raises(ValueError, match="a record must have at most 1 MB"):
        record(1, rejected=[("x" * 10_000, "y" * 10_000)] * 60)
    with pytest.raises(TypeError, match="assumptions must have names; got 5"):
        record(1, assumptions=5)
    with pytest.raises(TypeError, match="knows no piror"):
        record(1, assumptions={"piror": 0.1})
    with pytest.raises(TypeError, match=r"a value must be a finite number; got \[1, 2\]"):
        record(1, assumptions={"count": [1, 2]})
    assert json.loads(record(1, assumptions={"n": np.int64(50)}).json())["assumptions"] == {"n": 50}
