"""What every page that teaches is: the same for every reader where no kernel runs.

What a reader shall see later stands folded there, and what is held back from a
reader too.
"""

import html
from typing import Any
from uuid import uuid4

from dpwidgets.page.page import Page
from dpwidgets.plots.still import Still

#: Above what is held back, on a page without a kernel.
SUMMARY = "What comes next"


class Teaching(Page):
    """A page whose HTML without a kernel, `still_page`, is the same for every reader.

    Examples
    --------
    >>> from dpwidgets import Progress
    >>> Progress().still_page()[:36]
    '<p>How many of the questions you hav'
    """

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel: the same for every reader."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what the website needs to let a page without a kernel work."""
        return {}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the words for everybody."""
        live, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data = {
            **live,
            "text/plain": repr(self),
            "text/html": self.still_page(),
        }
        return data, {**metadata, "dpwidgets": self.about()}


def paragraph(text: str, look: str = "") -> str:
    """Return the HTML of a paragraph of its own look."""
    style = f"margin:2px 0;line-height:20px;font-size:14px;{look}"
    return f'<p style="{style}">{html.escape(text)}</p>'


def folded(content: Any, summary: str = SUMMARY) -> str:
    """Return the HTML of something that is folded until it is wanted; of nothing, or "", none."""
    if content is None or content == "":
        return ""
    head = f"<summary>{html.escape(summary)}</summary>"
    return f"<details>{head}{still_page(content)}</details>"


def still_page(content: Any) -> str:
    """Return the HTML of something for a page without a kernel."""
    if isinstance(content, str):
        return paragraph(content)
    if not isinstance(content, (Still, Page)):
        return str(content._repr_html_())
    data, sizes = content._repr_mimebundle_()
    if "text/html" in data:
        return str(data["text/html"])
    words = data["text/plain"]
    width = sizes["image/png"]["width"]
    return (
        f'<img alt="{html.escape(words)}" width="{width}" style="max-width:100%" '
        f'src="data:image/png;base64,{data["image/png"]}">{paragraph(words)}'
    )


def live_page(content: Any) -> str:
    """Return the HTML of something for a live page: a picture in the colours of that page."""
    if not isinstance(content, Still):
        return still_page(content)
    layers = content.plot.layers(content.result, f"d{uuid4().hex[:8]}")
    return (
        f'<div class="dpwidgets-picture dpw-picture"><div>{layers.still}</div>'
        f'<div role="img" aria-label="{html.escape(content.alt)}">{layers.moving}</div></div>'
    )
