"""What the picture of all meanings draws."""

import io

import numpy as np
import pytest
from PIL import Image

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import portrait
from dpwidgets.plots import meanings as plots


def shown(texts):
    return [text.get_text() for text in texts if text.get_visible() and text.get_text()]


@pytest.mark.parametrize("mechanism", ["any", "Laplace"])
@pytest.mark.parametrize("releases", ["one", "many"])
def test_every_meaning_is_a_row_with_its_number_and_its_mark(mechanism, releases):
    plot = plots.Rows()
    plot.update(portrait(3, releases="many"))
    result = portrait(0.5, mechanism=mechanism, releases=releases)
    plot.update(result)
    names = [row.meaning.name for row in result.rows]
    assert [name for name in shown(plot.axes.get_yticklabels()) if not name.endswith("?")] == names
    assert len(shown(plot.values)) == len(names)
    xs = plot.marks.get_xdata()
    left, right = (
        segment[0][0]
        for segment in (plot.scales.get_segments()[0], plot.scales.get_segments()[0][::-1])
    )
    assert (xs - left) / (right - left) == pytest.approx([row.place for row in result.rows])


def test_a_mark_beyond_its_scale_has_another_shape():
    plot = plots.Rows()
    plot.update(portrait(20, mechanism="any"))
    assert len(plot.marks.get_xdata()) == 0
    assert len(plot.beyond.get_xdata()) == len(portrait(20, mechanism="any").rows)


def test_names_and_numbers_do_not_meet():
    plot = plots.Rows()
    plot.png(portrait(0.5, releases="many"))
    plot.figure.dpi = 150
    renderer = plot.figure.canvas.get_renderer()
    for name, value in zip(plot.axes.get_yticklabels(), plot.values, strict=False):
        if value.get_visible():
            assert name.get_window_extent(renderer).x0 >= 0
            assert name.get_window_extent(renderer).x1 < value.get_window_extent(renderer).x0


def test_published_epsilons_and_ones_own():
    plot = plots.Published()
    plot.png(portrait(2))
    plot.figure.dpi = 150
    drawn = sorted(
        x for line in plot.axes.lines if line.get_linestyle() == "None" for x in line.get_xdata()
    )
    assert sorted([*(one.epsilon for one in meanings.deployments()), 2]) == pytest.approx(drawn)
    assert list(plot.now.get_xdata()) == [2, 2]
    renderer = plot.figure.canvas.get_renderer()
    width = plot.figure.bbox.width
    for text in plot.axes.texts:
        extent = text.get_window_extent(renderer)
        assert extent.x0 >= 0, text.get_text()
        assert extent.x1 <= width, text.get_text()


@pytest.mark.parametrize("times", [2, 3])
def test_there_is_room_for_any_number_of_meanings(times):
    """A sixth text adds rows, and the picture grows: here two and three times as many rows."""

    class More(meanings.Portrait):
        @property
        def rows(self):
            return portrait(0.5, releases="many").rows * times

    result = More(0.5, "Laplace", "add/remove", "many")
    plot = plots.Rows()
    still = plot.still(result, "the words")
    height = Image.open(io.BytesIO(still.png)).height / 1.5
    assert height > 900
    assert still.size[1] == pytest.approx(height, abs=1)  # a pixel may be cut off
    assert len(shown(plot.values)) == len(result.rows) >= 38
    few = plot.still(portrait(0.5), "the words")
    assert few.png == plots.Rows().png(portrait(0.5))
    assert few.size[1] < still.size[1]
    gaps = [name.get_position()[1] for name in plot.axes.get_yticklabels()]
    heights = np.diff(plot.axes.transData.transform([(0, gap) for gap in gaps])[:, 1])
    assert -heights.max() / 0.72 == pytest.approx(22.6, rel=0.01)  # CSS pixels to a row


def test_a_name_makes_way_for_a_long_number():
    plot = plots.Rows()
    plot.update(portrait(30, mechanism="Laplace"))
    names = [name.get_text() for name in plot.axes.get_yticklabels()]
    assert any(name.endswith("…") for name in names)
