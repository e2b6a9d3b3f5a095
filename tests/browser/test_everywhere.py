"""Each kind of what readers meet, by keyboard and at every width, in each host of Jupyter."""

import re

import pytest
from playwright.sync_api import expect

import pages
from pages import LAID_OUT, WRONG, Page, expect_ink

pytestmark = pytest.mark.parametrize(
    "kind", ["lab", "notebook", "voila"], indirect=True
)

EPSILON = "Epsilon (ε)"
# What the reader's file holds; no number of it may come to stand in the
# record.
FILE = "name;days, <b>lost</b>\nAnn;1,5\nBob;2,5\nCy;30303,5\n"
# What stands in the picture moves with its mark; all else stays where it is.
WATCH_SHIFTS = """window.shift = 0; new PerformanceObserver(list => list.getEntries()
    .filter(entry => entry.sources.some(({ node }) => !node?.matches?.(".dpw-handle")))
    .forEach(entry => window.shift += entry.value)
).observe({type: 'layout-shift'})"""

# Whether a finger meets an element at its upper and at its lower edge. Asked in
# one step: a host that scrolls may still put its cells in other places.
FILLS_ITS_ROW = """node => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [y + 1, y + height - 1].every(
        edge => document.elementFromPoint(x + width / 4, edge) === node);
}"""


@pytest.fixture(scope="module")
def all_shown(browser, server, notebooks, kind):
    """All on one page, since a host takes seconds to open one."""
    with pages.opened(browser, server, notebooks, kind) as page:
        explorers = (
            "dpwidgets.IntervalExplorer()",
            "dpwidgets.ChoiceExplorer()",
        )
        asked = pages.QUESTION, pages.CHOICE, pages.SKETCH, pages.SPOT
        page.show(pages.DRAWS, *explorers, *asked)
        page.picture.wait_for()
        page.page.get_by_label("Height at the left end").wait_for()
        yield page


@pytest.fixture
def page(all_shown):
    """The page of all tests here; each uses an explorer or a question of its own."""
    all_shown.landmark = Page.landmark
    return all_shown


def test_five_keys_and_a_drag_are_each_answered(page):
    pages.expect_each_move_is_answered(page.page, page.explorer)
    page.button("Start over").press("Enter")
    page.expect_sentence("ε = 0.0805", "±20%", "80%")


def test_epsilon_moves_by_keyboard_and_typed_text_is_a_number_or_gets_a_message(
    page,
):
    page.expect_sentence("ε = 0.0805", "±20%", "80%")
    slider = page.slider(EPSILON)
    expect(slider).to_be_disabled()  # it follows from the others
    expect(slider).to_have_attribute("aria-valuetext", "ε = 0.080472")
    page.option("confidence").press("Space")
    expect(slider).to_be_enabled()
    page.await_promise(LAID_OUT)
    slider.focus()
    before, place = page.lines(), page.picture.bounding_box()
    page.page.evaluate(WATCH_SHIFTS)
    for key, number, sentence in (
        ("ArrowRight", "0.09", "83.4%"),
        ("PageUp", "0.18", "97.2%"),
        ("Home", "0.001", "1.98%"),
    ):
        page.page.keyboard.press(key)
        page.expect_sentence(f"ε = {number},", sentence)
        expect(slider).to_have_attribute("aria-valuetext", f"ε = {number}")
        expect(page.box(EPSILON)).to_have_value(number)
        expect(slider).to_be_focused()
    assert page.lines() != before
    assert page.picture.bounding_box() == place
    assert page.page.evaluate("window.shift") == 0
    before = page.lines()
    page.type(EPSILON, "-1")
    expect(page.alert).to_contain_text(
        "epsilon must be a number from 1e-8 to 1000; got -1"
    )
    expect(page.picture).to_have_css("opacity", "0.4")
    assert page.lines() == before
    expect(page.box(EPSILON)).to_have_value("-1")
    page.type(EPSILON, "0,08")
    page.expect_sentence("ε = 0.08,", "79.8%")
    expect(page.alert).to_have_count(0)
    expect(page.picture).to_have_css("opacity", "1")
    expect(page.box(EPSILON)).to_have_value("0,08")  # as it was typed


def test_draws_stand_on_the_picture_until_its_controls_are_moved_by_keyboard(
    page,
):
    page.landmark = "Compositions"
    told = page.page.get_by_role("status").filter(
        has_text=re.compile("drawn|draws|answer about")
    )
    still, moving = page.lines()
    page.button("Draw 10").press("Enter")
    expect(told).to_contain_text("10 draws: the loss is")
    expect(page.button("Draw 10")).to_be_focused()
    assert page.lines()[0] == still  # the frame stands
    assert page.lines()[1] != moving
    for key, words in (
        ("Enter", "1,010 draws"),
        ("Space", "After one answer about the same"),
    ):
        page.page.keyboard.press("Tab")
        page.page.keyboard.press(key)
        expect(told).to_contain_text(words)
    page.slider("Compositions").press("End")
    page.expect_sentence("For 1,000 releases together")
    expect(
        page.page.get_by_text("those drawn before are cleared")
    ).to_be_visible()


