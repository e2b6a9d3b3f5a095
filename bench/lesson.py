"""How long a reader of a lesson waits for its widgets, and how much of them its kernel keeps."""

import shutil
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from latency import Bench, megabytes
from pages import Page

LESSON = "06_choosing_epsilon.ipynb"
CELLS = 5  # that show an explorer, one after another
SHOW = "dpwidgets.ChoiceExplorer()"
# From running a cell to the frame in which its output holds a picture, in
# milliseconds.
WATCH = """at => new Promise(resolve => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = at;
    const start = performance.now();
    window.jupyterapp.commands.execute("notebook:run-cell");
    const look = () => notebook.widgets[at].node.querySelector(".dpwidgets-picture svg")
        ? resolve(performance.now() - start) : requestAnimationFrame(look);
    look();
})"""


class Lesson(NamedTuple):
    """Milliseconds until a cell shows its explorer; of the lesson, and of a notebook that shows one
    explorer, the megabytes of its kernel and the seconds until its page is
    back.
    """

    cell: float
    kernel: float
    page: float
    least_kernel: float
    least_page: float


def measure(bench: Bench, notebooks: Path) -> Lesson:
    """Show an explorer in some cells; run the longest lesson and load its page again."""
    with bench.page() as page:
        # The first two cells load what the others find.
        page.write("cells.ipynb", "import dpwidgets", *[SHOW] * (CELLS + 1))
        page.open("cells.ipynb")
        page.await_promise(
            "window.jupyterapp.commands.execute('notebook:run-cell')"
        )
        shown = [page.page.evaluate(WATCH, at) for at in range(1, CELLS + 2)]
    with bench.page() as page:
        page.write("one.ipynb", f"import dpwidgets\n{SHOW}")
        least = visit(page, "one.ipynb")
    shutil.copy(notebooks / LESSON, bench.folder)
    with bench.page() as page:
        return Lesson(
            statistics.median(shown[1:]), *visit(page, LESSON), *least
        )


def visit(page: Page, name: str) -> tuple[float, float]:
    """Run a notebook and load its page again; return what its kernel takes, and how long it is."""
    page.open(name)
    page.run_all()
    kernel = megabytes(page)
    page.await_promise("window.jupyterapp.commands.execute('docmanager:save')")
    start = time.perf_counter()
    page.page.reload()
    page.await_kernel()
    page.page.wait_for_function(
        "[...document.querySelectorAll('.dpwidgets-picture')].some(one => one.offsetHeight)"
    )
    return kernel, time.perf_counter() - start
