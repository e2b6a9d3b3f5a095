"""Every relative link leads somewhere, and every notebook says where the reader is."""

import re
from urllib.parse import unquote

import pytest

from here import AUDITS, LESSONS, cells_of, prose
from tools import README, ROOT, run

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
        text = prose(path)
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
    title, _, where, *_ = cells_of(notebook)[0].source.splitlines()
    assert title.startswith("# ")
    return LINK.findall(where)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_says_where_the_reader_is_and_its_audit_leads_back(lesson):
    number = LESSONS.index(lesson)
    neighbours = LESSONS[max(number - 1, 0) : number + 2]
    expected = [path.name for path in neighbours if path != lesson]
    audit = lesson.parent / "audits" / lesson.name
    if audit in AUDITS and audit.exists():
        expected.append(f"audits/{audit.name}")
        assert place(audit) == [f"../{lesson.name}", "../glossary.ipynb"]
    assert place(lesson) == [*expected, "glossary.ipynb"]


def test_no_number_of_a_notebook_is_an_old_one():
    """In a file's name, a link, before a title and after a word, wherever git has a file."""
    names = {path.stem for path in LESSONS}
    numbers = {name[:2] for name in names}
    titles = dict(re.findall(r"\[(\d\d) ([^\]]+)\]\(notebooks/", README))
    text = run("git", "grep", "-Ih", "[0-9][0-9]", cwd=ROOT)
    made_up = {"12_coin"}  # the lesson of test_sixth_text.py
    files = {*re.findall(r"(?<![-\w])(\d\d[a-z]?_\w+)\.ipynb", text)}
    assert files == names | made_up
    rooms = "|".join(name[3:] for name in names)
    assert {*re.findall(rf"\b\d\d[a-z]?_(?:{rooms})\b", text)} <= names
    link = r"\[[^\]]*?\b(\d\d[a-z]?)\b[^\]]*\]\([^)\s]*?\b(\d\d)_\w+\.ipynb"
    assert [two for two in re.findall(link, text) if two[0] != two[1]] == []
    for number, title in titles.items():
        before = re.findall(rf"\b(\d\d) {re.escape(title)}", text)
        assert {*before} == {number}, title
    word = r"(?i)\b(?:notebook|lesson|audit)s? (\d\d[a-z]?)\b"
    assert {*re.findall(word, text)} <= numbers
