"""The cells of a submission: whose they are, and what becomes of them before and after grading.

Before, the lab's own cells are put back at their places; after, all is written
down so that no browser runs what a student wrote.
"""

import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import nbformat
from collect import SECRET, STAMP
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade
from questions import put_into

from dpwidgets.labs.reading import SEED, about, copies_of, is_untouched

#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
#: As many signs as are shown of a cell and of all cells together, and as many
#: blank lines in a row.
LONGEST = 20_000
SIGNS = 200_000
BLANK = 20


def source_of(lab: str) -> NotebookNode:
    """Return a lab as its source has it, with the lecturer's own questions."""
    source = nbformat.read(Path("source", lab, f"{lab}.ipynb"), as_version=4)
    put_into(source, lab)
    return source


class Restore(NbGraderPreprocessor):
    """Give each cell of the lab what nbgrader knows of it, and nothing to any other cell.

    `dpwidgets.labs.reading` knows the lab's cells. Of copies, as JupyterLab
    makes them where a cell is split, the first that answers something is the
    lab's, and those that answer nothing are left out: they would take the
    answer back. What the lab has locked is the lab's own, whatever a student
    made of it.
    """

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Put the lab's own cells back, and take other files away."""
        about = resources["nbgrader"]
        name = about["assignment"]
        folder = Path("autograded", about["student"], name)
        remove_others(folder, (f"{name}.ipynb", STAMP, SECRET))
        lab = {cell.id: cell for cell in source_of(name).cells}
        # From there on cells have ids.
        nb.nbformat_minor = max(nb.nbformat_minor, 5)
        nb.cells = placed(name_cells(nb.cells, lab), lab)
        return nb, resources


def remove_others(folder: Path, kept: Collection[str]) -> None:
    """Take away what lies in a submission's folder beside the files that are kept."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in kept:
            path.unlink()


def name_cells(
    cells: list[NotebookNode], lab: Mapping[str, NotebookNode]
) -> list[NotebookNode]:
    """Give each cell its id, and nbgrader's metadata if it is the lab's.

    Parameters
    ----------
    cells : list of NotebookNode
        All cells of a submission.
    lab : mapping
        The lab's cells by name.

    Returns
    -------
    list of NotebookNode
        Without those that answer nothing a second time, and without what the
        lab has locked. Those that are not the lab's have the ids own-1,
        own-2, …, as far as they are kept.
    """
    names: dict[int, str] = {}
    left_out: set[int] = set()
    for name, copies in copies_of(cells, lab).items():
        mark = about(lab[name])
        answers = copies
        if mark.get("locked"):
            answers = []
        elif mark.get("solution"):
            answers = [one for one in copies if not is_untouched(one)]
            answers = answers or copies[:1]
        left_out |= set(map(id, copies)) - set(map(id, answers))
        for cell in answers[:1]:
            names[id(cell)] = name
    kept: list[NotebookNode] = []
    own = 0
    for cell in cells:
        if id(cell) in left_out:
            continue
        name = names.get(id(cell), "")
        cell.metadata.pop("nbgrader", None)
        if name and about(lab[name]):
            cell.metadata.nbgrader = about(lab[name])
        own += not name
        cell["id"] = name or f"own-{own}"
        if name or own <= CELLS:
            kept.append(cell)
    return kept


def placed(
    cells: list[NotebookNode], lab: Mapping[str, NotebookNode]
) -> list[NotebookNode]:
    """Return the cells of a submission with those that the lab has locked.

    The student's id and the lab's own code come before all other code, and
    what else is locked comes behind that cell which it follows in the lab: so
    a test stands below its answer.
    """
    theirs = {cell.id: cell for cell in cells}
    setup: list[NotebookNode] = []
    for name, cell in lab.items():
        if SEED.match(cell.source) and name in theirs:
            setup.append(theirs[name])
        elif is_setup(cell):
            setup.append(anew(cell))
    rest = [cell for cell in cells if cell not in setup]
    first = 0
    while first < len(rest) and rest[first].cell_type != "code":
        first += 1
    found = [*rest[:first], *setup, *rest[first:]]
    place = -1
    for name, cell in lab.items():
        ids = [one.id for one in found]
        if name in ids:
            place = ids.index(name)
        elif about(cell).get("locked"):
            place += 1
            found.insert(place, anew(cell))
    return found


def is_setup(cell: NotebookNode) -> bool:
    """Tell whether a cell is the lab's own code, and no test."""
    is_code = cell.cell_type == "code"
    return bool(is_code and about(cell).get("locked") and not is_grade(cell))


def anew(cell: NotebookNode) -> NotebookNode:
    """Return a cell of the lab as its source has it."""
    new = new_code_cell if cell.cell_type == "code" else new_markdown_cell
    return new(cell.source, id=cell.id, metadata={"nbgrader": about(cell)})


class Clean(NbGraderPreprocessor):
    """Write down what a student wrote and what it showed so that no browser runs any of it.

    Cells are made anew, so that nothing is kept but what is named here.
    Markdown that is not the lab's own stands as it was typed, and what is very
    long stands there in part; of outputs remained text and pictures when they
    came.
    """

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Replace all cells."""
        lab = source_of(resources["nbgrader"]["assignment"])
        own = {
            cell.source for cell in lab.cells if cell.cell_type == "markdown"
        }
        nb.metadata = NotebookNode(
            kernelspec=lab.metadata.kernelspec,
            language_info={"name": "python"},
        )
        left = SIGNS
        for at, cell in enumerate(nb.cells):
            nb.cells[at] = cleaned(cell, own, min(LONGEST, left))
            left -= min(LONGEST, left, len(cell.source))
        return nb, resources


def cleaned(
    cell: NotebookNode, own: Collection[str], most: int
) -> NotebookNode:
    """Return a cell made anew; Markdown that is not among the lab's own stands as it was typed."""
    metadata = {"nbgrader": about(cell)} if about(cell) else {}
    kept = {"id": cell.id, "metadata": metadata}
    source = beginning(cell.source, most)
    if cell.cell_type == "code":
        return new_code_cell(source, **kept, outputs=cell.outputs)
    if cell.cell_type == "markdown" and cell.source in own:
        return new_markdown_cell(cell.source, **kept)
    return new_markdown_cell(as_typed(source), **kept)


def beginning(text: str, most: int) -> str:
    """Return a text as a page shows it: so many signs of it, and some of its blank lines.

    To colour code takes long where it is long, and hours where blank lines
    are many.
    """
    lines: list[str] = []
    blank = 0
    for line in text[:most].splitlines(keepends=True):
        blank = 0 if line.strip() else blank + 1
        if blank <= BLANK:
            lines.append(line)
    if len(text) > most:
        lines.append(f"\n# … {len(text) - most:,} signs more were handed in")
    return "".join(lines)


def as_typed(text: str) -> str:
    """Return Markdown that shows a text as it is: no sign is left that means anything."""
    escaped = re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", text)
    return f'<pre style="white-space: pre-wrap">{escaped}</pre>'
