"""What every widget is: one model, whose page is drawn by `page.js` in the browser.

Python says what there is (`_about`, once) and how it stands (`_shown`, after
each event). The page says what its reader did (`_asked`). A step is one
message each way.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ipywidgets import Layout
from traitlets import Dict, Unicode, observe

from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.still import LOCK, Layers

# Anywidget has ipywidgets' unknown base, for which everything is allowed.
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from traitlets import HasTraits

    class AnyWidget(HasTraits):
        """What we use of anywidget's class, and what users do."""

        layout: Any
        comm: Any

        @property
        def model_id(self) -> str: ...
        def __init__(self, **traits: Any) -> None: ...
        def close(self) -> None: ...
        def set_state(self, sync_data: Mapping[str, Any]) -> None: ...
        def notify_change(self, change: Any) -> None: ...
        def hold_sync(self) -> AbstractContextManager[None]: ...
        def _repr_mimebundle_(self, **options: Any) -> Any: ...

else:
    from anywidget import AnyWidget

_HERE = Path(__file__)

# A part of a page, as `page.js` knows it: what never changes about it.
About = dict[str, Any]
# What the parts show at present, by the part's name.
Shown = Mapping[str, Mapping[str, Any]]


class Page(AnyWidget):
    """A widget that is one model. A subclass says what its page is made of, and what it shows.

    Parameters
    ----------
    look : str
        What kind of page it is, for the style sheet.
    parts : sequence of dict
        What the page is made of.
    layout : Layout, optional
        How it is laid out.
    label : str, optional
        What it is called, for who cannot see where it begins and ends; else
        the name of its kind.
    """

    # The texts and not the paths: anywidget would watch a file, and keep every
    # widget for it.
    _esm = _HERE.with_suffix(".js").read_text(encoding="utf-8")
    _css = _HERE.with_suffix(".css").read_text(encoding="utf-8") + style.SHEET
    # Ipywidgets 7 has one, which shows no picture and no words.
    _ipython_display_ = None

    _about = Dict(read_only=True).tag(sync=True)
    _shown = Dict(read_only=True).tag(sync=True)
    _still = Unicode(read_only=True).tag(sync=True)
    _moving = Unicode(read_only=True).tag(sync=True)
    # The page knows what it has asked.
    _asked = Dict().tag(sync=True, echo_update=False)
    # Of its picture, if it has one: what is drawn, and whether the page has
    # less than 560 px for it.
    _layers: Layers
    _narrow = False

    def __init__(
        self,
        look: str,
        parts: Sequence[About],
        layout: Layout | None = None,
        label: str | None = None,
    ) -> None:
        label = label or type(self).__name__
        self.set_trait(
            "_about", {"look": look, "label": label, "parts": list(parts)}
        )
        super().__init__(layout=layout or Layout(width="100%"))

    @cached_property
    def _name(self) -> str:
        """What no other picture on any page is called."""
        return uuid4().hex

    def _draw_picture(self, plot: Plot, result: Any) -> None:
        """Draw the picture of a result in place of the one before."""
        last = getattr(self, "_layers", None)
        self._layers = plot.layers(
            result, self._name, last, narrow=self._narrow
        )
        self.set_trait("_still", self._layers.still)
        self.set_trait("_moving", self._layers.moving)

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Do what a reader has asked for, by the part of that name."""
        raise NotImplementedError

    def heard(self, event: Mapping[str, Any]) -> None:
        """Take what a reader has done."""
        self.asked(event["name"], event)

    def tell(self, **shown: Mapping[str, Any]) -> None:
        """Let parts of the page show something else; the others stay as they are."""
        turn = self._asked.get("turn", "")
        whole = {**self._shown.get("", {}), "turn": turn}
        self.set_trait("_shown", {**self._shown, **shown, "": whole})

    def attract(self) -> None:
        """Bring the page into view and show that it changes, since its reader looks elsewhere."""
        whole = self._shown.get("", {})
        whole = {**whole, "look": whole.get("look", 0) + 1}
        self.set_trait("_shown", {**self._shown, "": whole})

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Take what a page has set, while nobody else sets anything."""
        with LOCK:
            super().set_state(sync_data)

    def notify_change(self, change: Any) -> None:
        """Tell all who observe a trait; the page gets one message for all that follows."""
        with LOCK, self.hold_sync():
            super().notify_change(change)

    @observe("_asked")
    def _take(self, change: Mapping[str, Any]) -> None:
        event = change["new"]
        if "name" not in event:
            return
        try:
            self.heard(event)
        finally:
            self.tell()
            # A reader's files are kept no longer than it takes to read them.
            if "files" in event:
                self._asked = {"turn": event["turn"]}


def box(look: str, *parts: About, **about: Any) -> About:
    """Return a part that holds others."""
    return {"kind": "box", "look": look, "parts": list(parts), **about}


def fold(label: str, *parts: About, **about: Any) -> About:
    """Return a part that holds others and is folded until it is wanted."""
    return {"kind": "fold", "label": label, "parts": list(parts), **about}


def words(name: str, look: str = "plain", **about: Any) -> About:
    """Return a part that shows words."""
    return {"kind": "words", "name": name, "look": look, **about}


def button(name: str, label: str, **about: Any) -> About:
    """Return a part that is a button."""
    return {"kind": "press", "name": name, "label": label, **about}


def handles_of(name: str, label: str) -> About:
    """Return a part of a picture: sliders where it has what this name stands for."""
    return {"kind": "handles", "name": name, "label": label}


def child(trait: str, *parts: About) -> About:
    """Return a part that shows another page: the one that a `WidgetTrait` of this name holds.

    Parts of this page may stand below that one's picture.
    """
    return {"kind": "child", "trait": trait, "parts": list(parts)}
