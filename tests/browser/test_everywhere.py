"""All that readers meet, by keyboard and at every width, in JupyterLab, Notebook and Voila."""

import importlib.resources

import pytest
from playwright.sync_api import expect

from pages import ASKED, EXPLORERS, LAID_OUT, Page, expect_ink, illegible, opened

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

EPSILON = "Epsilon (ε)"
# What the reader's file holds; no number of it may come to stand in the record.
FILE = "name;days\nAnn;1\nBob;2\nCy;30303\n"
# Of each explorer: how wide its place is, whether the picture stands beside the controls or below,
# and which of its elements are cut off, stand out, or have a scroll bar.
LOOK = """() => [...document.querySelectorAll('.dpw-explorer')].map(explorer => {
    const place = explorer.parentElement.getBoundingClientRect();
    const controls = explorer.querySelector('.dpw-controls').getBoundingClientRect();
    const picture = explorer.querySelector('.dpwidgets-picture').getBoundingClientRect();
    const seen = [...explorer.querySelectorAll(':not(svg *)')]
        .filter(one => one.getClientRects().length);
    const out = seen.filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < place.left - 1 || box.right > place.right + 1
            || !one.closest('select, input, textarea') && one.scrollWidth > one.clientWidth + 1
            && getComputedStyle(one).display !== 'inline';
    });
    return {
        width: place.width,
        beside: picture.left >= controls.right && picture.top < controls.bottom,
        below: picture.top >= controls.bottom,
        picture: picture.width,
        out: out.map(one => one.outerHTML.slice(0, 150)),
    };
})"""


@pytest.fixture(scope="module")
def all_shown(browser, server, notebooks, kind):
    """All explorers and all that asks on one page, since a host takes seconds to open one."""
    with opened(browser, server, notebooks, kind) as page:
        page.show_explorers(*EXPLORERS, then=ASKED)
        yield page


@pytest.fixture
def page(all_shown):
    """The page of all tests here; each uses an explorer or a question of its own."""
    all_shown.landmark = Page.landmark
    return all_shown


def test_epsilon_moves_by_keyboard(page):
    page.expect_sentence("ε = 0.0805", "±20%", "80%")
    slider = page.slider(EPSILON)
    expect(slider).to_be_disabled()  # it follows from the others
    expect(slider).to_have_attribute("aria-valuetext", "ε = 0.080472")
    page.option("confidence").press("Space")
    expect(slider).to_be_enabled()
    page.await_promise(LAID_OUT)
    slider.focus()
    before, place = page.lines(), page.picture.bounding_box()
    page.page.evaluate(
        "window.shift = 0; new PerformanceObserver("
        "list => list.getEntries().forEach(e => window.shift += e.value))"
        ".observe({type: 'layout-shift'})"
    )
    for key, number, sentence in (
        ("ArrowRight", "0.09", "83.5%"),
        ("ArrowUp", "0.1", "86.5%"),
        ("ArrowLeft", "0.09", "83.5%"),
        ("ArrowDown", "0.08", "79.8%"),
        ("PageUp", "0.16", "95.9%"),
        ("PageDown", "0.08", "79.8%"),
    ):
        page.page.keyboard.press(key)
        page.expect_sentence(f"ε = {number},", sentence)
        expect(slider).to_have_attribute("aria-valuetext", f"ε = {number}")
        expect(page.box(EPSILON)).to_have_value(number)
        expect(slider).to_be_focused()
    page.page.keyboard.press("PageUp")
    page.expect_sentence("ε = 0.16")
    assert page.lines() != before
    page.page.keyboard.press("End")
    page.expect_sentence("ε = 10,")
    page.page.keyboard.press("Home")
    page.expect_sentence("ε = 0.001", "1.98%")
    assert page.picture.bounding_box() == place
    assert page.page.evaluate("window.shift") == 0


def test_the_loss_follows_its_controls_by_keyboard(page):
    page.landmark = "Compositions"
    page.expect_sentence("The answer 0 is 1.65 times as likely without you", "For one release")
    page.slider("Compositions").press("End")
    page.expect_sentence("For 1,000 releases together")
    before = page.lines()
    page.option("binomial").press("Space")
    page.expect_sentence("the expected loss is ∞")
    expect(page.box("Trials")).to_be_visible()
    expect(page.box(EPSILON)).to_be_hidden()
    assert page.lines() != before


