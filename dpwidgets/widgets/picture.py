"""A plot's picture on the page, in two layers: what stands still, and what moves."""

from __future__ import annotations

import html

from ipywidgets import Layout

from dpwidgets.plots import style
from dpwidgets.plots.base import WIDTH, Layers
from dpwidgets.widgets.boxes import HTML, VBox


class Picture(VBox):
    """Two layers one above the other, in a place of fixed size so that the page never jumps.

    Each layer is a widget of its own, so that a step of a slider sends the moving one alone. A
    screen reader finds one picture with its words.
    """

    def __init__(self) -> None:
        self.still, self.moving = (
            HTML(layout=Layout(grid_area="1 / 1", margin="0", width="100%")) for _ in range(2)
        )
        self.layers: Layers | None = None  # what is shown
        self.stale = False  # whether it is dimmed
        super().__init__(
            [self.still, self.moving],
            layout=Layout(
                width=f"{WIDTH}px",
                max_width="100%",
                display="grid",
                flex="0 0 auto",
                margin="0",
                overflow="hidden",
            ),
        )
        self.add_class("dpwidgets-picture")

    @property
    def name(self) -> str:
        """What no other picture on any page is called."""
        return self.model_id

    def show(self, layers: Layers, alt: str) -> None:
        """Show a picture with its words."""
        self.layers = layers
        self.still.value = f"<style>{style.SHEET}</style>{layers.still}"
        words = html.escape(alt, quote=True)
        self.moving.value = f'<div role="img" aria-label="{words}">{layers.moving}</div>'
        self.stale = False
        self.remove_class("dpwidgets-stale")

    def dim(self) -> None:
        """Say by its look that the picture is stale, until the next one is shown."""
        self.stale = True
        self.add_class("dpwidgets-stale")
