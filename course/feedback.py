"""The page that a student gets back: what was asked, what was answered, and what the tests say.

All of it is text: nothing in it runs, whatever a student wrote, and it takes
no longer than the text is.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from cells import about, as_written
from nbconvert.exporters import Exporter
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import is_grade, is_solution
from questions import ASKED

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }}
pre {{ border: 1px solid; border-radius: 0.3rem; padding: 0.5rem; }}
pre, p {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
p {{ border-left: 0.3rem solid; padding-left: 0.6rem; }}
</style>
<h1>{title}</h1>
<p><strong>{score:g} of {most:g} points</strong></p>
{parts}
</html>
"""


def parts_of(cells: list[NotebookNode]) -> Iterator[str]:
    """Yield as HTML what was asked and answered, the points, and what is said of it."""
    for cell in cells:
        text = as_written(cell.source)
        is_theirs = is_solution(cell) or cell.id.startswith("own-")
        if is_theirs:
            yield f"<pre>{escape(text)}</pre>"
        elif asked := ASKED.search(text):
            yield f"<h2>{asked[1]}.{asked[2]}</h2>"
            yield f"<div>{escape(text[asked.end() - 1 :])}</div>"
        said: list[str] = []
        if is_grade(cell):
            mark = cell.metadata.nbgrader
            said.append(f"{mark.score:g} of {mark.points:g}")
        if is_grade(cell) or is_theirs:
            said += [
                output.evalue or output.ename
                for output in cell.get("outputs", ())
                if output.output_type == "error"
            ]
        if comment := about(cell).get("comment"):
            said.append(comment)
        if said:
            yield f"<p>{escape(' · '.join(said))}</p>"


class Page(Exporter):
    """Makes the page of a graded lab, for nbgrader."""

    file_extension = ".html"

    def from_notebook_node(
        self, nb: NotebookNode, resources: Any = None, **kw: Any
    ) -> Any:
        """Return the page, and what nbconvert keeps beside it."""
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        graded = resources["nbgrader"]
        page = PAGE.format(
            title=escape(f"{graded['assignment']} of {graded['student']}"),
            score=graded["score"],
            most=graded["max_score"],
            parts="\n".join(parts_of(nb.cells)),
        )
        return page, resources
