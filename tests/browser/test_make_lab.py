"""The README's ways to open the notebooks: `make lab` in a clone, and the command of a wheel.

The clone has the name and the files of a reader's, and the wheel's environment nothing else.
"""

import json
import os
import subprocess
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from playwright.sync_api import expect

import tools
from pages import OUTPUTS, Page

pytestmark = pytest.mark.slow

FIRST = "00_start_here.ipynb"
#: Lets whoever opens the page tell what runs in it, and asks no other host for news.
CONFIGURED = {
    "expose_app_in_browser": True,
    "news_url": None,
    "check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
}


@pytest.fixture(params=["make lab", "dpwidgets"])
def way(request, wheel, tmp_path):
    """A command, where it is given, and the folder in which it opens the notebooks."""
    home = tmp_path / "dpwidgets"
    if request.param == "make lab":
        return ["make", "lab"], tools.copy_repository(home), home / "notebooks"
    environment = tools.Environment(tmp_path / "environment")
    environment.install(f"{wheel}[lab]")
    home.mkdir()
    root = ["--allow-root"] if os.geteuid() == 0 else []
    program = environment.folder / "bin" / "dpwidgets"
    return [program, "--to", "mine", *root], home, home / "mine"


@pytest.fixture
def address(way, tmp_path):
    """What the command asks the reader's browser to open; here that is a script, which keeps it."""
    told, said = tmp_path / "told", tmp_path / "said"
    command, folder, _ = way
    variables = tools.clean_variables(tmp_path / "settings")
    variables["BROWSER"] = str(tmp_path / "browser")
    Path(variables["BROWSER"]).write_text(f'#!/bin/sh\necho "$1" >{told}\n')
    Path(variables["BROWSER"]).chmod(0o755)
    config = Path(variables["JUPYTER_CONFIG_DIR"])
    config.mkdir(parents=True)
    (config / "jupyter_lab_config.json").write_text(json.dumps({"LabApp": CONFIGURED}))
    with said.open("w") as log:
        started = subprocess.Popen(command, cwd=folder, env=variables, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 900  # a net: packages may be slow to come
        while not told.exists() or not told.read_text().endswith("\n"):
            assert started.poll() is None, said.read_text()
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.2)
        yield told.read_text().strip()
    finally:
        # Make, the server, and the kernels, which the server ends when it is asked to end.
        first = psutil.Process(started.pid)
        running = [first, *first.children(recursive=True)]
        for process in running[::-1]:
            process.terminate()
        for process in psutil.wait_procs(running, 30)[1]:
            process.kill()
        started.wait(30)


def test_it_opens_a_notebook_that_runs_from_top_to_bottom(way, address, browser):
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    notebooks = way[2]
    page = Page(context.new_page(), "lab", notebooks, "", "")
    page.page.goto(address)
    page.page.wait_for_url(f"http://localhost:*/lab/tree/{FIRST}*")
    page.await_kernel()
    page.run_all()
    cells = nbformat.read(notebooks / FIRST, as_version=4).cells
    stored = {cell.id: len(cell.outputs) for cell in cells if cell.cell_type == "code"}
    assert page.page.evaluate(OUTPUTS) == stored
    expect(page.page.locator("[data-mime-type='application/vnd.jupyter.error']")).to_have_count(0)
    page.explorer.scroll_into_view_if_needed()
    expect(page.picture).to_be_visible()
    context.close()
    assert page.errors == []
