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
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from questions import put_into

from dpwidgets.labs.reading import about, copies_of, is_untouched

#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
#: As many signs as are shown of a cell and of all cells together, and as many
#: blank lines in a row.
LONGEST = 20_000
SIGNS = 200_000
BLANK = 20
SEED = "lab_seed ="
#: What nbgrader writes beside a submission, and needs for the feedback.
RECEIPT = ("timestamp.txt", "submission_secret.txt")


def lab_of(preprocessor: Any, resources: Any) -> tuple[NotebookNode, Path]:
    """Return the lab as its source has it, and the folder of this submission's graded copy."""
    about = resources["nbgrader"]
    lab, student = about["assignment"], about["student"]
    folders = preprocessor.parent.parent.coursedir
    place = Path(folders.format_path(folders.source_directory, ".", lab))
    graded = folders.autograded_directory
    copy = Path(folders.format_path(graded, student, lab))
    file = place / f"{about['notebook']}.ipynb"
    source = nbformat.read(file, as_version=4)
    put_into(source, about["notebook"])
    return source, copy


class Restore(NbGraderPreprocessor):
    """Give each cell of the lab what nbgrader knows of it, and nothing to any other cell.

    `dpwidgets.labs.reading` knows the lab's cells. Of copies, as JupyterLab
    makes them where a cell is split, the first that answers something is the
    lab's, and those that answer nothing are left out: they would take the
    answer back. Locked cells stand where the lab has them: a test below its
    answer, all others before the first answer that needs them.
    """

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Replace the cells' metadata, put the lab's own cells back, take other files away."""
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(
                about["notebook"], about["assignment"]
            )
            known = cells_of(notebook)
        source, folder = lab_of(self, resources)
        remove_others(folder, (f"{about['notebook']}.ipynb", *RECEIPT))
        lab = {cell.id: cell for cell in source.cells}
        cells, found = name_cells(nb.cells, lab, known)
        own = [cell for cell in cells if cell.id not in found]
        dropped = {cell.id for cell in own[CELLS:]}
        cells = [cell for cell in cells if cell.id not in dropped]
        order = list(lab)
        for at, name in enumerate(order):
            locked = name in known and known[name].locked
            if locked and name not in found:
                found[name] = anew(lab[name], known[name])
            if name in found and (locked or lab[name].source.startswith(SEED)):
                cells = put(cells, found[name], order[:at], order[at:])
        # From there on cells have ids.
        nb.nbformat_minor = max(nb.nbformat_minor, 5)
        nb.cells = cells
        return nb, resources


def remove_others(folder: Path, kept: Collection[str]) -> None:
    """Take away what lies in a submission's folder beside the files that are kept."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in kept:
            path.unlink()


def name_cells(
    cells: list[NotebookNode],
    lab: Collection[str],
    known: Mapping[str, NotebookNode],
) -> tuple[list[NotebookNode], dict[str, NotebookNode]]:
    """Give each cell its id, and nbgrader's metadata if it is the lab's.

    Parameters
    ----------
    cells : list of NotebookNode
        All cells of a submission. Those that are not the lab's get ids own-1,
        own-2, ….
    lab : collection of str
        The names of the lab's cells.
    known : mapping
        By name what nbgrader keeps in them.

    Returns
    -------
    cells, found
        The cells that are kept, and by name those of the lab.
    """
    found: dict[str, NotebookNode] = {}
    left_out: list[NotebookNode] = []
    for name, copies in copies_of(cells, lab).items():
        is_answer = name in known and known[name].get("solution")
        idle = [cell for cell in copies if is_answer and is_untouched(cell)]
        for cell in [one for one in copies if one not in idle] or copies:
            found.setdefault(name, cell)
        left_out += [cell for cell in idle if cell is not found[name]]
    names = {id(cell): name for name, cell in found.items()}
    dropped = set(map(id, left_out))
    kept = [cell for cell in cells if id(cell) not in dropped]
    own = 0
    for cell in kept:
        name = names.get(id(cell), "")
        cell.metadata.pop("nbgrader", None)
        if name in known:
            cell.metadata.nbgrader = known[name]
        if not name:
            own += 1
        cell["id"] = name or f"own-{own}"
    return kept, found


def anew(cell: NotebookNode, about: NotebookNode) -> NotebookNode:
    """Return a cell of the lab as its source has it, with what nbgrader keeps in it."""
    new = new_code_cell if cell.cell_type == "code" else new_markdown_cell
    return new(cell.source, id=cell.id, metadata={"nbgrader": about})


def put(
    cells: list[NotebookNode],
    cell: NotebookNode,
    earlier: list[str],
    later: list[str],
) -> list[NotebookNode]:
    """Return the cells with one of the lab's at its place: a test below its answer.

    Any other comes before all that follow it in the lab; it stays if it stands
    there.
    """
    place = cells.index(cell) if cell in cells else len(cells)
    others = [other for other in cells if other is not cell]
    is_test = is_grade(cell) and not is_solution(cell)
    for at, other in enumerate(others):
        if is_test and other.id == earlier[-1]:
            place = at + 1
            break
        if not is_test and at < place and other.id in later:
            place = at
            break
    return [*others[:place], cell, *others[place:]]


def cells_of(notebook: Any) -> dict[str, NotebookNode]:
    """Return by its name what nbgrader keeps in each cell of a lab."""
    graded = {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    known: dict[str, NotebookNode] = {}
    for cell in notebook.source_cells:
        known[cell.name] = NotebookNode(
            grade=cell.name in graded,
            grade_id=cell.name,
            locked=cell.locked,
            schema_version=3,
            solution=cell.name in solutions,
            task=False,
        )
        if cell.name in graded:
            known[cell.name].points = graded[cell.name]
    return known


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
        lab, _ = lab_of(self, resources)
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
