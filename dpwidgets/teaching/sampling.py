"""Noise that a reader draws: one answer, ten, a thousand, or several about the same people."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from anywidget import WidgetTrait
from ipywidgets import Layout

from dpwidgets.inputs.domain import whole
from dpwidgets.inputs.outside import described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.page import Page, box, button, child, words
from dpwidgets.page.state import together
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Drawn
from dpwidgets.plots.still import LOCK

_STROKES = (
    "Strokes at the bottom: the draws, the last one under an arrowhead. An arrowhead at an edge "
    "points to draws beyond it. Green line: how often they fell where, from 20 draws inside on."
)
_NOTHING = "Nothing is drawn from this law yet."
_ASKED = "Diamonds: the answers about the same people, and what follows from them together."


class Draws(Page):
    """An explorer with buttons that draw its noise, on its own picture.

    *Draw* gives noisy answers, each as if it were the only one; from 20 in the
    picture on, a histogram shows how often they fell where, and it becomes the
    curve. *Ask again* gives one more answer about the same people, and tells
    what follows from all of them together. What the noise is added to is drawn
    first: who is missing, which value is, how many have the property. With
    other noise, or about other people, no draws are shown.

    Parameters
    ----------
    explorer : Explorer
        The explorer. One of its pictures at least shows draws: those of the
        five texts do.
    seed : int
        What the draws follow from, a whole number from 0 up. The same buttons
        in the same order give the same draws again.

    Attributes
    ----------
    drawn : Drawn or None
        What is drawn from the law of the present result.
    words : str
        What is said about it.

    Raises
    ------
    TypeError, ValueError
        If no picture of the explorer shows draws, or numpy cannot take the
        seed.

    Examples
    --------
    >>> from dpwidgets import IntervalExplorer
    >>> draws = Draws(IntervalExplorer(), seed=3)
    >>> draws.draw(1000)
    >>> draws.words
    'Of 1,000 noisy answers 811 lie within ±20% of the count: 81.1%. 80% are to be expected.'
    """

    explorer = WidgetTrait().tag(sync=True)

    def __init__(self, explorer: Explorer, *, seed: int = 1) -> None:
        self._views: set[str] = set()
        if isinstance(explorer, Explorer):
            self._views = {
                name
                for name, plot in type(explorer).view.plots.items()
                if plot.mark_drawn is not Plot.mark_drawn
            }
        if not self._views:
            raise TypeError(
                "explorer must be one whose picture shows draws, as those of the "
                f"texts do; got {described(explorer)}"
            )
        self.explorer = explorer
        self._rng = np.random.default_rng(seed)
        self._drawn: Drawn | None = None
        self.words = ""
        self._buttons: dict[str, Callable[[], None]] = {
            f"Draw {size:,}": partial(self.draw, size)
            for size in (1, 10, 1000)
        }
        if type(explorer).say_asked is not Explorer.say_asked:
            self._buttons["Ask again"] = self.ask
        self._buttons["Clear"] = self.clear
        picture = child(
            "explorer",
            box("row", *(button(label, label) for label in self._buttons)),
            words("words", "sentence", live=True),
            words("explained", "small"),
        )
        self._tell()
        super().__init__(
            "draws", [picture], Layout(width="100%", max_width="1180px")
        )
        explorer.overlay = lambda result: self._from_law_of(result) or result
        explorer.observe(self._tell, ["result", "view"])

    @property
    def drawn(self) -> Drawn | None:
        return self._from_law_of(self.explorer.result)

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Do what a button says, or say why that cannot be done."""
        try:
            self._buttons[name]()
        except ValueError as error:
            self.tell(words={"text": str(error)})

    def draw(self, size: int) -> None:
        """Draw so many noisy answers, each as if it were the only one.

        Parameters
        ----------
        size : int
            How many, from 1 to 1,000.

        Raises
        ------
        TypeError, ValueError
            If the size is no such number, the present picture shows no draws,
            or a reader's own rule cannot be played; what was drawn before
            stays.
        """
        self._add(int(whole(1, 1000).check_one("size", size)), "draws")

    def ask(self) -> None:
        """Ask once more about the same people.

        Raises
        ------
        ValueError
            If the present picture shows no draws.
        """
        self._add(1, "asked")

    def clear(self) -> None:
        """Clear what is drawn; the next draws are others, about other people."""
        with LOCK:
            self._drawn = None
            self.explorer.redraw()
            self._tell()

    def __repr__(self) -> str:
        return together(self.explorer.still.alt, self.words)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the picture with its words."""
        live, about = super()._repr_mimebundle_(**options) or ({}, {})
        data, metadata = self.explorer._repr_mimebundle_(**options)
        return data | live | {"text/plain": repr(self)}, metadata | about

    def _add(self, size: int, name: str) -> None:
        """Draw from the present result, after other draws from the same or as the first."""
        with LOCK:
            result = self.explorer.result
            view = self.explorer.view
            if view not in self._views:
                raise ValueError(
                    f"view must be one that shows draws; got {view!r}"
                )
            drawn = self.drawn
            if drawn is None:
                truth = result.draw_truth(self._rng)
                nothing = result.draw(truth, self._rng, 0)
                drawn = Drawn(result, truth, nothing, nothing)
            more = result.draw(drawn.truth, self._rng, size)
            added = {name: np.concatenate([getattr(drawn, name), more])}
            before = self._drawn
            self._drawn = replace(drawn, **added)
            try:
                self.explorer.redraw()
            except ValueError:
                self._drawn = before
                raise
            self._tell()

    def _from_law_of(self, result: Any) -> Drawn | None:
        """Return a result with what was drawn, if that was drawn from its law."""
        drawn = self._drawn
        # A result without draws has no law.
        law = getattr(result, "drawn_from", None)
        if drawn is None or law != drawn.result.drawn_from:
            return None
        return replace(drawn, result=result)

    def _tell(self, _: object = None) -> None:
        """Say what is drawn, or why nothing is."""
        drawn = self.drawn
        shows_draws = self.explorer.view in self._views
        self.words = explained = ""
        if not shows_draws:
            self.words = "This picture shows no draws; another one does."
        elif drawn is not None:
            self.words = self._say(drawn)
            explained = self.explorer.drawn_as or _STROKES
            if "Ask again" in self._buttons:
                explained += f" {_ASKED}"
        buttons = {"disabled": not shows_draws}
        self.tell(
            words={"text": self.words or _NOTHING},
            explained={"text": explained},
            **dict.fromkeys(self._buttons, buttons),
        )

    def _say(self, drawn: Drawn) -> str:
        """Say what follows from the draws for the present result."""
        explorer = self.explorer
        return together(
            explorer.say_drawn(drawn) if len(drawn.draws) else "",
            explorer.say_asked(drawn) if len(drawn.asked) else "",
        )
