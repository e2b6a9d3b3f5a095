"""Strips: the pictures of an explorer at stops of its controls, for pages without a kernel.

A strip starts at one state, named by its link. From there one parameter moves
at a time. For each parameter there is a file with the frames at its stops, in
the view in which a page shows the strip; a page fetches it when a reader
touches the control. A frame is what the explorer itself shows at that stop. Of
every other view there is the start. All else is for Python to show, in a
worker.
"""

from __future__ import annotations

import gzip
import html
import json
import math
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dpwidgets
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.link import read, word, write
from dpwidgets.page.parameters import Choice, Number
from dpwidgets.plots.still import Layers
from dpwidgets.teaching.progress import key
from live import PINS

#: At about how many places a slider stops before Python is here; then some have
#: several hundred.
MOST = 8
KINDS: dict[str, type[Explorer]] = {
    word(kind): kind
    for kind in (getattr(dpwidgets, name) for name in dpwidgets.__all__)
    if isinstance(kind, type) and issubclass(kind, Explorer)
}


@dataclass(frozen=True)
class Strip:
    """The strip that starts where a link leads, in any view.

    Parameters
    ----------
    link : str
        What `Explorer.link` returned, but for the view.
    only : tuple of str
        The controls and views that its reader knows; all if none is named.
    """

    link: str
    only: tuple[str, ...] = ()

    @classmethod
    def of(cls, link: str, only: Iterable[str] = ()) -> tuple[Strip, str]:
        """Return the strip of a link with any view and some of the controls, and that view."""
        kind = cls(link).kind
        start = read(kind, link)
        view = start.pop("view", next(iter(kind.view.options)))
        return cls(write(kind, start), only=tuple(only)), view

    @property
    def kind(self) -> type[Explorer]:
        """The explorer's class."""
        return KINDS[self.link[1:].partition("?")[0]]

    @property
    def name(self) -> str:
        """What no other strip is called."""
        return (
            f"{word(self.kind)}-{key(' '.join((self.link, *self.only)))[:8]}"
        )

    def explorer(self, view: str) -> Explorer:
        """Return the explorer at the start, in a view; its picture has a name that lasts."""
        explorer = self.kind.__new__(self.kind)
        explorer._name = f"{self.name} {view}"  # before its first picture
        explorer.__init__(
            **read(self.kind, self.link) | {"view": view}, only=self.only
        )
        return explorer

    def moving(self) -> list[str]:
        """Return the parameters that can be moved: all but the view and the lists of numbers."""
        traits = self.kind.parameters()
        can = [
            n
            for n, trait in traits.items()
            if isinstance(trait, Number | Choice)
        ][:-1]
        if self.only:
            return [name for name in can if name in self.only]
        return can

    def views(self, view: str) -> list[str]:
        """Return the views that can be chosen where it begins with one of them."""
        known = {*self.only, view} if self.only else {*self.kind.view.options}
        return [name for name in self.kind.view.options if name in known]

    def draw(
        self, folder: Path, views: Collection[str], names: Iterable[str] = ()
    ) -> dict[str, list[str]]:
        """Write the files of parameters, and return of each the views in which it moves something.

        There is a file of each view for wide pages, and one for narrow ones.
        It calls a function of the page with its name and its frames, packed,
        since a page that was opened from a folder may run scripts but not
        read files.

        Parameters
        ----------
        folder : Path
            Where the files go.
        views : collection of str
            The views in which pages show this strip.
        names : iterable of str
            Some of the parameters. By default all that can be moved, and the
            start of every view that can be chosen there.
        """
        drawn: dict[str, list[str]] = {
            name: [] for name in names or [*self.moving(), "view"]
        }
        for view in dict.fromkeys(
            one for at in views for one in self.views(at)
        ):
            moved = drawn if view in views else drawn.keys() & {"view"}
            for name, (wide, narrow) in _frames(self.explorer(view), moved):
                if wide["frames"] or name == "view":
                    _write(folder, f"{self.name}/{view}-{name}", wide)
                    _write(folder, f"{self.name}/{view}-{name}-narrow", narrow)
                    drawn[name].append(view)
        return drawn

    def html(
        self,
        drawn: Mapping[str, list[str]],
        view: str,
        megabytes: int = PINS["megabytes"],
        views: Sequence[str] = (),
    ) -> str:
        """Return what stands on a page: the start, which moves for whoever has scripts.

        Parameters
        ----------
        drawn : mapping
            What `draw` returned for each parameter.
        view : str
            The view that is shown first.
        megabytes : int
            How many come when the page is to have Python: by default, as many
            as with Pyodide from its CDN.
        views : sequence of str
            The views that can be chosen; all if none is named.
        """
        explorer = self.explorer(view)
        start = shown(explorer)
        moving = {name: where for name, where in drawn.items() if where}
        moving["view"] = list(views or self.kind.view.options)
        controls, seen, *_ = explorer._about["parts"]
        about = {
            "link": explorer.link(),
            "only": self.only,
            # As links write them: numbers as they are, all else as text.
            "values": {
                name: [
                    stop if isinstance(stop, float) else str(stop)
                    for stop in stops(explorer, name)
                ]
                for name in moving
            }
            | {"view": moving["view"]},
            "views": moving,
            "controls": list(explorer.parameters()),
            "about": {"look": "explorer", "parts": [controls, seen]},
            "shown": start
            | {"view": start["view"] | {"place": moving["view"].index(view)}},
        }
        script = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
        sentence = html.escape(explorer.sentence)
        moves = ""
        if drawn:
            moves = (
                '<span class="dpwidgets-frames">Without Python, the picture follows one control at '
                "a time from this starting point, and a slider has few stops. </span>"
            )
        return (
            f'<figure class="dpwidgets-strip" data-strip="{self.name}" '
            f'data-megabytes="{megabytes}">\n'
            f'<div class="dpwidgets-still"><div class="dpwidgets-picture dpw-picture">'
            f"<div>{explorer._still}</div>"
            f'<div role="img" aria-label="{sentence}">{explorer._moving}</div></div>\n'
            f"<output>{sentence}</output></div>\n"
            f'<p class="dpwidgets-told" role="status"></p>\n'
            f"<figcaption>{moves}</figcaption>\n"
            f'<script type="application/json">{script}</script>\n</figure>\n'
        ).replace("\n\n", "\n")


