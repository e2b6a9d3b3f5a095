"""Where in a picture a reader can take hold of a parameter."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from matplotlib.axes import Axes


@dataclass(frozen=True)
class Handle:
    """A place in a picture where a reader can take hold of a parameter.

    Attributes
    ----------
    name : str
        The parameter's.
    words : str
        What tells it from others of the same parameter, if there are any.
    upright : bool
        Whether it is moved upwards, or to the right.
    track : (float, float, float)
        The line that it is moved along: where it begins, from the left and
        from the top, and its length, as shares of the picture's width and
        height.
    at : float
        Where it stands, as a share of the track.
    share : callable
        Takes a value of the parameter, and returns where it would stand.
    """

    name: str
    words: str
    upright: bool
    track: tuple[float, float, float]
    at: float
    share: Callable[[float], float] = field(compare=False)

    def nearest(self, share: float, stops: Sequence[float]) -> float:
        """Return the one of ascending values that would stand nearest to a share of the track."""
        if self.share(stops[0]) > self.share(
            stops[-1]
        ):  # an axis turned round
            stops = stops[::-1]
        after = bisect_left(stops, share, key=self.share)
        near = stops[max(after - 1, 0) : after + 1]
        return min(near, key=lambda stop: abs(self.share(stop) - share))

    def says(self) -> dict[str, Any]:
        """Return what a page shows of it; its line is a style in CSS."""
        parts = zip(("left", "top", "length"), self.track, strict=True)
        style = ";".join(f"--{name}:{part:.3%}" for name, part in parts)
        at = round(self.at, 4)
        return {
            "words": self.words,
            "upright": self.upright,
            "style": style,
            "at": at,
        }


def placed(axes: Axes, held: Iterable[tuple[Any, ...]]) -> Iterator[Handle]:
    """Yield the handles of what `Panel.handle` was given, on the axes as they are now."""
    box = axes.get_position()
    limits = (sorted(axes.get_xlim()), sorted(axes.get_ylim()))
    # Frozen, since the figure's size is another while it is drawn in pixels.
    to_shares: Any = (axes.transData + axes.transAxes.inverted()).frozen()
    for name, place, along, upright, ends, words in held:
        seen = []  # the place, or the nearest inside the axes
        for number, (low, high) in zip(place, limits, strict=True):
            seen.append(float(min(max(number, low), high)))
        axis = partial(_share, to_shares, seen, int(upright))
        start, end = sorted(map(axis, ends))
        across, up = to_shares.transform(seen).tolist()
        left, top, wide = start, up, box.width
        if upright:
            left, top, wide = across, end, box.height
        left = box.x0 + left * box.width
        top = 1 - box.y0 - top * box.height
        track = (left, top, (end - start) * wide)
        share = partial(_on_track, axis, start, end)
        at = share(float, seen[upright])
        yield Handle(name, words, upright, track, at, partial(share, along))


def _share(
    to_shares: Any, seen: Sequence[float], way: int, number: float
) -> float:
    """Return at which share of a panel's width, 0, or of its height, 1, a number stands there."""
    place = [*seen]
    place[way] = number
    return float(to_shares.transform(place)[way])


def _on_track(
    axis: Callable[[float], float],
    start: float,
    end: float,
    along: Callable[[float], float],
    value: float,
) -> float:
    """Return at which share of the way between two shares of an axis a value stands."""
    return (axis(along(value)) - start) / (end - start)
