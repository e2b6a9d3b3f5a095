"""What a page holds back until its reader has committed to an answer."""

from __future__ import annotations

import html
import logging
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

from ipywidgets import Layout, Widget

from dpwidgets.outside import checked_text
from dpwidgets.plots.base import Still
from dpwidgets.widgets.base import Explorer
from dpwidgets.widgets.boxes import HTML, VBox
from dpwidgets.widgets.picture import Picture
from dpwidgets.widgets.words import alert, paragraph

#: Above what is held back, on a page without a kernel.
SUMMARY = "What comes next"
_log = logging.getLogger("dpwidgets")
_PRE = "margin:4px 0;line-height:18px;white-space:pre-wrap;font-size:13px"


class Held(VBox):
    """Something that appears when it is revealed, and not before.

    Parameters
    ----------
    then : object
        What is held back: a text, a picture (`plots.base.Still`), an explorer or another widget,
        anything else that Jupyter shows as HTML, PNG or text; or a function without arguments that
        makes one of these. A function is called when it is revealed, and not before.

    Attributes
    ----------
    revealed : bool
        Whether it has appeared.

    Raises
    ------
    TypeError, ValueError
        If `then` is None, or a text that no page can show.

    Notes
    -----
    On a page without a kernel it stands folded. What a function makes does not stand there, since
    the function is not called for it: use one for what takes long to make.

    Examples
    --------
    >>> held = Held("The curve falls.")
    >>> len(held.children)
    0
    >>> held.reveal()
    >>> "The curve falls." in held.children[0].value
    True
    """

    def __init__(self, then: Any) -> None:
        if then is None:
            raise TypeError("then must be what is held back; got None")
        self._then: Any = checked_text("then", then) if isinstance(then, str) else then
        self.revealed = False
        super().__init__(layout=Layout(width="100%", margin="0"))

    def reveal(self) -> None:
        """Show it; once shown, it stays. If it cannot be made, a message says so."""
        if self.revealed:
            return
        self.revealed = True
        try:
            shown = _live(self._then() if _is_made(self._then) else self._then)
        except Exception as error:
            _log.exception("what comes next could not be made")
            words = str(error) or type(error).__name__
            shown = HTML(alert(f"what comes next could not be shown: {words}"))
        self.children = (shown,)

    def link(self) -> str:
        """Return the link to the state of an explorer that is held back; nothing for all else."""
        with suppress(ValueError):  # of a column that is too long for a link
            return self._then.link() if isinstance(self._then, Explorer) else ""
        return ""

    def folded(self, summary: str = SUMMARY) -> str:
        """Return the HTML of a page without a kernel, on which it stands folded."""
        page = (
            paragraph("This appears after an answer, while the notebook runs.")
            if _is_made(self._then)
            else _page(self._then)
        )
        return f"<details><summary>{html.escape(summary)}</summary>{page}</details>"


def _is_made(then: Any) -> bool:
    """Tell whether a function makes what is held back."""
    return isinstance(then, (FunctionType, MethodType))


def _live(shown: Any) -> Any:
    """Return a widget that shows something."""
    if isinstance(shown, Widget):
        return shown
    if isinstance(shown, Still):
        picture = Picture()
        picture.show(shown.plot.layers(shown.result, picture.name), shown.alt)
        return picture
    return HTML(_page(shown), layout=Layout(width="100%", margin="0"))


def _page(shown: Any) -> str:
    """Return the HTML of something for a page without a kernel."""
    if isinstance(shown, str):
        return paragraph(shown)
    data, sizes = _bundle(shown)
    if "text/html" in data:
        return str(data["text/html"])
    words = str(data.get("text/plain") or repr(shown))
    if "image/png" not in data:
        return f'<pre style="{_PRE}">{html.escape(words)}</pre>'
    png = data["image/png"]
    if isinstance(png, bytes):
        png = b64encode(png).decode("ascii")
    width = f' width="{sizes["width"]}"' if "width" in sizes else ""
    picture = (
        f'<img alt="{html.escape(words)}"{width} style="max-width:100%" '
        f'src="data:image/png;base64,{png}">'
    )
    return picture + paragraph(words)


def _bundle(shown: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what Jupyter shows of something, by media type, and the size of its picture."""
    methods: dict[str, Callable[[], Any] | None] = {
        kind: getattr(shown, name, None)
        for kind, name in (("text/html", "_repr_html_"), ("image/png", "_repr_png_"))
    }
    data = {kind: method() for kind, method in methods.items() if method is not None}
    sizes: dict[str, Any] = {}
    if (whole := getattr(shown, "_repr_mimebundle_", None)) is not None:
        bundle = whole()
        bundle, described = bundle if isinstance(bundle, tuple) else (bundle, {})
        data |= bundle or {}
        sizes = described.get("image/png", {})
    return {kind: value for kind, value in data.items() if value is not None}, sizes
