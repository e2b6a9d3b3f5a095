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

from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import percent, show
from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.page import box, button, words
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

    def __init__(
        self,
        prompt: str,
        plot: type[Plot],
        result: Any,
        curve: str,
        *,
        misconceptions: Mapping[str, Misconception] | None = None,
        then: Any = None,
    ) -> None:
        self.prompt = checked_text("prompt", prompt)
        if not isinstance(plot, type) or not issubclass(plot, Plot):
            raise TypeError(f"plot must be a class of plots; got {described(plot)}")
        self._frame = _Frame(plot, result, curve)
        self._result = plot, result
        self.misconceptions = dict(misconceptions or {})
        self.shown = self._moved = False
        self._places = [_STEPS // 2] * len(PLACES)
        self._name = uuid4().hex  # what no other picture on any page is called
        self._layers: Layers | None = None
        self._key, self._progress = progress.key(prompt, curve), progress.store()
        self._progress.ask(self._key)
        self.held = None if then is None else Held(then)
        self._draw()
        (width, height), area = self._frame.size, self._frame.area
        sides = ((1 - area.y1) * height, (1 - area.x1) * width, area.y0 * height, area.x0 * width)
        handles = {
            "kind": "handles",
            "name": "handles",
            "labels": [f"Height {name}" for name in PLACES.values()],
            "padding": " ".join(f"{side / width:.3%}" for side in sides),
        }
        super().__init__(
            "asking",
            [
                words("prompt", "prompt", text=prompt),
                {"kind": "picture", "name": "picture", "parts": [handles]},
                box("row", button("show", "Show", help="Show the curve beside the sketch")),
                {"kind": "complaint", "name": "wrong"},
                words("said", "sentence", live=True),
                *(self.held.parts() if self.held else ()),
            ],
        )
        if self._progress.tried(self._key).attempts:
            self.reveal()

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
        sketch, truth = np.asarray(heights, float), self._frame.truth
        gaps = sketch - truth
        own, course = _course(_AT, sketch), self._frame.course
        alike = [up for up, _ in own] == [up for up, _ in course]
        if np.abs(gaps).max() <= _NEAR:
            return f"Your sketch is right: the curve {self._told(course)}."
        wrong = self._matched(sketch)
        said = [f"{wrong[0].upper()}{wrong[1:]}."] if wrong else []
        worst = int(np.abs(gaps).argmax())
        low, high = float(gaps.min()), float(gaps.max())
        if alike and high - low <= 1.5 * _NEAR and low * high > 0:
            whole = self._off((low + high) / 2, "about ")
            return " ".join([*said, f"The shape is right. Everywhere your sketch is {whole}."])
        turns = zip(own[1:], course[1:], strict=False)
        near = alike and all(abs(one.start - other.start) <= 0.1 for one, other in turns)
        curve = "so does the curve" if near else f"the curve {self._told(course)}"
        where = f"{PLACES[float(_AT[worst])]}, at {self._frame.x.told(float(_AT[worst]))}"
        return " ".join(
            [
                *said,
                f"Your sketch {self._told(own)}; {curve}.",
                f"It is farthest off {where}: {self._off(float(gaps[worst]))}.",
            ]
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

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Give Jupyter the live widget, and a page without a kernel the question, curve folded."""
        live, about = super()._repr_mimebundle_(**options) or ({}, {})
        plot, result = self._result
        whole = Held(plot.shared().still(result, f"The curve {self._told(self._frame.course)}."))
        page = paragraph(self.prompt, "font-weight:600") + whole.folded("The curve")
        page += self.held.folded() if self.held else ""
        return live | {"text/plain": repr(self), "text/html": page}, about

    def _draw(self) -> None:
        """Show the sketch, and the curve if it is its time."""
        heights = [self._frame.y.told(height) for height in self.heights]
        what = "Your sketch and the curve" if self.shown else "An empty frame and your sketch"
        told = ", ".join(map(" ".join, zip(heights, PLACES.values(), strict=True)))
        handles = [
            {"place": place, "max": _STEPS, "spoken": height}
            for place, height in zip(self._places, heights, strict=True)
        ]
        layers = self._frame.layers(_State(self.heights, self.shown), self._name, self._layers)
        self._layers = layers
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
                if answer:
                    found[what] = 0.0
                continue
            curve = np.clip(self._frame.y.shares(np.broadcast_to(answer, 5)), 0, 1)
            if np.abs(curve - sketch).max() <= _NEAR:
                found[what] = float(np.abs(curve - sketch).max())
        return min(found, key=lambda what: found[what], default="")

    def _off(self, gap: float, about: str = "") -> str:
        return f"too {'high' if gap > 0 else 'low'} by {about}{self._frame.y.distance(abs(gap))}"

    def _told(self, course: list[_Part]) -> str:
        """Say where a curve rises and where it falls."""
        if not course:
            return "stays level"
        first, *rest = ("rises" if up else "falls" for up, _ in course)
        turns = [
            f", then {what} from {self._frame.x.told(turn)} on"
            for what, (_, turn) in zip(rest, course[1:], strict=True)
        ]
        return first + "".join(turns)


class _State(NamedTuple):
    """A sketch, in shares of the frame's height, and whether the curve stands beside it."""

    heights: FloatArray
    shown: bool


class _Scale:
    """One axis of a frame: shares of its length, and the numbers that they stand for."""

    def __init__(self, axis: Axis, which: int) -> None:
        self._which, self._logarithmic = which, axis.get_scale() == "log"
        self._axes = axis.axes
        kind = axis.get_major_formatter()
        self._percent = isinstance(kind, PercentFormatter)
        self._plain = self._logarithmic or (
            axis.get_scale() == "linear" and not isinstance(kind, (FixedFormatter, FuncFormatter))
        )

    def values(self, shares: FloatArray) -> FloatArray:
        """Return the numbers at these shares of the axis."""
        points = np.full((len(shares), 2), 0.5)
        points[:, self._which] = shares
        places = self._axes.transData.inverted().transform(self._axes.transAxes.transform(points))
        return np.asarray(places[:, self._which])

    def shares(self, values: FloatArray) -> FloatArray:
        """Return at which shares of the axis these numbers stand."""
        ends = np.array(self._axes.get_ylim() if self._which else self._axes.get_xlim())
        values = np.asarray(values, float)
        if self._logarithmic:
            ends, values = np.log(ends), np.log(np.maximum(values, 1e-300))
        return np.asarray((values - ends[0]) / (ends[1] - ends[0]))

    def told(self, share: float) -> str:
        """Write the number at a share of the axis; where no number would do, the share."""
        if not self._plain:
            return f"{percent(share, 2)} of the frame"
        value = float(self.values(np.array([share]))[0])
        return percent(value, 2) if self._percent else _brief(value)

    def distance(self, share: float) -> str:
        """Write how far apart two numbers are, that are so much of the axis apart."""
        if not self._plain:
            return f"{percent(share, 2)} of the frame’s height"
        first, second = self.values(np.array([0.0, share]))
        if self._logarithmic:
            return f"a factor of {_brief(max(first, second) / min(first, second))}"
        apart = abs(float(second - first))
        if not self._percent:
            return _brief(apart)
        points = _brief(100 * apart)
        return f"{points} percentage point{'' if points == '1' else 's'}"


def _brief(number: float) -> str:
    """Write a number in two digits: a handle cannot be placed more exactly."""
    return show(float(f"{number:.2g}"), 2)


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


class _Frame(Plot):
    """The frame of another plot, empty but for a sketch, and for one curve once it is shown."""

    def __init__(self, kind: type[Plot], result: Any, curve: str) -> None:
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
            self.x, self.y = _Scale(self.axes.xaxis, 0), _Scale(self.axes.yaxis, 1)
            self.area = self.axes.get_position()
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

    def build(self, figure: Figure, line: Line2D | None = None) -> None:
        assert line is not None
        for axes in figure.axes:
            artists = [*axes.lines, *axes.patches, *axes.collections, *axes.texts]
            if axes is not line.axes:
                axes.set_visible(False)
                artists += axes.spines.values()
            if (legend := axes.get_legend()) is not None:
                legend.remove()
            for artist in artists:
                artist.set_visible(False)
        axes = self.axes = next(one for one in figure.axes if one is line.axes)
        (self.curve,) = axes.plot(
            [], [], color=style.MAIN, linewidth=2.4, label="the curve", zorder=2.5
        )
        (self.sketch,) = axes.plot(
            [],
            [],
            color=style.ACCENT,
            linewidth=2,
            linestyle="--",
            marker="o",
            label="your sketch",
            transform=axes.transAxes,
            zorder=3,
        )
        self.legend = axes.legend(handles=[self.curve, self.sketch], loc="best")

    def update(self, result: _State) -> None:
        self.sketch.set_data(_AT, result.heights)
        self.curve.set_visible(result.shown)
        self.legend.set_visible(result.shown)
