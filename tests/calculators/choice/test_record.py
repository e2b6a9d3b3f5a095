"""The decision record: there and back, with nothing of the data and nothing typed out of hand."""

import html
import json
import re
from dataclasses import replace

import mistune
import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

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
    choose,
    record,
    risk_goal,
    stress,
)
from dpwidgets.inputs.notation import show
from known import HOSPITAL

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
    assert json.loads(decided().json())["format"] == 3


def test_it_says_all_that_a_committee_asks_for():
    """Of the issue: after four counts it says 35.7% for 20%."""
    goals = [IntervalGoal(0.05), BeliefGoal(0.25), BudgetGoal(1)]
    page = record(HOSPITAL, goals, 0.2, **SAID).markdown()
    for words in (
        "35.8%",
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


def test_the_printed_page_says_what_the_markdown_says():
    made = secret(BeliefGoal(0.9), IntervalGoal(0.01), **SAID | {"names": "A & <b>B</b> " * 700})
    signs = r"^(#+|>|-|\|(---\|)+) ?|[*|]|</?span>"
    plain = re.sub(signs, " ", made.markdown(), flags=re.MULTILINE)
    page = re.sub("<[^>]*>", " ", made.html().partition("<body>")[2])
    assert html.unescape(page).split() == html.unescape(plain).split()


def test_every_page_is_whole_and_an_empty_field_stays_visible_as_open():
    made, bare = decided(), record(Case(published="count"), [ErrorGoal(7)], 0.2).markdown()
    assert made.markdown().count(f"*{OPEN}*") == len(WORDS)
    assert made.html().count(f"<em>{OPEN}</em>") == len(WORDS)
    assert decided(reasons="because").markdown().count(OPEN) == len(WORDS) - 1
    assert "default-src 'none'" in made.html()  # it needs no network
    assert not re.search(r"(src|href)=|url\(|@import", made.html())
    tables = re.findall(r"(?:^\|.*\n)+", secret(BeliefGoal(0.9)).markdown(), flags=re.MULTILINE)
    assert len(tables) > 5
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert not re.search("%|±|a warning|used up", bare)  # what the case lacks has no row
    assert repr(made) == (
        "Decision record: ε = 0.2 for Δf = 1. This record may be published if all that people "
        "entered is public: nothing else in it was computed from secret data."
    )


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
    easy = record(SCHOOL, [risk_goal(SCHOOL, COLUMN, 0.9), BeliefGoal(0.99)], 0.05)
    alone = record(SCHOOL, [risk_goal(SCHOOL, COLUMN, 0.5)], 0.3).public()
    public = binding.public()
    assert public == easy.public()  # which of both it was is a secret as well
    assert (public.epsilon, [goal.kind for goal in public.goals]) == (None, ["belief"])
    assert (alone.epsilon, alone.goals) == (None, ())
    assert public.public() == public
    assert public.verdict.startswith("For publishing")
    for written in (public.json(), public.markdown(), public.html(), repr(public)):
        assert "missing" not in written
        assert show(risk) not in written
        assert not re.search("ε = 0|scale", written)
    assert BeliefGoal(0.99).sentence(SCHOOL) in public.html()


def pages(made):
    public = made.public()
    return public.json(), public.markdown(), public.html(), repr(public)


CLASS = Case(
    published="mean", n=12, low=0, high=10, unit="days", releases=2, delta=1e-6, prior=1 / 11,
    reference=5, confidence=0.8,
)  # fmt: skip
OTHERS = (IntervalGoal(0.2), BeliefGoal(1 / 3), BudgetGoal(3))


days = st.just(0.0) | st.floats(1e-6, 12)


@given(
    st.lists(days, min_size=11, max_size=11), days, days, st.floats(0.01, 0.99),
    st.floats(0.1, 900),
)  # fmt: skip
@settings(max_examples=settings().max_examples // 4)
def test_the_public_version_is_the_same_for_any_neighbours(column, one, other, risk, epsilon):
    """Who knows eleven pupils must not read off it whether the twelfth was ill for long."""
    made = [
        record(CLASS, [risk_goal(CLASS, [*column, last], risk), *OTHERS], epsilon)
        for last in (one, other, 0.0)
    ]
    assert len({pages(one) for one in made}) == 1


def test_a_record_of_a_conflict_says_the_conflict():
    case = replace(HOSPITAL, releases=12)
    goals = [IntervalGoal(0.05), BudgetGoal(1), BeliefGoal(0.1)]
    (conflict,) = choose(case, goals[:2]).conflicts
    for epsilon in (0.1, None):
        made = record(case, goals, epsilon)
        written = html.unescape(made.markdown())
        assert conflict.sentence in written
        assert "or: at most 6 releases" in written.lower()
        assert "nothing: no noise meets them all" in written
        assert f"No noise meets “{goals[2].sentence(case)}”" in written
        assert all(goal.sentence(case) in written for goal in goals)


def test_a_refusal_can_be_recorded_and_is_no_public_version():
    refusal = record(CASE, GOALS, None, **SAID)
    assert Record.load(refusal.json()) == refusal
    assert (refusal.met, refusal.chosen.stress, refusal.left_out) == ((), (), False)
    assert refusal.public() == refusal
    for page in (refusal.markdown(), repr(refusal)):
        assert "nothing is published" in page
        assert "Nothing is published. This record may be published if" in page
    assert f"| the goals allow | {choose(CASE, GOALS).sentence} |" in refusal.markdown()
    hidden = secret(BeliefGoal(0.9), epsilon=None)
    assert "Nothing is published. This record depends on your data" in hidden.verdict
    assert hidden.public() == secret(BeliefGoal(0.9)).public()
    assert "nothing is published" not in hidden.public().markdown().lower()


def test_a_loaded_record_says_what_its_case_and_goals_give():
    """What a file claims beyond them is refused, so that nobody can forge what the noise gives."""
    made = decided()
    rows = stress(CASE, GOALS, CASE.scale(0.2))
    assert made.chosen.stress == Record.load(made.json()).chosen.stress == rows
    assert "outcomes" not in json.loads(made.json())
    forged = json.dumps(json.loads(made.json()) | {"epsilon": 5.0})
    assert Record.load(forged).met == (True, False, False)
    page = Record.load(forged).markdown()
    assert re.findall(r"\| (yes|NO) \|$", page, flags=re.MULTILINE) == ["yes", "NO", "NO"]
    bold = re.sub(r'"warning": ".*?",', "", secret().json())  # what it warns of is computed too
    assert Record.load(bold) == secret()
    foreign = Record.load(json.dumps(json.loads(made.json()) | {"version": "9.1"}))
    computed = f"Made with dpwidgets 9.1; its numbers are computed by dpwidgets {made.version}"
    assert computed in foreign.markdown()


def test_a_goal_whose_column_is_gone_says_what_its_limit_does():
    for epsilon, said in ((1e-7, "at most 50% sure"), (40, "perhaps more than 50% sure")):
        made = secret(epsilon=epsilon)
        assert made.goals[0].met(SCHOOL, SCHOOL.scale(epsilon)) == said.startswith("at")
        assert said in Record.load(made.json()).markdown()


def test_a_warning_of_the_case_stands_on_the_record():
    case = Case(published="count", mechanism="Gaussian", delta=0.3, n=1000)
    (warning,) = case.warnings
    for epsilon in (0.5, None):
        assert warning in html.unescape(record(case, [BudgetGoal(1)], epsilon).markdown())


def test_what_others_have_used_up_stands_beside_what_it_is_in_all():
    others = replace(CASE, used=0.6, used_delta=1e-7)
    page = record(others, GOALS[:1], 0.2).markdown()
    assert "ε = 1.4 at δ = 1.1e-6; others have used up ε = 0.6 and δ = 1e-7 of it" in page
    alone = record(replace(others, used=0.0), GOALS[:1], 0.2).markdown()
    assert "; others have used up ε = 0 and δ = 1e-7 of it" in alone


#: What starts a formula in JupyterLab: in the source, and in the text between two tags of a page.
FORMULA = re.compile(r"\$|\\\\?[(\[]|\\\\?begin")


@pytest.mark.parametrize(
    "typed",
    [r"\(x\)", r"\\(x\\)", r"\[x\]", r"\begin{align}x\end{align}", "$x$", "$$x$$", "<b>x</b>",
     "*x*", "_x_",
     "`x`", "~~x~~", "![x](y)", "[x](y)", "<https://x.org>", "https://x.org", "http://x.org", "ftp://x.org",
     "www.x.org", "x@y.org", "&amp; &#36;x&#36;", "|x|", "a\n\n# x", "![x]", "<!-- x -->", "x[^1]",
     "x^2^", NASTY],
)  # fmt: skip
def test_what_people_type_stands_on_a_rendered_page_as_they_typed_it(typed):
    made = decided(**dict.fromkeys(WORDS, typed))
    text = made.markdown()
    assert not FORMULA.search(text)
    gfm = mistune.create_markdown(
        escape=False, plugins=["table", "url", "strikethrough", "math", "footnotes", "superscript"]
    )
    strict = MarkdownIt("commonmark", {"html": True}).enable("table")
    plain = decided(**dict.fromkeys(WORDS, "x"))
    for render in (gfm, strict.render):
        page = render(text)
        pieces = re.split(r"<[^>]*>", page)
        assert not any(FORMULA.search(re.sub(r"^[$\\]$", "", html.unescape(one))) for one in pieces)
        said = html.unescape("".join(pieces))
        assert said.count(" ".join(typed.split())) >= len(WORDS)
        tags = [tag for tag in re.findall(r"<[^>]*>", page) if "span" not in tag]
        assert tags == re.findall(r"<[^>]*>", render(plain.markdown()))
    printed = re.findall(r"<[^>]*>", re.sub("</?span>", "", made.html()))
    assert printed == re.findall(r"<[^>]*>", plain.html())
    assert Record.load(made.json()).names == typed
    unit = record(replace(CASE, unit=typed[:40].strip() or "x"), GOALS, 0.2)
    assert "<b>" not in unit.markdown() + unit.html()


CONTENT = json.loads(decided().json())
BUDGET = GOALS[2].to_dict()
LESS = {name: value for name, value in CONTENT.items() if name != "date"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"program": "PSI"}, "this JSON comes from another program"),
        ({"format": 4}, f"has format 4; dpwidgets {dpwidgets.__version__} reads format 3"),
        ({"epsilon": -1}, "damaged: epsilon must be a number from 1e-8 to 1000; got -1"),
        ({"epsilon": float("nan")}, "this is not: NaN is no number of JSON"),
        ({"left_out": True}, "a public version must hold no goal .* and no ε"),
        ({"left_out": "no"}, "damaged: left_out must be true or false"),
        ({"outcomes": []}, "damaged: 'outcomes' is unknown"),
        ({"case": {}}, "damaged: a case has cells, confidence"),
        ({"case": CASE.to_dict() | {"low": 1}}, "damaged: low belongs to a sum or a mean"),
        ({"goals": [3]}, "the record is damaged: goal must be one of"),
        ({"goals": [BUDGET | {"total": [1]}]}, "total must be .*; got an array of shape"),
        ({"goals": [BUDGET | {"x" * 99: 1}]}, "a budget goal has reach, total; got {'reach'"),
        ({"names": 3}, "the record is damaged: names must be text; got 3"),
        ({"names": "x" * 1_000_000}, "this is not: it is larger than 1 MB"),
    ],
)
def test_what_is_no_record_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Record.load(json.dumps(CONTENT | changes))


def test_what_is_no_json_and_bad_input_are_refused(tmp_path):
    for text, message in {
        "{": "a record is JSON, .* this is not: Expecting property name",
        b"GIF89a\xff\xfe": "a record is JSON, .* this is not: 'utf-8' codec",
        b"[1, 2]": "another program",
        '{"names": "Ann", "names": "Bob"}': "this is not: 'names' stands in it twice",
        '{"a":' * 100_000: "this is not: it is nested too deeply",
        json.dumps(LESS): "damaged: 'date' is missing",
    }.items():
        with pytest.raises(ValueError, match=message):
            Record.load(text)
    with pytest.raises(ValueError, match=r"path must end with .html or .* or .py; got 'x.txt'"):
        decided().save(tmp_path / "x.txt")
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "none.json")
    for make, message in {
        lambda: decided(names=None): "names must be text; got None",
        lambda: decided(name="Ann"): "unexpected keyword argument 'name'",
        lambda: record(CASE, [5], 1): "goals must be made of goals; got 5",
        lambda: replace(decided(), goals=(risk_goal(SCHOOL, COLUMN, 0.5),)): "without their data",
    }.items():
        with pytest.raises((TypeError, ValueError), match=message):
            make()
