"""The walk of a page in each host of Jupyter, how it looks there, and in which theme."""

import pytest

import pages
from pages import LAID_OUT, WRONG, expect_ink, part
from walk import SHOWN, walk

# Notebook is made of JupyterLab's own parts.
NOTEBOOK = pytest.param("notebook", marks=pytest.mark.others)
pytestmark = pytest.mark.parametrize(
    "kind", ["lab", NOTEBOOK, "voila"], indirect=True
)


@pytest.fixture(scope="module")
def shown(browser, server, notebooks, kind):
    """All on one page, since a host takes seconds to open one."""
    with pages.opened(browser, server, notebooks, kind) as page:
        page.show(*SHOWN, pages.BY_HAND)
        page.page.get_by_label("Count 0").wait_for()
        yield page


def test_what_a_reader_does_comes_to_the_kernel_and_back(shown):
    walk(shown.page)


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
