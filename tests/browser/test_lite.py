"""JupyterLite with the notebooks, from files on this machine; every other address is blocked.

Pyodide's distribution stands in the folder that DPWIDGETS_PYODIDE names.
"""

import functools
import http.server
import json
import sys
import threading
import tomllib
from collections import Counter

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect

import tools
from live import PINS
from pages import violations
from test_live import COMES, PYODIDE, WCAG, Quiet, opened, pytestmark as needs_pyodide

pytestmark = [needs_pyodide, pytest.mark.slow]
HERE = tools.ROOT / "tests" / "live"
#: Where another rounding in the browser's libm is seen. What is one minus a sum, or a difference,
#: keeps its last decimals and not its last digits. The exponential of a logarithm of thousands has
#: that many times its rounding. And the ε whose thousand compositions make a whole moves by many
#: times as much as the whole's last digit.
ROUNDED = {
    "bayes.chance_closer": {"abs": 1e-12},
    "bayes.mean_error": {"rel": 1e-10},
    "bayes.posterior": {"rel": 1e-11},
    "bayes.simulate": {"abs": 1e-12},
    "loss.epsilon": {"rel": 1e-9},
}


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
    many = "40"
    here = tools.run(sys.executable, HERE / "drawn.py", many).splitlines()
    there = [line for line in node(lite, "drawn.py", many) if line.startswith("[")]
    returned = Counter()
    for one, other in zip(map(json.loads, here), map(json.loads, there), strict=True):
        name, given, numbers = one
        assert other[:2] == [name, given]
        returned[name] += bool(numbers) and not isinstance(numbers[0], str)
        near = {"rel": 1e-12, "abs": 1e-300} | ROUNDED.get(name.partition("calculators.")[2], {})
        assert other[2] == pytest.approx(numbers, nan_ok=True, **near), (name, given)
    assert len(returned) > 30
    assert min(returned.values()) >= 4, returned  # the rest is refused, there as here


#: Whether no cell waits to be run.
ALL_RAN = """() => [...document.querySelectorAll(".jp-InputPrompt")]
    .every((one) => !one.textContent.includes("*"))"""


def run_all(page):
    """Run a lesson to its end: nothing is left to run, and nothing failed."""
    expect(page.get_by_text("Python (Pyodide)").first).to_be_visible(timeout=COMES)
    page.wait_for_timeout(500)  # until then *Run* asks which kernel
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    expect(page.locator("input[type=range]:visible").first).to_be_visible(timeout=COMES)
    page.wait_for_function(ALL_RAN, timeout=COMES)


@pytest.fixture
def lesson(browser, address):
    with opened(browser, address, "01_interval_estimation.html") as page:
        run_all(page)
        yield page


def test_a_lesson_opens_by_its_link_runs_and_keeps_what_its_reader_has_solved(lesson):
    page = lesson
    for explorer in page.locator(".dpw", has=page.locator(".dpw-sentence")).all():
        slider = explorer.locator("input[type=range]").first
        if slider.is_visible():
            sentence = explorer.locator(".dpw-sentence").first
            before = sentence.text_content()
            slider.press("ArrowRight")
            expect(sentence).not_to_have_text(before)
    assert violations(page, ".dpw", runOnly=WCAG) == []
