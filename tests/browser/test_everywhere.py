"""An explorer and a question by keyboard, in JupyterLab, Notebook and Voila."""

import importlib.resources

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

# What core ipywidgets does itself: no slider's handle has a name. The box beside it has one.
NOT_OURS = {("aria-input-field-name", "noUi-handle")}
EPSILON = "Epsilon (ε)"


def test_epsilon_moves_by_keyboard(parts):
    parts.expect_sentence("ε = 0.0805", "±20%", "80%")
    parts.button("confidence").press("Enter")
    expect(parts.box(EPSILON)).to_be_enabled()
    before, place = parts.pixels(), parts.picture.bounding_box()
    parts.page.evaluate(
        "window.shift = 0; new PerformanceObserver("
        "list => list.getEntries().forEach(e => window.shift += e.value))"
        ".observe({type: 'layout-shift'})"
    )
    handle = parts.slider(EPSILON)
    handle.focus()
    if parts.kind != "notebook":  # Notebook 7 keeps the arrow keys on a slider to itself
        handle.press("ArrowRight")
        parts.expect_sentence("ε = 0.09", "83.5%")
        handle.press("ArrowLeft")
        parts.expect_sentence("ε = 0.08,")
    handle.press("PageUp")
    parts.expect_sentence("ε = 0.13", "92.6%")
    assert parts.pixels() != before
    handle.press("End")
    parts.expect_sentence("ε = 10,", "so close to 1 that it rounds to 1")
    handle.press("Home")
    parts.expect_sentence("ε = 0.001", "1.98%")
    assert parts.picture.bounding_box() == place
    assert parts.page.evaluate("window.shift") == 0


def test_the_loss_follows_its_controls_by_keyboard(parts):
    parts.landmark = "Compositions"
    parts.explorer.scroll_into_view_if_needed()
    parts.expect_sentence("The answer 0 is 1.65 times as likely without you", "For one release")
    parts.slider("Compositions").press("End")
    parts.expect_sentence("For 1,000 releases together")
    before = parts.pixels()
    parts.button("binomial").press("Enter")
    parts.expect_sentence("the expected loss is ∞")
    expect(parts.box("Trials")).to_be_visible()
    expect(parts.box(EPSILON)).to_be_hidden()
    assert parts.pixels() != before


def test_typed_text_is_a_number_or_gets_a_message(parts):
    parts.button("confidence").press("Enter")
    box = parts.box(EPSILON)
    expect(box).to_be_enabled()
    before = parts.pixels()
    for text, message in (
        ("abc", "“abc” is not a number"),
        ("-1", "epsilon must be a finite number above 0; got -1"),
    ):
        box.fill(text)
        box.press("Enter")
        expect(parts.alert).to_contain_text(message)
        expect(parts.picture).to_have_css("opacity", "0.4")
        assert parts.pixels() == before
        expect(box).to_have_value(text)
    box.fill("0,08")
    box.press("Enter")
    parts.expect_sentence("ε = 0.08,", "79.8%")
    expect(parts.alert).to_have_count(0)
    expect(parts.picture).to_have_css("opacity", "1")
    expect(box).to_have_value("0.08")


def test_a_question_is_answered_by_keyboard_alone(parts):
    question = parts.question("Two and two?")
    field = question.get_by_label("Your answer")
    field.focus()
    parts.page.keyboard.type("22")
    parts.page.keyboard.press("Enter")
    verdict = question.locator("output[role=status]")
    expect(verdict).to_have_text("✗ Not yet: that is side by side.")
    parts.page.keyboard.press("Tab")
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    parts.page.keyboard.press("Tab")
    parts.page.keyboard.press("Enter")
    expect(question.get_by_text("Hint: Count.")).to_be_visible()
    field.fill("2+2")
    parts.page.keyboard.press("Enter")
    expect(verdict).to_have_text("✓ Right.")


def test_a_choice_is_made_by_keyboard_alone(parts):
    question = parts.question("Which is smaller?")
    question.get_by_role("radio", name="one").focus()
    parts.page.keyboard.press("Space")
    for _ in ("two", "Check"):  # core radio buttons are one stop each
        parts.page.keyboard.press("Tab")
    expect(question.get_by_role("button", name="Check")).to_be_focused()
    parts.page.keyboard.press("Enter")
    expect(question.locator("output[role=status]")).to_have_text("✓ Right.")


def test_axe_finds_no_serious_violation_of_ours(parts):
    script = (
        importlib.resources.files("axe_playwright_python")
        .joinpath("axe.min.js")
        .read_text(encoding="utf-8")
    )
    parts.box("Half-width (w)").fill("abc")
    parts.box("Half-width (w)").press("Enter")
    expect(parts.alert).to_be_visible()
    parts.page.evaluate(script + "; 0")
    found = parts.page.evaluate("axe.run({include: [['.jupyter-widgets.widget-vbox']]})")
    assert len(found["passes"]) > 5
    serious = [
        violation
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    ours = [
        (violation["id"], node["html"])
        for violation in serious
        for node in violation["nodes"]
        if not any(violation["id"] == rule and part in node["html"] for rule, part in NOT_OURS)
    ]
    assert ours == []
