"""JupyterLite with the notebooks, from files on this machine; every other address is blocked.

Pyodide's distribution stands in the folder that DPWIDGETS_PYODIDE names.
"""

import json
import re
import shutil
import tomllib

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect

import tools
from execute import EVERY
from leaks import leaks
from lite import doors
from live import PINS, take_in
from pages import TASK, asking, violations, visiting
from server import served
from test_live import (
    COMES,
    PYODIDE,
    RULES,
    pytestmark as needs_pyodide,
)
from walk import SHOWN, walk

pytestmark = [needs_pyodide, pytest.mark.slow, pytest.mark.others]
HERE = tools.ROOT / "tests" / "live"


@pytest.fixture(scope="module")
def lite(tmp_path_factory):
    """The folder that `make lite PYODIDE=folder` builds, in an environment of its own."""
    folder = tmp_path_factory.mktemp("lite")
    repository = tools.copy_repository(folder / "repository")
    cells = map(nbformat.v4.new_code_cell, PARTS)
    spec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    parts = nbformat.v4.new_notebook(
        cells=[*cells],
        metadata={"kernelspec": spec, "language_info": {"name": "python"}},
    )
    nbformat.write(parts, repository / "notebooks" / "parts.ipynb")
    environment = tools.Environment(folder / "environment")
    environment.install("pip", f"{repository}[lite]")
    environment.run(
        "python",
        "website/lite.py",
        folder / "built",
        "--pyodide",
        PYODIDE,
        cwd=repository,
    )
    return folder / "built"


@pytest.fixture(scope="module")
def address(lite, tmp_path_factory):
    """Where it is served as a part of the website, from whose `live` it has Python."""
    site = tmp_path_factory.mktemp("site")
    take_in(lite, site / "run")
    with served(site) as address:
        yield address


def test_what_is_pinned_fits_together(lite):
    """Pyodide is the kernel's; what a package asks for is there, as old as it may be."""
    packages = json.loads((lite / "live" / "packages.json").read_text())[
        "packages"
    ]
    lock = json.loads(
        (lite / "live" / "pyodide" / "pyodide-lock.json").read_text()
    )
    assert lock["info"]["version"] == PINS["pyodide"]
    assert lock["info"]["python"].startswith(PINS["python"])
    there = {
        canonicalize_name(name): one["version"]
        for name, one in lock["packages"].items()
    }
    there |= {name: one["version"] for name, one in packages.items()}
    for one in packages.values():
        needed = {*map(canonicalize_name, one["depends"])}
        assert needed <= there.keys(), one["name"]
    project = tomllib.loads((tools.ROOT / "pyproject.toml").read_text())[
        "project"
    ]
    for asked in map(Requirement, project["dependencies"]):
        assert asked.specifier.contains(
            there[canonicalize_name(asked.name)]
        ), asked


def test_the_labs_that_students_get_are_there_and_nothing_that_solves_them(
    lite,
):
    (files,) = (lite / "files").iterdir()
    assert {"lab1.ipynb", "lab2.ipynb", "lab3.ipynb"} <= {
        path.name for path in files.iterdir()
    }
    assert leaks(files) == set()
    assert leaks(lite / "api") == set()


def test_every_notebook_says_in_pyodide_what_is_stored(lite):
    if not shutil.which("node"):
        pytest.skip(
            "node, in which Pyodide runs without a browser, is not installed"
        )
    program = (HERE / "run.mjs", lite / "live", HERE / "notebooks.py")
    notebooks = (f"/host{path}" for path in EVERY)
    said = tools.run("node", *program, *notebooks).splitlines()
    # What a notebook says else stands in a line before.
    names = [line.partition(":")[0] for line in said]
    assert names == [path.name for path in EVERY], said


