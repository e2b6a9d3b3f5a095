"""Every relative link leads somewhere, and every notebook says where the reader is."""

import re
from urllib.parse import unquote

import nbformat
import pytest

from here import AUDITS, LESSONS
from tools import ROOT

PATTERNS = (
    "notebooks/**/*.ipynb",
    "*.md",
    "*/README.md",
    "course/*.md",
    "dpwidgets/**/*.md",
)
PAGES = [path for pattern in PATTERNS for path in ROOT.glob(pattern)]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def words(path):
    """Return a page's Markdown; code in it has no links."""
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(
            cell.source for cell in cells if cell.cell_type == "markdown"
        )
    else:
        text = path.read_text(encoding="utf-8")
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(path):
    """Return what a link may name after the #: headings as GitHub and as JupyterLab write them."""
    headings = re.findall(r"^#+ (.+)$", words(path), flags=re.MULTILINE)
    github = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }
    return github | {heading.replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_relative_links_lead_somewhere(page):
    for link in LINK.findall(words(page)):
        target, _, anchor = unquote(link).partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        path = page if not target else (page.parent / target)
        assert path.exists(), link
        assert not anchor or anchor in anchors(path), link


def place(notebook):
    """Return the links of the line below the title."""
    title, _, where = (
        nbformat.read(notebook, as_version=4).cells[0].source.splitlines()[:3]
    )
    assert title.startswith("# ")
    return LINK.findall(where)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_says_where_the_reader_is_and_its_audit_leads_back(lesson):
    number = LESSONS.index(lesson)
    neighbours = LESSONS[max(number - 1, 0) : number + 2]
    expected = [path.name for path in neighbours if path != lesson]
    audit = lesson.with_name(lesson.name.replace("_", "a_", 1))
    if audit.name in AUDITS and audit.exists():
        expected.append(audit.name)
        assert place(audit) == [lesson.name, "glossary.ipynb"]
    assert place(lesson) == [*expected, "glossary.ipynb"]
