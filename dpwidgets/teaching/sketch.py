"""A curve that the reader draws before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias
from uuid import uuid4

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import percent, rounded, show
from dpwidgets.page.page import handles_of
from dpwidgets.plots import style
from dpwidgets.plots.base import LOCK, Layers, Plot
from dpwidgets.plots.handle import Handle
from dpwidgets.teaching.asking import Asking
from dpwidgets.teaching.base import folded

#: Where the handles stand, as shares of the frame's width, and what the places
#: are called.
PLACES = {
    0.1: "at the left end",
    0.3: "left of the middle",
    0.5: "in the middle",
    0.7: "right of the middle",
    0.9: "at the right end",
}
_AT = np.array([*PLACES])
_STEPS = 100  # places of a handle
# Shares of the frame's height: a sketch so near to a curve is that curve.
_NEAR = 0.08
_TURN = 0.06  # and it turns where it has gone back by so much
#: Takes the places and the heights of a sketch in the units of the axes, and
#: returns whether the sketch shows the misconception; or the heights that it
#: would have.
Misconception: TypeAlias = Callable[[FloatArray, FloatArray], Any]


class Sketch(Asking):
    """A question whose answer is a curve, drawn by the reader with five handles.

    The reader moves the handles over an empty frame and presses
    *Show*. Then the curve stands beside the sketch, and words say how they
    differ: whether the sketch rises or falls where the curve does, where it
    turns, and by how much it is too high or too low. It is not graded:
    `Progress` counts it as solved once it is shown.

    Parameters
    ----------
    prompt : str
        What is asked: which curve, against what.
    x, y : array_like of shape (m,)
        The points of the curve, from one end of the frame to the other.
    frame : mapping
        The frame, as `plots.panel.Panel` takes it: the names of its axes, ``x``
        and ``y``, their limits, ``xlim`` and ``ylim``, and the scales; in
        ``percents`` the axes of which the numbers are percentages. The handles
        stand at a tenth, three, five, seven and nine tenths of the way.
    misconceptions : mapping
        Under what is wrong with a sketch a function of its places and heights,
        two arrays of five numbers in the units of the axes. It returns the
        five heights of a wrong curve, which the sketch may be near to, or
        whether the sketch is wrong in this way. The first one is said.
    then : object, optional
        What comes next and would give the curve away: it appears with the
        curve. What it may be stands at `dpwidgets.teaching.asking.Help`.

    Attributes
    ----------
    heights : array of shape (5,)
        Where the handles stand, as shares of the frame's height.
    shown : bool
        Whether the curve is shown.

    Raises
    ------
    TypeError, ValueError
        If the curve does not go from one end of the frame to the other.

    Examples
    --------
    >>> width = np.linspace(0, 1)
    >>> sketch = Sketch(
    ...     "How does the confidence grow with the half-width, at ε = 0.08?",
    ...     width,
    ...     1 - np.exp(-0.08 * 100 * width),
    ...     frame={"x": "half-width", "y": "confidence", "xlim": (0, 1), "ylim": (0, 1)},
    ...     misconceptions={"twice the width has not twice the confidence": lambda w, p: w},
    ... )
    >>> sketch
    Sketch: How does the confidence grow with the half-width, at ε = 0.08?
    >>> sketch.judge([0.1, 0.3, 0.5, 0.7, 0.9])[:47]
    'Twice the width has not twice the confidence. Y'
    """

    check_label = "Show"
    marks = ("", "")  # what is said of a sketch is neither right nor wrong
    _layers: Layers | None = None

    def __init__(
        self,
        prompt: str,
        x: ArrayLike,
        y: ArrayLike,
        *,
        frame: Mapping[str, Any],
        misconceptions: Mapping[str, Misconception] | None = None,
        then: Any = None,
    ) -> None:
        self._frame = _Frame(x, y, frame)
        self._name = uuid4().hex  # what no other picture on any page is called
        self.misconceptions = dict(misconceptions or {})
        self.shown = False
        self._moved = False
        self._narrow = False
        self._places = [_STEPS // 2] * len(PLACES)
        self._draw()
        handles = [
            handles_of(name, f"Height {name}") for name in PLACES.values()
        ]
        field = {"kind": "picture", "name": "picture", "parts": handles}
        super().__init__(prompt, "sketch", field=field, then=then)

    @property
    def heights(self) -> FloatArray:
        """Where the handles stand, as shares of the frame's height."""
        return np.array(self._places) / _STEPS

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Move a handle, or show the curve."""
        if name == "check":
            self.show()
        elif name in PLACES.values():
            place = event.get("place")
            if place is None:
                place = round(event["share"] * _STEPS)
            handle = [*PLACES.values()].index(name)
            self._places[handle] = min(max(place, 0), _STEPS)
            self._moved = True
            self._draw()
        elif name == "picture":
            self._narrow = bool(event["place"])
            self._draw()

    def judge(self, heights: ArrayLike) -> str:
        """Say how a sketch differs from the curve.

        Parameters
        ----------
        heights : array_like of shape (5,)
            The sketch, in shares of the frame's height.

        Returns
        -------
        str
            The words.
        """
        frame = self._frame
        sketch = np.asarray(heights, float)
        gaps = sketch - frame.truth
        worst = int(np.abs(gaps).argmax())
        gap = gaps[worst]
        if abs(gap) <= _NEAR:
            return f"Your sketch is right: the curve {frame.course}."
        start = ""
        if misconception := self._matched(sketch):
            start = f"{misconception[0].upper()}{misconception[1:]}. "
        off = "too high" if gap > 0 else "too low"
        share, place = [*PLACES.items()][worst]
        height = frame.written(1, sketch[worst])
        true_height = frame.written(1, frame.truth[worst])
        both = f"it is at {height}, and the curve at {true_height}."
        if np.ptp(gaps) <= 1.5 * _NEAR and (gaps * gap > 0).all():
            return f"{start}The shape is right. Everywhere your sketch is {off}: {place} {both}"
        course = frame.course_of(_AT, sketch)
        curve = f"the curve {frame.course}"
        if course == frame.course:
            curve = "so does the curve"
        return (
            f"{start}Your sketch {course}; {curve}. It is farthest off {place}, at "
            f"{frame.written(0, share)}: {off}. There {both}"
        )

    def show(self) -> None:
        """Show the curve beside the sketch, and say how they differ."""
        if self._moved:
            self.shown = True
            self._draw()
            self._judge(True, self.judge(self.heights))
        else:
            self._alert = "move the handles first: none has been moved yet"
            self._tell_all()

    def _listed(self) -> str:
        """Return the HTML of the curve, folded."""
        alone = (None, True)
        still = self._frame.still(alone, f"The curve {self._frame.course}.")
        return folded(still, "The curve")

    def _draw(self) -> None:
        """Show the sketch, and the curve if it is its time."""
        frame = self._frame
        drawn = self.heights, self.shown
        self._layers = frame.layers(
            drawn, self._name, self._layers, narrow=self._narrow
        )
        parts: dict[str, Any] = {}
        heights = []
        handles = frame.handles(self.heights)
        for place, handle in zip(self._places, handles, strict=True):
            spoken = frame.written(1, place / _STEPS)
            heights.append(f"{spoken} {handle.name}")
            parts[handle.name] = {
                "place": place,
                "spoken": spoken,
                "handles": [handle.says()],
            }
        alt = "An empty frame and your sketch"
        if self.shown:
            alt = "Your sketch and the curve"
        alt = f"{alt}: {', '.join(heights)}."
        self.set_trait("_still", self._layers.still)
        self.set_trait("_moving", self._layers.moving)
        self.tell(picture={"alt": alt, "narrow": self._narrow}, **parts)

    def _matched(self, sketch: FloatArray) -> str:
        """Return the first misconception that a sketch shows, or nothing."""
        places, heights = self._frame.numbers(_AT, sketch)
        for what, wrong in self.misconceptions.items():
            shows = wrong(places, heights)
            if not isinstance(shows, (bool, np.bool_)):
                _, curve = self._frame.shares(
                    places, np.broadcast_to(shows, 5)
                )
                shows = np.abs(np.clip(curve, 0, 1) - sketch).max() <= _NEAR
            if shows:
                return what
        return ""


class _Frame(Plot):
    """A frame that is empty but for a sketch, and for one curve once it is shown."""

    def __init__(
        self, x: ArrayLike, y: ArrayLike, frame: Mapping[str, Any]
    ) -> None:
        self.frame = {"writes": "xy", **frame}
        super().__init__()
        with LOCK:
            self.curve.set_data(x, y)
            # Frozen, since the figure's size is another while it is drawn in
            # pixels.
            axes = self.axes
            to_shares = axes.transData + axes.transAxes.inverted()
            self._to_shares: Any = to_shares.frozen()
            at, heights = self.shares(*self.curve.get_data())
        ordered = np.argsort(at, kind="stable")
        ordered = ordered[np.isfinite(heights[ordered])]
        at = at[ordered]
        heights = np.clip(heights[ordered], 0, 1)
        if at.size < 2 or at[0] > _AT[0] or at[-1] < _AT[-1]:
            raise ValueError("x and y must be a curve across the whole frame")
        self.truth = np.interp(_AT, at, heights)
        fine = np.linspace(_AT[0], _AT[-1], 161)
        self.course = self.course_of(fine, np.interp(fine, at, heights))

    def shares(self, x: ArrayLike, y: ArrayLike) -> FloatArray:
        """Return at which shares of the frame's width and height points stand: shape (2, m)."""
        return np.asarray(self._to_shares.transform(np.column_stack([x, y]))).T

    def numbers(self, x: ArrayLike, y: ArrayLike) -> FloatArray:
        """Return the numbers of the axes at these shares of its width and height."""
        to_numbers = self._to_shares.inverted()
        return np.asarray(to_numbers.transform(np.column_stack([x, y]))).T

    def written(self, which: int, share: float) -> str:
        """Write the number at a share of the x-axis, 0, or of the y-axis, 1."""
        axis = (self.axes.xaxis, self.axes.yaxis)[which]
        number = self.numbers([share], [share])[which, 0]
        # There and back again, it may be off by a rounding of the axis' range.
        reach = np.ptp(axis.get_view_interval())
        value = rounded(float(number), 12)
        if abs(value) < 1e-9 * reach and axis.get_scale() != "log":
            value = 0.0
        if isinstance(axis.get_major_formatter(), PercentFormatter):
            return percent(value, 2)
        # A handle cannot be placed more exactly.
        return show(float(f"{value:.2g}"), 2)

    def course_of(self, x: FloatArray, y: FloatArray) -> str:
        """Say where a curve rises and falls; what goes back by less than `_TURN` is left out.

        Parameters
        ----------
        x, y : array of shape (m,)
            The curve, in shares of the frame.
        """
        course: list[str] = []
        way = ""
        low = high = 0  # the lowest and the highest point since the last turn
        for at in range(1, y.size):
            low = min(low, at, key=y.item)
            high = max(high, at, key=y.item)
            if way != "rises" and y[at] - y[low] > _TURN:
                way, turn = "rises", low
            elif way != "falls" and y[high] - y[at] > _TURN:
                way, turn = "falls", high
            else:
                continue
            since = f" from {self.written(0, x[turn])} on" if course else ""
            course.append(f"{way}{since}")
            low = high = at
        return ", then ".join(course) or "stays level"

    def handles(self, heights: FloatArray) -> Iterator[Handle]:
        """Yield where the sketch can be moved, from the left to the right."""
        box = self.axes.get_position()
        placed = zip(PLACES.items(), heights.tolist(), strict=True)
        for (share, name), height in placed:
            track = (box.x0 + share * box.width, 1 - box.y1, box.height)
            yield Handle(name, "", True, track, height, float)

    def build(self, figure: Figure) -> None:
        super().build(figure)
        axes = self.axes
        look = style.look(lw=2.4, zorder=2.5)
        (self.curve,) = axes.plot([], [], color=style.MAIN, **look)
        look = style.look(lw=2, zorder=3, transform=axes.transAxes)
        (self.sketch,) = axes.plot(_AT, _AT, "o--", color=style.ACCENT, **look)
        self.legend = axes.legend(
            [self.curve, self.sketch], ["the curve", "your sketch"]
        )

    def update(self, result: tuple[FloatArray | None, bool]) -> None:
        """Draw a sketch, if there is one, and the curve, if it is shown."""
        heights, shown = result
        if heights is not None:
            self.sketch.set_ydata(heights)
        self.sketch.set_visible(heights is not None)
        self.curve.set_visible(shown)
        self.legend.set_visible(shown and heights is not None)
