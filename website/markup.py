"""Pieces of notebooks and of pages, as Sphinx reads them and leaves them."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import nbformat

BINDER = "https://mybinder.org/v2"


def binder(address: str, path: str) -> str:
    """Return where Binder opens a notebook of a repository.

    Examples
    --------
    >>> binder("https://github.com/OWNER/NAME", "notebooks/glossary.ipynb")
    'https://mybinder.org/v2/gh/OWNER/NAME/HEAD?urlpath=lab/tree/notebooks/glossary.ipynb'
    """
    host, name = urlsplit(address).hostname, urlsplit(address).path.strip("/")
    known = {
        "github.com": f"gh/{name}",
        "gitlab.com": f"gl/{quote(name, safe='')}",
    }
    source = known.get(str(host), f"git/{quote(address, safe='')}")
    return f"{BINDER}/{source}/HEAD?urlpath=lab/tree/{quote(path)}"


def outputs(
    notebook: nbformat.NotebookNode,
) -> Iterator[tuple[nbformat.NotebookNode, Any]]:
    """Yield each output with what it says of itself to this site."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if about := output.get("metadata", {}).get("dpwidgets"):
                yield output, about


def raw(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```\n"


def toctree(names: Iterable[str], option: str = "") -> str:
    return "\n".join(
        ["```{toctree}", ":maxdepth: 1", option, "", *names, "```", ""]
    )


def to_run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook without outputs: whoever downloads it runs it."""
    copy = deepcopy(notebook)
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    return copy


def mend(page: Path) -> None:
    """Change what the theme has no setting for."""
    text = page.read_text(encoding="utf-8")
    # What the theme's script says at once, for whoever runs none.
    text = text.replace("<html ", '<html data-theme="light" ', 1)
    text = text.replace("<img ", '<img loading="lazy" ')
    page.write_text(text, encoding="utf-8")
