"""What every page that teaches is: the same for every reader where no kernel runs.

It may hold something back until its reader has committed to an answer: `hold` takes it, its parts
stand in `HELD`, and `reveal` shows it. On a page without a kernel it stands folded.
"""

import html
from contextlib import suppress
from typing import Any
from uuid import uuid4

from anywidget import WidgetTrait

from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import About, Page, child
from dpwidgets.plots.base import Still

#: Above what is held back, on a page without a kernel.
SUMMARY = "What comes next"
#: The parts of a page in which it appears.
HELD: tuple[About, ...] = ({"kind": "html", "name": "held"}, child("_child"))


class Teaching(Page):
    """A page whose HTML, `page`, is the same for every reader, and which may hold something back.

    Attributes
    ----------
    revealed : bool
        Whether what was held back has appeared.

    Examples
    --------
    >>> from dpwidgets import Question
    >>> question = Question("How does the curve go?", 1, then="The curve falls.")
    >>> question.reveal()
    >>> "The curve falls." in question._shown["held"]["html"]
    True
    """

    _child = WidgetTrait().tag(sync=True)
    _then: Any = None
    revealed = False

    def hold(self, then: Any) -> None:
        """Hold something back; None is nothing.

        Parameters
        ----------
        then : object
            A text, a picture (`plots.base.Still`), an explorer or another widget of dpwidgets, or
            anything else that shows itself as HTML, as a table does.

        Raises
        ------
        TypeError, ValueError
            If it is none of these, or a text that no page can show.
        """
        if isinstance(then, str):
            checked_text("then", then)
        elif not (then is None or isinstance(then, (Still, Page)) or hasattr(then, "_repr_html_")):
            kinds = "a text, a picture, a widget of dpwidgets, or what shows itself as HTML"
            raise TypeError(f"then must be {kinds}; got {described(then)}")
        self._then = then

    def reveal(self) -> None:
        """Show what is held back, if anything is; once shown, it stays."""
        if self._then is None or self.revealed:
            return
        self.revealed = True
        if isinstance(self._then, Page):
            self._child = self._then
        else:
            drawn = _drawn if isinstance(self._then, Still) else _page
            self.tell(held={"html": drawn(self._then)})

    def page(self) -> str:
        """Return the HTML of a page without a kernel: the same for every reader."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """Return what the website needs to let a page without a kernel work.

        Here it is the link to the state of an explorer that is held back.
        """
        with suppress(ValueError):  # of a column that is too long for a link
            return {"then": self._then.link()} if isinstance(self._then, Explorer) else {}
        return {}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the words for everybody."""
        live, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data = {**live, "text/plain": repr(self), "text/html": self.page()}
        return data, {**metadata, "dpwidgets": self.about()}


def paragraph(text: str, look: str = "") -> str:
    """Return the HTML of a paragraph of its own look."""
    style = f"margin:2px 0;line-height:20px;font-size:14px;{look}"
    return f'<p style="{style}">{html.escape(text)}</p>'


def folded(shown: Any, summary: str = SUMMARY) -> str:
    """Return the HTML of something that is folded until it is wanted; of nothing, or "", none."""
    if shown is None or shown == "":
        return ""
    return f"<details><summary>{html.escape(summary)}</summary>{_page(shown)}</details>"


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
