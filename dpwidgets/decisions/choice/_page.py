"""Tables as a page for people: Markdown, and HTML that prints on A4. It knows no record."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

#: What stands where only people can say something and nobody has.
OPEN = "open: nobody has said it"

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Decision record</title><style>
@page { size: A4; margin: 9mm 11mm }
body { font: 7pt/1.15 'DejaVu Sans', Verdana, Arial, sans-serif; color: #222; background: #fff;
  max-width: 188mm; margin: 0 auto; overflow-wrap: anywhere }
h1 { font-size: 1.5em; margin: 0 0 1mm }
h2 { font-size: 1.06em; margin: .65em 0 .1em; border-bottom: .3mm solid #999; break-after: avoid }
p, ul { margin: 0 }
ul { padding-left: 4mm; columns: 2; column-gap: 6mm }
blockquote { margin: 0; padding: 1mm 2mm; border-left: 1mm solid #d55e00 }
table { border-collapse: collapse; width: 100% }
tr { break-inside: avoid }
td, th { text-align: left; vertical-align: top; padding: .15mm 1.5mm .15mm 0 }
th, td:first-child { font-weight: 400; color: #595959 }
th { white-space: nowrap }
th:empty { padding: 0 }
td:first-child { width: min(43mm, 30%); min-width: 6.5em }
tr + tr td { border-top: .1mm solid #ddd }
em { color: #b00020 }
table + p, ul + p { margin-top: 1em; color: #595959 }
</style></head><body>
"""


#: What Markdown or HTML reads as its own, and what begins an address.
_MARKUP = re.compile(r"[`*_^\[\]|~#<>&@]|:(?=//)|(?<=www)\.")
_MATHEMATICS = re.compile(r"[\\$]")

#: A row of a table: its cells.
Row: TypeAlias = tuple[str, ...]


class Table(NamedTuple):
    """A table of a page, or a list where its rows have one cell.

    Parameters
    ----------
    title : str
        What stands above it.
    header : tuple of str
        The names of its columns, or nothing.
    rows : sequence of tuple of str
        Its rows.
    """

    title: str
    header: Row
    rows: Sequence[Row]


def prefix(name: str) -> str:
    """Return what stands before a fact about the statistic of this name, if it has one."""
    return f"{name}: " if name else ""


def markdown(
    title: str, verdict: str, tables: Iterable[Table], footer: str
) -> str:
    """Write a page as Markdown, without tables that have no rows. Every text is escaped.

    Examples
    --------
    >>> print(markdown("a | b", "It is so.", [Table("Who", (), [("who", "Ann")])], "the end"))
    # a &#124; b
    <BLANKLINE>
    > **It is so.**
    <BLANKLINE>
    ## Who
    <BLANKLINE>
    |  |  |
    |---|---|
    | who | Ann |
    <BLANKLINE>
    the end
    <BLANKLINE>
    """
    lines = [f"# {_escape(title)}", "", f"> **{_escape(verdict)}**"]
    for table in tables:
        if table.rows:
            lines += ["", f"## {_escape(table.title)}", "", *_rows(table)]
    return "\n".join([*lines, "", _escape(footer), ""])


def _rows(table: Table) -> list[str]:
    """Write the rows of a table, or of a list."""
    width = len(table.rows[0])
    if width == 1:
        return [f"- {_escape(text)}" for (text,) in table.rows]
    header = table.header or ("",) * width
    lines = []
    for row in (header, *table.rows):
        cells = " | ".join(map(_cell, row))
        lines.append(f"| {cells} |")
    lines.insert(1, "|---" * width + "|")
    return lines


class Page(str):
    """A page as HTML, which a notebook shows in a frame of its own."""

    __slots__ = ()

    @property
    def _called(self) -> str:
        return self.partition("<title>")[2].partition("</title>")[0]

    def __repr__(self) -> str:
        return f"{self._called}: a page of HTML"

    def _repr_html_(self) -> str:
        look = f'title="{self._called}" width="100%" height="1120"'
        return f'<iframe srcdoc="{escape(self)}" {look}></iframe>'


def html(text: str) -> Page:
    """Make a page that prints on A4 of what `markdown` wrote."""
    import mistune  # not before somebody wants such a page

    # Its own signs of HTML are spans that `_escape` put there; all others are
    # escaped.
    body = mistune.create_markdown(escape=False, plugins=["table"])(text)
    return Page(f"{_HEAD}{body}</body></html>\n")


def _cell(text: str) -> str:
    return _escape(text).replace(OPEN, f"*{OPEN}*")


def _escape(text: str) -> str:
    """Put everything on one line, and no sign of HTML, Markdown or mathematics in it.

    JupyterLab looks for mathematics before it reads Markdown and once more on
    the page, where it finds none that a tag divides.
    """
    line = " ".join(text.split())
    line = _MARKUP.sub(_entity, line)
    return _MATHEMATICS.sub(lambda sign: f"<span>{_entity(sign)}</span>", line)


def _entity(sign: re.Match[str]) -> str:
    return f"&#{ord(sign[0])};"
