"""How long a reader waits for explorers that Python moves in the page, beside those of a kernel.

JupyterLite and the website are built for it with a folder of Pyodide's
distribution, and served from this machine as the files that they are.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import nbformat

import dpwidgets
import tools
from pages import Page
from server import serve, served

KEYS = 20  # for each explorer
PAUSE = 150  # milliseconds between a sentence and the next key press
COMES = 180_000  # milliseconds, on a busy machine
# JupyterLite draws no cell that is out of sight.
TALL = {"width": 1366, "height": 14_000}
NAMES = [kind.__name__ for kind in tools.EXPLORERS]
NOTEBOOKS = {"first": NAMES[:1], "every": NAMES}
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
#: Opens a notebook by its name on a page, and returns when that was clicked.
Opens = Callable[..., float]


def lite(address: str, page, name: str) -> float:
    """Open a notebook by its link and run it."""
    clicked = time.time()
    page.goto(f"{address}/{name}.html")
    page.get_by_text("Python (Pyodide)").first.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    return clicked


def worker(address: str, page, name: str) -> float:
    """Let a page of the website compute."""
    page.goto(f"{address}/notebooks/{name}.html")
    button = page.get_by_role("button", name="Compute here").first
    button.wait_for()
    clicked = time.time()
    button.click()
    # Till then its frames answer.
    for strip in page.locator("figure.dpwidgets-strip").all():
        strip.get_by_role("button", name="Copy link").wait_for()
    return clicked


def kernel(folder: Path, server: tuple[str, str], page, name: str) -> float:
    """Open a notebook in JupyterLab and run it."""
    notebook = Page(page, "lab", folder, *server)
    page.set_default_timeout(COMES)
    clicked = time.time()
    notebook.open(f"{name}.ipynb")
    notebook.run_all()
    return clicked


@contextmanager
def opened(browser, opens: Opens, name: str) -> Iterator[tuple]:
    """Open a page in a browser that has kept nothing; yield it, when, and what it has loaded."""
    context = browser.new_context(viewport=TALL)
    page, loaded = context.new_page(), []
    page.set_default_timeout(COMES)
    context.on("requestfinished", lambda request: loaded.append(request))
    yield page, opens(page, name), loaded
    context.close()


def press(page, at: int, keys: int) -> list[tuple[float, float]]:
    """Press so many keys on the slider of an explorer; return what `WATCH` says of each."""
    explorer = page.locator(EXPLORER).nth(at)
    slider = explorer.locator(SLIDER).first
    slider.wait_for()
    explorer.locator(".dpw-sentence").first.evaluate(WATCH)
    found = []
    for _ in range(keys):
        ends = slider.evaluate("slider => slider.value === slider.max")
        slider.press("ArrowLeft" if ends else "ArrowRight")
        found.append(page.evaluate("waited"))
        page.wait_for_timeout(PAUSE)
    page.evaluate("watch.abort()")
    return found


def first(browser, opens: Opens) -> tuple[float, float]:
    """Return the seconds from the click to the first slider that answers, and the megabytes."""
    with opened(browser, opens, "first") as (page, clicked, loaded):
        ((_, answered),) = press(page, 0, 1)
        sizes = [request.sizes()["responseBodySize"] for request in loaded]
        return answered - clicked, sum(sizes) / 1e6


def waits(browser, opens: Opens) -> dict[str, list[float]]:
    """Return the milliseconds of each key press, by the explorer; one page has all of them."""
    found = {}
    with opened(browser, opens, "every") as (page, *_):
        for at, name in enumerate(NOTEBOOKS["every"]):
            # What the first sentence loads, the later ones find.
            _, *later = press(page, at, 1 + KEYS)
            found[name] = [milliseconds for milliseconds, _ in later]
    return found


def write(folder: Path) -> None:
    """Write the notebooks with what each cell shows where no Python is."""
    for name, kinds in NOTEBOOKS.items():
        notebook = nbformat.v4.new_notebook()
        notebook.cells.append(nbformat.v4.new_markdown_cell(f"# {name}"))
        for kind in kinds:
            data, about = getattr(dpwidgets, kind)()._repr_mimebundle_()
            data.pop("application/vnd.jupyter.widget-view+json")
            shown = nbformat.v4.new_output(
                "execute_result", data, metadata=about
            )
            code = f"import dpwidgets\n\ndpwidgets.{kind}()"
            cell = nbformat.v4.new_code_cell(code, outputs=[shown])
            notebook.cells.append(cell)
        notebook.metadata = {
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        }
        nbformat.write(notebook, folder / f"{name}.ipynb")


@contextmanager
def ways(pyodide: Path) -> Iterator[dict[str, Opens]]:
    """Build and serve each host of the notebooks, and yield what opens one of them there."""
    with tempfile.TemporaryDirectory() as made, ExitStack() as stack:
        folder = Path(made)
        repository = tools.copy_repository(folder / "repository")
        write(repository / "notebooks")
        lessons, home = folder / "lessons", folder / "home"
        for empty in (lessons, home):
            empty.mkdir()
        write(lessons)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        few = ("--notebooks", lessons, "--explorers", "interval")
        for command in (
            ("website/lite.py", folder / "lite"),
            ("website", folder / "site", *few),
        ):
            tools.run(
                sys.executable, *command, "--pyodide", pyodide.resolve(),
                cwd=repository, variables=os.environ | {"PATH": path},
            )  # fmt: skip
        at_lite = stack.enter_context(served(folder / "lite"))
        at_site = stack.enter_context(served(folder / "site"))
        server = stack.enter_context(serve(lessons, home))
        yield {
            "JupyterLite": partial(lite, at_lite),
            "the website's worker": partial(worker, at_site),
            "JupyterLab with a kernel": partial(kernel, lessons, server),
        }
