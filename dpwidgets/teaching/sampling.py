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
from dpwidgets.plots.base import LOCK, Plot
from dpwidgets.plots.panel import Drawn

_STROKES = (
    "Strokes at the bottom: the draws, the last one under an arrowhead. An arrowhead at an edge "
    "points to draws beyond it. Green line: how often they fell where, from 20 draws inside on."
)
_CLEARED = (
    "The answers follow another law now: those drawn before are cleared."
)
_ASKED = "Diamonds: the answers about the same people, and what follows from them together."


class Draws(Page):
    """An explorer with buttons that draw its noise, on its own picture.

    *Draw* gives noisy answers, each as if it were the only one; from 20 in the
    picture on, a histogram shows how often they fell where, and it becomes the
    curve. *Ask again* gives one more answer about the same people, and tells
    what follows from all of them together. What the noise is added to is drawn
    first: who is missing, which value is, how many have the property. With
    other noise, or about other people, all draws are cleared.

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
        What is drawn at present.
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
        self._views: dict[str, str] = {}
        if isinstance(explorer, Explorer):
            self._views = _views_of_draws(explorer)
        if not self._views:
            what = "one whose picture shows draws, as those of the texts do"
            raise TypeError(
                f"explorer must be {what}; got {described(explorer)}"
            )
        self.explorer = explorer
        self._rng = np.random.default_rng(seed)
        self.drawn: Drawn | None = None
        self.words = ""
        self._buttons: dict[str, Callable[[], None]] = {}
        for size in (1, 10, 1000):
            self._buttons[f"Draw {size:,}"] = partial(self.draw, size)
        if type(explorer).say_asked is not Explorer.say_asked:
            self._buttons["Ask again"] = self.ask
        self._buttons["Clear"] = self.clear
        row = [button(label, label) for label in self._buttons]
        picture = child(
            "explorer",
            box("row", *row),
            words("words", "sentence", live=True),
            words("explained", "small"),
        )
        self._tell()
        layout = Layout(width="100%", max_width="1180px")
        super().__init__("draws", [picture], layout)
        explorer.overlay = self._overlay
        explorer.observe(self._follow, ["result", "view"])

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
            If the present picture shows no draws, or the explorer does not say
            what follows from several answers.
        """
        if "Ask again" not in self._buttons:
            raise ValueError(
                "this explorer does not say what follows from several answers"
            )
        self._add(1, "asked")

    def clear(self) -> None:
        """Clear what is drawn; the next draws are others, about other people."""
        with LOCK:
            self.drawn = None
            self.explorer.redraw()
            self._tell()

    def __repr__(self) -> str:
        return " ".join(filter(None, [self.explorer.sentence, self.words]))

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
            if drawn is None or drawn.result.drawn_from != result.drawn_from:
                truth = result.draw_truth(self._rng)
                nothing = result.draw(truth, self._rng, 0)
                drawn = Drawn(result, truth, nothing, nothing)
            more = result.draw(drawn.truth, self._rng, size)
            added = {name: np.concatenate([getattr(drawn, name), more])}
            before = self.drawn
            self.drawn = replace(drawn, result=result, **added)
            try:
                self.explorer.redraw()
            except ValueError:
                self.drawn = before
                raise
            self._tell()

    def _overlay(self, result: Any) -> Any:
        """Return the result with what was drawn from it, for a picture that shows both."""
        drawn = self.drawn
        if drawn is None or _law(result) != drawn.result.drawn_from:
            return result
        return replace(drawn, result=result)

    def _follow(self, _: object) -> None:
        """Clear what was drawn from another law, and say what stands on the present picture."""
        law = _law(self.explorer.result)
        drawn = self.drawn
        cleared = bool(drawn and law and law != drawn.result.drawn_from)
        if cleared:
            self.drawn = None
        self._tell(cleared)

    def _tell(self, cleared: bool = False) -> None:
        """Say what is drawn, or why nothing is."""
        explorer = self.explorer
        shows_draws = explorer.view in self._views
        self.words = explained = ""
        if not shows_draws:
            names = " or ".join(f"“{label}”" for label in self._views.values())
            self.words = f"This picture shows no draws. Choose {names}."
        elif self.drawn is not None:
            self.words = self._say(self.drawn)
            explained = explorer.drawn_as or _STROKES
            if "Ask again" in self._buttons:
                explained += f" {_ASKED}"
        elif cleared:
            self.words = _CLEARED
        buttons = {"disabled": not shows_draws}
        self.tell(
            words={"text": self.words or "Nothing is drawn yet."},
            explained={"text": explained},
            **dict.fromkeys(self._buttons, buttons),
        )

    def _say(self, drawn: Drawn) -> str:
        """Say what follows from the draws for the present result."""
        explorer = self.explorer
        now = replace(drawn, result=explorer.result)
        sentences = []
        if len(drawn.draws):
            sentences.append(explorer.say_drawn(now))
        if len(drawn.asked):
            sentences.append(explorer.say_asked(now))
        return " ".join(sentences)


def _views_of_draws(explorer: Explorer) -> dict[str, str]:
    """Return the labels of the views whose picture shows draws."""
    view = type(explorer).view
    return {
        name: view.options[name]
        for name, plot in view.plots.items()
        if plot.mark_drawn is not Plot.mark_drawn
    }


def _law(result: Any) -> Any:
    """Return what the draws of a result follow from; a result without draws has nothing."""
    return getattr(result, "drawn_from", None)
