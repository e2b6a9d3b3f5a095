"""The cells of a submission: which of them are the lab's, and how a page shows what is not."""

import html
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from nbformat.notebooknode import NotebookNode
from reading import about, is_untouched, marks_of

#: As many cells of a student's own, beside the lab's, as are kept and run.
CELLS = 200
#: As many blank lines in a row as are shown.
BLANK = 20
TYPED = '<pre style="white-space: pre-wrap">'


def restored(
    cells: list[NotebookNode], lab: Mapping[str, NotebookNode]
) -> list[NotebookNode]:
    """Return a lab as its source has it, with what a student wrote in it and behind its cells.

    Of copies, as JupyterLab makes them where a cell is split, the first that
    answers something is the lab's, and those that answer nothing are left out:
    they would take the answer back. What the lab has locked is the lab's own,
    whatever a student made of it, and an answer that is gone stays so.

    Parameters
    ----------
    cells : list of NotebookNode
        All cells of a submission.
    lab : mapping
        The lab's cells by name.

    Returns
    -------
    list of NotebookNode
        Those that are not the lab's have the ids own-1, own-2, …, as far as
        they are kept, and no marks of nbgrader's.
    """
    theirs: dict[str, NotebookNode] = {}
    behind: dict[str, list[NotebookNode]] = defaultdict(list)
    place, own = "", 0
    for cell in cells:
        name = next((mark for mark in marks_of(cell) if mark in lab), "")
        place = name or place
        if name and about(lab[name]).get("locked"):
            continue
        if name and (name not in theirs or is_untouched(theirs[name])):
            theirs[name] = named(cell, name, about(lab[name]))
        elif not name or not is_untouched(cell):
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
    return f"{TYPED}{escaped}</pre>"


def as_written(markdown: str) -> str:
    """Return the text that `as_typed` shows; any other as it is."""
    inner = markdown.removeprefix(TYPED)
    if inner == markdown:
        return markdown
    return html.unescape(inner.removesuffix("</pre>"))
