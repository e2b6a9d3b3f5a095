"""The decision record: there and back, with nothing of the data and nothing typed out of hand."""

import html
import itertools
import json
import re
from dataclasses import replace

import mistune
import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

import dpwidgets
from decided import (
    GOALS as SHALL,
    GROUP,
    MEANS,
    PLAN_OF_MEANS,
    SAID,
    decided,
    recorded,
    row,
    rows,
)
from dpwidgets.decisions import plan, totals
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.record import NO_PLACE, WORDS, CaseRecord
from dpwidgets.inputs.notation import up
from known import HOSPITAL, others_used

GOALS = {"half_width": 0.05, "posterior": 0.4, "total": 1}
SCHOOL = Case(
    published="mean", n=5, low=0, high=1e6, unit="euros", delta=1e-6, prior=0.2, reference=5e4,
    confidence=0.8,
)  # fmt: skip
COLUMN = [51234.5, 47001.25, 60099.75, 990001.5, 48000.125]


def hospitals(epsilon=0.2, **words):
    return recorded(HOSPITAL, epsilon, **GOALS, **words)


def secret(epsilon=2, **words):
    return recorded(SCHOOL, epsilon, **{"values": COLUMN, "risk": 0.5} | words)


CONTENT, TAG = json.loads(hospitals().json()), re.compile("<[^>]*>")


SECRET = "depends on your data: not for publishing"
OPEN = "nobody has said yet"


def written(made):
    return made.json(), made.markdown(), made.html(), made.label(), repr(made)


def test_a_record_comes_back_from_text_and_file(tmp_path):
    hidden = secret(posterior=0.9)
    for made in (
        hospitals(**SAID),
        hospitals(None),
        hidden,
        hidden.public(),
    ):
        assert (
            CaseRecord.load(made.json())
            == CaseRecord.load(made.json().encode())
            == made
        )
        path = made.save(tmp_path / "decision.json")
        assert CaseRecord.load(path) == CaseRecord.load(str(path)) == made
        for suffix, text in ((".md", made.markdown()), (".html", made.html())):
            saved = made.save(str(tmp_path / f"decision{suffix}"))
            # Which record it is stands in a file, and not in a notebook.
            foot = f". This is record {made.id}"
            page = saved.read_text(encoding="utf-8")
            assert page.replace(foot, "") == text != page
        assert not any(made.id in page for page in written(made)[1:])
    assert hospitals().version == dpwidgets.__version__


def test_the_page_says_what_people_said_and_an_empty_field_stays_visible_as_open():
    full = hospitals(**SAID).markdown()
    assert all(full.count(words) == 1 for words in SAID.values())
    others = [called for name, called in WORDS.items() if name != "reasons"]
    page = hospitals(reasons="because").markdown()
    assert f"| {OPEN} | {'; '.join(others)} |" in page
    # Half of all guesses are right by a coin.
    bare = recorded({}, error=7)
    assert set(re.findall(r"[\d.]+%", bare.markdown())) == {"50%", "54.8%"}


def test_each_goal_is_named_a_promise_to_people_or_a_precision_of_the_number():
    made = hospitals(error=9, success=0.9, rho=1)
    kinds = ["precision"] * 2 + ["promise"] * 4
    for kind, goal in zip(kinds, made.goals, strict=True):
        sentence = goal.sentence(HOSPITAL)
        assert sentence in [said for said, *_ in rows(made, kind, SHALL)]


def test_both_writers_say_all_that_stands_in_the_tables():
    said = SAID | {"names": "A & <b>B</b>"}
    made = secret(posterior=0.9, half_width=0.01, **said)
    cells = [made.title, made.outcome, made.verdict]
    for table in made.all_tables:
        cells += [table.title, *table.header, *itertools.chain(*table.rows)]
    assert len(cells) > 80
    for page in (re.sub("<[^>]*>", "\n", made.html()), made.markdown()):
        said = html.unescape(re.sub("</?span>", "", page))
        assert [cell for cell in cells if cell.strip() not in said] == []
    # It needs no network.
    assert not re.search(r"(src|href)=|url\(|@import", made.html())
    assert "<th></th>" not in made.html()


