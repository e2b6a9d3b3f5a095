"""Build a lecturer's slides: `make slides`, one file each in build/slides, which needs no network.

A page of course/teaching is written by hand above a mark and follows from its
notebook below it. Its sections are slides. What is quoted in one is for the
lecturer, and a line with a comment is about a strip: the comment has an
explorer's link, and the parameter that moves.
"""

from __future__ import annotations

import argparse
import html
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import mistune
import nbformat

from conf import SCRIPTS, mathml
from dpwidgets.page.page import Page
from markup import front_end, outputs
from strips import Strip

HERE = Path(__file__).parent
ROOT = HERE.parent
PAGES = ROOT / "course" / "teaching"
MARK = "<!-- Below this line `make slides` writes what follows from the notebook. -->"
STRIP = re.compile(r"^(.*) <!-- (#\S+) (\w+) -->$", re.MULTILINE)
#: What a question shows without a kernel.
PROMPT = re.compile(r"<p[^>]*>(.*?)</p>", re.DOTALL)
HINT = re.compile(
    r"<summary>Hint</summary><p[^>]*>(.*?)</p></details>", re.DOTALL
)


class Formulas(mistune.HTMLRenderer):
    """Writes formulas as MathML, as the website does."""

    def inline_math(self, text: str) -> str:
        """Write a formula in a line."""
        return mathml(text)

    def block_math(self, text: str) -> str:
        """Write a formula alone."""
        return mathml(text, block=True)


class Slide(NamedTuple):
    """A section of a page.

    Attributes
    ----------
    title : str
        Its heading.
    minutes : int
        How long it takes in class.
    text : str
        What students see: Markdown.
    notes : str
        What the lecturer sees: Markdown.
    strip : tuple of str, optional
        Words, an explorer's link, and the parameter that moves.
    """

    title: str
    minutes: int
    text: str
    notes: str
    strip: tuple[str, str, str] | None


def slides(page: str) -> Iterator[Slide]:
    """Yield the slides of a page."""
    for section in page.partition(MARK)[0].split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        title, _, minutes = heading.rpartition(" · ")
        notes = "\n".join(re.findall(r"^> ?(.*)$", body, re.MULTILINE))
        found = STRIP.search(body)
        text = STRIP.sub(
            "", re.sub(r"^>.*\n?", "", body, flags=re.MULTILINE)
        ).strip()
        strip = (found[1], found[2], found[3]) if found else None
        yield Slide(
            title, int(minutes.removesuffix(" min")), text, notes, strip
        )


def below(notebook: nbformat.NotebookNode) -> str:
    """Return what a lecturer's page says that follows from the notebook, as Markdown."""
    parts = [MARK, "## What students get wrong, and what to ask then"]
    # What comes later is for home.
    core = takewhile(
        lambda cell: not cell.source.startswith("## More"), notebook.cells
    )
    for output, about in outputs(core):
        judged = about.get("checks", {}).get("judged", [])
        slips = []
        for what, right, why in judged:
            if not right:
                short = f"{what:.4g}" if isinstance(what, float) else what
                why = why.removeprefix("Not yet: ").removesuffix(".")
                slips.append(f"- *{short}*: {why}")
        if slips:
            page = html.unescape(output["data"]["text/html"])
            hints = [f"- Ask then: {hint}" for hint in HINT.findall(page)]
            parts.append(f"**{PROMPT.search(page)[1]}**")
            parts.append("\n".join([*slips, *hints]))
    return "\n\n".join(parts) + "\n"


def notebook_of(page: Path) -> Path:
    """Return the lesson that a page is about."""
    (path,) = (ROOT / "notebooks").glob(f"{page.stem}_*.ipynb")
    return path


def whole(page: Path) -> str:
    """Return a page as it should be: what was written by hand, and what follows."""
    by_hand = page.read_text(encoding="utf-8").partition(MARK)[0].rstrip()
    return (
        f"{by_hand}\n\n{below(nbformat.read(notebook_of(page), as_version=4))}"
    )


def moving(link: str, name: str) -> str:
    """Return the strip of an explorer's state in which one parameter moves, with its frames."""
    strip, view = Strip.of(link)
    with TemporaryDirectory() as folder:
        drawn = strip.draw(Path(folder), [view], [name])[name]
        frames = "".join(
            path.read_text(encoding="utf-8")
            for path in Path(folder).rglob("*.js")
        )
    if not drawn:
        raise ValueError(f"{name} moves nothing in {link}")
    # In a script of a page it could end it.
    frames = frames.replace("</", "<\\/")
    return (
        strip.html({name: drawn}, view, views=[view])
        + f"<script>{frames}</script>\n"
    )


def built(page: Path) -> str:
    """Return the slides of a page: one document that asks nobody for anything."""
    text = page.read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    render = mistune.create_markdown(
        renderer=Formulas(escape=True), plugins=["math", "table"]
    )
    sections = []
    for slide in slides(text):
        strip = ""
        if slide.strip:
            words, *what = slide.strip
            strip = f"<p>{html.escape(words)}</p>\n{moving(*what)}"
        notes = f"<details><summary>For the lecturer</summary>{render(slide.notes)}</details>"
        sections.append(
            f"<section>\n<h2>{html.escape(slide.title)}</h2>\n{render(slide.text)}\n{strip}"
            f"{notes if slide.notes else ''}</section>\n"
        )
    scripts = [
        front_end(),
        *((HERE / name).read_text("utf-8") for name in SCRIPTS[1:]),
        (HERE / "slides.js").read_text("utf-8"),
    ]
    sheet = Page._css + (HERE / "slides.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{sheet}</style>\n"
        f"{''.join(f'<script>{script}</script>' for script in scripts)}\n</head>\n<body>\n"
        f"<header><h1>{html.escape(title)}</h1></header>\n<main>\n{''.join(sections)}</main>\n"
        "</body>\n</html>\n"
    )


def main() -> None:
    """Write below the marks what follows from the notebooks, and build the slides."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, default=ROOT / "build" / "slides"
    )
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(whole(page), encoding="utf-8")
        target = given.folder / f"{page.stem}.html"
        target.write_text(built(page), encoding="utf-8")
        print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
