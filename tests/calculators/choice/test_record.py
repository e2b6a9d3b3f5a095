"""The decision record: there and back, with nothing of the data and nothing typed out of hand."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import dpwidgets
from dpwidgets.calculators.choice import (
    NOT_FOR_PUBLISHING,
    OPEN,
    WORDS,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    IntervalGoal,
    Record,
    decide,
    record,
    risk_goal,
)
from dpwidgets.notation import show

CASE = Case(
    published="count", n=1777, unit="patients", releases=4, delta=1e-6, prior=0.2, reference=410,
    confidence=0.94,
)  # fmt: skip
GOALS = (IntervalGoal(0.05), BeliefGoal(0.27), BudgetGoal(1.1))
SCHOOL = Case(
    published="mean", n=5, low=0, high=1e6, unit="euros", delta=1e-6, prior=0.2, reference=5e4,
    confidence=0.8,
)  # fmt: skip
COLUMN = [51234.5, 47001.25, 60099.75, 990001.5, 48000.125]
NASTY = 'Ann <script>alert("x")</script> | Bob\n\n# *boss* [here](http://x) `code` $x$ \\'
SAID = {name: f"the words for {name}" for name in WORDS}
OLD = Path(__file__).parent / "record_of_format_1.json"


def decided(**words):
    return record(CASE, GOALS, 0.2, **words)


def secret(*goals, epsilon=2, **words):
    return record(SCHOOL, [risk_goal(SCHOOL, COLUMN, 0.5), *goals], epsilon, **words)


def test_a_record_comes_back_from_text_and_file(tmp_path):
    for made in (decided(**SAID), secret(BeliefGoal(0.9)), secret(BeliefGoal(0.9)).public()):
        assert Record.load(made.json()) == made
        assert Record.load(made.json().encode()) == made
        path = made.save(tmp_path / "decision.json")
        assert Record.load(path) == Record.load(str(path)) == made
        for suffix, text in ((".md", made.markdown()), (".html", made.html())):
            saved = made.save(str(tmp_path / f"decision{suffix}"))
            assert saved.read_text(encoding="utf-8") == text
        assert Record.load(made.json()).html() == made.html()
    assert decided().version == dpwidgets.__version__
    assert json.loads(decided().json())["format"] == 2


def test_it_says_all_that_a_committee_asks_for():
    """Of the issue: after four counts it says 35.7% for 20%."""
    case = replace(CASE, n=2000, reference=400, confidence=0.95)
    made = record(case, [IntervalGoal(0.05), BeliefGoal(0.25), BudgetGoal(1)], 0.2, **SAID)
    for page in (made.markdown().replace("\\", ""), made.html()):
        for words in (
            "35.7%",
            "scale 5 patients",
            "Δf = 1 patient",
            "one person is added or removed",
            "Laplace noise",
            "4 releases about the same people: ε = 0.8",
            "After one release, nobody",
            "±20.6 patients",
            "most private, ε = 0.15",
            "4 people with dependent records",
            "Other publications",
            *SAID.values(),
        ):
            assert words in page, words
        assert OPEN not in page


def test_an_empty_field_stays_visible_as_open():
    assert decided().markdown().count(OPEN) == len(WORDS)
    assert decided().html().count(OPEN) == len(WORDS)
    assert decided(reasons="because").markdown().count(OPEN) == len(WORDS) - 1


def test_secret_data_stay_out_and_the_first_line_says_so():
    made = secret(BeliefGoal(0.9))
    for written in (made.json(), made.markdown(), made.html(), repr(made)):
        assert not re.search(r"51,?234|47,?001|60,?099|990,?001|48,?000", written)
    assert NOT_FOR_PUBLISHING in made.markdown().splitlines()[2]
    assert json.loads(made.json())["warning"] == NOT_FOR_PUBLISHING
    assert "may be published" in decided().markdown().splitlines()[2]
    assert decided().public() == decided()
    back = Record.load(made.json())
    assert back.from_data
    assert (
        back.met
        == made.met
        == tuple(
            goal.met(SCHOOL, SCHOOL.scale(2))
            for goal in (risk_goal(SCHOOL, COLUMN, 0.5), BeliefGoal(0.9))
        )
    )


def test_the_public_version_leaves_out_what_depends_on_secret_data():
    binding = secret(BeliefGoal(0.99), epsilon=0.3)
    risk, belief = (goal.scales(SCHOOL).low for goal in binding.goals)
    assert risk > belief  # the secret goal ends the range
    public = binding.public()
    assert public.epsilon is None
    assert public.verdict.startswith("For publishing")
    for written in (public.json(), public.markdown(), public.html()):
        assert "missing" not in written
        assert show(risk) not in written
        assert "0.3" not in re.sub("0.3[0-9]", "", written.replace("margin", ""))
    easy = record(SCHOOL, [risk_goal(SCHOOL, COLUMN, 0.9), BeliefGoal(0.21)], 0.05).public()
    assert (easy.epsilon, [goal.kind for goal in easy.goals]) == (0.05, ["belief"])
    assert "did not narrow" in easy.verdict
    alone = record(SCHOOL, [risk_goal(SCHOOL, COLUMN, 0.5)], 0.3).public()
    assert (alone.epsilon, alone.goals) == (None, ())
    assert alone.html()


def test_what_the_case_lacks_has_no_row():
    bare = record(Case(published="count"), [ErrorGoal(7)], 0.2).markdown()
    assert "%" not in bare
    assert "±" not in bare
    assert "records" not in bare.replace("whose records hang", "")


def test_what_users_type_is_escaped():
    made = decided(**dict.fromkeys(WORDS, NASTY))
    text, page = made.markdown(), made.html()
    for written in (text, page):
        assert "<script>" not in written
        assert "&lt;script&gt;" in written
    assert not re.search(r"(?<!\\)[\[`$]", text)
    assert "\\# \\*boss\\* \\[here\\](http://x)" in text
    assert text.count("\n# ") == 0
    assert Record.load(made.json()).names == NASTY
    unit = record(replace(CASE, unit="<b>|x</b>"), GOALS, 0.2)
    assert "<b>" not in unit.markdown() + unit.html()


def test_tables_are_whole():
    lines = secret(BeliefGoal(0.9)).markdown().splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) > 25
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    for line, width, following in zip(tables, widths, widths[1:], strict=False):
        if line.startswith("|---"):
            assert width == following


def test_the_page_needs_no_network():
    page = decided().html()
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=|url\(|@import", page)


# ---------------------------------------------------------------------------------- of format 1


def old(**changes):
    return json.dumps(json.loads(OLD.read_text(encoding="utf-8")) | changes)


def test_a_record_of_format_1_loads_and_says_so():
    made = Record.load(OLD)
    assert made.case == Case(
        published="count", reference=100, confidence=0.8, prior=0.1, releases=10, delta=1e-6,
        mechanism="Gaussian",
    )  # fmt: skip
    assert [goal.kind for goal in made.goals] == ["interval", "belief", "budget"]
    assert made.goals[1].reach == "one release"
    assert (made.epsilon, made.about, made.names, made.date) == (0.3, "patients", "Ann", "1 May")
    assert "ε = 8: a company does so" in made.rejected
    assert "format 1" in made.origin
    assert "taken for one release" in made.markdown()
    assert Record.load(made.json()) == made


def test_a_record_of_format_1_without_goals_is_written():
    made = Record.load(old(goals=[]))
    assert "none was set" in made.markdown()
    assert "none was set" in made.html()


SECRET_COUNT = {"goal": "count", "count": None, "half_width": 0.1, "confidence": 0.9} | {
    "secret": True,
    "kept": 0.2,
}
RISK = {"goal": "risk", "worlds": None, "risk": 0.4, "kept": 0.5}


def test_what_format_1_kept_in_place_of_data_is_kept():
    made = Record.load(old(goals=[SECRET_COUNT, RISK], from_data=True))
    assert [goal.scales(made.case).epsilons(made.case) for goal in made.goals] == [
        pytest.approx((0.2, float("inf"))),
        pytest.approx((0, 0.5)),
    ]
    assert made.from_data
    assert Record.load(made.json()) == made
    for kept, empty in (("inf", False), (0, True)):
        goals = Record.load(old(goals=[RISK | {"kept": kept}])).goals
        assert goals[0].scales(made.case).empty == empty


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goals": [SECRET_COUNT | {"secret": 1}]}, "'secret' of a goal cannot be 1"),
        ({"goals": [RISK | {"kept": None}]}, "kept must be a number or 'inf'; got None"),
        ({"goals": [RISK | {"kept": [1]}]}, r"'kept' of a goal cannot be \[1\]"),
        ({"goals": [{"goal": "breach", "prior": 0.1}]}, "a breach goal has posterior, prior"),
        (
            {"goals": [{"goal": "breach", "prior": p, "posterior": 0.5} for p in (0.1, 0.2)]},
            "suppose two different values of prior, 0.1 and 0.2",
        ),
        ({"rejected": ["ab"]}, "rejected must be pairs of texts; got 'ab'"),
        ({"names": 3}, "names must be text; got 3"),
    ],
)
def test_a_damaged_record_of_format_1_is_refused(changes, message):
    with pytest.raises(ValueError, match=f"the record is damaged: .*{message}"):
        Record.load(old(**changes))


def changed(**changes):
    return json.dumps(json.loads(decided().json()) | changes)


BUDGET, ROW = GOALS[2].to_dict(), {"name": "x", "outcomes": [{"said": "", "share": None}] * 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a record is JSON, .* this is not: Expecting property name"),
        (b"GIF89a\xff\xfe", "a record is JSON, .* this is not: 'utf-8' codec"),
        (b"", "this is not: Expecting value"),
        (b"[1, 2]", "another program"),
        (changed(program="PSI"), "this JSON comes from another program"),
        (
            changed(format=3, version="9.1"),
            r"has format 3, written by dpwidgets '9\.1'; .* formats 1 and 2",
        ),
        (changed(format=True), "this record has format True"),
        (changed(epsilon=-1), "damaged: epsilon must be a number from 1e-8 to 1000; got -1"),
        (changed(epsilon=None), "damaged: epsilon must be given"),
        (changed(epsilon=float("nan")), "this is not: NaN is no number of JSON"),
        (changed(case={}), "damaged: a case has confidence"),
        (changed(case=CASE.to_dict() | {"low": 1}), "damaged: low belongs to a sum or a mean"),
        (changed(case=CASE.to_dict() | {"household": 1778}), "household must be at most n"),
        (changed(case=CASE.to_dict() | {"used": 2}), "damaged: used must be below 1.1, the budget"),
        (
            changed(goals=[{"goal": "belief", "posterior": 2, "reach": "one release"}]),
            "damaged: posterior must",
        ),
        (changed(goals=[3]), "the record is damaged: goal must be one of"),
        (changed(goals=None), "damaged: goals must be a list"),
        (changed(goals=[BUDGET] * 21), "damaged: goals must be at most 20"),
        (changed(goals=[BUDGET | {"total": [1]}]), r"'total' of a goal cannot be \[1\]"),
        (changed(outcomes=[ROW | {"outcomes": []}]), "outcomes must have one for each of 3 goals"),
        (changed(outcomes=[3]), "a row of outcomes must have name and outcomes; got 3"),
        (changed(outcomes=[ROW] * 21), "outcomes must have at most 20 rows"),
        (changed(outcomes=[ROW | {"name": 3}]), "outcomes must be text; got 3"),
        (changed(names=3), "the record is damaged: names must be text; got 3"),
        (changed(names="Ann \ud83d"), "the record is damaged: names must be whole characters"),
        (changed(reasons="x" * 10_001), "damaged: reasons must have at most 10,000 characters"),
        (changed(names="x" * 1_000_000), "this is not: it is larger than 1 MB"),
        (changed(left_out="no"), "damaged: left_out must be true or false"),
        ('{"names": "Ann", "names": "Bob"}', "this is not: 'names' stands in it twice"),
        ('{"a":' * 100_000, "this is not: it is nested too deeply"),
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
    with pytest.raises(ValueError, match=r"path must end with .md, .html or .json; got 'x.txt'"):
        decided().save(tmp_path / "x.txt")
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "none.json")
    with pytest.raises(ValueError, match="epsilon must be a number from 1e-8 to 1000; got 0"):
        record(CASE, GOALS, 0)
    with pytest.raises(TypeError, match="names must be text; got None"):
        decided(names=None)
    with pytest.raises(TypeError, match="a record has no name; it has about"):
        decided(name="Ann")
    with pytest.raises(TypeError, match="goals must be made of goals; got 5"):
        record(CASE, [5], 1)
    with pytest.raises(TypeError, match="case must be a Case; got 5"):
        record(5, GOALS, 1)
    with pytest.raises(ValueError, match=r"used must be below 1\.1, the budget"):
        record(replace(CASE, used=1.2), GOALS, 1)
    with pytest.raises(ValueError, match="goals must be at most 20"):
        record(CASE, GOALS * 7, 1)
    with pytest.raises(ValueError, match="goals must be without their data"):
        replace(decided(), goals=(risk_goal(SCHOOL, COLUMN, 0.5),), outcomes=())
    assert decide(error=3).record().goals == (ErrorGoal(3),)
