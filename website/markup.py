"""Pieces of notebooks and of pages, as Sphinx reads them and leaves them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat

from dpwidgets.page.page import Page

BINDER = "https://mybinder.org/v2"


def binder(address: str, path: str) -> str:
    """Return where Binder opens a notebook of a repository.

    Examples
    --------
    >>> binder("https://git.example/ONE", "notebooks/glossary.ipynb")
    'https://mybinder.org/v2/git/https%3A%2F%2Fgit.example%2FONE/HEAD?urlpath=lab/tree/notebooks/glossary.ipynb'
    """
    source = f"git/{quote(address, safe='')}"
    return f"{BINDER}/{source}/HEAD?urlpath=lab/tree/{quote(path)}"


def outputs(
    cells: Iterable[nbformat.NotebookNode],
) -> Iterator[tuple[nbformat.NotebookNode, Any]]:
    """Yield each output of cells with what it says of itself to this site."""
    for cell in cells:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("dpwidgets")
            if about is not None:
                yield output, about


def front_end() -> str:
    """Return `page.js` as a script: a page that was opened from a folder may run no modules."""
    module = Page._esm.replace(
        "export default { render };", "window.dpwidgetsRender = render;"
    )
    return f"(() => {{\n{module}}})();\n"


def raw(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```\n"


def toctree(names: Iterable[str], option: str = "") -> str:
    return "\n".join(
        ["```{toctree}", ":maxdepth: 1", option, "", *names, "```", ""]
    )


def mend(page: Path) -> None:
    """Change what the theme has no setting for."""
    text = page.read_text(encoding="utf-8")
    # What the theme's script says at once, for whoever runs none.
    text = text.replace("<html ", '<html data-theme="light" ', 1)
    text = text.replace("<img ", '<img loading="lazy" ')
    page.write_text(text, encoding="utf-8")
