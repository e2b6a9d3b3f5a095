"""A real JupyterLab in a real browser, both fresh and both gone afterwards."""

import os
import shutil
from pathlib import Path

import pytest

from pages import Page
from server import find_browser, launch, serve

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def browser():
    """Chromium, as it is installed here; no test downloads one."""
    program = find_browser()
    if program is None:
        message = "no Chromium on the path: install it, or name one in DPWIDGETS_BROWSER, to run the browser tests"
        if os.environ.get("DPWIDGETS_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    with launch(program) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """JupyterLab over a copy of the notebooks; yields its address and token."""
    home, notebooks = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("server") / "notebooks"
    shutil.copytree(ROOT / "notebooks", notebooks, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    with serve(notebooks, home) as address_and_token:
        yield address_and_token


@pytest.fixture
def page(browser, lab):
    """A notebook page; `open` and `run_all` come first. A message on the error console fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    page = Page(context.new_page(), *lab)
    yield page
    context.close()
    assert page.errors == []
