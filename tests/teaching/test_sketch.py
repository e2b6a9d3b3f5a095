"""A sketch beside the curve: what is said of it, and what a page shows before and after."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import signal

from dpwidgets import LossExplorer, Sketch
from dpwidgets.calculators import breach, interval, loss
from dpwidgets.plots import (
    breach as breach_plots,
    interval as plots,
    loss as loss_plots,
)
from dpwidgets.plots.base import Plot
from dpwidgets.teaching.sketch import PLACES
from tools import ask, assert_sound, press, run, said

KNOWN = interval.precision(half_width=0.2, confidence=0.8, count=100)


class Line(Plot):
    """A curve that a test gives, in a frame from 0 to 10 and from 0 to 2."""

    def build(self, figure):
        self.axes = figure.subplots()
        self.axes.set(xlim=(0, 10), ylim=(0, 2))
        (self.curve,) = self.axes.plot([], [])
        (self.short,) = self.axes.plot([4, 5], [1, 1])
        self.bars = self.axes.bar([1, 2], [1, 2])

    def update(self, result):
        self.curve.set_data(
            np.linspace(0, 10, 201), result(np.linspace(0, 10, 201))
        )


class Log(Line):
    """The same with a logarithmic height from 1e-4 to 1."""

    def build(self, figure):
        super().build(figure)
        self.axes.set(yscale="log", ylim=(1e-4, 1))


def made(
    curve=lambda x: 1.6 - 0.1 * x, kind=Line, prompt="Which curve?", **options
):
    return Sketch(prompt, kind, curve, "curve", **options)


def move(sketch, at, place):
    """Move a handle, as its reader does."""
    ask(sketch, [*PLACES.values()][at], place=place)


FALLING = made()
HILL = made(lambda x: 1.5 - 0.06 * (x - 5) ** 2)
LOG = made(lambda x: 10.0 ** (-x / 5), Log)
TENTHS = np.array([1, 3, 5, 7, 9]) / 10


@given(st.integers(0, 10**6), st.sampled_from([0.01, 0.03, 0.1]))
def test_a_course_turns_where_scipy_finds_peaks_and_valleys(seed, widest):
    """Each is higher or lower than what is on either side of it, by more than 0.06."""
    steps = np.random.default_rng(seed).uniform(-widest, widest, 160)
    x, y = np.linspace(0, 1, 161), np.append(0.5, 0.5 + np.cumsum(steps))
    peaks, valleys = (
        signal.find_peaks(way * y, prominence=0.06)[0] for way in (1, -1)
    )
    turns = sorted(
        [*((at, "falls") for at in peaks), *((at, "rises") for at in valleys)]
    )
    up, down = (
        np.max(way * y - np.minimum.accumulate(way * y)) > 0.06
        for way in (1, -1)
    )
    first = "rises" if up else "falls"
    if turns:
        first = "rises" if turns[0][1] == "falls" else "falls"
    elif not (up or down):
        first = "stays level"
    told = [
        first,
        *(
            f"{way} from {FALLING._frame.written(0, x[at])} on"
            for at, way in turns
        ),
    ]
    assert FALLING._frame.course_of(x, y) == ", then ".join(told)


def test_a_sketch_takes_no_library_for_its_turns():
    """scipy.signal alone would take 57 MB and a second in each kernel with a sketch."""
    program = (
        "import sys; from dpwidgets import Sketch; from dpwidgets.calculators import interval; "
        "from dpwidgets.plots.interval import IsoEpsilon; "
        "curve = interval.precision(epsilon=0.08, half_width=0.2, count=100); "
        "Sketch('Where?', IsoEpsilon, curve, 'present'); "
        "print([name for name in ('scipy.signal', 'scipy.stats') if name in sys.modules])"
    )
    assert run(sys.executable, "-c", program).strip() == "[]"


def test_the_curve_itself_is_right_and_stands_where_the_handles_stand():
    for sketch, truth in ((FALLING, 0.8 - TENTHS / 2), (LOG, 1 - TENTHS / 2)):
        assert sketch._frame.truth == pytest.approx(truth)
        for near in (truth, truth + np.array([0.05, -0.05, 0.07, 0, 0.03])):
            assert sketch.judge(near).startswith(
                "Your sketch is right: the curve "
            )


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_the_words_are_true_of_any_sketch(heights):
    heights = np.array(heights)
    for sketch in (FALLING, HILL):
        said = sketch.judge(heights)
        gaps = heights - sketch._frame.truth
        assert ("right:" in said) == (np.abs(gaps).max() <= 0.08)
        assert ("Everywhere" in said) <= ((gaps > 0).all() or (gaps < 0).all())
        if "farthest off" in said:
            worst = np.abs(gaps).argmax()
            assert f"farthest off {list(PLACES.values())[worst]}, at" in said
            assert (
                f"too {'high' if gaps[worst] > 0 else 'low'}. There it is at"
                in said
            )
        for words, holds in (
            ("Your sketch rises;", heights[-1] > heights[0]),
            ("Your sketch falls;", heights[-1] < heights[0]),
            ("stays level", np.ptp(heights) <= 0.06),
        ):
            assert holds or words not in said


def test_rising_and_falling_and_turning_are_told():
    assert FALLING.judge(TENTHS) == (
        "Your sketch rises; the curve falls. It is farthest off at the left end, at 1: too low. "
        "There it is at 0.2, and the curve at 1.5."
    )
    turns = "rises, then falls from 3 on, then rises from 5 on, then falls from 7 on"
    both = "Your sketch rises, then falls from 7 on; the curve rises, then falls from 5 on."
    for sketch, heights, told in (
        (FALLING, [0.1] * 5, "Your sketch stays level; the curve falls."),
        (
            FALLING,
            [1, 0.3, 0.2, 0.1, 0],
            "Your sketch falls; so does the curve.",
        ),
        # Small steps that add up.
        (FALLING, [0.1, 0.15, 0.2, 0.25, 0.3], "Your sketch rises"),
        (FALLING, [0.2, 0.8, 0.2, 0.8, 0.2], turns),
        (HILL, [0.1, 0.2, 0.5, 0.9, 0.4], both),
    ):
        assert told in sketch.judge(heights)


def test_misconceptions_are_matched_as_curves_and_as_predicates_and_bad_input_is_named():
    wrong = {
        "it does not rise": lambda x, y: y[-1] > y[0],
        "that is a half": lambda x, y: np.full(5, 1.0),
    }
    sketch = made(misconceptions=wrong)
    for heights, told in (
        (TENTHS / 2, "It does not rise. Your sketch rises"),
        ([0.5] * 5, "That is a half. Your sketch stays level"),
        (sketch._frame.truth, "Your sketch is right"),
    ):
        assert sketch.judge(heights).startswith(told)
    for curve, message in (
        ("bars", "curve must be one of 'curve', 'short'; got"),
        ("short", "curve must cross the whole frame; 'short' does not"),
    ):
        with pytest.raises(ValueError, match=message):
            Sketch("Which?", Line, lambda x: 2 - x / 5, curve)
    for wrong in (
        {1: FALLING.judge},
        {"a": 1},
        {"alike": lambda x, y: 1.6 - x / 10},
    ):
        with pytest.raises((AssertionError, TypeError)):
            assert_sound(made(misconceptions=wrong))


CURVES = [
    (plots.IsoEpsilon, KNOWN, "present"),
    (plots.EpsilonAgainstCount, KNOWN, "present"),
    (plots.Answer, KNOWN, "curve"),
    (
        loss_plots.DeltaCurve,
        loss.release(epsilon=0.5, compositions=9),
        "delta",
    ),
    (loss_plots.LossOfAnswers, loss.release("gaussian", mu=0.5), "curve"),
    (breach_plots.Beliefs, breach.promise(prior=0.1, posterior=0.4), "most"),
]


def test_our_own_curves_can_be_sketched():
    for kind, result, curve in CURVES:
        sketch = Sketch("How?", kind, result, curve)
        assert "right: the curve" in sketch.judge(sketch._frame.truth)
        for height in (0, 1):
            assert sketch.judge([height] * 5)
        assert all(sketch._shown[name]["spoken"] for name in PLACES.values())
        assert sketch._moving.count("</svg>") == 1
    # Per cent, and where words stand.
    for at, unit in ((0, r"\d%,"), (-1, r"\d% of the frame,")):
        sketch = Sketch("How?", *CURVES[at])
        assert re.search(unit, sketch.judge(sketch._frame.truth - 0.2))
    low = (
        "Everywhere your sketch is too low: "
        "at the left end it is at 0.063, and the curve at 0.63."
    )
    assert LOG.judge(LOG._frame.truth - 0.25) == f"The shape is right. {low}"


def strip(moving):
    """Return the lines without ids, which no two pictures share."""
    return re.sub(r'(id="|url\(#|href="#)[^")]*', "", moving)


def test_the_frame_is_empty_until_the_curve_is_shown():
    sketch, other = made(), made(lambda x: 0.2 + 0.1 * x)
    empty = sketch._moving
    move(sketch, 0, 90)
    move(other, 0, 90)
    moved = sketch._moving
    assert moved != empty
    # Nothing of the curve is in it.
    assert strip(moved) == strip(other._moving)
    assert sketch._still.count("</svg>") == 1
    press(sketch, "check")
    assert strip(sketch._moving) != strip(moved)
    assert "too high. There it is at 1.8, and the curve at 1.5." in said(
        sketch
    )


def test_show_waits_for_a_sketch_and_it_counts_once_it_is_answered(
    data_directory,
):
    sketch = made(then="It is a line.")
    kept = sketch._progress
    assert sketch._key in kept.questions
    press(sketch, "check")
    assert "move the handles first" in said(sketch)
    assert (sketch.shown, sketch.revealed, kept.solved) == (False, False, 0)
    move(sketch, 2, 60)
    move(sketch, 2, 50)  # moved, and back: a level line is meant
    press(sketch, "check")
    assert (sketch.shown, sketch.revealed, kept.solved) == (True, True, 1)
    assert said(sketch).count("Your sketch stays level; the curve falls.") == 1
    assert "See below." in said(sketch)
    assert "✓" not in said(sketch)  # it is not graded
    again = made(then="It is a line.")
    # What came next has been seen before.
    assert (again.shown, again.revealed) == (False, True)


def test_handles_are_told_to_a_screen_reader_and_a_page_without_a_kernel_folds_the_curve():
    before = LossExplorer(view="delta").still.png
    sketch, untouched = (made(then="It is a line.") for _ in range(2))
    move(sketch, 0, 75)
    first, second, *_ = map(sketch._shown.get, PLACES.values())
    assert (first["place"], first["spoken"], first["handles"][0]["at"]) == (
        75,
        "1.5",
        0.75,
    )
    assert second["spoken"] == "1"
    told = "An empty frame and your sketch: 1.5 at the left end, 1 left of the middle"
    assert sketch._shown["picture"]["alt"].startswith(told)
    move(sketch, 1, 1000)  # a page can say anything
    assert sketch.heights[1] == 1
    ask(sketch, "left of the middle", share=0.423, handle=0)  # by hand
    assert sketch.heights[1] == 0.42
    move(sketch, 1, 100)
    assert sketch.still_page() == untouched.still_page()
    start, curve, then = sketch.still_page().split("<details>")
    assert "The curve falls." not in start
    assert curve.startswith("<summary>The curve</summary><img alt=")
    assert "It is a line." in then
    of_an_explorer = Sketch("How?", *CURVES[3])
    move(of_an_explorer, 0, 3)
    of_an_explorer.show()
    # An explorer's plot is left alone.
    assert LossExplorer(view="delta").still.png == before


def test_a_narrower_frame_lets_the_handles_tell_a_jump_from_a_slope():
    shown = (
        loss_plots.LossOfAnswers,
        loss.release("laplace", epsilon=0.5),
        "curve",
    )
    wide = Sketch("Wide?", *shown)
    near = Sketch("Near?", *shown, across=(-0.75, 1.75))
    for sketch, passes in ((wide, True), (near, False)):
        places, _ = sketch._frame.numbers(TENTHS, TENTHS)
        slope = np.interp(places, [-3.5, 4.5], [-0.5, 0.5])
        for values, is_right in (
            (slope, passes),
            (np.clip(places - 0.5, -0.5, 0.5), True),
        ):
            _, heights = sketch._frame.shares(places, values)
            assert ("is right" in sketch.judge(heights)) is is_right
    assert places == pytest.approx([-0.5, 0, 0.5, 1, 1.5])
