"""A curve that the reader draws before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FuncFormatter, PercentFormatter
from numpy.typing import ArrayLike

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import percent, show
from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.page import About, box, button, words
from dpwidgets.plots import style
from dpwidgets.plots.base import LOCK, Layers, Plot
from dpwidgets.teaching import progress
from dpwidgets.teaching.held import Held, Holder, paragraph

#: Where the handles stand, as shares of the frame's width, and what the places are called.
PLACES = {
    0.1: "at the left end",
    0.3: "left of the middle",
    0.5: "in the middle",
    0.7: "right of the middle",
    0.9: "at the right end",
}
_AT = np.array([*PLACES])
_STEPS = 100  # places of a handle
_NEAR = 0.08  # shares of the frame's height: a sketch so near to a curve is that curve
_TURN = 0.06  # and it turns where it has gone back by so much
#: Takes the places and the heights of a sketch in the units of the axes, and returns whether the
#: sketch shows the misconception; or the heights that it would have.
Misconception: TypeAlias = Callable[[FloatArray, FloatArray], Any]


class Sketch(Holder):
    """A question whose answer is a curve, drawn by the reader with five handles.

    The reader moves the handles over the empty frame of a plot and presses *Show*. Then the curve
    stands beside the sketch, and words say how they differ: whether the sketch rises or falls where
    the curve does, where it turns, and by how much it is too high or too low. It is not graded:
    `Progress` counts it once it is answered.

    Parameters
    ----------
    prompt : str
        What is asked: which curve, against what.
    plot : type of Plot
        Whose frame it is.
    result : object
        What the plot's calculator returned.
    curve : str
        The name of the plot's curve, an attribute.
    misconceptions : mapping
        Under what is wrong with a sketch a function of its places and heights, two arrays of five
        numbers in the units of the axes. It returns the five heights of a wrong curve, which the
        sketch may be near to, or whether the sketch is wrong in this way.
    across : tuple of (float, float), optional
        From where to where the frame goes, so that the handles stand where the curve turns: at a
        tenth, three, five, seven and nine tenths of the way. Without it, as far as the plot's does.
    then : object, optional
        What comes next and would give the curve away: it appears with the curve. What it may be
        stands at `dpwidgets.teaching.held.Held`.

    Attributes
    ----------
    heights : array of shape (5,)
        Where the handles stand, as shares of the frame's height.
    shown : bool
        Whether the curve is shown.

    Raises
    ------
    TypeError, ValueError
        If the plot has no such curve from one end of the frame to the other.

    Examples
    --------
    >>> from dpwidgets.calculators import interval
    >>> from dpwidgets.plots.interval import IsoEpsilon
    >>> known = interval.precision(half_width=0.2, confidence=0.8, count=100)
    >>> sketch = Sketch(
    ...     "How does the confidence grow with the half-width, at one ε?",
    ...     IsoEpsilon,
    ...     known,
    ...     curve="present",
    ...     misconceptions={"twice the width has not twice the confidence": lambda w, p: w},
    ... )
    >>> sketch
    Sketch: How does the confidence grow with the half-width, at one ε?
    >>> sketch.judge([0.1, 0.3, 0.5, 0.7, 0.9])[:47]
    'Twice the width has not twice the confidence. Y'
    """

    _layers: Layers | None = None

    def __init__(
        self,
        prompt: str,
        plot: type[Plot],
        result: Any,
        curve: str,
        *,
        misconceptions: Mapping[str, Misconception] | None = None,
        across: tuple[float, float] | None = None,
        then: Any = None,
    ) -> None:
        self.prompt = checked_text("prompt", prompt)
        if not isinstance(plot, type) or not issubclass(plot, Plot):
            raise TypeError(f"plot must be a class of plots; got {described(plot)}")
        self._frame = _Frame(plot, result, curve, across)
        self._result = plot, result
        self._name = uuid4().hex  # what no other picture on any page is called
        self.misconceptions = dict(misconceptions or {})
        self.shown = self._moved = False
        self._places = [_STEPS // 2] * len(PLACES)
        self._key, self._progress = progress.key(prompt, curve), progress.store()
        self._progress.ask(self._key)
        self.held = None if then is None else Held(then)
        self._draw()
        super().__init__("asking", self._parts())
        if self._progress.tried(self._key).attempts:
            self.reveal()

    def _parts(self) -> list[About]:
        labels = [f"Height {name}" for name in PLACES.values()]
        padding = self._frame.padding()
        handles = {"kind": "handles", "name": "handles", "labels": labels, "padding": padding}
        return [
            words("prompt", "prompt", text=self.prompt),
            {"kind": "picture", "name": "picture", "parts": [handles]},
            box("row", button("show", "Show", help="Show the curve beside the sketch")),
            {"kind": "complaint", "name": "wrong"},
            words("said", "sentence", live=True),
            *(self.held.parts() if self.held else ()),
        ]

    @property
    def heights(self) -> FloatArray:
        """Where the handles stand, as shares of the frame's height."""
        return np.array(self._places) / _STEPS

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Move a handle, or show the curve."""
        if name == "show":
            self.show()
        elif name == "handles":
            self._places[event["at"]] = min(max(event["place"], 0), _STEPS)
            self._moved = True
            self._draw()

    def judge(self, heights: Sequence[float] | FloatArray) -> str:
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
        sketch, truth, x = np.asarray(heights, float), self._frame.truth, self._frame.x
        gaps = sketch - truth
        own, course = _course(_AT, sketch), self._frame.course
        if np.abs(gaps).max() <= _NEAR:
            return f"Your sketch is right: the curve {_told(course, x)}."
        at = int(np.abs(gaps).argmax())
        off = f"too {'high' if gaps[at] > 0 else 'low'}"
        place, share = PLACES[float(_AT[at])], float(_AT[at])
        two = f"it is at {self._frame.y.told(sketch[at])}, and the curve at "
        two += self._frame.y.told(truth[at])
        wrong = self._matched(sketch)
        said = f"{wrong[0].upper()}{wrong[1:]}. " if wrong else ""
        alike = [part.up for part in own] == [part.up for part in course]
        if alike and np.ptp(gaps) <= 1.5 * _NEAR and (gaps * gaps[at] > 0).all():
            return f"{said}The shape is right. Everywhere your sketch is {off}: {place} {two}."
        turns = zip(own[1:], course[1:], strict=False)
        near = alike and all(abs(one.start - other.start) <= 0.1 for one, other in turns)
        curve = "so does the curve" if near else f"the curve {_told(course, x)}"
        return (
            f"{said}Your sketch {_told(own, x)}; {curve}. "
            f"It is farthest off {place}, at {x.told(share)}: {off}. There {two}."
        )

    def show(self) -> None:
        """Show the curve beside the sketch, and say how they differ."""
        if not self._moved:
            self.tell(wrong={"text": "move the handles first: none has been moved yet"})
            return
        if not self.shown:
            self._progress.count_answer(self._key, True)
        self.shown = True
        self._draw()
        below = " See below." if self.held else ""
        self.tell(said={"text": self.judge(self.heights) + below}, wrong={"text": ""})
        self.reveal()

    def __repr__(self) -> str:
        return f"Sketch: {self.prompt}"

    def page(self) -> str:
        """Return the HTML of a page without a kernel: the question, the curve folded."""
        plot, result = self._result
        words = f"The curve {_told(self._frame.course, self._frame.x)}."
        whole = Held(plot.shared().still(result, words)).folded("The curve")
        then = self.held.folded() if self.held else ""
        return paragraph(self.prompt, "font-weight:600") + whole + then

    def _draw(self) -> None:
        """Show the sketch, and the curve if it is its time."""
        heights = [self._frame.y.told(height) for height in self.heights]
        what = "Your sketch and the curve" if self.shown else "An empty frame and your sketch"
        told = ", ".join(map(" ".join, zip(heights, PLACES.values(), strict=True)))
        handles = [
            {"place": place, "max": _STEPS, "spoken": height}
            for place, height in zip(self._places, heights, strict=True)
        ]
        self._layers = layers = self._frame.layers(self, self._name, self._layers)
        self.set_trait("_still", layers.still)
        self.set_trait("_moving", layers.moving)
        self.tell(picture={"alt": f"{what}: {told}."}, handles={"handles": handles})

    def _matched(self, sketch: FloatArray) -> str:
        """Return the misconception that a sketch shows, the nearest one, or nothing."""
        places, heights = self._frame.x.values(_AT), self._frame.y.values(sketch)
        found: dict[str, float] = {}
        for what, wrong in self.misconceptions.items():
            answer = wrong(places, heights)
            if isinstance(answer, (bool, np.bool_)):
                off = 0.0 if answer else np.inf
            else:
                curve = np.clip(self._frame.y.shares(np.broadcast_to(answer, 5)), 0, 1)
                off = float(np.abs(curve - sketch).max())
            if off <= _NEAR:
                found[what] = off
        return min(found, key=lambda what: found[what], default="")


class _Scale:
    """One axis of a frame: shares of its length, and the numbers that they stand for."""

    def __init__(self, axis: Axis) -> None:
        self._scale: Any = axis.get_transform()
        self._low, self._high = self._scale.transform(np.array(axis.get_view_interval()))
        kind = axis.get_major_formatter()
        self._percent = isinstance(kind, PercentFormatter)
        self._words = isinstance(kind, (FixedFormatter, FuncFormatter)) and (
            axis.get_scale() != "log"  # there a formatter writes plain numbers
        )

    def values(self, shares: FloatArray) -> FloatArray:
        """Return the numbers at these shares of the axis."""
        places = self._low + shares * (self._high - self._low)
        return np.asarray(self._scale.inverted().transform(places))

    def shares(self, values: ArrayLike) -> FloatArray:
        """Return at which shares of the axis these numbers stand."""
        places = self._scale.transform(np.asarray(values, float))
        return np.asarray((places - self._low) / (self._high - self._low))

    def told(self, share: float) -> str:
        """Write the number at a share of the axis; where the axis has words, the share."""
        if self._words:
            return f"{percent(share, 2)} of the frame"
        value = float(self.values(np.array([share]))[0])
        if self._percent:
            return percent(value, 2)
        return show(float(f"{value:.2g}"), 2)  # a handle cannot be placed more exactly


class _Part(NamedTuple):
    """A part of a curve on which it rises or falls, and where it begins."""

    up: bool
    start: float


def _course(x: FloatArray, y: FloatArray) -> list[_Part]:
    """Say where a curve rises and where it falls; what goes back by less than `_TURN` is left out.

    Parameters
    ----------
    x, y : array of shape (m,)
        The curve, in shares of the frame.
    """
    parts: list[_Part] = []
    low = high = 0  # the lowest and the highest point since the last turn
    for at in range(1, y.size):
        low = at if y[at] < y[low] else low
        high = at if y[at] > y[high] else high
        rising = parts[-1].up if parts else None
        if rising is not True and y[at] - y[low] > _TURN:
            parts.append(_Part(True, float(x[low])))
            low = high = at
        elif rising is not False and y[high] - y[at] > _TURN:
            parts.append(_Part(False, float(x[high])))
            low = high = at
    return parts


def _told(course: list[_Part], x: _Scale) -> str:
    """Say where a curve rises and where it falls."""
    if not course:
        return "stays level"
    ways = ["rises" if part.up else "falls" for part in course]
    turns = [
        f", then {way} from {x.told(part.start)} on"
        for way, part in zip(ways[1:], course[1:], strict=True)
    ]
    return ways[0] + "".join(turns)


class _Frame(Plot):
    """The frame of another plot, empty but for a sketch, and for one curve once it is shown."""

    axes: Any  # of whatever kind the other plot has

    def __init__(
        self,
        kind: type[Plot],
        result: Any,
        curve: str,
        across: tuple[float, float] | None = None,
    ) -> None:
        with LOCK:
            inner = kind()
            inner.update(result)
            self.size, self.figure = inner.size, inner.figure
            line = getattr(inner, str(curve), None)
            if not isinstance(line, Line2D):
                lines = sorted(name for name, one in vars(inner).items() if isinstance(one, Line2D))
                raise ValueError(
                    f"curve must be one of {', '.join(map(repr, lines))}; got {described(curve)}"
                )
            x, y = (np.asarray(data, float) for data in line.get_data())
            self.build(inner.figure, line)
            if across is not None:
                self.axes.set_xlim(*across)
            self.x, self.y = _Scale(self.axes.xaxis), _Scale(self.axes.yaxis)
            at, heights = self.x.shares(x), self.y.shares(y)
            ordered = np.argsort(at, kind="stable")
            ordered = ordered[np.isfinite(heights[ordered])]
            at, heights = at[ordered], np.clip(heights[ordered], 0, 1)
            if at.size < 2 or at[0] > _AT[0] or at[-1] < _AT[-1]:
                raise ValueError(
                    f"curve must run from one end of the frame to the other; {curve!r} does not"
                )
            self.truth = np.interp(_AT, at, heights)
            fine = np.linspace(_AT[0], _AT[-1], 161)
            self.course = _course(fine, np.interp(fine, at, heights))
            self.curve.set_data(x, y)

    def padding(self) -> str:
        """Return how far the frame is from the picture's sides, in CSS: shares of the width."""
        (width, height), area = self.size, self.axes.get_position()
        sides = ((1 - area.y1) * height, (1 - area.x1) * width, area.y0 * height, area.x0 * width)
        return " ".join(f"{side / width:.3%}" for side in sides)

    def build(self, figure: Figure, line: Line2D | None = None) -> None:
        assert line is not None
        for axes in figure.axes:
            artists = [*axes.lines, *axes.patches, *axes.collections, *axes.texts]
            if axes is line.axes:
                self.axes = axes
            else:
                axes.set_visible(False)
                artists += axes.spines.values()
            if (legend := axes.get_legend()) is not None:
                legend.remove()
            for artist in artists:
                artist.set_visible(False)
        axes = self.axes
        (self.curve,) = axes.plot([], [], color=style.MAIN, lw=2.4, label="the curve", zorder=2.5)
        look: dict[str, Any] = {
            "color": style.ACCENT,
            "lw": 2,
            "ls": "--",
            "marker": "o",
            "label": "your sketch",
        }
        (self.sketch,) = axes.plot([], [], transform=axes.transAxes, zorder=3, **look)
        self.legend = axes.legend(handles=[self.curve, self.sketch], loc="best")

    def update(self, result: Sketch) -> None:
        self.sketch.set_data(_AT, result.heights)
        self.curve.set_visible(result.shown)
        self.legend.set_visible(result.shown)
