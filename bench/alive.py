"""How long a reader waits for explorers that Python moves in the page, beside those of a kernel.

JupyterLite and the website are built for it with a folder of Pyodide's
distribution, and served from this machine as the files that they are.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import nbformat
import numpy as np

import dpwidgets
import tools
from pages import EXPLORERS, Page

KEYS = 20  # for each explorer
PAUSE = 150  # milliseconds between a sentence and the next key press
COMES = 180_000  # milliseconds, on a busy machine
# JupyterLite draws no cell that is out of sight.
TALL = {"width": 1366, "height": 14_000}
NOTEBOOKS = {"first": EXPLORERS[:1], "every": EXPLORERS}
EXPLORER = ":is(.jp-CodeCell, figure.dpwidgets-strip):has(.dpw-sentence)"
SLIDER = "input[type=range]:not([disabled]):visible"
# A key press makes the promise of how many milliseconds later, and when,
# another sentence is there.
WATCH = """(sentence) => addEventListener("keydown", ({ timeStamp }) => {
    const before = sentence.textContent;
    window.waited = new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("no new sentence within 3 minutes")), 180_000);
        const watcher = new MutationObserver(() => {
            if (sentence.textContent === before) return;
            watcher.disconnect();
            resolve([performance.now() - timeStamp, Date.now() / 1000]);
        });
        watcher.observe(sentence, { childList: true, characterData: true, subtree: true });
    });
}, { capture: true, signal: (window.watch = new AbortController()).signal })"""


class Lab(NamedTuple):
    """JupyterLab over a folder of notebooks."""

    address: str
    token: str
    folder: Path


class Wait(NamedTuple):
    """Milliseconds from a key press to the new sentence."""

    median: float
    p95: float


class First(NamedTuple):
    """The seconds from the click to the first slider that answers, and what was loaded by then."""

    seconds: float
    megabytes: float


class Alive(NamedTuple):
    """What a reader of one way waits for: at the start, and at a key press on each explorer."""

    first: First
    waits: dict[str, Wait]


def lite(page, address: str, name: str) -> float:
    """Open a notebook by its link and run it; return when the link was opened."""
    clicked = time.time()
    page.goto(f"{address}/{name}.html")
    page.get_by_text("Python (Pyodide)").first.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    return clicked


def worker(page, address: str, name: str) -> float:
    """Let a page of the website compute; return when that was clicked."""
    page.goto(f"{address}/notebooks/{name}.html")
    button = page.get_by_role("button", name="Compute here").first
    button.wait_for()
    clicked = time.time()
    button.click()
    # Till then its frames answer.
    for strip in page.locator("figure.dpwidgets-strip").all():
        strip.get_by_role("button", name="Copy link").wait_for()
    return clicked


def kernel(page, lab: Lab, name: str) -> float:
    """Open a notebook in JupyterLab and run it; return when its link was opened."""
    notebook = Page(page, "lab", lab.folder, lab.address, lab.token)
    page.set_default_timeout(COMES)
    clicked = time.time()
    notebook.open(f"{name}.ipynb")
    notebook.run_all()
    return clicked


class Visit:
    """A page with explorers, in a browser that has kept nothing.

    Parameters
    ----------
    browser : Browser
        Playwright's.
    open_ : callable
        One of the ways above.
    where : str or Lab
        Where that way finds its notebooks.
    name : str
        Which of the notebooks.
    """

    def __init__(
        self, browser, open_: Callable[..., float], where: object, name: str
    ) -> None:
        self.context = browser.new_context(viewport=TALL)
        self.page = self.context.new_page()
        self.page.set_default_timeout(COMES)
        self.loaded: list = []
        self.context.on(
            "requestfinished", lambda request: self.loaded.append(request)
        )
        self.clicked = open_(self.page, where, name)
        self.explorers = self.page.locator(EXPLORER)

    def close(self) -> None:
        self.context.close()

    def first(self) -> First:
        """Move the only explorer's slider once."""
        (_, answered), *_ = self.press(0, 1)
        sizes = [
            request.sizes()["responseBodySize"] for request in self.loaded
        ]
        return First(answered - self.clicked, sum(sizes) / 1e6)

    def press(self, at: int, keys: int) -> list[tuple[float, float]]:
        """Press so many keys on the slider of an explorer; return what `WATCH` says of each."""
        explorer = self.explorers.nth(at)
        slider = explorer.locator(SLIDER).first
        slider.wait_for()
        explorer.locator(".dpw-sentence").first.evaluate(WATCH)
        found = []
        for _ in range(keys):
            ends = slider.evaluate("slider => slider.value === slider.max")
            slider.press("ArrowLeft" if ends else "ArrowRight")
            found.append(self.page.evaluate("waited"))
            self.page.wait_for_timeout(PAUSE)
        self.page.evaluate("watch.abort()")
        return found


