"""A real Jupyter in a real browser, both fresh and both gone afterwards."""

import os
import shutil
import warnings
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Error as PlaywrightError

import dpwidgets
from pages import Page
from server import end_kernels, find_browser, launch, serve

ROOT = Path(__file__).parents[2]
EXPLORERS = [name for name in dpwidgets.__all__ if name.endswith("Explorer")]
PARTS = "parts.ipynb"  # every explorer, all that asks, and their progress
QUESTIONS = (
    "Question('Two and two?', answer=4, misconceptions={22: 'that is side by side'}, "
    "hint='Count.', solution='4')",
    "Question('Which is smaller?', answer='one', choices=('one', 'two'), "
    "hint='Count.', solution='one')",
    "Question('Three and three?', answer=6, then='It is even.')",
    "Task('Find Kelly.', WorldsExplorer, reached=lambda result: 'Kelly' in "
    "[result.names[guess] for guess in result.guesses], solution={'answer': 4.7}, hint='Near 5.')",
    "Question('Where is 40?', answer=32, explorer=BayesExplorer, at={'answer': 40}, of='answer')",
    "Review(seed=0)",
)


@pytest.fixture(scope="session")
def browser():
    """Chromium, as it is installed here; no test downloads one."""
    program = find_browser()
    if program is None:
        message = (
            "no Chromium on the path: install it, or name one in DPWIDGETS_BROWSER, "
            "to run the browser tests"
        )
        if os.environ.get("DPWIDGETS_REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    with launch(program) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory):
    """A copy of the notebooks; beside them the parts, and one question with its progress."""
    folder = tmp_path_factory.mktemp("server") / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    cells = [f"import dpwidgets\n{name} = dpwidgets.{name}()\n{name}" for name in EXPLORERS]
    cells += [f"from dpwidgets import Question, Review, Task\n{asked}" for asked in QUESTIONS]
    cells += ["dpwidgets.Progress()"]
    one = [f"from dpwidgets import Progress, Question\n{QUESTIONS[0]}", "Progress()"]
    for name, sources in ((PARTS, cells), ("progress.ipynb", one)):
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in sources],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, folder / name)
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
def page(browser, server, kind):
    """A notebook page with a kernel of its own; a message on the error console fails the test.

    A page that meets another one's kernel asks it for every widget that was ever shown, thousands
    after some tests, and on a busy machine waits for some of them for ever.
    """
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    page = Page(context.new_page(), kind, *server)
    yield page
    context.close()
    if kind != "voila":  # which ends its kernels itself
        end_kernels(*server)
    assert page.errors == []


@pytest.fixture
def parts(page, server):
    """The page with every explorer, a question of each kind and their progress, alive."""
    page.open(PARTS)
    try:
        page.run_all()
    except PlaywrightError as late:  # about one time in fifty: it waits for a widget for ever
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # said in the summary of the run, and no failure
            warnings.warn(f"begun once more: {late.message}; {page.errors}", stacklevel=1)
        page.page.goto("about:blank")
        end_kernels(*server)
        page.errors.clear()
        page.open(PARTS)
        page.run_all()
    page.explorer.scroll_into_view_if_needed()
    page.picture.wait_for()
    return page
