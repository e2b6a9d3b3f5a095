"""Records that an earlier version wrote, beside what their pages said: never rewritten."""

import hashlib
import html
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import optimize

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
#: What is said of files that say what this version does not.
OTHERWISE = {
    "case_before": ["“Beds”: its noise was geometric, of scale 6.67"],
    "plan_before": ["“Beds”: its noise was geometric, of scale 6.67"],
    "case_one_release": ["a promise about one release", "an advantage"],
    "geometric_used": [
        "was geometric",
        "up to 2 times",
        "what others used up",
    ],
    "sum_groups": ["one person counted up to 2 times in a number", "others"],
    "table_per_cell": ["one person counted up to 3 times in a number"],
    "table_records": ["one person counted up to 3 times in a number"],
}
#: What was bounded less closely: people of a household in several cells.
SHARPER = {"plan"}
_BEDS = "geometric", (20 / 3, 2), 3
_CENSUS = "Gaussian", math.sqrt(2 * 0.05), 1
#: What moved in each, for everybody of the household: the kind of noise, the
#: shift, and of how many numbers; and the ε that others used up.
MOVED = {
    "case": ([("Laplace", 1 / 5, 4)], 0),
    "case_one_release": ([("Laplace", 4 / 10, 12)], 0),
    "case_before": (
        [
            ("Laplace", 2 / 20, 12),
            ("Laplace", 2 / 5, 4),
            ("geometric", (20 / 3, 4), 3),
            ("Gaussian", 6 / 34.18558, 2),
            ("Gaussian", 2 * math.sqrt(2 * 0.05), 1),
        ],
        2 * 0.5,
    ),
    "geometric_used": ([_BEDS, _CENSUS], 0.5),
    "plan": (
        [
            ("Laplace", 2 / (5 * 3.87), 12 + 6),
            ("Laplace", 2 * 30 / 900 / (0.1 * 3.87), 1),
        ],
        2 * 0.1,
    ),
    "plan_before": (
        [
            ("Laplace", 1 / 5, 12 + 4),
            _BEDS,
            ("Gaussian", 3 / 34.18558, 2),
            ("Laplace", 1 / 20, 12),
            _CENSUS,
        ],
        0.5,
    ),
    "refusal": ([("Laplace", 1 / 120.048, 12)], 0),
    "sum_groups": ([("Laplace", 2 * 30 / 600, 1)], 1),
    "table_per_cell": ([("Laplace", 3 / 12, 2 * 2)], 0),
    "table_records": ([("Gaussian", 3 / 34.18558, 2 * 2)], 0),
}
#: The defaults of fields, as Python writes them, and what has none.
AS_USUAL = ("None", "''", "[]", "False", "0.0", "1")
NEEDED = ("number", "goals", "low", "worlds")
#: Those that depend on secret data, and their public version.
HIDDEN = {"secret", "public_version"}


def stored(name):
    return Record.load(STORED / f"{name}.json")


def test_they_are_never_rewritten():
    written = b"".join(path.read_bytes() for path in sorted(STORED.iterdir()))
    assert (
        hashlib.sha256(written).hexdigest()
        == "7a19beb61b5291e0a042096bf78aa5c4fb0dd21896b102d06ea44f9dfc013aff"
    )
    assert {path.stem for path in STORED.glob("*.json")} == {*SAID}


@pytest.mark.parametrize("name", SAID)
def test_each_is_read_and_says_what_it_said(name):
    record = stored(name)
    assert record.as_read.startswith("its id is made from what it says")
    for page in (record.markdown(), record.public().label()):
        assert (record.public().as_read or "") in html.unescape(page)
    assert record.as_read in html.unescape(record.markdown())
    # It counts with the noise that was drawn, which had not been rounded.
    ((_, drawn), *_) = record.itself().published
    said = {
        "title": record.title,
        "noise": record.noise and pytest.approx(drawn),
    }
    if name in OTHERWISE:
        assert all(words in record.as_read for words in OTHERWISE[name])
    elif name not in SHARPER:
        assert said == SAID[name]
    assert Record.load(record.json()) == record
    assert Record.load(record.json()).id == record.id


def geometric(scale, moved):
    """The law of the loss of whole noise, where the truth moves by so much: by enumeration."""
    most = math.ceil(60 * scale)
    answers = np.arange(-most, most + moved + 1)
    law, other = (np.exp(-abs(answers - at) / scale) for at in (0, moved))
    return loss.finite(law / law.sum(), other / other.sum())


#: The law of the loss of one number, by the kind of its noise.
LAWS = {
    "Laplace": loss.laplace,
    "Gaussian": loss.gaussian,
    "geometric": lambda shift: geometric(*shift),
}


