"""What a plot has drawn: layers for a page, or a still for a notebook's output."""

import base64
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from dpwidgets.plots.handle import Handle

# JupyterLab runs widget callbacks on a thread beside the cells', and
# matplotlib's caches are shared between figures.
LOCK = threading.RLock()


class Layers(NamedTuple):
    """A picture as lines, in two parts that lie one above the other.

    Attributes
    ----------
    still, moving : str
        Each an `<svg>`; what stands still while only results change, and all
        the rest.
    size : (int, int)
        Width and height in CSS pixels.
    rows : tuple of (float, float, float)
        Where the name of each row stands, if it has some: its top, its height,
        and where it ends.
    frame : tuple
        What the still layer depends on.
    handles : list of Handle
        What can be moved.
    """

    still: str
    moving: str
    size: tuple[int, int]
    rows: tuple[tuple[float, float, float], ...]
    frame: tuple[object, ...]
    handles: list[Handle]


@dataclass(frozen=True, repr=False, eq=False)
class Still:
    """A picture with its words, as a notebook's output. It is drawn when it is asked for.

    Parameters
    ----------
    alt : str
        What it shows, in words.
    plot : Plot
        What draws it.
    result : object
        What the plot's calculator returned.
    """

    alt: str
    plot: Any
    result: Any

    @property
    def png(self) -> bytes:
        """The picture, in pixels."""
        return self._drawn[0]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in CSS pixels."""
        return self._drawn[1]

    @cached_property
    def _drawn(self) -> tuple[bytes, tuple[int, int]]:
        with LOCK:  # a plot that many share may change its size
            return self.plot.png(self.result), self.plot.size

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: PNG, SVG or PDF, as its name ends.

        Raises
        ------
        ValueError
            If the name ends otherwise.
        """
        path = Path(path)
        match path.suffix.lower():
            case ".png":
                content = self.png
            case ".svg":
                content = self.plot.svg(self.result, self.alt).encode()
            case ".pdf":
                content = self.plot.pdf(self.result)
            case _:
                raise ValueError(
                    f"path must end in .png, .svg or .pdf; got {str(path)!r}"
                )
        path.write_bytes(content)

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, **_: object
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = self.size
        data = {
            "text/plain": self.alt,
            "image/png": base64.b64encode(self.png).decode("ascii"),
        }
        return data, {"image/png": {"width": width, "height": height}}
