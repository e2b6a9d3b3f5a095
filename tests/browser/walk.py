"""One walk of a page with widgets, for every host: what a reader's hands do, and what comes back.

What the front end does by itself is tested on pages of their own; a host brings
its messages to a kernel and back, its files, and its widgets within widgets.
"""

import re
from pathlib import Path

from playwright.sync_api import expect

from dpwidgets import ChoiceExplorer
from dpwidgets.decisions.record import CaseRecord
from dpwidgets.inputs.column import read_column
from pages import DRAWS, asking, expect_each_move_is_answered, part
from tools import shown

#: What stands on the page, each in a cell.
SHOWN = (
    "dpwidgets.IntervalExplorer()",
    DRAWS,
    "dpwidgets.Question('Three and three?', answer=6, misconceptions={33: 'that is side by side'}, "
    "then=dpwidgets.LossExplorer())",
    "dpwidgets.ChoiceExplorer()",
)
#: A reader's column, as it is pasted; its names may come to stand nowhere else. It is one line,
#: since Chromium lays a field out anew for each.
COLUMN = ", ".join(f"Person{row}: {int(row % 5 == 0)}" for row in range(2000))


def walk(page) -> None:
    """Move, type, draw, answer, bring a column, and take a record away."""
    explorer = part(page, "Half-width (w)")
    move(page, explorer)
    draw(page)
    answer(page)
    bring(page, part(page, "What is published"))


def move(page, explorer) -> None:
    """Five keys and a drag; what is typed is a number, or gets a message; then start over."""
    expect_each_move_is_answered(page, explorer)
    box = explorer.get_by_role("textbox", name="Half-width (w)", exact=True)
    picture = explorer.locator(".dpwidgets-picture")
    alert = explorer.get_by_role("alert")
    box.fill("-1")
    box.press("Enter")
    expect(alert).to_contain_text("half_width must be a number")
    expect(picture).to_have_css("opacity", "0.4")
    box.fill("0,3")
    box.press("Enter")
    expect(alert).to_have_count(0)
    expect(picture).to_have_css("opacity", "1")
    expect(box).to_have_value("0,3")  # as it was typed
    explorer.get_by_role("button", name="Start over").press("Enter")
    expect(explorer.locator(".dpw-sentence")).to_contain_text("ε = 0.0805")


def draw(page) -> None:
    """Draws stand on the picture of the widget within, until its controls are moved."""
    game = part(page, "Compositions")
    said = game.locator(".dpw-sentence")
    told = said.filter(has_text=re.compile("drawn|draws|answer about"))
    game.get_by_role("button", name="Draw 10", exact=True).press("Enter")
    expect(told).to_contain_text("10 draws: the loss is")
    for key, words in (
        ("Enter", "1,010 draws"),
        ("Space", "After one answer about the same"),
    ):
        page.keyboard.press("Tab")
        page.keyboard.press(key)
        expect(told).to_contain_text(words)
    game.get_by_role("slider", name="Compositions").first.press("End")
    for words in ("For 1,000 releases together", "Nothing is drawn from this"):
        expect(said.filter(has_text=words)).to_be_visible()


def answer(page) -> None:
    """A question is judged, and an explorer that waited for its answer comes and moves."""
    question = asking(page, "Three and three?")
    held = question.get_by_role("slider", name="Compositions").first
    field = question.get_by_label("Your answer")
    for typed, said in (
        ("33", "✗ Not yet: that is side by side."),
        ("3+3", "✓ Right. See below."),
    ):
        expect(held).to_have_count(0)
        field.fill(typed)
        field.press("Enter")
        verdict = question.get_by_role("status").filter(has_text=said)
        expect(verdict).to_be_visible()
    held.press("End")
    expect(question.locator(".dpw-sentence")).to_contain_text(
        "For 1,000 releases together"
    )


def bring(page, desk) -> None:
    """A column reaches the desk, and a record the reader's disk, without a name of the column."""
    desk.get_by_label("Goal: risk", exact=True).check()
    values = desk.get_by_label("Values", exact=True)
    values.fill(COLUMN)
    values.press("Tab")
    explorer = ChoiceExplorer(use_risk=True, values=read_column(COLUMN))
    code = shown(explorer, "code")["text"]  # it names the column
    expect(desk.locator(".dpw-code")).to_contain_text(code, timeout=180_000)
    expect(desk.locator(".dpw-sentence").first).to_have_text(explorer.sentence)
    desk.get_by_text("The decision record", exact=True).click()
    about = desk.get_by_role("textbox", name="What is published", exact=True)
    about.fill("smokers")
    about.press("Tab")
    desk.get_by_role("button", name="Write the record").press("Enter")
    with page.expect_download() as download:
        desk.get_by_role("link", name="decision.json").click()
    record = Path(download.value.path()).read_bytes()
    assert CaseRecord.load(record).epsilon == explorer.result.epsilon
    assert b'"smokers"' in record
    assert b"Person" not in record