#: One of each thing that a lesson has.
PARTS = (
    "import dpwidgets\nWorldsExplorer = dpwidgets.WorldsExplorer()",
    *SHOWN,
    *("WorldsExplorer", TASK),
    "def inverse(number):\n    return 1 / number\n\n\ndpwidgets.Code('Write one over a number.', "
    "lambda: inverse, like=lambda number: 1 / number, at=[(2.0,), (5.0,)], hint='h', solution='s')",
    "dpwidgets.Progress()",
)
#: Whether no cell waits to be run.
ALL_RAN = """() => [...document.querySelectorAll(".jp-InputPrompt")]
    .every((one) => !one.textContent.includes("*"))"""
#: Whether this browser has kept a notebook.
SAVED = """(path) => new Promise((resolve) => {
  const ask = indexedDB.open("dpwidgets");
  ask.onsuccess = () => {
    const keys = ask.result.transaction("files").objectStore("files").getAllKeys();
    keys.onsuccess = () => resolve(keys.result.includes(path));
  };
})"""


def run_all(page):
    """Run a lesson to its end: nothing is left to run, and nothing failed."""
    expect(page.get_by_text("Python (Pyodide)").first).to_be_visible(
        timeout=COMES
    )
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    expect(page.locator("input[type=range]:visible").first).to_be_visible(
        timeout=COMES
    )
    page.wait_for_function(ALL_RAN, timeout=COMES)


def test_a_page_runs_by_its_link_moves_judges_and_keeps_what_its_reader_has_solved(
    page,
):
    page.open("run/parts.html")
    # Else much is not there.
    page.set_viewport_size({"width": 1366, "height": 14_000})
    run_all(page)
    progress = page.locator(".jp-CodeCell", has_text="dpwidgets.Progress()")
    # The last cell.
    expect(progress).to_contain_text("of 3 asked", timeout=COMES)
    walk(page)
    code = asking(page, "Write one over a number.")
    code.get_by_role("button", name="Check").click()
    expect(code).to_contain_text("✓")
    answer = page.locator(".jp-CodeCell").nth(len(PARTS) - 4)
    answer.get_by_role("textbox", name="Answer").fill("4.7")
    answer.get_by_role("textbox", name="Answer").press("Enter")
    expect(asking(page, "Find Kelly.")).to_contain_text("✓")
    expect(progress).to_contain_text("Solved: 3 of 3")
    expect(progress).to_contain_text("storage of this browser")
    assert violations(page, ".dpw", runOnly=RULES) == []
    page.reload()
    run_all(page)
    expect(progress).to_contain_text("Solved: 3 of 3", timeout=COMES)


def test_who_comes_back_after_an_update_finds_the_new_notebook_and_their_own(
    browser, lite, tmp_path
):
    """The lessons get another folder, as they do when anything in them changes."""
    site = tmp_path / "site"
    take_in(lite, site / "run")
    (old,) = [path.name for path in (site / "run/files").glob("lessons-*")]
    new = "lessons-00000000"
    (site / "run/parts.html").touch()  # a browser keeps an old file for longer
    with (
        served(site) as address,
        visiting(browser, address) as page,
    ):
        page.open("run/parts.html")
        expect(page).to_have_url(re.compile(f"path={old}/parts.ipynb"))
        cell = page.locator(".jp-CodeCell .cm-content").first
        cell.click(timeout=COMES)
        page.keyboard.type("# mine ")
        page.keyboard.press("Control+s")
        page.wait_for_function(SAVED, arg=f"{old}/parts.ipynb")
        (site / "run/files" / old).rename(site / "run/files" / new)
        doors(site / "run", new)
        page.open("run/parts.html")
        expect(
            page.get_by_role("link", name="parts", exact=True)
        ).to_have_attribute(
            "href", f"notebooks/index.html?path={new}/parts.ipynb"
        )
        page.get_by_role(
            "link", name=f"your earlier {old}/parts.ipynb"
        ).click()
        expect(page.locator(".jp-CodeCell .cm-content").first).to_contain_text(
            "# mine", timeout=COMES
        )
