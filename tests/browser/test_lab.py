"""An explorer in JupyterLab, by keyboard."""

import pytest
from playwright.sync_api import expect

from pages import KERNEL

NOTEBOOK = "02_interval_estimation.ipynb"
CONTRAST = """element => {
    const parse = colour => colour.match(/[\\d.]+/g).map(Number);
    let back = element, ground = [0, 0, 0, 0];
    while (back && (ground.length === 4 && ground[3] === 0)) {
        ground = parse(getComputedStyle(back).backgroundColor);
        back = back.parentElement;
    }
    const light = rgb => rgb.slice(0, 3)
        .map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground)].sort();
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.fixture
def explorer(page):
    page.open(NOTEBOOK)
    page.run_all()
    page.to_explorer()
    return page


def test_epsilon_moves_by_keyboard(explorer):
    page = explorer.page
    explorer.expect_sentence("ε = 0.0805", "±20%", "80%")
    explorer.explorer.get_by_role("button", name="confidence", exact=True).press("Enter")
    expect(explorer.box("Epsilon (ε)")).to_be_enabled()
    before, place = explorer.pixels(), explorer.picture.bounding_box()
    page.evaluate(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach(e => window.shift += e.value))"
        ".observe({type: 'layout-shift'})"
    )
    handle = explorer.slider("Epsilon (ε)")
    handle.focus()
    handle.press("ArrowRight")
    explorer.expect_sentence("ε = 0.09", "83.5%")
    for _ in range(5):
        handle.press("ArrowRight")
    explorer.expect_sentence("ε = 0.14", "93.9%")
    explorer.expect_agreement()
    assert explorer.pixels() != before
    assert explorer.picture.bounding_box() == place
    handle.press("Home")
    explorer.expect_sentence("ε = 0.001", "1.98%")
    explorer.expect_agreement()
    assert page.evaluate("window.shift") == 0


def test_typed_text_is_a_number_or_gets_a_message(explorer):
    explorer.explorer.get_by_role("button", name="confidence", exact=True).press("Enter")
    box = explorer.box("Epsilon (ε)")
    expect(box).to_be_enabled()
    before = explorer.pixels()
    for text, message in (("abc", "“abc” is not a number"), ("-1", "epsilon must be a finite number above 0; got -1")):
        box.fill(text)
        box.press("Enter")
        expect(explorer.alert).to_contain_text(message)
        expect(explorer.picture).to_have_css("opacity", "0.4")
        assert explorer.pixels() == before
        expect(box).to_have_value(text)
    box.fill("0,08")
    box.press("Enter")
    explorer.expect_sentence("ε = 0.08,", "79.8%")
    expect(explorer.alert).to_have_count(0)
    expect(explorer.picture).to_have_css("opacity", "1")
    expect(box).to_have_value("0.08")
    explorer.expect_agreement()


def test_the_committed_notebook_shows_its_pictures_without_a_kernel(page):
    page.open_without_kernel("00_start_here.ipynb")  # no other test starts a kernel for it
    image = page.page.locator(".jp-RenderedImage img").first
    image.scroll_into_view_if_needed()
    expect(image).to_be_visible()
    assert image.evaluate("image => image.naturalWidth") == 960
    assert image.bounding_box()["width"] == 640
    expect(page.page.get_by_text("model not found")).to_have_count(0)
    assert page.page.evaluate(f"{KERNEL} ?? null") is None
    # JupyterLab 4.6 itself stumbles over a notebook without a kernel.
    page.errors = [error for error in page.errors if "null (reading 'kernel')" not in error]


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_every_text_is_legible(explorer, theme):
    explorer.page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    dark = "false" if theme.endswith("Dark") else "true"
    explorer.page.wait_for_function(f"document.body.dataset.jpThemeLight === '{dark}'")
    explorer.box("Half-width (w)").fill("abc")
    explorer.box("Half-width (w)").press("Enter")
    expect(explorer.alert).to_be_visible()
    texts = explorer.explorer.locator("output, pre, [role=alert], label, .widget-html-content span:not(:empty)")
    assert texts.count() > 8
    for text in texts.all():
        assert text.evaluate(CONTRAST) >= 4.5, text.inner_text()