def test_a_sketch_is_drawn_by_keyboard_and_by_hand_and_then_compared(page):
    page.landmark = "Height at the left end"
    left = page.slider(page.landmark)
    second = page.slider("Height left of the middle")
    still, moving = page.lines()
    page.button("Show").press("Enter")
    expect(page.alert).to_contain_text("move the handles first")
    for key, share in (("ArrowUp", "52%"), ("PageUp", "62%"), ("Home", "0%")):
        left.press(key)
        expect(left).to_have_attribute("aria-valuetext", share)
    page.page.keyboard.press("Tab")
    expect(second).to_be_focused()
    second.scroll_into_view_if_needed()
    page.await_promise(LAID_OUT)
    place = second.bounding_box()
    middle = place["x"] + place["width"] / 2
    page.page.mouse.move(middle, place["y"] + place["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(
        middle, place["y"] + 13 + 0.25 * (place["height"] - 26), steps=5
    )
    page.page.mouse.up()
    # 75% of the frame's 102%.
    expect(second).to_have_attribute("aria-valuetext", "76%")
    assert page.lines()[0] == still
    assert page.lines()[1] != moving
    expect(page.page.get_by_text("It bends.", exact=True)).to_have_count(0)
    page.button("Show").press("Enter")
    expect(page.sentence).to_contain_text(
        "Your sketch rises, then falls from 30% on"
    )
    expect(page.page.get_by_text("It bends.", exact=True)).to_be_visible()


def test_questions_are_answered_by_keyboard_alone(page):
    keyboard = page.page.keyboard
    question = page.question("Two and two?")
    field = question.get_by_label("Your answer")
    verdict = question.get_by_role("status")
    field.focus()
    keyboard.type("22")
    keyboard.press("Enter")
    expect(verdict).to_have_text("✗ Not yet: that is side by side.")
    keyboard.press("Tab")
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(question.get_by_text("Hint: Count.")).to_be_visible()
    field.fill("2+2")
    keyboard.press("Enter")
    expect(verdict).to_have_text("✓ Right.")
    question = page.question("Which is smaller?")
    question.get_by_role("radio", name="one").focus()
    keyboard.press("Space")
    keyboard.press("Tab")  # the browser's radio buttons are one stop together
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    keyboard.press("Enter")
    expect(question.get_by_role("status")).to_have_text("✓ Right.")
    question = page.question("Which line?")
    question.get_by_role("button", name="line 1: x = 1").focus()
    keyboard.press("Space")
    expect(question.get_by_role("status")).to_have_text(
        "✗ Not yet: it is right."
    )
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(question.get_by_role("status")).to_have_text("✓ Right. See below.")
    expect(question.get_by_role("button", pressed=True)).to_have_text("y = x")
    expect(question.get_by_text("It is y.", exact=True)).to_be_visible()


def test_nothing_is_cut_off_or_too_small_at_any_width(page):
    if page.kind == "lab":
        page.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    slider = page.slider(EPSILON)
    slider.scroll_into_view_if_needed()
    page.page.wait_for_function(FILLS_ITS_ROW, arg=slider.element_handle())
    assert slider.bounding_box()["height"] >= 44  # for a finger
    for window in (400, 1400):
        page.page.set_viewport_size({"width": window, "height": 1000})
        page.page.wait_for_function(f"window.innerWidth === {window}")
        page.await_promise(LAID_OUT)
        # Of hosts that keep only some cells in their places, none can tell
        # what overlaps.
        assert not [
            one
            for one in page.page.evaluate(WRONG)
            if not one.startswith("overlap")
        ]
    page.page.set_viewport_size({"width": 1200, "height": 1000})


def test_axe_finds_nothing_every_text_is_legible_in_both_themes_and_pictures_follow(
    page,
):
    page.type("Half-width (w)", "abc")
    expect(page.alert).to_be_visible()
    picture = page.explorer.get_by_role("img")
    before = picture.inner_html()
    assert pages.violations(page.page) == []
    for theme in ("Dark", "Light") if page.kind == "lab" else ():
        page.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
            f"JupyterLab {theme}",
        )
        expect_ink(picture.locator("text").first, dark=theme == "Dark")
        if theme == "Dark":
            assert (
                pages.violations(page.page, runOnly=["color-contrast"]) == []
            )
    assert picture.inner_html() == before


def test_a_column_is_brought_and_a_record_taken_away(page, tmp_path):
    """A file reaches the explorer, and the record the reader's disk, without the file's numbers."""
    page.landmark = "What is published"
    file = tmp_path / "absences.csv"
    file.write_text(FILE, encoding="utf-8")
    explorer = page.explorer
    page.option("what is published").check()
    page.option("a sum").check()
    explorer.get_by_text("Bring a column").click()
    with page.page.expect_file_chooser() as chooser:
        explorer.get_by_role("button", name="Bring a CSV file").click()
    chooser.value.set_files(file)
    expect(explorer.get_by_text("The file has 2 columns.")).to_be_visible()
    assert pages.violations(page.page) == []
    explorer.get_by_role("button", name="days").press("Enter")
    expect(
        explorer.get_by_text("Taken: 3 numbers of “days, <b>lost</b>”")
    ).to_be_visible()
    page.type("People (n)", "")  # left open: these are three
    page.option("the goals").check()
    explorer.get_by_label("Goal: risk").check()
    expect(
        explorer.get_by_text("This ε depends on your data").first
    ).to_be_visible()
    explorer.get_by_text("The decision record").press("Enter")
    page.box("What is published").fill("absences")
    page.box("What is published").press("Tab")
    page.button("Write the record").press("Enter")
    with page.page.expect_download() as download:
        explorer.get_by_role("link", name="decision.md").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert "| what is published | absences |" in text
    assert "depends on your data: not for publishing" in text
    assert "30303" not in text
