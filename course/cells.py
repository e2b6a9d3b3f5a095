"""The cells of a submission: whose they are, and what becomes of them before and after grading.

Before, the lab's own cells are put back at their places; after, all is written
down so that no browser runs what a student wrote.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
SEED = "lab_seed ="
#: What nbgrader writes beside a submission, and needs for the feedback.
RECEIPT = ("timestamp.txt", "submission_secret.txt")


def about(cell: NotebookNode) -> dict[str, Any]:
    """Return what a cell says of itself to nbgrader, whatever a student put there."""
    said = cell.metadata.get("nbgrader")
    return said if isinstance(said, dict) else {}


def name_of(cell: NotebookNode) -> str | None:
    """Return nbgrader's name of a cell, or the cell's id."""
    name = about(cell).get("grade_id")
    return name if isinstance(name, str) else cell.get("id")


def lab_of(preprocessor: Any, resources: Any) -> tuple[NotebookNode, Path]:
    """Return the lab as its source has it, and the folder of this submission's graded copy."""
    folders, told = preprocessor.parent.parent.coursedir, resources["nbgrader"]
    lab = told["assignment"]
    source = Path(folders.format_path(folders.source_directory, ".", lab))
    copy = Path(
        folders.format_path(folders.autograded_directory, told["student"], lab)
    )
    return nbformat.read(
        source / f"{told['notebook']}.ipynb", as_version=4
    ), copy


class Restore(NbGraderPreprocessor):
    """Give each cell of the lab what nbgrader knows of it, and nothing to any other cell.

    A cell is known by nbgrader's name or, where a program took that away, by
    its id. Of copies, as JupyterLab makes them where a cell is split, the
    first is the lab's. Locked cells stand where the lab has them: a test below
    its answer, all others before the first answer that needs them.
    """

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Replace the cells' metadata, put the lab's own cells back, take other files away."""
        told = resources["nbgrader"]
        with Gradebook(told["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(
                told["notebook"], told["assignment"]
            )
            known = cells_of(notebook)
        source, folder = lab_of(self, resources)
        order, lab = (
            [cell.id for cell in source.cells],
            {cell.id: cell for cell in source.cells},
        )
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in (f"{told['notebook']}.ipynb", *RECEIPT):
                path.unlink()
        found: dict[str, NotebookNode] = {}
        own: list[NotebookNode] = []
        for cell in nb.cells:
            names = name_of(cell), cell.get("id")
            name = next(
                (name for name in names if name in lab and name not in found),
                None,
            )
            cell.metadata.pop("nbgrader", None)
            if name in known:
                cell.metadata.nbgrader = known[name]
            if name:
                found[name] = cell
            else:
                own.append(cell)
            cell["id"] = name or f"own-{len(own)}"
        dropped = {cell.id for cell in own[CELLS:]}
        cells = [cell for cell in nb.cells if cell.id not in dropped]
        for at, name in enumerate(order):
            locked = name in known and known[name].locked
            if locked and name not in found:
                new = (
                    new_code_cell
                    if lab[name].cell_type == "code"
                    else new_markdown_cell
                )
                found[name] = new(
                    lab[name].source,
                    id=name,
                    metadata={"nbgrader": known[name]},
                )
            if name in found and (locked or lab[name].source.startswith(SEED)):
                cells = put(cells, found[name], order[:at], order[at:])
        # From there on cells have ids.
        nb.nbformat_minor = max(nb.nbformat_minor, 5)
        nb.cells = cells
        return nb, resources


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
    own = cells.index(cell) if cell in cells else len(cells)
    cells = [one for one in cells if one is not cell]
    if is_grade(cell) and not is_solution(cell):
        places = [
            at + 1 for at, one in enumerate(cells) if one.id == earlier[-1]
        ]
    else:
        places = [
            at for at, one in enumerate(cells) if one.id in later and at < own
        ]
    at = places[0] if places else own
    return [*cells[:at], cell, *cells[at:]]


def cells_of(notebook: Any) -> dict[str, NotebookNode]:
    """Return by its name what nbgrader keeps in each cell of a lab."""
    graded = {cell.name: cell.max_score for cell in notebook.grade_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    return {
        cell.name: NotebookNode(
            grade=cell.name in graded,
            grade_id=cell.name,
            locked=cell.locked,
            schema_version=3,
            solution=cell.name in solutions,
            task=False,
            **({"points": graded[cell.name]} if cell.name in graded else {}),
        )
        for cell in notebook.source_cells
    }


class Clean(NbGraderPreprocessor):
    """Write down what a student wrote and what it showed so that no browser runs any of it.

    Cells are made anew, so that nothing is kept but what is named here.
    Markdown that is not the lab's own stands as it was typed; of outputs
    remained text and pictures when they came.
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
        for at, cell in enumerate(nb.cells):
            kept = {
                "id": cell.id,
                "metadata": {"nbgrader": about(cell)} if about(cell) else {},
            }
            if cell.cell_type == "code":
                nb.cells[at] = new_code_cell(
                    cell.source, **kept, outputs=cell.outputs
                )
            elif cell.cell_type == "markdown" and cell.source in own:
                nb.cells[at] = new_markdown_cell(cell.source, **kept)
            else:
                nb.cells[at] = new_markdown_cell(as_typed(cell.source), **kept)
        return nb, resources


def as_typed(text: str) -> str:
    """Return Markdown that shows a text as it is: no sign is left that means anything."""
    escaped = re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", text)
    return f'<pre style="white-space: pre-wrap">{escaped}</pre>'