def least_epsilon(parts):
    """The ε at δ = 1e-6 of all these numbers together, but for what was rounded off."""
    laws = [LAWS[kind](shift).compose(many) for kind, shift, many in parts]
    return laws[0].compose_with(*laws[1:]).epsilon(1e-6) * (1 - 1e-5)


@pytest.mark.parametrize("name", MOVED)
def test_nothing_counts_for_less_than_it_did(name):
    """Of what one person moved, in the words of the version that wrote it."""
    parts, used = MOVED[name]
    record = stored(name)
    least = used + least_epsilon(parts)
    assert least <= record.whole.total(record.noise)
    said = float(EPSILON.search(SAID[name]["title"])[1])
    assert least <= said * 1.01
    if name not in SHARPER:
        assert said <= float(EPSILON.search(record.title)[1])


def changed(name, **changes):
    """Read a stored file with some of what its case or plan says said otherwise."""
    content = json.loads((STORED / f"{name}.json").read_text("utf-8"))
    content["whole"] |= changes
    return Record.load(json.dumps(content))


def test_the_noise_of_each_release_stays_where_one_person_is_in_several_cells():
    """In two of each table by format 4, and in six of all three now."""
    record = changed("table_per_cell", per_cell=1, releases=3)
    assert record.noise == pytest.approx(2 / 0.5)
    assert record.whole.contributions == 6
    least = least_epsilon([("Laplace", 1 / 4, 6)])
    assert least <= record.whole.total(4.0) <= 6 / 4
    ((_, scale),) = record.earlier()[0].published
    assert scale == pytest.approx(4)


def test_what_an_old_file_says_of_others_is_an_entry_or_nothing():
    content = json.loads((STORED / "case_before.json").read_text("utf-8"))
    first, beds, _ = content["before"]
    nobody = first | {"used": {"by": "the census"}}
    content["before"] = [nobody, beds | {"published": []}]
    found = Record.load(json.dumps(content)).whole.before
    assert [(one.about, one.epsilon) for one in found] == [
        ("Visits by ward", 0),
        ("the census", 0.5),
    ]
    # Without a name it is this record's.
    own = changed("geometric_used", used_by="")
    (entry,) = own.whole.before
    assert entry.about == "others, as “Beds, 2025” says"
    assert len(counted([own, stored("geometric_used")])) == 3


def test_who_counted_several_times_moves_each_number_as_far():
    lines = [
        "a: published=table, cells=3, n=4, per_cell=2, scale=9, mechanism=geometric",
        "b: published=count, contributions=3, error=9, mechanism=geometric",
        "c: published=mean, n=4, low=-1.5, high=5, contributions=2, error=9",
    ]
    lines[:2] = [f"{line}, neighbours=replace" for line in lines[:2]]
    record = changed("plan", statistics=lines, household=2)
    assert "a: its noise was geometric, of scale 9" in record.as_read
    for moved, scale, (case, of_case) in zip(
        (2, 3, 2 * 6.5 / 4),
        (laplace(9), laplace(9 * 3.87), 9 * 3.87),
        record.earlier()[-1].published,
        strict=True,
    ):
        assert case.moved()[0] == moved
        assert of_case == pytest.approx(scale)
    assert [case.n for case in record.whole.cases] == [4, None, 4]


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
    nested = {one.id for one in counted([monthly])}
    assert {one.id for one in counted([visits, case, monthly, beds])} == nested
    later = stored("plan_before")
    ids = [one.id for one in later.earlier()]
    assert {case.id, beds.id, visits.id, monthly.id} < {*ids}
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
    places = list(objects(content))
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
    assert left_out > 5


@given(st.floats(0.2, 20), st.integers(1, 6))
def test_laplace_noise_tells_no_less_than_geometric_noise_did(scale, moved):
    """For every ε, its δ is no smaller."""
    epsilons = np.linspace(0, moved / scale, 40)
    now = loss.laplace(moved / laplace(scale)).delta(epsilons)
    assert np.all(now >= geometric(scale, moved).delta(epsilons) - 1e-9)


@given(st.floats(1, 200), st.floats(0.05, 0.999), st.integers(1, 40))
def test_a_goal_of_a_plan_allowed_geometric_noise_of_the_scale_that_is_read(
    width, sure, cells
):
    """All cells at once lay as close as it asked, by the masses of whole numbers beyond it."""
    line = (
        f"a: published=table, cells={cells}, neighbours=replace, mechanism=geometric, "
        f"half_width={width / 400!r}, at_once=yes, reference=400, confidence={sure!r}"
    )
    (read,) = changed("plan", statistics=[line]).whole.scales(1)
    scale = optimize.bisect(lambda one: laplace(one) - read, 1e-2, 1e6) / 3.87
    beyond = math.exp(-(math.floor(width) + 1) / scale)
    assert 2 * beyond / (1 + math.exp(-1 / scale)) <= 1 - sure ** (1 / cells)
