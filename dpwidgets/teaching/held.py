"""What a page holds back until its reader has committed to an answer.

A page that holds something back is a `Holder`: it puts `held.parts()` among its parts, `reveal`
shows what is held, and ``self.held`` is None where nothing is. `Held` itself is no widget: it knows
what is held, what it looks like on a page (`says`, or the widget `child`), and how it stands on a
page without a kernel (`folded`, `link`).
"""

from __future__ import annotations

import html
import logging
from contextlib import suppress
from typing import Any
from uuid import uuid4

from anywidget import WidgetTrait

from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About, Page, Shown
from dpwidgets.plots.base import Still

#: Above what is held back, on a page without a kernel.
SUMMARY = "What comes next"
_log = logging.getLogger("dpwidgets")


class Held:
    """Something that appears when it is revealed, and not before.

    Parameters
    ----------
    then : object
        What is held back: a text, a picture (`plots.base.Still`), an explorer or another widget of
        dpwidgets, anything else that shows itself as HTML, as a table does; or a function without
        arguments that makes one of these. A function is called when it is revealed, and not before.

    Attributes
    ----------
    revealed : bool
        Whether it has appeared.
    child : Page or None
        The widget that has appeared, where it is one.

    Raises
    ------
    TypeError, ValueError
        If `then` is none of these, or a text that no page can show.

    Notes
    -----
    On a page without a kernel it stands folded. What a function makes does not stand there, since
    the function is not called for it: use one for what takes long to make.

    Examples
    --------
    >>> held = Held("The curve falls.")
    >>> held.reveal()
    >>> "The curve falls." in held.says()["held"]["html"]
    True
    """

    def __init__(self, then: Any) -> None:
        self._then = then if callable(then) else _checked(then)
        self.revealed = False
        self.child: Page | None = None
        self._shown = self._wrong = ""

    def parts(self) -> list[About]:
        """Return the parts of a page in which it appears; the page has a trait ``_child``."""
        return [
            {"kind": "html", "name": "held"},
            {"kind": "child", "trait": "_child"},
            {"kind": "complaint", "name": "unmade"},
        ]

    def says(self) -> Shown:
        """Return what these parts show at present."""
        return {"held": {"html": self._shown}, "unmade": {"text": self._wrong}}

    def reveal(self) -> None:
        """Make what is to be seen; once shown, it stays. If it cannot be made, words say so."""
        if self.revealed:
            return
        self.revealed = True
        try:
            shown = _checked(self._then()) if callable(self._then) else self._then
            if isinstance(shown, Page):
                self.child = shown
            else:
                self._shown = _drawn(shown) if isinstance(shown, Still) else _page(shown)
        except Exception as error:
            _log.exception("what comes next could not be made")
            what = str(error) or type(error).__name__
            self._wrong = f"what comes next could not be shown: {what}"

    def link(self) -> str:
        """Return the link to the state of an explorer that is held back; nothing for all else."""
        with suppress(ValueError):  # of a column that is too long for a link
            return self._then.link() if isinstance(self._then, Explorer) else ""
        return ""

    def folded(self, summary: str = SUMMARY) -> str:
        """Return the HTML of a page without a kernel, on which it stands folded."""
        made = paragraph("This appears after an answer, while the notebook runs.")
        page = made if callable(self._then) else _page(self._then)
        return fold(summary, page)


class Unchanging(Page):
    """A page that reads the same for every reader where no kernel runs: `page` is its HTML."""

    def page(self) -> str:
        """Return the HTML of a page without a kernel: the same for every reader."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what the website needs to let a page without a kernel work."""
        return {}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the words for everybody."""
        live, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data = {**live, "text/plain": repr(self), "text/html": self.page()}
        return data, {**metadata, "dpwidgets": self.about()}


class Holder(Unchanging):
    """A page that may hold something back. A subclass sets `held` before it is shown."""

    held: Held | None = None
    _child = WidgetTrait().tag(sync=True)

    def reveal(self) -> None:
        """Show what is held back, if anything is."""
        if self.held and not self.held.revealed:
            self.held.reveal()
            self._child = self.held.child
            self.tell(**self.held.says())


def paragraph(text: str, look: str = "") -> str:
    """Return the HTML of a paragraph of its own look."""
    style = f"margin:2px 0;line-height:20px;font-size:14px;{look}"
    return f'<p style="{style}">{html.escape(text)}</p>'


def fold(summary: str, page: str) -> str:
    """Return the HTML of something that is folded until it is wanted."""
    return f"<details><summary>{html.escape(summary)}</summary>{page}</details>"


def _checked(then: Any) -> Any:
    """Return what can be held back, or raise an error that says what can."""
    if isinstance(then, str):
        return checked_text("then", then)
    if not isinstance(then, (Still, Page)) and not hasattr(then, "_repr_html_"):
        raise TypeError(
            "then must be a text, a picture, a widget of dpwidgets, or what shows itself as HTML; "
            f"got {described(then)}"
        )
    return then


def _drawn(still: Still) -> str:
    """Return the HTML of a picture in the colours of the page that shows it."""
    layers = still.plot.layers(still.result, f"d{uuid4().hex[:8]}")
    return (
        f'<div class="dpwidgets-picture dpw-picture"><div>{layers.still}</div>'
        f'<div role="img" aria-label="{html.escape(still.alt)}">{layers.moving}</div></div>'
    )


def _page(shown: Any) -> str:
    """Return the HTML of something for a page without a kernel."""
    if isinstance(shown, str):
        return paragraph(shown)
    if not isinstance(shown, (Still, Page)):
        return str(shown._repr_html_())
    data, sizes = shown._repr_mimebundle_()
    if "text/html" in data:
        return str(data["text/html"])
    words, width = data["text/plain"], sizes["image/png"]["width"]
    picture = (
        f'<img alt="{html.escape(words)}" width="{width}" style="max-width:100%" '
        f'src="data:image/png;base64,{data["image/png"]}">'
    )
    return picture + paragraph(words)
