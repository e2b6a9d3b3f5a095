"""What every plot does: it draws what moves alone, any words, and in any session."""

import base64
import contextlib
import io
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from dpwidgets.calculators import bayes, interval
from dpwidgets.calculators.worlds import disclosure
from dpwidgets.plots import interval as plots, style, worlds
from dpwidgets.plots.base import HEIGHT, WIDTH
from dpwidgets.plots.bayes import OneAnswer
from dpwidgets.plots.panel import Panel

FIRST = interval.precision(half_width=0.2, confidence=0.8, count=100)


def test_a_still_has_its_words_and_a_picture_of_its_size_and_of_few_bytes():
    still = plots.Answer().still(FIRST, "the words")
    png = still.png
    image = Image.open(io.BytesIO(png))
    high = HEIGHT + 24  # for the headline
    assert image.size == (WIDTH * 3 // 2, high * 3 // 2)
    assert len(png) < 40_000
    data, metadata = still._repr_mimebundle_()
    assert repr(still) == data["text/plain"] == "the words"
    assert (
        base64.b64decode(data["image/png"]) == png == plots.Answer().png(FIRST)
    )
    assert metadata["image/png"] == {"width": WIDTH, "height": high}


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["module://nowhere.at_all", "", "svg"])
def test_a_backend_is_left_to_the_session_and_not_needed(backend):
    code = (
        "import os, dpwidgets; dpwidgets.IntervalExplorer(); import matplotlib; "
        "print(os.environ['MPLBACKEND'], matplotlib.get_backend())"
    )
    said = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"MPLBACKEND": backend},
        text=True,
    )
    assert said.startswith(f"{backend} ")
    assert said == "svg svg\n" or backend != "svg"


@pytest.mark.slow
def test_a_session_that_raises_on_underflow_gets_its_picture():
    one = bayes.estimate(40, 100, 0.3, 50)
    with np.errstate(all="raise"):
        assert OneAnswer().png(one).startswith(b"\x89PNG")
        assert OneAnswer().pdf(one).startswith(b"%PDF")
        assert OneAnswer().layers(one).moving.startswith("<svg")


#: What settings that are words may be otherwise.
OTHER = [
    *("red", "serif", "--", "bold", "italic", "round", "miter", "left"),
    *("top", "x", "o", "both", "viridis", "condensed"),
]


def test_no_setting_of_the_session_changes_a_picture():
    """All that can be are set otherwise at once: what `plt.xkcd()` does, or TeX without a TeX."""

    def drawn():
        for known in (style.width, style.measured, style._one):
            known.cache_clear()
        one, other = bayes.estimate(40, 100, 0.3, 50), plots.Answer()
        return (
            OneAnswer().png(one),
            OneAnswer().layers(one),
            other.svg(FIRST, ""),
        )

    usual = drawn()
    with mpl.rc_context():
        changed = set()
        for name, value in dict.items(mpl.rcParamsDefault):
            others = OTHER if isinstance(value, str | list) else []
            if isinstance(value, bool):
                others = [not value]
            elif isinstance(value, int | float):
                others = [value + 1, value / 2]
            for another in (*others, (1, 100, 2)):  # of a sketch
                with contextlib.suppress(Exception):
                    mpl.rcParams[name] = another
                    changed.add(name)
        assert {"text.usetex", "path.sketch", "font.family"} <= changed
        assert len(changed) > 200
        theirs = dict(mpl.rcParams)
        assert drawn() == usual
        assert dict(mpl.rcParams) == theirs


def test_a_figure_that_could_not_be_drawn_is_not_kept(monkeypatch):
    shared = plots.Answer.shared()
    shared.png(FIRST)
    assert plots.Answer.shared() is shared
    monkeypatch.setattr(Panel, "empty", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        shared.png(FIRST)
    assert plots.Answer.shared() is not shared


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "$x^{2$",
        "$\\frac{1}{0}$",
        "\x00\x1b[31m\n\r\t",
        "\ud800\udfff lone",
        "\u202eright to left\u202c",
        "שלום עליכם",
        "a\u0301\u0301\u0301",
        "\U0001f9ee",
        "x" * 100_000,
        " " * 500,
        "",
    ],
    ids=ascii,
)
def test_any_words_can_stand_in_a_picture(name):
    told = disclosure({name: 1, "B": 2, "C": 10}, epsilon=1, risk=0.5)
    for kind in (worlds.Answers, worlds.Posteriors):
        assert kind().png(told).startswith(b"\x89PNG")
        page = ElementTree.fromstring(kind().svg(told, name))
        size = [0.72 * float(page.get(side)) for side in ("width", "height")]
        box = [float(number) for number in page.get("viewBox").split()]
        assert box == pytest.approx([0, 0, *size])
    shown = style.plain(name, 9.0)
    assert style.width(shown, "bold") <= 9.0
    assert shown.isprintable()


def test_ticks_of_one_axis_are_told_apart_and_have_one_form():
    write = (
        Panel(Figure(), writes="y").yaxis.get_major_formatter().format_ticks
    )
    assert write([0, 0.5, 1]) == ["0", "0.5", "1"]
    assert write([0, 50_000, 100_000]) == ["0", "5e4", "1e5"]
    assert write([1000.25, 1000.5]) == ["1,000.2", "1,000.5"]
    assert write([-0.00075, 0.00075]) == ["−7.5e-4", "7.5e-4"]


def test_where_not_all_ticks_have_room_0_is_one_that_has():
    panel = Panel(Figure(), writes="x", xlim=(-20, 100))
    panel.set_position((0, 0, 0.25, 1))
    words = {one.get_text() for one in panel.get_xticklabels()}
    assert {"", "0"} <= words


def test_no_line_of_words_ends_between_a_number_and_its_sign():
    words = "None of 200 publishes 40 ± 35.2, with ε = 0.1 and 1 in 5 in all."
    for room in range(60):
        lines = "\n".join(style.lines(words, room))
        assert lines.split() == words.split()
        assert not re.search(
            r"[=±]$|^[=±]|\d\nin \d|in\n\d", lines, re.MULTILINE
        )
