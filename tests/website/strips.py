"""Strips: the pictures of an explorer at all stops of its controls, for pages without a kernel.

A strip starts at one state, named by its link. From there one parameter moves at a time. For each
view and each parameter there is a file with the frames at the parameter's stops; a page fetches it
when a reader touches the control. A frame is what the explorer itself shows at that stop.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, quote, urlencode

import numpy as np

import dpwidgets
from dpwidgets.calculators.domain import FloatArray
from dpwidgets.progress import key
from dpwidgets.widgets.base import Explorer
from dpwidgets.widgets.controls import NumberControl
from dpwidgets.widgets.link import word
from dpwidgets.widgets.parameters import Choice, Number
from dpwidgets.widgets.picture import Picture

#: At about how many stops a slider stops on a page; in a notebook some have several hundred.
MOST = 60
KINDS: dict[str, type[Explorer]] = {
    word(kind): kind
    for kind in (getattr(dpwidgets, name) for name in dpwidgets.__all__)
    if isinstance(kind, type) and issubclass(kind, Explorer)
}


class Table:
    """The lines that many frames share; a frame is the places of its lines."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def add(self, text: str) -> list[int]:
        """Return the places of a text's lines."""
        return [self.places.setdefault(line, len(self.places)) for line in text.split("\n")]


@dataclass(frozen=True)
class Strip:
    """The strip that starts where a link leads, in any view.

    Parameters
    ----------
    link : str
        What `Explorer.link` returned, but for the view.
    """

    link: str

    @classmethod
    def of(cls, link: str) -> tuple[Strip, str]:
        """Return the strip of a link with any view, and that view."""
        kind, _, query = link.partition("?")
        given = dict(parse_qsl(query, keep_blank_values=True))
        first = next(iter(KINDS[kind[1:]].view.options))
        view = given.pop("view", first)
        return cls(f"{kind}?{urlencode(given, quote_via=quote)}".rstrip("?")), view

    @property
    def kind(self) -> type[Explorer]:
        """The explorer's class."""
        return KINDS[self.link[1:].partition("?")[0]]

    @property
    def name(self) -> str:
        """What no other strip is called."""
        return f"{word(self.kind)}-{key(self.link)[:8]}"

    def explorer(self, view: str) -> Explorer:
        """Return the explorer at the start, in a view."""
        link = f"{self.link}{'&' if '?' in self.link else '?'}view={view}"
        with patch.object(Picture, "name", f"{self.name} {view}"):
            return self.kind.from_link(link)

    def moving(self) -> list[str]:
        """Return the parameters that can be moved: all but the view and the lists of numbers."""
        traits = self.kind.parameters()
        return [n for n, trait in traits.items() if isinstance(trait, Number | Choice)][:-1]

    def draw(self, name: str, folder: Path) -> list[str]:
        """Write the file of a parameter for each view in which it moves something; return these.

        A file calls a function of the page with its name and its frames, since a page that was
        opened from a folder may run scripts but not read files.
        """
        _computed.clear()
        drawn = []
        for view in self.kind.view.options:
            with patch.object(Picture, "name", f"{self.name} {view}"):
                frames = self._frames(name, view)
            if frames and any(frame[:-1] != frames["start"][:-1] for frame in frames["frames"]):
                file = f"{self.name}/{view}-{name}"
                content = json.dumps(frames, ensure_ascii=False, separators=(",", ":"))
                path = folder / f"{file}.js"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(
                    f"dpwidgetsFrames({json.dumps(file)},{content})\n", encoding="utf-8"
                )
                drawn.append(view)
        return drawn

    def _frames(self, name: str, view: str) -> dict[str, Any]:
        explorer, table = (
            _ready.pop((self, view), None) or _remembering(self.explorer(view)),
            Table(),
        )
        if name in explorer.unused():
            return {}
        start, refused = places(explorer), False
        first, frames = _frame(explorer, table, start), []
        for stop in stops(explorer, name):
            if isinstance(self.kind.parameters()[name], Choice):  # not back and forth
                explorer.go_to()
            setattr(explorer, name, stop)
            refused = refused or bool(explorer.messages)
            frames.append(_frame(explorer, table, start))
        if not refused:  # a refused value would wait for the next one
            explorer.go_to()
            _ready[self, view] = explorer
        return {"lines": list(table.places), "start": first, "frames": frames}

    def html(self, drawn: Mapping[str, list[str]], view: str, number: int, more: str) -> str:
        """Return what stands on a page: the start, and controls for whoever has scripts.

        Parameters
        ----------
        drawn : mapping
            What `draw` returned for each parameter.
        view : str
            The view that is shown first.
        number : int
            What no other figure on its page has.
        more : str
            HTML that says where all parameters move together.
        """
        explorer = self.explorer(view)
        traits, layers = explorer.parameters(), explorer.picture.layers
        used = {name: views for name, views in drawn.items() if views}
        if len(traits["view"].options) > 1:
            used = {"view": list(traits["view"].options)} | used
        controls = "".join(
            f'<div data-name="{name}" data-views="{" ".join(views)}">'
            f"{self._control(explorer, name, number)}</div>"
            for name, views in used.items()
        )
        written = {name: values(explorer, name) for name in used}
        about = json.dumps({"link": explorer.link(), "values": written}).replace("<", "\\u003c")
        return (
            f'<figure class="dpwidgets-strip" data-strip="{self.name}">\n'
            f'<div class="dpwidgets-controls" hidden>{controls}</div>\n'
            f'<div class="dpwidgets-picture"><div>{layers.still}</div>'
            f"<div>{explorer.picture.moving.value}</div></div>\n"
            f"{explorer.said.value}<div>{explorer.noted.value}</div>"
            f"<div>{explorer.coded.value}</div>\n"
            f'<p class="dpwidgets-told" role="status"></p>\n'
            f"<figcaption>Here one control moves at a time, from this starting point, and a slider "
            f"has at most {MOST + 2} stops. {more}"
            f"</figcaption>\n"
            f'<script type="application/json">{about}</script>\n</figure>\n'
        ).replace("\n\n", "\n")

    def _control(self, explorer: Explorer, name: str, number: int) -> str:
        trait, ident = explorer.parameters()[name], f"{name}-{number}"
        label, title = html.escape(trait.label), html.escape(trait.help)
        if isinstance(trait, Choice):
            radios = "".join(
                f'<label><input type="radio" name="{ident}" value="{place}"'
                f"{' checked' if option == getattr(explorer, name) else ''}>"
                f"{html.escape(words)}</label>"
                for place, (option, words) in enumerate(trait.options.items())
            )
            return f'<fieldset title="{title}"><legend>{label}</legend>{radios}</fieldset>'
        place, last, words = places(explorer)[name]
        words = html.escape(words)
        about = " · ".join(filter(None, (trait.unit, trait.equation)))
        ends = " ← → ".join(filter(None, trait.ends))
        return (
            f'<label for="{ident}" title="{title}">{label}</label> <span>{words}</span>'
            f'<input type="range" class="dpwidgets-slider" id="{ident}" max="{last}" '
            f'value="{place}" aria-valuetext="{words}">'
            f"<small><span>{html.escape(about)}</span><span>{html.escape(ends)}</span></small>"
        )


