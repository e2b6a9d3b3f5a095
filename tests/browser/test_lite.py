"""JupyterLite with the notebooks, from files on this machine; every other address is blocked.

Pyodide's distribution stands in the folder that DPWIDGETS_PYODIDE names.
"""

import functools
import http.server
import json
import re
import sys
import threading
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect

import tools
from live import PINS
from test_live import COMES, PYODIDE, Quiet, opened, pytestmark as needs_pyodide

pytestmark = [needs_pyodide, pytest.mark.slow]
HERE = tools.ROOT / "tests" / "live"


@pytest.fixture(scope="module")
def lite(tmp_path_factory):
    """The folder that `make lite PYODIDE=folder` builds, in an environment of its own."""
    folder = tmp_path_factory.mktemp("lite")
    repository = tools.copy_repository(folder / "repository")
    environment = tools.Environment(folder / "environment")
    environment.install("pip", f"{repository}[lite]")
    environment.run(
        "python", "website/lite.py", folder / "built", "--pyodide", PYODIDE, cwd=repository
    )
    return folder / "built"


@pytest.fixture(scope="module")
def address(lite):
    handler = functools.partial(Quiet, directory=lite)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def node(lite, program, *words):
    """Run a program in Pyodide, and return what it printed."""
    command = ["node", HERE / "run.mjs", lite / "live", HERE / program, *words]
    return tools.run(*command).splitlines()


def test_what_is_pinned_fits_together(lite):
    """Pyodide is the kernel's; what a package asks for is there, as old as it may be."""
    packages = json.loads((lite / "live" / "packages.json").read_text())["packages"]
    lock = json.loads((lite / "live" / "pyodide" / "pyodide-lock.json").read_text())
    assert lock["info"]["version"] == PINS["pyodide"]
    assert lock["info"]["python"].startswith(PINS["python"])
    there = {canonicalize_name(name): one["version"] for name, one in lock["packages"].items()}
    there |= {name: one["version"] for name, one in packages.items()}
    for one in packages.values():
        assert {*one["depends"]} <= there.keys(), one["name"]
    project = tomllib.loads((tools.ROOT / "pyproject.toml").read_text())["project"]
    for asked in map(Requirement, project["dependencies"]):
        assert asked.specifier.contains(there[canonicalize_name(asked.name)]), asked


def test_every_notebook_says_in_pyodide_what_is_stored(lite):
    files = sorted((tools.ROOT / "notebooks").glob("*.ipynb"))
    said = node(lite, "notebooks.py", *(f"/host{file}" for file in files))
    assert [line.partition(":")[0] for line in said] == [file.name for file in files], said


def test_every_calculator_returns_in_pyodide_what_it_returns_here(lite):
    many = "30"
    here = tools.run(sys.executable, HERE / "drawn.py", many).splitlines()
    there = [line for line in node(lite, "drawn.py", many) if line.startswith("[")]
    assert len(here) == len(there) > 1000
    for one, other in zip(map(json.loads, here), map(json.loads, there), strict=True):
        assert one[:2] == other[:2]
        exact = one[0].rpartition(".")[2] not in ("chance_closer", "epsilon")
        near = pytest.approx(one[2], rel=1e-12 if exact else 1e-8, abs=1e-300, nan_ok=True)
        assert other[2] == near, one[:2]


def run_all(page):
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()


def test_a_lesson_opens_by_its_link_runs_and_keeps_what_its_reader_has_solved(browser, address):
    with opened(browser, address, "00_start_here.html") as page:
        expect(page.locator(".jp-Notebook")).to_be_visible(timeout=COMES)
        run_all(page)
        slider = page.locator("input[type=range]:visible").first
        expect(slider).to_be_visible(timeout=COMES)
        sentence = page.locator(".dpw-sentence").first
        before = sentence.text_content()
        slider.press("ArrowRight")
        expect(sentence).not_to_have_text(before)
        question = page.locator(".dpw").filter(has_text="it becomes twice as wide").first
        question.get_by_label("it becomes twice as wide").check()
        question.get_by_role("button", name="Check").click()
        expect(question.locator(".dpw-verdict")).to_contain_text("✓")
        page.reload()
        expect(page.locator(".jp-Notebook")).to_be_visible(timeout=COMES)
        run_all(page)
        solved = page.locator(".dpw").get_by_text(re.compile(r"1 of \d+ solved")).first
        expect(solved).to_be_visible(timeout=COMES)
        assert not page.elsewhere
