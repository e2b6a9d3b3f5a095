"""Records that an earlier version wrote, beside what their pages said: never rewritten."""

import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import dpwidgets
from dpwidgets.calculators import loss
from dpwidgets.decisions import choice
from dpwidgets.decisions.case import counted
from dpwidgets.decisions.record import Record
from dpwidgets.decisions.record._format_4 import laplace

STORED = Path(__file__).with_name("stored")
#: What the version that wrote them said in their titles, and the scale of
#: their noise.
SAID = json.loads((STORED / "said.txt").read_text(encoding="utf-8"))
EPSILON = re.compile(r"ε = ([\d.]+)")
#: The defaults of fields, as Python writes them, and what has none.
AS_USUAL = ("None", "''", "[]", "False", "0.0", "1")
NEEDED = ("number", "goals", "low", "worlds")
#: Those that depend on secret data, and their public version.
HIDDEN = {"secret", "public_version"}


def stored(name):
    return Record.load(STORED / f"{name}.json")


def test_they_are_never_rewritten():
    digest = hashlib.sha256()
    for path in sorted(STORED.iterdir()):
        digest.update(path.read_bytes())
    assert (
        digest.hexdigest()
        == "7a19beb61b5291e0a042096bf78aa5c4fb0dd21896b102d06ea44f9dfc013aff"
    )
    assert {path.stem for path in STORED.glob("*.json")} == {*SAID}


@pytest.mark.parametrize("name", SAID)
def test_each_is_read_and_says_what_it_said(name):
    record = stored(name)
    said = SAID[name]["title"]
    assert record.as_read.startswith("its id is made from what it says")
    assert record.as_read in html.unescape(record.markdown())
    if "geometric" in record.as_read:  # it may count for more
        told = [float(EPSILON.search(one)[1]) for one in (record.title, said)]
        assert told[1] <= told[0] < 1.1 * told[1]
    else:
        assert record.title == said
        assert record.noise == pytest.approx(SAID[name]["noise"])
    assert record.title in record.markdown()
    assert record.label()
    assert Record.load(record.json()) == record


@pytest.mark.parametrize("name", sorted(SAID.keys() - HIDDEN))
def test_each_counts_before_another_decision(name):
    record = stored(name)
    made = choice.decide(
        published="count", neighbours=record.whole.neighbours, delta=1e-6,
        total=99, epsilon=0.1, before=[record],
    )  # fmt: skip
    assert made.whole.before[: len(record.whole.before)] == record.whole.before
    assert Record.load(made.record().json()) == made.record()


def test_a_file_and_the_same_record_before_another_one_are_one():
    """They have no ids, and the same is made for each from what it says."""
    case, beds, visits, monthly = map(
        stored, ("case", "geometric_used", "table_records", "case_before")
    )
    assert {*counted([monthly])} == {*counted([visits, case, monthly, beds])}
    later = stored("plan_before")
    ids = [one.id for one in later.earlier()]
    assert ids[:4] == [case.id, beds.id, visits.id, monthly.id]
    assert ids == [one.id for one in stored("plan_before").earlier()]


def test_what_says_the_same_as_one_before_it_is_another_release_in_a_file():
    content = json.loads((STORED / "case_before.json").read_text("utf-8"))
    (first, *_) = content["before"]
    content["before"] = [first, first, first]
    record = Record.load(json.dumps(content))
    assert len({one.id for one in record.earlier()}) == 4
    assert len(counted([record, stored("case")])) == 4


@pytest.mark.parametrize("name", sorted(HIDDEN))
def test_what_depends_on_data_does_not(name):
    with pytest.raises(ValueError, match="depends on your data"):
        choice.decide(published="count", total=9, before=[stored(name)])


def objects(found, *path):
    """Yield each object of a record's JSON, and where it stands."""
    if isinstance(found, dict):
        yield path, found
    for name, one in (
        found.items() if isinstance(found, dict) else enumerate(found)
    ):
        if isinstance(one, dict | list):
            yield from objects(one, *path, name)


@pytest.mark.parametrize("name", sorted(SAID.keys() - HIDDEN))
def test_what_a_file_says_beyond_what_is_known_is_named_and_kept(name):
    """In each of its objects, and nothing else becomes different by it."""
    plain = stored(name)
    content = json.loads(plain.json())
    places = [one for one in objects(content) if "used" not in one[0]]
    assert len(places) >= 2 + len(plain.goals)
    for _, one in places:
        one |= {"<b>colour": {"red": [1]}}
    record = Record.load(json.dumps(content))
    assert json.loads(record.json()) == content
    assert Record.load(record.json()) == record
    assert replace(record, unknown=()) == plain
    for page in (record.markdown(), record.html(), record.label()):
        text = html.unescape(page)
        for path, _ in places[:5]:
            assert f"“{'.'.join(map(str, (*path, '<b>colour')))}”" in text
        assert f"dpwidgets {dpwidgets.__version__} does not know it" in text
        assert "<b>colour" not in page


@pytest.mark.parametrize("name", SAID)
def test_what_a_file_lacks_is_as_usual(name):
    plain = stored(name)
    content = json.loads(plain.json())
    left_out = 0
    for _, one in objects(content):
        for field in [*one]:
            if repr(one[field]) in AS_USUAL and field not in NEEDED:
                value = one.pop(field)
                assert Record.load(json.dumps(content)) == plain, field
                one[field] = value
                left_out += 1
    assert left_out > 10


@given(st.floats(0.2, 20), st.integers(1, 6))
def test_laplace_noise_tells_no_less_than_geometric_noise_did(scale, moved):
    """By enumeration of whole numbers: for every ε, its δ is no smaller."""
    numbers = np.arange(-60 * int(scale + 1), 60 * int(scale + 1) + moved)
    law, other = (np.exp(-abs(numbers - at) / scale) for at in (0, moved))
    law, other = law / law.sum(), other / law.sum()
    epsilons = np.linspace(0, moved / scale, 40)
    deltas = np.maximum(law - np.exp(epsilons)[:, None] * other, 0).sum(axis=1)
    now = loss.laplace(moved / laplace(scale)).delta(epsilons)
    assert np.all(now >= deltas - 1e-9)
