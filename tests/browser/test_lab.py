"""The notebooks in JupyterLab: run from top to bottom, and without a kernel.

That the first one runs there, tests/hosts/test_installed.py tells.
"""

import pytest
from playwright.sync_api import expect

from pages import KERNEL, lines, opened, part


@pytest.fixture(scope="module")
def page(browser, server, notebooks):
    """A page of all tests here, which keeps what it has loaded of JupyterLab."""
    with opened(browser, server, notebooks, "lab") as page:
        yield page


def test_run_all_loses_nothing_of_the_notebook_with_the_most_widgets_and_they_move(
    page,
):
    """What a busy page cannot take in time is lost without a word; this runs it only once."""
    name = "07_choosing_epsilon.ipynb"
    page.open(name)
    page.run_all()
    page.expect_outputs(name)
    explorer = part(page.page, "Epsilon (ε)")
    slider = explorer.get_by_role("slider", name="Epsilon (ε)").first
    spoken, before = slider.get_attribute("aria-valuetext"), lines(explorer)
    slider.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", spoken)
    expect(explorer).to_have_attribute("aria-busy", "false")
    assert lines(explorer) != before


def test_the_committed_notebook_shows_its_pictures_without_a_kernel(page):
    page.page.goto(f"{page.address}/lab?token={page.token}&reset")
    page.page.wait_for_function(
        "window.jupyterapp?.commands.hasCommand('docmanager:open')"
    )
    options = {
        "path": "00_start_here.ipynb",
        "kernelPreference": {"shouldStart": False},
    }
    command = "options => window.jupyterapp.commands.execute('docmanager:open', options)"
    page.page.evaluate(command, options)
    image = page.page.locator(".jp-RenderedImage img").first
    image.scroll_into_view_if_needed()
    expect(image).to_be_visible()
    assert image.evaluate("image => image.naturalWidth") == 960
    assert image.bounding_box()["width"] == 640
    expect(page.page.get_by_text("model not found")).to_have_count(0)
    assert page.page.evaluate(f"{KERNEL} ?? null") is None