def coarse(trait: Number, grid: FloatArray) -> FloatArray:
    """Return those of a slider's stops that it has on a page: both ends, and the usual start."""
    step = math.ceil(grid.size / MOST)
    first = int(np.abs(grid - (trait.default_value or 0)).argmin()) % step
    return grid[
        np.union1d(np.arange(first, grid.size, step), (0, grid.size - 1))
    ]


def stops(explorer: Explorer, name: str) -> list[Any]:
    """Return the values at which a parameter's control stops."""
    trait = explorer.parameters()[name]
    if isinstance(trait, Number):
        return coarse(trait, explorer._grid(name)).tolist()
    return list(trait.options)


def shown(explorer: Explorer) -> dict[str, Any]:
    """Return what an explorer's parts show, its sliders with the stops of a page."""
    says = {name: dict(one) for name, one in explorer._shown.items()}
    grids = explorer.grids(explorer.result, explorer.state.values)
    for name, trait in explorer.parameters().items():
        if isinstance(trait, Number):
            whole = grids.get(name, trait.grid)
            grid = coarse(trait, whole)
            place = int(np.abs(grid - whole[says[name]["place"]]).argmin())
            says[name] |= {"place": place, "max": grid.size - 1, "slow": False}
            # Nothing follows on a page.
            if says[name]["remark"].startswith("empty the box"):
                says[name]["remark"] = ""
    kept = {
        *explorer.parameters(),
        "wrong",
        "picture",
        "sentence",
        "notes",
        "code",
    }
    return {name: says[name] for name in says if name in kept}


def draw(
    strips: Mapping[Strip, Collection[str]], folder: Path, megabytes: int
) -> dict[tuple[Strip, str], str]:
    """Write the files of strips, on all processors; return what pages show of each in its views.

    Parameters
    ----------
    strips : mapping
        Under each strip the views in which pages show it: there its controls
        move.
    folder : Path
        Where the files go.
    megabytes : int
        As in `Strip.html`.
    """
    # What has most controls takes longest.
    order = sorted(strips, key=lambda strip: -len(strip.moving()))
    with ProcessPoolExecutor() as pool:
        made = [
            pool.submit(_drawn, strip, strips[strip], folder, megabytes)
            for strip in order
        ]
        return {at: page for one in made for at, page in one.result().items()}


def _drawn(
    strip: Strip, views: Collection[str], folder: Path, megabytes: int
) -> dict[tuple[Strip, str], str]:
    """Write the files of a strip, and return what pages show of it."""
    drawn = strip.draw(folder, views)
    return {
        (strip, view): strip.html(drawn, view, megabytes) for view in views
    }


def _frames(
    explorer: Explorer, names: Iterable[str]
) -> Iterator[tuple[str, list[Any]]]:
    """Yield each parameter with its files, for a wide page and for a narrow one."""
    begun = explorer.state.values
    idle = explorer.unused(begun) | {"view"}
    values = {name: stops(explorer, name) for name in names}
    start = _both(explorer, [(explorer._layers, {})] * 2)
    for name in values:
        explorer._layers = start[explorer._narrow][0]
        last, seen = start, [start]
        for stop in values[name] if name not in idle else ():
            if stop != begun[name]:
                with suppress(ValueError):  # said beside the control
                    explorer.go_to(**{name: stop})
                last = _both(explorer, last)
            seen.append(start if stop == begun[name] else last)
        yield name, [*map(_packed, zip(*seen, strict=True))]


def _both(
    explorer: Explorer, last: Sequence[tuple[Layers, Any]]
) -> list[tuple[Layers, Any]]:
    """Return picture and parts as an explorer shows them on a wide page, and on a narrow one.

    What was shown last may have the same still layer.
    """
    here = explorer._layers, shown(explorer)
    explorer._layers = last[not explorer._narrow][0]
    explorer.asked("picture", {"place": int(not explorer._narrow)})
    both = [here, (explorer._layers, shown(explorer))]
    return both if explorer._narrow else both[::-1]


def _packed(shots: Sequence[tuple[Layers, Any]]) -> dict[str, Any]:
    """Return a file: the start, which comes first, and of each stop what is new there.

    At a stop that is refused the last good picture stays, and the control says
    why.
    """
    # Many frames share their lines; a frame is the places of its own.
    places: dict[str, int] = {}
    start, frames = shots[0][1], []
    for (still, moving, *_), says in shots:
        layers = [
            [
                places.setdefault(line, len(places))
                for line in layer.split("\n")
            ]
            for layer in (still, moving)
        ]
        moved = {name: one for name, one in says.items() if one != start[name]}
        frames.append([*layers, moved])
    return {
        "lines": list(places),
        "shown": start,
        "start": frames[0],
        "frames": frames[1:],
    }


def _write(folder: Path, file: str, frames: Mapping[str, Any]) -> None:
    """Write the frames of a parameter as a file."""
    text = json.dumps(frames, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    path = folder / f"{file}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'dpwidgetsFrames({json.dumps(file)},"{packed}")\n')
