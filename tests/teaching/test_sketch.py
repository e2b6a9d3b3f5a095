"""A sketch beside the curve: what is said of it, and what a page shows before and after."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import signal

from dpwidgets import Sketch
from dpwidgets.teaching.sketch import PLACES
from tools import ask, assert_sound, press, run, said

X = np.linspace(0, 10, 201)
FRAME = {"x": "from here", "y": "to there", "xlim": (0, 10), "ylim": (0, 2)}
PERCENTS = {"percents": "x", "xlim": (0, 1)}
LOGARITHMS = {"yscale": "log", "ylim": (1e-4, 1)}


def made(
    curve=lambda x: 1.6 - 0.1 * x,
    prompt="Which curve?",
    x=X,
    frame=None,
    **options,
):
    frame = FRAME | (frame or {})
    return Sketch(prompt, x, curve(x), frame=frame, **options)


def move(sketch, at, place):
    """Move a handle, as its reader does."""
    ask(sketch, [*PLACES.values()][at], place=place)


FALLING = made()
HILL = made(lambda x: 1.5 - 0.06 * (x - 5) ** 2)
LOG = made(lambda x: 10.0 ** (-x / 5), frame=LOGARITHMS)
SHARES = made(lambda x: 1.6 - x, x=np.array([0, 1]), frame=PERCENTS)
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


@pytest.mark.slow
def test_a_sketch_takes_no_library_for_its_turns():
    """scipy.signal alone would take 57 MB and a second in each kernel with a sketch."""
    program = (
        "import sys; from dpwidgets import Sketch; frame = {'xlim': (0, 1), 'ylim': (0, 1)}; "
        "Sketch('Where?', [0, 1], [0, 1], frame=frame); "
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
    for short in (X[50:], X[:1], X * np.nan):
        with pytest.raises(ValueError, match="a curve across the whole frame"):
            made(x=short)
    for wrong in (
        {1: FALLING.judge},
        {"a": 1},
        {"alike": lambda x, y: 1.6 - x / 10},
    ):
        with pytest.raises((AssertionError, TypeError)):
            assert_sound(made(misconceptions=wrong))


def test_numbers_are_written_as_the_axes_have_them():
    for sketch, unit in (
        (SHARES, "at the left end, at 10%"),
        (FALLING, "at the left end, at 1:"),
    ):
        assert unit in sketch.judge([0, 1, 0, 1, 0])
    low = (
        "Everywhere your sketch is too low: "
        "at the left end it is at 0.063, and the curve at 0.63."
    )
    assert LOG.judge(LOG._frame.truth - 0.25) == f"The shape is right. {low}"
    turned = made(lambda x: 0.1 * x, frame={"xlim": (10, 0)})
    assert turned._frame.truth == pytest.approx((1 - TENTHS) / 2)


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
    assert sketch.key in kept.questions
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
    sketch, untouched = (made(then="It is a line.") for _ in range(2))
    move(sketch, 0, 75)
    first, second, *_ = map(sketch._shown.get, PLACES.values())
    assert (first["place"], first["spoken"], first["handles"][0]["at"]) == (
        75,
        "1.5",
        0.75,
    )
    assert "--top:4.000%;--length:82.000%" in first["handles"][0]["style"]
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