def coarse(control: NumberControl) -> FloatArray:
    """Return the values at which a slider stops on a page: both ends, and the usual start."""
    grid, usual = control.grid, control.trait.default_value
    step = -(-grid.size // MOST)
    first = int(np.abs(grid - (usual or 0)).argmin()) % step
    return grid[np.union1d(np.arange(first, grid.size, step), (0, grid.size - 1))]


def stops(explorer: Explorer, name: str) -> list[Any]:
    """Return the values at which a parameter's control stops."""
    trait = explorer.parameters()[name]
    if isinstance(trait, Choice):
        return list(trait.options)
    return coarse(explorer.controls[name]).tolist()


def values(explorer: Explorer, name: str) -> list[float | str]:
    """Return the same as links write them: numbers as they are, all else as text."""
    return [stop if isinstance(stop, float) else str(stop) for stop in stops(explorer, name)]


def places(explorer: Explorer) -> dict[str, tuple[int, int, str]]:
    """Return where each slider stands, where it ends, and what it says."""
    found = {}
    for name, control in explorer.controls.items():
        if isinstance(control, NumberControl):
            grid = coarse(control)
            place = int(np.abs(grid - control.grid[control.slider.value]).argmin())
            found[name] = place, grid.size - 1, control.slider.words
    return found


#: The explorers that stand at the start of a strip, in this process: to make one takes long.
_ready: dict[tuple[Strip, str], Explorer] = {}
#: What the calculators returned for the parameter that is moved now.
_computed: dict[str, Any] = {}


def draw(strips: Iterable[Strip], folder: Path) -> dict[str, dict[str, list[str]]]:
    """Write the files of strips, on all processors; return under each name what was drawn."""
    tasks = [(strip, name) for strip in strips for name in strip.moving()]
    tasks.sort(key=lambda task: (task[0].name[0], task[0].name, task[1]))  # Bayes takes longest
    found: dict[str, dict[str, list[str]]] = {
        strip.name: {name: [] for name in strip.moving()} for strip, _ in tasks
    }
    with ProcessPoolExecutor() as pool:
        drawn = pool.map(Strip.draw, *zip(*tasks, strict=True), repeat(folder))
        for (strip, name), views in zip(tasks, drawn, strict=True):
            found[strip.name][name] = views
    return found


def _remembering(explorer: Explorer) -> Explorer:
    """Let several views of one state share what the calculator returns."""
    compute = explorer.compute

    def remembered() -> Any:
        asked = f"{explorer.function().__qualname__} {explorer.arguments()}"
        if asked not in _computed:
            _computed[asked] = compute()
        return _computed[asked]

    explorer.compute = remembered
    return explorer


def _frame(explorer: Explorer, table: Table, start: dict[str, tuple[int, int, str]]) -> list[Any]:
    """Return the picture, the words below it, and the sliders that stand elsewhere than before.

    At a stop that is refused the last good picture stays, and the words say why.
    """
    layers = explorer.picture.layers
    texts = (
        layers.still,
        layers.moving,
        "; ".join(explorer.messages.values()) or explorer.sentence,
        explorer.noted.value,
        explorer.coded.value,
    )
    moved = {name: stand for name, stand in places(explorer).items() if stand != start[name]}
    return [*map(table.add, texts), moved]