def test_typed_text_is_a_number_or_gets_a_message(page):
    page.option("confidence").press("Space")
    box = page.box(EPSILON)
    expect(box).to_be_enabled()
    before = page.lines()
    for text, message in (
        ("abc", "“abc” is not a number"),
        ("-1", "epsilon must be a number from 1e-8 to 1000; got -1"),
    ):
        box.fill(text)
        box.press("Enter")
        expect(page.alert).to_contain_text(message)
        expect(page.picture).to_have_css("opacity", "0.4")
        assert page.lines() == before
        expect(box).to_have_value(text)
    box.fill("0,08")
    box.press("Enter")
    page.expect_sentence("ε = 0.08,", "79.8%")
    expect(page.alert).to_have_count(0)
    expect(page.picture).to_have_css("opacity", "1")
    expect(box).to_have_value("0,08")  # as it was typed


def test_a_question_is_answered_by_keyboard_alone(page):
    question = page.question("Two and two?")
    field = question.get_by_label("Your answer")
    field.focus()
    page.page.keyboard.type("22")
    page.page.keyboard.press("Enter")
    verdict = question.get_by_role("status")
    expect(verdict).to_have_text("✗ Not yet: that is side by side.")
    page.page.keyboard.press("Tab")
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Enter")
    expect(question.get_by_text("Hint: Count.")).to_be_visible()
    field.fill("2+2")
    page.page.keyboard.press("Enter")
    expect(verdict).to_have_text("✓ Right.")


def test_a_choice_is_made_by_keyboard_alone(page):
    question = page.question("Which is smaller?")
    question.get_by_role("radio", name="one").focus()
    page.page.keyboard.press("Space")
    page.page.keyboard.press("Tab")  # the browser's radio buttons are one stop together
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    page.page.keyboard.press("Enter")
    expect(question.get_by_role("status")).to_have_text("✓ Right.")


def test_what_comes_next_appears_after_two_tries(page):
    question = page.question("Three and three?")
    expect(question.get_by_text("It is even.")).to_have_count(0)
    question.get_by_label("Your answer").focus()
    page.page.keyboard.type("33")
    page.page.keyboard.press("Enter")
    expect(question.get_by_role("status")).to_contain_text("Not yet")
    expect(question.get_by_text("It is even.")).to_have_count(0)
    page.page.keyboard.type("3")
    page.page.keyboard.press("Enter")
    expect(question.get_by_text("It is even.")).to_be_visible()
    expect(question.get_by_role("status")).to_contain_text("See below.")


def test_a_task_is_solved_by_keyboard_alone(page):
    page.landmark = "Answer (γ)"
    slider, task = page.slider("Answer (γ)"), page.question("Find Kelly.")
    slider.focus()
    expect(task.get_by_role("button", name="Hint")).to_be_disabled()
    verdict = task.get_by_role("status")
    for _ in range(40):
        spoken = slider.get_attribute("aria-valuetext")
        page.page.keyboard.press("ArrowRight")
        # Else a slow kernel is told of few moves only.
        expect(slider).not_to_have_attribute("aria-valuetext", spoken)
        if verdict.count() and "Reached" in verdict.text_content():
            break
    expect(verdict).to_have_text("✓ Reached.")
    expect(task.get_by_role("button", name="Hint")).to_be_enabled()


def test_a_question_sets_its_explorer_at_a_button(page):
    page.landmark = "Answer (ĉ)"
    page.box("Answer (ĉ)").fill("7")
    page.box("Answer (ĉ)").press("Enter")
    page.expect_sentence("After the answer 7")
    question = page.question("Where is 40?")
    setter = question.get_by_role("button", name="Set the explorer to this")
    expect(setter).to_be_disabled()  # a try comes first
    question.get_by_label("Your answer (records)").fill("31")
    question.get_by_label("Your answer (records)").press("Enter")
    expect(setter).to_be_enabled()
    setter.press("Enter")
    page.expect_sentence("After the answer 40")


