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
import os
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import product, repeat
from pathlib import Path
from typing import Any

import numpy as np

import dpwidgets
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.link import read, word, write
from dpwidgets.page.parameters import Choice, Number
from dpwidgets.teaching.progress import key
from live import PINS

#: At about how many places a slider stops before Python is here; then some have
#: several hundred. A test asks for fewer.
MOST = int(os.environ.get("DPWIDGETS_STOPS", "8"))
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

    def explorer(self, view: str, narrow: bool = False) -> Explorer:
        """Return the explorer at the start, in a view; its picture has a name that lasts.

        It may be laid out for a narrow page.
        """
        start = read(self.kind, self.link) | {"view": view}
        explorer = self.kind(**start, only=self.only)
        explorer._name = f"{self.name} {view}"
        explorer.asked("picture", {"place": int(narrow)})
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
        begun = cache(self.explorer)  # to make one takes long
        every = dict.fromkeys(
            one for view in views for one in self.views(view)
        )
        drawn: dict[str, list[str]] = {}
        for name in names or [*self.moving(), "view"]:
            drawn[name] = []
            where = every if name == "view" else views
            for view, narrow in product(where, (False, True)):
                frames = _frames(begun(view, narrow), name)
                if frames["frames"] or name == "view":
                    width = "-narrow" if narrow else ""
                    _write(folder, f"{self.name}/{view}-{name}{width}", frames)
                    drawn[name].append(view)
        return {name: [*dict.fromkeys(where)] for name, where in drawn.items()}

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
            "values": {name: values(explorer, name) for name in moving}
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


def coarse(explorer: Explorer, name: str) -> FloatArray:
    """Return the values at which a slider stops on a page: both ends, and the usual start."""
    grid = explorer._grid(name)
    usual = explorer.parameters()[name].default_value
    step = math.ceil(grid.size / MOST)
    first = int(np.abs(grid - (usual or 0)).argmin()) % step
    return grid[
        np.union1d(np.arange(first, grid.size, step), (0, grid.size - 1))
    ]


def stops(explorer: Explorer, name: str) -> list[Any]:
    """Return the values at which a parameter's control stops."""
    trait = explorer.parameters()[name]
    if isinstance(trait, Choice):
        return list(trait.options)
    return coarse(explorer, name).tolist()


def values(explorer: Explorer, name: str) -> list[float | str]:
    """Return the same as links write them: numbers as they are, all else as text."""
    return [
        stop if isinstance(stop, float) else str(stop)
        for stop in stops(explorer, name)
    ]


def shown(explorer: Explorer) -> dict[str, Any]:
    """Return what an explorer's parts show, its sliders with the stops of a page."""
    says = {name: dict(one) for name, one in explorer._shown.items()}
    for name, trait in explorer.parameters().items():
        if isinstance(trait, Number):
            grid, whole = coarse(explorer, name), explorer._grid(name)
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
    strips: Mapping[Strip, Collection[str]], folder: Path
) -> dict[str, dict[str, list[str]]]:
    """Write the files of strips, on all processors; return under each name what was drawn.

    Parameters
    ----------
    strips : mapping
        Under each strip the views in which pages show it: there its controls
        move.
    folder : Path
        Where the files go.
    """
    # What has most controls takes longest.
    order = sorted(strips, key=lambda strip: -len(strip.moving()))
    views = [strips[strip] for strip in order]
    with ProcessPoolExecutor() as pool:
        drawn = pool.map(Strip.draw, order, repeat(folder), views)
        return {
            strip.name: moved
            for strip, moved in zip(order, drawn, strict=True)
        }


def _frames(explorer: Explorer, name: str) -> dict[str, Any]:
    """Return the start of an explorer, and what it shows at the stops of a parameter."""
    # Many frames share their lines; a frame is the places of its own.
    places: dict[str, int] = {}
    start = shown(explorer)
    first, frames = _frame(explorer, places, start), []
    moves = name != "view" and name not in explorer.unused(
        explorer.state.values
    )
    begun, drawn = explorer.state.values[name], explorer._layers
    for stop in stops(explorer, name) if moves else ():
        if stop == begun:
            frames.append(first)
        else:
            with suppress(ValueError):  # said beside the control
                explorer.go_to(**{name: stop})
            frames.append(_frame(explorer, places, start))
    explorer._layers = drawn  # whose still layer is the start's
    explorer.go_to()
    return {
        "lines": list(places),
        "shown": start,
        "start": first,
        "frames": frames,
    }


def _write(folder: Path, file: str, frames: Mapping[str, Any]) -> None:
    """Write the frames of a parameter as a file."""
    content = json.dumps(frames, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(gzip.compress(content.encode(), mtime=0)).decode()
    path = folder / f"{file}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'dpwidgetsFrames({json.dumps(file)},"{packed}")\n')


def _frame(
    explorer: Explorer, places: dict[str, int], start: Mapping[str, Any]
) -> list[Any]:
    """Return the lines of the picture by their places, and the parts that show something new.

    At a stop that is refused the last good picture stays, and the control says
    why.
    """
    layers = [
        [places.setdefault(line, len(places)) for line in layer.split("\n")]
        for layer in (explorer._still, explorer._moving)
    ]
    moved = {
        name: says
        for name, says in shown(explorer).items()
        if says != start[name]
    }
    return [*layers, moved]
