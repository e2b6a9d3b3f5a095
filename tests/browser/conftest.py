"""A real Jupyter in a real browser, both fresh and both gone afterwards."""

import shutil
from pathlib import Path

import pytest

from pages import Page
from server import end_kernels, serve

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory):
    """A copy of the notebooks."""
    folder = tmp_path_factory.mktemp("server") / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    return folder


@pytest.fixture(scope="module")
def kind(request):
    """Which server opens the page: JupyterLab, unless a test asks for others by its parameters."""
    return getattr(request, "param", "lab")


@pytest.fixture(scope="module")
def server(notebooks, kind, tmp_path_factory):
    with serve(notebooks, tmp_path_factory.mktemp("home"), kind) as address_and_token:
        yield address_and_token


@pytest.fixture
def page(browser, server, notebooks, kind):
    """A notebook page with a kernel of its own; a message on the error console fails the test.

    A page that meets another one's kernel asks it for every widget that was ever shown, thousands
    after some tests, and on a busy machine waits for some of them for ever.
    """
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    page = Page(context.new_page(), kind, notebooks, *server)
    yield page
    context.close()
    if kind != "voila":  # which ends its kernels itself
        end_kernels(*server)
    assert page.errors == []
