"""What every plot does: it draws what moves alone, any words, and in any session."""

import base64
import gc
import io
import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from PIL import Image

from dpwidgets.calculators import bayes, interval
from dpwidgets.calculators.worlds import disclosure
from dpwidgets.plots import interval as plots, style, worlds
from dpwidgets.plots.base import HEIGHT, WIDTH, Plot
from dpwidgets.plots.bayes import OneAnswer

FIRST = interval.precision(half_width=0.2, confidence=0.8, count=100)


class Behind(Plot):
    """A legend, and thick lines that move behind it."""

    def build(self, figure):
        self.axes = figure.subplots()
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.lines = [self.axes.plot([], [], linewidth=40)[0] for _ in range(2)]
        self.axes.plot([], [], label="one")
        self.axes.plot([], [], label="two")
        self.axes.legend(loc="center")

    def update(self, result):
        self.lines[0].set_data([0, 1], [result, 1 - result])
        self.lines[1].set_data([result, 1 - result], [0, 1])
        self.axes.get_legend().get_texts()[0].set_text("one" if result < 0.5 else "one and a half")


def test_what_was_drawn_before_leaves_no_trace():
    plot, last = Behind(), None
    for result in (0, 0.3, 0.2, 0.8, 0.9, 0.1):
        last = plot.layers(result, last=last)
        assert last == Behind().layers(result)
        assert plot.png(result) == Behind().png(result)


def test_the_picture_has_its_size_and_few_bytes():
    png = plots.Answer().png(FIRST)
    image = Image.open(io.BytesIO(png))
    assert image.size == (WIDTH * 3 // 2, HEIGHT * 3 // 2)
    assert len(png) < 40_000


def test_a_still_has_a_picture_and_its_words():
    still = plots.Answer().still(FIRST, "the words")
    data, metadata = still._repr_mimebundle_()
    assert repr(still) == data["text/plain"] == "the words"
    assert base64.b64decode(data["image/png"]) == still.png == plots.Answer().png(FIRST)
    assert metadata["image/png"] == {"width": WIDTH, "height": HEIGHT}


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["nonsense", "module://nowhere.at_all", ""])
def test_a_backend_that_is_not_installed_is_not_needed(backend):
    code = (
        "import os, dpwidgets; explorer = dpwidgets.IntervalExplorer(); "
        "print(os.environ['MPLBACKEND'], explorer)"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"MPLBACKEND": backend},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith(f"{backend} With ε = 0.0805")


@pytest.mark.slow
def test_a_backend_that_is_installed_is_left_to_the_session():
    code = "import dpwidgets.plots.base, matplotlib; print(matplotlib.get_backend())"
    environment = os.environ | {"MPLBACKEND": "svg"}
    run = [sys.executable, "-c", code]
    assert subprocess.check_output(run, env=environment, text=True).strip() == "svg"


def test_a_session_that_raises_on_underflow_gets_its_picture():
    one = bayes.estimate(40, 100, 0.3, 50)
    with np.errstate(all="raise"):
        assert OneAnswer().png(one).startswith(b"\x89PNG")
        assert OneAnswer().pdf(one).startswith(b"%PDF")
        assert OneAnswer().layers(one).moving.startswith("<svg")


@pytest.mark.parametrize(
    "name",
    [
        "$x^{2$",
        "$\\frac{1}{0}$",
        "\ud800\udfff lone",
        "\x00\x1b[31m\n\r\t",
        "\u202eright to left\u202c",
        "שלום عليكم",
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
        ElementTree.fromstring(kind().svg(told, name))
    shown = style.plain(name, 9.0)
    assert style.width(shown, "bold") <= 9.0
    assert shown.isprintable()


def test_what_is_kept_between_drawings_is_bounded():
    """Names, letters and how wide they are in caches with an end; no legend but the present."""
    plot = worlds.Posteriors()
    legends = []
    for at in range(30):
        plot.layers(disclosure({f"A{at}": 1, "B": 2, "C": 10}, epsilon=1, risk=0.5))
        if at in (0, 29):  # to look at all that Python holds takes as long as many drawings
            gc.collect()
            legends.append(sum(isinstance(one, Legend) for one in gc.get_objects()))
    first, last = legends
    assert 0 < last <= first
    for kept in (style.plain, style.width):
        assert kept.cache_info().maxsize


def test_ticks_of_one_axis_are_told_apart_and_have_one_form():
    axes = Figure().subplots()
    style.numbers(axes, "y")
    write = axes.yaxis.get_major_formatter().format_ticks
    assert write([0, 0.5, 1]) == ["0", "0.5", "1"]
    assert write([0, 50_000, 100_000]) == ["0", "5e4", "1e5"]
    assert write([1000.25, 1000.5]) == ["1,000.2", "1,000.5"]
    assert write([-0.00075, 0.00075]) == ["−7.5e-4", "7.5e-4"]
