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
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import nbformat
from sphinx.cmd.build import main as sphinx

import dpwidgets
import gallery
import live
import reference
from dpwidgets.page.page import Page
from dpwidgets.plots import style
from dpwidgets.teaching.asking import Asking
from dpwidgets.teaching.base import SUMMARY
from dpwidgets.teaching.progress import key
from dpwidgets.teaching.recall import NOTEBOOKS
from markup import binder, mend, outputs, raw, to_run, toctree
from strips import KINDS, Strip, draw, unfolded

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[1]
#: What is taken over from the repository as it is: files, and pages. The first
#: page leads to TAUGHT as to one part, and to each of PAGES.
TAKEN = ("LICENSE", "CITATION.cff", "*/labs/*.*", "*/images/*")
TAUGHT = ("course/README.md", "course/**/*.md", "notebooks/labs/README.md")
# In its menu.
TITLES = {"SCOPE.md": "What is here", "README.md": "Install and run"}
PAGES = (*TITLES, "*.md", "binder/*.md", "website/README.md", "*/data/*.md")
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
#: What the explorers need in a browser, beside Pyodide's own packages.
NEEDED = (
    "anywidget",
    "comm",
    "ipywidgets",
    "psygnal",
    "typing-extensions",
)


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
    notebooks : Path
        The folder of notebooks.
    explorers : collection of str
        The words of the explorers that have pages of their own.
    cdn : str
        The address from which Pyodide comes; empty where it is a part of the
        site.
    lite : bool
        Whether the site has JupyterLite in it, where each notebook can be run.
    api : collection of str
        The modules whose docstrings become pages; all of them if it is empty.
    """

    def __init__(
        self,
        folder: Path,
        notebooks: Path,
        explorers: Collection[str] = KINDS,
        cdn: str = "",
        lite: bool = False,
        api: Collection[str] = (),
    ) -> None:
        self.api = api
        self.folder, self.explorers, self.cdn, self.lite = (
            folder,
            explorers,
            cdn,
            lite,
        )
        self.notebooks = {
            path.name: nbformat.read(path, as_version=4)
            for path in sorted(notebooks.glob("*.ipynb"))
        }
        self.taken = found(*TAKEN, *TAUGHT, *PAGES)
        strips: dict[Strip, set[str]] = {}
        for strip, view in self._asked_for():
            strips.setdefault(strip, set()).add(view)
        self.drawn = draw(strips, folder / "static" / "strips")

    def _of(
        self, link: str, only: Iterable[str] | None = None
    ) -> tuple[Strip, str]:
        """Return the strip of a link, and the view in which it is shown.

        Where a notebook names no controls, those move that are unfolded at the
        start; on a page of the explorer's own, all.
        """
        return Strip.of(link, () if only is None else only or unfolded(link))

    def _asked_for(self) -> Iterator[tuple[Strip, str]]:
        """Yield each strip that a page shows, with the view that it shows or asks about."""
        for word in self.explorers:
            yield self._of(f"#{word}")
        for notebook in self.notebooks.values():
            for _, about in outputs(notebook):
                for shown in (about, about.get("then", {})):
                    if "link" in shown:
                        yield self._of(**shown)

    def make(self) -> None:
        """Write every page and what they share."""
        self.write("conf.py", (HERE / "conf.py").read_bytes())
        for path in (
            *HERE.glob("*.js"),
            *HERE.glob("*.css"),
            *HERE.glob("*.svg"),
        ):
            self.write(f"static/{path.name}", path.read_bytes())
        # A page that was opened from a folder may run scripts, but no modules.
        module = Page._esm.replace(
            "export default { render };", "window.dpwidgetsRender = render;"
        )
        self.write("static/page.js", f"(() => {{\n{module}}})();\n")
        self.write(
            "static/page.css",
            (ROOT / "dpwidgets" / "page" / "page.css").read_bytes(),
        )
        # The theme of these pages says itself which one it is; no need to ask
        # the browser.
        sheet = style.SHEET.partition("@media")[0].replace(
            'data-jp-theme-light="false"', 'data-theme="dark"'
        )
        self.write("static/pictures.css", sheet)
        for path in self.taken:
            if path.suffix == ".md":
                text = self._linked(path)
            else:
                text = path.read_bytes()
            self.write(path.relative_to(ROOT), text)
        taught = [f"/{path.relative_to(ROOT)}" for path in found(*TAUGHT)]
        pages = [str(path.relative_to(ROOT)) for path in found(*PAGES)]
        parts = (
            self._notebooks(),
            "desk",
            self._explorers(),
            self._part("course", "For a course", taught),
            *(
                f"{TITLES[page]} <{page}>" if page in TITLES else page
                for page in pages
            ),
            self._interface(),
        )
        self.write("desk.md", self._desk())
        first = self._linked(HERE / "index.md").replace(
            "<!-- strip -->", self._first()
        )
        if not self.lite:
            first = re.sub(
                r"<!-- lite -->.*?<!-- /lite -->", "", first, flags=re.DOTALL
            )
        self.write("index.md", f"{first}\n{toctree(parts, ':hidden:')}")

    def write(self, path: str | Path, content: str | bytes) -> None:
        """Write a page or a file."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(
            content if isinstance(content, bytes) else content.encode()
        )

    def _linked(self, page: Path) -> str:
        """Return a page; its links to what is not on the site lead to the repository."""
        here = {*self.taken, HERE / "desk.md"} | {
            ROOT / "notebooks" / name for name in self.notebooks
        }

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

    def _first(self) -> str:
        """Return the strip of the first page: every meaning, and ε alone to move."""
        strip = Strip("#meanings")
        views = strip.kind.view.options
        folder = self.folder / "static" / "strips"
        drawn = strip.draw(folder, views, ["epsilon"])
        return raw(
            f'<div class="dpwidgets-first">{strip.html(drawn, "rows", "")}</div>'
        )

    def _desk(self) -> str:
        """Return the page for who has to decide: its explorers need Python, and have no frames."""
        text = self._linked(HERE / "desk.md")
        for word in ("choice", "plan", "meanings"):
            strip, view = Strip.of(f"#{word}")
            text = text.replace(
                f"<!-- {word} -->",
                raw(_wide(strip.html({}, view, "", [view]), "dpwidgets-desk")),
            )
        host = urlsplit(self.cdn).hostname
        if host:
            whom = f"and to {host}, from which Python itself comes"
        else:
            whom = "alone"
        return text.replace("<!-- whom -->", whom).replace(
            "<!-- cdn -->", self.cdn
        )

    def _notebooks(self) -> str:
        """Write the notebooks: pictures of explorers become strips, questions can be answered."""
        names = [Path(name).stem for name in self.notebooks]
        for name, notebook in self.notebooks.items():
            self.write(
                f"static/notebooks/{name}", nbformat.writes(to_run(notebook))
            )
            ways = f'<a href="../_static/notebooks/{name}" download>Download this notebook</a>'
            if repository():
                address = html.escape(
                    binder(repository(), f"notebooks/{name}")
                )
                ways = f'<a href="{address}">Run this notebook on Binder</a> · {ways}'
            if self.lite:
                page = f"../{RUN}/{Path(name).stem}.html"
                ways = f'<a href="{page}">Run this notebook here</a> · {ways}'
            notebook.cells.insert(1, nbformat.v4.new_markdown_cell(ways))
            for output, about in outputs(notebook):
                if "link" in about:
                    output["data"] = {"text/html": self._strip(ways, **about)}
                elif "checks" in about:
                    self._ask(output, about, ways)
            for cell in notebook.cells:
                # The answer stands there.
                if cell.metadata.get("jupyter", {}).get("source_hidden"):
                    cell.metadata["tags"] = [
                        *cell.metadata.get("tags", []),
                        "hide-input",
                    ]
                for data in (
                    output.get("data", {})
                    for output in cell.get("outputs", [])
                ):
                    words = data.get("text/plain", "")
                    if "image/png" in data:
                        cell.metadata["mystnb"] = {"image": {"alt": words}}
                    if words.startswith(NEED_A_KERNEL) and "text/html" in data:
                        data["text/html"] += (
                            "<p><em>This works where the notebook runs.</em></p>"
                        )
                    # A picture in a page would be loaded with it.
                    if "text/html" in data:
                        data["text/html"] = re.sub(
                            r'src="data:image/png;base64,([^"]*)"',
                            self._picture,
                            data["text/html"],
                        )
            self.write(f"notebooks/{name}", nbformat.writes(notebook))
        return self._part("notebooks", "Notebooks", names)

    def _ask(self, output: Any, about: Any, ways: str) -> None:
        """Let a question be answered on its page."""
        page = output["data"]["text/html"]
        held = f"<summary>{SUMMARY}"
        before, found, after = page.rpartition(f"<details>{held}")
        if found:  # it appears with the first answer
            if "then" in about:
                after = (
                    f"</summary>{self._strip(ways, **about['then'])}</details>"
                )
            page = f'{before}<details class="dpwidgets-held">{held}{after}'
        # In a script of a page, < could end it.
        script = json.dumps(about["checks"]).replace("<", "\\u003c")
        script = f'<script type="application/json">{script}</script>'
        output["data"] = {
            "text/html": f'<div class="dpwidgets-question">{page}{script}</div>'
        }

    def _picture(self, found: re.Match[str]) -> str:
        """Write a picture that stands in a page into a file, and return where a notebook has it."""
        path = f"static/pictures/{key(found[1])}.png"
        self.write(path, b64decode(found[1]))
        return f'src="../_{path}"'

    def _explorers(self) -> str:
        """Write a page on each explorer: its question, its strip, and its docstring."""
        cards = []
        for word in self.explorers:
            kind = KINDS[word]
            docs = (
                f".. autoclass:: dpwidgets.{kind.__name__}(**values)\n"
                f"   :members: {', '.join(kind.parameters())}\n"
            )
            strip = raw(_wide(self._strip_of(word)))
            page = gallery.page(word, strip, reference.directives(docs))
            self.write(f"explorers/{word}.md", page)
            cards.append(gallery.card(word))
        pages = toctree(self.explorers, ":hidden:")
        cards = raw(f'<div class="dpwidgets-gallery">{"".join(cards)}</div>')
        self.write("explorers/index.md", f"# Explorers\n\n{cards}\n{pages}")
        return "explorers/index"

    def _interface(self) -> str:
        """Write a page on each public module, from its docstrings."""
        names = []
        for name, page in reference.pages():
            if self.api and name not in self.api:
                continue
            self.write(f"api/{name}.md", page)
            names.append(name)
        return self._part("api", "API", names)

    def _part(self, folder: str, title: str, names: list[str]) -> str:
        """Write the list of a part's pages, and return where it is."""
        self.write(f"{folder}/index.md", f"# {title}\n\n{toctree(names)}")
        return f"{folder}/index"

    def _strip_of(self, word: str) -> str:
        """Return the strip of an explorer, which leads to its notebook, for a Markdown page."""
        name = NOTEBOOKS[word]
        ways = ""
        if name in self.notebooks:
            title = (
                self.notebooks[name]
                .cells[0]
                .source.splitlines()[0]
                .removeprefix("# ")
            )
            page = f"../notebooks/{Path(name).stem}.html"
            ways = f'<a href="{page}">{html.escape(title)}</a>'
        return self._strip(ways, f"#{word}")

    def _strip(
        self, ways: str, link: str, only: Iterable[str] | None = None
    ) -> str:
        strip, view = self._of(link, only)
        more = f"The notebook moves them together: {ways}." if ways else ""
        return strip.html(self.drawn[strip.name], view, more)


