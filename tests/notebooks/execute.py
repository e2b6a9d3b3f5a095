"""Execute the notebooks in place and keep of their outputs what every page can show.

`make notebooks` runs this. A saved widget is blank wherever no kernel runs;
beside it every explorer leaves its picture and its sentence, so the widget
goes and these stay.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
#: All that are read; the labs are another matter.
EVERY = sorted(
    path
    for pattern in ("*.ipynb", "audits/*.ipynb")
    for path in NOTEBOOKS.glob(pattern)
)
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def strip(notebook: nbformat.NotebookNode) -> None:
    """Take out widget state, widget views, time stamps and the machine's Python version."""
    notebook.metadata = {
        "kernelspec": {
            "display_name": "Python 3",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def execute(path: Path) -> None:
    """Execute one notebook from its first cell to its last and write it back, as for a beginner."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": path.parent}}
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources=resources
    )
    client.store_widget_state = False
    # A busy machine splits what a cell prints; the file does not.
    client.coalesce_streams = True
    with TemporaryDirectory() as empty:
        client.execute(env=os.environ | {"JUPYTER_DATA_DIR": empty})
    strip(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or EVERY:
        print(path)
        execute(path)