def measure(
    browser, ways: dict[str, tuple[Callable[..., float], object]], runs: int
) -> dict[str, Alive]:
    """Visit each way some times for its first slider, in turns, and once for all explorers.

    Parameters
    ----------
    browser : Browser
        Playwright's.
    ways : dict
        What opens a notebook in each way, and where it is found.
    runs : int
        How many first sliders; the median counts.
    """
    firsts: dict[str, list[First]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            with closing(Visit(browser, *way, "first")) as visit:
                firsts[name].append(visit.first())
    return {
        name: Alive(
            First(*map(statistics.median, zip(*firsts[name], strict=True))),
            waits(browser, *way),
        )
        for name, way in ways.items()
    }


def waits(
    browser, open_: Callable[..., float], where: object
) -> dict[str, Wait]:
    """Press keys on each explorer of a page that has them all."""
    found = {}
    with closing(Visit(browser, open_, where, "every")) as visit:
        for at, name in enumerate(NOTEBOOKS["every"]):
            # What the first sentence loads, the later ones find.
            visit.press(at, 1)
            late = [milliseconds for milliseconds, _ in visit.press(at, KEYS)]
            found[name] = Wait(
                statistics.median(late), float(np.percentile(late, 95))
            )
    return found


def write(folder: Path) -> None:
    """Write the notebooks with what each cell shows where no Python is."""
    for name, kinds in NOTEBOOKS.items():
        notebook = nbformat.v4.new_notebook()
        notebook.cells.append(nbformat.v4.new_markdown_cell(f"# {name}"))
        for kind in kinds:
            data, metadata = getattr(dpwidgets, kind)()._repr_mimebundle_()
            data.pop("application/vnd.jupyter.widget-view+json")
            output = nbformat.v4.new_output(
                "execute_result", data, metadata=metadata
            )
            code = f"import dpwidgets\n\ndpwidgets.{kind}()"
            notebook.cells.append(
                nbformat.v4.new_code_cell(code, outputs=[output])
            )
        notebook.metadata = {
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        }
        nbformat.write(notebook, folder / f"{name}.ipynb")


def build(folder: Path, pyodide: Path) -> tuple[Path, Path]:
    """Build JupyterLite and the website with the notebooks; return where each is."""
    repository = tools.copy_repository(folder / "repository")
    write(repository / "notebooks")
    lessons = folder / "lessons"
    lessons.mkdir()
    write(lessons)
    programs = Path(sys.executable).parent
    variables = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"
    }
    given = ("--pyodide", pyodide.resolve())
    lite, site = folder / "lite", folder / "site"
    to_lite = ("website/lite.py", lite)
    to_site = (
        "website",
        site,
        "--notebooks",
        lessons,
        "--explorers",
        "interval",
    )
    for command in (to_lite, to_site):
        tools.run(
            sys.executable,
            *command,
            *given,
            cwd=repository,
            variables=variables,
        )
    return lite, site
