"""Records that an earlier version wrote, each beside what its page said: they are never rewritten."""

import hashlib
import json
from pathlib import Path

import pytest

from dpwidgets.decisions import choice
from dpwidgets.decisions.record import Record

STORED = Path(__file__).with_name("stored")
#: What the version that wrote them said in their titles, and the scale of
#: their noise.
SAID = json.loads((STORED / "said.txt").read_text(encoding="utf-8"))
#: Those that depend on secret data, and their public version.
HIDDEN = {"secret", "public_version"}


def stored(name):
    return Record.load(STORED / f"{name}.json")


def test_they_are_never_rewritten():
    digest = hashlib.sha256()
    for path in sorted(STORED.iterdir()):
        digest.update(path.read_bytes())
    assert digest.hexdigest() == "7a19beb61b5291e0a042096bf78aa5c4fb0dd21896b102d06ea44f9dfc013aff"
    assert {path.stem for path in STORED.glob("*.json")} == {*SAID}


@pytest.mark.parametrize("name", SAID)
def test_each_is_read_and_says_what_it_said(name):
    record = stored(name)
    assert record.title == SAID[name]["title"]
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


@pytest.mark.parametrize("name", sorted(HIDDEN))
def test_what_depends_on_data_does_not(name):
    with pytest.raises(ValueError, match="depends on your data"):
        choice.decide(published="count", total=9, before=[stored(name)])
