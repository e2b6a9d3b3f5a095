"""The walk of a page in each host of Jupyter, how it looks there, and in which theme.

In JupyterLab also the notebooks: run from top to bottom, and without a kernel.
That the first one runs there, tests/hosts/test_installed.py tells.
"""

import pytest
from playwright.sync_api import expect

import pages
from pages import KERNEL, LAID_OUT, WRONG, expect_ink, lines, part
from walk import SHOWN, walk

# Notebook is made of JupyterLab's own parts.
NOTEBOOK = pytest.param("notebook", marks=pytest.mark.others)
each_host = pytest.mark.parametrize(
    "kind", ["lab", NOTEBOOK, "voila"], indirect=True
)
in_lab = pytest.mark.parametrize("kind", ["lab"], indirect=True)


@pytest.fixture(scope="module")
def shown(browser, server, notebooks, kind):
    """All on one page, since a host takes seconds to open one."""
    with pages.opened(browser, server, notebooks, kind) as page:
        page.show(*SHOWN, pages.BY_HAND)
        page.page.get_by_label("Count 0").wait_for()
        yield page


@each_host
def test_what_a_reader_does_comes_to_the_kernel_and_back(shown):
    walk(shown.page)


@each_host
def test_nothing_is_cut_off_or_too_small_at_any_width(shown):
    if shown.kind == "lab":
        shown.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    for window in (400, 1400):
        shown.page.set_viewport_size({"width": window, "height": 1000})
        shown.page.wait_for_function(f"window.innerWidth === {window}")
        shown.page.wait_for_function(LAID_OUT)
        # Of hosts that keep only some cells in their places, none can tell
        # what overlaps.
        assert not [
            one
            for one in shown.page.evaluate(WRONG)
            if not one.startswith("overlap")
        ]
    shown.page.set_viewport_size({"width": 1200, "height": 1000})


@each_host
def test_axe_finds_nothing_every_text_is_legible_in_both_themes_and_pictures_follow(
    shown,
):
    explorer = part(shown.page, "Half-width (w)")
    picture = explorer.locator(".dpw-picture").get_by_role("img")
    before = picture.inner_html()
    assert pages.violations(shown.page) == []
    for theme in ("Dark", "Light") if shown.kind == "lab" else ():
        shown.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
            f"JupyterLab {theme}",
        )
        expect_ink(picture.locator("text").first, dark=theme == "Dark")
        if theme == "Dark":
            assert (
                pages.violations(shown.page, runOnly=["color-contrast"]) == []
            )
    assert picture.inner_html() == before


@in_lab
def test_run_all_loses_nothing_of_the_notebook_with_the_most_widgets_and_they_move(
    shown,
):
    """What a busy page cannot take in time is lost without a word; this runs it only once."""
    name = "07_choosing_epsilon.ipynb"
    shown.open(name)
    shown.run_all()
    shown.expect_outputs(name)
    explorer = part(shown.page, "Epsilon (ε)")
    slider = explorer.get_by_role("slider", name="Epsilon (ε)").first
    spoken, before = slider.get_attribute("aria-valuetext"), lines(explorer)
    slider.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", spoken)
    expect(explorer).to_have_attribute("aria-busy", "false")
    assert lines(explorer) != before


@in_lab
def test_the_committed_notebook_shows_its_pictures_without_a_kernel(shown):
    shown.page.goto(f"{shown.address}/lab?token={shown.token}&reset")
    shown.page.wait_for_function(
        "window.jupyterapp?.commands.hasCommand('docmanager:open')"
    )
    options = {
        "path": "00_start_here.ipynb",
        "kernelPreference": {"shouldStart": False},
    }
    command = "options => window.jupyterapp.commands.execute('docmanager:open', options)"
    shown.page.evaluate(command, options)
    image = shown.page.locator(".jp-RenderedImage img").first
    image.scroll_into_view_if_needed()
    expect(image).to_be_visible()
    assert image.evaluate("image => image.naturalWidth") == 960
    assert image.bounding_box()["width"] == 640
    expect(shown.page.get_by_text("model not found")).to_have_count(0)
    assert shown.page.evaluate(f"{KERNEL} ?? null") is None
