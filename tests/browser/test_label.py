"""The privacy label on a phone, on paper, in both themes, in forced colors, and to axe."""

import re

import pytest

from dpwidgets.decisions import choice, plan
from pages import violations
from test_access import SPACED, STYLE
from test_record import GOALS, LONG, PLANNED, SCHOOL

#: A label, and on how many sheets it fits.
LABELS = {
    "a plan": (PLANNED.record(**dict.fromkeys(choice.WORDS, LONG[:80])), 2),
    "as in a notebook": (choice.record(SCHOOL, [], 0.2, about=LONG[:80]), 1),
    "without its ε": (choice.record(SCHOOL, GOALS, 0.2), 1),
    "of a refusal": (choice.record(SCHOOL, [], None), 1),
    "long words": (
        plan.decide(
            f"{'W' * 30}: published=count, unit={'W' * 40}, error=5"
        ).record(**dict.fromkeys(choice.WORDS, "W" * 900)),
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
COLORS = """() => [
  getComputedStyle(document.querySelector(".right")).fill,
  getComputedStyle(document.querySelector(".wrong")).stroke,
  getComputedStyle(document.body).backgroundColor]"""


@pytest.fixture(params=LABELS)
def label(request, browser):
    """A page with a label, and on how many sheets it fits."""
    record, sheets = LABELS[request.param]
    page = browser.new_page(
        offline=True, viewport={"width": 320, "height": 640}
    )
    page.set_content(record.label())
    yield page, sheets
    page.close()


def test_nothing_is_wider_than_a_small_phone_also_with_wide_spaces(label):
    page, _ = label
    for style in ("", SPACED):
        page.evaluate(STYLE, style)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert page.evaluate(WIDER) == []


def test_axe_finds_nothing_in_either_theme(label):
    page, _ = label
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert violations(page, "html") == [], theme


def test_it_prints_on_a4_and_on_letter_as_in_the_light(label):
    page, sheets = label
    for name, size in (("A4", (210, 297)), ("Letter", (215.9, 279.4))):
        page.emulate_media(color_scheme="dark", media="print")
        ink = page.evaluate("getComputedStyle(document.body).color")
        assert ink == "rgb(27, 27, 27)"
        printed = page.pdf(format=name)
        sizes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", printed)
        assert 1 <= len(sizes) <= sheets
        for one in sizes:
            millimeters = [float(side) / 72 * 25.4 for side in one]
            assert millimeters == pytest.approx(size, abs=1)


def test_the_people_are_seen_in_forced_colors_and_told_by_their_fill(browser):
    page = browser.new_page(offline=True)
    page.set_content(LABELS["a plan"][0].label())
    for forced in ("none", "active"):
        page.emulate_media(forced_colors=forced, color_scheme="dark")
        filled, outlined, paper = page.evaluate(COLORS)
        assert filled == outlined != paper
    page.close()
