"""A slider that everybody can use: with a name, its value in words, and all its keys.

ipywidgets' own slider has no name for a screen reader, and Notebook 7 takes its arrow keys. This
one is the browser's own, `slider.js` with `slider.css`, brought to the page by anywidget.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets import Bool, Int, Unicode, observe, validate

if TYPE_CHECKING:  # anywidget has ipywidgets' unknown base; see boxes.py
    from contextlib import AbstractContextManager

    from traitlets import HasTraits as AnyWidget
    from traitlets.utils.bunch import Bunch
else:
    from anywidget import AnyWidget

_HERE = Path(__file__)


class Slider(AnyWidget):
    """A place on a line, from 0 to `max`; what the places mean is told in words.

    Without a front end it is its traits. A value beyond the ends becomes the nearer end.

    Parameters
    ----------
    value : int
        Where it stands.
    max : int
        The last place.
    disabled : bool
        Whether it cannot be moved on the page.
    continuous_update : bool
        Whether it passes on every step of a drag, or only the last one, when it is let go.
    label : str
        Its name for a screen reader.
    words : str
        Its value for a screen reader, like "ε = 0.08".
    upright : bool
        Whether the line runs upwards, as high as the slider's place is.
    layout : Layout
        How it is laid out.

    Examples
    --------
    >>> slider = Slider(max=10, value=4, label="Epsilon (ε)", words="ε = 0.08")
    >>> slider.value = 12
    >>> slider.value
    10
    >>> slider.max = 7
    >>> slider.value
    7
    """

    # The texts and not the paths: anywidget would watch a file, and keep every slider for it.
    _esm = _HERE.with_suffix(".js").read_text(encoding="utf-8")
    _css = _HERE.with_suffix(".css").read_text(encoding="utf-8")

    value = Int().tag(sync=True)
    max = Int(100, min=0).tag(sync=True)
    disabled = Bool().tag(sync=True)
    continuous_update = Bool(True).tag(sync=True)
    label = Unicode().tag(sync=True)
    words = Unicode().tag(sync=True)
    upright = Bool().tag(sync=True)

    if TYPE_CHECKING:
        layout: Any

        def hold_sync(self) -> AbstractContextManager[None]: ...

    @validate("value")
    def _stay_inside(self, proposal: Bunch) -> int:
        place: int = proposal["value"]
        return min(max(place, 0), self.max)

    @observe("max")
    def _come_inside(self, change: Bunch) -> None:
        self.value = min(self.value, change["new"])
