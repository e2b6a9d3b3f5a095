"""Where in a picture a reader can take hold of a parameter."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

# What `Panel.handle` was given: the parameter's name, its place in the axes'
# data, the function along the axis, whether it is moved upwards, the ends of
# its way, and words.
Grip: TypeAlias = tuple[
    str,
    tuple[float, float],
    Callable[[float], float],
    bool,
    tuple[float, float],
    str,
]


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
        # Along the noise a larger ε stands farther left.
        if self.share(stops[0]) > self.share(stops[-1]):
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


def placed(axes: Axes, held: Iterable[Grip]) -> Iterator[Handle]:
    """Yield the handles of what `Panel.handle` was given, on the axes as they are now."""
    box = axes.get_position()
    limits = (sorted(axes.get_xlim()), sorted(axes.get_ylim()))
    # Frozen, since the figure's size is another while it is drawn in pixels.
    to_shares = (axes.transData + axes.transAxes.inverted()).frozen()
    for one in held:
        yield _placed(one, box, limits, to_shares)


def _placed(
    grip: Grip,
    box: Bbox,
    limits: tuple[Sequence[float], Sequence[float]],
    to_shares: Any,
) -> Handle:
    """Return a handle in a panel's box, between limits, where data become shares of the box."""
    name, place, along, upright, ends, words = grip
    # The place, or the nearest inside the axes.
    seen = [
        float(min(max(number, low), high))
        for number, (low, high) in zip(place, limits, strict=True)
    ]

    def axis(number: float) -> float:
        """Return at which share of the panel's width, or height, a number stands there."""
        there = [*seen]
        there[upright] = number
        return float(to_shares.transform(there)[int(upright)])

    start, end = sorted(map(axis, ends))

    def share(number: float) -> float:
        return (axis(number) - start) / (end - start)

    across, up = to_shares.transform(seen).tolist()
    left, top, wide = start, up, box.width
    if upright:
        left, top, wide = across, end, box.height
    left = box.x0 + left * box.width
    top = 1 - box.y0 - top * box.height
    return Handle(
        name,
        words,
        upright,
        (left, top, (end - start) * wide),
        share(seen[upright]),
        lambda value: share(along(value)),
    )
