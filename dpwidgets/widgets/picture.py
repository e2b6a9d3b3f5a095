"""A plot's picture as a live image on the page."""

from __future__ import annotations

import base64
import html

from ipywidgets import Layout

from dpwidgets.plots.base import WIDTH, Still
from dpwidgets.widgets.boxes import HTML


class Picture(HTML):
    """An `<img>` with its words, in a place of fixed size so that the page never jumps.

    ipywidgets' own Image can hold no alternative text, and a data URI in HTML is as fast.
    """

    def __init__(self) -> None:
        super().__init__(
            layout=Layout(width=f"{WIDTH}px", max_width="100%", flex="0 0 auto", margin="0")
        )

    def show(self, still: Still, *, stale: bool = False) -> None:
        """Show the picture; a stale one is dimmed."""
        (width, height), alt = still.size, html.escape(still.alt, quote=True)
        png = base64.b64encode(still.png).decode("ascii")
        self.value = (
            f'<img class="dpwidgets-picture" alt="{alt}" width="{width}" height="{height}" '
            f'decoding="sync" style="display:block;max-width:100%;height:auto;border-radius:4px;'
            f'opacity:{0.4 if stale else 1}" src="data:image/png;base64,{png}">'
        )
