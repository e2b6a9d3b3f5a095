"""The record's page prints on A4: a short one on one sheet, a long one whole."""

import re
from functools import partial

import pytest

from dpwidgets.decisions import choice, plan
from pages import broken_words

SCHOOL = choice.Case(
    published="mean", n=12, low=0, high=10, unit="days of absence in a year", releases=2,
    delta=1e-6, prior=1 / 11, reference=5, confidence=0.8, household=3, used=0.123456789,
)  # fmt: skip
EVERYTHING = "all releases and a household"
GOALS = (
    choice.IntervalGoal(0.2),
    choice.risk_goal(
        SCHOOL, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 30], 1 / 4, EVERYTHING
    ),
    choice.BeliefGoal(1 / 3, reach=EVERYTHING),
)
LONG = (
    "Reasons that somebody gives at length, and in so many words that no sheet holds them. "
    * 90
)
PLAN = """\
visits: published=table, cells=40, contributions=3, neighbours=replace, error=12, releases=12
age: published=mean, n=9000, low=0, high=110, unit=years, error=0.5
beds: published=count, neighbours=replace, error=3, mechanism=geometric"""


PLANNED = plan.decide(
    PLAN, total=3, rho=1, posterior=0.9, prior=0.2, delta=1e-6
)
#: A record, what people say in each of its fields, and whether it fits on one
#: sheet.
RECORDS = {
    "a plan": (PLANNED.record, LONG[:80], True),
    "as in a notebook": (
        partial(choice.record, SCHOOL, GOALS[:2], 0.2),
        LONG[:80],
        True,
    ),
    "all at length": (partial(choice.record, SCHOOL, GOALS, 1.4), LONG, False),
    "one long word": (
        partial(choice.record, SCHOOL, GOALS, 1.4),
        "W" * 9000,
        False,
    ),
}


@pytest.mark.parametrize("which", RECORDS)
def test_it_prints_on_a4_without_a_network(browser, which):
    record, words, on_one = RECORDS[which]
    page = browser.new_page(
        offline=True, viewport={"width": 720, "height": 1000}
    )
    page.set_content(record(**dict.fromkeys(choice.WORDS, words)).html())
    printed = page.pdf(format="A4")
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 320, "height": 640})
    narrow = page.evaluate("document.documentElement.scrollWidth")
    broken = broken_words(page, "th, td:is(:first-child, :last-child)")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    broken += broken_words(page, "td, th")
    page.close()
    sizes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    for size in sizes:
        assert [float(one) / 72 * 25.4 for one in size] == pytest.approx(
            [210, 297], abs=1
        )
    # Nothing is cut off on the right, not even on a phone.
    assert (wide, narrow) == (720, 320)
    assert [word for word in broken if len(word) <= 12] == []
    assert (len(sizes) == 1) == on_one
