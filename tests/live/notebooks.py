"""Run the code cells of notebooks, and print each output that is not the stored one.

As `notebooks.py FILE...`, in Pyodide; it needs no Jupyter.
"""

import json
import os
import re
import sys

os.environ["MPLBACKEND"] = "agg"

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


def stored(cell):
    """Return what a cell said, printed and shown as text, when it was stored."""
    said = [
        one.get("text") or one.get("data", {}).get("text/plain", "")
        for one in cell["outputs"]
    ]
    return "\n".join("".join(text).strip() for text in said)


def run(shell, cell):
    """Run a cell, and return the same of it, and its error."""
    with capture_output() as said:
        ran = shell.run_cell("".join(cell["source"]), store_history=True)
    shown = [one.data.get("text/plain", "") for one in said.outputs]
    text = re.sub(r"^Out\[\d+\]: \n?", "", said.stdout, flags=re.MULTILINE)
    return "\n".join(
        [text.strip(), *shown]
    ).strip(), ran.error_in_exec or ran.error_before_exec


def main(files):
    shell = InteractiveShell.instance()
    shell.run_line_magic = lambda *_: None
    for file in files:
        shell.reset(new_session=True)
        with open(file, encoding="utf-8") as notebook:
            cells = json.load(notebook)["cells"]
        for place, cell in enumerate(cells):
            if cell["cell_type"] != "code":
                continue
            now, error = run(shell, cell)
            if error:
                if "raises-exception" not in cell["metadata"].get("tags", []):
                    print(f"{file} cell {place}: {error!r}")
            elif now != stored(cell):
                print(
                    f"{file} cell {place}: {now!r}\n  stored: {stored(cell)!r}"
                )
        print(f"{os.path.basename(file)}: {len(cells)} cells")


if __name__ == "__main__":
    main(sys.argv[1:])
