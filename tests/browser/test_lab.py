"""The notebooks in JupyterLab: run from top to bottom, read without a kernel, legible in both themes."""

import pytest
from playwright.sync_api import expect

from pages import KERNEL

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
    const lights = [light(parse(getComputedStyle(element).color)), light(ground)];
    return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}"""


def test_a_notebook_runs_and_its_explorer_lives(page):
    page.open("02_interval_estimation.ipynb")
    page.run_all()
    expect(page.page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']")).to_have_count(0)
    page.explorer.scroll_into_view_if_needed()
    page.expect_sentence("ε = 0.0805")
    before = page.pixels()
    page.slider("Half-width (w)").press("ArrowRight")
    page.expect_sentence("±21%")
    assert page.pixels() != before


def test_the_committed_notebook_shows_its_pictures_without_a_kernel(page):
    page.open_without_kernel("00_start_here.ipynb")  # no other test starts a kernel for it
    image = page.page.locator(".jp-RenderedImage img").first
    image.scroll_into_view_if_needed()
    expect(image).to_be_visible()
    assert image.evaluate("image => image.naturalWidth") == 960
    assert image.bounding_box()["width"] == 640
    expect(page.page.get_by_text("model not found")).to_have_count(0)
    assert page.page.evaluate(f"{KERNEL} ?? null") is None


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_every_text_is_legible(parts, theme):
    parts.page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    light = str(theme.endswith("Light")).lower()
    parts.page.wait_for_function(f"document.body.dataset.jpThemeLight === '{light}'")
    parts.box("Half-width (w)").fill("abc")
    parts.box("Half-width (w)").press("Enter")
    expect(parts.alert).to_be_visible()
    texts = parts.page.locator(
        ".widget-vbox :is(output, pre, p, [role=alert], label, .widget-html-content span:not(:empty))"
    )
    assert texts.count() > 10
    for text in texts.all():
        assert text.evaluate(CONTRAST) >= 4.5, text.inner_text()