def _wide(strip: str, look: str = "") -> str:
    """Return a strip that has a page's width."""
    return f'<div class="dpwidgets-wide {look}">{strip}</div>'


def found(*patterns: str) -> list[Path]:
    """Return the files of the repository that match, in the order of the patterns."""
    return list(
        dict.fromkeys(
            path for one in patterns for path in sorted(ROOT.glob(one))
        )
    )


def main() -> None:
    """Build the site into the folder that is named, or into build/site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "build" / "site"
    )
    parser.add_argument("--api", nargs="*", default=())
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
        "--explorers", nargs="*", default=list(KINDS), choices=list(KINDS)
    )
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    with TemporaryDirectory() as folder:
        here = given.pyodide or (
            given.lite and (given.lite / "live" / "pyodide").is_dir()
        )
        cdn = "" if here else live.PINS["cdn"]
        if here:
            live.PINS["megabytes"] = live.PINS["lighter"]
        Site(
            Path(folder),
            given.notebooks,
            given.explorers,
            cdn,
            bool(given.lite),
            given.api,
        ).make()
        failed = sphinx(
            [
                "-qW",
                "-j",
                "auto",
                "--keep-going",
                "-d",
                f"{folder}/.doctrees",
                folder,
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
    if given.lite:
        live.take_in(given.lite, given.folder / RUN)
    else:
        live.write(given.folder, given.pyodide, NEEDED)
    sys.exit(failed)


if __name__ == "__main__":
    main()
