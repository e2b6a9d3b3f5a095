"""Build the website: `make site`. Its pages are made of the notebooks, other pages and docstrings.

No sentence of theirs stands here; those of the first page are in index.md. The
notebooks are taken as they are stored; a picture that says which state of an
explorer it shows becomes a strip that moves.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import sys
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from sphinx.cmd.build import main as sphinx

import dpwidgets
import gallery
import live
import reference
import worlds
from dpwidgets.page.page import Page
from dpwidgets.teaching.asking import Asking
from dpwidgets.teaching.base import SUMMARY
from dpwidgets.teaching.progress import key
from dpwidgets.teaching.recall import NOTEBOOKS
from markup import binder, front_end, mend, outputs, raw, toctree
from strips import KINDS, Strip, draw

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[1]
#: What is taken over from the repository as it is: files, and pages.
TAKEN = (
    "LICENSE",
    "CITATION.cff",
    "*/labs/*.*",
    "*/images/*",
    "course/**/*.md",
    "*.md",
    "binder/*.md",
    "website/README.md",
    "*/data/*.md",
)
#: The title of each further part, and the pages that its list has, as Sphinx finds them.
PARTS = {
    "course": ("For a course", ["README", "**", "/notebooks/labs/README"]),
    "api": ("API", ["*"]),
}
RUN = "run"  # where JupyterLite stands in the site
#: How what cannot work on a page begins: all that ask, unless it is judged there.
NEED_A_KERNEL = (
    "Review",
    "Hearing:",
    *(
        f"{kind.__name__}:"
        for kind in (getattr(dpwidgets, name) for name in dpwidgets.__all__)
        if isinstance(kind, type) and issubclass(kind, Asking)
    ),
)
#: A picture in HTML, which would be loaded with its page.
PICTURE = re.compile(r'src="data:image/png;base64,([^"]*)"')


def repository() -> str:
    """Return the address of the repository: `Repository` in the `urls` of pyproject.toml, if any.

    It is the one setting of whoever publishes; without it no page links to
    Binder.
    """
    project = tomllib.loads(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    return (
        str(project.get("urls", {}).get("Repository", ""))
        .removesuffix(".git")
        .rstrip("/")
    )


class Site:
    """The pages, as Sphinx reads them.

    Parameters
    ----------
    folder : Path
        Where to put them, an empty folder.
    given : argparse.Namespace
        What was asked for on the command line.
    cdn : str
        The address from which Pyodide comes; empty where it is a part of the
        site.
    """

    def __init__(
        self, folder: Path, given: argparse.Namespace, cdn: str
    ) -> None:
        self.folder = folder
        self.given = given
        self.cdn = cdn
        self.megabytes = live.PINS["megabytes" if cdn else "lighter"]
        self.notebooks = {
            path.relative_to(given.notebooks).as_posix(): nbformat.read(
                path, as_version=4
            )
            for pattern in ("*.ipynb", "audits/*.ipynb")
            for path in sorted(given.notebooks.glob(pattern))
        }
        self.taken = {path for one in TAKEN for path in ROOT.glob(one)}
        strips: dict[Strip, set[str]] = {}
        for strip, view in self._asked_for():
            strips.setdefault(strip, set()).add(view)
        self.drawn = draw(strips, folder / "static" / "strips", self.megabytes)

    def _asked_for(self) -> Iterator[tuple[Strip, str]]:
        """Yield each strip that a page shows, with the view that it shows or asks about."""
        for word in self.given.explorers:
            yield Strip.of(f"#{word}")
        for notebook in self.notebooks.values():
            for _, about in outputs(notebook.cells):
                for shown in (about, about.get("then", {})):
                    if "link" in shown:
                        yield Strip.of(**shown)

    def make(self) -> None:
        """Write every page and what they share."""
        self.write("conf.py", (HERE / "conf.py").read_bytes())
        for path in (
            *HERE.glob("*.js"),
            *HERE.glob("*.css"),
            *HERE.glob("*.svg"),
        ):
            self.write(f"static/{path.name}", path.read_bytes())
        self.write("static/page.js", front_end())
        # The theme of these pages says itself which one it is; no need to ask
        # the browser.
        sheet, _, _ = Page._css.rpartition("@media")
        sheet = sheet.replace(
            'data-jp-theme-light="false"', 'data-theme="dark"'
        )
        self.write("static/page.css", sheet)
        for path in self.taken:
            is_page = path.suffix == ".md"
            text = self._linked(path) if is_page else path.read_bytes()
            self.write(path.relative_to(ROOT), text)
        for folder, (title, names) in PARTS.items():
            pages = toctree(names, ":glob:")
            self.write(f"{folder}/index.md", f"# {title}\n\n{pages}")
        pages = toctree(name.removesuffix(".ipynb") for name in self.notebooks)
        self.write("notebooks/index.md", f"# Notebooks\n\n{pages}")
        self._notebooks()
        self._explorers()
        for name, page in reference.pages():
            if not self.given.api or name in self.given.api:
                self.write(f"api/{name}.md", page)
        self.write("desk.md", self._desk())
        first = self._linked(HERE / "index.md").replace(
            "<!-- worlds -->", raw(_wide(worlds.figure()))
        )
        if not self.given.lite:
            first = re.sub(
                r"<!-- lite -->.*?<!-- /lite -->", "", first, flags=re.DOTALL
            )
        self.write("index.md", first)

    def write(self, path: str | Path, content: str | bytes) -> None:
        """Write a page or a file."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(
            content if isinstance(content, bytes) else content.encode()
        )

    def _linked(self, page: Path) -> str:
        """Return a page; its links to what is not on the site lead to the repository."""
        here = self.taken.union(
            (HERE / "desk.md", HERE / "explorers" / "index.md"),
            (HERE / f"explorers/{word}.md" for word in self.given.explorers),
            (ROOT / "notebooks" / name for name in self.notebooks),
        )

        def link(found: re.Match[str]) -> str:
            words, address = found.groups()
            # A / at its beginning is the repository.
            file = address.partition("#")[0]
            target = (
                ROOT / file[1:] if file[:1] == "/" else page.parent / file
            ).resolve()
            if "://" in address or not file or target in here | {page}:
                return found[0]
            where = f"{repository()}/blob/HEAD/{target.relative_to(ROOT)}"
            return f"[{words}]({where})" if repository() else words

        text = page.read_text(encoding="utf-8")
        # Badges of other hosts.
        text = re.sub(r"^\[!\[.*\n", "", text, flags=re.MULTILINE)
        return re.sub(r"(?<!!)\[([^]]*)\]\(([^)\s]+)\)", link, text)

    def _desk(self) -> str:
        """Return the page for who has to decide: its explorers need Python, and have no frames."""
        text = self._linked(HERE / "desk.md").replace("<!-- cdn -->", self.cdn)
        for word in ("choice", "plan", "meanings"):
            strip, view = Strip.of(f"#{word}")
            figure = _wide(
                strip.html({}, view, self.megabytes, [view]), "dpwidgets-desk"
            )
            text = text.replace(f"<!-- {word} -->", raw(figure))
        return text

    def _notebooks(self) -> None:
        """Write the notebooks: pictures of explorers become strips, questions can be answered."""
        for name, notebook in self.notebooks.items():
            self.write(f"static/notebooks/{name}", nbformat.writes(notebook))
            notebook.cells.insert(
                1, nbformat.v4.new_markdown_cell(self._ways(name))
            )
            for output, about in outputs(notebook.cells):
                if "link" in about:
                    output["data"] = {
                        "text/html": self.drawn[Strip.of(**about)]
                    }
                elif "checks" in about:
                    output["data"] = {"text/html": self._asked(output, about)}
            for cell in notebook.cells:
                # The answer stands there.
                if cell.metadata.get("jupyter", {}).get("source_hidden"):
                    cell.metadata["tags"] = ["hide-input"]
                for output in cell.get("outputs", []):
                    self._show(cell, output.get("data", {}))
            self.write(f"notebooks/{name}", nbformat.writes(notebook))

    def _ways(self, name: str) -> str:
        """Return what leads from a notebook's page to where it runs."""
        ways = []
        top = "../" * (1 + name.count("/"))
        if self.given.lite:
            page = f"{top}{RUN}/{Path(name).with_suffix('.html')}"
            ways.append(f'<a href="{page}">Run this notebook here</a>')
        if repository():
            page = html.escape(binder(repository(), f"notebooks/{name}"))
            ways.append(f'<a href="{page}">Run this notebook on Binder</a>')
        page = f"{top}_static/notebooks/{name}"
        ways.append(f'<a href="{page}" download>Download this notebook</a>')
        return " · ".join(ways)

    def _show(self, cell: Any, data: Any) -> None:
        """Let what is shown without a kernel say what it is, and load its pictures when seen."""
        words = data.get("text/plain", "")
        if "image/png" in data:
            cell.metadata["mystnb"] = {"image": {"alt": words}}
        if "text/html" in data:
            page = PICTURE.sub(self._picture, data["text/html"])
            if words.startswith(NEED_A_KERNEL):
                page += "<p><em>This works where the notebook runs.</em></p>"
            data["text/html"] = page

    def _asked(self, output: Any, about: Any) -> str:
        """Return a question that can be answered on its page."""
        page = output["data"]["text/html"]
        held = f"<summary>{SUMMARY}"
        before, found, after = page.rpartition(f"<details>{held}")
        if found:  # it appears with the first answer
            if "then" in about:
                figure = self.drawn[Strip.of(**about["then"])]
                after = f"</summary>{figure}</details>"
            page = f'{before}<details class="dpwidgets-held">{held}{after}'
        # In a script of a page, < could end it.
        script = json.dumps(about["checks"]).replace("<", "\\u003c")
        script = f'<script type="application/json">{script}</script>'
        return f'<div class="dpwidgets-question">{page}{script}</div>'

    def _picture(self, found: re.Match[str]) -> str:
        """Write a picture that stands in a page into a file, and return where a notebook has it."""
        path = f"static/pictures/{key(found[1])}.png"
        self.write(path, b64decode(found[1]))
        return f'src="../_{path}"'

    def _explorers(self) -> None:
        """Write a page on each explorer: its question, its strip, and its docstring."""
        cards = []
        for word in self.given.explorers:
            kind = KINDS[word]
            docs = (
                f".. autoclass:: dpwidgets.{kind.__name__}(**values)\n"
                f"   :members: {', '.join(kind.parameters())}\n"
            )
            strip = raw(_wide(self.drawn[Strip.of(f"#{word}")]))
            page = gallery.page(word, strip, reference.directives(docs))
            if NOTEBOOKS[word] in self.notebooks:
                page += (
                    f"\nIts lesson is [](../notebooks/{NOTEBOOKS[word]}).\n"
                )
            self.write(f"explorers/{word}.md", page)
            cards.append(gallery.card(word))
        pages = toctree(self.given.explorers, ":hidden:")
        cards = raw(f'<div class="dpwidgets-gallery">{"".join(cards)}</div>')
        self.write("explorers/index.md", f"# Explorers\n\n{cards}\n{pages}")