def a_finger_meets_the_first_slider_too(page):
    slider = page.slider(EPSILON)
    slider.scroll_into_view_if_needed()
    place = slider.bounding_box()
    assert place["height"] >= 44
    for height in (place["y"] + 1, place["y"] + place["height"] - 1):
        found = page.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).getAttribute('aria-label')",
            [place["x"] + place["width"] / 4, height],
        )
        assert found == EPSILON


def test_controls_stand_beside_the_picture_where_there_is_room_and_nothing_is_cut(page):
    if page.kind == "lab":
        page.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.page.locator(".dpw-explorer").nth(len(EXPLORERS) - 1).wait_for()
    a_finger_meets_the_first_slider_too(page)
    widths = []
    for window in (400, 800, 1400):
        page.page.set_viewport_size({"width": window, "height": 1000})
        page.page.wait_for_function(f"window.innerWidth === {window}")
        page.await_promise(LAID_OUT)
        explorers = page.page.evaluate(LOOK)
        assert len(explorers) == len(EXPLORERS)
        for one in explorers:
            assert one["out"] == []
            assert (one["beside"], one["below"]) == (one["width"] >= 848, one["width"] < 848)
            assert one["picture"] <= 640
        widths.append(explorers[0]["width"])
    assert widths[0] < 400 < widths[1] < 1000 < widths[2]
    page.page.set_viewport_size({"width": 1200, "height": 1000})


def test_every_text_is_legible_in_both_themes_and_pictures_follow_at_once(page):
    page.box("Half-width (w)").fill("abc")
    page.box("Half-width (w)").press("Enter")
    expect(page.alert).to_be_visible()
    picture = page.explorer.get_by_role("img")
    before = picture.inner_html()
    for theme in ("Dark", "Light") if page.kind != "voila" else ():  # its theme stays
        page.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
            f"JupyterLab {theme}",
        )
        light = str(theme == "Light").lower()
        page.page.wait_for_function(f"document.body.dataset.jpThemeLight === '{light}'")
        expect_ink(picture.locator("text").first, dark=theme == "Dark")
        assert illegible(page.page) == []
    assert illegible(page.page) == []
    assert picture.inner_html() == before


def test_a_column_is_brought_and_a_record_taken_away(page, tmp_path):
    """A file reaches the explorer, and the record the reader's disk, without the file's numbers."""
    page.landmark = "What is published"
    file = tmp_path / "absences.csv"
    file.write_text(FILE, encoding="utf-8")
    page.explorer.get_by_text("Bring a column").click()
    with page.page.expect_file_chooser() as chooser:
        page.explorer.get_by_label("Bring a CSV file").click()
    chooser.value.set_files(file)
    expect(
        page.explorer.get_by_text("The file has 3 rows and these columns: name, days.")
    ).to_be_visible()
    page.explorer.get_by_label("Column").select_option("days")
    expect(page.explorer.get_by_text("Taken: 3 numbers of days.")).to_be_visible()
    page.option("what is published").check()
    page.box("People (n)").fill("")  # left open: these are three
    page.box("People (n)").press("Enter")
    page.option("the goals").check()
    page.explorer.get_by_label("Goal: risk").check()
    expect(page.explorer.get_by_text("This ε depends on your data").first).to_be_visible()
    page.explorer.get_by_text("The decision record").press("Enter")
    page.box("What is published").fill("absences")
    page.box("What is published").press("Tab")
    page.button("Write the record").press("Enter")
    with page.page.expect_download() as download:
        page.explorer.get_by_role("link", name="decision.md").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert "| what is published | absences |" in text
    assert "depends on your data: not for publishing" in text
    assert "30303" not in text


def test_axe_finds_nothing(page):
    script = (
        importlib.resources.files("axe_playwright_python")
        .joinpath("axe.min.js")
        .read_text(encoding="utf-8")
    )
    page.box("Half-width (w)").fill("abc")
    page.box("Half-width (w)").press("Enter")
    expect(page.alert).to_be_visible()
    page.page.evaluate(script + "; 0")
    found = page.page.evaluate("axe.run({include: [['.dpw']]})")
    assert len(found["passes"]) > 5
    violations = [
        (violation["id"], node["html"])
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
    assert violations == []