def test_secret_data_stay_out_and_the_first_line_says_so():
    made = secret(posterior=0.9)
    for text in written(made):
        assert not re.search(r"51,?234|47,?001|60,?099|990,?001|48,?000", text)
    assert SECRET in made.markdown().splitlines()[2]
    assert json.loads(made.json())["warning"] == SECRET
    assert hospitals().public() == hospitals()


def test_the_public_version_leaves_out_what_depends_on_secret_data():
    binding = secret(posterior=0.99, epsilon=0.3)
    public = binding.public()
    other = secret(posterior=0.99, risk=0.9, epsilon=0.05).public()
    refused = secret(None, posterior=0.99).public()
    assert public == other == refused == public.public()
    assert (public.epsilon, public.goals) == (None, binding.goals[1:])
    for text in written(public):
        assert not re.search(
            "missing|ε = 0|(?<!initial-)scale|[Nn]othing is published", text
        )


CLASS = replace(
    SCHOOL, n=12, high=10, unit="days", releases=2, prior=1 / 11, reference=5
)
days = st.just(0.0) | st.floats(1e-6, 12)


@given(
    st.lists(days, min_size=11, max_size=11),
    days,
    st.floats(0.01, 0.99),
    st.floats(0.1, 900),
)
@settings(max_examples=max(1, settings().max_examples // 4))
def test_the_public_version_is_the_same_for_any_neighbours(
    column, one, risk, epsilon
):
    """Who knows eleven pupils must not read off it whether the twelfth was ill for long."""
    others = {"half_width": 0.2, "posterior": 1 / 3, "total": 3}
    made = [
        recorded(CLASS, epsilon, values=[*column, last], risk=risk, **others)
        for last in (one, 0.0)
    ]
    public = [replace(one.public(), id="a class") for one in made]
    assert len({written(one) for one in public}) == 1


def test_a_loaded_record_says_what_its_case_and_goals_give():
    """What a file claims beyond them is refused, so that nobody can forge what the noise gives."""
    forged = CaseRecord.load(json.dumps(CONTENT | {"number": 5.0}))
    assert forged.met == (True, False, False)
    found = re.findall(
        r"\| (yes|NO) \|$", forged.markdown(), flags=re.MULTILINE
    )
    assert found == ["yes", "NO", "NO"]
    # What it warns of is computed too.
    bold = re.sub(r'"warning": ".*?",', "", secret().json())
    assert CaseRecord.load(bold) == secret()


MEAN = {"published": "mean", "low": 0, "high": 9, "n": 9}
#: What is public of a case without anybody saying it.
KNOWN = (
    ({"published": "count", "n": 2000}, "n = 2,000 people"),
    ({"published": "count", "n": 1}, "n = 1 person"),
    (
        {"published": "table", "cells": 40, "n": 500},
        "n = 500 people, 40 cells",
    ),
    (MEAN | {"groups": 1}, "n = 9 people, 1 group"),
    (MEAN | {"groups": 4}, "n = at least 9 people in each of 4 groups"),
)


#: What starts a formula in JupyterLab: in the source, and in the text between
#: two tags of a page.
FORMULA = re.compile(r"\$|\\\\?[(\[]|\\\\?begin")
TYPED = (
    r"\(x\) \\(x\\) \[x\] \begin{align}x\end{align} $x$ $$x$$ *x* _x_ `x` ~~x~~ x^2^ |x| x@y.org",
    "<b>x</b> <!-- x --> ![x](y) [x](y) ![x] x[^1] &amp; &#36;x&#36;",
    "<https://x.org> https://x.org http://x.org ftp://x.org www.x.org",
    'Ann <script>alert("x")</script> | Bob\n\n# *boss* [here](http://x) `code` $x$ \\',
)


def planned(words):
    line = "<i>beds</i>: published=count, unit=<u>, error=5"
    return plan.decide(line).record(**dict.fromkeys(WORDS, words))


@pytest.mark.slow
def test_what_people_type_stands_on_a_rendered_page_as_they_typed_it():
    plugins = [
        "table",
        "url",
        "strikethrough",
        "math",
        "footnotes",
        "superscript",
    ]
    strict = MarkdownIt("commonmark", {"html": True}).enable("table")
    renderers = (
        mistune.create_markdown(escape=False, plugins=plugins),
        strict.render,
    )
    plain = hospitals(**dict.fromkeys(WORDS, "x"))
    for typed in TYPED:
        made = hospitals(**dict.fromkeys(WORDS, typed))
        assert CaseRecord.load(made.json()).names == typed
        assert not FORMULA.search(made.markdown())
        for render in renderers:
            page = render(made.markdown())
            pieces = [
                re.sub(r"^[$\\]$", "", html.unescape(one))
                for one in TAG.split(page)
            ]
            assert not any(map(FORMULA.search, pieces))
            said = html.unescape("".join(TAG.split(page)))
            assert said.count(" ".join(typed.split())) >= len(WORDS)
            tags = [tag for tag in TAG.findall(page) if "span" not in tag]
            assert tags == TAG.findall(render(plain.markdown()))
        for one, other in (
            (made.html(), plain.html()),
            (made.label(), plain.label()),
            (planned(typed).label(), planned("x").label()),
        ):
            assert TAG.findall(re.sub("</?span>", "", one)) == TAG.findall(
                other
            )
        unit = recorded(replace(HOSPITAL, unit=typed[:40]), **GOALS)
        assert "<b>" not in unit.markdown() + unit.html()


@pytest.mark.parametrize("text", ["[1]]", "null", "", "Ann has diabetes."])
def test_a_text_is_a_record_or_a_path_and_is_never_repeated(text):
    made = hospitals()
    assert CaseRecord.load("\ufeff\n " + made.json()) == made
    says = f"a record is JSON, .* the text, of {len(text):,} characters, begins with no {{"
    with pytest.raises(ValueError, match=says) as caught:
        CaseRecord.load(text)
    assert not text or text not in str(caught.value)


@pytest.mark.slow
@given(
    st.sampled_from(["Laplace", "Gaussian"]),
    st.floats(0.05, 4),
    st.floats(1, 1e5),
    st.sampled_from([0.5, 0.9, 0.95, 0.999]),
    st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_a_page_says_how_precise_counts_of_every_size_are(
    mechanism, epsilon, reference, sure, larger
):
    """Each width is at least what the noise stays within, and hardly more."""
    case = Case(
        published="table", cells=40, mechanism=mechanism, delta=1e-6,
        reference=reference, confidence=sure,
    )  # fmt: skip
    (said,) = row(recorded(case, epsilon, half_width=0.5), "by size")
    scale = case.scale(epsilon)

    def numbers(pattern):
        found = re.findall(pattern, said)
        return [[float(one.replace(",", "")) for one in row] for row in found]

    sizes = numbers(r"±([\d.,]+)% of ([\d,]+)")
    assert [size for _, size in sizes] == [10, 100, 1_000, 10_000]
    ((least, share),) = numbers(r"from ([\d.,]+) up lies within ±([\d.,]+)%")
    assert reference * (1 - 1e-8) <= least <= reference * 1.01
    within = case.within(scale, sure)
    for width, size in [*sizes, [share, least], [share, least + larger]]:
        assert width / 100 * size >= within * (1 - 1e-8)
    for width, size in sizes:
        assert width / 100 * size <= within * 1.011


NOISY = Case(published="count", mechanism="Gaussian", delta=0.3, n=1000)
WARDS = {"published": "table", "cells": 9}
COUNT = Case(published="count")
BESIDE = "- What is published without noise is under none of these promises"
LEFT_OUT = "- What one person has beyond {} is left out before; “the truth” is"
SIZES = plan.decide(
    "a: published=count, error=5\n"
    "b: published=count, half_width=0.1, reference=100, confidence=0.9"
)


def of(case, epsilon=0.2, **words):
    return recorded(case, epsilon, error=7, **words)


YEAR = replace(HOSPITAL, releases=12)
AGAINST = decided(YEAR.to_dict(), half_width=0.05, total=1).choice.sentence
ALLOWED = decided(HOSPITAL.to_dict(), GOALS).choice.sentence
YEARS = recorded(YEAR, 0.1, **GOALS | {"posterior": 0.1})


OTHER = "another of the same group"
AFTER_GROUPS = decided(
    published="count", neighbours="replace", total=2, before=[of(MEANS)]
)
FEW_IN_GROUPS = replace(
    MEANS, n=5, groups=4, household=20, mechanism="Gaussian", delta=1e-3
)
SUMS_OF_GROUPS = Case(
    published="sum", low=0, high=1.5, groups=3, neighbours="replace"
)
#: A number moves all noise but what is fixed.
HALF = plan.decide(
    "a: published=count, error=6\nb: published=count, scale=7", factor=0.5
)
TWELVE = "a: published=table, cells=4, error=1, releases=12"
MISSED, KEPT = (
    plan.decide(TWELVE, total=total, delta=1e-6).record() for total in (1, 99)
)
WARNED, UNWARNED = (
    plan.decide(
        "\n".join(f"{name}: published=count, n=900, error=5, delta={own}" for name in "ab"),
        delta=delta, total=9,
    ).record()
    for own, delta in ((0, 0.01), (0.01, 1e-6))
)  # fmt: skip
NO_PRIOR = plan.decide(
    "a: published=count, error=3", posterior=0.6, factor=0.5
)
OFF = (
    f"added up have a mean error of {up(totals.error(COUNT, 5, 40))} people; "
    "a total with such noise of its own"
)
CELLS = plan.decide(
    "a: published=table, cells=40, error=5\nb: published=count, error=5"
)
SUMS = decided(published="sum", groups=40, low=0, high=5, error=5)
MONTHS = replace(COUNT, delta=1e-6, releases=30)
#: What came before as others say it, and inside an earlier record.
USED = others_used(2)
AFTER = [
    of(replace(MONTHS, before=before), 0.05)
    for before in (USED, of(replace(COUNT, before=USED), 0.001).earlier())
]
#: What pages say: a record, and words of its page.
SAYS = (
    # Of what others used up no law is known.
    *((made, "is named, a probability may exceed") for made in AFTER),
    *((made, "loss of everything is never above 3.5") for made in AFTER),
    (of(replace(MONTHS, releases=1095), 1.0), "and never above 1"),
    (of(replace(MONTHS, mechanism="Gaussian")), "and nothing limits it."),
    *(
        (made, words)
        for made in (of(MEANS), PLAN_OF_MEANS.record(), AFTER_GROUPS.record())
        for words in (GROUP, OTHER)
    ),
    (of(MEANS), f"is replaced by {OTHER}, one mean"),
    *(
        (of(FEW_IN_GROUPS), words)
        for words in (
            "- How many each group has is public",
            "publish the records of 0.02 of 20 people",
            "each of at least 5 people",
        )
    ),
    (of(SUMS_OF_GROUPS), "sum changes, or two do: "),
    (of(replace(SUMS_OF_GROUPS, contributions=2)), "or several do: "),
    (HALF.record(), "noise of scale 3 people: off by 3 people on average"),
    (HALF.record(), "noise of scale 7 people: off by 7 people on average"),
    (MISSED, "1 of 2 goals is met."),
    (MISSED, "which misses its goal"),
    (KEPT, "2 of 2 goals are met."),
    (WARNED, "more than 0.01/900"),
    (NO_PRIOR.record(), "cannot be said: prior must be given in the case"),
    (CELLS.record(), f"| added up | a: All 40 counts {OFF}"),
    (SUMS.record(), f"| added up | All 40 sums {OFF}"),
    *(
        (of(Case(**fields), **said), f"| published without noise | {cell} |")
        for fields, known in KNOWN
        for said, cell in (
            ({}, known),
            (SAID, f"{known}; besides: {SAID['unprotected']}"),
        )
    ),
    *((of(NOISY), warning) for warning in NOISY.warnings),
    *(
        (YEARS, words)
        for words in (
            f"| what stands against it | {AGAINST} |",
            "nothing: no noise meets them all",
            f"No noise meets “{YEARS.goals[1].sentence(YEAR)}”",
            *(goal.sentence(YEAR) for goal in YEARS.goals),
        )
    ),
    (
        hospitals(None),
        "# Decision record: Nothing is published",
    ),
    (hospitals(None), f"| the goals allow | {ALLOWED} |"),
    *((of(NOISY, None), warning) for warning in NOISY.warnings),
    (
        of(replace(HOSPITAL, before=others_used(0.6))),
        "ε = 1.4, with ε = 0.6 used up by others",
    ),
    (
        of(COUNT),
        "| in all | 1 release about the same people: ε = 0.2 |",
    ),
    (
        of(COUNT),
        "- What is done after the noise may look at noisy numbers only: ",
    ),
    (of(COUNT, unprotected="the exact total"), BESIDE),
    (of(replace(COUNT, n=2000)), BESIDE),
    (
        of(COUNT, unprotected="the exact total"),
        "| published without noise | the exact total |",
    ),
    (of(Case(**WARDS)), LEFT_OUT.format("1 record")),
    (
        of(Case(**WARDS, contributions=3)),
        LEFT_OUT.format(
            "3 of all 9 numbers or beyond 1 record in one of them"
        ),
    ),
    (
        of(Case(published="count", contributions=3, releases=52)),
        LEFT_OUT.format(
            "3 of all 52 numbers or beyond 1 record in one of them"
        ),
    ),
    (
        of(Case(**WARDS, releases=12)),
        LEFT_OUT.format("1 record in one release"),
    ),
    (
        of(replace(COUNT, n=500, confidence=0.9)),
        "with a probability of 90%: ±116% of 10, ±11.6% of 100.",
    ),
    (
        of(replace(COUNT, n=5, confidence=0.9)),
        "of the truth with a probability of 90%.",
    ),
    (SIZES.record(), "| by size | b: Whatever its size"),
    (
        SIZES.record(),
        "every count from 100 up lies within ±10% of itself.",
    ),
    (secret(epsilon=1e-7), "at most 50% sure"),
    (secret(epsilon=40), "perhaps more than 50% sure"),
    (hospitals(), "break a goal. This record may be published if all that"),
    (hospitals(None), "Nothing is published. This record may be published if"),
    (
        secret(None, posterior=0.9),
        "Nothing is published. This record depends on your data",
    ),
    (secret(posterior=0.99).public(), "> **For publishing: the version"),
    (secret(), NO_PLACE),
    (
        CaseRecord.load(json.dumps(CONTENT | {"version": "9.1"})),
        f"with dpwidgets 9.1; its numbers are computed by dpwidgets {dpwidgets.__version__}",
    ),
)
#: What they do not say, where it is not so.
SAYS_NOT = (
    (AFTER[0], "The loss of everything is above"),
    (of(replace(MEANS, groups=1)), "group somebody"),
    (KEPT, "which misses its goal"),
    (UNWARNED, "more than 0.01/900"),
    (CELLS.record(), "b: All"),
    (of(COUNT), "by size"),
    (of(Case(published="sum", low=0, high=9, confidence=0.9)), "by size"),
    (SIZES.record(), "a: Whatever its size"),
    (of(COUNT, unprotected=" "), BESIDE),
    (of(COUNT), "left out before"),
    (of(COUNT), "| published without noise |"),
    (of(Case(**WARDS)), "| published without noise |"),
    # What the case lacks has no row.
    *((of(COUNT), word) for word in ("±", "a warning", "used up", "belie")),
    (hospitals(**SAID), OPEN),
    (secret().public(), NO_PLACE),
    (hospitals(), NO_PLACE),
)


@pytest.mark.parametrize(("made", "words"), SAYS)
def test_a_page_says_what_is_so(made, words):
    assert words in html.unescape(made.markdown())


@pytest.mark.parametrize(("made", "words"), SAYS_NOT)
def test_a_page_does_not_say_what_is_not_so(made, words):
    assert words not in html.unescape(made.markdown())
