"""A record's page and its label: on a phone, on paper, in both themes, and to axe."""

import re
from dataclasses import replace
from functools import partial

import pytest

from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import BeliefGoal, IntervalGoal
from dpwidgets.decisions.record import WORDS, of_case
from known import others_used
from pages import COLORS, blank, broken_words, violations
from test_access import SPACED, STYLE

SCHOOL = Case(
    published="mean", n=12, low=0, high=10, unit="days of absence in a year", releases=2,
    delta=1e-6, prior=1 / 11, reference=5, confidence=0.8, household=3,
    before=others_used(0.123456789),
)  # fmt: skip
GOALS = (
    IntervalGoal(0.2),
    choice.risk_goal(SCHOOL, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30], 1 / 4),
    BeliefGoal(1 / 3),
)
LONG = (
    "Reasons that somebody gives at length, and in so many words that no sheet holds them. "
    * 90
)
PLAN = """\
visits: published=table, cells=40, contributions=36, neighbours=replace, error=12, releases=12
age: published=mean, n=9000, low=0, high=110, unit=years, error=0.5
beds: published=count, neighbours=replace, error=3"""


def planned(**words):
    """Return the record of a plan with promises, a goal of each and three lines."""
    return plan.decide(
        PLAN, total=3, rho=1, posterior=0.9, prior=0.2, delta=1e-6
    ).record(**words)


def wide(**words):
    """Return the record of a plan whose line has no word that can be broken."""
    line = f"{'W' * 30}: published=count, unit={'W' * 40}, error=5"
    return plan.decide(line).record(**words)


#: A record, what people say in each of its fields, and whether it fits on one
#: sheet.
RECORDS = {
    "a plan": (planned, LONG[:80], True),
    "as in a notebook": (
        partial(
            of_case, replace(SCHOOL, household=1, before=()), GOALS[:2], 0.2
        ),
        LONG[:80],
        True,
    ),
    "all at length": (partial(of_case, SCHOOL, GOALS, 1.4), LONG, False),
    "one long word": (
        partial(of_case, SCHOOL, GOALS, 1.4),
        "W" * 9000,
        False,
    ),
}
#: What makes the record of a label, and how many sheets take it.
LABELS = {
    "a plan": (partial(planned, **dict.fromkeys(WORDS, LONG[:80])), 2),
    "as in a notebook": (
        partial(of_case, SCHOOL, [], 0.2, about=LONG[:80]),
        1,
    ),
    "without its ε": (partial(of_case, SCHOOL, GOALS, 0.2), 1),
    "of a refusal": (partial(of_case, SCHOOL, [], None), 1),
    "long words": (
        partial(wide, **dict.fromkeys(WORDS, "W" * 900)),
        9,
    ),
}
#: What is wider than the page, or than what it stands in.
WIDER = """() => [...document.body.querySelectorAll("*")].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1 &&
    !one.closest("svg") && getComputedStyle(one).display !== "inline";
}).map((one) => one.outerHTML.slice(0, 80))"""
#: The colors of the people who are filled in, of the others, and of the page.
PEOPLE = """() => [
  getComputedStyle(document.querySelector(".right")).fill,
  getComputedStyle(document.querySelector(".wrong")).stroke,
  getComputedStyle(document.body).backgroundColor]"""


def paper(page, name):
    """Return the sizes of the sheets on which a page is printed, in millimeters."""
    printed = page.pdf(format=name)
    sizes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    return [[float(side) / 72 * 25.4 for side in one] for one in sizes]


@pytest.fixture
def page(browser):
    """An empty page without a network."""
    with blank(browser, offline=True) as page:
        yield page


@pytest.mark.parametrize("which", RECORDS)
def test_it_prints_on_a4(page, which):
    record, words, on_one = RECORDS[which]
    page.set_viewport_size({"width": 720, "height": 1000})
    page.set_content(record(**dict.fromkeys(WORDS, words)).html())
    sheets = paper(page, "A4")
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 320, "height": 640})
    narrow = page.evaluate("document.documentElement.scrollWidth")
    broken = broken_words(page, "th, td:is(:first-child, :last-child)")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    broken += broken_words(page, "td, th")
    for sheet in sheets:
        assert sheet == pytest.approx([210, 297], abs=1)
    # Nothing is cut off on the right, not even on a phone.
    assert (wide, narrow) == (720, 320)
    assert [word for word in broken if len(word) <= 12] == []
    assert (len(sheets) == 1) == on_one


@pytest.fixture(params=LABELS)
def label(request, page):
    """A page with a label, and on how many sheets it fits."""
    record, sheets = LABELS[request.param]
    page.set_viewport_size({"width": 320, "height": 640})
    page.set_content(record().label())
    return page, sheets


def test_nothing_is_wider_than_a_small_phone_also_with_wide_spaces(label):
    page, _ = label
    for style in ("", SPACED):
        page.evaluate(STYLE, style)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert page.evaluate(WIDER) == []


def test_axe_finds_nothing_in_either_theme(label):
    page, _ = label
    assert violations(page, "html") == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "html", runOnly=COLORS) == []


def test_it_prints_on_a4_and_on_letter_as_in_the_light(label):
    page, sheets = label
    for name, size in (("A4", (210, 297)), ("Letter", (215.9, 279.4))):
        page.emulate_media(color_scheme="dark", media="print")
        ink = page.evaluate("getComputedStyle(document.body).color")
        assert ink == "rgb(27, 27, 27)"
        printed = paper(page, name)
        assert 1 <= len(printed) <= sheets
        for one in printed:
            assert one == pytest.approx(size, abs=1)


def test_the_people_are_seen_in_forced_colors_and_told_by_their_fill(page):
    page.set_content(planned(about=LONG[:80]).label())
    for forced in ("none", "active"):
        page.emulate_media(forced_colors=forced, color_scheme="dark")
        filled, outlined, paper = page.evaluate(PEOPLE)
        assert filled == outlined != paper
