"""A picture drawn in two layers is the picture drawn whole."""

import io

import numpy as np
import pytest
from PIL import Image

from dpwidgets.calculators import interval
from dpwidgets.plots import interval as plots
from dpwidgets.plots import style
from dpwidgets.plots.base import HEIGHT, WIDTH, Plot

FIRST = interval.precision(half_width=0.2, confidence=0.8, count=100)
SECOND = interval.precision(half_width=0.4, confidence=0.95, count=1000)
PLOTS = [plots.Answer, plots.IsoEpsilon, plots.EpsilonAgainstCount]


def drawn_whole(plot):
    """Draw every artist of the plot anew, as matplotlib itself does."""
    for axes in plot.figure.axes:
        for artist in axes.get_children():
            artist.set_animated(False)
    plot._canvas.draw()
    return np.asarray(plot._canvas.buffer_rgba())[..., :3].astype(int)


@pytest.mark.parametrize("kind", PLOTS)
def test_two_layers_are_the_whole(kind):
    plot = kind()
    for result in (FIRST, SECOND, FIRST):
        plot.png(result)
    layered = np.asarray(plot._canvas.buffer_rgba())[..., :3].astype(int)
    assert np.abs(layered - drawn_whole(plot)).max() <= 2


@pytest.mark.parametrize("kind", PLOTS)
def test_the_same_result_gives_the_same_bytes(kind):
    plot = kind()
    first = plot.png(FIRST)
    assert plot.png(SECOND) != first
    assert plot.png(FIRST) == first
    assert kind().png(FIRST) == first


class Behind(Plot):
    """A legend, and thick lines that move behind it."""

    def build(self, figure):
        self.axes = figure.subplots()
        self.axes.set(xlim=(0, 1), ylim=(0, 1))
        self.lines = [self.axes.plot([], [], linewidth=40)[0] for _ in range(2)]
        self.axes.plot([], [], label="one")
        self.axes.plot([], [], label="two")
        style.legend(self.axes, loc="center")

    def update(self, result):
        self.lines[0].set_data([0, 1], [result, 1 - result])
        self.lines[1].set_data([result, 1 - result], [0, 1])
        self.axes.get_legend().get_texts()[0].set_text("one" if result < 0.5 else "one and a half")


def test_what_moves_behind_a_legend_leaves_no_trace():
    plot = Behind()
    for result in (0, 0.3, 0.2, 0.8, 0.9, 0.1):
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
    assert data["image/png"].startswith("iVBOR")
    assert metadata["image/png"] == {"width": WIDTH, "height": HEIGHT}
