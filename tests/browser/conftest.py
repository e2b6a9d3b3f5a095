"""A real Jupyter in a real browser, both fresh and both gone afterwards."""

import shutil

import pytest

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
