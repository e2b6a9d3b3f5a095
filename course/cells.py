"""The cells of a lab: what each is, which of a submission's are the lab's, how a page shows others.

nbgrader's marks say what a cell is. Where a front end has lost them, a
student's cells are known by their ids.
"""

import html
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from nbformat.notebooknode import NotebookNode

SEED = re.compile(r"^[ \t]*lab_seed[ \t]*=.*", re.MULTILINE)
#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
#: White space that a page shows in part.
BLANK = re.compile(r"(\s{500})\s+")
TYPED = '<pre style="white-space: pre-wrap">'


def about(cell: NotebookNode) -> dict[str, Any]:
    """Return what a cell says of itself to nbgrader."""
    mark: dict[str, Any] = cell.metadata.get("nbgrader", {})
    return mark


def is_test(cell: NotebookNode) -> bool:
    """Tell whether a cell tests an answer."""
    mark = about(cell)
    return bool(mark.get("grade")) and not mark.get("solution")


def is_setup(cell: NotebookNode) -> bool:
    """Tell whether a cell is the lab's own code, and no test."""
    locked = bool(about(cell).get("locked"))
    return cell.cell_type == "code" and locked and not is_test(cell)


def marks_of(cell: NotebookNode) -> tuple[str, str, str]:
    """Return by what a cell may be known: nbgrader's name, its id, and where Colab keeps that."""
    name, moved = about(cell).get("grade_id", ""), cell.metadata.get("id", "")
    return name, cell.id, moved


def restored(
    cells: list[NotebookNode],
    lab: Mapping[str, NotebookNode],
    blank: Mapping[str, str],
) -> list[NotebookNode]:
    """Return a lab as its source has it, with what a student wrote in it and behind its cells.

    Of copies, as JupyterLab makes them where a cell is split, the first that
    is not blank is the lab's, and blank ones are left out: they would take
    the answer back. What the lab has locked is the lab's own, whatever a
    student made of it, and an answer that is gone stays so.

    Parameters
    ----------
    cells : list of NotebookNode
        All cells of a submission.
    lab : mapping
        The lab's cells by name.
    blank : mapping
        What stands in them when the lab is handed out.

    Returns
    -------
    list of NotebookNode
        Those that are not the lab's have the ids own-1, own-2, …, as far as
        they are kept, and no marks of nbgrader's.
    """

    def is_blank(cell: NotebookNode, name: str) -> bool:
        return bool(cell.source.split() == blank.get(name, "").split())

    theirs: dict[str, NotebookNode] = {}
    behind: dict[str, list[NotebookNode]] = defaultdict(list)
    place, own = "", 0
    for cell in cells:
        name = next((mark for mark in marks_of(cell) if mark in lab), "")
        place = name or place
        if name and about(lab[name]).get("locked"):
            continue
        if name and (name not in theirs or is_blank(theirs[name], name)):
            theirs[name] = named(cell, name, about(lab[name]))
        elif not is_blank(cell, name):
            own += 1
            if own <= CELLS:
                behind[place].append(named(cell, f"own-{own}", {}))
    found = behind[""]
    for name, cell in lab.items():
        if about(cell).get("locked"):
            found.append(named(cell, name, about(cell)))
        elif name in theirs:
            found.append(theirs[name])
        found += behind[name]
    return found


def named(cell: NotebookNode, name: str, mark: dict[str, Any]) -> NotebookNode:
    """Give a cell its id, and what nbgrader knows of it: nothing else is kept beside its text."""
    cell["id"] = name
    cell["metadata"] = NotebookNode({"nbgrader": mark} if mark else {})
    return cell


def beginning(text: str, most: int) -> str:
    """Return a text as a page shows it: so many signs of it, and some of its white space.

    To colour code takes long where it is long, and hours where blank lines
    are many.
    """
    shown = BLANK.sub(r"\1", text[:most])
    more = len(text) - most
    return (
        f"{shown}\n# … {more:,} signs more were handed in"
        if more > 0
        else shown
    )


def as_typed(text: str) -> str:
    """Return Markdown that shows a text as it is: no sign is left that means anything."""
    escaped = re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", text)
    return f"{TYPED}{escaped}</pre>"


def as_written(markdown: str) -> str:
    """Return the text that `as_typed` shows; any other as it is."""
    inner = markdown.removeprefix(TYPED)
    if inner == markdown:
        return markdown
    return html.unescape(inner.removesuffix("</pre>"))
