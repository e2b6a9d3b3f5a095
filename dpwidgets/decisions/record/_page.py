"""Tables as a page for people: Markdown, and HTML that prints on any sheet. It knows no record."""

import re
from collections.abc import Iterable
from html import escape

from dpwidgets.decisions.goals import Row, Table

#: What Markdown or HTML reads as its own, and what begins an address.
_MARKUP = re.compile(r"[`*_^\[\]|~#<>&@]|:(?=//)|(?<=www)\.")
_MATHEMATICS = re.compile(r"[\\$]")

_STYLE = """
@page { margin: 6mm 10mm }
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #595959; --paper: #fff; --line: #999;
  --people: #00508c }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #eee; --soft: #b8b8b8;
  --paper: #161616; --line: #777; --people: #8ccaff } }
body { font: 1rem/1.45 Arial, 'Liberation Sans', Verdana, sans-serif; color: var(--ink);
  background: var(--paper); max-width: 44rem; margin: 0 auto; padding: 1rem;
  overflow-wrap: anywhere }
header p, footer { color: var(--soft); margin: 0 } h1 { font-size: 1.5em; margin: 0 }
header strong { display: block; color: var(--ink); margin-top: .4em; padding: .1em .6em;
  border-left: .3em solid var(--people) }
h2 { font-size: 1.1em; margin: 1.4em 0 .4em; border-bottom: .1em solid var(--line);
  break-after: avoid }
p, ul, dl { margin: .5em 0 } ul { padding-left: 1.2em } footer { margin-top: 1.4em }
dl div { margin: .5em 0 } dt, th { color: var(--soft); font-weight: 400 } dd { margin: 0 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .15em .6em .15em 0 }
td:first-child { color: var(--soft); box-sizing: border-box }
th, td:first-child, td:last-child { overflow-wrap: break-word }
li, tr, dl div, figure { break-inside: avoid }
.odds { display: flex; flex-wrap: wrap; gap: 1em 3em } figure { flex: 0 1 15em; margin: .5em 0 }
.odds .odds { flex-wrap: nowrap; gap: 1em }
figcaption strong { display: block; font-size: 1.3em }
svg { display: block; width: 100%; margin-bottom: .5em; color: var(--people) }
.right { fill: currentColor } .wrong { fill: none; stroke: currentColor; stroke-width: .5 }
@media screen and (max-width: 40em) { table { font-size: .85em } td, th { padding-right: .4em } }
@media (min-width: 40em) { dl div { display: grid; grid-template-columns: 15em 1fr }
  dd { grid-column: 2 } th { white-space: nowrap } td:first-child { width: 15em } }
@media (forced-colors: active) { svg { color: CanvasText } }
@media print { body { font-size: 8pt; line-height: 1.05; max-width: none; padding: 0 }
  h2 { font-size: 1em; margin: .25em 0 .05em } p, ul, dl, dl div { margin: 0 }
  h1 { font-size: 1.3em } footer { margin-top: .3em }
  section { break-inside: avoid } ul { columns: 2; column-gap: 6mm }
  td, th { padding: 0 .6em 0 0 } .odds { gap: 0 1.5em }
  figure { flex-basis: 13em } .label { line-height: 1.25 } .label dl div { margin: .3em 0 } }
"""

#: How the row of what nobody has said is called.
UNSAID = "nobody has said yet"


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


def prefix(name: str) -> str:
    """Return what stands before a fact about the statistic of this name, if it has one."""
    return f"{name}: " if name else ""


def begun(text: str) -> str:
    """Return a text that begins with a large letter."""
    return f"{text[:1].upper()}{text[1:]}"


def html(
    kind: str, title: str, verdict: str, sections: Iterable[str], footer: str
) -> Page:
    """Write a page as HTML that prints on any sheet, and needs no network.

    Parameters
    ----------
    kind, title, verdict, footer : str
        What kind of page it is, what stands above it, in bold below that, and
        at its end. Each of them is escaped.
    sections : iterable of str
        What `section` wrote.
    """
    rules = "default-src 'none'; style-src 'unsafe-inline'"
    bold = f"<strong>{escape(verdict)}</strong>" if verdict else ""
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">',
        f"<title>{kind}</title><style>{_STYLE}</style></head>",
        f'<body class="{kind.split()[-1]}"><main>',
        f"<header><p>{kind}</p><h1>{escape(title)}</h1>{bold}</header>",
        *sections,
        f"</main><footer>{escape(footer)}</footer></body></html>\n",
    ]
    return Page("\n".join(parts))


def section(table: Table, above: str = "") -> str:
    """Write a table as HTML, below HTML that stands above it; nothing where there is neither."""
    if not table.rows and not above:
        return ""
    heading = f"<h2>{escape(table.title)}</h2>"
    return f"<section>{heading}\n{above}{_body(table)}</section>"


def _body(table: Table) -> str:
    """Write the rows of a table, of a list of names and what is said, or of a list."""
    if not table.rows:
        return ""
    if table.header:
        rows = [html_row(table.header, "th"), *map(html_row, table.rows)]
        return "\n".join(["<table>", *rows, "</table>"])
    if len(table.rows[0]) == 1:
        sentences = [
            f"<li>{escape(sentence)}</li>\n" for (sentence,) in table.rows
        ]
        return f"<ul>\n{''.join(sentences)}</ul>"
    pairs = []
    for name, *facts in table.rows:
        said = "".join(f"<dd>{escape(fact)}</dd>" for fact in facts)
        pairs.append(f"<div><dt>{escape(name)}</dt>{said}</div>\n")
    return f"<dl>\n{''.join(pairs)}</dl>"


def html_row(row: Row, tag: str = "td") -> str:
    """Write a row of a table as HTML; a corner without a name is the heading of nothing."""
    cells = "".join(f"<{tag}>{escape(text)}</{tag}>" for text in row)
    return f"<tr>{cells}</tr>".replace("<th></th>", "<td></td>")


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
    if len(table.rows[0]) == 1:
        return [f"- {_escape(text)}" for (text,) in table.rows]
    header, rows = table.header, table.rows
    if not header:
        header = ("", "")
        rows = [
            (name, "; ".join(facts).replace(".; ", ". "))
            for name, *facts in rows
        ]
    lines = []
    for row in (header, *rows):
        cells = " | ".join(map(_escape, row))
        lines.append(f"| {cells} |")
    lines.insert(1, "|---" * len(header) + "|")
    return lines


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
