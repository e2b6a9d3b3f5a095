"""A real Jupyter in a real browser, both fresh and both gone afterwards."""

import os
import shutil

import pytest

from pages import blank, visiting
from server import serve
from tools import ROOT


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory):
    """A copy of the notebooks."""
    folder = tmp_path_factory.mktemp("server") / "notebooks"
    shutil.copytree(
        ROOT / "notebooks",
        folder,
        ignore=shutil.ignore_patterns(".ipynb_checkpoints"),
    )
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The website, with Python in it where a folder of Pyodide is named."""
    from test_website import build

    python = os.environ.get("DPWIDGETS_PYODIDE")
    more = ("--pyodide", python) if python else ()
    return build(tmp_path_factory.mktemp("site"), *more)


@pytest.fixture
def bare(browser):
    """An empty page."""
    with blank(browser) as page:
        yield page


@pytest.fixture
def page(browser, address):
    """A page of the site at an address."""
    with visiting(browser, address) as page:
        yield page


@pytest.fixture
def figure(page):
    """The strip of the interval on its page of the site."""
    page.open("explorers/interval.html")
    return page.locator("figure.dpwidgets-strip")


@pytest.fixture(scope="module")
def kind(request):
    """Which server opens the page: JupyterLab, unless a test asks for others by its parameters."""
    return getattr(request, "param", "lab")


@pytest.fixture(scope="module")
def server(notebooks, kind, tmp_path_factory):
    with serve(
        notebooks, tmp_path_factory.mktemp("home"), kind
    ) as address_and_token:
        yield address_and_token
