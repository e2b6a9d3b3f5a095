"""Steps of ours in what nbgrader does: a lab is tried out, released, put back and graded.

Each gets a notebook and what nbgrader knows of it, and returns both.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat
from cells import as_typed, beginning, restored
from examiner import ENDED, Clock, KernelError, examine
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from questions import put_into, source_of, try_out
from sandbox import lacking
from settings import settings
from strangers import bytes_at, notebook_of, one_line
from students_kernel import StudentsKernel
from traitlets import Bool, Float
from uploads import SECRET, STAMP

#: Beside a graded copy, what its mark was computed with, and what is to be
#: said of the grading.
MADE = "made-of.txt"
#: As many signs as are shown of a cell, and of all cells together.
LONGEST = 20_000
SIGNS = 200_000
HIDDEN = re.compile(
    r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL
)


class Submission(NotebookExporter):
    """Reads what was handed in as it is collected: no link, with half a character, too."""

    def from_filename(
        self, filename: str, resources: Any = None, **kw: Any
    ) -> Any:
        """Read a notebook and convert it."""
        notebook = notebook_of(bytes_at(Path(filename)))
        return self.from_notebook_node(notebook, resources, **kw)


def ask(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Put the lecturer's own questions into a lab to release, and try all out."""
    lab = resources["nbgrader"]["notebook"]
    put_into(nb, lab)
    try_out(nb, lab)
    return nb, resources


def practise(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Let a lab that does not count say at once what is wrong with an answer, if there is one.

    Its hidden tests are kept, below the line that asks whether an answer is there.
    """
    if resources["nbgrader"]["notebook"] in settings()["practice"]:
        for cell in nb.cells:
            cell.source = HIDDEN.sub(_at_once, cell.source)
    return nb, resources


def _at_once(found: re.Match[str]) -> str:
    """Return hidden tests as students see them, who are told when all is right."""
    return indent(f'{found[1]}print("Right.")\n', "    ")


def hand_out(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Write into a lab whose solutions are cleared which one it is, and in which version."""
    text = "".join(cell.source for cell in nb.cells)
    nb.metadata["dpwidgets"] = {
        "lab": resources["nbgrader"]["notebook"],
        "version": hashlib.sha256(text.encode()).hexdigest(),
    }
    return nb, resources


def made_of(lab: str, text: bytes, student: str, other: str) -> str:
    """Return what a mark follows from: the file, the other id that may be in it, and the lab."""
    file = bytes_at(Path("submitted", student, lab, f"{lab}.ipynb"))
    return " ".join(
        hashlib.sha256(part).hexdigest()
        for part in (file, other.encode(), text)
    )


def text_of(lab: str) -> bytes:
    """Return all that a lab's source says, with its tests."""
    return "".join(cell.source for cell in source_of(lab).cells).encode()


def released(lab: str) -> NotebookNode:
    """Return a lab as students get it."""
    return nbformat.read(Path("release", lab, f"{lab}.ipynb"), as_version=4)


def restore(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Make of what was handed in the lab as it was handed out, and with all answers."""
    about = resources["nbgrader"]
    name = about["assignment"]
    # What lay beside it goes.
    folder = Path("autograded", about["student"], name)
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder)) not in (
            f"{name}.ipynb",
            STAMP,
            SECRET,
        ):
            path.unlink()
    lab = {cell.id: cell for cell in source_of(name).cells}
    blank = {cell.id: cell.source for cell in released(name).cells}
    nb.cells = restored(nb.cells, lab, blank)
    return nb, resources


class Grade(NbGraderPreprocessor):
    """Run a submission and test its answers, on the numbers of whoever handed it in."""

    seconds = Float(
        600,
        help="What a whole submission may take of the processor's time, in seconds: half of it its "
        "cells, the rest its tests; by the wall's clock four times as long.",
    ).tag(config=True)
    timeout = Float(
        30,
        help="What a cell, or a question of a test, may take of it, in seconds.",
    ).tag(config=True)
    alone = Bool(
        True,
        help="Whether nobody else is graded now: then a kernel that ends has done that itself.",
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: Any
    ) -> tuple[NotebookNode, Any]:
        """Run the cells, then the tests, and write down with what."""
        if missing := lacking():
            raise RuntimeError(f"no sandbox for students' code: {missing}")
        lab = resources["nbgrader"]["assignment"]
        student = resources["nbgrader"]["student"]
        whose = student, settings()["ids"].get(student, "")
        made = made_of(lab, text_of(lab), *whose)
        clock = Clock(self.seconds, self.timeout)

        def start() -> StudentsKernel:
            if clock.kernels and not self.alone:
                raise KernelError(ENDED)
            return StudentsKernel(self.seconds)

        said = examine(nb.cells, start, clock, whose)
        if ENDED in said and not self.alone:
            raise KernelError(ENDED)
        remarks = map(one_line, (*said, *foreign(nb, lab)))
        Path("autograded", student, lab, MADE).write_text(
            "\n".join([made, *remarks]), encoding="utf-8"
        )
        return nb, resources


def foreign(notebook: NotebookNode, lab: str) -> Iterator[str]:
    """Say what a notebook has that the lab as it was released has not."""
    ours = released(lab).metadata.dpwidgets
    theirs = notebook.metadata.dpwidgets
    if (name := theirs.get("lab", lab)) != lab:
        yield f"it is {name[:40]!r}"
    elif ours | theirs != ours:
        yield "from another version of the lab"


def clean(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Write down what a student wrote so that no browser runs any of it.

    Markdown that is not the lab's own stands as it was typed, and what is very
    long stands there in part. What else there was of a cell has not been read
    (`strangers`), and of outputs remained text and pictures when they came.
    """
    lab = source_of(resources["nbgrader"]["assignment"])
    own = {cell.source for cell in lab.cells if cell.cell_type == "markdown"}
    left = SIGNS
    for cell in nb.cells:
        if cell.cell_type == "markdown" and cell.source in own:
            continue
        most = min(LONGEST, left)
        left -= min(most, len(cell.source))
        cell.source = beginning(cell.source, most)
        if cell.cell_type != "code":
            cell.cell_type = "markdown"
            cell.source = as_typed(cell.source)
    return nb, resources
