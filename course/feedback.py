"""How nbgrader makes the page that a student gets back: each has a limit of time of its own."""

import signal
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode

#: What a page may take. It takes a second or two.
SECONDS = 60


def stop(number: int, frame: object) -> None:
    """Give a page up."""
    raise TimeoutError(f"the page took more than {SECONDS} seconds")


class Page(HTMLExporter):
    """Makes a page, or gives it up so that the others get theirs."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: Any = None, **kw: Any
    ) -> Any:
        """Return the page, and what nbconvert keeps beside it."""
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return super().from_notebook_node(nb, resources, **kw)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
