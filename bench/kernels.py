"""What the kernel of each notebook holds after *Run all*: what a student needs beside a server."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import psutil  # comes with ipykernel
from nbclient import NotebookClient

from classroom import megabytes


def measure(notebooks: Path) -> Iterator[tuple[str, float, float]]:
    """Yield of each notebook its name, and its kernel's RSS and PSS in megabytes."""
    for path in sorted(notebooks.glob("[0-9]*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, resources={"metadata": {"path": str(notebooks)}}
        )
        with client.setup_kernel():
            for at, cell in enumerate(notebook.cells):
                client.execute_cell(cell, at)
            kernel = psutil.Process(client.km.provisioner.process.pid)
            yield path.stem, kernel.memory_info().rss / 1e6, megabytes(kernel)
