"""How nbgrader makes the page that a student gets back: each has a limit of time of its own."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbformat.notebooknode import NotebookNode

#: What a page may take. It takes a second or two.
SECONDS = 60


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError in what takes longer, where the system can interrupt it."""
    here = threading.current_thread() is threading.main_thread()
    if not here or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"the page took more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Page(HTMLExporter):
    """Makes a page, or gives it up so that the others get theirs."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: Any = None, **kw: Any
    ) -> Any:
        """Return the page, and what nbconvert keeps beside it."""
        with limited(SECONDS):
            return super().from_notebook_node(nb, resources, **kw)