def _wide(strip: str, look: str = "") -> str:
    """Return a strip that has a page's width."""
    return f'<div class="dpwidgets-wide {look}">{strip}</div>'


def main() -> None:
    """Build the site into the folder that is named, or into build/site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "build" / "site"
    )
    parser.add_argument(
        "--api",
        nargs="*",
        help="the modules with a page; all if none is named",
    )
    parser.add_argument(
        "--pyodide", type=Path, help="a folder of Pyodide's distribution"
    )
    parser.add_argument(
        "--lite",
        type=Path,
        help="what `make lite` has built, with its Pyodide",
    )
    parser.add_argument("--notebooks", type=Path, default=ROOT / "notebooks")
    parser.add_argument(
        "--explorers",
        nargs="*",
        default=list(KINDS),
        choices=list(KINDS),
        help="the words of those with pages of their own",
    )
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    with TemporaryDirectory() as folder, ProcessPoolExecutor(1) as beside:
        here = given.pyodide or (
            given.lite and (given.lite / "live" / "pyodide").is_dir()
        )
        cdn = "" if here else live.PINS["cdn"]
        pages, python = Path(folder) / "pages", Path(folder) / "python"
        if given.lite:
            written = beside.submit(live.take_in, given.lite, python / RUN)
        else:
            written = beside.submit(
                live.write, python, given.pyodide, live.PINS["wheels"]
            )
        Site(pages, given, cdn).make()
        failed = sphinx(
            [
                "-qW",
                "-j",
                "auto",
                "--keep-going",
                "-d",
                f"{folder}/doctrees",
                str(pages),
                str(given.folder),
            ]
        )
        # A template, and what only the theme's authors read.
        for path in (
            *given.folder.rglob("webpack-macros.html"),
            *given.folder.rglob("*.map"),
        ):
            path.unlink()
        for page in given.folder.rglob("*.html"):
            mend(page)
        written.result()
        shutil.copytree(python, given.folder, dirs_exist_ok=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
